//! What carries itself along: velocities from where the air came from.
//!
//! Semi-Lagrangian (J. Stam, Stable fluids, 1999): the velocity at a face is that at the point x − u(x)·dt, trilinearly. That is stable
//! at any step, and smears. A point outside the box has the prevailing wind, over one cell's width from what is at the side.
//!
//! What is more exact was tried on a post in a stream and makes a poorer wake of it. With MacCormack's correction (A. Selle et al., An
//! unconditionally stable MacCormack method, 2008) it breaks up into eddies of a few cells, at twice the price. With the way back through
//! the velocity at its middle it does not shed: the straight way leads out of every swirl a little, which here makes up for some
//! of what is smeared, and a post of five cells sheds as often as a post does.

use core::array;

use cloth_core::math::real;

use super::grid::{Grid, as_f32};
use super::parts::{Share, each};
use super::triple::{self, Triple};

/// A flow to be carried, and by how much.
struct Carried<'a> {
    grid: &'a Grid,
    flow: [&'a [f32]; 3],
    /// Cells that a speed of 1 m/s goes in the step (s/m).
    reach: f32,
    wind: [f32; 3],
}

/// Eight neighbouring values and where between them a point is.
struct Taps {
    at: usize,
    t: [f32; 3],
    /// How far out of the box the point was, in cells, at most 1.
    out: f32,
}

/// Carries `flow` for `dt` (s) into `next`.
pub(super) fn advect(
    grid: &Grid,
    flow: &Triple,
    next: &mut Triple,
    dt: f32,
    wind: [f32; 3],
    share: Share<'_>,
) {
    let carried = Carried { grid, flow: triple::read(flow), reach: dt / grid.cell, wind };
    each(share, triple::parts(next, grid.part()).enumerate(), |(number, [x, y, z])| {
        carried.carry::<0>(number, x);
        carried.carry::<1>(number, y);
        carried.carry::<2>(number, z);
    });
}

impl Carried<'_> {
    /// By how many cells the air at a face moves in the step.
    #[inline(always)]
    fn way<const A: usize>(&self, at: usize) -> [f32; 3] {
        let strides = self.grid.strides();
        let below = strides[A];
        array::from_fn(|axis| {
            let flow = self.flow[axis];
            let speed = if axis == A {
                flow[at]
            } else {
                let up = strides[axis];
                0.25 * ((flow[at] + flow[at + up]) + (flow[at - below] + flow[at - below + up]))
            };
            speed * self.reach
        })
    }

    /// What is about a point, given in places of faces across the axis.
    #[inline(always)]
    fn taps<const A: usize>(&self, point: [f32; 3]) -> Taps {
        // Adding 2²³ leaves no bits for a fraction. Which of two neighbours a whole number is taken to be changes nothing: t is 0
        // of the one or 1 of the other.
        const ROUNDER: f32 = 8_388_608.0;
        let count = self.grid.count;
        let mut out = 0.0;
        let mut places = [0; 3];
        let mut t = [0.0; 3];
        for axis in 0..3 {
            let last = if axis == A { as_f32(count[axis] + 1) } else { as_f32(count[axis]) };
            // Faces across reach to the sides; the others end half a cell within.
            let margin = if axis == A { 0.0 } else { 0.5 };
            let x = point[axis];
            out = real::max(real::max(1.0 - margin - x, x - last - margin), out);
            let x = real::clamp(x, 1.0, last);
            let whole = real::min(x - 0.5, last - 1.0) + ROUNDER;
            places[axis] = (whole.to_bits() & 0x007f_ffff) as usize;
            t[axis] = x - (whole - ROUNDER);
        }
        Taps { at: self.grid.at(places), t, out: real::min(out, 1.0) }
    }

    /// The eight values.
    #[inline(always)]
    fn values(&self, of: &[f32], at: usize) -> [[f32; 2]; 4] {
        let [_, row, plane] = self.grid.strides();
        [0, row, plane, plane + row].map(|step| {
            let pair = of.get(at + step..).and_then(<[f32]>::first_chunk::<2>);
            pair.map_or([0.0; 2], |pair| *pair)
        })
    }

    /// Every face across an axis in a part.
    #[inline(always)]
    fn carry<const A: usize>(&self, part: usize, to: &mut [f32]) {
        let grid = self.grid;
        let [x, y, z] = grid.faces(A);
        for k in grid.planes(part, z) {
            for j in y.clone() {
                let row = grid.at([0, j, k]);
                let from = part * grid.part();
                for i in x.clone() {
                    let place = [as_f32(i), as_f32(j), as_f32(k)];
                    let way = self.way::<A>(row + i);
                    let taps = self.taps::<A>(array::from_fn(|axis| place[axis] - way[axis]));
                    let value = between(self.values(self.flow[A], taps.at), taps.t);
                    to[row + i - from] = value + (self.wind[A] - value) * taps.out;
                }
            }
        }
    }
}

/// Trilinearly.
#[inline(always)]
pub(super) fn between(values: [[f32; 2]; 4], [x, y, z]: [f32; 3]) -> f32 {
    let [a, b, c, d] = values.map(|[low, high]| low + (high - low) * x);
    let (near, far) = (a + (b - a) * y, c + (d - c) * y);
    near + (far - near) * z
}
