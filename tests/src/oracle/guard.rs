//! The non-finite guard: no NaN leaves a step, and nothing that could make one in the next.

use super::cloth::{Fields, MAX_POSITION, is_within};
use super::laws;
use super::net::Net;
use cloth_core::Vec3;

/// Puts every marked particle back to where the step began, or to its target where that is not finite
/// either, at rest and with its multipliers at zero. Returns how many there were.
pub(super) fn restore_marked(net: &Net, fields: &mut Fields) -> u32 {
    let mut rescued = 0;
    for particle in 0..net.count() {
        if fields.marked[particle] {
            restore(net, fields, particle);
            rescued += 1;
        }
    }
    rescued
}

fn restore(net: &Net, fields: &mut Fields, particle: usize) {
    let start = fields.start[particle];
    let inside = is_within(start, MAX_POSITION);
    fields.positions[particle] = if inside { start } else { fields.targets[particle] };
    fields.velocities[particle] = Vec3::ZERO;
    for slot in &net.stretch_of[particle] {
        let rest = net.stretch[slot.row].rest;
        fields.stretch[slot.row] = rest;
        fields.strain[slot.row] = laws::strain_limit(rest, fields.allowance);
    }
    let geodesic = net.ties[particle].geodesic;
    fields.tether[particle] = geodesic;
    fields.leash[particle] = laws::leash_radius(fields.slack, geodesic);
}
