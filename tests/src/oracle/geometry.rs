//! From a workload's shape to rows: what a builder of models does, for shapes without a fault and vertices that are
//! never welded.

use super::net::Hinge;
use crate::workload::{Shape, Topology};
use cloth_core::math::{real, sqrt};
use cloth_core::{NONE, Vec3};
use std::collections::BTreeMap;

/// Rest values below this share of the edge (a fold by less than 1e-5 rad) are zero, so that a flat cloth is
/// flat whatever plane it was modelled in.
const FLAT: f32 = 1e-5;

/// Rest positions (m).
pub(super) fn rest(shape: &Shape) -> Vec<Vec3> {
    shape.positions.iter().map(|&position| Vec3::from_array(position)).collect()
}

/// ‖v‖ (m).
pub(super) fn length(v: Vec3) -> f32 {
    sqrt(v.dot(v))
}

/// Pairs of vertices and their grandparents.
pub(super) fn skips(shape: &Shape) -> Vec<[usize; 2]> {
    let Topology::Chains(parents) = &shape.topology else { return Vec::new() };
    let up = |vertex: u32| parents.get(vertex as usize).copied().filter(|&parent| parent != NONE);
    let grandparent = |&parent: &u32| if parent == NONE { None } else { up(parent) };
    let pairs =
        parents.iter().enumerate().filter_map(|(child, parent)| Some([child, grandparent(parent)? as usize]));
    pairs.collect()
}

/// For each edge between two triangles its ends, ascending, then the corner of the triangle wound along it, then
/// that of the other.
pub(super) fn hinges(shape: &Shape) -> Vec<[usize; 4]> {
    let mut sides: BTreeMap<[u32; 2], [Option<u32>; 2]> = BTreeMap::new();
    for &[a, b, c] in shape.triangles() {
        for [from, to, opposite] in [[a, b, c], [b, c, a], [c, a, b]] {
            let side = sides.entry([from.min(to), from.max(to)]).or_default();
            side[usize::from(from > to)] = Some(opposite);
        }
    }
    let both = |([a, b], [left, right]): ([u32; 2], [Option<u32>; 2])| Some([a, b, left?, right?]);
    sides.into_iter().filter_map(both).map(|hinge| hinge.map(|vertex| vertex as usize)).collect()
}

/// The hinge of particles `p` at rest positions `x` with masses `m` (kg); `cloth_core::row::bend` has the derivation.
pub(super) fn hinge(p: [usize; 4], x: [Vec3; 4], m: [f32; 4]) -> Hinge {
    let [x0, x1, x2, x3] = x;
    // First index: the end of the edge at which the angle is; second: the triangle.
    let cot00 = cotangent(x0, x1, x2);
    let cot01 = cotangent(x0, x1, x3);
    let cot10 = cotangent(x1, x0, x2);
    let cot11 = cotangent(x1, x0, x3);
    let c = [cot10 + cot11, cot00 + cot01, -(cot00 + cot10), -(cot01 + cot11)];
    let scale = 1.0 / (area([x0, x1, x2]) + area([x1, x0, x3]));
    let mobility = c[0] * c[0] / m[0] + c[1] * c[1] / m[1] + c[2] * c[2] / m[2] + c[3] * c[3] / m[3];
    Hinge { p, c, scale, rest: folded(c, x), inertia: 1.0 / (scale * mobility) }
}

/// ‖K·x‖ (m), positive where the edge is a ridge seen from the side of the normals. Zero where it is no more than
/// rounding of the coordinates.
fn folded(c: [f32; 4], [x0, x1, x2, x3]: [Vec3; 4]) -> f32 {
    let curvature = (x1 - x0) * c[1] + (x2 - x0) * c[2] + (x3 - x0) * c[3];
    let size = length(curvature);
    let reach = [x0, x1, x2, x3].map(|x| x.abs().max_element()).into_iter().fold(0.0, real::max);
    let noise = f32::EPSILON * reach * c.into_iter().fold(0.0, |sum, c| sum + real::abs(c));
    if size <= real::max(FLAT * length(x1 - x0), noise) {
        return 0.0;
    }
    let normals = (x1 - x0).cross(x2 - x0) + (x3 - x0).cross(x1 - x0);
    if curvature.dot(normals) < 0.0 { -size } else { size }
}

/// Area (m²).
fn area([a, b, c]: [Vec3; 3]) -> f32 {
    0.5 * length((b - a).cross(c - a))
}

/// Cotangent of the angle at `corner` towards `a` and `b`: (u·v)/‖u×v‖.
fn cotangent(corner: Vec3, a: Vec3, b: Vec3) -> f32 {
    let (u, v) = (a - corner, b - corner);
    u.dot(v) / length(u.cross(v))
}

/// The nearest pin along rows, and the length of the way there (m), summed from the pin.
pub(super) type Nearest = Option<(f32, usize)>;

/// For every vertex the pin with the shortest way along rows of the given lengths, the smaller one of two equally far.
///
/// Bellman and Ford's relaxation: rounded addition keeps the order of its operands, so the fixed point is a minimum
/// over all paths whatever the order of the rows is.
pub(super) fn nearest_pins(rows: &[([usize; 2], f32)], pinned: &[bool]) -> Vec<Nearest> {
    let own = |(vertex, &pinned): (usize, &bool)| pinned.then_some((0.0, vertex));
    let mut nearest: Vec<Nearest> = pinned.iter().enumerate().map(own).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for &([a, b], length) in rows {
            for (from, to) in [(a, b), (b, a)] {
                let Some((distance, pin)) = nearest[from] else { continue };
                let there = (distance + length, pin);
                if nearest[to].is_none_or(|known| there < known) {
                    nearest[to] = Some(there);
                    changed = true;
                }
            }
        }
    }
    nearest
}

/// Rest length of a row between two of these positions (m).
pub(super) fn between(rest: &[Vec3], [a, b]: [usize; 2]) -> f32 {
    length(rest[a] - rest[b])
}
