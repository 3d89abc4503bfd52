//! What the air does: `response`, `turned`, `still`, `gale`, `mirror` and `air-cost`.

use super::callgrind::{self, Child};
use super::facing::faced;
use super::{Measurement, Out, Table, Verdict};
use crate::narrow::{real, to_f32};
use crate::workload::{Run, Shape, Spec, Workload, motion, scenes, wide, wind};
use anyhow::{Context as _, Result};
use cloth_core::{Air, Block, ClothDynamics, StepInput, StepReport, Vec3, library};
use glam::DVec3;

pub const RESPONSE: Measurement = Measurement {
    name: "response",
    about: "what a free particle closes of its gap to air at 10 m/s at drag 1, and how far a rope of 20 links of 5 cm leans in \
            2 m/s by drag (mean of the last 10 s of 40)",
    bar: "M§49: closed share to the printed digits at five lengths of a step; lean within 2 %",
    uses_clock: false,
    run: response,
};

/// A wind along a surface.
pub const TURNED: Measurement = Measurement {
    name: "turned",
    about: "a 16×16 banner of silk that has hung flat for 500 steps, in 9 m/s through it and in 9 m/s along it; and one that has \
            streamed for a second, in wind turned along where it hung",
    bar: "M§51: turned by 90° a uniform wind accelerates one that hangs flat ≥ 500× less",
    uses_clock: false,
    run: turned,
};

/// For long.
pub const STEADY: Measurement = Measurement {
    name: "steady",
    about: "hung in a steady wind across, for 20 s: the fastest particle of the last five, at library budgets and at better ones",
    bar: "rests: asleep, or slower than 1 cm/s",
    uses_clock: false,
    run: steady,
};

/// No air.
pub const STILL: Measurement = Measurement {
    name: "still",
    about: "120 steps without air, told another drag, and in air that no drag holds on to; in a world without a source, and with none that reaches the sheet",
    bar: "byte-identical, and not an instruction more",
    uses_clock: false,
    run: still,
};

/// Too much of it.
pub const GALE: Measurement = Measurement {
    name: "gale",
    about: "a banner and a rope in 1, 10, 100 and 1000 m/s, two seconds each, then in none",
    bar: "finite, limit honoured, rests (R26)",
    uses_clock: false,
    run: gale,
};

/// From either side.
pub const MIRROR: Measurement = Measurement {
    name: "mirror",
    about: "wind along the normal of a banner, and against it",
    bar: "mirrored, equal to the bit (R28)",
    uses_clock: false,
    run: mirror,
};

/// What it costs.
pub const AIR_COST: Measurement = Measurement {
    name: "air-cost",
    about: "instructions a frame of the 32×32 sheet and of a rope of 40 links with air that changes no bit, on top of those without \
            (callgrind, frames 100–109); and what a world takes to find it",
    bar: "term ≤ 8 % of a step with the physics held fixed; in a world ambient sampling ≤ 1 % of a step, that of a volume reported",
    uses_clock: false,
    run: cost,
};

