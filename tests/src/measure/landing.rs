//! `landing` and `driven`: cloth that arrives at a collider, and a collider that arrives at cloth.

use super::{Measurement, Out, Table, Verdict, sci};
use crate::contact::{Encounter, at, floor};
use crate::workload::motion::library_settings;
use crate::workload::{Shape, Spec, scenes};
use anyhow::Result;
use cloth_core::collide::Collider;
use glam::DVec3;

/// A sheet that lands on a floor.
pub const LANDING: Measurement = Measurement {
    name: "landing",
    about: "M§17's sheet, 20×20 particles of 10 g at 2 cm, 4 mm thick, dropped flat on a floor of μ = 0.5 at library settings, undamped, \
            in 8 phases of a frame: worst penetration of the offset, kinetic energy and penetration after 240 steps",
    bar: "at 3 m/s ≤ 1.1 cm and ≤ 1e-6 J; at 8 m/s median of 8 phases ≤ 8.6 cm and ≤ 0.2 J; resting penetration ≤ 1e-6 m",
    uses_clock: false,
    run: landing,
};

/// A sphere that is pushed into a cape.
pub const DRIVEN: Measurement = Measurement {
    name: "driven",
    about: "a sphere of 8 cm pushed 6 cm into the middle of M§6's hanging cape, 4 mm thick, and held there for two seconds: worst penetration \
            of the offset",
    bar: "≤ 2.7, 5.7, 33 mm at 1, 3, 8 m/s",
    uses_clock: false,
    run: driven,
};

const THICKNESS: f32 = 0.004;

/// The worst of a landing, and what is left of it.
#[derive(Clone, Copy)]
struct Landed {
    worst: f64,
    kinetic: f64,
    resting: f64,
    strain: f64,
    missed: u64,
}

fn land(speed: f64, phase: u32) -> Result<Landed> {
    let way = speed / 60.0 * f64::from(phase) / 8.0;
    let shape = Shape::grid(20, 20, 0.02).moved(|p| p + DVec3::Y * (0.1 + way));
    let mut spec = library_settings(Spec::new(shape, 0.01), 0.0);
    spec.dynamics.thickness = THICKNESS;
    let workload = spec.build()?;
    let mut memory = workload.memory();
    let mut scene = Encounter::new(workload.start(&mut memory)?, vec![floor(0.0, 0.5)?]);
    scene.throw(DVec3::NEG_Y * speed)?;
    let mut worst = f64::NEG_INFINITY;
    let mut strain = 0.0_f64;
    for _ in 0..240 {
        scene.step()?;
        worst = worst.max(scene.intrusion());
        strain = strain.max(scene.strain().worst);
    }
    let (kinetic, resting, missed) = (scene.kinetic(), scene.intrusion(), scene.seen.missed);
    Ok(Landed { worst, kinetic, resting, strain, missed })
}

/// The upper median of eight.
fn median(mut values: [f64; 8]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[4]
}

fn landing(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new([
        "speed (m/s)",
        "phase",
        "worst (m)",
        "after 240 (J)",
        "resting (m)",
        "worst strain",
        "missed",
    ]);
    let mut verdict = Verdict::new();
    for (speed, deepest, energy) in [(3.0, 0.011, 1e-6), (8.0, 0.086, 0.2)] {
        let mut all = [Landed { worst: 0.0, kinetic: 0.0, resting: 0.0, strain: 0.0, missed: 0 }; 8];
        for (phase, landed) in (0..).zip(&mut all) {
            *landed = land(speed, phase)?;
            let Landed { worst, kinetic, resting, strain, missed } = *landed;
            let figures = [worst, kinetic, resting, strain].map(sci);
            table.row(
                [speed.to_string(), phase.to_string()].into_iter().chain(figures).chain([missed.to_string()]),
            );
        }
        let (worst, kinetic) = (median(all.map(|l| l.worst)), median(all.map(|l| l.kinetic)));
        verdict.check(format!("{speed} m/s: {} m", sci(worst)), worst <= deepest);
        verdict.check(format!("{} J", sci(kinetic)), kinetic <= energy);
        let resting = all.iter().map(|l| l.resting).fold(f64::NEG_INFINITY, f64::max);
        verdict.check(format!("resting {} m", sci(resting)), resting <= 1e-6);
    }
    out.table(&table);
    Ok(verdict)
}

fn driven(out: &mut Out) -> Result<Verdict> {
    const RADIUS: f64 = 0.08;
    let mut table = Table::new(["speed (m/s)", "worst (m)", "at the end (m)", "worst strain", "missed"]);
    let mut verdict = Verdict::new();
    for (speed, most) in [(1.0, 2.7e-3), (3.0, 5.7e-3), (8.0, 33e-3)] {
        let mut spec = scenes::cape();
        spec = Spec { shape: spec.shape.moved(|p| DVec3::new(p.x, -p.z, 0.0)), ..spec };
        let mut spec = library_settings(spec, 0.1);
        spec.dynamics.thickness = THICKNESS;
        let workload = spec.build()?;
        let mut memory = workload.memory();
        // Touching, to begin with.
        let start = -RADIUS - f64::from(THICKNESS);
        let pose = |way: f64| at(0.19, -0.29, start + way);
        let ball = Collider::sphere(crate::narrow::to_f32(RADIUS), pose(0.0))?.touching(0.5, 0.0)?;
        let mut scene = Encounter::new(workload.start(&mut memory)?, vec![ball]);
        let (mut worst, mut strain) = (f64::NEG_INFINITY, 0.0_f64);
        for frame in 1..=120_u32 {
            scene.drive(0, pose((speed * f64::from(frame) / 60.0).min(0.06)))?;
            scene.step()?;
            worst = worst.max(scene.intrusion());
            strain = strain.max(scene.strain().worst);
        }
        let figures = [worst, scene.intrusion(), strain].map(sci);
        table.row([speed.to_string()].into_iter().chain(figures).chain([scene.seen.missed.to_string()]));
        verdict.check(format!("{speed} m/s: {} m", sci(worst)), worst <= most && scene.seen.contacts > 0);
    }
    out.table(&table);
    Ok(verdict)
}
