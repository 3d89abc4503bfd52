//! `stays`: what has come to rest does not set itself in motion again.

use super::{Measurement, Out, Table, Verdict, sci};
use crate::pareto::{Candidate as _, Product, kinetic};
use crate::workload::motion::library_settings;
use crate::workload::{Spec, scenes};
use anyhow::Result;

/// Scenes whose strain no tension can take out.
pub const STAYS: Measurement = Measurement {
    name: "stays",
    about: "cotton that rests in folds or between its holds – a 32×32 sheet by its four corners, between two edges, by an edge \
            and two corners, and the skirt – for 80 s: the most kinetic energy in the second half",
    bar: "≤ 1e-6 J (tensions that grow without end wind folds up until they snap: 1e-3 J, for ever)",
    uses_clock: false,
    run,
};

const FRAMES: u32 = 4800;
const DAMPING: f32 = 0.6;

fn run(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new(["cloth", "first half (J)", "second half (J)"]);
    let mut verdict = Verdict::new();
    for (name, spec) in scenes()? {
        let halves = energies(spec)?;
        table.row([name.into(), sci(halves[0]), sci(halves[1])]);
        verdict.check(format!("{name} {} J", sci(halves[1])), halves[1] <= 1e-6);
    }
    out.table(&table);
    Ok(verdict)
}

fn scenes() -> Result<[(&'static str, Spec); 4]> {
    let side = 32;
    let last = side * (side - 1);
    let sheet = || library_settings(scenes::sheet(32), DAMPING);
    let edges: Vec<u32> = (0..side).chain(last..last + side).collect();
    Ok([
        ("four corners", Spec { pins: vec![0, side - 1, last, last + side - 1], ..sheet() }),
        ("two edges", Spec { pins: edges, ..sheet() }),
        (
            "one edge and two corners",
            Spec { pins: (0..side).chain([last, last + side - 1]).collect(), ..sheet() },
        ),
        ("skirt", library_settings(scenes::skirt()?.0, DAMPING)),
    ])
}

/// The most kinetic energy in the first half and in the second (J).
fn energies(spec: Spec) -> Result<[f64; 2]> {
    let product = Product::library();
    let workload = product.prepare(spec).build()?;
    let mut memory = Vec::new();
    let mut simulation = product.start(&workload, &mut memory)?;
    let mut halves = [0.0_f64; 2];
    for half in &mut halves {
        for _ in 0..FRAMES / 2 {
            simulation.step(&[])?;
            *half = half.max(kinetic(&workload.spec.masses, &simulation.velocities()));
        }
    }
    Ok(halves)
}
