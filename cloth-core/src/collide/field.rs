//! Height field: heights y over a grid of vertices at (i·cell, j·cell) of the pose's X and Z, one-sided, its front above.
//!
//! Each cell is two triangles that share the diagonal from (i, j) to (i + 1, j + 1): triangle 0 towards larger j, triangle
//! 1 towards larger i. A triangle may be missing, and a hole is a cell with both missing; the surface ends there, as it does at
//! the rim of the grid.
//!
//! φ is the distance to the nearest point of any triangle, below zero where the point is below the surface: where there is
//! a triangle straight above it along Y. Over a hole and beyond the rim nothing is below, and φ is above zero. So φ jumps
//! across the vertical wall under the rim of a hole. Where several triangles are equally near, the first met in rings about
//! the point is taken.
//!
//! A field is no solid, and fields may stack. Below one a point has φ < 0 however far below it is; which of several it has come
//! from is for the caller to know, by the sign φ had when the contact began. Further from it than the reach asked for, above
//! or below, nothing of it is found: who is between two fields belongs to neither until one is in reach.
//!
//! A query opens rings of cells until none can be nearer than what was found, nor within its reach; from out of reach of the field's
//! box it opens none. A point h above the box whose distance to the surface is d looks at some 2·π·(d² − h²)/cell² triangles,
//! and at a few where the ground is level; within the box at some 2·π·d²/cell², d being the reach where that is less. So who
//! keeps cloth many cells off rugged ground pays with the square of their number.
//!
//! Triangles of one plane that share edges are one feature. Features: for a plane the smallest number of its triangles, where
//! triangle k of cell (i, j) is 2·(i + j·columns) + k; 2³⁰ + edge, 2³¹ + vertex.

use super::Surface;
use super::error::ColliderError;
use super::features::Features;
use super::net::{self, Across, Around, Face, Nearest, Net};
use super::words::{self, FIELD, Header, LIMIT};
use crate::Vec3;
use crate::index::{self, NONE};
use crate::math::{real, vector};
use core::num::NonZeroU32;

/// Share that the square of a distance may be off by rounding.
const ROUNDED: f32 = 1.0e-5;

/// A view of a field's words: counts are vertices along X and along Z.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field<'a> {
    pub header: &'a Header,
    /// Rows along X, one after the other along Z (m).
    heights: &'a [f32],
    /// Two for each cell: the plane's key, [`NONE`] where the triangle is missing.
    planes: &'a [u32],
    /// Cells along X and along Z.
    columns: NonZeroU32,
    rows: NonZeroU32,
    /// Vertices along X.
    nx: NonZeroU32,
}

/// A cell and which of its triangles.
#[derive(Clone, Copy, Debug)]
struct Place {
    i: u32,
    j: u32,
    k: u32,
}

impl<'a> Field<'a> {
    #[inline(always)]
    pub(super) fn open(words: &'a [u32]) -> Option<Self> {
        let (header, mut tables) = words::open(words, FIELD)?;
        let [nx, nz, ..] = header.counts;
        // Nothing divides by zero, whatever the words are.
        let columns = NonZeroU32::new(nx.checked_sub(1)?)?;
        let rows = NonZeroU32::new(nz.checked_sub(1)?)?;
        let cells = columns.get().checked_mul(rows.get())?;
        let heights = tables.take(nx.checked_mul(nz)?)?;
        let planes = tables.take(cells.checked_mul(2)?)?;
        let nx = NonZeroU32::new(nx)?;
        tables.are_read().then_some(Self { header, heights, planes, columns, rows, nx })
    }

    pub(super) fn check_header(&self) -> Result<(), ColliderError> {
        self.header.check()?;
        let header = self.header;
        let is_sound = header.counts.iter().skip(2).all(|count| *count == 0)
            && header.borders == 0
            && super::check::SIZES.contains(&header.cell)
            && index::len32(self.heights) <= LIMIT;
        if is_sound { Ok(()) } else { Err(ColliderError::Damaged { table: "header", index: 0 }) }
    }

