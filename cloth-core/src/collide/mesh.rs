//! Triangle mesh: one-sided, its front is outside.
//!
//! φ is the distance to the nearest point of any triangle, below zero where the point is behind it: where the pseudo-normal
//! of the face, edge or vertex it is on points away from the point. That is inside for a mesh without borders. A mesh may be
//! open: behind its faces φ is below zero as far as they are nearest, and beyond its border, where the nearest point is on
//! an edge with one face, nothing is behind and φ is above zero. So φ jumps across the strip behind the border. Further behind an
//! open mesh than the reach asked for, no feature is found: whether a point far behind came through it is for the caller to know. Where several
//! triangles are equally near, the first met in the order of the tree is taken.
//!
//! A mesh is a surface, closed or not. A query with a reach finds nothing of it further away than that, inside as outside:
//! what is deeper in it than its reach is not brought out. It goes down the tree only where boxes reach into the reach; one
//! without a reach looks, in the middle of a ball, at every triangle.
//!
//! Triangles of one plane that share edges are one feature. Features: for a plane the smallest index of its triangles;
//! 2³⁰ + edge; 2³¹ + vertex – indices of the stored tables.
//!
//! Source of the sign: Bærentzen and Aanæs (2005), see [`super::net`].

use super::error::ColliderError;
use super::features::Features;
use super::net::{self, Across, Around, Face, Nearest, Net};
use super::words::{self, Header, LIMIT, MESH, is_unit};
use super::{Aabb, Surface};
use crate::Vec3;
use crate::index::{self, NONE};
use crate::math::real;
use bytemuck::{Pod, Zeroable};

/// A vertex of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Vertex {
    /// Where it is (m).
    pub position: [f32; 3],
    /// First of the vertices beside it, in their table.
    pub beside: u32,
    /// Its pseudo-normal: the mean of its faces' normals, weighted with their angles.
    pub normal: [f32; 3],
    /// 1 where one of its edges is a border, else 0.
    pub is_border: u32,
}

/// A triangle of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Triangle {
    /// Its vertices, counterclockwise from the front.
    pub corners: [u32; 3],
    /// Smallest index of the triangles in its plane that hang together.
    pub plane: u32,
    /// Its edges: k from corner k to k + 1.
    pub edges: [u32; 3],
    /// Zero.
    pub reserved: u32,
    /// Its unit normal.
    pub normal: [f32; 3],
    /// Zero.
    pub reserved_too: u32,
}

/// An edge of a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Edge {
    /// Corner of either face that is not on the edge; the second is [`NONE`] at a border.
    pub opposite: [u32; 2],
    /// The two faces; the second is [`NONE`] at a border.
    pub faces: [u32; 2],
    /// Its pseudo-normal: the mean of its faces' normals.
    pub normal: [f32; 3],
    /// Zero.
    pub reserved: u32,
}

/// A node of the tree, in the order of a walk that goes down first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Node {
    /// Smallest coordinates below it (m).
    pub low: [f32; 3],
    /// First triangle below it.
    pub first: u32,
    /// Largest coordinates below it (m).
    pub high: [f32; 3],
    /// The next node that is not below it: the one after it makes it a leaf.
    pub skip: u32,
}

/// Most triangles in a leaf.
pub(crate) const LEAF: u32 = 4;

/// Most vertices beside one: each triangle around a vertex may ask all of them.
pub(crate) const BESIDE: u32 = 1 << 12;

/// A view of a mesh's words: counts are vertices, triangles, edges, vertices beside, nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mesh<'a> {
    pub header: &'a Header,
    vertices: &'a [Vertex],
    triangles: &'a [Triangle],
    edges: &'a [Edge],
    beside: &'a [u32],
    nodes: &'a [Node],
}

impl<'a> Mesh<'a> {
    #[inline(always)]
    pub(super) fn open(words: &'a [u32]) -> Option<Self> {
        let (header, mut tables) = words::open(words, MESH)?;
        let [vertices, triangles, edges, beside, nodes] = header.counts;
        let mesh = Self {
            header,
            vertices: tables.take(vertices)?,
            triangles: tables.take(triangles)?,
            edges: tables.take(edges)?,
            beside: tables.take(beside)?,
            nodes: tables.take(nodes)?,
        };
        tables.are_read().then_some(mesh)
    }

    pub(super) fn check_header(&self) -> Result<(), ColliderError> {
        self.header.check()?;
        let [vertices, triangles, ..] = self.header.counts;
        let is_sound = self.header.cell.to_bits() == 0
            && (3..=LIMIT).contains(&vertices)
            && (1..=LIMIT).contains(&triangles);
        if is_sound { Ok(()) } else { Err(ColliderError::Damaged { table: "header", index: 0 }) }
    }

