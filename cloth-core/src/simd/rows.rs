//! Groups together with the table they lead into, to be read and written through them.

use super::{Group, Groups, Lanes};
use core::cell::Cell;

/// An entry of two records.
type Pair = [[f32; 4]; 2];

/// Groups and the entries that they lead to, which nobody else reads or writes meanwhile.
///
/// Groups that are [apart](super::Runs) can be cut in two that different threads go through at the same time.
pub struct Rows<'t, T, const N: usize> {
    groups: Groups<'t, N>,
    table: &'t [Cell<T>],
    /// Whether no two of the groups lead to the same entry.
    apart: bool,
}

// SAFETY: what is reached through `Rows` are the entries its groups lead to. They are its own: it is made from a table that is
// borrowed exclusively for its lifetime, it is not copied, and `cut` leaves to both halves what only they lead to. Every `Row`
// borrows it, so that it cannot be sent away while one is at hand.
#[expect(unsafe_code, reason = "a cell may be sent with the right to all that can be reached through it")]
unsafe impl<T: Send, const N: usize> Send for Rows<'_, T, N> {}

impl<'t, T, const N: usize> Rows<'t, T, N> {
    /// `groups` in `table`; no groups where it is shorter than the one they were checked for.
    #[inline(always)]
    pub fn new(groups: Groups<'t, N>, table: &'t mut [T]) -> Self {
        let groups = if groups.fit(table.len()) { groups } else { Groups::default() };
        Self { groups, table: Cell::from_mut(table).as_slice_of_cells(), apart: false }
    }

    /// As [`Rows::new`], of groups no two of which lead to the same entry.
    #[cfg(feature = "team")]
    pub(super) fn apart(groups: Groups<'t, N>, table: &'t mut [T]) -> Self {
        Self { apart: true, ..Self::new(groups, table) }
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

    /// Whether the groups may be cut.
    pub fn is_apart(&self) -> bool {
        self.apart
    }

    /// The groups in order.
    #[inline(always)]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = [Row<'_, T>; N]> {
        let table = self.table;
        // Asked before the loop, it spares every group the question.
        let groups = if self.groups.fit(table.len()) { self.groups } else { Groups::default() };
        groups.iter().map(move |group| group.map(|group| Row { group, table }))
    }

    /// The groups before `at` and those from there on; all in the first where they are not apart.
    pub fn cut(self, at: usize) -> (Self, Self) {
        let at = if self.apart { at.min(self.len()) } else { self.len() };
        let Self { groups, table, apart } = self;
        let part = |first, end| Self { groups: groups.range(first, end), table, apart };
        (part(0, at), part(at, groups.len()))
    }
}

/// One end of eight rows of [`Rows`].
#[derive(Clone, Copy)]
pub struct Row<'t, T> {
    group: Group<'t>,
    table: &'t [Cell<T>],
}

impl Row<'_, Pair> {
    /// [`Group::differences`].
    #[inline(always)]
    pub fn differences<L: Lanes>(self, other: Self, l: L) -> [[L::F; 3]; 2] {
        match (self.group.entries(self.table), other.group.entries(other.table)) {
            (Some(a), Some(b)) => l.differences(|lane| read(a(lane)), |lane| read(b(lane))),
            _ => [[l.splat(0.0); 3]; 2],
        }
    }

    /// [`Group::add_nth`].
    #[inline(always)]
    pub fn add_nth<L: Lanes>(self, l: L, nth: usize, words: [L::F; 3]) {
        if let Some(entry) = self.group.entries(self.table) {
            l.add_to_records(words, |lane| &entry(lane).as_array_of_cells()[nth & 1]);
        }
    }

    /// [`Group::is_filled_up`].
    #[inline(always)]
    pub fn is_filled_up(self, lane: usize, index: u32) -> bool {
        self.group.is_filled_up(lane, index)
    }
}

/// What a cell holds, to be looked at while nothing is written.
#[inline(always)]
#[expect(unsafe_code, reason = "a copy of an entry instead would go through memory")]
fn read(cell: &Cell<Pair>) -> &Pair {
    // SAFETY: the cell is this thread's alone (`Rows`), and `differences`, the only one to ask, hands what it gets to a function
    // of lanes that has nothing to write with and gives back nothing that borrows.
    unsafe { &*cell.as_ptr() }
}
