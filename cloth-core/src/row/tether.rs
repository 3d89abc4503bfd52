//! Tether: C = ‖x − pin‖ − d, range [0, ∞), hard; d is the geodesic distance along the rows to the nearest
//! build-time pin. No particle of cloth that does not stretch can be further away, so the row is redundant
//! for a converged sweep and carries the pin's hold to the hem at once for one that is not (Kim, Chentanez
//! and Müller, *Long Range Attachments*, 2012). It acts while its pin is held.

use bytemuck::{Pod, Zeroable};

/// What a particle is tied to: its shortest row, and the pin it is tethered to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Reach {
    /// The shortest row that touches the particle (m), `+∞` without rows.
    pub shortest_row: f32,
    /// The nearest build-time pin along the rows, or [`NONE`](crate::NONE).
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
