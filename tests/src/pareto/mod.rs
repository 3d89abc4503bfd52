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
mod vertex;
mod xpbd;

pub use film::{Film, Stretch};
pub use product::Product;
pub use vertex::Vertex;
pub use xpbd::Xpbd;

use crate::oracle::Improvements;
use crate::workload::{Spec, Workload};
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

    /// Adds a fixed sphere without friction; `false` from a candidate that has no colliders.
    ///
    /// # Errors
    ///
    /// What the candidate objects to.
    fn add_sphere(&mut self, centre: DVec3, radius: f64) -> Result<bool> {
        let _ = (centre, radius);
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

/// All candidates of the table.
pub fn candidates() -> Vec<Box<dyn Candidate>> {
    let vertex = |budget, from_forces, tethers| {
        Box::new(Vertex { budget, tethers, improvements: Improvements { from_forces, aggregates: true } })
    };
    vec![
        Box::new(Product::library()),
        Box::new(Product { tethers: false, ..Product::library() }),
        Box::new(Product { budget: Some((8, 2)), ..Product::library() }),
        vertex((4, 2), 0.5, false),
        vertex((3, 3), 1.0, false),
        vertex((3, 4), 1.0, true),
        vertex((2, 4), 1.0, true),
        Box::new(Xpbd { substeps: 8, sweeps: 2 }),
    ]
}
