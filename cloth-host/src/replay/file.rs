//! A replay as it was read: its records, as far as they are sound.

use std::sync::Arc;

use cloth_core::{Baked, Block, Fingerprint};
use hecs::Entity;

use super::{BYTE_ORDER, HEADER, Kind, MAGIC, PREFIX, ReplayError, VERSION, checksum};
use crate::world::words::Reader;
use crate::world::{Fingerprints, hecs};

/// A place in the file's words, and how many there are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub kind: Kind,
    first: usize,
    count: usize,
}

impl Run {
    /// The byte at which its record begins.
    pub fn byte(&self) -> u64 {
        (self.first.saturating_sub(PREFIX) * size_of::<u32>()) as u64
    }
}

/// One tick of a replay.
#[derive(Clone, Debug)]
pub struct Tick {
    /// The hash of what the world was told before it.
    pub inputs: Fingerprint,
    /// The fingerprints after it.
    pub after: Fingerprints,
    /// What was said before it, in order.
    pub(super) said: Vec<Run>,
    /// The world after it.
    pub(super) keyframe: Option<Run>,
}

/// A replay of a world.
#[derive(Clone, Debug)]
pub struct Replay {
    words: Vec<u32>,
    pub(super) models: Vec<Arc<Baked>>,
    /// The models of the cloths at the start.
    pub(super) built: Vec<(Entity, u64)>,
    pub(super) start: Run,
    pub(super) first: Run,
    ticks: Vec<Tick>,
    damage: Option<ReplayError>,
}

impl Replay {
    /// Reads a file as far as it is sound. Where it is not, [`Replay::damage`] says, and what is before it can be played.
    ///
    /// # Errors
    /// [`ReplayError`], where not even the start can be read.
    pub fn read(bytes: &[u8]) -> Result<Self, ReplayError> {
        let words: Vec<u32> = bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        match words.get(..HEADER) {
            Some([MAGIC, BYTE_ORDER, VERSION, 0]) => {}
            Some([MAGIC, BYTE_ORDER, VERSION, found]) => return Err(ReplayError::Header { found: *found }),
            Some([MAGIC, BYTE_ORDER, found, _]) => return Err(ReplayError::Version { found: *found }),
            Some([magic, order, ..])
                if magic.swap_bytes() == MAGIC || *magic == MAGIC && order.swap_bytes() == BYTE_ORDER =>
            {
                return Err(ReplayError::ByteOrder);
            }
            None if words.first() == Some(&MAGIC) => {
                return Err(ReplayError::Ends { byte: bytes.len() as u64 });
            }
            _ => return Err(ReplayError::NotAReplay),
        }
        let mut parts = Parts::default();
        let mut at = HEADER;
        let damage = loop {
            match next(&words, at, bytes.len()) {
                Ok(run) => {
                    at = run.first + run.count;
                    match parts.take(run, &words) {
                        Ok(true) => break trails((at * size_of::<u32>()) as u64, bytes),
                        Ok(false) => {}
                        Err(error) => break Some(error),
                    }
                }
                Err(error) => break Some(error),
            }
        };
        let Parts { models, built, start, first, ticks, .. } = parts;
        match (start.zip(first), damage) {
            (Some((start, first)), damage) => Ok(Self { words, models, built, start, first, ticks, damage }),
            (None, Some(damage)) => Err(damage),
            (None, None) => Err(ReplayError::Damaged { byte: 0, what: "it has no start" }),
        }
    }

    /// The ticks, the first one being number 1.
    pub fn ticks(&self) -> &[Tick] {
        &self.ticks
    }

    /// Whether there are the ticks from one to another; 0 is the start.
    ///
    /// # Errors
    /// [`ReplayError::NoSuchTick`], [`ReplayError::Order`].
    pub fn check_range(&self, range: [u32; 2]) -> Result<(), ReplayError> {
        in_order(range, u32::try_from(self.ticks.len()).unwrap_or(u32::MAX))
    }

    /// Where the file is no longer sound, if it is not to its end.
    pub fn damage(&self) -> Option<&ReplayError> {
        self.damage.as_ref()
    }

    /// Whether a world has the cloths that this one began with.
    ///
    /// # Errors
    /// [`ReplayError::OtherScene`] with the first that is another, or in one of them only.
    #[cfg(feature = "io")]
    pub(crate) fn is_of(&self, world: &crate::world::World) -> Result<(), ReplayError> {
        let here = world.models();
        let of = |list: &[(Entity, u64)], entity| {
            Fingerprint(list.iter().find(|(anchor, _)| *anchor == entity).map_or(0, |(_, model)| *model))
        };
        for (entity, _) in self.built.iter().chain(&here) {
            let (recorded, found) = (of(&self.built, *entity), of(&here, *entity));
            if recorded != found {
                return Err(ReplayError::OtherScene { entity: *entity, recorded, found });
            }
        }
        Ok(())
    }

