//! Stretch: C = L − rest, range (−∞, ∞). Holds an edge of the mesh, or a link of a chain, at its length.
//!
//! Hard where its stiffness is infinite: every sweep brings its length to rest. Soft where the author gave N/m: then it is
//! compliant by 1/k and reads Hooke's law (Macklin, Müller and Chentanez, *XPBD*, 2016).

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
