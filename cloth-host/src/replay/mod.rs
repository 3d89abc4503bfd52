//! What happened to a world, in a file: how it began, what it was told before every tick, and the fingerprints of what came of it.
//!
//! A file is little-endian words: a header, then records that say how long they are and have a checksum each. docs/replay.md has the
//! layout. What is damaged or missing is named by its byte, and everything before it can be played and verified.
//! A single cloth without a world has a format of its own, [`cloth_core::replay`], which is read in place and without a heap; [`Single`] reads
//! its files.
//!
//! ```
//! use cloth_host::replay::{Recorder, Replay, verify};
//! use cloth_host::world::{Cloth, Transform, World};
//!
//! let mut world = World::new();
//! let hand = world.spawn((Transform::IDENTITY, Cloth::default()));
//! world.attach(hand, Transform::at([0.1, 0.0, 0.0]));
//!
//! let mut recorder = Recorder::new(&mut world, Vec::new(), 60)?;
//! for tick in 0..30 {
//!     world.entities().get::<&mut Transform>(hand)?.translation[0] = 0.01 * f64::from(tick);
//!     recorder.tick(&mut world)?;
//! }
//! let file = recorder.finish()?;
//!
//! let replay = Replay::read(&file)?;
//! assert_eq!(verify(&replay)?.ticks, 30);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

// What is played feeds steps.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod diff;
mod error;
mod event;
mod file;
mod player;
mod recorder;
mod single;

pub use diff::{Divergence, Parted, diff};
pub use error::ReplayError;
pub use file::{Replay, Tick};
pub use player::{Part, Player, Verified, verify};
pub use recorder::Recorder;
pub use single::{Single, SingleDivergence, SingleParted, is_single};

/// "CLWR" read as a little-endian word.
const MAGIC: u32 = u32::from_le_bytes(*b"CLWR");
/// What a reader of the right byte order reads behind it.
const BYTE_ORDER: u32 = 0x0102_0304;
/// The version that is written.
const VERSION: u32 = 2;
/// Words of the header: magic, byte order, version, zero.
const HEADER: usize = 4;
/// Words before what a record holds: kind, how many words it holds, checksum.
const PREFIX: usize = 4;

/// What a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
enum Kind {
    /// Blocks of a model that a world was given, built.
    Model = 1,
    /// Everything that the world was told before the first tick, and the models of its cloths.
    Start = 2,
    /// A world as it was: its number of ticks, and a snapshot.
    Keyframe = 3,
    /// What was told since.
    Inputs = 4,
    /// A cloth was made anew.
    Reseed = 5,
    /// Something happened to a cloth's state.
    Event = 6,
    /// A tick was taken: its number, the hash of what it was told, and the fingerprints after it.
    Tick = 7,
    /// Nothing comes after it: how many ticks there are.
    End = 8,
}

impl Kind {
    fn of(word: u32) -> Option<Self> {
        let all = [
            Self::Model,
            Self::Start,
            Self::Keyframe,
            Self::Inputs,
            Self::Reseed,
            Self::Event,
            Self::Tick,
            Self::End,
        ];
        all.into_iter().find(|kind| *kind as u32 == word)
    }
}

/// The checksum of a record: a hash of kind, length and all it holds.
fn checksum(kind: u32, words: &[u32]) -> u64 {
    let mut hasher = crate::hash::Hasher::new();
    hasher.word(kind);
    hasher.long(words.len() as u64);
    words.iter().for_each(|word| hasher.word(*word));
    hasher.finish().0
}
