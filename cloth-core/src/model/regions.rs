//! Where each region of a model lies. One list of regions serves the view, the validation and the writer.

use super::header::Header;
use super::record::{
    Backstop, Block, BoundGroup, Ends, Face, HingeGroup, LANES, LevelRange, PairGroup, Particle,
};
use crate::row::tether::Reach;

/// Bytes of a block.
const BLOCK: u64 = size_of::<Block>() as u64;

/// The regions behind the header, in their order in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Region {
    Particles,
    Reach,
    TetherPins,
    TetherLengths,
    ParticleOf,
    SourceOf,
    StretchEnds,
    Stretch,
    SkipEnds,
    Skip,
    HingeEnds,
    Hinges,
    LinkStarts,
    LinkEnds,
    LinkRows,
    LinkBend,
    BendStarts,
    BendEnds,
    Bend,
    Levels,
    Parents,
    AggregateMass,
    ChildStarts,
    Children,
    ChildShares,
    BoundEnds,
    Bounds,
    Faces,
    Backstops,
}

/// All regions, in their order in memory.
pub(crate) const REGIONS: [Region; 29] = [
    Region::Particles,
    Region::Reach,
    Region::TetherPins,
    Region::TetherLengths,
    Region::ParticleOf,
    Region::SourceOf,
    Region::StretchEnds,
    Region::Stretch,
    Region::SkipEnds,
    Region::Skip,
    Region::HingeEnds,
    Region::Hinges,
    Region::LinkStarts,
    Region::LinkEnds,
    Region::LinkRows,
    Region::LinkBend,
    Region::BendStarts,
    Region::BendEnds,
    Region::Bend,
    Region::Levels,
    Region::Parents,
    Region::AggregateMass,
    Region::ChildStarts,
    Region::Children,
    Region::ChildShares,
    Region::BoundEnds,
    Region::Bounds,
    Region::Faces,
    Region::Backstops,
];

impl Region {
    /// Its name in an error.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Particles => "particles",
            Self::Reach => "reach",
            Self::TetherPins => "tether_pins",
            Self::TetherLengths => "tether_lengths",
            Self::ParticleOf => "particle_of",
            Self::SourceOf => "source_of",
            Self::StretchEnds => "stretch_ends",
            Self::Stretch => "stretch",
            Self::SkipEnds => "skip_ends",
            Self::Skip => "skip",
            Self::HingeEnds => "hinge_ends",
            Self::Hinges => "hinges",
            Self::LinkStarts => "link_starts",
            Self::LinkEnds => "link_ends",
            Self::LinkRows => "link_rows",
            Self::LinkBend => "link_bend",
            Self::BendStarts => "bend_starts",
            Self::BendEnds => "bend_ends",
            Self::Bend => "bend",
            Self::Levels => "levels",
            Self::Parents => "parents",
            Self::AggregateMass => "aggregate_mass",
            Self::ChildStarts => "child_starts",
            Self::Children => "children",
            Self::ChildShares => "child_shares",
            Self::BoundEnds => "bound_ends",
            Self::Bounds => "bounds",
            Self::Faces => "faces",
            Self::Backstops => "backstops",
        }
    }

    /// Bytes of one item.
    const fn item(self) -> u64 {
        let bytes = match self {
            Self::Particles => size_of::<Particle>(),
            Self::Reach => size_of::<Reach>(),
            Self::ParticleOf
            | Self::SourceOf
            | Self::LinkStarts
            | Self::BendStarts
            | Self::AggregateMass
            | Self::ChildStarts => size_of::<u32>(),
            Self::Stretch | Self::Skip => size_of::<PairGroup>(),
            Self::Hinges => size_of::<HingeGroup>(),
            Self::StretchEnds | Self::SkipEnds | Self::BoundEnds => size_of::<Ends<2>>(),
            Self::HingeEnds => size_of::<Ends<4>>(),
            Self::TetherPins
            | Self::TetherLengths
            | Self::LinkEnds
            | Self::LinkRows
            | Self::LinkBend
            | Self::BendEnds
            | Self::Bend
            | Self::Parents
            | Self::Children
            | Self::ChildShares => size_of::<Ends<1>>(),
            Self::Levels => size_of::<LevelRange>(),
            Self::Bounds => size_of::<BoundGroup>(),
            Self::Faces => size_of::<Face>(),
            Self::Backstops => size_of::<Backstop>(),
        };
        bytes as u64
    }

    /// Items in the region.
    fn items(self, header: &Header) -> u64 {
        let particles = u64::from(header.particles);
        let groups = u64::from(header.particle_groups());
        let aggregates = u64::from(header.aggregate_nodes);
        match self {
            Self::Particles | Self::Reach | Self::SourceOf => particles,
            Self::TetherPins | Self::TetherLengths => groups,
            Self::ParticleOf => u64::from(header.sources),
            Self::Stretch | Self::StretchEnds => u64::from(header.stretch_groups),
            Self::Skip | Self::SkipEnds => u64::from(header.skip_groups),
            Self::Hinges | Self::HingeEnds => u64::from(header.hinge_groups),
            Self::LinkStarts | Self::BendStarts => groups + 1,
            Self::LinkEnds | Self::LinkRows | Self::LinkBend => u64::from(header.link_slots),
            Self::BendEnds | Self::Bend => u64::from(header.bend_slots),
            Self::Levels => u64::from(header.levels),
            Self::Parents => u64::from(header.nodes()) / LANES as u64,
            Self::AggregateMass => aggregates,
            Self::ChildStarts => aggregates / LANES as u64 + 1,
            Self::Children | Self::ChildShares => u64::from(header.child_slots),
            Self::Bounds | Self::BoundEnds => u64::from(header.bound_groups),
            Self::Faces => u64::from(header.faces),
            Self::Backstops => u64::from(header.backstops),
        }
    }

    /// Blocks the region takes; the rest of its last block is zero.
    fn blocks(self, header: &Header) -> u64 {
        // At most 2³² items of 192 bytes: no overflow in 64 bits.
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
