//! What a step of the oracle answers.

use super::cloth::Fields;
use super::laws;
use super::net::Net;
use crate::narrow::to_u32;
use cloth_core::math::sum::TreeSum;
use cloth_core::math::{real, sqrt};

/// What one step found and did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct OracleReport {
    /// Largest |L − rest|/rest over the stretch rows at the end of the step (1).
    pub max_strain: f32,
    /// Mean of the same (1).
    pub mean_strain: f32,
    /// Largest speed of a particle at the end of the step (m/s).
    pub max_speed: f32,
    /// Kinetic energy of the free particles at the end of the step (J).
    pub kinetic_energy: f32,
    /// Particles the non-finite guard put back to where the step began, at rest, their multipliers reset.
    /// Counted once a substep.
    pub rescued: u32,
}

/// Where the step ended; nothing about rescues.
pub(super) fn measure(net: &Net, fields: &Fields) -> OracleReport {
    let mut report = OracleReport::default();
    let mut energy = TreeSum::default();
    let mut fastest = 0.0;
    for particle in 0..net.count() {
        let velocity = fields.velocities[particle];
        let square = velocity.dot(velocity);
        fastest = real::max(fastest, square);
        energy.push(if fields.is_held(particle) { 0.0 } else { 0.5 * net.masses[particle] * square });
    }
    report.kinetic_energy = energy.finish();
    report.max_speed = sqrt(fastest);
    let mut mean = TreeSum::default();
    for row in &net.stretch {
        let [a, b] = [row.a, row.b].map(|end| fields.positions[end]);
        let strain = real::abs(laws::span(a, b).length - row.rest) / row.rest;
        report.max_strain = real::max(report.max_strain, strain);
        mean.push(strain);
    }
    if !net.stretch.is_empty() {
        report.mean_strain = mean.finish() / real::from_count(to_u32(net.stretch.len()));
    }
    report
}
