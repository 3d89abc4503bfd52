//! A cloth stepped by a pairwise solver.

use super::net::Net;
use super::settings::Pairwise;
use crate::pareto::{Goal, Simulation};
use crate::workload::{Collider, Workload, wide};
use anyhow::Result;
use glam::DVec3;

/// What a second-order velocity remembers.
pub(super) struct History {
    /// x₋₁ (m).
    pub positions: Vec<DVec3>,
    /// v₋₁ (m/s).
    pub velocities: Vec<DVec3>,
}

/// Everything about a cloth.
pub(super) struct Cloth {
    pub settings: Pairwise,
    pub net: Net,
    /// Inverse masses now (1/kg): zero where held.
    pub inverse: Vec<f64>,
    /// The same of the aggregates of each level; zero where any member is held.
    pub level_inverse: Vec<Vec<f64>>,
    /// Where held particles are at the end of the frame (m).
    pub ends: Vec<DVec3>,
    pub positions: Vec<DVec3>,
    pub velocities: Vec<DVec3>,
    /// Positions when the substep began (m).
    pub before: Vec<DVec3>,
    /// Positions when the frame began (m).
    pub start: Vec<DVec3>,
    /// Accelerations of the predictor (m/s²).
    pub accelerations: Vec<DVec3>,
    /// Force each row carries (N).
    pub tensions: Vec<f64>,
    /// λ of the soft rows within a substep (kg·m).
    pub impulses: Vec<f64>,
    /// What the next substep may be of second order with.
    pub history: Option<History>,
    pub colliders: Vec<Collider>,
    /// Which particles a collider moved in the last substep.
    pub touching: Vec<bool>,
    pub gravity: DVec3,
    /// Bend stiffness (N·m).
    pub bend: f64,
    pub damping: f64,
    dt: f64,
}

impl Cloth {
    pub(super) fn new(workload: &Workload, settings: Pairwise) -> Self {
        let net = Net::new(workload);
        let spec = &workload.spec;
        let free = |(&mass, &pinned): (&f64, &bool)| if pinned { 0.0 } else { 1.0 / mass };
        let count = net.masses.len();
        Self {
            inverse: net.masses.iter().zip(&net.pinned).map(free).collect(),
            level_inverse: Vec::new(),
            ends: net.rest.clone(),
            positions: net.rest.clone(),
            velocities: vec![DVec3::ZERO; count],
            before: net.rest.clone(),
            start: net.rest.clone(),
            accelerations: vec![DVec3::ZERO; count],
            tensions: vec![0.0; net.rows.len()],
            impulses: vec![0.0; net.rows.len()],
            history: None,
            colliders: Vec::new(),
            touching: vec![false; count],
            gravity: wide(spec.gravity),
            bend: spec.dynamics.bend.into(),
            damping: spec.dynamics.damping.into(),
            dt: spec.dt.into(),
            settings,
            net,
        }
    }

    pub(super) fn is_held(&self, particle: usize) -> bool {
        self.inverse[particle] <= 0.0
    }

    /// One substep, `left` to go with this one.
    fn substep(&mut self, h: f64, left: f64) {
        let history = self.history.take();
        // What a unit of acceleration moves in a substep (s²).
        let h2 = if history.is_some() { 4.0 / 9.0 * h * h } else { h * h };
        self.predict(h, h2, left, history.as_ref());
        if self.settings.bounds {
            self.bound();
        }
        self.sweep(h2);
        self.tether();
        self.touch();
        self.finish(h, history.as_ref());
    }

    /// Puts particles out of the colliders and notes which.
    fn touch(&mut self) {
        self.touching.fill(false);
        for collider in &self.colliders {
            for i in 0..self.positions.len() {
                if self.inverse[i] > 0.0
                    && let Some(out) = collider.resolved(self.before[i], self.positions[i])
                {
                    self.positions[i] = out;
                    self.touching[i] = true;
                }
            }
        }
    }
}

impl Simulation for Cloth {
    fn step(&mut self, goals: &[Goal]) -> Result<()> {
        for &(vertex, x) in goals {
            self.ends[vertex as usize] = x;
        }
        self.start.clone_from(&self.positions);
        self.weigh();
        let substeps = self.settings.substeps;
        let h = self.dt / f64::from(substeps);
        for left in (1..=substeps).rev() {
            self.substep(h, f64::from(left));
        }
        Ok(())
    }

    fn positions(&self) -> Vec<DVec3> {
        self.positions.clone()
    }

    fn velocities(&self) -> Vec<DVec3> {
        self.velocities.clone()
    }

    fn place(&mut self, vertex: u32, x: DVec3, v: DVec3) -> Result<()> {
        let particle = vertex as usize;
        (self.positions[particle], self.velocities[particle]) = (x, v);
        self.history = None;
        Ok(())
    }

    fn hold(&mut self, vertex: u32, x: DVec3) -> Result<()> {
        let particle = vertex as usize;
        (self.inverse[particle], self.ends[particle]) = (0.0, x);
        self.history = None;
        Ok(())
    }

    fn release(&mut self, vertex: u32) -> Result<()> {
        let particle = vertex as usize;
        self.inverse[particle] = 1.0 / self.net.masses[particle];
        self.history = None;
        Ok(())
    }

    fn add_collider(&mut self, collider: Collider) -> Result<bool> {
        self.colliders.push(collider);
        Ok(true)
    }
}
