//! The pose that nodes had before cloth moved them, and which cloth moves them.
//!
//! One list for the whole world: a node goes from cloth to cloth, as anchors come, go and are seeded anew, and its authored pose
//! goes with it. Each node is moved by one cloth, that which was seeded last of those it is part of.

use std::collections::{BTreeMap, BTreeSet};

use hecs::{Entity, World as Entities};

use super::seed::Subtree;
use super::words::{Reader, Words as _, fields};
use super::{Attachment, Transform};

/// What cloth has written over, by number of its entity.
#[derive(Clone, Debug, Default)]
pub(super) struct Authored {
    lines: BTreeMap<u32, Line>,
    /// How often anything about who moves what may have changed.
    changes: u64,
}

/// Which nodes of its subtree a cloth moves, as long as nothing about that changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Moves {
    nodes: Vec<bool>,
    /// Of [`Authored`], when this was looked up; `None` before it is.
    changes: Option<u64>,
}

impl Moves {
    /// Node by node.
    pub fn of(&mut self, anchor: Entity, subtree: &Subtree, authored: &Authored) -> &[bool] {
        if self.changes != Some(authored.changes) {
            self.changes = Some(authored.changes);
            self.nodes.clear();
            self.nodes.extend(subtree.nodes.iter().map(|node| authored.is_moved_by(node.entity, anchor)));
        }
        &self.nodes
    }
}

#[derive(Clone, Copy, Debug)]
struct Line {
    entity: Entity,
    parent: Entity,
    local: Transform,
    /// The anchor of the cloth that moves it.
    anchor: Entity,
}

impl Authored {
    /// The local transform that an entity had on this parent before cloth moved it; `None` where none did.
    pub fn local(&self, entity: Entity, parent: Entity) -> Option<Transform> {
        let line = self.lines.get(&entity.id())?;
        (line.entity == entity && line.parent == parent).then_some(line.local)
    }

    /// Whether the cloth of an anchor moves an entity.
    pub fn is_moved_by(&self, entity: Entity, anchor: Entity) -> bool {
        self.lines.get(&entity.id()).is_some_and(|line| line.entity == entity && line.anchor == anchor)
    }

    /// Gives a cloth the nodes of its subtree, each as it was authored, whoever moved it before.
    pub fn take(&mut self, anchor: Entity, subtree: &Subtree, entities: &mut Entities) {
        self.changes += 1;
        for node in &subtree.nodes {
            let (entity, parent, local) = (node.entity, subtree.parent(anchor, node), node.authored);
            let line = Line { entity, parent, local, anchor };
            line.show(entities);
            self.lines.insert(entity.id(), line);
        }
    }

    /// Gives a cloth what it is made of, what is attached to its anchor `now` and no other cloth moves: the other went.
    pub fn claim(&mut self, anchor: Entity, subtree: &Subtree, now: &Subtree) {
        self.changes += 1;
        let attached: BTreeSet<u32> = now.nodes.iter().map(|node| node.entity.id()).collect();
        for node in subtree.nodes.iter().filter(|node| attached.contains(&node.entity.id())) {
            let (entity, parent, local) = (node.entity, subtree.parent(anchor, node), node.authored);
            let is_free = self.lines.get(&entity.id()).is_none_or(|line| line.entity != entity);
            if is_free {
                self.lines.insert(entity.id(), Line { entity, parent, local, anchor });
            }
        }
    }

    /// Gives every node that a cloth moves its authored local transform back, where it still hangs where it did.
    pub fn show(&self, anchor: Entity, subtree: &Subtree, entities: &mut Entities) {
        for node in subtree.nodes.iter().filter(|node| self.is_moved_by(node.entity, anchor)) {
            if let Some(line) = self.lines.get(&node.entity.id()) {
                line.show(entities);
            }
        }
    }

    /// [`Authored::show`] of a cloth that goes: nobody moves its nodes any more.
    pub fn give_back(&mut self, anchor: Entity, subtree: &Subtree, entities: &mut Entities) {
        self.changes += 1;
        self.show(anchor, subtree, entities);
        for node in &subtree.nodes {
            if self.is_moved_by(node.entity, anchor) {
                self.lines.remove(&node.entity.id());
            }
        }
    }
}

impl Authored {
    /// Writes it down for a snapshot.
    pub fn put(&self, to: &mut Vec<u32>) {
        to.push(u32::try_from(self.lines.len()).unwrap_or(u32::MAX));
        self.lines.values().for_each(|line| line.put(to));
    }

    /// Takes over what [`Authored::put`] wrote. Where it is of the same entities, in the memory that is there.
    pub fn restore(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.changes += 1;
        let count = from.take::<u32>()?;
        let mut looked = *from;
        let mut is_in_place = self.lines.len() == count as usize;
        for line in self.lines.values() {
            is_in_place = is_in_place && looked.take::<Line>()?.entity.id() == line.entity.id();
        }
        if is_in_place {
            for line in self.lines.values_mut() {
                *line = from.take()?;
            }
        } else {
            let lines = (0..count).map(|_| from.take::<Line>().map(|line| (line.entity.id(), line)));
            self.lines = lines.collect::<Option<_>>()?;
        }
        Some(())
    }
}

fields! {
    Line { entity, parent, local, anchor }
}

impl Line {
    fn show(&self, entities: &mut Entities) {
        if let Ok(mut attachment) = entities.get::<&mut Attachment>(self.entity)
            && attachment.parent == self.parent
        {
            attachment.local = self.local;
        }
    }
}