fn response(out: &mut Out) -> Result<Verdict> {
    let mut verdict = Verdict::new();
    let mut table = Table::new(["dt (s)", "closed a step", "v after 1 step", "v after 20", "M§49"]);
    let record = [
        (0.25 / 60.0, "0.221199", "2.2120", "9.9326"),
        (1.0 / 60.0, "0.632121", "6.3212", "10.0000"),
        (2.0 / 60.0, "0.864665", "8.6466", "10.0000"),
        (0.1, "0.997521", "9.9752", "10.0000"),
        (0.2, "0.999994", "9.9999", "10.0000"),
    ];
    let mut same = true;
    for (dt, closed, first, last) in record {
        let spec = Spec {
            dt: to_f32(dt),
            gravity: Vec3::ZERO,
            ..Spec::new(Shape::strands(1, 1, 10.0, DVec3::X), 1.0)
        };
        let dynamics = ClothDynamics { drag: 1.0, ..spec.dynamics };
        let workload = Spec { dynamics, ..spec }.build()?;
        let mut memory = workload.memory();
        let mut run = workload.start(&mut memory)?;
        let input = StepInput { air: Air::Uniform(Vec3::Z * 10.0), ..workload.input() };
        let mut speeds = Vec::new();
        for _ in 0..20 {
            run.step_with(&input)?;
            speeds.push(f64::from(run.state.velocity(0).unwrap_or_default().z));
        }
        let share = format!("{:.6}", dynamics.closed(workload.spec.dt));
        let [one, all] = [speeds[0], speeds[19]].map(|v| format!("{v:.4}"));
        same &= share == closed && one == first && all == last;
        table.row([format!("{dt:.5}"), share, one, all, format!("{closed}, {first}, {last}")]);
    }
    out.table(&table);
    verdict.check("closed shares to the printed digits", same);

    let mut table =
        Table::new(["drag", "lean (m)", "M§49", "off", "at rest, exactly", "tip's fastest (m/s)"]);
    let record = [
        (0.05, 0.468),
        (0.08, 0.602),
        (0.12, 0.704),
        (0.20, 0.802),
        (0.30, 0.857),
        (0.45, 0.897),
        (0.70, 0.926),
        (1.00, 0.942),
    ];
    let mut worst = 0.0_f64;
    for (drag, expected) in record {
        let rope = wind::rope(20);
        let dynamics = ClothDynamics { drag: to_f32(drag), damping: 1.0, skip: 0.0, ..rope.dynamics };
        let workload = Spec { dynamics, ..rope }.build()?;
        let mut memory = workload.memory();
        let mut run = workload.start(&mut memory)?;
        let input = StepInput { air: Air::Uniform(Vec3::X * 2.0), ..workload.input() };
        let (mut lean, mut fastest) = (0.0, 0.0_f64);
        for frame in 0..2400 {
            run.step_with(&input)?;
            if frame >= 1800 {
                lean += run.positions()[20].x / 600.0;
                fastest = fastest.max(wide(run.state.velocity(20).unwrap_or_default()).length());
            }
        }
        let h = 1.0 / 60.0 / f64::from(dynamics.substeps);
        let exact = wind::lean(f64::from(dynamics.closed(to_f32(h))) / h, 2.0);
        let off = lean / expected - 1.0;
        worst = worst.max(off.abs());
        table.row([
            format!("{drag:.2}"),
            format!("{lean:.3}"),
            format!("{expected:.3}"),
            format!("{:+.1} %", 100.0 * off),
            format!("{exact:.3}"),
            format!("{fastest:.3}"),
        ]);
    }
    out.table(&table);
    verdict.check(format!("lean off by {:.1} % at most", 100.0 * worst), worst <= 0.02);
    Ok(verdict)
}

/// Mean acceleration by the air of the free particles of a banner (m/s²), and mean of what they face of it (1).
fn blown(run: &Run<'_>, wind: DVec3) -> (f64, f64) {
    let (workload, positions) = (run.workload, run.positions());
    let mut ways = vec![Vec::new(); positions.len()];
    for edge in &workload.edges {
        let (a, b) = (edge.a as usize, edge.b as usize);
        ways[a].push(positions[b] - positions[a]);
        ways[b].push(positions[a] - positions[b]);
    }
    let dt = f64::from(workload.spec.dt);
    let response = f64::from(workload.spec.dynamics.closed(workload.spec.dt)) / dt;
    let (mut sum, mut faces, mut free) = (0.0, 0.0, 0);
    for ((vertex, ways), v) in (0..).zip(&ways).zip(run.state.velocities()) {
        if !workload.spec.pins.contains(&vertex) {
            let flow = wind - wide(v);
            let facing = faced(ways, flow, true);
            sum += response * facing * flow.length();
            faces += facing;
            free += 1;
        }
    }
    (sum / real(free), faces / real(free))
}

fn turned(out: &mut Out) -> Result<Verdict> {
    let banner = wind::banner(16).build()?;
    let mut table = Table::new(["9 m/s", "mean acceleration (m/s²)", "mean facing"]);
    let mut found = Vec::new();
    // Of a banner that has hung flat for 500 steps: what air of either direction does to it as it is, in the instant it comes up,
    // and after 500 steps in it. Then one that streams, whose wind is turned.
    let kinds = [
        ("flat: through it, as it comes up", DVec3::Z, 0, 500, 0),
        ("flat: along it, as it comes up", DVec3::X, 0, 500, 0),
        ("flat: through it, for 500 steps", DVec3::Z, 0, 500, 500),
        ("flat: along it, for 500 steps", DVec3::X, 0, 500, 500),
        ("streams for 1 s, and along it for 500 steps", DVec3::X, 60, 0, 500),
    ];
    for (name, wind, streams, hangs, steps) in kinds {
        let mut memory = banner.memory();
        let mut run = banner.start(&mut memory)?;
        let velocity = Vec3::new(to_f32(9.0 * wind.x), 0.0, to_f32(9.0 * wind.z));
        let weather =
            [(hangs, Air::None), (streams, Air::Uniform(Vec3::Z * 9.0)), (steps, Air::Uniform(velocity))];
        for (count, air) in weather {
            for _ in 0..count {
                run.step_with(&StepInput { air, ..banner.input() })?;
            }
        }
        let (acceleration, facing) = blown(&run, wide(velocity));
        table.row([name.into(), format!("{acceleration:.4}"), format!("{facing:.4}")]);
        found.push(acceleration);
    }
    out.table(&table);
    out.line(
        "A banner that streams lies along its wind, where little of it faces that: turned away from it the wind meets it broadside. \
         The last row is no smaller for that, and it is no part of the bar.\n",
    );
    let mut verdict = Verdict::new();
    for (when, through, along) in
        [("as it comes up", found[0], found[1]), ("after 500 steps", found[2], found[3])]
    {
        let ratio = through / along.max(1e-9);
        verdict.check(format!("{when} {through:.2} and {along:.1e} m/s²"), ratio >= 500.0);
    }
    verdict.tell(format!("turned away from one that streams: {:.2} m/s²", found[4]));
    Ok(verdict)
}

