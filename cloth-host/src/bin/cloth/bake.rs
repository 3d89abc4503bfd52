//! `cloth bake`.

use std::fs;
use std::path::Path;

use cloth_core::Block;
use cloth_core::fabric::library::{self, Fabric};
use cloth_host::Error;
use cloth_host::error::Problem;
use cloth_host::import::{self, read_mesh};
use cloth_host::run::{RunProblem, prepare};
use cloth_host::scene::{Scene, SceneProblem};

use crate::{BakeArgs, run};

/// What a mesh is made of unless told: cotton.
const COTTON: Fabric = library::ALL[1];

/// Bakes the cloth of a scene or a mesh and writes its model's file form; answers what there is to say.
pub fn bake(args: &BakeArgs) -> Result<String, Error> {
    let scene = scene(args)?;
    let prepared = prepare(&scene)?;
    let model = prepared.baked.model();
    let mut bytes = vec![0; model.byte_len()];
    model
        .save(&mut bytes)
        .map_err(|error| Problem::Run(RunProblem::Encode(error.to_string())).in_file(&scene.path))?;
    write(&args.output, &bytes)?;
    if args.quiet {
        return Ok(String::new());
    }
    for note in prepared.notes.iter().cloned().chain(run::changes(&prepared.baked.report.repairs)) {
        crate::tell(&format!("note: {note}"));
    }
    let size = |blocks: usize| blocks * size_of::<Block>();
    Ok(format!(
        "{}: {} particles of {}, model {} bytes, fingerprint {}\n\
         a state takes {} bytes, a snapshot {}\nwrote {}\n",
        scene.name,
        model.particle_count(),
        scene.fabric.name,
        bytes.len(),
        model.fingerprint(),
        size(model.state_blocks()),
        size(model.snapshot_blocks()),
        args.output.display(),
    ))
}

/// The scene that is named, or the one that a mesh and the arguments make.
fn scene(args: &BakeArgs) -> Result<Scene, Error> {
    let shown = args.source.display().to_string();
    if import::is_mesh(&args.source) {
        let mesh = &args.mesh;
        let surface = read_mesh(&args.source, &mesh.options())?;
        let fabric = args.fabric.unwrap_or(COTTON);
        return Ok(Scene::of_mesh(&shown, surface, mesh.weld_distance(), args.pins.clone(), fabric));
    }
    let given = [("--pins", !args.pins.is_empty()), ("--fabric", args.fabric.is_some())];
    if let Some((name, _)) = args.mesh.given().into_iter().chain(given).find(|(_, given)| *given) {
        let what = format!("{name} is for meshes, and a scene says that itself");
        let remedy = format!("leave {name} out, and write it into the scene (docs/scene-format.md)");
        return Err(Problem::Scene(SceneProblem { what, remedy }).in_file(&shown));
    }
    Scene::find(&args.source)
}

/// Writes a file whole or not at all: beside it first, then under its name.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let refused = |error| Problem::Write(error).in_file(&path.display().to_string());
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let written = fs::write(&beside, bytes).and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        // There may be nothing to remove; what is told is why nothing was written.
        let _ = fs::remove_file(&beside);
    }
    written.map_err(refused)
}
