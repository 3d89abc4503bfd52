//! One cloth as it crosses threads: a state, all that its next step reads, and what the step answered.

use std::sync::Arc;
use std::time::Instant;

use cloth_core::anchor::AnchorMotion;
use cloth_core::collide::Collider;
use cloth_core::step::{Colliders, Escape};
use cloth_core::{
    Baked, Block, ClothDynamics, Level, State, StateError, StepError, StepInput, StepReport, Targets, Vec3,
};
use self_cell::{MutBorrow, self_cell};

struct Memory {
    model: Arc<Baked>,
    state: MutBorrow<Vec<Block>>,
}

self_cell!(
    /// A state together with the memory it is a view of.
    struct Held {
        owner: Memory,
        #[covariant]
        dependent: State,
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
}

/// A cloth to be stepped: what an [`Executor`](super::Executor) gets. It holds all it needs and nothing of the world.
pub struct Work {
    held: Held,
    pub(super) told: Told,
    pub(super) level: Level,
    pub(super) timed: bool,
    /// Which one of its tick.
    pub(super) ticket: usize,
    result: Option<Result<StepReport, StepError>>,
    /// What the last step took (ms); 0 where nobody asked.
    pub(super) milliseconds: f64,
}

impl Work {
    /// A cloth at its rest pose.
    pub(super) fn seed(model: Arc<Baked>) -> Result<Self, StateError> {
        let blocks = model.model().state_blocks();
        let memory = Memory { model, state: MutBorrow::new(vec![Block::default(); blocks]) };
        let held =
            Held::try_new(memory, |memory| State::seed(&memory.model.model(), memory.state.borrow_mut()))?;
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
        };
        Ok(Self {
            held,
            told,
            level: Level::detect(),
            timed: false,
            ticket: 0,
            result: None,
            milliseconds: 0.0,
        })
    }

    /// Takes the step. Which thread does, and when, changes no bit of it.
    pub fn step(&mut self) {
        let Self { held, told, level, timed, result, milliseconds, .. } = self;
        let input = StepInput {
            anchor: told.anchor,
            targets: told.targets.as_deref().map_or(Targets::Keep, Targets::All),
            colliders: Colliders { records: &told.colliders, shapes: &told.shapes },
            layer: told.layer,
            mask: told.mask,
            sleep: told.sleep,
            escape: told.escape,
            level: *level,
            ..StepInput::new(told.dt, told.gravity, &told.dynamics)
        };
        let start = timed.then(Instant::now);
        *result = Some(held.with_dependent_mut(|_, state| cloth_core::step(state, &input)));
        *milliseconds = start.map_or(0.0, |start| start.elapsed().as_secs_f64() * 1e3);
    }

    /// What the step answered, once.
    pub(super) fn take_result(&mut self) -> Option<Result<StepReport, StepError>> {
        self.result.take()
    }

    /// The state.
    pub fn state(&self) -> &State<'_> {
        self.held.borrow_dependent()
    }

    /// The model it was seeded from.
    pub(super) fn baked(&self) -> &Arc<Baked> {
        &self.held.borrow_owner().model
    }

    /// Does something with the state.
    pub(super) fn with_state<T>(&mut self, work: impl FnOnce(&mut State<'_>) -> T) -> T {
        self.held.with_dependent_mut(|_, state| work(state))
    }
}

impl core::fmt::Debug for Work {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Work").field("state", &self.state().fingerprint()).finish_non_exhaustive()
    }
}
