//! `pendulum`: small swings of a chain.

use super::{Measurement, Out, Table, Verdict};
use crate::pareto::Product;
use crate::pareto::pendulum::{self, PERIOD};
use anyhow::Result;

/// Period and loss.
pub const PENDULUM: Measurement = Measurement {
    name: "pendulum",
    about: "20 links of 5 cm, 2 kg, released at 5° with damping 0: period of the fundamental mode and the energy it loses \
            in one, over four periods",
    bar: "20-link chain at 5°: period within 1 % (0.2), loss ≤ 7 % (0.5) a period; with tethers no worse than twice that",
    uses_clock: false,
    run,
};

fn run(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new(["chain", "period (s)", "off", "loss a period"]);
    let mut verdict = Verdict::new();
    for (name, tethers, allowed) in [("bare", false, 1.0), ("with tethers", true, 2.0)] {
        let swing = pendulum::small(&Product::library(), tethers)?;
        let off = swing.period / PERIOD - 1.0;
        let (off_text, loss_text) =
            (format!("{:+.2} %", 100.0 * off), format!("{:.2} %", 100.0 * swing.loss));
        verdict.check(format!("{name}: period {off_text}"), off.abs() <= 0.01 * allowed);
        verdict.check(format!("loss {loss_text}"), swing.loss <= 0.07 * allowed);
        table.row([name.into(), format!("{:.4}", swing.period), off_text, loss_text]);
    }
    out.table(&table);
    out.line(format!("The exact period is {PERIOD} s; the mode's energy is the square of its amplitude."));
    Ok(verdict)
}
