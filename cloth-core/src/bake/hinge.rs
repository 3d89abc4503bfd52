//! The bend row of two triangles that share an edge.
//!
//! Bergou, Wardetzky, Harmon, Zorin and Grinspun, "A Quadratic Bending Model for Inextensible Surfaces" (2006):
//! with e the shared edge, the integrated mean curvature vector at it is K·x = Σ c_i x_i, whose coefficients are
//! sums of cotangents of the angles at the edge's ends in the rest shape. Its energy is
//! ½·B/(A₀ + A₁)·(±‖K·x‖ − rest)². ‖K·x‖ = 2·|sin(θ/2)|·‖e‖ for a fold by θ in the rest shape's triangles.

use super::measure::{area, cotangent, extent, length};
use crate::Vec3;
use crate::math::real::{abs, max};
use crate::math::sqrt;
use crate::model::derived;
use crate::row::bend::HingeRow;

/// Rest values below this share of the edge (a fold by less than 1e-5 rad) are zero, so that a flat cloth is
/// flat whatever plane it was modelled in.
const FLAT: f32 = 1e-5;

/// The row over particles `p` at rest positions `x` with masses `m` (kg): ends of the edge, then the corner of
/// the triangle wound along the edge, then the corner of the one wound against it.
pub(crate) fn row(p: [u32; 4], x: [Vec3; 4], m: [f32; 4]) -> HingeRow {
    let [x0, x1, x2, x3] = x;
    // First index: the end of the edge at which the angle is; second: the triangle.
    let cot00 = cotangent(x0, x1, x2);
    let cot01 = cotangent(x0, x1, x3);
    let cot10 = cotangent(x1, x0, x2);
    let cot11 = cotangent(x1, x0, x3);
    let c = [cot10 + cot11, cot00 + cot01, -(cot00 + cot10), -(cot01 + cot11)];
    let scale = 1.0 / (area([x0, x1, x2]) + area([x1, x0, x3]));
    HingeRow { p, c, scale, rest: rest(c, x), inertia: derived::hinge_inertia(c, scale, m), pad: 0 }
}

/// ‖K·x‖ (m), positive where the curvature vector points to the side that the triangles' normals point to: where
/// the edge is a ridge seen from there. Zero where it is no more than rounding of the coordinates.
fn rest(c: [f32; 4], [x0, x1, x2, x3]: [Vec3; 4]) -> f32 {
    // The coefficients sum to zero, so the sum may be taken from any origin: from the hinge, it is the most exact.
    let curvature = (x1 - x0) * c[1] + (x2 - x0) * c[2] + (x3 - x0) * c[3];
    let size = length(curvature);
    let reach = max(max(extent(x0), extent(x1)), max(extent(x2), extent(x3)));
    let noise = f32::EPSILON * reach * (abs(c[0]) + abs(c[1]) + abs(c[2]) + abs(c[3]));
    if size <= max(FLAT * length(x1 - x0), noise) {
        return 0.0;
    }
    let normals = (x1 - x0).cross(x2 - x0) + (x3 - x0).cross(x1 - x0);
    if curvature.dot(normals) < 0.0 { -size } else { size }
}

