//! `scale`: case R4, one cloth at four sizes.

use super::{Measurement, Out, Table, Verdict, sci};
use crate::physics;
use crate::workload::scenes;
use anyhow::Result;
use cloth_core::library;
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
    let mut table = Table::new(["damping (1/s)", "scale", "largest difference", "in frame", "finite"]);
    let mut verdict = Verdict::new();
    let mut all_finite = true;
    for damping in [0.0, library::COTTON.damping, 2.0] {
        let reference = frames(1.0, damping)?;
        let mut worst = 0.0_f64;
        for scale in [0.01, 0.3, 100.0] {
            let scaled = frames(scale, damping)?;
            let (mut largest, mut when) = (0.0_f64, 0);
            let mut finite = true;
            for (frame, (ours, theirs)) in scaled.iter().zip(&reference).enumerate() {
                finite &= physics::finite(ours);
                for (&x, &y) in ours.iter().zip(theirs) {
                    let difference = (x / scale).distance(y) / SIZE;
                    if difference > largest {
                        (largest, when) = (difference, frame + 1);
                    }
                }
            }
            table.row([damping.to_string(), scale.to_string(), sci(largest), when.to_string(), finite.to_string()]);
            worst = worst.max(largest);
            all_finite &= finite;
        }
        if damping.to_bits() == library::COTTON.damping.to_bits() {
            verdict.check(format!("largest difference {} of the size", sci(worst)), worst <= 1e-3);
        }
    }
    out.table(&table);
    verdict.check(if all_finite { "all finite" } else { "not finite" }, all_finite);
    Ok(verdict)
}

/// Side of the sheet at scale 1 (m).
const SIZE: f64 = 19.0 * 0.02;

fn frames(scale: f64, damping: f32) -> Result<Vec<Vec<DVec3>>> {
    let sheet = scenes::scaled(scale).damping(damping).build()?;
    let mut memory = sheet.memory();
    let mut run = sheet.start(&mut memory)?;
    let mut frames = Vec::new();
    for _ in 0..60 {
        run.step()?;
        frames.push(run.positions());
    }
    Ok(frames)
}
