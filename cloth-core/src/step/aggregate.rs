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
use super::predict::{store_before, store_now};
use crate::model::Model;
use crate::model::record::{BoundGroup, LANES, LevelRange};
use crate::row::pull::{Ends, Pull, dot, only, plus, times};
use crate::simd::{Floats as _, Group, Kernel, Lanes, Mask as _, Scalar};
use crate::state::State;
use crate::state::layout::{Mobilities, Node, Record};

/// Gives every aggregate its inverse mass: none if any member is held.
pub(super) fn begin(state: &mut State) {
    let model = state.model;
    let nodes = &mut *state.fields.nodes;
    let mut first = model.header().particle_nodes() as usize;
    let groups = model.child_starts().windows(2).zip(model.aggregate_mass().as_chunks::<LANES>().0);
    for (starts, masses) in groups {
        let [start, end] = starts else { continue };
        let (start, end) = (*start as usize, *end as usize);
        let mut inverse = masses.map(|mass| if mass > 0.0 { 1.0 / mass } else { 0.0 });
        let shares = model.child_shares().get(start..end).unwrap_or(&[]);
        for ([child], shares) in model.children().range(start, end).iter().zip(shares) {
            for (lane, (inverse, share)) in inverse.iter_mut().zip(shares).enumerate() {
                if *share > 0.0 && child.entry(lane, nodes)[0][3] <= 0.0 {
                    *inverse = 0.0;
                }
            }
        }
        let Some(nodes) = chunk(nodes, first) else { return };
        for (node, inverse) in nodes.iter_mut().zip(inverse) {
            *node = [[0.0, 0.0, 0.0, inverse], [0.0; 4]];
        }
        first += LANES;
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
        mobilities: fields.bound_mobilities,
        centroids: fields.centroids,
        turn: pass.turn,
        sweeps: pass.input.constants.bound_sweeps,
    });
}

struct Bounds<'a> {
    model: &'a Model<'a>,
    nodes: &'a mut [Node],
    mobilities: &'a [Mobilities],
    centroids: &'a mut [Record],
    turn: f32,
    sweeps: u32,
}

impl Kernel for Bounds<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(mut self, l: L) {
        let model = self.model;
        let count = self.nodes.len();
        if !(model.children().fit(count) && model.parents().fit(count) && model.bound_ends().fit(count)) {
            return;
        }
        self.gather_up(l);
        for level in model.levels().iter().rev() {
            self.hand_down(level.first, level.count);
            for _ in 0..self.sweeps {
                self.pull(l, level);
            }
            self.note_moves(level);
        }
        self.hand_down(0, model.particle_count());
    }
}

