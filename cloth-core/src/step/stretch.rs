//! The sweep over stretch rows and strain limits, and the tension it leaves behind.
//!
//! A hard row brings its length to rest. A soft row is compliant (Macklin, Müller and Chentanez, *XPBD*, 2016):
//! λ = (C − c·F)/(w_a + w_b + c/h²) with compliance c = 1/k and the force F that the row's tension already applies, so that
//! at rest, when nothing moves, F = k·C.
//! With the strain limit on another sweep pulls the rows that are still longer than their limit to it.
//!
//! **Tension.** One sweep a substep leaves a stretch proportional to h²·load. Each sweep adds a small share of what it
//! found to the row's tension T (N/m; the force is T times the length), and `push` applies it from then on: an
//! integral controller. Driven by every motion it rings with the slowest modes of an unconverged sweep – a sheet of 40
//! rows hung by a corner never rests –; so it only works on a cloth that is all but still, in proportion to the square of
//! small strains, leaks a little, and is limited to what one substep could correct. Nor may it work for ever: what cannot
//! be taken out – the folds of a draped sheet are strained by their geometry – winds it up until a fold snaps through, and
//! again. Once it had the time to collect a load, tensions are left as they are until the cloth moves: constant forces along
//! rows, which have an energy and cannot keep anything in motion. In a cloth that touches something they stay as well: what
//! friction takes back of a sweep, sweep after sweep, is no load, and a tension fed by it would grow until the contact slips.

use super::batch::Batch;
use super::{Calm, Pass, StepInput};
use crate::math::real;
use crate::model::Model;
use crate::model::record::{LANES, PairGroup};
use crate::row::pull::{Ends, Pull, times};
use crate::row::strain;
use crate::simd::{Cut, Floats as _, Kernel, Lanes, Mask as _, cut_mut};
use crate::state::State;
use crate::state::layout::StateHeader;
use core::num::NonZero;

/// Part of its limit up to which a tension may push instead of pull.
const PUSH_SHARE: f32 = 0.3;

/// How much faster a soft row's tension follows its force than a hard row's, over the square of the ratio c·m/h² of its
/// compliance and its inertia: rows softer than a substep converge at once, and have a force to reach whether the cloth is
/// still or not; stiff ones ring like hard ones.
const SOFT_RATE: f32 = 100.0;

/// Largest square of that ratio that counts. Squares beyond would overflow, and ∞/∞ is no share of anything; where the
/// product of share and ratio still does, a row this soft has no tension, as its force needs none.
const SOFTEST: f32 = 1.0e30;

/// Largest inertia that a soft row's tension may be limited by (kg). Times the largest `carry_limit` over the square of the
/// shortest substep, 4.1e16/s², it is a tension that a state may hold.
const HEAVIEST: f32 = 1.0e13;

/// Chains in air: up to which speed tensions grow, over that without air, and how much faster. Trembling, a rope in wind is as still
/// as one that tensions grow in, but they come late: once its unconverged rows hand on what the wind makes of them, that goes on
/// for ever. With the load collected while it still swings there it never begins. By 30 and 3, or 10 as fast, some of 40 links do.
const AIR_STILL: f32 = 100.0;
const AIR_CARRY: f32 = 5.0;

/// Whether tensions grow as in a chain in air.
fn is_blown_chain(model: &Model, blown: bool) -> bool {
    blown && !model.is_surface()
}

/// How fast tensions grow (1).
fn carry(model: &Model, input: &StepInput, blown: bool) -> f32 {
    input.constants.carry * if is_blown_chain(model, blown) { AIR_CARRY } else { 1.0 }
}

/// Whether tensions do more than leak: in still cloth, and wherever rows are soft.
pub(super) fn tensions_change(state: &State, pass: &Pass) -> bool {
    matches!(pass.calm, Calm::Settling(_)) || state.model.has_soft_rows()
}

/// How often tensions may grow before they are left alone, over 1/carry: 98 % of what they would ever come to.
const GROWN: f32 = 4.0;

