//! Playing a replay, from its start or from a keyframe, and comparing what comes of it with what was recorded.

use cloth_core::{Fingerprint, Region};
use hecs::Entity;

use super::event::Filed;
use super::file::Run;
use super::recorder::happen;
use super::{Kind, Replay, ReplayError};
use crate::world::inputs::Fault;
use crate::world::words::Reader;
use crate::world::{Executor, Fingerprints, World, hecs};

/// A world that does again what was recorded.
#[derive(Debug)]
pub struct Player<'r> {
    replay: &'r Replay,
    world: World,
    /// Ticks that it has behind it.
    tick: u32,
}

/// What differs first between two worlds that should be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// There are other cloths.
    Cloths,
    /// Colliders are others, or stand elsewhere.
    Colliders,
    /// The air in volumes.
    Air,
    /// A region of a cloth's state.
    Region {
        /// The cloth's anchor.
        anchor: Entity,
        /// The region.
        region: Region,
    },
    /// A cloth's state, in what is in no region.
    State {
        /// The cloth's anchor.
        anchor: Entity,
    },
}

impl core::fmt::Display for Part {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Cloths => f.write_str("there are other cloths"),
            Self::Colliders => f.write_str("the colliders"),
            Self::Air => f.write_str("the air in volumes"),
            Self::Region { anchor, region } => write!(f, "the cloth of entity {anchor:?}, {region}"),
            Self::State { anchor } => write!(f, "the cloth of entity {anchor:?}"),
        }
    }
}

impl Part {
    /// The first part in which the fingerprints of two ticks differ.
    pub fn between(a: &Fingerprints, b: &Fingerprints) -> Option<Self> {
        let anchors =
            |prints: &Fingerprints| prints.cloths.iter().map(|cloth| cloth.anchor).collect::<Vec<_>>();
        if anchors(a) != anchors(b) {
            return Some(Self::Cloths);
        }
        for (a, b) in a.cloths.iter().zip(&b.cloths) {
            let anchor = a.anchor;
            let regions = a.regions.iter().zip(&b.regions).zip(Region::ALL);
            if let Some((_, region)) = regions.into_iter().find(|((a, b), _)| a != b) {
                return Some(Self::Region { anchor, region });
            }
            if a.state != b.state {
                return Some(Self::State { anchor });
            }
        }
        if a.colliders != b.colliders {
            return Some(Self::Colliders);
        }
        (a.air != b.air).then_some(Self::Air)
    }
}

/// A replay that gave what was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Ticks that were played and compared.
    pub ticks: u32,
    /// The world's fingerprint after the last; 0 without one.
    pub last: Fingerprint,
}

/// Plays a replay from its start, as far as it is sound, and compares every tick.
///
/// # Errors
/// [`ReplayError::Inputs`] and [`ReplayError::Differs`] with the first tick that is not what was recorded; and what keeps it from being
/// played at all.
pub fn verify(replay: &Replay) -> Result<Verified, ReplayError> {
    let mut player = Player::start(replay)?;
    let mut verified = Verified { ticks: 0, last: Fingerprint(0) };
    while player.tick()? {
        player.check()?;
        verified = Verified { ticks: player.tick, last: player.world.fingerprint() };
    }
    Ok(verified)
}

impl<'r> Player<'r> {
    /// The world as it began.
    ///
    /// # Errors
    /// [`ReplayError::OtherModel`], [`ReplayError::World`], [`ReplayError::Damaged`].
    pub fn start(replay: &'r Replay) -> Result<Self, ReplayError> {
        let mut player = Self::build(replay)?;
        player.restore(&replay.first)?;
        Ok(player)
    }

    /// The world after a tick, by way of the last keyframe before it; 0 is the start.
    ///
    /// # Errors
    /// [`ReplayError::NoSuchTick`], and those of [`Player::start`] and [`Player::tick`].
    pub fn seek(replay: &'r Replay, tick: u32) -> Result<Self, ReplayError> {
        let count = u32::try_from(replay.ticks().len()).unwrap_or(u32::MAX);
        if tick > count {
            return Err(ReplayError::NoSuchTick { tick, count });
        }
        let ticks = || (1..).zip(replay.ticks()).take(tick as usize);
        let keyframes = ticks().filter_map(|(number, tick)| Some((number, tick.keyframe?)));
        let keyframes: Vec<(u32, Run)> = keyframes.collect();
        let jump = |(number, keyframe): &(u32, Run)| -> Result<Self, ReplayError> {
            let mut player = Self::build(replay)?;
            for (_, tick) in ticks().take(*number as usize) {
                for run in &tick.said {
                    match run.kind {
                        // What happened to states is in the keyframe.
                        Kind::Event => continue,
                        // Cloths are made of what was there then.
                        Kind::Reseed => player.world.prepare().map_err(ReplayError::world(*number))?,
                        _ => {}
                    }
                    player.say(core::iter::once(run))?;
                }
            }
            player.world.prepare().map_err(ReplayError::world(*number))?;
            player.restore(keyframe)?;
            player.tick = *number;
            Ok(player)
        };
        // A cloth made of what was there for a moment only may not be the one that is made here: then the keyframe before will do.
        let mut player = match keyframes.iter().rev().find_map(|keyframe| jump(keyframe).ok()) {
            Some(player) => player,
            None => Self::start(replay)?,
        };
        while player.tick < tick && player.tick()? {}
        Ok(player)
    }

