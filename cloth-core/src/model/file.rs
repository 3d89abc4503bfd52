//! The file form of a model: the same words, little-endian.

use super::header::{self, Header};
use super::record::Block;
use super::{Model, ModelError};

/// Bytes of a block.
pub(crate) const BLOCK: usize = size_of::<Block>();
/// Word of the header that holds the number of blocks.
const BLOCKS_WORD: usize = core::mem::offset_of!(Header, blocks) / 4;

/// The little-endian word at a word index, if the bytes reach that far.
pub(crate) fn word(bytes: &[u8], index: usize) -> Option<u32> {
    let (words, _) = bytes.as_chunks::<4>();
    words.get(index).map(|word| u32::from_le_bytes(*word))
}

/// Copies a file's words into as many blocks of the machine's byte order as there are.
pub(crate) fn read(bytes: &[u8], blocks: &mut [Block]) {
    let (words, _) = bytes.as_chunks::<4>();
    let (groups, _) = words.as_chunks::<4>();
    for (block, group) in blocks.iter_mut().zip(groups) {
        *block = Block(group.map(u32::from_le_bytes));
    }
}

/// Writes blocks as a file's words, as many as there is room for.
pub(crate) fn write(blocks: &[Block], bytes: &mut [u8]) {
    let (words, _) = bytes.as_chunks_mut::<4>();
    let values = blocks.iter().flat_map(|block| block.0);
    for (word, value) in words.iter_mut().zip(values) {
        *word = value.to_le_bytes();
    }
}

impl<'a> Model<'a> {
    /// How many blocks [`Model::load`] needs for a file.
    ///
    /// # Errors
    /// [`ModelError::NotAModel`], [`ModelError::Version`] or [`ModelError::TooShort`].
    pub fn blocks_for(bytes: &[u8]) -> Result<usize, ModelError> {
        if word(bytes, 0) != Some(header::MAGIC) {
            return Err(ModelError::NotAModel);
        }
        let version_word = core::mem::offset_of!(Header, version) / 4;
        let version = word(bytes, version_word).ok_or(ModelError::NotAModel)?;
        if version != header::VERSION {
            return Err(ModelError::Version { found: version });
        }
        let required = word(bytes, BLOCKS_WORD).ok_or(ModelError::NotAModel)?;
        let provided = bytes.len() / BLOCK;
        match usize::try_from(required) {
            Ok(blocks) if blocks <= provided => Ok(blocks),
            _ => Err(ModelError::TooShort { required: u64::from(required), provided: provided as u64 }),
        }
    }

    /// Copies a file's bytes into blocks of the machine's byte order and checks them.
    ///
    /// # Errors
    /// Those of [`Model::blocks_for`] and [`Model::from_blocks`], and [`ModelError::TooShort`] where `blocks`
    /// is smaller than [`Model::blocks_for`]. Then what `blocks` holds is unspecified.
    pub fn load(bytes: &[u8], blocks: &'a mut [Block]) -> Result<Self, ModelError> {
        let count = Self::blocks_for(bytes)?;
        let provided = blocks.len() as u64;
        let target =
            blocks.get_mut(..count).ok_or(ModelError::TooShort { required: count as u64, provided })?;
        read(bytes, target);
        Self::from_blocks(target)
    }

    /// Length of the file form (bytes).
    pub fn byte_len(&self) -> usize {
        self.blocks().len() * BLOCK
    }

    /// Writes the file form and returns its length (bytes).
    ///
    /// # Errors
    /// [`ModelError::TooShort`] where `bytes` is shorter than [`Model::byte_len`]; nothing is written then.
    pub fn save(&self, bytes: &mut [u8]) -> Result<usize, ModelError> {
        let length = self.byte_len();
        let provided = (bytes.len() / BLOCK) as u64;
        let target = bytes
            .get_mut(..length)
            .ok_or(ModelError::TooShort { required: self.blocks().len() as u64, provided })?;
        write(self.blocks(), target);
        Ok(length)
    }
}
