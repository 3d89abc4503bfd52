//! From settings to the numbers a step works with.

use super::dynamics::{ClothDynamics, ClothFlags};
use crate::math::real;

/// Largest quantity a setting may have, in its unit.
pub(crate) const MAX_QUANTITY: f32 = 1.0e6;
/// Most substeps, and most iterations.
pub(crate) const MAX_BUDGET: u32 = 64;

/// Strain a row is allowed at `stretch = 0`.
const LOOSEST: f32 = 0.25;
/// −log₂ 0.004: what one whole turn of the dial takes off, in powers of two.
const DECADES: f32 = 7.965_784;
/// Speed below which damping is friction more than drag (m/s).
const DRY_SPEED: f32 = 0.01;
/// Rate at which the air takes along what faces it at `drag = 1` (1/s).
const AIR_RATE: f32 = 60.0;
/// Velocity limit: a substep takes a particle no further than this many times the longest side of the cloth. What goes
/// faster, a substep cannot follow anyway.
const LONGEST_WAY: f32 = 1.0;

/// The strain a strain-limit row allows at a dial setting in 0…1: 0.25·0.004^stretch.
pub(crate) fn strain_allowance(stretch: f32) -> f32 {
    LOOSEST * real::exp2_neg(DECADES * stretch)
}

/// The share of the gap to the air's velocity that what faces the air closes in a time (s): 1 − e^(−60·drag·time), below 1.
// Not inlined: asked for once a substep, in three places.
#[inline(never)]
pub(crate) fn closed(drag: f32, time: f32) -> f32 {
    real::exp2_rise(drag * (AIR_RATE * core::f32::consts::LOG2_E) * time)
}

/// A step's numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepNumbers {
    pub substeps: u32,
    pub iterations: u32,
    /// Length of a substep (s).
    pub h: f32,
    /// h² (s²): stiffnesses times this are masses.
    pub h2: f32,
    /// What a substep leaves of a velocity: 1/(1 + d·h).
    pub retention: f32,
    /// Speed that a substep takes off besides, d·h·1 cm/s (m/s).
    pub friction: f32,
    /// Slack of the leashes; `None` where they cannot bind.
    pub slack: Option<f32>,
    /// Strain allowance; `None` without the strain limit.
    pub allowance: Option<f32>,
    /// Largest speed a particle keeps (m/s).
    pub max_speed: f32,
}

/// The numbers of a step of length `dt` (s) on a cloth whose longest side is `extent` (m).
pub(crate) fn step_numbers(dynamics: &ClothDynamics, dt: f32, substeps: u32, extent: f32) -> StepNumbers {
    let h = dt / real::from_count(substeps);
    let h2 = h * h;
    StepNumbers {
        substeps,
        iterations: dynamics.iterations,
        h,
        h2,
        retention: 1.0 / (1.0 + dynamics.damping * h),
        friction: dynamics.damping * h * DRY_SPEED,
        slack: (dynamics.slack < 1.0).then_some(dynamics.slack),
        allowance: dynamics.flags.contains(ClothFlags::STRAIN_LIMIT).then(|| dynamics.strain_allowance()),
        max_speed: LONGEST_WAY * extent / h,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allowance_is_the_documented_table() {
        for (stretch, expected) in [(0.0, 0.25), (0.2, 0.0829), (0.5, 0.0158), (1.0, 0.0010)] {
            let allowance = strain_allowance(stretch);
            assert!((allowance - expected).abs() < 5e-5, "{stretch}: {allowance}");
        }
    }

    #[test]
    fn numbers_follow_their_formulas() {
        let dynamics = ClothDynamics { damping: 2.0, slack: 0.5, ..ClothDynamics::default() };
        let numbers = step_numbers(&dynamics, 0.5, dynamics.substeps, 3.2);
        assert_eq!(numbers.h.to_bits(), 0.0625_f32.to_bits());
        assert!((numbers.retention - 1.0 / 1.125).abs() < 1e-7);
        assert!((numbers.max_speed - 3.2 * 8.0 / 0.5).abs() < 1e-5);
        assert!((numbers.friction - 2.0 * 0.0625 * 0.01).abs() < 1e-9);
        assert_eq!(numbers.slack, Some(0.5));
        assert!(numbers.allowance.is_some());
    }

    #[test]
    fn the_share_that_is_closed_is_the_documented_table() {
        for (time, expected) in [
            (0.25 / 60.0, 0.221_199),
            (1.0 / 60.0, 0.632_121),
            (1.0 / 30.0, 0.864_665),
            (0.1, 0.997_521),
            (0.2, 0.999_994),
        ] {
            let closed = closed(1.0, time);
            assert!((closed - expected).abs() < 5e-7, "{time} s: {closed}");
        }
        assert_eq!(closed(0.0, 1.0).to_bits() << 1, 0);
        // However the time is cut up, what is left of the gap is the same.
        let left = (0..8).fold(1.0, |left, _| left * (1.0 - closed(0.45, 1.0 / 480.0)));
        assert!((left - (1.0 - closed(0.45, 1.0 / 60.0))).abs() < 1e-6, "{left}");
    }
}
