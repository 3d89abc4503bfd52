//! The nearest point of a triangle, and which part of the triangle it is on.
//!
//! Source: Ericson, *Real-Time Collision Detection* (2005), §5.1.5.

use crate::Vec3;
use crate::math::real;

/// A part of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Its inside.
    Face,
    /// The edge from corner k to corner k + 1.
    Edge(u32),
    /// Corner k.
    Corner(u32),
}

/// The nearest point of the triangle as weights of its corners, and where on the triangle it is. The corners may lie on a
/// line.
#[inline(always)]
pub(crate) fn weights(p: Vec3, [a, b, c]: [Vec3; 3]) -> (Vec3, Part) {
    let (ab, ac) = (b - a, c - a);
    let (ap, bp, cp) = (p - a, p - b, p - c);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return (Vec3::X, Part::Corner(0));
    }
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return (Vec3::Y, Part::Corner(1));
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let v = share(d1, d1 - d3);
        return (Vec3::new(1.0 - v, v, 0.0), Part::Edge(0));
    }
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return (Vec3::Z, Part::Corner(2));
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let w = share(d2, d2 - d6);
        return (Vec3::new(1.0 - w, 0.0, w), Part::Edge(2));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let w = share(d4 - d3, (d4 - d3) + (d5 - d6));
        return (Vec3::new(0.0, 1.0 - w, w), Part::Edge(1));
    }
    let whole = va + vb + vc;
    let (v, w) = (share(vb, whole), share(vc, whole));
    (Vec3::new(1.0 - v - w, v, w), Part::Face)
}

/// The nearest point of the triangle, less `p`, and where on the triangle it is. Computed relative to `p`, so that near
/// distances keep their digits far from the origin.
// Not inlined: seven shapes of queries ask for it, and a kilobyte each is a tenth of the library.
#[inline(never)]
pub(super) fn nearest(p: Vec3, [a, b, c]: [Vec3; 3]) -> (Vec3, Part) {
    let (weights, part) = weights(p, [a, b, c]);
    let point = match part {
        Part::Corner(0) => a - p,
        Part::Corner(1) => b - p,
        Part::Corner(_) => c - p,
        Part::Edge(1) => (c - b) * weights.z - (p - b),
        Part::Edge(_) | Part::Face => (b - a) * weights.y + (c - a) * weights.z - (p - a),
    };
    (point, part)
}

/// part/whole within [0, 1]; 0 where there is no whole.
#[inline(always)]
fn share(part: f32, whole: f32) -> f32 {
    if whole > 0.0 { real::clamp(part / whole, 0.0, 1.0) } else { 0.0 }
}

/// The nearest point of the segment from `a` to `b`, less `p`: on the edge, or at one of its corners 0 and 1.
#[inline(always)]
pub(super) fn nearest_of_segment(p: Vec3, a: Vec3, b: Vec3) -> (Vec3, Part) {
    let (ab, ap) = (b - a, p - a);
    let (along, whole) = (ab.dot(ap), ab.dot(ab));
    if along <= 0.0 {
        (-ap, Part::Corner(0))
    } else if along >= whole {
        (b - p, Part::Corner(1))
    } else {
        (ab * (along / whole) - ap, Part::Edge(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNERS: [Vec3; 3] = [Vec3::ZERO, Vec3::X, Vec3::Z];

    #[test]
    fn every_part_is_found() {
        for (p, nearest_point, part) in [
            ([0.25, 1.0, 0.25], [0.25, 0.0, 0.25], Part::Face),
            ([0.5, 1.0, -1.0], [0.5, 0.0, 0.0], Part::Edge(0)),
            ([1.0, 1.0, 1.0], [0.5, 0.0, 0.5], Part::Edge(1)),
            ([-1.0, 1.0, 0.5], [0.0, 0.0, 0.5], Part::Edge(2)),
            ([-1.0, 1.0, -1.0], [0.0, 0.0, 0.0], Part::Corner(0)),
            ([2.0, 0.0, 0.0], [1.0, 0.0, 0.0], Part::Corner(1)),
            ([0.0, -1.0, 3.0], [0.0, 0.0, 1.0], Part::Corner(2)),
        ] {
            let p = Vec3::from_array(p);
            let (way, found) = nearest(p, CORNERS);
            assert_eq!((p + way, found), (Vec3::from_array(nearest_point), part), "{p}");
        }
    }

    #[test]
    fn a_segment_without_length_is_a_point() {
        let corner = (Vec3::X - Vec3::Y, Part::Corner(0));
        assert_eq!(nearest_of_segment(Vec3::Y, Vec3::X, Vec3::X), corner);
        assert_eq!(nearest_of_segment(Vec3::Y, Vec3::X, Vec3::X * 3.0), corner);
        assert_eq!(nearest_of_segment(Vec3::Y, -Vec3::X, Vec3::X), (-Vec3::Y, Part::Edge(0)));
    }
}
