//! `tether` and `strain-limit`: the one-sided rows of M§10 and M§11.

use super::{Measurement, Out, Table, Verdict};
use crate::physics;
use crate::workload::{Spec, Workload, scenes};
use anyhow::Result;
use cloth_core::{ClothDynamics, ClothFlags, Vec3};
use glam::DVec3;

/// The tethered rig.
pub const TETHER: Measurement = Measurement {
    name: "tether",
    about: "three strands of thirty 5 cm links dropped through ninety degrees, 600 steps: worst distance to the pin over the way along the links",
    bar: "30×3 chain: ≤ 1.02 at 1×1, ≤ 1.002 at 2×4",
    uses_clock: false,
    run: tether,
};

/// The tethered rig, kicked.
pub const KICK: Measurement = Measurement {
    name: "kick",
    about: "the rig of three strands of thirty links hanging at rest, all of it kicked sideways at 2, 6 and 16 m/s, 600 steps: worst distance to the pin over \
            the way along the links, and the last",
    bar: "30×3 rig at its library budget kicked at 16 m/s: ≤ 1.07, final ≤ 1.001",
    uses_clock: false,
    run: kick,
};

/// The strain limit.
pub const STRAIN_LIMIT: Measurement = Measurement {
    name: "strain-limit",
    about: "a 24-link rope authored horizontally and dropped, 600 steps: worst link length over rest length",
    bar: "24-link rope at its library budget, stretch 1: ≤ 1.011 and ≥ 25 % of the over-stretch without the row removed; \
          allowances 1.0829, 1.0158, 1.0010 at 0.2, 0.5, 1",
    uses_clock: false,
    run: strain_limit,
};

const BUDGETS: [(u32, u32); 4] = [(1, 1), (1, 2), (2, 2), (2, 4)];

fn tether(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new(["budget", "tethered", "no tether", "tethered, undamped"]);
    let mut verdict = Verdict::new();
    for (substeps, iterations) in BUDGETS {
        let worst = |tethers| worst_reach(Spec { tethers, ..scenes::rig() }.budget(substeps, iterations));
        let (with, without) = (worst(true)?, worst(false)?);
        let undamped = worst_reach(scenes::rig().budget(substeps, iterations).damping(0.0))?;
        let cells = [with, without, undamped].map(|reach| format!("{reach:.4}"));
        table.row(std::iter::once(format!("{substeps}×{iterations}")).chain(cells));
        let bar = match (substeps, iterations) {
            (1, 1) => 1.02,
            (2, 4) => 1.002,
            _ => continue,
        };
        verdict.check(format!("{with:.4} at {substeps}×{iterations}"), with <= bar);
    }
    out.table(&table);
    Ok(verdict)
}

fn kick(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new(["budget", "kick, m/s", "worst", "final"]);
    let mut verdict = Verdict::new();
    let ClothDynamics { substeps, iterations, .. } = cloth_core::library::ROPE;
    for (substeps, iterations, decides) in [(1, 1, false), (2, 4, false), (substeps, iterations, true)] {
        for speed in [2.0, 6.0, 16.0_f32] {
            let flat = scenes::rig();
            let hung = flat.shape.moved(|p| DVec3::new(p.x, -p.z, 0.0));
            let rig = Spec { shape: hung, ..flat }.budget(substeps, iterations).build()?;
            let geodesics = rig.geodesics();
            let mut memory = rig.memory();
            let mut run = rig.start(&mut memory)?;
            for (vertex, place) in (0..).zip(&rig.spec.shape.positions) {
                if !run.state.is_held(vertex) {
                    run.state.place(vertex, Vec3::from_array(*place), Vec3::new(speed, 0.0, 0.0))?;
                }
            }
            let (mut worst, mut last) = (0.0_f64, 0.0);
            for _ in 0..600 {
                run.step()?;
                last = physics::reach(&rig, &geodesics, &run.positions());
                worst = worst.max(last);
            }
            let budget = format!("{substeps}×{iterations}");
            table.row([budget.clone(), speed.to_string(), format!("{worst:.4}"), format!("{last:.4}")]);
            if decides && speed > 10.0 {
                verdict.check(format!("{worst:.4} at {budget}"), worst <= 1.07);
                verdict.check(format!("{last:.4} at last"), last <= 1.001);
            }
        }
    }
    out.table(&table);
    Ok(verdict)
}

/// Worst distance to the nearest pin over the way there along the edges, over 600 frames that `next` gives.
pub(super) fn worst_of(rig: &Workload, mut next: impl FnMut() -> Result<Vec<DVec3>>) -> Result<f64> {
    let geodesics = rig.geodesics();
    let mut worst = 0.0_f64;
    for _ in 0..600 {
        worst = worst.max(physics::reach(rig, &geodesics, &next()?));
    }
    Ok(worst)
}

fn worst_reach(spec: Spec) -> Result<f64> {
    let rig = spec.build()?;
    let mut memory = rig.memory();
    let mut run = rig.start(&mut memory)?;
    worst_of(&rig, || {
        run.step()?;
        Ok(run.positions())
    })
}

fn strain_limit(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new(["budget", "stretch", "allowance", "with the row", "without it"]);
    let mut verdict = Verdict::new();
    let ClothDynamics { substeps, iterations, .. } = cloth_core::library::ROPE;
    let library = (substeps, iterations);
    for (substeps, iterations) in [(1, 1), (2, 1), library] {
        for (stretch, allowance) in [(0.2, 1.0829), (0.5, 1.0158), (1.0, 1.0010)] {
            let rope = |flags| {
                let rope = scenes::rope(24, 0.005);
                Spec { dynamics: ClothDynamics { stretch, flags, ..rope.dynamics }, ..rope }
                    .budget(substeps, iterations)
            };
            let limited = rope(ClothFlags::STRAIN_LIMIT);
            let asked = 1.0 + f64::from(limited.dynamics.strain_allowance());
            let (with, without) = (longest_link(limited)?, longest_link(rope(ClothFlags::NONE))?);
            table.row([
                format!("{substeps}×{iterations}"),
                stretch.to_string(),
                format!("{asked:.4}"),
                format!("{with:.4}"),
                format!("{without:.4}"),
            ]);
            if (substeps, iterations) != library {
                continue;
            }
            let rounded = (asked - allowance).abs() <= 0.5e-4;
            verdict.check(format!("allowance {asked:.4} at stretch {stretch}"), rounded);
            if stretch >= 1.0 {
                let removed = 1.0 - (with - 1.0) / (without - 1.0);
                verdict.check(format!("{with:.4} at {substeps}×{iterations}"), with <= 1.011);
                verdict
                    .check(format!("{:.0} % of the over-stretch removed", 100.0 * removed), removed >= 0.25);
            }
        }
    }
    out.table(&table);
    Ok(verdict)
}

fn longest_link(spec: Spec) -> Result<f64> {
    let rope = spec.build()?;
    let mut memory = rope.memory();
    let mut run = rope.start(&mut memory)?;
    let mut worst = 0.0_f64;
    for _ in 0..600 {
        run.step()?;
        worst = worst.max(1.0 + physics::strain(&rope, &run.positions()).worst_stretch);
    }
    Ok(worst)
}
