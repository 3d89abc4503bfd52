//! The vertex solver: the oracle of the record's tables.
//!
//! The record (SOLVER, M§2–M§12) was measured on vertex block descent (Chen, Liu, Yang and Yuksel, SIGGRAPH 2024)
//! with augmented-Lagrangian hard rows (Giles, Diaz and Yuksel, SIGGRAPH 2025), every vertex system scaled by h²/m
//! so that its mass term is the identity: a hard row's penalty is a pure number then, and no exact pivot is below 1.
//! Here it is once more as plain scalar code on vectors, so that those tables can be printed whatever the product's
//! step is. It is built from a workload's geometry and owes nothing to a model's layout: rows, colours, slots and
//! state are its own, and of core it uses the arithmetic and what an author sets.
//!
//! | pass | module | what |
//! |---|---|---|
//! | begin | here | where the step begins; rows whose bound an author moved start cold |
//! | for each substep: | | |
//! | targets | `targets` | targets move linearly; held particles go along and are on them at the end |
//! | predict | `predict` | inertial targets y and the adaptive start |
//! | aggregates | `aggregates` | an improvement on the record, off by default |
//! | warm start | `dual` | multipliers keep a share |
//! | for each iteration: | | |
//! | sweep | `sweep`, `vertex` | every free particle goes to the minimum of its own model of the energy |
//! | dual update | `dual` | λ ← clamp(k·C + λ) |
//! | contact | `contact` | particles go out of colliders, if there are any |
//! | velocity | `velocity`, `rigid` | v = (x − x₀)/h, damping, velocity limit; `momentum`: another improvement |
//! | guard | `guard` | particles whose arithmetic left the numbers go back to where the step began |
//! | end | `report` | what the step found |

mod aggregates;
mod cloth;
mod colour;
mod contact;
mod dual;
mod geometry;
mod guard;
mod input;
pub(crate) mod laws;
mod momentum;
pub(crate) mod net;
mod numbers;
mod penalty;
mod predict;
pub mod probe;
mod report;
mod rigid;
mod run;
mod sweep;
mod targets;
mod velocity;
mod vertex;

pub use cloth::VertexCloth;
pub use input::{Constants, Improvements, OracleInput};
pub use report::OracleReport;
pub use run::VertexRun;

use cloth::Fields;
use net::Net;
use numbers::Numbers;
use probe::{Blind, Probe};

/// What every pass of a step reads besides the cloth.
struct Pass<'a> {
    input: &'a OracleInput<'a>,
    numbers: Numbers,
    /// Largest penalty of a soft row over its effective inertia (1).
    soft_ratio: f32,
}

impl VertexCloth {
    /// Advances the cloth by one step.
    ///
    /// # Panics
    ///
    /// Where a target names a vertex that is not there.
    pub fn step(&mut self, input: &OracleInput<'_>) -> OracleReport {
        self.step_probed(input, &mut Blind)
    }

    /// [`step`](Self::step) with a probe that sees every vertex update.
    ///
    /// # Panics
    ///
    /// Where a target names a vertex that is not there.
    pub fn step_probed<P: Probe>(&mut self, input: &OracleInput<'_>, probe: &mut P) -> OracleReport {
        let soft_ratio = if P::SOFT_LIMIT { penalty::MAX_SOFT_RATIO } else { f32::INFINITY };
        let pass = Pass { input, numbers: Numbers::new(input, self.net.shortest_row), soft_ratio };
        let Self { net, aggregates, fields } = self;
        begin(net, fields, &pass);
        let mut rescued = 0;
        for left in (1..=input.substeps).rev() {
            targets::advance(net, fields, input.targets, left);
            predict::predict(net, fields, &pass);
            if input.improvements.aggregates {
                aggregates.pull(net, fields);
            }
            dual::warm_start(net, fields, &pass);
            for _ in 0..input.iterations {
                sweep::sweep(net, fields, &pass, probe);
                dual::update(net, fields, &pass);
            }
            contact::resolve(fields, input.colliders);
            velocity::velocity(net, fields, &pass);
            rescued += guard::restore_marked(net, fields);
        }
        OracleReport { rescued, ..report::measure(net, fields) }
    }
}

/// Remembers where the step began, and starts rows cold whose bounds an author moved.
fn begin(net: &Net, fields: &mut Fields, pass: &Pass<'_>) {
    fields.start.copy_from_slice(&fields.positions);
    let slack = pass.numbers.slack.unwrap_or(cloth::NO_LEASH);
    if slack.to_bits() != fields.slack.to_bits() {
        fields.reset_leashes(net, slack);
    }
    let allowance = pass.numbers.allowance.unwrap_or(cloth::NO_STRAIN_LIMIT);
    if allowance.to_bits() != fields.allowance.to_bits() {
        fields.reset_strain(net, allowance);
    }
}
