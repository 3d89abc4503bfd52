//! What a triangle mesh and a height field have in common: triangles whose neighbours are known.
//!
//! A point touches a triangle **on its own** where the shortest way between the two is a local minimum of the distance to
//! the surface: straight up from the inside of a face, or from an edge or vertex within the cone of directions that lead away
//! from every face around it. Whoever takes the nearest point of each triangle without asking that catches on interior edges:
//! next to every edge of a flat floor the neighbour's nearest point is on the edge, and pushes sideways.

use super::Surface;
use super::features::Features;
use super::triangle::{Part, nearest};
use crate::Vec3;
use crate::math::{real, vector};

/// Added to an edge's key.
const EDGE: u32 = 1 << 30;
/// Added to a vertex's key.
const VERTEX: u32 = 1 << 31;

/// Within this share of the surface's size coordinates are the same but for rounding.
pub(super) const SAME: f32 = 1.0e-6;

/// How far triangles have to be looked for so that all are among them whose surface may be called `reach` away (m), in a net
/// of size `size`: stored normals are units to 5e-5, and of a way straight up less than `SAME` along the plane is not counted.
/// A reach below zero, or none, counts as zero.
#[inline(always)]
pub(super) fn wide(reach: f32, size: f32) -> f32 {
    let reach = real::max(reach, 0.0);
    (reach + SAME * (size + 2.0 * reach)) * (1.0 + 2.0e-4)
}

/// What queries look at, counted by tests that they do not look at too much.
#[cfg(test)]
pub(crate) mod looked {
    use core::cell::Cell;

    std::thread_local! {
        static LOOKED: Cell<u64> = const { Cell::new(0) };
    }

    /// Triangles, nodes, planes and corners that this thread has looked at since it asked last.
    #[cfg(feature = "alloc")]
    pub(crate) fn take() -> u64 {
        LOOKED.take()
    }

    pub(in super::super) fn at(count: usize) {
        LOOKED.set(LOOKED.get() + count as u64);
    }
}

/// Counts in tests, and is nothing elsewhere.
#[inline(always)]
pub(crate) fn look(_count: usize) {
    #[cfg(test)]
    looked::at(_count);
}

/// A triangle of a net.
#[derive(Clone, Copy, Debug)]
pub(super) struct Face {
    /// Its vertices, counterclockwise from the front.
    pub vertices: [u32; 3],
    /// Where they are (m).
    pub corners: [Vec3; 3],
    /// Unit normal, to the front.
    pub normal: Vec3,
    /// The plane it shares with coplanar neighbours: the key of the face as a feature.
    pub plane: u32,
}

/// What is on the other side of an edge of a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Across {
    /// The edge's number, the same from both sides.
    pub edge: u32,
    /// The neighbour's corner that is not on the edge (m); `None` where the surface ends.
    pub other: Option<Vec3>,
    /// Pseudo-normal of the edge.
    pub normal: Vec3,
}

/// What is around a vertex.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    /// Pseudo-normal of the vertex.
    pub normal: Vec3,
    /// Whether the surface ends there.
    pub is_border: bool,
}

/// A surface of triangles.
pub(super) trait Net {
    /// The triangle, where there is one.
    fn face(&self, face: u32) -> Option<Face>;
    /// What lies across the edge from corner k to corner k + 1 of a triangle.
    fn across(&self, index: u32, face: &Face, k: u32) -> Across;
    /// What is around a vertex.
    fn around(&self, vertex: u32) -> Around;
    /// Whether all vertices that share an edge with `vertex` satisfy `holds`.
    fn all_beside(&self, vertex: u32, holds: impl Fn(Vec3) -> bool) -> bool;
    /// A length that rounding of its coordinates is measured by (m).
    fn reach(&self) -> f32;
}

/// The nearest triangle so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    /// Square of the distance (m²).
    pub square: f32,
    /// Which triangle.
    pub index: u32,
    /// From the point asked for to the surface (m).
    pub way: Vec3,
    /// Where on the triangle.
    pub part: Part,
}

impl Nearest {
    pub(super) const NONE: Self = Self { square: f32::INFINITY, index: 0, way: Vec3::ZERO, part: Part::Face };

    /// Whether there is one.
    #[inline(always)]
    pub(super) fn is_found(&self) -> bool {
        self.square < f32::INFINITY
    }

