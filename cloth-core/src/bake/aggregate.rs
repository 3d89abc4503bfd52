//! Nested aggregates: neighbours joined two by two, and these again, level by level.
//!
//! Greedy matching of nearest neighbours gives compact aggregates on any mesh (the pairwise aggregation of algebraic
//! multigrid: Notay, *An Aggregation-Based Algebraic Multigrid Method*, 2010, there by strength of coupling). A grid
//! held at one side falls into squares, a chain into links of 2, 4, 8… particles. They are joined along hard rows only,
//! since soft ones bound no distance.

use super::adjacency::Adjacency;
use super::bound::lengths;
use super::measure::length;
use super::order::Walk;
use crate::Vec3;
use crate::index::{NONE, len32};
use crate::math::real::{max, min};
use crate::math::sqrt;
use crate::model::record::MAX_LEVELS;
use alloc::vec::Vec;

/// Distances closer than this share count as equal.
const EQUAL: f32 = 0.02;

/// Beyond this cosine two directions are the same: what is missing is rounding.
const STRAIGHT: f32 = 0.999_999;

/// So few free nodes need no further level.
const FEW: usize = 1;

/// Which way some triangles face.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Facing {
    /// Sum of area vectors (m²); zero of chains.
    pub(crate) vector: Vec3,
    /// Cosine of the widest angle any triangle has with the sum, or less; 0 where it is not acute.
    pub(crate) cone: f32,
}

/// A particle or an aggregate of particles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Node {
    /// Centre of mass of the rest shape (m).
    pub(crate) centre: Vec3,
    /// Mass (kg).
    pub(crate) mass: f32,
    /// Which way the triangles at its particles face.
    pub(crate) facing: Facing,
    /// Pinned at build time.
    pub(crate) pinned: bool,
}

/// Nodes, and which of them any hard row joins.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
    /// `a < b`, sorted, each once.
    pub(crate) edges: Vec<[u32; 2]>,
    /// Edges, and which nodes besides have a straight way across a hinge; `a < b`, sorted, each once.
    pub(crate) ways: Vec<[u32; 2]>,
    /// How far apart the ends of each way may be (m).
    pub(crate) lengths: Vec<f32>,
}

/// One level of aggregates.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tier {
    /// The aggregates.
    pub(crate) graph: Graph,
    /// The aggregate of each node of the level below; of each particle, on the first.
    pub(crate) parents: Vec<u32>,
}

/// All levels over `particles`, the finest first. `rounds` of matching make one level.
pub(crate) fn tiers(particles: Graph, rounds: u32) -> Vec<Tier> {
    let mut tiers: Vec<Tier> = Vec::new();
    while tiers.len() < MAX_LEVELS {
        let below = tiers.last().map_or(&particles, |tier| &tier.graph);
        let open = below.open();
        if open <= FEW {
            break;
        }
        let mut parents: Vec<u32> = (0..len32(&below.nodes)).collect();
        let mut graph = below.clone();
        for _ in 0..rounds {
            let partners = graph.matching();
            parents.iter_mut().for_each(|parent| *parent = partners[*parent as usize]);
            graph = below.joined(&parents);
        }
        let gone = below.nodes.len() - graph.nodes.len();
        if 4 * gone < open {
            break;
        }
        graph.lengths = lengths(below, &graph, &parents);
        tiers.push(Tier { graph, parents });
    }
    tiers
}

impl Facing {
    /// Triangles that all face along `vector`.
    pub(crate) fn along(vector: Vec3) -> Self {
        Self { vector, cone: 1.0 }
    }

    /// Cosine of the widest angle between `axis` and the way a triangle faces; 0 where it is not acute or nothing is known.
    pub(crate) fn cone_about(&self, axis: Vec3) -> f32 {
        let (own, other) = (length(self.vector), length(axis));
        if own <= 0.0 || other <= 0.0 {
            return 0.0;
        }
        // Divided first, because squares of small areas underflow.
        let turned = (self.vector / own).dot(axis / other);
        if turned > STRAIGHT {
            return self.cone;
        }
        let [sine, spread] = [turned, self.cone].map(|cosine| sqrt(max(1.0 - cosine * cosine, 0.0)));
        let obtuse = turned <= 0.0 || self.cone <= 0.0;
        if obtuse { 0.0 } else { max(turned * self.cone - sine * spread, 0.0) }
    }
}

