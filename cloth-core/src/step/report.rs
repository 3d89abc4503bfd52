//! What a step answers.

use crate::anchor::Teleport;
use crate::collide::ColliderError;
use crate::fabric::ClothDynamics;

/// What one step found and did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Largest |L − rest|/rest over the stretch rows at the end of the step (1).
    pub max_strain: f32,
    /// Mean of the same (1).
    pub mean_strain: f32,
    /// Largest speed of a particle at the end of the step (m/s).
    pub max_speed: f32,
    /// Kinetic energy of the free particles at the end of the step (J).
    pub kinetic_energy: f32,
    /// Bending stiffness that merged bend rows had (N·m): [`ClothDynamics::bend`](crate::ClothDynamics::bend), or what they
    /// carry if that is less ([`Model::merged_bend_limit`](crate::Model::merged_bend_limit)). 0 in a cloth without merged
    /// rows.
    pub bend: f32,
    /// Particles the non-finite guard put back to where the step began, at rest, the cloth's tensions reset.
    /// Counted once a substep; zero in every scene we know.
    pub rescued: u32,
    /// Particles that set out for their targets in this step because nothing freed them ([`crate::step::Escape`]).
    pub escaped: u32,
    /// Substeps that were taken: more than the fabric's where a collider was fast, and until a struck cloth is calm.
    pub substeps: u32,
    /// Contacts of particles, triangles and links with colliders, counted once a substep.
    pub contacts: u32,
    /// Particles that ended a substep inside a collider they began it outside of, counted once a substep: colliders left no
    /// room between them, which only room mends, or a hollow was too narrow for what went into it in one substep, which more
    /// substeps do.
    pub missed_crossings: u32,
    /// Colliders in reach of the cloth beyond the model's `colliders`, which were not met: build the model for more
    /// (`ModelBuilder::colliders`).
    pub dropped_colliders: u32,
    /// Whether the cloth sleeps; nothing was computed then, and everything above is zero.
    pub asleep: bool,
    /// How the cloth was taken along with a jump of its anchor; after [`Teleport::Reset`] nothing else was computed.
    pub teleported: Option<Teleport>,
}

/// Why a step was refused; the state is as it was.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum StepError {
    /// The length of the step is not within 1e-5 to 1 s.
    Dt,
    /// Gravity is not finite, or beyond a million m/s².
    Gravity,
    /// The velocity of the air is not finite, or beyond a million m/s along an axis.
    Air,
    /// `Air::Each` has another number of velocities than the model has source vertices.
    AirCount {
        /// Source vertices.
        expected: u32,
        /// Velocities given.
        provided: usize,
    },
    /// The velocity of the air at a vertex is not finite, or beyond a million m/s along an axis.
    AirVelocity {
        /// The vertex.
        index: u32,
    },
    /// A field of the dynamics is not finite or out of its range.
    Dynamics {
        /// The field.
        field: &'static str,
    },
    /// A field of the anchor's motion is not finite or out of its range.
    Anchor {
        /// The field.
        field: &'static str,
    },
    /// A solver constant is not finite or out of its range.
    Constants,
    /// `most_substeps` is above 1024.
    MostSubsteps,
    /// A field of the escape hatch is out of its range.
    Escape {
        /// The field.
        field: &'static str,
    },
    /// A collider's record is none.
    Collider {
        /// Its index in the table.
        index: u32,
        /// What is wrong with it.
        error: ColliderError,
    },
    /// Backstop normals are not one for each source vertex.
    BackstopNormalCount {
        /// Source vertices.
        expected: u32,
        /// Normals given.
        provided: usize,
    },
    /// A backstop normal is not finite.
    BackstopNormal {
        /// The vertex.
        index: u32,
    },
    /// `Targets::All` has another number of targets than the model has source vertices.
    TargetCount {
        /// Source vertices.
        expected: u32,
        /// Targets given.
        provided: usize,
    },
    /// A listed target names a vertex that is not there.
    TargetVertex {
        /// Index in the list.
        index: u32,
        /// The vertex it names.
        vertex: u32,
    },
    /// A target has a component that is not finite, or beyond a million metres.
    TargetNonFinite {
        /// Index in the list.
        index: u32,
    },
}

impl core::fmt::Display for StepError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match *self {
            Self::Dt => f.write_str("dt must lie within 1e-5 to 1 second"),
            Self::Gravity => f.write_str("gravity must be finite and below a million m/s²"),
            Self::Air => f.write_str("the air must be finite and no faster than a million m/s along an axis"),
            Self::AirCount { expected, provided } => {
                write!(f, "{provided} velocities of the air for {expected} source vertices; give one for each, or a uniform one")
            }
            Self::AirVelocity { index } => {
                write!(f, "the air at vertex {index} is not finite, or faster than a million m/s along an axis")
            }
            Self::Dynamics { field } => {
                let range = ClothDynamics::range_of(field);
                write!(f, "dynamics.{field} must lie within {} to {}", range.start(), range.end())
            }
            Self::Anchor { field } => {
                write!(f, "anchor.{field} is out of its range: poses need a quaternion with a direction and a translation within a million metres, limits must not be negative or NaN")
            }
            Self::Constants => {
                f.write_str("a solver constant is out of its range: turn 0 to 1e6, carry, leak and spread 0 to 1, carry_strain 1e-6 to 1e3, still 1e-9 to 1e3, carry_limit 0 to 1e3, bound_sweeps 1 to 16")
            }
            Self::Escape { field } => {
                write!(f, "escape.{field} is out of its range: strain 0.01 or more, distance above 0, steps 0 to 60000, window 1 to 60000")
            }
            Self::MostSubsteps => f.write_str("most_substeps must not be above 1024"),
            Self::Collider { index, error } => write!(f, "collider {index}: {error}"),
            Self::BackstopNormalCount { expected, provided } => {
                write!(f, "{provided} backstop normals for {expected} source vertices; give one for each, or none")
            }
            Self::BackstopNormal { index } => write!(f, "the backstop normal of vertex {index} is not finite"),
            Self::TargetCount { expected, provided } => {
                write!(f, "{provided} targets for {expected} source vertices")
            }
            Self::TargetVertex { index, vertex } => {
                write!(f, "target {index} names vertex {vertex}, which is not there")
            }
            Self::TargetNonFinite { index } => {
                write!(f, "target {index} is not finite, or beyond a million metres")
            }
        }
    }
}

impl core::error::Error for StepError {}
