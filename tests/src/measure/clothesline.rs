//! `clothesline`: cloth that hangs over what fits between its particles comes to rest.

use super::{Measurement, Out, Table, Verdict, sci};
use crate::contact::{Encounter, turned};
use crate::narrow::{real, to_f32};
use crate::workload::{Shape, Spec};
use anyhow::Result;
use cloth_core::collide::Collider;
use cloth_core::library;
use glam::DVec3;
use std::f64::consts::FRAC_PI_2;

/// Laundry.
pub const CLOTHESLINE: Measurement = Measurement {
    name: "clothesline",
    about: "a free 20×20 sheet of cotton at 3 cm, 0.15 kg/m², dropped by 1 cm and by 10 cm across a standing wire, 1.3 cm off its middle, μ = 0.5: the \
            most kinetic energy of each ten seconds of a minute, without sleep",
    bar: "stays on the wire; ≤ 1e-4 J in the last twenty seconds, and no growth: the last ten no more than thrice the ten before them",
    uses_clock: false,
    run: clothesline,
};

fn clothesline(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new([
        "wire (mm)",
        "dropped by (cm)",
        "10 s",
        "20 s",
        "30 s",
        "40 s",
        "50 s",
        "60 s (J)",
        "lowest (m)",
    ]);
    let mut verdict = Verdict::new();
    for (radius, drop) in [(0.003, 0.01), (0.003, 0.1), (0.01, 0.01)] {
        let half = 0.015 * 19.0;
        let shape = Shape::grid(20, 20, 0.03).moved(|p| p - DVec3::new(half, 0.0, half) + DVec3::Y * drop);
        let mass = 0.15 * 19.0 * 19.0 * 9e-4 / real(400);
        let workload = Spec { dynamics: library::COTTON, ..Spec::new(shape, mass) }.build()?;
        let offset = f64::from(library::COTTON.thickness);
        let pose = turned(DVec3::new(0.0, -radius - offset, 0.013), DVec3::Z, FRAC_PI_2);
        let wire = Collider::capsule(1.0, to_f32(radius), pose)?.touching(0.5, 0.0)?;
        let mut memory = workload.memory();
        let mut scene = Encounter::new(workload.start(&mut memory)?, vec![wire]);
        let mut most = [0.0_f64; 6];
        for most in &mut most {
            for _ in 0..600 {
                scene.step()?;
                *most = most.max(scene.kinetic());
            }
        }
        let lowest = scene.run.positions().iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
        let mut row = vec![(1e3 * radius).to_string(), (100.0 * drop).to_string()];
        row.extend(most.map(sci));
        row.push(sci(lowest));
        table.row(row);
        let [.., before, last] = most;
        let holds = lowest > -1.0 && before <= 1e-4 && last <= 1e-4 && last <= 3.0 * before;
        let figure = if lowest > -1.0 {
            format!("{} J, then {} J", sci(before), sci(last))
        } else {
            "slides off".into()
        };
        // A rod about as thick as a cell is turned about by each of its edges; at 32 substeps the sheet stays.
        verdict.short(format!("{} mm, {} cm: {figure}", 1e3 * radius, 100.0 * drop), holds, radius > 0.005);
    }
    out.table(&table);
    Ok(verdict)
}
