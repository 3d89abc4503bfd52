//! The oracle's cloth: what it is made of and where it is.

use super::aggregates::Aggregates;
use super::laws;
use super::net::Net;
use crate::workload::Workload;
use cloth_core::Vec3;
use cloth_core::math::real;

/// Farthest a particle may be along an axis (m). What gets further is lost, and the guard brings it back.
pub(super) const MAX_POSITION: f32 = 1.0e9;
/// Fastest a particle may be, held ones included (m/s).
pub(super) const MAX_SPEED: f32 = 1.0e9;
/// `Fields::allowance` while strain-limit rows are off: no dial reaches it.
pub(super) const NO_STRAIN_LIMIT: f32 = 1.0;
/// `Fields::slack` at which leashes cannot bind.
pub(super) const NO_LEASH: f32 = 1.0;

/// A cloth stepped by the vertex solver. Callers speak of source vertices in their own order.
#[derive(Clone, Debug)]
pub struct VertexCloth {
    pub(super) net: Net,
    pub(super) aggregates: Aggregates,
    pub(super) fields: Fields,
}

/// Everything a step changes, one entry a particle where nothing else is said.
#[derive(Clone, Debug)]
pub(super) struct Fields {
    /// Positions, cloth-local (m).
    pub positions: Vec<Vec3>,
    /// Inverse masses (1/kg); 0 while a particle is held.
    pub inv_masses: Vec<f32>,
    /// Velocities (m/s).
    pub velocities: Vec<Vec3>,
    /// Where a held particle goes, and what a slack leash is tied to (m).
    pub targets: Vec<Vec3>,
    /// Reference lengths R = rest − λ/k of the stretch rows (m), one a row.
    pub stretch: Vec<f32>,
    /// The same of the strain-limit rows.
    pub strain: Vec<f32>,
    /// The same of the tethers, one a particle.
    pub tether: Vec<f32>,
    /// The same of the slack leashes, one a particle.
    pub leash: Vec<f32>,
    /// `ClothDynamics::slack` the leash references belong to, or [`NO_LEASH`].
    pub slack: f32,
    /// Strain allowance the strain-limit references belong to, or [`NO_STRAIN_LIMIT`].
    pub allowance: f32,
    /// Mass-weighted mean velocity of the free particles after the last substep (m/s), once there was one.
    pub mean_velocity: Option<Vec3>,
    /// Inertial targets of the substep (m).
    pub inertial: Vec<Vec3>,
    /// What the guard has taken in this substep.
    pub marked: Vec<bool>,
    /// What a collider has moved in this substep.
    pub touching: Vec<bool>,
    /// Positions at the start of the substep (m).
    pub before: Vec<Vec3>,
    /// Positions at the start of the step (m).
    pub start: Vec<Vec3>,
}

impl VertexCloth {
    /// A workload's rest pose at rest, its pins held where they are. Its budget and constants are not read.
    pub fn new(workload: &Workload) -> Self {
        let net = Net::new(workload);
        let count = net.count();
        let masses = net.masses.iter().zip(&net.ties);
        let mut fields = Fields {
            positions: net.rest.clone(),
            inv_masses: masses.map(|(mass, tie)| if tie.pinned { 0.0 } else { 1.0 / mass }).collect(),
            velocities: vec![Vec3::ZERO; count],
            targets: net.rest.clone(),
            stretch: net.stretch.iter().map(|row| row.rest).collect(),
            strain: vec![0.0; net.stretch.len()],
            tether: net.ties.iter().map(|tie| tie.geodesic).collect(),
            leash: vec![0.0; count],
            slack: NO_LEASH,
            allowance: NO_STRAIN_LIMIT,
            mean_velocity: None,
            inertial: vec![Vec3::ZERO; count],
            marked: vec![false; count],
            touching: vec![false; count],
            before: vec![Vec3::ZERO; count],
            start: vec![Vec3::ZERO; count],
        };
        fields.reset_strain(&net, NO_STRAIN_LIMIT);
        fields.reset_leashes(&net, NO_LEASH);
        Self { aggregates: Aggregates::new(&net), net, fields }
    }

