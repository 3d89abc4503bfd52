//! The frames of a stream: what each step is told, what happens before it, what it must leave.

use super::command::{self, Command, Event, Switches};
use super::{Replay, ReplayError};
use crate::air::Air;
use crate::simd::Level;
use crate::state::is_vector;
use crate::step::{Colliders, Escape, SolverConstants, StepInput, StepReport, Targets, input, step};
use crate::{AnchorMotion, ClothDynamics, Fingerprint, State, StateError, Vec3};

/// What a step is told, and keeps being told until it is told otherwise.
#[derive(Clone, Copy, Debug)]
struct Settings<'a> {
    dt: f32,
    gravity: Vec3,
    air: Air<'a>,
    anchor: AnchorMotion,
    dynamics: ClothDynamics,
    constants: SolverConstants,
    switches: Switches,
    escape: Escape,
    colliders: Colliders<'a>,
    targets: Targets<'a>,
    normals: &'a [[f32; 3]],
}

impl Settings<'_> {
    /// All zero and empty: nothing that a step would take.
    fn none() -> Self {
        Self {
            dt: 0.0,
            gravity: Vec3::ZERO,
            air: Air::None,
            anchor: AnchorMotion::STANDING,
            dynamics: ClothDynamics { substeps: 0, ..ClothDynamics::default() },
            constants: SolverConstants { bound_sweeps: 0, ..SolverConstants::default() },
            switches: Switches::default(),
            escape: Escape::default(),
            colliders: Colliders::default(),
            targets: Targets::Keep,
            normals: &[],
        }
    }
}

/// One recorded step.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    number: u32,
    settings: Settings<'a>,
    /// The frame's own commands.
    commands: &'a [u32],
    after: Fingerprint,
}

impl<'a> Frame<'a> {
    /// Its number; the first is 1.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// What the step is told, to be computed in the lanes that the target promises at compile time.
    pub fn input(&self) -> StepInput<'_> {
        let Settings {
            dt,
            gravity,
            air,
            anchor,
            ref dynamics,
            constants,
            switches,
            escape,
            colliders,
            targets,
            normals,
        } = self.settings;
        let Switches { layer, mask, most_substeps, faces, sleep } = switches;
        StepInput {
            dt,
            gravity,
            air,
            anchor,
            targets,
            dynamics,
            colliders,
            layer,
            mask,
            most_substeps,
            faces,
            backstop_normals: normals,
            sleep,
            escape,
            constants,
            level: Level::BASELINE,
        }
    }

    /// What happens before the step, in order.
    pub fn events(&self) -> impl Iterator<Item = Event> + use<'a> {
        let mut rest = self.commands;
        core::iter::from_fn(move || {
            loop {
                let (command, after) = command::read(rest)?;
                rest = after;
                if let Command::Event(event) = command {
                    return Some(event);
                }
            }
        })
    }

    /// The fingerprint that the step must leave.
    pub fn after(&self) -> Fingerprint {
        self.after
    }

    /// Lets the frame's events happen and takes its step, in the lanes of `level`.
    ///
    /// # Errors
    /// [`ReplayError::Event`] and [`ReplayError::Step`], for a state of another model than the replay's only: a replay that
    /// was looked through has none of its own. The events before the one that was refused have happened.
    pub fn play(&self, state: &mut State<'_>, level: Level) -> Result<StepReport, ReplayError> {
        let frame = self.number;
        for event in self.events() {
            event.happen(state).map_err(|error| ReplayError::Event { frame, error })?;
        }
        step(state, &StepInput { level, ..self.input() }).map_err(|error| ReplayError::Step { frame, error })
    }
}

/// The frames of a replay, in their order.
#[derive(Clone, Debug)]
pub struct Frames<'a> {
    rest: &'a [u32],
    settings: Settings<'a>,
    number: u32,
}

impl<'a> Frames<'a> {
    pub(super) fn new(stream: &'a [u32]) -> Self {
        Self { rest: stream, settings: Settings::none(), number: 0 }
    }
}

impl<'a> Iterator for Frames<'a> {
    type Item = Frame<'a>;

    /// The next frame; `None` at the end, or where the stream is damaged, which one that was looked through is not.
    fn next(&mut self) -> Option<Frame<'a>> {
        let commands = self.rest;
        loop {
            let (command, rest) = command::read(self.rest)?;
            self.rest = rest;
            let settings = &mut self.settings;
            match command {
                Command::Step(after) => {
                    self.number = self.number.saturating_add(1);
                    let commands = before(commands, rest);
                    return Some(Frame { number: self.number, settings: self.settings, commands, after });
                }
                Command::Dt(dt) => settings.dt = dt,
                Command::Gravity(gravity) => settings.gravity = gravity,
                Command::Air(air) => settings.air = air,
                Command::Anchor(anchor) => settings.anchor = anchor,
                Command::Dynamics(dynamics) => settings.dynamics = dynamics,
                Command::Constants(constants) => settings.constants = constants,
                Command::Switches(switches) => settings.switches = switches,
                Command::Escape(escape) => settings.escape = escape,
                Command::Colliders(colliders) => settings.colliders.records = colliders,
                Command::Shapes(shapes) => settings.colliders.shapes = shapes,
                Command::Targets(targets) => settings.targets = targets,
                Command::Normals(normals) => settings.normals = normals,
                Command::Event(_) => {}
            }
        }
    }
}

/// The words of `all` before its tail `rest`.
fn before<'a>(all: &'a [u32], rest: &[u32]) -> &'a [u32] {
    all.get(..all.len().saturating_sub(rest.len())).unwrap_or(&[])
}

/// Looks through all frames: what `step` and the events would refuse is refused here.
pub(super) fn check(replay: &Replay<'_>) -> Result<(), ReplayError> {
    let model = replay.model();
    let mut frames = replay.frames();
    let mut left = frames.rest;
    while let Some(frame) = frames.next() {
        left = frames.rest;
        let number = frame.number();
        for event in frame.events() {
            check_event(event, model.source_count())
                .map_err(|error| ReplayError::Event { frame: number, error })?;
        }
        input::check(model, &frame.input()).map_err(|error| ReplayError::Step { frame: number, error })?;
    }
    // Behind the last frame nothing is left, not even commands without a step.
    if !left.is_empty() {
        let word = replay.stream.len().saturating_sub(frames.rest.len());
        return Err(ReplayError::Damaged { frame: frames.number.saturating_add(1), word });
    }
    if frames.number != replay.frame_count() { Err(ReplayError::Header) } else { Ok(()) }
}

fn check_event(event: Event, count: u32) -> Result<(), StateError> {
    let (vertex, vectors) = match event {
        Event::Wake => return Ok(()),
        Event::Release { vertex } => (vertex, [Vec3::ZERO; 2]),
        Event::Hold { vertex, target } => (vertex, [target, Vec3::ZERO]),
        Event::Place { vertex, position, velocity } => (vertex, [position, velocity]),
    };
    if vertex >= count {
        return Err(StateError::NoSuchVertex { vertex, count });
    }
    if vectors.into_iter().all(is_vector) { Ok(()) } else { Err(StateError::NonFinite { vertex }) }
}
