//! What building did and found.

use alloc::vec::Vec;
use core::fmt;

/// A change made to a mesh before it was built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Repair {
    /// A vertex was joined to an earlier one within the weld distance.
    Welded {
        /// The vertex.
        vertex: u32,
        /// The first vertex of the group it became part of.
        onto: u32,
    },
    /// A triangle was left out because welding joined two of its corners.
    Dropped {
        /// The triangle.
        triangle: u32,
    },
    /// A triangle was turned over to agree with the majority of its sheet.
    Flipped {
        /// The triangle.
        triangle: u32,
    },
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Welded { vertex, onto } => write!(f, "vertex {vertex} welded to vertex {onto}"),
            Self::Dropped { triangle } => write!(f, "triangle {triangle} dropped, welding collapsed it"),
            Self::Flipped { triangle } => {
                write!(f, "triangle {triangle} turned over to agree with its neighbours")
            }
        }
    }
}

/// Something valid that may not be meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// Nothing is pinned: the cloth will fall.
    NoPins,
    /// Every particle is pinned: nothing will move by itself.
    EverythingPinned,
    /// Vertices share a place with an earlier one and were not welded.
    Duplicates {
        /// How many.
        count: u32,
    },
    /// The cloth is in several pieces.
    Components {
        /// How many.
        count: u32,
    },
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NoPins => f.write_str("nothing is pinned, the cloth will fall"),
            Self::EverythingPinned => f.write_str("everything is pinned, nothing moves by itself"),
            Self::Duplicates { count } => {
                write!(f, "{count} vertices share a place with another and were not welded")
            }
            Self::Components { count } => write!(f, "the cloth is in {count} pieces"),
        }
    }
}

/// What a model consists of, what was repaired on the way and what deserves a look.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct BuildReport {
    /// Vertices of the caller's arrays.
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
    /// Those of them that are merged into stencils: the flat ones, slivers apart.
    pub merged_hinges: u32,
    /// Tether rows.
    pub tethers: u32,
    /// Particles pinned at build time.
    pub pins: u32,
    /// Colours of the sweep over the stretch rows.
    pub colours: u32,
    /// Levels of aggregates.
    pub levels: u32,
    /// Aggregates of all levels, pins apart.
    pub aggregates: u32,
    /// Pieces without a row between them.
    pub components: u32,
    /// Changes made to the mesh.
    pub repairs: Vec<Repair>,
    /// What may not be meant.
    pub notes: Vec<Note>,
}
