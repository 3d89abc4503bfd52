//! Recordings of a single cloth, in the format of [`cloth_core::replay`]: read from a file, verified, compared, played.
//!
//! The format has no checksums. What its reader can see is named by its byte; what it cannot see – a number that is another one and
//! still a number – is a frame that differs, named by the byte at which that frame begins.

use core::mem::offset_of;
use std::borrow::Cow;

use cloth_core::replay::{Frame, Header, MAGIC, STEP, Verified};
use cloth_core::{Block, Difference, Fingerprint, Level, ReplayError as Fault, State, StepReport};

use super::ReplayError;
use super::file::{in_order, trails};

/// Bytes of the header, behind which the model begins.
const HEADER: u64 = size_of::<Header>() as u64;
/// Words of the header that say how long things are: all of it, the model, the start, the stream, and how many frames there are.
const LENGTHS: [usize; 5] = [
    offset_of!(Header, blocks) / 4,
    offset_of!(Header, model_blocks) / 4,
    offset_of!(Header, start_blocks) / 4,
    offset_of!(Header, stream_words) / 4,
    offset_of!(Header, frames) / 4,
];

/// A recording of a single cloth, looked through.
#[derive(Clone, Debug)]
pub struct Single {
    blocks: Vec<Block>,
    damage: Option<ReplayError>,
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
    /// Reads a file up to the last frame that is whole and sound. Where that is not its end, [`Single::damage`] says. Core refuses such
    /// a file, except for bytes behind the end: what it reads may lie in memory that goes on.
    ///
    /// # Errors
    /// [`ReplayError::Single`] and [`ReplayError::Ends`] with the byte at which it is no longer sound, where header, model or start is
    /// not.
    pub fn read(bytes: &[u8]) -> Result<Self, ReplayError> {
        let named = |error| ReplayError::Single { byte: byte_of(bytes, &error), error };
        if word(bytes, 0).is_some_and(|word| word.swap_bytes() == MAGIC) {
            return Err(named(Fault::ByteOrder));
        }
        if is_single(bytes) && (bytes.len() as u64) < HEADER {
            return Err(ReplayError::Ends { byte: bytes.len() as u64 });
        }
        let (mut file, mut damage) = (Cow::Borrowed(bytes), None);
        // Cut short, it may be damaged before that too, and that comes first.
        loop {
            match load(&file) {
                Ok(blocks) => {
                    let byte = size_of_val(blocks.as_slice()) as u64;
                    let damage = damage.or_else(|| trails(byte, bytes));
                    return Ok(Self { blocks, damage });
                }
                Err(Fault::TooShort { .. }) if !adds_up(bytes) => return Err(named(Fault::Header)),
                Err(error) => {
                    file = Cow::Owned(up_to(&file, &error).ok_or_else(|| named(error))?);
                    damage = Some(match error {
                        Fault::TooShort { .. } => ReplayError::Ends { byte: bytes.len() as u64 },
                        _ => named(error),
                    });
                }
            }
        }
    }

