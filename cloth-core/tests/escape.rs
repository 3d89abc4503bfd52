//! The escape hatch: who goes back to its target by itself, when, and how.

mod common;

use cloth_core::collide::{Collider, Pose};
use cloth_core::step::{Colliders, Escape};
use cloth_core::{
    AnchorMotion, Block, ClothDynamics, State, StepError, StepInput, StepReport, Target, Targets, Teleport,
    Vec3, library, step,
};
use common::{DT, GRAVITY, baked, chain, sheet};
use std::error::Error;

type Outcome = Result<(), Box<dyn Error>>;

const ROPE: ClothDynamics = library::ROPE;

/// Half the edges of a jaw (m).
const HALF: Vec3 = Vec3::new(0.2, 0.5, 0.5);

/// Two boxes that overlap by 8 cm about the lower half of the rope.
fn jaws() -> [Collider; 2] {
    [-1.0, 1.0].map(|side| {
        let place = Vec3::new(side * (HALF.x - 0.04), -0.55 - HALF.y, 0.0);
        Collider::cuboid(HALF, Pose::at(place)).expect("a box").touching(0.5, 0.0).expect("a friction")
    })
}

fn is_inside(x: Vec3) -> bool {
    jaws().iter().any(|jaw| (HALF - (x - Vec3::from_array(jaw.position)).abs()).min_element() > 0.0)
}

/// A rope of ten links straight down from the origin, with memory for its state.
fn rope() -> Result<(cloth_core::Baked, Vec<Block>), cloth_core::BuildError> {
    baked(chain(10, Vec3::new(0.0, -0.1, 0.0)).pins(&[0]))
}

/// One of those in the jaws.
const PINCHED: u32 = 8;

/// Where those in the jaws belong: side by side, level, above them.
fn goals() -> [Target; 5] {
    [6, 7, 8, 9, 10].map(|vertex: u8| {
        let away = f32::from(vertex) - 5.0;
        Target { vertex: vertex.into(), position: [-0.1 * away, -0.5, 0.0] }
    })
}

/// Where the one belongs.
fn target() -> Vec3 {
    let goal = goals().into_iter().find(|goal| goal.vertex == PINCHED);
    Vec3::from_array(goal.expect("it has one").position)
}

fn told<'a>(dynamics: &'a ClothDynamics, jaws: &'a [Collider], targets: &'a [Target]) -> StepInput<'a> {
    StepInput {
        colliders: Colliders { records: jaws, shapes: &[] },
        targets: Targets::Listed(targets),
        sleep: true,
        ..StepInput::new(DT, GRAVITY, dynamics)
    }
}

/// Steps until `done`, at most `most` times; how many.
fn until(
    state: &mut State,
    told: &StepInput,
    most: u32,
    mut done: impl FnMut(&State, &StepReport) -> bool,
) -> Result<u32, Box<dyn Error>> {
    for taken in 1..=most {
        let report = step(state, told)?;
        if done(state, &report) {
            return Ok(taken);
        }
    }
    Err(format!("not within {most} steps").into())
}

#[test]
fn who_is_pinched_between_two_colliders_goes_to_its_target_and_is_let_go() -> Outcome {
    let ((baked, mut memory), jaws, targets) = (rope()?, jaws(), goals());
    let model = baked.model();
    let mut state = State::seed(&model, &mut memory)?;
    let told = told(&ROPE, &jaws, &targets);
    let taken = until(&mut state, &told, 300, |_, report| report.escaped > 0)?;
    assert!(taken >= 60, "it went after {taken} steps");
    assert!(state.is_escaping(PINCHED) && state.is_held(PINCHED) && !state.is_asleep());
    let from = state.position(PINCHED).ok_or("no such vertex")?;
    assert!(is_inside(from));
    // In equal parts of the way, whatever is in it.
    for part in 1..15_u8 {
        step(&mut state, &told)?;
        let there = from + (target() - from) * (f32::from(part) / 15.0);
        let off = state.position(PINCHED).ok_or("no such vertex")?.distance(there);
        assert!(off < 1e-6, "{off} m off its way after {part} steps");
    }
    step(&mut state, &told)?;
    assert_eq!(state.position(PINCHED), Some(target()));
    assert_eq!(state.velocity(PINCHED), Some(Vec3::ZERO));
    assert!(!state.is_escaping(PINCHED) && !state.is_held(PINCHED));
    let hangs = until(&mut state, &told, 1200, |_, report| report.escaped > 0);
    assert!(hangs.is_err(), "what is free is in no trouble");
    assert!(!state.positions().any(is_inside), "all of it lies above the jaws or hangs beside them");
    Ok(())
}

