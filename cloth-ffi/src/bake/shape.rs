//! What a collider's words are built from, as C says it.

use super::memory::Counts;
use super::{guarded, in_threes};
use crate::collider::ClothColliderKind;
use crate::status::{ClothStatus, Refused};
use crate::vector::ClothVec3;
use cloth_core::bake::{Heights, Shapes};
use core::ptr;

/// What a hull, a mesh or a height field is built from. Begin with what cloth_default_shape answers. The pointers are read
/// during the call only.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ClothShape {
    /// What cloth_default_shape puts here.
    pub cookie: u32,
    /// What cloth_default_shape puts here.
    pub struct_size: u32,
    /// CLOTH_COLLIDER_KIND_HULL, CLOTH_COLLIDER_KIND_MESH or CLOTH_COLLIDER_KIND_FIELD.
    pub kind: u32,
    /// Of a field: vertices along X.
    pub vertices_x: u32,
    /// Of a field: vertices along Z.
    pub vertices_z: u32,
    /// Of a field: width of a cell along both (m), 1e-6 to 1e6.
    pub cell: f32,
    /// Points of a hull, at most 256, or vertices of a mesh (m).
    pub points: *const ClothVec3,
    /// How many.
    pub point_count: usize,
    /// Of a mesh: corners of triangles, three each, counterclockwise from outside.
    pub indices: *const u32,
    /// How many: three times the triangles.
    pub index_count: usize,
    /// Of a field: heights (m), rows along X, one after the other along Z.
    pub heights: *const f32,
    /// How many.
    pub height_count: usize,
    /// Of a field: not 0 for each cell that is a hole, in the order of the heights; null for none.
    pub holes: *const u8,
    /// How many: the cells, or 0.
    pub hole_count: usize,
    /// The most memory that building may need (bytes): what could need more is refused before anything is allocated.
    /// cloth_shape_memory says how much that is.
    pub memory_limit: u64,
}

/// What was found in a collision mesh; zero for hulls and fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct ClothShapeReport {
    /// Vertices after those at one position became one.
    pub vertices: u32,
    /// Triangles left.
    pub triangles: u32,
    /// Triangles left out because they have no area.
    pub degenerate: u32,
    /// Edges with one triangle: 0 in a mesh that encloses a volume.
    pub borders: u32,
}

/// What the first word of a ClothShape is.
pub(crate) const COOKIE: u32 = u32::from_le_bytes(*b"CLsh");

/// Memory that building may need where nothing else is said (bytes).
const MEMORY: u64 = 256 << 20;

impl ClothShape {
    /// Nothing yet.
    pub(crate) fn plain() -> Self {
        Self {
            cookie: COOKIE,
            struct_size: crate::size32::<Self>(),
            kind: ClothColliderKind::Hull as u32,
            vertices_x: 0,
            vertices_z: 0,
            cell: 1.0,
            points: ptr::null(),
            point_count: 0,
            indices: ptr::null(),
            index_count: 0,
            heights: ptr::null(),
            height_count: 0,
            holes: ptr::null(),
            hole_count: 0,
            memory_limit: MEMORY,
        }
    }

    /// How much there is of everything, in a kind that is of words.
    pub(crate) fn counts(&self) -> Result<Counts, Refused> {
        let is = |kind: ClothColliderKind| self.kind == kind as u32;
        let hull = is(ClothColliderKind::Hull);
        if !hull && !is(ClothColliderKind::Mesh) && !is(ClothColliderKind::Field) {
            return Err(ClothStatus::ColliderKind.into());
        }
        Ok(Counts {
            points: if hull { self.point_count } else { 0 },
            shape_vertices: if hull { 0 } else { self.point_count },
            shape_triangles: self.index_count / 3,
            heights: self.height_count,
            holes: self.hole_count,
            ..Counts::default()
        })
    }
}

/// What a [`ClothShape`] points at.
pub(crate) struct Arrays<'a> {
    pub points: &'a [[f32; 3]],
    pub indices: &'a [u32],
    pub heights: &'a [f32],
    pub holes: &'a [u8],
}

/// Builds the words.
pub(crate) fn build(told: &ClothShape, arrays: &Arrays<'_>) -> Result<(Shapes, ClothShapeReport), Refused> {
    told.counts()?.within(told.memory_limit)?;
    guarded(|| {
        let mut shapes = Shapes::new();
        let mut report = ClothShapeReport::default();
        match told.kind {
            kind if kind == ClothColliderKind::Hull as u32 => _ = shapes.hull(arrays.points)?,
            kind if kind == ClothColliderKind::Mesh as u32 => {
                let (_, found) = shapes.mesh(arrays.points, in_threes(arrays.indices)?)?;
                report = ClothShapeReport {
                    vertices: found.vertices,
                    triangles: found.triangles,
                    degenerate: found.degenerate,
                    borders: found.borders,
                };
            }
            kind if kind == ClothColliderKind::Field as u32 => {
                let holes: std::vec::Vec<bool> = arrays.holes.iter().map(|hole| *hole != 0).collect();
                _ = shapes.field(&Heights {
                    vertices: [told.vertices_x, told.vertices_z],
                    cell: told.cell,
                    heights: arrays.heights,
                    holes: &holes,
                })?;
            }
            _ => return Err(ClothStatus::ColliderKind.into()),
        }
        Ok((shapes, report))
    })
}
