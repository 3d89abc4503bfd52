//! Deterministic cloth: one cloth, one fixed step, the same bits on every machine.
//!
//! A [`Model`] is the immutable part of a cloth, a [`State`] the mutable one; both are views over 16-byte
//! [`Block`]s that the caller owns. [`step()`] takes a state from one tick to the next and is a pure function
//! of model, state and [`StepInput`]: no clock, no heap, no globals, only correctly rounded arithmetic.
//! `ModelBuilder` (feature `alloc`) makes models from meshes and chains.
//!
//! ```
//! # #[cfg(feature = "alloc")] {
//! use cloth_core::{Block, ClothDynamics, Level, ModelBuilder, State, StepInput, Target, Targets, Vec3, step};
//!
//! let positions = [[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.0, 0.1], [0.1, 0.0, 0.1]];
//! let triangles = [[0, 2, 1], [1, 2, 3]];
//! let baked = ModelBuilder::mesh(&positions, &triangles).pins(&[0, 1]).areal_density(0.15).build()?;
//! let model = baked.model();
//! let mut memory = vec![Block::default(); model.state_blocks()];
//! let mut state = State::seed(&model, &mut memory)?;
//! let dynamics = ClothDynamics::default();
//! let input = StepInput::new(1.0 / 60.0, Vec3::new(0.0, -9.81, 0.0), &dynamics);
//! for _ in 0..60 {
//!     step(&mut state, &input)?;
//! }
//! assert!(state.position(2).is_some_and(|hem| hem.y < -0.05));
//!
//! // Any vertex can be held and let go; a held one is exactly on its target after the step.
//! let grip = Vec3::new(0.0, 0.05, 0.1);
//! state.hold(2, grip)?;
//! step(&mut state, &input)?;
//! assert_eq!(state.position(2), Some(grip));
//! state.release(2)?;
//!
//! // Held particles follow their targets; the widest lanes of this machine give the same bits as any.
//! let level = Level::detect();
//! for x in [0.01, 0.02, 0.03] {
//!     let targets = [
//!         Target { vertex: 0, position: [x, 0.0, 0.0] },
//!         Target { vertex: 1, position: [x + 0.1, 0.0, 0.0] },
//!     ];
//!     step(&mut state, &StepInput { targets: Targets::Listed(&targets), level, ..input })?;
//! }
//! assert_eq!(state.position(0), Some(Vec3::new(0.03, 0.0, 0.0)));
//!
//! // A snapshot is everything the future depends on.
//! let mut saved = vec![Block::default(); model.snapshot_blocks()];
//! state.snapshot(&mut saved)?;
//! step(&mut state, &input)?;
//! let once = state.fingerprint();
//! state.restore(&saved)?;
//! step(&mut state, &input)?;
//! assert_eq!(state.fingerprint(), once);
//! # }
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! Lengths are metres, masses kilograms, times seconds; the frame is the cloth's own, right-handed, Y up.
#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(test)]
extern crate std;

pub use glam::Vec3;

pub mod air;
pub mod anchor;
#[cfg(feature = "alloc")]
pub mod bake;
pub mod collide;
pub mod contact;
pub mod fabric;
mod hash;
mod index;
pub mod math;
pub mod model;
pub mod replay;
pub mod row;
pub mod simd;
pub mod state;
pub mod step;

pub use air::Air;
pub use anchor::{AnchorMotion, Teleport, TeleportLimits};
#[cfg(feature = "alloc")]
pub use bake::{Baked, BuildError, BuildReport, ModelBuilder};
pub use fabric::{ClothDynamics, ClothFlags, library};
pub use hash::Fingerprint;
pub use index::NONE;
pub use model::{Block, Model, ModelError};
pub use replay::{Replay, ReplayError};
pub use simd::Level;
#[cfg(feature = "team")]
pub use simd::Team;
#[cfg(feature = "alloc")]
pub use state::SavedState;
pub use state::{Difference, Region, State, StateError};
#[cfg(feature = "team")]
pub use step::{Apart, Sharing, step_by};
pub use step::{SolverConstants, StepError, StepInput, StepReport, Target, Targets, step};
