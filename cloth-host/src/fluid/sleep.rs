//! Air that has come to rest: steady, that is, and told nothing new.

use super::FluidVolume;
use super::grid::Grid;
use super::obstacles::Obstacle;
use crate::hash::Hasher;

/// Steps that have to be steady one after the other.
const WINDOW: u32 = 60;
/// Change of a velocity in a step, as a share of the mean speed, below which it is steady.
const STEADY: f32 = 2.0e-5;
/// The same where there is next to no speed (m/s).
const STILL: f32 = 1.0e-6;

/// How long the air has been steady, and under what.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Rest {
    /// Steady steps so far.
    pub steady: u32,
    /// Hash of all that a step is told but its length.
    pub told: u64,
}

impl Rest {
    /// Takes note of what a step is told; whether the air is asleep and stays it.
    pub fn sleeps(
        &mut self,
        grid: &Grid,
        volume: &FluidVolume,
        wind: [f32; 3],
        obstacles: &[Obstacle<'_>],
    ) -> bool {
        let near = || obstacles.iter().filter(|body| body.is_near(grid));
        let told = hash_of(volume, wind, near());
        if told != self.told || near().any(|body| !body.stands()) {
            *self = Self { steady: 0, told };
        }
        self.steady >= WINDOW
    }

    /// Takes note of what a step changed at most (m/s), at a mean speed (m/s).
    pub fn note(&mut self, change: f32, speed: f32) {
        let is_steady = change <= STEADY * speed + STILL;
        self.steady = if is_steady { self.steady + 1 } else { 0 };
    }
}

fn hash_of<'b, 's: 'b>(
    volume: &FluidVolume,
    wind: [f32; 3],
    bodies: impl Iterator<Item = &'b Obstacle<'s>>,
) -> u64 {
    // The layers say who is told what, and the border where it counts.
    let FluidVolume {
        half_extents: _,
        cell: _,
        prevailing: _,
        relaxation,
        damping,
        confinement,
        tolerance,
        border: _,
        mask: _,
        obstacles: _,
    } = *volume;
    let mut hash = Hasher::new();
    for value in [relaxation, damping, confinement, tolerance].iter().chain(&wind) {
        hash.whole(u64::from(value.to_bits()));
    }
    bodies.for_each(|body| body.hash(&mut hash));
    hash.finish().0
}
