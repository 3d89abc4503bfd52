//! Where a triangle is nearest to a segment.
//!
//! Sources: Ericson, *Real-Time Collision Detection* (2005), §3.4 for barycentric coordinates, §5.1.9 for two segments.

use super::{Collider, Kind};
use crate::Vec3;
use crate::math::{Pose, real};

impl Collider {
    /// The segment that is swept by a ball to make a capsule, where it stands at `pose`. `None` for other shapes.
    pub(crate) fn axis(&self, pose: &Pose) -> Option<[Vec3; 2]> {
        let half = self.sizes[0] * self.scale;
        (Kind::of(self.kind) == Some(Kind::Capsule))
            .then(|| [-half, half].map(|end| pose.apply(Vec3::Y * end)))
    }
}

/// A point of a segment and the point of a triangle that is level with it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Level {
    /// The segment's point (m).
    pub point: Vec3,
    /// Weights of the triangle's corners at its own.
    pub weights: Vec3,
}

/// The ends of the part of a segment whose projection on a triangle's plane is in the triangle; `None` where no part is, and
/// for a triangle without area.
///
/// A segment that lies flat on a triangle touches it along all that part, and what holds both ends of it does not rock.
pub(crate) fn over([from, to]: [Vec3; 2], [a, b, c]: [Vec3; 3]) -> Option<[Level; 2]> {
    let (ab, ac) = (b - a, c - a);
    let (d00, d01, d11) = (ab.dot(ab), ab.dot(ac), ac.dot(ac));
    let area = d00 * d11 - d01 * d01;
    // Thinner than that, the weights have lost their digits.
    if area <= 1.0e-6 * d00 * d11 {
        return None;
    }
    let weights = |p: Vec3| {
        let (d20, d21) = (ab.dot(p - a), ac.dot(p - a));
        let (v, w) = ((d11 * d20 - d01 * d21) / area, (d00 * d21 - d01 * d20) / area);
        Vec3::new(1.0 - v - w, v, w)
    };
    let (begin, end) = (weights(from), weights(to));
    let (mut low, mut high) = (0.0, 1.0);
    for (w, change) in begin.to_array().into_iter().zip((end - begin).to_array()) {
        if change > 0.0 {
            low = real::max(-w / change, low);
        } else if change < 0.0 {
            high = real::min(-w / change, high);
        } else if w < 0.0 {
            return None;
        }
    }
    let level = |t: f32| Level { point: point([from, to], t), weights: clamped(begin + (end - begin) * t) };
    (low <= high).then(|| [level(low), level(high)])
}

/// Weights that rounding took below zero, back on the triangle.
fn clamped(weights: Vec3) -> Vec3 {
    let [u, v, w] = weights.to_array().map(|weight| real::max(weight, 0.0));
    Vec3::new(u, v, w) / (u + v + w)
}

/// Weights of the point of a triangle's edges that is nearest to a segment.
pub(crate) fn beside(segment: [Vec3; 2], [a, b, c]: [Vec3; 3]) -> Vec3 {
    let mut found = (f32::INFINITY, Vec3::X);
    for (edge, weights) in [
        ([a, b], (|t| Vec3::new(1.0 - t, t, 0.0)) as fn(f32) -> Vec3),
        ([b, c], |t| Vec3::new(0.0, 1.0 - t, t)),
        ([c, a], |t| Vec3::new(t, 0.0, 1.0 - t)),
    ] {
        let (s, t) = closest(segment, edge);
        let gap = point(edge, t) - point(segment, s);
        let square = gap.dot(gap);
        if square < found.0 {
            found = (square, weights(t));
        }
    }
    found.1
}

fn point([from, to]: [Vec3; 2], share: f32) -> Vec3 {
    from + (to - from) * share
}

