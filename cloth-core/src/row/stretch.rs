//! Stretch: C = L − rest, range (−∞, ∞). Holds an edge of the mesh, or a link of a chain, at its length.
//!
//! Hard where its stiffness is infinite: then it carries a multiplier, and its penalty is a **ratio** of the
//! row's own effective inertia, k = ratio·m_eff/h² with 1/m_eff = w_a + w_b. Soft where the author gave
//! N/m: then it is a plain penalty at that stiffness and no multiplier, and reads Hooke's law. (Giles, Diaz
//! and Yuksel, *Augmented Vertex Block Descent*, 2025, §3; a multiplier on a soft row would drive C to 0.)

use crate::math::real;
use bytemuck::{Pod, Zeroable};

/// A stretch row: C = ‖x_a − x_b‖ − rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct StretchRow {
    /// First particle, `a < b`.
    pub a: u32,
    /// Second particle.
    pub b: u32,
    /// Rest length (m).
    pub rest: f32,
    /// Stiffness (N/m); `+∞` makes the row hard.
    pub stiffness: f32,
}

/// Whether a row is hard.
#[inline(always)]
pub fn is_hard(row: &StretchRow) -> bool {
    row.stiffness >= f32::INFINITY
}

/// Penalty of a hard row scaled by h²/m of the particle with inverse mass `own` (1): the system of that
/// particle has the identity for its mass.
#[inline(always)]
pub fn hard_penalty(ratio: f32, own: f32, other: f32) -> f32 {
    ratio * own / (own + other)
}

/// Largest stiffness of a soft row over its effective inertia and 1/h². Forces of a row come with a rounding
/// error of 2⁻²⁴ of them in every direction, which its particle's inertia alone resists across the row; from
/// about 2²⁴ on that error is a step as long as the violation itself. A row this stiff gives way by 1e-9 m
/// under the weight of its ends at 120 substeps a second.
pub const MAX_SOFT_RATIO: f32 = 1_048_576.0;

/// Penalty of a soft row scaled likewise (1), from its stiffness times h² (kg), limited to `max_ratio` of its
/// effective inertia.
#[inline(always)]
pub fn soft_penalty(stiffness: f32, max_ratio: f32, own: f32, other: f32) -> f32 {
    real::min(stiffness, max_ratio / (own + other)) * own
}
