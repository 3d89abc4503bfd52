//! The functions that C calls: pointers become references here, and nothing is computed. All `unsafe` of the crate is in
//! this module.
//!
//! What a call can see it refuses: null and misaligned pointers, counts that no memory has, pieces of memory that overlap,
//! handles that are not open, structs without their cookie. What it cannot see the caller promises, and every function's
//! `Safety` means the same by it:
//!
//! - a pointer that is neither null nor misaligned leads to as much initialised memory as its count says, writable where the
//!   call writes, and nothing else writes there during the call;
//! - blocks of a model stay as they are while a [`ClothModel`](crate::ClothModel) or a [`Cloth`](crate::Cloth) of them is
//!   open; a state's memory and a handle's words are changed by calls of this library only.

#[cfg(feature = "bake")]
mod bake;
mod cloth;
mod collider;
mod environment;
mod fabric;
mod handle;
mod library;
mod model;
mod pointer;
mod region;
mod replay;

#[cfg(feature = "bake")]
pub use bake::*;
pub use cloth::*;
pub use collider::*;
pub use fabric::*;
pub use library::*;
pub use model::*;
pub use region::*;
pub use replay::*;

use crate::status::{ClothStatus, Refused};
use environment::Environment;

/// Runs a call in the floating-point environment that Rust computes in.
fn call(work: impl FnOnce() -> Result<(), Refused>) -> ClothStatus {
    let environment = Environment::enter();
    let answer = inside(work);
    environment.leave();
    answer
}

/// Not inlined: what is computed within a function that reads and writes memory stays between the barriers on both sides
/// of its call, while an operation on registers alone could be moved across them.
#[inline(never)]
fn inside(work: impl FnOnce() -> Result<(), Refused>) -> ClothStatus {
    work().map_or_else(|refused| refused.status, |()| ClothStatus::Ok)
}

#[cfg(test)]
mod air_tests;
#[cfg(all(test, feature = "bake"))]
mod bake_tests;
#[cfg(test)]
mod blend_tests;
#[cfg(test)]
mod collider_tests;
#[cfg(test)]
mod escape_tests;
#[cfg(test)]
mod region_tests;
#[cfg(test)]
mod replay_tests;
#[cfg(test)]
mod tests;
