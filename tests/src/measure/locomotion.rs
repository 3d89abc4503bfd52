//! `locomotion`, `inertia`: cloth on anchors that sprint, stop and turn (M§13, M§26, R25).

use super::{Measurement, Out, Table, Verdict};
use crate::narrow::{real, to_f32, to_u32};
use crate::physics;
use crate::workload::walk::{self, Placed};
use crate::workload::{Shape, Spec, Topology, Workload, mean, scenes};
use anyhow::{Context as _, Result};
use cloth_core::fabric::library::{ALL, Density, Fabric};
use cloth_core::{ClothDynamics, NONE, StepInput, Vec3, library};
use glam::{DQuat, DVec3};

/// Sprints.
pub const LOCOMOTION: Measurement = Measurement {
    name: "locomotion",
    about: "M§13's rope of 20 links of 10 cm in seven fabrics on a square wave of ±9 m/s and 0, a second each, fifteen seconds; M§26's cape of five strips of \
            seven links, fanned out from one anchor (first links to x = −17…17 cm, 2 cm down and 8 cm back, then 8 cm each), 600 steps still, walking \
            (a sine of 2.4 m/s at most, period 2 s) and sprinting; a rope of 10 links on the walk, told in 60 and in 240 steps a second at the same substeps",
    bar: "square wave ±9 m/s, seven fabrics: nothing teleports, ≥ 5× headroom over the velocity limit, tether ≤ 1.0035 on the rope profile; \
          five-strip cape: silk ≤ 1.13, denim ≤ 1.46, chain ≤ 1.18, all ≤ 1.003 still and walking",
    uses_clock: false,
    run: locomotion,
};

/// The dial.
pub const INERTIA: Measurement = Measurement {
    name: "inertia",
    about: "M§13's profile on ten links of 10 cm: how far the tip is from under its anchor; the bundled skirt on somebody who sets out at 6 m/s for 2 s (R25): \
            greatest angle of its hem about its waist; a rope asleep whose anchor moves by a millimetre",
    bar: "0…1 on the M§13 profile and a skirt on a 6 m/s runner: monotone; 0 welded to the last digit; awake in the same step where it is felt",
    uses_clock: false,
    run: inertia,
};

