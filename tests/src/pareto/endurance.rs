//! What nobody should author and somebody will.

use super::Candidate;
use crate::physics;
use crate::random::Random;
use crate::workload::absurd::{self, Event};
use crate::workload::{hostile, narrow, wide};
use anyhow::Result;

/// How many of some cloths a candidate got through.
#[derive(Clone, Copy, Debug, Default)]
pub struct Survival {
    /// Those in which every number stayed one, and inside the bound where there is one.
    pub survived: u32,
    /// All.
    pub of: u32,
}

impl Survival {
    fn count(&mut self, survived: bool) {
        self.survived += u32::from(survived);
        self.of += 1;
    }
}

/// A hard row's residual at small budgets, as the measurement `hostile` has it.
const REACH: f64 = 1.1;
/// Absurd cloths tried, and frames of each.
const CLOTHS: u64 = 100;
const FRAMES: u32 = 100;

/// The regimes of the measurement `hostile`: finite, and, where a substep's motion is within an update's power, no
/// particle farther from its pin than 1.1 times the way there.
///
/// # Errors
///
/// What the candidate objects to.
pub fn survives_hostile(candidate: &dyn Candidate) -> Result<Survival> {
    let mut survival = Survival::default();
    for regime in hostile::regimes() {
        let workload = candidate.prepare(regime.spec).build()?;
        let geodesics = workload.geodesics();
        let mut memory = Vec::new();
        let mut simulation = candidate.start(&workload, &mut memory)?;
        if regime.thrown > 0.0 {
            let mut random = Random::new(6);
            for (vertex, x) in (0..).zip(simulation.positions()) {
                if !workload.spec.pins.contains(&vertex) {
                    let way = wide(random.vector(1.0)).normalize();
                    simulation.place(vertex, x, way * regime.thrown)?;
                }
            }
        }
        let mut fine = true;
        for _ in 0..regime.frames {
            simulation.step(&[])?;
            let positions = simulation.positions();
            fine &= physics::finite(&positions) && physics::finite(&simulation.velocities());
            fine &= !regime.mastered || physics::reach(&workload, &geodesics, &positions) <= REACH;
        }
        survival.count(fine);
    }
    Ok(survival)
}

/// Absurd cloths and what happens to them: every number stays one.
///
/// # Errors
///
/// What the candidate objects to.
pub fn survives_absurd(candidate: &dyn Candidate) -> Result<Survival> {
    let mut survival = Survival::default();
    for number in 0..CLOTHS {
        let (spec, mut random) = absurd::cloth(number);
        let workload = candidate.prepare(spec).build()?;
        let mut memory = Vec::new();
        let mut simulation = candidate.start(&workload, &mut memory)?;
        let mut fine = true;
        for _ in 0..FRAMES {
            let (vertex, event) = absurd::draw(&mut random, &workload.spec);
            if fine && let Some(event) = event {
                let here = simulation.positions()[vertex as usize];
                match event {
                    Event::Throw(by, v) => simulation.place(vertex, wide(narrow(here) + by), wide(v))?,
                    Event::Hold(by) => simulation.hold(vertex, wide(narrow(here) + by))?,
                    Event::Release => simulation.release(vertex)?,
                }
            }
            simulation.step(&[])?;
            fine &= physics::finite(&simulation.positions()) && physics::finite(&simulation.velocities());
        }
        survival.count(fine);
    }
    Ok(survival)
}
