//! The entities of a world, and the components that cloth reads or writes, in a snapshot.

use std::sync::Arc;

use hecs::{Component, Entity, EntityRef, World as Entities};

use crate::fluid::FluidVolume;
use crate::world::words::{Reader, Words, take_vectors};
use crate::world::{
    AmbientWind, Attachment, Cloth, ClothCollider, ClothExclude, ClothMesh, ClothModel, ClothPin,
    ClothTargets, Collider, Transform, WindSource, WindZone, WorldError,
};

/// Components that cloth reads or writes: the bits of a [`mask`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub(in crate::world) enum Part {
    Transform,
    Attachment,
    Cloth,
    Targets,
    Collider,
    ClothCollider,
    Pin,
    Exclude,
    Mesh,
    Model,
    Ambient,
    Zone,
    Volume,
    Wind,
}

/// Them all, in the order of their bits, and what they are called.
const PARTS: [(Part, &str); 14] = [
    (Part::Transform, "Transform"),
    (Part::Attachment, "Attachment"),
    (Part::Cloth, "Cloth"),
    (Part::Targets, "ClothTargets"),
    (Part::Collider, "Collider"),
    (Part::ClothCollider, "ClothCollider"),
    (Part::Pin, "ClothPin"),
    (Part::Exclude, "ClothExclude"),
    (Part::Mesh, "ClothMesh"),
    (Part::Model, "ClothModel"),
    (Part::Ambient, "AmbientWind"),
    (Part::Zone, "WindZone"),
    (Part::Volume, "FluidVolume"),
    (Part::Wind, "WindSource"),
];

/// A component that is shared and never changes: a snapshot keeps hold of it instead of its values.
#[derive(Clone, Debug)]
pub(super) enum Source {
    Mesh(ClothMesh),
    Model(ClothModel),
    Wind(WindSource),
}

/// Which components an entity has, a bit for each [`Part`].
pub(in crate::world) fn mask(entity: EntityRef<'_>) -> u32 {
    let has = |part| match part {
        Part::Transform => entity.has::<Transform>(),
        Part::Attachment => entity.has::<Attachment>(),
        Part::Cloth => entity.has::<Cloth>(),
        Part::Targets => entity.has::<ClothTargets>(),
        Part::Collider => entity.has::<Collider>(),
        Part::ClothCollider => entity.has::<ClothCollider>(),
        Part::Pin => entity.has::<ClothPin>(),
        Part::Exclude => entity.has::<ClothExclude>(),
        Part::Mesh => entity.has::<ClothMesh>(),
        Part::Model => entity.has::<ClothModel>(),
        Part::Ambient => entity.has::<AmbientWind>(),
        Part::Zone => entity.has::<WindZone>(),
        Part::Volume => entity.has::<FluidVolume>(),
        Part::Wind => entity.has::<WindSource>(),
    };
    PARTS.iter().map(|(part, _)| u32::from(has(*part)) << *part as u32).sum()
}

/// Whether a mask has a component.
pub(in crate::world) fn has(mask: u32, part: Part) -> bool {
    mask >> part as u32 & 1 == 1
}

/// Writes down all entities of `listed` and what they have.
pub(super) fn put(entities: &Entities, listed: &[Entity], to: &mut Vec<u32>, sources: &mut Vec<Source>) {
    to.push(u32::try_from(listed.len()).unwrap_or(u32::MAX));
    for entity in listed {
        entity.put(to);
        let Ok(of) = entities.entity(*entity) else {
            to.push(0);
            continue;
        };
        to.push(mask(of));
        put_one::<Transform>(of, to);
        put_one::<Attachment>(of, to);
        put_one::<Cloth>(of, to);
        put_one::<ClothTargets>(of, to);
        put_one::<Collider>(of, to);
        put_one::<ClothCollider>(of, to);
        put_one::<AmbientWind>(of, to);
        put_one::<WindZone>(of, to);
        put_one::<FluidVolume>(of, to);
        sources.extend(of.get::<&ClothMesh>().map(|mesh| Source::Mesh((*mesh).clone())));
        sources.extend(of.get::<&ClothModel>().map(|model| Source::Model((*model).clone())));
        sources.extend(of.get::<&WindSource>().map(|wind| Source::Wind((*wind).clone())));
    }
}

fn put_one<T: Component + Words>(of: EntityRef<'_>, to: &mut Vec<u32>) {
    if let Some(component) = of.get::<&T>() {
        component.put(to);
    }
}

