//! One particle's system: the force on it and its Hessian, both scaled by h²/m.

use super::cloth::{Fields, leash_length};
use super::laws::{self, Span};
use super::net::Net;
use super::{Pass, penalty};
use cloth_core::Vec3;
use cloth_core::math::real;
use cloth_core::math::solve::Sym3;

/// f and H of one particle. With the mass term as the identity, H − I is positive semidefinite.
#[derive(Clone, Copy)]
pub(super) struct System {
    pub force: Vec3,
    pub hessian: Sym3,
}

impl System {
    /// The mass term: pulls `x` to its inertial target `y`.
    fn inertia(x: Vec3, y: Vec3) -> Self {
        let hessian = Sym3 { xx: 1.0, xy: 0.0, xz: 0.0, yy: 1.0, yz: 0.0, zz: 1.0 };
        Self { force: y - x, hessian }
    }

    /// Adds force −pull·g and Hessian along·ggᵀ + across·(I − ggᵀ).
    fn add(&mut self, g: Vec3, pull: f32, along: f32, across: f32) {
        self.force -= g * pull;
        let rank_one = along - across;
        let v = g * rank_one;
        let h = &mut self.hessian;
        h.xx += v.x * g.x + across;
        h.xy += v.x * g.y;
        h.xz += v.x * g.z;
        h.yy += v.y * g.y + across;
        h.yz += v.y * g.z;
        h.zz += v.z * g.z + across;
    }

    /// A distance row with force `pull` and penalty `stiffness`. In tension its direction turns under the
    /// force, which is the positive semidefinite half of the geometric stiffness, (F/L)·(I − ggᵀ); without it
    /// an update overshoots sideways. The compressive half is dropped: that only shortens the update.
    fn add_distance(&mut self, span: Span, pull: f32, stiffness: f32) {
        self.add(span.direction, pull, stiffness, real::max(pull, 0.0) * span.inverse);
    }

    /// A distance row that only pulls: nothing at all while it is short of its reference.
    fn add_pull(&mut self, span: Span, reference: f32, stiffness: f32) {
        let pull = stiffness * penalty::pull(span.length, reference);
        if pull > 0.0 {
            self.add_distance(span, pull, stiffness);
        }
    }
}

/// Positions of a hinge's particles.
pub(super) fn corners(particles: [usize; 4], fields: &Fields) -> [Vec3; 4] {
    particles.map(|particle| fields.positions[particle])
}

/// The system of a free particle at its present position.
pub(super) fn system(net: &Net, fields: &Fields, pass: &Pass<'_>, particle: usize) -> System {
    let numbers = &pass.numbers;
    let ratio = pass.input.constants.penalty_ratio;
    let x = fields.positions[particle];
    let own = fields.inv_masses[particle];
    let mut system = System::inertia(x, fields.inertial[particle]);

    for slot in &net.stretch_of[particle] {
        let row = &net.stretch[slot.row];
        let other = fields.inv_masses[slot.other];
        let span = laws::span(fields.positions[slot.other], x);
        let hard = penalty::hard(ratio, own, other);
        let k = if row.is_hard() {
            hard
        } else {
            penalty::soft(row.stiffness * numbers.h2, pass.soft_ratio, own, other)
        };
        system.add_distance(span, k * (span.length - fields.stretch[slot.row]), k);
        if numbers.allowance.is_some() {
            system.add_pull(span, fields.strain[slot.row], hard);
        }
    }
    if numbers.skip > 0.0 {
        for slot in &net.skip_of[particle] {
            let span = laws::span(fields.positions[slot.other], x);
            let other = fields.inv_masses[slot.other];
            let k = penalty::soft(numbers.skip, penalty::MAX_BEND_RATIO, own, other);
            system.add_distance(span, k * (span.length - net.skip[slot.row].rest), k);
        }
    }
    if numbers.bend > 0.0 {
        for slot in &net.hinges_of[particle] {
            let row = &net.hinges[slot.row];
            let c = row.c[slot.corner];
            let law = laws::curvature(row, &corners(row.p, fields));
            let k = penalty::bend(numbers.bend, row.inertia, row.scale) * own;
            let curvature = k * c * c * law.bound;
            system.force -= law.excess * (k * c);
            system.hessian.xx += curvature;
            system.hessian.yy += curvature;
            system.hessian.zz += curvature;
        }
    }
    // A tether's and a leash's other end has no inverse mass, so their penalty is the ratio itself.
    if let Some(anchor) = fields.tether_anchor(net, particle) {
        system.add_pull(laws::span(anchor, x), fields.tether[particle], ratio);
    }
    if leash_length(net, numbers.slack, particle).is_some() {
        system.add_pull(laws::span(fields.targets[particle], x), fields.leash[particle], ratio);
    }
    system
}
