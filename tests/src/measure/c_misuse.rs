//! `c-misuse`: random calls from C, right and wrong, under the sanitizers.

use super::library::{Functions, calls_everything};
use super::{Measurement, Out, Verdict};
use crate::c_library::{self, Build};
use crate::object::output;
use crate::workload::scenes;
use anyhow::{Context as _, Result};
use cloth_core::model::record::Backstop;
use cloth_core::replay::Recorder;
use cloth_core::{Block, State, StepInput, Vec3, library, step};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Random and wrong calls of the C library.
pub const C_MISUSE: Measurement = Measurement {
    name: "c-misuse",
    about: "random calls of every function from C, seeded, with null, misaligned, short, overlapping, unopened and damaged arguments; C and Rust under the address sanitizer, the library as it is shipped and the one with the builders",
    bar: "10 M calls (CLOTH_MISUSE_CALLS for fewer): no crash, no report of a sanitizer; an error writes nothing and changes nothing",
    uses_clock: false,
    run,
};

/// Calls where nothing else is said.
const CALLS: u64 = 10_000_000;
/// The libraries that share them, each in a process and with a seed of its own.
const LIBRARIES: [Build; 2] = [Build::Sanitised, Build::SanitisedBuilders];

fn run(out: &mut Out) -> Result<Verdict> {
    let wanted = match std::env::var("CLOTH_MISUSE_CALLS") {
        Ok(number) => number.parse().context("CLOTH_MISUSE_CALLS is a number")?,
        Err(_) => CALLS,
    };
    let sanitisers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    let (replay, models) = (replay()?, models()?);
    let mut verdict = Verdict::new();
    let mut children = Vec::new();
    let each = wanted / LIBRARIES.len() as u64;
    for (seed, build) in (1..).zip(LIBRARIES) {
        let has_builders = build == Build::SanitisedBuilders;
        let define = if has_builders { "-DCLOTH_BAKE" } else { "-DPLAIN" };
        let flags = [sanitisers[0], sanitisers[1], define, "-Wl,--gc-sections"];
        let program = c_library::program("misuse", &c_library::library(build)?, &flags)?;
        let functions = if has_builders { Functions::All } else { Functions::WithoutBuilders };
        calls_everything(&program, functions, &mut verdict)?;
        let mut command = Command::new(&program);
        command.args([u64::to_string(&seed), each.to_string()]).arg(&replay).args(&models);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        children.push(child.context("starting misuse")?);
    }
    for (seed, child) in (1..).zip(children) {
        let done = child.wait_with_output().context("waiting for misuse")?;
        let said = String::from_utf8_lossy(&done.stdout).into_owned();
        let blamed = String::from_utf8_lossy(&done.stderr).into_owned();
        out.line(said.trim_end());
        if !done.status.success() {
            out.line(blamed.trim_end());
        }
        let last = said.lines().last().unwrap_or("nothing").trim();
        verdict.check(format!("seed {seed}: {last}"), done.status.success() && blamed.is_empty());
    }
    // A sanitizer that sees nothing would pass everything.
    let library = c_library::library(Build::Sanitised)?;
    let planted = c_library::program("planted", &library, &sanitisers)?;
    let caught = output(&mut Command::new(&planted)).is_err();
    verdict.check(format!("a write past the end is {}", if caught { "seen" } else { "not seen" }), caught);
    Ok(verdict)
}

/// Three frames of a small sheet.
fn replay() -> Result<PathBuf> {
    let sheet = scenes::hung_sheet(4).build()?;
    let mut memory = vec![Block::default(); sheet.model().state_blocks()];
    let mut state = State::seed(&sheet.model(), &mut memory)?;
    let input = StepInput::new(1.0 / 60.0, Vec3::new(0.0, -9.81, 0.0), &library::COTTON);
    let mut recorder = Recorder::new(&state)?;
    for _ in 0..3 {
        step(&mut state, &input)?;
        recorder.frame(&input, state.fingerprint());
    }
    c_library::write_file("sheet.replay", &recorder.finish()?.to_bytes())
}

/// Small cloths: a sheet, one with backstops and few colliders, a chain.
fn models() -> Result<[PathBuf; 3]> {
    let sheet = scenes::hung_sheet(4).build()?;
    let chain = scenes::chain(6, 0.1).build()?;
    let spec = scenes::hung_sheet(5);
    let backstops = [Backstop { distance: 0.02, radius: 0.5 }; 25];
    let backed = spec.builder().backstops(&backstops).colliders(32).build()?;
    Ok([
        c_library::write_model("sheet", &sheet.model())?,
        c_library::write_model("backed", &backed.model())?,
        c_library::write_model("chain", &chain.model())?,
    ])
}
