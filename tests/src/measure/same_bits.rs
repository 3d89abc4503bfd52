//! `same-bits`: every golden gives the same fingerprints however it is compiled, run, placed and pinned.

use super::{Measurement, Out, Table, Verdict};
use crate::golden::{self, Golden, Scene};
use crate::workload::scenes::workspace;
use anyhow::{Context as _, Result};
use cloth_core::{Block, Model};
use std::collections::BTreeMap;
use std::io::Write;
use std::process::Command;

/// The determinism of the goldens.
pub const SAME_BITS: Measurement = Measurement {
    name: "same-bits",
    about: "all goldens: as stored, run twice, built by the dev profile, model moved in memory, pins declared in reverse",
    bar: "debug = release, run twice, model bytes moved in memory, pins in another order: same fingerprints on all goldens",
    uses_clock: false,
    run,
};

fn run(out: &mut Out) -> Result<Verdict> {
    let dev = dev_build()?;
    let mut table =
        Table::new(["golden", "stored", "run twice", "dev build", "model moved", "pins reversed"]);
    let mut verdict = Verdict::new();
    for name in golden::SCENES {
        let scene = golden::scene(name)?;
        let found = scene.mint()?;
        let same = |other: &Golden| golden::difference(&found, other).is_none();
        let stored = golden::known(name)?.is_some_and(|known| same(&known));
        let checks = [
            stored,
            same(&scene.mint()?),
            dev.get(name) == Some(&line(&found)),
            same(&moved(&scene)?),
            same(&pins_reversed(&scene)?),
        ];
        table.row(
            std::iter::once(name.to_owned()).chain(checks.map(|c| if c { "same" } else { "differs" }.into())),
        );
        let all = checks.iter().all(|&c| c);
        verdict.check(format!("{name} {}", if all { "same" } else { "differs" }), all);
    }
    out.table(&table);
    Ok(verdict)
}

/// The scene with its model and its state elsewhere, at other distances from a page's start, and the memory around
/// and under them full of something else.
fn moved(scene: &Scene) -> Result<Golden> {
    let workload = scene.spec()?.build()?;
    let noise = Block([0xdead_beef; 4]);
    let mut model = vec![noise; 1];
    model.extend_from_slice(&workload.blocks);
    let mut memory = vec![noise; workload.model().state_blocks() + 5];
    scene.run_on(&workload, Model::from_blocks(&model[1..])?, &mut memory[3..])
}

fn pins_reversed(scene: &Scene) -> Result<Golden> {
    let mut spec = scene.spec()?;
    spec.pins.reverse();
    scene.run(&spec.build()?)
}

/// All fingerprints of a golden in a line.
fn line(golden: &Golden) -> String {
    let states = golden.checkpoint.iter().map(|c| c.state.as_str());
    std::iter::once(golden.model.as_str()).chain(states).collect::<Vec<_>>().join(" ")
}

/// What the observed process says: a line a golden.
pub fn print_goldens(out: &mut dyn Write) -> Result<()> {
    for name in golden::SCENES {
        writeln!(out, "{name} {}", line(&golden::scene(name)?.mint()?))?;
    }
    Ok(())
}

/// Builds this program in the dev profile and has it run the goldens.
fn dev_build() -> Result<BTreeMap<String, String>> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["run", "--quiet", "-p", "cloth-tests", "--bin", "measure", "--", "--workload", "goldens"])
        .current_dir(workspace())
        .output()
        .context("running cargo for the dev build")?;
    let said = String::from_utf8_lossy(&output.stderr);
    anyhow::ensure!(output.status.success(), "the dev build failed: {said}");
    let text = String::from_utf8(output.stdout)?;
    let split = |line: &str| line.split_once(' ').map(|(name, rest)| (name.to_owned(), rest.to_owned()));
    Ok(text.lines().filter_map(split).collect())
}
