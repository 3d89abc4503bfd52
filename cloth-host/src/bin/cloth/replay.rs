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
    let replay = match recorded {
        Recorded::World(replay) => replay,
        Recorded::Single(single) => {
            let verified = single.verify().map_err(|error| Problem::Replay(error).in_file(&name))?;
            return Ok(format!("{} frames as recorded, the last {}\n", verified.frames, verified.last));
        }
    };
    let verified =
        cloth_host::replay::verify(&replay).map_err(|error| Problem::Replay(error).in_file(&name))?;
    let text = format!("{} ticks as recorded, the last {}\n", verified.ticks, verified.last);
    match replay.damage() {
        Some(damage) => {
            crate::tell(text.trim_end());
            Err(Problem::Replay(damage.clone()).in_file(&name))
        }
        None => Ok(text),
    }
}

/// Compares two recordings; whether they agree.
pub fn diff(one: &Path, other: &Path) -> Result<(String, bool), Error> {
    let ((a, name), (b, other)) = (read(one)?, read(other)?);
    let (a, b) = match (a, b) {
        (Recorded::World(a), Recorded::World(b)) => (a, b),
        (Recorded::Single(a), Recorded::Single(b)) => return diff_single(&a, &b, &name),
        (a, _) => {
            let is_world = matches!(a, Recorded::World(_));
            return Err(Problem::Replay(ReplayError::OtherKind { is_world }).in_file(&name));
        }
    };
    for (replay, name) in [(&a, &name), (&b, &other)] {
        if let Some(damage) = replay.damage() {
            crate::tell(&format!("note: {name}: {damage}"));
        }
    }
    let found = cloth_host::replay::diff(&a, &b).map_err(|error| Problem::Replay(error).in_file(&name))?;
    Ok(match found {
        Some(divergence) => (format!("{divergence}\n"), false),
        None => (format!("{} ticks, all the same\n", a.ticks().len()), true),
    })
}

fn diff_single(a: &Single, b: &Single, name: &str) -> Result<(String, bool), Error> {
    let refused = |error: ReplayError| Problem::Replay(error).in_file(name);
    Ok(match a.diff(b).map_err(refused)? {
        Some(divergence) => (format!("{divergence}\n"), false),
        None => (format!("{} frames, all the same\n", a.replay().map_err(refused)?.frame_count()), true),
    })
}

/// Plays a part of the recording of a single cloth.
fn play_single(args: &PlayArgs, single: &Single) -> Result<String, ReplayError> {
    if args.scene.is_some() {
        return Err(ReplayError::NoScene);
    }
    let to = args.to.unwrap_or(single.replay()?.frame_count());
    let mut text = String::from("frame,fingerprint,max_strain,max_speed,contacts,asleep\n");
    single.play([args.from, to], |frame, said, state| {
        let (number, print) = (frame.number(), state.fingerprint());
        let _ = writeln!(
            text,
            "{number},{print},{},{},{},{}",
            said.max_strain, said.max_speed, said.contacts, said.asleep
        );
    })?;
    Ok(text)
}

/// Plays a part of a recording.
pub fn play(args: &PlayArgs) -> Result<String, Error> {
    let (recorded, name) = read(&args.file)?;
    let refused = |error: ReplayError| Problem::Replay(error).in_file(&name);
    let replay = match recorded {
        Recorded::World(replay) => replay,
        Recorded::Single(single) => return play_single(args, &single).map_err(refused),
    };
    let count = u32::try_from(replay.ticks().len()).unwrap_or(u32::MAX);
    let to = args.to.unwrap_or(count);
    for tick in [args.from, to] {
        if tick > count || args.from > to {
            return Err(refused(ReplayError::NoSuchTick { tick, count }));
        }
    }
    if let Some(scene) = &args.scene {
        let scene = Scene::find(scene)?;
        let prepared = prepare(&scene)?;
        let plan = Plan::between(&scene, args.from, to);
        let folder = args.out.join(&scene.name);
        export::check_folder(&scene, &folder)?;
        let recording =
            replayed(&scene, &prepared, &replay, [args.from, to], &plan.keep()).map_err(refused)?;
        let written = export::write_all(&scene.shown(), &recording, &plan, &folder)?;
        return Ok(format!(
            "ticks {} to {to}: {} files into {}\n",
            args.from,
            written.len(),
            folder.display()
        ));
    }
    let mut player = Player::seek(&replay, args.from).map_err(refused)?;
    let mut text = String::from("tick,world,cloth,max_strain,max_speed,contacts,asleep\n");
    loop {
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
            return Ok(text);
        }
    }
}

/// A recording, of either kind.
enum Recorded {
    World(Replay),
    Single(Single),
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
