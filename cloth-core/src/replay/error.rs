//! Why a replay was refused, or is no longer what was recorded.

use crate::{Fingerprint, ModelError, StateError, StepError};

/// What is wrong with a replay.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ReplayError {
    /// Fewer blocks (or, in [`Replay::load`](super::Replay::load), bytes of whole blocks) than the header says.
    TooShort {
        /// Blocks needed.
        required: u64,
        /// Blocks there.
        provided: u64,
    },
    /// The first word is not the magic number.
    NotAReplay,
    /// The byte-order mark is that of the other byte order: load the file form instead.
    ByteOrder,
    /// A version of the format this build does not read.
    Version {
        /// The version found.
        found: u32,
    },
    /// The header contradicts itself, or the stream's number of frames.
    Header,
    /// The model is none.
    Model(ModelError),
    /// The snapshot it begins with is none of the model's, or the memory for the state is too small.
    Start(StateError),
    /// The stream holds a command that is none, or ends within a frame.
    Damaged {
        /// The frame; the first is 1.
        frame: u32,
        /// First word of the command in the stream.
        word: usize,
    },
    /// Something that happens before a step is refused.
    Event {
        /// The frame.
        frame: u32,
        /// Why.
        error: StateError,
    },
    /// What a step is told is refused.
    Step {
        /// The frame.
        frame: u32,
        /// Why.
        error: StepError,
    },
    /// The state is another than was recorded.
    Differs {
        /// The first frame that differs; 0 is before the first step.
        frame: u32,
        /// What was recorded.
        expected: Fingerprint,
        /// What came of it here.
        found: Fingerprint,
    },
}

impl core::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match *self {
            Self::TooShort { required, provided } => {
                write!(f, "the replay needs {required} blocks of 16 bytes and {provided} are there")
            }
            Self::NotAReplay => f.write_str("not a cloth replay: the first word is not CLRP"),
            Self::ByteOrder => {
                f.write_str("the replay is in the other byte order: load it from its file form")
            }
            Self::Version { found } => {
                let (oldest, newest) = (super::OLDEST, super::VERSION);
                write!(
                    f,
                    "replay version {found}; this build reads {oldest} to {newest}: record the run again"
                )
            }
            Self::Header => f.write_str("the replay's header contradicts itself: the file is damaged"),
            Self::Model(error) => write!(f, "the replay's model: {error}"),
            Self::Start(error) => write!(f, "the replay's start: {error}"),
            Self::Damaged { frame, word } => {
                write!(f, "frame {frame}: word {word} of the stream begins no command: the file is damaged")
            }
            Self::Event { frame, error } => write!(f, "frame {frame}: {error}"),
            Self::Step { frame, error } => write!(f, "frame {frame}: {error}"),
            Self::Differs { frame, expected, found } => {
                write!(f, "frame {frame} is the first that differs: {found}, recorded was {expected}")
            }
        }
    }
}

impl core::error::Error for ReplayError {}
