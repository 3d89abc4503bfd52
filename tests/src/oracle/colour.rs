//! Colours for nodes, so that nodes which share a row differ in theirs.

use crate::narrow::to_u32;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Marks a node that has no colour yet.
const UNCOLOURED: u32 = u32::MAX;

/// A colour for each of `nodes` nodes, different from those of all its neighbours in `pairs`, numbered from 0
/// without gaps.
///
/// Greedy in smallest-last order (Matula and Beck 1983), and once more colour by colour from the last to the
/// first, which never needs more colours and sometimes fewer (Culberson's iterated greedy, 1992). Among equals node
/// numbers decide.
pub(super) fn colours(nodes: usize, pairs: &[[usize; 2]]) -> Vec<u32> {
    let neighbours = neighbours(nodes, pairs);
    let mut order = smallest_last(&neighbours);
    let first = greedy(&neighbours, &order);
    order.sort_unstable_by_key(|&node| (Reverse(first[node]), node));
    greedy(&neighbours, &order)
}

/// The neighbours of every node, each once.
fn neighbours(nodes: usize, pairs: &[[usize; 2]]) -> Vec<Vec<usize>> {
    let mut neighbours = vec![BTreeSet::new(); nodes];
    for &[a, b] in pairs {
        neighbours[a].insert(b);
        neighbours[b].insert(a);
    }
    neighbours.into_iter().map(|set| set.into_iter().collect()).collect()
}

/// Every node of `order` in turn takes the smallest colour free among its neighbours.
fn greedy(neighbours: &[Vec<usize>], order: &[usize]) -> Vec<u32> {
    let mut colours = vec![UNCOLOURED; neighbours.len()];
    for &node in order {
        let taken: BTreeSet<u32> = neighbours[node].iter().map(|&other| colours[other]).collect();
        // Sorted and without repetition, the first entry unlike its own index marks a gap.
        let gap = (0..).zip(&taken).find(|(free, taken)| free != *taken).map(|(free, _)| free);
        colours[node] = gap.unwrap_or_else(|| to_u32(taken.len()));
    }
    colours
}

/// The order in which each node has fewest neighbours among itself and those before it: found backwards by
/// taking away, again and again, a node with the fewest neighbours left (the smallest of several).
fn smallest_last(neighbours: &[Vec<usize>]) -> Vec<usize> {
    let mut degrees: Vec<usize> = neighbours.iter().map(Vec::len).collect();
    let mut left: BTreeSet<(usize, usize)> = degrees.iter().copied().zip(0..).collect();
    let mut order = Vec::with_capacity(degrees.len());
    while let Some((_, node)) = left.pop_first() {
        order.push(node);
        for &other in &neighbours[node] {
            if left.remove(&(degrees[other], other)) {
                degrees[other] -= 1;
                left.insert((degrees[other], other));
            }
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use super::colours;
    use crate::random::Random;

    #[test]
    fn a_clique_needs_as_many_as_it_has_nodes_and_a_path_two() {
        let mut found = colours(4, &[[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]);
        found.sort_unstable();
        assert_eq!(found, [0, 1, 2, 3]);
        let path = colours(5, &[[0, 1], [1, 2], [2, 3], [3, 4]]);
        assert_eq!(path.iter().max(), Some(&1));
        assert!(path.windows(2).all(|pair| pair[0] != pair[1]));
    }

    #[test]
    fn without_rows_one_colour_is_enough() {
        assert_eq!(colours(3, &[]), [0, 0, 0]);
    }

    #[test]
    fn neighbours_differ_and_no_colour_is_left_out() {
        let mut random = Random::new(2);
        for _ in 0..50 {
            let nodes = random.between(2, 60);
            let mut pairs = Vec::new();
            for _ in 0..3 * nodes {
                let (a, b) = (random.below(nodes) as usize, random.below(nodes) as usize);
                if a != b {
                    pairs.push([a, b]);
                }
            }
            let found = colours(nodes as usize, &pairs);
            assert!(pairs.iter().all(|&[a, b]| found[a] != found[b]));
            let most = found.iter().copied().max().unwrap_or(0);
            assert!((0..most).all(|colour| found.contains(&colour)));
        }
    }
}
