//! What a step does to the velocities it has carried: towards the prevailing wind, towards rest, and mixed with bodies.
//!
//! ```text
//! du/dt = relaxation·(wind − u) − damping·u
//! ```
//!
//! solved exactly over the step: with s = relaxation + damping, u goes the share 1 − e^(−s·dt) of its way to relaxation·wind/s.

use cloth_core::math::real;

use super::grid::Grid;
use super::openings::{Openings, limited, mixed};
use super::parts::{Share, each};
use super::sides::Sides;
use super::triple::{self, Triple};

/// Where velocities go, and how far in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    pub wind: [f32; 3],
    towards: [f32; 3],
    share: f32,
}

impl Course {
    /// Of rates (1/s) over `dt` (s).
    pub fn new(wind: [f32; 3], relaxation: f32, damping: f32, dt: f32) -> Self {
        let rate = relaxation + damping;
        let kept = if rate > 0.0 { relaxation / rate } else { 0.0 };
        let share = real::exp2_rise(rate * dt * core::f32::consts::LOG2_E);
        Self { wind, towards: wind.map(|speed| speed * kept), share }
    }
}

/// Takes all faces along, and gives the sides and the bodies what is theirs.
pub(super) fn take_along(
    grid: &Grid,
    flow: &mut Triple,
    course: &Course,
    openings: &Openings,
    sides: &Sides,
    share: Share<'_>,
) {
    let part = grid.part();
    each(share, triple::parts(flow, part).enumerate(), |(number, flow)| {
        let from = number * part;
        for (axis, flow) in flow.into_iter().enumerate() {
            let (open, rest) = (&openings.open[axis][from..], &openings.rest[axis][from..]);
            let towards = course.towards[axis];
            for ((flow, open), rest) in flow.iter_mut().zip(open).zip(rest) {
                let air = *flow + (towards - *flow) * course.share;
                *flow = limited(mixed(*open, air, *rest));
            }
        }
    });
    for (axis, [low, high]) in sides.given.into_iter().enumerate() {
        for (is_given, face) in [(low, 1), (high, grid.count[axis] + 1)] {
            if is_given {
                // What stands in an opening of a side stands still.
                grid.for_side(axis, face, |at| flow[axis][at] = course.wind[axis] * openings.rest[axis][at]);
            }
        }
    }
}