/// The straight way between the two opposite corners of a hinge laid flat (m); none where it would leave the triangles.
pub(crate) fn across([a, b, left, right]: [Vec3; 4]) -> Option<f32> {
    let long = length(b - a);
    let along = (b - a) / long;
    let foot = |corner: Vec3| (corner - a).dot(along);
    let height = |corner: Vec3| length((corner - a).cross(along));
    let (feet, heights) = ([left, right].map(foot), [left, right].map(height));
    let share = heights[0] / (heights[0] + heights[1]);
    let crossing = feet[0] + (feet[1] - feet[0]) * share;
    let (x, y) = (feet[1] - feet[0], heights[0] + heights[1]);
    (crossing >= 0.0 && crossing <= long).then(|| sqrt(x * x + y * y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use proptest::prelude::*;

    /// Unit square over an edge along x, its right half folded up by an angle of the given sine and cosine.
    fn folded(sin: f32, cos: f32) -> [Vec3; 4] {
        // Seen from +z, and looking along +x, the left triangle is at +y.
        [Vec3::ZERO, Vec3::X, Vec3::new(0.5, 0.5, 0.0), Vec3::new(0.5, -0.5 * cos, 0.5 * sin)]
    }

    #[test]
    fn rest_is_twice_the_sine_of_half_the_fold_and_positive_on_a_ridge() {
        let fold = 0.6_f32;
        let right_angles = [1.0; 4];
        let row_of = |sin| row([0, 1, 2, 3], folded(sin, fold.cos()), right_angles);
        let expected = 2.0 * (fold / 2.0).sin();
        assert!((row_of(fold.sin()).rest + expected).abs() < 1e-6, "a valley");
        assert!((row_of(-fold.sin()).rest - expected).abs() < 1e-6, "a ridge");
        assert_eq!(row([0, 1, 2, 3], folded(0.0, 1.0), right_angles).rest.to_bits(), 0);
    }

    #[test]
    #[expect(clippy::float_cmp, reason = "the coefficients are the same sums")]
    fn seen_from_the_other_end_it_is_the_same_row() {
        let [x0, x1, x2, x3] = folded(0.3, 0.9);
        let one = row([0, 1, 2, 3], [x0, x1, x2, x3], [1.0, 2.0, 3.0, 4.0]);
        let two = row([1, 0, 3, 2], [x1, x0, x3, x2], [2.0, 1.0, 4.0, 3.0]);
        assert_eq!(one.c, [two.c[1], two.c[0], two.c[3], two.c[2]]);
        assert!((one.rest - two.rest).abs() < 1e-6 && (one.inertia / two.inertia - 1.0).abs() < 1e-6);
    }

    proptest! {
        #[test]
        fn a_flat_hinge_is_at_rest_in_any_plane_and_any_affine_image_of_it(
            u in prop::array::uniform3(-1.0_f32..1.0),
            v in prop::array::uniform3(-1.0_f32..1.0),
            origin in prop::array::uniform3(-5.0_f32..5.0),
            apex in (0.1_f32..0.9, 0.1_f32..0.9, 0.1_f32..0.9, 0.1_f32..0.9),
            size in prop::sample::select(vec![1e-5_f32, 1.0, 1e4]),
        ) {
            let [u, v, origin] = [Vec3::from(u), Vec3::from(v), Vec3::from(origin)];
            prop_assume!(length(u.cross(v)) > 0.2);
            let at = |a: f32, b: f32| (origin + u * a + v * b) * size;
            let x = [at(0.0, 0.0), at(1.0, 0.0), at(apex.0, apex.1), at(apex.2, -apex.3)];
            let hinge = row([0, 1, 2, 3], x, [0.1; 4]);
            let sum: f32 = hinge.c.iter().sum();
            let large: f32 = hinge.c.iter().map(|c| c.abs()).sum();
            prop_assert!(sum.abs() <= 1e-6 * large);
            prop_assert_eq!(hinge.rest.to_bits(), 0);
            // In the plane of its rest shape, stretched and sheared as may be: K·x vanishes as well.
            let sheared = |a: f32, b: f32| origin + u * (1.7 * a + 0.4 * b) + v * (0.3 * a - 0.8 * b);
            let y = [sheared(0.0, 0.0), sheared(1.0, 0.0), sheared(apex.0, apex.1), sheared(apex.2, -apex.3)];
            let residue = length(y[0] * hinge.c[0] + y[1] * hinge.c[1] + y[2] * hinge.c[2] + y[3] * hinge.c[3]);
            prop_assert!(residue <= 1e-5 * large, "{residue} of {large}");
            prop_assert!(hinge.inertia > 0.0 && hinge.inertia.is_finite());
        }
    }
}
