//! One fixed step of one cloth: a pure function of model, state and input.
//!
//! Rows are solved pair by pair in groups of eight, once a substep, along the directions they had when the substep began
//! ([`crate::row::pull`]): SHAKE's leapfrog, turning into position-based dynamics where a row turns too fast for it. Nested
//! aggregates with bounds between them carry what is far ahead of the sweep (`aggregate`), and what a sweep leaves of a
//! load is collected as a slowly growing tension (`stretch`, `push`), so that cloth at rest does not stretch.
//!
//! Every pass is a kernel over [`crate::simd::Lanes`], the same bits at any width.

mod aggregate;
mod air;
#[cfg(not(feature = "team"))]
mod alone;
mod backstop;
mod batch;
mod carry;
mod escape;
mod faces;
pub(crate) mod input;
mod leash;
mod mobility;
mod pace;
mod predict;
mod push;
mod report;
mod rigid;
#[cfg(feature = "team")]
mod share;
mod sleep;
mod soft;
mod stretch;
mod targets;
mod touch;
mod velocity;
mod world;

pub use escape::Escape;
pub use input::{Colliders, MOST_SUBSTEPS, SolverConstants, StepInput, Target, Targets};
pub use report::{StepError, StepReport};
#[cfg(feature = "team")]
pub use share::{Apart, Sharing, sharing, step_by};

use crate::anchor::Teleport;
use crate::fabric::map::{self, StepNumbers};
use crate::math::real;
use crate::simd::Level;
use crate::state::layout::StateHeader;
use crate::state::{State, any_held};
#[cfg(not(feature = "team"))]
use alone::Share;
use predict::Course;
#[cfg(feature = "team")]
use share::Share;

/// What every pass of a step reads besides the state.
#[derive(Clone, Copy)]
pub(crate) struct Pass<'a> {
    pub input: &'a StepInput<'a>,
    pub numbers: StepNumbers,
    pub level: Level,
    /// Whether any particle is held.
    pub held: bool,
    /// Whether the cloth lies on colliders that stand still, and is slow.
    pub rests: bool,
    /// [`SolverConstants::turn`], or more in a cloth that rests.
    pub turn: f32,
    /// What positions are relative to within the step (m).
    pub origin: [f32; 3],
    /// What tensions do in this step.
    pub calm: Calm,
    /// The frame it is computed in.
    pub frame: carry::Frame,
    /// Whether there is air.
    pub blown: bool,
    /// The threads that share it.
    share: Option<Share<'a>>,
}

/// What the tensions of hard rows do.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Calm {
    /// They leak: the cloth moves.
    Moving,
    /// They grow, at this share of their rate (1): the cloth has come to rest.
    Settling(f32),
    /// They stay: the cloth has been at rest for long.
    Settled,
}

/// Substeps between two looks at bend and tension, whose force is taken at the middle of that time and held.
const PUSH_SPAN: u32 = 2;

/// Square of a cloth's speed, over that below which its tensions grow, from which on it does not rest on what it touches (1).
const SLOW: f32 = 100.0;

/// By how much more rows are solved along where they are in a cloth that rests. The leapfrog of rows along where they were has
/// an energy to keep only where rows can be satisfied. In a heap of folds they cannot: a silk sheet of 30 cm, lowered onto a
/// floor without friction, crawled for ever at 0.3 m/s.
const RESTING: f32 = 300.0;

/// Advances a cloth by one step.
///
/// # Errors
/// [`StepError`] names what is wrong with the input; nothing has changed then.
pub fn step(state: &mut State, input: &StepInput) -> Result<StepReport, StepError> {
    advance(state, input, None)
}

