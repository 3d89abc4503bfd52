//! The distance between two points, which most rows constrain.

use crate::Vec3;
use crate::math::{real, sqrt};

/// Square of the smallest length a direction is formed from (m²). Below it the direction fades to zero with
/// the length; it is far from the smallest `f32`, so that nothing under it becomes 0·∞.
const MIN_SQUARE: f32 = 1.0e-24;

/// The segment from one point to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Its length L (m).
    pub length: f32,
    /// 1/L (1/m): the curvature of L across the segment.
    pub inverse: f32,
    /// Gradient of L at the far end: the unit vector from `from` to `to` (1). Zero for coincident points.
    pub direction: Vec3,
}

/// The span from `from` to `to`.
#[inline(always)]
pub fn span(from: Vec3, to: Vec3) -> Span {
    let d = to - from;
    let square = real::max(d.x * d.x + d.y * d.y + d.z * d.z, MIN_SQUARE);
    let length = sqrt(square);
    let inverse = 1.0 / length;
    Span { length, inverse, direction: d * inverse }
}

/// Dual update of a row that pulls and pushes: R ← R − (L − bound).
#[inline(always)]
pub fn dual_equality(reference: f32, length: f32, bound: f32) -> f32 {
    reference - (length - bound)
}

/// Force over stiffness of a row that only pulls its ends together: max(L − R, 0) (m).
#[inline(always)]
pub fn pull(length: f32, reference: f32) -> f32 {
    real::max(length - reference, 0.0)
}

/// Dual update of a row that only pulls, range [0, ∞): λ/k ← max(L − R, 0), so R ← bound − max(L − R, 0).
#[inline(always)]
pub fn dual_pull(reference: f32, length: f32, bound: f32) -> f32 {
    bound - pull(length, reference)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn direction_is_the_gradient_of_the_length() {
        let (a, b) = (Vec3::new(0.3, -0.2, 0.7), Vec3::new(1.1, 0.4, -0.5));
        let here = span(a, b);
        let reference = |b: [f64; 3]| {
            let d = [b[0] - f64::from(a.x), b[1] - f64::from(a.y), b[2] - f64::from(a.z)];
            (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt()
        };
        let b64 = [f64::from(b.x), f64::from(b.y), f64::from(b.z)];
        assert!((f64::from(here.length) - reference(b64)).abs() < 1e-7);
        for axis in 0..3 {
            let mut moved = b64;
            moved[axis] += 1e-6;
            let slope = (reference(moved) - reference(b64)) / 1e-6;
            assert!((f64::from(here.direction[axis]) - slope).abs() < 1e-5, "axis {axis}");
        }
    }

    #[test]
    fn coincident_points_have_no_direction_and_nothing_infinite() {
        let here = span(Vec3::ONE, Vec3::ONE);
        assert_eq!(here.direction, Vec3::ZERO);
        assert!(here.inverse.is_finite() && here.length > 0.0);
    }

    #[test]
    fn a_pulling_row_never_pushes() {
        // Short of its bound the multiplier falls towards zero and stops there.
        let mut reference = 0.9;
        for _ in 0..5 {
            reference = dual_pull(reference, 0.5, 1.0);
        }
        assert_eq!(reference.to_bits(), 1.0_f32.to_bits());
        // Beyond its bound it grows by the violation.
        assert!((dual_pull(1.0, 1.25, 1.0) - 0.75).abs() < 1e-7);
    }
}
