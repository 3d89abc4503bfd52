//! From triangle meshes and chains to models: the only part of core that allocates (feature `alloc`).
//!
//! A [`ModelBuilder`] takes the caller's arrays, finds what is wrong with them, welds and turns over what may
//! be, derives rows, masses, geodesics, colours, stencils and aggregates, and writes the model's blocks. *Vertex*
//! always means an index into the caller's arrays; *particle* is what is simulated, numbered breadth first from the
//! pins. Neither the order of triangles nor that of pins changes a bit of the result.

mod adjacency;
mod aggregate;
mod baked;
mod bound;
mod builder;
mod chain;
#[cfg(test)]
#[expect(
    clippy::cast_possible_truncation,
    clippy::float_cmp,
    reason = "small counts; the same sums give equal bits"
)]
mod check;
mod defect;
mod draft;
mod edge_colour;
mod error;
mod geodesic;
mod hierarchy;
mod hinge;
mod layout;
mod mass;
mod measure;
mod mesh;
mod order;
pub(crate) mod parts;
mod report;
mod rows;
mod sets;
pub mod shapes;
mod slots;
mod stencil;
mod surface;
mod weld;

pub use baked::Baked;
pub use builder::ModelBuilder;
pub use defect::Defect;
pub use error::BuildError;
pub use mesh::{MeshFacts, inspect};
pub use report::{BuildReport, Note, Repair};
pub use rows::Rows;
pub use shapes::{Heights, MeshReport, ShapeError, Shapes};

/// How many vertices or triangles a cloth may have, so that eight lanes a row stay countable in 32 bits.
pub(crate) const LIMIT: u32 = 1 << 28;
