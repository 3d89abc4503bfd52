//! What a host says to a world between two ticks, found by comparing and said again.

use std::collections::BTreeMap;
use std::sync::Arc;

use cloth_core::Baked;
use cloth_core::bake::Shapes;
use hecs::{Entity, EntityRef, With};

use super::fingerprints::put_inputs;
use super::live::Live;
use super::snapshot::entities::{
    Part, has, insert, mark, mask, remove, take_one, take_sources, take_targets,
};
use super::words::{Reader, Words};
use super::{
    Attachment, Cloth, ClothCollider, ClothExclude, ClothMesh, ClothModel, ClothPin, Collider, MeshSource,
    Transform, WindSource, World,
};

/// Numbers of entities that a file may have: each costs memory, whether the entity is there or not.
const MOST_ENTITIES: u32 = 1 << 24;

/// What a world was told last, entity by entity.
#[derive(Debug, Default)]
pub(crate) struct Told {
    entities: BTreeMap<Entity, OfEntity>,
    shapes: usize,
}

#[derive(Debug, Default)]
struct OfEntity {
    words: Vec<u32>,
    mesh: Option<Arc<MeshSource>>,
    model: Option<Arc<Baked>>,
}

/// What is wrong with inputs that were read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// They are no inputs.
    Words,
    /// The model of this fingerprint is not known.
    Model(u64),
}

impl Told {
    /// Writes down what is another than it was when this was asked last, and calls `model` for every model that is meant. The first
    /// time that is everything, and cloth's own nodes are where they were authored.
    pub fn changes(&mut self, world: &World, to: &mut Vec<u32>, mut model: impl FnMut(&Arc<Baked>)) {
        let is_first = self.entities.is_empty();
        world.gravity.put(to);
        let words = world.shapes.words();
        let grown = words.get(self.shapes..).unwrap_or(&[]);
        self.shapes = words.len();
        to.push(u32::try_from(grown.len()).unwrap_or(u32::MAX));
        to.extend_from_slice(grown);

        let gone: Vec<Entity> =
            self.entities.keys().filter(|entity| !world.entities.contains(**entity)).copied().collect();
        gone.put(to);
        for entity in gone {
            self.entities.remove(&entity);
        }

        let (at, mut count) = (to.len(), 0);
        to.push(0);
        let mut listed: Vec<EntityRef<'_>> = world.entities.iter().collect();
        listed.sort_unstable_by_key(|of| of.entity());
        for of in listed {
            let entity = of.entity();
            let mut words = Vec::new();
            put_inputs(of, world.said_local(of), &mut words);
            let mesh = of.get::<&ClothMesh>().map(|mesh| mesh.0.clone());
            let baked = of.get::<&ClothModel>().map(|model| model.0.clone());
            let known = self.entities.get(&entity);
            let same =
                |known: &OfEntity| known.words == words && is(&known.mesh, &mesh) && is(&known.model, &baked);
            if known.is_some_and(same) {
                continue;
            }
            count += 1;
            entity.put(to);
            match world.authored_local(of).filter(|_| is_first) {
                Some(authored) => put_inputs(of, Some(authored), to),
                None => to.extend_from_slice(&words),
            }
            if let Some(mesh) = &mesh {
                mesh.as_ref().put(to);
            }
            if let Some(baked) = &baked {
                model(baked);
                baked.model().fingerprint().put(to);
            }
            self.entities.insert(entity, OfEntity { words, mesh, model: baked });
        }
        if let Some(place) = to.get_mut(at) {
            *place = count;
        }

        let asked = || world.listening().filter(|live| live.has_asked());
        to.push(u32::try_from(asked().count()).unwrap_or(u32::MAX));
        for live in asked() {
            live.entity.put(to);
            live.put_asked(to);
        }
    }
}

/// Whether both are the same one, or none.
fn is<T>(a: &Option<Arc<T>>, b: &Option<Arc<T>>) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => Arc::ptr_eq(a, b),
        (None, None) => true,
        _ => false,
    }
}

