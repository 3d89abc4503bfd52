//! The records a model is made of. Every field is one 4-byte word, so a file's byte order is undone word by
//! word without knowing the records.
//!
//! Rows lie in groups of [`LANES`] whose members share no particle, each field an array over the group, so that one
//! vector operation works on a whole group. A group that is not full has **inert** lanes: all their particles are
//! the first node past the last particle, which has no inverse mass and no neighbour.

use bytemuck::{Pod, Zeroable};

/// Rows, particles or aggregates in a group: one eight-wide vector, two four-wide ones.
pub const LANES: usize = 8;

/// The unit of a model's and a state's memory: 16 aligned bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, align(16))]
pub struct Block(pub [u32; 4]);

/// A particle as it was built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Particle {
    /// Rest position, cloth-local (m).
    pub rest: [f32; 3],
    /// Mass (kg); pins have one too, so that they can be let go.
    pub mass: f32,
}

/// The particles, or other nodes, of eight rows of N each, as places: [`PLACE`](crate::simd::PLACE) times their indices.
/// Index first by end, then by lane.
pub type Ends<const N: usize> = [[u32; LANES]; N];

/// Eight rows between two particles each, apart from their [`Ends`]: stretch rows or skip rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct PairGroup {
    /// Rest lengths (m); 1 in inert lanes.
    pub rest: [f32; LANES],
    /// 1/rest (1/m).
    pub inverse_rest: [f32; LANES],
    /// 1/stiffness (m/N); 0 makes a row hard. Zero in skip rows, whose stiffness is the fabric's.
    pub compliance: [f32; LANES],
    /// Effective inertia 1/(1/m_a + 1/m_b) of the two particles as they were built (kg); 0 in inert lanes.
    pub inertia: [f32; LANES],
}

/// Eight bounds on the distance of two aggregates each, apart from their [`Ends`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct BoundGroup {
    /// Largest distance of the centroids (m); 1 in inert lanes.
    pub rest: [f32; LANES],
    /// 1/rest (1/m).
    pub inverse_rest: [f32; LANES],
}

/// Eight hinges that are solved one by one (see [`crate::row::bend`]), apart from their [`Ends`]: those of the
/// shared edge, then the corners opposite.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct HingeGroup {
    /// Stencil coefficients (1); 0 in inert lanes.
    pub c: [[f32; LANES]; 4],
    /// 1/(A₀ + A₁) (1/m²); 0 in inert lanes.
    pub scale: [f32; LANES],
    /// Signed rest value of ‖K·x‖ (m).
    pub rest: [f32; LANES],
}

/// A triangle of the surface, wound as its sheet is, or a link of a chain: what colliders meet between particles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Face {
    /// Its particles; the third of a link is its second again.
    pub corners: [u32; 3],
    /// How many of them are different: 3, or 2 of a link.
    pub count: u32,
}

/// How far behind its target a particle may go (see [`crate::contact::backstop`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Backstop {
    /// From the target against its normal to the surface it may not enter (m).
    pub distance: f32,
    /// Radius of the sphere behind that surface's nearest point (m); `+∞` for a plane, 0 for no backstop.
    pub radius: f32,
}

/// Most levels of aggregates: eight halvings of a chain, sixteen of a mesh.
pub const MAX_LEVELS: usize = 8;

/// What one level of aggregates has: its nodes and its bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct LevelRange {
    /// Its first node, a multiple of [`LANES`].
    pub first: u32,
    /// Its aggregates.
    pub count: u32,
    /// Its first group of bounds.
    pub bounds: u32,
    /// One past its last group of bounds.
    pub bounds_end: u32,
}
