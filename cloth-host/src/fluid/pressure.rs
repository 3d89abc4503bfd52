//! The pressure that keeps the air from piling up.
//!
//! With w_f the share of a face that is open and D(u) = Σ (u_out − u_in) of a cell, which is div u·cell (m/s), the pressure of a step,
//! times dt/(ρ·cell), solves
//!
//! ```text
//! A·p = −D(u*),   u = u* − w_f·(p_high − p_low)
//! ```
//!
//! (R. Bridson, Fluid simulation for computer graphics, 2015, ch. 5). Conjugate gradients, each direction improved by a cycle through
//! coarser grids ([`multigrid`](super::multigrid)), begin with the pressure of the step before and end when D is below the
//! tolerance in every cell. All sums are by parts of the grid, in their order.

use super::FluidReport;
use super::grid::{Grid, as_f64};
use super::multigrid::{self, Level, Room};
use super::openings::pushed;
use super::parts::{MOST, Share, each};
use super::stencil::{Stencil, dot, largest, summed};
use super::triple::{self, Triple};
use cloth_core::math::real;

/// Most times the pressure of one step is improved.
pub(super) const MOST_SWEEPS: u32 = 60;

/// The pressure and all it takes to find it.
#[derive(Clone, Debug)]
pub(super) struct Pressure {
    /// (m/s), at every cell.
    pub values: Vec<f32>,
    residual: Vec<f32>,
    direction: Vec<f32>,
    inverse: Vec<f32>,
    room: Room,
    levels: Vec<Level>,
}

/// How a solution went.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Solved {
    pub sweeps: u32,
    /// Mean speed of the air (m/s).
    pub speed: f32,
    /// Largest D of a cell of air afterwards (m/s).
    pub divergence: f32,
    /// Largest change of a velocity since the step before (m/s).
    pub change: f32,
    /// The speed that a divergence is a share of (m/s): the mean, or what rounding leaves, over the tolerance.
    pub scale: f32,
}

impl Solved {
    pub fn report(&self) -> FluidReport {
        let Self { sweeps, speed, divergence, change, scale } = *self;
        FluidReport {
            divergence: if scale > 0.0 { divergence / scale } else { 0.0 },
            sweeps,
            asleep: false,
            speed,
            change,
        }
    }
}

impl Pressure {
    pub fn new(
        [values, residual, direction, inverse, answer, other]: [Vec<f32>; 6],
        levels: Vec<Level>,
    ) -> Self {
        Self { values, residual, direction, inverse, room: Room { answer, other }, levels }
    }

    /// An array of places that is free between steps.
    pub fn room(&mut self) -> &mut [f32] {
        &mut self.room.answer
    }

    /// Takes up other openings.
    pub fn open(&mut self, grid: &Grid, open: &Triple) {
        let fine = Stencil { grid, open: triple::read(open) };
        fine.inverses(&mut self.inverse);
        multigrid::coarsen(fine, &mut self.levels);
        for (value, inverse) in self.values.iter_mut().zip(&self.inverse) {
            if *inverse <= 0.0 {
                *value = 0.0;
            }
        }
    }

    /// Makes `flow` free of divergence; `before` is what it was a step ago. The pressure's first guess is that of the step before times
    /// `scale`.
    pub fn project(
        &mut self,
        fine: Stencil<'_>,
        flow: &mut Triple,
        before: &Triple,
        (tolerance, scale): (f32, f32),
        share: Share<'_>,
    ) -> Solved {
        let speed = self.begin(fine, flow, scale, share);
        // Rounding leaves some millionths of the fastest.
        let fastest = fastest(fine.grid, flow);
        let least = real::max(4.0e-7 * fastest, 1.0e-9);
        let scale = real::max(speed, 1.2 * least / tolerance);
        let sweeps = self.improve(fine, 0.9 * tolerance * scale, share);
        let change = self.push(fine, flow, before, share);
        Solved { sweeps, speed, divergence: self.divergence(fine, flow, share), change, scale }
    }

