//! Indices in groups of eight that are checked once and then lead to records without a test.

use super::Lanes;
use core::cell::Cell;

/// An index is stored as a **place**: this many times the index. An entry of 16 or 32 bytes then lies 4 or 8 times its
/// place behind the start of its table, which is how far processors reach without arithmetic; a tenth of all a step does
/// was shifting indices.
pub const PLACE: u32 = 4;

/// Groups of N × 8 [places](PLACE) in tables of a common length: N = 2 for rows between two particles, 4 for hinges.
///
/// Every index is below the length given to [`Groups::new`], and the indices are borrowed, so they stay so. All that is
/// left to test when a group meets a table is that the table is no shorter: one comparison for eight lanes, with the same
/// outcome for every group.
#[derive(Clone, Copy, Debug, Default)]
pub struct Groups<'m, const N: usize> {
    groups: &'m [[[u32; 8]; N]],
    /// Every index they stand for is below this.
    length: usize,
}

impl<'m, const N: usize> Groups<'m, N> {
    /// Checks `groups` against a table of `length` entries: `None` if a place is not that of an entry, or not below 2³¹.
    ///
    /// Reads every index once, with about two instructions for each (measured, SSE2).
    pub fn new(groups: &'m [[[u32; 8]; N]], length: usize) -> Option<Self> {
        // Below 2³¹ both are what signed integers hold, so the top bit of last − place says which is greater. That takes
        // two operations for four places everywhere; SSE2 has no maximum of 32-bit integers.
        let length32 = u32::try_from(length).unwrap_or(u32::MAX).min((1 << 31) / PLACE);
        if length32 == 0 {
            return groups.is_empty().then_some(Self { groups, length });
        }
        let last = (length32 - 1) * PLACE;
        let (mut outside, mut between) = (0, 0);
        for place in groups.as_flattened().as_flattened() {
            outside |= place | last.wrapping_sub(*place);
            between |= place;
        }
        (outside >> 31 == 0 && between.is_multiple_of(PLACE)).then_some(Self { groups, length })
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

    /// The same groups, for tables of `length` entries, if none leads further.
    pub fn within(self, length: usize) -> Option<Self> {
        Self::new(self.groups, length)
    }

    /// Whether a table of `length` entries is as long as the one the indices were checked for. A kernel that asks before
    /// its loop spares every group the question.
    #[inline(always)]
    pub fn fit(&self, length: usize) -> bool {
        length >= self.length
    }

    /// The groups in order.
    #[inline(always)]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = [Group<'m>; N]> + use<'m, N> {
        let length = self.length;
        self.groups.iter().map(move |group| group.each_ref().map(|places| Group { places, length }))
    }
}

/// Eight places of a [`Groups`]: one end of eight rows.
#[derive(Clone, Copy, Debug)]
pub struct Group<'m> {
    places: &'m [u32; 8],
    /// Every index is below this.
    length: usize,
}