    /// Where the file is no longer sound, if it is not to its end.
    pub fn damage(&self) -> Option<&ReplayError> {
        self.damage.as_ref()
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

    /// Plays the frames up to `to`, and calls `frame` for every one from `from` on with what the step said and the state it left. The
    /// first of all that are played that is not what was recorded, where one is not.
    ///
    /// # Errors
    /// [`ReplayError::Order`], [`ReplayError::NoSuchTick`], [`ReplayError::Single`].
    pub fn play(
        &self,
        [from, to]: [u32; 2],
        mut frame: impl FnMut(&Frame<'_>, &StepReport, &State<'_>),
    ) -> Result<Option<ReplayError>, ReplayError> {
        let replay = self.replay()?;
        in_order([from, to], replay.frame_count())?;
        let mut memory = vec![Block::default(); replay.model().state_blocks()];
        let mut state = replay.start(&mut memory).map_err(|error| self.named(error))?;
        let mut differs = None;
        for next in replay.frames().take(to as usize) {
            let report = next.play(&mut state, Level::detect()).map_err(|error| self.named(error))?;
            if next.number() >= from {
                frame(&next, &report, &state);
            }
            let (frame, expected, found) = (next.number(), next.after(), state.fingerprint());
            if differs.is_none() && found != expected {
                differs = Some(self.named(Fault::Differs { frame, expected, found }));
            }
        }
        Ok(differs)
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

/// The blocks of a file that core reads.
fn load(bytes: &[u8]) -> Result<Vec<Block>, Fault> {
    let mut blocks = vec![Block::default(); cloth_core::Replay::blocks_for(bytes)?];
    cloth_core::Replay::load(bytes, &mut blocks)?;
    Ok(blocks)
}

/// A file with the frames before a fault only; `None` where the fault lies before the stream.
fn up_to(bytes: &[u8], error: &Fault) -> Option<Vec<u8>> {
    let most = match *error {
        Fault::TooShort { .. } => u32::MAX,
        Fault::Damaged { frame, .. } | Fault::Event { frame, .. } | Fault::Step { frame, .. } => {
            frame.checked_sub(1)?
        }
        _ => return None,
    };
    let [_, model, start, ..] = lengths(bytes);
    let stream = usize::try_from(HEADER + model + start).ok()?;
    let (frames, words) = whole(bytes, stream, most);
    let mut file = bytes.get(..stream.checked_add(4 * words)?)?.to_vec();
    file.resize(file.len().next_multiple_of(size_of::<Block>()), 0);
    let blocks = u32::try_from(file.len() / size_of::<Block>()).ok()?;
    let [all, _, _, length, count] = LENGTHS;
    for (at, value) in [(all, blocks), (length, u32::try_from(words).ok()?), (count, frames)] {
        *file.as_chunks_mut::<4>().0.get_mut(at)? = value.to_le_bytes();
    }
    Some(file)
}

/// How long all of a file, its model and its start are by its header (bytes), and the words and frames of its stream.
fn lengths(bytes: &[u8]) -> [u64; 5] {
    let block = size_of::<Block>() as u64;
    let [all, model, start, words, frames] = LENGTHS.map(|at| u64::from(word(bytes, at).unwrap_or(0)));
    [all * block, model * block, start * block, words, frames]
}

/// Whether the parts that a header tells of are as long as what it calls all.
fn adds_up(bytes: &[u8]) -> bool {
    let [all, model, start, words, _] = lengths(bytes);
    all == HEADER + model + start + (4 * words).next_multiple_of(size_of::<Block>() as u64)
}

/// The byte of a file at which something is wrong with it.
fn byte_of(bytes: &[u8], error: &Fault) -> u64 {
    let [_, model, start, ..] = lengths(bytes);
    let stream = HEADER + model + start;
    match *error {
        Fault::NotAReplay => offset_of!(Header, magic) as u64,
        Fault::ByteOrder => offset_of!(Header, byte_order) as u64,
        Fault::Version { .. } => offset_of!(Header, version) as u64,
        // Which of the lengths is the wrong one nobody knows: where they begin.
        Fault::Header => offset_of!(Header, blocks) as u64,
        Fault::Model(_) => HEADER,
        Fault::Start(_) => HEADER + model,
        Fault::Damaged { word, .. } => stream + 4 * word as u64,
        Fault::Event { frame, .. } | Fault::Step { frame, .. } | Fault::Differs { frame, .. } => {
            let first = usize::try_from(stream).unwrap_or(usize::MAX);
            let begin = |frame: u32| whole(bytes, first, frame.saturating_sub(1)).1 as u64;
            if frame == 0 { offset_of!(Header, start) as u64 } else { stream + 4 * begin(frame) }
        }
        // Of what there is too little the end is where it is missing.
        _ => bytes.len() as u64,
    }
}

/// How many frames of the stream that begins at a byte are there to their end, `most` at most, and how many words they have.
fn whole(bytes: &[u8], stream: usize, most: u32) -> (u32, usize) {
    let [.., words, _] = lengths(bytes);
    let there = bytes.get(stream..).unwrap_or(&[]);
    let limit = usize::try_from(words).unwrap_or(usize::MAX).min(there.len() / 4);
    let (mut at, mut found) = (0_usize, (0, 0));
    while found.0 < most
        && let Some((tag, length)) = word(there, at).zip(word(there, at + 1))
    {
        at = at.saturating_add(2).saturating_add(length as usize);
        if at > limit {
            break;
        }
        if tag == STEP {
            found = (found.0 + 1, at);
        }
    }
    found
}
