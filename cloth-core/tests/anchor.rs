//! A cloth in the frame of its anchor: what is felt of the anchor's motion, and what jumps do.

mod common;

use cloth_core::collide::{Collider, Pose};
use cloth_core::step::Colliders;
use cloth_core::{
    AnchorMotion, Block, ClothDynamics, Level, State, StateError, StepError, StepInput, Target, Targets,
    Teleport, TeleportLimits, Vec3, library, step,
};
use common::{DT, GRAVITY, baked, chain, sheet};
use std::error::Error;

type Outcome = Result<(), Box<dyn Error>>;

/// Side of the sheet, in particles.
const SIDE: u32 = 8;
/// The row that is held.
const PINS: [u32; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

fn dynamics(inertia: f32) -> ClothDynamics {
    ClothDynamics { inertia, damping: 0.5, ..library::COTTON }
}

/// Where an anchor that runs a curve is, banking as it goes, after a time (s).
fn walk(time: f32) -> Pose {
    let half = 0.4 * time;
    let rotation = [0.3 * half * half, half, 0.1 * half, 1.0];
    let place = Vec3::new(3.0 * time * time, 0.5 * time, 2.0 * time);
    Pose { translation: place, rotation }.normalised().expect("a pose")
}

fn pose(tick: u16) -> Pose {
    walk(f32::from(tick) * DT)
}

fn moved(tick: u16) -> AnchorMotion {
    AnchorMotion::to(pose(tick).seen_from(&pose(tick - 1)))
}

fn snapshot(state: &State) -> Vec<Block> {
    let mut words = vec![Block::default(); state.model().snapshot_blocks()];
    state.snapshot(&mut words).expect("room");
    words
}

fn bits(state: &State) -> Vec<[u32; 6]> {
    let both = state.positions().zip(state.velocities());
    both.map(|(x, v)| [x.x, x.y, x.z, v.x, v.y, v.z].map(f32::to_bits)).collect()
}

/// Runs a sheet for `ticks`; every tick `input` says what is new.
fn run<'a>(
    memory: &'a mut [Block],
    model: &cloth_core::Model<'a>,
    ticks: u16,
    input: impl Fn(u16, &mut StepInput),
    dynamics: &ClothDynamics,
) -> Result<State<'a>, Box<dyn Error>> {
    let mut state = State::seed(model, memory)?;
    for tick in 1..=ticks {
        let mut told = StepInput::new(DT, GRAVITY, dynamics);
        input(tick, &mut told);
        step(&mut state, &told)?;
    }
    Ok(state)
}

#[test]
fn without_inertia_an_anchor_may_do_what_it_likes() -> Outcome {
    let (baked, memory) = baked(sheet(SIDE, 0.05).pins(&PINS))?;
    let (mut one, mut other) = (memory.clone(), memory);
    let model = baked.model();
    let still = run(&mut one, &model, 60, |_, told| told.sleep = true, &dynamics(0.0))?;
    let moving = run(
        &mut other,
        &model,
        60,
        |tick, told| (told.anchor, told.sleep) = (moved(tick), true),
        &dynamics(0.0),
    )?;
    assert_eq!(bits(&moving), bits(&still));
    assert_eq!(moving.is_asleep(), still.is_asleep());
    Ok(())
}

#[test]
fn what_carries_the_cloth_along_is_not_felt() -> Outcome {
    let (baked, memory) = baked(sheet(SIDE, 0.05).pins(&PINS))?;
    let (mut one, mut other, mut third) = (memory.clone(), memory.clone(), memory);
    let model = baked.model();
    let still = run(&mut one, &model, 60, |_, _| {}, &dynamics(1.0))?;
    let root =
        |tick, told: &mut StepInput| told.anchor = AnchorMotion { carried: moved(tick).moved, ..moved(tick) };
    let carried = run(&mut other, &model, 60, root, &dynamics(1.0))?;
    assert_eq!(carried.fingerprint(), still.fingerprint());

    // On a vehicle that carries it along, a cloth feels what its wearer does there.
    let part = |tick, told: &mut StepInput| {
        let vehicle = Pose { rotation: [0.0, 0.02, 0.0, 1.0], translation: Vec3::new(0.4, 0.0, 0.1) };
        let vehicle = vehicle.normalised().expect("a pose");
        let own = moved(tick).moved;
        told.anchor =
            AnchorMotion { moved: vehicle.compose(&own), carried: vehicle, ..AnchorMotion::STANDING };
    };
    let riding = positions(&run(&mut third, &model, 20, part, &dynamics(1.0))?);
    let walking = run(&mut one, &model, 20, |tick, told| told.anchor = moved(tick), &dynamics(1.0))?;
    let off = riding.iter().zip(walking.positions()).map(|(a, b)| (*a - b).length()).fold(0.0, f32::max);
    assert!(off < 5e-4, "{off} m");
    Ok(())
}

