//! Penalties and multipliers: what a vertex sweep makes of the rows' laws.
//!
//! Penalties are scaled by h²/m of the particle they act on, whose inverse mass is `own`: its system has the
//! identity for its mass.
//!
//! A hard row's multiplier is stored as a **reference length** R = bound − λ/k, so that k·C + λ = k·(L − R), the
//! dual update is R −= C, and a multiplier that decays ends exactly at zero instead of in denormal numbers.

use cloth_core::math::real;

/// Largest stiffness of a soft bending row, skip or hinge, over its effective inertia and 1/h².
pub(super) const MAX_BEND_RATIO: f32 = 8.0;

/// Largest stiffness of a soft stretch row over its effective inertia and 1/h². Forces of a row come with a rounding
/// error of 2⁻²⁴ of them in every direction, which its particle's inertia alone resists across the row; from
/// about 2²⁴ on that error is a step as long as the violation itself. A row this stiff gives way by 1e-9 m
/// under the weight of its ends at 120 substeps a second.
pub(super) const MAX_SOFT_RATIO: f32 = 1_048_576.0;

/// Penalty of a hard row (1): `ratio` of its effective inertia, 1/m_eff = w_a + w_b.
pub(super) fn hard(ratio: f32, own: f32, other: f32) -> f32 {
    ratio * own / (own + other)
}

/// Penalty of a soft row (1), from its stiffness times h² (kg), limited to `most` of its effective inertia.
pub(super) fn soft(stiffness: f32, most: f32, own: f32, other: f32) -> f32 {
    real::min(stiffness, most / (own + other)) * own
}

/// Stiffness of a hinge times h² (kg), from B·h² (kg·m²), limited to [`MAX_BEND_RATIO`] of its inertia (kg·m²).
pub(super) fn bend(stiffness: f32, inertia: f32, scale: f32) -> f32 {
    real::min(stiffness, MAX_BEND_RATIO * inertia) * scale
}

/// Warm start of any reference: keeps `decay` of the multiplier, R ← bound − decay·(bound − R).
pub(super) fn decayed(reference: f32, bound: f32, decay: f32) -> f32 {
    bound - decay * (bound - reference)
}

/// Dual update of a row that pulls and pushes: R ← R − (L − bound).
pub(super) fn dual_equality(reference: f32, length: f32, bound: f32) -> f32 {
    reference - (length - bound)
}

/// Force over stiffness of a row that only pulls its ends together: max(L − R, 0) (m).
pub(super) fn pull(length: f32, reference: f32) -> f32 {
    real::max(length - reference, 0.0)
}

/// Dual update of a row that only pulls, range [0, ∞): λ/k ← max(L − R, 0), so R ← bound − max(L − R, 0).
pub(super) fn dual_pull(reference: f32, length: f32, bound: f32) -> f32 {
    bound - pull(length, reference)
}

/// Dual update of a leash: that of a row that pulls, with a multiplier of at most k times the leash's own length, so
/// that the reference is never negative. Near its centre the direction of a leash means nothing: a larger
/// multiplier would throw the particle across it, and a leash of no length would swing for ever.
pub(super) fn dual_leash(reference: f32, length: f32, radius: f32) -> f32 {
    real::max(dual_pull(reference, length, radius), 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bending_is_soft_until_the_sweep_cannot_carry_it() {
        assert!((soft(0.5, MAX_BEND_RATIO, 2.0, 2.0) - 1.0).abs() < 1e-7);
        assert!((soft(1e9, MAX_BEND_RATIO, 2.0, 2.0) - 4.0).abs() < 1e-7);
        assert!((bend(1e9, 0.5, 2.0) - 8.0).abs() < 1e-6);
    }

    #[test]
    fn a_pulling_row_never_pushes() {
        // Short of its bound the multiplier falls towards zero and stops there.
        let mut reference = 0.9;
        for _ in 0..5 {
            reference = dual_pull(reference, 0.5, 1.0);
        }
        assert_eq!(reference.to_bits(), 1.0_f32.to_bits());
        // Beyond its bound it grows by the violation.
        assert!((dual_pull(1.0, 1.25, 1.0) - 0.75).abs() < 1e-7);
    }
}
