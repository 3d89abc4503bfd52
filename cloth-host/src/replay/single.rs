//! Recordings of a single cloth, in the format of [`cloth_core::replay`]: read from a file, verified, compared, played.
//!
//! The format has no checksums. What its reader can see is named by its byte; what it cannot see – a number that is another one and
//! still a number – is a frame that differs, named by the byte at which that frame begins.

use cloth_core::replay::{Frame, MAGIC, Verified};
use cloth_core::{Block, Difference, Fingerprint, Level, ReplayError as Fault, State, StepReport};

use super::ReplayError;

/// Bytes of the header, behind which the model begins.
const HEADER: u64 = size_of::<cloth_core::replay::Header>() as u64;
/// Words of the header that say how long things are: of the model, of the start, of the stream.
const LENGTHS: [usize; 3] = [4, 5, 6];
/// The fingerprint that the first frame begins with.
const START: u64 = 32;
/// The command that ends a frame.
const STEP: u32 = 1;

/// A recording of a single cloth, looked through.
#[derive(Clone, Debug)]
pub struct Single {
    blocks: Vec<Block>,
}

/// In what two recordings of a single cloth part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SingleParted {
    /// They are of two models: the fingerprints of these.
    Model([Fingerprint; 2]),
    /// One goes on and the other does not; how many frames each has.
    Length([u32; 2]),
    /// They were told different things.
    Inputs,
    /// They were told the same, and other things came of it.
    Outcome {
        /// The fingerprints.
        after: [Fingerprint; 2],
        /// The first value that differs, where both give here what they gave there.
        difference: Option<Difference>,
    },
}

/// The first frame in which two recordings of a single cloth differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SingleDivergence {
    /// The frame; 0 is the start.
    pub frame: u32,
    /// In what.
    pub parted: SingleParted,
}

impl core::fmt::Display for SingleDivergence {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "frame {}: ", self.frame)?;
        match self.parted {
            SingleParted::Model([a, b]) => write!(f, "they are of two models ({a} and {b})"),
            SingleParted::Length([a, b]) => write!(f, "one has {a} frames and the other {b}"),
            SingleParted::Inputs => f.write_str("they were told different things"),
            SingleParted::Outcome { difference: Some(difference), .. } => write!(f, "{difference}"),
            SingleParted::Outcome { after: [a, b], .. } => {
                write!(f, "other states came of the same ({a} and {b}), and one of them not on this machine")
            }
        }
    }
}

/// Whether a file begins as the recording of a single cloth does, in whatever byte order.
pub fn is_single(bytes: &[u8]) -> bool {
    word(bytes, 0).is_some_and(|word| word == MAGIC || word.swap_bytes() == MAGIC)
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.as_chunks::<4>().0.get(at).map(|word| u32::from_le_bytes(*word))
}

impl Single {
    /// Reads a file.
    ///
    /// # Errors
    /// [`ReplayError::Single`] with the byte at which it is no longer sound.
    pub fn read(bytes: &[u8]) -> Result<Self, ReplayError> {
        let named = |error| ReplayError::Single { byte: byte_of(bytes, &error), error };
        if word(bytes, 0).is_some_and(|word| word.swap_bytes() == MAGIC) {
            return Err(named(Fault::ByteOrder));
        }
        let count = cloth_core::Replay::blocks_for(bytes).map_err(named)?;
        let mut blocks = vec![Block::default(); count];
        cloth_core::Replay::load(bytes, &mut blocks).map_err(named)?;
        Ok(Self { blocks })
    }

