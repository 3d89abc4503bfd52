//! `host-replay`: records the script, or plays recordings of it made on another machine.
//!
//! ```text
//! host-replay record FILE       writes the recording
//! host-replay compare FILE…     says of each whether it comes out here as it did there; exit code 1 where one does not
//! ```

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use cloth_host_replay::{Failure, compare, record};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments.as_slice() {
        [word, file] if word == "record" => write(file).map(|()| true),
        [word, files @ ..] if word == "compare" && !files.is_empty() => compare_all(files),
        _ => Err("record FILE, or compare FILE…".into()),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "host-replay: {error}");
            ExitCode::from(2)
        }
    }
}

fn write(file: &str) -> Result<(), Failure> {
    Ok(fs::write(file, record(None)?)?)
}

/// Whether all came out as they did.
fn compare_all(files: &[String]) -> Result<bool, Failure> {
    let mut all = true;
    for file in files {
        let found = compare(&fs::read(file)?)?;
        all &= found.first.is_none();
        let name = Path::new(file).file_name().unwrap_or_default().display();
        writeln!(std::io::stdout(), "{name}: {found}")?;
    }
    Ok(all)
}
