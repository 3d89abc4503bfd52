//! `vertex-constants`: what the vertex solver's two constants are worth, over scenes that want different things of them.
//!
//! α and γ of the literature act through their product alone while the penalty band is a single point, and β not
//! at all: those are the decay of multipliers and the penalty ratio here. Each is swept with the other at its
//! default.

use super::{Measurement, Out, Table, Verdict, leash, sci};
use crate::oracle::{Constants, VertexRun};
use crate::physics;
use crate::workload::{Workload, scenes};
use anyhow::Result;

/// The sweep of decay and ratio.
pub const VERTEX_CONSTANTS: Measurement = Measurement {
    name: "vertex-constants",
    about: "(oracle) penalty ratio and multiplier decay swept over chain, rig, rope, sheet, cape and skirt",
    bar: "reported; the defaults keep every scene finite and make no energy: capes ≤ 1 % of their fall",
    uses_clock: false,
    run,
};

const RATIOS: [f32; 7] = [4.0, 8.0, 12.0, 16.0, 24.0, 32.0, 64.0];
const DECAYS: [f32; 6] = [0.0, 0.1, 0.25, 0.4, 0.5, 0.6];

fn run(out: &mut Out) -> Result<Verdict> {
    let chosen = Constants::default();
    let mut verdict = Verdict::new();
    let ratios = RATIOS.map(|penalty_ratio| Constants { penalty_ratio, ..chosen });
    let decays = DECAYS.map(|multiplier_decay| Constants { multiplier_decay, ..chosen });
    for (what, sweep) in [("ratio", &ratios[..]), ("decay", &decays[..])] {
        let mut table = Table::new([
            what,
            "chain C/L0",
            "chain (J)",
            "rig 1×1",
            "rope",
            "sheet at rest, worst",
            "sheet, undamped, worst",
            "capes, energy made",
            "skirt, mean",
            "skirt, worst",
        ]);
        for constants in sweep {
            let value = if what == "ratio" { constants.penalty_ratio } else { constants.multiplier_decay };
            let mut cells = vec![format!("{value}{}", if *constants == chosen { " (default)" } else { "" })];
            let figures = figures(*constants)?;
            cells.extend(figures.map(sci));
            table.row(cells);
            if *constants == chosen {
                let finite = figures.iter().all(|figure| figure.is_finite());
                verdict.check(format!("{what} {value}: finite everywhere"), finite);
                verdict.check(format!("{} of their fall made by capes", sci(figures[6])), figures[6] <= 0.01);
            }
        }
        out.table(&table);
    }
    out.line(
        "Chain: 20 links after 400 steps. Rig: worst distance over the way to the pin. Rope: 24 links, worst length \
         over rest, no strain limit. Sheet: 32×32 released flat, the last frame of 600 at damping 0.5, and the peak \
         undamped. Capes: five of different proportions released flat and undamped, the most energy above the start over the weight times the \
         way down. Skirt: plain COTTON at \
         2×4, waist still, dropped in its rest pose, two seconds.\n",
    );
    Ok(verdict)
}

/// The figures of one pair of constants, in the order of the table.
fn figures(constants: Constants) -> Result<[f64; 9]> {
    let (chain, chain_energy) = ended(&scenes::chain(20, 5e-4).budget(2, 4).build()?, constants, 400);
    let rig = scenes::rig().budget(1, 1).build()?;
    let mut run = VertexRun::new(&rig).constants(constants);
    let rig = leash::worst_of(&rig, || {
        run.step();
        Ok(run.positions())
    })?;
    let mut rope = scenes::rope(24, 5e-3);
    rope.dynamics.flags = cloth_core::ClothFlags::NONE;
    let (rope, _) = peak(&rope.build()?, constants, 600);
    let (rest, _) = ended(&scenes::sheet(32).damping(0.5).build()?, constants, 600);
    let (whip, _) = peak(&scenes::sheet(32).build()?, constants, 300);
    let mut made = 0.0_f64;
    for (columns, rows) in [(20, 30), (20, 28), (16, 32), (24, 24), (32, 32)] {
        made = made.max(peak(&scenes::cape_of(columns, rows).build()?, constants, 300).1);
    }
    let (skirt, ..) = scenes::skirt()?;
    let (mean, worst) = hanging(&skirt.build()?, constants);
    Ok([chain, chain_energy, rig, 1.0 + rope, rest, whip, made, mean, worst])
}

/// Worst strain and kinetic energy after some frames.
fn ended(workload: &Workload, constants: Constants, frames: u32) -> (f64, f64) {
    let mut run = VertexRun::new(workload).constants(constants);
    run.steps(frames);
    (physics::strain(workload, &run.positions()).worst, run.energy().kinetic)
}

/// Peak strain, and the most energy above the start over what there was to fall.
fn peak(workload: &Workload, constants: Constants, frames: u32) -> (f64, f64) {
    let mut run = VertexRun::new(workload).constants(constants);
    let start = run.energy().total();
    let gravity = f64::from(workload.spec.gravity.length());
    let ways = workload.geodesics();
    let fall: f64 =
        ways.iter().zip(&workload.spec.masses).map(|(way, &m)| gravity * f64::from(m) * way).sum();
    let (mut strain, mut made) = (0.0_f64, 0.0_f64);
    for _ in 0..frames {
        run.step();
        strain = strain.max(physics::strain(workload, &run.positions()).worst);
        made = made.max((run.energy().total() - start) / fall);
    }
    (strain, made)
}

/// Mean and worst strain over two seconds.
fn hanging(workload: &Workload, constants: Constants) -> (f64, f64) {
    let mut run = VertexRun::new(workload).constants(constants);
    let (mut means, mut worst) = (Vec::new(), 0.0_f64);
    for _ in 0..120 {
        run.step();
        let strain = physics::strain(workload, &run.positions());
        means.push(strain.mean);
        worst = worst.max(strain.worst);
    }
    (crate::workload::mean(means), worst)
}
