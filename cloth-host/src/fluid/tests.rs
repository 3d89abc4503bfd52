//! What the air does, whatever is asked of it.

use super::*;
use crate::pose::Pose;
use crate::world::words::Reader;
use cloth_core::collide::{Collider, Pose as Standing};

const DT: f64 = 1.0 / 60.0;

fn stream() -> FluidVolume {
    FluidVolume { half_extents: [0.72, 0.72, 1.16], cell: 0.08, ..FluidVolume::default() }
}

fn post(radius: f32) -> Collider {
    Collider::cylinder(2.0, radius, Standing::IDENTITY).unwrap()
}

fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose { translation: [x, y, z], ..Pose::IDENTITY }
}

fn still(collider: &Collider, pose: Pose) -> Obstacle<'_> {
    Obstacle { collider, shapes: &[], pose, previous: pose }
}

#[test]
fn try_it() {
    let volume = stream();
    let post = post(0.2);
    let mut fluid = Fluid::new(&volume).unwrap();
    for step in 0..300 {
        let report = fluid.step(
            &volume,
            DT,
            [0.0, 0.0, 9.0],
            &[still(&post, at(0.0, 0.0, -0.5))],
            &mut one_after_the_other,
        );
        if step % 20 == 0 || step < 5 {
            let ([_, _, w], _) = fluid.sample([0.0, 0.0, 0.5]);
            eprintln!("{step} {report:?} {w}");
        }
    }
}

#[test]
fn map_it() {
    for radius in [0.06_f32, 0.08, 0.12, 0.2] {
        let volume = stream();
        let post = post(radius);
        let mut fluid = Fluid::new(&volume).unwrap();
        let mut rows = Vec::new();
        let mut last = FluidReport::default();
        let mut sweeps = 0;
        for step in 0..600 {
            last = fluid.step(
                &volume,
                DT,
                [0.0, 0.0, 9.0],
                &[still(&post, at(0.0, 0.0, -0.5))],
                &mut one_after_the_other,
            );
            sweeps += last.sweeps;
            if step >= 360 {
                let mut sum = 0.0;
                for i in 0..16 {
                    for j in 0..16 {
                        let p = [-0.3 + 0.04 * f64::from(i), -0.3 + 0.04 * f64::from(j), 0.1];
                        sum += crate::pose::length(fluid.sample(p).0);
                    }
                }
                let x = fluid.sample([0.0, 0.0, 0.1]).0;
                rows.push([sum / 256.0, x[2], x[0]]);
            }
        }
        let mean = |c: usize| rows.iter().map(|r| r[c]).sum::<f64>() / rows.len() as f64;
        let wob = |c: usize| {
            let m = mean(c);
            rows.iter().map(|r| (r[c] - m).abs()).fold(0.0, f64::max)
        };
        eprintln!(
            "r {radius}: banner {:.2} wobble {:.2}; point w {:.2} wobble {:.2}; point u {:.2} wobble {:.2}; speed {:.2} change {:.2e} sweeps {}",
            mean(0),
            wob(0),
            mean(1),
            wob(1),
            mean(2),
            wob(2),
            last.speed,
            last.change,
            f64::from(sweeps) / 600.0
        );
        if std::env::var("MAP").is_ok() {
            for i in 0..18 {
                let x = -0.68 + 0.08 * f64::from(i);
                let row: Vec<String> = (0..29)
                    .map(|k| format!("{:5.1}", fluid.sample([x, 0.0, -1.12 + 0.08 * f64::from(k)]).0[2]))
                    .collect();
                eprintln!("{}", row.join(""));
            }
        }
        let cross: Vec<String> = rows.iter().step_by(4).map(|r| format!("{:.1}", r[2])).collect();
        eprintln!("{}", cross.join(" "));
    }
}
