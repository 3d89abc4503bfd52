//! A step that several threads share.
//!
//! Stretch rows and bounds are swept run by run: no two groups of a run lead to the same node ([`crate::simd::Runs`]). What is done
//! particle by particle is cut where it asks for nothing that another part writes. Whoever does which part when, and in how many
//! parts, the bits are those of a step on one thread. Sums and largest values keep their order, and are one thread's, as is what
//! meets colliders, hinges that are solved one by one, skip rows, and all that is done once a step.

use super::stretch::{Marks, Relaxation};
use super::{Pass, StepError, StepInput, StepReport, advance};
use crate::model::Model;
use crate::model::plan::Plan;
use crate::simd::{Crew, Cut, Kernel, MOST_PARTS, Rows, Team, gather};
use crate::state::State;
use crate::state::layout::Node;
use core::ops::Range;

/// Who helps with a step, and with what.
#[derive(Clone, Copy)]
pub(super) struct Share<'a> {
    crew: &'a Crew<'a>,
    pub plan: &'a Plan<'a>,
    marks: &'a Marks,
}

/// Whether a team shares the steps of a model, and if not, why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// It does.
    Shared {
        /// On so many threads, no more than eight.
        threads: usize,
    },
    /// The team is one thread.
    Alone,
    /// The cloth is too small.
    Small {
        /// Particles it has.
        particles: u32,
        /// Particles from which on it pays ([`Worth::particles`](crate::simd::Worth::particles)).
        least: u32,
    },
}

impl core::fmt::Display for Sharing {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match *self {
            Self::Shared { threads } => write!(f, "Steps are shared by {threads} threads."),
            Self::Alone => f.write_str("Steps are taken by one thread: there is no other."),
            Self::Small { particles, least } => write!(
                f,
                "Steps are taken by one thread: the cloth has {particles} particles, and below {least} to wait for another takes longer than to do its part."
            ),
        }
    }
}

/// Whether `team` shares the steps of `model`.
pub fn sharing(team: &dyn Team, model: &Model) -> Sharing {
    let (threads, least) = (team.threads().min(MOST_PARTS), team.worth().particles);
    if threads < 2 {
        Sharing::Alone
    } else if model.particle_count() < least {
        Sharing::Small { particles: model.particle_count(), least }
    } else {
        Sharing::Shared { threads }
    }
}

/// What of a model several threads may do at the same time: found once, and kept by whoever has a team.
#[derive(Clone, Copy, Debug)]
pub struct Apart<'m> {
    plan: Plan<'m>,
    model: Model<'m>,
}

impl<'m> Apart<'m> {
    /// Looks at every index of the model of a state. Of the state itself nothing changes that a step reads.
    pub fn find(state: &mut State<'m>) -> Self {
        Self { plan: state.plan(), model: *state.model() }
    }

    /// Whether it was found in this very model.
    pub fn is_of(&self, model: &Model) -> bool {
        core::ptr::eq(self.model.blocks(), model.blocks())
    }
}

/// As [`step`](super::step()), on the threads of a team, with the same bits whatever the team: where [`sharing`] says that it
/// is not worth it, or `apart` is of another model, on this thread alone.
///
/// # Errors
/// As [`step`](super::step()).
pub fn step_by(
    team: &dyn Team,
    apart: &Apart,
    state: &mut State,
    input: &StepInput,
) -> Result<StepReport, StepError> {
    let threads = match sharing(team, state.model()) {
        Sharing::Shared { threads } if apart.is_of(state.model()) => threads,
        _ => return advance(state, input, None),
    };
    let plan = &apart.plan;
    let marks = Relaxation::new(state.model(), input.constants.spread).marks();
    let mut done = None;
    gather(team, threads, |crew| {
        done = Some(advance(state, input, Some(Share { crew, plan, marks: &marks })));
    });
    // `gather` has called what it was given.
    done.unwrap_or(Ok(StepReport::default()))
}

impl<'a> Pass<'a> {
    /// Runs a kernel, shared by threads if there are any.
    pub(super) fn run<K: Kernel<Output = ()> + Cut + Send>(&self, kernel: K) {
        match self.share {
            Some(share) => _ = share.crew.run(self.level, kernel),
            None => self.level.run(kernel),
        }
    }

    /// Whether so many groups, in runs of a sweep, are worth being looked at run by run.
    pub(super) fn is_worth_it(&self, groups: usize) -> bool {
        self.share.is_some_and(|share| share.crew.is_worth_it(groups))
    }

    /// As [`Pass::run`], of a kernel that counts something.
    pub(super) fn count<K: Kernel<Output = u32> + Cut + Send>(&self, kernel: K) -> u32 {
        match self.share {
            Some(share) => {
                share.crew.run(self.level, kernel).into_iter().flatten().fold(0, u32::wrapping_add)
            }
            None => self.level.run(kernel),
        }
    }

    /// Goes through the stretch rows, run by run where others share them.
    pub(super) fn stretch_runs(
        &self,
        model: &Model,
        nodes: &mut [Node],
        mut each: impl FnMut(Rows<Node, 2>, Range<usize>),
    ) {
        let all = 0..model.stretch_groups().len();
        let Some(share) = self.share else {
            return each(Rows::new(model.stretch_ends(), nodes), all);
        };
        let runs = &share.plan.stretch;
        for run in runs.within(all.start, all.end) {
            each(runs.rows(run, nodes), run.first..run.end);
        }
    }

    /// What is known of relaxations.
    pub(super) fn marks(&self) -> Option<&'a Marks> {
        self.share.map(|share| share.marks)
    }
}
