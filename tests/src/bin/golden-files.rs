//! `golden-files`: writes the goldens as replay files, every frame's fingerprint in them, and their models, for runners on
//! other targets; and the recordings of a world that go with them.

use anyhow::{Context as _, Result};
use clap::Parser;
use cloth_core::{Block, Replay};
use cloth_host_replay::{RECORDINGS, record};
use cloth_tests::golden;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

/// Records golden scenes and writes `<scene>.replay` and `<scene>.cloth` files. Nothing is written of a scene that gives something else than its
/// golden.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// Where the files go; made if it is not there.
    folder: PathBuf,
    /// Where recordings of a world go (`cloth_host_replay`); none are made without it.
    #[arg(long, value_name = "FOLDER")]
    world: Option<PathBuf>,
    /// Scenes to write; all of them without a name.
    scenes: Vec<String>,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "golden-files: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<()> {
    let mut out = std::io::stdout();
    let folder = &arguments.folder;
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    for name in golden::chosen(&arguments.scenes)? {
        let bytes = golden::replay(name)?;
        let mut blocks = vec![Block::default(); Replay::blocks_for(&bytes)?];
        let model = *Replay::load(&bytes, &mut blocks)?.model();
        let mut file = vec![0; model.byte_len()];
        model.save(&mut file)?;
        for (extension, bytes) in [("replay", &bytes), ("cloth", &file)] {
            let path = folder.join(name).with_extension(extension);
            std::fs::write(&path, bytes).with_context(|| path.display().to_string())?;
        }
        writeln!(out, "{:<8} {:>9} bytes", name, bytes.len())?;
    }
    if let Some(folder) = &arguments.world {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        for (name, planted) in RECORDINGS {
            let bytes =
                record(planted).map_err(anyhow::Error::from_boxed).with_context(|| name.to_owned())?;
            let path = folder.join(name);
            std::fs::write(&path, &bytes).with_context(|| path.display().to_string())?;
            writeln!(out, "{:<14} {:>9} bytes", name, bytes.len())?;
        }
    }
    Ok(())
}
