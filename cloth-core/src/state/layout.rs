//! Where each region of a state lies in its memory.
//!
//! First what a snapshot holds – header, bodies, velocities, targets, row references –, then scratch that
//! every step writes before it reads.

use crate::model::Model;
use crate::model::header::Header;
use crate::model::record::Block;
use bytemuck::{Pod, Zeroable};

/// Farthest a particle may be along an axis (m). What gets further is lost, and the guard brings it back.
pub(crate) const MAX_POSITION: f32 = 1.0e9;
/// Fastest a particle may be, held ones included (m/s). With [`MAX_POSITION`] it keeps energies, momenta and
/// their sums over any cloth far from the largest `f32`.
pub(crate) const MAX_SPEED: f32 = 1.0e9;
/// Largest magnitude of a reference length (m); no step comes near it.
pub(crate) const MAX_REFERENCE: f32 = 1.0e30;
/// `StateHeader::allowance` while strain-limit rows are off: no dial reaches it.
pub(crate) const NO_STRAIN_LIMIT: f32 = 1.0;

/// "CLST" read as a little-endian word.
pub(crate) const MAGIC: u32 = u32::from_le_bytes(*b"CLST");
/// Version of the layout of states and snapshots.
pub(crate) const VERSION: u32 = 1;

/// The first blocks of a state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct StateHeader {
    pub magic: u32,
    pub byte_order: u32,
    pub version: u32,
    /// The model's fingerprint, low and high word.
    pub model: [u32; 2],
    /// Steps since seeding, low and high word.
    pub steps: [u32; 2],
    /// 1 once a substep has left a mean velocity behind.
    pub has_mean: u32,
    /// Mass-weighted mean velocity of the free particles after the last substep (m/s).
    pub mean_velocity: [f32; 3],
    /// `ClothDynamics::slack` the leash references belong to.
    pub slack: f32,
    /// Strain allowance the strain-limit references belong to, or [`NO_STRAIN_LIMIT`].
    pub allowance: f32,
    /// Zero.
    pub reserved: [u32; 3],
}

/// A particle as a step reads it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Body {
    /// Position, cloth-local (m).
    pub position: [f32; 3],
    /// Inverse mass (1/kg); 0 while the particle is held.
    pub inv_mass: f32,
}

/// A vector in 16 bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Padded {
    pub value: [f32; 3],
    /// Zero, except in the inertial targets (see `step::guard`).
    pub mark: u32,
}

/// Blocks of four-byte items, rounded up.
const fn words(count: u32) -> usize {
    (count as usize).div_ceil(4)
}

/// Blocks of the header.
pub(crate) const HEADER_BLOCKS: usize = size_of::<StateHeader>() / size_of::<Block>();

/// Blocks of a region, in the order of memory: persistent ones first.
pub(crate) struct Sizes {
    /// One block a particle: bodies, velocities, targets, and each scratch region.
    pub particles: usize,
    /// References of stretch rows, and of strain-limit rows.
    pub stretch: usize,
    /// References of tether rows, and of slack leashes.
    pub leashes: usize,
}

/// Region sizes for a model.
pub(crate) fn sizes(model: &Header) -> Sizes {
    Sizes {
        particles: model.particles as usize,
        stretch: words(model.stretch),
        leashes: words(model.particles),
    }
}

// Here and not with the model, which lies below and knows no state.
impl Model<'_> {
    /// Blocks of memory that [`crate::State::snapshot`] fills.
    pub fn snapshot_blocks(&self) -> usize {
        let sizes = sizes(self.header());
        HEADER_BLOCKS + 3 * sizes.particles + 2 * sizes.stretch + 2 * sizes.leashes
    }

    /// Blocks of memory that [`crate::State::seed`] needs: a snapshot's and three scratch regions.
    pub fn state_blocks(&self) -> usize {
        self.snapshot_blocks() + 3 * sizes(self.header()).particles
    }
}
