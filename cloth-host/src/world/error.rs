//! Why the world refused; nothing has changed then unless the variant says otherwise.

use hecs::Entity;
use thiserror::Error as ThisError;

use super::tick::MOST_COLLIDERS;
use super::{ExecutorFault, TransformFault, wind};
use crate::fluid::FluidError;
use cloth_core::collide::ColliderError;
use cloth_core::step::{Escape, MOST_SUBSTEPS};
use cloth_core::{BuildError, ClothDynamics, StateError, StepError};

/// Why the world refused. Unless the variant says otherwise it is as it was.
#[derive(Clone, Debug, PartialEq, ThisError)]
#[non_exhaustive]
pub enum WorldError {
    /// Elapsed time is negative or not finite.
    #[error("elapsed time is {seconds} s: pass the time since the last call, zero or more")]
    Elapsed {
        /// What was given (s).
        seconds: f64,
    },
    /// A step length out of range.
    #[error("a step of {seconds} s: choose one between 1e-5 and 1 s")]
    StepLength {
        /// What was given (s).
        seconds: f64,
    },
    /// Gravity is not finite, or beyond a million m/s².
    #[error("gravity must be finite and below a million m/s²")]
    Gravity,
    /// There is no such entity: never spawned, or despawned since.
    #[error("there is no entity {entity:?}: it was despawned, or is of another world")]
    NoSuchEntity {
        /// The entity.
        entity: Entity,
    },
    /// The entity has no cloth.
    #[error("entity {entity:?} has no cloth that was seeded: give it a Cloth, and call tick or prepare")]
    NoCloth {
        /// The entity.
        entity: Entity,
    },
    /// Following parents from an entity leads back to it.
    #[error("entity {entity:?} is attached to itself through its parents: detach one of them")]
    AttachmentCycle {
        /// The one on the cycle with the lowest number.
        entity: Entity,
    },
    /// An entity is attached to one that is not there, or has no [`Transform`](super::Transform).
    #[error(
        "entity {entity:?} is attached to {parent:?}, which is not there or has no Transform: detach it, or attach it to another"
    )]
    NoParent {
        /// The entity.
        entity: Entity,
        /// What it is attached to.
        parent: Entity,
    },
    /// A cloth, collider, zone of wind or volume of air without a [`Transform`](super::Transform).
    #[error(
        "entity {entity:?} has no Transform, and a cloth, a collider or wind that is not everywhere has to be somewhere: give it one"
    )]
    NoTransform {
        /// The entity.
        entity: Entity,
    },
    /// A transform that is none.
    #[error("entity {entity:?}: {fault}")]
    Transform {
        /// The entity.
        entity: Entity,
        /// What is wrong.
        fault: TransformFault,
    },
    /// Cloth and colliders scale alike along all axes.
    #[error(
        "entity {entity:?} is scaled differently along its axes: scale the shape itself, or give it a uniform scale"
    )]
    NonUniformScale {
        /// The entity: an anchor, an entity of its subtree, or a collider.
        entity: Entity,
    },
    /// A collider that is none.
    #[error("the collider of entity {entity:?}: {error}")]
    Collider {
        /// The entity.
        entity: Entity,
        /// What is wrong.
        error: ColliderError,
    },
    /// A setting of a source of wind that is none.
    #[error("the {component} of entity {entity:?}: {field} must lie within {}", wind::range_of(.field))]
    Wind {
        /// The entity.
        entity: Entity,
        /// The component.
        component: &'static str,
        /// The field.
        field: &'static str,
    },
    /// A volume of air that cannot be.
    #[error("the FluidVolume of entity {entity:?}: {error}")]
    Fluid {
        /// The entity.
        entity: Entity,
        /// Why.
        error: FluidError,
    },
    /// Zones of wind and volumes of air are as large as they say.
    #[error(
        "the air of entity {entity:?} is not scaled: give the entity a scale of 1, and the air another size"
    )]
    ScaledAir {
        /// The entity.
        entity: Entity,
    },
    /// A setting of a cloth that no step could use.
    #[error("the cloth of entity {entity:?}: {field} must lie within {}", range_of(.field))]
    Setting {
        /// The anchor.
        entity: Entity,
        /// The field.
        field: &'static str,
    },
    /// A [`ClothModel`](super::ClothModel) is as large as it was built.
    #[error(
        "the cloth of entity {entity:?} has a ClothModel, which is not scaled: give the anchor a scale of 1, or the cloth a ClothMesh"
    )]
    ScaledModel {
        /// The anchor.
        entity: Entity,
    },
    /// A cloth with neither a mesh nor anything attached to its anchor.
    #[error(
        "the cloth of entity {entity:?} has nothing to simulate: attach entities to it, or give it a ClothMesh"
    )]
    NothingToSimulate {
        /// The anchor.
        entity: Entity,
    },
    /// The builder refused a cloth.
    #[error("the cloth of entity {entity:?} cannot be built: {error}{}", .part.map(|part| format!(" (entity {part:?})")).unwrap_or_default())]
    Build {
        /// The anchor.
        entity: Entity,
        /// The entity of the subtree that the fault is at, if it is at one.
        part: Option<Entity>,
        /// Why.
        error: BuildError,
    },
    /// The state refused.
    #[error("the cloth of entity {entity:?} cannot be set up: {error}")]
    State {
        /// The anchor.
        entity: Entity,
        /// Why.
        error: StateError,
    },
    /// Targets are not one for each vertex of the cloth.
    #[error("the cloth of entity {entity:?} has {expected} vertices and {given} targets")]
    TargetCount {
        /// The anchor.
        entity: Entity,
        /// Vertices.
        expected: u32,
        /// Targets.
        given: usize,
    },
    /// A target that is not finite, or beyond a million metres from the anchor.
    #[error(
        "the cloth of entity {entity:?}: the target of vertex {vertex} is not finite, or beyond a million metres"
    )]
    Target {
        /// The anchor.
        entity: Entity,
        /// The vertex.
        vertex: u32,
    },
    /// A component that files do not have.
    #[error("entity {entity:?} cannot be written to a file: it has {what}")]
    NotInFile {
        /// The entity.
        entity: Entity,
        /// What it has, and what to do.
        what: &'static str,
    },
    /// In a file, an entity is attached to one that is not in its list.
    #[error(
        "entity {number} of the file is attached to entity {parent}, which is not in its list (counted from 0)"
    )]
    FileParent {
        /// The entity, counted from 0.
        number: u32,
        /// What it is attached to.
        parent: u32,
    },
    /// In a file, the words of a shape are none.
    #[error("the shapes of the file: {error}")]
    Shapes {
        /// What is wrong.
        error: ColliderError,
    },
    /// A step was refused. The tick was finished, and this cloth alone is as it was.
    #[error("the cloth of entity {entity:?} was not stepped: {error}")]
    Step {
        /// The anchor.
        entity: Entity,
        /// Why.
        error: StepError,
    },
    /// A step panicked: a defect of the engine. The tick was finished, and the next seeds this cloth anew from its authored pose.
    #[error("the step of the cloth of entity {entity:?} panicked: {message}")]
    Panicked {
        /// The anchor.
        entity: Entity,
        /// What it said.
        message: String,
    },
    /// An executor did not do what it is for. The tick was finished.
    #[error("the executor {executor:?} and the cloth of entity {entity:?}: {fault}")]
    Executor {
        /// What it calls itself.
        executor: &'static str,
        /// The anchor.
        entity: Entity,
        /// What it did.
        fault: ExecutorFault,
    },
    /// What is to be restored is no snapshot that this version can read.
    #[error("that is no snapshot to restore: {what}")]
    NotASnapshot {
        /// What is wrong.
        what: &'static str,
    },
    /// A snapshot of another world whose entities, colliders or cloths are others.
    #[error(
        "the snapshot is of a world of another shape: entity {entity:?} {what}; build both worlds alike, or restore it into its own"
    )]
    OtherShape {
        /// The first entity that is not the same in both.
        entity: Entity,
        /// What is not.
        what: &'static str,
    },
    /// A snapshot of another world in which an entity has a component and here it has not, or the other way round.
    #[error(
        "the snapshot is of a world of another shape: entity {entity:?} has {component} in one of them only; build both worlds alike"
    )]
    OtherComponents {
        /// The entity.
        entity: Entity,
        /// The component.
        component: &'static str,
    },
    /// No snapshot of that tick is kept.
    #[error(
        "there is no snapshot of tick {tick}: it was not saved, or others were in its place since; keep more of them"
    )]
    NoSnapshot {
        /// The tick.
        tick: u64,
    },
}

/// What a setting may be, for messages.
fn range_of(field: &str) -> String {
    match field {
        "density" => "0 to infinity, both excluded".to_owned(),
        "colliders" => format!("1 to {MOST_COLLIDERS}"),
        "most_substeps" => format!("0 to {MOST_SUBSTEPS}"),
        "limits.distance" | "limits.angle" => "0 to infinity".to_owned(),
        "escape.strain" => "0.01 to infinity".to_owned(),
        "escape.distance" => "0, excluded, to infinity".to_owned(),
        "escape.steps" => format!("0 to {}", Escape::MOST),
        "escape.window" => format!("1 to {}", Escape::MOST),
        // A blend is a dial.
        _ => {
            let range = ClothDynamics::range_of(field);
            format!("{} to {}", range.start(), range.end())
        }
    }
}