    /// Takes the next tick; `false` where there is none.
    ///
    /// # Errors
    /// [`ReplayError::Inputs`], [`ReplayError::World`], [`ReplayError::State`], [`ReplayError::Damaged`].
    pub fn tick(&mut self) -> Result<bool, ReplayError> {
        let Some(tick) = self.replay.ticks().get(self.tick as usize) else { return Ok(false) };
        let number = self.tick + 1;
        self.say(tick.said.iter())?;
        let (expected, found) = (tick.inputs, self.world.input_fingerprint());
        if found != expected {
            return Err(ReplayError::Inputs { tick: number, expected, found });
        }
        self.world.tick().map_err(ReplayError::world(number))?;
        self.tick = number;
        Ok(true)
    }

    /// Compares the world with what was recorded of it after this tick.
    ///
    /// # Errors
    /// [`ReplayError::Differs`].
    pub fn check(&self) -> Result<(), ReplayError> {
        let place = (self.tick as usize).checked_sub(1);
        let Some(tick) = place.and_then(|place| self.replay.ticks().get(place)) else { return Ok(()) };
        match Part::between(&tick.after, &self.world.fingerprints()) {
            Some(part) => Err(ReplayError::Differs { tick: self.tick, part }),
            None => Ok(()),
        }
    }

    /// Lets another executor take the steps from here on ([`World::set_executor`]). No bit of what is compared depends on it.
    pub fn set_executor(&mut self, executor: impl Executor + 'static) {
        self.world.set_executor(executor);
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world, to go on with by oneself.
    pub fn into_world(self) -> World {
        self.world
    }

    /// How many ticks it has behind it.
    pub fn number(&self) -> u32 {
        self.tick
    }

    /// The world that was told what there was to tell at the start.
    fn build(replay: &'r Replay) -> Result<Self, ReplayError> {
        let mut player = Self { replay, world: World::new(), tick: 0 };
        let run = &replay.start;
        let mut reader = replay.reader(run);
        // The models, which have been read.
        let _: Option<Vec<(Entity, u64)>> = reader.take();
        player.told(run, reader)?;
        player.world.prepare().map_err(ReplayError::world(0))?;
        let found = player.world.models();
        for (entity, expected) in &replay.built {
            let found = found.iter().find(|(anchor, _)| anchor == entity).map_or(0, |(_, model)| *model);
            if found != *expected {
                let (expected, found) = (Fingerprint(*expected), Fingerprint(found));
                return Err(ReplayError::OtherModel { entity: *entity, expected, found });
            }
        }
        Ok(player)
    }

    fn restore(&mut self, keyframe: &Run) -> Result<(), ReplayError> {
        let mut reader = self.replay.reader(keyframe);
        let tick = reader.take::<u32>().unwrap_or(0);
        let snapshot = self.world.read_snapshot(&mut reader).map_err(ReplayError::world(tick))?;
        self.world.restore(&snapshot).map_err(ReplayError::world(tick))
    }

    /// Says what was said.
    fn say<'a>(&mut self, said: impl Iterator<Item = &'a Run>) -> Result<(), ReplayError> {
        let tick = self.tick + 1;
        for run in said {
            let mut reader = self.replay.reader(run);
            let damaged = ReplayError::Damaged { byte: run.byte(), what: "what it holds is none" };
            match run.kind {
                Kind::Reseed => {
                    let anchor = reader.take().ok_or(damaged)?;
                    self.world.reseed(anchor).map_err(ReplayError::world(tick))?;
                }
                Kind::Event => {
                    let (anchor, Filed(event)) = reader.take().ok_or(damaged)?;
                    happen(&mut self.world, anchor, event, tick)?;
                }
                _ => self.told(run, reader)?,
            }
        }
        Ok(())
    }

    fn told(&mut self, run: &Run, mut reader: Reader<'_>) -> Result<(), ReplayError> {
        self.world.say(&mut reader, &self.replay.models).map_err(|fault| {
            let what = match fault {
                Fault::Words => "what it holds are no inputs",
                Fault::Model(_) => "it names a model that is not in the file",
            };
            ReplayError::Damaged { byte: run.byte(), what }
        })
    }
}
