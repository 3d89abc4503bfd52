//! The recorded vertex solver as a candidate, plain and improved.

use super::{Candidate, Goal, Simulation};
use crate::oracle::{Improvements, VertexRun};
use crate::workload::{Collider, Spec, Workload, narrow};
use anyhow::Result;
use cloth_core::{Block, Vec3};
use glam::DVec3;

/// The solver of [`crate::oracle`] and its budget.
#[derive(Clone, Copy, Debug)]
pub struct VertexSolver {
    /// Substeps and sweeps.
    pub budget: (u32, u32),
    /// What improves on the record.
    pub improvements: Improvements,
}

impl VertexSolver {
    /// The record's, and with aggregates and half of the velocity from forces.
    pub fn both() -> [Self; 2] {
        let improvements = Improvements { aggregates: true, from_forces: 0.5 };
        [
            Self { budget: (2, 4), improvements: Improvements::default() },
            Self { budget: (4, 2), improvements },
        ]
    }
}

impl Candidate for VertexSolver {
    fn name(&self) -> String {
        let (substeps, sweeps) = self.budget;
        let improved = if self.improvements == Improvements::default() { "" } else { ", improved" };
        format!("vertex solver{improved} {substeps}×{sweeps}")
    }

    fn prepare(&self, spec: Spec) -> Spec {
        spec.budget(self.budget.0, self.budget.1)
    }

    fn start<'w>(&self, workload: &'w Workload, _: &'w mut Vec<Block>) -> Result<Box<dyn Simulation + 'w>> {
        Ok(Box::new(VertexRun::new(workload).improved(self.improvements)))
    }

    fn refined(&self, substeps: u32) -> Box<dyn Candidate> {
        Box::new(Self { budget: (substeps, self.budget.1), ..*self })
    }
}

impl Simulation for VertexRun<'_> {
    fn step(&mut self, goals: &[Goal]) -> Result<()> {
        let targets: Vec<(u32, Vec3)> = goals.iter().map(|&(vertex, x)| (vertex, narrow(x))).collect();
        self.step_to(&targets);
        Ok(())
    }

    fn positions(&self) -> Vec<DVec3> {
        VertexRun::positions(self)
    }

    fn velocities(&self) -> Vec<DVec3> {
        VertexRun::velocities(self)
    }

    fn place(&mut self, vertex: u32, x: DVec3, v: DVec3) -> Result<()> {
        self.cloth.place(vertex, narrow(x), narrow(v));
        Ok(())
    }

    fn hold(&mut self, vertex: u32, x: DVec3) -> Result<()> {
        self.cloth.hold(vertex, narrow(x));
        Ok(())
    }

    fn release(&mut self, vertex: u32) -> Result<()> {
        self.cloth.release(vertex);
        Ok(())
    }

    fn add_collider(&mut self, collider: Collider) -> Result<bool> {
        self.colliders.push(collider);
        Ok(true)
    }
}
