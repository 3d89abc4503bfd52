//! One particle's system: the force on it and its Hessian, both scaled by h²/m.

use super::Pass;
use crate::Vec3;
use crate::index::at;
use crate::math::real;
use crate::math::solve::Sym3;
use crate::model::Model;
use crate::row::distance::{self, Span};
use crate::row::{bend, leash, skip, stretch, tether};
use crate::state::fields::Fields;
use crate::state::is_held;
use crate::state::layout::Body;

/// f and H of one particle. With the mass term as the identity, H − I is positive semidefinite.
#[derive(Clone, Copy)]
pub(crate) struct System {
    pub force: Vec3,
    pub hessian: Sym3,
}

impl System {
    /// The mass term: pulls `x` to its inertial target `y`.
    #[inline(always)]
    fn inertia(x: Vec3, y: Vec3) -> Self {
        let hessian = Sym3 { xx: 1.0, xy: 0.0, xz: 0.0, yy: 1.0, yz: 0.0, zz: 1.0 };
        Self { force: y - x, hessian }
    }

    /// Adds force −pull·g and Hessian along·ggᵀ + across·(I − ggᵀ).
    #[inline(always)]
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
    #[inline(always)]
    fn add_distance(&mut self, span: Span, pull: f32, stiffness: f32) {
        self.add(span.direction, pull, stiffness, real::max(pull, 0.0) * span.inverse);
    }

    /// A distance row that only pulls: nothing at all while it is short of its reference.
    #[inline(always)]
    fn add_pull(&mut self, span: Span, reference: f32, stiffness: f32) {
        let pull = stiffness * distance::pull(span.length, reference);
        if pull > 0.0 {
            self.add_distance(span, pull, stiffness);
        }
    }
}

/// Where a particle's tether is tied, if it has one and its pin is held.
#[inline(always)]
pub(crate) fn tether_anchor(model: &Model, bodies: &[Body], particle: u32) -> Option<Vec3> {
    let reach = at(model.reach(), particle);
    tether::length(reach)?;
    let pin = at(bodies, reach.pin);
    is_held(pin).then(|| Vec3::from_array(pin.position))
}

/// The length of a particle's slack leash, if leashes can bind and the particle has a pin to be near to.
#[inline(always)]
pub(crate) fn leash_length(model: &Model, slack: Option<f32>, particle: u32) -> Option<f32> {
    let geodesic = at(model.reach(), particle).geodesic;
    let slack = slack?;
    (geodesic > 0.0).then(|| leash::radius(slack, geodesic))
}

/// Positions of a hinge's particles.
#[inline(always)]
pub(crate) fn corners(particles: [u32; 4], bodies: &[Body]) -> [Vec3; 4] {
    particles.map(|particle| Vec3::from_array(at(bodies, particle).position))
}

/// The system of a free particle at its present position.
#[inline(always)]
pub(crate) fn system(model: &Model, fields: &Fields, pass: &Pass, particle: u32, body: Body) -> System {
    let numbers = &pass.numbers;
    let ratio = pass.input.constants.penalty_ratio;
    let bodies = &*fields.bodies;
    let x = Vec3::from_array(body.position);
    let own = body.inv_mass;
    let mut system = System::inertia(x, Vec3::from_array(at(fields.inertial, particle).value));

    for slot in model.stretch_of(particle) {
        let row = at(model.stretch_rows(), slot.row);
        let other = at(bodies, slot.other);
        let span = distance::span(Vec3::from_array(other.position), x);
        let hard = stretch::hard_penalty(ratio, own, other.inv_mass);
        let k = if stretch::is_hard(&row) {
            hard
        } else {
            stretch::soft_penalty(row.stiffness * numbers.h2, pass.soft_ratio, own, other.inv_mass)
        };
        system.add_distance(span, k * (span.length - at(fields.stretch, slot.row)), k);
        if numbers.allowance.is_some() {
            system.add_pull(span, at(fields.strain, slot.row), hard);
        }
    }
    if numbers.skip > 0.0 {
        for slot in model.skip_of(particle) {
            let row = at(model.skip_rows(), slot.row);
            let other = at(bodies, slot.other);
            let span = distance::span(Vec3::from_array(other.position), x);
            let k = skip::penalty(numbers.skip, own, other.inv_mass);
            system.add_distance(span, k * (span.length - row.rest), k);
        }
    }
    if numbers.bend > 0.0 {
        for slot in model.hinges_of(particle) {
            let row = at(model.hinge_rows(), slot.row);
            let c = at(&row.c, slot.corner);
            let law = bend::curvature(&row, &corners(row.p, bodies));
            let k = bend::stiffness(&row, numbers.bend) * own;
            let curvature = k * c * c * law.bound;
            system.force -= law.excess * (k * c);
            system.hessian.xx += curvature;
            system.hessian.yy += curvature;
            system.hessian.zz += curvature;
        }
    }
    // A tether's and a leash's other end has no inverse mass, so their penalty is the ratio itself.
    if let Some(anchor) = tether_anchor(model, bodies, particle) {
        system.add_pull(distance::span(anchor, x), at(fields.tether, particle), ratio);
    }
    if leash_length(model, numbers.slack, particle).is_some() {
        let target = Vec3::from_array(at(fields.targets, particle).value);
        system.add_pull(distance::span(target, x), at(fields.leash, particle), ratio);
    }
    system
}
