//! From settings to the numbers a step works with.

use super::OracleInput;
use super::cloth::MAX_SPEED;
use cloth_core::ClothFlags;
use cloth_core::math::real;

/// Velocity limit over the solver's correction authority, shortest row · sweeps / dt.
const AUTHORITY: f32 = 4.0;

/// A step's numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers {
    /// Length of a substep (s).
    pub h: f32,
    /// h² (s²): stiffnesses times this are masses.
    pub h2: f32,
    /// What a substep leaves of a velocity: 1/(1 + d·h).
    pub retention: f32,
    /// Bend stiffness times h² (kg·m²).
    pub bend: f32,
    /// Skip stiffness times h² (kg).
    pub skip: f32,
    /// Slack of the leashes; `None` where they cannot bind.
    pub slack: Option<f32>,
    /// Strain allowance; `None` without the strain limit.
    pub allowance: Option<f32>,
    /// Largest speed a free particle keeps (m/s).
    pub max_speed: f32,
}

impl Numbers {
    /// The numbers of a step on a cloth whose shortest row is `shortest_row` (m).
    pub(super) fn new(input: &OracleInput<'_>, shortest_row: f32) -> Self {
        let dynamics = input.dynamics;
        let h = input.dt / real::from_count(input.substeps);
        let h2 = h * h;
        let authority = AUTHORITY * shortest_row * real::from_count(input.iterations) / h;
        Self {
            h,
            h2,
            retention: 1.0 / (1.0 + dynamics.damping * h),
            bend: dynamics.bend * h2,
            skip: dynamics.skip * h2,
            slack: (dynamics.slack < 1.0).then_some(dynamics.slack),
            allowance: dynamics.flags.contains(ClothFlags::STRAIN_LIMIT).then(|| dynamics.strain_allowance()),
            max_speed: real::min(authority, MAX_SPEED),
        }
    }
}
