//! What is shown between two ticks.

use hecs::Entity;

use super::{Transform, World, WorldError};
use crate::pose::{Pose, unit};

/// A cloth as it is to be drawn: between the poses that were published last but one and last.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Where the anchor is.
    pub anchor: Pose,
    /// Vertices about the anchor (m).
    pub positions: Vec<[f64; 3]>,
    /// The entities that the cloth moves, and where they are in the world; none of a mesh.
    pub nodes: Vec<(Entity, Transform)>,
}

impl Shown {
    /// Vertices in the world (m).
    pub fn vertices(&self) -> impl Iterator<Item = [f64; 3]> + '_ {
        self.positions.iter().map(|at| self.anchor.apply(*at))
    }
}

impl World {
    /// A cloth at `alpha` of the way from the last tick to this one, 0 to 1: [`Clock::alpha`](super::Clock::alpha) for a display
    /// that is faster than the steps. It changes nothing, so it may be asked for as often as frames are drawn.
    ///
    /// Anchor and shape are blended apart: the anchor between where it was in the last tick and in this, the shape about it between
    /// the last two that were published. So a cloth stays on its anchor whatever its rate, and of a rate of every fourth tick the
    /// shape is up to four ticks old. Across a teleport nothing is blended.
    ///
    /// # Errors
    /// [`WorldError::NoSuchEntity`], [`WorldError::NoCloth`].
    pub fn interpolate(&self, anchor: Entity, alpha: f64) -> Result<Shown, WorldError> {
        let live = self.live(anchor)?;
        let alpha = if (0.0..=1.0).contains(&alpha) { alpha } else { 1.0 };
        let (pose, positions) = live.shown(alpha);
        let mut nodes = Vec::with_capacity(live.subtree.nodes.len());
        if live.recipe.is_subtree() {
            let poses = live.skeleton.poses(&positions);
            for ((node, seen), (_, size)) in
                live.subtree.nodes.iter().zip(&poses[1..]).zip(&live.skeleton.rest()[1..])
            {
                let Pose { translation, rotation } = pose.place(seen);
                let rotation = unit(rotation).unwrap_or(rotation);
                nodes.push((node.entity, Transform { translation, rotation, scale: [*size; 3] }));
            }
        }
        Ok(Shown { anchor: pose, positions, nodes })
    }
}
