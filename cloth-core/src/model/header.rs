//! The header of a model: what it is, and how much of everything there is.

use super::record::LANES;
use crate::simd::PLACE;
use bytemuck::{Pod, Zeroable};

/// "CLTH" read as a little-endian word.
pub const MAGIC: u32 = u32::from_le_bytes(*b"CLTH");
/// The byte-order mark as a machine of the model's own byte order reads it.
pub const BYTE_ORDER: u32 = 0x0102_0304;
/// Version of the layout; models of another version are refused.
pub const VERSION: u32 = 3;

/// The first blocks of a model. Twenty-eight words.
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
    /// Build-time pins.
    pub pins: u32,
    /// Stretch rows, in `stretch_groups`.
    pub stretch: u32,
    /// Groups of stretch rows.
    pub stretch_groups: u32,
    /// Skip rows, in `skip_groups`.
    pub skip: u32,
    /// Groups of skip rows.
    pub skip_groups: u32,
    /// Bend rows that are solved one by one, in `hinge_groups`: hinges with a curved rest shape, and slivers.
    pub hinges: u32,
    /// Groups of hinges.
    pub hinge_groups: u32,
    /// Bend rows that are merged into the stencils of the slots.
    pub merged_hinges: u32,
    /// Slots of neighbours along stretch rows.
    pub link_slots: u32,
    /// Slots of neighbours across merged hinges.
    pub bend_slots: u32,
    /// Levels of aggregates, the finest first.
    pub levels: u32,
    /// Nodes of all aggregates, each level filled up to a multiple of eight.
    pub aggregate_nodes: u32,
    /// Slots of children.
    pub child_slots: u32,
    /// Groups of bounds between aggregates.
    pub bound_groups: u32,
    /// Triangles of a surface, or links of chains: what colliders meet between particles.
    pub faces: u32,
    /// Particles with a backstop's distance and radius: all or none.
    pub backstops: u32,
    /// Most colliders that a step of this cloth considers at a time; a multiple of 32.
    pub colliders: u32,
    /// Longest stretch row of the cloth that does not join two pins, of none the longest of all (m); 0 without rows.
    pub longest_row: f32,
    /// Shortest row of the cloth (m), `+∞` without rows.
    pub shortest_row: f32,
    /// Sum of all masses (kg), in the fixed tree order of [`crate::math::sum`].
    pub mass: f32,
    /// Least 1/(scale·Σ c_i²/m_i) of the merged hinges (kg·m²), `+∞` without: what limits their stiffness.
    pub bend_inertia: f32,
}

impl Header {
    /// First node of the aggregates: the particles filled up to a multiple of eight, with at least one inert node
    /// behind the last particle.
    #[inline(always)]
    pub fn particle_nodes(&self) -> u32 {
        (self.particles / LANES32 + 1).saturating_mul(LANES32)
    }

    /// Groups of eight consecutive particles.
    #[inline(always)]
    pub fn particle_groups(&self) -> u32 {
        self.particles / LANES32 + 1
    }

    /// Nodes of particles and aggregates together.
    #[inline(always)]
    pub fn nodes(&self) -> u32 {
        self.particle_nodes().saturating_add(self.aggregate_nodes)
    }

    /// Entries of the table of tensions: one for each lane of the stretch groups, and eight that are always zero.
    #[inline(always)]
    pub fn tensions(&self) -> usize {
        (self.stretch_groups as usize + 1) * LANES
    }

    /// The row of a slot without a neighbour: the first of the tensions that are always zero.
    #[inline(always)]
    pub fn no_row(&self) -> u32 {
        self.stretch_groups.saturating_mul(LANES32)
    }

    /// Whether all nodes and tensions have places below 2³¹, as [`crate::simd::Groups`] wants them.
    pub(crate) fn is_addressable(&self) -> bool {
        const END: u32 = (1 << 31) / PLACE;
        self.particles < END && self.nodes() <= END && self.stretch_groups < END / LANES32
    }

    /// The node of inert lanes, which also stands for "none".
    #[inline(always)]
    pub fn inert(&self) -> u32 {
        self.particles
    }
}

/// [`LANES`] as an index is stored.
#[expect(clippy::cast_possible_truncation, reason = "eight")]
pub const LANES32: u32 = LANES as u32;