/// Notes how long the cloth has been still, and what tensions do in this step.
pub(super) fn calm(state: &mut State, pass: &Pass, motion: f32) -> Calm {
    let still = if is_blown_chain(&state.model, pass.blown) { AIR_STILL * AIR_STILL } else { 1.0 };
    let stillness = 1.0 - motion / still;
    let carry = carry(&state.model, pass.input, pass.blown);
    let touching = state.fields.header.flags & StateHeader::TOUCHING != 0;
    let calm = &mut state.fields.header.calm;
    if stillness <= 0.0 {
        *calm = 0;
        return Calm::Moving;
    }
    if touching {
        return Calm::Settled;
    }
    if real::from_count(*calm) * carry >= GROWN {
        return Calm::Settled;
    }
    *calm = calm.saturating_add(pass.numbers.substeps);
    Calm::Settling(stillness)
}

/// One sweep: the first iteration of a substep solves soft rows, whose force must count once, the last one adds to
/// tensions. `left` substeps are to go, this one included.
#[inline(never)]
pub(super) fn sweep(state: &mut State, pass: &Pass, iteration: u32, left: u32) {
    let model = state.model;
    let numbers = &pass.numbers;
    let constants = &pass.input.constants;
    // In a cloth that moves tensions do nothing but leak: all of a step at once.
    let moving = !tensions_change(state, pass);
    let fields = &mut state.fields;
    let carry = carry(&model, pass.input, pass.blown);
    let span = if moving { real::from_count(numbers.substeps) } else { 1.0 };
    let settled = pass.calm == Calm::Settled;
    let collects = iteration == numbers.iterations && if moving { left <= 1 && !settled } else { true };
    let law = Law {
        relaxation: Relaxation::new(&model, constants.spread),
        turn: pass.turn,
        per_h2: 1.0 / numbers.h2,
        carry: if collects { carry } else { 0.0 },
        kept: if settled { 1.0 } else { real::max(1.0 - carry * constants.leak * span, 0.0) },
        carry_limit: constants.carry_limit,
        per_strain: 1.0 / constants.carry_strain,
        stillness: if let Calm::Settling(stillness) = pass.calm { stillness } else { 0.0 },
        soft: iteration == 1,
    };
    let (groups, marks) = (model.stretch_groups(), pass.marks());
    let (mobilities, tensions) = (&*fields.stretch_mobilities, fields.tensions.as_chunks_mut::<LANES>().0);
    pass.stretch_runs(&model, fields.nodes, |rows, range| {
        let sweep = Sweep::<false> {
            first: range.start,
            tensions: tensions.get_mut(range.clone()).unwrap_or(&mut []),
            batch: Batch::new(rows, range, groups, mobilities),
            marks,
            law,
        };
        if model.has_soft_rows() {
            pass.run(sweep.of_soft_rows());
        } else {
            pass.run(sweep);
        }
    });
}

/// Sweeps over rows beyond the strain limit: one takes a quarter off the worst link of a falling rope, two a third.
const LIMIT_SWEEPS: u32 = 2;

/// Pulls rows that are longer than the strain limit allows to that length.
#[inline(never)]
pub(super) fn limit(state: &mut State, pass: &Pass) {
    let Some(allowance) = pass.numbers.allowance else { return };
    let model = state.model;
    let fields = &mut state.fields;
    let (groups, mobilities) = (model.stretch_groups(), &*fields.stretch_mobilities);
    let (turn, longest) = (pass.turn, strain::limit(1.0, allowance));
    for _ in 0..LIMIT_SWEEPS {
        pass.stretch_runs(&model, fields.nodes, |rows, range| {
            pass.run(Limit { batch: Batch::new(rows, range, groups, mobilities), turn, longest });
        });
    }
}

struct Limit<'a> {
    batch: Batch<'a, PairGroup>,
    turn: f32,
    /// Largest length over rest.
    longest: f32,
}

