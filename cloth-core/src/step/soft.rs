//! Bend rows that are solved one by one, and skip rows: soft rows that are implicit and so need no limit.

use super::Pass;
use crate::model::Model;
use crate::row::bend;
use crate::row::pull::{Ends, Pull, difference, minus, plus};
use crate::simd::{Kernel, Lanes};
use crate::state::State;
use crate::state::layout::Node;

/// The hinges of curved rest shapes, and slivers.
#[inline(never)]
pub(super) fn bend(state: &mut State, pass: &Pass) {
    let model = state.model;
    let stiffness = pass.input.dynamics.bend * pass.numbers.h2;
    if model.hinge_groups().is_empty() || stiffness <= 0.0 {
        return;
    }
    pass.level.run(Hinges { model: &model, nodes: state.fields.nodes, stiffness });
}

struct Hinges<'a> {
    model: &'a Model<'a>,
    nodes: &'a mut [Node],
    /// B·h² (kg·m²).
    stiffness: f32,
}

impl Kernel for Hinges<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        if !self.model.hinge_ends().fit(self.nodes.len()) {
            return;
        }
        for (p, row) in self.model.hinge_ends().iter().zip(self.model.hinge_groups()) {
            for l in l.parts() {
                let mut x = [[l.splat(0.0); 3]; 4];
                let mut w = [l.splat(0.0); 4];
                let mut c = [l.splat(0.0); 4];
                let mut mobility = l.splat(0.0);
                for corner in 0..4 {
                    let [px, py, pz, pw] = p[corner].gather_nth(l, 0, self.nodes);
                    x[corner] = [px, py, pz];
                    w[corner] = pw;
                    c[corner] = l.load(&row.c[corner]);
                    mobility = mobility + pw * (c[corner] * c[corner]);
                }
                let law = bend::Eight::new(l, &x, &c, l.load(&row.rest));
                let stiffness = l.load(&row.scale) * l.splat(self.stiffness);
                let share = stiffness / (l.splat(1.0) + stiffness * law.bound * mobility);
                for corner in 0..4 {
                    let moved = minus::<L>(x[corner], law.excess, share * c[corner] * w[corner]);
                    p[corner].scatter_nth(l, 0, self.nodes, [moved[0], moved[1], moved[2], w[corner]]);
                }
            }
        }
    }
}

/// The skip rows of chains.
#[inline(never)]
pub(super) fn skip(state: &mut State, pass: &Pass) {
    let model = state.model;
    let stiffness = pass.input.dynamics.skip * pass.numbers.h2;
    if model.skip_groups().is_empty() || stiffness <= 0.0 {
        return;
    }
    let fields = &mut state.fields;
    pass.level.run(Skips {
        model: &model,
        nodes: fields.nodes,
        turn: pass.turn,
        compliance: 1.0 / stiffness,
    });
}

struct Skips<'a> {
    model: &'a Model<'a>,
    nodes: &'a mut [Node],
    turn: f32,
    /// 1/(k·h²) (1/kg).
    compliance: f32,
}

impl Kernel for Skips<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        if !self.model.skip_ends().fit(self.nodes.len()) {
            return;
        }
        for ([a, b], row) in self.model.skip_ends().iter().zip(self.model.skip_groups()) {
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
                let stretch = pull.length - l.load(&row.rest);
                let moved = pull.moved(l, stretch, aw + bw + l.splat(self.compliance));
                let [ax, ay, az] = plus::<L>([ax, ay, az], moved, aw);
                let [bx, by, bz] = minus::<L>([bx, by, bz], moved, bw);
                a.scatter_nth(l, 0, self.nodes, [ax, ay, az, aw]);
                b.scatter_nth(l, 0, self.nodes, [bx, by, bz, bw]);
            }
        }
    }
}
