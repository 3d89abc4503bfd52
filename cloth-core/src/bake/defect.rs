//! What can be wrong with a mesh.

use crate::model::MAX_LENGTH;
use core::fmt;

/// A fault of a mesh, with the elements it was found at. Vertices and triangles are indices into the caller's
/// arrays; where vertices were welded, the first of them stands for all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Defect {
    /// More vertices or triangles than the layout can count. Nothing else was looked at.
    TooMany {
        /// How many were given.
        given: usize,
        /// How many there may be.
        limit: u32,
    },
    /// No triangle is left: none was given, none was usable, or welding collapsed them all.
    Empty,
    /// A coordinate is NaN or infinite.
    NonFinite {
        /// The vertex.
        vertex: u32,
    },
    /// A coordinate is beyond ±[`MAX_LENGTH`].
    TooLarge {
        /// The vertex.
        vertex: u32,
    },
    /// A triangle names a vertex that does not exist.
    IndexOutOfRange {
        /// The triangle.
        triangle: u32,
        /// The vertex it names.
        vertex: u32,
        /// How many vertices there are.
        count: u32,
    },
    /// A triangle names one vertex twice.
    RepeatedIndex {
        /// The triangle.
        triangle: u32,
        /// The vertex.
        vertex: u32,
    },
    /// Two vertices lie at one place and were not welded, so the cloth may come apart there. Not an error.
    DuplicateVertex {
        /// The vertex.
        vertex: u32,
        /// The first vertex at its place.
        of: u32,
    },
    /// Two triangles have the same three vertices.
    DuplicateTriangle {
        /// The triangle.
        triangle: u32,
        /// The first triangle with its vertices.
        of: u32,
    },
    /// Two vertices joined by an edge coincide, as far as the coordinates can tell.
    ZeroLengthEdge {
        /// One end.
        a: u32,
        /// The other end.
        b: u32,
    },
    /// The corners of a triangle lie on a line, or so nearly that its angles mean nothing.
    ZeroAreaTriangle {
        /// The triangle.
        triangle: u32,
    },
    /// More than two triangles meet in an edge.
    NonManifoldEdge {
        /// One end.
        a: u32,
        /// The other end.
        b: u32,
        /// How many triangles.
        triangles: u32,
    },
    /// The triangles around a vertex are not one fan: sheets that touch in a point only.
    NonManifoldVertex {
        /// The vertex.
        vertex: u32,
    },
    /// A vertex is in no triangle, or on a chain of its own.
    IsolatedVertex {
        /// The vertex.
        vertex: u32,
    },
    /// The surface has one side only (a Möbius strip): no winding of its triangles agrees.
    NonOrientable {
        /// The first triangle of the surface.
        triangle: u32,
    },
    /// A triangle is wound against the majority of its sheet. Repaired by turning it over.
    InconsistentWinding {
        /// The triangle.
        triangle: u32,
    },
}

impl Defect {
    /// Whether a model can be built all the same: the fault is repaired or harmless.
    pub fn is_repairable(self) -> bool {
        matches!(self, Self::DuplicateVertex { .. } | Self::InconsistentWinding { .. })
    }
}

impl fmt::Display for Defect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooMany { given, limit } => write!(f, "{given} vertices or triangles; at most {limit} fit"),
            Self::Empty => f.write_str("the mesh has no triangles"),
            Self::NonFinite { vertex } => {
                write!(f, "vertex {vertex} has a coordinate that is not a finite number")
            }
            Self::TooLarge { vertex } => {
                write!(f, "vertex {vertex} lies more than {} m out", MAX_LENGTH)
            }
            Self::IndexOutOfRange { triangle, vertex, count } => {
                write!(f, "triangle {triangle} names vertex {vertex}, but there are {count}")
            }
            Self::RepeatedIndex { triangle, vertex } => {
                write!(f, "triangle {triangle} names vertex {vertex} twice")
            }
            Self::DuplicateVertex { vertex, of } => {
                write!(f, "vertex {vertex} lies where vertex {of} lies; weld them to join the cloth there")
            }
            Self::DuplicateTriangle { triangle, of } => {
                write!(f, "triangle {triangle} has the vertices of triangle {of}")
            }
            Self::ZeroLengthEdge { a, b } => write!(f, "edge {a}-{b} has no length"),
            Self::ZeroAreaTriangle { triangle } => write!(f, "triangle {triangle} has no area"),
            Self::NonManifoldEdge { a, b, triangles } => {
                write!(f, "edge {a}-{b} carries {triangles} triangles; cloth has at most two")
            }
            Self::NonManifoldVertex { vertex } => {
                write!(f, "the triangles at vertex {vertex} touch in that point only")
            }
            Self::IsolatedVertex { vertex } => write!(f, "vertex {vertex} is in no triangle and on no chain"),
            Self::NonOrientable { triangle } => {
                write!(
                    f,
                    "the surface of triangle {triangle} has one side only, its triangles cannot be wound alike"
                )
            }
            Self::InconsistentWinding { triangle } => {
                write!(f, "triangle {triangle} is wound against its neighbours")
            }
        }
    }
}
