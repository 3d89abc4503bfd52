//! Vorticity confinement: what the grid smears of swirls is given back to them.
//!
//! ```text
//! ω = ∇ × u,   N = ∇|ω|/|∇|ω||,   Δu = κ·cell·(N × ω)
//! ```
//!
//! (R. Fedkiw, J. Stam, H. W. Jensen, Visual simulation of smoke, 2001, eq. 9–11). Their ε is a speed here, so that the same dial does the
//! same on any grid: κ = ¼·confinement·(mean speed)·dt/cell, at most ¼, where a swirl of a few cells is driven by a quarter of its
//! own speed in a step.

use cloth_core::math::{real, sqrt};

use super::grid::Grid;
use super::parts::{Share, each};
use super::triple::{self, Triple};

/// κ at full confinement, for a flow of a cell a step.
const STRENGTH: f32 = 0.25;
/// Largest κ.
const MOST: f32 = 0.25;

/// κ of a dial at a mean speed (m/s), over `dt` (s).
pub(super) fn strength(confinement: f32, speed: f32, grid: &Grid, dt: f32) -> f32 {
    real::clamp(STRENGTH * confinement * speed * dt / grid.cell, 0.0, MOST)
}

/// Adds κ·cell·(N × ω) to `flow`, but for two cells along the sides. `size` and `force` are room for |ω|·cell and for the force.
pub(super) fn confine(
    grid: &Grid,
    flow: &mut Triple,
    size: &mut [f32],
    force: &mut Triple,
    strength: f32,
    share: Share<'_>,
) {
    let part = grid.part();
    let strides = grid.strides();
    size.fill(0.0);
    force.iter_mut().for_each(|values| values.fill(0.0));
    {
        let flow = triple::read(flow);
        each(share, size.chunks_mut(part).enumerate(), |(number, size)| {
            cells(grid, number, 1, |at, local| {
                let swirl = curl(strides, flow, at);
                size[local] = sqrt(swirl.iter().fold(0.0, |sum, x| sum + x * x));
            });
        });
        let size = &*size;
        each(share, triple::parts(force, part).enumerate(), |(number, mut force)| {
            cells(grid, number, 2, |at, local| {
                let [x, y, z] = strides.map(|stride| size[at + stride] - size[at - stride]);
                let steep = sqrt((x * x + y * y) + z * z);
                if steep > 0.0 {
                    let by = strength / steep;
                    let [a, b, c] = curl(strides, flow, at);
                    let cross = [y * c - z * b, z * a - x * c, x * b - y * a];
                    for (force, cross) in force.iter_mut().zip(cross) {
                        force[local] = by * cross;
                    }
                }
            });
        });
    }
    let force = triple::read(force);
    each(share, triple::parts(flow, part).enumerate(), |(number, flow)| {
        for (axis, flow) in flow.into_iter().enumerate() {
            cells(grid, number, 1, |at, local| {
                flow[local] += 0.5 * (force[axis][at] + force[axis][at - strides[axis]]);
            });
        }
    });
}

/// ω·cell at a cell (m/s): slopes over the two cells beside it, of velocities at their centres.
#[inline(always)]
fn curl(strides: [usize; 3], flow: [&[f32]; 3], at: usize) -> [f32; 3] {
    let slope = |of: usize, along: usize| {
        let (flow, across, along) = (flow[of], strides[of], strides[along]);
        0.25 * ((flow[at + along] + flow[at + along + across])
            - (flow[at - along] + flow[at - along + across]))
    };
    [slope(2, 1) - slope(1, 2), slope(0, 2) - slope(2, 0), slope(1, 0) - slope(0, 1)]
}

/// Calls with every cell of a part that has `margin` cells at least between it and the sides: its place, and that within the part.
#[inline(always)]
fn cells(grid: &Grid, part: usize, margin: usize, mut call: impl FnMut(usize, usize)) {
    let [x, y, z] = grid.count.map(|n| 1 + margin..n + 1 - margin);
    for k in grid.planes(part, z) {
        for j in y.clone() {
            for i in x.clone() {
                let at = grid.at([i, j, k]);
                call(at, at - part * grid.part());
            }
        }
    }
}
