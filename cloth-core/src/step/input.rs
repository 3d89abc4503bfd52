//! What a step is told.

use super::{Escape, StepError};
use crate::Vec3;
use crate::air::{self, Air};
use crate::anchor::AnchorMotion;
use crate::collide::Collider;
use crate::fabric::ClothDynamics;
use crate::hash::canonical_bits;
use crate::model::Model;
use crate::simd::Level;
use crate::state::is_vector;
use bytemuck::{Pod, Zeroable};

/// Most substeps that a step may be allowed ([`StepInput::most_substeps`]).
pub const MOST_SUBSTEPS: u32 = 1024;

/// Lengths of a step that are accepted (s).
const STEPS: core::ops::RangeInclusive<f32> = 1.0e-5..=1.0;

/// A target of one vertex.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
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

/// The colliders of a step, cloth-local.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Colliders<'a> {
    /// The colliders; those that reach the cloth come to no more than the model's
    /// [`collider_capacity`](crate::Model::collider_capacity), or the rest is counted and not met.
    pub records: &'a [Collider],
    /// The words of hulls, meshes and height fields, which records point into.
    ///
    /// A step looks at their headers only; whoever makes, loads or receives them runs [`Collider::check`] or
    /// [`check_all`](crate::collide::check_all) once. Damaged words make wrong answers, and nothing worse.
    pub shapes: &'a [u32],
}

/// Internals of the solver. The defaults are what the goldens pin (`measure constants` sweeps them); no author needs
/// them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverConstants {
    /// How soon a row that turns or stretches within a substep is solved along where it is instead of where it was: the
    /// share of the new direction is turn·‖d − d₀‖²/rest² (see [`crate::row::pull`]).
    pub turn: f32,
    /// Share of what a sweep found that its row's tension grows by in a cloth at rest (1 a substep).
    pub carry: f32,
    /// Strain from which on a tension grows by that; below it in proportion (1).
    pub carry_strain: f32,
    /// Root mean square speed of a cloth from which on its tensions do not grow, in shortest rows a second (1/s); below
    /// they do by 1 − (v/still)².
    pub still: f32,
    /// Share of a hard row's tension that a substep forgets, over `carry` (1): what is left of a load's stretch, and what
    /// keeps tensions from ringing.
    pub leak: f32,
    /// Largest tension: this many times what brings a row from nothing to its rest length in one substep (1).
    pub carry_limit: f32,
    /// Relaxation of the rows swept first above 1, and of those swept last below 1 (1).
    pub spread: f32,
    /// Sweeps over the bounds of each level of aggregates, 1 to 16.
    pub bound_sweeps: u32,
}

impl SolverConstants {
    /// Every constant, as a word.
    pub(super) fn each_word(&self, mut word: impl FnMut(u32)) {
        let Self { turn, carry, carry_strain, still, leak, carry_limit, spread, bound_sweeps } = *self;
        for value in [turn, carry, carry_strain, still, leak, carry_limit, spread] {
            word(canonical_bits(value));
        }
        word(bound_sweeps);
    }
}

impl Default for SolverConstants {
    fn default() -> Self {
        Self {
            turn: 10.0,
            carry: 1.0e-3,
            carry_strain: 0.005,
            still: 1.5,
            leak: 0.02,
            carry_limit: 1.0,
            spread: 0.3,
            bound_sweeps: 1,
        }
    }
}