/// Whether the entities that [`put`] wrote down are those of `listed`, with the same components.
pub(super) fn compare(
    entities: &Entities,
    listed: &[Entity],
    from: &mut Reader<'_>,
) -> Result<(), WorldError> {
    let none = || WorldError::NotASnapshot { what: "an entity in it is none" };
    let count = from.take::<u32>().ok_or_else(none)?;
    let mut here = listed.iter();
    for _ in 0..count {
        let (entity, there) = from.take::<(Entity, u32)>().ok_or_else(none)?;
        let other = |what| WorldError::OtherShape { entity, what };
        if here.next() != Some(&entity) {
            return Err(other("is not here, or another is here that is not in the snapshot"));
        }
        let of = entities.entity(entity).map_err(|_| other("is not here"))?;
        let differs = mask(of) ^ there;
        if let Some((_, component)) = PARTS.iter().find(|(part, _)| has(differs, *part)) {
            return Err(WorldError::OtherComponents { entity, component });
        }
        skip(there, from).ok_or_else(none)?;
    }
    match here.next() {
        Some(entity) => Err(WorldError::OtherShape { entity: *entity, what: "is not in the snapshot" }),
        None => Ok(()),
    }
}

/// Reads past the values of an entity.
fn skip(mask: u32, from: &mut Reader<'_>) -> Option<()> {
    fn one<T: Words>(mask: u32, part: Part, from: &mut Reader<'_>) -> Option<()> {
        if has(mask, part) { from.take::<T>().map(drop) } else { Some(()) }
    }
    one::<Transform>(mask, Part::Transform, from)?;
    one::<Attachment>(mask, Part::Attachment, from)?;
    one::<Cloth>(mask, Part::Cloth, from)?;
    if has(mask, Part::Targets) {
        let count = from.take::<u32>()? as usize;
        from.run(count.checked_mul(3)?)?;
    }
    one::<Collider>(mask, Part::Collider, from)?;
    one::<ClothCollider>(mask, Part::ClothCollider, from)?;
    one::<AmbientWind>(mask, Part::Ambient, from)?;
    one::<WindZone>(mask, Part::Zone, from)?;
    one::<FluidVolume>(mask, Part::Volume, from)
}

/// Despawns who came since [`put`], and spawns who went, under the same handle and without components. Whether anyone did.
pub(super) fn populate(entities: &mut Entities, listed: &[Entity], mut from: Reader<'_>) -> Option<bool> {
    let count = from.take::<u32>()?;
    let mut there = Vec::new();
    let is_same = {
        let mut from = from;
        let mut here = listed.iter();
        let mut same = listed.len() == count as usize;
        for _ in 0..count {
            let (entity, mask) = from.take::<(Entity, u32)>()?;
            same &= here.next() == Some(&entity);
            skip(mask, &mut from)?;
        }
        same
    };
    if is_same {
        return Some(false);
    }
    for _ in 0..count {
        let (entity, mask) = from.take::<(Entity, u32)>()?;
        there.push(entity);
        skip(mask, &mut from)?;
    }
    let key = |entity: &Entity| entity.id();
    for entity in listed {
        let place = there.binary_search_by_key(&entity.id(), key);
        if !place.is_ok_and(|place| there[place] == *entity) {
            // It is listed, so it is there.
            let _ = entities.despawn(*entity);
        }
    }
    for entity in there {
        if !entities.contains(entity) {
            entities.spawn_at(entity, ());
        }
    }
    Some(true)
}

/// Lets the numbers that are free be given out in the order of `free`, the last one first, and then those that had not been given
/// out yet: as if what came since had never come. Who is there is who was.
pub(super) fn free(entities: &mut Entities, free: &[Entity]) {
    let there = entities.len() as usize;
    let (first, end) = (there + free.len(), there + entities.freelist().len());
    let fresh = (first..end).rev().filter_map(|id| Entity::from_bits(1 << 32 | id as u64));
    let wanted = fresh.chain(free.iter().copied());
    if entities.freelist().ne(wanted.clone()) {
        let wanted: Vec<Entity> = wanted.collect();
        entities.set_freelist(&wanted);
    }
}

