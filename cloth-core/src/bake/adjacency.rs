//! Which nodes a node shares rows with.

use crate::index::len32;
use alloc::vec::Vec;

/// One row seen from one of its ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Link {
    /// The node at the other end.
    pub(crate) other: u32,
    /// The row's place in the list the adjacency was made from.
    pub(crate) row: u32,
}

/// The links of every node, in ascending order of the other end.
pub(crate) struct Adjacency {
    /// Nodes + 1 entries.
    starts: Vec<u32>,
    links: Vec<Link>,
}

impl Adjacency {
    /// `rows` are pairs of different nodes below `nodes`.
    pub(crate) fn new(nodes: u32, rows: &[[u32; 2]]) -> Self {
        let mut ends: Vec<(u32, Link)> = Vec::with_capacity(2 * rows.len());
        for (&[a, b], row) in rows.iter().zip(0..) {
            ends.extend([(a, Link { other: b, row }), (b, Link { other: a, row })]);
        }
        ends.sort_unstable();
        let mut starts = alloc::vec![0; nodes as usize + 1];
        for (node, _) in &ends {
            starts[*node as usize + 1] += 1;
        }
        for node in 1..starts.len() {
            starts[node] += starts[node - 1];
        }
        Self { starts, links: ends.into_iter().map(|end| end.1).collect() }
    }

    pub(crate) fn nodes(&self) -> u32 {
        len32(&self.starts) - 1
    }

    pub(crate) fn links(&self, node: u32) -> &[Link] {
        &self.links[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }
}