fn steady(out: &mut Out) -> Result<Verdict> {
    let mut verdict = Verdict::new();
    let mut table = Table::new([
        "cloth",
        "wind (m/s)",
        "substeps × sweeps",
        "fastest (m/s)",
        "mean energy (mJ)",
        "asleep",
    ]);
    let leather = Spec { dynamics: library::LEATHER, ..wind::banner(16) };
    let chain = Spec { dynamics: library::CHAIN, ..wind::rope(40) };
    let hair = Spec { dynamics: library::HAIR, ..wind::rope(20) };
    let cloths = [
        ("rope", wind::rope(20), 2.0),
        ("rope of 40", wind::rope(40), 1.0),
        ("rope of 40", wind::rope(40), 8.0),
        ("chain of 40", chain, 4.0),
        ("hair", hair, 8.0),
        ("silk", wind::banner(16), 6.0),
        ("leather", leather, 6.0),
    ];
    for (name, spec, speed) in cloths {
        let own = spec.dynamics;
        for (substeps, iterations) in [(own.substeps, own.iterations), (32, 1), (32, 8)] {
            let workload = spec.clone().budget(substeps, iterations).build()?;
            let mut memory = workload.memory();
            let mut run = workload.start(&mut memory)?;
            let input = StepInput { air: Air::Uniform(Vec3::Z * speed), sleep: true, ..workload.input() };
            let (mut fastest, mut energy, mut asleep) = (0.0_f32, 0.0_f64, false);
            for frame in 0..1200 {
                let report = run.step_with(&input)?;
                if frame >= 900 {
                    fastest = fastest.max(report.max_speed);
                    energy += f64::from(report.kinetic_energy) / 300.0;
                }
                asleep = report.asleep;
            }
            table.row([
                name.into(),
                format!("{speed}"),
                format!("{substeps} × {iterations}"),
                format!("{fastest:.3}"),
                format!("{:.3}", 1e3 * energy),
                if asleep { "yes" } else { "no" }.into(),
            ]);
            if substeps == own.substeps {
                let rests = asleep || fastest < 0.01;
                verdict.short(
                    format!("{name}: {fastest:.3} m/s"),
                    rests,
                    f64::from(fastest) < f64::from(speed),
                );
            }
        }
    }
    out.table(&table);
    Ok(verdict)
}

/// The fingerprint of every frame of a sheet in air that falls as it swings.
fn fingerprints(drag: f32, air: Air<'_>) -> Result<Vec<u64>> {
    let sheet = scenes::sheet(16);
    let workload = Spec { dynamics: ClothDynamics { drag, ..sheet.dynamics }, ..sheet }.build()?;
    let mut memory = workload.memory();
    let mut run = workload.start(&mut memory)?;
    let mut found = Vec::new();
    for _ in 0..120 {
        run.step_with(&StepInput { air, ..workload.input() })?;
        found.push(run.state.fingerprint().0);
    }
    Ok(found)
}

fn still(out: &mut Out) -> Result<Verdict> {
    let none = fingerprints(0.45, Air::None)?;
    let mut verdict = Verdict::new();
    verdict.check("another drag: the same bits", none == fingerprints(0.0, Air::None)?);
    let held_by_nothing = fingerprints(0.0, Air::Uniform(Vec3::splat(3.0)))?;
    verdict.check("air without drag: the same bits", none == held_by_nothing);
    verdict.check("still air: others", none != fingerprints(0.45, Air::Uniform(Vec3::ZERO))?);
    let state = counted_state(Sort::Sheet)?;
    let [none, dragless] =
        [Child::AirNone, Child::AirDragless].map(|child| callgrind::instructions_of(child, &state));
    let (none, dragless) = (none?, dragless?);
    out.line(format!("{none} instructions a frame without air, {dragless} in air without drag.\n"));
    verdict.check(
        format!("{} instructions more", dragless.abs_diff(none)),
        dragless.abs_diff(none) * 10_000 <= none,
    );
    super::wind::still(&mut verdict)?;
    Ok(verdict)
}

