//! Plane: φ(x) = y, ∇φ = +Y. All below is inside.

use super::Surface;
use crate::Vec3;

/// Distance to and direction from the half space below Y = 0.
#[inline(always)]
pub(super) fn surface(point: Vec3) -> Surface {
    Surface::smooth(point.y, Vec3::Y)
}
