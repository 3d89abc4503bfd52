//! A box that goes elsewhere, through air that stays.
//!
//! The velocities are those of the air past the world. So a box that moved has, at a point x of its frame, the air that was there:
//! u(x) = Rᵀ·u₀(R·x + d), with R and d how its frame stands in the one it had. What it comes upon beyond its old sides is the prevailing
//! wind, over one cell's width, as it is for what the air itself carries in (`advect`). This is one more trilinear look for a volume that
//! moves, which smears what is in it; one that stands is not looked at again.

use super::{Fluid, copy_sides};
use crate::pose::{Pose, greater, length, lesser, narrow, scaled};
use core::mem;

impl Fluid {
    /// Takes the box elsewhere for the step that comes next, of `dt` (s): `moved` is how its frame stands in the one it had, `prevailing` the
    /// wind along its new axes (m/s). Which sides that step has open goes by the wind past the box. One that is further away than it
    /// is long was put there, and has no velocity.
    pub fn shift(&mut self, moved: &Pose, prevailing: [f64; 3], dt: f64) {
        if moved.is(&Pose::IDENTITY) || !self.has_begun || dt.is_nan() || dt <= 0.0 {
            return;
        }
        let grid = self.grid;
        let half = grid.half();
        let turns = !moved.is(&Pose { translation: moved.translation, ..Pose::IDENTITY });
        let mut next = mem::take(&mut self.next);
        for (axis, values) in next.iter_mut().enumerate() {
            grid.for_each_place(grid.faces(axis), |place| {
                let before = moved.apply(grid.face_centre(axis, place));
                let out = (0..3)
                    .fold(0.0, |out, axis| greater(out, greater(before[axis], -before[axis]) - half[axis]));
                let share = lesser(out / f64::from(grid.cell), 1.0);
                let found = self.everywhere(before);
                let found = if turns { moved.unturn(found) } else { found };
                let [value] = narrow([found[axis] + (prevailing[axis] - found[axis]) * share]);
                values[grid.at(place)] = value;
            });
        }
        copy_sides(&grid, &mut next);
        self.next = mem::replace(&mut self.flow, next);
        self.rest = super::sleep::Rest::default();
        let way = moved.unturn(moved.translation);
        let is_put = length(way) > 2.0 * length(half);
        self.goes = if is_put { [0.0; 3] } else { narrow(scaled(way, 1.0 / dt)) };
    }
}
