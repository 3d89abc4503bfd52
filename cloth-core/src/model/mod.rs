//! The immutable part of a cloth: a checked view over relocatable blocks.
//!
//! A model is one run of 16-byte [`Block`]s in the machine's byte order: a [`Header`], then regions in a
//! fixed order, addressed by `u32` indices and never by pointers. It can be moved, shared by any number of
//! states and kept in flash. [`Model::from_blocks`] checks every index and every float once and allocates
//! nothing; after it succeeded nothing that reads the model can fail. What voids that: writing to the blocks
//! behind the view's back, which safe Rust does not allow.
//!
//! Files hold the same words in little-endian order; [`Model::load`] copies and swaps.

pub(crate) mod derived;
mod file;
pub mod header;
pub mod record;
pub(crate) mod regions;
pub(crate) mod validate;

pub use header::Header;
pub use record::Block;

use crate::hash::{Fingerprint, Hasher};
use crate::row::bend::HingeRow;
use crate::row::skip::SkipRow;
use crate::row::stretch::StretchRow;
use crate::row::tether::Reach;
use bytemuck::AnyBitPattern;
use record::{HingeSlot, PairSlot, Particle};
use regions::Region;

/// Largest magnitude of a stored coordinate or length (m). Squares of differences, and their products with
/// any admitted stiffness, then stay far from the largest `f32`.
pub const MAX_LENGTH: f32 = 1.0e6;

/// Why blocks or bytes are not a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelError {
    /// Fewer blocks (or, in [`Model::load`], bytes of whole blocks) than the header says.
    TooShort {
        /// Blocks needed.
        required: u64,
        /// Blocks there.
        provided: u64,
    },
    /// The first word is not the magic number.
    NotAModel,
    /// The byte-order mark is that of the other byte order: load the file form instead.
    ByteOrder,
    /// A version of the layout this build does not read.
    Version {
        /// The version found.
        found: u32,
    },
    /// The records have other sizes than in this build.
    Layout,
    /// The header contradicts itself (counts, total length, reserved words).
    Header,
    /// A region holds an item that is out of range, not finite, or contradicts another.
    Item {
        /// Name of the region.
        region: &'static str,
        /// Index of the item in it.
        index: u32,
    },
}

impl core::fmt::Display for ModelError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match *self {
            Self::TooShort { required, provided } => {
                write!(f, "the model needs {required} blocks of 16 bytes and {provided} are there")
            }
            Self::NotAModel => f.write_str("not a cloth model: the first word is not CLTH"),
            Self::ByteOrder => {
                f.write_str("the model is in the other byte order: load it from its file form")
            }
            Self::Version { found } => {
                write!(
                    f,
                    "layout version {found}; this build reads {}: bake the model again",
                    header::VERSION
                )
            }
            Self::Layout => f.write_str("written by a build with other records: bake the model again"),
            Self::Header => f.write_str("the model's header contradicts itself: the file is damaged"),
            Self::Item { region, index } => {
                write!(f, "item {index} of region {region} is out of range: the file is damaged")
            }
        }
    }
}

impl core::error::Error for ModelError {}

/// A view of a model's blocks, checked once and copied freely.
#[derive(Clone, Copy, Debug)]
pub struct Model<'a> {
    blocks: &'a [Block],
    header: Header,
    particles: &'a [Particle],
    reach: &'a [Reach],
    particle_of: &'a [u32],
    source_of: &'a [u32],
    colour_starts: &'a [u32],
    stretch: &'a [StretchRow],
    stretch_starts: &'a [u32],
    stretch_slots: &'a [PairSlot],
    skip: &'a [SkipRow],
    skip_starts: &'a [u32],
    skip_slots: &'a [PairSlot],
    hinges: &'a [HingeRow],
    hinge_starts: &'a [u32],
    hinge_slots: &'a [HingeSlot],
}

impl<'a> Model<'a> {
    /// Checks blocks in the machine's own byte order and returns a view of them. Blocks past the model's
    /// own length are ignored.
    ///
    /// # Errors
    /// [`ModelError`] names the first thing that is wrong; nothing is allocated.
    pub fn from_blocks(blocks: &'a [Block]) -> Result<Self, ModelError> {
        let header = validate::header(blocks)?;
        let model = Self::view(blocks, header);
        validate::items(&model)?;
        Ok(model)
    }

