//! Velocities from positions, damping, the velocity limit, and what a report says of them.

use super::{Pass, StepReport, guard, rigid};
use crate::Vec3;
use crate::index::{at, len32, put};
use crate::math::sum::TreeSum;
use crate::math::{real, sqrt};
use crate::model::Model;
use crate::row::distance;
use crate::state::layout::{Body, MAX_POSITION, MAX_SPEED, Padded};
use crate::state::{State, any_held, is_held, is_within};

/// v = (x − x₀)/h, damped and limited; marks what is not finite.
///
/// With any particle held, damping acts on the velocity in the cloth's frame. A free cloth keeps its linear
/// and angular motion and is damped in what is left when those are taken out.
#[inline(never)]
pub(super) fn velocity(state: &mut State, pass: &Pass) {
    let numbers = &pass.numbers;
    let per_h = 1.0 / numbers.h;
    let fields = &mut state.fields;
    let poses = fields.bodies.iter().zip(fields.before.iter());
    for ((body, before), velocity) in poses.zip(fields.velocities.iter_mut()) {
        let moved = Vec3::from_array(body.position) - Vec3::from_array(before.value);
        *velocity = Padded { value: (moved * per_h).to_array(), mark: 0 };
    }
    if numbers.retention < 1.0 {
        let motion = if any_held(fields.bodies) {
            None
        } else {
            rigid::motion(&state.model, fields.bodies, fields.velocities)
        };
        let motion = motion.unwrap_or_default();
        for (body, velocity) in fields.bodies.iter().zip(fields.velocities.iter_mut()) {
            if !is_held(*body) {
                let carried = motion.at(Vec3::from_array(body.position));
                let own = Vec3::from_array(velocity.value) - carried;
                velocity.value = (carried + own * numbers.retention).to_array();
            }
        }
    }
    for particle in 0..state.model.particle_count() {
        limit(state, particle, numbers.max_speed);
    }
}

/// Shortens a particle's velocity to its limit – a held one's to what a state may hold –, and marks a free one
/// that is lost.
#[inline(always)]
fn limit(state: &mut State, particle: u32, max_speed: f32) {
    let body = at(state.fields.bodies, particle);
    let held = is_held(body);
    let velocity = Vec3::from_array(at(state.fields.velocities, particle).value);
    let lost = !(velocity.is_finite() && is_within(body.position, MAX_POSITION));
    if lost && !held {
        guard::mark(&mut state.fields, particle);
        return;
    }
    let value = limited(velocity, if held { MAX_SPEED } else { max_speed }).to_array().map(floored);
    put(state.fields.velocities, particle, Padded { value, mark: 0 });
}

/// What decays ends at zero: below this speed (m/s) a component is none, and its step no denormal number, which a
/// host that flushes them would turn into other bits.
const MIN_SPEED: f32 = 1.0e-30;

/// A component of a velocity, or zero where it is too small to be one.
#[inline(always)]
fn floored(component: f32) -> f32 {
    if real::abs(component) < MIN_SPEED { 0.0 } else { component }
}

/// A velocity, shortened to a speed.
#[inline(always)]
pub(super) fn limited(velocity: Vec3, max_speed: f32) -> Vec3 {
    let square = velocity.dot(velocity);
    if square > max_speed * max_speed { velocity * (max_speed / sqrt(square)) } else { velocity }
}

/// Mass-weighted mean velocity of the free particles (m/s); zero where there are none.
pub(super) fn mean_velocity(model: &Model, bodies: &[Body], velocities: &[Padded]) -> Vec3 {
    let mut mass = TreeSum::default();
    let mut momentum = [TreeSum::default(); 3];
    let moving = bodies.iter().zip(velocities).zip(model.particles());
    for ((body, velocity), particle) in moving {
        let free = if is_held(*body) { 0.0 } else { particle.mass };
        mass.push(free);
        for (sum, component) in momentum.iter_mut().zip(velocity.value) {
            sum.push(free * component);
        }
    }
    let total = mass.finish();
    if total > 0.0 { Vec3::from_array(momentum.map(|sum| sum.finish())) / total } else { Vec3::ZERO }
}

/// Fills a report with where the step ended.
#[inline(never)]
pub(super) fn measure(state: &State, report: &mut StepReport) {
    let fields = &state.fields;
    let mut energy = TreeSum::default();
    let mut fastest = 0.0;
    let moving = fields.bodies.iter().zip(fields.velocities.iter()).zip(state.model.particles());
    for ((body, velocity), particle) in moving {
        let velocity = Vec3::from_array(velocity.value);
        let square = velocity.dot(velocity);
        fastest = real::max(fastest, square);
        energy.push(if is_held(*body) { 0.0 } else { 0.5 * particle.mass * square });
    }
    report.kinetic_energy = energy.finish();
    report.max_speed = sqrt(fastest);
    let rows = state.model.stretch_rows();
    let mut mean = TreeSum::default();
    for row in rows {
        let [a, b] = [row.a, row.b].map(|end| Vec3::from_array(at(fields.bodies, end).position));
        let strain = real::abs(distance::span(a, b).length - row.rest) / row.rest;
        report.max_strain = real::max(report.max_strain, strain);
        mean.push(strain);
    }
    if !rows.is_empty() {
        report.mean_strain = mean.finish() / real::from_count(len32(rows));
    }
}
