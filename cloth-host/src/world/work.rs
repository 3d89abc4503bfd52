//! One cloth as it crosses threads: a state, all that its next step reads, and what the step answered.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use cloth_core::anchor::AnchorMotion;
use cloth_core::collide::Collider;
use cloth_core::step::{Colliders, Escape};
use cloth_core::{
    Air, Baked, Block, ClothDynamics, Level, State, StateError, StepError, StepInput, StepReport, Targets,
    Vec3,
};
#[cfg(feature = "threads")]
use cloth_core::{Apart, Sharing, Team, step::sharing, step_by};
use self_cell::{MutBorrow, self_cell};

use super::ExecutorFault;
use super::published::Published;

struct Memory {
    model: Arc<Baked>,
    state: MutBorrow<Vec<Block>>,
}

/// What is seeded in a memory.
struct Seeded<'m> {
    state: State<'m>,
    /// What of its model threads may do at the same time: found when they first share a step, and good for as long as the state has
    /// that model, whatever is restored into it. On the heap, because few cloths are large and all are moved.
    #[cfg(feature = "threads")]
    apart: Option<Box<Apart<'m>>>,
}

impl<'m> Seeded<'m> {
    fn new(state: State<'m>) -> Self {
        Self {
            state,
            #[cfg(feature = "threads")]
            apart: None,
        }
    }
}

self_cell!(
    /// A state together with the memory it is a view of.
    struct Held {
        owner: Memory,
        #[covariant]
        dependent: Seeded,
    }
);

/// What a step is told, owned.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub dt: f32,
    pub gravity: Vec3,
    pub anchor: AnchorMotion,
    /// `None` where they stay.
    pub targets: Option<Vec<[f32; 3]>>,
    pub dynamics: ClothDynamics,
    pub colliders: Vec<Collider>,
    pub shapes: Arc<Vec<u32>>,
    pub layer: u32,
    pub mask: u32,
    pub sleep: bool,
    pub escape: Escape,
    pub most_substeps: u32,
    pub breath: Breath,
    /// The air at each vertex (m/s), where it is told so; what is here otherwise is memory.
    pub breezes: Vec<[f32; 3]>,
}

/// What air a step is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Breath {
    None,
    /// Of this velocity everywhere (m/s).
    Uniform(Vec3),
    /// That in [`Told::breezes`].
    Each,
}

/// Why there is no report.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Unstepped {
    /// The step refused; the state is as it was.
    Refused(StepError),
    /// The step panicked, saying this; the state is worth nothing.
    Panicked(String),
}

/// A cloth to be stepped: what an [`Executor`](super::Executor) gets. It holds all it needs and nothing of the world.
pub struct Work {
    held: Held,
    pub(super) told: Told,
    pub(super) published: Published,
    pub(super) level: Level,
    pub(super) timed: bool,
    /// The world and the flight it is on, and which one of that it is.
    flight: (u64, u64),
    ticket: usize,
    /// Steps taken since it was handed over.
    taken: u32,
    result: Option<Result<StepReport, Unstepped>>,
    /// What the last step took (ms); 0 where nobody asked.
    pub(super) milliseconds: f64,
}

impl Work {
    /// A cloth at its rest pose.
    pub(super) fn seed(model: Arc<Baked>) -> Result<Self, StateError> {
        let blocks = model.model().state_blocks();
        let memory = Memory { model, state: MutBorrow::new(vec![Block::default(); blocks]) };
        let held = Held::try_new(memory, |memory| {
            State::seed(&memory.model.model(), memory.state.borrow_mut()).map(Seeded::new)
        })?;
        let told = Told {
            dt: 1.0 / 60.0,
            gravity: Vec3::ZERO,
            anchor: AnchorMotion::STANDING,
            targets: None,
            dynamics: ClothDynamics::default(),
            colliders: Vec::new(),
            shapes: Arc::default(),
            layer: u32::MAX,
            mask: u32::MAX,
            sleep: true,
            escape: Escape::default(),
            most_substeps: 0,
            breath: Breath::None,
            breezes: Vec::new(),
        };
        Ok(Self {
            held,
            told,
            published: Published::default(),
            level: Level::detect(),
            timed: false,
            flight: (0, 0),
            ticket: 0,
            taken: 0,
            result: None,
            milliseconds: 0.0,
        })
    }

    /// Takes the step, once; whoever asks again does nothing, and is told of ([`ExecutorFault::Stepped`]). Which thread does, and when,
    /// changes no bit of it.
    ///
    /// It does not unwind: should the step panic, which would be a defect of it, the world says so and the cloth is seeded anew.
    pub fn step(&mut self) {
        self.step_by(cloth_core::step);
    }