    /// Positions in source order, cloth-local (m), shape (sources).
    pub fn positions(&self) -> impl Iterator<Item = Vec3> + '_ {
        self.net.particle_of.iter().map(|&particle| self.fields.positions[particle])
    }

    /// Velocities in source order, cloth-local (m/s), shape (sources).
    pub fn velocities(&self) -> impl Iterator<Item = Vec3> + '_ {
        self.net.particle_of.iter().map(|&particle| self.fields.velocities[particle])
    }

    /// Position of one vertex, cloth-local (m).
    ///
    /// # Panics
    ///
    /// Without such a vertex, as all of the following.
    pub fn position(&self, vertex: u32) -> Vec3 {
        self.fields.positions[self.particle(vertex)]
    }

    /// Whether a vertex is held.
    pub fn is_held(&self, vertex: u32) -> bool {
        self.fields.is_held(self.particle(vertex))
    }

    /// Puts a vertex at a position with a velocity at once, without a step.
    pub fn place(&mut self, vertex: u32, position: Vec3, velocity: Vec3) {
        let particle = self.particle(vertex);
        self.fields.positions[particle] = position;
        self.fields.velocities[particle] = velocity;
    }

    /// Holds a vertex: the next step takes it in a straight line from where it is to `target`, and it stays there
    /// (or follows the targets) until it is let go. Holding a held vertex moves its target.
    pub fn hold(&mut self, vertex: u32, target: Vec3) {
        let particle = self.particle(vertex);
        self.fields.inv_masses[particle] = 0.0;
        self.fields.targets[particle] = target;
    }

    /// Lets a vertex go with the velocity it has; a build-time pin takes its tethers with it. Letting go of
    /// a free vertex does nothing.
    pub fn release(&mut self, vertex: u32) {
        let particle = self.particle(vertex);
        self.fields.inv_masses[particle] = 1.0 / self.net.masses[particle];
    }

    fn particle(&self, vertex: u32) -> usize {
        self.net.particle_of[vertex as usize]
    }
}

impl Fields {
    /// Whether a particle is held: it then has no inverse mass.
    pub(super) fn is_held(&self, particle: usize) -> bool {
        self.inv_masses[particle] <= 0.0
    }

    /// Whether anything is held.
    pub(super) fn any_held(&self) -> bool {
        self.inv_masses.iter().any(|&inv_mass| inv_mass <= 0.0)
    }

    /// Where a particle's tether is tied, if it has one and its pin is held.
    pub(super) fn tether_anchor(&self, net: &Net, particle: usize) -> Option<Vec3> {
        let tie = &net.ties[particle];
        let pin = tie.pin.filter(|&pin| tie.tethered && self.is_held(pin))?;
        Some(self.positions[pin])
    }

    /// Sets the strain-limit rows to an allowance with zero multipliers.
    pub(super) fn reset_strain(&mut self, net: &Net, allowance: f32) {
        self.allowance = allowance;
        for (row, reference) in net.stretch.iter().zip(&mut self.strain) {
            *reference = laws::strain_limit(row.rest, allowance);
        }
    }

    /// Sets the slack leashes to a slack with zero multipliers.
    pub(super) fn reset_leashes(&mut self, net: &Net, slack: f32) {
        self.slack = slack;
        for (tie, reference) in net.ties.iter().zip(&mut self.leash) {
            *reference = laws::leash_radius(slack, tie.geodesic);
        }
    }
}

/// The length of a particle's slack leash, if leashes can bind and the particle has a pin to be near to.
pub(super) fn leash_length(net: &Net, slack: Option<f32>, particle: usize) -> Option<f32> {
    let geodesic = net.ties[particle].geodesic;
    let slack = slack?;
    (geodesic > 0.0).then(|| laws::leash_radius(slack, geodesic))
}

/// Whether every component is a number of a magnitude up to `largest`.
pub(super) fn is_within(value: Vec3, largest: f32) -> bool {
    value.to_array().iter().all(|component| real::abs(*component) <= largest)
}
