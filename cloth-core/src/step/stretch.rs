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
//! small strains, leaks a little, and is limited to what one substep could correct.

use super::Pass;
use crate::math::real;
use crate::model::Model;
use crate::model::record::{LANES, PairGroup};
use crate::row::pull::{Ends, Pull, difference, minus, plus};
use crate::row::strain;
use crate::simd::{Floats as _, Kernel, Lanes, Mask as _};
use crate::state::State;
use crate::state::layout::Node;

/// Part of its limit up to which a tension may push instead of pull.
const PUSH_SHARE: f32 = 0.3;

/// How much faster a soft row's tension follows its force than a hard row's, over the square of the ratio c·m/h² of its
/// compliance and its inertia: rows softer than a substep converge at once, and have a force to reach whether the cloth is
/// still or not; stiff ones ring like hard ones.
const SOFT_RATE: f32 = 100.0;

/// Largest square of that ratio that counts. From here on a tension has followed its force within the step anyway, and
/// squares beyond would overflow: ∞/∞ is no share of anything.
const SOFTEST: f32 = 1.0e12;

/// Largest inertia that a soft row's tension may be limited by (kg). Times the largest `carry_limit` over the square of the
/// shortest substep, 4.1e16/s², it is a tension that a state may hold.
const HEAVIEST: f32 = 1.0e13;

/// Whether tensions do more than leak: in still cloth, and wherever rows are soft.
pub(super) fn tensions_change(state: &State, pass: &Pass) -> bool {
    pass.stillness > 0.0 || state.model.has_soft_rows()
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
    let span = if moving { real::from_count(numbers.substeps) } else { 1.0 };
    let collects = iteration == numbers.iterations && (left <= 1 || !moving);
    let sweep = Sweep {
        model: &model,
        nodes: fields.nodes,
        tensions: fields.tensions.as_chunks_mut::<LANES>().0,
        turn: constants.turn,
        spread: constants.spread,
        per_h2: 1.0 / numbers.h2,
        carry: if collects { constants.carry } else { 0.0 },
        kept: real::max(1.0 - constants.carry * constants.leak * span, 0.0),
        carry_limit: constants.carry_limit,
        per_strain: 1.0 / constants.carry_strain,
        stillness: pass.stillness,
        soft: iteration == 1,
    };
    if model.has_soft_rows() {
        pass.level.run(Soft(sweep));
    } else {
        pass.level.run(Hard(sweep));
    }
}

/// Sweeps over rows beyond the strain limit: one takes a quarter off the worst link of a falling rope, two a third.
const LIMIT_SWEEPS: u32 = 2;

/// Pulls rows that are longer than the strain limit allows to that length.
#[inline(never)]
pub(super) fn limit(state: &mut State, pass: &Pass) {
    let Some(allowance) = pass.numbers.allowance else { return };
    let model = state.model;
    let turn = pass.input.constants.turn;
    let longest = strain::limit(1.0, allowance);
    for _ in 0..LIMIT_SWEEPS {
        pass.level.run(Limit { model: &model, nodes: state.fields.nodes, turn, longest });
    }
}

struct Limit<'a> {
    model: &'a Model<'a>,
    nodes: &'a mut [Node],
    turn: f32,
    /// Largest length over rest.
    longest: f32,
}

impl Kernel for Limit<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let zero = l.splat(0.0);
        let ends = self.model.stretch_ends();
        if !ends.fit(self.nodes.len()) {
            return;
        }
        for ([a, b], row) in ends.iter().zip(self.model.stretch_groups()) {
            for l in l.parts() {
                let [ax, ay, az, aw] = a.gather_nth(l, 0, self.nodes);
                let [bx, by, bz, bw] = b.gather_nth(l, 0, self.nodes);
                let [ap, aq, ar, _] = a.gather_nth(l, 1, self.nodes);
                let [bp, bq, br, _] = b.gather_nth(l, 1, self.nodes);
                let ends = Ends {
                    now: difference::<L>([bx, by, bz], [ax, ay, az]),
                    before: difference::<L>([bp, bq, br], [ap, aq, ar]),
                };
                let pull = Pull::new(l, &ends, l.load(&row.inverse_rest), self.turn);
                let beyond = (pull.length - l.load(&row.rest) * l.splat(self.longest)).max(zero);
                let moved = pull.moved(l, beyond, aw + bw);
                let [ax, ay, az] = plus::<L>([ax, ay, az], moved, aw);
                let [bx, by, bz] = minus::<L>([bx, by, bz], moved, bw);
                a.scatter_nth(l, 0, self.nodes, [ax, ay, az, aw]);
                b.scatter_nth(l, 0, self.nodes, [bx, by, bz, bw]);
            }
        }
    }
}

