//! From vertices and triangles to the words of a mesh.

use super::{ON_PLANE, ShapeError, at_most, checked, counts, header, put, radius, tree};
use crate::Vec3;
use crate::bake::measure;
use crate::bake::sets::Sets;
use crate::bake::weld;
use crate::collide::mesh::{BESIDE, Edge, Triangle, Vertex};
use crate::collide::words::{LIMIT, MESH};
use crate::index::{NONE, len32};
use crate::math::{angle, real, vector};
use alloc::vec;
use alloc::vec::Vec;

/// What was found in a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshReport {
    /// Vertices after those at one position became one.
    pub vertices: u32,
    /// Triangles left.
    pub triangles: u32,
    /// Triangles left out because they have no area.
    pub degenerate: u32,
    /// Edges with one triangle: 0 in a mesh that encloses a volume.
    pub borders: u32,
}

impl MeshReport {
    /// Whether it has borders, behind which nothing is inside.
    pub fn is_open(&self) -> bool {
        self.borders > 0
    }
}

/// An edge of a triangle, seen from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    low: u32,
    high: u32,
    triangle: u32,
    /// From corner k to k + 1.
    k: u32,
    /// Whether it runs from the larger vertex to the smaller.
    is_down: bool,
}

pub(super) fn words(
    positions: &[[f32; 3]],
    triangles: &[[u32; 3]],
) -> Result<(Vec<u32>, MeshReport), ShapeError> {
    at_most("vertices", positions.len(), LIMIT)?;
    at_most("triangles", triangles.len(), LIMIT)?;
    let given = checked(positions)?;
    let count = len32(&given);
    for (corners, triangle) in triangles.iter().zip(0..) {
        if let Some(&vertex) = corners.iter().find(|vertex| **vertex >= count) {
            return Err(ShapeError::NoSuchVertex { triangle, vertex, count });
        }
    }

    // From here on a vertex is the first of those at its position, and only those of triangles with an area stay.
    let first_of = weld::groups(&given, 0.0);
    let no_length =
        measure::no_length(given.iter().fold(0.0, |most, p| real::max(measure::extent(*p), most)));
    let at = |vertex: u32| given[vertex as usize];
    let welded = triangles.iter().map(|corners| corners.map(|vertex| first_of[vertex as usize]));
    let kept: Vec<(u32, [u32; 3])> =
        (0..).zip(welded).filter(|(_, corners)| !measure::is_flat(corners.map(at), no_length)).collect();
    if kept.is_empty() {
        return Err(ShapeError::NoSurface);
    }
    let corners: Vec<[Vec3; 3]> = kept.iter().map(|(_, corners)| corners.map(at)).collect();
    let (order, nodes) = tree::build(&corners);
    let sides = paired(&order.iter().map(|&i| kept[i as usize]).collect::<Vec<_>>())?;

    // Vertices that triangles use, in the order they were given.
    let mut is_used = vec![false; given.len()];
    kept.iter().flat_map(|(_, corners)| corners).for_each(|&vertex| is_used[vertex as usize] = true);
    let used: Vec<u32> = (0..count).filter(|&vertex| is_used[vertex as usize]).collect();
    let mut number = vec![NONE; given.len()];
    for (&vertex, new) in used.iter().zip(0..) {
        number[vertex as usize] = new;
    }
    let points: Vec<Vec3> = used.iter().map(|&vertex| at(vertex)).collect();

    let mut net = Draft { points, ..Draft::default() };
    for &i in &order {
        let corners = kept[i as usize].1.map(|vertex| number[vertex as usize]);
        let normal = net.normal(corners).to_array();
        net.triangles.push(Triangle { corners, normal, ..Triangle::default() });
    }
    net.add_edges(&sides);
    net.name_planes();
    let (vertices, beside) = net.vertices();
    let ends = vertices.iter().skip(1).map(|next| next.beside).chain([len32(&beside)]);
    for (vertex, end) in vertices.iter().zip(ends) {
        at_most("vertices beside one", (end - vertex.beside) as usize, BESIDE)?;
    }
    let borders = len32(&net.edges.iter().filter(|edge| edge.faces[1] == NONE).collect::<Vec<_>>());

    let lengths = [vertices.len(), net.triangles.len(), net.edges.len(), beside.len(), nodes.len()];
    let mut head = header(MESH, &net.points, counts(lengths));
    head.borders = borders;
    let mut words = Vec::new();
    put(&mut words, &[head]);
    put(&mut words, &vertices);
    put(&mut words, &net.triangles);
    put(&mut words, &net.edges);
    put(&mut words, &beside);
    put(&mut words, &nodes);
    let report = MeshReport {
        vertices: len32(&vertices),
        triangles: len32(&net.triangles),
        degenerate: len32(triangles) - len32(&kept),
        borders,
    };
    Ok((words, report))
}

