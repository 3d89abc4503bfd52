//! Stretch: C = L − rest, range (−∞, ∞). Holds an edge of the mesh, or a link of a chain, at its length.
//!
//! Hard where its stiffness is infinite: then it carries a multiplier, and its penalty is a **ratio** of the
//! row's own effective inertia, k = ratio·m_eff/h² with 1/m_eff = w_a + w_b. Soft where the author gave
//! N/m: then it is a plain penalty at that stiffness and no multiplier, and reads Hooke's law. (Giles, Diaz
//! and Yuksel, *Augmented Vertex Block Descent*, 2025, §3; a multiplier on a soft row would drive C to 0.)

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

/// Penalty of a soft row scaled likewise (1), from the stiffness (N/m) times h² (s²).
#[inline(always)]
pub fn soft_penalty(stiffness: f32, h2: f32, own: f32) -> f32 {
    stiffness * h2 * own
}