    /// Takes a triangle down if it is nearer.
    #[inline(always)]
    pub(super) fn consider(&mut self, x: Vec3, index: u32, face: &Face) {
        look(1);
        let (way, part) = nearest(x, face.corners);
        let square = way.dot(way);
        if square < self.square {
            *self = Self { square, index, way, part };
        }
    }
}

/// The vertex of a triangle at corner k, and where it is.
#[inline(always)]
fn corner(face: &Face, k: u32) -> (u32, Vec3) {
    let [a, b, c] = face.vertices;
    let [x, y, z] = face.corners;
    match k {
        0 => (a, x),
        1 => (b, y),
        _ => (c, z),
    }
}

/// The surface of a triangle's plane for a point that is `out` from one of its points.
#[inline(always)]
fn flat(face: &Face, out: Vec3) -> Surface {
    Surface { distance: face.normal.dot(out), normal: face.normal, feature: face.plane }
}

/// What is left of `out` along the triangle's plane is rounding: the point is straight above it, or below.
#[inline(always)]
fn is_upright(face: &Face, out: Vec3, same: f32) -> bool {
    let along = out - face.normal * face.normal.dot(out);
    along.dot(along) <= same * same
}

/// The surface at the nearest point of a net.
///
/// The point is behind it where the pseudo-normal at the nearest point says so; where the surface ends, nothing is behind.
///
/// Source: Bærentzen and Aanæs, *Signed distance computation using the angle weighted pseudonormal* (2005).
pub(super) fn surface<N: Net>(net: &N, found: &Nearest) -> Surface {
    let Some(face) = net.face(found.index) else {
        return Surface::NOWHERE;
    };
    let out = -found.way;
    let distance = vector::length(out);
    if is_upright(&face, out, SAME * (net.reach() + distance)) {
        return flat(&face, out);
    }
    let (feature, pseudo, is_border) = match found.part {
        // Upright, but for rounding.
        Part::Face => return flat(&face, out),
        Part::Edge(k) => {
            let across = net.across(found.index, &face, k);
            (EDGE | across.edge, across.normal, across.other.is_none())
        }
        Part::Corner(k) => {
            let vertex = corner(&face, k).0;
            let around = net.around(vertex);
            (VERTEX | vertex, around.normal, around.is_border)
        }
    };
    let sign = if is_border || out.dot(pseudo) >= 0.0 { 1.0 } else { -1.0 };
    Surface { distance: distance * sign, normal: out / (distance * sign), feature }
}

/// Adds the feature by which a triangle is touched from x on its own, if it is within `reach`; its distance is told for
/// `asked`, which is x, or the point behind the surface whose nearest point x is.
// Corners are few: code once, not in every walk.
#[inline(never)]
pub(super) fn touch<N: Net>(net: &N, index: u32, x: Vec3, asked: Vec3, reach: f32, found: &mut Features) {
    let Some(face) = net.face(index) else {
        return;
    };
    look(1);
    let (way, part) = nearest(x, face.corners);
    let out = -way;
    let distance = vector::length(out);
    if distance > reach {
        return;
    }
    let same = SAME * (net.reach() + distance);
    let asked_out = out + (asked - x);
    if is_upright(&face, out, same) || part == Part::Face {
        if face.normal.dot(out) >= -same {
            found.insert(flat(&face, asked_out), same);
        }
        return;
    }
    // Rounding must not take away an edge from the point right above it.
    let level = same * distance;
    let (feature, is_own) = match part {
        Part::Face => return,
        Part::Edge(k) => {
            let across = net.across(index, &face, k);
            let a = corner(&face, k).1;
            let is_own =
                across.other.is_none_or(|other| out.dot(other - a) <= level && out.dot(across.normal) >= 0.0);
            (EDGE | across.edge, is_own)
        }
        Part::Corner(k) => {
            let (vertex, a) = corner(&face, k);
            let around = net.around(vertex);
            let is_front = around.is_border || out.dot(around.normal) >= 0.0;
            (VERTEX | vertex, is_front && net.all_beside(vertex, |other| out.dot(other - a) <= level))
        }
    };
    if is_own {
        let normal = out / distance;
        found.insert(Surface { distance: normal.dot(asked_out), normal, feature }, same);
    }
}
