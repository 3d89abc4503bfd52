//! Indices in groups of eight that are checked once and then lead to records without a test.

use super::Lanes;
use core::cell::Cell;

/// Groups of N × 8 indices into tables of a common length: N = 2 for rows between two particles, 4 for hinges.
///
/// Every index is below the length given to [`Groups::new`], and the indices are borrowed, so they stay so. All that is
/// left to test when a group meets a table is that the table is no shorter: one comparison for eight lanes, with the same
/// outcome for every group.
#[derive(Clone, Copy, Debug)]
pub struct Groups<'m, const N: usize> {
    groups: &'m [[[u32; 8]; N]],
    /// Every index is below this.
    length: usize,
}

impl<'m, const N: usize> Groups<'m, N> {
    /// Checks `groups` against a table of `length` entries: `None` if an index is not below it.
    ///
    /// Reads every index once; for the rows of a cloth that is some 0.3 % of a frame.
    pub fn new(groups: &'m [[[u32; 8]; N]], length: usize) -> Option<Self> {
        let mut highest = 0;
        for index in groups.as_flattened().as_flattened() {
            highest = highest.max(*index);
        }
        (groups.is_empty() || N == 0 || (highest as usize) < length).then_some(Self { groups, length })
    }

    /// How many groups there are.
    #[inline(always)]
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Whether there are none.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The groups from `first` up to, without, `end`: those of one colour. None where that is not a range of them.
    #[inline(always)]
    pub fn range(&self, first: usize, end: usize) -> Self {
        Self { groups: self.groups.get(first..end).unwrap_or(&[]), ..*self }
    }

    /// The groups in order.
    #[inline(always)]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = [Group<'m>; N]> + use<'m, N> {
        let length = self.length;
        self.groups.iter().map(move |group| group.each_ref().map(|indices| Group { indices, length }))
    }
}

/// Eight indices of a [`Groups`]: one end of eight rows.
#[derive(Clone, Copy, Debug)]
pub struct Group<'m> {
    indices: &'m [u32; 8],
    /// Every index is below this.
    length: usize,
}

impl Group<'_> {
    /// The entries of `table` that the indices name; `None` if the table is shorter than the one they were checked for.
    #[inline(always)]
    #[expect(
        unsafe_code,
        reason = "the indices were checked when the group was made; eight tests more would cost a third"
    )]
    fn entries<T>(self, table: &[T]) -> Option<[&T; 8]> {
        if table.len() < self.length {
            return None;
        }
        // SAFETY: a `Group` comes from `Groups::iter` alone, whose `new` has found every index of its groups below `length`;
        // they are borrowed since, so they are what was checked, and `length` is not above the table's by the test above.
        Some(self.indices.each_ref().map(
            #[inline(always)]
            |index| unsafe { table.get_unchecked(*index as usize) },
        ))
    }

    /// The records of `table` at the indices, transposed: lane i of result k is word k of the record at index i.
    ///
    /// Zeros if the table is shorter than the one the indices were checked for.
    #[inline(always)]
    pub fn gather<L: Lanes>(self, l: L, table: &[[f32; 4]]) -> [L::F; 4] {
        match self.entries(table) {
            Some(records) => l.collect_records(records),
            None => [l.splat(0.0); 4],
        }
    }

    /// The floats of `table` at the indices; zeros if it is shorter than the one they were checked for.
    #[inline(always)]
    pub fn gather_words<L: Lanes>(self, l: L, table: &[f32]) -> L::F {
        match self.entries(table) {
            Some(words) => l.collect(words),
            None => l.splat(0.0),
        }
    }

    /// Writes lane i of `words` over the record of `table` at index i, in the order of the lanes: where an index
    /// comes twice, the later lane stays.
    ///
    /// Nothing if the table is shorter than the one the indices were checked for.
    #[inline(always)]
    pub fn scatter<L: Lanes>(self, l: L, table: &mut [[f32; 4]], words: [L::F; 4]) {
        if let Some(records) = self.entries(Cell::from_mut(table).as_slice_of_cells()) {
            l.spread_records(words, records);
        }
    }
}
