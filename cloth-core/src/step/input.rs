//! What a step is told.

use super::StepError;
use crate::Vec3;
use crate::fabric::ClothDynamics;
use crate::model::MAX_LENGTH;
use crate::state::{State, is_vector};

/// Lengths of a step that are accepted (s).
const STEPS: core::ops::RangeInclusive<f32> = 1.0e-5..=1.0;

/// A target of one vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// The source vertex.
    pub vertex: u32,
    /// Where it is to be at the end of the step, cloth-local (m).
    pub position: [f32; 3],
}

/// Where the targets are at the end of the step. A held particle is exactly on its target then, and moves
/// there in a straight line through the substeps; free particles are tied to theirs by slack leashes only.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Targets<'a> {
    /// Where they were.
    Keep,
    /// All of them, in source order (m), shape (sources, 3). Where vertices were welded, the first one of
    /// each particle counts.
    All(&'a [[f32; 3]]),
    /// Some of them; of two for one particle the last counts.
    Listed(&'a [Target]),
}

/// Internals of the solver. The defaults are what the goldens pin; no author needs them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverConstants {
    /// Share of a hard row's multiplier that a substep starts from (the product α·γ of the literature: the
    /// two act through it alone while the penalty band is a single point).
    pub multiplier_decay: f32,
    /// Penalty of a hard row over its effective inertia and 1/h² (1).
    pub penalty_ratio: f32,
}

impl Default for SolverConstants {
    /// Decay 0.25, ratio 8: hanging chains stop resting at a decay of 0.4, and falling capes make energy from a
    /// ratio of 12 on (`measure constants`).
    fn default() -> Self {
        Self { multiplier_decay: 0.25, penalty_ratio: 8.0 }
    }
}

/// The inputs of one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepInput<'a> {
    /// Length of the step (s), 1e-5 to 1. Use one value throughout: the same inputs give the same bits.
    pub dt: f32,
    /// Gravity, cloth-local (m/s²).
    pub gravity: Vec3,
    /// Where the targets go.
    pub targets: Targets<'a>,
    /// The fabric's settings.
    pub dynamics: &'a ClothDynamics,
    /// Internals of the solver.
    pub constants: SolverConstants,
}

impl<'a> StepInput<'a> {
    /// A step without moving targets, with the default solver constants.
    #[must_use]
    pub fn new(dt: f32, gravity: Vec3, dynamics: &'a ClothDynamics) -> Self {
        Self { dt, gravity, targets: Targets::Keep, dynamics, constants: SolverConstants::default() }
    }
}

/// Checks everything a step will read from its input.
pub(super) fn check(state: &State, input: &StepInput) -> Result<(), StepError> {
    if !STEPS.contains(&input.dt) {
        return Err(StepError::Dt);
    }
    if !is_vector(input.gravity) {
        return Err(StepError::Gravity);
    }
    if let Some(field) = input.dynamics.invalid_field() {
        return Err(StepError::Dynamics { field });
    }
    let SolverConstants { multiplier_decay, penalty_ratio } = input.constants;
    if !((0.0..=1.0).contains(&multiplier_decay) && penalty_ratio > 0.0 && penalty_ratio <= MAX_LENGTH) {
        return Err(StepError::Constants);
    }
    let count = state.model().source_count();
    match input.targets {
        Targets::Keep => Ok(()),
        Targets::All(targets) => {
            if targets.len() != count as usize {
                return Err(StepError::TargetCount { expected: count, provided: targets.len() });
            }
            let wrong = (0..).zip(targets).find(|(_, target)| !is_vector(Vec3::from_array(**target)));
            wrong.map_or(Ok(()), |(index, _)| Err(StepError::TargetNonFinite { index }))
        }
        Targets::Listed(targets) => {
            for (index, target) in (0..).zip(targets) {
                if target.vertex >= count {
                    return Err(StepError::TargetVertex { index, vertex: target.vertex });
                }
                if !is_vector(Vec3::from_array(target.position)) {
                    return Err(StepError::TargetNonFinite { index });
                }
            }
            Ok(())
        }
    }
}
