//! Inertial targets, and where the sweeps start.

use super::Pass;
use super::cloth::{Fields, MAX_POSITION, is_within};
use super::net::Net;
use super::penalty::MAX_BEND_RATIO;
use super::velocity::{limited, mean_velocity};
use cloth_core::Vec3;
use cloth_core::math::{real, sqrt};

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
pub(super) fn predict(net: &Net, fields: &mut Fields, pass: &Pass<'_>) {
    let numbers = &pass.numbers;
    let gravity = pass.input.gravity;
    let fall = free_fall_share(net, fields, pass);
    for particle in 0..net.count() {
        let position = fields.positions[particle];
        fields.marked[particle] = false;
        fields.inertial[particle] = position;
        if fields.is_held(particle) {
            continue;
        }
        // A particle just let go may bring the speed of its target.
        let drift = position + limited(fields.velocities[particle], numbers.max_speed) * numbers.h;
        if !drift.is_finite() {
            // Left to the guard: until then it stands still at a finite place.
            fields.marked[particle] = true;
            fields.inertial[particle] = Vec3::ZERO;
            if !is_within(position, MAX_POSITION) {
                fields.positions[particle] = fields.targets[particle];
            }
            continue;
        }
        fields.inertial[particle] = drift + gravity * numbers.h2;
        fields.positions[particle] = drift + gravity * (numbers.h2 * fall);
    }
}

/// How far the cloth follows gravity, 0 to 1.
///
/// A cloth that nothing holds falls: its rows pass no force out of it. One that is held is judged by what its
/// mean velocity gained over the last substep.
fn free_fall_share(net: &Net, fields: &mut Fields, pass: &Pass<'_>) -> f32 {
    let gravity = pass.input.gravity;
    let mean = mean_velocity(net, fields);
    let last = fields.mean_velocity.replace(mean);
    let Some(last) = last.filter(|_| fields.any_held()) else {
        return 1.0;
    };
    let strength = sqrt(gravity.dot(gravity));
    if strength > 0.0 {
        let stiff = net.stiffest * pass.numbers.h2 > MAX_BEND_RATIO;
        let quiet = if stiff { QUIET } else { 0.0 };
        let share = (mean - last).dot(gravity / strength) / (pass.numbers.h * strength);
        real::clamp((share - quiet) / (1.0 - quiet), 0.0, 1.0)
    } else {
        0.0
    }
}
