//! What follows from other items of a model: computed by the builder, and computed again to check what is stored.

use super::record::Particle;
use crate::math::{real, sum};
use crate::row::tether::Reach;

/// Sum of all masses (kg).
pub(crate) fn mass(particles: &[Particle]) -> f32 {
    sum::sum(particles.iter().map(|particle| particle.mass))
}

/// Shortest of some lengths (m), `+∞` of none.
pub(crate) fn shortest(lengths: impl Iterator<Item = f32>) -> f32 {
    lengths.fold(f32::INFINITY, |least, length| real::min(length, least))
}

/// The longest side of the box around the rest pose (m).
pub(crate) fn extent(particles: &[Particle]) -> f32 {
    let mut sides = [[f32::INFINITY, f32::NEG_INFINITY]; 3];
    for particle in particles {
        for ([low, high], x) in sides.iter_mut().zip(particle.rest) {
            *low = real::min(x, *low);
            *high = real::max(x, *high);
        }
    }
    sides.iter().fold(0.0, |most, [low, high]| real::max(high - low, most))
}

/// The longest row, found row by row.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Longest {
    free: f32,
    held: f32,
}

impl Longest {
    /// With one more row of a length (m), which joins two pins or does not.
    ///
    /// What is held at both ends does not stretch and lets nothing through that its neighbours would stop: it says nothing about
    /// how finely the cloth is divided. A cape's strips hang on an anchor by rows several times as long as their own links.
    pub fn with(self, length: f32, joins_pins: bool) -> Self {
        let Self { free, held } = self;
        if joins_pins {
            Self { held: real::max(length, held), ..self }
        } else {
            Self { free: real::max(length, free), ..self }
        }
    }

    /// The length of the longest that does not join two pins, of none the longest of all, 0 of none (m).
    pub fn row(self) -> f32 {
        if self.free > 0.0 { self.free } else { self.held }
    }
}

/// Effective inertia of two particles along their row (kg), from their masses (kg).
pub(crate) fn pair_inertia(a: f32, b: f32) -> f32 {
    1.0 / (1.0 / a + 1.0 / b)
}

/// Effective inertia of a hinge's particles (kg·m²), from its stencil and their masses (kg).
pub(crate) fn hinge_inertia(c: [f32; 4], scale: f32, mass: [f32; 4]) -> f32 {
    let ([c0, c1, c2, c3], [m0, m1, m2, m3]) = (c, mass);
    let mobility = c0 * c0 / m0 + c1 * c1 / m1 + c2 * c2 / m2 + c3 * c3 / m3;
    1.0 / (scale * mobility)
}

/// A child's share of its aggregate's mass (1).
pub(crate) fn share(child: f32, aggregate: f32) -> f32 {
    child / aggregate
}

/// What a node is tethered to, and how far it may be from it (m): itself and `+∞` without a tether.
pub(crate) fn tether(node: u32, reach: Option<&Reach>) -> (u32, f32) {
    match reach {
        Some(reach) if reach.is_tethered() => (reach.pin, reach.geodesic),
        _ => (node, f32::INFINITY),
    }
}