/// The sides of triangles in runs of one edge each, of one side or two that run against each other. Errors name triangles
/// and vertices as they were given.
fn paired(triangles: &[(u32, [u32; 3])]) -> Result<Vec<Side>, ShapeError> {
    let mut sides = Vec::with_capacity(3 * triangles.len());
    for ((_, [a, b, c]), triangle) in triangles.iter().zip(0..) {
        for (from, to, k) in [(*a, *b, 0), (*b, *c, 1), (*c, *a, 2)] {
            sides.push(Side { low: from.min(to), high: from.max(to), triangle, k, is_down: from > to });
        }
    }
    sides.sort_unstable();
    let apart = |fault| Err(doubled(triangles).unwrap_or(fault));
    for edge in sides.chunk_by(|a, b| (a.low, a.high) == (b.low, b.high)) {
        let names = [edge[0].low, edge[0].high];
        let given = |side: &Side| triangles[side.triangle as usize].0;
        match edge {
            [_] => {}
            [one, other] if one.is_down != other.is_down => {}
            [one, other] => {
                let triangle = given(one).max(given(other));
                return apart(ShapeError::Flipped { triangle, edge: names });
            }
            more => {
                let triangle = more.iter().map(given).fold(NONE, u32::min);
                return apart(ShapeError::SharedEdge { triangle, edge: names });
            }
        }
    }
    Ok(sides)
}

/// The first triangle that is there twice with the same side in front, if one is. Its edges have too many sides too, and that
/// would be said of them without saying why.
fn doubled(triangles: &[(u32, [u32; 3])]) -> Option<ShapeError> {
    let from_least = |[a, b, c]: [u32; 3]| [[a, b, c], [b, c, a], [c, a, b]].into_iter().min();
    let mut turned: Vec<(Option<[u32; 3]>, u32)> =
        triangles.iter().map(|(given, corners)| (from_least(*corners), *given)).collect();
    turned.sort_unstable();
    let pairs = turned.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    let (triangle, first) = pairs.map(|pair| (pair[1].1, pair[0].1)).min()?;
    Some(ShapeError::Doubled { triangle, first })
}

/// A mesh being built.
#[derive(Default)]
struct Draft {
    points: Vec<Vec3>,
    triangles: Vec<Triangle>,
    edges: Vec<Edge>,
}

impl Draft {
    fn at(&self, vertex: u32) -> Vec3 {
        self.points[vertex as usize]
    }

    /// From the two shorter sides: the error of a cross product grows with the product of their lengths.
    fn normal(&self, corners: [u32; 3]) -> Vec3 {
        let [a, b, c] = corners.map(|vertex| self.at(vertex));
        let (ab, bc, ca) = (b - a, c - b, a - c);
        let (first, second) = if ab.dot(ab) >= bc.dot(bc) && ab.dot(ab) >= ca.dot(ca) {
            (bc, ca)
        } else if bc.dot(bc) >= ca.dot(ca) {
            (ca, ab)
        } else {
            (ab, bc)
        };
        // By unit vectors, because squares of a small triangle's area underflow.
        let unit = |v: Vec3| vector::unit_or(v, Vec3::ZERO);
        unit(unit(first).cross(unit(second)))
    }

