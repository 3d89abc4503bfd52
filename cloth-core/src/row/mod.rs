//! The laws of the rows: pure functions of positions, which know no sweep.
//!
//! Every row is a scalar constraint C with a range of admitted force along its gradient. How far it moves its ends is
//! written in [`pull`] for rows between two particles and in [`bend`] for hinges; when, in `step`.

pub mod bend;
pub mod leash;
pub mod pull;
pub mod skip;
pub mod strain;
pub mod stretch;
pub mod tether;