    pub(super) fn check(&self) -> Result<(), ColliderError> {
        self.check_header()?;
        let damaged = |table, index| Err(ColliderError::Damaged { table, index });
        for i in 0..index::len32(self.heights) {
            if !self.header.holds(self.position(i).to_array()) {
                return damaged("heights", i);
            }
        }
        for (i, plane) in (0..).zip(self.planes) {
            if *plane > i && *plane != NONE {
                return damaged("planes", i);
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn position(&self, vertex: u32) -> Vec3 {
        let (i, j) = (vertex % self.nx, vertex / self.nx);
        let cell = self.header.cell;
        Vec3::new(real::from_count(i) * cell, index::at(self.heights, vertex), real::from_count(j) * cell)
    }

    /// The cell a coordinate is in, of `cells` along an axis; the nearest for one beyond the rim.
    fn cell(&self, x: f32, cells: NonZeroU32) -> u32 {
        let last = cells.get() - 1;
        let at = x / self.header.cell;
        // The conversion rounds towards zero, and takes what is out of range to the nearer end.
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates, as wanted")]
        let at = at as u32;
        at.min(last)
    }

    #[inline(always)]
    fn number(&self, place: Place) -> u32 {
        2 * (place.i + place.j * self.columns.get()) + place.k
    }

    #[inline(always)]
    fn place(&self, face: u32) -> Place {
        let cell = face / 2;
        Place { i: cell % self.columns, j: cell / self.columns, k: face % 2 }
    }

    /// The triangle at a place that may be beyond the rim. Not inlined: it is asked for in a dozen places.
    #[inline(never)]
    fn there(&self, i: Option<u32>, j: Option<u32>, k: u32) -> Option<Face> {
        let (i, j) = (i?, j?);
        if i >= self.columns.get() || j >= self.rows.get() {
            return None;
        }
        self.face(self.number(Place { i, j, k }))
    }

    /// The six triangles around a vertex.
    fn around_vertex(&self, vertex: u32) -> [Option<Face>; 6] {
        let (i, j) = (vertex % self.nx, vertex / self.nx);
        let (left, before) = (i.checked_sub(1), j.checked_sub(1));
        let (here, now) = (Some(i), Some(j));
        [
            self.there(here, now, 0),
            self.there(here, now, 1),
            self.there(left, now, 1),
            self.there(here, before, 0),
            self.there(left, before, 0),
            self.there(left, before, 1),
        ]
    }

    /// Visits the triangles of cells ring by ring about the one x is in or nearest to, as long as a ring may hold a point
    /// within the square of a distance that `visit` answers.
    fn rings(&self, x: Vec3, mut square: f32, mut visit: impl FnMut(u32, &Face) -> f32) {
        let (ci, cj) = (self.cell(x.x, self.columns), self.cell(x.z, self.rows));
        let (columns, rows) = (self.columns.get(), self.rows.get());
        let beyond = self.header.bounds().square_from(x);
        let wide = columns.max(rows);
        for ring in 0..=wide {
            // A ring is at least so many whole cells away, seen from the nearest point of the field's box, and that lies across from
            // the way to there: Pythagoras. Rounding may take off the share that is not counted.
            let cells = real::from_count(ring.saturating_sub(1)) * self.header.cell;
            if cells * cells * (1.0 - ROUNDED) + beyond > square {
                break;
            }
            let (low_j, high_j) = (cj.saturating_sub(ring), (cj + ring).min(rows - 1));
            let (low_i, high_i) = (ci.saturating_sub(ring), (ci + ring).min(columns - 1));
            // Where both ends of the rows between are beyond the rim, a ring is its first and last row: a strip of cells is
            // walked along and not over and over.
            let has_ends = ci >= ring || ci + ring < columns;
            let mut j = low_j;
            while j <= high_j {
                net::look(1);
                let is_whole = j + ring == cj || j == cj + ring;
                // Of rows between, only the two ends belong to the ring.
                let stride = if is_whole { 1 } else { (2 * ring).max(1) };
                let start = if is_whole || ci >= ring { low_i } else { ci + ring };
                let mut i = start;
                while i <= high_i {
                    for k in 0..2 {
                        let number = self.number(Place { i, j, k });
                        if let Some(face) = self.face(number) {
                            square = visit(number, &face);
                        }
                    }
                    i += stride;
                }
                j = if has_ends { j + 1 } else { high_j.max(j + 1) };
            }
        }
    }

    /// The nearest triangle, if there is one within `reach`; one further away may be answered as well as none.
    fn nearest(&self, x: Vec3, reach: f32) -> Nearest {
        let mut nearest = Nearest::NONE;
        let wide = net::wide(reach, self.header.radius);
        let limit = wide * wide;
        self.rings(x, limit, |number, face| {
            nearest.consider(x, number, face);
            real::min(nearest.square, limit)
        });
        nearest
    }

    /// Whether a triangle is straight above x along Y.
    fn is_below(&self, x: Vec3) -> bool {
        let (i, j) = (self.cell(x.x, self.columns), self.cell(x.z, self.rows));
        let cell = self.header.cell;
        let (u, v) = (x.x - real::from_count(i) * cell, x.z - real::from_count(j) * cell);
        // Half an ε of the grid's size belongs to the rim.
        let slack = f32::EPSILON * self.header.radius;
        let inside = -slack..=cell + slack;
        if !inside.contains(&u) || !inside.contains(&v) {
            return false;
        }
        let k = u32::from(u > v);
        let face = self.face(self.number(Place { i, j, k }));
        face.is_some_and(|face| {
            let [corner, ..] = face.corners;
            face.normal.dot(x - corner) < 0.0
        })
    }

    /// The surface, if it is within `reach`; one further away may be answered as well as none.
    pub(super) fn surface(&self, x: Vec3, reach: f32) -> Option<Surface> {
        let nearest = self.nearest(x, reach);
        nearest.is_found().then(|| self.sided(x, &nearest))
    }

    /// The net's answer with the side that the vertical decides; on the surface within rounding, that of the nearest face.
    fn sided(&self, x: Vec3, nearest: &Nearest) -> Surface {
        let surface = net::surface(self, nearest);
        let distance = real::abs(surface.distance);
        if distance <= net::SAME * self.header.radius || self.is_below(x) == (surface.distance < 0.0) {
            return surface;
        }
        Surface { distance: -surface.distance, normal: -surface.normal, ..surface }
    }

    #[inline(never)]
    pub(super) fn features(&self, x: Vec3, reach: f32, found: &mut Features) {
        if self.header.bounds().square_from(x) > reach * reach {
            return;
        }
        let nearest = self.nearest(x, reach);
        if !nearest.is_found() {
            return;
        }
        let surface = self.sided(x, &nearest);
        if surface.distance > reach || surface.distance < -reach {
            return;
        }
        // From in front, what is nearest is touched whatever else is.
        let from = if surface.distance > 0.0 {
            found.insert(surface, 0.0);
            x
        } else {
            x + nearest.way
        };
        let square = reach * reach * (1.0 + 8.0 * f32::EPSILON);
        self.rings(from, square, |number, _| {
            net::touch(self, number, from, x, reach, found);
            square
        });
        if found.count() == 0 {
            found.insert(surface, 0.0);
        }
    }
}

impl Net for Field<'_> {
    #[inline(always)]
    fn face(&self, face: u32) -> Option<Face> {
        let plane = *self.planes.get(face as usize)?;
        if plane == NONE {
            return None;
        }
        let Place { i, j, k } = self.place(face);
        let a = i + j * self.nx.get();
        let c = a + self.nx.get() + 1;
        let vertices = if k == 0 { [a, a + self.nx.get(), c] } else { [a, c, a + 1] };
        let corners = vertices.map(|vertex| self.position(vertex));
        // Level by construction: the slopes along X and Z are the differences of heights over a cell.
        let [p, q, r] = corners.map(|corner| corner.y);
        let (along_x, along_z) = if k == 0 { (r - q, q - p) } else { (r - p, q - r) };
        let normal = vector::unit_or(Vec3::new(-along_x, self.header.cell, -along_z), Vec3::Y);
        Some(Face { vertices, corners, normal, plane })
    }

    fn across(&self, index: u32, face: &Face, k: u32) -> Across {
        let Place { i, j, k: half } = self.place(index);
        let a = i + j * self.nx.get();
        // Edges are numbered by their smaller vertex: 3v along X, 3v + 1 along Z, 3v + 2 the diagonal.
        let (edge, neighbour) = match (half, k) {
            (0, 0) => (3 * a + 1, self.there(i.checked_sub(1), Some(j), 1)),
            (0, 1) => (3 * (a + self.nx.get()), self.there(Some(i), Some(j + 1), 1)),
            (0, _) => (3 * a + 2, self.there(Some(i), Some(j), 1)),
            (_, 0) => (3 * a + 2, self.there(Some(i), Some(j), 0)),
            (_, 1) => (3 * (a + 1) + 1, self.there(Some(i + 1), Some(j), 0)),
            _ => (3 * a, self.there(Some(i), j.checked_sub(1), 0)),
        };
        let other = neighbour.and_then(|neighbour| {
            let mut corners = neighbour.vertices.into_iter().zip(neighbour.corners);
            corners.find(|(vertex, _)| !face.vertices.contains(vertex)).map(|(_, corner)| corner)
        });
        let normal = neighbour.map_or(face.normal, |neighbour| neighbour.normal + face.normal);
        Across { edge, other, normal }
    }

    fn around(&self, vertex: u32) -> Around {
        let faces = self.around_vertex(vertex);
        let is_border = faces.iter().any(Option::is_none);
        // The side of a vertex is decided by the vertical; any upward normal tells front from back of one surface.
        let sum = faces.iter().flatten().fold(Vec3::ZERO, |sum, face| sum + face.normal);
        Around { normal: sum, is_border }
    }

    fn all_beside(&self, vertex: u32, holds: impl Fn(Vec3) -> bool) -> bool {
        let faces = self.around_vertex(vertex);
        let mut corners = faces.iter().flatten().flat_map(|face| face.vertices.iter().zip(face.corners));
        corners.all(|(other, corner)| *other == vertex || holds(corner))
    }

    #[inline(always)]
    fn reach(&self) -> f32 {
        self.header.reach()
    }
}
