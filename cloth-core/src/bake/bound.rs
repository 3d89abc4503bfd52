//! Bounds on the distances of neighbouring aggregates.
//!
//! Cloth that cannot stretch holds the centroids of two of its parts no further apart than they are when it lies flat.
//! A part of a curved rest shape may unfold, which moves them apart: its surface is F times as long as it seems, with F
//! the length of the sum of its area vectors over the sum of their lengths. (Of a cylinder's arc of angle 2α that two
//! aggregates share, F = sin α/α, and unrolled their centroids are (α/2 / sin(α/2))² as far apart as at rest, less than
//! 1/F.) Chains have link vectors in place of area vectors.

use super::aggregate::{Graph, Node};
use super::measure::length;
use crate::Vec3;
use crate::math::real::min;
use crate::model::validate::LENGTHS;
use alloc::vec::Vec;

/// Straighter parts than this are straight: what is missing is rounding.
const STRAIGHT: f32 = 0.999_99;

/// Parts that are folded up more than this are not bounded: how they unfold, area vectors don't tell.
const FOLDED: f32 = 0.5;

/// Two aggregates and the largest distance of their centroids (m).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bound {
    /// `a < b`, numbers within the level.
    pub(crate) ends: [u32; 2],
    pub(crate) rest: f32,
}

/// The bounds of one level, in the order of their ends.
pub(crate) fn bounds(graph: &Graph) -> Vec<Bound> {
    let bound = |&ends: &[u32; 2]| {
        let [a, b] = ends.map(|node| graph.nodes[node as usize]);
        if a.pinned && b.pinned {
            return None;
        }
        let straight = straightness(&a, &b);
        let rest = length(b.centre - a.centre) / straight;
        (straight >= FOLDED && LENGTHS.contains(&rest)).then_some(Bound { ends, rest })
    };
    graph.edges.iter().filter_map(bound).collect()
}

/// How nearly flat, or straight, two neighbours are, by themselves and together (1).
fn straightness(a: &Node, b: &Node) -> f32 {
    // Divided first, because squares of small areas underflow.
    let one = |facing: Vec3, share: f32| length(facing / share);
    let together = one(a.facing + b.facing, a.share + b.share);
    let straight = min(min(one(a.facing, a.share), one(b.facing, b.share)), together);
    if straight > STRAIGHT { 1.0 } else { straight }
}
