//! `constants`: what the step's constants are worth, over scenes that want different things of them.

use super::{Measurement, Out, Table, Verdict, sci};
use crate::pareto::{Product, fall, momentum, pendulum, rest, size};
use anyhow::Result;
use cloth_core::SolverConstants;

/// The sweeps of the solver constants.
pub const CONSTANTS: Measurement = Measurement {
    name: "constants",
    about: "every constant of the step swept, the others at their defaults, over falling, resting, swinging and harsh scenes",
    bar: "reported; at the defaults the sheets rest: ≤ 0.5 % hung by a row, ≤ 1 % by a corner, ≤ 1e-6 J",
    uses_clock: false,
    run,
};

/// A constant, the values it is swept over, and how to set it.
type Sweep = (&'static str, &'static [f32], fn(&mut SolverConstants, f32));

const SWEEPS: [Sweep; 7] = [
    ("turn", &[0.0, 3.0, 30.0, 1e6], |c, x| c.turn = x),
    ("spread", &[0.0, 0.15, 0.45], |c, x| c.spread = x),
    ("carry", &[0.0, 5e-4, 2e-3, 5e-3], |c, x| c.carry = x),
    ("carry_strain", &[1e-3, 0.02], |c, x| c.carry_strain = x),
    ("still", &[0.3, 1e3], |c, x| c.still = x),
    ("leak", &[0.0, 0.1], |c, x| c.leak = x),
    ("carry_limit", &[0.1, 10.0], |c, x| c.carry_limit = x),
];

fn run(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new([
        "constants",
        "hem (mm)",
        "lag (frames)",
        "lost at 1 s",
        "late",
        "worst",
        "5° loss a period",
        "rotation kept",
        "row: worst at rest",
        "row (J)",
        "corner: worst at rest",
        "corner (J)",
        "0.2 s: worst",
        "1000 g: worst",
    ]);
    let chosen = SolverConstants::default();
    let mut verdict = Verdict::new();
    let defaults = figures(chosen)?;
    table.row(cells("defaults".into(), &defaults));
    for (name, values, set) in SWEEPS {
        for &value in values {
            let mut constants = chosen;
            set(&mut constants, value);
            table.row(cells(format!("{name} {value}"), &figures(constants)?));
        }
    }
    let twice = SolverConstants { bound_sweeps: 2, ..chosen };
    table.row(cells("bound_sweeps 2".into(), &figures(twice)?));
    out.table(&table);
    let [.., row, row_energy, corner, corner_energy, _, _] = defaults;
    verdict.check(format!("by a row {:.3} %", 100.0 * row), row <= 5e-3);
    verdict.check(format!("by a corner {:.3} %", 100.0 * corner), corner <= 1e-2);
    let energy = row_energy.max(corner_energy);
    verdict.check(format!("{} J", sci(energy)), energy <= 1e-6);
    Ok(verdict)
}

/// The figures of one set of constants, in the order of the table.
fn figures(constants: SolverConstants) -> Result<[f64; 13]> {
    let product = Product { constants: Some(constants), ..Product::library() };
    let fall = fall::sheet(&product)?;
    let swing = pendulum::small(&product, false)?;
    let (row, corner) = (rest::sheet(&product)?, rest::corner(&product)?);
    let kept = momentum::rotation(&product, false)?;
    let (long, heavy) = (size::long_step(&product)?, size::heavy(&product)?);
    Ok([
        1e3 * fall.hem,
        fall.lag.unwrap_or(f64::NAN),
        fall.lost,
        fall.late,
        fall.worst,
        swing.loss,
        kept,
        row.worst,
        row.kinetic,
        corner.worst,
        corner.kinetic,
        long.worst,
        heavy.worst,
    ])
}

fn cells(name: String, figures: &[f64; 13]) -> Vec<String> {
    std::iter::once(name).chain(figures.iter().map(|&figure| sci(figure))).collect()
}
