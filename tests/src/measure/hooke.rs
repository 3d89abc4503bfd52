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

/// The chosen constants, and every one of them moved far. α and γ act through their product, the decay of a warm
/// multiplier, alone; β, the growth of a penalty inside its band, has nothing to act on while the band is a
/// single point, its ratio.
fn variations() -> Vec<(String, SolverConstants)> {
    let chosen = SolverConstants::default();
    let mut all = vec![("chosen".to_owned(), chosen)];
    for multiplier_decay in [0.0, 0.1, 0.5, 1.0] {
        all.push((format!("α·γ = {multiplier_decay}"), SolverConstants { multiplier_decay, ..chosen }));
    }
    for factor in [1.0 / 64.0, 0.5, 4.0, 1024.0] {
        let penalty_ratio = chosen.penalty_ratio * factor;
        all.push((format!("band ×{factor}"), SolverConstants { penalty_ratio, ..chosen }));
    }
    all.push((
        "α·γ = 1, band ×1024".to_owned(),
        SolverConstants { multiplier_decay: 1.0, penalty_ratio: chosen.penalty_ratio * 1024.0 },
    ));
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
