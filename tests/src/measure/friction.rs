//! `friction` and `seam`: what a surface does along itself.

use super::{Measurement, Out, Table, Verdict, sci};
use crate::contact::{Encounter, at, floor, pair, turned};
use crate::narrow::{real, to_f32};
use crate::workload::motion::library_settings;
use crate::workload::{G, Shape, Spec, mean, wide};
use anyhow::Result;
use cloth_core::bake::Shapes;
use cloth_core::collide::{Collider, Kind};
use glam::DVec3;

/// Coulomb's law on a slope.
pub const FRICTION: Measurement = Measurement {
    name: "friction",
    about: "M§18's 20×20 sheet on planes of five slopes and five μ for four seconds, undamped: the farthest a particle went where μ > tan θ, \
            mean way over ½g(sin θ − μ·cos θ)t² elsewhere",
    bar: "sticks iff μ > tan θ; sticking cells ≤ 1 mm in 4 s; sliding cells within 2 %",
    uses_clock: false,
    run: friction,
};

/// Interior edges of a mesh.
pub const SEAM: Measurement = Measurement {
    name: "seam",
    about: "two linked particles, and a sheet of 8×8, at 6 m/s along a mesh of sixteen coplanar quads, μ = 0, against the same on a plane: \
            most distance between the two ways over the way, and the most height",
    bar: "as on the plane within 1 %",
    uses_clock: false,
    run: seam,
};

const FRAMES: u32 = 240;

/// What a cell of the table found (m): the farthest any particle went, and how far all went on average down the slope.
struct Slid {
    farthest: f64,
    down: f64,
    deep: f64,
}

fn slide(angle: f64, friction: f32) -> Result<Slid> {
    const THICKNESS: f64 = 0.004;
    let (sin, cos) = angle.sin_cos();
    let (up, normal) = (DVec3::new(cos, sin, 0.0), DVec3::new(-sin, cos, 0.0));
    let shape = Shape::grid(20, 20, 0.02).moved(|p| up * p.x + normal * THICKNESS + DVec3::Z * p.z);
    let mut spec = library_settings(Spec::new(shape, 0.2 / 400.0), 0.0);
    spec.dynamics.thickness = to_f32(THICKNESS);
    let workload = spec.build()?;
    let mut memory = workload.memory();
    let plane = Collider::plane(turned(DVec3::ZERO, DVec3::Z, angle))?.touching(friction, 0.0)?;
    let mut scene = Encounter::new(workload.start(&mut memory)?, vec![plane]);
    scene.steps(FRAMES)?;
    let ways = || scene.run.positions().into_iter().zip(&workload.rest).map(|(x, rest)| x - rest);
    let farthest = ways().map(DVec3::length).fold(0.0, f64::max);
    Ok(Slid { farthest, down: mean(ways().map(|way| -way.dot(up))), deep: scene.intrusion() })
}

fn friction(out: &mut Out) -> Result<Verdict> {
    let coefficients = [0.0_f32, 0.2, 0.4, 0.7, 1.2];
    let mut table = Table::new(["slope", "tan θ", "μ = 0", "0.2", "0.4", "0.7", "1.2"]);
    let (mut crept, mut off, mut deep) = (0.0_f64, 0.0_f64, 0.0_f64);
    let mut wrong = 0_u32;
    for degrees in [10.0_f64, 20.0, 30.0, 40.0, 50.0] {
        let angle = degrees.to_radians();
        let mut row = vec![format!("{degrees}°"), format!("{:.4}", angle.tan())];
        for friction in coefficients {
            let slid = slide(angle, friction)?;
            deep = deep.max(slid.deep);
            let mu = f64::from(friction);
            let time = f64::from(FRAMES) / 60.0;
            let exact = 0.5 * G * (angle.sin() - mu * angle.cos()) * time * time;
            if mu > angle.tan() {
                crept = crept.max(slid.farthest);
                wrong += u32::from(slid.farthest > 0.01);
                row.push(format!("{} m", sci(slid.farthest)));
            } else {
                let ratio = slid.down / exact;
                off = off.max((ratio - 1.0).abs());
                wrong += u32::from(slid.down < 0.01);
                row.push(format!("{:.3} m, ×{ratio:.4}", slid.down));
            }
        }
        table.row(row);
    }
    out.table(&table);
    let mut verdict = Verdict::new();
    verdict.check(format!("{wrong} of 25 cells do the other"), wrong == 0);
    verdict.check(format!("sticking {} m", sci(crept)), crept <= 1e-3);
    verdict.check(format!("sliding off by {:.2} %", 100.0 * off), off <= 0.02);
    verdict.tell(format!("penetration {} m at the end", sci(deep)));
    Ok(verdict)
}