    fn normal_of(&self, triangle: u32) -> Vec3 {
        Vec3::from_array(self.triangles[triangle as usize].normal)
    }

    fn add_edges(&mut self, sides: &[Side]) {
        for edge in sides.chunk_by(|a, b| (a.low, a.high) == (b.low, b.high)) {
            let number = len32(&self.edges);
            let mut new = Edge { opposite: [NONE; 2], faces: [NONE; 2], ..Edge::default() };
            let mut sum = Vec3::ZERO;
            for (side, slot) in edge.iter().zip(0..) {
                let triangle = &mut self.triangles[side.triangle as usize];
                triangle.edges[side.k as usize] = number;
                new.opposite[slot] = triangle.corners[(side.k as usize + 2) % 3];
                new.faces[slot] = side.triangle;
                sum += self.normal_of(side.triangle);
            }
            // Two faces folded onto each other have no mean; from either side the edge is then as good as the first.
            new.normal = vector::unit_or(sum, self.normal_of(new.faces[0])).to_array();
            self.edges.push(new);
        }
    }

    fn name_planes(&mut self) {
        let slack = ON_PLANE * radius(&self.points);
        let mut sets = Sets::new(len32(&self.triangles));
        for edge in &self.edges {
            let [one, other] = edge.faces;
            if other == NONE || self.normal_of(one).dot(self.normal_of(other)) <= 0.0 {
                continue;
            }
            let off = |face: u32, opposite: u32| {
                let corner = self.at(self.triangles[face as usize].corners[0]);
                real::abs(self.normal_of(face).dot(self.at(opposite) - corner))
            };
            if off(one, edge.opposite[1]) <= slack && off(other, edge.opposite[0]) <= slack {
                sets.join(one, other);
            }
        }
        for (triangle, plane) in self.triangles.iter_mut().zip(sets.into_names()) {
            triangle.plane = plane;
        }
    }

    fn vertices(&self) -> (Vec<Vertex>, Vec<u32>) {
        let mut sums = vec![Vec3::ZERO; self.points.len()];
        let mut first = vec![Vec3::ZERO; self.points.len()];
        for triangle in &self.triangles {
            let normal = Vec3::from_array(triangle.normal);
            let [a, b, c] = triangle.corners;
            for (corner, next, last) in [(a, b, c), (b, c, a), (c, a, b)] {
                let direction = |to: u32| vector::unit_or(self.at(to) - self.at(corner), Vec3::ZERO);
                sums[corner as usize] += normal * angle::between_units(direction(next), direction(last));
                first[corner as usize] = normal;
            }
        }
        let mut links = Vec::with_capacity(2 * self.edges.len());
        let mut is_border = vec![0; self.points.len()];
        for triangle in &self.triangles {
            for k in 0..3 {
                let (from, to) = (triangle.corners[k], triangle.corners[(k + 1) % 3]);
                links.extend([(from, to), (to, from)]);
                if self.edges[triangle.edges[k] as usize].faces[1] == NONE {
                    is_border[from as usize] = 1;
                    is_border[to as usize] = 1;
                }
            }
        }
        links.sort_unstable();
        links.dedup();
        let mut beside = 0;
        let vertices = (0..).zip(&self.points).map(|(vertex, position)| {
            while links.get(beside).is_some_and(|link| link.0 < vertex) {
                beside += 1;
            }
            let i = vertex as usize;
            Vertex {
                position: position.to_array(),
                beside: u32::try_from(beside).unwrap_or(NONE),
                normal: vector::unit_or(sums[i], first[i]).to_array(),
                is_border: is_border[i],
            }
        });
        let vertices = vertices.collect();
        (vertices, links.into_iter().map(|link| link.1).collect())
    }
}
