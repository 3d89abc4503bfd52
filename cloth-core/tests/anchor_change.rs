//! What changes while an anchor goes on as it went: the inertia, who is held, who is on the way to its target, which way it turns; and
//! what is held deep in a collider meanwhile.

mod common;

use cloth_core::collide::{Collider, Pose};
use cloth_core::model::record::Backstop;
use cloth_core::step::{Colliders, Escape};
use cloth_core::{
    AnchorMotion, Block, ClothDynamics, ModelBuilder, State, StepInput, Target, Targets, TeleportLimits,
    Vec3, library, step,
};
use common::{DT, GRAVITY, baked, chain, sheet};
use std::error::Error;

type Outcome = Result<(), Box<dyn Error>>;

const BARE: ClothDynamics = ClothDynamics { damping: 0.0, ..library::COTTON };

/// Turns about Y by an angle below 0.8 rad whose sine is `sine`, and goes on by `way` (m).
fn turns(sine: f32, way: Vec3) -> AnchorMotion {
    let cosine = (1.0 - sine * sine).sqrt();
    let half = ((1.0 - cosine) / 2.0).sqrt() * sine.signum();
    let rotation = [0.0, half, 0.0, (1.0 - half * half).sqrt()];
    let limits = TeleportLimits { distance: f32::INFINITY, angle: f32::INFINITY, beyond: None };
    AnchorMotion { limits, ..AnchorMotion::to(Pose { translation: way, rotation }) }
}

#[test]
fn a_held_vertex_that_stands_in_a_turning_frame_stands() -> Outcome {
    let (baked, mut memory) = baked(sheet(4, 0.2).pins(&[0, 3, 15]))?;
    let model = baked.model();
    let dynamics = ClothDynamics { inertia: 1.0, ..BARE };
    let mut state = State::seed(&model, &mut memory)?;
    for _ in 0..30 {
        let told = StepInput { anchor: turns(0.05, Vec3::ZERO), ..StepInput::new(DT, Vec3::ZERO, &dynamics) };
        step(&mut state, &told)?;
    }
    // Three radians a second at 0.85 m would be 2.5 m/s. Its way is the chord of the step, which leads by half of its angle.
    let speed = state.velocity(15).unwrap_or(Vec3::NAN).length();
    assert!(speed < 0.03 * 2.5, "{speed} m/s");
    // Let go, it goes on as if it had been put there at rest.
    let mut words = vec![Block::default(); model.snapshot_blocks()];
    state.snapshot(&mut words)?;
    let mut stopped = |put: bool| -> Result<Vec3, Box<dyn Error>> {
        state.restore(&words)?;
        state.release(15)?;
        if put {
            let place = state.position(15).unwrap_or(Vec3::NAN);
            state.place(15, place, Vec3::ZERO)?;
        }
        step(&mut state, &StepInput::new(DT, Vec3::ZERO, &dynamics))?;
        Ok(state.velocity(15).unwrap_or(Vec3::NAN))
    };
    let (put, let_go) = (stopped(true)?, stopped(false)?);
    assert!(put.length() > 1.0 && (put - let_go).length() < 0.1, "{put} m/s, {let_go} m/s");
    Ok(())
}

/// The fastest that any particle gets (m/s), at an inertia for every step, under an anchor that goes on as it does.
fn fastest(inertia: impl Fn(u32) -> f32, anchor: AnchorMotion, pins: &[u32]) -> Result<f32, Box<dyn Error>> {
    let (baked, mut memory) = baked(sheet(5, 0.1).pins(pins))?;
    let model = baked.model();
    let mut state = State::seed(&model, &mut memory)?;
    let mut fastest = 0.0_f32;
    for frame in 0..480 {
        let dynamics = ClothDynamics { inertia: inertia(frame), ..BARE };
        let report = step(&mut state, &StepInput { anchor, ..StepInput::new(DT, Vec3::ZERO, &dynamics) })?;
        fastest = fastest.max(report.max_speed);
    }
    Ok(fastest)
}

#[test]
fn turning_the_dial_under_an_anchor_that_goes_on_is_no_motor() -> Outcome {
    let forward = turns(0.0, Vec3::new(0.1, 0.0, 0.0));
    // Between nothing and all, ten times a second: six metres a second each time, were nothing not known for what it is.
    let gate = |frame: u32| if (frame / 3).is_multiple_of(2) { 0.0 } else { 1.0 };
    for pins in [&[][..], &[0, 4]] {
        let (speed, still) = (fastest(gate, forward, pins)?, fastest(gate, AnchorMotion::STANDING, pins)?);
        assert!(
            speed <= still,
            "{speed} m/s under an anchor that goes straight on, {still} of one that stands"
        );
    }
    // A free cloth stays where it is in the world, which a frame that turns sees as a circle about it: whatever part of that is
    // felt, it is no faster than the frame at 0.6 m, ten times over for what drifts away.
    let turning = turns(0.1, Vec3::ZERO);
    let fade = |frame: u32| {
        let along = f32::from(u8::try_from(frame % 120).unwrap_or(0)) / 60.0;
        0.05 + 0.95 * (along - 1.0).abs()
    };
    let steady = fastest(|_| 1.0, turning, &[])?;
    for dial in [&fade as &dyn Fn(u32) -> f32, &gate] {
        let speed = fastest(dial, turning, &[])?;
        assert!(speed < 10.0 * steady.max(3.6), "{speed} m/s, and {steady} with the dial at rest");
    }
    Ok(())
}

