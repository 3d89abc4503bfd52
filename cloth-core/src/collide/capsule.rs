//! Capsule: φ(x) = ‖x − c‖ − r, c the nearest point of the segment from (0, −h, 0) to (0, h, 0); ∇φ = (x − c)/‖x − c‖.
//!
//! On the segment itself all directions across it lead out alike: +X is taken.

use super::Surface;
use crate::Vec3;
use crate::math::{real, vector};

/// Distance to and direction from all within `radius` of a segment along Y that reaches to `half`.
#[inline(always)]
pub(super) fn surface(point: Vec3, half: f32, radius: f32) -> Surface {
    let v = point - Vec3::new(0.0, real::clamp(point.y, -half, half), 0.0);
    Surface::smooth(vector::length(v) - radius, vector::unit_or(v, Vec3::X))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn side_ends_and_axis() {
        assert_eq!(surface(Vec3::new(0.0, 0.3, 2.0), 0.5, 0.25), Surface::smooth(1.75, Vec3::Z));
        assert_eq!(surface(Vec3::new(0.0, -1.5, 0.0), 0.5, 0.25), Surface::smooth(0.75, Vec3::NEG_Y));
        assert_eq!(surface(Vec3::new(0.0, 0.5, 0.0), 0.5, 0.25), Surface::smooth(-0.25, Vec3::X));
        assert_eq!(surface(Vec3::ZERO, 0.5, 0.25), Surface::smooth(-0.25, Vec3::X));
    }
}
