//! What the family does with enough substeps, which checks the bench as well: scenes and exact twins agree.

use super::Pairwise;
use super::named::{SHAKE, WINNER, XPBD};
use crate::pareto::{fall, momentum, pendulum, rest, runner, soft, sphere};
use crate::workload::motion;
use std::f64::consts::FRAC_PI_2;

/// With so small steps little of the solver is left to be seen; the twins do not bend, and all of the scenes do.
const FINE: Pairwise = Pairwise { substeps: 64, ..SHAKE };

#[test]
fn small_steps_fall_as_the_exact_twins_do() {
    for (name, fall) in [
        ("sheet", fall::of(&FINE, motion::falling(), fall::WINDOW, 62).unwrap()),
        ("heavy hem", fall::of(&FINE, motion::heavy_hem(), fall::WINDOW, 62).unwrap()),
        ("chain", fall::of(&FINE, motion::pendulum(FRAC_PI_2, false), fall::CHAIN_WINDOW, 78).unwrap()),
    ] {
        assert!(fall.hem < 0.012, "{name}: {fall:?}");
        assert!(fall.lag.is_some_and(|lag| lag.abs() < 0.1), "{name}: {fall:?}");
        assert!(fall.peak < 1e-4 && fall.lost < 0.04, "{name}: {fall:?}");
    }
}

#[test]
fn small_steps_swing_run_and_turn_as_they_should() {
    let swing = pendulum::small(&FINE, false).unwrap();
    assert!((swing.period / pendulum::PERIOD - 1.0).abs() < 1e-3, "{swing:?}");
    assert!((0.0..5e-3).contains(&swing.loss), "{swing:?}");
    let cape = runner::cape(&FINE).unwrap();
    assert!((cape.peak / cape.exact - 1.0).abs() < 0.02 && cape.lag.abs() < 0.5, "{cape:?}");
    let kept = momentum::rotation(&FINE, true).unwrap();
    assert!((kept - 1.0).abs() < 1e-6, "{kept}");
    let flag = momentum::flag(&FINE).unwrap();
    assert!(flag.off < 1e-3 && (0.97..1.01).contains(&flag.kept), "{flag:?}");
}

#[test]
fn a_rope_hangs_in_its_catenary() {
    let off = rest::rope(&Pairwise { substeps: 32, ..XPBD }).unwrap();
    assert!(off < 2e-3, "{off} of its length");
}

#[test]
fn it_lands_on_the_surface() {
    let landing = sphere::landing(&WINNER).unwrap().unwrap();
    assert!(landing.depth < 1e-9 && landing.stays && landing.kinetic < 1e-6, "{landing:?}");
}

#[test]
fn soft_rows_are_hooke_s_and_those_of_implicit_euler() {
    let off = |substeps, sweeps| soft::hooke(&Pairwise { substeps, sweeps, ..XPBD }).unwrap();
    // One sweep is not enough for Hooke where the step is long; many, or small steps, are.
    assert!(off(8, 20) < 1e-4 && off(128, 2) < 1e-4 && off(8, 1) > 1e-2);
    let swing = |substeps| soft::swing(&Pairwise { substeps, sweeps: 1, ..XPBD }).unwrap();
    let (coarse, fine) = (swing(8), swing(128));
    assert!(fine < 2e-3 && coarse > 2.0 * fine, "{coarse} m, {fine} m");
}
