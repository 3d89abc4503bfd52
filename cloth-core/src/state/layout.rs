//! Where each region of a state lies in its memory.
//!
//! First what a snapshot holds – header, bodies, velocities, targets, anchors, tensions –, then scratch that every step writes
//! before it reads. Particles are filled up to groups of eight; behind the last lies at least one inert node, which
//! has no inverse mass and stays at the origin.

use crate::model::Model;
use crate::model::header::Header;
use crate::model::record::{Block, LANES};
use bytemuck::{Pod, Zeroable};

/// Farthest a particle may be along an axis (m). What gets further is lost, and the guard brings it back.
pub(crate) const MAX_POSITION: f32 = 1.0e9;
/// Fastest a particle may be, held ones included (m/s). With [`MAX_POSITION`] it keeps energies, momenta and
/// their sums over any cloth far from the largest `f32`.
pub(crate) const MAX_SPEED: f32 = 1.0e9;
/// Fastest an anchor moves (m/s) and turns (rad/s), above what a step can be told.
pub(crate) const MAX_RATE: f32 = 1.0e12;
/// Steps that a cloth settles after a reset.
pub(crate) const SETTLE: u32 = 20;
/// Largest magnitude of a row's tension (N/m); the limit of a step's own is far below.
pub(crate) const MAX_TENSION: f32 = 1.0e30;

/// "CLST" read as a little-endian word.
pub(crate) const MAGIC: u32 = u32::from_le_bytes(*b"CLST");
/// Version of the layout of states and snapshots.
pub(crate) const VERSION: u32 = 4;

/// The first blocks of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct StateHeader {
    pub magic: u32,
    pub byte_order: u32,
    pub version: u32,
    /// The model's fingerprint, low and high word.
    pub model: [u32; 2],
    /// Steps since seeding, low and high word.
    pub steps: [u32; 2],
    /// Steps in a row that found the cloth where the sleep window opened.
    pub still: u32,
    /// Hash of what the world was at the last step, low and high word.
    pub world: [u32; 2],
    /// [`StateHeader::ASLEEP`] and what is named beside it.
    pub flags: u32,
    /// Substeps in a row that tensions could grow in.
    pub calm: u32,
    /// Velocity that the anchor had in the last step, in the axes it ended with (m/s).
    pub linear: [f32; 3],
    /// Steps that the cloth yet settles after a reset.
    pub settle: u32,
    /// The share of its angular velocity that was felt then (rad/s): stored velocities are relative to a frame that turns so.
    pub angular: [f32; 3],
    /// Zero.
    pub pad: u32,
}

impl StateHeader {
    /// The cloth sleeps.
    pub const ASLEEP: u32 = 1;
    /// Some particle met a collider in the last step.
    pub const TOUCHING: u32 = 2;
    /// A collider got past it faster than the fabric's substeps follow, and it has not calmed down since.
    pub const STRUCK: u32 = 4;
    /// A collider that some particle met in the last step moved.
    pub const CARRIED: u32 = 8;
    /// The cloth was put elsewhere: how fast its anchor was is not known.
    pub const PUT: u32 = 16;
    /// Some particle is in trouble, or on its way to its target.
    pub const TROUBLED: u32 = 32;
    /// The anchor moved in the last step, and nothing of it was felt: with another inertia it is taken to have gone on so.
    pub const WELDED: u32 = 64;
    /// Every flag there is.
    pub const FLAGS: u32 = 127;

    /// Sets or clears a flag.
    pub fn set(&mut self, flag: u32, on: bool) {
        self.flags = if on { self.flags | flag } else { self.flags & !flag };
    }
}

/// A particle as a step reads it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Body {
    /// Position, cloth-local (m).
    pub position: [f32; 3],
    /// Inverse mass (1/kg); 0 while the particle is held.
    pub inv_mass: f32,
}

/// A vector in 16 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Padded {
    pub value: [f32; 3],
    /// Zero, but beside anchors: what the escape hatch counts ([`super::Trouble`]).
    pub pad: u32,
}

/// A node of the sweep: position (m) and inverse mass (1/kg), or another vector and nothing.
pub(crate) type Record = [f32; 4];

/// A collider that may be met in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Slot {
    /// Which one of those given.
    pub index: u32,
    /// 1 where it can slip between particles, else 0.
    pub thin: u32,
    /// Lower corner of the box it stays in during the step, with all that could get there (m, from the step's origin).
    pub low: [f32; 3],
    /// Upper corner.
    pub high: [f32; 3],
    /// First particle group that may get into the box.
    pub first: u32,
    /// The group behind the last.
    pub end: u32,
    /// Zero.
    pub pad: [u32; 2],
}

