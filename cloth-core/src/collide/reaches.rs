//! Whether a collider comes near a box of cloth in a step.

use super::bounds::{greater, sizes};
use super::{Aabb, Collider, Kind};
use crate::Vec3;
use crate::math::{Pose, real, vector};

/// Share of the largest coordinate that the height of a corner above a plane is rounded by, at most.
const ROUNDING: f32 = 16.0 * f32::EPSILON;

impl Collider {
    /// Whether it comes within `offset` (m) of `cloth`, a box in the space that its poses are in, at any time of the step.
    /// Never `false` where it does; `true` may be too much.
    ///
    /// A bounded shape does where its swept bounds, grown by the offset, meet the box. A plane does unless every corner of the
    /// box is above it by more than the offset all along. Its normal goes from n₀ to n₁ along an arc no further from the chord than
    /// 1 − cos(θ/2) ≤ θ²/8, θ being the angle between the poses, and its origin from t₀ to t₁ along a line, so that the height of
    /// a corner p is never below the least nᵢ·(p − tⱼ) less θ²/8·‖p − tⱼ‖. What is below a plane is in it.
    pub fn reaches(&self, shapes: &[u32], cloth: &Aabb, offset: f32) -> bool {
        if Kind::of(self.kind) != Some(Kind::Plane) {
            return self.swept_bounds(shapes).grown(offset).meets(cloth);
        }
        let (from, to) = (self.previous_pose(), self.pose());
        let angle = from.angle_bound(&to);
        let sagitta = real::min(angle * angle / 8.0, 1.0);
        let is_clear = |turned: &Pose, placed: &Pose| {
            let normal = vector::unit_or(turned.rotate(Vec3::Y), Vec3::Y);
            lowest(normal, placed.translation, sagitta, cloth) > offset
        };
        // What is no number is not clear of anything.
        !(is_clear(&from, &from) && is_clear(&to, &to) && is_clear(&from, &to) && is_clear(&to, &from))
    }
}

