//! Velocities from positions, damping and the velocity limit.

use super::cloth::{Fields, MAX_POSITION, MAX_SPEED, is_within};
use super::net::Net;
use super::{Pass, momentum, rigid};
use cloth_core::Vec3;
use cloth_core::math::sum::TreeSum;
use cloth_core::math::{real, sqrt};

/// v = (x − x₀)/h, damped and limited; marks what is not finite.
///
/// With any particle held, damping acts on the velocity in the cloth's frame. A free cloth keeps its linear
/// and angular motion and is damped in what is left when those are taken out.
pub(super) fn velocity(net: &Net, fields: &mut Fields, pass: &Pass<'_>) {
    let numbers = &pass.numbers;
    let per_h = 1.0 / numbers.h;
    let share = pass.input.improvements.from_forces;
    for particle in 0..net.count() {
        let mut moved = fields.positions[particle] - fields.before[particle];
        if share > 0.0 && !fields.is_held(particle) && !fields.touching[particle] {
            moved += momentum::unmoved(net, fields, pass, particle) * share;
        }
        fields.velocities[particle] = moved * per_h;
    }
    if numbers.retention < 1.0 {
        let motion = if fields.any_held() { None } else { rigid::motion(net, fields) };
        let motion = motion.unwrap_or_default();
        for particle in 0..net.count() {
            if !fields.is_held(particle) {
                let carried = motion.at(fields.positions[particle]);
                let own = fields.velocities[particle] - carried;
                fields.velocities[particle] = carried + own * numbers.retention;
            }
        }
    }
    for particle in 0..net.count() {
        limit(fields, particle, numbers.max_speed);
    }
}

/// Shortens a particle's velocity to its limit – a held one's to what a state may hold –, and marks a free one
/// that is lost.
fn limit(fields: &mut Fields, particle: usize, max_speed: f32) {
    let held = fields.is_held(particle);
    let velocity = fields.velocities[particle];
    let lost = !(velocity.is_finite() && is_within(fields.positions[particle], MAX_POSITION));
    if lost && !held {
        fields.marked[particle] = true;
        return;
    }
    let value = limited(velocity, if held { MAX_SPEED } else { max_speed });
    fields.velocities[particle] = Vec3::from_array(value.to_array().map(floored));
}

/// What decays ends at zero: below this speed (m/s) a component is none, and its step no denormal number.
const MIN_SPEED: f32 = 1.0e-30;

/// A component of a velocity, or zero where it is too small to be one.
fn floored(component: f32) -> f32 {
    if real::abs(component) < MIN_SPEED { 0.0 } else { component }
}

/// A velocity, shortened to a speed.
pub(super) fn limited(velocity: Vec3, max_speed: f32) -> Vec3 {
    let square = velocity.dot(velocity);
    if square > max_speed * max_speed { velocity * (max_speed / sqrt(square)) } else { velocity }
}

/// Mass-weighted mean velocity of the free particles (m/s); zero where there are none.
pub(super) fn mean_velocity(net: &Net, fields: &Fields) -> Vec3 {
    let mut mass = TreeSum::default();
    let mut momentum = [TreeSum::default(); 3];
    for particle in 0..net.count() {
        let free = if fields.is_held(particle) { 0.0 } else { net.masses[particle] };
        mass.push(free);
        for (sum, component) in momentum.iter_mut().zip(fields.velocities[particle].to_array()) {
            sum.push(free * component);
        }
    }
    let total = mass.finish();
    if total > 0.0 { Vec3::from_array(momentum.map(|sum| sum.finish())) / total } else { Vec3::ZERO }
}
