//! Why a replay cannot be recorded, read or played as it was.

use std::io;

use cloth_core::{Fingerprint, ModelError, StateError};
use hecs::Entity;
use thiserror::Error as ThisError;

use super::Part;
use crate::world::{WorldError, hecs};

/// Why a replay cannot be recorded, read or played as it was. Ticks are counted from 1.
#[derive(Clone, Debug, PartialEq, ThisError)]
#[non_exhaustive]
pub enum ReplayError {
    /// What is recorded cannot be written.
    #[error("the recording cannot be written: {0}")]
    Write(io::ErrorKind),
    /// It does not begin as a replay of a world does.
    #[error(
        "not a replay of a world: it begins with other bytes; single cloths are read by cloth_core::replay"
    )]
    NotAReplay,
    /// Its words are in the other byte order.
    #[error(
        "byte 4: the words of the replay are in the other byte order; files are little-endian, write it anew"
    )]
    ByteOrder,
    /// A newer program wrote it.
    #[error("byte 8: the replay is of version {found}, and this program reads version 1: update it")]
    Version {
        /// What it says.
        found: u32,
    },
    /// It ends before it should.
    #[error("byte {byte}: the replay ends here, in the middle; what is before it can be played")]
    Ends {
        /// Where it ends.
        byte: u64,
    },
    /// A record is damaged.
    #[error("byte {byte}: the record that begins here is damaged ({what}); what is before it can be played")]
    Damaged {
        /// Where the record begins.
        byte: u64,
        /// What is wrong.
        what: &'static str,
    },
    /// A model in it is none.
    #[error("byte {byte}: the model that begins here is none: {error}")]
    Model {
        /// Where its record begins.
        byte: u64,
        /// Why.
        error: ModelError,
    },
    /// A cloth comes out with another model than it was recorded with.
    #[error(
        "the cloth of entity {entity:?} was recorded with the model {expected} and is built as {found} here: play it by the version that recorded it"
    )]
    OtherModel {
        /// The anchor.
        entity: Entity,
        /// The model's fingerprint in the file.
        expected: Fingerprint,
        /// That of the one that was built; 0 where there is no cloth.
        found: Fingerprint,
    },
    /// A world has bodies that are no entities, which a recording could not tell of.
    #[error(
        "the world has groups of colliders that are no entities, and a replay does not hold those: make them entities"
    )]
    Groups,
    /// The world refused.
    #[error("tick {tick}: {error}")]
    World {
        /// The tick; 0 is the start.
        tick: u32,
        /// Why.
        error: WorldError,
    },
    /// A cloth's state refused what happened to it.
    #[error("tick {tick}, the cloth of entity {entity:?}: {error}")]
    State {
        /// The tick.
        tick: u32,
        /// The anchor.
        entity: Entity,
        /// Why.
        error: StateError,
    },
    /// What the world was told is not what was recorded.
    #[error("tick {tick}: what the world was told has the hash {found} and was recorded with {expected}")]
    Inputs {
        /// The tick.
        tick: u32,
        /// The hash in the file.
        expected: Fingerprint,
        /// That of what it was told.
        found: Fingerprint,
    },
    /// What came of it is not what was recorded.
    #[error("tick {tick} differs from the recording: {part}")]
    Differs {
        /// The first tick that does.
        tick: u32,
        /// The first part of it that does.
        part: Part,
    },
    /// There is no such tick.
    #[error("there is no tick {tick}: the replay has {count}")]
    NoSuchTick {
        /// What was asked for.
        tick: u32,
        /// How many there are.
        count: u32,
    },
}

impl ReplayError {
    pub(super) fn world(tick: u32) -> impl Fn(WorldError) -> Self {
        move |error| Self::World { tick, error }
    }
}
