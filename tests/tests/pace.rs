//! Substeps: the fabric's in calm cloth, more where something outruns them, never more than asked for.

use anyhow::Result;
use cloth_core::collide::Collider;
use cloth_core::step::Colliders;
use cloth_core::{StepInput, Vec3, library, step};
use cloth_tests::contact::{Encounter, at, floor};
use cloth_tests::workload::{DT, Run, Shape, Spec, narrow, scenes};
use glam::DVec3;

fn cotton(spec: Spec) -> Spec {
    Spec { dynamics: library::COTTON, ..spec }
}

/// Throws every other row of a hung sheet one way at a speed (m/s), and the rest the other way.
fn whip(run: &mut Run<'_>, speed: f64) -> Result<()> {
    for (vertex, x) in (0..).zip(&run.workload.rest).skip(16) {
        let sign = if vertex / 16 % 2 == 0 { 1.0 } else { -1.0 };
        run.state.place(vertex, narrow(*x), narrow(DVec3::Z * sign * speed))?;
    }
    Ok(())
}

#[test]
fn a_swing_takes_the_fabrics_own() -> Result<()> {
    let workload = cotton(scenes::sheet(16)).build()?;
    let mut memory = workload.memory();
    let mut run = workload.start(&mut memory)?;
    for _ in 0..90 {
        let report = step(&mut run.state, &workload.input())?;
        assert_eq!(report.substeps, library::COTTON.substeps);
    }
    Ok(())
}

#[test]
fn what_is_struck_takes_more_until_it_has_calmed_down_and_no_more_than_it_may() -> Result<()> {
    let workload = cotton(scenes::hung_sheet(16)).build()?;
    for (most, expected) in [(8, 8..=8), (20, 20..=20), (256, 60..=256)] {
        let mut memory = workload.memory();
        let ball = Collider::sphere(0.05, at(0.15, -0.15, -0.2))?.touching(0.3, 0.0)?;
        let mut scene = Encounter::new(workload.start(&mut memory)?, vec![ball]);
        scene.most_substeps = most;
        let mut after = Vec::new();
        for frame in 1..=90_u32 {
            scene.drive(0, at(0.15, -0.15, -0.2 + f64::from(frame) / 3.0))?;
            after.push(scene.step()?.substeps);
        }
        assert!(expected.contains(&scene.seen.substeps), "{most}: {}", scene.seen.substeps);
        // Long after the ball has left the sheet still whips about, and calms down.
        assert!(most < 256 || after[8..12].iter().all(|substeps| *substeps > 40), "{after:?}");
        assert!(most < 256 || after[89] < 60, "{after:?}");
    }
    Ok(())
}

#[test]
fn what_nothing_strikes_takes_the_fabrics_own_however_it_moves() -> Result<()> {
    let workload = cotton(scenes::hung_sheet(16)).build()?;
    let mut memory = workload.memory();
    let mut run = workload.start(&mut memory)?;
    whip(&mut run, 20.0)?;
    for _ in 0..30 {
        assert_eq!(step(&mut run.state, &workload.input())?.substeps, 8);
    }
    Ok(())
}

#[test]
fn what_falls_or_flies_as_one_takes_the_fabrics_own() -> Result<()> {
    // 400 particles fill their groups and leave the last one empty, 361 leave part of one.
    for side in [19, 20] {
        let mut spec = cotton(Spec::new(Shape::grid(side, side, 0.02), 1e-4));
        spec.gravity = Vec3::new(0.0, -9.81, 0.0);
        let workload = spec.build()?;
        let mut memory = workload.memory();
        let mut run = workload.start(&mut memory)?;
        for (vertex, x) in (0..).zip(&workload.rest) {
            run.state.place(vertex, narrow(*x), Vec3::new(40.0, 0.0, 0.0))?;
        }
        for _ in 0..60 {
            assert_eq!(step(&mut run.state, &workload.input())?.substeps, 8, "{side}");
        }
    }
    Ok(())
}

#[test]
fn a_wire_between_particles_is_followed_before_it_is_near_one() -> Result<()> {
    let workload = cotton(scenes::hung_sheet(16)).build()?;
    let mut memory = workload.memory();
    let mut run = workload.start(&mut memory)?;
    let half = core::f64::consts::FRAC_PI_2;
    let pose = |z| cloth_tests::contact::turned(DVec3::new(0.15, -0.15, z), DVec3::Z, half);
    let wire = Collider::capsule(0.25, 0.001, pose(-0.1))?.moved(pose(0.06))?;
    let colliders = Colliders { records: &[wire], shapes: &[] };
    let report = step(&mut run.state, &StepInput { colliders, ..workload.input() })?;
    assert!(report.substeps > 40, "{}", report.substeps);
    Ok(())
}

