//! `soft-settles`: a rope on rows far too stiff to be soft comes to rest, and sooner the more it is damped (M§12).

use super::{Measurement, Out, Table, Verdict, sci};
use crate::physics;
use crate::workload::{Spec, scenes};
use anyhow::Result;
use cloth_core::library;

/// Rest of a stiff soft rope.
pub const SOFT_SETTLES: Measurement = Measurement {
    name: "soft-settles",
    about: "16-link rope with stretch rows of 1e5 N/m, 350 times what its particles weigh over h², dropped: kinetic energy after 1,500 steps",
    bar: "16-link rope, rows forced to 1e5 N/m, library damping 0.12: ≤ 1.3e-6 J after 1,500 steps, monotone in damping",
    uses_clock: false,
    run,
};

/// The record's dial settings, and what each is as a rate (1/s): its 0.12 is its rope, whose rate is ROPE's.
const DIALS: [f32; 6] = [0.0, 0.02, 0.05, 0.12, 0.3, 1.0];
const LIBRARY_DIAL: f32 = 0.12;

fn run(out: &mut Out) -> Result<Verdict> {
    out.line("A frame's energy wavers, so each figure is the largest of the last 60 frames; the record's is of one frame.\n");
    let mut table = Table::new(["record's dial", "damping (1/s)", "kinetic energy (J)"]);
    let mut verdict = Verdict::new();
    let mut energies = Vec::new();
    for dial in DIALS {
        let rate = dial / LIBRARY_DIAL * library::ROPE.damping;
        let energy = settled(rate)?;
        table.row([dial.to_string(), format!("{rate:.3}"), sci(energy)]);
        energies.push(energy);
        if dial.to_bits() == LIBRARY_DIAL.to_bits() {
            verdict.check(format!("{} J at the library's damping", sci(energy)), energy <= 1.3e-6);
        }
    }
    out.table(&table);
    let monotone = energies.windows(2).all(|pair| pair[1] <= pair[0]);
    verdict.check(if monotone { "monotone in damping" } else { "not monotone in damping" }, monotone);
    Ok(verdict)
}

fn settled(damping: f32) -> Result<f64> {
    // 0.02 kg a particle is what makes its m/h² the record's 288 N/m.
    let rope = Spec { stiffness: 1e5, ..scenes::rope(16, 0.02) }.damping(damping).build()?;
    let mut memory = rope.memory();
    let mut run = rope.start(&mut memory)?;
    run.steps(1440)?;
    let mut worst = 0.0_f64;
    for _ in 0..60 {
        run.step()?;
        worst = worst.max(physics::energy(&run).kinetic);
    }
    Ok(worst)
}
