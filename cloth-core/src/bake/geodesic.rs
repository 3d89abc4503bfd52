//! Distances along the cloth.

use super::adjacency::Adjacency;
use super::aggregate::Graph;
use crate::index::{NONE, len32};
use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

/// The nearest pin of a node along the rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Nearest {
    /// The pin, or [`NONE`] where no pin can be reached.
    pub(crate) pin: u32,
    /// Length of the shortest path to it (m), summed from the pin.
    pub(crate) distance: f32,
}

impl Nearest {
    const NOTHING: Self = Self { pin: NONE, distance: 0.0 };

    /// Distances are not negative, so their bits are ordered as they are.
    fn key(self) -> (u32, u32) {
        (self.distance.to_bits(), self.pin)
    }
}

/// For every node, the pin with the shortest path along rows of the given lengths, the smaller one of two
/// equally far (Dijkstra 1959, from all pins at once).
///
/// Rounded addition keeps the order of its operands, so the answer is a minimum over all paths and does not
/// depend on the order in which nodes are visited.
pub(crate) fn nearest_pins(rows: &Adjacency, lengths: &[f32], pinned: &[bool]) -> Vec<Nearest> {
    let mut nearest = alloc::vec![Nearest::NOTHING; rows.nodes() as usize];
    let mut open = BinaryHeap::new();
    for (node, _) in (0..).zip(pinned).filter(|(_, pinned)| **pinned) {
        let own = Nearest { pin: node, distance: 0.0 };
        nearest[node as usize] = own;
        open.push(Reverse((own.key(), node)));
    }
    while let Some(Reverse((key, node))) = open.pop() {
        let here = nearest[node as usize];
        if key != here.key() {
            continue;
        }
        for link in rows.links(node) {
            let distance = here.distance + lengths[link.row as usize];
            let there = Nearest { pin: here.pin, distance };
            let known = &mut nearest[link.other as usize];
            if known.pin == NONE || there.key() < known.key() {
                *known = there;
                open.push(Reverse((there.key(), link.other)));
            }
        }
    }
    nearest
}

/// Shortest ways through a graph from single nodes, without looking further than asked.
pub(crate) struct Ways<'a> {
    rows: Adjacency,
    lengths: &'a [f32],
    /// From the last source (m); infinite where nothing was found.
    distance: Vec<f32>,
    wanted: Vec<bool>,
    reached: Vec<u32>,
    open: BinaryHeap<Reverse<(u32, u32)>>,
}

impl<'a> Ways<'a> {
    pub(crate) fn new(graph: &'a Graph) -> Self {
        Self {
            rows: Adjacency::new(len32(&graph.nodes), &graph.ways),
            lengths: &graph.lengths,
            distance: alloc::vec![f32::INFINITY; graph.nodes.len()],
            wanted: alloc::vec![false; graph.nodes.len()],
            reached: Vec::new(),
            open: BinaryHeap::new(),
        }
    }

    /// The shortest way from `source` to each of `targets` (m), which are different nodes; infinite where there is none
    /// (Dijkstra 1959).
    pub(crate) fn lengths(&mut self, source: u32, targets: &[u32]) -> Vec<f32> {
        targets.iter().for_each(|target| self.wanted[*target as usize] = true);
        let mut missing = targets.len();
        self.reach(source, 0.0);
        while missing > 0 {
            let Some(Reverse((key, node))) = self.open.pop() else { break };
            let here = self.distance[node as usize];
            if key != here.to_bits() {
                continue;
            }
            missing -= usize::from(self.wanted[node as usize]);
            for place in 0..self.rows.links(node).len() {
                let link = self.rows.links(node)[place];
                let there = here + self.lengths[link.row as usize];
                if there < self.distance[link.other as usize] {
                    self.reach(link.other, there);
                }
            }
        }
        let found = targets.iter().map(|target| self.distance[*target as usize]).collect();
        targets.iter().for_each(|target| self.wanted[*target as usize] = false);
        self.reached.drain(..).for_each(|node| self.distance[node as usize] = f32::INFINITY);
        self.open.clear();
        found
    }

    fn reach(&mut self, node: u32, distance: f32) {
        self.distance[node as usize] = distance;
        self.reached.push(node);
        self.open.push(Reverse((distance.to_bits(), node)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn ties_go_to_the_smaller_pin_and_islands_have_none() {
        let rows = [[0, 1], [1, 2], [2, 3], [3, 4], [5, 6]];
        let found = nearest_pins(
            &Adjacency::new(7, &rows),
            &[1.0, 0.5, 0.5, 1.0, 1.0],
            &[true, false, false, false, true, false, false],
        );
        let pins: Vec<u32> = found.iter().map(|nearest| nearest.pin).collect();
        let distances: Vec<f32> = found.iter().map(|nearest| nearest.distance).collect();
        assert_eq!(pins, vec![0, 0, 0, 4, 4, NONE, NONE]);
        assert_eq!(distances, vec![0.0, 1.0, 1.5, 1.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn the_shorter_way_round_wins() {
        let rows = [[0, 1], [0, 2], [1, 2]];
        let found = nearest_pins(&Adjacency::new(3, &rows), &[5.0, 1.0, 1.0], &[true, false, false]);
        assert_eq!(found[1], Nearest { pin: 0, distance: 2.0 });
    }
}
