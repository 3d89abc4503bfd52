//! Entities that stand relative to others, and the cascade that works out where that is.

use hecs::{Entity, World as Entities};

use super::{FARTHEST, Transform, WorldError};
use crate::hash::Hasher;
use crate::pose::greater;
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
    /// Places among the links by number of the child.
    by_number: Vec<(u32, usize)>,
    /// Where each link's child is, in the order of the links; of those that were left out where it was.
    worlds: Vec<Transform>,
    /// Which links were worked out last, as far as not all were.
    placed: Option<Vec<bool>>,
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
        self.placed = None;
        if let Some(links) = links {
            self.by_number.clear();
            self.by_number.extend(links.iter().enumerate().map(|(place, link)| (link.child.id(), place)));
            self.by_number.sort_unstable();
            self.links = links;
            self.structure = Some(structure);
        }
        Ok(())
    }

    /// [`Cascade::look`] for whoever only asks where `asked` are, until the next look: of what is attached elsewhere it only looks
    /// whether anything is wrong, which costs a fifth.
    ///
    /// # Errors
    /// As [`Cascade::look`]; where things are has to be looked for again then.
    pub fn look_for(
        &mut self,
        entities: &Entities,
        asked: impl Iterator<Item = Entity>,
    ) -> Result<(), WorldError> {
        if self.structure != Some(structure(entities)) {
            return self.look(entities);
        }
        let mut marked = vec![false; self.links.len()];
        for entity in asked {
            let place = self.by_number.binary_search_by_key(&entity.id(), |(number, _)| *number);
            let mut at = place.ok().and_then(|place| self.by_number.get(place)).map(|(_, place)| *place);
            // Up to what is free, or marked already.
            while let Some(place) = at {
                match (marked.get_mut(place), self.links.get(place)) {
                    (Some(is_marked), Some(link)) if !*is_marked => {
                        *is_marked = true;
                        at = link.above;
                    }
                    _ => break,
                }
            }
        }
        if place_marked(&self.links, &marked, entities, &mut self.worlds) {
            self.placed = Some(marked);
            return Ok(());
        }
        // What is out of the ordinary is looked at in full.
        self.look_again(entities)
    }

    /// [`Cascade::look`] where nobody was attached, let go or despawned since the last.
    ///
    /// # Errors
    /// [`WorldError::Transform`]; this is as it was.
    pub fn look_again(&mut self, entities: &Entities) -> Result<(), WorldError> {
        self.worlds = places(&self.links, entities)?;
        self.placed = None;
        Ok(())
    }

    /// Writes down where everything attached is that was looked for.
    pub fn write(&self, entities: &mut Entities) {
        let mut missing = Vec::new();
        {
            let mut transforms = entities.query::<&mut Transform>();
            let mut transforms = transforms.view();
            for (place, (link, world)) in self.links.iter().zip(&self.worlds).enumerate() {
                if self.placed.as_ref().is_some_and(|placed| placed.get(place) != Some(&true)) {
                    continue;
                }
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

/// [`places`] of the marked links alone, of which each is below a marked one or free. Whether all others are sure to be sound: their
/// locals are, and none is so long or scaled that where it ends had to be worked out. Where not, `worlds` are worth nothing.
fn place_marked(links: &[Link], marked: &[bool], entities: &Entities, worlds: &mut [Transform]) -> bool {
    let mut attachments = entities.query::<&Attachment>();
    let attachments = attachments.view();
    let mut transforms = entities.query::<&Transform>();
    let transforms = transforms.view();
    // The longest of the others, and of those they may hang on, along an axis (m); the largest free parent (1).
    let (mut longest, mut largest) = (0.0_f64, 1.0_f64);
    let mut deepest = 0;
    for (place, (link, marked)) in links.iter().zip(marked).enumerate() {
        let Some(attachment) = attachments.get(link.child) else { return false };
        let local = &attachment.local;
        let free;
        let parent = match link.above {
            Some(above) => worlds.get(above),
            None => {
                let Some(Ok(found)) = transforms.get(link.parent).map(Transform::checked) else {
                    return false;
                };
                free = found;
                largest = free.scale.into_iter().fold(largest, greater);
                Some(&free)
            }
        };
        let is_rigid = local.scale.map(f64::to_bits) == [1.0_f64.to_bits(); 3];
        let Ok(local) = local.checked() else { return false };
        if !is_rigid {
            return false;
        }
        longest = local.translation.into_iter().fold(longest, |longest, x| greater(longest, greater(x, -x)));
        deepest = deepest.max(link.depth);
        if *marked {
            let Some(parent) = parent else { return false };
            let world = local.within(parent);
            if world.check_place(2.0 * FARTHEST).is_err() {
                return false;
            }
            let Some(to) = worlds.get_mut(place) else { return false };
            *to = world;
        }
    }
    // A chain is no longer than all its links, each no longer than twice its longest axis.
    2.0 * longest * largest * (f64::from(deepest) + 1.0) <= FARTHEST
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

    /// What one look at everything says, and what one for a few does, of a chain of these locals on a root of this scale.
    fn both(
        root: Transform,
        locals: &[Transform],
        asked: &[usize],
    ) -> [(Result<(), WorldError>, Vec<Transform>); 2] {
        let mut entities = Entities::new();
        let mut parent = entities.spawn((root,));
        let mut chain = Vec::new();
        for _ in locals {
            parent = attach(&mut entities, parent, 0.0);
            chain.push(parent);
        }
        let mut cascade = Cascade::default();
        cascade.look(&entities).expect("nothing is wrong yet");
        for (entity, local) in chain.iter().zip(locals) {
            entities.get::<&mut Attachment>(*entity).expect("it is attached").local = *local;
        }
        let (mut all, mut few) = (cascade.clone(), cascade);
        let looked = [all.look(&entities), few.look_for(&entities, asked.iter().map(|at| chain[*at]))];
        let [whole, some] = looked;
        let at = |cascade: &Cascade| asked.iter().map(|at| cascade.worlds[*at]).collect::<Vec<_>>();
        // Whatever is not asked for is not written.
        let written = few
            .placed
            .as_ref()
            .map_or(locals.len(), |placed| placed.iter().filter(|placed| **placed).count());
        let last = asked.iter().map(|at| at + 1).max().unwrap_or(0);
        assert!(some.is_err() || written == last || written == locals.len(), "{written} of {last}");
        [(whole, at(&all)), (some, at(&few))]
    }

    #[test]
    fn whoever_asks_for_a_few_is_told_what_whoever_asks_for_all_is() {
        let good = Transform { rotation: [0.6, 0.0, 0.0, 0.8], ..Transform::at([1.0, -2.0, 0.5]) };
        let scaled = |scale: f64| Transform { scale: [scale; 3], ..good };
        let odd = [
            good,
            Transform::at([f64::NAN, 0.0, 0.0]),
            Transform::at([0.0, -0.9e12, 0.0]),
            Transform::at([0.0, 0.0, 1.1e12]),
            Transform { rotation: [0.0; 4], ..good },
            Transform { rotation: [0.0, 3.0, 0.0, 4.0], ..good },
            scaled(2.0),
            scaled(-1.0),
            scaled(1.0e6),
            scaled(1.0e-6),
        ];
        let roots = [
            good,
            Transform::at([0.0, -1.0e12, 0.0]),
            scaled(1.0e6),
            Transform { scale: [1.0, 3.0, 1.0], ..good },
        ];
        let (mut refused, mut told) = (0, 0);
        for root in roots {
            for first in odd {
                for second in odd {
                    for asked in [&[][..], &[0], &[1], &[2, 0]] {
                        let [all, few] = both(root, &[good, first, second, good], asked);
                        assert_eq!(few.0, all.0, "{root:?} {first:?} {second:?}");
                        if all.0.is_ok() {
                            assert_eq!(few.1, all.1, "{root:?} {first:?} {second:?}");
                            told += 1;
                        } else {
                            refused += 1;
                        }
                    }
                }
            }
        }
        assert!(refused > 100 && told > 100, "{refused} refused, {told} told");
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
