//! Velocities from positions, damping, the velocity limit, the non-finite guard, and what a report says.

use super::predict::{self, Course, Way, load, store};
use super::{Pass, StepReport, rigid};
use crate::Vec3;
use crate::math::{real, sqrt, sum};
use crate::model::record::{LANES, PairGroup};
use crate::model::{MAX_LENGTH, Model};
use crate::row::pull::{difference, dot, length};
use crate::simd::{Cut, Floats as _, Group, Kernel, Lanes, Mask as _, cut, cut_mut};
use crate::state::fields::Fields;
use crate::state::layout::{Breeze, MAX_POSITION, MAX_SPEED, Node, Record, Vectors};
use crate::state::{State, is_held};

/// What decays ends at zero: below this a component of a velocity (m/s) or position (m) is none. Smaller ones would become
/// denormal numbers, which a host that flushes them would turn into other bits.
const TINY: f32 = 1.0e-30;

/// Fastest a particle leaves a substep (m/s): what a state may hold, less what shortening to it may round up.
pub(super) const FASTEST: f32 = 0.9999 * MAX_SPEED;

/// Farthest a particle may be from the origin of a step along an axis (m).
const FAR: f32 = MAX_POSITION - 2.0 * MAX_LENGTH;

/// v = (x − x₀)/h, damped and limited; then what `course` asks. Returns how many particles the guard put back.
///
/// Damping takes v to max(0, v − d·h·1 cm/s)/(1 + d·h). With any particle held, and in a cloth that lies on what stands still, it
/// acts on the velocity in the cloth's frame. A free cloth keeps its linear and angular motion and is damped in what is left
/// when those are taken out; lying on a wire it would rock for ever.
#[inline(never)]
pub(super) fn velocity(state: &mut State, pass: &Pass, course: Course) -> u32 {
    let numbers = &pass.numbers;
    let model = state.model;
    let fields = &mut state.fields;
    let is_bound = pass.held || pass.rests;
    let (retention, friction) = if is_bound { (numbers.retention, numbers.friction) } else { (1.0, 0.0) };
    let floats_free = !is_bound && numbers.retention < 1.0;
    // In a frame that turns what is damped, and limited, is what is left when that is taken out.
    let turns = is_bound && pass.frame.angular != Vec3::ZERO;
    let (retention, friction, max_speed) =
        if turns { (1.0, 0.0, FASTEST) } else { (retention, friction, numbers.max_speed) };
    let rescued = pass.count(Velocities {
        nodes: fields.nodes,
        bodies: bytemuck::cast_slice(fields.bodies),
        origin: pass.origin,
        motion: fields.motion,
        ahead: fields.ahead,
        pushes: fields.pushes,
        ends: fields.ends,
        breezes: fields.breezes,
        per_h: 1.0 / numbers.h,
        retention,
        friction,
        max_speed,
        course: if floats_free || turns { Course::End } else { course },
    });
    if rescued > 0 {
        // What pulled them out of the numbers may pull again.
        fields.tensions.fill(0.0);
    }
    if turns {
        let centre = -Vec3::from_array(pass.origin);
        let frame = rigid::Motion { centre, linear: Vec3::ZERO, angular: pass.frame.angular };
        damp(fields, &frame, pass, model.particle_count());
    } else if floats_free && let Some(motion) = rigid::motion(&model, fields.nodes, fields.motion) {
        damp(fields, &motion, pass, model.particle_count());
    }
    if floats_free || turns {
        predict::set_out(state, pass, course, 0.0);
    }
    rescued
}

/// Damps what particles do besides a common motion.
fn damp(fields: &mut Fields, motion: &rigid::Motion, pass: &Pass, particles: u32) {
    let numbers = &pass.numbers;
    change(fields, particles, |point, velocity, is_free| {
        if !is_free {
            return velocity;
        }
        let carried = motion.at(point);
        let own = velocity - carried;
        let kept = real::max(1.0 - numbers.friction / real::max(sqrt(own.dot(own)), TINY), 0.0);
        limited(carried + own * (numbers.retention * kept), numbers.max_speed)
    });
}

/// Gives each of the particles another velocity, by where it is, seen from the step's origin, the one it has, and whether it is
/// free.
pub(super) fn change(fields: &mut Fields, particles: u32, to: impl Fn(Vec3, Vec3, bool) -> Vec3) {
    let mut left = particles;
    for (nodes, [u, v, t]) in fields.nodes.as_chunks::<LANES>().0.iter().zip(fields.motion.iter_mut()) {
        for ((([[x, y, z, w], _], u), v), t) in nodes.iter().zip(u).zip(v).zip(t) {
            if left == 0 {
                // Behind the last particle inert nodes stand still.
                return;
            }
            left -= 1;
            let value = to(Vec3::new(*x, *y, *z), Vec3::new(*u, *v, *t), *w > 0.0);
            [*u, *v, *t] = value.to_array().map(floored);
        }
    }
}