impl Kernel for Limit<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let zero = l.splat(0.0);
        for ([a, b], row, mobilities) in self.batch.iter() {
            for l in l.parts() {
                let [now, before] = a.differences(b, l);
                let ends = Ends { now, before };
                let [of_a, of_b] = [l.load(&mobilities[0]), l.load(&mobilities[1])];
                let pull = Pull::new(l, &ends, l.load(&row.inverse_rest), self.turn);
                let beyond = (pull.length - l.load(&row.rest) * l.splat(self.longest)).max(zero);
                let moved = pull.moved(l, beyond, of_a - of_b);
                a.add_nth(l, 0, times::<L>(moved, of_a));
                b.add_nth(l, 0, times::<L>(moved, of_b));
            }
        }
    }
}

/// How much of what they have too much of rows are moved by, group by group.
///
/// The rows swept first are left with what the later ones undo of them; those do a little less, these a little more.
#[derive(Clone, Copy)]
pub(super) struct Relaxation {
    /// That of the first group (1).
    first: f32,
    /// By how much it falls from one group to the next (1).
    fall: f32,
    /// Groups from one mark to the next.
    stride: NonZero<usize>,
}

/// The relaxation at every so many groups: what falls by rounded steps is known where it was followed to.
pub(super) type Marks = [f32; 512];

impl Relaxation {
    pub(super) fn new(model: &Model, spread: f32) -> Self {
        let rows = model.stretch_groups();
        let fall = 2.0 * spread / real::from_count(crate::index::len32(rows));
        let marks = size_of::<Marks>() / size_of::<f32>();
        let stride = NonZero::<usize>::MIN.saturating_add(rows.len() / marks);
        Self { first: 1.0 + spread - 0.5 * fall, fall, stride }
    }

    #[cfg(feature = "team")]
    pub(super) fn marks(self) -> Marks {
        let mut marks = [self.first; _];
        let mut value = self.first;
        for mark in &mut marks {
            *mark = value;
            (0..self.stride.get()).for_each(|_| value -= self.fall);
        }
        marks
    }

    fn at(self, group: usize, marks: Option<&Marks>) -> f32 {
        let known = marks.and_then(|marks| marks.get(group / self.stride));
        let (mut value, left) = known.map_or((self.first, group), |mark| (*mark, group % self.stride));
        (0..left).for_each(|_| value -= self.fall);
        value
    }
}

/// What is the same for all rows.
#[derive(Clone, Copy)]
struct Law {
    relaxation: Relaxation,
    turn: f32,
    per_h2: f32,
    carry: f32,
    /// What this sweep leaves of a hard row's tension.
    kept: f32,
    carry_limit: f32,
    per_strain: f32,
    stillness: f32,
    /// Whether this sweep solves soft rows.
    soft: bool,
}

/// A sweep over rows some of which are soft, or none.
struct Sweep<'a, const SOFT: bool> {
    batch: Batch<'a, PairGroup>,
    tensions: &'a mut [[f32; LANES]],
    /// The group that these begin with.
    first: usize,
    marks: Option<&'a Marks>,
    law: Law,
}

impl Cut for Limit<'_> {
    fn groups(&self) -> usize {
        self.batch.groups()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (batch, other) = self.batch.cut(at);
        (Self { batch, ..self }, Self { batch: other, ..self })
    }
}

impl<const SOFT: bool> Cut for Sweep<'_, SOFT> {
    fn groups(&self) -> usize {
        self.batch.groups()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (batch, other) = self.batch.cut(at);
        let at = batch.groups();
        let (tensions, others) = cut_mut(self.tensions, at);
        (
            Self { batch, tensions, ..self },
            Self { batch: other, tensions: others, first: self.first + at, ..self },
        )
    }
}

/// What a sweep has to do with eight rows.
struct Task<L: Lanes> {
    /// What they have too much of (m).
    violation: L::F,
    /// What a unit of λ takes off it (1/kg).
    mobility: L::F,
    /// What their tensions grow by, over carry/(h²·rest) (m·kg).
    growth: L::F,
    /// What is left of their tensions meanwhile (1).
    kept: L::F,
    /// Their inertia (kg), times what tensions may have of it.
    most: L::F,
}

impl<'a> Sweep<'a, false> {
    #[inline(always)]
    fn of_soft_rows(self) -> Sweep<'a, true> {
        let Self { batch, tensions, first, marks, law } = self;
        Sweep { batch, tensions, first, marks, law }
    }
}

