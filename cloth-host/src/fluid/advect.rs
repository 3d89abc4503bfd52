//! What carries itself along: velocities from where the air came from.
//!
//! Semi-Lagrangian (J. Stam, Stable fluids, 1999): the velocity at a face is that at the point x − u(x)·dt, trilinearly. That is stable
//! at any step, and smears. A point outside the box has the prevailing wind, over one cell's width from what is at the side.
//!
//! What is more exact was tried on a post in a stream and makes a poorer wake of it. With MacCormack's correction (A. Selle et al., An
//! unconditionally stable MacCormack method, 2008) it breaks up into eddies of a few cells, at twice the price. With the way back through
//! the velocity at its middle it does not shed: the straight way leads out of every swirl a little, which here makes up for some
//! of what is smeared, and a post of five cells sheds as often as a post does.

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

/// Faces whose ways are found beside each other.
const RUN: usize = 32;
/// Their places along a row, from the first.
const ALONG: [f32; RUN] = {
    let mut along = [0.0; RUN];
    let mut i = 1;
    while i < RUN {
        along[i] = along[i - 1] + 1.0;
        i += 1;
    }
    along
};
/// Added to a number below it leaves no bits for a fraction: the sum is rounded to a whole number, which stands in its lowest bits.
const ROUNDER: f32 = 8_388_608.0;

/// Where the air of a run of faces came from.
struct Origins {
    /// The first of the eight places about it.
    at: [u32; RUN],
    /// How far between them it is along each axis.
    t: [[f32; RUN]; 3],
    /// How far out of the box, in cells.
    out: [f32; RUN],
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
    /// Every face across an axis in a part.
    #[inline(always)]
    fn carry<const A: usize>(&self, part: usize, to: &mut [f32]) {
        let grid = self.grid;
        let (from, wind) = (part * grid.part(), self.wind[A]);
        let [x, y, z] = grid.faces(A);
        let corners = self.corners(A);
        for k in grid.planes(part, z) {
            for j in y.clone() {
                for i in x.clone().step_by(RUN) {
                    let count = RUN.min(x.end - i);
                    let at = grid.at([i, j, k]);
                    let origins = self.origins::<A>(at, count, [as_f32(i), as_f32(j), as_f32(k)]);
                    let Origins { at: places, t: [tx, ty, tz], out } = &origins;
                    let ways = places.iter().zip(tx).zip(ty.iter().zip(tz)).zip(out);
                    for (to, (((place, x), (y, z)), out)) in to[at - from..][..count].iter_mut().zip(ways) {
                        // No place is beyond the last but one; said again, it is no question eight times.
                        let place = (*place as usize).min(corners[0].len() - 2);
                        let pairs = corners.map(|corner| [corner[place], corner[place + 1]]);
                        let value = between(pairs, [*x, *y, *z]);
                        *to = value + (wind - value) * real::min(*out, 1.0);
                    }
                }
            }
        }
    }

    /// A component from the four places about each on, all as long as the shortest.
    #[inline(always)]
    fn corners(&self, axis: usize) -> [&[f32]; 4] {
        let [_, row, plane] = self.grid.strides();
        let of = self.flow[axis];
        let length = of.len() - plane - row;
        [0, row, plane, plane + row].map(|step| &of[step..step + length])
    }

    /// Where the air came from that is at `count` faces across an axis from `at` on, the first of which has these places.
    // As a function of its own it is compiled to lanes.
    #[inline(never)]
    fn origins<const A: usize>(&self, at: usize, count: usize, first: [f32; 3]) -> Origins {
        let mut found = Origins { at: [0; RUN], t: [[0.0; RUN]; 3], out: [0.0; RUN] };
        let strides = self.grid.strides();
        // Whole fours, where the arrays go on as far: what is found beyond the run is not looked at.
        let furthest = if A == 2 { strides[1] } else { strides[2] };
        let beyond = self.grid.places() - (at + furthest);
        let count = count.next_multiple_of(4).min(beyond).max(count);
        for axis in 0..3 {
            let mut speeds = [0.0; RUN];
            let speeds = &mut speeds[..count];
            let run = |from: usize| &self.flow[axis][from..from + count];
            if axis == A {
                speeds.copy_from_slice(run(at));
            } else {
                let (up, below) = (strides[axis], strides[A]);
                let (a, b, c, d) = (run(at), run(at + up), run(at - below), run(at - below + up));
                for i in 0..count {
                    speeds[i] = 0.25 * ((a[i] + b[i]) + (c[i] + d[i]));
                }
            }
            // Faces across reach to the sides; the others end half a cell within.
            let (more, margin) = if axis == A { (1, 0.0) } else { (0, 0.5) };
            let last = as_f32(self.grid.count[axis] + more);
            let stride = u32::try_from(strides[axis]).unwrap_or(0);
            let t = &mut found.t[axis][..count];
            let (places, out) = (&mut found.at[..count], &mut found.out[..count]);
            for i in 0..count {
                let along = if axis == 0 { ALONG[i] } else { 0.0 };
                let x = (first[axis] + along) - speeds[i] * self.reach;
                out[i] = real::max(real::max(1.0 - margin - x, x - last - margin), out[i]);
                let x = real::clamp(x, 1.0, last);
                // Which of two neighbours a whole number is taken to be changes nothing: t is 0 of the one or 1 of the other.
                let whole = real::min(x - 0.5, last - 1.0) + ROUNDER;
                places[i] = places[i].wrapping_add((whole.to_bits() & 0x007f_ffff).wrapping_mul(stride));
                t[i] = x - (whole - ROUNDER);
            }
        }
        found
    }
}

/// Trilinearly.
#[inline(always)]
pub(super) fn between(values: [[f32; 2]; 4], [x, y, z]: [f32; 3]) -> f32 {
    let [a, b, c, d] = values.map(|[low, high]| low + (high - low) * x);
    let (near, far) = (a + (b - a) * y, c + (d - c) * y);
    near + (far - near) * z
}
