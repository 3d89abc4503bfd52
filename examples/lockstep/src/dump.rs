//! What a peer leaves behind when hashes differ, and what two of them say together.
//!
//! A dump is JSON that a person can read and `diff` can compare: the frame, both hashes, and of some frames up to that one all
//! fingerprints and all values. Some, because a report of a hash can be lost like any other packet, and then a later one is found first.

use std::fmt::{self, Display, Formatter};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use cloth_core::{Block, Difference, Region, SavedState};
use cloth_host::world::hecs::Entity;
use cloth_host::world::{Snapshot, World};
use serde::{Deserialize, Serialize};

use crate::game::Game;

/// The version of the form.
const VERSION: u32 = 1;
/// Words in a line.
const WORDS: usize = 8;

/// What one peer knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dump {
    version: u32,
    player: usize,
    /// The confirmed frame that was found to differ.
    frame: u64,
    /// What the rollback library compared: what the cloth was told, then what it is.
    local_hash: String,
    remote_hash: String,
    /// Frames up to that one.
    frames: Vec<Frame>,
}

/// A frame of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Frame {
    frame: u64,
    tick: u64,
    /// Everything in it.
    world: String,
    /// What the game told the cloth.
    inputs: String,
    colliders: String,
    cloths: Vec<ClothDump>,
    /// The words of the world's snapshot, in hexadecimal, eight a line.
    snapshot: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ClothDump {
    /// The bits of its anchor's handle.
    anchor: u64,
    state: String,
    /// By name.
    regions: Vec<(String, String)>,
    /// Its state's words.
    words: Vec<String>,
}

impl Dump {
    /// A dump of these frames.
    pub fn new(player: usize, frame: u64, [local, remote]: [u128; 2], frames: Vec<Frame>) -> Self {
        let hash = |hash: u128| format!("{:016x} {:016x}", hash >> 64, hash & u128::from(u64::MAX));
        Self { version: VERSION, player, frame, local_hash: hash(local), remote_hash: hash(remote), frames }
    }

    /// Writes it into a directory, and says where.
    ///
    /// # Errors
    /// What the disk refuses.
    pub fn write(&self, directory: &Path) -> Result<PathBuf> {
        fs::create_dir_all(directory).with_context(|| directory.display().to_string())?;
        let path = directory.join(format!("desync-player-{}.json", self.player));
        fs::write(&path, serde_json::to_vec_pretty(self)?).with_context(|| path.display().to_string())?;
        Ok(path)
    }

    /// Reads one.
    ///
    /// # Errors
    /// A file that is none, by its name and line.
    pub fn read(path: &Path) -> Result<Self> {
        let name = || path.display().to_string();
        let dump: Self = serde_json::from_slice(&fs::read(path).with_context(name)?).with_context(name)?;
        ensure!(dump.version == VERSION, "{}: its version is {}, and not {VERSION}", name(), dump.version);
        Ok(dump)
    }
}

impl Frame {
    /// The world as it is, of which `snapshot` was taken.
    pub(crate) fn of(frame: u64, world: &World, snapshot: &Snapshot) -> Self {
        let fingerprints = world.fingerprints();
        let cloths = fingerprints.cloths.iter().map(|cloth| {
            let mut saved = SavedState::new();
            if let Some(state) = world.state(cloth.anchor) {
                state.save(&mut saved);
            }
            ClothDump {
                anchor: cloth.anchor.to_bits().get(),
                state: cloth.state.to_string(),
                regions: (Region::ALL.iter().zip(cloth.regions))
                    .map(|(region, fingerprint)| (region.to_string(), fingerprint.to_string()))
                    .collect(),
                words: lines(saved.blocks().iter().flat_map(|block| block.0)),
            }
        });
        Self {
            frame,
            tick: world.tick_number(),
            world: fingerprints.world.to_string(),
            inputs: world.input_fingerprint().to_string(),
            colliders: fingerprints.colliders.to_string(),
            cloths: cloths.collect(),
            snapshot: lines(snapshot.words()),
        }
    }

    /// The state of a cloth.
    pub(crate) fn state(&self, anchor: Entity) -> Option<Vec<Block>> {
        let cloth = self.cloths.iter().find(|cloth| cloth.anchor == anchor.to_bits().get())?;
        let words = words(&cloth.words)?;
        let (blocks, rest) = words.as_chunks();
        rest.is_empty().then(|| blocks.iter().map(|words| Block(*words)).collect())
    }

    fn hashes(&self) -> [&str; 3] {
        [&self.world, &self.inputs, &self.colliders]
    }
}

/// Where two peers part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parting {
    /// The first frame in which they do, of those that both have.
    pub frame: u64,
    /// The number of its tick.
    pub tick: u64,
    /// Whether the cloth was told different things: then the game went apart first.
    pub inputs: bool,
    /// Whether colliders are not the same.
    pub colliders: bool,
    /// The first cloth that differs, counted from 0.
    pub cloth: Option<usize>,
    /// Its first region and value that differ.
    pub value: Option<Difference>,
    /// Where no cloth differs, the first word of the world's snapshot that does: its place, and both.
    pub word: Option<(usize, [u32; 2])>,
}

