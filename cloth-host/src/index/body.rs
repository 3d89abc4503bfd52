//! A body in the world: a shape, what a contact with it is like, and where it stands.

use super::Query;
use crate::hash::Hasher;
use crate::pose::{Bounds, Pose, add, length, narrow, sub};
use cloth_core::Vec3;
use cloth_core::collide::{Aabb, Collider, Kind};

/// Which body. Handles rise and are never used again: one that was taken out and one that came after it are never taken for
/// the same, however soon it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Handle(pub u64);

impl Handle {
    /// The handle that the body has in the index that absorbed its own ([`Tree::absorb`](super::Tree::absorb)).
    #[must_use]
    pub fn risen(self, by: u64) -> Self {
        Self(self.0 + by)
    }
}

/// A shape and where it stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Kind, sizes, scale, words, friction, inflation and layers. Its poses and its handle mean nothing here.
    pub shape: Collider,
    /// Where it stands, in the world.
    pub pose: Pose,
}

impl Body {
    /// The record that core meets, in the frame of who sees the body at `previous` when the step begins and at `pose` when it
    /// ends. What is not finite is refused by the step that gets it.
    pub fn record(&self, previous: &Pose, pose: &Pose, handle: u32) -> Collider {
        // Unit in `f32` too, as core makes poses that it is given one by one.
        let unit = |pose: &Pose| pose.narrow().normalised().unwrap_or(pose.narrow());
        let (before, now) = (unit(previous), unit(pose));
        Collider {
            handle,
            position: now.translation.to_array(),
            rotation: now.rotation,
            previous_position: before.translation.to_array(),
            previous_rotation: before.rotation,
            ..self.shape
        }
    }

    /// The record as it is seen from a point, without a turn.
    fn seen_from(&self, point: [f64; 3], previous: &Pose) -> Collider {
        let seen = |pose: &Pose| Pose { translation: sub(pose.translation, point), ..*pose };
        self.record(&seen(previous), &seen(&self.pose), 0)
    }

    /// The box that it does not leave on its way from `previous` to where it stands, inflation left out (m); all space for a
    /// plane. `shapes` are the words it points into.
    ///
    /// Its size is computed in `f32` about where it was, where the numbers are small, and the place is added in `f64`.
    pub fn bounds(&self, previous: &Pose, shapes: &[u32]) -> Bounds {
        let Aabb { low, high } = self.seen_from(previous.translation, previous).swept_bounds(shapes);
        let placed = |corner: Vec3| add(corner.to_array().map(f64::from), previous.translation);
        let bounds = Bounds { low: placed(low), high: placed(high) };
        // Both roundings, that to f32 being in the record's own bounds.
        bounds.grown(f64::EPSILON * 4.0 * length(previous.translation))
    }

    /// Whether layers let the body and whoever asks meet.
    pub fn is_for(&self, query: &Query) -> bool {
        self.shape.mask & query.layer != 0 && query.mask & self.shape.layer != 0
    }

    /// Hashes what it is and where.
    pub(super) fn hash(&self, hasher: &mut Hasher) {
        let Self { shape, pose } = self;
        for word in [shape.kind, shape.layer, shape.mask, shape.data, shape.data_count] {
            hasher.word(word);
        }
        for value in shape.sizes.into_iter().chain([shape.friction, shape.inflation, shape.scale]) {
            hasher.float(f64::from(value));
        }
        for value in pose.translation.into_iter().chain(pose.rotation) {
            hasher.float(value);
        }
    }

    /// Whether it may come into a box, grown by its inflation, on its way: never `false` where it does.
    pub fn meets(&self, previous: &Pose, within: &Bounds, shapes: &[u32]) -> bool {
        let inflation = f64::from(self.shape.inflation);
        if Kind::of(self.shape.kind) != Some(Kind::Plane) {
            return self.bounds(previous, shapes).grown(inflation).meets(within);
        }
        let middle = [0, 1, 2].map(|axis| 0.5 * within.low[axis] + 0.5 * within.high[axis]);
        let half = narrow([0, 1, 2].map(|axis| 0.5 * within.high[axis] - 0.5 * within.low[axis]));
        let half = Vec3::from_array(half) * (1.0 + 4.0 * f32::EPSILON);
        self.seen_from(middle, previous).reaches(
            shapes,
            &Aabb { low: -half, high: half },
            self.shape.inflation,
        )
    }
}
