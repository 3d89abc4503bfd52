//! Disjoint sets.

use alloc::vec::Vec;

/// A partition of `0..n` that only grows coarser. A set is named by its smallest member, so the partition and
/// its names do not depend on the order of the joins.
pub(crate) struct Sets(Vec<u32>);

impl Sets {
    pub(crate) fn new(count: u32) -> Self {
        Self((0..count).collect())
    }

    pub(crate) fn find(&mut self, mut item: u32) -> u32 {
        loop {
            let parent = self.0[item as usize];
            if parent == item {
                return item;
            }
            let grandparent = self.0[parent as usize];
            self.0[item as usize] = grandparent;
            item = grandparent;
        }
    }

    pub(crate) fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b) as usize] = a.min(b);
    }

    /// The name of the set of each item.
    pub(crate) fn into_names(mut self) -> Vec<u32> {
        for item in 0..self.0.len() {
            // Parents are smaller than their children, so they are final by the time they are read.
            self.0[item] = self.0[self.0[item] as usize];
        }
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn names_do_not_depend_on_the_order_of_joins() {
        let joins = [(5, 4), (1, 4), (7, 2), (2, 2), (4, 5)];
        let names = |order: &mut dyn Iterator<Item = (u32, u32)>| {
            let mut sets = Sets::new(8);
            order.for_each(|(a, b)| sets.join(a, b));
            sets.into_names()
        };
        let forward = names(&mut joins.into_iter());
        assert_eq!(forward, vec![0, 1, 2, 3, 1, 1, 6, 2]);
        assert_eq!(forward, names(&mut joins.into_iter().rev()));
    }
}
