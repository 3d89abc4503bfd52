//! Velocities from positions, damping, the velocity limit, the non-finite guard, and what a report says.

use super::{Pass, StepReport, rigid};
use crate::Vec3;
use crate::math::sum::TreeSum;
use crate::math::{real, sqrt};
use crate::model::Model;
use crate::model::record::LANES;
use crate::row::pull::{difference, dot, length};
use crate::simd::{Floats as _, Kernel, Lanes, Mask as _};
use crate::state::State;
use crate::state::layout::{MAX_POSITION, MAX_SPEED, Padded, Record};

/// What decays ends at zero: below this a component of a velocity (m/s) or position (m) is none. Smaller ones would become
/// denormal numbers, which a host that flushes them would turn into other bits.
const TINY: f32 = 1.0e-30;

/// v = (x − x₀)/h, damped and limited. Returns how many particles the guard put back.
///
/// Damping takes v to max(0, v − d·h·1 cm/s)/(1 + d·h). With any particle held it acts on the velocity in the cloth's frame. A
/// free cloth keeps its linear and angular motion and is damped in what is left when those are taken out.
#[inline(never)]
pub(super) fn velocity(state: &mut State, pass: &Pass) -> u32 {
    let numbers = &pass.numbers;
    let model = state.model;
    let fields = &mut state.fields;
    let (retention, friction) = if pass.held { (numbers.retention, numbers.friction) } else { (1.0, 0.0) };
    let rescued = pass.level.run(Velocities {
        nodes: fields.nodes,
        before: fields.before,
        bodies: bytemuck::cast_slice(fields.bodies),
        velocities: bytemuck::cast_slice_mut(fields.velocities),
        per_h: 1.0 / numbers.h,
        retention,
        friction,
        max_speed: numbers.max_speed,
    });
    if rescued > 0 {
        // What pulled them out of the numbers may pull again.
        fields.tensions.fill(0.0);
    }
    if !pass.held
        && numbers.retention < 1.0
        && let Some(motion) = rigid::motion(&model, fields.nodes, fields.velocities)
    {
        for (([x, y, z, _], velocity), _) in
            fields.nodes.iter().zip(fields.velocities.iter_mut()).zip(model.particles())
        {
            let carried = motion.at(Vec3::new(*x, *y, *z));
            let own = Vec3::from_array(velocity.value) - carried;
            let kept = real::max(1.0 - numbers.friction / real::max(sqrt(own.dot(own)), TINY), 0.0);
            let value = carried + own * (numbers.retention * kept);
            *velocity = Padded { value: limited(value, numbers.max_speed).to_array().map(floored), pad: 0 };
        }
    }
    rescued
}

/// A component of a velocity, or zero where it is too small to be one.
fn floored(component: f32) -> f32 {
    if real::abs(component) < TINY { 0.0 } else { component }
}

/// A velocity, shortened to a speed.
fn limited(velocity: Vec3, max_speed: f32) -> Vec3 {
    let square = velocity.dot(velocity);
    if square > max_speed * max_speed { velocity * (max_speed / sqrt(square)) } else { velocity }
}

struct Velocities<'a> {
    nodes: &'a mut [Record],
    before: &'a [Record],
    bodies: &'a [Record],
    velocities: &'a mut [Record],
    per_h: f32,
    retention: f32,
    friction: f32,
    max_speed: f32,
}

impl Kernel for Velocities<'_> {
    type Output = u32;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> u32 {
        let (zero, tiny) = (l.splat(0.0), l.splat(TINY));
        let mut rescued = 0;
        let nodes = self.nodes.as_chunks_mut::<LANES>().0.iter_mut().zip(self.before.as_chunks::<LANES>().0);
        let bodies = self.bodies.as_chunks::<LANES>().0.iter();
        for ((node, before), (body, velocity)) in
            nodes.zip(bodies.zip(self.velocities.as_chunks_mut::<LANES>().0))
        {
            let [x, y, z, w] = l.load_records(node);
            let [u, v, t, _] = l.load_records(before);
            let x = [x, y, z];
            let moved = difference::<L>(x, [u, v, t]);
            let v = [moved[0] * l.splat(self.per_h), moved[1] * l.splat(self.per_h), moved[2] * l.splat(self.per_h)];
            let speed = length(l, v).max(tiny);
            let free = zero.lt(w);
            // A held particle has the velocity of its way, up to what a state may hold.
            let kept = (l.splat(1.0) - l.splat(self.friction) / speed).max(zero) * l.splat(self.retention);
            let most = free.select(l.splat(self.max_speed), l.splat(MAX_SPEED)) / speed;
            let factor = free.select(kept, l.splat(1.0)).min(most);
            let v = [v[0] * factor, v[1] * factor, v[2] * factor];
            // False for a NaN too: no NaN leaves a substep, nor anything that could make one in the next.
            let far = l.splat(MAX_POSITION);
            let sound = x[0].abs().le(far) & x[1].abs().le(far) & x[2].abs().le(far) & speed.le(l.splat(f32::MAX));
            let v = [
                sound.select(floor(v[0], tiny, zero), zero),
                sound.select(floor(v[1], tiny, zero), zero),
                sound.select(floor(v[2], tiny, zero), zero),
            ];
            l.store_records([v[0], v[1], v[2], zero], velocity);
            let x = [floor(x[0], tiny, zero), floor(x[1], tiny, zero), floor(x[2], tiny, zero)];
            l.store_records([x[0], x[1], x[2], w], node);
            // The one thing asked here of all lanes at once; its answer decides about bits only where there is a lane that
            // is lost, and then lane by lane.
            let lost = sound.select(zero, l.splat(1.0));
            if tiny.lt(lost).any() {
                let mut lanes = [0.0; LANES];
                l.store(lost, &mut lanes);
                for (lane, lost) in lanes.iter().enumerate() {
                    if *lost > 0.0 {
                        node[lane] = body[lane];
                        rescued += 1;
                    }
                }
            }
        }
        rescued
    }
}

