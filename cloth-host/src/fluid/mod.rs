//! Air in a box: an incompressible flow on a grid, about bodies that stand and move in it.
//!
//! Knows nothing of entities: [`FluidVolume`] says what is asked for, [`Fluid`] is the air, and all positions and velocities are
//! along the volume's own axes, about its centre (m, m/s).

// What is made here feeds a step.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod grid;
mod obstacles;
mod parts;
mod volume;

pub use obstacles::Obstacle;
pub use parts::{Share, one_after_the_other};
pub use volume::{FluidError, FluidVolume, MOST_CELLS};

use crate::world::words::Reader;
use grid::Grid;

/// Memory of a cell, all arrays together (bytes).
const BYTES_PER_CELL: u64 = 96;

/// What a step came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FluidReport {
    /// Largest divergence left in a cell of air, |div u|·cell as a share of the mean speed (1).
    pub divergence: f32,
    /// How often the pressure was improved.
    pub sweeps: u32,
    /// Whether the air has come to rest: it is as it was, and the step cost next to nothing.
    pub asleep: bool,
    /// Mean speed of the air (m/s).
    pub speed: f32,
    /// Largest change of a velocity in this step (m/s).
    pub change: f32,
}

/// Air in a box.
#[derive(Clone, Debug)]
pub struct Fluid {
    grid: Grid,
    border: f32,
    prevailing: [f32; 3],
}

impl Fluid {
    /// Air that has not begun yet: the first step fills the box with the prevailing wind. All memory is taken here.
    ///
    /// # Errors
    /// What [`FluidVolume::check`] refuses, [`FluidError::Memory`].
    pub fn new(volume: &FluidVolume) -> Result<Self, FluidError> {
        let grid = volume.grid()?;
        Ok(Self { grid, border: volume.border, prevailing: [0.0; 3] })
    }

    /// Whether it has the cells that `volume` asks for; where it has not, another one is needed.
    pub fn fits(&self, volume: &FluidVolume) -> bool {
        volume.grid().is_ok_and(|grid| grid == self.grid)
    }

    /// Goes on by `dt` (s).
    pub fn step(
        &mut self,
        volume: &FluidVolume,
        dt: f64,
        prevailing: [f64; 3],
        obstacles: &[Obstacle<'_>],
        parts: Share<'_>,
    ) -> FluidReport {
        let _ = (dt, obstacles, parts);
        self.border = volume.border;
        self.prevailing = crate::pose::narrow(prevailing);
        FluidReport::default()
    }

    /// Velocity of the air at a point of the volume's frame (m/s), and how much of it counts (1): 0 outside, 1 further within than
    /// the border.
    pub fn sample(&self, at: [f64; 3]) -> ([f64; 3], f64) {
        let half = self.grid.half();
        let inside = (0..3).all(|axis| -half[axis] <= at[axis] && at[axis] <= half[axis]);
        (self.prevailing.map(f64::from), if inside { 1.0 } else { 0.0 })
    }

    /// Appends all that changes in it, as words.
    pub(crate) fn put(&self, to: &mut Vec<u32>) {
        to.extend(self.prevailing.map(f32::to_bits));
    }

    /// Takes up what [`Fluid::put`] wrote of one with as many cells; `None` where it is none, and then it is to be thrown away.
    pub(crate) fn take(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.prevailing = from.take()?;
        Some(())
    }
}
