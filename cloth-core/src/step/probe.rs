//! Watching single vertex updates, for this project's own measurements (feature `probe`). Watching changes
//! no bit; leaving out a safeguard, which only a measurement does, changes what happens.

use super::Pass;
use crate::Vec3;
use crate::model::Model;
use crate::state::fields::Fields;

/// Sees every vertex update before it is applied.
pub trait Probe {
    /// Whether pivots are kept at 1 or above. `false` only to show what happens without.
    const PIVOT_FLOOR: bool = true;
    /// Whether soft rows are limited to what `f32` can carry ([`crate::row::stretch::MAX_SOFT_RATIO`]). `false`
    /// only to show what happens without.
    const SOFT_LIMIT: bool = true;

    /// Called before the particle moves; everything else is where the update saw it.
    fn update(&mut self, update: &Update);
}

/// Sees nothing: the probe of an ordinary step.
pub(crate) struct Blind;

impl Probe for Blind {
    #[inline(always)]
    fn update(&mut self, _: &Update) {}
}

/// One vertex update about to be applied.
#[cfg_attr(not(feature = "probe"), expect(dead_code, reason = "read by probes only"))]
pub struct Update<'a> {
    pub(super) model: &'a Model<'a>,
    pub(super) fields: &'a Fields<'a>,
    pub(super) pass: &'a Pass<'a>,
    /// The particle, in internal order.
    pub particle: u32,
    /// Where it is (m).
    pub before: Vec3,
    /// What will be added (m), already capped.
    pub delta: Vec3,
    /// Raw pivots of its scaled system, before the floor; each at least 1 in exact arithmetic.
    pub pivots: [f32; 3],
}

#[cfg(feature = "probe")]
pub use watching::{Term, step_probed};

#[cfg(feature = "probe")]
mod watching {
    use super::super::{StepError, StepInput, StepReport, run, vertex};
    use super::{Probe, Update};
    use crate::Vec3;
    use crate::index::at;
    use crate::row::{bend, skip, stretch};
    use crate::state::State;

    /// [`crate::step()`] with a probe.
    ///
    /// # Errors
    /// Those of [`crate::step()`].
    pub fn step_probed<P: Probe>(
        state: &mut State,
        input: &StepInput,
        probe: &mut P,
    ) -> Result<StepReport, StepError> {
        run(state, input, probe)
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
            Vec3::from_array(at(self.fields.inertial, self.particle).value)
        }

        /// Calls `each` with every row that acts on the particle.
        pub fn terms(&self, mut each: impl FnMut(Term)) {
            let (model, fields, particle) = (self.model, self.fields, self.particle);
            let numbers = &self.pass.numbers;
            let ratio = self.pass.input.constants.penalty_ratio;
            let own = at(fields.bodies, particle).inv_mass;
            for slot in model.stretch_of(particle) {
                let row = at(model.stretch_rows(), slot.row);
                let end = at(fields.bodies, slot.other);
                let other = Vec3::from_array(end.position);
                let hard = stretch::hard_penalty(ratio, own, end.inv_mass);
                let soft = stretch::soft_penalty(
                    row.stiffness * numbers.h2,
                    self.pass.soft_ratio,
                    own,
                    end.inv_mass,
                );
                let stiffness = if stretch::is_hard(&row) { hard } else { soft };
                let reference = at(fields.stretch, slot.row);
                each(Term::Distance { other, stiffness, reference, pull: false });
                if numbers.allowance.is_some() {
                    let reference = at(fields.strain, slot.row);
                    each(Term::Distance { other, stiffness: hard, reference, pull: true });
                }
            }
            for slot in model.skip_of(particle).iter().filter(|_| numbers.skip > 0.0) {
                let end = at(fields.bodies, slot.other);
                let stiffness = skip::penalty(numbers.skip, own, end.inv_mass);
                let reference = at(model.skip_rows(), slot.row).rest;
                let other = Vec3::from_array(end.position);
                each(Term::Distance { other, stiffness, reference, pull: false });
            }
            for slot in model.hinges_of(particle).iter().filter(|_| numbers.bend > 0.0) {
                let row = at(model.hinge_rows(), slot.row);
                each(Term::Bend {
                    corners: vertex::corners(row.p, fields.bodies),
                    own: slot.corner as usize,
                    c: row.c,
                    stiffness: bend::stiffness(&row, numbers.bend) * own,
                    rest: row.rest,
                });
            }
            if let Some(other) = vertex::tether_anchor(model, fields.bodies, particle) {
                let reference = at(fields.tether, particle);
                each(Term::Distance { other, stiffness: ratio, reference, pull: true });
            }
            if vertex::leash_length(model, numbers.slack, particle).is_some() {
                let other = Vec3::from_array(at(fields.targets, particle).value);
                let reference = at(fields.leash, particle);
                each(Term::Distance { other, stiffness: ratio, reference, pull: true });
            }
        }
    }
}
