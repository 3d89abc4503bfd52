//! The `cloth` command: runs scenes and looks meshes over.

mod bake;
mod inspect;
mod replay;
mod run;

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use cloth_core::fabric::library::{self, Density, Fabric};
use cloth_host::import::{ImportOptions, Unit};
use cloth_host::scene::BUNDLED;

/// Deterministic cloth: drop a mesh in, get its motion out.
///
/// Without a command it runs the bundled skirt.
#[derive(Parser)]
#[command(name = "cloth", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Run a scene and write its animation, pictures, table and report (scenes: docs/scene-format.md).
    Run(RunArgs),
    /// Look a mesh over: counts, boundary loops, defects. Exits with 1 if there are defects.
    Inspect(InspectArgs),
    /// Bake the cloth of a scene or a mesh and write its model, for C and embedded programs to use in place.
    Bake(BakeArgs),
    /// Run a scene and write down what it was told and what came of it, tick by tick (docs/replay.md).
    Record(RecordArgs),
    /// Do what a recording says, and compare every tick. Exits with 1 where something else comes of it.
    Verify {
        /// A recording.
        file: PathBuf,
    },
    /// Find the first tick, cloth, region and particle in which two recordings differ. Exits with 1 if they do.
    Diff {
        /// A recording.
        one: PathBuf,
        /// Another.
        other: PathBuf,
    },
    /// Play a part of a recording: a table, and with the scene it is of its animation and pictures.
    Play(PlayArgs),
    /// List the bundled scenes.
    List,
}

#[derive(Args)]
struct RunArgs {
    /// A scene file, or the name of a bundled scene.
    #[arg(default_value = BUNDLED[0].name)]
    scene: PathBuf,
    /// Where to write: a folder of the scene's name in this one, which counts from where the command runs.
    #[arg(long, value_name = "DIR", default_value = "out")]
    out: PathBuf,
    /// How many threads step the scene's cloths, 0 for one a core. Results do not depend on it.
    #[arg(long, value_name = "N", default_value_t = 1)]
    workers: usize,
    /// Say nothing but errors.
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Args)]
struct RecordArgs {
    /// A scene file, or the name of a bundled scene.
    scene: PathBuf,
    /// The file to write.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Write the whole world down every so many ticks; 0 writes it at the start alone.
    #[arg(long, value_name = "TICKS", default_value_t = 60)]
    keyframes: u32,
    /// Record the one cloth of the scene without its world, in the format that programs without a heap read, those in C among them.
    #[arg(long, conflicts_with = "keyframes")]
    single: bool,
}

#[derive(Args)]
struct PlayArgs {
    /// A recording.
    file: PathBuf,
    /// The first tick to show; 0 is the start.
    #[arg(long, value_name = "TICK", default_value_t = 0)]
    from: u32,
    /// The last tick to show; the last there is unless told.
    #[arg(long, value_name = "TICK")]
    to: Option<u32>,
    /// The scene that was recorded: what animation and pictures need besides.
    #[arg(long, value_name = "SCENE")]
    scene: Option<PathBuf>,
    /// Where to write animation and pictures.
    #[arg(long, value_name = "DIR", default_value = "out", requires = "scene")]
    out: PathBuf,
}

