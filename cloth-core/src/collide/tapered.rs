//! Tapered capsule: the hull of a ball of radius r₁ about (0, −h, 0) and one of radius r₂ about (0, h, 0).
//!
//! In the half plane (ρ, y) through the axis the surface is two arcs and the segment that touches both. With
//! b = (r₁ − r₂)/2h and a = √(1 − b²) the segment's outward normal is (a, b), and where k = (ρ, y + h)·(−b, a) lies
//! within [0, 2h·a] the nearest point is on it: φ = (ρ, y + h)·(a, b) − r₁. Below and above it is φ = ‖x − c‖ − r of the
//! ball on that side. Inside the law is the same, and exact too. A ball that lies in the other is not seen.
//!
//! On the axis, between the arcs, every direction (a, b) about it leads out alike: that towards +X is taken. At the centre of
//! a ball that holds the other it is +Y.
//!
//! Source: Quilez, *Distance functions* (round cone), 2018.

use super::meridian::Meridian;
use super::{Surface, sphere};
use crate::Vec3;
use crate::math::sqrt;

/// Distance to and direction from the hull of two balls on Y, `half` below and above the origin.
#[inline(always)]
pub(super) fn surface(point: Vec3, half: f32, lower: f32, upper: f32) -> Surface {
    let length = 2.0 * half;
    let below = |radius| sphere::surface(point + Vec3::new(0.0, half, 0.0), radius);
    let above = |radius| sphere::surface(point - Vec3::new(0.0, half, 0.0), radius);
    let step = lower - upper;
    if step >= length {
        return below(lower);
    }
    if -step >= length {
        return above(upper);
    }
    let b = step / length;
    let a = sqrt((1.0 - b) * (1.0 + b));
    let m = Meridian::of(point);
    // Each ball's side is asked of the same differences its direction is made of: next to a centre those are rounding, and
    // a direction into the solid would be the answer where the two disagree.
    let (over_lower, over_upper) = (m.y + half, m.y - half);
    if over_lower * a - m.rho * b < 0.0 {
        below(lower)
    } else if over_upper * a - m.rho * b > 0.0 {
        above(upper)
    } else {
        Surface::smooth(m.rho * a + over_lower * b - lower, m.lift(a, b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balls_of_one_radius_are_a_capsule() {
        for x in [Vec3::new(0.3, 0.2, -0.4), Vec3::new(0.0, 2.0, 0.1), Vec3::new(-0.01, -0.9, 0.0)] {
            let (tapered, capsule) = (surface(x, 0.5, 0.2, 0.2), super::super::capsule::surface(x, 0.5, 0.2));
            assert!((tapered.distance - capsule.distance).abs() < 1e-6, "{x}");
            assert!((tapered.normal - capsule.normal).length() < 1e-6, "{x}");
        }
    }

    #[test]
    fn a_ball_within_the_other_is_not_seen() {
        // Sums that single precision holds exactly.
        let x = Vec3::new(0.0, 1.0, 0.0);
        assert_eq!(surface(x, 0.125, 0.5, 0.25), Surface::smooth(0.625, Vec3::Y));
        assert_eq!(surface(-x, 0.125, 0.25, 0.5), Surface::smooth(0.625, Vec3::NEG_Y));
        assert_eq!(surface(Vec3::new(0.0, -0.125, 0.0), 0.125, 0.5, 0.25).normal, Vec3::Y, "its centre");
    }
}
