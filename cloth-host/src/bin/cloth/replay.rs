//! `cloth record`, `verify`, `diff` and `play`.

use std::fmt::Write as _;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use cloth_host::Error;
use cloth_host::error::Problem;
use cloth_host::export::{self, Plan};
use cloth_host::replay::{Player, Replay, ReplayError, Single, is_single};
use cloth_host::run::{prepare, replayed};
use cloth_host::scene::Scene;

use crate::{PlayArgs, RecordArgs};

/// Runs a scene and writes its recording.
pub fn record(args: &RecordArgs) -> Result<String, Error> {
    let scene = Scene::find(&args.scene)?;
    let prepared = prepare(&scene)?;
    let name = args.output.display().to_string();
    if args.single {
        let recording = cloth_host::run::record_single(&scene, &prepared, |_| ())?;
        let bytes = recording.to_bytes();
        std::fs::write(&args.output, &bytes).map_err(|error| Problem::Write(error).in_file(&name))?;
        return Ok(format!(
            "{}: {} frames in {} bytes\nwrote {name}\n",
            scene.name,
            scene.frames,
            bytes.len()
        ));
    }
    let file = File::create(&args.output).map_err(|error| Problem::Write(error).in_file(&name))?;
    cloth_host::run::record(&scene, &prepared, args.keyframes, BufWriter::new(file), |_| ())?;
    let bytes = std::fs::metadata(&args.output).map_or(0, |data| data.len());
    Ok(format!("{}: {} ticks in {bytes} bytes\nwrote {name}\n", scene.name, scene.frames))
}

/// Plays a recording and compares every tick.
pub fn verify(file: &Path) -> Result<String, Error> {
    let (recorded, name) = read(file)?;
    let refused = |error: ReplayError| Problem::Replay(error).in_file(&name);
    let text = match &recorded {
        Recorded::World(replay) => {
            let verified = cloth_host::replay::verify(replay).map_err(refused)?;
            format!("{} ticks as recorded, the last {}\n", verified.ticks, verified.last)
        }
        Recorded::Single(single) => {
            let verified = single.verify().map_err(refused)?;
            format!("{} frames as recorded, the last {}\n", verified.frames, verified.last)
        }
    };
    match recorded.damage() {
        Some(damage) => {
            crate::tell(text.trim_end());
            Err(refused(damage.clone()))
        }
        None => Ok(text),
    }
}

/// Compares two recordings; whether they agree, and are whole: of what is not there nothing is known.
pub fn diff(one: &Path, other: &Path) -> Result<(String, bool), Error> {
    let ((a, name), (b, other)) = (read(one)?, read(other)?);
    let refused = |error: ReplayError| Problem::Replay(error).in_file(&name);
    let is_whole = [note(&name, a.damage()), note(&other, b.damage())] == [true; 2];
    let (parted, same) = match (&a, &b) {
        (Recorded::World(a), Recorded::World(b)) => {
            let found = cloth_host::replay::diff(a, b).map_err(refused)?;
            (found.map(|found| found.to_string()), format!("{} ticks", a.ticks().len()))
        }
        (Recorded::Single(a), Recorded::Single(b)) => {
            let count = a.replay().map_err(refused)?.frame_count();
            (a.diff(b).map_err(refused)?.map(|found| found.to_string()), format!("{count} frames"))
        }
        (a, _) => {
            let is_world = matches!(a, Recorded::World(_));
            return Err(refused(ReplayError::OtherKind { is_world }));
        }
    };
    Ok(match parted {
        Some(parted) => (format!("{parted}\n"), false),
        None => (format!("{same}, all the same\n"), is_whole),
    })
}

/// Says what is wrong with a recording; whether nothing is.
fn note(name: &str, wrong: Option<&ReplayError>) -> bool {
    if let Some(wrong) = wrong {
        crate::tell(&format!("note: {name}: {wrong}"));
    }
    wrong.is_none()
}

