//! How much memory building can need.
//!
//! All tables of the builder are proportional to what it is given: rows to edges, and edges to triangles or links; groups of
//! eight rows to rows, for a group has one at least; slots of neighbours to ends of rows; each of at most eight levels of
//! aggregates to the one below. The factors are about twice the worst that was found, which is a star: every row shares its
//! centre, so that every group of eight holds one. Sheets need a fifth of the bound. `tests/memory.rs` counts what the heap
//! really gives on stars, sheets, soups and chains of every kind, and fails above the bound; and every count that a caller gives
//! is held against a limit that it is past.

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
/// Bytes a cell of a field that is said to be a hole or none.
const HOLE: u64 = 8;

/// No piece of memory is larger (bytes).
const MOST: u64 = isize::MAX as u64;

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
    pub holes: usize,
}

impl Counts {
    /// The most memory that building can need (bytes); [`u64::MAX`] where that is more than any memory.
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
            (self.holes, HOLE),
        ];
        let bytes = parts
            .iter()
            .fold(BASE, |sum, (count, bytes)| sum.saturating_add((*count as u64).saturating_mul(*bytes)));
        if bytes > MOST { u64::MAX } else { bytes }
    }

    /// Refuses what could need more than `limit` (bytes), and what no limit lets through.
    pub(crate) fn within(&self, limit: u64) -> Result<(), Refused> {
        if self.bytes() > limit.min(MOST) { Err(ClothStatus::MemoryLimit.into()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_beyond_memory_are_beyond_any_limit() {
        let huge = |vertices| Counts { vertices, ..Counts::default() };
        // Past the largest number, and past the largest piece of memory there can be.
        for counts in [huge(usize::MAX), huge(usize::MAX / 1536 + 1), huge(usize::MAX / 1536 / 2 + 1)] {
            assert!(counts.within(u64::MAX).is_err(), "{counts:?}");
        }
        assert_eq!(huge(usize::MAX).bytes(), u64::MAX);
        let few = Counts { vertices: 4, triangles: 2, ..Counts::default() };
        assert!(few.within(few.bytes()).is_ok() && few.within(few.bytes() - 1).is_err());
    }
}