#[test]
fn without_the_hatch_it_stays_where_it_is() -> Outcome {
    let ((baked, mut memory), jaws, targets) = (rope()?, jaws(), goals());
    let model = baked.model();
    let mut state = State::seed(&model, &mut memory)?;
    let told = StepInput { escape: Escape::OFF, ..told(&ROPE, &jaws, &targets) };
    assert!(until(&mut state, &told, 600, |_, report| report.escaped > 0).is_err());
    assert!(is_inside(state.position(PINCHED).ok_or("no such vertex")?));
    Ok(())
}

#[test]
fn a_row_at_twice_its_length_for_a_second_is_trouble() -> Outcome {
    let (baked, mut memory) = baked(chain(2, Vec3::new(0.1, 0.0, 0.0)).pins(&[0, 2]))?;
    let model = baked.model();
    let mut state = State::seed(&model, &mut memory)?;
    let wide = |x: f32| [Target { vertex: 2, position: [x, 0.0, 0.0] }];
    let far = wide(0.45);
    let told = StepInput { targets: Targets::Listed(&far), ..StepInput::new(DT, Vec3::ZERO, &ROPE) };
    assert_eq!(until(&mut state, &told, 100, |_, report| report.escaped > 0)?, 60);
    // A step without trouble, and it begins to count again.
    let near = wide(0.2);
    let mut state = State::seed(&model, &mut memory)?;
    until(&mut state, &told, 59, |_, report| report.escaped > 0).expect_err("59 steps are not enough");
    let rest = StepInput { targets: Targets::Listed(&near), ..told };
    step(&mut state, &rest)?;
    assert_eq!(until(&mut state, &told, 100, |_, report| report.escaped > 0)?, 60);
    Ok(())
}

#[test]
fn all_ends_of_torn_rows_are_in_trouble_and_no_others() -> Outcome {
    let (baked, mut memory) = baked(sheet(5, 0.1).pins(&[0, 4]))?;
    let model = baked.model();
    let mut state = State::seed(&model, &mut memory)?;
    let torn = [Target { vertex: 4, position: [2.0, 0.0, 0.0] }];
    let told = StepInput {
        targets: Targets::Listed(&torn),
        escape: Escape { steps: 1, ..Escape::default() },
        ..StepInput::new(DT, GRAVITY, &ROPE)
    };
    until(&mut state, &told, 10, |_, report| report.escaped > 0)?;
    // Right, below, and along the diagonal of the cells: every edge of the sheet, with its rest length.
    let edges = (0..25_u32).flat_map(|v| {
        let (i, j) = (v % 5, v / 5);
        let right = (i < 4).then_some((v, v + 1, 0.1));
        let below = (j < 4).then_some((v, v + 5, 0.1));
        let across = (i < 4 && j < 4).then_some((v + 1, v + 5, 0.02_f32.sqrt()));
        [right, below, across].into_iter().flatten()
    });
    let x: Vec<Vec3> = state.positions().collect();
    let place = |v: u32| x.get(v as usize).copied().unwrap_or(Vec3::NAN);
    let mut ends: Vec<u32> = edges
        .filter(|(a, b, rest)| place(*a).distance(place(*b)) > 2.0 * rest)
        .flat_map(|(a, b, _)| [a, b])
        .filter(|v| ![0, 4].contains(v))
        .collect();
    ends.sort_unstable();
    ends.dedup();
    let gone: Vec<u32> = (0..25).filter(|vertex| state.is_escaping(*vertex)).collect();
    assert!(!gone.is_empty() && gone.len() < 20, "{gone:?}");
    assert_eq!(gone, ends);
    Ok(())
}

#[test]
fn a_rope_that_stands_on_its_end_is_trouble_for_its_author_alone() -> Outcome {
    let (baked, mut memory) = baked(chain(8, Vec3::new(0.0, -0.1, 0.0)).pins(&[0]))?;
    let model = baked.model();
    let floor = [Collider::plane(Pose::at(Vec3::new(0.0, -0.4, 0.0)))?];
    let ground = Colliders { records: &floor, shapes: &[] };
    let told = StepInput { colliders: ground, ..StepInput::new(DT, GRAVITY, &ROPE) };
    let mut state = State::seed(&model, &mut memory)?;
    assert!(until(&mut state, &told, 400, |_, report| report.escaped > 0).is_err(), "its residual is zero");
    let known = StepInput { escape: Escape { distance: 0.3, ..Escape::default() }, ..told };
    until(&mut state, &known, 61, |_, report| report.escaped > 0)?;
    Ok(())
}

