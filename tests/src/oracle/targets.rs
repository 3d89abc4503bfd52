//! Moving targets, and held particles with them, through the substeps of a step.

use super::cloth::Fields;
use super::net::Net;
use cloth_core::Vec3;
use cloth_core::math::real;

/// The share of the way that is left which a substep covers, with `left` substeps to go, this one included.
/// The last covers all of it, and then the end is written instead of computed.
fn towards(from: Vec3, to: Vec3, left: u32) -> Vec3 {
    if left <= 1 {
        return to;
    }
    let share = 1.0 / real::from_count(left);
    from + (to - from) * share
}

/// Notes where the substep begins, advances every target by one substep, and takes the held particles along.
///
/// A held particle goes in a straight line from where it is to where its target will be at the end of the
/// step, so one that was just taken from elsewhere arrives with the others.
pub(super) fn advance(net: &Net, fields: &mut Fields, targets: &[(u32, Vec3)], left: u32) {
    let mut ends = fields.targets.clone();
    for &(vertex, position) in targets {
        ends[net.particle_of[vertex as usize]] = position;
    }
    fields.before.copy_from_slice(&fields.positions);
    for (particle, end) in ends.into_iter().enumerate() {
        fields.targets[particle] = towards(fields.targets[particle], end, left);
        if fields.is_held(particle) {
            fields.positions[particle] = towards(fields.positions[particle], end, left);
        }
    }
}