    pub(super) fn check(&self) -> Result<(), ColliderError> {
        self.check_header()?;
        let [vertices, triangles, edges, beside, nodes] = self.header.counts;
        let damaged = |table, index| Err(ColliderError::Damaged { table, index });
        let borders = self.edges.iter().filter(|edge| index::at(&edge.faces, 1) == NONE).count();
        if self.header.borders as usize != borders {
            return damaged("header", 0);
        }
        let mut next = 0;
        for (i, vertex) in (0..).zip(self.vertices) {
            let is_sound = self.header.holds(vertex.position)
                && is_unit(vertex.normal)
                && vertex.is_border <= 1
                && vertex.beside >= next
                && vertex.beside <= beside
                && self.beside(i).len() <= BESIDE as usize;
            if !is_sound {
                return damaged("vertices", i);
            }
            next = vertex.beside;
        }
        if let Some(i) = self.beside.iter().position(|vertex| *vertex >= vertices) {
            return damaged("vertices beside", u32::try_from(i).unwrap_or(NONE));
        }
        for (i, triangle) in (0..).zip(self.triangles) {
            let is_sound = triangle.corners.iter().all(|corner| *corner < vertices)
                && triangle.edges.iter().all(|edge| *edge < edges)
                && triangle.plane <= i
                && is_unit(triangle.normal)
                && (triangle.reserved, triangle.reserved_too) == (0, 0);
            if !is_sound {
                return damaged("triangles", i);
            }
        }
        for (i, edge) in (0..).zip(self.edges) {
            let [here, there] = edge.opposite;
            let [face, other] = edge.faces;
            let is_sound = here < vertices && face < triangles && (there, other) == (NONE, NONE)
                || (there < vertices && other < triangles);
            if !(is_sound && is_unit(edge.normal) && edge.reserved == 0) {
                return damaged("edges", i);
            }
        }
        self.check_tree(triangles, nodes)
    }

    /// A walk ends, because it only goes forward; it misses nothing, because boxes hold what is below them.
    fn check_tree(&self, triangles: u32, nodes: u32) -> Result<(), ColliderError> {
        let damaged = |index| Err(ColliderError::Damaged { table: "nodes", index });
        let whole = self.nodes.first();
        if !whole.is_some_and(|root| root.first == 0 && root.skip == nodes) {
            return damaged(0);
        }
        for (i, node) in (0..).zip(self.nodes) {
            let end = self.first_of(node.skip, triangles);
            if node.skip <= i || node.skip > nodes || node.first >= end || end > triangles {
                return damaged(i);
            }
            let holds = |low: [f32; 3], high: [f32; 3]| {
                let inside = low.into_iter().zip(node.low).all(|(x, low)| x >= low);
                inside && high.into_iter().zip(node.high).all(|(x, high)| x <= high)
            };
            let is_sound = if node.skip == i + 1 {
                end - node.first <= LEAF
                    && (node.first..end).all(|triangle| {
                        let corners = index::at(self.triangles, triangle).corners;
                        corners.iter().all(|corner| {
                            let position = index::at(self.vertices, *corner).position;
                            holds(position, position)
                        })
                    })
            } else {
                let left = index::at(self.nodes, i + 1);
                let right = index::at(self.nodes, left.skip);
                left.first == node.first
                    && left.skip < node.skip
                    && right.skip == node.skip
                    && holds(left.low, left.high)
                    && holds(right.low, right.high)
            };
            if !is_sound {
                return damaged(i);
            }
        }
        Ok(())
    }

    /// The first triangle of a node; that past the last behind the last node.
    #[inline(always)]
    fn first_of(&self, node: u32, triangles: u32) -> u32 {
        self.nodes.get(node as usize).map_or(triangles, |node| node.first)
    }

    /// The vertices beside one.
    #[inline(always)]
    fn beside(&self, vertex: u32) -> &[u32] {
        let [_, _, _, count, _] = self.header.counts;
        let first = index::at(self.vertices, vertex).beside;
        let last = self.vertices.get(vertex as usize + 1).map_or(count, |next| next.beside);
        self.beside.get(first as usize..last as usize).unwrap_or(&[])
    }

    /// Visits the triangles of every leaf within the square of a distance that `visit` answers. Each node is met at most
    /// once, and no leaf has more than [`LEAF`], whatever the words are.
    #[inline(always)]
    fn walk(&self, x: Vec3, mut square: f32, mut visit: impl FnMut(u32) -> f32) {
        let [_, triangles, ..] = self.header.counts;
        let mut at = 0;
        while let Some(node) = self.nodes.get(at as usize) {
            net::look(1);
            if node.square_from(x) > square {
                // A node that skips to itself or back is refused by the check; going on by one would end too.
                at = node.skip.max(at + 1);
                continue;
            }
            if node.skip == at + 1 {
                let end = self.first_of(node.skip, triangles).min(triangles);
                for triangle in node.first..end.min(node.first.saturating_add(LEAF)) {
                    square = visit(triangle);
                }
            }
            at += 1;
        }
    }

