//! Shapes that are words: the header all begin with, and how their tables follow it.

use super::Aabb;
use super::error::ColliderError;
use crate::Vec3;
use crate::math::real;
use crate::model::MAX_LENGTH;
use bytemuck::{AnyBitPattern, Pod, Zeroable};

/// First words of a hull, a mesh and a height field.
pub(crate) const HULL: [u32; 2] = [0x4c4c_5548, 1];
pub(crate) const MESH: [u32; 2] = [0x4853_454d, 1];
pub(crate) const FIELD: [u32; 2] = [0x4c45_4946, 1];

/// Most vertices, faces or cells of a shape: their products with a handful stay countable in 30 bits.
pub(crate) const LIMIT: u32 = 1 << 26;

/// What every shape's words begin with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub(crate) struct Header {
    /// Which shape, and the version of its layout.
    pub magic: [u32; 2],
    /// Smallest coordinates (m).
    pub low: [f32; 3],
    /// Largest distance of a vertex from the origin (m).
    pub radius: f32,
    /// Largest coordinates (m).
    pub high: [f32; 3],
    /// Width of a height field's cells (m); zero elsewhere.
    pub cell: f32,
    /// How many items each table has; each shape says which they are.
    pub counts: [u32; 5],
    /// How many edges of a mesh have one face; zero elsewhere.
    pub borders: u32,
}

impl Header {
    pub(crate) fn bounds(&self) -> Aabb {
        Aabb { low: Vec3::from_array(self.low), high: Vec3::from_array(self.high) }
    }

    /// The largest coordinate, without sign (m): what the rounding of a position is measured by.
    #[inline(always)]
    pub(crate) fn reach(&self) -> f32 {
        self.radius
    }

    /// Whether the numbers are in range and the counts may be.
    pub(crate) fn check(&self) -> Result<(), ColliderError> {
        let wrong = Err(ColliderError::Damaged { table: "header", index: 0 });
        let [low, high] =
            [self.low, self.high].map(|corner| corner.iter().all(|x| real::abs(*x) <= MAX_LENGTH));
        let is_box = self.low.iter().zip(self.high).all(|(low, high)| *low <= high);
        if !(low && high && is_box && self.radius > 0.0 && self.radius <= 2.0 * MAX_LENGTH) {
            return wrong;
        }
        if self.counts.iter().any(|count| *count > 8 * LIMIT) { wrong } else { Ok(()) }
    }

    /// Whether a vertex is a number and lies within what the header says.
    pub(crate) fn holds(&self, vertex: [f32; 3]) -> bool {
        let inside = |((x, low), high): ((f32, f32), f32)| low <= x && x <= high;
        let square: f32 = vertex.iter().fold(0.0, |sum, x| sum + x * x);
        vertex.into_iter().zip(self.low).zip(self.high).all(inside)
            && square <= self.radius * self.radius * (1.0 + 4.0 * f32::EPSILON)
    }
}

/// The header of words that begin with `magic`, and what follows it.
#[inline(always)]
pub(crate) fn open(words: &[u32], magic: [u32; 2]) -> Option<(&Header, Tables<'_>)> {
    let mut tables = Tables(words);
    let header: &Header = tables.take(1)?.first()?;
    (header.magic == magic).then_some((header, tables))
}

/// The header of any shape's words.
pub(crate) fn header(words: &[u32]) -> Option<&Header> {
    Tables(words).take(1)?.first()
}

/// Tables that are still to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tables<'a>(&'a [u32]);

impl<'a> Tables<'a> {
    /// The next table of `count` records.
    #[inline(always)]
    pub(crate) fn take<T: AnyBitPattern>(&mut self, count: u32) -> Option<&'a [T]> {
        let words = (size_of::<T>() / size_of::<u32>()).checked_mul(count as usize)?;
        let (table, rest) = self.0.split_at_checked(words)?;
        self.0 = rest;
        bytemuck::try_cast_slice(table).ok()
    }

    /// Whether nothing is left.
    #[inline(always)]
    pub(crate) fn are_read(&self) -> bool {
        self.0.is_empty()
    }
}

/// Whether a stored direction is a unit vector.
pub(crate) fn is_unit(v: [f32; 3]) -> bool {
    let [x, y, z] = v;
    (0.9999..=1.0001).contains(&(x * x + y * y + z * z))
}
