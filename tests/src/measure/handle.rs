//! `c-handle`: what a handle saves, in instructions.

use super::{Measurement, Out, Table, Verdict};
use crate::c_library::{self, Build};
use crate::workload::scenes;
use anyhow::{Context as _, Result, ensure};
use std::path::Path;
use std::process::Command;

/// Instructions of calls from C.
pub const C_HANDLE: Measurement = Measurement {
    name: "c-handle",
    about: "instructions of loading, seeding, attaching and stepping the 32×32 sheet from C (callgrind): what a step would cost that checked its model and state again",
    bar: "reported: attaching costs more than a tenth of a step, or the handle is not worth its words",
    uses_clock: false,
    run,
};

const STEPS: u64 = 10;

fn run(out: &mut Out) -> Result<Verdict> {
    let library = c_library::library(Build::Static)?;
    let program = c_library::program("cost", &library, &[])?;
    let model = scenes::hung_sheet(32).build()?;
    let path = c_library::write_model("sheet32", &model.model())?;
    let load = count(&program, &path, "cloth_model_load")?;
    let attach = count(&program, &path, "cloth_attach")?;
    let step = count(&program, &path, "cloth_step")? / STEPS;
    let mut table = Table::new(["call", "instructions"]);
    table.row(["cloth_model_load".to_owned(), load.to_string()]);
    table.row(["cloth_seed".to_owned(), count(&program, &path, "cloth_seed")?.to_string()]);
    table.row(["cloth_attach".to_owned(), attach.to_string()]);
    table.row(["cloth_step".to_owned(), step.to_string()]);
    out.table(&table);
    let mut verdict = Verdict::new();
    verdict.check(
        format!("checking again would add {} % to a step", 100 * (load + attach) / step),
        10 * (load + attach) > step,
    );
    Ok(verdict)
}

/// Instructions within one function and what it calls.
fn count(program: &Path, model: &Path, function: &str) -> Result<u64> {
    let file = c_library::directory()?.join("callgrind.out");
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--collect-atstart=no"]).arg(format!("--toggle-collect={function}"));
    command.arg(format!("--callgrind-out-file={}", file.display()));
    let done = command.arg(program).arg(model).arg(STEPS.to_string()).output().context("running valgrind")?;
    let said = String::from_utf8_lossy(&done.stderr);
    ensure!(done.status.success(), "valgrind failed:\n{said}");
    let collected = said.lines().find_map(|line| line.split_once("Collected : "));
    let (_, number) = collected.with_context(|| format!("valgrind counted nothing:\n{said}"))?;
    number.trim().parse().with_context(|| format!("not a count: {number}"))
}
