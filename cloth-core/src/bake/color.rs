//! Colours: nodes that share no row may move at the same time.

use super::adjacency::Adjacency;
use crate::index::len32;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::cmp::Reverse;

/// Marks a node that has no colour yet.
const UNCOLOURED: u32 = u32::MAX;

/// A colour for each node, different from those of all its neighbours, numbered from 0 without gaps.
///
/// Greedy in smallest-last order (Matula and Beck 1983), and once more colour by colour from the last to the
/// first, which never needs more colours and sometimes fewer (Culberson's iterated greedy, 1992; further rounds
/// gained nothing). Evenly cut 32×32 sheets get the 4 colours that any order finds; with random diagonals 7,
/// where source order, largest degree first and saturation order (DSATUR) need 8; the 720-vertex skirt 6, where
/// one pass in source order, largest-first or smallest-last order needs 7. Among equals node numbers decide.
pub(crate) fn colours(graph: &Adjacency) -> Vec<u32> {
    let mut order = smallest_last(graph);
    let first = greedy(graph, &order);
    order.sort_unstable_by_key(|&node| (Reverse(first[node as usize]), node));
    greedy(graph, &order)
}

/// Every node of `order` in turn takes the smallest colour free among its neighbours.
fn greedy(graph: &Adjacency, order: &[u32]) -> Vec<u32> {
    let mut colours = alloc::vec![UNCOLOURED; graph.nodes() as usize];
    for &node in order {
        let mut taken: Vec<u32> = graph.links(node).iter().map(|link| colours[link.other as usize]).collect();
        taken.sort_unstable();
        taken.dedup();
        // Sorted and without repetition, the first entry unlike its own index marks a gap.
        let gap = (0..).zip(&taken).find(|(free, taken)| free != *taken).map(|(free, _)| free);
        colours[node as usize] = gap.unwrap_or(len32(&taken));
    }
    colours
}

/// The order in which each node has fewest neighbours among itself and those before it: found backwards by
/// taking away, again and again, a node with the fewest neighbours left (the smallest of several).
fn smallest_last(graph: &Adjacency) -> Vec<u32> {
    let mut degrees: Vec<usize> = (0..graph.nodes()).map(|node| graph.links(node).len()).collect();
    let mut left: BTreeSet<(usize, u32)> = degrees.iter().copied().zip(0..).collect();
    let mut order = Vec::with_capacity(degrees.len());
    while let Some((_, node)) = left.pop_first() {
        order.push(node);
        for link in graph.links(node) {
            let degree = &mut degrees[link.other as usize];
            if left.remove(&(*degree, link.other)) {
                *degree -= 1;
                left.insert((*degree, link.other));
            }
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn a_clique_needs_as_many_as_it_has_nodes_and_a_path_two() {
        let clique = [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]];
        let mut found = colours(&Adjacency::new(4, &clique));
        found.sort_unstable();
        assert_eq!(found, vec![0, 1, 2, 3]);
        let path = colours(&Adjacency::new(5, &[[0, 1], [1, 2], [2, 3], [3, 4]]));
        assert_eq!(path.iter().max(), Some(&1));
        assert!(path.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn without_rows_one_colour_is_enough() {
        assert_eq!(colours(&Adjacency::new(3, &[])), vec![0, 0, 0]);
    }
}