    /// The view of blocks whose header was checked.
    fn view(blocks: &'a [Block], header: Header) -> Self {
        let own = usize::try_from(header.blocks).ok().and_then(|count| blocks.get(..count));
        let blocks = own.unwrap_or(&[]);
        Self {
            blocks,
            header,
            particles: region(blocks, &header, Region::Particles),
            reach: region(blocks, &header, Region::Reach),
            particle_of: region(blocks, &header, Region::ParticleOf),
            source_of: region(blocks, &header, Region::SourceOf),
            colour_starts: region(blocks, &header, Region::ColourStarts),
            stretch: region(blocks, &header, Region::Stretch),
            stretch_starts: region(blocks, &header, Region::StretchStarts),
            stretch_slots: region(blocks, &header, Region::StretchSlots),
            skip: region(blocks, &header, Region::Skip),
            skip_starts: region(blocks, &header, Region::SkipStarts),
            skip_slots: region(blocks, &header, Region::SkipSlots),
            hinges: region(blocks, &header, Region::Hinges),
            hinge_starts: region(blocks, &header, Region::HingeStarts),
            hinge_slots: region(blocks, &header, Region::HingeSlots),
        }
    }

    /// The view of blocks that a builder wrote and [`Model::from_blocks`] has accepted before.
    #[cfg(feature = "alloc")]
    pub(crate) fn of_checked(blocks: &'a [Block]) -> Self {
        Self::view(blocks, validate::header(blocks).unwrap_or_default())
    }

    /// The model's own blocks, to be kept or copied.
    pub fn blocks(&self) -> &'a [Block] {
        self.blocks
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Vertices of the mesh or chain the model was built from.
    pub fn source_count(&self) -> u32 {
        self.header.sources
    }

    /// Simulated particles.
    pub fn particle_count(&self) -> u32 {
        self.header.particles
    }

    /// Colours.
    pub fn colour_count(&self) -> u32 {
        self.header.colours
    }

    /// Build-time pins.
    pub fn pin_count(&self) -> u32 {
        self.header.pins
    }

    /// Shortest row of the cloth (m), `+∞` without rows.
    pub fn shortest_row(&self) -> f32 {
        self.header.shortest_row
    }

    /// Particles in internal order, shape (particles).
    pub fn particles(&self) -> &'a [Particle] {
        self.particles
    }

    /// How far each particle may go, shape (particles), internal order.
    pub fn reach(&self) -> &'a [Reach] {
        self.reach
    }

    /// The particle that simulates each source vertex, shape (sources).
    pub fn particle_of(&self) -> &'a [u32] {
        self.particle_of
    }

    /// The first source vertex of each particle, shape (particles).
    pub fn source_of(&self) -> &'a [u32] {
        self.source_of
    }

    /// First particle of each colour, and one past the last, shape (colours + 1).
    pub fn colour_starts(&self) -> &'a [u32] {
        self.colour_starts
    }

    /// Stretch rows.
    pub fn stretch_rows(&self) -> &'a [StretchRow] {
        self.stretch
    }

    /// Skip rows.
    pub fn skip_rows(&self) -> &'a [SkipRow] {
        self.skip
    }

    /// Bend rows.
    pub fn hinge_rows(&self) -> &'a [HingeRow] {
        self.hinges
    }

    /// The stretch rows of one particle, ascending by row.
    #[inline(always)]
    pub fn stretch_of(&self, particle: u32) -> &'a [PairSlot] {
        crate::index::run(self.stretch_slots, self.stretch_starts, particle)
    }

    /// The skip rows of one particle, ascending by row.
    #[inline(always)]
    pub fn skip_of(&self, particle: u32) -> &'a [PairSlot] {
        crate::index::run(self.skip_slots, self.skip_starts, particle)
    }

    /// The hinges of one particle, ascending by row.
    #[inline(always)]
    pub fn hinges_of(&self, particle: u32) -> &'a [HingeSlot] {
        crate::index::run(self.hinge_slots, self.hinge_starts, particle)
    }

    /// A hash of every word of the model, equal on machines of either byte order.
    pub fn fingerprint(&self) -> Fingerprint {
        let mut hasher = Hasher::new();
        for block in self.blocks {
            for word in block.0 {
                hasher.word(word);
            }
        }
        hasher.finish()
    }
}

/// The items of a region; none where the blocks end before it, which a checked header excludes.
fn region<'a, T: AnyBitPattern>(blocks: &'a [Block], header: &Header, region: Region) -> &'a [T] {
    let (first, items) = regions::place(header, region);
    let words = || {
        let blocks = blocks.get(usize::try_from(first).ok()?..)?;
        let bytes: &[u8] = bytemuck::try_cast_slice(blocks).ok()?;
        let length = usize::try_from(items).ok()?.checked_mul(size_of::<T>())?;
        bytemuck::try_cast_slice(bytes.get(..length)?).ok()
    };
    words().unwrap_or(&[])
}
