//! `runner`: a cape whose wearer stops dead.

use super::{Measurement, Out, Table, Verdict};
use crate::pareto::Product;
use crate::pareto::runner;
use anyhow::Result;

/// The cape on a runner.
pub const RUNNER: Measurement = Measurement {
    name: "runner",
    about: "a cape of 20×30 particles on a runner who gains 2 m/s in 1.8 s, runs on and stops within 0.1 s; the line from \
            shoulders to hem at the end of the swing forward, against the exact chain on the same shoulders",
    bar: "against a planar chain with a driven root: peak hem angle within 10 %, lag ≤ 2 frames",
    uses_clock: false,
    run,
};

fn run(out: &mut Out) -> Result<Verdict> {
    let cape = runner::cape(&Product::library())?;
    let mut table = Table::new(["peak (°)", "exact (°)", "lag (frames)"]);
    table.row([
        format!("{:.1}", cape.peak.to_degrees()),
        format!("{:.1}", cape.exact.to_degrees()),
        format!("{:+.2}", cape.lag),
    ]);
    out.table(&table);
    let off = cape.peak / cape.exact - 1.0;
    let mut verdict = Verdict::new();
    verdict.check(format!("peak {:+.1} %", 100.0 * off), off.abs() <= 0.10);
    verdict.check(format!("lag {:+.2} frames", cape.lag), cape.lag.abs() <= 2.0);
    Ok(verdict)
}
