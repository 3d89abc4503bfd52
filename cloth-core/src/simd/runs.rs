//! Which groups may be gone through at the same time.

use super::{Group, Groups, Rows};
use core::cell::Cell;

/// Most runs that are told apart. A sheet has some ten of stretch rows and some hundred of bounds; a star of thousands gains nothing
/// by being cut.
pub const MOST_RUNS: usize = 192;

/// A word for each entry of a table, as large as a node of a sweep: what is found out needs room, and theirs is free.
pub type Stamp = [u32; 8];

/// Groups in the order of a sweep, cut into runs in which no two groups lead to the same entry.
///
/// Found by looking at every index, and not by what a builder says its colours are: threads write through them.
#[derive(Clone, Copy, Debug)]
pub struct Runs<'m, const N: usize> {
    groups: Groups<'m, N>,
    /// Where runs end.
    ends: [u32; MOST_RUNS],
    count: usize,
}

/// One of them, or what of it lies within a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its first group.
    pub first: usize,
    /// One past its last.
    pub end: usize,
    /// Which one it is; [`MOST_RUNS`] for what is left when there are too many: groups that may meet.
    pub number: usize,
}

impl<'m, const N: usize> Runs<'m, N> {
    /// The runs of `groups`: each as long as can be, one after the other. `stamps`, which are written over, are as many as there
    /// are entries in the table the groups were checked for; with fewer nothing is found out.
    pub fn find(groups: Groups<'m, N>, stamps: &mut [Stamp]) -> Self {
        let mut found = Self { groups, ends: [0; MOST_RUNS], count: 0 };
        if !groups.fit(stamps.len()) {
            return found;
        }
        stamps.fill([0; 8]);
        let stamps = Cell::from_mut(stamps).as_slice_of_cells();
        let mut run = 1;
        for (group, index) in groups.iter().zip(0..) {
            if group.iter().any(|end| (0..8).any(|lane| end.stamp(lane, stamps) == run)) {
                let Some(end) = found.ends.get_mut(found.count) else { return found };
                *end = index;
                found.count += 1;
                run += 1;
            }
            for end in group {
                (0..8).for_each(|lane| end.set_stamp(lane, stamps, run));
            }
        }
        if let Some(end) = found.ends.get_mut(found.count) {
            *end = u32::try_from(groups.len()).unwrap_or(0);
            found.count += 1;
        }
        found
    }

    /// How many runs were found.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The runs from group `first` up to, without, `end`, clipped to them.
    pub fn within(&self, first: usize, end: usize) -> impl Iterator<Item = Run> + '_ {
        let known = self.ends.get(..self.count).unwrap_or(&[]);
        let mut number = known.partition_point(|end| *end as usize <= first);
        let mut next = first;
        core::iter::from_fn(move || {
            let (first, own) = (next, number);
            let (end, number_of) = match known.get(own) {
                Some(last) => (end.min(*last as usize), own),
                None => (end.min(self.groups.len()), MOST_RUNS),
            };
            number += 1;
            next = end;
            (first < end).then_some(Run { first, end, number: number_of })
        })
    }

    /// The groups of a run in `table`: to be cut where it is one, in one piece where it is what is left.
    pub fn rows<'t, T>(&self, run: Run, table: &'t mut [T]) -> Rows<'t, T, N>
    where
        'm: 't,
    {
        let groups = self.groups.range(run.first, run.end);
        if self.is_one(run) { Rows::apart(groups, table) } else { Rows::new(groups, table) }
    }

    /// Whether a run, which anybody can make up, is within one that was found.
    fn is_one(&self, run: Run) -> bool {
        let known = self.ends.get(..self.count).unwrap_or(&[]);
        let before = run.number.checked_sub(1).and_then(|before| known.get(before));
        let starts = before.map_or(run.number == 0, |end| *end as usize <= run.first);
        starts && known.get(run.number).is_some_and(|end| run.end <= *end as usize)
    }
}

impl Group<'_> {
    /// The first word of the stamp at the index of a lane.
    fn stamp(self, lane: usize, stamps: &[Cell<Stamp>]) -> u32 {
        self.entries(stamps).map_or(0, |stamp| stamp(lane).as_array_of_cells()[0].get())
    }

    /// Sets it.
    fn set_stamp(self, lane: usize, stamps: &[Cell<Stamp>], to: u32) {
        if let Some(stamp) = self.entries(stamps) {
            stamp(lane).as_array_of_cells()[0].set(to);
        }
    }
}
