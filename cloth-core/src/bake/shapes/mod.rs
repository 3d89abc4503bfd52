//! Shapes of colliders that are words: convex hulls, triangle meshes, height fields.
//!
//! [`Shapes`] collects the words of any number of them; [`crate::collide::Collider::shaped`] makes a collider of one. The
//! words are read in place, by any number of colliders.

#[cfg(test)]
mod check;
mod error;
mod field;
mod hull;
mod mesh;
mod tree;

pub use error::ShapeError;
pub use field::Heights;
pub use mesh::MeshReport;

use crate::Vec3;
use crate::collide::Data;
use crate::collide::words::Header;
use crate::math::{real, vector};
use crate::model::MAX_LENGTH;
use alloc::vec::Vec;
use bytemuck::Pod;

/// The words of shapes, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shapes {
    words: Vec<u32>,
}

impl Shapes {
    /// No shapes yet.
    pub const fn new() -> Self {
        Self { words: Vec::new() }
    }

    /// Shapes whose words were written elsewhere. Whoever takes them over checks the colliders that point into them
    /// ([`crate::collide::Collider::check`]).
    pub const fn of_words(words: Vec<u32>) -> Self {
        Self { words }
    }

    /// What the queries are given beside the table of colliders.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The convex hull of at most 256 points (m), of which those inside it are dropped.
    ///
    /// # Errors
    ///
    /// A [`ShapeError`]; no word is added then.
    pub fn hull(&mut self, points: &[[f32; 3]]) -> Result<Data, ShapeError> {
        let words = hull::words(points)?;
        self.append(words)
    }

    /// A triangle mesh (m), counterclockwise from outside. Vertices at one position are one, triangles without an area are
    /// left out, and a mesh may be open; the report counts what was found.
    ///
    /// # Errors
    ///
    /// A [`ShapeError`]; no word is added then.
    pub fn mesh(
        &mut self,
        positions: &[[f32; 3]],
        triangles: &[[u32; 3]],
    ) -> Result<(Data, MeshReport), ShapeError> {
        let (words, report) = mesh::words(positions, triangles)?;
        Ok((self.append(words)?, report))
    }

    /// A height field.
    ///
    /// # Errors
    ///
    /// A [`ShapeError`]; no word is added then.
    pub fn field(&mut self, heights: &Heights) -> Result<Data, ShapeError> {
        let words = field::words(heights)?;
        self.append(words)
    }

    fn append(&mut self, words: Vec<u32>) -> Result<Data, ShapeError> {
        let too_large = |_| ShapeError::TooMany { what: "words", given: words.len(), limit: u32::MAX };
        let first = u32::try_from(self.words.len()).map_err(too_large)?;
        let count = u32::try_from(words.len()).map_err(too_large)?;
        if first.checked_add(count).is_none() {
            return Err(ShapeError::TooMany { what: "words", given: words.len(), limit: u32::MAX });
        }
        self.words.extend_from_slice(&words);
        Ok(Data { first, count })
    }
}

/// Polygons of the convex hull that [`Shapes::hull`] makes of the same points, for whoever draws it: indices into `points`,
/// counterclockwise from outside.
///
/// # Errors
///
/// As [`Shapes::hull`].
pub fn hull_polygons(points: &[[f32; 3]]) -> Result<Vec<Vec<u32>>, ShapeError> {
    hull::polygons(points)
}

/// Points whose coordinates are numbers in range.
fn checked(positions: &[[f32; 3]]) -> Result<Vec<Vec3>, ShapeError> {
    match positions.iter().position(|point| !point.iter().all(|x| real::abs(*x) <= MAX_LENGTH)) {
        Some(vertex) => Err(ShapeError::NonFinite { vertex: u32::try_from(vertex).unwrap_or(u32::MAX) }),
        // A negative zero is a zero, so that equal shapes have equal words.
        None => Ok(positions.iter().map(|point| Vec3::from_array(*point) + Vec3::ZERO).collect()),
    }
}

/// A header with the bounds of the points.
fn header(magic: [u32; 2], points: &[Vec3], counts: [u32; 5]) -> Header {
    let mut header = Header { magic, counts, ..Header::default() };
    let axis = |k: usize| points.iter().map(move |point| point.to_array()[k]);
    for k in 0..3 {
        header.low[k] = axis(k).fold(f32::INFINITY, |low, x| real::min(x, low));
        header.high[k] = axis(k).fold(f32::NEG_INFINITY, |high, x| real::max(x, high));
    }
    header.radius = radius(points);
    header
}

/// How far points reach from the origin (m).
fn radius(points: &[Vec3]) -> f32 {
    points.iter().fold(0.0, |radius, point| real::max(vector::length(*point), radius))
}

/// A point no further than this share of the radius from a plane is on it: coordinates carry an error of half an ε each, and
/// a rotated copy of a plane several of them.
const ON_PLANE: f32 = 2.0e-6;

/// Adds a table of records.
fn put<T: Pod>(words: &mut Vec<u32>, table: &[T]) {
    words.extend_from_slice(bytemuck::cast_slice(table));
}

/// The same number of a slice, as the layout counts.
fn counts<const N: usize>(lengths: [usize; N]) -> [u32; 5] {
    let mut counts = [0; 5];
    for (count, length) in counts.iter_mut().zip(lengths) {
        *count = u32::try_from(length).unwrap_or(u32::MAX);
    }
    counts
}

/// Refuses more than `limit` of something.
fn at_most(what: &'static str, given: usize, limit: u32) -> Result<(), ShapeError> {
    if given > limit as usize { Err(ShapeError::TooMany { what, given, limit }) } else { Ok(()) }
}
