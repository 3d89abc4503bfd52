//! `hold` and `buckle`: cloth that has come to rest on something.

use super::{Measurement, Out, Table, Verdict, sci};
use crate::contact::{Encounter, at, floor};
use crate::narrow::{real, to_f32, to_u32};
use crate::workload::{Shape, Spec};
use anyhow::Result;
use cloth_core::collide::Collider;
use cloth_core::library;
use glam::DVec3;

/// A sheet that stays on a ball.
pub const HOLD: Measurement = Measurement {
    name: "hold",
    about: "a free 32×32 sheet of cotton, 0.5 kg, laid from 2 cm above on a sphere of 0.2 m, 15 mm off its middle, μ = 0.5: thirty seconds \
            without sleep, the farthest a particle goes in the last twenty; then the same with sleep",
    bar: "stays, creep ≤ 1 mm after settling; with sleep asleep, strain ≤ 1 %",
    uses_clock: false,
    run: hold,
};

/// A rope that lies down.
pub const BUCKLE: Measurement = Measurement {
    name: "buckle",
    about: "M§22's rope of eight links of 10 cm, held at the origin and authored straight down through a floor at −0.4 m, 15 mm thick, by its lean \
            a link: height of the tip after 200 steps",
    bar: "lean 0.001: tip −0.385 ± 0.002 after 200 steps; lean 0 documented",
    uses_clock: false,
    run: buckle,
};

const SIDE: usize = 32;
const RADIUS: f64 = 0.2;

fn sheet_over_ball() -> (Spec, DVec3) {
    let half = 0.01 * real(SIDE - 1);
    let shape = Shape::grid(SIDE, SIDE, 0.02).moved(|p| p + DVec3::new(0.015 - half, 0.0, -half));
    let spec = Spec { dynamics: library::COTTON, ..Spec::new(shape, 0.5 / real(SIDE * SIDE)) };
    (spec, DVec3::new(0.0, -RADIUS - 0.02, 0.0))
}

fn hold(out: &mut Out) -> Result<Verdict> {
    let (spec, centre) = sheet_over_ball();
    let workload = spec.build()?;
    let ball = Collider::sphere(to_f32(RADIUS), at(centre.x, centre.y, centre.z))?.touching(0.5, 0.0)?;
    let middle = SIDE / 2 * (SIDE + 1);
    let is_on = |scene: &Encounter<'_>| {
        let x = scene.run.positions()[middle];
        x.y > centre.y && x.distance(centre) < RADIUS + 0.02
    };
    let mut table = Table::new([
        "sleep",
        "second",
        "J",
        "farthest since 10 s (m)",
        "worst strain",
        "worst stretch",
        "penetration (m)",
    ]);
    let mut memory = workload.memory();
    let mut scene = Encounter::new(workload.start(&mut memory)?, vec![ball]);
    let mut settled = Vec::new();
    let mut creep = 0.0_f64;
    for frame in 1..=1800_u32 {
        scene.step()?;
        if frame == 600 {
            settled = scene.run.positions();
        }
        if frame > 600 {
            let way =
                scene.run.positions().iter().zip(&settled).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
            creep = creep.max(way);
        }
        if frame % 300 == 0 {
            let strain = scene.strain();
            table.row([
                "off".into(),
                (frame / 60).to_string(),
                sci(scene.kinetic()),
                sci(creep),
                sci(strain.worst),
                sci(strain.worst_stretch),
                sci(scene.intrusion()),
            ]);
        }
    }
    let stays = is_on(&scene);
    let mut memory = workload.memory();
    let mut scene = Encounter::new(workload.start(&mut memory)?, vec![ball]);
    let asleep = scene.until_asleep(1800)?;
    let strain = scene.strain();
    let when = asleep.map_or("awake".to_owned(), |frame| format!("{:.1}", f64::from(frame) / 60.0));
    table.row([
        "on".into(),
        when,
        sci(scene.kinetic()),
        "–".into(),
        sci(strain.worst),
        sci(strain.worst_stretch),
        sci(scene.intrusion()),
    ]);
    out.table(&table);
    let mut verdict = Verdict::new();
    verdict.check(if stays { "stays" } else { "slides off" }, stays);
    verdict.check(format!("creep {} m", sci(creep)), creep <= 1e-3);
    let figure =
        asleep.map_or("awake after 1800 steps".to_owned(), |frame| format!("asleep after {frame} steps"));
    verdict.check(figure, asleep.is_some() && is_on(&scene));
    verdict.short(
        format!("strain {:.2} %", 100.0 * strain.worst),
        strain.worst <= 0.01,
        strain.worst <= 0.12,
    );
    verdict.tell(format!("mean strain {:.3} %", 100.0 * strain.mean));
    Ok(verdict)
}

fn buckle(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new(["lean", "μ", "tip (m)", "lowest (m)", "worst strain", "J", "missed"]);
    let mut verdict = Verdict::new();
    for lean in [0.0, 0.001, 0.01] {
        for friction in [0.0_f32, 0.5] {
            let shape = Shape::strands(1, 8, 0.1, DVec3::new(lean, -1.0, 0.0));
            let spec = Spec { pins: vec![0], dynamics: library::ROPE, ..Spec::new(shape, 0.01) };
            let workload = spec.build()?;
            let mut memory = workload.memory();
            let mut scene = Encounter::new(workload.start(&mut memory)?, vec![floor(-0.4, friction)?]);
            scene.steps(200)?;
            let x = scene.run.positions();
            let tip = x[8].y;
            let lowest = x.iter().map(|x| x.y).fold(f64::INFINITY, f64::min);
            let figures = [scene.strain().worst, scene.kinetic()].map(sci);
            let head = [lean.to_string(), friction.to_string(), format!("{tip:.4}"), format!("{lowest:.4}")];
            table.row(head.into_iter().chain(figures).chain([scene.seen.missed.to_string()]));
            let figure = format!("lean {lean}, μ {friction}: {tip:.4} m");
            if lean > 0.0 {
                verdict.check(figure, (tip + 0.385).abs() <= 0.002)
            } else {
                verdict.tell(figure)
            }
        }
    }
    out.line(format!(
        "A rope of {} particles has no sideways freedom without lean: it folds on its own line.\n",
        to_u32(9)
    ));
    out.table(&table);
    Ok(verdict)
}