struct Sweep<'a> {
    model: &'a Model<'a>,
    nodes: &'a mut [Node],
    tensions: &'a mut [[f32; LANES]],
    turn: f32,
    spread: f32,
    per_h2: f32,
    carry: f32,
    /// What this sweep leaves of a hard row's tension.
    kept: f32,
    carry_limit: f32,
    per_strain: f32,
    stillness: f32,
    soft: bool,
}

struct Hard<'a>(Sweep<'a>);

struct Soft<'a>(Sweep<'a>);

impl Kernel for Hard<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        self.0.rows::<L, false>(l);
    }
}

impl Kernel for Soft<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        self.0.rows::<L, true>(l);
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

impl Sweep<'_> {
    #[inline(always)]
    fn rows<L: Lanes, const SOFT: bool>(mut self, l: L) {
        let rows = self.model.stretch_groups();
        let count = real::from_count(crate::index::len32(rows));
        // The rows swept first are left with what the later ones undo of them; those do a little less, these a little more.
        let fall = 2.0 * self.spread / count;
        let mut relaxation = 1.0 + self.spread - 0.5 * fall;
        let ends = self.model.stretch_ends();
        if !ends.fit(self.nodes.len()) {
            return;
        }
        let grows = self.carry > 0.0;
        let tensions = core::mem::take(&mut self.tensions);
        for (([a, b], row), tension) in ends.iter().zip(rows).zip(tensions) {
            for l in l.parts() {
                let zero = l.splat(0.0);
                let [ax, ay, az, aw] = a.gather_nth(l, 0, self.nodes);
                let [bx, by, bz, bw] = b.gather_nth(l, 0, self.nodes);
                let [ap, aq, ar, _] = a.gather_nth(l, 1, self.nodes);
                let [bp, bq, br, _] = b.gather_nth(l, 1, self.nodes);
                let ends = Ends {
                    now: difference::<L>([bx, by, bz], [ax, ay, az]),
                    before: difference::<L>([bp, bq, br], [ap, aq, ar]),
                };
                let inverse_rest = l.load(&row.inverse_rest);
                let pull = Pull::new(l, &ends, inverse_rest, self.turn);
                let stretch = pull.length - l.load(&row.rest);
                let task = if SOFT {
                    Self::soft_task(l, &self, row, pull.length, aw + bw, l.load(tension), relaxation)
                } else {
                    let inertia = l.load(&row.inertia);
                    Task {
                        violation: stretch * l.splat(relaxation),
                        mobility: aw + bw,
                        growth: stretch * inertia * Self::share(l, &self, stretch * inverse_rest),
                        kept: l.splat(self.kept),
                        most: inertia,
                    }
                };
                let moved = pull.moved(l, task.violation, task.mobility);
                let [ax, ay, az] = plus::<L>([ax, ay, az], moved, aw);
                let [bx, by, bz] = minus::<L>([bx, by, bz], moved, bw);
                a.scatter_nth(l, 0, self.nodes, [ax, ay, az, aw]);
                b.scatter_nth(l, 0, self.nodes, [bx, by, bz, bw]);
                if grows {
                    let most = task.most * l.splat(self.carry_limit * self.per_h2);
                    let grown = l.load(tension) * task.kept
                        + task.growth * (inverse_rest * l.splat(self.carry * self.per_h2));
                    let grown = grown.clamp(most * l.splat(-PUSH_SHARE), most);
                    // Between two held ends a row has nothing to remember.
                    l.store(zero.lt(aw + bw).select(grown, zero), tension);
                }
            }
            relaxation -= fall;
        }
    }

    /// The share of `carry` that tensions grow at where rows are stretched by `strain`.
    #[inline(always)]
    fn share<L: Lanes>(l: L, sweep: &Sweep<'_>, strain: L::F) -> L::F {
        (strain.abs() * l.splat(sweep.per_strain)).min(l.splat(1.0)) * l.splat(sweep.stillness)
    }

    #[inline(always)]
    fn soft_task<L: Lanes>(
        l: L,
        sweep: &Sweep<'_>,
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
        let violation = if sweep.soft { residual } else { hard.select(stretch, zero) };
        let yielding = mobility + compliance * l.splat(sweep.per_h2);
        let ratio = compliance * inertia * l.splat(sweep.per_h2);
        let share = Self::share(l, sweep, stretch * l.load(&row.inverse_rest));
        let haste = share + l.splat(SOFT_RATE) * (ratio * ratio).min(l.splat(SOFTEST));
        // The force is tension times length, and soft rows may be many times as long as at rest.
        let longer = length * l.load(&row.inverse_rest);
        let growth = residual * inertia * (haste / ((one + l.splat(sweep.carry) * haste * ratio) * longer));
        // A soft row's force is its law's; relaxing it would change the law.
        let violation = hard.select(violation * l.splat(relaxation), violation);
        Task {
            violation,
            mobility: yielding,
            growth,
            kept: hard.select(l.splat(sweep.kept), one),
            most: (inertia * (one + l.splat(SOFT_RATE) * ratio)).min(l.splat(HEAVIEST)),
        }
    }
}
