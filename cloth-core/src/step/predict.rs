//! Inertial targets, and where the sweeps start.

use super::Pass;
use super::velocity::limited;
use crate::Vec3;
use crate::math::{real, sqrt};
use crate::row::skip::MAX_RATIO;
use crate::state::layout::MAX_POSITION;
use crate::state::{State, any_held, is_held, is_within};

/// Share of free fall below which cloth with stiff soft rows starts from x + h·v alone. Where a sweep cannot
/// bring a row to its rest, the start decides where it ends, and a start below would pass for acceleration in
/// the next substep and keep itself alive: a hung rope of 1e5 N/m then bounces for ever. Hard rows converge
/// well enough to rest without this, and lose less of their energy and their fall.
const QUIET: f32 = 0.25;

/// y = x + h·v + h²·a for every free particle, and x = x + h·v + h²·f·a to start from.
///
/// The start decides how much of the acceleration the sweeps need not find out: f is how far the cloth's
/// last substep looked like free fall. One factor for the whole cloth, because factors of its own for each
/// particle put energy into a stiff cloth (a hanging chain then never rests).
#[inline(never)]
pub(super) fn predict(state: &mut State, pass: &Pass) {
    let numbers = &pass.numbers;
    let gravity = pass.input.gravity;
    let fall = free_fall_share(state, pass);
    let fields = &mut state.fields;
    let moving = fields.bodies.iter_mut().zip(fields.velocities.iter());
    let targets = fields.inertial.iter_mut().zip(fields.targets.iter());
    for ((body, velocity), (inertial, target)) in moving.zip(targets) {
        inertial.mark = 0;
        inertial.value = body.position;
        if is_held(*body) {
            continue;
        }
        // A particle just let go may bring the speed of its target.
        let speed = limited(Vec3::from_array(velocity.value), numbers.max_speed);
        let drift = Vec3::from_array(body.position) + speed * numbers.h;
        if !drift.is_finite() {
            // Left to the guard: until then it stands still at a finite place.
            inertial.mark = 1;
            inertial.value = [0.0; 3];
            body.position = if is_within(body.position, MAX_POSITION) { body.position } else { target.value };
            continue;
        }
        inertial.value = (drift + gravity * numbers.h2).to_array();
        body.position = (drift + gravity * (numbers.h2 * fall)).to_array();
    }
}

/// How far the cloth follows gravity, 0 to 1.
///
/// A cloth that nothing holds falls: its rows pass no force out of it. One that is held is judged by what its
/// mean velocity gained over the last substep.
fn free_fall_share(state: &mut State, pass: &Pass) -> f32 {
    let gravity = pass.input.gravity;
    let bodies = &*state.fields.bodies;
    let mean = super::velocity::mean_velocity(&state.model, bodies, state.fields.velocities);
    let nothing_held = !any_held(bodies);
    let stiff = state.model.header().stiffest * pass.numbers.h2 > MAX_RATIO;
    let quiet = if stiff { QUIET } else { 0.0 };
    let header = &mut *state.fields.header;
    let gained = mean - Vec3::from_array(header.mean_velocity);
    let first = header.has_mean == 0;
    header.mean_velocity = mean.to_array();
    header.has_mean = 1;
    if nothing_held || first {
        return 1.0;
    }
    let strength = sqrt(gravity.dot(gravity));
    if strength > 0.0 {
        let share = gained.dot(gravity / strength) / (pass.numbers.h * strength);
        real::clamp((share - quiet) / (1.0 - quiet), 0.0, 1.0)
    } else {
        0.0
    }
}
