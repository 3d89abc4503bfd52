//! What of a step the scene gets to see, made where the step was taken.

use std::sync::Arc;

use cloth_core::{State, StepReport};

use super::Transform;
use super::write_back::Skeleton;

/// What is to be shown of a step, and then what it came to.
#[derive(Debug, Default)]
pub(super) struct Published {
    /// How far what is simulated is blended in (1).
    pub blend: f32,
    /// Whether a step in which nothing is computed shows what the one before it did.
    pub stays: bool,
    /// Whose nodes are placed; `None` where nobody's are.
    pub skeleton: Option<Arc<Skeleton>>,
    /// Whether there is anything new to show.
    pub is_new: bool,
    /// Positions of the vertices in the anchor's frame (m).
    pub positions: Vec<[f32; 3]>,
    /// Local transforms of the nodes.
    pub locals: Vec<Transform>,
}

impl Published {
    /// Fills in what a step came to.
    pub fn fill(&mut self, state: &State<'_>, report: &StepReport) {
        // Where nothing was computed, what is written stays as it is, to the bit.
        self.is_new = !(self.stays && report.asleep && report.substeps == 0);
        if !self.is_new {
            return;
        }
        self.positions.clear();
        self.positions.extend(state.blended(self.blend).map(|at| at.to_array()));
        if let Some(skeleton) = &self.skeleton {
            skeleton.locals(&self.positions, &mut self.locals);
        }
    }
}
