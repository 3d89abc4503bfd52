//! Entities and worlds in files.

use hecs::Entity;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::{ClothFile, VERSION, read};
use crate::fluid::FluidVolume;
use crate::world::{
    AmbientWind, Attachment, Clock, Cloth, ClothCollider, ClothExclude, ClothMesh, ClothModel, ClothPin,
    ClothTargets, Collider, MeshSource, Shape, Transform, WindSource, WindZone, World, WorldError,
};

/// [`Attachment`] in a file: its parent is the number of an entity in the file's list, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttachmentFile {
    /// The parent's number.
    pub parent: u32,
    /// Where it is there.
    #[serde(default)]
    pub local: Transform,
}

/// An entity in a file: the components it has.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EntityFile {
    /// Whether it is excluded from the cloth above ([`ClothExclude`]).
    #[serde(skip_serializing_if = "is_false")]
    pub exclude: bool,
    /// Whether it is held ([`ClothPin`]).
    #[serde(skip_serializing_if = "is_false")]
    pub pin: bool,
    /// Where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transform: Option<Transform>,
    /// What it is attached to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attachment: Option<AttachmentFile>,
    /// The cloth it is the anchor of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cloth: Option<ClothFile>,
    /// That cloth's mesh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mesh: Option<MeshSource>,
    /// That cloth's targets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub targets: Option<ClothTargets>,
    /// Its shape.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collider: Option<Collider>,
    /// How cloth meets it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cloth_collider: Option<ClothCollider>,
    /// Wind that blows everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wind: Option<AmbientWind>,
    /// Wind about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone: Option<WindZone>,
    /// Air about it that is simulated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fluid: Option<FluidVolume>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

/// A world in a file: its entities with their authored poses, not how cloth hangs at the moment.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WorldFile {
    version: u32,
    /// Gravity (m/s²).
    pub gravity: [f64; 3],
    /// Length of a step (s).
    pub step: f64,
    /// Words of hulls, meshes and height fields that colliders point into.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shapes: Vec<u32>,
    /// The entities.
    pub entities: Vec<EntityFile>,
}

impl<'de> Deserialize<'de> for WorldFile {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let given: WorldFields = read::versioned("a world", from)?;
        given.try_into().map_err(D::Error::custom)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WorldFields {
    #[expect(dead_code, reason = "it has been looked at, and is no misspelling")]
    version: Option<u32>,
    gravity: Option<[f64; 3]>,
    step: Option<f64>,
    #[serde(default)]
    shapes: Vec<u32>,
    #[serde(default)]
    entities: Vec<EntityFile>,
}

impl TryFrom<WorldFields> for WorldFile {
    type Error = String;