    /// The recording, in place.
    ///
    /// # Errors
    /// None: [`Single::read`] has looked through it.
    pub fn replay(&self) -> Result<cloth_core::Replay<'_>, ReplayError> {
        cloth_core::Replay::from_blocks(&self.blocks).map_err(|error| self.named(error))
    }

    /// Plays it from its start and compares every frame.
    ///
    /// # Errors
    /// [`ReplayError::Single`] with the first frame that is not what was recorded, and the byte at which it begins.
    pub fn verify(&self) -> Result<Verified, ReplayError> {
        let replay = self.replay()?;
        let mut memory = vec![Block::default(); replay.model().state_blocks()];
        cloth_core::replay::verify(&replay, &mut memory, Level::detect()).map_err(|error| self.named(error))
    }

    /// The first frame in which two recordings differ, and in what; `None` where they do not.
    ///
    /// # Errors
    /// [`ReplayError::Single`], where one cannot be played.
    pub fn diff(&self, other: &Self) -> Result<Option<SingleDivergence>, ReplayError> {
        let (a, b) = (self.replay()?, other.replay()?);
        let models = [a.model().fingerprint(), b.model().fingerprint()];
        let parted = |frame, parted| Ok(Some(SingleDivergence { frame, parted }));
        if models[0] != models[1] {
            return parted(0, SingleParted::Model(models));
        }
        let outcome = |frame, after| {
            let difference = self.values(other, frame)?;
            parted(frame, SingleParted::Outcome { after, difference })
        };
        let starts = [a.start_fingerprint(), b.start_fingerprint()];
        if starts[0] != starts[1] {
            return outcome(0, starts);
        }
        for (one, other) in a.frames().zip(b.frames()) {
            if one.input() != other.input() || !one.events().eq(other.events()) {
                return parted(one.number(), SingleParted::Inputs);
            }
            if one.after() != other.after() {
                return outcome(one.number(), [one.after(), other.after()]);
            }
        }
        let counts = [a.frame_count(), b.frame_count()];
        let next = counts[0].min(counts[1]).saturating_add(1);
        if counts[0] == counts[1] { Ok(None) } else { parted(next, SingleParted::Length(counts)) }
    }

    /// Plays the frames up to `to`, and calls `frame` for every one from `from` on with what the step said and the state it left.
    ///
    /// # Errors
    /// [`ReplayError::NoSuchTick`], [`ReplayError::Single`].
    pub fn play(
        &self,
        [from, to]: [u32; 2],
        mut frame: impl FnMut(&Frame<'_>, &StepReport, &State<'_>),
    ) -> Result<(), ReplayError> {
        let replay = self.replay()?;
        let count = replay.frame_count();
        if to > count || from > to {
            return Err(ReplayError::NoSuchTick { tick: from.max(to), count });
        }
        let mut memory = vec![Block::default(); replay.model().state_blocks()];
        let mut state = replay.start(&mut memory).map_err(|error| self.named(error))?;
        for next in replay.frames().take(to as usize) {
            let report = next.play(&mut state, Level::detect()).map_err(|error| self.named(error))?;
            if next.number() >= from {
                frame(&next, &report, &state);
            }
        }
        Ok(())
    }

    /// The first value in which two recordings of one model differ after a frame, if both states can be had here.
    fn values(&self, other: &Self, frame: u32) -> Result<Option<Difference>, ReplayError> {
        let (a, b) = (self.replay()?, other.replay()?);
        let [mut one, mut two] = [&a, &b].map(|replay| vec![Block::default(); replay.model().state_blocks()]);
        let states = reached(&a, &mut one, frame).zip(reached(&b, &mut two, frame));
        Ok(states.and_then(|(a, b)| a.difference(&b)))
    }

    fn named(&self, error: Fault) -> ReplayError {
        let bytes: Vec<u8> =
            self.blocks.iter().flat_map(|block| block.0).flat_map(u32::to_le_bytes).collect();
        ReplayError::Single { byte: byte_of(&bytes, &error), error }
    }
}

/// The state after a frame; `None` where it does not come out as recorded.
fn reached<'m>(replay: &cloth_core::Replay<'m>, memory: &'m mut [Block], frame: u32) -> Option<State<'m>> {
    let mut state = replay.start(memory).ok()?;
    let mut after = replay.start_fingerprint();
    for next in replay.frames().take(frame as usize) {
        next.play(&mut state, Level::detect()).ok()?;
        after = next.after();
    }
    (state.fingerprint() == after).then_some(state)
}

/// The byte of a file at which something is wrong with it.
fn byte_of(bytes: &[u8], error: &Fault) -> u64 {
    let [model, start, _] =
        LENGTHS.map(|at| u64::from(word(bytes, at).unwrap_or(0)) * size_of::<Block>() as u64);
    let stream = HEADER + model + start;
    match *error {
        Fault::NotAReplay => 0,
        Fault::ByteOrder => 4,
        Fault::Version { .. } => 8,
        Fault::Header => 12,
        Fault::Model(_) => HEADER,
        Fault::Start(_) => HEADER + model,
        Fault::Damaged { word, .. } => stream + 4 * word as u64,
        Fault::Event { frame, .. } | Fault::Step { frame, .. } | Fault::Differs { frame, .. } => {
            if frame == 0 { START } else { stream + 4 * begin_of(bytes, stream, frame) }
        }
        // Of what there is too little the end is where it is missing.
        _ => bytes.len() as u64,
    }
}

/// The word of the stream at which a frame begins, the first being 1.
fn begin_of(bytes: &[u8], stream: u64, frame: u32) -> u64 {
    let first = usize::try_from(stream / 4).unwrap_or(usize::MAX);
    let (mut at, mut left) = (first, frame.saturating_sub(1));
    while left > 0
        && let Some((tag, length)) = word(bytes, at).zip(word(bytes, at + 1))
    {
        at = at.saturating_add(2 + length as usize);
        left -= u32::from(tag == STEP);
    }
    (at - first) as u64
}
