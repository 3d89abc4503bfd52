//! The non-finite guard: no NaN leaves a step, and nothing that could make one in the next.

use crate::index::{at, put};
use crate::row::{leash, strain};
use crate::state::fields::Fields;
use crate::state::layout::{Body, MAX_POSITION, Padded};
use crate::state::{State, is_within};

/// Marks a free particle whose arithmetic left the numbers. It is left out of nothing meanwhile: its last finite
/// position stays, so that its neighbours never read anything else.
#[cold]
pub(super) fn mark(fields: &mut Fields, particle: u32) {
    if let Some(inertial) = fields.inertial.get_mut(particle as usize) {
        inertial.mark = 1;
    }
}

/// Puts every marked particle back to where the step began, or to its target where that is not finite
/// either, at rest and with its multipliers at zero. Returns how many there were.
pub(super) fn restore_marked(state: &mut State) -> u32 {
    let mut rescued = 0;
    for particle in 0..state.model.particle_count() {
        if at(state.fields.inertial, particle).mark != 0 {
            restore(state, particle);
            rescued += 1;
        }
    }
    rescued
}

#[cold]
fn restore(state: &mut State, particle: u32) {
    let model = state.model;
    let fields = &mut state.fields;
    let start = at(fields.start, particle).value;
    let position = if is_within(start, MAX_POSITION) { start } else { at(fields.targets, particle).value };
    let inv_mass = at(fields.bodies, particle).inv_mass;
    put(fields.bodies, particle, Body { position, inv_mass });
    put(fields.velocities, particle, Padded::default());
    for slot in model.stretch_of(particle) {
        let rest = at(model.stretch_rows(), slot.row).rest;
        put(fields.stretch, slot.row, rest);
        put(fields.strain, slot.row, strain::limit(rest, fields.header.allowance));
    }
    let geodesic = at(model.reach(), particle).geodesic;
    put(fields.tether, particle, geodesic);
    put(fields.leash, particle, leash::radius(fields.header.slack, geodesic));
}