#[test]
fn what_a_caller_decides_goes_before_the_hatch() -> Outcome {
    let ((baked, mut memory), jaws, targets) = (rope()?, jaws(), goals());
    let model = baked.model();
    let mut state = State::seed(&model, &mut memory)?;
    let told = told(&ROPE, &jaws, &targets);
    until(&mut state, &told, 300, |_, report| report.escaped > 0)?;
    let mut midway = vec![Block::default(); model.snapshot_blocks()];
    state.snapshot(&mut midway)?;

    state.release(PINCHED)?;
    assert!(!state.is_escaping(PINCHED) && !state.is_held(PINCHED));

    state.restore(&midway)?;
    state.place(PINCHED, Vec3::new(0.0, -0.5, 0.3), Vec3::ZERO)?;
    assert!(!state.is_escaping(PINCHED) && !state.is_held(PINCHED));

    state.restore(&midway)?;
    state.hold(PINCHED, Vec3::ZERO)?;
    assert!(!state.is_escaping(PINCHED) && state.is_held(PINCHED));
    let own = StepInput { targets: Targets::Keep, ..told };
    for _ in 0..30 {
        step(&mut state, &own)?;
    }
    assert!(state.is_held(PINCHED), "who is held is not let go by the hatch");

    state.restore(&midway)?;
    let jump = AnchorMotion { teleport: Some(Teleport::Reset), ..AnchorMotion::STANDING };
    step(&mut state, &StepInput { anchor: jump, ..told })?;
    assert!(!state.is_escaping(PINCHED) && !state.is_held(PINCHED));
    assert_eq!(state.position(PINCHED), Some(target()));
    Ok(())
}

#[test]
fn a_snapshot_knows_who_is_on_the_way() -> Outcome {
    let ((baked, mut memory), jaws, targets) = (rope()?, jaws(), goals());
    let model = baked.model();
    let mut state = State::seed(&model, &mut memory)?;
    let told = told(&ROPE, &jaws, &targets);
    let mut after = Vec::new();
    let mut snapshots = Vec::new();
    for _ in 0..200 {
        let mut words = vec![Block::default(); model.snapshot_blocks()];
        state.snapshot(&mut words)?;
        snapshots.push((words, after.len()));
        step(&mut state, &told)?;
        after.push(state.fingerprint());
    }
    for (words, at) in snapshots.iter().step_by(7) {
        state.restore(words)?;
        for expected in after.iter().skip(*at).take(20) {
            step(&mut state, &told)?;
            assert_eq!(state.fingerprint(), *expected);
        }
    }
    // Two states that differ in what is counted alone have other futures, and other fingerprints.
    let (words, _) = snapshots.get(30).ok_or("no snapshot")?;
    state.restore(words)?;
    let counted = state.fingerprint();
    state.release(PINCHED)?;
    assert_ne!(state.fingerprint(), counted);
    Ok(())
}

#[test]
fn bad_settings_are_named() -> Outcome {
    let (baked, mut memory) = baked(chain(2, Vec3::new(0.1, 0.0, 0.0)).pins(&[0]))?;
    let model = baked.model();
    let mut state = State::seed(&model, &mut memory)?;
    let right = Escape::default();
    for (escape, field) in [
        (Escape { strain: f32::NAN, ..right }, "strain"),
        (Escape { strain: 0.0, ..right }, "strain"),
        (Escape { distance: -1.0, ..right }, "distance"),
        (Escape { distance: f32::NAN, ..right }, "distance"),
        (Escape { steps: 60_001, ..right }, "steps"),
        (Escape { window: 0, ..right }, "window"),
        (Escape { window: u32::MAX, ..right }, "window"),
    ] {
        let before = state.fingerprint();
        let refused = step(&mut state, &StepInput { escape, ..StepInput::new(DT, GRAVITY, &ROPE) });
        assert_eq!(refused, Err(StepError::Escape { field }));
        assert_eq!(state.fingerprint(), before);
    }
    Ok(())
}
