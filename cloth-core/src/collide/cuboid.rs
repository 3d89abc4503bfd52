//! Box: with q = |x| − (hx, hy, hz) by component, φ = ‖max(q, 0)‖ outside and max(q) inside.
//!
//! ∇φ is max(q, 0)/‖max(q, 0)‖ with the signs of x outside, and the nearest face's normal inside: where faces are equally
//! near, of X before Y before Z, and of a pair that on the positive side.
//!
//! Features: x + 3y + 9z, each 0 where the coordinate is within the box, 1 below it and 2 above it. Inside it is the nearest
//! face's.

use super::Surface;
use super::bounds::sizes;
use crate::Vec3;
use crate::math::{real, vector};

/// Distance to and direction from a box that reaches to ±`half`.
#[inline(always)]
pub(super) fn surface(point: Vec3, half: Vec3) -> Surface {
    let q = (sizes(point) - half).to_array();
    let sides = point.to_array();
    let nearest = if q[0] >= q[1] && q[0] >= q[2] {
        0
    } else if q[1] >= q[2] {
        1
    } else {
        2
    };
    let mut over = [0.0; 3];
    let mut face = [0.0; 3];
    let mut feature = 0;
    let mut weight = 1;
    let mut deepest = 0.0;
    for (i, ((q, x), (over, face))) in
        q.into_iter().zip(sides).zip(over.iter_mut().zip(&mut face)).enumerate()
    {
        let sign = if x < 0.0 { -1.0 } else { 1.0 };
        let is_nearest = i == nearest;
        if is_nearest {
            *face = sign;
            deepest = q;
        }
        if q > 0.0 || is_nearest {
            feature += weight * if x < 0.0 { 1 } else { 2 };
        }
        *over = real::max(q, 0.0) * sign;
        weight *= 3;
    }
    let face = Vec3::from_array(face);
    if deepest <= 0.0 {
        return Surface { distance: deepest, normal: face, feature };
    }
    let over = Vec3::from_array(over);
    Surface { distance: vector::length(over), normal: vector::unit_or(over, face), feature }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: Vec3 = Vec3::new(1.0, 2.0, 3.0);

    fn at(x: f32, y: f32, z: f32) -> (f32, Vec3, u32) {
        let found = surface(Vec3::new(x, y, z), HALF);
        (found.distance, found.normal, found.feature)
    }

    #[test]
    fn face_edge_and_corner() {
        assert_eq!(at(0.5, 4.0, 0.0), (2.0, Vec3::Y, 2 * 3));
        assert_eq!(at(4.0, 6.0, 0.0), (5.0, Vec3::new(0.6, 0.8, 0.0), 2 + 2 * 3));
        let (distance, normal, feature) = at(-2.0, -4.0, 5.0);
        assert_eq!((distance, feature), (3.0, 1 + 3 + 2 * 9));
        assert!((normal - Vec3::new(-1.0, -2.0, 2.0) / 3.0).length() < 1e-7);
    }

    #[test]
    fn inside_the_nearest_face_in_the_order_of_the_axes() {
        assert_eq!(at(0.0, 0.0, 0.0), (-1.0, Vec3::X, 2));
        assert_eq!(at(-0.5, 1.75, 0.0), (-0.25, Vec3::Y, 2 * 3));
        assert_eq!(at(-0.5, 1.5, 2.5), (-0.5, Vec3::NEG_X, 1), "all three are as near");
        assert_eq!(at(1.0, 2.0, 3.0), (0.0, Vec3::X, 2), "the corner itself");
    }

    #[test]
    fn a_hair_outside_a_corner_there_is_still_a_direction() {
        // Squares of what is outside underflow.
        let found = surface(Vec3::new(1e-20, 0.0, 0.0), Vec3::new(0.0, 0.0, 0.0));
        assert_eq!(found.normal, Vec3::X);
    }
}