/// Shares of two segments at which they come closest.
fn closest([p, q]: [Vec3; 2], [u, v]: [Vec3; 2]) -> (f32, f32) {
    let (one, other, between) = (q - p, v - u, p - u);
    let (a, e, f) = (one.dot(one), other.dot(other), other.dot(between));
    let (b, c) = (one.dot(other), one.dot(between));
    let share = |part: f32, whole: f32| if whole > 0.0 { real::clamp(part / whole, 0.0, 1.0) } else { 0.0 };
    let whole = a * e - b * b;
    // Parallel ones: the middle of the first will do as well as any other point of it.
    let s = if whole > 1.0e-6 * a * e { share(b * f - c * e, whole) } else { 0.5 };
    let t = share(b * s + f, e);
    (share(b * t - c, a), t)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNERS: [Vec3; 3] = [Vec3::ZERO, Vec3::X, Vec3::Z];

    fn is_near(found: Vec3, expected: [f32; 3]) -> bool {
        (found - Vec3::from_array(expected)).length() < 1e-5
    }

    #[test]
    fn what_lies_over_a_triangle_is_held_where_it_enters_and_leaves() {
        let ends = |segment: [Vec3; 2]| over(segment, CORNERS).expect("it is over it");
        let [enters, leaves] = ends([Vec3::new(-1.0, 0.1, 0.25), Vec3::new(2.0, 0.1, 0.25)]);
        assert!(is_near(enters.weights, [0.75, 0.0, 0.25]) && is_near(leaves.weights, [0.0, 0.75, 0.25]));
        assert!(is_near(enters.point, [0.0, 0.1, 0.25]) && is_near(leaves.point, [0.75, 0.1, 0.25]));
        // One that ends above it is held under its end.
        let [end, leaves] = ends([Vec3::new(0.25, 0.1, 0.25), Vec3::new(2.0, 0.1, 0.25)]);
        assert!(is_near(end.weights, [0.5, 0.25, 0.25]) && is_near(leaves.weights, [0.0, 0.75, 0.25]));
        let upright = ends([Vec3::new(0.25, -1.0, 0.25), Vec3::new(0.25, 1.0, 0.25)]);
        assert!(upright.iter().all(|level| is_near(level.weights, [0.5, 0.25, 0.25])));
    }

    #[test]
    fn what_passes_beside_is_nearest_to_an_edge_or_corner() {
        let across = [Vec3::new(0.3, -1.0, -0.1), Vec3::new(0.3, 1.0, -0.1)];
        assert!(over(across, CORNERS).is_none() && is_near(beside(across, CORNERS), [0.7, 0.3, 0.0]));
        let past = [Vec3::new(-0.5, 0.0, -1.0), Vec3::new(-0.5, 0.0, -0.2)];
        assert!(over(past, CORNERS).is_none() && is_near(beside(past, CORNERS), [1.0, 0.0, 0.0]));
        // A link is a triangle without area.
        let link = [Vec3::ZERO, Vec3::X, Vec3::X];
        assert!(over(across, link).is_none() && is_near(beside(across, link), [0.7, 0.3, 0.0]));
    }

    #[test]
    fn nothing_of_an_edge_is_nearer_than_the_closest_points() {
        for i in 0..2000_u32 {
            let at = |k: u32| {
                let n = (i * 12 + k).wrapping_mul(0x9e37_79b9) >> 16;
                f32::from(u16::try_from(n).unwrap()) / 32768.0 - 1.0
            };
            let vector = |k: u32| Vec3::new(at(k), at(k + 1), at(k + 2));
            let (one, other) = ([vector(0), vector(3)], [vector(6), vector(9)]);
            let (s, t) = closest(one, other);
            let best = (point(one, s) - point(other, t)).length();
            for j in 0..=20_u16 {
                for k in 0..=20_u16 {
                    let (s, t) = (f32::from(j) / 20.0, f32::from(k) / 20.0);
                    assert!((point(one, s) - point(other, t)).length() > best - 1e-5, "{i}");
                }
            }
        }
    }
}
