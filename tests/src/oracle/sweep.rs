//! One Gauss–Seidel sweep over the free particles, colour by colour.

use super::Pass;
use super::cloth::Fields;
use super::net::Net;
use super::probe::{Probe, Update};
use super::vertex::{self, System};
use cloth_core::Vec3;
use cloth_core::math::{solve, sqrt};

/// Smallest pivot of a scaled system: exact ones are at least 1, so the floor touches rounding only.
const PIVOT_FLOOR: f32 = 1.0;

/// Moves every free particle to the minimum of its own model of the energy. Particles of one colour share
/// no row, so their order does not matter; they are stored colour by colour.
pub(super) fn sweep<P: Probe>(net: &Net, fields: &mut Fields, pass: &Pass<'_>, probe: &mut P) {
    for particle in 0..net.count() {
        if !fields.is_held(particle) {
            update(net, fields, pass, particle, probe);
        }
    }
}

/// One particle's update: a full Newton step, no longer than the shortest row that touches the particle,
/// which is as far as "the direction to a neighbour" means anything, and no longer than stiff rows let it go
/// sideways.
fn update<P: Probe>(net: &Net, fields: &mut Fields, pass: &Pass<'_>, particle: usize, probe: &mut P) {
    let system = vertex::system(net, fields, pass, particle);
    let floor = if P::PIVOT_FLOOR { PIVOT_FLOOR } else { f32::NEG_INFINITY };
    let solution = solve::ldlt_solve(&system.hessian, system.force, floor);
    let row = net.caps[particle];
    let delta = held_sideways(capped(solution.x, row), &system, row);
    let before = fields.positions[particle];
    probe.update(&Update { net, fields, pass, particle, before, delta, pivots: solution.pivots });
    let after = before + delta;
    if after.is_finite() {
        fields.positions[particle] = after;
    } else {
        // Its last finite position stays, so that its neighbours never read anything else.
        fields.marked[particle] = true;
    }
}

/// `delta`, shortened where its fourth order would undo what its second promises.
///
/// Moving by d across a row of length l lengthens it by d²/(2·l), worth k·d⁴/(8·l²), which no derivative at the
/// start knows. The model promises to fall by ½·f·d. With half the shortest rest length for l – cloth is rarely
/// compressed further – and K, the trace of H − I, for k, the climb is kept below half the promise:
/// K·d⁴ ≤ ½·L²·f·d. The exact remedy is the cube root of their ratio; its power 3/8 is a little more.
fn held_sideways(delta: Vec3, system: &System, row: f32) -> Vec3 {
    let h = &system.hessian;
    let stiffness = (h.xx + h.yy) + h.zz - 3.0;
    let square = delta.dot(delta);
    let room = 0.5 * row * row;
    // H − I is positive semidefinite, so f·d is at least d²: most updates are let through here.
    if stiffness * square <= room {
        return delta;
    }
    // Quotients of like numbers: a fourth power of a short step would be no normal number.
    let share = (room / (stiffness * square)) * (system.force.dot(delta) / square);
    if share < 1.0 && share > 0.0 {
        let eighth = sqrt(sqrt(sqrt(share)));
        delta * (eighth * eighth * eighth)
    } else {
        delta
    }
}

/// `delta`, shortened to `longest`.
fn capped(delta: Vec3, longest: f32) -> Vec3 {
    let square = delta.dot(delta);
    if square > longest * longest { delta * (longest / sqrt(square)) } else { delta }
}
