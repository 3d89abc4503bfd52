//! Cylinder: with q = (ρ − r, |y| − h) in the half plane through the axis, φ = ‖max(q, 0)‖ outside and max(q) inside.
//!
//! Inside, the wall's normal is taken only where the wall is nearer than the cap, and of the caps the upper where both are
//! as near. On the axis the direction to the wall is +X.

use super::Surface;
use super::meridian::Meridian;
use crate::Vec3;
use crate::math::real;

const WALL: u32 = 0;
const UPPER_CAP: u32 = 1;
const LOWER_CAP: u32 = 2;
const UPPER_RIM: u32 = 3;
const LOWER_RIM: u32 = 4;

/// Distance to and direction from a cylinder about Y. Features: 0 wall, 1 and 2 upper and lower cap, 3 and 4 their rims.
#[inline(always)]
pub(super) fn surface(point: Vec3, half: f32, radius: f32) -> Surface {
    let m = Meridian::of(point);
    let is_low = m.y < 0.0;
    let sign = if is_low { -1.0 } else { 1.0 };
    let (wall, cap) = (m.rho - radius, real::abs(m.y) - half);
    if wall > 0.0 && cap > 0.0 {
        let (distance, normal) = m.from(radius, half * sign, m.lift(1.0, 0.0));
        let feature = if is_low { LOWER_RIM } else { UPPER_RIM };
        return Surface { distance, normal, feature };
    }
    if wall > cap {
        Surface { distance: wall, normal: m.lift(1.0, 0.0), feature: WALL }
    } else {
        let feature = if is_low { LOWER_CAP } else { UPPER_CAP };
        Surface { distance: cap, normal: Vec3::new(0.0, sign, 0.0), feature }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wall_caps_and_rims() {
        let at = |x: f32, y: f32, z: f32| {
            let found = surface(Vec3::new(x, y, z), 1.0, 2.0);
            (found.distance, found.normal, found.feature)
        };
        assert_eq!(at(0.0, 0.5, -5.0), (3.0, Vec3::NEG_Z, WALL));
        assert_eq!(at(0.5, 4.0, 0.0), (3.0, Vec3::Y, UPPER_CAP));
        assert_eq!(at(0.5, -4.0, 0.0), (3.0, Vec3::NEG_Y, LOWER_CAP));
        let (distance, normal, feature) = at(5.0, -5.0, 0.0);
        assert_eq!((distance, feature), (5.0, LOWER_RIM));
        assert!((normal - Vec3::new(0.6, -0.8, 0.0)).length() < 1e-7);
        assert_eq!(at(0.0, 0.0, 0.0), (-1.0, Vec3::Y, UPPER_CAP), "of two caps as near the upper");
        assert_eq!(at(1.75, 0.0, 0.0), (-0.25, Vec3::X, WALL));
        let long = surface(Vec3::ZERO, 3.0, 2.0);
        assert_eq!((long.distance, long.normal), (-2.0, Vec3::X), "the axis");
    }
}
