//! What cloth meets: bodies that are components, and their way into the index.

mod saved;

use std::collections::BTreeMap;

use cloth_core::Vec3;
use cloth_core::collide::{self, ColliderError, Data, Kind};
use hecs::{Entity, World as Entities};

use super::{Transform, WorldError};
use crate::index::{Body, ColliderIndex, Handle};
use crate::pose::narrow;

/// A body's shape about its entity's origin, before the entity's scale. Lengths are metres.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
pub enum Shape {
    /// A ball.
    Sphere {
        /// Its radius.
        radius: f32,
    },
    /// All within `radius` of the segment from −`half_height` to `half_height` along Y.
    Capsule {
        /// Half the segment.
        half_height: f32,
        /// Its radius.
        radius: f32,
    },
    /// The hull of two balls at both ends of that segment.
    TaperedCapsule {
        /// Half the segment.
        half_height: f32,
        /// Radius at the lower end.
        lower_radius: f32,
        /// Radius at the upper end.
        upper_radius: f32,
    },
    /// A box.
    Box {
        /// Half of what it measures along X, Y and Z.
        half_extents: [f32; 3],
    },
    /// A cylinder about Y.
    Cylinder {
        /// Half its height.
        half_height: f32,
        /// Its radius.
        radius: f32,
    },
    /// A cone about Y, its apex up.
    Cone {
        /// Half its height.
        half_height: f32,
        /// Radius of its base.
        radius: f32,
    },
    /// The half space below the plane through the origin that Y is normal to.
    Plane,
    /// A hull, mesh or height field, whose words are in [`World::shapes`](super::World::shapes).
    Words {
        /// Which of the three.
        kind: WordsKind,
        /// Where its words are: first word, and how many.
        data: [u32; 2],
    },
}

/// Shapes that are words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
pub enum WordsKind {
    /// A convex hull.
    Hull,
    /// A triangle mesh.
    Mesh,
    /// A height field.
    Field,
}

impl Shape {
    pub(super) fn record(&self, shapes: &[u32]) -> Result<collide::Collider, ColliderError> {
        use collide::Collider as Record;
        let here = collide::Pose::IDENTITY;
        match *self {
            Self::Sphere { radius } => Record::sphere(radius, here),
            Self::Capsule { half_height, radius } => Record::capsule(half_height, radius, here),
            Self::TaperedCapsule { half_height, lower_radius, upper_radius } => {
                Record::tapered_capsule(half_height, lower_radius, upper_radius, here)
            }
            Self::Box { half_extents } => Record::cuboid(Vec3::from_array(half_extents), here),
            Self::Cylinder { half_height, radius } => Record::cylinder(half_height, radius, here),
            Self::Cone { half_height, radius } => Record::cone(half_height, radius, here),
            Self::Plane => Record::plane(here),
            Self::Words { kind, data: [first, count] } => {
                let kind = match kind {
                    WordsKind::Hull => Kind::Hull,
                    WordsKind::Mesh => Kind::Mesh,
                    WordsKind::Field => Kind::Field,
                };
                Record::shaped(kind, Data { first, count }, shapes, here)
            }
        }
    }
}

/// A component: a body has a shape. Cloth meets it once it has a [`ClothCollider`] too.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Collider {
    /// Its shape.
    pub shape: Shape,
    /// Coefficient of friction of its surface (1).
    #[cfg_attr(feature = "serde", serde(default = "friction"))]
    pub friction: f32,
    /// Layers it is in, a bit each.
    #[cfg_attr(feature = "serde", serde(default = "every_layer"))]
    pub layer: u32,
    /// Layers it meets, a bit each.
    #[cfg_attr(feature = "serde", serde(default = "every_layer"))]
    pub mask: u32,
}

const fn friction() -> f32 {
    0.5
}

const fn every_layer() -> u32 {
    u32::MAX
}

impl Collider {
    /// A shape with a friction of 0.5, on all layers.
    pub const fn new(shape: Shape) -> Self {
        Self { shape, friction: friction(), layer: every_layer(), mask: every_layer() }
    }
}

/// A component beside [`Collider`]: cloth meets it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct ClothCollider {
    /// By how much cloth keeps further off than its own thickness (m).
    pub inflation: f32,
    /// What cloth feels of the collider's friction: μ = friction·friction_scale (1).
    pub friction_scale: f32,
    /// Layers it is in for cloth, a bit each, of those the collider is in.
    pub layer: u32,
    /// Layers of cloth it meets, a bit each, of those the collider meets.
    pub mask: u32,
    /// Whether cloth meets it at present.
    pub enabled: bool,
}

