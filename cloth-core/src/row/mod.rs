//! The laws of the rows: pure functions of positions, which know no sweep.
//!
//! Every row is a scalar constraint C with a range of admitted force; the force along its gradient is
//! F = clamp(k·(C + λ/k), range), applied as f −= F·∇C. A row's multiplier is stored as a **reference
//! length** R = bound − λ/k, so that k·C + λ = k·(L − R), the dual update is R −= C, and a multiplier that
//! decays ends exactly at zero instead of in denormal numbers.

pub mod bend;
pub mod distance;
pub mod leash;
pub mod pull;
pub mod skip;
pub mod strain;
pub mod stretch;
pub mod tether;

/// Warm start of any reference: keeps `decay` of the multiplier, R ← bound − decay·(bound − R).
#[inline(always)]
pub fn decayed(reference: f32, bound: f32, decay: f32) -> f32 {
    bound - decay * (bound - reference)
}
