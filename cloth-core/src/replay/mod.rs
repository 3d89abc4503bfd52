//! A recorded run of one cloth: its model, where it began, what every step was told, and the fingerprint it must leave.
//!
//! A replay is a run of 16-byte [`Block`]s in the machine's byte order, like a model: a [`Header`], the model, the snapshot
//! it begins with (none where it begins as seeded), and a stream of words. Files hold the same words in little-endian order.
//!
//! The stream is a list of commands: a tag, the number of words that follow, and those. What a step is told is kept from frame
//! to frame, so a frame holds only what is new in it, and ends with the command that takes the step.
//!
//! | tag | command | words |
//! |---|---|---|
//! | 1 | take the step | fingerprint of the state after it, low word first |
//! | 2 | `dt` | 1 |
//! | 3 | `gravity` | 3 |
//! | 4 | `dynamics` | 11: the fields in their order but `lift`, and that behind them where it is not 0 |
//! | 5 | `constants` | 8: the fields in their order |
//! | 6 | layers and switches | `layer`, `mask`, `most_substeps`, `faces`, `sleep` |
//! | 7 | colliders | 28 each |
//! | 8 | words of shapes | any number |
//! | 9 | targets | 0 for keep; 1, then 3 a source vertex; 2, then a vertex and 3 for each listed |
//! | 10 | backstop normals | 3 a source vertex, or none |
//! | 11 | something happens before the step ([`Event`]) | 0, vertex, target to hold; 1, vertex to release; 2, vertex, position, velocity to place; 3 to wake |
//! | 12 | `anchor` | 18: `moved` and `carried`, translation and quaternion each; 0, 1 to keep or 2 to reset; limits of distance and angle; what happens beyond, likewise |
//! | 13 | `escape` | `strain`, `distance`, `steps`, `window` |
//!//! | 14 | `air` | 0 for none; 1, then 3; 2, then 3 a source vertex |
//!
//! Before the first frame every setting is zero, which no step takes, every table is empty, the anchor stands, there is no air and
//! the escape hatch is as by default. [`StepInput::level`] is no
//! part of a replay: it changes no bit.
//!
//! [`Replay::from_blocks`] looks through all of it once and allocates nothing: the model, the snapshot, and every input as a
//! step would. What is left to fail afterwards is memory that is too small, and the bits. [`verify()`] runs it.
//!
//! [`StepInput::level`]: crate::StepInput::level

mod command;
mod error;
mod frame;
#[cfg(feature = "alloc")]
mod recorder;
mod verify;

pub use command::{Event, STEP};
pub use error::ReplayError;
pub use frame::{Frame, Frames};
#[cfg(feature = "alloc")]
pub use recorder::{Recorder, Recording};
pub use verify::{Verified, verify};

use crate::Fingerprint;
use crate::model::header::BYTE_ORDER;
use crate::model::{Block, Model, file};
use crate::state::{State, check};
use bytemuck::{Pod, Zeroable};

/// "CLRP" read as a little-endian word.
pub const MAGIC: u32 = u32::from_le_bytes(*b"CLRP");
/// Version of the format that is written. Models have their own.
pub const VERSION: u32 = 4;
/// The oldest version that is read: what came since is a command, and a word behind those of another, which it does not have. All
/// others are refused.
pub const OLDEST: u32 = 2;

/// The first blocks of a replay. Twelve words.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Header {
    /// [`MAGIC`].
    pub magic: u32,
    /// [`BYTE_ORDER`] in the byte order of the words that follow.
    pub byte_order: u32,
    /// [`VERSION`].
    pub version: u32,
    /// Length of the whole replay (blocks of 16 bytes).
    pub blocks: u32,
    /// Length of the model behind the header (blocks).
    pub model_blocks: u32,
    /// Length of the snapshot behind the model (blocks); 0 where the cloth begins as it is seeded.
    pub start_blocks: u32,
    /// Words of the stream behind the snapshot; what is left of the last block is zero.
    pub stream_words: u32,
    /// Frames in the stream.
    pub frames: u32,
    /// Fingerprint of the state before the first frame, low word first.
    pub start: [u32; 2],
    /// Zero.
    pub reserved: [u32; 2],
}