    /// The residual of the first guess; answers the mean speed.
    fn begin(&mut self, fine: Stencil<'_>, flow: &Triple, scale: f32, share: Share<'_>) -> f32 {
        let grid = fine.grid;
        let n = grid.count[0];
        self.values.iter_mut().for_each(|value| *value *= scale);
        let (values, inverse, flow) = (self.values.as_slice(), self.inverse.as_slice(), triple::read(flow));
        let sum = summed(grid, &mut self.residual, share, |number, to| {
            let mut sum = 0.0;
            fine.rows(number, |row, local| {
                let (to, inverse) = (&mut to[local..local + n], &inverse[row..row + n]);
                fine.row(values, row, to);
                let mut speeds = 0.0;
                each_cell(grid, flow, row, |i, low, high| {
                    let outflow = (high[0] - low[0]) + (high[1] - low[1]) + (high[2] - low[2]);
                    to[i] = if inverse[i] > 0.0 { -outflow - to[i] } else { 0.0 };
                    let middle = [0, 1, 2].map(|axis| 0.5 * (low[axis] + high[axis]));
                    speeds += cloth_core::math::sqrt(middle.iter().fold(0.0, |sum, x| sum + x * x));
                });
                sum += f64::from(speeds);
            });
            sum
        });
        let cells = grid.count.iter().fold(1.0, |all, n| all * as_f64(*n));
        let [speed] = crate::pose::narrow([sum / cells]);
        speed
    }

    /// Improves the pressure until no residual is above `target` (m/s); answers how often.
    fn improve(&mut self, fine: Stencil<'_>, target: f32, share: Share<'_>) -> u32 {
        let grid = fine.grid;
        let n = grid.count[0];
        let mut before = 0.0;
        let mut most = largest(&self.residual);
        for sweep in 0..MOST_SWEEPS {
            // Once in any case: a pressure that is good enough for one step would be worse by the next, until it is improved, and
            // air that has settled would tremble.
            if most <= target && sweep > 0 || most <= 0.0 {
                return sweep;
            }
            let Self { values, residual, direction, inverse, room, levels } = self;
            multigrid::cycle(fine, inverse, residual, room, levels, share);
            let answer = room.answer.as_slice();
            let along = rows_summed(fine, |row| dot(&residual[row..row + n], &answer[row..row + n]), share);
            let [keep] = crate::pose::narrow([if sweep > 0 { along / before } else { 0.0 }]);
            before = along;
            each(share, direction.chunks_mut(grid.part()).enumerate(), |(number, to)| {
                fine.rows(number, |row, local| {
                    let found = answer[row..row + n].iter().zip(&inverse[row..row + n]);
                    for (to, (answer, inverse)) in to[local..local + n].iter_mut().zip(found) {
                        // Coarser grids correct what is no air too.
                        let along = answer + keep * *to;
                        *to = if *inverse > 0.0 { along } else { 0.0 };
                    }
                });
            });
            let towards = direction.as_slice();
            let curved = summed(grid, &mut room.other, share, |number, to| {
                let mut sum = 0.0;
                fine.rows(number, |row, local| {
                    let to = &mut to[local..local + n];
                    fine.row(towards, row, to);
                    sum += f64::from(dot(to, &towards[row..row + n]));
                });
                sum
            });
            let step = along / curved;
            if !step.is_finite() || step <= 0.0 {
                return sweep;
            }
            let [step] = crate::pose::narrow([step]);
            let applied = room.other.as_slice();
            let mut largests = [0.0; MOST];
            let jobs =
                values.chunks_mut(grid.part()).zip(residual.chunks_mut(grid.part())).zip(&mut largests);
            each(share, jobs.enumerate(), |(number, ((values, residual), found))| {
                fine.rows(number, |row, local| {
                    let (values, residual) = (&mut values[local..local + n], &mut residual[local..local + n]);
                    let (towards, applied) = (&towards[row..row + n], &applied[row..row + n]);
                    for i in 0..n {
                        values[i] += step * towards[i];
                        residual[i] -= step * applied[i];
                    }
                    *found = real::max(largest(residual), *found);
                });
            });
            most = largest(&largests);
        }
        MOST_SWEEPS
    }