fn gale(out: &mut Out) -> Result<Verdict> {
    let mut verdict = Verdict::new();
    let mut table = Table::new(["cloth", "wind (m/s)", "fastest (m/s)", "limit (m/s)", "worst strain"]);
    for (name, spec) in [("banner", wind::banner(12)), ("rope", wind::rope(12))] {
        let dynamics = ClothDynamics { drag: 1.0, damping: 1.0, ..spec.dynamics };
        let workload = Spec { dynamics, ..spec }.build()?;
        let mut memory = workload.memory();
        let mut run = workload.start(&mut memory)?;
        let limit = workload.model().extent() * to_f32(f64::from(dynamics.substeps)) * 60.0;
        let mut sound = true;
        for speed in [1.0, 10.0, 100.0, 1000.0_f32] {
            let (mut fastest, mut strain) = (0.0_f32, 0.0_f32);
            for _ in 0..120 {
                let air = Air::Uniform(Vec3::new(0.48, 0.36, 0.8) * speed);
                let report = run.step_with(&StepInput { air, ..workload.input() })?;
                (fastest, strain) = (fastest.max(report.max_speed), strain.max(report.max_strain));
                sound &= report.rescued == 0 && run.positions().iter().all(|x| x.is_finite());
            }
            sound &= fastest <= 1.001 * limit;
            table.row([
                name.into(),
                format!("{speed}"),
                format!("{fastest:.2}"),
                format!("{limit:.0}"),
                format!("{strain:.3}"),
            ]);
        }
        verdict.check(format!("{name} finite, within the limit"), sound);
        let slept = (1..=1800).find(|_| {
            let input = StepInput { sleep: true, ..workload.input() };
            run.step_with(&input).is_ok_and(|report: StepReport| report.asleep)
        });
        let rests = slept.map_or("does not rest".into(), |step| format!("asleep {step} steps after"));
        verdict.check(format!("{name} {rests}"), slept.is_some());
    }
    out.table(&table);
    Ok(verdict)
}

fn mirror(out: &mut Out) -> Result<Verdict> {
    let banner = wind::banner(16).build()?;
    let ends = |side: f32| -> Result<Vec<[u32; 3]>> {
        let mut memory = banner.memory();
        let mut run = banner.start(&mut memory)?;
        for _ in 0..300 {
            let air = Air::Uniform(Vec3::new(1.5, 0.0, 6.0 * side));
            run.step_with(&StepInput { air, ..banner.input() })?;
        }
        Ok(run.state.positions().map(|x| [x.x, x.y, x.z * side].map(|x| (x + 0.0).to_bits())).collect())
    };
    let (one, other) = (ends(1.0)?, ends(-1.0)?);
    let differ = one.iter().zip(&other).filter(|(one, other)| one != other).count();
    out.line(format!("{differ} of {} positions differ after 300 steps.", one.len()));
    let mut verdict = Verdict::new();
    verdict.check("mirrored, equal", differ == 0);
    Ok(verdict)
}

/// What is counted.
#[derive(Clone, Copy)]
enum Sort {
    Sheet,
    Rope,
}

/// Air that holds on by so little that no bit changes.
const FAINT: f32 = 1.0e-32;

fn counted(sort: Sort, drag: f32, lift: f32) -> Result<Workload> {
    let spec = match sort {
        Sort::Sheet => motion::library_settings(scenes::sheet(32), 0.0),
        Sort::Rope => wind::rope(40),
    };
    Spec { dynamics: ClothDynamics { drag, lift, ..spec.dynamics }, ..spec }.build()
}

/// The snapshot after the frames before counting.
fn counted_state(sort: Sort) -> Result<Vec<u8>> {
    let workload = counted(sort, 0.0, 0.0)?;
    let mut memory = workload.memory();
    let mut run = workload.start(&mut memory)?;
    run.steps(callgrind::WARM_UP)?;
    let mut blocks = vec![Block::default(); workload.model().snapshot_blocks()];
    run.state.snapshot(&mut blocks)?;
    Ok(bytemuck::cast_slice(&blocks).to_vec())
}

