//! Large sheets, long steps, heavy gravity: what a budget made for a small sheet at 60 Hz does with them.

use super::Candidate;
use super::film::{StrainGauge, Stretch};
use crate::physics;
use crate::workload::motion::library_settings;
use crate::workload::{Spec, scenes};
use anyhow::Result;
use cloth_core::{Vec3, library};

/// A large sheet without help.
#[derive(Clone, Copy, Debug)]
pub struct Unaided {
    /// Whether every position and velocity stayed a number.
    pub finite: bool,
    /// The most kinetic and potential energy above the start, over the energy between the start and hanging straight.
    pub made: f64,
}

/// Frames of a sheet as the library has it: the whip, and two seconds of what comes after.
const FRAMES: u32 = 600;
const UNAIDED_FRAMES: u32 = 240;
const HARSH_FRAMES: u32 = 300;

/// The strain of a `side`² sheet at default settings: cotton's, its damping included.
///
/// # Errors
///
/// What the candidate objects to.
pub fn big(candidate: &dyn Candidate, side: usize) -> Result<Stretch> {
    stretch(candidate, library_settings(scenes::sheet(side), library::COTTON.damping), FRAMES)
}

/// The sheet of 32² particles at a step of 0.2 s.
///
/// # Errors
///
/// What the candidate objects to.
pub fn long_step(candidate: &dyn Candidate) -> Result<Stretch> {
    stretch(candidate, Spec { dt: 0.2, ..library_settings(scenes::sheet(32), 0.0) }, HARSH_FRAMES)
}

/// The sheet of 32² particles under a thousand times gravity.
///
/// # Errors
///
/// What the candidate objects to.
pub fn heavy(candidate: &dyn Candidate) -> Result<Stretch> {
    let gravity = Vec3::new(0.0, -9810.0, 0.0);
    stretch(candidate, Spec { gravity, ..library_settings(scenes::sheet(32), 0.0) }, HARSH_FRAMES)
}

fn stretch(candidate: &dyn Candidate, spec: Spec, frames: u32) -> Result<Stretch> {
    let workload = candidate.prepare(spec).build()?;
    let mut memory = Vec::new();
    let mut simulation = candidate.start(&workload, &mut memory)?;
    let mut gauge = StrainGauge::default();
    for _ in 0..frames {
        simulation.step(&[])?;
        gauge.read(&workload, &simulation.positions());
    }
    Ok(gauge.stretch())
}

/// The `side`² sheet without bend and tethers.
///
/// # Errors
///
/// What the candidate objects to.
pub fn unaided(candidate: &dyn Candidate, side: usize) -> Result<Unaided> {
    let bare = Spec { tethers: false, bend_rows: false, ..library_settings(scenes::sheet(side), 0.0) };
    let workload = candidate.prepare(bare).build()?;
    let mut memory = Vec::new();
    let mut simulation = candidate.start(&workload, &mut memory)?;
    let masses = &workload.spec.masses;
    let weight = |m: f32| f64::from(m) * crate::workload::G;
    let there: f64 = workload.rest.iter().zip(masses).map(|(x, &m)| weight(m) * x.z).sum();
    let mut unaided = Unaided { finite: true, made: f64::NEG_INFINITY };
    for _ in 0..UNAIDED_FRAMES {
        simulation.step(&[])?;
        let (positions, velocities) = (simulation.positions(), simulation.velocities());
        unaided.finite &= physics::finite(&positions) && physics::finite(&velocities);
        let moving = velocities.iter().zip(masses).map(|(v, &m)| 0.5 * f64::from(m) * v.length_squared());
        let height = positions.iter().zip(masses).map(|(x, &m)| weight(m) * x.y);
        unaided.made = unaided.made.max(moving.chain(height).sum::<f64>() / there);
    }
    Ok(unaided)
}