fn positions(state: &State) -> Vec<Vec3> {
    state.positions().collect()
}

#[test]
fn who_goes_on_as_he_went_is_felt_by_nobody() -> Outcome {
    let (baked, memory) = baked(sheet(SIDE, 0.05).pins(&PINS))?;
    let (mut one, mut other) = (memory.clone(), memory);
    let model = baked.model();
    let steady = AnchorMotion::to(Pose::at(Vec3::new(0.1, 0.02, -0.3)));
    for inertia in [0.3, 1.0] {
        let still = run(&mut one, &model, 60, |_, _| {}, &dynamics(inertia))?;
        let moving = run(&mut other, &model, 60, |_, told| told.anchor = steady, &dynamics(inertia))?;
        assert_eq!(bits(&moving), bits(&still));
    }
    Ok(())
}

#[test]
fn a_stop_is_felt_by_the_share_of_inertia() -> Outcome {
    let (baked, mut memory) = baked(sheet(SIDE, 0.05))?;
    let model = baked.model();
    let steady = AnchorMotion::to(Pose::at(Vec3::new(0.1, 0.02, -0.3)));
    for inertia in [0.0, 0.3, 1.0] {
        // Nothing holds the sheet: it flies on.
        let stops = |tick, told: &mut StepInput| {
            if tick <= 30 {
                told.anchor = steady;
            }
        };
        let stopped = run(&mut memory, &model, 31, stops, &dynamics(inertia))?;
        let fall = GRAVITY * (31.0 * DT);
        let expected = steady.moved.translation * (inertia / DT) + fall;
        for v in stopped.velocities() {
            assert!((v - expected).length() < 1e-3, "{v} is not {expected}");
        }
    }
    Ok(())
}

/// Steps of a walk that two ways of stepping are compared over: beyond, crumpled cloth has made much of the last digit.
const WALK: u16 = 24;

/// A cloth in the world: its anchor stands at the origin, and its pins go where the anchor of another takes them.
fn in_the_world(
    memory: &mut [Block],
    model: &cloth_core::Model,
    records: &[Collider],
) -> Result<(Vec<Vec3>, u32), Box<dyn Error>> {
    let mut state = State::seed(model, memory)?;
    let mut contacts = 0;
    let dynamics = ClothDynamics { damping: 0.0, ..dynamics(1.0) };
    let rest = positions(&state);
    // It begins with the velocity the anchor begins with, as one that takes an anchor's motion up does.
    for (vertex, place) in (0..).zip(&rest) {
        let first = (pose(1).apply(*place) - *place) / DT;
        state.place(vertex, *place, first)?;
    }
    for tick in 1..=WALK {
        let target =
            |vertex: u32| Target { vertex, position: pose(tick).apply(rest[vertex as usize]).to_array() };
        let targets = PINS.map(target);
        let input = StepInput {
            targets: Targets::Listed(&targets),
            colliders: Colliders { records, shapes: &[] },
            ..StepInput::new(DT, GRAVITY, &dynamics)
        };
        contacts += step(&mut state, &input)?.contacts;
    }
    Ok((state.positions().collect(), contacts))
}

