//! The vertex solver as a candidate: the record's, and improved by what goes with its sweeps.

use super::{Candidate, Goal, Simulation};
use crate::oracle::{Improvements, VertexRun};
use crate::workload::{Spec, Workload, narrow};
use anyhow::Result;
use cloth_core::{Block, Vec3};
use glam::DVec3;

/// The oracle with its settings.
#[derive(Clone, Copy, Debug)]
pub struct Vertex {
    /// Substeps and sweeps.
    pub budget: (u32, u32),
    /// Whether tethers are built where the scene has them.
    pub tethers: bool,
    /// What improves on the record.
    pub improvements: Improvements,
}

impl Candidate for Vertex {
    fn name(&self) -> String {
        let Improvements { from_forces, aggregates } = self.improvements;
        let (substeps, sweeps) = self.budget;
        let aggregates = if aggregates { " + aggregates" } else { "" };
        let forces = if from_forces > 0.0 { format!(" + {from_forces} from forces") } else { String::new() };
        let tethers = if self.tethers { "" } else { ", no tethers" };
        format!("vertex {substeps}×{sweeps}{aggregates}{forces}{tethers}")
    }

    fn prepare(&self, spec: Spec) -> Spec {
        let (substeps, sweeps) = self.budget;
        Spec { tethers: spec.tethers && self.tethers, ..spec }.budget(substeps, sweeps)
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
}
