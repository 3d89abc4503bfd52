//! Backstop: C = ‖x − c‖ − r ≥ 0 with c = target − n·(distance + r), hard, without friction; a plane for r = ∞.
//!
//! n is the unit normal of the target's surface, so a particle may go as far as `distance` behind its target and no
//! further: a sphere or plane stands behind each target as a body that nobody has to model.

use crate::Vec3;
use crate::collide::Surface;
use crate::math::vector;
use crate::model::record::Backstop;

/// How far `point` is in front of the backstop behind `target` (m), and the way out of it.
#[inline]
pub fn surface(backstop: &Backstop, target: Vec3, normal: Vec3, point: Vec3) -> Surface {
    if backstop.radius < f32::INFINITY {
        let centre = target - normal * (backstop.distance + backstop.radius);
        let out = point - centre;
        let distance = vector::length(out) - backstop.radius;
        Surface { distance, normal: vector::unit_or(out, normal), feature: 0 }
    } else {
        Surface { distance: normal.dot(point - target) + backstop.distance, normal, feature: 0 }
    }
}
