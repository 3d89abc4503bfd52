//! `cloth run`.

use std::time::Duration;

use cloth_core::bake::Repair;
use cloth_host::Error;
use cloth_host::export::{self, Plan};
use cloth_host::run::{Recording, prepare, simulate_on};
use cloth_host::scene::Scene;
use cloth_host::world::{Executor as _, Rayon};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::RunArgs;

/// Runs a scene; answers what there is to say.
pub fn run(args: &RunArgs) -> Result<String, Error> {
    let scene = Scene::find(&args.scene)?;
    let prepared = prepare(&scene)?;
    let folder = args.out.join(&scene.name);
    export::check_folder(&scene, &folder)?;
    if !args.quiet {
        for note in prepared.notes.iter().cloned().chain(changes(&prepared.baked.report.repairs)) {
            crate::tell(&format!("note: {note}"));
        }
    }
    let workers = Rayon::workers(args.workers);
    let got = workers.parallelism();
    if got.running < got.requested && !args.quiet {
        crate::tell(&format!("note: {got}"));
    }
    let (plan, shown) = (Plan::new(&scene), scene.shown());
    let bar = progress(args.quiet, u64::from(scene.frames));
    let recording =
        simulate_on(workers, &scene, &prepared, &plan.keep(), |frame| bar.set_position(u64::from(frame)))?;
    bar.set_message("drawing");
    bar.enable_steady_tick(Duration::from_millis(100));
    let written = export::write_all(&shown, &recording, &plan, &folder);
    bar.finish_and_clear();
    let names: Vec<String> = written?
        .iter()
        .filter_map(|path| path.file_name())
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    if args.quiet {
        return Ok(String::new());
    }
    // What was known before the run has been said.
    for note in recording.notes.iter().skip(prepared.notes.len()) {
        crate::tell(&format!("note: {note}"));
    }
    let folder = std::path::absolute(&folder).unwrap_or(folder);
    Ok(format!(
        "{}\nwrote {}\ninto {}\n",
        summary(&shown, scene.cloths(), &recording),
        names.join(", "),
        folder.display()
    ))
}

/// What was changed about the mesh: what the scene asks for, and what it does not.
pub fn changes(repairs: &[Repair]) -> Vec<String> {
    let welded = repairs.iter().filter(|repair| matches!(repair, Repair::Welded { .. })).count();
    let mut said = Vec::new();
    if welded > 0 {
        let vertices = if welded == 1 { "vertex" } else { "vertices" };
        said.push(format!("{welded} seam {vertices} welded, as the scene asks"));
    }
    match repairs.len() - welded {
        0 => {}
        1 => said.push("the mesh was repaired in one place; report.json has it".into()),
        count => said.push(format!("the mesh was repaired in {count} places; report.json lists them")),
    }
    said
}

/// What a run came to; `scene` is shown as one.
fn summary(scene: &Scene, cloths: usize, recording: &Recording) -> String {
    let rows = &recording.rows;
    let count = rows.len().max(1) as f64;
    let worst = rows.iter().map(|row| row.max_strain).fold(0.0, f32::max);
    let mean = rows.iter().map(|row| f64::from(row.mean_strain)).sum::<f64>() / count;
    let ms = rows.iter().map(|row| row.ms).sum::<f64>() / count;
    let met = match scene.colliders.len() {
        0 => String::new(),
        1 => " and 1 collider".into(),
        count => format!(" and {count} colliders"),
    };
    let of = if cloths == 1 { String::new() } else { format!("{cloths} cloths, the first of ") };
    let asleep = rows.iter().filter(|row| row.asleep).count();
    let slept = if asleep == 0 { String::new() } else { format!(", asleep for {asleep} frames") };
    format!(
        "{}: {} frames of {of}{} particles of {}{met}, {ms:.2} ms a frame, strain {:.2} % on average and {:.1} % at worst{slept}",
        scene.name,
        scene.frames,
        recording.report.particles,
        scene.fabric.name,
        mean * 100.0,
        worst * 100.0,
    )
}

/// A bar on stderr; indicatif hides it where stderr is no terminal.
fn progress(quiet: bool, frames: u64) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(frames), target).with_message("stepping");
    match ProgressStyle::with_template("{msg:8} {bar:40} {pos}/{len} frames, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
