//! A world as it was: everything that a later tick depends on, copied out and back in.
//!
//! A snapshot is of the settled world, between two ticks. It holds values and no scratch: entities and the components that cloth
//! reads or writes, clock, gravity, where bodies are and were, the air in volumes, and of every cloth its state and what the world keeps
//! beside it.
//! What never changes – a host's own wind, models, meshes, what a subtree consisted of when it was seeded – is shared, not copied. Going back and stepping
//! on is never having left: the same states, transforms and diagnostics, bit for bit, as long as the same is written again.
//!
//! What came and went since is undone when the world goes back to a snapshot of its own: entities that were spawned since are
//! despawned, those that were despawned are there again under the same handle, a cloth that was made anew is the one that it was, and handles given
//! out from there on are the same again. Of components that are not cloth's an entity that comes back has none, and those of others are left as they are: they
//! are the host's to roll back. Words of shapes are not in a snapshot either. Groups of colliders ([`Index::insert_group`](crate::index::Tree::insert_group)) that
//! came since go, and those that went are there again under their handles: their bodies never change, so a snapshot shares them.
//!
//! A snapshot of another world, or of a file, goes into a world of the same shape: the same entities with the same components,
//! the same models, the same colliders, groups with equal bodies. What is not the same is named, and nothing changes.

pub(in crate::world) mod entities;
mod ring;

use std::sync::Arc;

use cloth_core::{Block, SavedState};
use hecs::Entity;

pub use ring::Snapshots;

use super::live::Form;
use super::wind::Volumes;
use super::words::{Reader, Words};
use super::{World, WorldError};
use crate::index::HeldGroup;
use entities::Source;
pub(super) use entities::mask;

/// "CLWS" read as a little-endian word.
const MAGIC: u32 = u32::from_le_bytes(*b"CLWS");
/// The version of the words.
const VERSION: u32 = 3;

/// A world as it was. Saved into again, it takes no memory that it does not have.
///
/// ```
/// use cloth_host::world::{Cloth, Snapshot, Transform, World};
///
/// let mut world = World::new();
/// let hand = world.spawn((Transform::IDENTITY, Cloth::default()));
/// world.attach(hand, Transform::at([0.1, 0.0, 0.0]));
/// world.tick()?;
///
/// let mut before = Snapshot::new();
/// world.snapshot(&mut before);
/// for _ in 0..8 {
///     world.tick()?;
/// }
/// let there = world.fingerprint();
/// world.restore(&before)?;
/// for _ in 0..8 {
///     world.tick()?;
/// }
/// assert_eq!(world.fingerprint(), there);
/// # Ok::<(), cloth_host::world::WorldError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Which world it is of; none has the number 0.
    world: u64,
    words: Vec<u32>,
    /// By number of their anchors, as many as there are cloths; what is behind them is memory.
    states: Vec<SavedState>,
    cloths: Vec<ClothSize>,
    forms: Vec<Form>,
    sources: Vec<Source>,
    free: Vec<Entity>,
    /// By rising handle.
    groups: Vec<HeldGroup>,
    /// Room for a list of all entities.
    listed: Vec<Entity>,
}

/// What a cloth takes up in a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClothSize {
    /// Its anchor.
    pub anchor: Entity,
    /// Its particles.
    pub particles: u32,
    /// Its state: positions, velocities, targets, where particles were when the sleep window opened, tensions (bytes).
    pub state: usize,
    /// What the world keeps beside it: what is shown, the anchor's poses, known bodies, diagnostics (bytes).
    pub beside: usize,
}

/// Two snapshots are equal where all values are.
impl PartialEq for Snapshot {
    fn eq(&self, other: &Self) -> bool {
        self.words == other.words && self.states() == other.states() && self.groups == other.groups
    }
}

impl Snapshot {
    /// Of no world yet.
    pub const fn new() -> Self {
        Self {
            world: 0,
            words: Vec::new(),
            states: Vec::new(),
            cloths: Vec::new(),
            forms: Vec::new(),
            sources: Vec::new(),
            free: Vec::new(),
            groups: Vec::new(),
            listed: Vec::new(),
        }
    }

