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
pub(crate) mod file;
pub mod header;
#[cfg(feature = "team")]
pub(crate) mod plan;
pub mod record;
pub(crate) mod regions;
pub(crate) mod validate;

pub use header::Header;
pub use record::Block;

use crate::hash::{Fingerprint, Hasher};
use crate::row::tether::Reach;
use crate::simd::Groups;
use bytemuck::AnyBitPattern;
use record::{Backstop, BoundGroup, Ends, Face, HingeGroup, LANES, LevelRange, PairGroup, Particle};
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
    tether_pins: Groups<'a, 1>,
    tether_lengths: &'a [[f32; LANES]],
    particle_of: &'a [u32],
    source_of: &'a [u32],
    stretch_ends: Groups<'a, 2>,
    stretch: &'a [PairGroup],
    skip_ends: Groups<'a, 2>,
    skip: &'a [PairGroup],
    hinge_ends: Groups<'a, 4>,
    hinges: &'a [HingeGroup],
    link_starts: &'a [u32],
    link_ends: Groups<'a, 1>,
    link_rows: Groups<'a, 1>,
    link_bend: &'a [[f32; LANES]],
    bend_starts: &'a [u32],
    bend_ends: Groups<'a, 1>,
    bend: &'a [[f32; LANES]],
    soft: bool,
    extent: f32,
    tethered: bool,
    levels: &'a [LevelRange],
    parents: Groups<'a, 1>,
    aggregate_mass: &'a [f32],
    child_starts: &'a [u32],
    children: Groups<'a, 1>,
    child_shares: &'a [[f32; LANES]],
    bound_ends: Groups<'a, 2>,
    bounds: &'a [BoundGroup],
    faces: &'a [Face],
    backstops: &'a [Backstop],
}

impl<'a> Model<'a> {
    /// Checks blocks in the machine's own byte order and returns a view of them. Blocks past the model's
    /// own length are ignored.
    ///
    /// # Errors
    /// [`ModelError`] names the first thing that is wrong; nothing is allocated.
    pub fn from_blocks(blocks: &'a [Block]) -> Result<Self, ModelError> {
        let header = validate::header(blocks)?;
        let mut indices = Ok(());
        let model = Self::view(blocks, header, &mut indices);
        indices?;
        validate::items(&model)?;
        Ok(model)
    }

    /// The view of blocks that a builder wrote and [`Model::from_blocks`] has accepted before.
    #[cfg(feature = "alloc")]
    pub(crate) fn of_checked(blocks: &'a [Block]) -> Self {
        Self::view(blocks, validate::header(blocks).unwrap_or_default(), &mut Ok(()))
    }

