//! `shapes`: how far a point is from every kind of collider, against the same in f64 by brute force.

use super::{Measurement, Out, Table, Verdict, sci};
use crate::random::Random;
use crate::workload::solids::{Where, subjects};
use anyhow::Result;

/// Distances and gradients of colliders.
pub const SHAPES: Measurement = Measurement {
    name: "shapes",
    about: "signed distance and gradient of every collider shape, a hundred thousand points each",
    bar: "distance within 1e-5 m of the reference, of the point's distance from the collider where that is over 1 m; gradient unit \
          within 1e-6",
    uses_clock: false,
    run,
};

/// Points a shape, in fifths from each [`Where`].
const POINTS: u32 = 100_000;

/// One point in so many is asked for its angle: a number without a common factor with five, so that all kinds are.
const ANGLES: u32 = 17;

#[derive(Clone, Copy, Default)]
struct Worst {
    distance: [f64; 5],
    unit: f64,
    foot: f64,
    angle: f64,
    smooth: u32,
    asked: u32,
}

fn run(out: &mut Out) -> Result<Verdict> {
    out.line(
        "Errors of distance over max(1 m, distance from the collider's origin): near the surface, ten to a thousand sizes away, \
         anywhere about, on medial axes, at corners. Foot: how far point − distance·normal is off the surface, over the same. \
         Angle: to the reference's gradient by differences, where that is smooth and the surface a ten-thousandth of the size \
         away.",
    );
    let heads =
        ["shape", "near", "far", "about", "medial", "corner", "|n| − 1", "foot", "angle, rad", "smooth"];
    let mut table = Table::new(heads);
    let mut all = Worst::default();
    let mut worst_distance = 0.0_f64;
    for subject in subjects()? {
        let mut random = Random::new(17);
        let mut worst = Worst::default();
        for i in 0..POINTS {
            let slot = usize::try_from(i)? % Where::ALL.len();
            let with_angle = i % ANGLES == 0;
            let off = subject.off(subject.point(Where::ALL[slot], &mut random), with_angle);
            worst.distance[slot] = worst.distance[slot].max(finite(off.distance));
            worst.unit = worst.unit.max(finite(off.unit));
            worst.foot = worst.foot.max(finite(off.foot));
            worst.asked += u32::from(with_angle);
            if let Some(angle) = off.angle {
                worst.angle = worst.angle.max(finite(angle));
                worst.smooth += 1;
            }
        }
        let figures = worst.distance.into_iter().chain([worst.unit, worst.foot, worst.angle]);
        table.row(
            std::iter::once(subject.name.to_owned())
                .chain(figures.map(sci))
                .chain([format!("{} %", 100 * worst.smooth / worst.asked)]),
        );
        worst_distance = worst.distance.into_iter().fold(worst_distance, f64::max);
        all.unit = all.unit.max(worst.unit);
        all.foot = all.foot.max(worst.foot);
        all.angle = all.angle.max(worst.angle);
    }
    out.table(&table);
    let mut verdict = Verdict::new();
    verdict.check(format!("distance within {}", sci(worst_distance)), worst_distance <= 1e-5);
    verdict.check(format!("|n| − 1 within {}", sci(all.unit)), all.unit <= 1e-6);
    verdict.check(format!("foot within {}", sci(all.foot)), all.foot <= 1e-5);
    verdict.check(format!("angle within {} rad", sci(all.angle)), all.angle <= 5e-3);
    Ok(verdict)
}

/// A NaN must not hide in a maximum.
fn finite(x: f64) -> f64 {
    if x.is_finite() { x } else { f64::INFINITY }
}
