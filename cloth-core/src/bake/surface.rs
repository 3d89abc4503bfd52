//! Triangles, their shared edges, and what follows from who shares what.

use super::sets::Sets;
use crate::index::len32;
use alloc::vec::Vec;

/// A triangle of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Triangle {
    /// In the order they are wound, the smallest first.
    pub(crate) corners: [u32; 3],
    /// Its index in the caller's array.
    pub(crate) source: u32,
}

impl Triangle {
    pub(crate) fn new([a, b, c]: [u32; 3], source: u32) -> Self {
        let corners = if a < b && a < c {
            [a, b, c]
        } else if b < c {
            [b, c, a]
        } else {
            [c, a, b]
        };
        Self { corners, source }
    }

    /// The three corners by number: the same for both windings.
    pub(crate) fn key(&self) -> [u32; 3] {
        let [a, b, c] = self.corners;
        [a, b.min(c), b.max(c)]
    }

    fn turn_over(&mut self) {
        let [a, b, c] = self.corners;
        self.corners = [a, c, b];
    }
}

/// One side of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Side {
    /// The edge it lies on, smaller end first.
    pub(crate) edge: [u32; 2],
    /// The triangle, by its place in [`Surface::triangles`].
    pub(crate) triangle: u32,
    /// The corner opposite.
    pub(crate) opposite: u32,
    /// Whether the triangle is wound from the smaller to the larger end.
    pub(crate) forward: bool,
}

/// Triangles in an order that does not depend on the one they were given in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surface {
    /// Sorted by [`Triangle::key`].
    pub(crate) triangles: Vec<Triangle>,
    /// Sorted, so that the sides on one edge stand together.
    sides: Vec<Side>,
}

/// The outcome of making windings agree; triangles of the caller's array, sorted.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Winding {
    /// Turned over.
    pub(crate) flipped: Vec<u32>,
    /// The first triangle of each sheet that has one side only.
    pub(crate) one_sided: Vec<u32>,
}

impl Surface {
    pub(crate) fn new(mut triangles: Vec<Triangle>) -> Self {
        triangles.sort_unstable_by_key(|triangle| (triangle.key(), triangle.source));
        let sides = sides_of(&triangles);
        Self { triangles, sides }
    }

    /// The edges in order, each as its sides.
    pub(crate) fn edges(&self) -> impl Iterator<Item = &[Side]> {
        self.sides.chunk_by(|a, b| a.edge == b.edge)
    }

    /// Makes all triangles of a sheet wound alike by turning the minority over (of two halves the one without
    /// the sheet's first triangle). Sheets hang together by edges with two triangles.
    pub(crate) fn orient(&mut self) -> Winding {
        // Item 2t stands for "triangle t as it is", 2t + 1 for "t turned over"; joined items hold together.
        // A sheet thus makes two mirrored sets, named 2f and 2f + 1 by its first triangle f, or a single one
        // where a way round the sheet turns it over.
        let count = len32(&self.triangles);
        let mut states = Sets::new(2 * count);
        for edge in self.edges() {
            if let [one, other] = edge {
                let turned = u32::from(one.forward == other.forward);
                states.join(2 * one.triangle, 2 * other.triangle + turned);
                states.join(2 * one.triangle + 1, 2 * other.triangle + 1 - turned);
            }
        }
        let names = states.into_names();
        let name_of = |triangle: u32| names[2 * triangle as usize];
        // For each sheet, by its first triangle: (as the first, turned against the first).
        let mut votes = alloc::vec![[0_u32; 2]; self.triangles.len()];
        for triangle in 0..count {
            votes[name_of(triangle) as usize / 2][name_of(triangle) as usize % 2] += 1;
        }
        let mut winding = Winding::default();
        for index in 0..count {
            let [sheet, turned] = [name_of(index) / 2, name_of(index) % 2];
            let triangle = &mut self.triangles[index as usize];
            let [as_first, against] = votes[sheet as usize];
            if names[2 * sheet as usize] == names[2 * sheet as usize + 1] {
                if index == sheet {
                    winding.one_sided.push(triangle.source);
                }
            } else if (turned == 1) == (against <= as_first) {
                triangle.turn_over();
                winding.flipped.push(triangle.source);
            }
        }
        winding.flipped.sort_unstable();
        winding.one_sided.sort_unstable();
        self.sides = sides_of(&self.triangles);
        winding
    }

    /// Nodes whose triangles are not one fan, sorted.
    pub(crate) fn pinched(&self) -> Vec<u32> {
        let mut fans = Sets::new(3 * len32(&self.triangles));
        for edge in self.edges() {
            for pair in edge.windows(2) {
                for end in pair[0].edge {
                    fans.join(self.corner(pair[0].triangle, end), self.corner(pair[1].triangle, end));
                }
            }
        }
        let corners = self.triangles.iter().flat_map(|triangle| triangle.corners);
        let mut fans: Vec<(u32, u32)> = corners.zip(fans.into_names()).collect();
        fans.sort_unstable();
        fans.dedup();
        let mut pinched: Vec<u32> = fans.windows(2).filter(|p| p[0].0 == p[1].0).map(|p| p[0].0).collect();
        pinched.dedup();
        pinched
    }

