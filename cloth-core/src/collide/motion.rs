//! How a collider moves in a step.

use super::bounds::{greater, lesser, sizes};
use super::{Aabb, Collider, Kind, words};
use crate::Vec3;
use crate::math::pose::travel_bound;
use crate::math::{Pose, real, vector};
use core::ops::RangeInclusive;

/// How far the square of a quaternion may be off 1 by the rounding of whoever made it unit: 5.5 ε, and some.
const ROUNDED: RangeInclusive<f32> = 1.0 - 8.0 * f32::EPSILON..=1.0 + 8.0 * f32::EPSILON;

/// A pose of a record. A quaternion that is a unit but for rounding is taken to the bit; one that is not, which a record from
/// outside may have, is made one: to go with it into the body's frame and back is no way to where one was, and what a collider
/// carries would drift by that in each substep.
// Once for every pose, and four times the size of a call.
#[inline(never)]
fn standing(position: [f32; 3], rotation: [f32; 4]) -> Pose {
    let pose = Pose { translation: Vec3::from_array(position), rotation };
    let [x, y, z, w] = rotation;
    if ROUNDED.contains(&(x * x + y * y + z * z + w * w)) {
        return pose;
    }
    pose.normalised().unwrap_or(pose)
}

/// A shape's extent in its own frame, scaled: a box about `centre`, rounded by `round`, and how far from the origin it reaches.
pub(super) struct Extent {
    pub centre: Vec3,
    pub half: Vec3,
    pub round: f32,
    pub radius: f32,
}

impl Collider {
    /// Where it was when the step began: its quaternion made unit.
    #[inline(always)]
    pub fn previous_pose(&self) -> Pose {
        standing(self.previous_position, self.previous_rotation)
    }

    /// Where it is when the step ends: its quaternion made unit.
    #[inline(always)]
    pub fn pose(&self) -> Pose {
        standing(self.position, self.rotation)
    }

    /// Where it is when a fraction `t` of the step has gone by: see [`Pose::between`].
    #[inline(always)]
    pub fn pose_at(&self, t: f32) -> Pose {
        self.previous_pose().between(&self.pose(), t)
    }

    /// Whether it is anywhere else, or turned otherwise, when the step ends.
    pub fn moves(&self) -> bool {
        self.previous_position.map(f32::to_bits) != self.position.map(f32::to_bits)
            || self.previous_rotation.map(f32::to_bits) != self.rotation.map(f32::to_bits)
    }

    /// Where a point that the collider carries is at the fraction `to` of the step, if it is at `point` at the fraction
    /// `from` (m).
    pub fn carried(&self, point: Vec3, from: f32, to: f32) -> Vec3 {
        self.pose_at(to).apply(self.pose_at(from).undo(point))
    }

    /// A box that its surface does not leave during the step, turning included; all space for a plane. Inflation is not in
    /// it.
    pub fn swept_bounds(&self, shapes: &[u32]) -> Aabb {
        self.bounds_between(&self.previous_pose(), &self.pose(), shapes)
    }

    /// A box that the surface does not leave on its way from one pose to another (see [`Pose::between`]); all space for a
    /// plane.
    pub(crate) fn bounds_between(&self, from: &Pose, to: &Pose, shapes: &[u32]) -> Aabb {
        let Some(extent) = self.extent(shapes) else {
            return Aabb::EVERYWHERE;
        };
        // On its way a point of the body turns along an arc over the chord between its two ends, at most R(1 − cos(θ/2))
        // ≤ R·θ²/8 above it. Translation and rotation need not be at the same fraction of their ways, so each gets a
        // box of its own and the boxes are added.
        let angle = from.angle_bound(to);
        let sagitta = extent.radius * real::min(angle * angle / 8.0, 1.0);
        let turned = extent.turned(from).union(extent.turned(to)).grown(sagitta);
        let way_low = lesser(from.translation, to.translation);
        let way_high = greater(from.translation, to.translation);
        let swept = Aabb { low: turned.low + way_low, high: turned.high + way_high };
        // The sums above round: by less than four ε of the largest number in them.
        let largest = greater(sizes(swept.low), sizes(swept.high)) + Vec3::splat(extent.radius);
        let largest = real::max(largest.x, real::max(largest.y, largest.z));
        swept.grown(4.0 * f32::EPSILON * largest)
    }

    /// By how much the collider's motion changes, at most, the distance of a point at rest within `radius` of `centre` (m).
    ///
    /// Of a bounded shape: |Δt| + θ·R, R being how far it reaches from its origin. Of a plane, with normals n₀, n₁ and
    /// origins t₀, t₁: |n₀·(t₁ − t₀)| + |n₁ − n₀|·max‖x − t‖ – how it moves along itself does not count, and how far the
    /// cloth is from the origin it turns about does.
    pub fn travel(&self, shapes: &[u32], centre: Vec3, radius: f32) -> f32 {
        let (from, to) = (self.previous_pose(), self.pose());
        if let Some(extent) = self.extent(shapes) {
            return travel_bound(&from, &to, extent.radius);
        }
        let (n0, n1) = (from.rotate(Vec3::Y), to.rotate(Vec3::Y));
        let arm =
            real::max(vector::length(centre - from.translation), vector::length(centre - to.translation));
        real::abs(n0.dot(to.translation - from.translation)) + vector::length(n1 - n0) * (arm + radius)
    }

    /// `None` where it has no bounds.
    pub(super) fn extent(&self, shapes: &[u32]) -> Option<Extent> {
        let [a, b, c] = self.sizes;
        let core = |half: Vec3, round: f32| Extent {
            centre: Vec3::ZERO,
            half,
            round,
            radius: vector::length(half) + round,
        };
        let up = |half| Vec3::new(0.0, half, 0.0);
        let extent = match Kind::of(self.kind)? {
            Kind::Sphere => core(Vec3::ZERO, a),
            Kind::Capsule => core(up(a), b),
            Kind::TaperedCapsule => core(up(a), real::max(b, c)),
            Kind::Box => core(Vec3::new(a, b, c), 0.0),
            Kind::Cylinder | Kind::Cone => {
                Extent { radius: vector::length(Vec3::new(a, b, 0.0)), ..core(Vec3::new(b, a, b), 0.0) }
            }
            Kind::Plane => return None,
            Kind::Hull | Kind::Mesh | Kind::Field => {
                let header = words::header(self.words(shapes)?)?;
                let Aabb { low, high } = header.bounds();
                let (centre, half) = ((low + high) * 0.5, (high - low) * 0.5);
                Extent { centre, half, round: 0.0, radius: header.radius }
            }
        };
        let s = self.scale;
        Some(Extent {
            centre: extent.centre * s,
            half: extent.half * s,
            round: extent.round * s,
            radius: extent.radius * s,
        })
    }
}

impl Extent {
    /// The box along the axes of the space it stands in, about the pose's origin.
    fn turned(&self, pose: &Pose) -> Aabb {
        let centre = pose.rotate(self.centre);
        let (x, y, z) = (pose.rotate(Vec3::X), pose.rotate(Vec3::Y), pose.rotate(Vec3::Z));
        let half = sizes(x) * self.half.x + sizes(y) * self.half.y + sizes(z) * self.half.z;
        let half = half + Vec3::splat(self.round);
        Aabb { low: centre - half, high: centre + half }
    }
}
