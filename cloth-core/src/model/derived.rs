//! What the header and the reach say about rows and masses: written by the builder, checked by the validation.

use super::record::Particle;
use crate::index::at;
use crate::math::{real, sum};
use crate::row::stretch::{self, StretchRow};

/// Sum of all masses (kg).
pub(crate) fn mass(particles: &[Particle]) -> f32 {
    sum::sum(particles.iter().map(|particle| particle.mass))
}

/// Largest stiffness over effective inertia of the soft stretch rows (1/s²); 0 without.
pub(crate) fn stiffest(rows: &[StretchRow], particles: &[Particle]) -> f32 {
    let inverse_mass = |particle: u32| 1.0 / at(particles, particle).mass;
    let soft = rows.iter().filter(|row| !stretch::is_hard(row));
    soft.fold(0.0, |most, row| real::max(row.stiffness * (inverse_mass(row.a) + inverse_mass(row.b)), most))
}

/// Shortest of some lengths (m), `+∞` of none.
pub(crate) fn shortest(lengths: impl Iterator<Item = f32>) -> f32 {
    lengths.fold(f32::INFINITY, |least, length| real::min(length, least))
}
