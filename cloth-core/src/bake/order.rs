//! The order in which nodes follow each other: breadth first from the pins.

use super::adjacency::Adjacency;
use alloc::vec::Vec;

/// Marks a node that was not reached yet.
const UNREACHED: u32 = u32::MAX;

/// All nodes of a graph in breadth-first order.
pub(crate) struct Walk {
    /// Nodes in the order they were reached.
    pub(crate) order: Vec<u32>,
    /// Rows between each node and the nearest pin; one more than that from the seed of a piece without pins.
    pub(crate) layer: Vec<u32>,
}

impl Walk {
    /// Starts from all pins in ascending order, visits neighbours in ascending order and, where a piece has no pin,
    /// goes on from its lowest node as from a neighbour of a pin.
    pub(crate) fn new(graph: &Adjacency, is_pin: impl Fn(u32) -> bool) -> Self {
        let count = graph.nodes();
        let mut order = Vec::with_capacity(count as usize);
        let mut layer = alloc::vec![UNREACHED; count as usize];
        for pin in (0..count).filter(|node| is_pin(*node)) {
            layer[pin as usize] = 0;
            order.push(pin);
        }
        let mut visited = 0;
        // Also comes by what the pins reach, which has its layer by then.
        for seed in 0..=count {
            while let Some(&node) = order.get(visited) {
                visited += 1;
                let next = layer[node as usize] + 1;
                for link in graph.links(node) {
                    let layer = &mut layer[link.other as usize];
                    if *layer == UNREACHED {
                        *layer = next;
                        order.push(link.other);
                    }
                }
            }
            if let Some(layer) = layer.get_mut(seed as usize).filter(|layer| **layer == UNREACHED) {
                *layer = 1;
                order.push(seed);
            }
        }
        Self { order, layer }
    }

    /// Where each node stands in the order.
    pub(crate) fn places(&self) -> Vec<u32> {
        let mut places = alloc::vec![0; self.order.len()];
        for (&node, place) in self.order.iter().zip(0..) {
            places[node as usize] = place;
        }
        places
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use proptest::prelude::*;

    #[test]
    fn pins_come_first_then_their_neighbours_then_pieces_without_pins() {
        let rows = [[0, 6], [1, 3], [1, 4], [2, 4], [5, 7]];
        let walk = Walk::new(&Adjacency::new(8, &rows), |node| node == 4 || node == 3);
        assert_eq!(walk.order, vec![3, 4, 1, 2, 0, 6, 5, 7]);
        assert_eq!(walk.layer, vec![1, 1, 1, 0, 0, 1, 2, 2]);
        assert_eq!(walk.places(), vec![4, 2, 3, 0, 1, 6, 5, 7]);
    }

    proptest! {
        #[test]
        fn every_node_comes_once_and_layers_are_distances(
            draws in prop::collection::vec((0_u32..30, 0_u32..30), 0..60),
            pins in prop::collection::btree_set(0_u32..30, 0..4),
        ) {
            let mut rows: Vec<[u32; 2]> =
                draws.iter().filter(|(a, b)| a != b).map(|&(a, b)| [a.min(b), a.max(b)]).collect();
            rows.sort_unstable();
            rows.dedup();
            let walk = Walk::new(&Adjacency::new(30, &rows), |node| pins.contains(&node));
            let mut sorted = walk.order.clone();
            sorted.sort_unstable();
            prop_assert_eq!(sorted, (0..30).collect::<Vec<u32>>());
            // Steps to the nearest pin, by relaxing all rows until nothing changes.
            let mut steps: Vec<u32> = (0..30).map(|node| if pins.contains(&node) { 0 } else { 1000 }).collect();
            for _ in 0..30 {
                for &[a, b] in &rows {
                    let [a, b] = [a as usize, b as usize];
                    steps[a] = steps[a].min(steps[b] + 1);
                    steps[b] = steps[b].min(steps[a] + 1);
                }
            }
            for (layer, steps) in walk.layer.iter().zip(steps) {
                prop_assert!(*layer == steps || (steps >= 1000 && *layer >= 1));
            }
        }
    }
}
