//! Lengths, areas and angles of a rest shape, and what counts as none.

use crate::Vec3;
use crate::math::real::{abs, max};
pub(crate) use crate::math::vector::length;

/// Edges up to this are without length whatever the size of the mesh (m): its fourth power is the smallest that
/// is still a normal `f32`, and coefficients of a hinge are divided by such powers.
const SHORTEST: f32 = 1e-9;

/// Triangles flatter than this share of their longest edge have no usable angles: cotangents reach its inverse,
/// and `f32` positions leave a cotangent-weighted sum three digits at 1e4.
const FLATTEST: f32 = 1e-4;

/// Coordinates carry an error of half an ε each; a difference of two within four ε is taken for none.
const ROUNDINGS: f32 = 4.0 * f32::EPSILON;

/// The largest coordinate of a point, without sign (m).
pub(crate) fn extent(p: Vec3) -> f32 {
    max(abs(p.x), max(abs(p.y), abs(p.z)))
}

/// The length up to which an edge of a mesh has none: max(1e-9 m, 4·ε·`reach`), `reach` being the mesh's
/// largest coordinate (m).
pub(crate) fn no_length(reach: f32) -> f32 {
    max(SHORTEST, ROUNDINGS * reach)
}

/// Area vector (m²): as long as the area, and normal to it.
pub(crate) fn area_vector([a, b, c]: [Vec3; 3]) -> Vec3 {
    (b - a).cross(c - a) * 0.5
}

/// Area (m²).
pub(crate) fn area([a, b, c]: [Vec3; 3]) -> f32 {
    0.5 * length((b - a).cross(c - a))
}

/// Whether three points span no triangle: the height over the longest edge is at most 1e-4 of this edge, or
/// within `no_length`.
pub(crate) fn is_flat([a, b, c]: [Vec3; 3], no_length: f32) -> bool {
    let longest = max(length(b - a), max(length(c - b), length(a - c)));
    if longest <= no_length {
        return true;
    }
    // By way of unit-sized vectors, because the squares of a small triangle's area underflow.
    let height = longest * length(((b - a) / longest).cross((c - a) / longest));
    height <= max(FLATTEST * longest, no_length)
}

/// Cotangent of the angle at `corner` towards `a` and `b`: (u·v)/‖u×v‖.
pub(crate) fn cotangent(corner: Vec3, a: Vec3, b: Vec3) -> f32 {
    let (u, v) = (a - corner, b - corner);
    u.dot(v) / length(u.cross(v))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::MAX_LENGTH;

    #[test]
    fn flat_is_relative_to_the_triangle() {
        for size in [1e-6_f32, 1e-3, 1.0, 1e4] {
            let corner = |x: f32, y: f32| Vec3::new(x * size, y * size, 0.0);
            let none = no_length(size);
            assert!(!is_flat([corner(0.0, 0.0), corner(1.0, 0.0), corner(0.5, 1e-2)], none), "{size}");
            assert!(is_flat([corner(0.0, 0.0), corner(1.0, 0.0), corner(0.5, 1e-5)], none), "{size}");
            assert!(is_flat([corner(0.0, 0.0); 3], none), "{size}");
        }
    }

    #[test]
    fn extremes_stay_finite() {
        let (p, q) = (Vec3::splat(MAX_LENGTH), Vec3::splat(-MAX_LENGTH));
        let r = Vec3::new(MAX_LENGTH, -MAX_LENGTH, MAX_LENGTH);
        assert!(area([p, q, r]) < 1e13 && cotangent(p, q, r).is_finite());
        assert!(length(p - q) < 4e6);
    }

    #[test]
    fn cotangents_of_known_angles() {
        let right = cotangent(Vec3::ZERO, Vec3::X, Vec3::Y);
        assert!(right.abs() < 1e-6);
        let half = cotangent(Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0));
        assert!((half - 1.0).abs() < 1e-6);
        let obtuse = cotangent(Vec3::ZERO, Vec3::X, Vec3::new(-1.0, 1.0, 0.0));
        assert!((obtuse + 1.0).abs() < 1e-6);
    }
}
