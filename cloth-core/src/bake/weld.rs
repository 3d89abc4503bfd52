//! Which vertices are one.

use super::measure::length;
use super::sets::Sets;
use crate::Vec3;
use crate::hash::canonical_bits;
use crate::index::len32;
use alloc::vec::Vec;

type Cell = [i32; 3];

/// The first vertex of the group that each vertex belongs to, groups being the finest partition that keeps
/// vertices within `distance` (m) together (so chains of near vertices are one group, whatever their order).
///
/// Equal points are always one group. A positive distance is at least the points'
/// [`no_length`](super::measure::no_length).
pub(crate) fn groups(points: &[Vec3], distance: f32) -> Vec<u32> {
    let mut sets = Sets::new(len32(points));
    let singles = join_equal(points, &mut sets);
    if distance > 0.0 {
        join_near(points, &singles, distance, &mut sets);
    }
    sets.into_names()
}

/// A grid that brings near points into near cells.
#[derive(Clone, Copy)]
struct Grid {
    /// Edge of a cell (m): a power of two, so that dividing by it is exact however fine the grid is, and below
    /// 1/√3 of the distance, so that any two points of a cell are near each other.
    edge: f32,
    /// How many cells apart two points near each other can lie along an axis: 2, 3 or 4.
    cells: i32,
}

impl Grid {
    fn new(distance: f32) -> Self {
        let edge = f32::from_bits((0.57 * distance).to_bits() & 0x7f80_0000);
        let cells = [2, 3].into_iter().find(|&cells| cells as f32 * edge >= distance).unwrap_or(4);
        Self { edge, cells }
    }

    /// The cell a coordinate falls into. The quotient is below 2²⁴, by the least distance.
    #[expect(clippy::cast_possible_truncation, reason = "within ±2²⁴; the fraction is corrected below")]
    fn cell_of(self, x: f32) -> i32 {
        let quotient = x / self.edge;
        let towards_zero = quotient as i32;
        if (towards_zero as f32) > quotient { towards_zero - 1 } else { towards_zero }
    }

    /// Offsets (x, y) of the columns of cells to search: one of each opposite pair, and the own column.
    fn columns(self) -> impl Iterator<Item = (i32, i32)> {
        let cells = self.cells;
        (0..=cells)
            .flat_map(move |x| (-cells..=cells).map(move |y| (x, y)))
            .filter(|&column| column >= (0, 0))
    }

    /// The members in the cells of a column that near points can lie above or below `here`; in the own column,
    /// those above.
    fn in_column(self, members: &[(Cell, u32)], [x, y, z]: Cell, column: (i32, i32)) -> &[(Cell, u32)] {
        let lowest = if column == (0, 0) { z + 1 } else { z - self.cells };
        let (x, y) = (x + column.0, y + column.1);
        let first = members.partition_point(|member| member.0 < [x, y, lowest]);
        let rest = &members[first..];
        &rest[..rest.partition_point(|member| member.0 <= [x, y, z + self.cells])]
    }
}

/// Joins equal points and returns the first of each.
fn join_equal(points: &[Vec3], sets: &mut Sets) -> Vec<u32> {
    let mut keys: Vec<([u32; 3], u32)> =
        points.iter().zip(0..).map(|(p, i)| (p.to_array().map(canonical_bits), i)).collect();
    keys.sort_unstable();
    for pair in keys.windows(2) {
        if pair[0].0 == pair[1].0 {
            sets.join(pair[0].1, pair[1].1);
        }
    }
    keys.dedup_by_key(|key| key.0);
    keys.into_iter().map(|key| key.1).collect()
}

/// Joins points within `distance`, looking only into cells of a grid that can hold such a point.
fn join_near(points: &[Vec3], singles: &[u32], distance: f32, sets: &mut Sets) {
    let grid = Grid::new(distance);
    let mut members: Vec<(Cell, u32)> =
        singles.iter().map(|&i| (points[i as usize].to_array().map(|x| grid.cell_of(x)), i)).collect();
    members.sort_unstable();
    for run in members.chunk_by(|a, b| a.0 == b.0) {
        for pair in run.windows(2) {
            sets.join(pair[0].1, pair[1].1);
        }
    }
    for run in members.chunk_by(|a, b| a.0 == b.0) {
        let (here, name) = run[0];
        for column in grid.columns() {
            for other in grid.in_column(&members, here, column).chunk_by(|a, b| a.0 == b.0) {
                // Every cell is within one set already: a single near pair decides for both cells.
                let apart = sets.find(name) != sets.find(other[0].1);
                if apart && any_near(points, run, other, distance) {
                    sets.join(name, other[0].1);
                }
            }
        }
    }
}

fn any_near(points: &[Vec3], run: &[(Cell, u32)], other: &[(Cell, u32)], distance: f32) -> bool {
    run.iter().any(|&(_, a)| {
        other.iter().any(|&(_, b)| length(points[a as usize] - points[b as usize]) <= distance)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use proptest::prelude::*;

    #[test]
    fn equal_points_are_one_and_zeros_are_equal() {
        let points = [Vec3::X, Vec3::ZERO, Vec3::X, Vec3::new(-0.0, 0.0, -0.0), Vec3::new(1.0, 1e-6, 0.0)];
        assert_eq!(groups(&points, 0.0), vec![0, 1, 0, 1, 4]);
        assert_eq!(groups(&points, 1e-5), vec![0, 1, 0, 1, 0]);
    }

    #[test]
    fn chains_of_near_points_are_one_group() {
        let points: Vec<Vec3> = [3, 0, 2, 1, 5].map(|i| Vec3::new(i as f32 * 0.9, 0.0, 0.0)).into();
        assert_eq!(groups(&points, 1.0), vec![0, 0, 0, 0, 4]);
    }

    proptest! {
        #[test]
        fn agrees_with_every_pair_tried(
            coordinates in prop::collection::vec(prop::array::uniform3(-8_i32..8), 1..60),
            quarter_steps in 1_i32..12,
            size in prop::sample::select(vec![1e-6_f32, 1.0, 3e4]),
            // How far out, in distances: up to where the coordinates end.
            out in prop::sample::select(vec![0.0_f32, 1e3, 2e6]),
        ) {
            let distance = quarter_steps as f32 * 0.25 * size * 1.0001;
            let shift = Vec3::new(out * distance, -out * distance, 0.0);
            let points: Vec<Vec3> =
                coordinates.iter().map(|c| Vec3::from(c.map(|x| x as f32 * size)) + shift).collect();
            let mut sets = Sets::new(len32(&points));
            for (p, a) in points.iter().zip(0..) {
                for (q, b) in points.iter().zip(0..a) {
                    if length(*p - *q) <= distance {
                        sets.join(a, b);
                    }
                }
            }
            prop_assert_eq!(groups(&points, distance), sets.into_names());
        }
    }
}