/// A bound of the heights of a box above planes through `origin` whose normals are no further than `off` from `normal` (m).
fn lowest(normal: Vec3, origin: Vec3, off: f32, cloth: &Aabb) -> f32 {
    let (low, high) = (cloth.low - origin, cloth.high - origin);
    let end = |n: f32, low: f32, high: f32| n * if n > 0.0 { low } else { high };
    let height = end(normal.x, low.x, high.x) + end(normal.y, low.y, high.y) + end(normal.z, low.z, high.z);
    let arm = vector::length(greater(sizes(low), sizes(high)));
    height - off * arm - ROUNDING * (vector::length(origin) + arm)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turned(angle: f32) -> [f32; 4] {
        let half = f64::from(angle) / 2.0;
        #[expect(clippy::cast_possible_truncation, reason = "the nearest f32 of an exact sine")]
        [0.0, 0.0, half.sin() as f32, half.cos() as f32]
    }

    fn cube(low: Vec3) -> Aabb {
        Aabb { low, high: low + Vec3::ONE }
    }

    #[test]
    fn a_plane_reaches_what_is_below_it_and_not_what_is_above() {
        let floor = Collider::plane(Pose::at(Vec3::new(7.0, 1.0, -3.0))).unwrap();
        assert!(!floor.reaches(&[], &cube(Vec3::new(-200.0, 1.02, 0.0)), 0.01));
        assert!(floor.reaches(&[], &cube(Vec3::new(-200.0, 1.02, 0.0)), 0.03));
        assert!(floor.reaches(&[], &cube(Vec3::new(0.0, -50.0, 0.0)), 0.0));
        // Its lowest corner is what counts.
        let slope = floor.placed(Pose { rotation: turned(core::f32::consts::FRAC_PI_4), ..floor.pose() });
        let slope = slope.unwrap();
        assert!(slope.reaches(&[], &cube(Vec3::new(7.5, 2.3, 0.0)), 0.0), "beyond it in X is below it");
        assert!(!slope.reaches(&[], &cube(Vec3::new(5.0, 2.3, 0.0)), 0.0));
        // On its way it counts where it was and where it comes to.
        let raised = floor.moved(Pose::at(Vec3::new(0.0, 3.0, 0.0))).unwrap();
        let lowered = floor.moved(Pose::at(Vec3::new(0.0, -3.0, 0.0))).unwrap();
        for moved in [raised, lowered, floor] {
            assert!(moved.reaches(&[], &cube(Vec3::new(0.0, 0.5, 0.0)), 0.0), "{moved:?}");
        }
        assert!(raised.reaches(&[], &cube(Vec3::new(0.0, 2.0, 0.0)), 0.0));
        assert!(!lowered.reaches(&[], &cube(Vec3::new(0.0, 2.0, 0.0)), 0.0));
    }

    /// A normal that goes round an axis is above a point at both ends of its way and below it in the middle.
    #[test]
    fn a_plane_that_turns_dips_between_its_poses() {
        let (sin, cos) = 85.0_f32.to_radians().sin_cos();
        let start = Pose { rotation: [0.0, 0.0, -0.5, 0.866_025_4], ..Pose::IDENTITY };
        let end = Pose { rotation: [-0.5 * sin, 0.866_025_4 * sin, -0.5 * cos, 0.866_025_4 * cos], ..start };
        let plane = Collider::plane(start).unwrap();
        let point = Vec3::new(-0.052, 0.8, 0.598) * 10.0;
        let cloth = Aabb { low: point, high: point }.grown(0.01);
        assert!(!plane.reaches(&[], &cloth, 0.0) && !plane.placed(end).unwrap().reaches(&[], &cloth, 0.0));
        let turning = plane.moved(end).unwrap();
        assert!(turning.pose_at(0.5).undo(point).y < -1.0);
        assert!(turning.reaches(&[], &cloth, 0.0));
    }

    #[test]
    fn what_is_no_box_is_reached_by_a_plane_and_what_bounds_hold_by_others() {
        let floor = Collider::plane(Pose::IDENTITY).unwrap();
        assert!(floor.reaches(&[], &cube(Vec3::new(f32::NAN, 5.0, 0.0)), 0.0));
        assert!(floor.reaches(&[], &Aabb::EVERYWHERE, 0.0));
        let ball = Collider::sphere(0.5, Pose::IDENTITY).unwrap();
        assert!(ball.reaches(&[], &cube(Vec3::new(0.6, 0.0, 0.0)), 0.2));
        assert!(!ball.reaches(&[], &cube(Vec3::new(0.8, 0.0, 0.0)), 0.2));
        assert!(ball.moved(Pose::at(Vec3::X)).unwrap().reaches(&[], &cube(Vec3::new(0.8, 0.0, 0.0)), 0.2));
    }

    proptest::proptest! {
        #![proptest_config(proptest::test_runner::Config { cases: 4000, ..Default::default() })]

        /// Whatever the two poses, at no time between them is a corner as near as a box out of reach promises it is not.
        #[test]
        fn a_box_out_of_reach_is_above_the_plane_all_the_way(
            turns in proptest::array::uniform8(-1.0..1.0_f32),
            places in proptest::array::uniform9(-4.0..4.0_f32),
            is_slow in proptest::bool::ANY,
        ) {
            let [a, b, c, d, e, f, g, h] = turns;
            let [x, y, z, u, v, w, p, q, r] = places;
            let start = Pose { translation: Vec3::new(x, y, z), rotation: [a, b, c, d] };
            let Ok(plane) = Collider::plane(start) else { return Ok(()) };
            let share = if is_slow { 0.05 } else { 1.0 };
            let turn = [a + e * share, b + f * share, c + g * share, d + h * share];
            let end = Pose { translation: Vec3::new(x + u * share, y + v, z + w * share), rotation: turn };
            let Ok(plane) = plane.moved(end) else { return Ok(()) };
            let low = Vec3::new(p, q, r) * 3.0;
            let cloth = cube(low);
            if !plane.reaches(&[], &cloth, 0.1) {
                for i in 0..=64_u8 {
                    let pose = plane.pose_at(f32::from(i) / 64.0);
                    for corner in 0..8_u8 {
                        let bit = |k: u8| f32::from(corner >> k & 1);
                        let height = pose.undo(low + Vec3::new(bit(0), bit(1), bit(2))).y;
                        proptest::prop_assert!(height > 0.1 - 1e-5, "{height} at {i}");
                    }
                }
            }
        }
    }
}
