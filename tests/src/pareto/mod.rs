//! The experiment bench: any solver of cloth on the same scenes, by the same figures.
//!
//! A [`Candidate`] makes [`Simulation`]s of workloads; the scenes film them, and what a film shows is compared with the
//! exact motion of [`crate::truth`] or with bounds that need no solver. Nothing a candidate says about itself counts.

pub mod endurance;
pub mod fall;
mod film;
pub mod momentum;
pub mod pendulum;
mod product;
pub mod rest;
pub mod runner;
pub mod size;
pub mod skirt;
pub mod soft;
pub mod sphere;
mod stillness;
mod vertex;

pub use film::{Film, Stretch, kinetic};
pub use product::Product;
pub use stillness::Stillness;
pub use vertex::VertexSolver;

use crate::candidates;
use crate::workload::{Collider, Spec, Workload};
use anyhow::Result;
use cloth_core::Block;
use glam::DVec3;

/// A vertex and where it is to be (m).
pub type Goal = (u32, DVec3);

/// One cloth being simulated by one candidate.
pub trait Simulation {
    /// One frame of the workload's fixed step; held vertices among the goals go there in a straight line.
    ///
    /// # Errors
    ///
    /// What the candidate objects to.
    fn step(&mut self, goals: &[Goal]) -> Result<()>;

    /// Positions in vertex order (m).
    fn positions(&self) -> Vec<DVec3>;

    /// Velocities in vertex order (m/s).
    fn velocities(&self) -> Vec<DVec3>;

    /// Puts a vertex somewhere with a velocity.
    ///
    /// # Errors
    ///
    /// What the candidate objects to.
    fn place(&mut self, vertex: u32, x: DVec3, v: DVec3) -> Result<()>;

    /// Holds a vertex, which the next step takes to `x` (m).
    ///
    /// # Errors
    ///
    /// What the candidate objects to.
    fn hold(&mut self, vertex: u32, x: DVec3) -> Result<()>;

    /// Lets a vertex go.
    ///
    /// # Errors
    ///
    /// What the candidate objects to.
    fn release(&mut self, vertex: u32) -> Result<()>;

    /// Adds a fixed collider; `false` from a candidate that has none.
    ///
    /// # Errors
    ///
    /// What the candidate objects to.
    fn add_collider(&mut self, collider: Collider) -> Result<bool> {
        let _ = collider;
        Ok(false)
    }
}

/// A solver with its settings.
pub trait Candidate: Sync {
    /// Its name in the table, budget included; `measure` finds it again by this.
    fn name(&self) -> String;

    /// The scene as this candidate wants it: its budget, its constants, with or without tethers.
    fn prepare(&self, spec: Spec) -> Spec {
        spec
    }

    /// A simulation of a prepared workload at rest in its rest pose. One that keeps its state in blocks keeps
    /// it in `memory`.
    ///
    /// # Errors
    ///
    /// A workload the candidate can't simulate.
    fn start<'w>(
        &self,
        workload: &'w Workload,
        memory: &'w mut Vec<Block>,
    ) -> Result<Box<dyn Simulation + 'w>>;

    /// The same solver with that many substeps: what it converges to where no exact answer is known.
    fn refined(&self, substeps: u32) -> Box<dyn Candidate>;
}

/// All candidates of the table, the product first.
pub fn candidates() -> Vec<Box<dyn Candidate>> {
    let mut all: Vec<Box<dyn Candidate>> =
        vec![Box::new(Product::library()), Box::new(Product { tethers: false, ..Product::library() })];
    all.extend(VertexSolver::both().map(|solver| Box::new(solver) as Box<dyn Candidate>));
    all.extend(candidates::family().into_iter().map(|solver| Box::new(solver) as Box<dyn Candidate>));
    all
}
