//! Sphere: φ(x) = ‖x‖ − r, ∇φ = x/‖x‖; +Y at the centre, which all directions lead out of alike.

use super::Surface;
use crate::Vec3;
use crate::math::vector;

/// Distance to and direction from a ball of `radius` about the origin.
#[inline(always)]
pub(super) fn surface(point: Vec3, radius: f32) -> Surface {
    Surface::smooth(vector::length(point) - radius, vector::unit_or(point, Vec3::Y))
}
