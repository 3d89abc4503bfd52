//! Bounds between aggregates: what is far is felt at once.
//!
//! The centroids of two aggregates of cloth that does not stretch are never further apart than in the flat rest shape. From
//! the coarsest level to the finest each such bound pulls its two centroids together, as a row that only pulls; what an
//! aggregate was moved, its members are moved, so that the force on each is in proportion to its mass and the sum of
//! forces and torques is that of the two centroids. An aggregate with a held member does not move.
//!
//! It is the coarse part of a multigrid sweep with constraints instead of residuals: a sweep of the rows alone takes as
//! many substeps to carry a load across a cloth as there are rows on the way.

use super::Pass;
use crate::index::at;
use crate::model::Model;
use crate::model::record::{LANES, Level};
use crate::row::pull::{Ends, Pull, difference, minus, plus};
use crate::simd::{Floats as _, Kernel, Lanes, Mask as _};
use crate::state::State;
use crate::state::layout::Record;

/// Gives every aggregate its inverse mass: none if any member is held.
pub(super) fn begin(state: &mut State) {
    let model = state.model;
    let first = model.header().particle_nodes();
    let nodes = &mut *state.fields.nodes;
    for group in 0..model.header().aggregate_nodes / 8 {
        let masses = model.aggregate_mass().get(group as usize * LANES..).and_then(|m| m.first_chunk::<LANES>());
        let Some(masses) = masses else { continue };
        let mut inverse = masses.map(|mass| if mass > 0.0 { 1.0 / mass } else { 0.0 });
        let (start, end) = (at(model.child_starts(), group), at(model.child_starts(), group + 1));
        for slot in start..end {
            let (children, shares) = (model.child(slot), at(model.child_shares(), slot));
            for ((inverse, child), share) in inverse.iter_mut().zip(children).zip(shares) {
                if share > 0.0 && at(nodes, child)[3] <= 0.0 {
                    *inverse = 0.0;
                }
            }
        }
        for (inverse, lane) in inverse.iter().zip(0..) {
            if let Some(node) = nodes.get_mut((first + group * 8 + lane) as usize) {
                *node = [0.0, 0.0, 0.0, *inverse];
            }
        }
    }
}

/// Applies the bounds of all levels.
#[inline(never)]
pub(super) fn bounds(state: &mut State, pass: &Pass) {
    let model = state.model;
    if model.levels().is_empty() {
        return;
    }
    let fields = &mut state.fields;
    pass.level.run(Bounds {
        model: &model,
        nodes: fields.nodes,
        before: fields.before,
        centroids: fields.centroids,
        turn: pass.input.constants.turn,
        sweeps: pass.input.constants.bound_sweeps,
    });
}

struct Bounds<'a> {
    model: &'a Model<'a>,
    nodes: &'a mut [Record],
    before: &'a mut [Record],
    centroids: &'a mut [Record],
    turn: f32,
    sweeps: u32,
}

impl Kernel for Bounds<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(mut self, l: L) {
        self.gather_up(l);
        for level in self.model.levels().iter().rev() {
            self.hand_down(l, level.first, level.count);
            for _ in 0..self.sweeps {
                self.pull(l, level);
            }
            self.note_moves(l, level);
        }
        self.hand_down(l, 0, self.model.particle_count());
    }
}

