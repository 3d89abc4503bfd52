//! Where a step begins and ends, and where targets are in between.
//!
//! A step computes relative to an origin near the cloth. A velocity is a difference of positions over a substep, and so has
//! an error of their last digit over h, which adds up like a random walk: five metres from the origin a free fall of a
//! second would leave a turn of 2e-3 rad/s, which nothing caused.

use super::predict::{load, store};
use super::{Pass, StepInput, Target, Targets};
use crate::index::{at, put};
use crate::math::real;
use crate::model::MAX_LENGTH;
use crate::model::record::LANES;
use crate::simd::{Cut, Kernel, Lanes, cut, cut_mut};
use crate::state::layout::{Body, Node, Padded, Record, Vectors};
use crate::state::{State, is_held};

/// Puts the particles into the nodes and notes where the targets will be at the end of the step.
pub(super) fn begin(state: &mut State, pass: &Pass) {
    let model = state.model;
    let fields = &mut state.fields;
    pass.run(Unpack {
        nodes: fields.nodes,
        motion: fields.motion,
        bodies: fields.bodies,
        particles: model.particle_count() as usize,
        origin: pass.origin,
        velocities: bytemuck::cast_slice(fields.velocities),
    });
    // Inert nodes are at zero and stay there: they also stand for what no aggregate moved.
    let particles = model.particle_count() as usize;
    for end in fields.ends.iter_mut().skip(particles) {
        *end = [0.0; 4];
    }
    let inert = particles..model.header().particle_nodes() as usize;
    fields.nodes.get_mut(inert).unwrap_or(&mut []).fill([[0.0; 4]; 2]);
    for (end, target) in fields.ends.iter_mut().zip(fields.targets.iter()).take(particles) {
        *end = from(target.value, pass.origin);
    }
    match pass.input.targets {
        Targets::Keep => {}
        Targets::All(positions) => {
            for (end, vertex) in fields.ends.iter_mut().zip(model.source_of()) {
                *end = from(at(positions, *vertex), pass.origin);
            }
        }
        Targets::Listed(list) => {
            for Target { vertex, position } in list {
                put(fields.ends, at(model.particle_of(), *vertex), from(*position, pass.origin));
            }
        }
    }
}

/// The origin of a step: the first particle's position, to eight binary digits, so that most differences from it are exact.
pub(super) fn origin(state: &State) -> [f32; 3] {
    let [x, y, z] = at(state.fields.bodies, 0).position;
    [x, y, z]
        .map(|x| if real::abs(x) <= MAX_LENGTH { f32::from_bits(x.to_bits() & 0xffff_0000) } else { 0.0 })
}

/// A position, seen from an origin.
pub(super) fn from([x, y, z]: [f32; 3], [u, v, t]: [f32; 3]) -> Record {
    [x - u, y - v, z - t, 0.0]
}

struct Unpack<'a> {
    nodes: &'a mut [Node],
    motion: &'a mut [Vectors],
    bodies: &'a [Body],
    particles: usize,
    origin: [f32; 3],
    velocities: &'a [Record],
}

impl Kernel for Unpack<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        for (node, body) in self.nodes.iter_mut().zip(self.bodies).take(self.particles) {
            let [x, y, z, _] = from(body.position, self.origin);
            *node = [[x, y, z, body.inv_mass]; 2];
        }
        for (motion, velocities) in self.motion.iter_mut().zip(self.velocities.as_chunks::<LANES>().0) {
            for l in l.parts() {
                let [u, v, t, _] = l.load_records(velocities);
                store(l, [u, v, t], motion);
            }
        }
    }
}

/// Takes the particles out of the nodes, and the targets to where they end, with the held particles exactly on them.
pub(super) fn end(state: &mut State, pass: &Pass) {
    take(state, pass.input);
    let model = state.model;
    let fields = &mut state.fields;
    pass.run(Pack {
        nodes: fields.nodes,
        motion: fields.motion,
        bodies: fields.bodies,
        targets: fields.targets,
        particles: model.particle_count() as usize,
        origin: pass.origin,
        velocities: bytemuck::cast_slice_mut(fields.velocities),
    });
}

/// Takes the targets to where they end.
pub(super) fn take(state: &mut State, input: &StepInput) {
    let model = state.model;
    let fields = &mut state.fields;
    match input.targets {
        Targets::Keep => {}
        Targets::All(positions) => {
            for (target, vertex) in fields.targets.iter_mut().zip(model.source_of()) {
                target.value = at(positions, *vertex);
            }
        }
        Targets::Listed(list) => {
            for Target { vertex, position } in list {
                put(fields.targets, at(model.particle_of(), *vertex), Padded { value: *position, pad: 0 });
            }
        }
    }
}

struct Pack<'a> {
    nodes: &'a [Node],
    motion: &'a [Vectors],
    bodies: &'a mut [Body],
    targets: &'a [Padded],
    particles: usize,
    origin: [f32; 3],
    velocities: &'a mut [Record],
}

impl Kernel for Pack<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let [u, v, t] = self.origin;
        let ends = self.nodes.iter().zip(self.targets).take(self.particles);
        for (([[x, y, z, _], _], target), body) in ends.zip(self.bodies) {
            body.position = if is_held(*body) { target.value } else { [x + u, y + v, z + t] };
        }
        for (motion, velocities) in self.motion.iter().zip(self.velocities.as_chunks_mut::<LANES>().0) {
            for l in l.parts() {
                let [u, v, t] = load(l, motion);
                l.store_records([u, v, t, l.splat(0.0)], velocities);
            }
        }
    }
}

impl Cut for Unpack<'_> {
    fn groups(&self) -> usize {
        self.motion.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (motion, other_motion) = cut_mut(self.motion, at);
        let at = at * LANES;
        let ((nodes, other_nodes), (bodies, other_bodies)) = (cut_mut(self.nodes, at), cut(self.bodies, at));
        let (velocities, others) = cut(self.velocities, at);
        let particles = self.particles.min(at);
        (
            Self { nodes, motion, bodies, particles, velocities, ..self },
            Self {
                nodes: other_nodes,
                motion: other_motion,
                bodies: other_bodies,
                particles: self.particles - particles,
                velocities: others,
                ..self
            },
        )
    }
}

impl Cut for Pack<'_> {
    fn groups(&self) -> usize {
        self.motion.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (motion, other_motion) = cut(self.motion, at);
        let at = at * LANES;
        let ((nodes, other_nodes), (bodies, other_bodies)) = (cut(self.nodes, at), cut_mut(self.bodies, at));
        let ((targets, other_targets), (velocities, others)) =
            (cut(self.targets, at), cut_mut(self.velocities, at));
        let particles = self.particles.min(at);
        (
            Self { nodes, motion, bodies, targets, particles, velocities, ..self },
            Self {
                nodes: other_nodes,
                motion: other_motion,
                bodies: other_bodies,
                targets: other_targets,
                particles: self.particles - particles,
                velocities: others,
                ..self
            },
        )
    }
}
