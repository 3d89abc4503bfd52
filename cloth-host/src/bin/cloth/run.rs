//! `cloth run`.

use std::time::Duration;

use cloth_host::Error;
use cloth_host::export::{self, Plan};
use cloth_host::run::{Recording, prepare, simulate};
use cloth_host::scene::Scene;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::RunArgs;

/// Runs a scene; answers what there is to say.
pub fn run(args: &RunArgs) -> Result<String, Error> {
    let scene = Scene::find(&args.scene)?;
    let baked = prepare(&scene)?;
    if !args.quiet {
        for note in &baked.report.notes {
            crate::tell(&format!("note: {note}"));
        }
        match baked.report.repairs.len() {
            0 => {}
            count => {
                crate::tell(&format!("note: the mesh was repaired in {count} places; report.json lists them"))
            }
        }
    }
    let folder = args.out.join(&scene.name);
    export::prepare_folder(&scene, &folder)?;
    let plan = Plan::new(&scene);
    let bar = progress(args.quiet, u64::from(scene.frames));
    let recording = simulate(&scene, &baked, &plan.keep(), |frame| bar.set_position(u64::from(frame)))?;
    bar.set_message("drawing");
    bar.enable_steady_tick(Duration::from_millis(100));
    let written = export::write_all(&scene, &recording, &plan, &folder);
    bar.finish_and_clear();
    let names: Vec<String> = written?
        .iter()
        .filter_map(|path| path.file_name())
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    if args.quiet {
        return Ok(String::new());
    }
    let folder = std::path::absolute(&folder).unwrap_or(folder);
    Ok(format!("{}\nwrote {}\ninto {}\n", summary(&scene, &recording), names.join(", "), folder.display()))
}

fn summary(scene: &Scene, recording: &Recording) -> String {
    let rows = &recording.rows;
    let count = rows.len().max(1) as f64;
    let worst = rows.iter().map(|row| row.max_strain).fold(0.0, f32::max);
    let mean = rows.iter().map(|row| f64::from(row.mean_strain)).sum::<f64>() / count;
    let ms = rows.iter().map(|row| row.ms).sum::<f64>() / count;
    format!(
        "{}: {} frames of {} particles of {}, {ms:.2} ms a frame, strain {:.2} % on average and {:.1} % at worst",
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