    /// The number of a corner among all corners of all triangles.
    fn corner(&self, triangle: u32, node: u32) -> u32 {
        let [a, b, _] = self.triangles[triangle as usize].corners;
        3 * triangle
            + if node == a {
                0
            } else if node == b {
                1
            } else {
                2
            }
    }

    /// Closed runs of edges with one triangle, each from its smallest unused node towards the smaller neighbour.
    pub(crate) fn boundary_loops(&self) -> Vec<Vec<u32>> {
        let edges: Vec<[u32; 2]> =
            self.edges().filter(|edge| edge.len() == 1).map(|edge| edge[0].edge).collect();
        let mut steps: Vec<(u32, u32, u32)> =
            edges.iter().zip(0..).flat_map(|(&[a, b], index)| [(a, b, index), (b, a, index)]).collect();
        steps.sort_unstable();
        let mut walked = alloc::vec![false; edges.len()];
        let mut loops = Vec::new();
        for &(start, second, index) in &steps {
            if core::mem::replace(&mut walked[index as usize], true) {
                continue;
            }
            let mut nodes = alloc::vec![start];
            let mut at = second;
            while at != start {
                nodes.push(at);
                let first = steps.partition_point(|step| step.0 < at);
                let mut onward = steps[first..].iter().take_while(|step| step.0 == at);
                let Some(&(_, to, edge)) = onward.find(|step| !walked[step.2 as usize]) else { break };
                walked[edge as usize] = true;
                at = to;
            }
            loops.push(nodes);
        }
        loops
    }
}

fn sides_of(triangles: &[Triangle]) -> Vec<Side> {
    let mut sides = Vec::with_capacity(3 * triangles.len());
    for (triangle, index) in triangles.iter().zip(0..) {
        let [a, b, c] = triangle.corners;
        for (from, to, opposite) in [(a, b, c), (b, c, a), (c, a, b)] {
            let edge = [from.min(to), from.max(to)];
            sides.push(Side { edge, triangle: index, opposite, forward: from < to });
        }
    }
    sides.sort_unstable();
    sides
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn surface(triangles: &[[u32; 3]]) -> Surface {
        Surface::new(triangles.iter().zip(0..).map(|(t, i)| Triangle::new(*t, i)).collect())
    }

    #[test]
    fn the_minority_of_each_sheet_is_turned_over() {
        let mut strip = surface(&[[0, 1, 2], [3, 1, 2], [4, 2, 3], [10, 11, 12], [12, 11, 13]]);
        // Of the first sheet 0 and 1 disagree, 1 and 2 disagree: 1 is alone. The second agrees.
        let mut alone = strip.clone();
        assert_eq!(alone.orient(), Winding { flipped: vec![1], one_sided: vec![] });
        assert_eq!(alone.orient(), Winding::default());
        strip.triangles[0].turn_over();
        let mut again = Surface::new(strip.triangles);
        assert_eq!(again.orient().flipped, vec![2]);
    }

    #[test]
    fn of_two_halves_the_first_triangle_keeps_its_winding() {
        assert_eq!(surface(&[[0, 1, 2], [1, 2, 3]]).orient().flipped, vec![1]);
        assert_eq!(surface(&[[1, 2, 3], [0, 1, 2]]).orient().flipped, vec![0]);
    }

    #[test]
    fn a_moebius_strip_has_one_side() {
        let strip = [[0, 1, 2], [1, 3, 2], [2, 3, 4], [3, 5, 4], [4, 5, 1], [5, 0, 1]];
        assert_eq!(surface(&strip).orient(), Winding { flipped: vec![], one_sided: vec![0] });
        assert_eq!(surface(&strip).boundary_loops().len(), 1);
    }

    #[test]
    fn loops_of_a_ring() {
        // Two squares, one inside the other, the ring between them in eight triangles.
        let mut ring = vec![];
        for i in 0..4 {
            let j = (i + 1) % 4;
            ring.extend([[i, j, 4 + i], [j, 4 + j, 4 + i]]);
        }
        assert_eq!(surface(&ring).boundary_loops(), vec![vec![0, 1, 2, 3], vec![4, 5, 6, 7]]);
        assert!(surface(&ring).pinched().is_empty());
    }

    #[test]
    fn a_bow_tie_is_pinched_and_a_fan_is_not() {
        assert_eq!(surface(&[[0, 1, 2], [2, 4, 3]]).pinched(), vec![2]);
        assert!(surface(&[[0, 1, 2], [2, 1, 3], [2, 3, 4]]).pinched().is_empty());
    }
}
