//! What a pressure is roughly: a cycle through coarser and coarser grids.
//!
//! Eight cells make one of the next grid, whose faces are open by half the sum of the four they consist of: the operator of cells twice as
//! large. Residuals are added up and corrections handed down unchanged (U. Trottenberg, C. Oosterlee, A. Schüller, Multigrid, 2001, 2.8
//! and 5.4), and whatever bodies are in the way, the same sums hold. Before and after, every grid is swept twice by Jacobi's method,
//! with the two dampings that together do most for errors of a few cells: 1/d for the roots d of Chebyshev's polynomial on `[½, 2]`, where
//! their eigenvalues of D⁻¹·A lie. So the cycle is symmetric and positive, and conjugate gradients may use it.

use core::mem;

use super::grid::Grid;
use super::parts::{Share, each};
use super::stencil::Stencil;
use super::triple::{self, Triple};

/// Dampings of the two sweeps: 1/(1.25 ∓ 0.75/√2).
const DAMPING: [f32; 2] = [1.389_5, 0.561_7];
/// Sweeps on the coarsest grid.
const COARSEST: usize = 6;
/// Cells along an axis of the coarsest grid, at most.
const FEW: usize = 2;

/// A coarser grid.
#[derive(Clone, Debug)]
pub(super) struct Level {
    grid: Grid,
    open: Triple,
    inverse: Vec<f32>,
    /// What is to be solved for.
    residual: Vec<f32>,
    room: Room,
}

/// The answer of a cycle, and room for another array like it.
#[derive(Clone, Debug)]
pub(super) struct Room {
    pub answer: Vec<f32>,
    pub other: Vec<f32>,
}

/// The grids below one.
pub(super) fn grids(fine: &Grid) -> impl Iterator<Item = Grid> {
    let coarser = |grid: &Grid| grid.count.iter().any(|n| *n > FEW).then(|| grid.coarser());
    core::iter::successors(coarser(fine), move |grid| coarser(grid))
}

impl Level {
    /// Of seven arrays of its places.
    pub fn new(grid: Grid, [x, y, z, inverse, residual, answer, other]: [Vec<f32>; 7]) -> Self {
        Self { grid, open: [x, y, z], inverse, residual, room: Room { answer, other } }
    }

    fn stencil(&self) -> Stencil<'_> {
        Stencil { grid: &self.grid, open: triple::read(&self.open) }
    }
}

/// Finds the coarser operators again.
pub(super) fn coarsen(fine: Stencil<'_>, levels: &mut [Level]) {
    let Some((level, rest)) = levels.split_first_mut() else { return };
    for axis in 0..3 {
        let [x, y, z] = level.grid.faces(axis);
        for k in z {
            for j in y.clone() {
                for i in x.clone() {
                    let place = [i, j, k];
                    level.open[axis][level.grid.at(place)] = 0.5 * face_sum(fine, axis, place);
                }
            }
        }
    }
    let Level { grid, open, inverse, .. } = level;
    Stencil { grid, open: triple::read(open) }.inverses(inverse);
    coarsen(level.stencil(), rest);
}

/// What the four faces are open by that a face of the next grid consists of; fewer, where the last cells are half ones.
fn face_sum(fine: Stencil<'_>, axis: usize, place: [usize; 3]) -> f32 {
    let count = fine.grid.count;
    let mut at = place.map(|i| 2 * i - 1);
    at[axis] = at[axis].min(count[axis] + 1);
    let [b, c] = [(axis + 1) % 3, (axis + 2) % 3];
    let mut sum = 0.0;
    for (step_b, step_c) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
        let mut one = at;
        one[b] += step_b;
        one[c] += step_c;
        if one[b] <= count[b] && one[c] <= count[c] {
            sum += fine.open[axis][fine.grid.at(one)];
        }
    }
    sum
}