#[test]
fn who_is_on_the_way_goes_straight_for_whoever_turns_with_the_anchor() -> Outcome {
    let (baked, mut memory) = baked(chain(6, Vec3::new(0.1, 0.0, 0.0)).pins(&[0]))?;
    let model = baked.model();
    let dynamics = ClothDynamics { inertia: 1.0, ..library::ROPE };
    for window in [15, 60] {
        let mut state = State::seed(&model, &mut memory)?;
        let goal = [Target { vertex: 6, position: [0.0, 0.3, 0.4] }];
        let told = StepInput {
            anchor: turns(0.1, Vec3::ZERO),
            targets: Targets::Listed(&goal),
            escape: Escape { distance: 0.01, steps: 5, window, ..Escape::default() },
            ..StepInput::new(DT, Vec3::ZERO, &dynamics)
        };
        while step(&mut state, &told)?.escaped == 0 {}
        let from = state.position(6).unwrap_or(Vec3::NAN);
        let goal = Vec3::new(0.0, 0.3, 0.4);
        for part in 1..=window {
            step(&mut state, &told)?;
            let share = f32::from(u8::try_from(part)?) / f32::from(u8::try_from(window)?);
            let off = state.position(6).unwrap_or(Vec3::NAN).distance(from + (goal - from) * share);
            assert!(off < 1e-5, "{off} m off its way, {part} of {window}");
        }
    }
    Ok(())
}

#[test]
fn a_backstop_that_turns_to_and_fro_holds() -> Outcome {
    let back = Backstop { distance: 0.005, radius: f32::INFINITY };
    let (baked, mut memory) = baked(sheet(6, 0.05).pins(&[0, 1, 2, 3, 4, 5]).backstops(&[back; 36]))?;
    let model = baked.model();
    let dynamics = ClothDynamics { inertia: 1.0, iterations: 4, ..BARE };
    for sine in [0.05_f32, 0.2] {
        let mut state = State::seed(&model, &mut memory)?;
        let mut deepest = 0.0_f32;
        for frame in 0..240_u32 {
            let way = if (frame / 20).is_multiple_of(2) { sine } else { -sine };
            let AnchorMotion { moved, .. } = turns(way, Vec3::ZERO);
            let [_, half, _, w] = moved.rotation;
            let about_x = Pose { rotation: [half, 0.0, 0.0, w], ..moved };
            let anchor = AnchorMotion { moved: about_x, ..turns(0.0, Vec3::ZERO) };
            step(&mut state, &StepInput { anchor, ..StepInput::new(DT, GRAVITY, &dynamics) })?;
            // The targets' surface is level, and its front is up.
            deepest = state.positions().fold(deepest, |most, x| most.max(-0.005 - x.y));
        }
        assert!(deepest < 1e-3, "{deepest} m behind the backstop at {sine} a step");
    }
    Ok(())
}

#[test]
fn with_the_hatch_off_nobody_is_counted() -> Outcome {
    let (baked, mut memory) = baked(chain(3, Vec3::new(0.0, -0.1, 0.0)).pins(&[0]))?;
    let model = baked.model();
    let dynamics = ClothDynamics { damping: 2.0, ..library::ROPE };
    let away = [Target { vertex: 3, position: [0.0, -0.1, 0.2] }];
    let plain =
        StepInput { targets: Targets::Listed(&away), sleep: true, ..StepInput::new(DT, GRAVITY, &dynamics) };
    let watched = StepInput { escape: Escape { distance: 0.1, ..Escape::default() }, ..plain };
    let mut state = State::seed(&model, &mut memory)?;
    for _ in 0..40 {
        step(&mut state, &watched)?;
    }
    let off = StepInput { escape: Escape { steps: 0, ..watched.escape }, ..plain };
    for _ in 0..200 {
        step(&mut state, &off)?;
    }
    assert!(state.is_asleep(), "nothing is pending");
    let mut taken = 0;
    while step(&mut state, &watched)?.escaped == 0 {
        taken += 1;
    }
    assert_eq!(taken, 59, "it counts from the start");
    // On the way, it is let go at once.
    assert!(state.is_escaping(3));
    step(&mut state, &off)?;
    assert!(!state.is_escaping(3) && !state.is_held(3));
    Ok(())
}

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
