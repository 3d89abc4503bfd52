//! Two boxes that overlap, and a rope in them: what is between them has no way out.

use crate::workload::{Shape, Spec};
use anyhow::Result;
use cloth_core::collide::{Collider, Pose};
use cloth_core::{Target, Vec3, library};
use glam::DVec3;

/// Half the edges of a box (m).
const HALF: Vec3 = Vec3::new(0.2, 0.5, 0.5);

/// Two boxes whose tops are at a height, side by side and overlapping (m).
///
/// # Errors
///
/// None.
pub fn jaws(top: f32, overlap: f32) -> Result<[Collider; 2]> {
    let side = |side: f32, handle: u32| -> Result<Collider> {
        let place = Vec3::new(side * (HALF.x - 0.5 * overlap), top - HALF.y, 0.0);
        let jaw = Collider::cuboid(HALF, Pose::at(place))?.touching(0.5, 0.0)?;
        Ok(jaw.known(handle, u32::MAX, u32::MAX))
    };
    Ok([side(-1.0, 1)?, side(1.0, 2)?])
}

/// Whether a point is in one of them.
pub fn is_inside(jaws: &[Collider], x: Vec3) -> bool {
    jaws.iter().any(|jaw| (HALF - (x - Vec3::from_array(jaw.position)).abs()).min_element() > 0.0)
}

/// A rope of ten links straight down from the origin, the lower five of which are in jaws whose tops are at −0.55 m.
pub fn rope() -> Spec {
    let shape = Shape::strands(1, 10, 0.1, DVec3::NEG_Y);
    Spec { pins: vec![0], dynamics: library::ROPE, ..Spec::new(shape, 0.02) }
}

/// Where those five belong: side by side, level, above the jaws.
pub fn goals() -> Vec<Target> {
    let aside = |vertex: u16| Target {
        vertex: vertex.into(),
        position: [-0.1 * (f32::from(vertex) - 5.0), -0.5, 0.0],
    };
    (6..=10).map(aside).collect()
}
