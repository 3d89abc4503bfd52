//! The records a model is made of. Every field is one 4-byte word, so a file's byte order is undone word by
//! word without knowing the record.

use bytemuck::{Pod, Zeroable};

/// "No particle": the pin of a particle that no pin can be reached from.
pub const NONE: u32 = u32::MAX;

/// The unit of memory of models and states: 16 bytes on a 16-byte boundary.
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

/// How far a particle may go: the solver's step cap, and the pin it is tethered to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Reach {
    /// The shortest row that touches the particle (m), `+∞` without rows: the cap of one vertex update.
    pub shortest_row: f32,
    /// The nearest build-time pin along the rows, or [`NONE`].
    pub pin: u32,
    /// Length of the shortest path along the rows to that pin (m); 0 on a pin itself.
    pub geodesic: f32,
    /// [`Reach::PIN`] and [`Reach::TETHER`].
    pub flags: u32,
}

impl Reach {
    /// The particle was pinned at build time.
    pub const PIN: u32 = 1;
    /// A tether row to `pin` was built.
    pub const TETHER: u32 = 2;

    /// Whether the particle was pinned at build time.
    #[inline(always)]
    pub fn is_pin(self) -> bool {
        self.flags & Self::PIN != 0
    }

    /// Whether the particle has a tether row.
    #[inline(always)]
    pub fn is_tethered(self) -> bool {
        self.flags & Self::TETHER != 0
    }
}

/// A stretch row: C = ‖x_a − x_b‖ − rest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct StretchRow {
    /// First particle, `a < b`.
    pub a: u32,
    /// Second particle.
    pub b: u32,
    /// Rest length (m).
    pub rest: f32,
    /// Stiffness (N/m); `+∞` makes the row hard.
    pub stiffness: f32,
}

/// A skip row of a chain, from a particle to its grandparent: C = ‖x_a − x_b‖ − rest, always soft.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct SkipRow {
    /// First particle, `a < b`.
    pub a: u32,
    /// Second particle.
    pub b: u32,
    /// Rest length (m).
    pub rest: f32,
    /// Explicit padding, zero.
    pub pad: u32,
}

/// A bend row over the hinge of two triangles (see [`crate::row::bend`]).
///
/// `p[0]`, `p[1]` are the ends of the shared edge; `p[2]`, `p[3]` the vertices opposite to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct HingeRow {
    /// The four particles; seen along the edge from `p[0]` to `p[1]`, `p[2]` is on the left of its triangle.
    pub p: [u32; 4],
    /// Stencil coefficients (1/m·m = 1): K·x = Σ c_i x_i is the hinge's integrated curvature vector (m).
    pub c: [f32; 4],
    /// 3/(A₀ + A₁) (1/m²).
    pub scale: f32,
    /// Signed rest value of ‖K·x‖ (m); 0 for a flat rest shape.
    pub rest: f32,
    /// 1/(scale·Σ c_i²/m_i) (kg·m²): bend stiffness times h² stays below eight of these.
    pub inertia: f32,
    /// Explicit padding, zero.
    pub pad: u32,
}

/// One incidence of a two-particle row on the particle whose run it stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct PairSlot {
    /// The particle at the other end.
    pub other: u32,
    /// The row.
    pub row: u32,
}

/// One incidence of a hinge on the particle whose run it stands in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct HingeSlot {
    /// The hinge.
    pub row: u32,
    /// Which of its four particles this is.
    pub corner: u32,
}
