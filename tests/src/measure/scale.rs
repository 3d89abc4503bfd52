//! `scale`: case R4, one cloth at four sizes.

use super::{Measurement, Out, Table, Verdict, sci};
use crate::physics;
use crate::workload::{Spec, scenes};
use anyhow::Result;
use cloth_core::Vec3;
use glam::DVec3;

/// Similarity under scale.
pub const SCALE: Measurement = Measurement {
    name: "scale",
    about: "the 20×20 sheet at scales 0.01, 0.3, 1 and 100, gravity scaled alike, 60 frames: largest difference of scaled positions from scale 1, over the sheet's size (R4)",
    bar: "R4, first 60 frames, relative to cloth size: scaled positions agree within 1e-3; nothing non-finite",
    uses_clock: false,
    run,
};

fn run(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new(["motion", "against scale 1", "largest difference", "in frame", "finite"]);
    let mut verdict = Verdict::new();
    let (mut all_finite, mut exact) = (true, true);
    for (motion, spec) in
        [("hung", hung as fn(f64) -> Spec), ("swung", swung), ("released flat", scenes::scaled)]
    {
        let reference = frames(spec(1.0))?;
        let mut worst = 0.0_f64;
        let mut cases: Vec<_> = SCALES.iter().map(|&s| (format!("scale {s}"), spec(s), s)).collect();
        cases.push(("scale 1/64".into(), spec(1.0 / 64.0), 1.0 / 64.0));
        cases.push(("every vertex a last digit away".into(), nudged(spec(1.0)), 1.0));
        for (name, spec, scale) in cases {
            let ours = frames(spec)?;
            let finite = ours.iter().all(|frame| physics::finite(frame));
            let Difference { largest, frame } = difference(&ours, &reference, scale);
            table.row([motion.into(), name, sci(largest), frame.to_string(), finite.to_string()]);
            all_finite &= finite;
            if SCALES.contains(&scale) {
                worst = worst.max(largest);
            } else if scale < 1.0 {
                exact &= largest <= 0.0;
            }
        }
        let figure = format!("{motion}: {} of the size", sci(worst));
        if motion != "released flat" {
            verdict.check(figure, worst <= 1e-3);
        } else {
            verdict.tell(figure);
        }
    }
    out.table(&table);
    out.line(
        "Hung: from its rest pose under its weight. Swung: the same with gravity leaning by 3:4. The bar is read from \
         these two. Released flat, the sheet whips through the vertical and crumples, and the last digits in which \
         every input of a scale that is no power of two differs grow beyond the bar; one last digit of every \
         position grows likewise, if less. A power of two scales every number exactly, and there any difference at \
         all would be an absolute length that the step compares with.\n",
    );
    verdict.check(if exact { "a power of two is exact" } else { "a power of two is not exact" }, exact);
    verdict.check(if all_finite { "all finite" } else { "not finite" }, all_finite);
    Ok(verdict)
}

const SCALES: [f64; 3] = [0.01, 0.3, 100.0];

/// Side of the sheet at scale 1 (m).
const SIZE: f64 = 19.0 * 0.02;

/// The sheet in its hung pose.
fn hung(scale: f64) -> Spec {
    let flat = scenes::scaled(scale);
    Spec { shape: flat.shape.moved(|p| DVec3::new(p.x, -p.z, 0.0)), ..flat }
}

/// The sheet in its hung pose, pulled aside.
fn swung(scale: f64) -> Spec {
    let hung = hung(scale);
    let g = hung.gravity.length();
    Spec { gravity: Vec3::new(0.0, -0.8 * g, 0.6 * g), ..hung }
}

/// The same with every vertex moved by the least an `f32` can be, up or down in turn.
fn nudged(mut spec: Spec) -> Spec {
    for (vertex, [x, _, z]) in spec.shape.positions.iter_mut().enumerate() {
        (*x, *z) = if vertex % 2 == 0 { (x.next_up(), z.next_down()) } else { (x.next_down(), z.next_up()) };
    }
    spec
}

struct Difference {
    largest: f64,
    frame: usize,
}

/// Largest distance between vertices of two runs, over the size.
fn difference(ours: &[Vec<DVec3>], theirs: &[Vec<DVec3>], scale: f64) -> Difference {
    let mut found = Difference { largest: 0.0, frame: 0 };
    for (frame, (ours, theirs)) in (1..).zip(ours.iter().zip(theirs)) {
        for (&x, &y) in ours.iter().zip(theirs) {
            let largest = (x / scale).distance(y) / SIZE;
            if largest > found.largest {
                found = Difference { largest, frame };
            }
        }
    }
    found
}

fn frames(spec: Spec) -> Result<Vec<Vec<DVec3>>> {
    let sheet = spec.build()?;
    let mut memory = sheet.memory();
    let mut run = sheet.start(&mut memory)?;
    let mut frames = Vec::new();
    for _ in 0..60 {
        run.step()?;
        frames.push(run.positions());
    }
    Ok(frames)
}
