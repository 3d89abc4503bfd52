//! The pressure's operator, and sums over a grid.
//!
//! ```text
//! (A·p)_c = Σ_f w_f·(p_c − p_n)
//! ```
//!
//! over the six faces f of a cell c, n being the cell behind the face: 0 outside. Faces along one axis are added first, so that a
//! mirrored flow has mirrored bits.

use super::grid::Grid;
use super::parts::{MOST, Share, each};
use cloth_core::math::real;

/// The operator of a grid.
#[derive(Clone, Copy)]
pub(super) struct Stencil<'a> {
    pub grid: &'a Grid,
    /// What of each face is open (1).
    pub open: [&'a [f32]; 3],
}

impl Stencil<'_> {
    /// A·`of` in the row of cells that begins at a place.
    // As a function of its own, to which nothing else is known to reach what it writes, it is compiled to lanes.
    #[inline(never)]
    pub fn row(&self, of: &[f32], row: usize, to: &mut [f32]) {
        let n = to.len();
        let [_, up, back] = self.grid.strides();
        let run = |from: usize| &of[from..from + n];
        let (here, left, right) = (run(row), run(row - 1), run(row + 1));
        let (below, above, before, behind) = (run(row - up), run(row + up), run(row - back), run(row + back));
        let face = |axis: usize, from: usize| &self.open[axis][from..from + n];
        let (x0, x1) = (face(0, row), face(0, row + 1));
        let (y0, y1) = (face(1, row), face(1, row + up));
        let (z0, z1) = (face(2, row), face(2, row + back));
        for i in 0..n {
            let p = here[i];
            let x = x0[i] * (p - left[i]) + x1[i] * (p - right[i]);
            let y = y0[i] * (p - below[i]) + y1[i] * (p - above[i]);
            let z = z0[i] * (p - before[i]) + z1[i] * (p - behind[i]);
            to[i] = (x + y) + z;
        }
    }

    /// Calls with each row of cells in a part: the place of its first cell, and that within the part.
    #[inline(always)]
    pub fn rows(&self, part: usize, mut call: impl FnMut(usize, usize)) {
        let grid = self.grid;
        let from = part * grid.part();
        for k in grid.planes(part, 1..grid.count[2] + 1) {
            for j in 1..=grid.count[1] {
                let row = grid.at([1, j, k]);
                call(row, row - from);
            }
        }
    }

    /// 1 over the sum of a cell's openings, 0 where nothing is open.
    pub fn inverses(&self, to: &mut [f32]) {
        let strides = self.grid.strides();
        for part in 0..self.grid.places().div_ceil(self.grid.part()) {
            self.rows(part, |row, _| {
                for (at, to) in (row..).zip(&mut to[row..row + self.grid.count[0]]) {
                    let sum = (0..3).fold(0.0, |sum, axis| {
                        sum + (self.open[axis][at] + self.open[axis][at + strides[axis]])
                    });
                    *to = if sum > 0.0 { 1.0 / sum } else { 0.0 };
                }
            });
        }
    }
}

/// Work on the parts of one array that ends in a sum of each part, added up in their order.
pub(super) fn summed(
    grid: &Grid,
    of: &mut [f32],
    share: Share<'_>,
    work: impl Fn(usize, &mut [f32]) -> f64 + Sync,
) -> f64 {
    let mut sums = [0.0; MOST];
    each(share, of.chunks_mut(grid.part()).zip(&mut sums).enumerate(), |(number, (part, sum))| {
        *sum = work(number, part);
    });
    sums.iter().fold(0.0, |all, sum| all + sum)
}

/// Σ a·b of two rows: eight sums beside each other, added up in one order.
#[inline(always)]
pub(super) fn dot(a: &[f32], b: &[f32]) -> f32 {
    let mut sums = [0.0_f32; 8];
    let (a_runs, a_rest) = a.as_chunks::<8>();
    let (b_runs, b_rest) = b.as_chunks::<8>();
    for (a, b) in a_runs.iter().zip(b_runs) {
        for (sum, (a, b)) in sums.iter_mut().zip(a.iter().zip(b)) {
            *sum += a * b;
        }
    }
    for (sum, (a, b)) in sums.iter_mut().zip(a_rest.iter().zip(b_rest)) {
        *sum += a * b;
    }
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}

/// Largest size of a row's values.
#[inline(always)]
pub(super) fn largest(values: &[f32]) -> f32 {
    let mut most = [0.0_f32; 8];
    let (runs, rest) = values.as_chunks::<8>();
    for run in runs {
        for (most, value) in most.iter_mut().zip(run) {
            *most = real::max(real::abs(*value), *most);
        }
    }
    for (most, value) in most.iter_mut().zip(rest) {
        *most = real::max(real::abs(*value), *most);
    }
    most.into_iter().fold(0.0, |all, value| real::max(value, all))
}
