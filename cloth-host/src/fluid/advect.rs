//! What carries itself along: velocities from where the air came from.
//!
//! Semi-Lagrangian (J. Stam, Stable fluids, 1999): the velocity at a face is that at the point x − u·dt, trilinearly. That is stable
//! at any step, and smears. What it smears is found by carrying the result back and taking half of the difference off
//! (A. Selle, R. Fedkiw, B. Kim, Y. Liu, J. Rossignac, An unconditionally stable MacCormack method, 2008, eq. 3–5), limited to what the
//! eight values it was taken from span, so that nothing new comes up.
//!
//! A point outside the box has the prevailing wind, over one cell's width from what is at the side.

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

/// Carries `flow` for `dt` (s) into `next`. `first` is room for the result of the first pass.
pub(super) fn advect(
    grid: &Grid,
    flow: &Triple,
    [first, next]: [&mut Triple; 2],
    dt: f32,
    wind: [f32; 3],
    share: Share<'_>,
) {
    let carried = Carried { grid, flow: triple::read(flow), reach: dt / grid.cell, wind };
    let part = grid.part();
    each(share, triple::parts(first, part).enumerate(), |(number, [x, y, z])| {
        carried.back::<0>(number, x);
        carried.back::<1>(number, y);
        carried.back::<2>(number, z);
    });
    let first = triple::read(first);
    each(share, triple::parts(next, part).enumerate(), |(number, [x, y, z])| {
        carried.again::<0>(number, first[0], x);
        carried.again::<1>(number, first[1], y);
        carried.again::<2>(number, first[2], z);
    });
}

impl Carried<'_> {
    /// Every face across an axis in a part: calls with its place, the place within the part, and where it is in cells.
    #[inline(always)]
    fn faces<const A: usize>(&self, part: usize, mut call: impl FnMut(usize, usize, [f32; 3])) {
        let grid = self.grid;
        let [x, y, z] = grid.faces(A);
        for k in grid.planes(part, z) {
            for j in y.clone() {
                let row = grid.at([0, j, k]);
                let from = part * grid.part();
                for i in x.clone() {
                    call(row + i, row + i - from, [as_f32(i), as_f32(j), as_f32(k)]);
                }
            }
        }
    }

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

    /// First pass: from where the air came.
    #[inline(always)]
    fn back<const A: usize>(&self, part: usize, to: &mut [f32]) {
        self.faces::<A>(part, |at, local, place| {
            let way = self.way::<A>(at);
            let taps = self.taps::<A>(array::from_fn(|axis| place[axis] - way[axis]));
            let value = between(self.values(self.flow[A], taps.at), taps.t);
            to[local] = value + (self.wind[A] - value) * taps.out;
        });
    }

    /// Second pass: what the first one smeared.
    #[inline(always)]
    fn again<const A: usize>(&self, part: usize, first: &[f32], to: &mut [f32]) {
        self.faces::<A>(part, |at, local, place| {
            let way = self.way::<A>(at);
            let came = self.taps::<A>(array::from_fn(|axis| place[axis] - way[axis]));
            let goes = self.taps::<A>(array::from_fn(|axis| place[axis] + way[axis]));
            let value = first[at];
            if came.out > 0.0 || goes.out > 0.0 {
                to[local] = value;
                return;
            }
            let back = between(self.values(first, goes.at), goes.t);
            let better = value + 0.5 * (self.flow[A][at] - back);
            let values = self.values(self.flow[A], came.at);
            let (mut low, mut high) = (values[0][0], values[0][0]);
            for value in values.as_flattened() {
                low = real::min(*value, low);
                high = real::max(*value, high);
            }
            to[local] = real::clamp(better, low, high);
        });
    }
}

/// Trilinearly.
#[inline(always)]
pub(super) fn between(values: [[f32; 2]; 4], [x, y, z]: [f32; 3]) -> f32 {
    let [a, b, c, d] = values.map(|[low, high]| low + (high - low) * x);
    let (near, far) = (a + (b - a) * y, c + (d - c) * y);
    near + (far - near) * z
}
