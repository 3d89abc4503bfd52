//! `chain` and `mass-decades`: the hard chain of M§2, M§4 and M§6, on the oracle.

use super::{Measurement, Out, Table, Verdict, sci};
use crate::oracle::{Constants, VertexRun};
use crate::physics;
use crate::workload::{Spec, scenes};
use anyhow::Result;

/// Residual and rest of the 20-link chain.
pub const CHAIN: Measurement = Measurement {
    name: "chain",
    about: "(oracle) 20 hard links hung in their rest pose at 2×4, after 400 steps",
    bar: "worst C/L0 ≤ 4e-2 and kinetic energy ≤ 1e-8 J after 400 steps",
    uses_clock: false,
    run: chain,
};

/// One table for all masses.
pub const MASS_DECADES: Measurement = Measurement {
    name: "mass-decades",
    about: "(oracle) the chain's residual per penalty ratio, with particle masses from 5e-6 to 5 kg",
    bar: "residual columns equal to 1 % across 5e-6…5 kg",
    uses_clock: false,
    run: mass_decades,
};

/// Worst |C|/L₀ and kinetic energy (J) of a moment.
#[derive(Clone, Copy)]
struct Reading {
    residual: f64,
    kinetic: f64,
}

/// After 400 steps at a penalty ratio.
fn read(spec: Spec, penalty_ratio: f32) -> Result<Reading> {
    let workload = spec.build()?;
    let constants = Constants { penalty_ratio, ..Constants::default() };
    let mut run = VertexRun::new(&workload).constants(constants);
    run.steps(400);
    let residual = physics::strain(&workload, &run.positions()).worst;
    Ok(Reading { residual, kinetic: run.energy().kinetic })
}

fn chain(out: &mut Out) -> Result<Verdict> {
    let own = Constants::default().penalty_ratio;
    let mut table = Table::new(["links", "iterations", "ratio", "worst C/L0", "kinetic energy (J)"]);
    let mut verdict = Verdict::new();
    for (links, iterations, ratio) in [
        (5, 4, 0.0),
        (20, 1, 0.0),
        (20, 2, 0.0),
        (20, 4, 0.0),
        (20, 4, 16.0),
        (20, 8, 0.0),
        (20, 16, 0.0),
        (80, 4, 0.0),
    ] {
        // 0 stands for the solver's own ratio.
        let ratio = if ratio > 0.0 { ratio } else { own };
        let reading = read(scenes::chain(links, 5e-4).budget(2, iterations), ratio)?;
        table.row([
            links.to_string(),
            iterations.to_string(),
            ratio.to_string(),
            sci(reading.residual),
            sci(reading.kinetic),
        ]);
        if links == 20 && iterations == 4 && ratio.to_bits() == own.to_bits() {
            verdict.check(format!("worst C/L0 {}", sci(reading.residual)), reading.residual <= 4e-2);
            verdict.check(format!("kinetic energy {} J", sci(reading.kinetic)), reading.kinetic <= 1e-8);
        }
    }
    out.table(&table);
    Ok(verdict)
}

fn mass_decades(out: &mut Out) -> Result<Verdict> {
    const RATIOS: [f32; 9] = [0.3, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 256.0];
    const MASSES: [f64; 5] = [5e-6, 5e-4, 5e-3, 5e-2, 5.0];
    let mut readings = Vec::new();
    for mass in MASSES {
        let mut row = Vec::new();
        for ratio in RATIOS {
            row.push(read(scenes::chain(20, mass), ratio)?);
        }
        readings.push(row);
    }
    out.line("Worst C/L0 / kinetic energy (J) after 400 steps, per multiple of the row's own m/h²:\n");
    let heads = RATIOS.iter().map(|r| format!("×{r}"));
    let mut table = Table::of(std::iter::once("mass (kg)".to_owned()).chain(heads).collect());
    for (mass, row) in MASSES.iter().zip(&readings) {
        let cells = row.iter().map(|r| format!("{:.3e} / {:.0e}", r.residual, r.kinetic));
        table.row(std::iter::once(format!("{mass:e}")).chain(cells));
    }
    out.table(&table);
    let mut worst = 0.0_f64;
    for column in 0..RATIOS.len() {
        let residuals = || readings.iter().map(|row| row[column].residual);
        let (low, high) = (residuals().fold(f64::INFINITY, f64::min), residuals().fold(0.0, f64::max));
        worst = worst.max(high / low - 1.0);
    }
    let mut verdict = Verdict::new();
    verdict.check(format!("largest spread of a column {:.3} %", 100.0 * worst), worst <= 0.01);
    Ok(verdict)
}
