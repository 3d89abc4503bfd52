//! The two laws that most rows share: distance and curvature.
//!
//! They are core's at the time of the record, kept here so that the oracle owes nothing to how a product's rows are
//! laid out; see `cloth_core::row` for derivations.

use super::net::Hinge;
use cloth_core::Vec3;
use cloth_core::math::{real, sqrt};

/// Square of the smallest length a direction is formed from (m²). Below it the direction fades to zero with
/// the length; it is far from the smallest `f32`, so that nothing under it becomes 0·∞.
const MIN_SQUARE: f32 = 1.0e-24;

/// The segment from one point to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Span {
    /// Its length L (m).
    pub length: f32,
    /// 1/L (1/m): the curvature of L across the segment.
    pub inverse: f32,
    /// Gradient of L at the far end: the unit vector from `from` to `to` (1). Zero for coincident points.
    pub direction: Vec3,
}

/// The span from `from` to `to`.
pub(super) fn span(from: Vec3, to: Vec3) -> Span {
    let d = to - from;
    let square = real::max(d.x * d.x + d.y * d.y + d.z * d.z, MIN_SQUARE);
    let length = sqrt(square);
    let inverse = 1.0 / length;
    Span { length, inverse, direction: d * inverse }
}

/// Length beyond which a strain-limit row pulls (m).
pub(super) fn strain_limit(rest: f32, allowance: f32) -> f32 {
    rest + rest * allowance
}

/// Length of a slack leash (m): twice the slack's share of the way to the pin.
pub(super) fn leash_radius(slack: f32, geodesic: f32) -> f32 {
    2.0 * slack * geodesic
}

/// Below this share of its rest value a curvature vector is too short to trust its direction, and the hinge's
/// normal is taken.
const MIN_SHARE: f32 = 1.0e-3;

/// A hinge's resistance along its direction, per unit of B·scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Curvature {
    /// (s − rest)·d (m), s being the length of K·x = Σ c_i x_i with the sign of its side and d = K·x/s: the force on
    /// particle i is −B·scale·c_i times this.
    pub excess: Vec3,
    /// An upper bound of the derivative of `excess` by K·x (1).
    pub bound: f32,
}

/// The law of a hinge at positions `x`.
pub(crate) fn curvature(hinge: &Hinge, x: &[Vec3; 4]) -> Curvature {
    let [c0, c1, c2, c3] = hinge.c;
    let [x0, x1, x2, x3] = *x;
    let vector = (x0 * c0 + x1 * c1) + (x2 * c2 + x3 * c3);
    // A flat hinge never forms s or d.
    if real::abs(hinge.rest) <= 0.0 {
        return Curvature { excess: vector, bound: 1.0 };
    }
    let edge = x1 - x0;
    let normal = edge.cross(x2 - x0) + (x3 - x0).cross(edge);
    let length = sqrt(vector.dot(vector));
    if length > MIN_SHARE * real::abs(hinge.rest) {
        let signed = if vector.dot(normal) < 0.0 { -length } else { length };
        // (s − rest)·d = K·x·(1 − rest/s): both carry the sign, so it cancels out of d. Across d the derivative
        // is 1 − rest/s, along it 1.
        let across = 1.0 - hinge.rest / signed;
        return Curvature { excess: vector * across, bound: real::max(across, 1.0) };
    }
    let area = sqrt(normal.dot(normal));
    let pull = if area > 0.0 { normal * (hinge.rest / area) } else { Vec3::ZERO };
    Curvature { excess: vector - pull, bound: 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coincident_points_have_no_direction_and_nothing_infinite() {
        let here = span(Vec3::ONE, Vec3::ONE);
        assert!(here.direction == Vec3::ZERO && here.inverse.is_finite() && here.length > 0.0);
        for rest in [0.0, 0.3, -0.3] {
            let hinge = Hinge { p: [0, 1, 2, 3], c: [2.0, 0.0, -1.0, -1.0], scale: 1.0, rest, inertia: 1.0 };
            let here = curvature(&hinge, &[Vec3::ONE; 4]);
            assert!(here.excess.is_finite() && here.bound.is_finite());
        }
    }
}