    /// Takes the pressure's push off the velocities; answers the largest change since `before`.
    fn push(&self, fine: Stencil<'_>, flow: &mut Triple, before: &Triple, share: Share<'_>) -> f32 {
        let grid = fine.grid;
        let values = self.values.as_slice();
        let part = grid.part();
        let mut changes = [0.0; MOST];
        each(share, triple::parts(flow, part).zip(&mut changes).enumerate(), |(number, (flow, change))| {
            for (axis, flow) in flow.into_iter().enumerate() {
                let stride = grid.strides()[axis];
                let [x, y, z] = grid.faces(axis);
                for k in grid.planes(number, z) {
                    for j in y.clone() {
                        let (at, n) = (grid.at([1, j, k]), x.len());
                        let local = at - number * part;
                        let open = &fine.open[axis][at..at + n];
                        let (low, high) = (&values[at - stride..at - stride + n], &values[at..at + n]);
                        let (flow, before) = (&mut flow[local..local + n], &before[axis][at..at + n]);
                        for i in 0..n {
                            flow[i] = pushed(flow[i] - open[i] * (high[i] - low[i]));
                            *change = real::max(real::abs(flow[i] - before[i]), *change);
                        }
                    }
                }
            }
        });
        largest(&changes)
    }

    /// Largest D of a cell of air.
    fn divergence(&self, fine: Stencil<'_>, flow: &Triple, share: Share<'_>) -> f32 {
        let flow = triple::read(flow);
        let mut found = [0.0; MOST];
        each(share, found.iter_mut().take(parts_of(fine.grid)).enumerate(), |(number, found)| {
            fine.rows(number, |row, _| {
                let inverse = &self.inverse[row..row + fine.grid.count[0]];
                each_cell(fine.grid, flow, row, |i, low, high| {
                    let outflow = (high[0] - low[0]) + (high[1] - low[1]) + (high[2] - low[2]);
                    let here = if inverse[i] > 0.0 { real::abs(outflow) } else { 0.0 };
                    *found = real::max(here, *found);
                });
            });
        });
        largest(&found)
    }
}

/// Largest velocity through a face along an axis (m/s). What is round the box is none, and is not the same after a restore.
fn fastest(grid: &Grid, flow: &Triple) -> f32 {
    let mut most = 0.0;
    for (axis, values) in flow.iter().enumerate() {
        let [x, y, z] = grid.faces(axis);
        for k in z {
            for j in y.clone() {
                let row = grid.at([1, j, k]);
                most = real::max(largest(&values[row..row + x.len()]), most);
            }
        }
    }
    most
}

fn parts_of(grid: &Grid) -> usize {
    grid.places().div_ceil(grid.part())
}

/// A sum over rows, part by part.
fn rows_summed(fine: Stencil<'_>, row_sum: impl Fn(usize) -> f32 + Sync, share: Share<'_>) -> f64 {
    let mut sums = [0.0; MOST];
    each(share, sums.iter_mut().take(parts_of(fine.grid)).enumerate(), |(number, sum)| {
        fine.rows(number, |row, _| *sum += f64::from(row_sum(row)));
    });
    sums.iter().fold(0.0, |all, sum| all + sum)
}

/// Calls with each cell of a row: which, and the velocities through its lower and its upper faces.
#[inline(always)]
fn each_cell(grid: &Grid, flow: [&[f32]; 3], row: usize, mut call: impl FnMut(usize, [f32; 3], [f32; 3])) {
    let n = grid.count[0];
    let strides = grid.strides();
    let low = [0, 1, 2].map(|axis| &flow[axis][row..row + n]);
    let high = [0, 1, 2].map(|axis| &flow[axis][row + strides[axis]..row + strides[axis] + n]);
    for i in 0..n {
        call(i, low.map(|values| values[i]), high.map(|values| values[i]));
    }
}