    /// The view of blocks whose header was checked. Indices that lead a step are checked here, against the tables they
    /// lead into; the first that lead elsewhere are told in `indices`.
    fn view(blocks: &'a [Block], header: Header, indices: &mut Result<(), ModelError>) -> Self {
        let own = usize::try_from(header.blocks).ok().and_then(|count| blocks.get(..count));
        let blocks = own.unwrap_or(&[]);
        let nodes = header.nodes() as usize;
        let particle_nodes = header.particle_nodes() as usize;
        let reach: &[Reach] = region(blocks, &header, Region::Reach);
        let stretch: &[PairGroup] = region(blocks, &header, Region::Stretch);
        let mut groups = Checked { blocks, header: &header, indices };
        Self {
            blocks,
            header,
            soft: stretch.iter().any(|group| group.compliance.iter().any(|compliance| *compliance > 0.0)),
            particles: region(blocks, &header, Region::Particles),
            extent: derived::extent(region(blocks, &header, Region::Particles)),
            tethered: reach.iter().any(|reach| reach.is_tethered()),
            reach,
            tether_pins: groups.of(Region::TetherPins, particle_nodes),
            tether_lengths: region(blocks, &header, Region::TetherLengths),
            particle_of: region(blocks, &header, Region::ParticleOf),
            source_of: region(blocks, &header, Region::SourceOf),
            stretch_ends: groups.of(Region::StretchEnds, particle_nodes),
            stretch,
            skip_ends: groups.of(Region::SkipEnds, particle_nodes),
            skip: region(blocks, &header, Region::Skip),
            hinge_ends: groups.of(Region::HingeEnds, particle_nodes),
            hinges: region(blocks, &header, Region::Hinges),
            link_starts: region(blocks, &header, Region::LinkStarts),
            link_ends: groups.of(Region::LinkEnds, particle_nodes),
            link_rows: groups.of(Region::LinkRows, header.tensions()),
            link_bend: region(blocks, &header, Region::LinkBend),
            bend_starts: region(blocks, &header, Region::BendStarts),
            bend_ends: groups.of(Region::BendEnds, particle_nodes),
            bend: region(blocks, &header, Region::Bend),
            levels: region(blocks, &header, Region::Levels),
            parents: groups.of(Region::Parents, nodes),
            aggregate_mass: region(blocks, &header, Region::AggregateMass),
            child_starts: region(blocks, &header, Region::ChildStarts),
            children: groups.of(Region::Children, nodes),
            child_shares: region(blocks, &header, Region::ChildShares),
            bound_ends: groups.of(Region::BoundEnds, nodes),
            bounds: region(blocks, &header, Region::Bounds),
            faces: region(blocks, &header, Region::Faces),
            backstops: region(blocks, &header, Region::Backstops),
        }
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

    /// The longest side of the box around the rest pose (m): what sleep measures motion by.
    pub fn extent(&self) -> f32 {
        self.extent
    }

    /// Particles in internal order, shape (particles).
    pub fn particles(&self) -> &'a [Particle] {
        self.particles
    }

