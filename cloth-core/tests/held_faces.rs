//! Faces with held corners in a collider: a point beside a held corner must not throw the free ones.

mod common;

use cloth_core::collide::{Collider, Pose};
use cloth_core::step::Colliders;
use cloth_core::{AnchorMotion, ClothDynamics, ModelBuilder, State, StepInput, Vec3, library, step};
use common::{DT, GRAVITY, baked, chain};
use std::error::Error;

type Outcome = Result<(), Box<dyn Error>>;

/// A sheet hung by its first row over the upright capsule of a torso, eleven centimetres deep in it, while the wearer turns to and
/// fro.
#[test]
fn pins_deep_in_a_capsule_that_turns_do_not_tear_the_cloth() -> Outcome {
    let place = |v: u16| [0.05 * f32::from(v % 12) - 0.275, -0.08 * f32::from(v / 12), 0.0];
    let positions: Vec<[f32; 3]> = (0..144).map(place).collect();
    let corners = (0..132_u32).filter(|v| v % 12 < 11);
    let triangles: Vec<[u32; 3]> =
        corners.flat_map(|v| [[v, v + 12, v + 1], [v + 1, v + 12, v + 13]]).collect();
    let pins: Vec<u32> = (0..12).collect();
    let (baked, mut memory) = baked(ModelBuilder::mesh(&positions, &triangles).pins(&pins))?;
    let model = baked.model();
    let torso = [Collider::capsule(0.4, 0.12, Pose::at(Vec3::new(0.0, 0.1, -0.01)))?];
    for friction in [0.0, 0.3] {
        let torso = torso.map(|torso| Collider { friction, ..torso });
        let mut state = State::seed(&model, &mut memory)?;
        let (mut fastest, mut longest) = (0.0_f32, 0.0_f32);
        for frame in 0..240_u32 {
            let half = if (frame / 30).is_multiple_of(2) { 0.002 } else { -0.002 };
            let turned = Pose { rotation: [0.0, half, 0.0, 1.0], ..Pose::IDENTITY };
            let told = StepInput {
                anchor: AnchorMotion::to(turned),
                colliders: Colliders { records: &torso, shapes: &[] },
                ..StepInput::new(DT, GRAVITY, &library::COTTON)
            };
            let report = step(&mut state, &told)?;
            if frame >= 30 {
                (fastest, longest) = (fastest.max(report.max_speed), longest.max(report.max_strain));
            }
        }
        assert!(fastest < 20.0 && longest < 1.0, "{fastest} m/s, strain {longest}, friction {friction}");
    }
    Ok(())
}

/// The same for a link: a wire across a rope just below what holds it.
#[test]
fn a_wire_just_below_a_pin_does_not_throw_the_rope() -> Outcome {
    let (baked, mut memory) = baked(chain(6, Vec3::new(0.0, -0.1, 0.0)).pins(&[0]))?;
    let model = baked.model();
    let wire = Collider::capsule(
        0.2,
        0.002,
        Pose {
            translation: Vec3::new(-0.01, -0.004, 0.0),
            rotation: [0.5_f32.sqrt(), 0.0, 0.0, 0.5_f32.sqrt()],
        },
    )?;
    let dynamics = ClothDynamics { damping: 0.5, ..library::ROPE };
    let mut state = State::seed(&model, &mut memory)?;
    let mut fastest = 0.0_f32;
    for _ in 0..120 {
        let told = StepInput {
            colliders: Colliders { records: &[wire], shapes: &[] },
            ..StepInput::new(DT, GRAVITY, &dynamics)
        };
        fastest = fastest.max(step(&mut state, &told)?.max_speed);
    }
    assert!(fastest < 10.0, "{fastest} m/s");
    Ok(())
}
