//! Contact with fixed colliders, after the sweeps of a substep.

use super::cloth::Fields;
use crate::workload::{Collider, narrow, wide};

/// Puts free particles out of the colliders and notes which. Their velocities are position differences: what a collider did
/// is no force of a row.
pub(super) fn resolve(fields: &mut Fields, colliders: &[Collider]) {
    fields.touching.fill(false);
    for collider in colliders {
        for particle in 0..fields.positions.len() {
            if fields.is_held(particle) {
                continue;
            }
            let (before, x) = (wide(fields.before[particle]), wide(fields.positions[particle]));
            let out = collider.resolved(before, x);
            if let Some(out) = out {
                fields.positions[particle] = narrow(out);
                fields.touching[particle] = true;
            }
        }
    }
}
