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