    /// The leaf that going to the nearer child each time leads to: what is nearest is hardly ever much nearer.
    fn nearby(&self, x: Vec3) -> u32 {
        let mut at = 0;
        loop {
            let node = index::at(self.nodes, at);
            if node.skip <= at + 1 {
                return node.first;
            }
            net::look(2);
            let left = index::at(self.nodes, at + 1);
            let right = index::at(self.nodes, left.skip);
            at = if right.square_from(x) < left.square_from(x) { left.skip.max(at + 1) } else { at + 1 };
        }
    }

    /// The nearest triangle, if there is one within `reach`; one further away may be answered as well as none.
    fn nearest(&self, x: Vec3, reach: f32) -> Nearest {
        let mut nearest = Nearest::NONE;
        let wide = net::wide(reach, self.header.radius);
        if self.header.bounds().square_from(x) > wide * wide {
            return nearest;
        }
        let guess = self.nearby(x);
        if let Some(face) = self.face(guess) {
            nearest.consider(x, guess, &face);
        }
        // Wider by rounding, so that the first in order of equally near ones is found whatever the guess was.
        let wider = |square: f32| square * (1.0 + 8.0 * f32::EPSILON);
        let limit = real::min(wider(nearest.square), wide * wide);
        nearest.square = f32::INFINITY;
        self.walk(x, limit, |triangle| {
            if let Some(face) = self.face(triangle) {
                nearest.consider(x, triangle, &face);
            }
            real::min(limit, wider(nearest.square))
        });
        nearest
    }

    /// The surface, if it is within `reach`; one further away may be answered as well as none.
    pub(super) fn surface(&self, x: Vec3, reach: f32) -> Option<Surface> {
        let nearest = self.nearest(x, reach);
        nearest.is_found().then(|| net::surface(self, &nearest))
    }

    #[inline(never)]
    pub(super) fn features(&self, x: Vec3, reach: f32, found: &mut Features) {
        if self.header.bounds().square_from(x) > reach * reach {
            return;
        }
        // Only a solid has an inside that may be deeper.
        let deep = if self.header.borders > 0 { reach } else { f32::INFINITY };
        let nearest = self.nearest(x, deep);
        if !nearest.is_found() {
            return;
        }
        let surface = net::surface(self, &nearest);
        // Far behind an open mesh is not inside it.
        if surface.distance > reach || (self.header.borders > 0 && surface.distance < -reach) {
            return;
        }
        // From in front, what is nearest is touched whatever else is.
        let from = if surface.distance > 0.0 {
            found.insert(surface, 0.0);
            x
        } else {
            x + nearest.way
        };
        let wide = reach * (1.0 + 8.0 * f32::EPSILON);
        self.walk(from, wide * wide, |triangle| {
            net::touch(self, triangle, from, x, reach, found);
            wide * wide
        });
        if found.count() == 0 {
            found.insert(surface, 0.0);
        }
    }
}

impl Node {
    #[inline(always)]
    fn square_from(&self, x: Vec3) -> f32 {
        Aabb { low: Vec3::from_array(self.low), high: Vec3::from_array(self.high) }.square_from(x)
    }
}

impl Net for Mesh<'_> {
    #[inline(always)]
    fn face(&self, face: u32) -> Option<Face> {
        let triangle = self.triangles.get(face as usize)?;
        let corners = triangle.corners.map(|v| Vec3::from_array(index::at(self.vertices, v).position));
        let normal = Vec3::from_array(triangle.normal);
        Some(Face { vertices: triangle.corners, corners, normal, plane: triangle.plane })
    }

    fn across(&self, index: u32, _: &Face, k: u32) -> Across {
        let [ab, bc, ca] = index::at(self.triangles, index).edges;
        let number = [ab, bc, ca].into_iter().nth(k as usize).unwrap_or(ca);
        let edge = index::at(self.edges, number);
        let [here, there] = edge.opposite;
        let other = if edge.faces.first() == Some(&index) { there } else { here };
        let other = self.vertices.get(other as usize).map(|vertex| Vec3::from_array(vertex.position));
        Across { edge: number, other, normal: Vec3::from_array(edge.normal) }
    }

    fn around(&self, vertex: u32) -> Around {
        let vertex = index::at(self.vertices, vertex);
        Around { normal: Vec3::from_array(vertex.normal), is_border: vertex.is_border != 0 }
    }

    fn all_beside(&self, vertex: u32, holds: impl Fn(Vec3) -> bool) -> bool {
        let mut beside = self.beside(vertex).iter().take(BESIDE as usize).inspect(|_| net::look(1));
        beside.all(|other| holds(Vec3::from_array(index::at(self.vertices, *other).position)))
    }

    #[inline(always)]
    fn reach(&self) -> f32 {
        self.header.reach()
    }
}
