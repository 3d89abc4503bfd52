//! Slack leash: C = ‖x − target‖ − 2·slack·d, range [0, ∞), hard; d is the geodesic distance to the pin.
//!
//! The tether keeps a particle within d of its pin, and so does the authored pose keep its target; two such
//! points are never further apart than 2·d. At slack = 1 the row therefore cannot bind and is not visited.

use crate::math::real;
use crate::row::distance;

/// Dual update: that of a row that pulls, with a multiplier of at most k times the leash's own length, so that
/// the reference is never negative. Near its centre the direction of a leash means nothing: a larger
/// multiplier would throw the particle across it, and a leash of no length would swing for ever.
#[inline(always)]
pub fn dual(reference: f32, length: f32, radius: f32) -> f32 {
    real::max(distance::dual_pull(reference, length, radius), 0.0)
}

/// Length of a leash (m).
#[inline(always)]
pub fn radius(slack: f32, geodesic: f32) -> f32 {
    2.0 * slack * geodesic
}
