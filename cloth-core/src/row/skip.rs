//! Skip: C = ‖x − grandparent‖ − rest, range (−∞, ∞), soft. The bending resistance of a chain.
//!
//! Its stiffness (N/m) is the author's, limited to eight of the row's effective inertia over h², above which
//! a sweep cannot carry it.

use crate::math::real;
use bytemuck::{Pod, Zeroable};

/// A skip row of a chain, from a particle to its grandparent: C = ‖x_a − x_b‖ − rest, always soft.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct SkipRow {
    /// First particle, `a < b`.
    pub a: u32,
    /// Second particle.
    pub b: u32,
    /// Rest length (m).
    pub rest: f32,
    /// Explicit padding, zero.
    pub pad: u32,
}

/// Largest stiffness of a soft bending row over its effective inertia and h².
pub const MAX_RATIO: f32 = 8.0;

/// Penalty scaled by h²/m of the particle with inverse mass `own` (1), from the stiffness times h² (kg).
#[inline(always)]
pub fn penalty(stiffness: f32, own: f32, other: f32) -> f32 {
    real::min(stiffness, MAX_RATIO / (own + other)) * own
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn soft_until_the_sweep_cannot_carry_it() {
        assert!((penalty(0.5, 2.0, 2.0) - 1.0).abs() < 1e-7);
        assert!((penalty(1e9, 2.0, 2.0) - 4.0).abs() < 1e-7);
    }
}