#[inline(always)]
fn floor<F: crate::simd::Floats>(x: F, tiny: F, zero: F) -> F {
    x.abs().lt(tiny).select(zero, x)
}

/// Fills a report with where the step ended.
#[inline(never)]
pub(super) fn measure(state: &State, pass: &Pass, report: &mut StepReport) {
    let rows = state.model.header().stretch;
    let measured = pass.level.run(Measure {
        model: &state.model,
        nodes: state.fields.nodes,
        velocities: bytemuck::cast_slice(state.fields.velocities),
    });
    report.max_strain = measured.max_strain;
    report.mean_strain = if rows > 0 { measured.strain / real::from_count(rows) } else { 0.0 };
    report.max_speed = sqrt(measured.max_square);
    report.kinetic_energy = 0.5 * measured.energy;
}

/// 1 − (v/still)², v being the root of the mean square velocity, and not below 0.
pub(super) fn stillness(state: &State, input: &super::StepInput) -> f32 {
    let fields = &state.fields;
    let measured = input.level.run(Moving {
        velocities: bytemuck::cast_slice(fields.velocities),
        bodies: bytemuck::cast_slice(fields.bodies),
    });
    let still = input.constants.still;
    real::max(1.0 - measured / (state.model.header().mass * still * still), 0.0)
}

/// Σ m·v² of the free particles (J).
struct Moving<'a> {
    velocities: &'a [Record],
    bodies: &'a [Record],
}

impl Kernel for Moving<'_> {
    type Output = f32;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> f32 {
        let zero = l.splat(0.0);
        let mut energy = zero;
        let both = self.velocities.as_chunks::<LANES>().0.iter().zip(self.bodies.as_chunks::<LANES>().0);
        for (velocity, body) in both {
            let [u, v, t, _] = l.load_records(velocity);
            let [_, _, _, w] = l.load_records(body);
            energy = energy + zero.lt(w).select(dot::<L>([u, v, t], [u, v, t]) / w, zero);
        }
        total(l, energy)
    }
}

struct Measure<'a> {
    model: &'a Model<'a>,
    nodes: &'a [Record],
    velocities: &'a [Record],
}

struct Measured {
    max_strain: f32,
    strain: f32,
    max_square: f32,
    energy: f32,
}

impl Kernel for Measure<'_> {
    type Output = Measured;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Measured {
        let zero = l.splat(0.0);
        let (mut most, mut sum) = (zero, zero);
        for ([a, b], row) in self.model.stretch_ends().iter().zip(self.model.stretch_groups()) {
            let [ax, ay, az, _] = a.gather(l, self.nodes);
            let [bx, by, bz, _] = b.gather(l, self.nodes);
            let long = length(l, difference::<L>([bx, by, bz], [ax, ay, az]));
            // Inert lanes have no inertia.
            let there = zero.lt(l.load(&row.inertia));
            let strain = ((long - l.load(&row.rest)) * l.load(&row.inverse_rest)).abs();
            let strain = there.select(strain, zero);
            most = strain.max(most);
            sum = sum + strain;
        }
        let (mut fastest, mut energy) = (zero, zero);
        let velocities = self.velocities.as_chunks::<LANES>().0.iter().zip(self.nodes.as_chunks::<LANES>().0);
        for (velocity, node) in velocities {
            let [u, v, t, _] = l.load_records(velocity);
            let [_, _, _, w] = l.load_records(node);
            let square = dot::<L>([u, v, t], [u, v, t]);
            fastest = square.max(fastest);
            energy = energy + zero.lt(w).select(square / w, zero);
        }
        Measured {
            max_strain: largest(l, most),
            strain: total(l, sum),
            max_square: largest(l, fastest),
            energy: total(l, energy),
        }
    }
}

/// The largest of eight lanes.
#[inline(always)]
fn largest<L: Lanes>(l: L, lanes: L::F) -> f32 {
    let mut out = [0.0; LANES];
    l.store(lanes, &mut out);
    out.iter().fold(0.0, |most, lane| real::max(*lane, most))
}

/// The sum of eight lanes in the order of [`TreeSum`].
#[inline(always)]
fn total<L: Lanes>(l: L, lanes: L::F) -> f32 {
    let mut out = [0.0; LANES];
    l.store(lanes, &mut out);
    let mut sum = TreeSum::new();
    for lane in out {
        sum.push(lane);
    }
    sum.finish()
}
