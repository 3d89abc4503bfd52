//! Moving targets, and held particles with them, through the substeps of a step.

use super::{Target, Targets};
use crate::index::{at, put};
use crate::state::layout::Padded;
use crate::state::{State, is_held};

/// The share of the way that is left which a substep covers, with `left` substeps to go, this one included.
/// The last covers all of it, and then the end is written instead of computed.
fn towards(from: [f32; 3], to: [f32; 3], left: u32) -> [f32; 3] {
    if left <= 1 {
        return to;
    }
    // At most 64 substeps: exact.
    let share = 1.0 / f32::from(u16::try_from(left).unwrap_or(u16::MAX));
    let [[x0, y0, z0], [x1, y1, z1]] = [from, to];
    [x0 + (x1 - x0) * share, y0 + (y1 - y0) * share, z0 + (z1 - z0) * share]
}

/// Notes where the substep begins, advances every target by one substep, and takes the held particles along.
///
/// A held particle goes in a straight line from where it is to where its target will be at the end of the
/// step, so one that was just taken from elsewhere arrives with the others.
pub(super) fn advance(state: &mut State, targets: Targets, left: u32) {
    let model = state.model;
    let fields = &mut state.fields;
    // The inertial targets are not computed yet: their memory serves as the list of ends.
    let ends = &mut *fields.inertial;
    for (end, target) in ends.iter_mut().zip(fields.targets.iter()) {
        *end = *target;
    }
    match targets {
        Targets::Keep => {}
        Targets::All(positions) => {
            for (end, vertex) in ends.iter_mut().zip(model.source_of()) {
                end.value = at(positions, *vertex);
            }
        }
        Targets::Listed(list) => {
            for Target { vertex, position } in list {
                put(ends, at(model.particle_of(), *vertex), Padded { value: *position, mark: 0 });
            }
        }
    }
    let targets = fields.targets.iter_mut().zip(ends.iter());
    let bodies = fields.bodies.iter_mut().zip(fields.before.iter_mut());
    for ((target, end), (body, before)) in targets.zip(bodies) {
        target.value = towards(target.value, end.value, left);
        before.value = body.position;
        if is_held(*body) {
            body.position = towards(body.position, end.value, left);
        }
    }
}
