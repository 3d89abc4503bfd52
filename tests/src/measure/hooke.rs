//! `hooke`: a soft row is a spring of its material, whatever the solver's constants are.

use super::{Measurement, Out, Table, Verdict, sci};
use crate::narrow::to_f32;
use crate::workload::{G, Shape, Spec};
use anyhow::Result;
use cloth_core::SolverConstants;
use glam::DVec3;

/// Extension over Hooke's.
pub const HOOKE: Measurement = Measurement {
    name: "hooke",
    about: "a mass hung on one soft row: extension over m·g/k, with every solver constant varied",
    bar: "extension/Hooke within 1e-4 of 1 for α, β, γ, band varied",
    uses_clock: false,
    run,
};

/// Mass (kg), stiffness (N/m), rest length (m): from a light bead on a rubber thread to a weight on a bar, each
/// extended by enough for `f32` positions to show a ten-thousandth of it.
const SPRINGS: [(f64, f64, f64); 5] =
    [(0.05, 1000.0, 0.1), (0.05, 100.0, 0.1), (0.001, 2.0, 0.02), (2.0, 3000.0, 0.25), (1e-5, 0.01, 0.01)];

fn run(out: &mut Out) -> Result<Verdict> {
    let heads = SPRINGS.map(|(m, k, l)| format!("{m} kg, {k} N/m, {l} m"));
    let mut table = Table::of(std::iter::once("constants".to_owned()).chain(heads).collect());
    let mut worst = 0.0_f64;
    for (name, constants) in variations() {
        let mut row = vec![name];
        for (mass, stiffness, length) in SPRINGS {
            let ratio = extension(constants, mass, stiffness, length)?;
            worst = worst.max((ratio - 1.0).abs());
            row.push(format!("{ratio:.6}"));
        }
        table.row(row);
    }
    out.table(&table);
    let mut verdict = Verdict::new();
    verdict.check(format!("largest departure from 1: {}", sci(worst)), worst <= 1e-4);
    Ok(verdict)
}

/// The chosen constants, every one of them moved far, and all at once.
fn variations() -> Vec<(String, SolverConstants)> {
    let chosen = SolverConstants::default();
    let mut all = vec![("chosen".to_owned(), chosen)];
    for turn in [0.0, 1e3] {
        all.push((format!("turn {turn}"), SolverConstants { turn, ..chosen }));
    }
    for carry in [0.0, 0.1, 1.0] {
        all.push((format!("carry {carry}"), SolverConstants { carry, ..chosen }));
    }
    for leak in [0.0, 1.0] {
        all.push((format!("leak {leak}"), SolverConstants { leak, ..chosen }));
    }
    for spread in [0.0, 0.9] {
        all.push((format!("spread {spread}"), SolverConstants { spread, ..chosen }));
    }
    for carry_limit in [0.0, 100.0] {
        all.push((format!("carry limit {carry_limit}"), SolverConstants { carry_limit, ..chosen }));
    }
    let far = SolverConstants { turn: 1e3, carry: 0.1, leak: 1.0, still: 10.0, carry_limit: 100.0, ..chosen };
    all.push(("turn 1000, carry 0.1, leak 1, still 10 m/s, limit 100".to_owned(), far));
    all
}

/// Extension over m·g/k after ten seconds, damped at 4/s.
fn extension(constants: SolverConstants, mass: f64, stiffness: f64, length: f64) -> Result<f64> {
    let spec = Spec {
        pins: vec![0],
        tethers: false,
        bend_rows: false,
        stiffness: to_f32(stiffness),
        constants,
        ..Spec::new(Shape::strands(1, 1, length, DVec3::NEG_Y), mass).damping(4.0)
    };
    let spring = spec.build()?;
    let mut memory = spring.memory();
    let mut run = spring.start(&mut memory)?;
    run.steps(600)?;
    let hangs = run.positions();
    // Against the rest length and mass the solver was given, which are the nearest f32.
    let rest = spring.rest[0].distance(spring.rest[1]);
    let hooke = f64::from(spring.spec.masses[1]) * G / f64::from(spring.spec.stiffness);
    Ok((hangs[0].distance(hangs[1]) - rest) / hooke)
}
