//! What a cloth has to say about its last step.

use cloth_core::anchor::Teleport;
use cloth_core::{StepError, StepReport};

/// How a cloth is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClothDiagnostics {
    /// Steps since it was seeded.
    pub steps: u64,
    /// Largest |L − L₀|/L₀ over its stretch rows: what the solver left, of its last step that was computed (1).
    pub max_strain: f32,
    /// Mean of the same (1).
    pub mean_strain: f32,
    /// Largest speed of a particle, relative to the anchor (m/s).
    pub max_speed: f32,
    /// Kinetic energy, relative to the anchor (J).
    pub kinetic_energy: f32,
    /// Substeps that were taken; 0 of a cloth that sleeps.
    pub substeps: u32,
    /// Colliders that were near enough to be looked at.
    pub colliders: u32,
    /// Contacts in the last step, counted once a substep.
    pub contacts: u32,
    /// What did not fit, by name.
    pub overflow: Overflow,
    /// What air its last step was told.
    pub air: AirTold,
    /// Particles the guard against non-finite numbers put back, since seeding.
    pub rescued: u64,
    /// Particles that went to their targets because nothing else freed them, since seeding ([`Cloth::escape`](super::Cloth::escape)).
    pub escaped: u64,
    /// Particles that got into a collider all the same, since seeding.
    pub missed_crossings: u64,
    /// Whether it sleeps.
    pub asleep: bool,
    /// Whether it is not simulated because nobody sees it.
    pub culled: bool,
    /// What its last step made of the anchor's motion, if that was a jump.
    pub teleported: Option<Teleport>,
    /// Whether what is attached to the anchor is no longer what the cloth was made from: entities came, went, were pinned or
    /// hung elsewhere. [`World::reseed`](super::World::reseed) makes it from what is there now.
    pub subtree_changed: bool,
    /// Why its last step was refused, if it was.
    pub refused: Option<StepError>,
    /// What its last step took (ms), if the world was told to look at the clock; no result depends on it.
    pub milliseconds: f64,
}

/// What did not fit in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overflow {
    /// Colliders in reach beyond [`Cloth::colliders`](super::Cloth::colliders): the farthest, which were not met.
    pub colliders: u32,
    /// Colliders in reach whose origin is further from the anchor than core counts (10⁶ m).
    pub out_of_range: u32,
}

/// What air a step was told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AirTold {
    /// None: no source reached the cloth, or its fabric feels none.
    #[default]
    None,
    /// Air of one velocity all around it.
    Uniform {
        /// At how many points it was found: at one unless a source may lie unevenly about the cloth.
        points: u32,
    },
    /// Air of another velocity at each vertex.
    Each {
        /// At how many points it was found.
        points: u32,
    },
}

impl ClothDiagnostics {
    /// Takes over what a step says. Of a cloth that sleeps nothing was computed, and its strain is what it was.
    pub(super) fn note(&mut self, report: &StepReport) {
        if !report.asleep || report.substeps > 0 {
            (self.max_strain, self.mean_strain) = (report.max_strain, report.mean_strain);
        }
        self.max_speed = report.max_speed;
        self.kinetic_energy = report.kinetic_energy;
        self.substeps = report.substeps;
        self.contacts = report.contacts;
        self.overflow.colliders += report.dropped_colliders;
        self.rescued += u64::from(report.rescued);
        self.escaped += u64::from(report.escaped);
        self.missed_crossings += u64::from(report.missed_crossings);
        self.asleep = report.asleep;
        self.teleported = report.teleported;
    }
}