const DIAL: [f32; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// Mass of a link of a length (m), areal fabrics as strips 10 cm wide (kg).
fn link_mass(fabric: &Fabric, length: f64) -> f64 {
    length
        * match fabric.density {
            Density::Linear(density) => f64::from(density),
            Density::Areal(density) => 0.1 * f64::from(density),
        }
}

fn rope(fabric: &Fabric, links: usize) -> Spec {
    let shape = Shape::strands(1, links, 0.1, DVec3::NEG_Y);
    Spec { pins: vec![0], dynamics: fabric.dynamics, ..Spec::new(shape, link_mass(fabric, 0.1)) }
}

fn cape(fabric: &Fabric) -> Spec {
    let (mut positions, mut parents) = (vec![[0.0; 3]], vec![NONE]);
    for strip in 0..5 {
        let mut place = DVec3::new(0.085 * (real(strip) - 2.0), -0.02, -0.08);
        for link in 0..7 {
            parents.push(if link == 0 { 0 } else { to_u32(positions.len()) - 1 });
            positions.push([to_f32(place.x), to_f32(place.y), to_f32(place.z)]);
            place.y -= 0.08;
        }
    }
    let shape = Shape { positions, topology: Topology::Chains(parents) };
    Spec { pins: vec![0], dynamics: fabric.dynamics, ..Spec::new(shape, link_mass(fabric, 0.08)) }
}

fn still(_: f64) -> Placed {
    Placed::ORIGIN
}

fn stroll(time: f64) -> Placed {
    let period = 2.0;
    let turns = std::f64::consts::TAU / period;
    Placed { place: DVec3::new((turns * time).sin() * 2.4 / turns, 0.0, 0.0), ..Placed::ORIGIN }
}

/// What a run along a path came to.
#[derive(Default)]
struct Walked {
    teleports: u32,
    /// Fastest particle in the anchor's frame (m/s).
    peak: f64,
    /// Largest distance to the pin over the way there (1).
    tether: f64,
    /// Largest distance of the last vertex from where it is at rest (m).
    lag: f64,
}

fn along(workload: &Workload, frames: u32, path: impl Fn(f64) -> Placed) -> Result<Walked> {
    let geodesics = workload.geodesics();
    let mut memory = workload.memory();
    let mut run = workload.start(&mut memory)?;
    let mut walked = Walked::default();
    let dt = f64::from(workload.spec.dt);
    let mut before = path(0.0);
    for frame in 1..=frames {
        let now = path(f64::from(frame) * dt);
        let report = run.step_with(&walk::input(workload, &before, &now))?;
        let positions = run.positions();
        let tip = positions.last().zip(workload.rest.last()).context("a tip")?;
        walked.teleports += u32::from(report.teleported.is_some());
        walked.peak = walked.peak.max(f64::from(report.max_speed));
        walked.tether = walked.tether.max(physics::reach(workload, &geodesics, &positions));
        walked.lag = walked.lag.max((*tip.0 - *tip.1).with_y(0.0).length());
        before = now;
    }
    Ok(walked)
}

fn locomotion(out: &mut Out) -> Result<Verdict> {
    let mut verdict = Verdict::new();
    let mut table =
        Table::new(["fabric", "peak, m/s", "limit, m/s", "headroom", "teleports", "worst tether"]);
    for fabric in ALL {
        let rope = rope(&fabric, 20).build()?;
        let walked = along(&rope, 900, walk::sprint)?;
        let limit = f64::from(rope.model().extent()) * f64::from(fabric.dynamics.substeps) * 60.0;
        let headroom = limit / walked.peak;
        table.row([
            fabric.name.to_owned(),
            format!("{:.2}", walked.peak),
            format!("{limit:.0}"),
            format!("{headroom:.1}"),
            walked.teleports.to_string(),
            format!("{:.4}", walked.tether),
        ]);
        let name = fabric.name;
        verdict.check(format!("{name}: {} teleports", walked.teleports), walked.teleports == 0);
        verdict.check(format!("{headroom:.1}×"), headroom >= 5.0);
        verdict.check(format!("tether {:.4}", walked.tether), walked.tether <= 1.0035);
    }
    out.table(&table);
    let mut table = Table::new(["fabric", "still", "walk", "sprint"]);
    for (name, bar) in [("silk", 1.13), ("denim", 1.46), ("chain", 1.18)] {
        let fabric = library::by_name(name).context("a fabric")?;
        let cape = cape(&fabric).build()?;
        let worst = [
            along(&cape, 600, still)?.tether,
            along(&cape, 600, stroll)?.tether,
            along(&cape, 600, walk::sprint)?.tether,
        ];
        let [at_rest, walking, sprinting] = worst;
        table.row(std::iter::once(name.to_owned()).chain(worst.map(|worst| format!("{worst:.4}"))));
        verdict.check(format!("cape of {name}: {at_rest:.4} still"), at_rest <= 1.003);
        verdict.check(format!("{walking:.4} walking"), walking <= 1.003);
        verdict.check(format!("{sprinting:.4} sprinting"), sprinting <= bar);
    }
    out.table(&table);
    let fabric = library::by_name("rope").context("a fabric")?;
    let (walk, tilt) = (apart(rope(&fabric, 10), turning)?, apart(tilted(rope(&fabric, 10)), still)?);
    verdict.tell(format!(
        "{walk:.4} m between a walk told 60 and 240 times a second, {tilt:.4} m between the two where nothing but the rope swings"
    ));
    Ok(verdict)
}

/// The stroll of somebody who turns as he goes.
fn turning(time: f64) -> Placed {
    let Placed { place, .. } = stroll(time);
    Placed { place, turn: DQuat::from_xyzw(0.0, (0.3 * place.x).tan(), 0.0, 1.0).normalize() }
}

/// With gravity aslant, so that what hung swings.
fn tilted(spec: Spec) -> Spec {
    Spec { gravity: Vec3::new(6.0, -8.0, 0.0), ..spec }
}

/// How far two runs along one path come apart in four seconds, one told of it four times as often (m): with the same substeps, so
/// that what the anchor adds is that it changes its velocity between steps only.
fn apart(seldom: Spec, path: impl Fn(f64) -> Placed) -> Result<f64> {
    let often = Spec { dt: seldom.dt / 4.0, ..seldom.clone() }.budget(seldom.dynamics.substeps / 4, 1);
    let (seldom, often) = (seldom.build()?, often.build()?);
    let (mut one, mut other) = (seldom.memory(), often.memory());
    let (mut seldom, mut often) = (seldom.start(&mut one)?, often.start(&mut other)?);
    let path = |quarter: u32| path(f64::from(quarter) / 240.0);
    let mut worst = 0.0_f64;
    for frame in 0..240 {
        for quarter in 4 * frame..4 * frame + 4 {
            often.step_with(&walk::input(often.workload, &path(quarter), &path(quarter + 1)))?;
        }
        seldom.step_with(&walk::input(seldom.workload, &path(4 * frame), &path(4 * frame + 4)))?;
        let off =
            seldom.positions().iter().zip(often.positions()).map(|(a, b)| a.distance(b)).fold(0.0, f64::max);
        worst = worst.max(off);
    }
    Ok(worst)
}

fn inertia(out: &mut Out) -> Result<Verdict> {
    let mut verdict = Verdict::new();
    let mut table = Table::new(["inertia", "tip's lag, m", "hem's angle, °"]);
    let fabric = library::by_name("rope").context("a fabric")?;
    let with = |spec: Spec, inertia| Spec { dynamics: ClothDynamics { inertia, ..spec.dynamics }, ..spec };
    let (skirt, waist, hem) = scenes::skirt()?;
    let mut last = [-1.0; 2];
    for inertia in DIAL {
        let lag = along(&with(rope(&fabric, 10), inertia).build()?, 900, walk::sprint)?.lag;
        let angle = lift(&with(skirt.clone(), inertia).build()?, &waist, &hem)?;
        table.row([inertia.to_string(), format!("{lag:.4}"), format!("{angle:.2}")]);
        verdict.check(format!("{inertia}: {lag:.4} m, {angle:.2}°"), lag > last[0] && angle > last[1]);
        if inertia <= 0.0 {
            verdict.check(format!("{lag} m and {angle}° to the last digit"), lag <= 0.0 && angle <= 0.0);
        }
        last = [lag, angle];
    }
    out.table(&table);
    for (inertia, wakes) in [(0.0, false), (0.05, true), (1.0, true)] {
        let awake = nudged(&with(rope(&fabric, 6), inertia).build()?)?;
        verdict.check(
            format!("a millimetre at {inertia}: {}", if awake { "awake" } else { "asleep" }),
            awake == wakes,
        );
    }
    Ok(verdict)
}

/// The greatest angle between the way from the middle of a skirt's waist to that of its hem on somebody who sets out at 6 m/s, and
/// the same at that moment on somebody who stands (°).
fn lift(skirt: &Workload, waist: &[u32], hem: &[u32]) -> Result<f64> {
    let (mut one, mut other) = (skirt.memory(), skirt.memory());
    let (mut runs, mut stands) = (skirt.start(&mut one)?, skirt.start(&mut other)?);
    let middle = |positions: &[DVec3], of: &[u32]| {
        let along = |axis: usize| mean(of.iter().map(|&v| positions[v as usize][axis]));
        DVec3::new(along(0), along(1), along(2))
    };
    let mut most = 0.0_f64;
    let mut before = Placed::ORIGIN;
    for frame in 0..180_u32 {
        // It comes to rest on somebody who stands first.
        let way = 6.0 / 60.0 * f64::from(frame.saturating_sub(60));
        let now = Placed { place: DVec3::new(0.0, 0.0, way), ..Placed::ORIGIN };
        runs.step_with(&walk::input(skirt, &before, &now))?;
        stands.step()?;
        let ways = [&runs, &stands].map(|run| {
            let positions = run.positions();
            middle(&positions, hem) - middle(&positions, waist)
        });
        if ways[0] != ways[1] {
            most = most.max(ways[0].angle_between(ways[1]).to_degrees());
        }
        before = now;
    }
    Ok(most)
}

/// Whether a cloth that slept is awake in the step in which its anchor moves by a millimetre.
fn nudged(workload: &Workload) -> Result<bool> {
    let mut memory = workload.memory();
    let mut run = workload.start(&mut memory)?;
    let input = StepInput { sleep: true, ..workload.input() };
    for _ in 0..1000 {
        if run.step_with(&input)?.asleep {
            break;
        }
    }
    anyhow::ensure!(run.state.is_asleep(), "a rope at rest has to sleep");
    let now = Placed { place: DVec3::new(0.001, 0.0, 0.0), ..Placed::ORIGIN };
    let moved = walk::input(workload, &Placed::ORIGIN, &now);
    Ok(!run.step_with(&StepInput { sleep: true, ..moved })?.asleep)
}
