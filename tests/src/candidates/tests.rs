//! What the family does with enough substeps, which checks the bench as well: scenes and exact twins agree.

use super::Pairwise;
use super::named::{WINNER, XPBD};
use crate::pareto::{Candidate, fall, momentum, pendulum, runner, sphere};
use crate::truth::{ImplicitEuler, Spring};
use crate::workload::{Shape, Spec, motion, wide};
use glam::DVec3;
use std::f64::consts::FRAC_PI_2;

const FINE: Pairwise = Pairwise { substeps: 200, ..XPBD };

#[test]
fn small_steps_fall_as_the_exact_twins_do() {
    for (name, fall) in [
        ("sheet", fall::of(&FINE, motion::falling(), fall::WINDOW, 62).unwrap()),
        ("heavy hem", fall::of(&FINE, motion::heavy_hem(), fall::WINDOW, 62).unwrap()),
        ("chain", fall::of(&FINE, motion::pendulum(FRAC_PI_2, false), fall::CHAIN_WINDOW, 78).unwrap()),
    ] {
        assert!(fall.hem < 5e-3, "{name}: {fall:?}");
        assert!(fall.lag.is_some_and(|lag| lag.abs() < 0.1), "{name}: {fall:?}");
        assert!(fall.peak < 1e-4 && fall.lost < 0.04, "{name}: {fall:?}");
    }
}

#[test]
fn small_steps_swing_run_and_turn_as_they_should() {
    let swing = pendulum::small(&FINE, false).unwrap();
    assert!((swing.period / pendulum::PERIOD - 1.0).abs() < 1e-3, "{swing:?}");
    assert!((0.0..5e-3).contains(&swing.loss), "{swing:?}");
    let cape = runner::cape(&*FINE.refined(80)).unwrap();
    assert!((cape.peak / cape.exact - 1.0).abs() < 0.01 && cape.lag.abs() < 0.2, "{cape:?}");
    let kept = momentum::rotation(&FINE, true).unwrap();
    assert!((0.99..1.0).contains(&kept), "{kept}");
    let flag = momentum::flag(&FINE).unwrap();
    assert!(flag.off < 1e-3 && (0.97..1.01).contains(&flag.kept), "{flag:?}");
}

#[test]
fn it_lands_on_the_surface() {
    let landing = sphere::landing(&WINNER).unwrap().unwrap();
    assert!(landing.depth < 1e-9 && landing.stretch.late < 0.1, "{landing:?}");
}

#[test]
fn soft_rows_are_those_of_implicit_euler() {
    // A chain of three links of 50 N/m, released aslant. Many sweeps of one substep solve nothing more than the
    // first sweep did, since multipliers are not kept, so that only small steps compare.
    let (steps, h) = (600, 1.0 / 1200.0);
    let direction = DVec3::new(0.6, -0.8, 0.0);
    let spec = Spec {
        pins: vec![0],
        tethers: false,
        bend_rows: false,
        stiffness: 50.0,
        dt: crate::narrow::to_f32(h),
        ..Spec::new(Shape::strands(1, 3, 0.1, direction), 0.01)
    };
    let workload = spec.build().unwrap();
    let mut memory = Vec::new();
    let mut cloth = Pairwise { substeps: 1, sweeps: 1, ..XPBD }.start(&workload, &mut memory).unwrap();
    let springs = workload.edges.iter().map(|e| {
        let (a, b) = (e.a as usize, e.b as usize);
        Spring { a, b, length: workload.rest[a].distance(workload.rest[b]), stiffness: 50.0 }
    });
    let mut masses = vec![f64::from(workload.spec.masses[0]); 4];
    masses[0] = f64::INFINITY;
    let mut exact = ImplicitEuler {
        springs: springs.collect(),
        masses,
        gravity: wide(workload.spec.gravity),
        positions: workload.rest.clone(),
        velocities: vec![DVec3::ZERO; 4],
    };
    let mut off = 0.0_f64;
    for _ in 0..steps {
        cloth.step(&[]).unwrap();
        assert!(exact.step(f64::from(workload.spec.dt)) < 1e-8);
        off = cloth.positions()[3].distance(exact.positions[3]).max(off);
    }
    assert!(off < 2e-3, "{off} m");
}
