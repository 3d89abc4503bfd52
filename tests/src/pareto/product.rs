//! The product's own step as a candidate.

use super::{Candidate, Goal, Simulation};
use crate::workload::{Run, Spec, Workload, narrow};
use anyhow::Result;
use cloth_core::{Block, SolverConstants, Target, Targets};
use glam::DVec3;

/// The step of `cloth-core`.
#[derive(Clone, Copy, Debug)]
pub struct Product {
    /// Substeps and iterations; the scene's own without.
    pub budget: Option<(u32, u32)>,
    /// Whether tethers are built where the scene has them.
    pub tethers: bool,
    /// Solver constants; the defaults without.
    pub constants: Option<SolverConstants>,
}

impl Product {
    /// As the library has it.
    pub fn library() -> Self {
        Self { budget: None, tethers: true, constants: None }
    }
}

impl Candidate for Product {
    fn name(&self) -> String {
        let budget = self.budget.map_or(String::new(), |(s, n)| format!(" {s}×{n}"));
        format!("product{budget}{}", if self.tethers { "" } else { ", no tethers" })
    }

    fn prepare(&self, spec: Spec) -> Spec {
        let constants = self.constants.unwrap_or(spec.constants);
        let spec = Spec { tethers: spec.tethers && self.tethers, constants, ..spec };
        match self.budget {
            Some((substeps, iterations)) => spec.budget(substeps, iterations),
            None => spec,
        }
    }

    fn start<'w>(
        &self,
        workload: &'w Workload,
        memory: &'w mut Vec<Block>,
    ) -> Result<Box<dyn Simulation + 'w>> {
        *memory = workload.memory();
        Ok(Box::new(workload.start(memory)?))
    }

    fn refined(&self, substeps: u32) -> Box<dyn Candidate> {
        let iterations = self.budget.map_or(cloth_core::library::COTTON.iterations, |(_, n)| n);
        Box::new(Self { budget: Some((substeps, iterations)), ..*self })
    }
}

impl Simulation for Run<'_> {
    fn step(&mut self, goals: &[Goal]) -> Result<()> {
        let targets: Vec<Target> =
            goals.iter().map(|&(vertex, x)| Target { vertex, position: narrow(x).to_array() }).collect();
        self.step_to(Targets::Listed(&targets)).map(drop)
    }

    fn positions(&self) -> Vec<DVec3> {
        Run::positions(self)
    }

    fn velocities(&self) -> Vec<DVec3> {
        Run::velocities(self)
    }

    fn place(&mut self, vertex: u32, x: DVec3, v: DVec3) -> Result<()> {
        Ok(self.state.place(vertex, narrow(x), narrow(v))?)
    }

    fn hold(&mut self, vertex: u32, x: DVec3) -> Result<()> {
        Ok(self.state.hold(vertex, narrow(x))?)
    }

    fn release(&mut self, vertex: u32) -> Result<()> {
        Ok(self.state.release(vertex)?)
    }
}
