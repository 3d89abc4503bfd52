//! What of a model several threads may go through at the same time.

use super::Model;
use super::header::LANES32;
use super::record::MAX_LEVELS;
use crate::index::at;
use crate::simd::{Groups, Runs, Stamp};

/// Runs of rows, and the children of each level's aggregates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan<'m> {
    pub stretch: Runs<'m, 2>,
    pub bounds: Runs<'m, 2>,
    /// One past the last particle that was pinned at build time.
    pub pins: usize,
    /// Children as they lie before the level that they belong to.
    pub children: Option<[Groups<'m, 1>; MAX_LEVELS]>,
}

impl<'m> Plan<'m> {
    /// Looks at every index. `stamps`, which are written over, are as many as there are nodes.
    pub fn new(model: &Model<'m>, stamps: &mut [Stamp]) -> Self {
        Self {
            stretch: Runs::find(model.stretch_ends(), stamps),
            bounds: Runs::find(model.bound_ends(), stamps),
            pins: model.reach().iter().rposition(|reach| reach.is_pin()).map_or(0, |last| last + 1),
            children: children(model),
        }
    }
}

fn children<'m>(model: &Model<'m>) -> Option<[Groups<'m, 1>; MAX_LEVELS]> {
    let mut all = [Groups::default(); MAX_LEVELS];
    for (children, level) in all.iter_mut().zip(model.levels()) {
        let group = level.first.checked_sub(model.header().particle_nodes())? / LANES32;
        let [start, end] =
            [group, group + level.count.div_ceil(LANES32)].map(|group| at(model.child_starts(), group));
        *children = model.children().range(start as usize, end as usize).within(level.first as usize)?;
    }
    Some(all)
}
