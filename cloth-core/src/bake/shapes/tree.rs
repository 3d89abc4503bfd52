//! The tree of boxes over a mesh's triangles.

use super::header;
use crate::Vec3;
use crate::collide::mesh::{LEAF, Node};
use crate::index::len32;
use alloc::vec::Vec;

/// The order triangles are stored in, and the tree over them in that order: halves by the number of triangles, along the
/// axis their centroids spread furthest on, equal coordinates in the order they were given.
pub(super) fn build(corners: &[[Vec3; 3]]) -> (Vec<u32>, Vec<Node>) {
    let mut order: Vec<u32> = (0..len32(corners)).collect();
    let centroids: Vec<Vec3> = corners.iter().map(|[a, b, c]| (*a + *b + *c) / 3.0).collect();
    let mut nodes = Vec::new();
    add(corners, &centroids, &mut order, 0, &mut nodes);
    (order, nodes)
}

fn add(corners: &[[Vec3; 3]], centroids: &[Vec3], order: &mut [u32], first: u32, nodes: &mut Vec<Node>) {
    let points: Vec<Vec3> = order.iter().flat_map(|&triangle| corners[triangle as usize]).collect();
    let bounds = header([0; 2], &points, [0; 5]);
    let here = nodes.len();
    nodes.push(Node { low: bounds.low, first, high: bounds.high, skip: 0 });
    if len32(order) > LEAF {
        let centres: Vec<Vec3> = order.iter().map(|&triangle| centroids[triangle as usize]).collect();
        let spread = header([0; 2], &centres, [0; 5]);
        let width = |k: usize| spread.high[k] - spread.low[k];
        let axis = (1..3).fold(0, |widest, k| if width(k) > width(widest) { k } else { widest });
        let at = |triangle: u32| centroids[triangle as usize].to_array()[axis];
        order.sort_by(|&a, &b| at(a).total_cmp(&at(b)).then(a.cmp(&b)));
        let middle = order.len() / 2;
        let (left, right) = order.split_at_mut(middle);
        let second = first + len32(left);
        add(corners, centroids, left, first, nodes);
        add(corners, centroids, right, second, nodes);
    }
    nodes[here].skip = len32(nodes);
}
