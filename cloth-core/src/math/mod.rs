//! Arithmetic with the same bits on every machine.
//!
//! Rust leaves the sign of a zero and the choice between numbers and NaNs in `f32::min` and its kin to the
//! target, and `f32::sqrt` and everything transcendental to a library; what a step needs of them is here, made
//! of `+ − × ÷`, comparisons and bit operations. Nothing here panics, and nothing here knows a cloth.

pub mod angle;
pub mod pose;
pub mod real;
pub mod solve;
mod sqrt;
pub mod sum;
pub mod vector;

pub use pose::Pose;
pub use sqrt::{sqrt, sqrt_software};