    /// How far each particle may go, shape (particles), internal order.
    pub fn reach(&self) -> &'a [Reach] {
        self.reach
    }

    /// The pin that each of eight consecutive particles is tethered to, shape (particle groups); a particle without a tether
    /// has itself.
    pub fn tether_pins(&self) -> Groups<'a, 1> {
        self.tether_pins
    }

    /// Lengths of the tethers (m), shape (particle groups); `+∞` where there is none.
    pub fn tether_lengths(&self) -> &'a [[f32; LANES]] {
        self.tether_lengths
    }

    /// The particle that simulates each source vertex, shape (sources).
    pub fn particle_of(&self) -> &'a [u32] {
        self.particle_of
    }

    /// The first source vertex of each particle, shape (particles).
    pub fn source_of(&self) -> &'a [u32] {
        self.source_of
    }

    /// Ends of the stretch rows, in the order of the sweep, shape (stretch groups).
    pub fn stretch_ends(&self) -> Groups<'a, 2> {
        self.stretch_ends
    }

    /// Stretch rows, in the order of the sweep, shape (stretch groups).
    pub fn stretch_groups(&self) -> &'a [PairGroup] {
        self.stretch
    }

    /// Whether any stretch row is soft.
    pub fn has_soft_rows(&self) -> bool {
        self.soft
    }

    /// Whether any particle has a tether.
    pub fn has_tethers(&self) -> bool {
        self.tethered
    }

    /// Ends of the skip rows, shape (skip groups).
    pub fn skip_ends(&self) -> Groups<'a, 2> {
        self.skip_ends
    }

    /// Skip rows, shape (skip groups).
    pub fn skip_groups(&self) -> &'a [PairGroup] {
        self.skip
    }

    /// Ends of the bend rows that are solved one by one, shape (hinge groups).
    pub fn hinge_ends(&self) -> Groups<'a, 4> {
        self.hinge_ends
    }

    /// The bend rows that are solved one by one, shape (hinge groups).
    pub fn hinge_groups(&self) -> &'a [HingeGroup] {
        self.hinges
    }

    /// First slot of each particle group's neighbours along stretch rows, and one past the last.
    pub fn link_starts(&self) -> &'a [u32] {
        self.link_starts
    }

    /// A neighbour along a stretch row for each of eight consecutive particles, slot by slot; a particle without one has
    /// itself.
    pub fn link_ends(&self) -> Groups<'a, 1> {
        self.link_ends
    }

    /// The row to that neighbour: eight times its group plus its lane; [`Header::no_row`] where there is none.
    pub fn link_rows(&self) -> Groups<'a, 1> {
        self.link_rows
    }

    /// −Σ scale·c_i·c_j over the merged hinges that have both particles (1/m²), slot by slot.
    pub fn link_bend(&self) -> &'a [[f32; LANES]] {
        self.link_bend
    }

    /// First slot of each particle group's neighbours across merged hinges, and one past the last.
    pub fn bend_starts(&self) -> &'a [u32] {
        self.bend_starts
    }

    /// A neighbour across a hinge and not along a row, for each of eight consecutive particles, slot by slot; a
    /// particle without one has itself.
    pub fn bend_ends(&self) -> Groups<'a, 1> {
        self.bend_ends
    }

    /// −Σ scale·c_i·c_j over the merged hinges that have both particles (1/m²), slot by slot.
    pub fn bend(&self) -> &'a [[f32; LANES]] {
        self.bend
    }

    /// Levels of aggregates, the finest first.
    pub fn levels(&self) -> &'a [LevelRange] {
        self.levels
    }

    /// The aggregate of each of eight consecutive nodes, shape (nodes / 8): a node of the next level, or
    /// [`Header::inert`] where there is none. Build-time pins have none.
    pub fn parents(&self) -> Groups<'a, 1> {
        self.parents
    }

    /// Mass of each aggregate (kg), shape (aggregate nodes); 0 for inert nodes.
    pub fn aggregate_mass(&self) -> &'a [f32] {
        self.aggregate_mass
    }

    /// First slot of each aggregate group's children, and one past the last; groups are counted from the first
    /// aggregate node.
    pub fn child_starts(&self) -> &'a [u32] {
        self.child_starts
    }

    /// A child for each of eight consecutive aggregates, slot by slot; [`Header::inert`] where there is none.
    pub fn children(&self) -> Groups<'a, 1> {
        self.children
    }

    /// The child's share of its aggregate's mass (1), slot by slot; 0 where there is none.
    pub fn child_shares(&self) -> &'a [[f32; LANES]] {
        self.child_shares
    }

    /// Ends of the bounds between aggregates, or a pin and an aggregate, level by level, shape (bound groups).
    pub fn bound_ends(&self) -> Groups<'a, 2> {
        self.bound_ends
    }

    /// Bounds between aggregates, level by level, shape (bound groups).
    pub fn bound_groups(&self) -> &'a [BoundGroup] {
        self.bounds
    }

    /// Triangles or links, by particles: what colliders meet between particles.
    pub fn faces(&self) -> &'a [Face] {
        self.faces
    }

    /// Whether it is a surface of triangles; else it is one of chains.
    pub fn is_surface(&self) -> bool {
        self.faces.first().is_some_and(|face| face.count == 3)
    }

    /// Each particle's backstop; empty where the cloth has none.
    pub fn backstops(&self) -> &'a [Backstop] {
        self.backstops
    }

    /// Most colliders that a step considers at a time.
    pub fn collider_capacity(&self) -> u32 {
        self.header.colliders
    }

    /// Longest stretch row that does not join two pins, of none the longest of all (m); 0 without rows.
    pub fn longest_row(&self) -> f32 {
        self.header.longest_row
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

/// Reads regions of indices, and remembers the first that lead outside their table.
struct Checked<'a, 'r> {
    blocks: &'a [Block],
    header: &'r Header,
    indices: &'r mut Result<(), ModelError>,
}

impl<'a> Checked<'a, '_> {
    /// The indices of a region into a table of `length` entries; none where one is not below it.
    fn of<const N: usize>(&mut self, region: Region, length: usize) -> Groups<'a, N>
    where
        Ends<N>: AnyBitPattern,
    {
        let ends: &[Ends<N>] = self::region(self.blocks, self.header, region);
        Groups::new(ends, length).unwrap_or_else(|| {
            if self.indices.is_ok() {
                let index = validate::first_outside(ends, length);
                *self.indices = Err(ModelError::Item { region: region.name(), index });
            }
            Groups::default()
        })
    }
}

/// The items of a region; none where the blocks end before it, which a checked header excludes.
// Not inlined: 26 regions are looked up once a model.
#[inline(never)]
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
