//! Skip: C = ‖x − grandparent‖ − rest, range (−∞, ∞), soft. The bending resistance of a chain.
//!
//! Its stiffness (N/m) is the author's, and its row implicit: no stiffness is too large for it.

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
