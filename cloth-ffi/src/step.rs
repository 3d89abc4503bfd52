//! What a step is told and what it answers, as C sees it.

use crate::anchor::{self, ClothAnchor};
use crate::collider::ClothCollider;
use crate::dynamics::ClothDynamics;
use crate::escape::ClothEscape;
use crate::status::{ClothStatus, Refused};
use crate::vector::ClothVec3;
use cloth_core::{Level, StepInput, StepReport};
use core::ptr;

/// Where the targets are at the end of a step. A held particle is exactly on its target then; free ones are tied to theirs
/// by slack leashes only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum ClothTargets {
    /// Where they were.
    Keep = 0,
    /// All of them, in source order: ClothStep::targets.
    All = 1,
    /// Some of them: ClothStep::listed_targets. Of two for one particle the last counts.
    Listed = 2,
}

/// What air is around a cloth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum ClothAir {
    /// None: nothing resists the cloth.
    None = 0,
    /// Air of one velocity: ClothStep::air. At zero it stands still, and resists a cloth that moves.
    Uniform = 1,
    /// Air of another velocity at each source vertex: ClothStep::air_velocities.
    Each = 2,
}

/// A target of one vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct ClothTarget {
    /// The source vertex.
    pub vertex: u32,
    /// Where it is to be at the end of the step, cloth-local (m).
    pub position: ClothVec3,
}

/// Triangles and links meet colliders that fit between particles; particles meet all others anyway.
pub const CLOTH_STEP_FACES: u32 = 1;
/// The cloth may fall asleep.
pub const CLOTH_STEP_SLEEP: u32 = 2;

/// The inputs of one step. Begin with what cloth_default_step answers. The pointers are read during the call only.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct ClothStep {
    /// What cloth_default_step puts here.
    pub cookie: u32,
    /// What cloth_default_step puts here.
    pub struct_size: u32,
    /// Length of the step (s), 1e-5 to 1. Use one value throughout: the same inputs give the same bits.
    pub dt: f32,
    /// Gravity, cloth-local (m/s^2).
    pub gravity: ClothVec3,
    /// How the frame moves that the cloth lives in.
    pub anchor: ClothAnchor,
    /// When a particle that nothing frees goes back to its target.
    pub escape: ClothEscape,
    /// The fabric's settings.
    pub dynamics: ClothDynamics,
    /// Layers the cloth is in, a bit each: a collider meets it if its mask has one of them.
    pub layer: u32,
    /// Layers of colliders that the cloth meets, a bit each.
    pub mask: u32,
    /// Most substeps that a step may take where a collider passes the cloth faster than the fabric's own can follow; no
    /// more than 1024, and no fewer than the fabric's are taken. It bounds what a step costs: at worst
    /// iterations*max(substeps, most_substeps) sweeps, and contact after each. The default, 256, is 32 times a step of 8
    /// substeps of one sweep. Nothing bounds the product: 64 iterations and 1024 substeps are 65,536 sweeps, 8192 such
    /// steps in one. Whoever sweeps more often, or has no time for 32 steps, sets less.
    pub most_substeps: u32,
    /// CLOTH_STEP_ values.
    pub flags: u32,
    /// How many lanes to compute in: 0 for as many as this processor has, 1 or 4. Changes the time a step takes, and no bit. Where
    /// the target promises four, a library takes those for 1 as well, unless it was built with the feature prove.
    pub lanes: u32,
    /// A ClothTargets value.
    pub target_mode: u32,
    /// A ClothAir value.
    pub air_mode: u32,
    /// With CLOTH_AIR_UNIFORM: the velocity of the air past the world (m/s), along the axes that the anchor has when the step ends, as
    /// gravity: what goes past the air because the anchor moves is taken off by the step. Each component within -1e6 to 1e6.
    pub air: ClothVec3,
    /// Zero.
    pub reserved: u32,
    /// With CLOTH_AIR_EACH: the same at each source vertex, in source order. Where vertices were welded, the first one of each
    /// particle counts.
    pub air_velocities: *const ClothVec3,
    /// How many velocities there are.
    pub air_velocity_count: usize,
    /// With CLOTH_TARGETS_ALL: a target for each source vertex, in source order, cloth-local (m). Where vertices were welded,
    /// the first one of each particle counts.
    pub targets: *const ClothVec3,
    /// With CLOTH_TARGETS_LISTED: the targets that move.
    pub listed_targets: *const ClothTarget,
    /// How many targets there are.
    pub target_count: usize,
    /// What the cloth meets; those in reach come to no more than the model's collider_capacity, or the rest is counted in the
    /// report and not met.
    pub colliders: *const ClothCollider,
    /// How many colliders there are.
    pub collider_count: usize,
    /// The words of hulls, meshes and height fields that colliders point into.
    pub shape_words: *const u32,
    /// How many words there are.
    pub shape_word_count: usize,
    /// Normals of the backstops in source order, cloth-local, of any length; null for those of the targets' own surface.
    pub backstop_normals: *const ClothVec3,
    /// How many normals there are: one for each source vertex, or 0.
    pub backstop_normal_count: usize,
}