impl<'m> Group<'m> {
    /// Tells the entry of `table` that the index of a lane names; `None` if the table is shorter than the one the indices
    /// were checked for.
    #[inline(always)]
    #[expect(
        unsafe_code,
        reason = "the indices are checked already; eight tests more would cost a third of a row's time"
    )]
    pub(super) fn entries<'t, T>(self, table: &'t [T]) -> Option<impl Fn(usize) -> &'t T + use<'t, 'm, T>> {
        // Does not compile, dividing by zero, for entries that are no whole number of places.
        const { _ = 1 / (size_of::<T>().is_multiple_of(PLACE as usize) as usize) };
        if table.len() < self.length {
            return None;
        }
        let places = self.places;
        let first: *const T = table.as_ptr();
        // SAFETY: a `Group` comes from `Groups::iter` alone, and `Groups::new` has found every place of its groups to be
        // `PLACE` times an index below `length`; they are borrowed since, so they are what was checked. The table is not
        // shorter, by the test above, and borrowed for 't. The bytes of an entry being a multiple of `PLACE`, the product is
        // index times size: the entry of that index.
        Some(move |lane: usize| unsafe {
            &*first.byte_add(places[lane & 7] as usize * (size_of::<T>() / PLACE as usize))
        })
    }

    /// The records of `table` at the indices, transposed: lane i of result k is word k of the record at index i.
    ///
    /// Zeros if the table is shorter than the one the indices were checked for.
    #[inline(always)]
    pub fn gather<L: Lanes>(self, l: L, table: &[[f32; 4]]) -> [L::F; 4] {
        match self.entries(table) {
            Some(record) => l.collect_records(record),
            None => [l.splat(0.0); 4],
        }
    }

    /// As [`Group::gather`], of record `nth` of the entries at the indices.
    #[inline(always)]
    pub fn gather_nth<L: Lanes, const N: usize>(
        self,
        l: L,
        nth: usize,
        table: &[[[f32; 4]; N]],
    ) -> [L::F; 4] {
        match self.entries(table) {
            Some(entry) if nth < N => l.collect_records(|lane| &entry(lane)[nth]),
            _ => [l.splat(0.0); 4],
        }
    }

    /// Whether `lane`, which is not the group's first, leads to `index`: where groups are filled up with it, so do the lanes
    /// after it, and nothing is to be done for them.
    #[inline(always)]
    pub fn is_filled_up(self, lane: usize, index: u32) -> bool {
        lane > 0 && self.places[lane & 7] == index * PLACE
    }

    /// The entry of `table` at the index of a lane, 0 to 7; the zero value if the table is shorter than the one the
    /// indices were checked for.
    #[inline(always)]
    pub fn entry<T: Copy + Default>(self, lane: usize, table: &[T]) -> T {
        self.entries(table).map_or(T::default(), |entry| *entry(lane))
    }

    /// The floats of `table` at the indices; zeros if it is shorter than the one they were checked for.
    #[inline(always)]
    pub fn gather_words<L: Lanes>(self, l: L, table: &[f32]) -> L::F {
        match self.entries(table) {
            Some(word) => l.collect(|lane| *word(lane)),
            None => l.splat(0.0),
        }
    }

    /// Writes lane i of `words` over the record of `table` at index i, in the order of the lanes: where an index
    /// comes twice, the later lane stays.
    ///
    /// Nothing if the table is shorter than the one the indices were checked for.
    #[inline(always)]
    pub fn scatter<L: Lanes>(self, l: L, table: &mut [[f32; 4]], words: [L::F; 4]) {
        if let Some(record) = self.entries(Cell::from_mut(table).as_slice_of_cells()) {
            l.spread_records(words, record);
        }
    }

    /// What the entries of `table` at the indices of `other` are further than those at these ones, both records of them,
    /// transposed: [`Lanes::differences`].
    ///
    /// Zeros if the table is shorter than the one the indices were checked for.
    #[inline(always)]
    pub fn differences<L: Lanes>(self, other: Self, l: L, table: &[[[f32; 4]; 2]]) -> [[L::F; 3]; 2] {
        match (self.entries(table), other.entries(table)) {
            (Some(a), Some(b)) => l.differences(a, b),
            _ => [[l.splat(0.0); 3]; 2],
        }
    }

    /// What `ends` are further than the entries of `table` at the indices, as [`Group::differences`].
    #[inline(always)]
    pub fn differences_to<L: Lanes>(
        self,
        ends: &[[[f32; 4]; 2]; 8],
        l: L,
        table: &[[[f32; 4]; 2]],
    ) -> [[L::F; 3]; 2] {
        match self.entries(table) {
            Some(a) => l.differences_to(a, ends),
            None => [[l.splat(0.0); 3]; 2],
        }
    }

    /// Adds lane i of `words` to record `nth` of the entry at index i, in the order of the lanes; the last word of the
    /// record, which is not -0, stays.
    ///
    /// Nothing if the table is shorter than the one the indices were checked for.
    #[inline(always)]
    pub fn add_nth<L: Lanes, const N: usize>(
        self,
        l: L,
        nth: usize,
        table: &mut [[[f32; 4]; N]],
        words: [L::F; 3],
    ) {
        if let Some(entry) = self.entries(Cell::from_mut(table).as_slice_of_cells())
            && nth < N
        {
            l.add_to_records(words, |lane| &entry(lane).as_array_of_cells()[nth]);
        }
    }

    /// The word `word` of record `nth` of the entries at the indices.
    ///
    /// Zeros if the table is shorter than the one the indices were checked for.
    #[inline(always)]
    pub fn gather_word<L: Lanes, const N: usize>(
        self,
        l: L,
        [nth, word]: [usize; 2],
        table: &[[[f32; 4]; N]],
    ) -> L::F {
        match self.entries(table) {
            Some(entry) if nth < N && word < 4 => l.collect(|lane| entry(lane)[nth][word]),
            _ => l.splat(0.0),
        }
    }

    /// As [`Group::scatter`], over record `nth` of the entries at the indices.
    #[inline(always)]
    pub fn scatter_nth<L: Lanes, const N: usize>(
        self,
        l: L,
        nth: usize,
        table: &mut [[[f32; 4]; N]],
        words: [L::F; 4],
    ) {
        if let Some(entry) = self.entries(Cell::from_mut(table).as_slice_of_cells())
            && nth < N
        {
            l.spread_records(words, |lane| &entry(lane).as_array_of_cells()[nth]);
        }
    }
}