#[derive(Args)]
struct InspectArgs {
    /// An .obj, .gltf or .glb file.
    file: PathBuf,
    #[command(flatten)]
    mesh: MeshArgs,
    /// Print everything as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
struct BakeArgs {
    /// A scene file, the name of a bundled scene, or an .obj, .gltf or .glb file.
    source: PathBuf,
    /// The file to write.
    #[arg(long, short, value_name = "FILE.cloth")]
    output: PathBuf,
    #[command(flatten)]
    mesh: MeshArgs,
    /// Vertices of a mesh that are held, counted from 0 and separated by commas.
    #[arg(long, value_name = "VERTICES", value_delimiter = ',')]
    pins: Vec<u32>,
    /// What a mesh is made of: silk, cotton, denim or leather; cotton unless told.
    #[arg(long, value_name = "NAME", value_parser = fabric)]
    fabric: Option<Fabric>,
    /// Say nothing but errors.
    #[arg(long, short)]
    quiet: bool,
}

/// How a mesh file is read.
#[derive(Args)]
struct MeshArgs {
    /// The unit a mesh was modelled in: m, dm, cm, mm or in; m unless told.
    #[arg(long)]
    unit: Option<Unit>,
    /// A factor on top of the unit; 1 unless told.
    #[arg(long, value_parser = positive)]
    scale: Option<f64>,
    /// Join vertices closer than this (metres); 0 joins equal positions only.
    #[arg(long, value_name = "METRES", value_parser = distance)]
    weld: Option<f64>,
    /// Only this group or object (OBJ), or mesh or node (glTF).
    #[arg(long, value_name = "NAME")]
    part: Option<String>,
}

impl MeshArgs {
    fn options(&self) -> ImportOptions {
        let plain = ImportOptions::default();
        ImportOptions {
            unit: self.unit.unwrap_or(plain.unit),
            scale: self.scale.unwrap_or(plain.scale),
            part: self.part.clone(),
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "rounding is wanted; the range was checked")]
    fn weld_distance(&self) -> Option<f32> {
        self.weld.map(|metres| metres as f32)
    }

    /// Which of them were given.
    fn given(&self) -> [(&'static str, bool); 4] {
        [
            ("--unit", self.unit.is_some()),
            ("--scale", self.scale.is_some()),
            ("--weld", self.weld.is_some()),
            ("--part", self.part.is_some()),
        ]
    }
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // Help and version come as errors too, but are what was asked for.
        Err(error) if error.use_stderr() => {
            let _ = error.print();
            return ExitCode::from(2);
        }
        Err(asked) => return said(asked.print(), true),
    };
    let command = cli.command.unwrap_or_else(|| {
        Command::Run(RunArgs { scene: BUNDLED[0].name.into(), out: "out".into(), workers: 1, quiet: false })
    });
    let result = match command {
        Command::Run(args) => run::run(&args).map(|text| (text, true)),
        Command::Inspect(args) => inspect::inspect(&args),
        Command::Bake(args) => bake::bake(&args).map(|text| (text, true)),
        Command::Record(args) => replay::record(&args).map(|text| (text, true)),
        Command::Verify { file } => replay::verify(&file).map(|text| (text, true)),
        Command::Diff { one, other } => replay::diff(&one, &other),
        Command::Play(args) => replay::play(&args),
        Command::List => Ok((list(), true)),
    };
    match result {
        Ok((text, good)) => {
            let mut out = io::stdout().lock();
            said(out.write_all(text.as_bytes()).and_then(|()| out.flush()), good)
        }
        Err(error) => {
            tell(&format!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// The exit code after writing to standard output.
fn said(result: io::Result<()>, good: bool) -> ExitCode {
    match result {
        // Whoever reads may have heard enough and closed the pipe; that is no fault of ours.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            tell(&format!(
                "error: standard output cannot be written: {error}\n  remedy: write to a place that has room"
            ));
            ExitCode::FAILURE
        }
        _ if good => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Writes a line to standard error. Where that cannot be written there is nobody left to tell.
fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

fn list() -> String {
    BUNDLED.iter().fold(String::new(), |mut text, scene| {
        let _ = writeln!(text, "{:8}{}", scene.name, scene.about);
        text
    })
}

// The ranges are those of scene files.

fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (1e-9..=1e9).contains(&number) => Ok(number),
        _ => Err("write a number from 0.000000001 to 1000000000".into()),
    }
}

fn distance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=1e3).contains(&number) => Ok(number),
        _ => Err("write a number from 0 to 1000".into()),
    }
}

fn fabric(text: &str) -> Result<Fabric, String> {
    let surface = |fabric: &Fabric| matches!(fabric.density, Density::Areal(_));
    library::by_name(text).filter(surface).ok_or_else(|| {
        let names: Vec<_> =
            library::ALL.iter().filter(|fabric| surface(fabric)).map(|fabric| fabric.name).collect();
        format!("write one of {}", names.join(", "))
    })
}
