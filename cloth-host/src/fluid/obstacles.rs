//! Bodies in the air.

use cloth_core::collide::Collider;

use crate::pose::Pose;

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
