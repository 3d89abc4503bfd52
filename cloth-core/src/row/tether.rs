//! Tether: C = ‖x − pin‖ − d, range [0, ∞), hard; d is the geodesic distance along the rows to the nearest
//! build-time pin. No particle of cloth that does not stretch can be further away, so the row is redundant
//! for a converged sweep and carries the pin's hold to the hem at once for one that is not (Kim, Chentanez
//! and Müller, *Long Range Attachments*, 2012). It acts while its pin is held.

use crate::model::record::Reach;

/// Length of a particle's tether (m), if it has one.
#[inline(always)]
pub fn length(reach: Reach) -> Option<f32> {
    reach.is_tethered().then_some(reach.geodesic)
}
