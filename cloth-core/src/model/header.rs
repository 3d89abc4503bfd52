//! The header of a model: what it is, and how much of everything there is.

use bytemuck::{Pod, Zeroable};

/// "CLTH" read as a little-endian word.
pub const MAGIC: u32 = u32::from_le_bytes(*b"CLTH");
/// The byte-order mark as a machine of the model's own byte order reads it.
pub const BYTE_ORDER: u32 = 0x0102_0304;
/// Version of the layout; models of another version are refused.
pub const VERSION: u32 = 1;

/// The first blocks of a model. Sixteen words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Header {
    /// [`MAGIC`].
    pub magic: u32,
    /// [`BYTE_ORDER`] in the byte order of the words that follow.
    pub byte_order: u32,
    /// [`VERSION`].
    pub version: u32,
    /// Hash of the record sizes and the region order; models of another are refused.
    pub layout: u32,
    /// Length of the whole model (blocks of 16 bytes).
    pub blocks: u32,
    /// Vertices of the mesh or chain the model was built from.
    pub sources: u32,
    /// Simulated particles; fewer than `sources` where vertices were welded.
    pub particles: u32,
    /// Colours; particles of one colour share no row.
    pub colours: u32,
    /// Stretch rows.
    pub stretch: u32,
    /// Skip rows.
    pub skip: u32,
    /// Bend rows.
    pub hinges: u32,
    /// Build-time pins.
    pub pins: u32,
    /// Shortest row of the cloth (m), `+∞` without rows.
    pub shortest_row: f32,
    /// Sum of all masses (kg), in the fixed tree order of [`crate::math::sum`].
    pub mass: f32,
    /// Largest stiffness over effective inertia, k·(1/m_a + 1/m_b), of the soft stretch rows (1/s²); 0 without.
    pub stiffest: f32,
    /// Zero.
    pub reserved: u32,
}
