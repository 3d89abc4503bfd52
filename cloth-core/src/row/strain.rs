//! Strain limit: C = L − (1 + allowance)·rest, range [0, ∞), hard. A second row on a stretch row's edge that
//! acts only once the edge is longer than the fabric allows.

/// The length beyond which the row pulls (m).
#[inline(always)]
pub fn limit(rest: f32, allowance: f32) -> f32 {
    rest + rest * allowance
}