/// The same in its anchor's frame, in the world's coordinates.
fn on_an_anchor(
    memory: &mut [Block],
    model: &cloth_core::Model,
    records: &[Collider],
) -> Result<(Vec<Vec3>, u32), Box<dyn Error>> {
    let mut state = State::seed(model, memory)?;
    let mut contacts = 0;
    let dynamics = ClothDynamics { damping: 0.0, ..dynamics(1.0) };
    for tick in 1..=WALK {
        let (now, before) = (pose(tick), pose(tick - 1));
        let local: Result<Vec<_>, _> = records
            .iter()
            .map(|record| {
                let world = record.pose();
                record.moved(world.seen_from(&before)).and_then(|was| was.moved(world.seen_from(&now)))
            })
            .collect();
        let local = local?;
        let input = StepInput {
            anchor: moved(tick),
            colliders: Colliders { records: &local, shapes: &[] },
            ..StepInput::new(DT, now.unrotate(GRAVITY), &dynamics)
        };
        contacts += step(&mut state, &input)?.contacts;
    }
    Ok((state.positions().map(|x| pose(WALK).apply(x)).collect(), contacts))
}

#[test]
fn with_all_of_its_inertia_a_cloth_moves_as_in_the_world() -> Outcome {
    let (baked, memory) = baked(sheet(SIDE, 0.05).pins(&PINS).colliders(32))?;
    let (mut one, mut other) = (memory.clone(), memory);
    let model = baked.model();
    let ball = Collider::sphere(0.2, Pose::at(Vec3::new(0.4, -0.25, 0.7)))?.touching(0.3, 0.0)?;
    for records in [&[][..], &[ball][..]] {
        let (world, met) = in_the_world(&mut one, &model, records)?;
        let (anchored, contacts) = on_an_anchor(&mut other, &model, records)?;
        let off = world.iter().zip(&anchored).map(|(a, b)| (*a - *b).length()).fold(0.0, f32::max);
        assert!(off < 2e-3, "{off} m off with {} colliders", records.len());
        let touched = !records.is_empty();
        assert_eq!((met > 100, contacts > 100), (touched, touched), "{met} and {contacts} contacts");
    }
    Ok(())
}

#[test]
fn a_jump_keeps_the_cloth_or_puts_it_on_its_targets() -> Outcome {
    let (baked, memory) = baked(sheet(SIDE, 0.05).pins(&PINS))?;
    let (mut one, mut other) = (memory.clone(), memory);
    let model = baked.model();
    let jump = Pose { translation: Vec3::new(1000.0, 3.0, -200.0), rotation: [0.0, 1.0, 0.0, 0.0] };
    let dynamics = dynamics(1.0);
    for teleport in [None, Some(Teleport::Keep), Some(Teleport::Reset)] {
        let mut state = run(&mut one, &model, 30, |tick, told| told.anchor = moved(tick), &dynamics)?;
        let input = StepInput {
            anchor: AnchorMotion { teleport, ..AnchorMotion::to(jump) },
            ..StepInput::new(DT, GRAVITY, &dynamics)
        };
        let mut still = State::seed(&model, &mut other)?;
        still.restore(&snapshot(&state))?;
        let report = step(&mut state, &input)?;
        if teleport == Some(Teleport::Keep) {
            assert_eq!(report.teleported, Some(Teleport::Keep));
            // As if it had been put away and an anchor that stands went on.
            let mut words = snapshot(&still);
            words[3..5].fill(Block::default());
            still.restore(&words)?;
            step(&mut still, &StepInput { anchor: AnchorMotion::STANDING, ..input })?;
            assert_eq!(bits(&state), bits(&still));
            continue;
        }
        assert_eq!(report.teleported, Some(Teleport::Reset));
        for vertex in 0..64 {
            let target = state.target(vertex).unwrap_or_default();
            assert_eq!(state.position(vertex).map(|x| x.to_array()), Some(target.to_array()));
            assert_eq!(state.velocity(vertex), Some(Vec3::ZERO));
        }
        // Whichever way it was taken up, the next motion is no kick.
        step(&mut state, &StepInput { anchor: AnchorMotion::to(Pose::at(Vec3::X * 0.1)), ..input })?;
        let first = state.velocity(63).unwrap_or_default();
        assert!(first.with_y(0.0).length() < 0.05, "{first}");
    }
    Ok(())
}