/// Where a node of the sweep is, and where it was when the substep began: side by side, because rows ask for both.
pub(crate) type Node = [Record; 2];

/// A vector of each of eight particles, by component.
pub(crate) type Vectors = [[f32; LANES]; 3];

/// The air past each of eight particles by component (m/s), the share of it that faces them (1), what it pushes them aside along
/// by component (1), and the square of that, which is 0 without lift and never with it.
pub(crate) type Breeze = [[f32; LANES]; 8];

/// Inverse masses of the first ends of eight rows, and those of the second ends with their sign turned (1/kg): what an end
/// moves by is its own times what the row pulls.
pub(crate) type Mobilities = [[f32; LANES]; 2];

/// Blocks of the header.
pub(crate) const HEADER_BLOCKS: usize = size_of::<StateHeader>() / size_of::<Block>();

/// Blocks of the regions, in the order of memory: persistent ones first.
pub(crate) struct Sizes {
    /// One block a particle node: bodies, velocities, targets, anchors; and ends and places ahead, which are scratch.
    pub particles: usize,
    /// Six blocks a group of particles: velocities and pushes by component.
    pub vectors: usize,
    /// Sixteen blocks a group of particles: the air.
    pub breezes: usize,
    /// Tensions, four a block.
    pub tensions: usize,
    /// Two blocks a group of particles: lengths of tethers.
    pub tethers: usize,
    /// Two blocks a slot of neighbours: factors.
    pub link_slots: usize,
    /// Two blocks a node.
    pub nodes: usize,
    /// One block an aggregate node: centroids.
    pub aggregates: usize,
    /// Three blocks a collider.
    pub slots: usize,
    /// A bit for each collider, particle group by particle group.
    pub near: usize,
    /// A bit for each collider, face by face.
    pub near_faces: usize,
    /// A word a particle node.
    pub touches: usize,
    /// One block a particle with a backstop: normals.
    pub normals: usize,
    /// Four blocks a group of stretch rows: their mobilities.
    pub stretch: usize,
    /// Four blocks a group of bounds: likewise.
    pub bounds: usize,
}

/// Region sizes for a model.
pub(crate) fn sizes(model: &Header) -> Sizes {
    Sizes {
        particles: model.particle_nodes() as usize,
        tethers: model.particle_groups() as usize * 2,
        vectors: model.particle_groups() as usize * 6,
        breezes: model.particle_groups() as usize * 16,
        tensions: model.tensions() / 4,
        link_slots: model.link_slots as usize * 2,
        nodes: model.nodes() as usize * 2,
        aggregates: model.aggregate_nodes as usize,
        slots: model.colliders as usize * 3,
        near: bits(model.particle_groups(), model.colliders),
        near_faces: bits(model.faces, model.colliders),
        touches: model.particle_groups() as usize * 2,
        normals: model.backstops as usize,
        stretch: model.stretch_groups as usize * 4,
        bounds: model.bound_groups as usize * 4,
    }
}

/// Blocks of `rows` rows of a bit for each collider.
fn bits(rows: u32, colliders: u32) -> usize {
    (rows as usize * words(colliders)).div_ceil(4)
}

/// Words of a bit for each collider.
#[inline(always)]
pub(crate) fn words(colliders: u32) -> usize {
    // Never none: then cutting a table into runs of them has no way to panic.
    ((colliders / u32::BITS) as usize).max(1)
}

// Here and not with the model, which lies below and knows no state.
impl Model<'_> {
    /// Blocks of memory that [`crate::State::snapshot`] fills.
    pub fn snapshot_blocks(&self) -> usize {
        let sizes = sizes(self.header());
        HEADER_BLOCKS + 4 * sizes.particles + sizes.tensions
    }

    /// Blocks of memory that [`crate::State::seed`] needs: a snapshot's and scratch.
    pub fn state_blocks(&self) -> usize {
        let sizes = sizes(self.header());
        self.snapshot_blocks()
            + sizes.link_slots
            + sizes.tethers
            + 2 * sizes.particles
            + 2 * sizes.vectors
            + sizes.breezes
            + sizes.nodes
            + sizes.slots
            + sizes.near
            + sizes.near_faces
            + sizes.touches
            + sizes.normals
            + sizes.aggregates
            + sizes.stretch
            + sizes.bounds
    }
}