impl Graph {
    /// How many free nodes still have a neighbour.
    fn open(&self) -> usize {
        let mut open = alloc::vec![false; self.nodes.len()];
        for end in self.edges.as_flattened() {
            open[*end as usize] = !self.nodes[*end as usize].pinned;
        }
        open.iter().fold(0, |count, open| count + usize::from(*open))
    }

    /// A new number for each node, the same for two that were matched.
    ///
    /// Breadth first from the pins every free node takes the nearest of its neighbours that are free and left over; of
    /// equally near ones the one that is furthest from the pins, so that pairs stand across the layers, and then the
    /// first to be reached.
    fn matching(&self) -> Vec<u32> {
        let adjacency = Adjacency::new(len32(&self.nodes), &self.edges);
        let walk = Walk::new(&adjacency, |node| self.nodes[node as usize].pinned);
        let places = walk.places();
        let mut numbers = alloc::vec![NONE; self.nodes.len()];
        let mut next = 0;
        for &node in &walk.order {
            if numbers[node as usize] != NONE {
                continue;
            }
            let own = self.nodes[node as usize];
            let mut best: Option<(f32, u32)> = None;
            for link in adjacency.links(node).iter().filter(|_| !own.pinned) {
                let other = self.nodes[link.other as usize];
                if other.pinned || numbers[link.other as usize] != NONE {
                    continue;
                }
                let distance = length(other.centre - own.centre);
                let better = best.is_none_or(|(least, taken)| {
                    let layer = |node: u32| walk.layer[node as usize];
                    let place = |node: u32| places[node as usize];
                    let further = layer(link.other) > layer(taken);
                    let earlier = layer(link.other) == layer(taken) && place(link.other) < place(taken);
                    distance < least * (1.0 - EQUAL)
                        || (distance < least * (1.0 + EQUAL) && (further || earlier))
                });
                if better {
                    best = Some((distance, link.other));
                }
            }
            numbers[node as usize] = next;
            if let Some((_, partner)) = best {
                numbers[partner as usize] = next;
            }
            next += 1;
        }
        numbers
    }

    /// The graph of the aggregates without the lengths of its ways; `parents` numbers them without gaps. Sums run over the members in ascending order.
    fn joined(&self, parents: &[u32]) -> Self {
        let count = parents.iter().max().map_or(0, |last| last + 1);
        let mut nodes = alloc::vec![Node::default(); count as usize];
        let mut first = alloc::vec![Vec3::ZERO; count as usize];
        for (node, &parent) in self.nodes.iter().zip(parents) {
            let sum = &mut nodes[parent as usize];
            let origin = &mut first[parent as usize];
            if sum.mass <= 0.0 {
                *origin = node.centre;
            }
            // From the first member, because far from the cloth's origin moments would round away its size.
            sum.centre += (node.centre - *origin) * node.mass;
            sum.mass += node.mass;
            sum.facing = Facing::along(sum.facing.vector + node.facing.vector);
            sum.pinned |= node.pinned;
        }
        for (node, origin) in nodes.iter_mut().zip(&first) {
            node.centre = *origin + node.centre / node.mass;
        }
        for (node, &parent) in self.nodes.iter().zip(parents) {
            let sum = &mut nodes[parent as usize].facing;
            sum.cone = min(node.facing.cone_about(sum.vector), sum.cone);
        }
        let between = |pairs: &[[u32; 2]]| {
            let ends = pairs.iter().map(|pair| pair.map(|node| parents[node as usize]));
            let mut pairs: Vec<[u32; 2]> =
                ends.filter(|[a, b]| a != b).map(|[a, b]| [a.min(b), a.max(b)]).collect();
            pairs.sort_unstable();
            pairs.dedup();
            pairs
        };
        Self { nodes, edges: between(&self.edges), ways: between(&self.ways), lengths: Vec::new() }
    }
}