#[test]
fn limits_tell_a_jump_from_a_motion() -> Outcome {
    let (baked, mut memory) = baked(sheet(SIDE, 0.05).pins(&PINS))?;
    let model = baked.model();
    let dynamics = dynamics(1.0);
    let turn = |half: f32| Pose { translation: Vec3::ZERO, rotation: [0.0, half, 0.0, 1.0] }.normalised();
    let none = TeleportLimits { beyond: None, ..TeleportLimits::default() };
    let far = TeleportLimits { distance: f32::INFINITY, angle: f32::INFINITY, beyond: Some(Teleport::Keep) };
    let keep = TeleportLimits { beyond: Some(Teleport::Keep), ..TeleportLimits::default() };
    let usual = TeleportLimits::default();
    let cases = [
        (Pose::at(Vec3::X * 0.99), usual, None),
        (Pose::at(Vec3::X * 1.01), usual, Some(Teleport::Reset)),
        (Pose::at(Vec3::X * 1.01), keep, Some(Teleport::Keep)),
        (Pose::at(Vec3::X * 1.01), none, None),
        (Pose::at(Vec3::X * 1.01), far, None),
        (turn(0.24).ok_or("a turn")?, usual, None),
        (turn(0.27).ok_or("a turn")?, usual, Some(Teleport::Reset)),
        (turn(0.27).ok_or("a turn")?, far, None),
    ];
    for (moved, limits, expected) in cases {
        let mut state = State::seed(&model, &mut memory)?;
        let anchor = AnchorMotion { limits, ..AnchorMotion::to(moved) };
        let report = step(&mut state, &StepInput { anchor, ..StepInput::new(DT, GRAVITY, &dynamics) })?;
        assert_eq!(report.teleported, expected, "{moved:?} {limits:?}");
    }
    Ok(())
}

#[test]
fn a_cloth_that_was_reset_settles() -> Outcome {
    // Its targets are rows at half their length: they fly apart, and in the window no faster than it allows.
    let (baked, mut memory) = baked(sheet(SIDE, 0.05).pins(&PINS))?;
    let model = baked.model();
    let dynamics = dynamics(1.0);
    let mut state = State::seed(&model, &mut memory)?;
    let crushed: Vec<_> = state.positions().map(|x| (x * 0.5).to_array()).collect();
    let reset = AnchorMotion { teleport: Some(Teleport::Reset), ..AnchorMotion::STANDING };
    let plain = StepInput::new(DT, GRAVITY, &dynamics);
    step(&mut state, &StepInput { anchor: reset, targets: Targets::All(&crushed), ..plain })?;
    let mut fastest = 0.0;
    for tick in 1_u16..=20 {
        let report = step(&mut state, &plain)?;
        let limit = f32::from(tick) / 20.0 * 10.0 * 0.35;
        let free = (8..64).map(|vertex| state.velocity(vertex).unwrap_or_default().length());
        fastest = free.fold(fastest, f32::max);
        assert!(report.max_speed <= limit * 1.0001, "{} in the {tick}th step", report.max_speed);
    }
    assert!(fastest > 0.1);
    // Then nothing of it is left in the state.
    let mut words = snapshot(&state);
    assert_eq!(words[3..5], [Block::default(); 2]);
    words[3].0[3] = 21;
    assert_eq!(state.restore(&words), Err(StateError::Damaged { region: "anchor", index: 0 }));
    words[3].0 = [f32::NAN.to_bits(), 0, 0, 0];
    assert_eq!(state.restore(&words), Err(StateError::Damaged { region: "anchor", index: 0 }));
    Ok(())
}

#[test]
fn snapshots_carry_how_the_anchor_moved() -> Outcome {
    let (baked, memory) = baked(sheet(SIDE, 0.05).pins(&PINS))?;
    let (mut one, mut other) = (memory.clone(), memory);
    let model = baked.model();
    let dynamics = dynamics(0.7);
    let mut state = run(&mut one, &model, 20, |tick, told| told.anchor = moved(tick), &dynamics)?;
    let mut copy = State::seed(&model, &mut other)?;
    copy.restore(&snapshot(&state))?;
    assert_eq!(copy.fingerprint(), state.fingerprint());
    for (tick, level) in [(21, Level::SCALAR), (22, Level::detect()), (23, Level::FOUR)] {
        let anchor = if tick == 22 { AnchorMotion::STANDING } else { moved(tick) };
        let input = StepInput { anchor, ..StepInput::new(DT, GRAVITY, &dynamics) };
        step(&mut state, &input)?;
        step(&mut copy, &StepInput { level, ..input })?;
        assert_eq!(copy.fingerprint(), state.fingerprint());
    }
    Ok(())
}

