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
    /// A newer program wrote it, or none did.
    #[error("byte 8: the replay is of version {found}, {}", of_version(*.found))]
    Version {
        /// What it says.
        found: u32,
    },
    /// The last word of the header is another than it has to be.
    #[error("byte 12: the last word of the header is {found:#x} and has to be 0: the header is damaged")]
    Header {
        /// What it is.
        found: u32,
    },
    /// It ends before it should.
    #[error("byte {byte}: the replay ends here, in the middle; what is before it can be played")]
    Ends {
        /// Where it ends.
        byte: u64,
    },
    /// Something follows its end.
    #[error(
        "byte {byte}: the recording ends here, and {count} bytes follow that are no part of it; what is before can be played"
    )]
    Trails {
        /// Where it ends.
        byte: u64,
        /// How many bytes follow.
        count: u64,
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
    /// A cloth of a scene is another than the one that was recorded.
    #[error(
        "the cloth of entity {entity:?} in the recording has the model {recorded}, and the scene's has {found}: it is the recording of another scene"
    )]
    OtherScene {
        /// The anchor.
        entity: Entity,
        /// The model's fingerprint in the recording; 0 where there is no cloth.
        recorded: Fingerprint,
        /// That of the scene's; 0 where there is no cloth.
        found: Fingerprint,
    },
    /// A cloth is not made from what is attached to its anchor when a recording is to begin. Whoever plays it could make it from
    /// that only.
    #[error(
        "the cloth of entity {entity:?} is not made from what is attached to its anchor now, and a recording cannot tell from what: make it anew (World::reseed), or begin to record before that changes"
    )]
    Changed {
        /// The anchor.
        entity: Entity,
    },
    /// A world went back to a snapshot while it was recorded, which a recording cannot tell.
    #[error(
        "the world was at its tick {recorded} when it was recorded last, and is at {found} now: it was rolled back, which a recording cannot tell; record ticks once no rollback can reach them, or begin a new recording"
    )]
    WentBack {
        /// [`World::tick_number`](crate::world::World::tick_number) when it was recorded last.
        recorded: u64,
        /// What it is now.
        found: u64,
    },
    /// The length of the clock's step is no longer the one at the start, which a recording cannot tell.
    #[error(
        "tick {tick}: the clock's step is {found} s, and was {recorded} s when the recording began, which holds one length: begin a new recording"
    )]
    Clock {
        /// The tick that was to be recorded.
        tick: u32,
        /// The length of a step at the start (s).
        recorded: f64,
        /// What it is now (s).
        found: f64,
    },
    /// A world has bodies that are no entities, which a recording could not tell of.
    #[error(
        "the world has groups of colliders that are no entities, and a replay does not hold those: make them entities"
    )]
    Groups,
    /// A world has a source of wind that is code of its host's, which a recording could not tell of.
    #[error(
        "entity {entity:?} has a WindSource, which is code, and a replay does not hold that: make it an AmbientWind, a WindZone or a FluidVolume"
    )]
    OwnWind {
        /// The entity.
        entity: Entity,
    },
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
    /// The last tick that was asked for comes before the first.
    #[error("from tick {from} to tick {to} is the wrong way round")]
    Order {
        /// The first that was asked for.
        from: u32,
        /// The last.
        to: u32,
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

/// What to say of another version than the one that is read.
fn of_version(found: u32) -> String {
    let read = super::VERSION;
    if found == 0 {
        return format!("which there never was (this program reads {read}): the header is damaged");
    }
    if found < read {
        return format!(
            "which knew nothing of wind, and this program reads version {read}: play it by the program that recorded it, and record it anew"
        );
    }
    format!("and this program reads version {read}: update it")
}

impl ReplayError {
    pub(super) fn world(tick: u32) -> impl Fn(WorldError) -> Self {
        move |error| Self::World { tick, error }
    }
}
