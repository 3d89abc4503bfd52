//! `skirt`: a real garment, its waist swinging from side to side.

use super::{Measurement, Out, Table, Verdict, sci};
use crate::narrow::{real, to_f32};
use crate::physics;
use crate::workload::{Run, Spec, Workload, mean, scenes};
use anyhow::Result;
use cloth_core::{ClothDynamics, ClothFlags, Target, Targets};
use glam::DVec3;
use std::f64::consts::TAU;

/// The swinging skirt.
pub const SKIRT: Measurement = Measurement {
    name: "skirt",
    about: "the bundled skirt as its scene has it, its waist driven ±0.15 m from side to side at 1 Hz, 300 frames",
    bar: "waist driven ±0.15 m at 1 Hz, 300 frames: mean strain ≤ 0.5 %, worst ≤ 5 %, hem amplitude 0.5–3× the waist's, \
          no inverted normal in the first 60 frames",
    uses_clock: false,
    run,
};

const AMPLITUDE: f64 = 0.15;
const FRAMES: u32 = 300;
/// Budget of `scenes/skirt.toml`.
const LINED: (u32, u32) = (32, 2);
/// Bending stiffness of `scenes/skirt.toml` (N·m).
const LINING: f32 = 2e-4;

/// The waist's targets of a frame: the rest pose moved along x by 0.15·(1 − cos(2πt)), which starts at rest as the
/// skirt does. A sine would start with a jerk of 0.94 m/s.
fn waist(workload: &Workload, frame: u32) -> Vec<Target> {
    let x = AMPLITUDE * (1.0 - (TAU * f64::from(frame) / 60.0).cos());
    let target = |&vertex: &u32| {
        let [rest_x, y, z] = workload.spec.shape.positions[vertex as usize];
        Target { vertex, position: [to_f32(f64::from(rest_x) + x), y, z] }
    };
    workload.spec.pins.iter().map(target).collect()
}

fn run(out: &mut Out) -> Result<Verdict> {
    let frames = swing(lined()?)?;
    let mut table = Table::new([
        "frames",
        "worst strain",
        "mean strain",
        "hem x, lowest…highest (m)",
        "inverted triangles",
    ]);
    for (index, second) in frames.chunks(60).enumerate() {
        let seen = Seen::of(second);
        table.row([
            format!("{}–{}", 60 * index + 1, 60 * (index + 1)),
            sci(seen.worst),
            sci(seen.mean),
            format!("{:.3}…{:.3}", seen.low, seen.high),
            seen.inverted.to_string(),
        ]);
    }
    out.table(&table);
    out.line(
        "A triangle counts as inverted in a frame when its vector area points against the sum of those of the \
         triangles across its edges: a fold-over, whichever way the garment has turned. Mean strain is over \
         all edges and frames, the hem's amplitude half the sweep of its centre over the last two seconds.\n",
    );
    let mut table =
        Table::new(["skirt", "worst strain", "mean strain", "hem over waist", "inverted, first 60 frames"]);
    let mut row = |name: String, frames: &[Frame]| {
        let seen = Seen::of(frames);
        let (hem, early) = (hem_over_waist(frames), Seen::of(&frames[..60]).inverted);
        table.row([name, sci(seen.worst), sci(seen.mean), format!("{hem:.2}"), early.to_string()]);
    };
    row(format!("as in scenes/skirt.toml, {}×{}", LINED.0, LINED.1), &frames);
    for (substeps, iterations) in [(6, 1), (16, 1), (16, 2), (32, 1), (24, 2)] {
        row(format!("the same at {substeps}×{iterations}"), &swing(lined()?.budget(substeps, iterations))?);
    }
    row("plain COTTON".into(), &swing(scenes::skirt()?.0)?);
    row("plain COTTON, 32×1".into(), &swing(scenes::skirt()?.0.budget(32, 1))?);
    out.table(&table);
    let (whole, early) = (Seen::of(&frames), Seen::of(&frames[..60]));
    let ratio = hem_over_waist(&frames);
    let mut verdict = Verdict::new();
    verdict.check(format!("mean strain {:.3} %", 100.0 * whole.mean), whole.mean <= 5e-3);
    verdict.check(format!("worst {:.2} %", 100.0 * whole.worst), whole.worst <= 0.05);
    verdict.check(format!("hem {ratio:.2}× the waist's"), (0.5..=3.0).contains(&ratio));
    verdict.check(format!("{} inverted normals in the first 60 frames", early.inverted), early.inverted == 0);
    Ok(verdict)
}

