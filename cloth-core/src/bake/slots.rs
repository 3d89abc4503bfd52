//! Lists of nodes side by side: slot k of a group of eight nodes holds the k-th entry of each one's list.

use crate::index::len32;
use crate::model::header::LANES32;
use crate::model::record::LANES;
use alloc::vec::Vec;

/// The lists of consecutive nodes, eight to a group; a group has as many slots as its longest list has entries.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Slots<T> {
    /// First slot of each group, and one past the last.
    pub(crate) starts: Vec<u32>,
    pub(crate) slots: Vec<[T; LANES]>,
}

impl<T: Copy> Slots<T> {
    /// `entries` are (node, entry), sorted by node; `blank` fills up the shorter lists.
    pub(crate) fn new(groups: u32, entries: &[(u32, T)], blank: impl Fn(u32) -> T) -> Self {
        let (mut starts, mut slots) = (alloc::vec![0], Vec::new());
        let mut rest = entries;
        for group in 0..groups {
            let mut next = group * LANES32;
            let lists = [(); LANES].map(|()| {
                let node = next;
                next += 1;
                let (own, others) = rest.split_at(rest.partition_point(|entry| entry.0 <= node));
                rest = others;
                (node, own)
            });
            let depth = lists.iter().map(|(_, list)| list.len()).max().unwrap_or(0);
            slots.extend((0..depth).map(|slot| {
                lists.map(|(node, list)| list.get(slot).map_or_else(|| blank(node), |entry| entry.1))
            }));
            starts.push(len32(&slots));
        }
        Self { starts, slots }
    }

    /// One field of the entries.
    pub(crate) fn field<F>(&self, field: impl Fn(T) -> F) -> Vec<[F; LANES]> {
        self.slots.iter().map(|slot| slot.map(&field)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn shorter_lists_are_filled_up() {
        let entries = [(1, 'a'), (1, 'b'), (7, 'c'), (17, 'd')];
        let found = Slots::new(3, &entries, |node| if node < 8 { '.' } else { ':' });
        let text = |slot: &[char; LANES]| slot.iter().collect::<std::string::String>();
        assert_eq!(found.starts, vec![0, 2, 2, 3]);
        assert_eq!(found.slots.iter().map(text).collect::<Vec<_>>(), [".a.....c", ".b......", ":d::::::"]);
    }
}
