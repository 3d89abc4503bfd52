//! `teleport` and `pin-lag`: jumps of an anchor, and where held particles are when it moves (M§13, R22, R23).

use super::{Measurement, Out, Table, Verdict};
use crate::workload::walk::{self, Placed};
use crate::workload::{Run, Shape, Spec, Workload, first, scenes};
use anyhow::{Context as _, Result, ensure};
use cloth_core::{
    AnchorMotion, StepInput, StepReport, Target, Targets, Teleport, TeleportLimits, Vec3, library,
};
use glam::{DQuat, DVec3};

/// Jumps.
pub const TELEPORT: Measurement = Measurement {
    name: "teleport",
    about: "M§13's rope of 16 links of 10 cm, swung by an anchor for a second, then a jump of 1 km with a turn of 180°: all that the state holds after it, \
            and the fastest particle in the two seconds after; R22's 10 m likewise",
    bar: "1 km jump and 180° spin: Reset = target pose and speed 0 to the bit; Keep = local state unchanged to the bit",
    uses_clock: false,
    run: teleport,
};

/// Held particles.
pub const PIN_LAG: Measurement = Measurement {
    name: "pin-lag",
    about: "a 16×16 sheet whose held row goes at 1 m/s, by targets and by an anchor that turns as it goes, at 1 to 12 substeps: held particles off \
            their targets at the end of a step, in 60 steps",
    bar: "pinned row at 1 m/s: on its targets in the same step, to the bit",
    uses_clock: false,
    run: pin_lag,
};

fn rope() -> Result<Workload> {
    let shape = Shape::strands(1, 16, 0.1, DVec3::NEG_Y);
    Spec { pins: vec![0], dynamics: library::ROPE, ..Spec::new(shape, 0.01) }.build()
}

/// Swings on an anchor that goes to and fro, which stands in the last step.
fn swing(run: &mut Run<'_>) -> Result<Placed> {
    let mut before = Placed::ORIGIN;
    for frame in 1..=61_u32 {
        let time = f64::from(frame.min(60)) / 60.0;
        let place = DVec3::new(1.6 * time * (1.0 - time), 0.0, 0.8 * time * time);
        let now = Placed { place, ..Placed::ORIGIN };
        run.step_with(&walk::input(run.workload, &before, &now))?;
        before = now;
    }
    Ok(before)
}

/// Every number a vertex has.
fn bits(run: &Run<'_>) -> Vec<[u32; 6]> {
    let both = run.state.positions().zip(run.state.velocities());
    both.map(|(x, v)| [x.x, x.y, x.z, v.x, v.y, v.z].map(f32::to_bits)).collect()
}