/// The skirt of `scenes/skirt.toml`: cotton, lined, its strain limited, many short substeps.
fn lined() -> Result<Spec> {
    let (plain, ..) = scenes::skirt()?;
    let dynamics =
        ClothDynamics { bend: LINING, stretch: 1.0, flags: ClothFlags::STRAIN_LIMIT, ..plain.dynamics };
    Ok(Spec { dynamics, ..plain }.budget(LINED.0, LINED.1))
}

/// The whole run.
fn swing(spec: Spec) -> Result<Vec<Frame>> {
    let (.., hem) = scenes::skirt()?;
    let skirt = spec.build()?;
    let neighbours = across_edges(skirt.spec.shape.triangles());
    let mut memory = skirt.memory();
    let mut run = skirt.start(&mut memory)?;
    let mut frames = Vec::new();
    for frame in 1..=FRAMES {
        let report = run.step_to(Targets::Listed(&waist(&skirt, frame)))?;
        let positions = run.positions();
        let strain = physics::strain(&skirt, &positions);
        let reported = f64::from(report.max_strain);
        let agrees = (reported - strain.worst).abs() <= 1e-4 + 1e-3 * strain.worst;
        anyhow::ensure!(agrees, "the step reports a strain of {reported} where it is {}", strain.worst);
        let inverted = inverted(&skirt, &neighbours, &positions);
        frames.push(Frame { strain, hem: hem_x(&run, &hem), inverted });
    }
    Ok(frames)
}

/// Half the sweep of the hem's centre over the last two seconds, over the waist's amplitude.
fn hem_over_waist(frames: &[Frame]) -> f64 {
    let seen = Seen::of(&frames[frames.len() - 120..]);
    0.5 * (seen.high - seen.low) / AMPLITUDE
}

/// What some frames have in common.
struct Seen {
    worst: f64,
    mean: f64,
    low: f64,
    high: f64,
    inverted: usize,
}

impl Seen {
    fn of(frames: &[Frame]) -> Self {
        let hem = || frames.iter().map(|f| f.hem);
        Self {
            worst: frames.iter().map(|f| f.strain.worst).fold(0.0, f64::max),
            mean: mean(frames.iter().map(|f| f.strain.mean)),
            low: hem().fold(f64::INFINITY, f64::min),
            high: hem().fold(f64::NEG_INFINITY, f64::max),
            inverted: frames.iter().map(|f| f.inverted).sum(),
        }
    }
}

struct Frame {
    strain: physics::Strain,
    hem: f64,
    inverted: usize,
}

fn hem_x(run: &Run<'_>, hem: &[u32]) -> f64 {
    let positions = run.positions();
    hem.iter().map(|&v| positions[v as usize].x).sum::<f64>() / real(hem.len())
}

/// For each triangle those that share an edge with it.
fn across_edges(triangles: &[[u32; 3]]) -> Vec<Vec<usize>> {
    let mut users = std::collections::BTreeMap::<(u32, u32), Vec<usize>>::new();
    let edges = |t: &[u32; 3]| [0, 1, 2].map(|i| (t[i].min(t[(i + 1) % 3]), t[i].max(t[(i + 1) % 3])));
    for (index, triangle) in triangles.iter().enumerate() {
        for edge in edges(triangle) {
            users.entry(edge).or_default().push(index);
        }
    }
    let others = |(index, triangle): (usize, &[u32; 3])| {
        edges(triangle).iter().flat_map(|e| users[e].clone()).filter(|&other| other != index).collect()
    };
    triangles.iter().enumerate().map(others).collect()
}

fn inverted(skirt: &Workload, neighbours: &[Vec<usize>], positions: &[DVec3]) -> usize {
    let areas = physics::vector_areas(skirt.spec.shape.triangles(), positions);
    let against =
        |(area, others): (&DVec3, &Vec<usize>)| area.dot(others.iter().map(|&o| areas[o]).sum()) < 0.0;
    areas.iter().zip(neighbours).filter(|&pair| against(pair)).count()
}
