//! Bodies in the air, and how fast their points are.

use cloth_core::collide::{Aabb, Collider, surface_within};
use cloth_core::math;
use cloth_core::{Vec3, math::real};

use super::grid::Grid;
use crate::hash::Hasher;
use crate::pose::{Pose, add, conjugate, cross, narrow, scaled, sub, times};

/// Fastest that a body's surface is taken to be, along an axis (m/s).
const FASTEST: f32 = 1000.0;

/// A body in the air. Its points move as the rigid motion from `previous` to `pose` moves them over the step.
#[derive(Clone, Copy, Debug)]
pub struct Obstacle<'a> {
    /// Its shape. Where the record stands is not read.
    pub collider: &'a Collider,
    /// The words that record was checked with.
    pub shapes: &'a [u32],
    /// Where it stands when the step ends, in the volume's frame.
    pub pose: Pose,
    /// Where it stood when the step began; `pose` where it was put there.
    pub previous: Pose,
}

impl Obstacle<'_> {
    /// Whether it is where it was.
    pub(super) fn stands(&self) -> bool {
        self.pose.is(&self.previous)
    }

    /// All that the air notices of it.
    pub(super) fn hash(&self, to: &mut Hasher) {
        let Collider { kind, sizes: [a, b, c], scale, data, data_count, .. } = *self.collider;
        for word in [kind, a.to_bits(), b.to_bits(), c.to_bits(), scale.to_bits(), data, data_count] {
            to.whole(u64::from(word));
        }
        to.whole(self.shapes.len() as u64);
        for pose in [self.pose, self.previous] {
            pose.translation.iter().chain(&pose.rotation).for_each(|x| to.whole(x.to_bits()));
        }
    }

    /// Whether the air has anything to do with it: one that is elsewhere, however it moves there, is none.
    pub(super) fn is_near(&self, grid: &Grid) -> bool {
        self.standing(1.0).is_some_and(|body| body.is_near(grid))
    }

    /// It where it stands, for queries; `None` where it is nowhere.
    pub(super) fn standing(&self, dt: f64) -> Option<Standing<'_>> {
        let pose = self.pose.narrow();
        let bounds = self.collider.placed(pose).ok()?.swept_bounds(self.shapes);
        Some(Standing { of: *self, pose, bounds, motion: Motion::of(self, dt) })
    }
}

/// A body at the end of a step.
pub(super) struct Standing<'a> {
    of: Obstacle<'a>,
    pose: math::Pose,
    /// A box about it (m).
    pub bounds: Aabb,
    motion: Motion,
}

impl Standing<'_> {
    /// Whether a face of the grid may be nearer than half a cell.
    pub fn is_near(&self, grid: &Grid) -> bool {
        let (low, high) = (self.bounds.low.to_array(), self.bounds.high.to_array());
        grid.half().into_iter().zip(low.into_iter().zip(high)).all(|(half, (low, high))| {
            let reach = half + f64::from(grid.cell);
            f64::from(low) <= reach && f64::from(high) >= -reach
        })
    }

    /// How far a point is outside (m).
    pub fn distance(&self, point: [f64; 3]) -> f32 {
        let point = Vec3::from_array(narrow(point));
        let found = surface_within(self.of.collider, self.of.shapes, &self.pose, point, f32::INFINITY);
        found.map_or(f32::INFINITY, |surface| surface.distance)
    }

    /// How fast it moves at a point, along an axis (m/s).
    pub fn speed(&self, point: [f64; 3], axis: usize) -> f32 {
        self.motion.at(sub(point, self.of.pose.translation), axis)
    }
}

/// A rigid motion: v = Δx/dt and ω = 2·q_xyz·sgn(q_w)/dt, q being the rotation of the step. Of a turn by φ that is the rate sin(φ/2)/(φ/2)
/// of the true one, 1 % less at half a radian.
#[derive(Clone, Copy)]
struct Motion {
    linear: [f64; 3],
    angular: [f64; 3],
}

impl Motion {
    fn of(body: &Obstacle<'_>, dt: f64) -> Self {
        if body.stands() {
            return Self { linear: [0.0; 3], angular: [0.0; 3] };
        }
        let [x, y, z, w] = times(body.pose.rotation, conjugate(body.previous.rotation));
        let sign = if w < 0.0 { -2.0 } else { 2.0 };
        Self {
            linear: scaled(sub(body.pose.translation, body.previous.translation), 1.0 / dt),
            angular: scaled([x, y, z], sign / dt),
        }
    }

    /// At `arm` from the origin (m/s).
    fn at(&self, arm: [f64; 3], axis: usize) -> f32 {
        let speed = add(self.linear, cross(self.angular, arm))[axis];
        let [speed] = narrow([if speed.is_finite() { speed } else { 0.0 }]);
        real::clamp(speed, -FASTEST, FASTEST)
    }
}
