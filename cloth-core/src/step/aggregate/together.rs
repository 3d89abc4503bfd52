//! Bounds between aggregates, shared by threads.

use super::{Bounds, PullBounds, centroid, lay};
use crate::model::record::{LANES, MAX_LEVELS};
use crate::simd::{Cut, Groups, Kernel, Lanes, Rows, Runs, cut, cut_mut};
use crate::state::layout::{Node, Record};
use crate::step::Pass;

/// Runs that the bounds of a level make, or more: with fewer groups in each than are worth it they are swept as one.
const RUNS: usize = 4;

impl Bounds<'_> {
    /// The same, shared by threads.
    pub(super) fn together(mut self, pass: &Pass, runs: &Runs<2>, children: &[Groups<1>; MAX_LEVELS]) {
        let model = self.of.model;
        let base = model.header().particle_nodes() as usize;
        for (level, children) in model.levels().iter().zip(children) {
            let own = level.first as usize;
            let (below, nodes) = cut_mut(self.nodes, own);
            let group = own.wrapping_sub(base) / LANES;
            let groups = (level.count as usize).div_ceil(LANES);
            let starts = model.child_starts().get(group..=group + groups).unwrap_or(&[]);
            let first = starts.first().map_or(0, |first| *first as usize);
            let shares = model.child_shares().get(first..).unwrap_or(&[]);
            pass.run(Gather {
                starts,
                first,
                children: *children,
                shares,
                below,
                nodes: nodes.as_chunks_mut().0,
                centroids: self.centroids.as_chunks_mut().0.get_mut(group..).unwrap_or(&mut []),
            });
        }
        for level in model.levels().iter().rev() {
            pass.run(self.hand_down(level.first, level.count));
            for _ in 0..self.sweeps {
                let (first, end) = (level.bounds as usize, level.bounds_end as usize);
                if !pass.is_worth_it(end.saturating_sub(first) / RUNS) {
                    let rows = Rows::new(model.bound_ends().range(first, end), self.nodes);
                    pass.level.run(PullBounds::new(self.of, rows, first, end));
                    continue;
                }
                for run in runs.within(first, end) {
                    let rows = runs.rows(run, self.nodes);
                    pass.run(PullBounds::new(self.of, rows, run.first, run.end));
                }
            }
            pass.run(self.note_moves(level));
        }
        pass.run(self.hand_down(0, model.particle_count()));
    }
}

/// [`Bounds::gather_up`] of a level.
struct Gather<'a> {
    /// Where the children of each group begin, and the last end.
    starts: &'a [u32],
    /// What of them is the first of those here.
    first: usize,
    children: Groups<'a, 1>,
    shares: &'a [[f32; LANES]],
    /// What lies before the level.
    below: &'a [Node],
    nodes: &'a mut [[Node; LANES]],
    centroids: &'a mut [[Record; LANES]],
}

impl Kernel for Gather<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let groups = self.starts.windows(2).zip(self.nodes).zip(self.centroids);
        for ((starts, nodes), centroids) in groups {
            let [start, end] = starts else { continue };
            let (start, end) =
                ((*start as usize).wrapping_sub(self.first), (*end as usize).wrapping_sub(self.first));
            let slots = self.children.range(start, end);
            let shares = self.shares.get(start..end).unwrap_or(&[]);
            for l in l.parts() {
                let [now, then] = centroid(l, slots, shares, self.below);
                lay(l, now, then, nodes, centroids);
            }
        }
    }
}

impl Cut for Gather<'_> {
    fn groups(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (nodes, other_nodes) = cut_mut(self.nodes, at);
        let (centroids, other_centroids) = cut_mut(self.centroids, at);
        // One start is the end of the first part and the beginning of the second.
        let (starts, other_starts) = (cut(self.starts, at + 1).0, cut(self.starts, at).1);
        (
            Self { starts, nodes, centroids, ..self },
            Self { starts: other_starts, nodes: other_nodes, centroids: other_centroids, ..self },
        )
    }
}