/// The inputs of one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepInput<'a> {
    /// Length of the step (s), 1e-5 to 1. Use one value throughout: the same inputs give the same bits.
    pub dt: f32,
    /// Gravity, cloth-local (m/s²).
    pub gravity: Vec3,
    /// The air around it.
    pub air: Air<'a>,
    /// How the frame moves that the cloth lives in. Gravity, targets and where colliders are now are in the frame it has when
    /// the step ends; where colliders were is in the frame it had when the step began.
    pub anchor: AnchorMotion,
    /// Where the targets go.
    pub targets: Targets<'a>,
    /// The fabric's settings.
    pub dynamics: &'a ClothDynamics,
    /// What the cloth meets.
    pub colliders: Colliders<'a>,
    /// Layers the cloth is in, a bit each: a collider meets it if its `mask` has one of them.
    pub layer: u32,
    /// Layers of colliders that the cloth meets, a bit each.
    pub mask: u32,
    /// Most substeps that a step may take where a collider passes the cloth faster than the fabric's own can follow, and until
    /// a cloth that was struck so has calmed down; no more than 1024, and no fewer than the fabric's are taken.
    ///
    /// It bounds what a step costs: at worst `iterations`·max(`substeps`, `most_substeps`) sweeps, and contact after each. The
    /// default, 256, is 32 times a step of 8 substeps of one sweep. Nothing bounds the product: 64 iterations and 1024 substeps
    /// are 65,536 sweeps, 8192 such steps in one. Whoever sweeps more often, or has no time for 32 steps, sets less.
    pub most_substeps: u32,
    /// Whether triangles and links meet colliders that fit between particles; particles meet all others anyway.
    pub faces: bool,
    /// Normals of the backstops in source order, cloth-local, of any length, shape (sources, 3). Empty for those of the
    /// targets' own surface; chains have none, so there nothing is behind a target without these.
    pub backstop_normals: &'a [[f32; 3]],
    /// Whether the cloth may fall asleep (see [`crate::State::is_asleep`]).
    pub sleep: bool,
    /// When a particle that nothing frees goes back to its target.
    pub escape: Escape,
    /// Internals of the solver.
    pub constants: SolverConstants,
    /// How many lanes to compute in: changes the time a step takes, and no bit. [`Level::detect`] finds the widest.
    pub level: Level,
}

impl<'a> StepInput<'a> {
    /// A step without air or moving targets, with the default solver constants, in the lanes that the target promises at compile
    /// time.
    #[must_use]
    pub fn new(dt: f32, gravity: Vec3, dynamics: &'a ClothDynamics) -> Self {
        let constants = SolverConstants::default();
        Self {
            dt,
            gravity,
            air: Air::None,
            anchor: AnchorMotion::STANDING,
            targets: Targets::Keep,
            dynamics,
            colliders: Colliders::default(),
            layer: u32::MAX,
            mask: u32::MAX,
            most_substeps: 256,
            faces: true,
            backstop_normals: &[],
            sleep: false,
            escape: Escape::default(),
            constants,
            level: Level::BASELINE,
        }
    }
}

/// Checks everything a step will read from its input.
pub(crate) fn check(model: &Model, input: &StepInput) -> Result<(), StepError> {
    if !STEPS.contains(&input.dt) {
        return Err(StepError::Dt);
    }
    if !is_vector(input.gravity) {
        return Err(StepError::Gravity);
    }
    if let Some(field) = input.dynamics.invalid_field() {
        return Err(StepError::Dynamics { field });
    }
    if let Some(field) = input.anchor.invalid_field() {
        return Err(StepError::Anchor { field });
    }
    let SolverConstants { turn, carry, carry_strain, still, leak, carry_limit, spread, bound_sweeps } =
        input.constants;
    let known = (0.0..=1.0e6).contains(&turn)
        && (0.0..=1.0).contains(&carry)
        && (1.0e-6..=1.0e3).contains(&carry_strain)
        && (1.0e-9..=1.0e3).contains(&still)
        && (0.0..=1.0).contains(&leak)
        && (0.0..=1.0e3).contains(&carry_limit)
        && (0.0..=1.0).contains(&spread)
        && (1..=16).contains(&bound_sweeps);
    if !known {
        return Err(StepError::Constants);
    }
    if let Some(field) = input.escape.invalid_field() {
        return Err(StepError::Escape { field });
    }
    if input.most_substeps > MOST_SUBSTEPS {
        return Err(StepError::MostSubsteps);
    }
    let count = model.source_count();
    match input.air {
        Air::None => {}
        Air::Uniform(velocity) => {
            if !air::is_velocity(velocity.to_array()) {
                return Err(StepError::Air);
            }
        }
        Air::Each(velocities) => {
            if velocities.len() != count as usize {
                return Err(StepError::AirCount { expected: count, provided: velocities.len() });
            }
            if let Some((index, _)) =
                (0..).zip(velocities).find(|(_, velocity)| !air::is_velocity(**velocity))
            {
                return Err(StepError::AirVelocity { index });
            }
        }
    }
    for (index, collider) in (0..).zip(input.colliders.records) {
        collider
            .check_record(input.colliders.shapes)
            .map_err(|error| StepError::Collider { index, error })?;
    }
    let normals = input.backstop_normals;
    if !normals.is_empty() && normals.len() != count as usize {
        return Err(StepError::BackstopNormalCount { expected: count, provided: normals.len() });
    }
    if let Some((index, _)) = (0..).zip(normals).find(|(_, normal)| !is_vector(Vec3::from_array(**normal))) {
        return Err(StepError::BackstopNormal { index });
    }
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