/// Compares what two peers left behind. `None` if they agree in all frames that both have.
///
/// # Errors
/// Dumps that are not of this game, or have no frame in common.
pub fn compare(a: &Dump, b: &Dump) -> Result<Option<Parting>> {
    let both = a.frames.iter().filter_map(|x| Some((x, b.frames.iter().find(|y| y.frame == x.frame)?)));
    let both: Vec<(&Frame, &Frame)> = both.collect();
    ensure!(
        !both.is_empty(),
        "frames {} and {} are too far apart: no frame is in both dumps",
        a.frame,
        b.frame
    );
    let Some((x, y)) = both.into_iter().find(|(x, y)| x.hashes() != y.hashes()) else { return Ok(None) };
    let cloth = x.cloths.iter().zip(&y.cloths).position(|(x, y)| x.state != y.state);
    let value = cloth.map(|cloth| difference(x, y, x.cloths[cloth].anchor)).transpose()?.flatten();
    let (of_x, of_y) = (words(&x.snapshot).unwrap_or_default(), words(&y.snapshot).unwrap_or_default());
    let mut pairs = of_x.iter().zip(&of_y).enumerate().filter(|_| cloth.is_none());
    Ok(Some(Parting {
        frame: x.frame,
        tick: x.tick,
        inputs: x.inputs != y.inputs,
        colliders: x.colliders != y.colliders,
        cloth,
        value,
        word: pairs.find(|(_, (x, y))| x != y).map(|(place, (x, y))| (place, [*x, *y])),
    }))
}

/// Where two states of a cloth part.
fn difference(x: &Frame, y: &Frame, anchor: u64) -> Result<Option<Difference>> {
    let anchor = Entity::from_bits(anchor).context("an anchor that is no handle")?;
    let (mut a, mut b) = (Game::new()?, Game::new()?);
    let (a, b) = (a.take(x)?, b.take(y)?);
    let state = |world| World::state(world, anchor).context("an anchor that is none of this game's");
    Ok(state(a)?.difference(state(b)?))
}

impl Display for Parting {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "the peers part in frame {} (tick {})", self.frame, self.tick)?;
        if self.inputs {
            write!(f, "; their cloth was told different things, so look at the game first")?;
        } else {
            write!(f, "; their cloth was told the same")?;
        }
        if self.colliders {
            write!(f, "; colliders differ")?;
        }
        if let Some(cloth) = self.cloth {
            write!(f, "; cloth {cloth}")?;
        }
        if let Some(value) = &self.value {
            write!(f, ", {value}")?;
        }
        match self.word {
            Some((place, [a, b])) => write!(f, "; word {place} of the snapshot: {a:08x} and {b:08x}"),
            None => Ok(()),
        }
    }
}

/// Words in hexadecimal.
fn lines(words: impl Iterator<Item = u32>) -> Vec<String> {
    let words: Vec<String> = words.map(|word| format!("{word:08x}")).collect();
    words.chunks(WORDS).map(|line| line.join(" ")).collect()
}

/// Words from hexadecimal.
fn words(lines: &[String]) -> Option<Vec<u32>> {
    let all = lines.iter().flat_map(|line| line.split(' '));
    all.map(|word| u32::from_str_radix(word, 16).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::players::Buttons;

    /// What a peer leaves behind of frame 30, if it presses this in frame 20.
    fn dump(player: usize, pressed: u8, plant: Option<u64>) -> Dump {
        let mut game = Game::new().expect("it is one");
        game.plant(plant);
        for frame in 0..=30 {
            game.save();
            let buttons = if frame == 20 { Buttons(pressed) } else { Buttons(Buttons::FORWARD) };
            game.tick([buttons, Buttons(Buttons::FORWARD)]).expect("it steps");
        }
        game.dump(player, 30, [1, 2]).expect("it is kept")
    }

    #[test]
    fn what_was_flipped_is_named() {
        let (a, b) = (dump(0, 1, None), dump(1, 1, Some(25)));
        assert_eq!(compare(&a, &a).expect("dumps"), None);
        let parting = compare(&a, &b).expect("dumps").expect("they differ");
        assert_eq!((parting.frame, parting.inputs, parting.colliders), (25, false, false));
        assert_eq!(parting.cloth, Some(1));
        let value = parting.value.expect("a value");
        assert_eq!((value.region, value.field), (Region::Positions, "x"));
        assert_eq!(value.bits[0] ^ value.bits[1], 1);
    }

    #[test]
    fn who_was_told_something_else_is_named() {
        let (a, b) = (dump(0, 1, None), dump(1, 1 | Buttons::LEFT, None));
        let parting = compare(&a, &b).expect("dumps").expect("they differ");
        assert!(parting.inputs, "{parting}");
        // What is dumped begins after that.
        assert_eq!(parting.frame, 22);
        assert!(parting.to_string().contains("look at the game first"), "{parting}");
    }

    #[test]
    fn a_dump_comes_back_and_what_is_none_is_refused() {
        let directory = tempfile::tempdir().expect("a directory");
        let dump = dump(1, 1, None);
        let path = dump.write(directory.path()).expect("it is written");
        assert_eq!(Dump::read(&path).expect("it is one"), dump);
        let text = fs::read_to_string(&path).expect("it is there");
        fs::write(&path, &text[..text.len() / 2]).expect("it is written");
        let error = format!("{:#}", Dump::read(&path).expect_err("half of it is missing"));
        assert!(error.contains("desync-player-1.json") && error.contains("line"), "{error}");
        fs::write(&path, text.replacen("\"version\": 1", "\"version\": 9", 1)).expect("it is written");
        let error = Dump::read(&path).expect_err("it is newer").to_string();
        assert!(error.contains("version is 9"), "{error}");
    }
}
