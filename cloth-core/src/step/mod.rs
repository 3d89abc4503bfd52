//! One fixed step of one cloth: a pure function of model, state and input.
//!
//! Vertex block descent (Chen, Liu, Yang and Yuksel, SIGGRAPH 2024) with augmented-Lagrangian hard rows
//! (Giles, Diaz and Yuksel, SIGGRAPH 2025), every vertex system scaled by h²/m so that its mass term is the
//! identity: a hard row's penalty is then a pure number and every exact pivot at least 1. The sweep is one
//! module behind [`step()`]; the laws it applies are in [`crate::row`].

mod dual;
mod guard;
mod input;
mod predict;
#[cfg(feature = "probe")]
pub mod probe;
#[cfg(not(feature = "probe"))]
mod probe;
mod report;
mod rigid;
mod sweep;
mod targets;
mod velocity;
mod vertex;

pub use input::{SolverConstants, StepInput, Target, Targets};
pub use report::{StepError, StepReport};

use crate::fabric::map::{self, StepNumbers};
use crate::math::real;
use crate::row::stretch;
use crate::state::layout::{MAX_SPEED, NO_STRAIN_LIMIT};
use crate::state::{self, State};
use probe::{Blind, Probe};

/// What every pass of a step reads besides the state.
#[derive(Clone, Copy)]
pub(crate) struct Pass<'a> {
    pub input: &'a StepInput<'a>,
    pub numbers: StepNumbers,
    /// Largest penalty of a soft row over its effective inertia (1).
    pub soft_ratio: f32,
}

/// Advances a cloth by one step.
///
/// # Errors
/// [`StepError`] names what is wrong with the input; nothing has changed then.
pub fn step(state: &mut State, input: &StepInput) -> Result<StepReport, StepError> {
    run(state, input, &mut Blind)
}

/// The order of a step, written once.
pub(crate) fn run<P: Probe>(
    state: &mut State,
    input: &StepInput,
    probe: &mut P,
) -> Result<StepReport, StepError> {
    input::check(state, input)?;
    let mut numbers = map::step_numbers(input.dynamics, input.dt, state.model().shortest_row());
    numbers.max_speed = real::min(numbers.max_speed, MAX_SPEED);
    let soft_ratio = if P::SOFT_LIMIT { stretch::MAX_SOFT_RATIO } else { f32::INFINITY };
    let pass = Pass { input, numbers, soft_ratio };
    begin(state, &pass);
    let mut report = StepReport::default();
    for left in (1..=numbers.substeps).rev() {
        targets::advance(state, input.targets, left);
        predict::predict(state, &pass);
        dual::warm_start(state, &pass);
        for _ in 0..numbers.iterations {
            sweep::sweep(state, &pass, probe);
            dual::update(state, &pass);
        }
        velocity::velocity(state, &pass);
        report.rescued += guard::restore_marked(state);
    }
    end(state, &mut report);
    Ok(report)
}

/// Remembers where the step began, and starts rows cold whose bounds an author moved.
fn begin(state: &mut State, pass: &Pass) {
    let model = state.model;
    let fields = &mut state.fields;
    for (start, body) in fields.start.iter_mut().zip(fields.bodies.iter()) {
        start.value = body.position;
    }
    let slack = pass.numbers.slack.unwrap_or(1.0);
    if slack.to_bits() != fields.header.slack.to_bits() {
        state::reset_leashes(&model, fields, slack);
    }
    let allowance = pass.numbers.allowance.unwrap_or(NO_STRAIN_LIMIT);
    if allowance.to_bits() != fields.header.allowance.to_bits() {
        state::reset_strain(&model, fields, allowance);
    }
}

/// Counts the step and measures where it ended.
fn end(state: &mut State, report: &mut StepReport) {
    let steps = state.steps().wrapping_add(1);
    state.fields.header.steps = state::low_high(steps);
    velocity::measure(state, report);
}