/// A component of a velocity, or zero where it is too small to be one.
fn floored(component: f32) -> f32 {
    if real::abs(component) < TINY { 0.0 } else { component }
}

/// A velocity, shortened to a speed.
pub(super) fn limited(velocity: Vec3, max_speed: f32) -> Vec3 {
    let square = velocity.dot(velocity);
    if square > max_speed * max_speed { velocity * (max_speed / sqrt(square)) } else { velocity }
}

struct Velocities<'a> {
    nodes: &'a mut [Node],
    bodies: &'a [Record],
    origin: [f32; 3],
    motion: &'a mut [Vectors],
    ahead: &'a mut [Record],
    pushes: &'a [Vectors],
    ends: &'a [Record],
    breezes: &'a [Breeze],
    per_h: f32,
    retention: f32,
    friction: f32,
    max_speed: f32,
    course: Course,
}

impl Kernel for Velocities<'_> {
    type Output = u32;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> u32 {
        let (zero, one, tiny) = (l.splat(0.0), l.splat(1.0), l.splat(TINY));
        let mut rescued = 0;
        let nodes = self.nodes.as_chunks_mut::<LANES>().0.iter_mut().zip(self.bodies.as_chunks::<LANES>().0);
        let ahead = self.motion.iter_mut().zip(self.ahead.as_chunks_mut::<LANES>().0);
        let rest = self.pushes.iter().zip(self.ends.as_chunks::<LANES>().0).zip(self.breezes);
        for (((nodes, body), (motion, ahead)), ((pushes, ends), breeze)) in nodes.zip(ahead).zip(rest) {
            for l in l.looped_parts() {
                let [x, y, z, w] = l.load_nth(0, nodes);
                let [u, v, t, _] = l.load_nth(1, nodes);
                let moved = difference::<L>([x, y, z], [u, v, t]);
                let per_h = l.splat(self.per_h);
                let v = [moved[0] * per_h, moved[1] * per_h, moved[2] * per_h];
                let square = dot::<L>(v, v);
                let free = zero.lt(w);
                // A held particle has the velocity of its way, up to what a state may hold.
                let mut factor = free.select(l.splat(self.retention), one);
                if self.friction > 0.0 || l.splat(self.max_speed * self.max_speed).lt(square).any() {
                    let speed = square.root().max(tiny);
                    let kept = (one - l.splat(self.friction) / speed).max(zero) * l.splat(self.retention);
                    let most = free.select(l.splat(self.max_speed), l.splat(FASTEST)) / speed;
                    factor = free.select(kept, one).min(most);
                }
                let mut v =
                    [floor(v[0] * factor, tiny), floor(v[1] * factor, tiny), floor(v[2] * factor, tiny)];
                // False for a NaN too: no NaN leaves a substep, nor anything that could make one in the next.
                let far = l.splat(FAR);
                let sound =
                    x.abs().le(far) & y.abs().le(far) & z.abs().le(far) & square.le(l.splat(f32::MAX));
                let mut x = [floor(x, tiny), floor(y, tiny), floor(z, tiny)];
                if !sound.all() {
                    let [bx, by, bz, _] = l.load_records(body);
                    let origin = [l.splat(self.origin[0]), l.splat(self.origin[1]), l.splat(self.origin[2])];
                    let [bx, by, bz] = difference::<L>([bx, by, bz], origin);
                    x = [sound.select(x[0], bx), sound.select(x[1], by), sound.select(x[2], bz)];
                    v = [sound.keep(v[0]), sound.keep(v[1]), sound.keep(v[2])];
                    let mut lanes = [0.0; LANES];
                    l.store(sound.select(zero, one), &mut lanes);
                    for lost in lanes {
                        rescued += u32::from(lost > 0.0);
                    }
                }
                store(l, v, motion);
                let way = Way { nodes: &mut *nodes, ahead: &mut *ahead, pushes, ends, breeze, notes: true };
                way.go(l, self.course, x, w, v);
            }
        }
        rescued
    }
}

