//! Where each region of a model lies. One list of regions serves the view, the validation and the writer.

use super::header::Header;
use super::record::{Block, HingeSlot, PairSlot, Particle};
use crate::row::bend::HingeRow;
use crate::row::skip::SkipRow;
use crate::row::stretch::StretchRow;
use crate::row::tether::Reach;

/// Bytes of a block.
const BLOCK: u64 = size_of::<Block>() as u64;

/// The regions behind the header, in their order in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Region {
    Particles,
    Reach,
    ParticleOf,
    SourceOf,
    ColourStarts,
    Stretch,
    StretchStarts,
    StretchSlots,
    Skip,
    SkipStarts,
    SkipSlots,
    Hinges,
    HingeStarts,
    HingeSlots,
}

/// All regions, in their order in memory.
pub(crate) const REGIONS: [Region; 14] = [
    Region::Particles,
    Region::Reach,
    Region::ParticleOf,
    Region::SourceOf,
    Region::ColourStarts,
    Region::Stretch,
    Region::StretchStarts,
    Region::StretchSlots,
    Region::Skip,
    Region::SkipStarts,
    Region::SkipSlots,
    Region::Hinges,
    Region::HingeStarts,
    Region::HingeSlots,
];

impl Region {
    /// Its name in an error.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Particles => "particles",
            Self::Reach => "reach",
            Self::ParticleOf => "particle_of",
            Self::SourceOf => "source_of",
            Self::ColourStarts => "colour_starts",
            Self::Stretch => "stretch",
            Self::StretchStarts => "stretch_starts",
            Self::StretchSlots => "stretch_slots",
            Self::Skip => "skip",
            Self::SkipStarts => "skip_starts",
            Self::SkipSlots => "skip_slots",
            Self::Hinges => "hinges",
            Self::HingeStarts => "hinge_starts",
            Self::HingeSlots => "hinge_slots",
        }
    }

    /// Bytes of one item.
    const fn item(self) -> u64 {
        let bytes = match self {
            Self::Particles => size_of::<Particle>(),
            Self::Reach => size_of::<Reach>(),
            Self::ParticleOf
            | Self::SourceOf
            | Self::ColourStarts
            | Self::StretchStarts
            | Self::SkipStarts
            | Self::HingeStarts => size_of::<u32>(),
            Self::Stretch => size_of::<StretchRow>(),
            Self::Skip => size_of::<SkipRow>(),
            Self::Hinges => size_of::<HingeRow>(),
            Self::StretchSlots | Self::SkipSlots => size_of::<PairSlot>(),
            Self::HingeSlots => size_of::<HingeSlot>(),
        };
        bytes as u64
    }

    /// Items in the region.
    fn items(self, header: &Header) -> u64 {
        let particles = u64::from(header.particles);
        match self {
            Self::Particles | Self::Reach | Self::SourceOf => particles,
            Self::ParticleOf => u64::from(header.sources),
            Self::ColourStarts => u64::from(header.colours) + 1,
            Self::Stretch => u64::from(header.stretch),
            Self::Skip => u64::from(header.skip),
            Self::Hinges => u64::from(header.hinges),
            Self::StretchStarts | Self::SkipStarts | Self::HingeStarts => particles + 1,
            Self::StretchSlots => 2 * u64::from(header.stretch),
            Self::SkipSlots => 2 * u64::from(header.skip),
            Self::HingeSlots => 4 * u64::from(header.hinges),
        }
    }

    /// Blocks the region takes; the rest of its last block is zero.
    fn blocks(self, header: &Header) -> u64 {
        // At most 2³²·4 items of 48 bytes: no overflow in 64 bits.
        (self.items(header) * self.item()).div_ceil(BLOCK)
    }
}

/// Blocks of the header.
pub(crate) const HEADER_BLOCKS: u64 = size_of::<Header>() as u64 / BLOCK;

/// Blocks of a model with these counts.
pub(crate) fn model_blocks(header: &Header) -> u64 {
    REGIONS.iter().fold(HEADER_BLOCKS, |sum, region| sum + region.blocks(header))
}

/// First block and number of items of a region.
pub(crate) fn place(header: &Header, region: Region) -> (u64, u64) {
    let before = REGIONS.iter().take_while(|other| **other != region);
    let first = before.fold(HEADER_BLOCKS, |sum, other| sum + other.blocks(header));
    (first, region.items(header))
}

/// The words between a region's last item and the end of its last block, and the region's name.
pub(crate) fn padding<'a>(blocks: &'a [Block], header: &Header, region: Region) -> (&'a [u32], &'static str) {
    let (first, items) = place(header, region);
    let used = first * BLOCK + items * region.item();
    let end = (first + region.blocks(header)) * BLOCK;
    let words: &[u32] = bytemuck::try_cast_slice(blocks).unwrap_or(&[]);
    let word = |byte: u64| usize::try_from(byte / 4).unwrap_or(usize::MAX);
    (words.get(word(used)..word(end)).unwrap_or(&[]), region.name())
}

/// A hash of every record's size in region order, so that a model written by a build with other records is
/// refused even where somebody forgot to raise the version.
pub(crate) const LAYOUT_HASH: u32 = {
    let mut hash = 0x811c_9dc5_u32;
    let mut place = 0_u32;
    while (place as usize) < REGIONS.len() {
        #[expect(clippy::cast_possible_truncation, reason = "record sizes are below 256")]
        let size = REGIONS[place as usize].item() as u32;
        hash = (hash ^ (size + place * 256)).wrapping_mul(0x0100_0193);
        place += 1;
    }
    hash
};