impl Bounds<'_> {
    /// Centroids of all aggregates, now and when the substep began.
    #[inline(always)]
    fn gather_up<L: Lanes>(&mut self, l: L) {
        let model = self.model;
        let first = model.header().particle_nodes() as usize;
        let children = model.children();
        for (group, starts) in model.child_starts().windows(2).enumerate() {
            let [start, end] = starts else { continue };
            let place = first + group * LANES;
            let Some(node) = chunk(self.nodes, place) else { return };
            let mut own = *node;
            let (mut then_out, mut now_out) = ([[0.0; 4]; LANES], [[0.0; 4]; LANES]);
            for l in l.parts() {
                let mut now = [l.splat(0.0); 3];
                let mut then = [l.splat(0.0); 3];
                let slots = children.range(*start as usize, *end as usize).iter();
                let shares = model.child_shares().get(*start as usize..).unwrap_or(&[]);
                for ([child], share) in slots.zip(shares) {
                    let share = l.load(share);
                    let [x, y, z, _] = child.gather(l, self.nodes);
                    let [u, v, t, _] = child.gather(l, self.before);
                    now = plus::<L>(now, [x, y, z], share);
                    then = plus::<L>(then, [u, v, t], share);
                }
                let zero = l.splat(0.0);
                let [_, _, _, w] = l.load_records(&own);
                l.store_records([now[0], now[1], now[2], w], &mut own);
                l.store_records([then[0], then[1], then[2], zero], &mut then_out);
                l.store_records([now[0], now[1], now[2], zero], &mut now_out);
            }
            if let Some(node) = chunk(self.nodes, place) {
                *node = own;
            }
            if let Some(before) = chunk(self.before, place) {
                *before = then_out;
            }
            if let Some(centroid) = chunk(self.centroids, group * LANES) {
                *centroid = now_out;
            }
        }
    }

    /// Moves `count` nodes from `first` on by what their aggregates were moved.
    #[inline(always)]
    fn hand_down<L: Lanes>(&mut self, l: L, first: u32, count: u32) {
        let (group, groups) = (first as usize / LANES, (count as usize).div_ceil(LANES));
        let zero = l.splat(0.0);
        for ([parent], place) in self.model.parents().range(group, group + groups).iter().zip(group..) {
            for l in l.parts() {
                let [dx, dy, dz, _] = parent.gather(l, self.before);
                if let Some(node) = chunk(self.nodes, place * LANES) {
                    let [x, y, z, w] = l.load_records(node);
                    let free = zero.lt(w);
                    let moved = [x + free.select(dx, zero), y + free.select(dy, zero), z + free.select(dz, zero)];
                    l.store_records([moved[0], moved[1], moved[2], w], node);
                }
            }
        }
    }

    /// One sweep over the bounds of a level.
    #[inline(always)]
    fn pull<L: Lanes>(&mut self, l: L, level: &Level) {
        let (start, end) = (level.bounds as usize, level.bounds_end as usize);
        let rows = self.model.bound_groups().get(start..end).unwrap_or(&[]);
        for ([a, b], row) in self.model.bound_ends().range(start, end).iter().zip(rows) {
            for l in l.parts() {
                let [ax, ay, az, aw] = a.gather(l, self.nodes);
                let [bx, by, bz, bw] = b.gather(l, self.nodes);
                let [ap, aq, ar, _] = a.gather(l, self.before);
                let [bp, bq, br, _] = b.gather(l, self.before);
                let ends = Ends {
                    now: difference::<L>([bx, by, bz], [ax, ay, az]),
                    before: difference::<L>([bp, bq, br], [ap, aq, ar]),
                };
                let pull = Pull::new(l, &ends, l.load(&row.inverse_rest), self.turn);
                let violation = (pull.length - l.load(&row.rest)).max(l.splat(0.0));
                let moved = pull.moved(l, violation, aw + bw);
                let [ax, ay, az] = plus::<L>([ax, ay, az], moved, aw);
                let [bx, by, bz] = minus::<L>([bx, by, bz], moved, bw);
                a.scatter(l, self.nodes, [ax, ay, az, aw]);
                b.scatter(l, self.nodes, [bx, by, bz, bw]);
            }
        }
    }

    /// Once a level's bounds are done nobody asks where its centroids began: there now stands how far they were moved.
    #[inline(always)]
    fn note_moves<L: Lanes>(&mut self, l: L, level: &Level) {
        let base = self.model.header().particle_nodes() as usize;
        let first = level.first as usize;
        for group in 0..(level.count as usize).div_ceil(LANES) {
            let place = first + group * LANES;
            let Some(node) = chunk(self.nodes, place) else { continue };
            let Some(centroid) = chunk(self.centroids, place.wrapping_sub(base)) else { continue };
            let Some(before) = chunk(self.before, place) else { continue };
            for l in l.parts() {
                let [x, y, z, _] = l.load_records(node);
                let [u, v, t, zero] = l.load_records(centroid);
                let moved = difference::<L>([x, y, z], [u, v, t]);
                l.store_records([moved[0], moved[1], moved[2], zero], before);
            }
        }
    }
}

/// The eight records from `place` on.
#[inline(always)]
fn chunk(table: &mut [Record], place: usize) -> Option<&mut [Record; LANES]> {
    table.get_mut(place..)?.first_chunk_mut::<LANES>()
}
