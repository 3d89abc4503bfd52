//! Which body or group has which handle.

use super::Item;
use crate::index::Handle;

/// Handles by rising number, and what has them. What is gone leaves its line behind until half of the lines are such, so that
/// going costs no more than coming.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger {
    lines: Vec<Line>,
    gone: usize,
    /// The first handle that was never given out.
    next: u64,
}

/// A run of handles: one for a body, as many as it has for a group.
#[derive(Clone, Copy, Debug)]
struct Line {
    first: u64,
    count: u64,
    item: Item,
}

impl Ledger {
    /// Gives out `count` handles, at least one, and returns the first.
    pub fn give(&mut self, count: u64, item: Item) -> Handle {
        let first = self.next;
        self.next += count;
        self.lines.push(Line { first, count, item });
        Handle(first)
    }

    /// The next handle.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Leaves handles up to that one out.
    pub fn skip_to(&mut self, next: u64) {
        self.next = self.next.max(next);
    }

    fn place(&self, handle: Handle) -> Option<usize> {
        let after = self.lines.partition_point(|line| line.first <= handle.0);
        let place = after.checked_sub(1)?;
        let line = self.lines.get(place)?;
        (handle.0 - line.first < line.count).then_some(place)
    }

    /// What has the handle, and which of the run it is.
    pub fn find(&self, handle: Handle) -> Option<(Item, u64)> {
        let line = self.lines.get(self.place(handle)?)?;
        Some((line.item, handle.0 - line.first))
    }

    /// Strikes the line that the handle is in.
    pub fn strike(&mut self, handle: Handle) {
        let line = self.place(handle).and_then(|place| self.lines.get_mut(place));
        let Some(line) = line else {
            return;
        };
        line.count = 0;
        self.gone += 1;
        if 2 * self.gone > self.lines.len() {
            self.lines.retain(|line| line.count > 0);
            self.gone = 0;
        }
    }

    /// Gives handles that were given out before to what has them again, so many from that one on.
    pub fn put_back(&mut self, handle: Handle, count: u64, item: Item) {
        let after = self.lines.partition_point(|line| line.first <= handle.0);
        let struck = after.checked_sub(1).and_then(|place| self.lines.get_mut(place));
        let line = Line { first: handle.0, count, item };
        match struck.filter(|struck| struck.first == handle.0 && struck.count == 0) {
            Some(struck) => {
                *struck = line;
                self.gone -= 1;
            }
            None => self.lines.insert(after, line),
        }
        self.next = self.next.max(handle.0 + count);
    }

    /// Forgets handles from `next` on, as far as nothing has them: they are given out again.
    pub fn rewind(&mut self, next: u64) {
        while self.lines.pop_if(|line| line.count == 0).is_some() {
            self.gone -= 1;
        }
        let taken = self.lines.last().map_or(0, |line| line.first + line.count);
        self.next = next.max(taken);
    }

    /// All that is there, by rising handle, with the first one.
    pub fn iter(&self) -> impl Iterator<Item = (Handle, Item)> + '_ {
        self.lines.iter().filter(|line| line.count > 0).map(|line| (Handle(line.first), line.item))
    }

    /// Memory of its lines (bytes).
    pub fn bytes(&self) -> usize {
        self.lines.capacity() * size_of::<Line>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_found_by_any_of_their_handles_until_they_are_struck() {
        let mut ledger = Ledger::default();
        for i in 0..5_usize {
            ledger.give(if i == 2 { 3 } else { 1 }, Item::Body(i));
        }
        let found = |ledger: &Ledger, handle| match ledger.find(Handle(handle)) {
            Some((Item::Body(i), which)) => Some((i, which)),
            _ => None,
        };
        assert_eq!(found(&ledger, 4), Some((2, 2)));
        for handle in [3, 0, 6] {
            ledger.strike(Handle(handle));
            assert_eq!(found(&ledger, handle), None);
            ledger.strike(Handle(handle));
        }
        assert_eq!((found(&ledger, 1), found(&ledger, 5)), (Some((1, 0)), Some((3, 0))));
        assert_eq!(ledger.lines.len(), 2, "struck lines go");
        assert_eq!(ledger.give(1, Item::Body(9)), Handle(7));
        assert_eq!(ledger.iter().map(|(handle, _)| handle.0).collect::<Vec<_>>(), [1, 5, 7]);
    }
}
