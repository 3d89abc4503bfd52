//! Slack leash: C = ‖x − target‖ − 2·slack·d, range [0, ∞), hard; d is the geodesic distance to the pin.
//!
//! The tether keeps a particle within d of its pin, and so does the authored pose keep its target; two such
//! points are never further apart than 2·d. At slack = 1 the row therefore cannot bind and is not visited.

/// Length of a leash (m).
#[inline(always)]
pub fn radius(slack: f32, geodesic: f32) -> f32 {
    2.0 * slack * geodesic
}
