//! Two peers play one game with cloth in it: they send each other buttons, not cloth.
//!
//! [`game`] is the game and all a rollback needs of it: save, load, one tick, a hash. [`peer`] drives it by [`ggrs`], which
//! predicts, says when to go back, and compares hashes of confirmed frames. [`network`] is a bad network and [`wire`] the socket
//! that behaves like it; [`dump`] is what is left of a game whose peers no longer agree. docs/lockstep.md is the guide.

pub mod dump;
pub mod game;
pub mod network;
pub mod peer;
pub mod players;
pub mod wire;

/// The examples of docs/lockstep.md.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/lockstep.md")]
struct Guide;

pub use game::Game;
pub use network::Conditions;
pub use peer::{Outcome, Peer, Report};
