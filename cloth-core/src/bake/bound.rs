//! Bounds on the distances of neighbouring aggregates.
//!
//! Rows that do not stretch hold two particles no further apart than the shortest way g along them is long. Carry the mass
//! of one aggregate over to the other, each at its scale of 1: if a share p of it goes from i to j, then in whatever
//! placement the centroids are Σ p·(xᵢ − xⱼ) apart, which is not longer than Σ p·gᵢⱼ. The cheapest such plan is the distance
//! of the two distributions after Kantorovich (1942). Nothing less would do: by his duality some map that lengthens no way
//! attains it, and cloth that folds comes as near to such a map as its rows are fine.
//!
//! Most cloth is not folded as finely as that, and bounds that wait for it carry no load: held by one corner, the 32×32 sheet
//! was stretched by 28 % at the worst. Where cloth is nearly flat at rest the bound is therefore what it can do **laid out**:
//! unrolled by a map y that turns no triangle further from the shadow P of the rest shape than it is bent. With c the
//! cosine of the widest angle a triangle of the two has with their sum, y − P lengthens no way of the shadow by more than
//! 1/c − 1, so the centroids are at most (distance at rest) + (1/c − 1)·Σ p·g apart. 1/c² − 1 is taken, since triangles
//! need not unroll along one direction. Flat cloth keeps the distances at rest and is held back when it is *folded*.
//!
//! Mass is carried in whole children, so that no plan has more than four senders and four receivers: the way of a child
//! goes along the bounds of the level below, since distances of distributions obey the triangle inequality and are convex.
//! On chains without branches, and along the rows of a grid, this loses nothing. Where opposite corners of a hinge laid flat
//! see each other there is a way between them too.

use super::adjacency::Adjacency;
use super::aggregate::Graph;
use super::geodesic::Ways;
use super::measure::length;
use crate::index::len32;
use crate::math::real::{max, min};
use crate::model::validate::LENGTHS;
use alloc::vec::Vec;

/// Plans are improved so many times at the most; any plan is an upper bound.
const ROUNDS: u32 = 16;

/// What costs less than this share of itself is no improvement.
const ROUNDING: f32 = 1e-6;

/// Two aggregates and the largest distance of their centroids (m).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bound {
    /// `a < b`, numbers within the level.
    pub(crate) ends: [u32; 2],
    pub(crate) rest: f32,
}

/// The bounds of one level, in the order of their ends.
pub(crate) fn bounds(graph: &Graph) -> Vec<Bound> {
    // Every edge is a way.
    let long = |ends| graph.lengths[graph.ways.partition_point(|way| *way < ends)];
    let bound = |&ends: &[u32; 2]| {
        let [a, b] = ends.map(|node| graph.nodes[node as usize]);
        let facing = a.facing.vector + b.facing.vector;
        let cone = min(a.facing.cone_about(facing), b.facing.cone_about(facing));
        let (rest, far) = (length(b.centre - a.centre), long(ends));
        let spread = if cone > 0.0 { 1.0 / (cone * cone) - 1.0 } else { f32::INFINITY };
        Bound { ends, rest: min(rest + spread * far, far) }
    };
    let bounds = graph.edges.iter().map(bound);
    let moves = |bound: &Bound| bound.ends.iter().any(|end| !graph.nodes[*end as usize].pinned);
    bounds.filter(|bound| moves(bound) && LENGTHS.contains(&bound.rest)).collect()
}

/// The largest distance (m) for each way of `above`, whose nodes are the `parents` of those below.
pub(crate) fn lengths(below: &Graph, above: &Graph, parents: &[u32]) -> Vec<f32> {
    let near = Adjacency::new(len32(&above.nodes), &above.ways);
    let mut children = alloc::vec![Vec::new(); above.nodes.len()];
    for (child, &parent) in (0_u32..).zip(parents) {
        children[parent as usize].push(child);
    }
    let shares = |aggregate: u32| -> Vec<f32> {
        let mass = |child: &u32| below.nodes[*child as usize].mass / above.nodes[aggregate as usize].mass;
        children[aggregate as usize].iter().map(mass).collect()
    };
    let mut ways = Ways::new(below);
    let mut lengths = Vec::with_capacity(above.ways.len());
    for a in 0..len32(&above.nodes) {
        // Links ascend, and so do ways.
        let others: Vec<u32> = near.links(a).iter().map(|link| link.other).filter(|b| *b > a).collect();
        let targets: Vec<u32> = others.iter().flat_map(|b| children[*b as usize].iter().copied()).collect();
        let costs: Vec<Vec<f32>> =
            children[a as usize].iter().map(|child| ways.lengths(*child, &targets)).collect();
        let mut first = 0;
        for b in others {
            let end = first + children[b as usize].len();
            let costs: Vec<&[f32]> = costs.iter().map(|costs| &costs[first..end]).collect();
            // The rest shape is a placement too, whatever rounding says.
            let rest = length(above.nodes[b as usize].centre - above.nodes[a as usize].centre);
            lengths.push(max(Plan::new(&shares(a), &shares(b), &costs).improved().cost(), rest));
            first = end;
        }
    }
    lengths
}

/// What goes from each sender to each receiver.
struct Plan<'a> {
    costs: &'a [&'a [f32]],
    flow: Vec<Vec<f32>>,
}

impl<'a> Plan<'a> {
    /// Whatever costs least goes first.
    fn new(supply: &[f32], demand: &[f32], costs: &'a [&'a [f32]]) -> Self {
        let (mut supply, mut demand) = (supply.to_vec(), demand.to_vec());
        let mut routes: Vec<(u32, usize, usize)> = Vec::new();
        for (i, costs) in costs.iter().enumerate() {
            routes.extend(costs.iter().enumerate().map(|(j, cost)| (cost.to_bits(), i, j)));
        }
        routes.sort_unstable();
        let mut flow = alloc::vec![alloc::vec![0.0; demand.len()]; supply.len()];
        for (_, i, j) in routes {
            let sent = min(supply[i], demand[j]);
            flow[i][j] = sent;
            supply[i] -= sent;
            demand[j] -= sent;
        }
        Self { costs, flow }
    }

    /// Receivers are exchanged between two senders as long as that is cheaper.
    fn improved(mut self) -> Self {
        let cells: Vec<(usize, usize)> =
            (0..self.flow.len()).flat_map(|i| (0..self.flow[i].len()).map(move |j| (i, j))).collect();
        for _ in 0..ROUNDS {
            let mut settled = true;
            for &(i, j) in &cells {
                for &(k, l) in &cells {
                    let exchanged = min(self.flow[i][j], self.flow[k][l]);
                    let now = self.costs[i][j] + self.costs[k][l];
                    let then = self.costs[i][l] + self.costs[k][j];
                    if exchanged > 0.0 && then < now * (1.0 - ROUNDING) {
                        self.flow[i][j] -= exchanged;
                        self.flow[k][l] -= exchanged;
                        self.flow[i][l] += exchanged;
                        self.flow[k][j] += exchanged;
                        settled = false;
                    }
                }
            }
            if settled {
                break;
            }
        }
        self
    }

    /// Mean length of the ways (m).
    fn cost(&self) -> f32 {
        let (mut moved, mut cost) = (0.0, 0.0);
        for (flow, costs) in self.flow.iter().zip(self.costs) {
            for (flow, unit) in flow.iter().zip(costs.iter()) {
                moved += flow;
                cost += flow * unit;
            }
        }
        cost / moved
    }
}