fn teleport(out: &mut Out) -> Result<Verdict> {
    let rope = rope()?;
    let mut verdict = Verdict::new();
    let mut table =
        Table::new(["way, m", "mode", "teleported", "first shift, m", "peak speed, m/s", "tip, m"]);
    for way in [10.0, 1000.0] {
        for (mode, beyond) in
            [("Reset", Some(Teleport::Reset)), ("Keep", Some(Teleport::Keep)), ("none", None)]
        {
            let (mut memory, mut other) = (rope.memory(), rope.memory());
            let mut run = rope.start(&mut memory)?;
            let from = swing(&mut run)?;
            let mut twin = rope.start(&mut other)?;
            swing(&mut twin)?;
            let to = Placed {
                place: from.place + DVec3::new(0.8 * way, 0.0, 0.6 * way),
                turn: DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0),
            };
            let was = run.positions();
            let plain = walk::input(&rope, &from, &to);
            let limits = TeleportLimits { beyond, ..TeleportLimits::default() };
            let report =
                run.step_with(&StepInput { anchor: AnchorMotion { limits, ..plain.anchor }, ..plain })?;
            let shift = run.positions().iter().zip(&was).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
            verdict.check(format!("{mode} {way} m: {:?}", report.teleported), report.teleported == beyond);
            match beyond {
                Some(Teleport::Reset) => {
                    let rest = (0..).zip(run.state.positions().zip(run.state.velocities()));
                    let there = rest.into_iter().all(|(vertex, (x, v))| {
                        let target = run.state.target(vertex).unwrap_or(Vec3::NAN);
                        x.to_array().map(f32::to_bits) == target.to_array().map(f32::to_bits)
                            && v.to_array().map(f32::to_bits) == [0; 3]
                    });
                    verdict.check(format!("Reset {way} m: targets and speed 0 to the bit: {there}"), there);
                }
                Some(Teleport::Keep) => {
                    twin.step()?;
                    let same = bits(&run) == bits(&twin);
                    verdict.check(format!("Keep {way} m: the bits of an anchor that stands: {same}"), same);
                }
                None => {}
            }
            let mut peak = 0.0_f32;
            for _ in 0..120 {
                peak = peak.max(run.step_with(&walk::input(&rope, &to, &to))?.max_speed);
            }
            if mode == "Reset" {
                // A rope authored hanging has nowhere to go; a sweep leaves a tremor of what gravity does in a substep.
                verdict.check(format!("Reset {way} m: {peak:.4} m/s at most after it"), peak < 5e-4);
            }
            let tip = run.positions().last().copied().context("a tip")?;
            table.row([
                way.to_string(),
                mode.to_owned(),
                format!("{:?}", report.teleported),
                format!("{shift:.4}"),
                format!("{peak:.3}"),
                format!("({:.3}, {:.3}, {:.3})", tip.x, tip.y, tip.z),
            ]);
        }
    }
    out.table(&table);
    Ok(verdict)
}

fn pin_lag(out: &mut Out) -> Result<Verdict> {
    let mut verdict = Verdict::new();
    let mut table = Table::new(["substeps", "by targets, m", "by an anchor, m"]);
    let off = |run: &Run<'_>, target: &dyn Fn(u32) -> Vec3| {
        let lag = |vertex| (run.state.position(vertex).unwrap_or(Vec3::NAN) - target(vertex)).length();
        run.workload.spec.pins.iter().map(|&vertex| lag(vertex)).fold(0.0, f32::max)
    };
    for substeps in [1, 2, 3, 7, 8, 12] {
        let sheet = Spec { pins: first(16), dynamics: library::COTTON, ..scenes::sheet(16) }
            .budget(substeps, 1)
            .build()?;
        let rest = |vertex: u32| Vec3::from_array(sheet.spec.shape.positions[vertex as usize]);
        let mut memory = sheet.memory();
        let mut run = sheet.start(&mut memory)?;
        let mut by_targets = 0.0_f32;
        for frame in 1..=60_u16 {
            let way = Vec3::new(f32::from(frame) / 60.0, 0.0, 0.0);
            let place = |vertex| rest(vertex) + way;
            let targets: Vec<Target> = sheet
                .spec
                .pins
                .iter()
                .map(|&vertex| Target { vertex, position: place(vertex).to_array() })
                .collect();
            run.step_to(Targets::Listed(&targets))?;
            by_targets = by_targets.max(off(&run, &place));
        }
        let mut run = sheet.start(&mut memory)?;
        let mut by_anchor = 0.0_f32;
        let mut before = Placed::ORIGIN;
        for frame in 1..=60_u32 {
            let turn = (before.turn * DQuat::from_xyzw(0.0, 0.02, 0.002, 1.0)).normalize();
            let now = Placed { place: DVec3::new(f64::from(frame) / 60.0, 0.0, 0.0), turn };
            let StepReport { teleported, .. } = run.step_with(&walk::input(&sheet, &before, &now))?;
            ensure!(teleported.is_none(), "a walk is no jump");
            by_anchor = by_anchor.max(off(&run, &rest));
            before = now;
        }
        table.row([substeps.to_string(), by_targets.to_string(), by_anchor.to_string()]);
        verdict.check(
            format!("{by_targets} and {by_anchor} m at {substeps}"),
            by_targets <= 0.0 && by_anchor <= 0.0,
        );
    }
    out.table(&table);
    Ok(verdict)
}