/// Plays a part of the recording of a single cloth; the first frame that is not what was recorded besides.
fn play_single(args: &PlayArgs, single: &Single) -> Result<(String, Option<ReplayError>), ReplayError> {
    if args.scene.is_some() {
        return Err(ReplayError::NoScene);
    }
    let to = args.to.unwrap_or(single.replay()?.frame_count());
    let mut text = String::from("frame,fingerprint,max_strain,max_speed,contacts,asleep\n");
    let differs = single.play([args.from, to], |frame, said, state| {
        let (number, print) = (frame.number(), state.fingerprint());
        let _ = writeln!(
            text,
            "{number},{print},{},{},{},{}",
            said.max_strain, said.max_speed, said.contacts, said.asleep
        );
    })?;
    Ok((text, differs))
}

/// Plays a part of a recording; whether what was played is what was recorded, and the recording is whole.
pub fn play(args: &PlayArgs) -> Result<(String, bool), Error> {
    let (recorded, name) = read(&args.file)?;
    let is_whole = note(&name, recorded.damage());
    let (text, differs) = match &recorded {
        Recorded::World(replay) => play_world(args, replay, &name)?,
        Recorded::Single(single) => {
            play_single(args, single).map_err(|error| Problem::Replay(error).in_file(&name))?
        }
    };
    Ok((text, note(&name, differs.as_ref()) && is_whole))
}

/// Plays a part of the recording of a world; the first tick that is not what was recorded besides.
fn play_world(args: &PlayArgs, replay: &Replay, name: &str) -> Result<(String, Option<ReplayError>), Error> {
    let refused = |error: ReplayError| Problem::Replay(error).in_file(name);
    let count = u32::try_from(replay.ticks().len()).unwrap_or(u32::MAX);
    let to = args.to.unwrap_or(count);
    replay.check_range([args.from, to]).map_err(refused)?;
    if let Some(scene) = &args.scene {
        let scene = Scene::find(scene)?;
        let prepared = prepare(&scene)?;
        let plan = Plan::between(&scene, args.from, to);
        let folder = args.out.join(&scene.name);
        export::check_folder(&scene, &folder)?;
        let (recording, differs) =
            replayed(&scene, &prepared, replay, [args.from, to], &plan.keep()).map_err(refused)?;
        let written = export::write_all(&scene.shown(), &recording, &plan, &folder)?;
        let text =
            format!("ticks {} to {to}: {} files into {}\n", args.from, written.len(), folder.display());
        return Ok((text, differs));
    }
    let mut player = Player::seek(replay, args.from).map_err(refused)?;
    let mut differs = None;
    let mut text = String::from("tick,world,cloth,max_strain,max_speed,contacts,asleep\n");
    loop {
        differs = differs.or_else(|| player.check().err());
        let world = player.world();
        let prints = world.fingerprints();
        for cloth in &prints.cloths {
            if let Some(said) = world.diagnostics(cloth.anchor) {
                let _ = writeln!(
                    text,
                    "{},{},{:?},{},{},{},{}",
                    player.number(),
                    prints.world,
                    cloth.anchor,
                    said.max_strain,
                    said.max_speed,
                    said.contacts,
                    said.asleep
                );
            }
        }
        if player.number() >= to || !player.tick().map_err(refused)? {
            return Ok((text, differs));
        }
    }
}

/// A recording, of either kind.
enum Recorded {
    World(Replay),
    Single(Single),
}

impl Recorded {
    /// Where the file is no longer sound, if it is not to its end.
    fn damage(&self) -> Option<&ReplayError> {
        match self {
            Self::World(replay) => replay.damage(),
            Self::Single(single) => single.damage(),
        }
    }
}

/// A recording as far as it is sound, and what it is called. Which kind it is its first bytes say.
fn read(path: &Path) -> Result<(Recorded, String), Error> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| Problem::Read(error).in_file(&name))?;
    let recorded = if is_single(&bytes) {
        Single::read(&bytes).map(Recorded::Single)
    } else {
        Replay::read(&bytes).map(Recorded::World)
    };
    Ok((recorded.map_err(|error| Problem::Replay(error).in_file(&name))?, name))
}
