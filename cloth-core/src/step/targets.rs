//! Where a step begins and ends, and where targets are in between.

use super::predict::{load, store};
use super::{Pass, Target, Targets};
use crate::index::{at, put};
use crate::model::record::LANES;
use crate::simd::{Kernel, Lanes};
use crate::state::State;
use crate::state::layout::{Node, Padded, Record, Vectors};

/// Puts the particles into the nodes and notes where the targets will be at the end of the step.
pub(super) fn begin(state: &mut State, pass: &Pass) {
    let model = state.model;
    let fields = &mut state.fields;
    pass.level.run(Unpack {
        nodes: fields.nodes,
        motion: fields.motion,
        bodies: bytemuck::cast_slice(fields.bodies),
        velocities: bytemuck::cast_slice(fields.velocities),
    });
    let targets = pass.input.targets;
    for (end, target) in fields.ends.iter_mut().zip(fields.targets.iter()) {
        *end = bytemuck::cast(*target);
    }
    match targets {
        Targets::Keep => {}
        Targets::All(positions) => {
            for (end, vertex) in fields.ends.iter_mut().zip(model.source_of()) {
                *end = record(at(positions, *vertex));
            }
        }
        Targets::Listed(list) => {
            for Target { vertex, position } in list {
                put(fields.ends, at(model.particle_of(), *vertex), record(*position));
            }
        }
    }
}

fn record([x, y, z]: [f32; 3]) -> Record {
    [x, y, z, 0.0]
}

struct Unpack<'a> {
    nodes: &'a mut [Node],
    motion: &'a mut [Vectors],
    bodies: &'a [Record],
    velocities: &'a [Record],
}

impl Kernel for Unpack<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        for (node, body) in self.nodes.iter_mut().zip(self.bodies) {
            *node = [*body; 2];
        }
        for (motion, velocities) in self.motion.iter_mut().zip(self.velocities.as_chunks::<LANES>().0) {
            for l in l.parts() {
                let [u, v, t, _] = l.load_records(velocities);
                store(l, [u, v, t], motion);
            }
        }
    }
}

/// Takes the particles out of the nodes, and the targets to where they end.
pub(super) fn end(state: &mut State, pass: &Pass) {
    let fields = &mut state.fields;
    pass.level.run(Pack {
        nodes: fields.nodes,
        motion: fields.motion,
        bodies: bytemuck::cast_slice_mut(fields.bodies),
        velocities: bytemuck::cast_slice_mut(fields.velocities),
    });
    for (target, [x, y, z, _]) in fields.targets.iter_mut().zip(fields.ends.iter()) {
        *target = Padded { value: [*x, *y, *z], pad: 0 };
    }
}

struct Pack<'a> {
    nodes: &'a [Node],
    motion: &'a [Vectors],
    bodies: &'a mut [Record],
    velocities: &'a mut [Record],
}

impl Kernel for Pack<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        for ([now, _], body) in self.nodes.iter().zip(self.bodies) {
            *body = *now;
        }
        for (motion, velocities) in self.motion.iter().zip(self.velocities.as_chunks_mut::<LANES>().0) {
            for l in l.parts() {
                let [u, v, t] = load(l, motion);
                l.store_records([u, v, t, l.splat(0.0)], velocities);
            }
        }
    }
}
