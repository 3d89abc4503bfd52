//! How much of each face is open, and what goes through the rest.
//!
//! With d the signed distance of a face's centre from a body (m), the face is open to the share
//!
//! ```text
//! w = ½ + d/cell, within [0, 1], and 0 below 0.1
//! ```
//!
//! the part of a cell about the face that is not in the body, if its surface is flat. What goes through the face is the mixture
//! w·u + (1 − w)·u_body, and pressure moves w of it (after C. Batty, F. Bertails, R. Bridson, A fast variational framework for
//! accurate solid-fluid coupling, 2007, whose shares are of areas). So a body that moves covers and uncovers faces bit by
//! bit, and one thinner than a cell stands in the way in part. Faces within a body go with it: **no slip**. Air that is
//! carried along a surface mixes with them, and what is slowed down there is what a wake begins as.

use super::grid::Grid;
use super::obstacles::{Obstacle, Standing};
use super::parts::{Share, each};
use super::sides::Sides;
use super::triple::{self, Triple};
use cloth_core::math::real;

/// Less of a face is none: through so narrow a gap a pressure is hard to find.
const CLOSED: f32 = 0.1;

/// Shares and velocities of faces that bodies leave.
#[derive(Clone, Debug)]
pub(super) struct Openings {
    /// What of each face is open (1).
    pub open: Triple,
    /// Velocity of what is not (m/s). On a side with a given velocity: what of the face is open (1).
    pub rest: Triple,
}

impl Openings {
    /// Nothing is in the way.
    pub fn clear(&mut self) {
        self.open.iter_mut().for_each(|values| values.fill(1.0));
        self.rest.iter_mut().for_each(|values| values.fill(0.0));
    }

    /// What others are, without taking memory.
    pub fn copy_from(&mut self, other: &Self) {
        let from = other.open.iter().chain(&other.rest);
        self.open.iter_mut().chain(&mut self.rest).zip(from).for_each(|(to, from)| to.copy_from_slice(from));
    }

    /// With a body in the way too.
    pub fn stamp(&mut self, grid: &Grid, body: &Obstacle<'_>, dt: f64, share: Share<'_>) {
        let Some(body) = body.standing(dt) else { return };
        let Some(faces) = faces_within(grid, &body) else { return };
        let part = grid.part();
        let jobs = triple::parts(&mut self.open, part).zip(triple::parts(&mut self.rest, part)).enumerate();
        each(share, jobs, |(number, (open, rest))| {
            for (axis, (open, rest)) in open.into_iter().zip(rest).enumerate() {
                let [x, y, z] = faces.map(|(first, last)| first..last + 1);
                grid.for_each_place([x, y, grid.planes(number, z)], |place| {
                    if !grid.is_face(axis, place) {
                        return;
                    }
                    let centre = grid.face_centre(axis, place);
                    let share = 0.5 + body.distance(centre) / grid.cell;
                    let at = grid.at(place) - number * part;
                    if share < open[at] {
                        open[at] = if share < CLOSED { 0.0 } else { share };
                        rest[at] = body.speed(centre, axis);
                    }
                });
            }
        });
    }

    /// The sides through which a given velocity goes, whatever pressure there is.
    pub fn close_sides(&mut self, grid: &Grid, sides: &Sides) {
        for (axis, [low, high]) in sides.given.into_iter().enumerate() {
            for (is_given, face) in [(low, 1), (high, grid.count[axis] + 1)] {
                if is_given {
                    grid.for_side(axis, face, |at| {
                        self.rest[axis][at] = self.open[axis][at];
                        self.open[axis][at] = 0.0;
                    });
                }
            }
        }
    }

    /// Closes what no open side can be reached from: air that is shut in is no flow, and no pressure is. `reached` and `waiting` are room
    /// for a byte and a word at each place.
    pub fn close_pockets(&mut self, grid: &Grid, reached: &mut [u8], waiting: &mut Vec<u32>) {
        const OUTSIDE: u8 = 2;
        let strides = grid.strides();
        reached.fill(OUTSIDE);
        for k in 1..=grid.count[2] {
            for j in 1..=grid.count[1] {
                let row = grid.at([1, j, k]);
                reached[row..row + grid.count[0]].fill(0);
            }
        }
        waiting.clear();
        for (axis, stride) in strides.into_iter().enumerate() {
            for (face, step_in) in [(1, 0), (grid.count[axis] + 1, stride)] {
                grid.for_side(axis, face, |at| {
                    let cell = at - step_in;
                    if self.open[axis][at] > 0.0 && reached[cell] == 0 {
                        reached[cell] = 1;
                        waiting.push(word(cell));
                    }
                });
            }
        }
        while let Some(cell) = waiting.pop() {
            let cell = cell as usize;
            for (axis, stride) in strides.into_iter().enumerate() {
                for (face, next) in [(cell, cell - stride), (cell + stride, cell + stride)] {
                    if self.open[axis][face] > 0.0 && reached[next] == 0 {
                        reached[next] = 1;
                        waiting.push(word(next));
                    }
                }
            }
        }
        for (axis, stride) in strides.into_iter().enumerate() {
            grid.for_each_place(grid.faces(axis), |place| {
                let at = grid.at(place);
                if reached[at] != 1 && reached[at - stride] != 1 {
                    if is_side(grid, axis, place) {
                        self.rest[axis][at] = 0.0;
                    }
                    self.open[axis][at] = 0.0;
                }
            });
        }
    }
}

fn is_side(grid: &Grid, axis: usize, place: [usize; 3]) -> bool {
    place[axis] == 1 || place[axis] == grid.count[axis] + 1
}

fn word(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

/// First and last place along each axis of faces that a body comes near; `None` where it is out of the box.
fn faces_within(grid: &Grid, body: &Standing<'_>) -> Option<[(usize, usize); 3]> {
    if !body.is_near(grid) {
        return None;
    }
    let half = grid.half();
    let (low, high) = (body.bounds.low.to_array(), body.bounds.high.to_array());
    Some(core::array::from_fn(|axis| {
        let last = grid.count[axis] + 1;
        // A cell more on both sides than what is nearer than half of one.
        let place = |x: f32| (f64::from(x) + half[axis]) / f64::from(grid.cell);
        (cut(place(low[axis]), last).max(1), cut(place(high[axis]) + 2.5, last))
    }))
}

/// Cut off to a whole number from 0 to `most`.
fn cut(x: f64, most: usize) -> usize {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "cutting off and saturating is what is meant"
    )]
    let whole = x as u32;
    (whole as usize).min(most)
}

/// The mixture of what is open and what is not.
#[inline(always)]
pub(super) fn mixed(open: f32, air: f32, rest: f32) -> f32 {
    open * air + (1.0 - open) * rest
}

/// A component of a velocity before the pressure has pushed it, within what is worth carrying on; 0 for a NaN.
#[inline(always)]
pub(super) fn limited(speed: f32) -> f32 {
    /// (m/s).
    const FASTEST: f32 = 4000.0;
    within(speed, FASTEST)
}

/// A component of a velocity that the pressure has pushed: what comes out of a gap that closes is faster than what closes it, and to
/// stop it there would pile it up. 0 for a NaN.
#[inline(always)]
pub(super) fn pushed(speed: f32) -> f32 {
    /// (m/s).
    const FASTEST: f32 = 1.0e6;
    within(speed, FASTEST)
}

#[inline(always)]
fn within(speed: f32, fastest: f32) -> f32 {
    let bounded = real::clamp(speed, -fastest, fastest);
    if speed.is_nan() { 0.0 } else { bounded }
}