/// Blocks of the header.
const HEADER_BLOCKS: usize = size_of::<Header>() / size_of::<Block>();

/// A view of a replay's blocks, checked once and copied freely.
#[derive(Clone, Copy, Debug)]
pub struct Replay<'a> {
    blocks: &'a [Block],
    header: Header,
    model: Model<'a>,
    start: &'a [Block],
    stream: &'a [u32],
}

impl<'a> Replay<'a> {
    /// Looks through blocks in the machine's own byte order and returns a view of them. Blocks past the replay's own length
    /// are ignored.
    ///
    /// # Errors
    /// [`ReplayError`] names the first thing that is wrong; nothing is allocated. Never [`ReplayError::Differs`].
    pub fn from_blocks(blocks: &'a [Block]) -> Result<Self, ReplayError> {
        let (header, blocks) = own(blocks)?;
        let mut rest = blocks.get(HEADER_BLOCKS..).unwrap_or(&[]);
        let mut take = |count: u32| {
            let (head, tail) = rest.split_at_checked(usize::try_from(count).ok()?)?;
            rest = tail;
            Some(head)
        };
        let parts = take(header.model_blocks).zip(take(header.start_blocks));
        let (model, start) = parts.ok_or(ReplayError::Header)?;
        let model = Model::from_blocks(model).map_err(ReplayError::Model)?;
        if model.blocks().len() != header.model_blocks as usize {
            return Err(ReplayError::Header);
        }
        if !start.is_empty() {
            check::snapshot(&model, start, model.snapshot_blocks()).map_err(ReplayError::Start)?;
            if start.len() != model.snapshot_blocks() {
                return Err(ReplayError::Header);
            }
        }
        let words: &[u32] = bytemuck::try_cast_slice(rest).unwrap_or(&[]);
        let parts = words.split_at_checked(header.stream_words as usize);
        let (stream, padding) = parts.ok_or(ReplayError::Header)?;
        if padding.len() >= size_of::<Block>() / 4 || padding.iter().any(|word| *word != 0) {
            return Err(ReplayError::Header);
        }
        let replay = Self { blocks, header, model, start, stream };
        frame::check(&replay)?;
        Ok(replay)
    }

    /// How many blocks [`Replay::load`] needs for a file.
    ///
    /// # Errors
    /// [`ReplayError::NotAReplay`], [`ReplayError::Version`] or [`ReplayError::TooShort`].
    pub fn blocks_for(bytes: &[u8]) -> Result<usize, ReplayError> {
        const VERSION_WORD: usize = core::mem::offset_of!(Header, version) / 4;
        const BLOCKS_WORD: usize = core::mem::offset_of!(Header, blocks) / 4;
        if file::word(bytes, 0) != Some(MAGIC) {
            return Err(ReplayError::NotAReplay);
        }
        let found = file::word(bytes, VERSION_WORD).ok_or(ReplayError::NotAReplay)?;
        if !is_known(found) {
            return Err(ReplayError::Version { found });
        }
        let required = file::word(bytes, BLOCKS_WORD).ok_or(ReplayError::NotAReplay)?;
        let provided = bytes.len() / file::BLOCK;
        match usize::try_from(required) {
            Ok(blocks) if blocks <= provided => Ok(blocks),
            _ => Err(ReplayError::TooShort { required: u64::from(required), provided: provided as u64 }),
        }
    }

    /// Copies a file's bytes into blocks of the machine's byte order and looks through them. Bytes past the replay's own length are
    /// ignored: it may lie in a page or a buffer that goes on.
    ///
    /// # Errors
    /// Those of [`Replay::blocks_for`] and [`Replay::from_blocks`], and [`ReplayError::TooShort`] where `blocks` is smaller
    /// than [`Replay::blocks_for`]. Then what `blocks` holds is unspecified.
    pub fn load(bytes: &[u8], blocks: &'a mut [Block]) -> Result<Self, ReplayError> {
        let count = Self::blocks_for(bytes)?;
        let provided = blocks.len() as u64;
        let target =
            blocks.get_mut(..count).ok_or(ReplayError::TooShort { required: count as u64, provided })?;
        file::read(bytes, target);
        Self::from_blocks(target)
    }

