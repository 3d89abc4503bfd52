//! Convex hull: the intersection of half spaces n·x ≤ d, with the polygon each of its planes has on the surface.
//!
//! Inside, φ is the largest n·x − d, the first such plane's where several are equally near. Outside, the nearest point lies
//! on a face the point is in front of: where it projects into one such face, φ = n·x − d; otherwise it is the distance to the
//! nearest edge or vertex, and ∇φ the direction from there. A point within rounding of an edge or vertex has the normal of
//! the plane it is furthest in front of.
//!
//! Features: a face's index; 2³⁰ + (smaller vertex)·2¹² + larger vertex for an edge; 2³¹ + vertex.

use super::Surface;
use super::error::ColliderError;
use super::net::look;
use super::triangle::{Part, nearest_of_segment};
use super::words::{self, HULL, Header, is_unit};
use crate::Vec3;
use crate::index;
use crate::math::vector;
use bytemuck::{Pod, Zeroable};

/// Most vertices, and faces, of a hull; every query looks at all of them.
pub(crate) const MOST: u32 = 1 << 10;

/// Most corners of all faces together: two for each edge, of which a convex polyhedron has fewer than three a vertex.
const CORNERS: u32 = 6 * MOST;

/// By how much of its radius a vertex may be in front of a face or off its plane: more is not convex.
pub(crate) const CONVEX: f32 = 1.0e-5;

const EDGE: u32 = 1 << 30;
const VERTEX: u32 = 1 << 31;
const EDGE_SHIFT: u32 = 12;

/// A plane: n·x = d.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Plane {
    /// Outward unit normal n.
    pub normal: [f32; 3],
    /// Distance from the origin d (m).
    pub offset: f32,
}

impl Plane {
    #[inline(always)]
    fn above(&self, x: Vec3) -> f32 {
        Vec3::from_array(self.normal).dot(x) - self.offset
    }
}

/// A view of a hull's words: counts are vertices, faces, corners.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hull<'a> {
    pub header: &'a Header,
    vertices: &'a [[f32; 3]],
    planes: &'a [Plane],
    /// One more than there are faces.
    starts: &'a [u32],
    /// Vertices of the faces' polygons, counterclockwise from outside.
    corners: &'a [u32],
}

impl<'a> Hull<'a> {
    #[inline(always)]
    pub(super) fn open(words: &'a [u32]) -> Option<Self> {
        let (header, mut tables) = words::open(words, HULL)?;
        let [vertices, faces, corners, _, _] = header.counts;
        let hull = Self {
            header,
            vertices: tables.take(vertices)?,
            planes: tables.take(faces)?,
            starts: tables.take(faces.checked_add(1)?)?,
            corners: tables.take(corners)?,
        };
        tables.are_read().then_some(hull)
    }

    pub(super) fn check_header(&self) -> Result<(), ColliderError> {
        self.header.check()?;
        let [vertices, faces, corners, ..] = self.header.counts;
        let is_sound = self.header.borders == 0
            && self.header.cell.to_bits() == 0
            && (4..=MOST).contains(&vertices)
            && (4..=MOST).contains(&faces)
            && corners <= CORNERS;
        if is_sound { Ok(()) } else { Err(ColliderError::Damaged { table: "header", index: 0 }) }
    }

    pub(super) fn check(&self) -> Result<(), ColliderError> {
        let damaged = |table, index| Err(ColliderError::Damaged { table, index });
        self.check_header()?;
        let [_, faces, corners, ..] = self.header.counts;
        for (i, vertex) in (0..).zip(self.vertices) {
            if !self.header.holds(*vertex) {
                return damaged("vertices", i);
            }
        }
        let slack = CONVEX * self.header.radius;
        for (i, plane) in (0..).zip(self.planes) {
            let above = |vertex: &[f32; 3]| plane.above(Vec3::from_array(*vertex));
            if !is_unit(plane.normal) || !self.vertices.iter().all(|vertex| above(vertex) <= slack) {
                return damaged("planes", i);
            }
            let (first, last) = (index::at(self.starts, i), index::at(self.starts, i + 1));
            if last > corners
                || first.checked_add(3).is_none_or(|three| three > last)
                || (i == 0 && first != 0)
            {
                return damaged("faces", i);
            }
            for corner in index::run(self.corners, self.starts, i) {
                let vertex = self.vertices.get(*corner as usize);
                // NaN is refused with the plane: it is not above by as little as the slack.
                if !vertex.is_some_and(|vertex| above(vertex) >= -slack) {
                    return damaged("corners", i);
                }
            }
        }
        if index::at(self.starts, faces) == corners { Ok(()) } else { damaged("faces", faces) }
    }

    #[inline(always)]
    fn vertex(&self, vertex: u32) -> Vec3 {
        Vec3::from_array(index::at(self.vertices, vertex))
    }

    pub(super) fn surface(&self, x: Vec3) -> Surface {
        look(self.planes.len());
        let mut highest = Surface { distance: f32::NEG_INFINITY, normal: Vec3::Y, feature: 0 };
        for (feature, plane) in (0..).zip(self.planes) {
            let distance = plane.above(x);
            if distance > highest.distance {
                highest = Surface { distance, normal: Vec3::from_array(plane.normal), feature };
            }
        }
        if highest.distance <= 0.0 {
            return highest;
        }
        let mut nearest = Nearest { square: f32::INFINITY, way: Vec3::ZERO, feature: 0 };
        // All corners of all faces, each once; faces of words that were changed may have more between them.
        let mut left = self.corners.len();
        for (face, plane) in (0..).zip(self.planes) {
            let distance = plane.above(x);
            if distance > 0.0 && self.meets_face(x, face, plane, &mut nearest, &mut left) {
                return Surface { distance, normal: Vec3::from_array(plane.normal), feature: face };
            }
        }
        let distance = vector::length(nearest.way);
        if distance <= 4.0 * f32::EPSILON * (self.header.reach() + distance) {
            return Surface { distance, ..highest };
        }
        Surface { distance, normal: -nearest.way / distance, feature: nearest.feature }
    }

    /// Whether x projects into a face; where it does not, the nearest point of the face's edges is taken down.
    #[inline(always)]
    fn meets_face(&self, x: Vec3, face: u32, plane: &Plane, nearest: &mut Nearest, left: &mut usize) -> bool {
        let normal = Vec3::from_array(plane.normal);
        let corners = index::run(self.corners, self.starts, face);
        if corners.len() > *left {
            return false;
        }
        *left -= corners.len();
        look(corners.len());
        let mut from = corners.last().copied().unwrap_or(0);
        let mut is_inside = true;
        for to in corners.iter().copied() {
            let (a, b) = (self.vertex(from), self.vertex(to));
            // Only an edge that x is beyond can be the nearest of this face.
            if (x - a).dot((b - a).cross(normal)) > 0.0 {
                is_inside = false;
                nearest.take(nearest_of_segment(x, a, b), from, to);
            }
            from = to;
        }
        is_inside
    }
}

/// The nearest point of any edge so far.
struct Nearest {
    square: f32,
    /// From the point asked for.
    way: Vec3,
    feature: u32,
}

impl Nearest {
    fn take(&mut self, (way, part): (Vec3, Part), from: u32, to: u32) {
        let square = way.dot(way);
        if square < self.square {
            let feature = match part {
                Part::Corner(0) => VERTEX | from,
                Part::Corner(_) => VERTEX | to,
                _ => EDGE | (from.min(to) << EDGE_SHIFT) | from.max(to),
            };
            *self = Self { square, way, feature };
        }
    }
}
