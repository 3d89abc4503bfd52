//! A workload stepped by the oracle.

use super::probe::Probe;
use super::{Constants, Improvements, OracleInput, OracleReport, VertexCloth};
use crate::physics::{self, Energy};
use crate::workload::absurd::Event;
use crate::workload::{Collider, Workload, wide};
use cloth_core::Vec3;
use glam::DVec3;

/// What [`Run`](crate::workload::Run) is for the product's step.
pub struct VertexRun<'w> {
    /// What runs.
    pub workload: &'w Workload,
    /// Its cloth.
    pub cloth: VertexCloth,
    /// The solver's constants.
    pub constants: Constants,
    /// What improves on the recorded solver.
    pub improvements: Improvements,
    /// What is in its way.
    pub colliders: Vec<Collider>,
}

impl<'w> VertexRun<'w> {
    /// The workload at rest in its rest pose.
    pub fn new(workload: &'w Workload) -> Self {
        let cloth = VertexCloth::new(workload);
        let improvements = Improvements::default();
        Self { workload, cloth, constants: Constants::default(), improvements, colliders: Vec::new() }
    }

    /// With other constants.
    pub fn constants(self, constants: Constants) -> Self {
        Self { constants, ..self }
    }

    /// With improvements.
    pub fn improved(self, improvements: Improvements) -> Self {
        Self { improvements, ..self }
    }

    /// One frame.
    pub fn step(&mut self) -> OracleReport {
        self.step_to(&[])
    }

    /// One frame with targets, as [`OracleInput::targets`] has them.
    pub fn step_to(&mut self, targets: &[(u32, Vec3)]) -> OracleReport {
        let (workload, constants, improvements) = (self.workload, self.constants, self.improvements);
        let input = input(workload, constants, improvements);
        self.cloth.step(&OracleInput { targets, colliders: &self.colliders, ..input })
    }

    /// One frame under a probe.
    pub fn step_probed(&mut self, probe: &mut impl Probe) -> OracleReport {
        let (workload, constants, improvements) = (self.workload, self.constants, self.improvements);
        let input = input(workload, constants, improvements);
        self.cloth.step_probed(&OracleInput { colliders: &self.colliders, ..input }, probe)
    }

    /// `frames` frames.
    pub fn steps(&mut self, frames: u32) {
        for _ in 0..frames {
            self.step();
        }
    }

    /// Lets an event of absurd cloth happen, as [`draw`](crate::workload::absurd::draw) gives it.
    pub fn suffer(&mut self, (vertex, event): (u32, Option<Event>)) {
        let here = self.cloth.position(vertex);
        match event {
            Some(Event::Throw(by, velocity)) => self.cloth.place(vertex, here + by, velocity),
            Some(Event::Hold(by)) => self.cloth.hold(vertex, here + by),
            Some(Event::Release) => self.cloth.release(vertex),
            None => {}
        }
    }

    /// Positions in vertex order (m).
    pub fn positions(&self) -> Vec<DVec3> {
        self.cloth.positions().map(wide).collect()
    }

    /// Velocities in vertex order (m/s).
    pub fn velocities(&self) -> Vec<DVec3> {
        self.cloth.velocities().map(wide).collect()
    }

    /// Energies of this moment, as [`physics::energy`] has them.
    pub fn energy(&self) -> Energy {
        let held = |vertex| self.cloth.is_held(vertex);
        physics::energy_of(self.workload, &self.positions(), &self.velocities(), held)
    }
}

/// The input of a step that leaves targets alone, without colliders.
fn input(workload: &Workload, constants: Constants, improvements: Improvements) -> OracleInput<'_> {
    let spec = &workload.spec;
    OracleInput { constants, improvements, ..OracleInput::new(spec.dt, spec.gravity, &spec.dynamics) }
}
