//! The exact answers a simulation is measured against, in `f64`.
//!
//! - [`Chain`]: rigid links with point masses in a plane, to some ten digits. A sheet without bend that falls off a
//!   straight edge is such a chain: each row of particles a point, each row of edges a link.
//! - [`ImplicitEuler`]: rows with a stiffness under a converged backward Euler step, which separates what a sweep
//!   didn't solve from what the integrator lost.
//! - [`Catenary`]: where a chain between two points comes to rest.
//! - [`Mode`]: the slowest small swing of a hanging chain, and a motion's share in it.
//! - [`Solid`]: signed distances of colliders by brute force.
//! - [`curve`]: what is read off a height or a displacement frame by frame, the same way from all of them.

mod catenary;
mod chain;
pub mod curve;
mod implicit_euler;
mod mode;
mod solid;

pub use catenary::Catenary;
pub use chain::{Chain, Root};
pub use implicit_euler::{ImplicitEuler, Spring};
pub use mode::{Mode, Swing};
pub use solid::Solid;