    /// How many keyframes there are, that of the start included.
    pub fn keyframes(&self) -> usize {
        1 + self.ticks.iter().filter(|tick| tick.keyframe.is_some()).count()
    }

    /// What a record holds.
    pub(super) fn reader(&self, run: &Run) -> Reader<'_> {
        Reader::new(self.words.get(run.first..run.first + run.count).unwrap_or(&[]))
    }
}

/// Whether there are such ticks, the first before the last.
///
/// # Errors
/// [`ReplayError::NoSuchTick`], [`ReplayError::Order`].
pub(super) fn in_order([from, to]: [u32; 2], count: u32) -> Result<(), ReplayError> {
    match [from, to].into_iter().find(|tick| *tick > count) {
        Some(tick) => Err(ReplayError::NoSuchTick { tick, count }),
        None if from > to => Err(ReplayError::Order { from, to }),
        None => Ok(()),
    }
}

/// What there is to say of a file whose recording ends at a byte.
pub(super) fn trails(byte: u64, bytes: &[u8]) -> Option<ReplayError> {
    let count = (bytes.len() as u64).saturating_sub(byte);
    (count > 0).then_some(ReplayError::Trails { byte, count })
}

/// The record that begins at a word.
fn next(words: &[u32], at: usize, bytes: usize) -> Result<Run, ReplayError> {
    let byte = (at * size_of::<u32>()) as u64;
    let ends = ReplayError::Ends { byte: bytes as u64 };
    let rest = words.get(at..).unwrap_or(&[]);
    let Some(([kind, length, low, high], rest)) = rest.split_first_chunk::<PREFIX>() else {
        return Err(ends);
    };
    let damaged = |what| ReplayError::Damaged { byte, what };
    // A length that goes beyond the end may be a damaged one: the kind tells the two apart as far as anything can.
    let known = Kind::of(*kind).ok_or(damaged("of no kind that this version knows"))?;
    let holds = rest.get(..*length as usize).ok_or(ends)?;
    if checksum(*kind, holds) != (u64::from(*low) | u64::from(*high) << 32) {
        return Err(damaged("its checksum is another"));
    }
    Ok(Run { kind: known, first: at + PREFIX, count: holds.len() })
}

/// What was read so far.
#[derive(Default)]
struct Parts {
    models: Vec<Arc<Baked>>,
    built: Vec<(Entity, u64)>,
    start: Option<Run>,
    first: Option<Run>,
    ticks: Vec<Tick>,
    said: Vec<Run>,
}

impl Parts {
    /// Takes a record in; whether it was the last.
    fn take(&mut self, run: Run, words: &[u32]) -> Result<bool, ReplayError> {
        let byte = run.byte();
        let damaged = |what| ReplayError::Damaged { byte, what };
        let holds = words.get(run.first..run.first + run.count).unwrap_or(&[]);
        let mut reader = Reader::new(holds);
        let number = u32::try_from(self.ticks.len()).unwrap_or(u32::MAX);
        match run.kind {
            Kind::Model => {
                let blocks = holds.as_chunks::<4>().0.iter().map(|words| Block(*words)).collect();
                let baked = Baked::of_blocks(blocks).map_err(|error| ReplayError::Model { byte, error })?;
                self.models.push(Arc::new(baked));
            }
            Kind::Start if self.start.is_some() => return Err(damaged("it has a second start")),
            Kind::Start => {
                self.built = reader.take().ok_or(damaged("its models are none"))?;
                self.start = Some(run);
            }
            _ if self.start.is_none() => return Err(damaged("it comes before the start")),
            Kind::Keyframe => {
                if reader.take() != Some(number) {
                    return Err(damaged("it is of another tick"));
                }
                match self.ticks.last_mut() {
                    Some(tick) => tick.keyframe = Some(run),
                    None => self.first = Some(run),
                }
            }
            Kind::Inputs | Kind::Reseed | Kind::Event => self.said.push(run),
            Kind::Tick => {
                if reader.take() != Some(number + 1) {
                    return Err(damaged("it is another tick than the next"));
                }
                let read = reader.take::<Fingerprint>().zip(reader.take::<Fingerprints>());
                let (inputs, after) = read.ok_or(damaged("its fingerprints are none"))?;
                let said = core::mem::take(&mut self.said);
                self.ticks.push(Tick { inputs, after, said, keyframe: None });
            }
            Kind::End if reader.take() != Some(number) => {
                return Err(damaged("it ends another number of ticks"));
            }
            Kind::End => return Ok(true),
        }
        Ok(false)
    }
}
