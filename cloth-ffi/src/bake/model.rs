//! What a model is built from, as C says it.

use super::memory::Counts;
use super::{guarded, in_threes};
use crate::status::{ClothStatus, Refused};
use crate::vector::ClothVec3;
use cloth_core::bake::{Note, Repair};
use cloth_core::model::record::Backstop;
use cloth_core::{Baked, BuildReport, ModelBuilder};
use core::ptr;

/// What the positions of a ClothBake are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum ClothBakeShape {
    /// An indexed mesh: three indices a triangle. A stretch row for each edge, a bend row for each edge between two triangles.
    Mesh = 1,
    /// A mesh without shared vertices: every three consecutive positions are a triangle. Weld it.
    Soup = 2,
    /// Chains: a parent for each position, or UINT32_MAX for a root. A stretch row to each parent, a skip row to each grandparent.
    Chains = 3,
}

/// Where masses come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum ClothMasses {
    /// From ClothBake::density.
    Density = 0,
    /// The same for each particle, ClothBake::total_mass together.
    Uniform = 1,
    /// One for each vertex: ClothBake::masses.
    Each = 2,
}

/// Every particle is tethered to its nearest pin along the cloth, where the shortest way there is of hard rows only.
pub const CLOTH_BAKE_TETHERS: u32 = 1;
/// There are bend rows (meshes) and skip rows (chains).
pub const CLOTH_BAKE_BEND_ROWS: u32 = 2;
/// Bend rows are solved one by one even where the rest shape is flat: no limit to their stiffness, nearly twice the cost.
pub const CLOTH_BAKE_STIFF_BEND: u32 = 4;

/// The stiffness of one stretch row.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct ClothRowStiffness {
    /// Vertex at one end.
    pub a: u32,
    /// Vertex at the other.
    pub b: u32,
    /// Stiffness (N/m), 1e-9 to 1e15, or infinite for a hard row.
    pub stiffness: f32,
}

/// How far behind its target a vertex may go.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct ClothBackstop {
    /// From the target against its normal to the surface it may not enter (m).
    pub distance: f32,
    /// Radius of the sphere behind that surface's nearest point (m); infinite for a plane, 0 for no backstop.
    pub radius: f32,
}

/// What a model is built from. Begin with what cloth_default_bake answers. The pointers are read during the call only.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ClothBake {
    /// What cloth_default_bake puts here.
    pub cookie: u32,
    /// What cloth_default_bake puts here.
    pub struct_size: u32,
    /// A ClothBakeShape.
    pub shape: u32,
    /// CLOTH_BAKE_ values.
    pub flags: u32,
    /// A ClothMasses value.
    pub mass_mode: u32,
    /// With CLOTH_MASSES_DENSITY: mass from area (kg/m^2), or of chains from length (kg/m).
    pub density: f32,
    /// With CLOTH_MASSES_UNIFORM: the sum of all masses (kg).
    pub total_mass: f32,
    /// Vertices of a mesh within this distance are joined (m), 0 for equal positions only; negative for none.
    pub weld: f32,
    /// Stiffness of all stretch rows (N/m), 1e-9 to 1e15; infinite makes them hard.
    pub stretch_stiffness: f32,
    /// How many colliders a step considers at a time, 1 to 256; rounded up to a multiple of 32.
    pub collider_capacity: u32,
    /// Rest positions, cloth-local (m).
    pub positions: *const ClothVec3,
    /// How many.
    pub position_count: usize,
    /// Of a mesh: corners of triangles, three each.
    pub indices: *const u32,
    /// How many: three times the triangles.
    pub index_count: usize,
    /// Of chains: what each vertex hangs on.
    pub parents: *const u32,
    /// How many.
    pub parent_count: usize,
    /// Vertices to pin.
    pub pins: *const u32,
    /// How many.
    pub pin_count: usize,
    /// With CLOTH_MASSES_EACH: a mass for each vertex (kg), pins included.
    pub masses: *const f32,
    /// How many.
    pub mass_count: usize,
    /// Stiffnesses of single stretch rows, in place of stretch_stiffness; of two for one row the later counts.
    pub row_stiffness: *const ClothRowStiffness,
    /// How many.
    pub row_stiffness_count: usize,
    /// A backstop for each vertex, or none.
    pub backstops: *const ClothBackstop,
    /// How many.
    pub backstop_count: usize,
    /// The most memory that building may need (bytes): what could need more is refused before anything is allocated.
    /// cloth_bake_memory says how much that is.
    pub memory_limit: u64,
}

