//! The air at a point.
//!
//! Each component is trilinear between the eight faces about the point, and goes on beyond the last of them as it is there. How much it
//! counts is Π s(d/border) over the axes, d being how far within the nearer side the point is and s(t) = t²·(3 − 2·t) on `[0, 1]`:
//! continuous with its slope.

use super::Fluid;
use super::advect::between;
use crate::pose::{greater, lesser, narrow};

impl Fluid {
    /// Velocity of the air at a point of the volume's frame (m/s), along the volume's axes, and how much of it counts (1): 0 outside,
    /// 1 further within than the border.
    #[inline]
    pub fn sample(&self, at: [f64; 3]) -> ([f64; 3], f64) {
        let (_, _, half) = self.size();
        let weight = self.weight(half, at);
        if weight <= 0.0 {
            return ([0.0; 3], 0.0);
        }
        (self.everywhere(at), weight)
    }

    /// Cells along each axis, how long they are and half the box (m). Counts are words: conversions of those are single instructions.
    #[inline(always)]
    fn size(&self) -> ([u32; 3], f64, [f64; 3]) {
        let count = self.grid.count.map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        let cell = f64::from(self.grid.cell);
        (count, cell, count.map(|n| 0.5 * f64::from(n) * cell))
    }

    /// Velocity at a point of the volume's frame (m/s), along the volume's axes; beyond a side as it is there.
    #[inline(always)]
    pub(super) fn everywhere(&self, at: [f64; 3]) -> [f64; 3] {
        let (count, cell, half) = self.size();
        // Between which faces across an axis the point is, and between which centres of cells: three components ask for six of them.
        let (mut faces, mut middles) = ([(0, 0.0); 3], [(0, 0.0); 3]);
        for axis in 0..3 {
            let place = (at[axis] + half[axis]) / cell + 1.0;
            faces[axis] = along(place, count[axis] + 1);
            middles[axis] = along(place - 0.5, count[axis]);
        }
        [
            self.speed(0, [faces[0], middles[1], middles[2]]),
            self.speed(1, [middles[0], faces[1], middles[2]]),
            self.speed(2, [middles[0], middles[1], faces[2]]),
        ]
    }

    /// A component of the velocity (m/s) between the eight faces that begin at these places.
    #[inline]
    fn speed(&self, component: usize, [x, y, z]: [(usize, f32); 3]) -> f64 {
        let (row, plane) = (self.grid.row(), self.grid.plane());
        let first = z.0 * plane + y.0 * row + x.0;
        // One look whether they are there, for all eight: they are.
        let Some(flow) = self.flow[component].get(first..first + plane + row + 2) else { return 0.0 };
        let values = [0, row, plane, plane + row].map(|step| [flow[step], flow[step + 1]]);
        f64::from(between(values, [x.1, y.1, z.1]))
    }

    #[inline]
    fn weight(&self, half: [f64; 3], at: [f64; 3]) -> f64 {
        let border = f64::from(self.border);
        let mut weight = 1.0;
        for axis in 0..3 {
            let within = half[axis] - greater(at[axis], -at[axis]);
            if within.is_nan() || within < 0.0 {
                return 0.0;
            }
            if within < border {
                let t = within / border;
                weight = weight * t * t * (3.0 - 2.0 * t);
            }
        }
        weight
    }
}

/// The place below x, of 1 to one less than `last`, and how far x, which goes no further than `last`, is beyond it (1).
#[inline]
fn along(x: f64, last: u32) -> (usize, f32) {
    let x = lesser(greater(x, 1.0), f64::from(last));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "cut off, at least 1")]
    let whole = (x as u32).min(last - 1).max(1);
    let [t] = narrow([x - f64::from(whole)]);
    (whole as usize, t)
}