    /// What it holds (bytes).
    pub fn size(&self) -> usize {
        let states = self.states().iter().map(|state| size_of_val(state.blocks())).sum::<usize>();
        size_of_val(self.words.as_slice()) + states
    }

    /// What each cloth takes up in it, by number of its anchor.
    pub fn sizes(&self) -> &[ClothSize] {
        &self.cloths
    }

    /// Its values as words: equal states of a world, equal words.
    pub fn words(&self) -> impl Iterator<Item = u32> + '_ {
        let states = self.states().iter().flat_map(|state| state.blocks().iter().flat_map(|block| block.0));
        self.words.iter().copied().chain(states)
    }

    /// Writes it down for a file: values, and blocks of states.
    pub(crate) fn put(&self, to: &mut Vec<u32>) {
        let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        to.push(count(self.words.len()));
        to.extend_from_slice(&self.words);
        to.push(count(self.cloths.len()));
        for (size, state) in self.cloths.iter().zip(&self.states) {
            size.anchor.put(to);
            to.push(count(size.beside));
            to.push(count(state.blocks().len()));
            to.extend(state.blocks().iter().flat_map(|block| block.0));
        }
    }

    fn states(&self) -> &[SavedState] {
        self.states.get(..self.cloths.len()).unwrap_or(&[])
    }
}

impl World {
    /// Copies everything that a later tick depends on to `to`, whatever that held.
    pub fn snapshot(&mut self, to: &mut Snapshot) {
        // A snapshot is of the settled world. Steps that are in flight come down here.
        self.come_down();
        let Snapshot { world, words, states, cloths, forms, sources, free, groups, listed } = to;
        *world = self.identity;
        for list in [&mut *free, &mut *listed] {
            list.clear();
        }
        words.clear();
        cloths.clear();
        forms.clear();
        sources.clear();
        groups.clear();
        groups.extend(self.index.held_groups());
        // Whoever was reserved is there.
        self.entities.flush();
        listed.extend(self.entities.iter().map(|entity| entity.entity()));
        listed.sort_unstable_by_key(|entity| entity.id());
        free.extend(self.entities.freelist());

        [MAGIC, VERSION].put(words);
        self.ticks.put(words);
        self.clock.put(words);
        self.gravity.put(words);
        self.volumes.put(words);
        words.push(u32::try_from(self.cloths.len()).unwrap_or(u32::MAX));
        self.cloths.values().for_each(|live| live.subtree.print().put(words));
        entities::put(&self.entities, listed, words, sources);
        self.bodies.put(&self.index, self.shapes.words(), words);
        self.authored.put(words);
        words.push(u32::try_from(self.cloths.len()).unwrap_or(u32::MAX));
        for live in self.cloths.values() {
            // The one that is with nobody is here.
            let Some(form) = Form::of(live) else { continue };
            forms.push(form);
            let (place, begin) = (cloths.len(), words.len());
            if states.len() <= place {
                states.push(SavedState::new());
            }
            live.put(words, &mut states[place]);
            cloths.push(ClothSize {
                anchor: live.entity,
                particles: live.work.as_ref().map_or(0, |work| work.state().model().particle_count()),
                state: size_of_val(states[place].blocks()),
                beside: (words.len() - begin) * size_of::<u32>(),
            });
        }
    }

