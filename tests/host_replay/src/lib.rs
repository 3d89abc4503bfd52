//! A world that is recorded on one machine and played on another: what `measure host-targets` and `.ci/targets host-aarch64` run.
//!
//! [`record`] plays a script ([`script`]) and writes it down, [`compare`] plays a recording and compares every fingerprint in it
//! with what comes of it here. Both can be done on either machine. The script uses what every machine rounds alike, so that a recording
//! made there has the bytes of one made here.

// What is said here feeds steps.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod airs;
mod ropes;
pub mod script;
mod visitors;
mod walker;

use core::error::Error;
use core::fmt::{Display, Formatter};

use cloth_host::replay::{Player, Recorder, Replay};
use cloth_host::world::{Fingerprints, World};

use script::{PLANTED_AT, PLANTED_TICKS, Plant, TICKS, parts, plant};

/// Whatever goes wrong is told to a person.
pub type Failure = Box<dyn Error + Send + Sync>;

/// Ticks from one keyframe to the next: whole states are in the file, so that equal bytes say more than equal fingerprints.
const KEYFRAMES: u32 = 60;

/// The files of a folder of recordings, and what is planted in them.
pub const RECORDINGS: [(&str, Option<Plant>); 3] =
    [("world.replay", None), ("bit.replay", Some(Plant::State)), ("input.replay", Some(Plant::Input))];

/// Records the script. What is planted nobody is told of, as in a world that goes astray.
///
/// # Errors
/// What the world refuses.
pub fn record(planted: Option<Plant>) -> Result<Vec<u8>, Failure> {
    let mut world = World::new();
    let mut parts = parts(&mut world)?;
    let mut recorder = Recorder::new(&mut world, Vec::new(), KEYFRAMES)?;
    for tick in 1..=if planted.is_some() { PLANTED_TICKS } else { TICKS } {
        for part in &mut parts {
            part.before(tick, &mut world, &mut recorder)?;
        }
        recorder.before(&world)?;
        let planted = planted.filter(|_| tick == PLANTED_AT);
        if planted == Some(Plant::Input) {
            plant(Plant::Input, &mut world)?;
        }
        world.tick()?;
        if planted == Some(Plant::State) {
            plant(Plant::State, &mut world)?;
        }
        recorder.after(&mut world)?;
    }
    Ok(recorder.finish()?)
}

/// What came of playing a recording.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Ticks that were played.
    pub ticks: u32,
    /// Most cloths there were at a time.
    pub cloths: usize,
    /// Fingerprints that were compared: of each tick those of inputs, world, colliders and air, and of each cloth those of its state and of
    /// its regions.
    pub fingerprints: usize,
    /// Those that differ.
    pub differing: usize,
    /// The first tick in which one does, and what `cloth verify` says of it.
    pub first: Option<(u32, String)>,
}

impl Display for Compared {
    fn fmt(&self, f: &mut Formatter<'_>) -> core::fmt::Result {
        let Self { ticks, cloths, fingerprints, differing, first } = self;
        let word = if first.is_none() { "same" } else { "other" };
        write!(f, "{word}, {ticks} ticks, {cloths} cloths, {fingerprints} fingerprints, {differing} differ")?;
        match first {
            Some((_, what)) => write!(f, ": {what}"),
            None => Ok(()),
        }
    }
}

/// Plays a recording to its end, differences or not, and counts them.
///
/// # Errors
/// A file that is no sound recording, or one that cannot be played.
pub fn compare(file: &[u8]) -> Result<Compared, Failure> {
    let replay = Replay::read(file)?;
    if let Some(damage) = replay.damage() {
        return Err(damage.clone().into());
    }
    let mut player = Player::start(&replay)?;
    let mut found = Compared::default();
    for recorded in replay.ticks() {
        // What it is told is compared before it is taken: it ends here where that differs.
        player.tick()?;
        found.ticks += 1;
        let here = player.world().fingerprints();
        let (count, differing) = count(&recorded.after, &here);
        found.cloths = found.cloths.max(here.cloths.len());
        found.fingerprints += 1 + count;
        found.differing += differing;
        if let (None, Err(error)) = (&found.first, player.check()) {
            found.first = Some((found.ticks, error.to_string()));
        }
    }
    Ok(found)
}

/// How many fingerprints are compared, and how many of them differ. Those of a cloth that only one has differ.
fn count(a: &Fingerprints, b: &Fingerprints) -> (usize, usize) {
    let whole = [(a.world, b.world), (a.colliders, b.colliders), (a.air, b.air)];
    let mut differing = whole.iter().filter(|(a, b)| a != b).count();
    let each = 1 + cloth_core::Region::ALL.len();
    for cloth in &a.cloths {
        differing += match b.cloths.iter().find(|other| other.anchor == cloth.anchor) {
            Some(other) => {
                let regions = cloth.regions.iter().zip(&other.regions).filter(|(a, b)| a != b).count();
                regions + usize::from(cloth.state != other.state)
            }
            None => each,
        };
    }
    let known = |anchor| a.cloths.iter().any(|cloth| cloth.anchor == anchor);
    let more = b.cloths.iter().filter(|cloth| !known(cloth.anchor)).count();
    (whole.len() + each * (a.cloths.len() + more), differing + each * more)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_recorded_comes_again_and_is_recorded_alike() {
        let file = record(None).expect("it can be recorded");
        let found = compare(&file).expect("it is a recording");
        assert_eq!((found.ticks, found.differing, &found.first), (TICKS, 0, &None));
        assert!(found.to_string().starts_with(&format!("same, {TICKS} ticks, {} cloths, ", found.cloths)));
        assert!(file == record(None).expect("it can be recorded"));
    }

    #[test]
    fn what_is_planted_is_found_at_its_tick() {
        for planted in [Plant::State, Plant::Input] {
            let file = record(Some(planted)).expect("it can be recorded");
            let found = compare(&file).expect("it is a recording");
            assert_eq!(found.first.as_ref().map(|first| first.0), Some(PLANTED_AT), "{planted:?}: {found}");
            assert!(found.differing > 0 && found.to_string().starts_with("other, "));
        }
    }
}
