//! Deterministic cloth: one cloth, one fixed step, the same bits on every machine.
#![no_std]
#![deny(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

pub use glam::Vec3;

pub mod hash;
mod index;
pub mod math;
pub mod model;