    /// Puts everything back to where it was. Of a snapshot of this world what came and went since is undone; one of another world
    /// has to be of the same shape (the module's documentation says what that is).
    ///
    /// # Errors
    /// [`WorldError::NotASnapshot`], [`WorldError::OtherShape`], [`WorldError::OtherComponents`], [`WorldError::State`],
    /// [`WorldError::Fluid`]; the world is as it was.
    pub fn restore(&mut self, from: &Snapshot) -> Result<(), WorldError> {
        let damaged = || WorldError::NotASnapshot { what: "its values are none" };
        self.come_down();
        let mut reader = Reader::new(&from.words);
        match reader.take::<[u32; 2]>() {
            Some([MAGIC, VERSION]) => {}
            None => return Err(WorldError::NotASnapshot { what: "nothing was saved in it" }),
            Some(_) => return Err(WorldError::NotASnapshot { what: "its version is another" }),
        }
        let is_own = from.world == self.identity;
        let air = air_of(reader).ok_or_else(damaged)?;
        let made = self.volumes.ready(air, is_own)?;
        let mut listed: Vec<Entity> = core::mem::take(&mut self.listed);
        listed.clear();
        listed.extend(self.entities.iter().map(|entity| entity.entity()));
        listed.sort_unstable_by_key(|entity| entity.id());
        let outcome = if is_own {
            self.make_room(from, &listed, reader)
        } else {
            self.compare(from, &listed, reader).map(|()| false)
        };
        self.listed = listed;
        let populated = outcome?;
        self.volumes.take(made, air).ok_or_else(damaged)?;
        self.take_over(from, populated, reader).ok_or_else(damaged)
    }

    /// A snapshot that [`Snapshot::put`] wrote of a world of this one's shape.
    ///
    /// # Errors
    /// [`WorldError::NotASnapshot`], [`WorldError::OtherShape`]; [`WorldError::State`] where a state in it is of another model, or none.
    pub(crate) fn read_snapshot(&self, from: &mut Reader<'_>) -> Result<Snapshot, WorldError> {
        let damaged = || WorldError::NotASnapshot { what: "its values are none" };
        let count = from.take::<u32>().ok_or_else(damaged)? as usize;
        let words = from.run(count).ok_or_else(damaged)?.to_vec();
        let mut snapshot = Snapshot { words, ..Snapshot::new() };
        for _ in 0..from.take::<u32>().ok_or_else(damaged)? {
            let (anchor, [beside, blocks]) = from.take::<(Entity, [u32; 2])>().ok_or_else(damaged)?;
            let words = from.run((blocks as usize).saturating_mul(4)).ok_or_else(damaged)?;
            let blocks: Vec<Block> = words.as_chunks::<4>().0.iter().map(|words| Block(*words)).collect();
            let live = self.cloths.get(&anchor.id()).filter(|live| live.entity == anchor);
            let other = WorldError::OtherShape { entity: anchor, what: "has no cloth here" };
            let model = live.and_then(|live| live.work.as_ref()).ok_or(other)?.state().model();
            let state = SavedState::checked(model, &blocks)
                .map_err(|error| WorldError::State { entity: anchor, error })?;
            let (particles, beside) = (model.particle_count(), beside as usize);
            let size = ClothSize { anchor, particles, state: size_of_val(state.blocks()), beside };
            snapshot.cloths.push(size);
            snapshot.states.push(state);
        }
        Ok(snapshot)
    }

    /// Undoes what came and went since a snapshot of this world. Whether anything did.
    fn make_room(
        &mut self,
        from: &Snapshot,
        listed: &[Entity],
        mut reader: Reader<'_>,
    ) -> Result<bool, WorldError> {
        // Made before anything changes: it may be refused.
        let mut made = Vec::new();
        for form in &from.forms {
            if !self.cloths.get(&form.entity.id()).is_some_and(|live| form.is_of(live)) {
                let entity = form.entity;
                made.push(form.make().map_err(|error| WorldError::State { entity, error })?);
            }
        }
        let damaged = || WorldError::NotASnapshot { what: "its values are none" };
        skip_head(&mut reader).ok_or_else(damaged)?;
        let mut changed = entities::populate(&mut self.entities, listed, reader).ok_or_else(damaged)?;
        entities::free(&mut self.entities, &from.free);
        changed |= !made.is_empty();
        if self.cloths.len() != from.forms.len() || changed {
            changed = true;
            let is_there = |id: &u32| from.forms.binary_search_by_key(id, |form| form.entity.id()).is_ok();
            self.cloths.retain(|id, _| is_there(id));
        }
        // Poses are values, and come back with them.
        self.cloths.extend(made.into_iter().map(|live| (live.entity.id(), live)));
        Ok(changed)
    }

