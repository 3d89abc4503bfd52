//! Recording a world while it runs.

use std::io::Write;
use std::sync::Arc;

use cloth_core::replay::Event;
use cloth_core::{Baked, Fingerprint};
use hecs::Entity;

use super::event::Filed;
use super::{BYTE_ORDER, Kind, MAGIC, ReplayError, VERSION, checksum};
use crate::world::inputs::Told;
use crate::world::words::Words;
use crate::world::{Snapshot, World, hecs};

/// Writes a replay while a world runs: record by record, so that what was written stays readable whatever happens next.
///
/// Ticks are taken by [`Recorder::tick`] instead of [`World::tick`]; what changed until then it finds by comparing. What leaves no
/// trace in components has to go through it: [`Recorder::event`], [`Recorder::reseed`].
#[derive(Debug)]
pub struct Recorder<W> {
    out: W,
    told: Told,
    /// Models that are in the file, each once.
    models: Vec<Arc<Baked>>,
    snapshot: Snapshot,
    words: Vec<u32>,
    ticks: u32,
    every: u32,
    /// The hash of what the world was told last.
    inputs: Fingerprint,
    /// The number of the world's tick when it was looked at last: only a rollback lowers it.
    number: u64,
    /// The length of the clock's step (s), which the first keyframe holds.
    step: f64,
}

impl<W: Write> Recorder<W> {
    /// Begins where a world is; it is prepared first ([`World::prepare`]). A keyframe is written every so many ticks, none after
    /// the first with 0: from the last one before it a tick is found without playing everything, and what a state was where it
    /// cannot be computed again is only known at a keyframe.
    ///
    /// # Errors
    /// [`ReplayError::World`], [`ReplayError::Changed`] and [`ReplayError::OwnWind`]: nothing was written. [`ReplayError::Groups`],
    /// [`ReplayError::Write`].
    pub fn new(world: &mut World, mut out: W, every: u32) -> Result<Self, ReplayError> {
        world.prepare().map_err(ReplayError::world(0))?;
        let changed = |anchor| world.diagnostics(anchor).is_some_and(|said| said.subtree_changed);
        if let Some((entity, _)) = world.models().into_iter().find(|(anchor, _)| changed(*anchor)) {
            return Err(ReplayError::Changed { entity });
        }
        if let Some(entity) = world.own_wind() {
            return Err(ReplayError::OwnWind { entity });
        }
        for word in [MAGIC, BYTE_ORDER, VERSION, 0] {
            out.write_all(&word.to_le_bytes()).map_err(|error| ReplayError::Write(error.kind()))?;
        }
        let mut recorder = Self {
            out,
            told: Told::default(),
            models: Vec::new(),
            snapshot: Snapshot::new(),
            words: Vec::new(),
            ticks: 0,
            every,
            inputs: Fingerprint(0),
            number: world.tick_number(),
            step: world.clock().step(),
        };
        recorder.tell(world, Kind::Start)?;
        recorder.keyframe(world)?;
        Ok(recorder)
    }

    /// Takes a tick, and writes down what it was told and what came of it.
    ///
    /// # Errors
    /// [`ReplayError::World`] where the world refused the tick, which is not in the recording then; [`ReplayError::WentBack`],
    /// [`ReplayError::Clock`], [`ReplayError::Groups`], [`ReplayError::OwnWind`]: nothing was written; [`ReplayError::Write`].
    pub fn tick(&mut self, world: &mut World) -> Result<(), ReplayError> {
        self.before(world)?;
        world.tick().map_err(ReplayError::world(self.ticks + 1))?;
        self.after(world)
    }

    /// Writes down what the world is told before a tick that somebody else takes.
    ///
    /// # Errors
    /// [`ReplayError::WentBack`], [`ReplayError::Clock`], [`ReplayError::Groups`], [`ReplayError::OwnWind`]: nothing was written.
    /// [`ReplayError::Write`].
    pub fn before(&mut self, world: &World) -> Result<(), ReplayError> {
        self.tell(world, Kind::Inputs)?;
        self.inputs = world.input_fingerprint();
        Ok(())
    }

    /// Writes down what came of the tick that was taken since [`Recorder::before`].
    ///
    /// # Errors
    /// [`ReplayError::Write`].
    pub fn after(&mut self, world: &mut World) -> Result<(), ReplayError> {
        self.ticks += 1;
        self.number = world.tick_number();
        self.words.clear();
        self.ticks.put(&mut self.words);
        self.inputs.put(&mut self.words);
        world.fingerprints().put(&mut self.words);
        self.write(Kind::Tick)?;
        if self.every > 0 && self.ticks.is_multiple_of(self.every) {
            self.keyframe(world)?;
        }
        Ok(())
    }

