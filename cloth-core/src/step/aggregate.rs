//! Bounds between aggregates: what is far is felt at once.
//!
//! The centroids of two aggregates of cloth that does not stretch are never further apart than in the flat rest shape. From
//! the coarsest level to the finest each such bound pulls its two centroids together, as a row that only pulls; what an
//! aggregate was moved, its members are moved, so that the force on each is in proportion to its mass and the sum of
//! forces and torques is that of the two centroids. An aggregate with a held member does not move.
//!
//! It is the coarse part of a multigrid sweep with constraints instead of residuals: a sweep of the rows alone takes as
//! many substeps to carry a load across a cloth as there are rows on the way.

#[cfg(feature = "team")]
mod together;

use super::Pass;
use super::batch::Batch;
use super::predict::{store_before, store_now};
use crate::model::Model;
use crate::model::record::{BoundGroup, LANES, LevelRange};
use crate::row::pull::{Ends, Pull, Vec3x8, dot, only, plus, times};
use crate::simd::{
    Backs, Cut, Floats as _, Fronts, Groups, Kernel, Lanes, Mask as _, Row, Rows, Scalar, columns, cut,
    cut_mut,
};
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
    let bounds = Bounds {
        of: Of { model: &model, mobilities: fields.bound_mobilities, turn: pass.turn },
        nodes: fields.nodes,
        centroids: fields.centroids,
        sweeps: pass.input.constants.bound_sweeps,
    };
    #[cfg(feature = "team")]
    if let Some((share, children)) = pass.share.and_then(|share| Some((share, share.plan.children.as_ref()?)))
    {
        return bounds.together(pass, &share.plan.bounds, children);
    }
    pass.level.run(bounds);
}

struct Bounds<'a> {
    of: Of<'a>,
    nodes: &'a mut [Node],
    centroids: &'a mut [Record],
    sweeps: u32,
}

/// What bounds are pulled by.
#[derive(Clone, Copy)]
struct Of<'a> {
    model: &'a Model<'a>,
    mobilities: &'a [Mobilities],
    turn: f32,
}

impl Kernel for Bounds<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(mut self, l: L) {
        let model = self.of.model;
        let count = self.nodes.len();
        if !(model.children().fit(count) && model.parents().fit(count) && model.bound_ends().fit(count)) {
            return;
        }
        self.gather_up(l);
        for level in model.levels().iter().rev() {
            self.hand_down(level.first, level.count).run(l);
            let (first, end) = (level.bounds as usize, level.bounds_end as usize);
            for _ in 0..self.sweeps {
                let rows = Rows::new(model.bound_ends().range(first, end), self.nodes);
                PullBounds::new(self.of, rows, first, end).run(l);
            }
            self.note_moves(level).run(l);
        }
        self.hand_down(0, model.particle_count()).run(l);
    }
}

impl Bounds<'_> {
    /// Centroids of all aggregates, now and when the substep began.
    #[inline(always)]
    fn gather_up<L: Lanes>(&mut self, l: L) {
        let model = self.of.model;
        let mut first = model.header().particle_nodes() as usize;
        let groups = model.child_starts().windows(2).zip(self.centroids.as_chunks_mut::<LANES>().0);
        for (starts, centroids) in groups {
            let [start, end] = starts else { continue };
            let (start, end) = (*start as usize, *end as usize);
            let slots = model.children().range(start, end);
            let shares = model.child_shares().get(start..end).unwrap_or(&[]);
            for l in l.parts() {
                let [now, then] = centroid(l, slots, shares, self.nodes);
                let Some(nodes) = chunk(self.nodes, first) else { return };
                lay(l, now, then, nodes, centroids);
            }
            first += LANES;
        }
    }

    /// Moves `count` nodes from `first` on by what their aggregates were moved: nothing where any member is held.
    #[inline(always)]
    fn hand_down(&mut self, first: u32, count: u32) -> HandDown<'_> {
        let (group, groups) = (first as usize / LANES, (count as usize).div_ceil(LANES));
        let (nodes, moves) = columns(self.nodes);
        HandDown {
            parents: self.of.model.parents().range(group, group + groups),
            nodes: nodes.range(group * LANES, (group + groups) * LANES),
            moves,
        }
    }

    /// Once a level's bounds are done nobody asks where its centroids began: there now stands how far they were moved.
    #[inline(always)]
    fn note_moves(&mut self, level: &LevelRange) -> NoteMoves<'_> {
        let base = self.of.model.header().particle_nodes();
        // Levels are filled up to whole groups.
        let room = (level.count as usize).div_ceil(LANES);
        let nodes = self.nodes.get_mut(level.first as usize..).unwrap_or(&mut []).as_chunks_mut().0;
        let centroids =
            self.centroids.get(level.first.wrapping_sub(base) as usize..).unwrap_or(&[]).as_chunks().0;
        NoteMoves { nodes: cut_mut(nodes, room).0, centroids }
    }
}

