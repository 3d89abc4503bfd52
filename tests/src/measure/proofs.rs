//! `no-alloc` and `no-panic`: what core must never do, proven on built programs.

use super::{Measurement, Out, Table, Verdict};
use crate::no_alloc;
use crate::no_panic::{self, Source};
use crate::workload::scenes;
use anyhow::Result;

/// The heap.
pub const NO_ALLOC: Measurement = Measurement {
    name: "no-alloc",
    about: "heap calls of every operation of core on two workloads, by an allocator that counts",
    bar: "zero heap calls in seed/attach/step/snapshot/restore",
    uses_clock: false,
    run: heap,
};

/// Panics.
pub const NO_PANIC: Measurement = Measurement {
    name: "no-panic",
    about: "a C program linked with a no_std release build that calls everything: panics reachable, foreign symbols, and whether it computes the same bits",
    bar: "zero panic symbols in a no_std release build that calls everything",
    uses_clock: false,
    run: panics,
};

fn heap(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new(["operation", "sheet", "rig"]);
    let sheet = no_alloc::of_core(&scenes::hung_sheet(12).build()?)?;
    let rig = no_alloc::of_core(&scenes::rig().build()?)?;
    let mut total = 0;
    for ((name, on_sheet), (_, on_rig)) in sheet.iter().zip(&rig) {
        table.row([(*name).to_owned(), on_sheet.to_string(), on_rig.to_string()]);
        total += on_sheet + on_rig;
    }
    out.table(&table);
    let mut verdict = Verdict::new();
    verdict.check(format!("{total} heap calls in {} operations", sheet.len()), total == 0);
    Ok(verdict)
}

fn panics(out: &mut Out) -> Result<Verdict> {
    let found = no_panic::search(Source::Core)?;
    let planted = no_panic::search(Source::PlantedPanic)?;
    let list = |names: &std::collections::BTreeSet<String>| {
        if names.is_empty() { "none".into() } else { names.iter().cloned().collect::<Vec<_>>().join(", ") }
    };
    let mut table = Table::new(["build", "functions", "panics reachable from", "foreign symbols"]);
    table.row(["core".into(), found.functions.to_string(), list(&found.panicking), list(&found.foreign)]);
    table.row([
        "core, a panic planted".into(),
        planted.functions.to_string(),
        list(&planted.panicking),
        list(&planted.foreign),
    ]);
    out.table(&table);
    let mut verdict = Verdict::new();
    verdict.check(format!("{} panics reachable", found.panicking.len()), found.panicking.is_empty());
    verdict.check(format!("{} foreign symbols", found.foreign.len()), found.foreign.is_empty());
    verdict.check(format!("{} planted panic found", planted.panicking.len()), planted.panicking.len() == 1);
    if let Some(program) = found.program {
        let (there, here) = no_panic::run(&program, &scenes::hung_sheet(12).build()?, 1, 30)?;
        verdict.check(if there == here { "same bits from C" } else { "other bits from C" }, there == here);
    }
    Ok(verdict)
}
