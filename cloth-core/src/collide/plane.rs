//! Plane: φ(x) = y, ∇φ = +Y. All below is inside.

use super::Surface;
use crate::Vec3;

/// Distance to and direction from the half space below Y = 0.
#[inline(always)]
pub(super) fn surface(point: Vec3) -> Surface {
    Surface::smooth(point.y, Vec3::Y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn height_is_the_distance() {
        assert_eq!(surface(Vec3::new(7.0, -2.0, 1e6)), Surface::smooth(-2.0, Vec3::Y));
    }
}
