//! `swing`, `energy`, `frontier`: the falling sheet against the exact chain, of which one run tells all three.

use super::{Measurement, Out, Table, Verdict, sci};
use crate::pareto::fall::{self, Fall};
use crate::pareto::{Candidate, Product};
use anyhow::Result;
use std::sync::OnceLock;

/// Where the hem is.
pub const SWING: Measurement = Measurement {
    name: "swing",
    about: "the falling 32×32 sheet at library settings, damping 0, against the exact chain of rigid links",
    bar: "falling 32×32 sheet, damping 0, against the exact chain: hem rms over 0.37–1.0 s ≤ 30 mm (15), lag ≤ 0.5 frame",
    uses_clock: false,
    run: swing,
};

/// What is left of its energy.
pub const ENERGY: Measurement = Measurement {
    name: "energy",
    about: "the same run: mechanical energy after a second, by central differences of frames, and its peak in ten \
            seconds; the peaks of a sheet with a heavy hem and of a chain beside it",
    bar: "lost at 1 s ≤ 18 % (5); never above the start in scenes without moving pins or colliders",
    uses_clock: false,
    run: energy,
};

/// What it is stretched.
pub const FRONTIER: Measurement = Measurement {
    name: "frontier",
    about: "the same run: the worst edge's strain, median of the last two of ten seconds and peak",
    bar: "same run: late strain ≤ 3 % (1), worst ≤ 15 % (10)",
    uses_clock: false,
    run: frontier,
};

/// A scene under the product's step, run once and remembered in `shelf`.
fn once(shelf: &OnceLock<Fall>, scene: fn(&dyn Candidate) -> Result<Fall>) -> Result<Fall> {
    if let Some(fall) = shelf.get() {
        return Ok(*fall);
    }
    let fall = scene(&Product::library())?;
    Ok(*shelf.get_or_init(|| fall))
}

/// The falling sheet under the product's step.
pub fn sheet() -> Result<Fall> {
    static SHELF: OnceLock<Fall> = OnceLock::new();
    once(&SHELF, fall::sheet)
}

/// The scenes without moving pins or colliders.
fn falls() -> Result<[(&'static str, Fall); 3]> {
    static HEAVY: OnceLock<Fall> = OnceLock::new();
    static CHAIN: OnceLock<Fall> = OnceLock::new();
    let heavy = once(&HEAVY, fall::heavy_hem)?;
    Ok([
        ("sheet", sheet()?),
        ("hem 20 times as heavy", heavy),
        ("horizontal chain", once(&CHAIN, fall::chain)?),
    ])
}

/// Frames by which a swing is late, or that it has no bottom.
pub fn lag_text(fall: &Fall) -> String {
    fall.lag.map_or("no bottom".into(), |lag| format!("{lag:+.2} frames"))
}

fn swing(out: &mut Out) -> Result<Verdict> {
    let fall = sheet()?;
    let mut table = Table::new(["scene", "hem rms (mm)", "lag"]);
    for (name, fall) in falls()? {
        table.row([name.into(), format!("{:.1}", 1e3 * fall.hem), lag_text(&fall)]);
    }
    out.table(&table);
    let mut verdict = Verdict::new();
    verdict.check(format!("hem rms {:.1} mm", 1e3 * fall.hem), fall.hem <= 0.030);
    verdict.check(format!("lag {}", lag_text(&fall)), fall.lag.is_some_and(|lag| lag.abs() <= 0.5));
    Ok(verdict)
}

/// Energy above the start, as a share of it, that counts as none. A first-order fall is seen m·(g·h)²/8 above its
/// start: a quarter of a substep more height than speed, 1.8e-4 of the sheet's energy at two substeps.
const NONE: f64 = 2.5e-4;

fn energy(out: &mut Out) -> Result<Verdict> {
    let fall = sheet()?;
    let mut table = Table::new(["scene", "lost at 1 s", "peak over the start"]);
    let mut verdict = Verdict::new();
    verdict.check(format!("lost {:.1} %", 100.0 * fall.lost), fall.lost <= 0.18);
    for (name, fall) in falls()? {
        table.row([
            name.into(),
            format!("{:.1} %", 100.0 * fall.lost),
            format!("{} %", sci(100.0 * fall.peak)),
        ]);
        verdict.check(format!("{name}'s peak {} %", sci(100.0 * fall.peak)), fall.peak <= NONE);
    }
    out.table(&table);
    out.line(
        "Shares of the energy between horizontal and hanging straight down, 1.52 J for the sheet. Central differences \
         of frame positions leave out some of a fast motion: the exact chain reads 1.4 % lost at 1 s, and a peak below \
         zero means that there never was as much as at the start.",
    );
    Ok(verdict)
}

fn frontier(out: &mut Out) -> Result<Verdict> {
    let fall = sheet()?;
    let mut table = Table::new(["late strain", "worst strain"]);
    table.row([sci(fall.late), sci(fall.worst)]);
    out.table(&table);
    let mut verdict = Verdict::new();
    verdict.short(format!("late {:.2} %", 100.0 * fall.late), fall.late <= 0.03, fall.late <= 0.06);
    verdict.check(format!("worst {:.1} %", 100.0 * fall.worst), fall.worst <= 0.15);
    Ok(verdict)
}