impl World {
    /// Says what [`Told::changes`] wrote. Where it is refused, part of it may have been said.
    pub(crate) fn say(&mut self, from: &mut Reader<'_>, models: &[Arc<Baked>]) -> Result<(), Fault> {
        self.gravity = from.take().ok_or(Fault::Words)?;
        let grown = from.take::<u32>().and_then(|count| from.run(count as usize)).ok_or(Fault::Words)?;
        if !grown.is_empty() {
            let words = self.shapes.words().iter().chain(grown).copied().collect();
            self.shapes = Shapes::of_words(words);
        }
        for entity in from.take::<Vec<Entity>>().ok_or(Fault::Words)? {
            // Whoever is not there has gone.
            let _ = self.entities.despawn(entity);
        }
        let count = from.take::<u32>().ok_or(Fault::Words)?;
        for _ in 0..count {
            let entity = from.take::<Entity>().filter(|entity| entity.id() < MOST_ENTITIES);
            self.say_one(entity.ok_or(Fault::Words)?, from, models)?;
        }
        for _ in 0..from.take::<u32>().ok_or(Fault::Words)? {
            let entity = from.take::<Entity>().ok_or(Fault::Words)?;
            // Of a cloth that was not seeded, because no tick is taken on the way to a keyframe, nothing is asked.
            match self.live_mut(entity) {
                Ok(live) => live.take_asked(from).ok_or(Fault::Words)?,
                Err(_) => Live::skip_asked(from).ok_or(Fault::Words)?,
            }
        }
        Ok(())
    }

    fn say_one(&mut self, entity: Entity, from: &mut Reader<'_>, models: &[Arc<Baked>]) -> Result<(), Fault> {
        let entities = &mut self.entities;
        if !entities.contains(entity) {
            entities.spawn_at(entity, ());
        }
        let there = from.take::<u32>().ok_or(Fault::Words)?;
        let here = entities.entity(entity).map_or(0, mask);
        let is = |part| (has(there, part), has(here, part));
        // Where what is attached is, the tick says.
        if has(there, Part::Attachment) {
            let (parent, local) = from.take::<(Entity, Option<Transform>)>().ok_or(Fault::Words)?;
            let before = entities.get::<&Attachment>(entity).map(|it| it.local);
            let local = local.or(before.ok()).unwrap_or_default();
            insert(entities, entity, Attachment { parent, local });
            if is(Part::Transform) == (true, false) {
                insert(entities, entity, Transform::IDENTITY);
            }
        } else {
            take_one::<Transform>(entities, entity, is(Part::Transform), from).ok_or(Fault::Words)?;
            if has(here, Part::Attachment) {
                remove::<Attachment>(entities, entity);
            }
        }
        take_one::<Cloth>(entities, entity, is(Part::Cloth), from).ok_or(Fault::Words)?;
        take_targets(entities, entity, is(Part::Targets), from).ok_or(Fault::Words)?;
        take_one::<Collider>(entities, entity, is(Part::Collider), from).ok_or(Fault::Words)?;
        take_one::<ClothCollider>(entities, entity, is(Part::ClothCollider), from).ok_or(Fault::Words)?;
        take_sources(entities, entity, is, from).ok_or(Fault::Words)?;
        mark(entities, entity, is(Part::Pin), ClothPin);
        mark(entities, entity, is(Part::Exclude), ClothExclude);
        if has(there, Part::Mesh) {
            let mesh = from.take::<MeshSource>().ok_or(Fault::Words)?;
            // An equal one stays, so that its cloth does.
            let same = entities.get::<&ClothMesh>(entity).is_ok_and(|here| *here.0 == mesh);
            if !same {
                insert(entities, entity, ClothMesh::new(mesh));
            }
        } else if has(here, Part::Mesh) {
            remove::<ClothMesh>(entities, entity);
        }
        if has(there, Part::Model) {
            let fingerprint = from.take::<u64>().ok_or(Fault::Words)?;
            let found = models.iter().find(|model| model.model().fingerprint().0 == fingerprint);
            let found = found.ok_or(Fault::Model(fingerprint))?.clone();
            let same = entities.get::<&ClothModel>(entity).is_ok_and(|here| Arc::ptr_eq(&here.0, &found));
            if !same {
                insert(entities, entity, ClothModel(found));
            }
        } else if has(here, Part::Model) {
            remove::<ClothModel>(entities, entity);
        }
        Ok(())
    }

    /// The anchors of all cloths that were seeded, and the fingerprints of their models.
    pub(crate) fn models(&self) -> Vec<(Entity, u64)> {
        let cloths = self.cloths.values().filter_map(|live| Some((live.entity, self.work(live)?)));
        cloths.map(|(entity, work)| (entity, work.state().model().fingerprint().0)).collect()
    }

    /// An entity with a source of wind that is the host's own, if there is one: the first by number.
    pub(crate) fn own_wind(&self) -> Option<Entity> {
        self.entities.query::<With<Entity, &WindSource>>().iter().min_by_key(|entity| entity.id())
    }

    /// Whether all bodies of the index are entities'.
    pub(crate) fn owns_all_bodies(&self) -> bool {
        use crate::index::ColliderIndex as _;
        self.index.len() == self.bodies.len()
    }
}
