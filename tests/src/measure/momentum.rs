//! `momentum`: what no force inside a cloth can change.

use super::{Measurement, Out, Table, Verdict, sci};
use crate::pareto::Product;
use crate::pareto::momentum;
use anyhow::Result;

/// Linear and angular momentum.
pub const MOMENTUM: Measurement = Measurement {
    name: "momentum",
    about: "16×16 sheets without pins: a second of free fall; 2.5 s of turning at 5 rad/s without gravity about the normal \
            and about an axis in the sheet; a 20×20 flag let go in mid-swing",
    bar: "free fall −9.81 m/s ± 0.1 % after 1 s, drift ≤ 1e-4 m, spin ≤ 1e-3 rad/s; free rotation keeps ≥ 85 % (97) of its angular momentum over 2.5 s at 5 rad/s",
    uses_clock: false,
    run,
};

fn run(out: &mut Out) -> Result<Verdict> {
    let product = Product::library();
    let fall = momentum::free_fall(&product)?;
    let [normal, aside] = [momentum::rotation(&product, true)?, momentum::rotation(&product, false)?];
    let flag = momentum::flag(&product)?;
    let mut table = Table::new(["what", "figure"]);
    table.row(["velocity after a second's fall (m/s)".into(), format!("{:.4}", fall.velocity)]);
    table.row(["drift (m)".into(), sci(fall.drift)]);
    table.row(["spin (rad/s)".into(), sci(fall.spin)]);
    table.row(["kept turning about the normal".into(), format!("{:.1} %", 100.0 * normal)]);
    table.row(["kept turning about an axis in the sheet".into(), format!("{:.1} %", 100.0 * aside)]);
    table.row(["flag let go: velocity off after 0.5 s (m/s)".into(), sci(flag.off)]);
    table.row(["flag let go: angular momentum kept".into(), format!("{:.1} %", 100.0 * flag.kept)]);
    out.table(&table);
    let mut verdict = Verdict::new();
    verdict.check(format!("{:.4} m/s", fall.velocity), (fall.velocity / -9.81 - 1.0).abs() <= 1e-3);
    verdict.check(format!("drift {} m", sci(fall.drift)), fall.drift <= 1e-4);
    verdict.check(format!("spin {} rad/s", sci(fall.spin)), fall.spin <= 1e-3);
    for (name, kept) in [("normal", normal), ("aside", aside)] {
        verdict.check(format!("kept {:.1} % ({name})", 100.0 * kept), (0.85..=1.001).contains(&kept));
    }
    Ok(verdict)
}