#[test]
fn an_anchor_that_moves_wakes_and_one_that_is_not_felt_does_not() -> Outcome {
    let (baked, mut memory) = baked(chain(3, Vec3::new(0.01, -0.05, 0.0)).pins(&[0]))?;
    let model = baked.model();
    for (inertia, wakes) in [(0.0, false), (0.1, true), (1.0, true)] {
        let dynamics = ClothDynamics { damping: 2.0, ..dynamics(inertia) };
        let mut state = State::seed(&model, &mut memory)?;
        let input = StepInput { sleep: true, ..StepInput::new(DT, GRAVITY, &dynamics) };
        for _ in 0..600 {
            step(&mut state, &input)?;
        }
        assert!(state.is_asleep());
        let asleep = state.fingerprint();
        step(&mut state, &input)?;
        assert_eq!(state.fingerprint(), asleep);
        let nudge = AnchorMotion::to(Pose::at(Vec3::new(0.0, 0.0, 1e-3)));
        let report = step(&mut state, &StepInput { anchor: nudge, ..input })?;
        assert_eq!(!report.asleep, wakes, "at {inertia}");
        // What is not felt is known all the same, should the inertia change.
        assert_ne!(state.fingerprint(), asleep);
        if wakes {
            // It does not fall asleep on the way, however still it looks, but behind it.
            for _ in 0..200 {
                assert!(!step(&mut state, &StepInput { anchor: nudge, ..input })?.asleep);
            }
            for _ in 0..600 {
                step(&mut state, &input)?;
            }
            assert!(state.is_asleep());
        }
    }
    Ok(())
}

#[test]
fn what_is_no_motion_is_refused_and_nothing_changes() -> Outcome {
    let (baked, mut memory) = baked(sheet(3, 0.05).pins(&[0]))?;
    let model = baked.model();
    let dynamics = dynamics(1.0);
    let mut state = State::seed(&model, &mut memory)?;
    let before = snapshot(&state);
    let bad = [
        Pose::at(Vec3::new(f32::NAN, 0.0, 0.0)),
        Pose::at(Vec3::new(0.0, 2.0e6, 0.0)),
        Pose { rotation: [0.0; 4], ..Pose::IDENTITY },
        Pose { rotation: [0.0, 0.0, 0.0, f32::INFINITY], ..Pose::IDENTITY },
    ];
    let standing = AnchorMotion::STANDING;
    let limits = TeleportLimits::default();
    let mut cases: Vec<(AnchorMotion, &str)> = Vec::new();
    for pose in bad {
        cases.push((AnchorMotion { moved: pose, teleport: Some(Teleport::Keep), ..standing }, "moved"));
        cases.push((AnchorMotion { carried: pose, ..standing }, "carried"));
    }
    for limit in [-1.0, f32::NAN] {
        cases.push((
            AnchorMotion { limits: TeleportLimits { distance: limit, ..limits }, ..standing },
            "limits.distance",
        ));
        cases.push((
            AnchorMotion { limits: TeleportLimits { angle: limit, ..limits }, ..standing },
            "limits.angle",
        ));
    }
    for (anchor, field) in cases {
        let refused = step(&mut state, &StepInput { anchor, ..StepInput::new(DT, GRAVITY, &dynamics) });
        assert_eq!(refused.err(), Some(StepError::Anchor { field }));
        assert_eq!(snapshot(&state), before);
    }
    Ok(())
}

#[test]
fn a_blend_is_between_targets_and_cloth() -> Outcome {
    let (baked, mut memory) = baked(sheet(SIDE, 0.05).pins(&PINS))?;
    let model = baked.model();
    let state = run(&mut memory, &model, 20, |_, _| {}, &dynamics(1.0))?;
    let (x, t) = (state.position(60).unwrap_or_default(), state.target(60).unwrap_or_default());
    let at = |blend: f32| state.blended(blend).nth(60).unwrap_or_default();
    assert!(state.blended(1.0).eq(state.positions()));
    assert_eq!((at(0.0), at(-1.0), at(2.0), at(0.25)), (t, t, x, t + (x - t) * 0.25));
    assert!((x - t).length() > 0.01);
    Ok(())
}