impl<const SOFT: bool> Kernel for Sweep<'_, SOFT> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(mut self, l: L) {
        let mut relaxation = self.law.relaxation.at(self.first, self.marks);
        let fall = self.law.relaxation.fall;
        let grows = self.law.carry > 0.0;
        let tensions = core::mem::take(&mut self.tensions);
        for (([a, b], row, mobilities), tension) in self.batch.iter().zip(tensions) {
            for l in l.parts() {
                let zero = l.splat(0.0);
                let [now, before] = a.differences(b, l);
                let ends = Ends { now, before };
                let [of_a, of_b] = [l.load(&mobilities[0]), l.load(&mobilities[1])];
                let mobility = of_a - of_b;
                let inverse_rest = l.load(&row.inverse_rest);
                let pull = Pull::new(l, &ends, inverse_rest, self.law.turn);
                let stretch = pull.length - l.load(&row.rest);
                let task = if SOFT {
                    self.law.soft_task(l, row, pull.length, mobility, l.load(tension), relaxation)
                } else {
                    let inertia = l.load(&row.inertia);
                    Task {
                        violation: stretch * l.splat(relaxation),
                        mobility,
                        growth: stretch * inertia * self.law.share(l, stretch * inverse_rest),
                        kept: l.splat(self.law.kept),
                        most: inertia,
                    }
                };
                let moved = pull.moved(l, task.violation, task.mobility);
                a.add_nth(l, 0, times::<L>(moved, of_a));
                b.add_nth(l, 0, times::<L>(moved, of_b));
                if grows {
                    let most = task.most * l.splat(self.law.carry_limit * self.law.per_h2);
                    let grown = l.load(tension) * task.kept
                        + task.growth * (inverse_rest * l.splat(self.law.carry * self.law.per_h2));
                    let grown = grown.clamp(most * l.splat(-PUSH_SHARE), most);
                    // Between two held ends a row has nothing to remember.
                    l.store(zero.lt(mobility).keep(grown), tension);
                }
            }
            relaxation -= fall;
        }
    }
}

impl Law {
    /// The share of `carry` that tensions grow at where rows are stretched by `strain`.
    #[inline(always)]
    fn share<L: Lanes>(&self, l: L, strain: L::F) -> L::F {
        (strain.abs() * l.splat(self.per_strain)).min(l.splat(1.0)) * l.splat(self.stillness)
    }

    #[inline(always)]
    fn soft_task<L: Lanes>(
        &self,
        l: L,
        row: &PairGroup,
        length: L::F,
        mobility: L::F,
        tension: L::F,
        relaxation: f32,
    ) -> Task<L> {
        let (zero, one) = (l.splat(0.0), l.splat(1.0));
        let (compliance, inertia) = (l.load(&row.compliance), l.load(&row.inertia));
        let hard = compliance.le(zero);
        let stretch = length - l.load(&row.rest);
        // What the tension leaves of a soft row's law.
        let residual = stretch - compliance * (tension * length);
        // Later sweeps of a substep keep hard rows only.
        let violation = if self.soft { residual } else { hard.select(stretch, zero) };
        let yielding = mobility + compliance * l.splat(self.per_h2);
        let ratio = compliance * inertia * l.splat(self.per_h2);
        let share = self.share(l, stretch * l.load(&row.inverse_rest));
        let haste = share + l.splat(SOFT_RATE) * (ratio * ratio).min(l.splat(SOFTEST));
        // The force is tension times length, and soft rows may be many times as long as at rest.
        let longer = length * l.load(&row.inverse_rest);
        let growth = residual * inertia * (haste / ((one + l.splat(self.carry) * haste * ratio) * longer));
        // A soft row's force is its law's; relaxing it would change the law.
        let violation = hard.select(violation * l.splat(relaxation), violation);
        Task {
            violation,
            mobility: yielding,
            growth,
            kept: hard.select(l.splat(self.kept), one),
            most: (inertia * (one + l.splat(SOFT_RATE) * ratio)).min(l.splat(HEAVIEST)),
        }
    }
}