/// One cycle: `room.answer` is about A⁻¹·`residual`.
pub(super) fn cycle(
    fine: Stencil<'_>,
    inverse: &[f32],
    residual: &[f32],
    room: &mut Room,
    levels: &mut [Level],
    share: Share<'_>,
) {
    first_sweep(fine, inverse, residual, &mut room.answer, share);
    sweep(fine, inverse, residual, room, DAMPING[1], share);
    let Some((level, rest)) = levels.split_first_mut() else {
        for sweeps in 2..COARSEST {
            sweep(fine, inverse, residual, room, DAMPING[sweeps % 2], share);
        }
        return;
    };
    {
        let (answer, n) = (room.answer.as_slice(), fine.grid.count[0]);
        each(share, room.other.chunks_mut(fine.grid.part()).enumerate(), |(number, to)| {
            fine.rows(number, |row, local| {
                let (to, residual) = (&mut to[local..local + n], &residual[row..row + n]);
                fine.row(answer, row, to);
                to.iter_mut().zip(residual).for_each(|(to, residual)| *to = residual - *to);
            });
        });
    }
    add_up(fine.grid, &room.other, level, share);
    let Level { grid, open, inverse: coarse_inverse, residual: coarse_residual, room: coarse_room } = level;
    let coarse = Stencil { grid, open: triple::read(open) };
    cycle(coarse, coarse_inverse, coarse_residual, coarse_room, rest, share);
    hand_down(fine.grid, &mut room.answer, coarse.grid, &coarse_room.answer, share);
    for damping in DAMPING {
        sweep(fine, inverse, residual, room, damping, share);
    }
}

/// The first sweep, which begins with nothing.
fn first_sweep(fine: Stencil<'_>, inverse: &[f32], residual: &[f32], answer: &mut [f32], share: Share<'_>) {
    let n = fine.grid.count[0];
    each(share, answer.chunks_mut(fine.grid.part()).enumerate(), |(number, to)| {
        fine.rows(number, |row, local| {
            let (inverse, residual) = (&inverse[row..row + n], &residual[row..row + n]);
            for ((to, inverse), residual) in to[local..local + n].iter_mut().zip(inverse).zip(residual) {
                *to = DAMPING[0] * inverse * residual;
            }
        });
    });
}

/// A Jacobi sweep.
fn sweep(
    fine: Stencil<'_>,
    inverse: &[f32],
    residual: &[f32],
    room: &mut Room,
    damping: f32,
    share: Share<'_>,
) {
    let (answer, n) = (room.answer.as_slice(), fine.grid.count[0]);
    each(share, room.other.chunks_mut(fine.grid.part()).enumerate(), |(number, to)| {
        fine.rows(number, |row, local| {
            let to = &mut to[local..local + n];
            fine.row(answer, row, to);
            let [here, inverse, residual] = [answer, inverse, residual].map(|of| &of[row..row + n]);
            for (((to, here), inverse), residual) in to.iter_mut().zip(here).zip(inverse).zip(residual) {
                *to = here + damping * inverse * (residual - *to);
            }
        });
    });
    mem::swap(&mut room.answer, &mut room.other);
}

/// Residuals of eight cells together. What is past the last cell is zero.
fn add_up(fine: &Grid, residual: &[f32], level: &mut Level, share: Share<'_>) {
    let grid = &level.grid;
    let [_, up, back] = fine.strides();
    each(share, level.residual.chunks_mut(grid.part()).enumerate(), |(number, to)| {
        let from = number * grid.part();
        for k in grid.planes(number, 1..grid.count[2] + 1) {
            for j in 1..=grid.count[1] {
                let row = grid.at([1, j, k]) - from;
                let first = fine.at([1, 2 * j - 1, 2 * k - 1]);
                let pairs = |at: usize| residual[at..at + 2 * grid.count[0]].as_chunks::<2>().0.iter();
                let four = pairs(first)
                    .zip(pairs(first + up))
                    .zip(pairs(first + back).zip(pairs(first + back + up)));
                for (to, ((a, b), (c, d))) in to[row..row + grid.count[0]].iter_mut().zip(four) {
                    let sum = |pair: &[f32; 2]| pair[0] + pair[1];
                    *to = (sum(a) + sum(b)) + (sum(c) + sum(d));
                }
            }
        }
    });
}

/// Adds the correction of a cell of the next grid to all it consists of.
fn hand_down(fine: &Grid, answer: &mut [f32], grid: &Grid, correction: &[f32], share: Share<'_>) {
    each(share, answer.chunks_mut(fine.part()).enumerate(), |(number, to)| {
        let from = number * fine.part();
        for k in fine.planes(number, 1..fine.count[2] + 1) {
            for j in 1..=fine.count[1] {
                let row = fine.at([1, j, k]) - from;
                let first = grid.at([1, j.div_ceil(2), k.div_ceil(2)]);
                let corrections = &correction[first..first + grid.count[0]];
                let (pairs, last) = to[row..row + fine.count[0]].as_chunks_mut::<2>();
                for (pair, correction) in pairs.iter_mut().zip(corrections) {
                    pair.iter_mut().for_each(|value| *value += correction);
                }
                last.iter_mut().zip(corrections.last()).for_each(|(value, correction)| *value += correction);
            }
        }
    });
}
