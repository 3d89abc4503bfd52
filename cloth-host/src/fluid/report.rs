//! What a step came to.

use crate::world::words::fields;

/// What a step came to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FluidReport {
    /// Largest divergence left in a cell of air, |div u|·cell as a share of the mean speed (1); where almost all of the air stands still, of
    /// 5e-7/tolerance of the fastest: rounding leaves as much.
    pub divergence: f32,
    /// How often the pressure was improved.
    pub sweeps: u32,
    /// Whether the air has come to rest: it is as it was to the bit, and the step cost next to nothing.
    pub asleep: bool,
    /// Mean speed of the air (m/s).
    pub speed: f32,
    /// Largest change of a velocity in this step (m/s).
    pub change: f32,
}

fields! {
    FluidReport { divergence, sweeps, asleep, speed, change }
}
