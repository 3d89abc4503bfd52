//! Sphere: φ(x) = ‖x‖ − r, ∇φ = x/‖x‖; +Y at the centre, which all directions lead out of alike.

use super::Surface;
use crate::Vec3;
use crate::math::vector;

/// Distance to and direction from a ball of `radius` about the origin.
#[inline(always)]
pub(super) fn surface(point: Vec3, radius: f32) -> Surface {
    Surface::smooth(vector::length(point) - radius, vector::unit_or(point, Vec3::Y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outside_inside_and_centre() {
        assert_eq!(surface(Vec3::new(0.0, 0.0, -3.0), 1.0), Surface::smooth(2.0, Vec3::NEG_Z));
        assert_eq!(surface(Vec3::new(0.5, 0.0, 0.0), 1.0), Surface::smooth(-0.5, Vec3::X));
        assert_eq!(surface(Vec3::ZERO, 1.0), Surface::smooth(-1.0, Vec3::Y));
    }
}
