//! Air that is simulated: `fluid-wake` and `cell-size`.

use super::callgrind::{self, Child, MEASURED, WARM_UP};
use super::{Measurement, Out, Table, Verdict, sci};
use crate::narrow::{real, to_f32};
use crate::workload::wind;
use anyhow::Result;
use cloth_core::collide::{Collider, Pose as Standing};
use cloth_core::{Air, StepInput, Vec3};
use cloth_host::fluid::{Fluid, FluidVolume, Obstacle, one_after_the_other};
use cloth_host::pose::{Pose, length};

/// A post in a stream.
pub const FLUID_WAKE: Measurement = Measurement {
    name: "fluid-wake",
    about: "1.44×1.44×2.32 m of air driven at 9 m/s past a post of 0.2 m radius across all of it: mean speed over a banner's 0.6×0.6 m a banner's width \
            behind the post, with it and without, over the last 4 s of 8; wobble is the largest deviation from the mean",
    bar: "M§51, 18×18×29 cells: deficit at the banner 25–40 %; divergence after projection ≤ 1e-3 of the mean speed per cell",
    uses_clock: false,
    run: wake,
};

/// The same air in other cells.
pub const CELL_SIZE: Measurement = Measurement {
    name: "cell-size",
    about: "uniform and sheared air in a box of 16 m, cut into cells of 0.25, 0.5, 1 and 2 m, and the impulse a banner of silk takes from it in a step",
    bar: "same force within 1 % (M§46: it was 4× for cells 4× as large)",
    uses_clock: false,
    run: cell_size,
};

const DT: f64 = 1.0 / 60.0;
const STREAM: f64 = 9.0;
const RADIUS: f32 = 0.2;

/// The record's volume in so many cells across.
fn volume(cells: u16, confinement: f32) -> FluidVolume {
    FluidVolume {
        half_extents: [0.72, 0.72, 1.16],
        cell: 1.44 / f32::from(cells),
        confinement,
        ..FluidVolume::default()
    }
}

/// A post across a volume, a quarter of it from where the wind comes in.
struct Stream {
    volume: FluidVolume,
    post: Option<Collider>,
    fluid: Fluid,
}

impl Stream {
    fn new(volume: FluidVolume, has_post: bool) -> Result<Self> {
        let post = Collider::cylinder(2.0, RADIUS, Standing::IDENTITY)?;
        Ok(Self { volume, post: has_post.then_some(post), fluid: Fluid::new(&volume)? })
    }

    fn step(&mut self) -> cloth_host::fluid::FluidReport {
        let pose = Pose { translation: [0.0, 0.0, -0.5], ..Pose::IDENTITY };
        let post = self.post.as_ref();
        let post = post.map(|collider| Obstacle { collider, shapes: &[], pose, previous: pose });
        self.fluid.step(&self.volume, DT, [0.0, 0.0, STREAM], post.as_slice(), &mut one_after_the_other)
    }

    /// Mean speed over the banner, and what goes across at its centre (m/s).
    fn at_banner(&self) -> [f64; 2] {
        const SIDE: usize = 16;
        let mut sum = 0.0;
        for i in 0..SIDE {
            for j in 0..SIDE {
                let at = [-0.3 + 0.04 * real(i), -0.3 + 0.04 * real(j), 0.1];
                sum += length(self.fluid.sample(at).0);
            }
        }
        [sum / real(SIDE * SIDE), self.fluid.sample([0.0, 0.0, 0.1]).0[0]]
    }
}

/// What four settled seconds of a stream are like.
#[derive(Default)]
struct Settled {
    speed: f64,
    wobble: f64,
    across: f64,
    /// How often what goes across changes its side (1/s).
    turns: f64,
    divergence: f64,
    sweeps: f64,
    asleep: bool,
}

const SECONDS: u32 = 4;

fn settled(mut stream: Stream) -> Settled {
    let steps = 60 * SECONDS;
    let (mut seen, mut found) = (Vec::new(), Settled::default());
    for step in 0..2 * steps {
        let report = stream.step();
        found.divergence = found.divergence.max(report.divergence.into());
        if step >= steps {
            found.sweeps += f64::from(report.sweeps) / f64::from(steps);
            found.asleep = report.asleep;
            seen.push(stream.at_banner());
        }
    }
    let [speed, across] = [0, 1].map(|what| seen.iter().map(|at| at[what]).sum::<f64>() / real(seen.len()));
    found.speed = speed;
    for at in &seen {
        found.wobble = found.wobble.max((at[0] - speed).abs());
        found.across = found.across.max((at[1] - across).abs());
    }
    let turns = seen.windows(2).filter(|two| (two[0][1] > across) != (two[1][1] > across)).count();
    found.turns = if found.across > 0.01 { real(turns) / f64::from(SECONDS) } else { 0.0 };
    found
}

