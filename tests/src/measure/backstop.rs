//! `backstop`: cloth that rests on the body behind its own targets.

use super::{Measurement, Out, Table, Verdict, sci};
use crate::contact::Encounter;
use crate::narrow::{real, to_f32};
use crate::physics::{finite, vector_areas};
use crate::workload::{DT, Shape, Spec, Workload};
use anyhow::Result;
use cloth_core::model::record::Backstop;
use cloth_core::{Target, Targets, library};
use glam::DVec3;

/// R9.
pub const BACKSTOP: Measurement = Measurement {
    name: "backstop",
    about: "R9: a 16×16 sheet of cotton, level, tilted or as a dome, with planes, and with spheres of 10 cm, 1 cm behind its targets, for 60 s; \
            and one whose targets go up and down by 5 cm once a second: deepest behind a backstop, largest speed and force on the cloth \
            (mass times change of velocity, over its weight) in the last 30 s",
    bar: "R9: 60 s, bounded: depth ≤ 1e-6 m where targets rest, speed ≤ 1 mm/s, force ≤ twice the weight",
    uses_clock: false,
    run,
};

const SIDE: usize = 16;
const DISTANCE: f64 = 0.01;
const FRAMES: u32 = 3600;

/// A sheet, and whether its targets move.
struct Case {
    name: &'static str,
    shape: Shape,
    radius: f64,
    sway: f64,
}

/// The dome's radius (m).
const DOME: f64 = 0.4;

fn cases() -> [Case; 5] {
    let middle = 0.01 * real(SIDE - 1);
    let level = || Shape::grid(SIDE, SIDE, 0.02).moved(|p| p - DVec3::new(middle, 0.0, middle));
    let dome = level().moved(|p| DVec3::new(p.x, (DOME * DOME - p.x * p.x - p.z * p.z).sqrt(), p.z));
    let slope = level().moved(|p| DVec3::new(0.8 * p.x, 0.6 * p.x, p.z));
    let plane = f64::INFINITY;
    [
        Case { name: "level, planes", shape: level(), radius: plane, sway: 0.0 },
        Case { name: "level, spheres", shape: level(), radius: 0.1, sway: 0.0 },
        Case { name: "tilted, a corner held, planes", shape: slope, radius: plane, sway: 0.0 },
        Case { name: "dome, spheres", shape: dome, radius: 0.1, sway: 0.0 },
        Case { name: "level, planes, going up and down", shape: level(), radius: plane, sway: 0.05 },
    ]
}

/// How far a point is behind the surface that is `DISTANCE` behind a target (m).
fn behind(case: &Case, target: DVec3, normal: DVec3, x: DVec3) -> f64 {
    if case.radius.is_finite() {
        let centre = target - normal * (DISTANCE + case.radius);
        case.radius - x.distance(centre)
    } else {
        -normal.dot(x - target) - DISTANCE
    }
}

/// Unit normals of a mesh's vertices: sums of the areas about them.
fn normals(workload: &Workload) -> Vec<DVec3> {
    let triangles = workload.spec.shape.triangles();
    let mut normals = vec![DVec3::ZERO; workload.rest.len()];
    for (triangle, area) in triangles.iter().zip(vector_areas(triangles, &workload.rest)) {
        for &vertex in triangle {
            normals[vertex as usize] += area;
        }
    }
    normals.into_iter().map(DVec3::normalize).collect()
}

fn run(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new([
        "sheet",
        "deepest (m)",
        "most speed, late (m/s)",
        "most force, late (weights)",
        "worst strain",
    ]);
    let mut verdict = Verdict::new();
    for case in cases() {
        let count = SIDE * SIDE;
        let backstop = Backstop { distance: to_f32(DISTANCE), radius: to_f32(case.radius) };
        let spec = Spec {
            pins: vec![0],
            dynamics: library::COTTON,
            backstops: vec![backstop; count],
            ..Spec::new(case.shape.clone(), 0.15 * 0.02 * 0.02)
        };
        let workload = spec.build()?;
        let mut memory = workload.memory();
        let mut scene = Encounter::new(workload.start(&mut memory)?, Vec::new());
        let (mut deepest, mut speed, mut force, mut strain) = (f64::NEG_INFINITY, 0.0_f64, 0.0_f64, 0.0_f64);
        let (normals, mut before) = (normals(&workload), scene.run.velocities());
        for frame in 1..=FRAMES {
            // A wave of parabolas, once a second.
            let turn = f64::from(frame % 60) / 30.0;
            let half = if turn < 1.0 { turn * (1.0 - turn) } else { -(turn - 1.0) * (2.0 - turn) };
            let lift = DVec3::Y * (case.sway * 4.0 * half);
            let targets: Vec<DVec3> = workload.rest.iter().map(|x| *x + lift).collect();
            if case.sway > 0.0 {
                let list: Vec<Target> = (0..)
                    .zip(&targets)
                    .map(|(vertex, x)| Target { vertex, position: crate::workload::narrow(*x).to_array() })
                    .collect();
                scene.step_to(Targets::Listed(&list))?;
            } else {
                scene.step()?;
            }
            let (x, v) = (scene.run.positions(), scene.run.velocities());
            let all = x.iter().zip(&targets).zip(&normals).skip(1);
            deepest =
                all.map(|((x, target), normal)| behind(&case, *target, *normal, *x)).fold(deepest, f64::max);
            if frame > FRAMES / 2 {
                speed = v.iter().map(|v| v.length()).fold(speed, f64::max);
                let change = v.iter().zip(&before).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
                force = force.max(change / f64::from(DT) / crate::workload::G);
                strain = strain.max(scene.strain().worst);
            }
            before = v;
            anyhow::ensure!(finite(&x), "{} is not finite", case.name);
        }
        table.row([case.name.into(), sci(deepest), sci(speed), sci(force), sci(strain)]);
        if case.sway > 0.0 {
            // What moves at up to 0.8 m/s and is thrown by 6.7 m/s² has no more than that and a fall's.
            verdict.check(
                format!("{}: {} m/s, {} weights", case.name, sci(speed), sci(force)),
                speed <= 2.0 && force <= 20.0,
            );
        } else {
            let holds = deepest <= 1e-6 && speed <= 1e-3 && force <= 2.0;
            verdict.check(
                format!("{}: {} m, {} m/s, {} weights", case.name, sci(deepest), sci(speed), sci(force)),
                holds,
            );
        }
    }
    out.table(&table);
    Ok(verdict)
}