    /// As [`Work::step`], on the threads of a team, with the same bits, where [`cloth_core::step::sharing`] says that it is worth it.
    /// What may be shared is found once for a cloth that was seeded, and kept.
    #[cfg(feature = "threads")]
    pub fn step_shared(&mut self, team: &dyn Team) {
        self.step_seeded(|Seeded { state, apart }, input| {
            if !matches!(sharing(team, state.model()), Sharing::Shared { .. }) {
                return cloth_core::step(state, input);
            }
            let apart = match apart {
                Some(apart) if apart.is_of(state.model()) => apart,
                apart => apart.insert(Box::new(Apart::find(state))),
            };
            step_by(team, apart, state, input)
        });
    }

    /// [`Work::step`], by whoever wants to see what the step is told and what came of it.
    pub(crate) fn step_by(
        &mut self,
        step: impl FnOnce(&mut State<'_>, &StepInput<'_>) -> Result<StepReport, StepError>,
    ) {
        self.step_seeded(|seeded, input| step(&mut seeded.state, input));
    }

    fn step_seeded(
        &mut self,
        step: impl FnOnce(&mut Seeded<'_>, &StepInput<'_>) -> Result<StepReport, StepError>,
    ) {
        self.taken = self.taken.saturating_add(1);
        if self.result.is_some() {
            return;
        }
        let Self { held, told, published, level, timed, result, milliseconds, .. } = self;
        let input = StepInput {
            anchor: told.anchor,
            targets: told.targets.as_deref().map_or(Targets::Keep, Targets::All),
            colliders: Colliders { records: &told.colliders, shapes: &told.shapes },
            air: match told.breath {
                Breath::None => Air::None,
                Breath::Uniform(velocity) => Air::Uniform(velocity),
                Breath::Each => Air::Each(&told.breezes),
            },
            layer: told.layer,
            mask: told.mask,
            sleep: told.sleep,
            escape: told.escape,
            most_substeps: told.most_substeps,
            level: *level,
            ..StepInput::new(told.dt, told.gravity, &told.dynamics)
        };
        let start = timed.then(Instant::now);
        // Nobody sees a state that a panic left: it is thrown away.
        let answer = catch_unwind(AssertUnwindSafe(|| {
            held.with_dependent_mut(|_, seeded| {
                let report = step(seeded, &input)?;
                published.fill(&seeded.state, &report);
                Ok(report)
            })
        }));
        *milliseconds = start.map_or(0.0, |start| start.elapsed().as_secs_f64() * 1e3);
        *result = Some(match answer {
            Ok(answer) => answer.map_err(Unstepped::Refused),
            Err(panic) => Err(Unstepped::Panicked(said(&*panic))),
        });
    }

    /// Takes a step that panics.
    #[cfg(test)]
    pub(super) fn panic(&mut self, message: &str) {
        self.step_by(|_, _| panic!("{message}"));
    }

    /// Goes on a flight.
    pub(super) fn board(&mut self, flight: (u64, u64), ticket: usize) {
        (self.flight, self.ticket, self.taken, self.result) = (flight, ticket, 0, None);
    }

    /// The world and the flight it is on.
    pub(super) fn flight(&self) -> (u64, u64) {
        self.flight
    }

    /// Which one of its flight it is.
    pub(super) fn ticket(&self) -> usize {
        self.ticket
    }

    /// Whether it was stepped once on its flight, as it has to be.
    pub(super) fn fault(&self) -> Option<ExecutorFault> {
        match self.taken {
            0 => Some(ExecutorFault::NotStepped),
            1 => None,
            times => Some(ExecutorFault::Stepped { times }),
        }
    }

    /// What the step answered, once.
    pub(super) fn take_result(&mut self) -> Option<Result<StepReport, Unstepped>> {
        self.result.take()
    }

    /// The state.
    pub fn state(&self) -> &State<'_> {
        &self.held.borrow_dependent().state
    }

    /// The model it was seeded from.
    pub(super) fn baked(&self) -> &Arc<Baked> {
        &self.held.borrow_owner().model
    }

    /// Does something with the state.
    pub(super) fn with_state<T>(&mut self, work: impl FnOnce(&mut State<'_>) -> T) -> T {
        self.held.with_dependent_mut(|_, seeded| work(&mut seeded.state))
    }

    /// Where its vertices were authored (m).
    pub(super) fn rest(&self) -> Vec<[f32; 3]> {
        let model = self.state().model();
        let particles = model.particles();
        let rest = |particle: &u32| particles.get(*particle as usize).map(|particle| particle.rest);
        model.particle_of().iter().filter_map(rest).collect()
    }
}

impl core::fmt::Debug for Work {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Work").field("state", &self.state().fingerprint()).finish_non_exhaustive()
    }
}

/// What a panic says.
fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("(no message)").to_owned()
}