/// Centroids of eight aggregates from their children, now and when the substep began.
#[inline(always)]
fn centroid<L: Lanes>(l: L, slots: Groups<1>, shares: &[[f32; LANES]], nodes: &[Node]) -> [Vec3x8<L>; 2] {
    let zero = l.splat(0.0);
    let (mut now, mut then) = ([zero; 3], [zero; 3]);
    for ([child], share) in slots.iter().zip(shares) {
        let share = l.load(share);
        let [x, y, z, _] = child.gather_nth(l, 0, nodes);
        let [u, v, t, _] = child.gather_nth(l, 1, nodes);
        now = plus::<L>(now, [x, y, z], share);
        then = plus::<L>(then, [u, v, t], share);
    }
    [now, then]
}

/// Puts aggregates at their centroids.
#[inline(always)]
fn lay<L: Lanes>(
    l: L,
    now: Vec3x8<L>,
    then: Vec3x8<L>,
    nodes: &mut [Node; LANES],
    centroids: &mut [Record; LANES],
) {
    let w = l.collect(|lane| nodes[lane & 7][0][3]);
    store_now(l, [now[0], now[1], now[2], w], nodes);
    store_before(l, [then[0], then[1], then[2], l.splat(0.0)], nodes);
    l.store_records([now[0], now[1], now[2], w], centroids);
}

/// See [`Bounds::hand_down`].
struct HandDown<'a> {
    parents: Groups<'a, 1>,
    /// Where the nodes are.
    nodes: Fronts<'a>,
    /// How far aggregates were moved.
    moves: Backs<'a>,
}

impl Kernel for HandDown<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, _: L) {
        for ([parent], nodes) in self.parents.iter().zip(self.nodes.groups()) {
            let mut moves = [[0.0; 4]; LANES];
            for (lane, moved) in moves.iter_mut().enumerate() {
                *moved = self.moves.of(parent, lane);
            }
            for (node, moved) in nodes.iter().zip(moves) {
                let mut now = node.get();
                for (word, more) in now.iter_mut().zip(moved) {
                    *word += more;
                }
                node.set(now);
            }
        }
    }
}

/// One sweep over some bounds of a level.
struct PullBounds<'a> {
    batch: Batch<'a, BoundGroup>,
    inert: u32,
    turn: f32,
}

impl<'a> PullBounds<'a> {
    /// From group `first` up to, without, `end`, which are `rows`.
    #[inline(always)]
    fn new(of: Of<'a>, rows: Rows<'a, Node, 2>, first: usize, end: usize) -> Self {
        Self {
            batch: Batch::new(rows, first..end, of.model.bound_groups(), of.mobilities),
            inert: of.model.header().inert(),
            turn: of.turn,
        }
    }
}

impl Kernel for PullBounds<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        for (ends, row, mobilities) in self.batch.iter() {
            let [_, b] = ends;
            // Around a pin, and on the last levels, most groups hold one bound.
            if b.is_filled_up(1, self.inert) {
                pull_some(Scalar::LEVEL, ends, row, mobilities, self.turn);
                continue;
            }
            for l in l.parts() {
                if !b.is_filled_up(l.first(), self.inert) {
                    pull_some(l, ends, row, mobilities, self.turn);
                }
            }
        }
    }
}

/// The bounds in the lanes at hand.
#[inline(always)]
fn pull_some<L: Lanes>(l: L, [a, b]: [Row<Node>; 2], row: &BoundGroup, mobilities: &Mobilities, turn: f32) {
    let [now, before] = a.differences(b, l);
    let rest = l.load(&row.rest);
    let tight = (rest * rest).lt(dot::<L>(now, now));
    if !tight.any() {
        return;
    }
    let [of_a, of_b] = [l.load(&mobilities[0]), l.load(&mobilities[1])];
    let pull = Pull::new(l, &Ends { now, before }, l.load(&row.inverse_rest), turn);
    let moved = pull.moved(l, pull.length - rest, of_a - of_b);
    a.add_nth(l, 0, only::<L>(l, tight, times::<L>(moved, of_a)));
    b.add_nth(l, 0, only::<L>(l, tight, times::<L>(moved, of_b)));
}

/// See [`Bounds::note_moves`].
struct NoteMoves<'a> {
    nodes: &'a mut [[Node; LANES]],
    centroids: &'a [[Record; LANES]],
}

impl Kernel for NoteMoves<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, _: L) {
        for (nodes, centroids) in self.nodes.iter_mut().zip(self.centroids) {
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

impl Cut for HandDown<'_> {
    fn groups(&self) -> usize {
        self.parents.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (nodes, other_nodes) = self.nodes.cut(at * LANES);
        let (parents, others) = (self.parents.range(0, at), self.parents.range(at, self.parents.len()));
        (Self { parents, nodes, ..self }, Self { parents: others, nodes: other_nodes, ..self })
    }
}

impl Cut for PullBounds<'_> {
    fn groups(&self) -> usize {
        self.batch.groups()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (batch, other) = self.batch.cut(at);
        (Self { batch, ..self }, Self { batch: other, ..self })
    }
}

impl Cut for NoteMoves<'_> {
    fn groups(&self) -> usize {
        self.nodes.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let ((nodes, other_nodes), (centroids, others)) = (cut_mut(self.nodes, at), cut(self.centroids, at));
        (Self { nodes, centroids }, Self { nodes: other_nodes, centroids: others })
    }
}
