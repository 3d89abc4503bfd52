//! From triangle meshes and chains to models: the only part of core that allocates (feature `alloc`).
//!
//! A [`ModelBuilder`] takes the caller's arrays, finds what is wrong with them, welds and turns over what may
//! be, derives rows, masses, geodesics and colours, and writes the model's blocks. *Vertex* always means an
//! index into the caller's arrays; *particle* is what is simulated, numbered by colour and then by first
//! vertex. Neither the order of triangles nor that of pins changes a bit of the result.

mod adjacency;
mod baked;
mod builder;
mod chain;
#[cfg(test)]
#[expect(
    clippy::cast_possible_truncation,
    clippy::float_cmp,
    reason = "small counts; the same sums give equal bits"
)]
mod check;
mod color;
mod defect;
mod draft;
mod error;
mod geodesic;
mod hinge;
mod mass;
mod measure;
mod mesh;
pub(crate) mod parts;
mod report;
mod sets;
mod surface;
mod weld;
mod write;

pub use baked::Baked;
pub use builder::ModelBuilder;
pub use defect::Defect;
pub use error::BuildError;
pub use mesh::{MeshFacts, inspect};
pub use report::{BuildReport, Note, Repair};

/// How many vertices or triangles a cloth may have, so that the twelve hinge slots a triangle can bring stay
/// countable in 32 bits.
pub(crate) const LIMIT: u32 = 1 << 28;
