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
    /// It does not begin as a replay does.
    #[error(
        "byte 0: not a replay: it begins neither as one of a world (CLWR) nor as one of a single cloth (CLRP)"
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
    /// The recording of a single cloth is none, or is no longer what was recorded.
    #[error("byte {byte}: {error}")]
    Single {
        /// Where that begins in the file: a command, a frame, the model, the end.
        byte: u64,
        /// What is wrong.
        error: cloth_core::ReplayError,
    },
    /// One recording is of a world and the other of a single cloth.
    #[error("it is the recording of {}, and the other one is not", if *.is_world { "a world" } else { "a single cloth" })]
    OtherKind {
        /// Whether this one is of a world.
        is_world: bool,
    },
    /// Animation and pictures were asked of the recording of a single cloth.
    #[error("it is the recording of a single cloth, which knows no scene")]
    NoScene,
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