impl Default for ClothCollider {
    fn default() -> Self {
        Self { inflation: 0.0, friction_scale: 1.0, layer: u32::MAX, mask: u32::MAX, enabled: true }
    }
}

/// What was last told to the index of one body.
#[derive(Clone, Copy, Debug)]
struct Told {
    handle: Handle,
    entity: Entity,
    what: (Collider, ClothCollider, f64),
    /// Of which words it was checked.
    words: usize,
}

/// The bodies of a world as the index knows them.
#[derive(Clone, Debug, Default)]
pub(super) struct Bodies {
    /// By number of their entity.
    told: BTreeMap<u32, Told>,
}

/// What the index is to be told in this tick.
#[derive(Debug, Default)]
pub(super) struct Changes {
    removed: Vec<u32>,
    changed: Vec<(Entity, (Collider, ClothCollider, f64), Body)>,
    moved: Vec<(Handle, crate::pose::Pose)>,
    words: usize,
}

impl Bodies {
    /// What has changed since the index was last told, with nothing told yet. `transform` says where an entity is.
    ///
    /// # Errors
    /// [`WorldError`], naming the entity.
    pub fn look<'t>(
        &self,
        entities: &Entities,
        index: &impl ColliderIndex,
        shapes: &[u32],
        transform: impl Fn(Entity) -> Option<&'t Transform>,
    ) -> Result<Changes, WorldError> {
        let mut changes = Changes { words: shapes.len(), ..Changes::default() };
        let mut seen: Vec<(u32, Entity)> = Vec::with_capacity(self.told.len());
        for (entity, collider, cloth) in entities.query::<(Entity, &Collider, &ClothCollider)>().iter() {
            if !cloth.enabled {
                continue;
            }
            seen.push((entity.id(), entity));
            let transform = transform(entity).ok_or(WorldError::NoTransform { entity })?;
            let transform = transform.checked().map_err(|fault| WorldError::Transform { entity, fault })?;
            let scale = transform.uniform_scale().ok_or(WorldError::NonUniformScale { entity })?;
            let (what, pose) = ((*collider, *cloth, scale), transform.pose());
            let told = self.told.get(&entity.id()).filter(|told| told.entity == entity);
            match told.and_then(|told| Some((told, index.body(told.handle)?))) {
                Some((told, body)) if told.what == what && told.words == shapes.len() => {
                    if !body.pose.is(&pose) {
                        changes.moved.push((told.handle, pose));
                    }
                }
                // Whoever is not there, or no longer, comes in (again).
                _ => {
                    let shape = record(collider, cloth, scale, shapes);
                    let shape = shape.map_err(|error| WorldError::Collider { entity, error })?;
                    changes.changed.push((entity, what, Body { shape, pose }));
                }
            }
        }
        // Handles rise in the order of entities, whatever archetypes they are in.
        changes.changed.sort_unstable_by_key(|(entity, ..)| entity.id());
        seen.sort_unstable_by_key(|(id, _)| *id);
        let is_there = |told: &Told| {
            let place = seen.binary_search_by_key(&told.entity.id(), |(id, _)| *id);
            place.is_ok_and(|place| seen[place].1 == told.entity)
        };
        changes.removed.extend(self.told.iter().filter(|(_, told)| !is_there(told)).map(|(id, _)| *id));
        Ok(changes)
    }

    /// Tells the index.
    pub fn apply(&mut self, changes: Changes, index: &mut impl ColliderIndex, shapes: &[u32]) {
        for id in changes.removed {
            if let Some(told) = self.told.remove(&id) {
                index.remove(told.handle);
            }
        }
        for (handle, pose) in changes.moved {
            index.set_pose(handle, pose, shapes);
        }
        for (entity, what, body) in changes.changed {
            let known = self.told.get(&entity.id()).map(|told| told.handle);
            let handle = match known {
                Some(handle) if index.replace(handle, body, shapes) => handle,
                _ => index.insert(body, shapes),
            };
            self.told.insert(entity.id(), Told { handle, entity, what, words: changes.words });
        }
    }
}

fn record(
    collider: &Collider,
    cloth: &ClothCollider,
    scale: f64,
    shapes: &[u32],
) -> Result<collide::Collider, ColliderError> {
    let [scale] = narrow([scale]);
    let (layer, mask) = (collider.layer & cloth.layer, collider.mask & cloth.mask);
    Ok(collider
        .shape
        .record(shapes)?
        .scaled(Vec3::splat(scale))?
        .touching(collider.friction * cloth.friction_scale, cloth.inflation)?
        .known(0, layer, mask))
}
