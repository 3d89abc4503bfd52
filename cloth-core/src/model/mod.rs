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
use crate::index::run;
use crate::row::tether::Reach;
use bytemuck::AnyBitPattern;
use record::{BendSlot, BoundGroup, ChildSlot, HingeGroup, Level, LinkSlot, PairGroup, Particle};
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
    stretch: &'a [PairGroup],
    skip: &'a [PairGroup],
    hinges: &'a [HingeGroup],
    link_starts: &'a [u32],
    link_slots: &'a [LinkSlot],
    bend_starts: &'a [u32],
    bend_slots: &'a [BendSlot],
    levels: &'a [Level],
    parents: &'a [u32],
    aggregate_mass: &'a [f32],
    child_starts: &'a [u32],
    child_slots: &'a [ChildSlot],
    bounds: &'a [BoundGroup],
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
            stretch: region(blocks, &header, Region::Stretch),
            skip: region(blocks, &header, Region::Skip),
            hinges: region(blocks, &header, Region::Hinges),
            link_starts: region(blocks, &header, Region::LinkStarts),
            link_slots: region(blocks, &header, Region::LinkSlots),
            bend_starts: region(blocks, &header, Region::BendStarts),
            bend_slots: region(blocks, &header, Region::BendSlots),
            levels: region(blocks, &header, Region::Levels),
            parents: region(blocks, &header, Region::Parents),
            aggregate_mass: region(blocks, &header, Region::AggregateMass),
            child_starts: region(blocks, &header, Region::ChildStarts),
            child_slots: region(blocks, &header, Region::ChildSlots),
            bounds: region(blocks, &header, Region::Bounds),
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

    /// Stretch rows in groups, in the order of the sweep.
    pub fn stretch_groups(&self) -> &'a [PairGroup] {
        self.stretch
    }

    /// Skip rows in groups.
    pub fn skip_groups(&self) -> &'a [PairGroup] {
        self.skip
    }

    /// The bend rows that are solved one by one, in groups.
    pub fn hinge_groups(&self) -> &'a [HingeGroup] {
        self.hinges
    }

    /// Levels of aggregates, the finest first.
    pub fn levels(&self) -> &'a [Level] {
        self.levels
    }

    /// The aggregate of each node, shape (nodes); [`NONE`](crate::NONE) for inert nodes and where there is none.
    pub fn parents(&self) -> &'a [u32] {
        self.parents
    }

    /// Mass of each aggregate (kg), shape (aggregate nodes); 0 for inert nodes.
    pub fn aggregate_mass(&self) -> &'a [f32] {
        self.aggregate_mass
    }

    /// Bounds on the distances of aggregates in groups, level by level.
    pub fn bound_groups(&self) -> &'a [BoundGroup] {
        self.bounds
    }

    /// Neighbours along stretch rows of the eight particles of a group.
    #[inline(always)]
    pub fn links_of(&self, group: u32) -> &'a [LinkSlot] {
        run(self.link_slots, self.link_starts, group)
    }

    /// Neighbours across merged hinges of the eight particles of a group.
    #[inline(always)]
    pub fn bends_of(&self, group: u32) -> &'a [BendSlot] {
        run(self.bend_slots, self.bend_starts, group)
    }

    /// Children of the eight aggregates of a group, counted from the first aggregate node.
    #[inline(always)]
    pub fn children_of(&self, group: u32) -> &'a [ChildSlot] {
        run(self.child_slots, self.child_starts, group)
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