/// What a child counts.
#[derive(Clone, Copy)]
struct Counted {
    sort: Sort,
    drag: f32,
    lift: f32,
    blows: bool,
    each: bool,
}

fn of_child(child: Child) -> Option<Counted> {
    let none = Counted { sort: Sort::Sheet, drag: FAINT, lift: 0.0, blows: false, each: false };
    let uniform = Counted { blows: true, ..none };
    let each = Counted { each: true, ..uniform };
    Some(match child {
        Child::AirNone => none,
        Child::AirDragless => Counted { drag: 0.0, ..uniform },
        Child::AirUniform => uniform,
        Child::AirEach => each,
        Child::AirLift => Counted { lift: 1.0, ..uniform },
        Child::AirLiftEach => Counted { lift: 1.0, ..each },
        Child::AirRopeNone => Counted { sort: Sort::Rope, ..none },
        Child::AirRope => Counted { sort: Sort::Rope, ..uniform },
        _ => return None,
    })
}

/// Does what the observed process is there for; `None` where it is not there for this.
pub fn child(child: Child, state: &[u8]) -> Option<Result<()>> {
    let Counted { sort, drag, lift, blows, each } = of_child(child)?;
    Some(counted(sort, drag, lift).and_then(|workload| counted_run(&workload, state, blows, each).map(drop)))
}

/// The frames that are counted, and the fingerprint after them.
fn counted_run(workload: &Workload, state: &[u8], blows: bool, each: bool) -> Result<u64> {
    let mut memory = workload.memory();
    let mut run = workload.start(&mut memory)?;
    let mut blocks = vec![Block::default(); workload.model().snapshot_blocks()];
    bytemuck::cast_slice_mut::<Block, u8>(&mut blocks).copy_from_slice(state);
    run.state.restore(&blocks)?;
    let velocities = vec![[1.0, 2.0, 3.0]; workload.rest.len()];
    let air = match (blows, each) {
        (false, _) => Air::None,
        (true, false) => Air::Uniform(Vec3::new(1.0, 2.0, 3.0)),
        (true, true) => Air::Each(&velocities),
    };
    measured_frames(&mut run, air)?;
    Ok(run.state.fingerprint().0)
}

/// Where counting is switched on.
#[inline(never)]
fn measured_frames(run: &mut Run<'_>, air: Air<'_>) -> Result<()> {
    let workload = run.workload;
    (0..callgrind::MEASURED).try_for_each(|_| run.step_with(&StepInput { air, ..workload.input() }).map(drop))
}

fn cost(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new(["cloth", "air", "instructions a frame", "more than without"]);
    let mut verdict = Verdict::new();
    let kinds = [
        ("sheet", Sort::Sheet, Child::AirNone, "none"),
        ("sheet", Sort::Sheet, Child::AirUniform, "uniform"),
        ("sheet", Sort::Sheet, Child::AirEach, "at each vertex"),
        ("sheet", Sort::Sheet, Child::AirLift, "uniform, lift"),
        ("sheet", Sort::Sheet, Child::AirLiftEach, "at each vertex, lift"),
        ("rope", Sort::Rope, Child::AirRopeNone, "none"),
        ("rope", Sort::Rope, Child::AirRope, "uniform"),
    ];
    let mut bare = (0, 0);
    for (cloth, sort, child, name) in kinds {
        let state = counted_state(sort)?;
        let Counted { drag, lift, blows, each, .. } = of_child(child).context("it is counted here")?;
        let print = counted_run(&counted(sort, drag, lift)?, &state, blows, each)?;
        let count = callgrind::instructions_of(child, &state)?;
        if !blows {
            bare = (count, print);
        }
        let share = super::absurd::rational(count, bare.0) - 1.0;
        table.row([cloth.into(), name.into(), count.to_string(), format!("{:+.1} %", 100.0 * share)]);
        if blows {
            // A look at every velocity that is told comes on top of lift.
            let reached = lift > 0.0 && each && share <= 0.1;
            verdict.short(format!("{cloth}, {name} {:+.1} %", 100.0 * share), share <= 0.08, reached);
            // In air the tensions of chains grow faster, whatever it does otherwise (docs/ARCHITECTURE.md, 33): not a bit of a rope
            // that air may not change is left.
            if matches!(sort, Sort::Sheet) {
                verdict.check("physics fixed", print == bare.1);
            }
        }
    }
    out.table(&table);
    super::wind::cost(out, &mut verdict)?;
    Ok(verdict)
}