/// What a built model consists of and what was done to the mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct ClothBakeReport {
    /// Vertices that were given.
    pub vertices: u32,
    /// Particles: the vertices after welding.
    pub particles: u32,
    /// Triangles in use; 0 for chains.
    pub triangles: u32,
    /// Stretch rows.
    pub stretch_rows: u32,
    /// Skip rows.
    pub skip_rows: u32,
    /// Bend rows over hinges.
    pub hinge_rows: u32,
    /// Those of them that are merged, whose stiffness is limited.
    pub merged_hinges: u32,
    /// Tethers.
    pub tethers: u32,
    /// Pinned particles.
    pub pins: u32,
    /// Levels of aggregates.
    pub levels: u32,
    /// Pieces without a row between them.
    pub components: u32,
    /// Vertices that were joined to an earlier one.
    pub welded: u32,
    /// Triangles that were left out because welding joined two of their corners.
    pub dropped: u32,
    /// Triangles that were turned over to agree with their neighbours.
    pub flipped: u32,
    /// CLOTH_NOTE_ values: what is valid and may not be meant.
    pub notes: u32,
}

/// Nothing is pinned: the cloth will fall.
pub const CLOTH_NOTE_NO_PINS: u32 = 1;
/// Everything is pinned: nothing moves by itself.
pub const CLOTH_NOTE_EVERYTHING_PINNED: u32 = 2;
/// Vertices share a place with an earlier one and were not welded.
pub const CLOTH_NOTE_DUPLICATES: u32 = 4;
/// The cloth is in several pieces.
pub const CLOTH_NOTE_COMPONENTS: u32 = 8;

/// What the first word of a ClothBake is.
pub(crate) const COOKIE: u32 = u32::from_le_bytes(*b"CLbk");

/// Memory that building may need where nothing else is said (bytes).
const MEMORY: u64 = 256 << 20;

impl ClothBake {
    /// Nothing yet, with what the builder does where nothing is said.
    pub(crate) fn plain() -> Self {
        Self {
            cookie: COOKIE,
            struct_size: crate::size32::<Self>(),
            shape: ClothBakeShape::Mesh as u32,
            flags: CLOTH_BAKE_TETHERS | CLOTH_BAKE_BEND_ROWS,
            mass_mode: ClothMasses::Density as u32,
            density: 0.15,
            total_mass: 0.0,
            weld: -1.0,
            stretch_stiffness: f32::INFINITY,
            collider_capacity: 64,
            positions: ptr::null(),
            position_count: 0,
            indices: ptr::null(),
            index_count: 0,
            parents: ptr::null(),
            parent_count: 0,
            pins: ptr::null(),
            pin_count: 0,
            masses: ptr::null(),
            mass_count: 0,
            row_stiffness: ptr::null(),
            row_stiffness_count: 0,
            backstops: ptr::null(),
            backstop_count: 0,
            memory_limit: MEMORY,
        }
    }

    /// How much there is of everything, in a shape that is one.
    pub(crate) fn counts(&self) -> Result<Counts, Refused> {
        let chains = self.shape == ClothBakeShape::Chains as u32;
        let soup = self.shape == ClothBakeShape::Soup as u32;
        if !chains && !soup && self.shape != ClothBakeShape::Mesh as u32 {
            return Err(ClothStatus::UnknownValue.into());
        }
        let triangles = if soup { self.position_count / 3 } else { self.index_count / 3 };
        let entries = [self.pin_count, self.mass_count, self.row_stiffness_count, self.backstop_count];
        Ok(Counts {
            vertices: self.position_count,
            triangles: if chains { 0 } else { triangles },
            links: if chains { self.parent_count } else { 0 },
            entries: entries.iter().fold(0, |sum, count| sum.saturating_add(*count)),
            ..Counts::default()
        })
    }
}