    fn try_from(given: WorldFields) -> Result<Self, String> {
        Ok(Self {
            version: VERSION,
            gravity: given.gravity.unwrap_or([0.0, -9.81, 0.0]),
            step: given.step.unwrap_or(1.0 / 60.0),
            shapes: given.shapes,
            entities: given.entities,
        })
    }
}

impl WorldFile {
    /// What is in a world, by number of its entities. Of what cloth moves it is the authored pose that is written.
    ///
    /// # Errors
    /// [`WorldError::NotInFile`] for a [`ClothModel`], which is not data that a person reads, a [`WindSource`], and an entity that is attached
    /// to one without any of these components.
    pub fn of(world: &World) -> Result<Self, WorldError> {
        let entities = world.entities();
        let mut listed: Vec<Entity> = entities.iter().map(|entity| entity.entity()).collect();
        listed.sort_unstable_by_key(|entity| entity.id());
        let number = |entity: Entity| {
            let place = listed.binary_search_by_key(&entity.id(), |listed| listed.id());
            place.ok().and_then(|place| u32::try_from(place).ok())
        };
        let file = |entity: Entity| {
            if entities.satisfies::<&ClothModel>(entity) {
                return Err(WorldError::NotInFile { entity, what: "a ClothModel: give it a ClothMesh" });
            }
            if entities.satisfies::<&WindSource>(entity) {
                let what = "a WindSource, which is code: take it off, and give it back to what is read";
                return Err(WorldError::NotInFile { entity, what });
            }
            let attachment = match entities.get::<&Attachment>(entity) {
                Ok(attachment) => {
                    let Attachment { parent, local } = *attachment;
                    let local = world.authored.local(entity, parent).unwrap_or(local);
                    let number = number(parent).filter(|_| entities.contains(parent));
                    let parent = number.ok_or(WorldError::NoParent { entity, parent })?;
                    Some(AttachmentFile { parent, local })
                }
                Err(_) => None,
            };
            // What is attached is where its parent says.
            let transform = entities.get::<&Transform>(entity).ok().filter(|_| attachment.is_none());
            Ok(EntityFile {
                exclude: entities.satisfies::<&ClothExclude>(entity),
                pin: entities.satisfies::<&ClothPin>(entity),
                transform: transform.map(|transform| *transform),
                attachment,
                cloth: entities.get::<&Cloth>(entity).ok().map(|cloth| (*cloth).into()),
                mesh: entities.get::<&ClothMesh>(entity).ok().map(|mesh| (*mesh.0).clone()),
                targets: entities.get::<&ClothTargets>(entity).ok().map(|targets| (*targets).clone()),
                collider: entities.get::<&Collider>(entity).ok().map(|collider| *collider),
                cloth_collider: entities.get::<&ClothCollider>(entity).ok().map(|collider| *collider),
                wind: entities.get::<&AmbientWind>(entity).ok().map(|wind| *wind),
                zone: entities.get::<&WindZone>(entity).ok().map(|zone| *zone),
                fluid: entities.get::<&FluidVolume>(entity).ok().map(|volume| *volume),
            })
        };
        Ok(Self {
            version: VERSION,
            gravity: world.gravity(),
            step: world.clock().step(),
            shapes: world.shapes().words().to_vec(),
            entities: listed.iter().map(|entity| file(*entity)).collect::<Result<_, _>>()?,
        })
    }

    /// The world of the file, and its entities in the file's order. Whatever the tick refuses is refused by the first tick.
    ///
    /// # Errors
    /// [`WorldError::StepLength`], [`WorldError::Gravity`], [`WorldError::FileParent`], [`WorldError::Shapes`].
    pub fn build(&self) -> Result<(World, Vec<Entity>), WorldError> {
        let mut world = World::with_clock(Clock::new(self.step, 8)?);
        world.set_gravity(self.gravity)?;
        for (number, file) in (0..).zip(&self.entities) {
            if let Some(attachment) = &file.attachment
                && attachment.parent as usize >= self.entities.len()
            {
                return Err(WorldError::FileParent { number, parent: attachment.parent });
            }
        }
        let words = self.entities.iter().filter_map(|file| match file.collider {
            Some(Collider { shape: Shape::Words { kind, data }, .. }) => Some((kind, data)),
            _ => None,
        });
        world.restore_shapes(&self.shapes, words)?;
        let entities: Vec<Entity> = self.entities.iter().map(|_| world.spawn(())).collect();
        for (entity, file) in entities.iter().zip(&self.entities) {
            let mut builder = hecs::EntityBuilder::new();
            builder.add(file.transform.unwrap_or_default());
            if let Some(AttachmentFile { parent, local }) = file.attachment
                && let Some(parent) = entities.get(parent as usize)
            {
                builder.add(Attachment { parent: *parent, local });
            }
            if file.exclude {
                builder.add(ClothExclude);
            }
            if file.pin {
                builder.add(ClothPin);
            }
            if let Some(cloth) = file.cloth {
                builder.add(Cloth::from(cloth));
            }
            if let Some(mesh) = &file.mesh {
                builder.add(ClothMesh::new(mesh.clone()));
            }
            if let Some(targets) = &file.targets {
                builder.add(targets.clone());
            }
            if let Some(collider) = file.collider {
                builder.add(collider);
            }
            if let Some(collider) = file.cloth_collider {
                builder.add(collider);
            }
            if let Some(wind) = file.wind {
                builder.add(wind);
            }
            if let Some(zone) = file.zone {
                builder.add(zone);
            }
            if let Some(volume) = file.fluid {
                builder.add(volume);
            }
            // It was spawned above.
            let _ = world.entities_mut().insert(*entity, builder.build());
        }
        Ok((world, entities))
    }
}