/// What one step found and did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct ClothStepReport {
    /// Largest |L - rest|/rest over the stretch rows at the end of the step (1).
    pub max_strain: f32,
    /// Mean of the same (1).
    pub mean_strain: f32,
    /// Largest speed of a particle at the end of the step (m/s).
    pub max_speed: f32,
    /// Kinetic energy of the free particles at the end of the step (J).
    pub kinetic_energy: f32,
    /// Bending stiffness that merged bend rows had (N*m); 0 in a cloth without merged rows.
    pub bend: f32,
    /// Particles the non-finite guard put back to where the step began, counted once a substep; zero in every scene we know.
    pub rescued: u32,
    /// Particles that set out for their targets because nothing freed them (ClothEscape).
    pub escaped: u32,
    /// Substeps that were taken: more than the fabric's where a collider was fast.
    pub substeps: u32,
    /// Contacts of particles, triangles and links with colliders, counted once a substep.
    pub contacts: u32,
    /// Particles that ended a substep inside a collider they began it outside of.
    pub missed_crossings: u32,
    /// Colliders in reach beyond the model's collider_capacity, which were not met.
    pub dropped_colliders: u32,
    /// 1 where the cloth sleeps: nothing was computed, and everything above is zero. Else 0.
    pub asleep: u32,
    /// How the cloth was taken along with a jump of its anchor: a ClothTeleport value. After CLOTH_TELEPORT_RESET nothing else was
    /// computed.
    pub teleported: u32,
}

/// Which element of the input a refusal is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct ClothFault {
    /// The ClothStatus that the call answers.
    pub status: u32,
    /// The element, by its index in the array it is of; of CLOTH_STATUS_DYNAMICS, CLOTH_STATUS_ANCHOR and CLOTH_STATUS_ESCAPE the
    /// field, counted from 0; UINT32_MAX where none is to blame.
    pub element: u32,
    /// A second element, as the vertex that a triangle or a target names; UINT32_MAX without one.
    pub other: u32,
}

/// A sixtieth of a second.
const DT: f32 = 1.0 / 60.0;

/// What the first word of a ClothStep is.
pub(crate) const COOKIE: u32 = u32::from_le_bytes(*b"CLst");

impl ClothStep {
    /// A step that needs nothing more than a fabric: 1/60 s, gravity of 9.81 m/s² downwards, core's plain settings. Computes
    /// nothing, for it is called in the caller's environment.
    pub(crate) fn plain() -> Self {
        let dynamics = cloth_core::ClothDynamics::default();
        let plain = StepInput::new(DT, cloth_core::Vec3::new(0.0, -9.81, 0.0), &dynamics);
        Self {
            cookie: COOKIE,
            struct_size: crate::size32::<Self>(),
            dt: plain.dt,
            gravity: ClothVec3::of_core(plain.gravity),
            anchor: ClothAnchor::of_core(&plain.anchor),
            escape: ClothEscape::of_core(&plain.escape),
            dynamics: ClothDynamics::of_core(&dynamics),
            layer: plain.layer,
            mask: plain.mask,
            most_substeps: plain.most_substeps,
            flags: if plain.faces { CLOTH_STEP_FACES } else { 0 },
            lanes: 0,
            target_mode: ClothTargets::Keep as u32,
            air_mode: ClothAir::None as u32,
            air: ClothVec3::default(),
            reserved: 0,
            air_velocities: ptr::null(),
            air_velocity_count: 0,
            targets: ptr::null(),
            listed_targets: ptr::null(),
            target_count: 0,
            colliders: ptr::null(),
            collider_count: 0,
            shape_words: ptr::null(),
            shape_word_count: 0,
            backstop_normals: ptr::null(),
            backstop_normal_count: 0,
        }
    }

    /// Refuses numbers that have no meaning.
    pub(crate) fn check(&self) -> Result<(), Refused> {
        self.targets()?;
        self.air()?;
        if self.flags & !(CLOTH_STEP_FACES | CLOTH_STEP_SLEEP) != 0 || self.reserved != 0 {
            return Err(ClothStatus::UnknownValue.into());
        }
        Ok(())
    }

    /// How the caller says what air there is.
    pub(crate) fn air(&self) -> Result<ClothAir, Refused> {
        let modes = [ClothAir::None, ClothAir::Uniform, ClothAir::Each];
        let known = modes.into_iter().find(|mode| *mode as u32 == self.air_mode);
        known.ok_or(ClothStatus::UnknownValue.into())
    }

    /// How the caller says where targets go.
    pub(crate) fn targets(&self) -> Result<ClothTargets, Refused> {
        let modes = [ClothTargets::Keep, ClothTargets::All, ClothTargets::Listed];
        let known = modes.into_iter().find(|mode| *mode as u32 == self.target_mode);
        known.ok_or(ClothStatus::UnknownValue.into())
    }
}

/// The way of computing that so many lanes mean, 0 being the widest.
pub(crate) fn level(lanes: u32, widest: impl FnOnce() -> Level) -> Result<Level, ClothStatus> {
    match lanes {
        0 => Ok(widest()),
        1 => Ok(Level::SCALAR),
        4 => Ok(Level::FOUR),
        _ => Err(ClothStatus::UnknownValue),
    }
}

impl ClothStepReport {
    pub(crate) fn of_core(core: &StepReport) -> Self {
        Self {
            max_strain: core.max_strain,
            mean_strain: core.mean_strain,
            max_speed: core.max_speed,
            kinetic_energy: core.kinetic_energy,
            bend: core.bend,
            rescued: core.rescued,
            escaped: core.escaped,
            substeps: core.substeps,
            contacts: core.contacts,
            missed_crossings: core.missed_crossings,
            dropped_colliders: core.dropped_colliders,
            asleep: u32::from(core.asleep),
            teleported: anchor::number(core.teleported),
        }
    }
}

impl From<Refused> for ClothFault {
    fn from(refused: Refused) -> Self {
        Self { status: refused.status as u32, element: refused.element, other: refused.other }
    }
}
