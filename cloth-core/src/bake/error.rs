//! Why a model could not be built.

use super::Defect;
use crate::model::ModelError;
use core::fmt;

/// Why [`ModelBuilder::build`](super::ModelBuilder::build) refused.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum BuildError {
    /// The mesh or chain has a fault that is not repaired; the first one found.
    Defect(Defect),
    /// A triangle soup's positions do not come in threes.
    SoupLength {
        /// How many positions were given.
        positions: usize,
    },
    /// More vertices or triangles than the layout can count.
    TooMany {
        /// How many were given.
        given: usize,
        /// How many there may be.
        limit: u32,
    },
    /// Chains need one parent for each position.
    ParentCount {
        /// Positions given.
        positions: usize,
        /// Parents given.
        parents: usize,
    },
    /// A chain's parent does not exist.
    ParentOutOfRange {
        /// The vertex.
        vertex: u32,
        /// Its parent.
        parent: u32,
        /// How many vertices there are.
        count: u32,
    },
    /// Following parents from this vertex leads back to it (a vertex that is its own parent included).
    ParentCycle {
        /// The smallest vertex on the cycle.
        vertex: u32,
    },
    /// A chain without vertices.
    NoVertices,
    /// A chain vertex coincides with its grandparent, so that the row between them has no direction.
    FoldedChain {
        /// The vertex.
        vertex: u32,
    },
    /// Chains have no seams to weld.
    WeldOnChains,
    /// The weld distance is negative or not finite.
    WeldDistance {
        /// The distance (m).
        distance: f32,
    },
    /// A pin does not exist.
    PinOutOfRange {
        /// The pin.
        pin: u32,
        /// How many vertices there are.
        count: u32,
    },
    /// A density is not positive and finite.
    Density {
        /// The density (kg/m² or kg/m).
        density: f32,
    },
    /// The total mass is not positive and finite.
    TotalMass {
        /// The mass (kg).
        mass: f32,
    },
    /// Masses need one entry for each vertex.
    MassCount {
        /// Masses given.
        given: usize,
        /// Vertices.
        vertices: u32,
    },
    /// A mass is not positive and finite.
    Mass {
        /// The vertex.
        vertex: u32,
        /// Its mass (kg).
        mass: f32,
    },
    /// A stretch stiffness is neither infinite (a hard row) nor within 1e-9…1e15 N/m.
    Stiffness {
        /// The stiffness (N/m).
        stiffness: f32,
    },
    /// A stiffness was given for two vertices that no stretch row joins.
    NoSuchRow {
        /// One end.
        a: u32,
        /// The other end.
        b: u32,
    },
    /// Backstops need one entry for each vertex.
    BackstopCount {
        /// Vertices.
        expected: u32,
        /// Backstops given.
        given: usize,
    },
    /// A backstop's distance is not finite, or its radius negative, not a number or out of scale.
    Backstop {
        /// The vertex.
        vertex: u32,
    },
    /// A capacity for colliders that is none or too large.
    ColliderCapacity {
        /// What was asked for.
        given: u32,
        /// How many there may be.
        limit: u32,
    },
    /// A mass, a length or what a hinge makes of them leaves the range that models admit.
    OutOfScale {
        /// The vertex.
        vertex: u32,
    },
    /// The model's blocks do not fit the address space or the layout's 32-bit counts.
    TooLarge,
    /// The blocks that were written fail the model's own check: a fault of the builder, please report it.
    Model(ModelError),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Defect(defect) => defect.fmt(f),
            Self::SoupLength { positions } => {
                write!(
                    f,
                    "a triangle soup needs three positions a triangle, {positions} are no multiple of 3"
                )
            }
            Self::TooMany { given, limit } => write!(f, "{given} vertices or triangles; at most {limit} fit"),
            Self::ParentCount { positions, parents } => {
                write!(f, "{positions} positions but {parents} parents; chains need one for each")
            }
            Self::ParentOutOfRange { vertex, parent, count } => {
                write!(f, "vertex {vertex} has parent {parent}, but there are {count} vertices")
            }
            Self::ParentCycle { vertex } => write!(f, "the parents of vertex {vertex} lead back to it"),
            Self::NoVertices => f.write_str("the chains have no vertices"),
            Self::FoldedChain { vertex } => {
                write!(
                    f,
                    "chain vertex {vertex} lies where its grandparent lies; move it or build without bend rows"
                )
            }
            Self::WeldOnChains => f.write_str("chains cannot be welded"),
            Self::WeldDistance { distance } => {
                write!(f, "weld distance {distance} m is negative or not finite")
            }
            Self::PinOutOfRange { pin, count } => {
                write!(f, "pin {pin} does not exist, there are {count} vertices")
            }
            Self::Density { density } => write!(f, "density {density} is not positive and finite"),
            Self::TotalMass { mass } => write!(f, "total mass {mass} kg is not positive and finite"),
            Self::MassCount { given, vertices } => write!(f, "{given} masses for {vertices} vertices"),
            Self::Mass { vertex, mass } => {
                write!(f, "mass {mass} kg of vertex {vertex} is not positive and finite")
            }
            Self::Stiffness { stiffness } => {
                write!(f, "stretch stiffness {stiffness} N/m is neither infinite nor within 1e-9 to 1e15 N/m")
            }
            Self::NoSuchRow { a, b } => write!(f, "no stretch row joins vertices {a} and {b}"),
            Self::BackstopCount { expected, given } => {
                write!(f, "{given} backstops for {expected} vertices; give one for each, radius 0 for none")
            }
            Self::Backstop { vertex } => {
                write!(f, "the backstop of vertex {vertex} has a distance or a radius that is no length")
            }
            Self::ColliderCapacity { given, limit } => {
                write!(f, "a capacity of {given} colliders; it must be 1 to {limit}")
            }
            Self::OutOfScale { vertex } => {
                write!(f, "mass and size around vertex {vertex} are out of the range that a model admits")
            }
            Self::TooLarge => f.write_str("the model does not fit its 32-bit layout"),
            Self::Model(error) => {
                write!(f, "the builder wrote a bad model ({error}); this is a fault of the builder")
            }
        }
    }
}

impl core::error::Error for BuildError {}

impl From<Defect> for BuildError {
    fn from(defect: Defect) -> Self {
        Self::Defect(defect)
    }
}
