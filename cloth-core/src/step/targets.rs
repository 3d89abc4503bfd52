//! Where a step begins and ends, and where targets are in between.

use super::{Target, Targets};
use crate::index::{at, put};
use crate::state::State;
use crate::state::layout::{Padded, Record};

/// Puts the particles into the nodes and notes where the targets will be at the end of the step.
pub(super) fn begin(state: &mut State, targets: Targets) {
    let model = state.model;
    let fields = &mut state.fields;
    for (node, body) in fields.nodes.iter_mut().zip(fields.bodies.iter()) {
        *node = bytemuck::cast(*body);
    }
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

/// Notes where the particles are when a substep begins.
pub(super) fn begin_substep(state: &mut State) {
    let fields = &mut state.fields;
    let particles = fields.bodies.len();
    for (before, node) in fields.before.iter_mut().zip(fields.nodes.iter()).take(particles) {
        *before = *node;
    }
}

/// Takes the particles out of the nodes, and the targets to where they end.
pub(super) fn end(state: &mut State) {
    let fields = &mut state.fields;
    for (body, node) in fields.bodies.iter_mut().zip(fields.nodes.iter()) {
        *body = bytemuck::cast(*node);
    }
    for (target, [x, y, z, _]) in fields.targets.iter_mut().zip(fields.ends.iter()) {
        *target = Padded { value: [*x, *y, *z], pad: 0 };
    }
}
