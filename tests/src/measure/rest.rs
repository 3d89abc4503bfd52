//! `sheet-rest`, `corner`: what is left of a damped sheet after half a minute.

use super::{Measurement, Out, Table, Verdict, sci};
use crate::pareto::Product;
use crate::pareto::rest::{self, Rest};
use anyhow::Result;
use std::sync::OnceLock;

/// Held along an edge.
pub const SHEET_REST: Measurement = Measurement {
    name: "sheet-rest",
    about: "the falling 32×32 sheet at library settings, damping 0.5/s, after 1,800 frames; the sleep test from the start",
    bar: "damping 0.5/s, 1,800 frames: mean ≤ 0.03 %, worst ≤ 0.5 %; energy ≤ 1e-6 J and the sleep test met (5e-4 of reach over 30 steps)",
    uses_clock: false,
    run: sheet_rest,
};

/// Held by a corner.
pub const CORNER: Measurement = Measurement {
    name: "corner",
    about: "the same sheet held by one corner alone; spin is angular momentum about the vertical through that corner over \
            moment of inertia about it, mean over the last 300 frames",
    bar: "one corner pinned, same: mean ≤ 0.05 %, worst ≤ 1 %; no net spin (≤ 1e-3 rad/s)",
    uses_clock: false,
    run: corner,
};

/// The sheet held along its edge under the product's step, run once.
pub fn sheet() -> Result<Rest> {
    static RUN: OnceLock<Rest> = OnceLock::new();
    if let Some(rest) = RUN.get() {
        return Ok(*rest);
    }
    let rest = rest::sheet(&Product::library())?;
    Ok(*RUN.get_or_init(|| rest))
}

/// Largest spin that counts as none (rad/s).
const SPIN: f64 = 1e-3;

fn table(out: &mut Out, rest: &Rest) {
    let mut table =
        Table::new(["mean strain", "worst strain", "kinetic energy (J)", "asleep at frame", "spin (rad/s)"]);
    let settled = rest.settled.map_or("never".into(), |frame| frame.to_string());
    table.row([sci(rest.mean), sci(rest.worst), sci(rest.kinetic), settled, sci(rest.spin)]);
    out.table(&table);
}

/// What both bars have in common.
fn judge(rest: &Rest, mean: f64, worst: f64) -> Verdict {
    let mut verdict = Verdict::new();
    verdict.check(format!("mean {:.4} %", 100.0 * rest.mean), rest.mean <= mean);
    verdict.check(format!("worst {:.3} %", 100.0 * rest.worst), rest.worst <= worst);
    verdict.check(format!("{} J", sci(rest.kinetic)), rest.kinetic <= 1e-6);
    let sleeps = rest.settled.map_or("doesn't sleep".into(), |frame| format!("sleeps at frame {frame}"));
    verdict.check(sleeps, rest.settled.is_some());
    verdict
}

fn sheet_rest(out: &mut Out) -> Result<Verdict> {
    let rest = sheet()?;
    table(out, &rest);
    let rope = rest::rope(&Product::library())?;
    out.line(format!(
        "A rope of 40 links of 2 cm between posts 0.5 m apart, damped as the sheet, hangs within {} of its length of the \
         catenary.",
        sci(rope)
    ));
    Ok(judge(&rest, 3e-4, 5e-3))
}

fn corner(out: &mut Out) -> Result<Verdict> {
    let rest = rest::corner(&Product::library())?;
    table(out, &rest);
    let mut verdict = judge(&rest, 5e-4, 1e-2);
    verdict.check(format!("spin {} rad/s", sci(rest.spin)), rest.spin.abs() <= SPIN);
    Ok(verdict)
}
