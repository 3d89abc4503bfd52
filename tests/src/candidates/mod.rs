//! Pairwise solvers as one family: the candidates of the table that move the two ends of one row at a time.
//!
//! One substep, with what a [`Pairwise`] may turn on or off in brackets:
//!
//! | pass | module | what |
//! |---|---|---|
//! | predict | `predict` | x + h·v + h²·a, with a from gravity, bend [and tensions] [second order: BDF2's predictor] |
//! | bounds | `bounds` | [nested aggregates, coarse to fine: no two further apart than at rest] |
//! | sweeps | `sweep` | every row once, in the order of edge colours, [every second sweep backwards] |
//! | tethers | `tethers` | [no particle further from its pin than the way to it] |
//! | contacts | [`crate::workload::Collider`] | out of fixed spheres and planes, friction |
//! | velocities | `velocity` | position differences [or BDF2's], damping, limit, guard |
//!
//! How a row moves its ends along an old or a new direction is the law of `pull`. Scalar `f64` code, hinge by hinge and row
//! by row, so that what is seen is the method and not rounding: its instruction counts compare within the family and not with code in lanes. It has no leashes and no strain
//! limits, and damps a free cloth's motion as a whole too; no scene of the bench asks for those.

mod bounds;
mod cloth;
mod named;
mod net;
mod predict;
mod pull;
mod settings;
mod sweep;
mod tethers;
mod velocity;

pub use named::family;
pub use settings::{Pairwise, Tension};

#[cfg(test)]
mod tests;
