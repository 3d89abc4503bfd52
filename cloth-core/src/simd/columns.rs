//! Records 0 and records 1 of entries of two, borrowed apart.

use super::{Group, Lanes};
use core::cell::Cell;

/// An entry of two records.
type Pair = [[f32; 4]; 2];

/// Records 0 of entries, to be changed while records 1 are looked at.
#[derive(Debug)]
pub struct Fronts<'t>(&'t [Cell<Pair>]);

/// Records 1 of entries, which nobody changes.
#[derive(Clone, Copy, Debug)]
pub struct Backs<'t>(&'t [Cell<Pair>]);

// SAFETY: only records 0 are reached through `Fronts`, and they are its own: `columns` borrows the table exclusively and makes one,
// which is not copied, and `cut` leaves other entries to each half. What it lends borrows it, so it is not sent meanwhile.
#[expect(unsafe_code, reason = "a cell may be sent with the right to all that can be reached through it")]
unsafe impl Send for Fronts<'_> {}

// SAFETY: only records 1 are reached through `Backs`, to be read, and nobody writes them while the table is borrowed: `columns`
// borrows it exclusively, and `Fronts` reaches records 0.
#[expect(unsafe_code, reason = "what nobody writes may be read by all")]
unsafe impl Send for Backs<'_> {}
// SAFETY: as for `Send`.
#[expect(unsafe_code, reason = "what nobody writes may be read by all")]
unsafe impl Sync for Backs<'_> {}

/// Both columns of a table.
#[inline(always)]
pub fn columns(table: &mut [Pair]) -> (Fronts<'_>, Backs<'_>) {
    let cells: &[Cell<Pair>] = Cell::from_mut(table).as_slice_of_cells();
    (Fronts(cells), Backs(cells))
}

impl Fronts<'_> {
    /// Those of the entries from `first` up to, without, `end`; none where that is not a range of them.
    #[inline(always)]
    #[must_use]
    pub fn range(self, first: usize, end: usize) -> Self {
        Self(self.0.get(first..end).unwrap_or(&[]))
    }

    /// Those of the entries before `at`, and those from there on.
    pub fn cut(self, at: usize) -> (Self, Self) {
        let (head, tail) = self.0.split_at_checked(at).unwrap_or((self.0, &[]));
        (Self(head), Self(tail))
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Groups of eight in order; what is left over is left out.
    #[inline(always)]
    pub fn groups(&self) -> impl ExactSizeIterator<Item = [&Cell<[f32; 4]>; 8]> {
        self.0
            .as_chunks::<8>()
            .0
            .iter()
            .map(|group| group.each_ref().map(|entry| &entry.as_array_of_cells()[0]))
    }
}

impl Backs<'_> {
    /// The records of eight entries from `first` on; `None` where there are none.
    #[inline(always)]
    pub fn chunk(self, first: usize) -> Option<[[f32; 4]; 8]> {
        let entries = self.0.get(first..)?.first_chunk::<8>()?;
        Some(entries.each_ref().map(|entry| entry.as_array_of_cells()[1].get()))
    }

    /// The records of the entries that `group` leads to, transposed, as [`Group::gather`].
    #[inline(always)]
    pub fn gather<L: Lanes>(self, l: L, group: Group) -> [L::F; 4] {
        l.load_records(&core::array::from_fn(|lane| self.of(group, lane)))
    }

    /// The record of the entry that a lane of `group` leads to; zeros where the table is shorter than the one its indices were
    /// checked for.
    #[inline(always)]
    pub fn of(self, group: Group, lane: usize) -> [f32; 4] {
        group.entries(self.0).map_or([0.0; 4], |entry| entry(lane).as_array_of_cells()[1].get())
    }
}
