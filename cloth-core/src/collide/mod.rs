//! Solids and surfaces that cloth meets: how far a point is from one, which way is out, and how they move in a step.
//!
//! A [`Collider`] is a packed record that stands in the space of the cloth with two poses, that of the previous step and that
//! of this one. Whatever is asked of it is asked at a [`Pose`], which is one of the two or, between them,
//! [`Collider::pose_at`]:
//!
//! - [`signed_distance`]: how far a point is outside, and the direction that leads out, defined everywhere;
//! - [`features_within`]: the same for each feature of the surface that a point near it can touch on its own;
//! - [`Collider::swept_bounds`], [`Collider::travel`], [`Collider::carried`]: where the surface gets to in a step.
//!
//! Convex hulls, triangle meshes and height fields are too large for a record. They are words in memory of the caller,
//! given beside the table as `shapes`; a record has the run of them that is its own. [`Collider::check`] looks through a
//! record and its words once, and nothing after it can fail; what voids that is giving other words. Even then nothing
//! panics or reads past the slice: answers are wrong, and that is all.
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
pub use query::{features_within, signed_distance};
pub(crate) use shell::Shell;
pub use surface::{MAX_FEATURES, Surface};

pub use crate::math::Pose;
