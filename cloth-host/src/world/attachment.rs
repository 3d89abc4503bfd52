//! Entities that stand relative to others, and the cascade that works out where that is.

use hecs::{Entity, World as Entities};

use super::{FARTHEST, Transform, WorldError};
use crate::hash::Hasher;
use cloth_core::Fingerprint;

/// A component: the entity stands relative to another, and the tick writes its [`Transform`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attachment {
    /// What it stands relative to.
    pub parent: Entity,
    /// Where it is there.
    pub local: Transform,
}

/// What the cascade knows of one attached entity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub child: Entity,
    pub parent: Entity,
    /// The parent's place among the links, if it is attached itself.
    above: Option<usize>,
    /// How many attached entities are above it.
    depth: u32,
}

/// Every attached entity, parents first, and where each is.
#[derive(Clone, Debug, Default)]
pub(super) struct Cascade {
    links: Vec<Link>,
    /// Where each link's child is, in the order of the links.
    worlds: Vec<Transform>,
    structure: Option<Fingerprint>,
}

/// "No link": entities that are attached to nothing.
const FREE: usize = usize::MAX;

impl Cascade {
    /// The links, parents first, then by the child's number.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// A hash of who is attached to whom; it changes when that does.
    pub fn structure(&self) -> Option<Fingerprint> {
        self.structure
    }

    /// Works out where every attached entity is, and writes nothing: the cascade of the world as it stands.
    ///
    /// # Errors
    /// [`WorldError::AttachmentCycle`], [`WorldError::NoParent`], [`WorldError::Transform`]; this is as it was.
    pub fn look(&mut self, entities: &Entities) -> Result<(), WorldError> {
        let structure = structure(entities);
        let links = if self.structure == Some(structure) { None } else { Some(order(entities)?) };
        self.worlds = places(links.as_deref().unwrap_or(&self.links), entities)?;
        if let Some(links) = links {
            self.links = links;
            self.structure = Some(structure);
        }
        Ok(())
    }

    /// [`Cascade::look`] where nobody was attached, let go or despawned since the last.
    ///
    /// # Errors
    /// [`WorldError::Transform`]; this is as it was.
    pub fn look_again(&mut self, entities: &Entities) -> Result<(), WorldError> {
        self.worlds = places(&self.links, entities)?;
        Ok(())
    }

    /// Writes down where everything attached is.
    pub fn write(&self, entities: &mut Entities) {
        let mut missing = Vec::new();
        {
            let mut transforms = entities.query::<&mut Transform>();
            let mut transforms = transforms.view();
            for (link, world) in self.links.iter().zip(&self.worlds) {
                match transforms.get_mut(link.child) {
                    Some(transform) => *transform = *world,
                    None => missing.push((link.child, *world)),
                }
            }
        }
        for (entity, world) in missing {
            // It has an Attachment, so it is there.
            let _ = entities.insert_one(entity, world);
        }
    }
}

/// Where every attached entity is, in the order of the links.
fn places(links: &[Link], entities: &Entities) -> Result<Vec<Transform>, WorldError> {
    let mut worlds: Vec<Transform> = Vec::with_capacity(links.len());
    let mut attachments = entities.query::<&Attachment>();
    let attachments = attachments.view();
    let mut transforms = entities.query::<&Transform>();
    let transforms = transforms.view();
    for link in links {
        let Link { child, parent, above, .. } = *link;
        let free;
        let parent = match above.and_then(|above| worlds.get(above)) {
            Some(world) => world,
            None => {
                let found = transforms.get(parent).ok_or(WorldError::NoParent { entity: child, parent })?;
                free = found.checked().map_err(|fault| WorldError::Transform { entity: parent, fault })?;
                &free
            }
        };
        let fault = |fault| WorldError::Transform { entity: child, fault };
        let local = &attachments.get(child).ok_or(WorldError::NoSuchEntity { entity: child })?.local;
        let world = local.checked().map_err(fault)?.within(parent);
        // Its quaternion is the product of two of length 1. What hangs over the edge of the world is no fault of who is within:
        // cloth on an anchor out there writes nodes a little further, and must not keep the world from ticking.
        world.check_place(2.0 * FARTHEST).map_err(fault)?;
        worlds.push(world);
    }
    Ok(worlds)
}

/// A hash of who is attached to whom. Only ever compared with itself: the order of archetypes may show in it.
fn structure(entities: &Entities) -> Fingerprint {
    let mut hasher = Hasher::new();
    for (child, attachment) in entities.query::<(Entity, &Attachment)>().iter() {
        hasher.whole(child.to_bits().get());
        hasher.whole(attachment.parent.to_bits().get());
    }
    hasher.finish()
}