impl Bounds<'_> {
    /// Centroids of all aggregates, now and when the substep began.
    #[inline(always)]
    fn gather_up<L: Lanes>(&mut self, l: L) {
        let model = self.model;
        let zero = l.splat(0.0);
        let mut first = model.header().particle_nodes() as usize;
        let groups = model.child_starts().windows(2).zip(self.centroids.as_chunks_mut::<LANES>().0);
        for (starts, centroids) in groups {
            let [start, end] = starts else { continue };
            let (start, end) = (*start as usize, *end as usize);
            let slots = model.children().range(start, end);
            let shares = model.child_shares().get(start..end).unwrap_or(&[]);
            for l in l.parts() {
                let (mut now, mut then) = ([zero; 3], [zero; 3]);
                for ([child], share) in slots.iter().zip(shares) {
                    let share = l.load(share);
                    let [x, y, z, _] = child.gather_nth(l, 0, self.nodes);
                    let [u, v, t, _] = child.gather_nth(l, 1, self.nodes);
                    now = plus::<L>(now, [x, y, z], share);
                    then = plus::<L>(then, [u, v, t], share);
                }
                let Some(nodes) = chunk(self.nodes, first) else { return };
                let w = l.collect(|lane| nodes[lane & 7][0][3]);
                store_now(l, [now[0], now[1], now[2], w], nodes);
                store_before(l, [then[0], then[1], then[2], zero], nodes);
                l.store_records([now[0], now[1], now[2], w], centroids);
            }
            first += LANES;
        }
    }

    /// Moves `count` nodes from `first` on by what their aggregates were moved: nothing where any member is held.
    #[inline(always)]
    fn hand_down(&mut self, first: u32, count: u32) {
        let (group, groups) = (first as usize / LANES, (count as usize).div_ceil(LANES));
        for ([parent], place) in self.model.parents().range(group, group + groups).iter().zip(group..) {
            let mut moves = [[0.0; 4]; LANES];
            for (lane, moved) in moves.iter_mut().enumerate() {
                *moved = parent.entry(lane, self.nodes)[1];
            }
            let Some(nodes) = chunk(self.nodes, place * LANES) else { return };
            for ([now, _], moved) in nodes.iter_mut().zip(moves) {
                for (word, more) in now.iter_mut().zip(moved) {
                    *word += more;
                }
            }
        }
    }

    /// One sweep over the bounds of a level.
    #[inline(always)]
    fn pull<L: Lanes>(&mut self, l: L, level: &LevelRange) {
        let (start, end) = (level.bounds as usize, level.bounds_end as usize);
        let rows = self.model.bound_groups().get(start..end).unwrap_or(&[]);
        let inert = self.model.header().inert();
        let mobilities = self.mobilities.get(start..end).unwrap_or(&[]);
        let rows = self.model.bound_ends().range(start, end).iter().zip(rows).zip(mobilities);
        for ((ends, row), mobilities) in rows {
            let [_, b] = ends;
            // Around a pin, and on the last levels, most groups hold one bound.
            if b.is_filled_up(1, inert) {
                self.pull_some(Scalar::LEVEL, ends, row, mobilities);
                continue;
            }
            for l in l.parts() {
                if !b.is_filled_up(l.first(), inert) {
                    self.pull_some(l, ends, row, mobilities);
                }
            }
        }
    }

    /// The bounds in the lanes at hand.
    #[inline(always)]
    fn pull_some<L: Lanes>(&mut self, l: L, [a, b]: [Group; 2], row: &BoundGroup, mobilities: &Mobilities) {
        let [now, before] = a.differences(b, l, self.nodes);
        let rest = l.load(&row.rest);
        let tight = (rest * rest).lt(dot::<L>(now, now));
        if !tight.any() {
            return;
        }
        let [of_a, of_b] = [l.load(&mobilities[0]), l.load(&mobilities[1])];
        let pull = Pull::new(l, &Ends { now, before }, l.load(&row.inverse_rest), self.turn);
        let moved = pull.moved(l, pull.length - rest, of_a - of_b);
        a.add_nth(l, 0, self.nodes, only::<L>(l, tight, times::<L>(moved, of_a)));
        b.add_nth(l, 0, self.nodes, only::<L>(l, tight, times::<L>(moved, of_b)));
    }

    /// Once a level's bounds are done nobody asks where its centroids began: there now stands how far they were moved.
    #[inline(always)]
    fn note_moves(&mut self, level: &LevelRange) {
        let base = self.model.header().particle_nodes();
        let nodes = self.nodes.get_mut(level.first as usize..).unwrap_or(&mut []);
        let centroids = self.centroids.get(level.first.wrapping_sub(base) as usize..).unwrap_or(&[]);
        // Levels are filled up to whole groups.
        let groups = nodes.as_chunks_mut::<LANES>().0.iter_mut().zip(centroids.as_chunks::<LANES>().0);
        for (nodes, centroids) in groups.take((level.count as usize).div_ceil(LANES)) {
            for ([now, moved], centroid) in nodes.iter_mut().zip(centroids) {
                // The inverse masses of both are the same, so their difference is nothing.
                let ([x, y, z, w], [u, v, t, s]) = (*now, *centroid);
                *moved = [x - u, y - v, z - t, w - s];
            }
        }
    }
}

/// The eight items from `place` on.
#[inline(always)]
fn chunk<T>(table: &mut [T], place: usize) -> Option<&mut [T; LANES]> {
    table.get_mut(place..)?.first_chunk_mut::<LANES>()
}
