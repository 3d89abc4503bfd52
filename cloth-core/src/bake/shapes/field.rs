//! From heights to the words of a height field.

use super::{ON_PLANE, ShapeError, at_most, checked, counts, header, put};
use crate::Vec3;
use crate::bake::sets::Sets;
use crate::collide::words::{FIELD, LIMIT};
use crate::index::NONE;
use crate::math::{real, vector};
use alloc::vec::Vec;

/// Heights over a grid.
#[derive(Clone, Copy, Debug)]
pub struct Heights<'a> {
    /// Vertices along X and along Z, at least two each.
    pub vertices: [u32; 2],
    /// Width of a cell along both (m).
    pub cell: f32,
    /// Heights (m): rows along X, one after the other along Z.
    pub heights: &'a [f32],
    /// Whether a cell is a hole, in the order of the heights; empty for none.
    pub holes: &'a [bool],
}

pub(super) fn words(field: &Heights) -> Result<Vec<u32>, ShapeError> {
    let [nx, nz] = field.vertices;
    let required = u64::from(nx) * u64::from(nz);
    if nx < 2 || nz < 2 || field.heights.len() as u64 != required {
        return Err(ShapeError::Heights { required, given: field.heights.len() });
    }
    at_most("heights", field.heights.len(), LIMIT)?;
    let cells = u64::from(nx - 1) * u64::from(nz - 1);
    if !field.holes.is_empty() && field.holes.len() as u64 != cells {
        return Err(ShapeError::Holes { cells, given: field.holes.len() });
    }
    if !(1.0e-6..=1.0e6).contains(&field.cell) {
        return Err(ShapeError::Cell { width: field.cell });
    }
    let grid = (0..nz).flat_map(|j| (0..nx).map(move |i| (i, j)));
    let raw: Vec<[f32; 3]> = grid
        .zip(field.heights)
        .map(|((i, j), y)| [real::from_count(i) * field.cell, *y, real::from_count(j) * field.cell])
        .collect();
    let points = checked(&raw)?;
    let mut head = header(FIELD, &points, counts([nx as usize, nz as usize]));
    head.cell = field.cell;
    let planes = planes(field, &points, ON_PLANE * head.radius);
    if planes.iter().all(|plane| *plane == NONE) {
        return Err(ShapeError::NoSurface);
    }
    let heights: Vec<f32> = points.iter().map(|point| point.y).collect();
    let mut words = Vec::new();
    put(&mut words, &[head]);
    put(&mut words, &heights);
    put(&mut words, &planes);
    Ok(words)
}

/// The key of each triangle's plane; [`NONE`] in holes.
fn planes(field: &Heights, points: &[Vec3], slack: f32) -> Vec<u32> {
    let [nx, nz] = field.vertices;
    let (columns, rows) = (nx - 1, nz - 1);
    let at = |i: u32, j: u32| points[(i + j * nx) as usize];
    let is_hole = |i: u32, j: u32| field.holes.get((i + j * columns) as usize).copied().unwrap_or(false);
    let number = |i: u32, j: u32, k: u32| 2 * (i + j * columns) + k;
    let mut sets = Sets::new(2 * columns * rows);
    // Two triangles of an edge a–b are of one plane where the corner of each is on the other's.
    let are_level = |a: Vec3, b: Vec3, one: Vec3, other: Vec3| {
        let off = |corner: Vec3, tested: Vec3| {
            let normal = vector::unit_or((b - a).cross(corner - a), Vec3::Y);
            real::abs(normal.dot(tested - a))
        };
        off(one, other) <= slack && off(other, one) <= slack
    };
    for j in 0..rows {
        for i in 0..columns {
            if is_hole(i, j) {
                continue;
            }
            let (a, b, c, d) = (at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j));
            if are_level(a, c, b, d) {
                sets.join(number(i, j, 0), number(i, j, 1));
            }
            if i + 1 < columns && !is_hole(i + 1, j) && are_level(d, c, a, at(i + 2, j + 1)) {
                sets.join(number(i, j, 1), number(i + 1, j, 0));
            }
            if j + 1 < rows && !is_hole(i, j + 1) && are_level(b, c, a, at(i + 1, j + 2)) {
                sets.join(number(i, j, 0), number(i, j + 1, 1));
            }
        }
    }
    let names = sets.into_names();
    let cells = (0..rows).flat_map(|j| (0..columns).map(move |i| (i, j)));
    let is_missing = cells.flat_map(|(i, j)| [is_hole(i, j); 2]);
    names.into_iter().zip(is_missing).map(|(name, missing)| if missing { NONE } else { name }).collect()
}
