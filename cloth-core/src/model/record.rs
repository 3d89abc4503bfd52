//! The records a model is made of. Every field is one 4-byte word, so a file's byte order is undone word by
//! word without knowing the record.

use bytemuck::{Pod, Zeroable};

/// The unit of memory of models and states: 16 bytes on a 16-byte boundary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(16))]
pub struct Block(pub [u32; 4]);

/// A particle as it was built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Particle {
    /// Rest position, cloth-local (m).
    pub rest: [f32; 3],
    /// Mass (kg); pins have one too, so that they can be let go.
    pub mass: f32,
}

/// One incidence of a two-particle row on the particle whose run it stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct PairSlot {
    /// The particle at the other end.
    pub other: u32,
    /// The row.
    pub row: u32,
}

/// One incidence of a hinge on the particle whose run it stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct HingeSlot {
    /// The hinge.
    pub row: u32,
    /// Which of its four particles this is.
    pub corner: u32,
}