impl Cut for Velocities<'_> {
    fn groups(&self) -> usize {
        self.motion.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (nodes, other_nodes) = cut_mut(self.nodes, at * LANES);
        let (bodies, other_bodies) = cut(self.bodies, at * LANES);
        let (motion, other_motion) = cut_mut(self.motion, at);
        let (ahead, other_ahead) = cut_mut(self.ahead, at * LANES);
        let ((pushes, other_pushes), (ends, other_ends)) = (cut(self.pushes, at), cut(self.ends, at * LANES));
        let (breezes, other_breezes) = cut(self.breezes, at);
        (
            Self { nodes, bodies, motion, ahead, pushes, ends, breezes, ..self },
            Self {
                nodes: other_nodes,
                bodies: other_bodies,
                motion: other_motion,
                ahead: other_ahead,
                pushes: other_pushes,
                ends: other_ends,
                breezes: other_breezes,
                ..self
            },
        )
    }
}

#[inline(always)]
fn floor<F: crate::simd::Floats>(x: F, tiny: F) -> F {
    tiny.le(x.abs()).keep(x)
}

/// Fills a report with where the step ended.
#[inline(never)]
pub(super) fn measure(state: &State, pass: &Pass, report: &mut StepReport) {
    let rows = state.model.header().stretch;
    let measured = pass.level.run(Measure {
        model: &state.model,
        nodes: state.fields.nodes,
        motion: state.fields.motion,
    });
    report.max_strain = measured.max_strain;
    report.mean_strain = if rows > 0 { measured.strain / real::from_count(rows) } else { 0.0 };
    report.max_speed = sqrt(measured.max_square);
    report.kinetic_energy = 0.5 * measured.energy;
}

/// (v/still)², v being the root of the mean square velocity and `still` so many shortest rows a second.
pub(super) fn motion(state: &State, input: &super::StepInput) -> f32 {
    let mut energy = sum::TreeSum::new();
    let moving = state.fields.bodies.iter().zip(state.fields.velocities.iter());
    for ((body, velocity), particle) in moving.zip(state.model.particles()) {
        let velocity = Vec3::from_array(velocity.value);
        energy.push(if is_held(*body) { 0.0 } else { particle.mass * velocity.dot(velocity) });
    }
    let still = input.constants.still * state.model.shortest_row();
    energy.finish() / (state.model.header().mass * still * still)
}

/// |L − rest|/rest of stretch rows as they are (1); 0 in inert lanes.
#[inline(always)]
pub(super) fn strain<L: Lanes>(l: L, [a, b]: [Group; 2], row: &PairGroup, nodes: &[Node]) -> L::F {
    let [ax, ay, az, _] = a.gather_nth(l, 0, nodes);
    let [bx, by, bz, _] = b.gather_nth(l, 0, nodes);
    let long = length(l, difference::<L>([bx, by, bz], [ax, ay, az]));
    // Inert lanes have no inertia.
    let there = l.splat(0.0).lt(l.load(&row.inertia));
    there.keep(((long - l.load(&row.rest)) * l.load(&row.inverse_rest)).abs())
}

struct Measure<'a> {
    model: &'a Model<'a>,
    nodes: &'a [Node],
    motion: &'a [Vectors],
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
        let none = Measured { max_strain: 0.0, strain: 0.0, max_square: 0.0, energy: 0.0 };
        if !self.model.stretch_ends().fit(self.nodes.len()) {
            return none;
        }
        let mut strains = [[0.0; LANES]; 2];
        let mut motions = [[0.0; LANES]; 2];
        for l in l.parts() {
            let (mut most, mut sum) = (zero, zero);
            for ([a, b], row) in self.model.stretch_ends().iter().zip(self.model.stretch_groups()) {
                let strain = strain(l, [a, b], row, self.nodes);
                most = strain.max(most);
                sum = sum + strain;
            }
            l.store(most, &mut strains[0]);
            l.store(sum, &mut strains[1]);
            let (mut fastest, mut energy) = (zero, zero);
            for (motion, nodes) in self.motion.iter().zip(self.nodes.as_chunks::<LANES>().0) {
                let v = load(l, motion);
                let w = l.collect(|lane| nodes[lane & 7][0][3]);
                let square = dot::<L>(v, v);
                fastest = square.max(fastest);
                energy = energy + zero.lt(w).keep(square / w);
            }
            l.store(fastest, &mut motions[0]);
            l.store(energy, &mut motions[1]);
        }
        Measured {
            max_strain: largest(strains[0]),
            strain: sum::sum(strains[1]),
            max_square: largest(motions[0]),
            energy: sum::sum(motions[1]),
        }
    }
}

/// The largest of eight lanes.
pub(super) fn largest(lanes: [f32; LANES]) -> f32 {
    lanes.iter().fold(0.0, |most, lane| real::max(*lane, most))
}
