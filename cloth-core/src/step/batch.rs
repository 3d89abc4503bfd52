//! Rows of two ends, with what a sweep over them reads group by group.

use crate::simd::{Cut, Row, Rows, cut};
use crate::state::layout::{Mobilities, Node};
use core::ops::Range;

/// Groups of rows between nodes, what the model says of each, and what their ends are moved by.
pub(super) struct Batch<'a, G> {
    rows: Rows<'a, Node, 2>,
    groups: &'a [G],
    mobilities: &'a [Mobilities],
}

impl<'a, G> Batch<'a, G> {
    /// `rows`, which are those of `range` of all groups.
    #[inline(always)]
    pub fn new(
        rows: Rows<'a, Node, 2>,
        range: Range<usize>,
        groups: &'a [G],
        mobilities: &'a [Mobilities],
    ) -> Self {
        Self {
            rows,
            groups: groups.get(range.clone()).unwrap_or(&[]),
            mobilities: mobilities.get(range).unwrap_or(&[]),
        }
    }

    /// The groups in order.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = ([Row<'_, Node>; 2], &'a G, &'a Mobilities)> {
        let rows = self.rows.iter().zip(self.groups).zip(self.mobilities);
        rows.map(|((ends, group), mobilities)| (ends, group, mobilities))
    }
}

impl<G> Cut for Batch<'_, G> {
    fn groups(&self) -> usize {
        self.rows.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (rows, other_rows) = self.rows.cut(at);
        let at = rows.len();
        let (groups, other_groups) = cut(self.groups, at);
        let (mobilities, others) = cut(self.mobilities, at);
        (
            Self { rows, groups, mobilities },
            Self { rows: other_rows, groups: other_groups, mobilities: others },
        )
    }
}
