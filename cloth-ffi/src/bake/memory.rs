//! How much memory building can need.
//!
//! All tables of the builder are proportional to what it is given: rows to edges, and edges to triangles or links; groups of
//! eight rows to rows, for a group has one at least; slots of neighbours to ends of rows; each of at most eight levels of
//! aggregates to the one below. The factors are about twice the worst that was found, which is a star: every row shares its
//! centre, so that every group of eight holds one. Sheets need a fifth of the bound. `tests/memory.rs` counts what the heap
//! really gives on stars, sheets, soups and chains of every kind, and fails above the bound.

use crate::status::{ClothStatus, Refused};

/// Bytes for anything at all.
const BASE: u64 = 1 << 16;
/// Bytes a vertex of a mesh or chain: its copies, its place in graphs and levels.
const VERTEX: u64 = 1536;
/// Bytes a triangle.
const TRIANGLE: u64 = 4096;
/// Bytes a link of a chain, skip row included.
const LINK: u64 = 3072;
/// Bytes a pin, mass, backstop or row stiffness.
const ENTRY: u64 = 64;
/// Bytes a point of a hull, which has at most 256 that count.
const POINT: u64 = 1024;
/// Bytes a vertex of a collision mesh.
const SHAPE_VERTEX: u64 = 256;
/// Bytes a triangle of a collision mesh.
const SHAPE_TRIANGLE: u64 = 1024;
/// Bytes a height of a field.
const HEIGHT: u64 = 128;

/// What a builder is given, in numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub vertices: usize,
    pub triangles: usize,
    pub links: usize,
    pub entries: usize,
    pub points: usize,
    pub shape_vertices: usize,
    pub shape_triangles: usize,
    pub heights: usize,
}

impl Counts {
    /// The most memory that building can need (bytes).
    pub(crate) fn bytes(&self) -> u64 {
        let parts = [
            (self.vertices, VERTEX),
            (self.triangles, TRIANGLE),
            (self.links, LINK),
            (self.entries, ENTRY),
            (self.points, POINT),
            (self.shape_vertices, SHAPE_VERTEX),
            (self.shape_triangles, SHAPE_TRIANGLE),
            (self.heights, HEIGHT),
        ];
        parts
            .iter()
            .fold(BASE, |sum, (count, bytes)| sum.saturating_add((*count as u64).saturating_mul(*bytes)))
    }

    /// Refuses what could need more than `limit` (bytes).
    pub(crate) fn within(&self, limit: u64) -> Result<(), Refused> {
        if self.bytes() > limit { Err(ClothStatus::MemoryLimit.into()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_beyond_memory_are_beyond_any_limit() {
        let counts = Counts { vertices: usize::MAX, triangles: usize::MAX, ..Counts::default() };
        assert_eq!(counts.bytes(), u64::MAX);
        assert!(counts.within(u64::MAX - 1).is_err());
        let few = Counts { vertices: 4, triangles: 2, ..Counts::default() };
        assert!(few.within(few.bytes()).is_ok() && few.within(few.bytes() - 1).is_err());
    }
}
