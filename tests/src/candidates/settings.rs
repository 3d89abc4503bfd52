//! What distinguishes one pairwise solver from another.

use super::cloth::Cloth;
use crate::pareto::{Candidate, Simulation};
use crate::workload::{Spec, Workload};
use anyhow::Result;
use cloth_core::Block;

/// A slow carry of what one sweep a substep leaves of a load: each row has a force that grows by a share of what the
/// sweep found, and acts in the predictors that follow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tension {
    /// Share of the violation a force grows by (1 a substep).
    pub share: f64,
    /// Largest force, over what brings the row from nothing to its rest length in one substep (1).
    pub limit: f64,
}

/// A pairwise solver and its budget.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairwise {
    /// What it is called; the budget is put behind it.
    pub title: &'static str,
    /// Substeps a frame.
    pub substeps: u32,
    /// Sweeps a substep, every second one backwards.
    pub sweeps: u32,
    /// How soon a row is solved along where it is instead of where it was when the substep began: the share of the new
    /// direction is min(1, turn·‖d − d₀‖²/rest²). [`Self::OLD`] is SHAKE, [`Self::NEW`] position-based dynamics.
    pub turn: f64,
    /// Whether nested aggregates have bounds.
    pub bounds: bool,
    /// The slow carry, if any.
    pub tension: Option<Tension>,
    /// Whether tethers are built where the scene has them.
    pub tethers: bool,
    /// Relaxation of the first row of a sweep over 1 and of the last below; linear in between.
    pub spread: f64,
    /// Whether velocities are BDF2's, (3·x − 4·x₀ + x₋₁)/(2·h), instead of (x − x₀)/h. Falls back to those for a substep
    /// after an impact: a contact, a velocity that changed by more than a quarter of the shortest row a substep, or a
    /// particle that was placed, held, let go or rescued. The whole cloth does, so that every pair's impulses
    /// stay equal and opposite.
    pub second_order: bool,
    /// Speed (m/s) that damping takes off within its time constant beside its share: what is slower comes to rest.
    pub dry: f64,
}

impl Pairwise {
    /// Rows are solved along where they were when the substep began.
    pub const OLD: f64 = 0.0;
    /// Rows are solved along where they are.
    pub const NEW: f64 = f64::INFINITY;

    /// What won, as scalar code.
    pub fn winner() -> Self {
        super::named::WINNER
    }
}

impl Candidate for Pairwise {
    fn name(&self) -> String {
        format!("{} {}×{}", self.title, self.substeps, self.sweeps)
    }

    fn prepare(&self, spec: Spec) -> Spec {
        Spec { tethers: spec.tethers && self.tethers, ..spec }
    }

    fn start<'w>(&self, workload: &'w Workload, _: &'w mut Vec<Block>) -> Result<Box<dyn Simulation + 'w>> {
        Ok(Box::new(Cloth::new(workload, self.clone())))
    }

    fn refined(&self, substeps: u32) -> Box<dyn Candidate> {
        Box::new(Self { substeps, ..self.clone() })
    }
}