/// Sixteen quads in a row along x, each 0.2 m long, its two triangles cut like every other's.
fn quads() -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..17_u32 {
        let x = to_f32(-0.2 + 0.2 * f64::from(i));
        positions.extend([[x, 0.0, -0.5], [x, 0.0, 0.5]]);
        if i > 0 {
            let (a, b, c, d) = (2 * i - 2, 2 * i - 1, 2 * i, 2 * i + 1);
            triangles.extend([[a, b, c], [b, d, c]]);
        }
    }
    (positions, triangles)
}

fn seam(out: &mut Out) -> Result<Verdict> {
    let thickness = 0.004;
    let lie = |spec: Spec| {
        let shape = spec.shape.clone().moved(|p| DVec3::new(p.x, f64::from(to_f32(0.004)), p.z));
        Spec { shape, ..spec }
    };
    let mut pair = pair(DVec3::ZERO, thickness);
    pair.shape = pair.shape.moved(|p| DVec3::new(0.0, 0.0, p.y));
    pair.gravity = crate::workload::GRAVITY;
    let mut sheet = library_settings(Spec::new(Shape::grid(8, 8, 0.02), 5e-4), 0.0);
    sheet.dynamics.thickness = thickness;
    let mut table = Table::new([
        "cloth",
        "way (m)",
        "apart (m)",
        "of the way",
        "most height (m)",
        "speed at the end (m/s)",
        "on the plane",
    ]);
    let mut verdict = Verdict::new();
    for (name, spec) in [("particle", lie(pair)), ("sheet", lie(sheet))] {
        let workload = spec.build()?;
        let ride = |collider: Collider, shapes: &[u32]| -> Result<Vec<Vec<DVec3>>> {
            let mut memory = workload.memory();
            let mut scene = Encounter::new(workload.start(&mut memory)?, vec![collider]);
            scene.shapes = shapes.to_vec();
            scene.throw(DVec3::X * 6.0)?;
            let mut film = vec![scene.run.positions()];
            for _ in 0..28 {
                scene.step()?;
                film.push(scene.run.state.positions().map(wide).collect());
            }
            film.push(scene.run.velocities());
            Ok(film)
        };
        let mut shapes = Shapes::new();
        let (positions, triangles) = quads();
        let (data, _) = shapes.mesh(&positions, &triangles)?;
        let mesh = Collider::shaped(Kind::Mesh, data, shapes.words(), at(0.0, 0.0, 0.0))?;
        let (on_mesh, on_plane) = (ride(mesh, shapes.words())?, ride(floor(0.0, 0.0)?, &[])?);
        let way = on_plane[28][0].x - on_plane[0][0].x;
        let frames = on_mesh.iter().zip(&on_plane).take(29);
        let apart = frames
            .clone()
            .flat_map(|(a, b)| a.iter().zip(b).map(|(a, b)| a.distance(*b)))
            .fold(0.0, f64::max);
        let height =
            frames.flat_map(|(a, _)| a.iter().map(|x| x.y - f64::from(thickness))).fold(0.0, f64::max);
        let speed = |film: &[Vec<DVec3>]| film[29].iter().map(|v| v.x).sum::<f64>() / real(film[29].len());
        let share = apart / way;
        table.row([
            name.into(),
            sci(way),
            sci(apart),
            format!("{:.4} %", 100.0 * share),
            sci(height),
            format!("{:.6}", speed(&on_mesh)),
            format!("{:.6}", speed(&on_plane)),
        ]);
        verdict.check(format!("{name} apart by {:.4} %", 100.0 * share), share <= 0.01 && way > 2.5);
    }
    out.table(&table);
    Ok(verdict)
}
