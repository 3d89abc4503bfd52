//! `no-alloc`, `no-panic`: what core needs of the machine it runs on.

use super::{Measurement, Out, Table, Verdict};
use crate::no_alloc;
use crate::no_panic::{self, Source};
use crate::workload::scenes;
use anyhow::{Context as _, Result};

/// Heap calls of core.
pub const NO_ALLOC: Measurement = Measurement {
    name: "no-alloc",
    about: "12×12 sheet and tethered rig: heap calls of every operation of core at run time",
    bar: "zero heap calls in seed/attach/step/snapshot/restore",
    uses_clock: false,
    run: alloc,
};

/// Panics of core.
pub const NO_PANIC: Measurement = Measurement {
    name: "no-panic",
    about: "a no_std release build that calls everything, linked with C, its symbols read, its fingerprints compared",
    bar: "zero panic symbols; the search finds a planted one",
    uses_clock: false,
    run: panic,
};

fn alloc(out: &mut Out) -> Result<Verdict> {
    let sheet = no_alloc::of_core(&scenes::hung_sheet(12).build()?)?;
    let rig = no_alloc::of_core(&scenes::rig().build()?)?;
    let mut table = Table::new(["operation", "sheet", "rig"]);
    let mut total = 0;
    for ((name, on_sheet), (_, on_rig)) in sheet.iter().zip(&rig) {
        table.row([(*name).to_owned(), on_sheet.to_string(), on_rig.to_string()]);
        total += on_sheet + on_rig;
    }
    out.table(&table);
    let (_, seen) = no_alloc::heap_calls(|| std::hint::black_box(vec![0_u8; 64]));
    let mut verdict = Verdict::new();
    verdict
        .check(format!("{total} heap calls in {} operations", sheet.len()), total == 0 && !sheet.is_empty());
    verdict.check(format!("the counter sees {seen} for a vector"), seen > 0);
    Ok(verdict)
}

fn panic(out: &mut Out) -> Result<Verdict> {
    let core = no_panic::search(Source::Core)?;
    for name in &core.panicking {
        out.line(format!("a panic is reachable from {name}"));
    }
    for name in &core.foreign {
        out.line(format!("needs {name}"));
    }
    let mut verdict = Verdict::new();
    let panicking = core.panicking.len();
    verdict.check(format!("{panicking} functions reach a panic, of {}", core.functions), panicking == 0);
    verdict.check(format!("{} foreign symbols", core.foreign.len()), core.foreign.is_empty());
    if let Some(program) = &core.program {
        let (there, here) = no_panic::run(program, &scenes::rig().build()?, 1, 60)?;
        out.line(format!("tethered rig, 60 steps: {there:016x} in C, {here:016x} in this build"));
        verdict.check("the C program's bits are ours", there == here && there != 0);
    }
    let planted = no_panic::search(Source::PlantedPanic)?;
    let found = planted.panicking.iter().next().context("the planted panic was not found")?;
    verdict.check(format!("planted: found in {found}"), planted.program.is_none());
    Ok(verdict)
}