fn wake(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new([
        "cells",
        "confinement",
        "speed, post",
        "without",
        "deficit",
        "wobble",
        "across",
        "shed (Hz)",
        "f·2r/U",
        "divergence",
        "sweeps a step",
        "asleep",
    ]);
    let mut verdict = Verdict::new();
    for (cells, confinement) in [(18, 0.0), (18, 0.6), (26, 0.0), (26, 0.6), (34, 0.0), (34, 0.6)] {
        let with = settled(Stream::new(volume(cells, confinement), true)?);
        let without = settled(Stream::new(volume(cells, confinement), false)?);
        let deficit = 1.0 - with.speed / without.speed;
        let shed = 0.5 * with.turns;
        table.row([
            cells.to_string(),
            confinement.to_string(),
            format!("{:.2}", with.speed),
            format!("{:.2}", without.speed),
            format!("{:.1} %", 100.0 * deficit),
            format!("{:.3}", with.wobble),
            format!("{:.3}", with.across),
            format!("{shed:.2}"),
            format!("{:.3}", shed * 2.0 * f64::from(RADIUS) / STREAM),
            sci(with.divergence.max(without.divergence)),
            format!("{:.1}", with.sweeps),
            format!("{}, {}", with.asleep, without.asleep),
        ]);
        if (cells, confinement) == (18, 0.0) {
            let percent = 100.0 * deficit;
            verdict.check(format!("deficit {percent:.1} %"), (25.0..=40.0).contains(&percent));
        }
        let divergence = with.divergence.max(without.divergence);
        verdict.check(format!("{cells} cells: divergence {}", sci(divergence)), divergence <= 1.0e-3);
    }
    out.line(
        "Speeds in m/s, the divergence the largest of all steps, as a share of the mean speed per cell.\n",
    );
    out.table(&table);
    if let Ok(count) = callgrind::instructions_of(Child::FluidStep, &[]) {
        verdict.tell(format!(
            "18×18×29 cells: {:.2} M instructions a step",
            super::absurd::rational(count, 1_000_000)
        ));
    } else {
        verdict.unmeasured("instructions of a step (no valgrind)");
    }
    Ok(verdict)
}

/// Does what the observed process is there for: settled steps behind the post.
///
/// # Errors
///
/// What the volume objects to.
pub fn child() -> Result<()> {
    let mut stream = Stream::new(volume(18, 0.0), true)?;
    for _ in 0..WARM_UP {
        stream.step();
    }
    measured_frames(&mut stream);
    Ok(())
}

/// Where counting is switched on.
#[inline(never)]
fn measured_frames(stream: &mut Stream) {
    for _ in 0..MEASURED {
        stream.step();
    }
}

fn cell_size(out: &mut Out) -> Result<Verdict> {
    let banner = wind::banner(16).build()?;
    let mut table = Table::new([
        "flow",
        "cell (m)",
        "air at the banner (m/s)",
        "impulse of a step (N·s)",
        "off the first",
    ]);
    let mut verdict = Verdict::new();
    for (flow, slope) in [("uniform", 0.0), ("sheared", 0.2)] {
        let mut first = None;
        let mut worst = 0.0_f64;
        for cell in [0.25, 0.5, 1.0, 2.0] {
            let volume = FluidVolume { half_extents: [8.0; 3], cell, ..FluidVolume::default() };
            let mut fluid = Fluid::new(&volume)?;
            fluid.fill(|[_, y, _]| [0.0, 0.0, 6.0 + slope * y]);
            fluid.step(&volume, DT, [0.0, 0.0, 6.0], &[], &mut one_after_the_other);
            let place = |x: Vec3| fluid.sample([x.x, x.y, x.z].map(f64::from)).0.map(to_f32);
            let mut memory = banner.memory();
            let mut run = banner.start(&mut memory)?;
            let air: Vec<[f32; 3]> = run.state.positions().map(place).collect();
            let input = StepInput { gravity: Vec3::ZERO, ..banner.input() };
            let before: f64 = run.state.velocities().map(|v| f64::from(v.z)).sum();
            run.step_with(&StepInput { air: Air::Each(&air), ..input })?;
            let after: f64 = run.state.velocities().map(|v| f64::from(v.z)).sum();
            let impulse = (after - before) * f64::from(banner.spec.masses[0]);
            let mean = air.iter().map(|u| f64::from(u[2])).sum::<f64>() / real(air.len());
            let off = impulse / *first.get_or_insert(impulse) - 1.0;
            worst = worst.max(off.abs());
            table.row([
                flow.into(),
                format!("{cell}"),
                format!("{mean:.4}"),
                sci(impulse),
                format!("{:+.4} %", 100.0 * off),
            ]);
        }
        verdict.check(format!("{flow}: {:.4} %", 100.0 * worst), worst <= 0.01);
    }
    out.table(&table);
    Ok(verdict)
}