/// Gives all entities the components that [`put`] wrote down. Whether any came or went.
pub(super) fn take(entities: &mut Entities, from: &mut Reader<'_>, sources: &[Source]) -> Option<bool> {
    let count = from.take::<u32>()?;
    let mut sources = sources.iter();
    let mut changed = false;
    for _ in 0..count {
        let (entity, there) = from.take::<(Entity, u32)>()?;
        let here = entities.entity(entity).map_or(0, mask);
        changed |= here != there;
        let is = |part| (has(there, part), has(here, part));
        take_one::<Transform>(entities, entity, is(Part::Transform), from)?;
        take_one::<Attachment>(entities, entity, is(Part::Attachment), from)?;
        take_one::<Cloth>(entities, entity, is(Part::Cloth), from)?;
        take_targets(entities, entity, is(Part::Targets), from)?;
        take_one::<Collider>(entities, entity, is(Part::Collider), from)?;
        take_one::<ClothCollider>(entities, entity, is(Part::ClothCollider), from)?;
        take_sources(entities, entity, is, from)?;
        mark(entities, entity, is(Part::Pin), ClothPin);
        mark(entities, entity, is(Part::Exclude), ClothExclude);
        // Of a snapshot from elsewhere there are none, and the components are those that are here.
        let mesh = if has(there, Part::Mesh) { sources.next() } else { None };
        let model = if has(there, Part::Model) { sources.next() } else { None };
        let wind = if has(there, Part::Wind) { sources.next() } else { None };
        match mesh {
            Some(Source::Mesh(mesh)) => {
                set(entities, entity, mesh.clone(), |here| Arc::ptr_eq(&here.0, &mesh.0))
            }
            _ if has(here, Part::Mesh) && !has(there, Part::Mesh) => remove::<ClothMesh>(entities, entity),
            _ => {}
        }
        match model {
            Some(Source::Model(model)) => {
                set(entities, entity, model.clone(), |here| Arc::ptr_eq(&here.0, &model.0));
            }
            _ if has(here, Part::Model) && !has(there, Part::Model) => remove::<ClothModel>(entities, entity),
            _ => {}
        }
        match wind {
            Some(Source::Wind(wind)) => {
                set(entities, entity, wind.clone(), |here| Arc::ptr_eq(&here.0, &wind.0));
            }
            _ if has(here, Part::Wind) && !has(there, Part::Wind) => remove::<WindSource>(entities, entity),
            _ => {}
        }
    }
    Some(changed)
}

pub(in crate::world) fn take_one<T: Component + Words>(
    entities: &mut Entities,
    entity: Entity,
    (there, here): (bool, bool),
    from: &mut Reader<'_>,
) -> Option<()> {
    if there {
        let value = from.take::<T>()?;
        if let Ok(mut component) = entities.get::<&mut T>(entity) {
            *component = value;
            return Some(());
        }
        insert(entities, entity, value);
    } else if here {
        remove::<T>(entities, entity);
    }
    Some(())
}

/// The sources of wind that are values, of which `is` says whether they are there and were here.
pub(in crate::world) fn take_sources(
    entities: &mut Entities,
    entity: Entity,
    is: impl Fn(Part) -> (bool, bool),
    from: &mut Reader<'_>,
) -> Option<()> {
    take_one::<AmbientWind>(entities, entity, is(Part::Ambient), from)?;
    take_one::<WindZone>(entities, entity, is(Part::Zone), from)?;
    take_one::<FluidVolume>(entities, entity, is(Part::Volume), from)
}

pub(in crate::world) fn take_targets(
    entities: &mut Entities,
    entity: Entity,
    (there, here): (bool, bool),
    from: &mut Reader<'_>,
) -> Option<()> {
    if there && here {
        let mut targets = entities.get::<&mut ClothTargets>(entity).ok()?;
        return take_vectors(from, &mut targets.0);
    }
    take_one::<ClothTargets>(entities, entity, (there, here), from)
}

pub(in crate::world) fn mark<T: Component>(
    entities: &mut Entities,
    entity: Entity,
    (there, here): (bool, bool),
    value: T,
) {
    match (there, here) {
        (true, false) => insert(entities, entity, value),
        (false, true) => remove::<T>(entities, entity),
        _ => {}
    }
}

fn set<T: Component>(entities: &mut Entities, entity: Entity, value: T, is_same: impl Fn(&T) -> bool) {
    if entities.get::<&T>(entity).is_ok_and(|here| is_same(&here)) {
        return;
    }
    insert(entities, entity, value);
}

pub(in crate::world) fn insert<T: Component>(entities: &mut Entities, entity: Entity, value: T) {
    // Whoever is not there was spawned before.
    let _ = entities.insert_one(entity, value);
}

pub(in crate::world) fn remove<T: Component>(entities: &mut Entities, entity: Entity) {
    // It has one.
    let _ = entities.remove_one::<T>(entity);
}