    /// Length of the file form (bytes).
    pub fn byte_len(&self) -> usize {
        size_of_val(self.blocks)
    }

    /// Writes the file form and returns its length (bytes).
    ///
    /// # Errors
    /// [`ReplayError::TooShort`] where `bytes` is shorter than [`Replay::byte_len`]; nothing is written then.
    pub fn save(&self, bytes: &mut [u8]) -> Result<usize, ReplayError> {
        let (length, required) = (self.byte_len(), self.blocks.len() as u64);
        let provided = (bytes.len() / file::BLOCK) as u64;
        let target = bytes.get_mut(..length).ok_or(ReplayError::TooShort { required, provided })?;
        file::write(self.blocks, target);
        Ok(length)
    }

    /// The replay's blocks, its own length and no more.
    pub fn blocks(&self) -> &'a [Block] {
        self.blocks
    }

    /// The cloth that was recorded.
    pub fn model(&self) -> &Model<'a> {
        &self.model
    }

    /// How many frames were recorded.
    pub fn frame_count(&self) -> u32 {
        self.header.frames
    }

    /// The fingerprint of the state before the first frame.
    pub fn start_fingerprint(&self) -> Fingerprint {
        fingerprint(self.header.start)
    }

    /// The state before the first frame, in `memory` of [`Model::state_blocks`].
    ///
    /// # Errors
    /// [`ReplayError::Start`] where the memory is too small; nothing was written then. [`ReplayError::Differs`] in frame 0
    /// where the state is another than was recorded.
    pub fn start<'m>(&self, memory: &'m mut [Block]) -> Result<State<'m>, ReplayError>
    where
        'a: 'm,
    {
        let mut state = State::seed(&self.model, memory).map_err(ReplayError::Start)?;
        if !self.start.is_empty() {
            state.restore(self.start).map_err(ReplayError::Start)?;
        }
        let (expected, found) = (self.start_fingerprint(), state.fingerprint());
        if found != expected {
            return Err(ReplayError::Differs { frame: 0, expected, found });
        }
        Ok(state)
    }

    /// The frames in their order.
    pub fn frames(&self) -> Frames<'a> {
        Frames::new(self.stream)
    }
}

/// The header, and the replay's own blocks.
fn own(blocks: &[Block]) -> Result<(Header, &[Block]), ReplayError> {
    let provided = blocks.len() as u64;
    let short = |required: u64| ReplayError::TooShort { required, provided };
    let head = blocks.get(..HEADER_BLOCKS).ok_or(short(HEADER_BLOCKS as u64))?;
    let header: &[Header] = bytemuck::try_cast_slice(head).unwrap_or(&[]);
    let header = header.first().copied().unwrap_or_default();
    match (header.magic, header.byte_order) {
        (MAGIC, BYTE_ORDER) => {}
        (MAGIC, _) => return Err(ReplayError::ByteOrder),
        (magic, _) if magic == MAGIC.swap_bytes() => return Err(ReplayError::ByteOrder),
        _ => return Err(ReplayError::NotAReplay),
    }
    if !is_known(header.version) {
        return Err(ReplayError::Version { found: header.version });
    }
    if header.reserved != [0; 2] {
        return Err(ReplayError::Header);
    }
    let length = usize::try_from(header.blocks).unwrap_or(usize::MAX);
    Ok((header, blocks.get(..length).ok_or(short(u64::from(header.blocks)))?))
}

fn is_known(version: u32) -> bool {
    (OLDEST..=VERSION).contains(&version)
}

/// A fingerprint from its words, low one first.
fn fingerprint([low, high]: [u32; 2]) -> Fingerprint {
    Fingerprint(u64::from(low) | u64::from(high) << 32)
}