/// [`step`], shared by threads if there are any.
fn advance(state: &mut State, input: &StepInput, share: Option<Share>) -> Result<StepReport, StepError> {
    input::check(state.model(), input)?;
    let numbers = step_numbers(state, input, input.dynamics.substeps);
    let carry = carry::look(state, input);
    let mut pass = Pass {
        input,
        numbers,
        level: input.level,
        held: any_held(state),
        rests: false,
        turn: input.constants.turn,
        origin: targets::origin(state),
        calm: Calm::Moving,
        frame: carry.frame,
        blown: air::blows(input),
        share,
    };
    let mut report = StepReport { teleported: carry.teleport(), ..StepReport::default() };
    if report.teleported == Some(Teleport::Reset) {
        carry::reset(state, input);
        carry.note(state);
        count(state);
        return Ok(report);
    }
    if sleep::sleeps(state, &pass) {
        report.asleep = true;
        carry.note_welded(state);
        return Ok(report);
    }
    let motion = velocity::motion(state, input);
    pass.calm = stretch::calm(state, &pass, motion);
    carry::begin(state, &carry, input.dynamics.inertia);
    carry.note(state);
    pass.origin = targets::origin(state);

    targets::begin(state, &pass);
    escape::begin(state, &pass);
    let mut world = world::look(state, &pass, 1.0);
    let substeps = pace::substeps(state, &pass, &world);
    if substeps != pass.numbers.substeps {
        pass.numbers = step_numbers(state, input, substeps);
    }
    report.dropped_colliders = world.dropped;
    if leans(state) && motion < SLOW {
        pass.rests = true;
        pass.turn *= RESTING;
    }
    air::begin(state, &pass);
    begin(state, &pass);
    let mut left = substeps;
    let (mut moving, mut pinched) = (false, false);
    while left > 0 {
        if is_push_due(&pass.numbers, left) {
            let begins = left == pass.numbers.substeps;
            if !begins && pace::doubles(state, &pass, &world, left) {
                pass.numbers = step_numbers(state, input, 2 * pass.numbers.substeps);
                left *= 2;
                predict::set_out(state, &pass, next(&pass, left), 0.0);
            }
            if !begins && stretch::tensions_change(state, &pass) {
                push::begin(state, &pass);
            }
            push::push(state, &pass);
            let aside = air::aside(&pass, left.min(PUSH_SPAN));
            predict::set_out(state, &pass, Course::predict(&pass, left), aside);
        }
        soft::bend(state, &pass);
        soft::skip(state, &pass);
        for iteration in 1..=pass.numbers.iterations {
            aggregate::bounds(state, &pass);
            stretch::sweep(state, &pass, iteration, left);
            if iteration < pass.numbers.iterations {
                // The next sweep is to know what the surfaces took from this one.
                touch::particles(state, &pass, &world, left, &mut touch::Touched::default());
            }
        }
        stretch::limit(state, &pass);
        leash::tethers(state, &pass);
        leash::leashes(state, &pass, left);
        backstop::backstops(state, &pass, left);
        let mut touched = touch::Touched::default();
        faces::faces(state, &pass, &world, left, &mut touched);
        touch::particles(state, &pass, &world, left, &mut touched);
        moving |= touched.moving;
        pinched = touched.pinched;
        report.contacts = report.contacts.wrapping_add(touched.contacts);
        report.missed_crossings = report.missed_crossings.wrapping_add(touched.missed);
        let rescued = velocity::velocity(state, &pass, next(&pass, left - 1));
        if rescued > 0 {
            // The tensions are gone; so is what they push.
            push::begin(state, &pass);
        }
        report.rescued += rescued;
        world::follow(state, &pass, &mut world, left, &mut report);
        report.substeps += 1;
        left -= 1;
    }
    state.fields.header.set(StateHeader::CARRIED, moving);
    end(state, &pass, pinched, &mut report);
    Ok(report)
}

/// Whether the cloth met colliders in the last step, none of which moved.
fn leans(state: &State) -> bool {
    let met = StateHeader::TOUCHING | StateHeader::CARRIED;
    state.fields.header.flags & met == StateHeader::TOUCHING
}

fn step_numbers(state: &State, input: &StepInput, substeps: u32) -> StepNumbers {
    let numbers = map::step_numbers(input.dynamics, input.dt, substeps, state.model().extent());
    let numbers = StepNumbers { max_speed: real::min(numbers.max_speed, velocity::FASTEST), ..numbers };
    carry::settling(state, numbers, input.dynamics.damping)
}

/// Whether bend and tension are looked at before the substep that has `left` to go, itself included.
fn is_push_due(numbers: &StepNumbers, left: u32) -> bool {
    (numbers.substeps - left).is_multiple_of(PUSH_SPAN)
}

/// What particles are asked for when `left` substeps are to go.
fn next(pass: &Pass, left: u32) -> Course {
    match left {
        0 => Course::End,
        // The middle of the time the push is held for.
        _ if is_push_due(&pass.numbers, left) => {
            Course::Ahead(0.5 * pass.numbers.h * real::from_count(left.min(PUSH_SPAN)))
        }
        _ => Course::predict(pass, left),
    }
}

/// Lays out the nodes of the sweep.
fn begin(state: &mut State, pass: &Pass) {
    aggregate::begin(state);
    mobility::begin(state, pass);
    leash::begin(state);
    backstop::begin(state, pass);
    push::begin(state, pass);
    predict::set_out(state, pass, next(pass, pass.numbers.substeps), 0.0);
}

/// Counts a step.
fn count(state: &mut State) {
    let steps = state.steps().wrapping_add(1);
    state.fields.header.steps = crate::state::low_high(steps);
}

/// Takes the nodes over, counts the step, and measures where it ended.
fn end(state: &mut State, pass: &Pass, pinched: bool, report: &mut StepReport) {
    carry::end(state, pass);
    targets::end(state, pass);
    count(state);
    let settle = &mut state.fields.header.settle;
    *settle = settle.saturating_sub(1);
    state.fields.header.set(StateHeader::TOUCHING, report.contacts > 0);
    velocity::measure(state, pass, report);
    report.escaped = escape::end(state, pass, report.max_strain, pinched);
    sleep::watch(state, pass);
    report.asleep = state.is_asleep();
    report.bend = push::bend(&state.model, pass);
}