/// Who is attached to whom, parents first.
fn order(entities: &Entities) -> Result<Vec<Link>, WorldError> {
    let mut links: Vec<Link> = entities
        .query::<(Entity, &Attachment)>()
        .iter()
        .map(|(child, attachment)| Link { child, parent: attachment.parent, above: None, depth: 0 })
        .collect();
    links.sort_unstable_by_key(|link| link.child.id());
    for link in &links {
        if !entities.contains(link.parent) {
            return Err(WorldError::NoParent { entity: link.child, parent: link.parent });
        }
    }
    let place = |links: &[Link], entity: Entity| {
        links.binary_search_by_key(&entity.id(), |link| link.child.id()).unwrap_or(FREE)
    };
    let above: Vec<usize> = links.iter().map(|link| place(&links, link.parent)).collect();
    let mut depths: Vec<Option<u32>> = vec![None; links.len()];
    let mut way: Vec<usize> = Vec::new();
    for start in 0..links.len() {
        let mut at = start;
        // Up to what is known, or to what is free.
        let mut depth = loop {
            match depths.get(at).copied() {
                None => break 0,
                Some(Some(depth)) => break depth + 1,
                Some(None) => {}
            }
            if way.len() >= links.len() {
                return Err(WorldError::AttachmentCycle { entity: on_cycle(&links, &above, at) });
            }
            way.push(at);
            at = above[at];
        };
        while let Some(at) = way.pop() {
            depths[at] = Some(depth);
            depth += 1;
        }
    }
    for (link, depth) in links.iter_mut().zip(depths) {
        link.depth = depth.unwrap_or(0);
    }
    let mut sorted = links.clone();
    sorted.sort_unstable_by_key(|link| (link.depth, link.child.id()));
    // Where each went, by its place before.
    let mut went = vec![FREE; sorted.len()];
    for (new, link) in sorted.iter().enumerate() {
        let old = place(&links, link.child);
        if let Some(went) = went.get_mut(old) {
            *went = new;
        }
    }
    for link in &mut sorted {
        let old = place(&links, link.child);
        link.above = above.get(old).and_then(|above| went.get(*above)).copied();
    }
    Ok(sorted)
}

/// The entity of the lowest number on the cycle that `at` leads into.
fn on_cycle(links: &[Link], above: &[usize], at: usize) -> Entity {
    // As many steps as there are links end on the cycle, wherever they began.
    let start = (0..links.len()).fold(at, |at, _| above[at]);
    let mut lowest = start;
    let mut on = above[start];
    while on != start {
        lowest = lowest.min(on);
        on = above[on];
    }
    links[lowest].child
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attach(entities: &mut Entities, parent: Entity, x: f64) -> Entity {
        entities.spawn((Transform::IDENTITY, Attachment { parent, local: Transform::at([x, 0.0, 0.0]) }))
    }

    #[test]
    fn parents_come_first_whatever_the_order_of_spawning() {
        let mut entities = Entities::new();
        let root = entities.spawn((Transform::at([1.0, 0.0, 0.0]),));
        let late = entities.spawn((Transform::IDENTITY,));
        let leaf = attach(&mut entities, late, 4.0);
        entities
            .insert_one(late, Attachment { parent: root, local: Transform::at([2.0, 0.0, 0.0]) })
            .expect("it is there");
        let mut cascade = Cascade::default();
        cascade.look(&entities).expect("no cycle");
        cascade.write(&mut entities);
        let x = |entity| entities.get::<&Transform>(entity).expect("it has one").translation[0];
        assert!((x(late) - 3.0).abs() < 1e-12 && (x(leaf) - 7.0).abs() < 1e-12);
    }

    #[test]
    fn a_cycle_is_named_by_its_lowest_member_and_changes_nothing() {
        let mut entities = Entities::new();
        let root = entities.spawn((Transform::IDENTITY,));
        let a = attach(&mut entities, root, 1.0);
        let b = attach(&mut entities, a, 1.0);
        let c = attach(&mut entities, b, 1.0);
        let into = attach(&mut entities, c, 1.0);
        let mut cascade = Cascade::default();
        cascade.look(&entities).expect("no cycle yet");
        let before = cascade.worlds.clone();
        entities.get::<&mut Attachment>(a).expect("it is attached").parent = c;
        assert_eq!(cascade.look(&entities), Err(WorldError::AttachmentCycle { entity: a }));
        assert_eq!(cascade.worlds, before);
        entities.get::<&mut Attachment>(into).expect("it is attached").parent = into;
        entities.get::<&mut Attachment>(a).expect("it is attached").parent = root;
        assert_eq!(cascade.look(&entities), Err(WorldError::AttachmentCycle { entity: into }));
    }

    #[test]
    fn a_parent_that_went_is_named() {
        let mut entities = Entities::new();
        let root = entities.spawn((Transform::IDENTITY,));
        let child = attach(&mut entities, root, 1.0);
        entities.despawn(root).expect("it is there");
        let expected = WorldError::NoParent { entity: child, parent: root };
        assert_eq!(Cascade::default().look(&entities), Err(expected));
    }
}
