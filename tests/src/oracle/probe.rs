//! Watching single vertex updates. Watching changes no bit; leaving out a safeguard, which only a measurement does,
//! changes what happens.

use super::cloth::{Fields, leash_length};
use super::net::Net;
use super::{Pass, penalty, vertex};
use cloth_core::Vec3;

/// Sees every vertex update before it is applied.
pub trait Probe {
    /// Whether pivots are kept at 1 or above. `false` only to show what happens without.
    const PIVOT_FLOOR: bool = true;
    /// Whether soft rows are limited to what `f32` can carry, 2²⁰ of their effective inertia. `false` only to show
    /// what happens without.
    const SOFT_LIMIT: bool = true;

    /// Called before the particle moves; everything else is where the update saw it.
    fn update(&mut self, update: &Update<'_>);
}

/// Sees nothing: the probe of an ordinary step.
pub(super) struct Blind;

impl Probe for Blind {
    fn update(&mut self, _: &Update<'_>) {}
}

/// One vertex update about to be applied.
pub struct Update<'a> {
    pub(super) net: &'a Net,
    pub(super) fields: &'a Fields,
    pub(super) pass: &'a Pass<'a>,
    pub(super) particle: usize,
    /// Where the particle is (m).
    pub before: Vec3,
    /// What will be added (m), already capped.
    pub delta: Vec3,
    /// Raw pivots of its scaled system, before the floor; each at least 1 in exact arithmetic.
    pub pivots: [f32; 3],
}

/// One row as the particle's energy sees it. Energies are scaled by h²/m of the particle, so that its
/// inertia is ½·‖x − y‖² (m²).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Term {
    /// ½·stiffness·(‖x − other‖ − reference)²; zero below the reference where `pull` is set.
    Distance {
        /// The other end (m).
        other: Vec3,
        /// Scaled stiffness (1).
        stiffness: f32,
        /// Reference length (m).
        reference: f32,
        /// Only pulls.
        pull: bool,
    },
    /// ½·stiffness·(s − rest)², s the signed length of Σ c_i x_i.
    Bend {
        /// The hinge's particles (m), this one included.
        corners: [Vec3; 4],
        /// Which of them this is.
        own: usize,
        /// Stencil coefficients (1).
        c: [f32; 4],
        /// Scaled stiffness (1).
        stiffness: f32,
        /// Rest value (m).
        rest: f32,
    },
}

impl Update<'_> {
    /// The inertial target y (m).
    pub fn inertial(&self) -> Vec3 {
        self.fields.inertial[self.particle]
    }

    /// Calls `each` with every row that acts on the particle.
    pub fn terms(&self, mut each: impl FnMut(Term)) {
        let (net, fields, particle) = (self.net, self.fields, self.particle);
        let numbers = &self.pass.numbers;
        let ratio = self.pass.input.constants.penalty_ratio;
        let own = fields.inv_masses[particle];
        for slot in &net.stretch_of[particle] {
            let row = &net.stretch[slot.row];
            let other = fields.positions[slot.other];
            let far = fields.inv_masses[slot.other];
            let hard = penalty::hard(ratio, own, far);
            let soft = penalty::soft(row.stiffness * numbers.h2, self.pass.soft_ratio, own, far);
            let stiffness = if row.is_hard() { hard } else { soft };
            let reference = fields.stretch[slot.row];
            each(Term::Distance { other, stiffness, reference, pull: false });
            if numbers.allowance.is_some() {
                let reference = fields.strain[slot.row];
                each(Term::Distance { other, stiffness: hard, reference, pull: true });
            }
        }
        for slot in net.skip_of[particle].iter().filter(|_| numbers.skip > 0.0) {
            let far = fields.inv_masses[slot.other];
            let stiffness = penalty::soft(numbers.skip, penalty::MAX_BEND_RATIO, own, far);
            let reference = net.skip[slot.row].rest;
            let other = fields.positions[slot.other];
            each(Term::Distance { other, stiffness, reference, pull: false });
        }
        for slot in net.hinges_of[particle].iter().filter(|_| numbers.bend > 0.0) {
            let row = &net.hinges[slot.row];
            let stiffness = penalty::bend(numbers.bend, row.inertia, row.scale) * own;
            each(Term::Bend {
                corners: vertex::corners(row.p, fields),
                own: slot.corner,
                c: row.c,
                stiffness,
                rest: row.rest,
            });
        }
        if let Some(other) = fields.tether_anchor(net, particle) {
            let reference = fields.tether[particle];
            each(Term::Distance { other, stiffness: ratio, reference, pull: true });
        }
        if leash_length(net, numbers.slack, particle).is_some() {
            let other = fields.targets[particle];
            let reference = fields.leash[particle];
            each(Term::Distance { other, stiffness: ratio, reference, pull: true });
        }
    }
}