/// What a [`ClothBake`] points at.
pub(crate) struct Arrays<'a> {
    pub positions: &'a [[f32; 3]],
    pub indices: &'a [u32],
    pub parents: &'a [u32],
    pub pins: &'a [u32],
    pub masses: &'a [f32],
    pub row_stiffness: &'a [ClothRowStiffness],
    pub backstops: &'a [ClothBackstop],
}

/// Builds the model.
pub(crate) fn build(told: &ClothBake, arrays: &Arrays<'_>) -> Result<Baked, Refused> {
    let known = CLOTH_BAKE_TETHERS | CLOTH_BAKE_BEND_ROWS | CLOTH_BAKE_STIFF_BEND;
    if told.flags & !known != 0 {
        return Err(ClothStatus::UnknownValue.into());
    }
    told.counts()?.within(told.memory_limit)?;
    let has = |flag| told.flags & flag != 0;
    guarded(|| {
        let builder = match told.shape {
            shape if shape == ClothBakeShape::Mesh as u32 => {
                ModelBuilder::mesh(arrays.positions, in_threes(arrays.indices)?).areal_density(told.density)
            }
            shape if shape == ClothBakeShape::Soup as u32 => {
                ModelBuilder::triangle_soup(arrays.positions).areal_density(told.density)
            }
            shape if shape == ClothBakeShape::Chains as u32 => {
                ModelBuilder::chains(arrays.positions, arrays.parents).linear_density(told.density)
            }
            _ => return Err(ClothStatus::UnknownValue.into()),
        };
        let builder = match told.mass_mode {
            mode if mode == ClothMasses::Density as u32 => builder,
            mode if mode == ClothMasses::Uniform as u32 => builder.uniform_mass(told.total_mass),
            mode if mode == ClothMasses::Each as u32 => builder.masses(arrays.masses),
            _ => return Err(ClothStatus::UnknownValue.into()),
        };
        // A NaN is no distance either: let the builder say so.
        let builder = if told.weld < 0.0 { builder } else { builder.weld(told.weld) };
        let rows: std::vec::Vec<_> =
            arrays.row_stiffness.iter().map(|row| (row.a, row.b, row.stiffness)).collect();
        let backstops: std::vec::Vec<_> = arrays
            .backstops
            .iter()
            .map(|backstop| Backstop { distance: backstop.distance, radius: backstop.radius })
            .collect();
        let builder = builder
            .pins(arrays.pins)
            .tethers(has(CLOTH_BAKE_TETHERS))
            .bend_rows(has(CLOTH_BAKE_BEND_ROWS))
            .stiff_bend(has(CLOTH_BAKE_STIFF_BEND))
            .stretch_stiffness(told.stretch_stiffness)
            .row_stiffness(&rows)
            .backstops(&backstops)
            .colliders(told.collider_capacity);
        Ok(builder.build()?)
    })
}

impl ClothBakeReport {
    pub(crate) fn of_core(core: &BuildReport) -> Self {
        let count =
            |is: fn(&Repair) -> bool| core.repairs.iter().fold(0, |sum, repair| sum + u32::from(is(repair)));
        let notes = core.notes.iter().fold(0, |bits, note| {
            bits | match note {
                Note::NoPins => CLOTH_NOTE_NO_PINS,
                Note::EverythingPinned => CLOTH_NOTE_EVERYTHING_PINNED,
                Note::Duplicates { .. } => CLOTH_NOTE_DUPLICATES,
                Note::Components { .. } => CLOTH_NOTE_COMPONENTS,
                _ => 0,
            }
        });
        Self {
            vertices: core.vertices,
            particles: core.particles,
            triangles: core.triangles,
            stretch_rows: core.stretch_rows,
            skip_rows: core.skip_rows,
            hinge_rows: core.hinge_rows,
            merged_hinges: core.merged_hinges,
            tethers: core.tethers,
            pins: core.pins,
            levels: core.levels,
            components: core.components,
            welded: count(|repair| matches!(repair, Repair::Welded { .. })),
            dropped: count(|repair| matches!(repair, Repair::Dropped { .. })),
            flipped: count(|repair| matches!(repair, Repair::Flipped { .. })),
            notes,
        }
    }
}
