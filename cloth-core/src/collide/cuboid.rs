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
