//! Bounds on the distances of neighbouring aggregates.
//!
//! Cloth that cannot stretch holds the centroids of two of its parts no further apart than they are when it lies flat.
//! Parts of a curved rest shape may unfold, which moves them apart. How much is told by their straightness F: the length
//! of the sum of their area vectors over the sum of these vectors' lengths (of link vectors, for chains). Of an arc of a
//! cylinder that spans the angle 4α and is shared by two aggregates, F = sin 2α/2α, and unrolled their centroids are
//! (α/sin α)² as far apart as at rest, about 1/√F. Aggregates that differ in width, or stand beside each other askew,
//! need more: of three thousand random sheets, bent up to once round, some could unroll to 1.7 times bounds of 1/F of
//! the distance at rest, and none beyond bounds of 1/F² of it.

use super::aggregate::{Graph, Node};
use super::measure::length;
use crate::model::validate::LENGTHS;
use alloc::vec::Vec;

/// Straighter parts than this are straight: what is missing is rounding.
const STRAIGHT: f32 = 0.999_99;

/// Parts whose F² is below this are not bounded: how they unfold, area vectors don't tell.
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
        let share = straight * straight;
        let rest = length(b.centre - a.centre) / share;
        (share >= FOLDED && LENGTHS.contains(&rest)).then_some(Bound { ends, rest })
    };
    graph.edges.iter().filter_map(bound).collect()
}

/// F of two neighbours together (1).
fn straightness(a: &Node, b: &Node) -> f32 {
    // Divided first, because squares of small areas underflow.
    let straight = length((a.facing + b.facing) / (a.share + b.share));
    if straight > STRAIGHT { 1.0 } else { straight }
}
