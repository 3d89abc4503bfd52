//! What of a flow particles face: `facing`.

use super::{Measurement, Out, Table, Verdict};
use crate::narrow::to_f32;
use crate::workload::{Shape, Spec, wide};
use anyhow::Result;
use cloth_core::air::facing::Span;
use cloth_core::simd::{Kernel, Lanes, Level};
use cloth_core::{Air, ClothDynamics, ClothFlags, StepInput, Vec3, library};
use glam::DVec3;

/// What particles face of a flow.
pub const FACING: Measurement = Measurement {
    name: "facing",
    about: "what of a flow particles face, read from the first step of cloth at rest, and how a surface that collapses to a line \
            becomes one",
    bar: "M§47: sheet 1.000, 0.000, 0.707; chain 0.000, 1.000, 0.866, with skip and limit rows too; the blend monotone",
    uses_clock: false,
    run: facing,
};

/// What a particle with neighbours this way faces of a flow.
struct Faced<'a> {
    ways: &'a [DVec3],
    flow: DVec3,
    is_surface: bool,
}

impl Kernel for Faced<'_> {
    type Output = f32;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> f32 {
        let mut found = [0.0; 8];
        for l in l.parts() {
            let splat = |v: DVec3| [l.splat(to_f32(v.x)), l.splat(to_f32(v.y)), l.splat(to_f32(v.z))];
            let mut span = Span::none(l);
            for way in self.ways {
                span = span.with(l, splat(*way));
            }
            l.store(span.facing(l, splat(self.flow), self.is_surface), &mut found);
        }
        found[0]
    }
}

pub(super) fn faced(ways: &[DVec3], flow: DVec3, is_surface: bool) -> f64 {
    Level::SCALAR.run(Faced { ways, flow, is_surface }).into()
}

/// What every vertex faces of a uniform flow, from how fast it is after a step without other forces.
fn first_step(spec: Spec, flow: DVec3) -> Result<Vec<f64>> {
    let dynamics = ClothDynamics { drag: 1.0, substeps: 1, ..spec.dynamics };
    let workload = Spec { dynamics, gravity: Vec3::ZERO, ..spec }.build()?;
    let mut memory = workload.memory();
    let mut run = workload.start(&mut memory)?;
    let wind = Vec3::new(to_f32(flow.x), to_f32(flow.y), to_f32(flow.z));
    run.step_with(&StepInput { air: Air::Uniform(wind), ..workload.input() })?;
    let closed = f64::from(dynamics.closed(workload.spec.dt)) * wide(wind).length();
    Ok(run.state.velocities().map(|v| wide(v).length() / closed).collect())
}

fn facing(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new(["cloth", "flow", "interior", "boundary", "corner or end", "M§47"]);
    let mut verdict = Verdict::new();
    let sheet = || Spec::new(Shape::grid(5, 5, 0.05), 0.001);
    let skip = ClothDynamics { skip: 50.0, flags: ClothFlags::STRAIN_LIMIT, ..library::ROPE };
    let chain = |links| Spec::new(Shape::strands(1, links, 0.05, DVec3::X), 0.001);
    let limited = |links| Spec { dynamics: skip, ..chain(links) };
    let rows = [
        ("sheet", "along the normal", sheet(), DVec3::Y, [12_usize, 2, 0], 1.0),
        ("sheet", "along the surface", sheet(), DVec3::new(2.0, 0.0, 1.0), [12, 2, 0], 0.0),
        ("sheet", "at 45°", sheet(), DVec3::new(1.0, 1.0, 0.0), [12, 2, 24], 0.5_f64.sqrt()),
        ("5 links", "along it", chain(5), DVec3::X, [2, 4, 5], 0.0),
        ("5 links", "across it", chain(5), DVec3::Z, [2, 4, 5], 1.0),
        (
            "5 links",
            "60° off it",
            chain(5),
            DVec3::new(0.5, 0.75_f64.sqrt(), 0.0),
            [2, 4, 5],
            0.75_f64.sqrt(),
        ),
        ("6 links, skip and limit rows", "along it", limited(6), DVec3::X, [3, 1, 6], 0.0),
        ("6 links, skip and limit rows", "across it", limited(6), DVec3::Y, [3, 1, 6], 1.0),
        (
            "6 links, skip and limit rows",
            "60° off it",
            limited(6),
            DVec3::new(0.5, 0.75_f64.sqrt(), 0.0),
            [3, 1, 6],
            0.75_f64.sqrt(),
        ),
    ];
    let mut worst = 0.0_f64;
    for (cloth, name, spec, flow, vertices, expected) in rows {
        let found = first_step(spec, flow * 5.0)?;
        let here = vertices.map(|vertex| found[vertex]);
        worst = here.iter().fold(worst, |worst, one| worst.max((one - expected).abs()));
        let [a, b, c] = here.map(|one| format!("{one:.3}"));
        table.row([cloth.into(), name.into(), a, b, c, format!("{expected:.3}")]);
    }
    out.table(&table);
    verdict.check(format!("off by {worst:.1e} at most"), worst < 5e-4);
    let mut blend = Table::new([
        "two directions apart by",
        "flow across, in their plane",
        "along their middle",
        "normal",
    ]);
    let (mut before, mut falls, mut jump) = (1.0, true, 0.0_f64);
    for degrees in 0..=90_u32 {
        let half = 0.5 * f64::from(degrees).to_radians();
        let ways = [DVec3::new(half.cos(), 0.0, half.sin()), DVec3::new(half.cos(), 0.0, -half.sin())];
        let [across, along, normal] = [DVec3::Z, DVec3::X, DVec3::Y].map(|flow| faced(&ways, flow, true));
        falls &= across <= before + 1e-6;
        jump = jump.max(before - across);
        before = across;
        if [0, 5, 10, 12, 14, 16, 18, 20, 25, 30, 60, 90].contains(&degrees) {
            blend.row([
                format!("{degrees}°"),
                format!("{across:.3}"),
                format!("{along:.3}"),
                format!("{normal:.3}"),
            ]);
        }
    }
    out.table(&blend);
    verdict.check(format!("blend falls, by {jump:.3} a degree at most"), falls && jump < 0.12);
    Ok(verdict)
}