    /// Lets something happen to a cloth's state.
    ///
    /// # Errors
    /// [`ReplayError::State`], [`ReplayError::World`], and what [`Recorder::before`] refuses: it did not happen.
    /// [`ReplayError::Write`].
    pub fn event(&mut self, world: &mut World, anchor: Entity, event: Event) -> Result<(), ReplayError> {
        let tick = self.ticks + 1;
        self.tell(world, Kind::Inputs)?;
        happen(world, anchor, event, tick)?;
        self.words.clear();
        (anchor, Filed(event)).put(&mut self.words);
        self.write(Kind::Event)
    }

    /// Makes a cloth anew ([`World::reseed`]).
    ///
    /// # Errors
    /// [`ReplayError::World`], and what [`Recorder::before`] refuses: it is as it was. [`ReplayError::Write`].
    pub fn reseed(&mut self, world: &mut World, anchor: Entity) -> Result<(), ReplayError> {
        self.tell(world, Kind::Inputs)?;
        world.reseed(anchor).map_err(ReplayError::world(self.ticks + 1))?;
        self.words.clear();
        anchor.put(&mut self.words);
        self.write(Kind::Reseed)
    }

    /// Writes down that nothing comes any more.
    ///
    /// # Errors
    /// [`ReplayError::Write`].
    pub fn finish(mut self) -> Result<W, ReplayError> {
        self.words.clear();
        self.ticks.put(&mut self.words);
        self.write(Kind::End)?;
        self.out.flush().map_err(|error| ReplayError::Write(error.kind()))?;
        Ok(self.out)
    }

    /// Writes down what the world was told since.
    fn tell(&mut self, world: &World, kind: Kind) -> Result<(), ReplayError> {
        let (recorded, found) = (self.number, world.tick_number());
        if found < recorded {
            return Err(ReplayError::WentBack { recorded, found });
        }
        self.number = found;
        let (recorded, found) = (self.step, world.clock().step());
        if found.to_bits() != recorded.to_bits() {
            return Err(ReplayError::Clock { tick: self.ticks + 1, recorded, found });
        }
        if !world.owns_all_bodies() {
            return Err(ReplayError::Groups);
        }
        if let Some(entity) = world.own_wind() {
            return Err(ReplayError::OwnWind { entity });
        }
        let mut words = core::mem::take(&mut self.words);
        words.clear();
        if kind == Kind::Start {
            world.models().put(&mut words);
        }
        let mut given: Vec<Arc<Baked>> = Vec::new();
        self.told.changes(world, &mut words, |model| given.push(model.clone()));
        for model in given {
            if !self.models.iter().any(|known| Arc::ptr_eq(known, &model)) {
                self.words.clear();
                self.words.extend(model.model().blocks().iter().flat_map(|block| block.0));
                self.write(Kind::Model)?;
                self.models.push(model);
            }
        }
        self.words = words;
        self.write(kind)
    }

    fn keyframe(&mut self, world: &mut World) -> Result<(), ReplayError> {
        world.snapshot(&mut self.snapshot);
        self.words.clear();
        self.ticks.put(&mut self.words);
        self.snapshot.put(&mut self.words);
        self.write(Kind::Keyframe)
    }

    /// Writes a record of what is in `words`.
    fn write(&mut self, kind: Kind) -> Result<(), ReplayError> {
        let kind = kind as u32;
        let length = u32::try_from(self.words.len()).unwrap_or(u32::MAX);
        let mut prefix = vec![kind, length];
        checksum(kind, &self.words).put(&mut prefix);
        let bytes: Vec<u8> = prefix.iter().chain(&self.words).flat_map(|word| word.to_le_bytes()).collect();
        self.out.write_all(&bytes).map_err(|error| ReplayError::Write(error.kind()))
    }
}

/// Lets something happen to a cloth's state before a tick.
pub(super) fn happen(world: &mut World, entity: Entity, event: Event, tick: u32) -> Result<(), ReplayError> {
    let outcome = world.with_state(entity, |state| event.happen(state)).map_err(ReplayError::world(tick))?;
    outcome.map_err(|error| ReplayError::State { tick, entity, error })
}