    /// Whether this world has the shape of a snapshot's.
    fn compare(&self, from: &Snapshot, listed: &[Entity], mut reader: Reader<'_>) -> Result<(), WorldError> {
        let damaged = || WorldError::NotASnapshot { what: "its values are none" };
        let prints = skip_head(&mut reader).ok_or_else(damaged)?;
        entities::compare(&self.entities, listed, &mut reader)?;
        if !self.index.held_groups().eq(from.groups.iter().cloned()) {
            return Err(WorldError::NotASnapshot {
                what: "its groups of colliders, or their handles, are others than the world's",
            });
        }
        self.bodies.compare(&mut reader)?;
        let mut here = self.cloths.values();
        let prints = prints.as_chunks::<2>().0;
        for ((size, state), print) in from.cloths.iter().zip(&from.states).zip(prints) {
            let entity = size.anchor;
            let live = here.next().filter(|live| live.entity == entity);
            let other = |what| WorldError::OtherShape { entity, what };
            let live = live.ok_or(other("has no cloth that was seeded: call World::prepare first"))?;
            let work = live.work.as_ref().ok_or(WorldError::NoCloth { entity })?;
            let state = state.blocks();
            work.state().is_of(state).map_err(|error| WorldError::State { entity, error })?;
            let mut words = Reader::new(print);
            if words.take() != Some(live.subtree.print()) {
                return Err(other("was made from other entities: attach, exclude and pin alike, and reseed"));
            }
        }
        match here.next() {
            Some(live) => {
                Err(WorldError::OtherShape { entity: live.entity, what: "has a cloth here and none there" })
            }
            None => Ok(()),
        }
    }

    /// Takes over all values of a snapshot of this shape.
    fn take_over(&mut self, from: &Snapshot, mut changed: bool, mut reader: Reader<'_>) -> Option<()> {
        let mut head = reader;
        skip_head(&mut reader)?;
        (self.ticks, self.clock, self.gravity) = (head.take()?, head.take()?, head.take()?);
        // What went wrong in a step was in a world that will not have been.
        self.late = None;
        changed |= entities::take(&mut self.entities, &mut reader, &from.sources)?;
        if self.words.len() != self.shapes.words().len() {
            self.words = Arc::new(self.shapes.words().to_vec());
        }
        let is_own = from.world == self.identity;
        if is_own {
            self.index.retain_groups(&from.groups);
        }
        self.bodies.take(&mut self.index, &self.words, &mut reader)?;
        if is_own {
            self.index.return_groups(&from.groups);
        }
        self.authored.restore(&mut reader)?;
        let _cloths = reader.take::<u32>()?;
        for (place, (size, state)) in from.cloths.iter().zip(&from.states).enumerate() {
            let entity = reader.take::<Entity>()?;
            let refused = from.forms.get(place).and_then(Form::refused);
            let live = self.cloths.get_mut(&size.anchor.id()).filter(|live| live.entity == entity)?;
            live.take(&mut reader, state, refused)?;
        }
        if changed {
            // Who is attached to whom is looked at anew.
            self.noticed = None;
        }
        Some(())
    }

    /// The number of the tick that was taken last, [`World::prepare`] counting as one.
    pub fn tick_number(&self) -> u64 {
        self.ticks
    }
}

/// The words of the air in volumes.
fn air_of<'a>(mut reader: Reader<'a>) -> Option<Reader<'a>> {
    reader.take::<(u64, super::Clock)>()?;
    reader.take::<[f64; 3]>()?;
    Volumes::skip(&mut reader)
}

/// Reads past what stands before the entities; two words a cloth of what it was made from.
fn skip_head<'a>(reader: &mut Reader<'a>) -> Option<&'a [u32]> {
    reader.take::<(u64, super::Clock)>()?;
    reader.take::<[f64; 3]>()?;
    Volumes::skip(reader)?;
    let cloths = reader.take::<u32>()? as usize;
    reader.run(cloths.checked_mul(2)?)
}
