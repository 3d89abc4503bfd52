//! What a model and a state are made of, as C sees them.

use crate::vector::{ClothVec3, ClothVec4};
use cloth_core::Model;

/// The unit of memory of models, states and snapshots: 16 bytes on a 16-byte boundary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(16))]
pub struct ClothBlock {
    /// Four words in the machine's byte order.
    pub words: [u32; 4],
}

/// Words of a ClothModel.
pub const CLOTH_MODEL_WORDS: usize = 128;
/// Words of a Cloth.
pub const CLOTH_WORDS: usize = 192;

/// A model that was checked: a view of blocks that the caller keeps, unchanged, as long as this or a cloth of it is open.
/// Opened by cloth_model_open and cloth_model_load. It may be copied, and read by any number of threads.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ClothModel {
    /// The library's own.
    pub opaque: [usize; CLOTH_MODEL_WORDS],
}

/// A cloth: a view of a model and of the memory of one state. Opened by cloth_seed and cloth_attach. It stays where it was
/// opened, and one thread at a time calls with it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Cloth {
    /// The library's own.
    pub opaque: [usize; CLOTH_WORDS],
}

/// What a model holds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct ClothModelFacts {
    /// Hash of the model's values, equal on every machine.
    pub fingerprint: u64,
    /// Blocks of the model itself; its file form has 16 bytes for each.
    pub model_blocks: u64,
    /// Blocks of memory that a state needs.
    pub state_blocks: u64,
    /// Blocks of memory that a snapshot needs.
    pub snapshot_blocks: u64,
    /// Vertices of the mesh or chain the model was built from.
    pub source_count: u32,
    /// Simulated particles.
    pub particle_count: u32,
    /// Particles pinned when the model was built.
    pub pin_count: u32,
    /// Levels of aggregates.
    pub level_count: u32,
    /// Stretch rows.
    pub stretch_row_count: u32,
    /// Skip rows of chains.
    pub skip_row_count: u32,
    /// Bend rows over hinges.
    pub hinge_row_count: u32,
    /// Those of them that are merged, whose stiffness is limited.
    pub merged_hinge_count: u32,
    /// Particles with a backstop: all or none.
    pub backstop_count: u32,
    /// Most colliders that a step considers at a time.
    pub collider_capacity: u32,
    /// Shortest row (m), infinite without rows.
    pub shortest_row: f32,
    /// Longest row (m), 0 without rows.
    pub longest_row: f32,
    /// Longest side of the box around the rest pose (m).
    pub extent: f32,
    /// Sum of all masses (kg).
    pub mass: f32,
}

/// Where source vertices are simulated. The pointers lead into the model's blocks.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ClothPermutation {
    /// The particle that simulates each source vertex, shape (source_count).
    pub particle_of: *const u32,
    /// The first source vertex of each particle, shape (particle_count).
    pub source_of: *const u32,
    /// Source vertices.
    pub source_count: u32,
    /// Particles.
    pub particle_count: u32,
}

/// The particles where they lie, in internal order: ClothPermutation::particle_of leads from source vertices to them. The
/// pointers lead into the state's memory, and what is there is good until the next call that changes the cloth.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ClothParticles {
    /// Positions, cloth-local (m), and inverse masses (1/kg) as w, 0 of held particles; shape (count).
    pub bodies: *const ClothVec4,
    /// Velocities, cloth-local (m/s), w being 0; shape (count).
    pub velocities: *const ClothVec4,
    /// Particles.
    pub count: u32,
}

/// One vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct ClothVertex {
    /// Where it is, cloth-local (m).
    pub position: ClothVec3,
    /// How fast it moves, cloth-local (m/s).
    pub velocity: ClothVec3,
    /// Where it is held, or what its slack leash is tied to, cloth-local (m).
    pub target: ClothVec3,
    /// 1 while it is held, 2 while the escape hatch takes it to its target (ClothEscape), else 0. Its inverse mass is 0 in both.
    pub held: u32,
}

/// A cloth as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct ClothStateFacts {
    /// Hash of everything that decides the future, equal on every machine.
    pub fingerprint: u64,
    /// Steps since seeding that were computed: those that the cloth slept through are not counted.
    pub steps: u64,
    /// 1 while the cloth sleeps, else 0.
    pub asleep: u32,
    /// Zero.
    pub reserved: u32,
}

impl ClothModelFacts {
    pub(crate) fn of(model: &Model<'_>) -> Self {
        let header = model.header();
        Self {
            fingerprint: model.fingerprint().0,
            model_blocks: model.blocks().len() as u64,
            state_blocks: model.state_blocks() as u64,
            snapshot_blocks: model.snapshot_blocks() as u64,
            source_count: model.source_count(),
            particle_count: model.particle_count(),
            pin_count: model.pin_count(),
            level_count: header.levels,
            stretch_row_count: header.stretch,
            skip_row_count: header.skip,
            hinge_row_count: header.hinges.saturating_add(header.merged_hinges),
            merged_hinge_count: header.merged_hinges,
            backstop_count: header.backstops,
            collider_capacity: model.collider_capacity(),
            shortest_row: model.shortest_row(),
            longest_row: model.longest_row(),
            extent: model.extent(),
            mass: header.mass,
        }
    }
}
