//! Solids and surfaces that cloth meets: how far a point is from one, which way is out, and how they move in a step.
//!
//! A [`Collider`] is a packed record that stands in the space of the cloth with two poses, that of the previous step and that
//! of this one. Whatever is asked of it is asked at a [`Pose`], which is one of the two or, between them,
//! [`Collider::pose_at`]:
//!
//! - [`signed_distance`]: how far a point is outside, and the direction that leads out, defined everywhere;
//! - [`surface_within`]: the same of a surface no further than a reach, without a look at what is further;
//! - [`features_within`]: the same for each feature of the surface that a point near it can touch on its own;
//! - [`Collider::swept_bounds`], [`Collider::reaches`], [`Collider::travel`], [`Collider::carried`]: where the surface gets to
//!   in a step.
//!
//! Convex hulls, triangle meshes and height fields are too large for a record. They are words in memory of the caller,
//! given beside the table as `shapes`; a record has the run of them that is its own.
//!
//! There are two checks. [`Collider::check`] and [`check_all`] look through a record and every word of its shape; that is done
//! once, by whoever makes, loads or receives a shape, and what passed it answers rightly until its words are changed.
//! [`Collider::check_record`] looks at the record and the header of its words; a step does that each time. What the words
//! behind the header are then is trusted for the truth of answers, and for nothing else. Whatever they are, and whatever a
//! record is:
//!
//! - Nothing panics or reads past the slice. Each table lies where the header says within the run, and an index out of its table
//!   reads as zero.
//! - Every walk ends, in a time that is linear in the words of the run: a hull's query looks at each plane, and at as many corners as
//!   there are; a walk of a mesh's tree goes only forward, at up to four triangles a leaf, of which each asks no more than 4,096
//!   vertices beside one; rings of a field visit each cell at most once, and there are no more rings than cells along
//!   its longer side.
//! - Answers are numbers. What is none is told as a surface out of reach: an infinite distance, `None`, or no feature.
//!
//! `inflation` and `friction` are the contact's affair: a distance is always to the shape itself.

mod bounds;
mod capsule;
mod check;
mod collider;
mod cone;
mod cuboid;
mod cylinder;
mod error;
mod features;
pub(crate) mod field;
pub(crate) mod hull;
mod kind;
mod meridian;
pub(crate) mod mesh;
mod motion;
mod net;
mod plane;
mod query;
mod reaches;
pub(crate) mod segment;
mod shell;
mod sphere;
mod surface;
mod tapered;
mod thickness;
pub(crate) mod triangle;
pub(crate) mod words;

pub use bounds::Aabb;
pub use check::check_all;
pub use collider::{Collider, Data};
pub use error::{ColliderError, TableError};
pub use kind::Kind;
#[cfg(feature = "alloc")]
pub(crate) use net::look;
#[cfg(all(test, feature = "alloc"))]
pub(crate) use net::looked;
pub use query::{features_within, signed_distance, surface_within};
pub(crate) use shell::Shell;
pub use surface::{MAX_FEATURES, Surface};

pub use crate::math::Pose;
