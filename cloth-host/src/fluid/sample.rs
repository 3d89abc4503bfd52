//! The air at a point.
//!
//! Each component is trilinear between the eight faces about the point, and goes on beyond the last of them as it is there. How much it
//! counts is Π s(d/border) over the axes, d being how far within the nearer side the point is and s(t) = t²·(3 − 2·t) on `[0, 1]`:
//! continuous with its slope.

use super::Fluid;
use super::advect::between;
use super::grid::as_f64;
use crate::pose::{greater, lesser, narrow};

impl Fluid {
    /// Velocity of the air at a point of the volume's frame (m/s), along the volume's axes, and how much of it counts (1): 0 outside,
    /// 1 further within than the border.
    pub fn sample(&self, at: [f64; 3]) -> ([f64; 3], f64) {
        let weight = self.weight(at);
        if weight <= 0.0 {
            return ([0.0; 3], 0.0);
        }
        let half = self.grid.half();
        // In places of cells' lower faces.
        let place = [0, 1, 2].map(|axis| (at[axis] + half[axis]) / f64::from(self.grid.cell) + 1.0);
        let speeds = [0, 1, 2].map(|component| {
            let mut places = [0; 3];
            let mut t = [0.0; 3];
            for axis in 0..3 {
                let (last, x) = if axis == component {
                    (self.grid.count[axis] + 1, place[axis])
                } else {
                    (self.grid.count[axis], place[axis] - 0.5)
                };
                let x = lesser(greater(x, 1.0), as_f64(last));
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "cut off, at least 1"
                )]
                let whole = (x as u32 as usize).clamp(1, last - 1);
                places[axis] = whole;
                [t[axis]] = narrow([x - as_f64(whole)]);
            }
            let [_, row, plane] = self.grid.strides();
            let first = self.grid.at(places);
            let values = [0, row, plane, plane + row].map(|step| {
                let pair = self.flow[component].get(first + step..).and_then(<[f32]>::first_chunk::<2>);
                pair.map_or([0.0; 2], |pair| *pair)
            });
            f64::from(between(values, t))
        });
        (speeds, weight)
    }

    fn weight(&self, at: [f64; 3]) -> f64 {
        let half = self.grid.half();
        (0..3).fold(1.0, |weight, axis| {
            let within = half[axis] - greater(at[axis], -at[axis]);
            if within.is_nan() || within < 0.0 {
                return 0.0;
            }
            let border = f64::from(self.border);
            let t = if within >= border { 1.0 } else { within / border };
            weight * t * t * (3.0 - 2.0 * t)
        })
    }
}