#[test]
fn what_a_press_pushes_into_the_floor_is_counted_once_whatever_the_order_of_the_table() -> Result<()> {
    let sheet = Shape::grid(6, 6, 0.04).moved(|p| p + DVec3::new(-0.1, 0.01, -0.1));
    let mut spec = cotton(Spec { gravity: Vec3::ZERO, ..Spec::new(sheet, 1e-3) });
    spec.dynamics.thickness = 0.004;
    let workload = spec.build()?;
    let base = Collider::cuboid(Vec3::new(1.0, 0.2, 1.0), at(0.0, -0.2, 0.0))?.known(1, u32::MAX, u32::MAX);
    let press = Collider::cuboid(Vec3::new(1.0, 0.1, 1.0), at(0.0, 0.15, 0.0))?.known(2, u32::MAX, u32::MAX);
    for order in [[0, 1], [1, 0]] {
        let mut memory = workload.memory();
        let both = [base, press];
        let mut scene = Encounter::new(workload.start(&mut memory)?, order.map(|i| both[i]).to_vec());
        let moving = order.iter().position(|i| *i == 1).expect("it is there");
        // Down to 5 mm above the base, where 8 mm are needed, and then no further.
        for frame in 1..=60_u32 {
            let height = f64::max(0.15 - 0.5 / 60.0 * f64::from(frame), 0.105);
            scene.drive(moving, at(0.0, height, 0.0))?;
            scene.step()?;
        }
        let before = scene.seen.missed;
        scene.steps(60)?;
        let inside = scene.distances(&base).filter(|d| *d < 0.0).count()
            + scene.distances(&press).filter(|d| *d < 0.0).count();
        assert!(inside == 0 || before > 0, "{order:?}: {inside} inside and none counted");
        assert_eq!(scene.seen.missed, before, "{order:?}: counted again while nothing moves");
    }
    Ok(())
}

#[test]
fn a_step_of_a_tenth_of_a_millisecond_is_no_reason_to_sleep_in_mid_air() -> Result<()> {
    let mut spec = cotton(Spec::new(Shape::grid(8, 8, 0.1), 1e-3));
    spec.dt = DT / 160.0;
    spec.gravity = Vec3::new(0.0, -9.81, 0.0);
    let workload = spec.build()?;
    let mut memory = workload.memory();
    let mut scene = Encounter::new(workload.start(&mut memory)?, vec![floor(-5.0, 0.5)?]);
    scene.sleep = true;
    scene.steps(960)?;
    assert!(!scene.run.state.is_asleep());
    let fallen = scene.run.positions()[0].y;
    assert!((fallen + 0.5 * 9.81 * 0.01).abs() < 1e-3, "{fallen}");
    Ok(())
}

#[test]
fn what_strikes_does_so_wherever_it_stands_in_the_table() -> Result<()> {
    // A sheet at 60 m/s meets a standing ball and one that goes at 48: the first gets past it by more, the second strikes it.
    let workload = cotton(scenes::hung_sheet(16)).build()?;
    let standing = Collider::sphere(0.05, at(0.15, -0.15, 0.12))?.known(1, u32::MAX, u32::MAX);
    let ball = Collider::sphere(0.05, at(0.15, -0.15, -0.16))?.moved(at(0.15, -0.15, 0.64))?;
    let ball = ball.known(2, u32::MAX, u32::MAX);
    let mut seen = Vec::new();
    for records in [[standing, ball], [ball, standing]] {
        let mut memory = workload.memory();
        let mut run = workload.start(&mut memory)?;
        for (vertex, x) in (0..).zip(&workload.rest).skip(16) {
            run.state.place(vertex, narrow(*x), Vec3::new(0.0, 0.0, 60.0))?;
        }
        let input = |records| StepInput { colliders: Colliders { records, shapes: &[] }, ..workload.input() };
        step(&mut run.state, &input(&records))?;
        // What was struck is followed when nothing is near any more.
        seen.push(step(&mut run.state, &input(&[]))?.substeps);
    }
    assert!(seen[0] > 8 && seen[1] > 8, "{seen:?}");
    Ok(())
}
