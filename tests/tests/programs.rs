//! Random programs of operations on a state, against an obviously correct model of what they promise.
//!
//! The model knows nothing of physics: only which vertices are held and where, what a snapshot was taken of, and
//! that a refused operation changes nothing.

use cloth_core::collide::{Collider, Pose};
use cloth_core::step::Colliders;
use cloth_core::{
    Block, Fingerprint, State, StateError, StepError, StepInput, Target, Targets, Vec3, library, step,
};
use cloth_tests::workload::{Shape, Spec, Workload, first};
use proptest::prelude::*;

const SIDE: usize = 4;
const VERTICES: u32 = 16;

#[derive(Clone, Debug)]
enum Op {
    Hold(u32, Vec3),
    Release(u32),
    Place(u32, Vec3, Vec3),
    Step,
    StepListed(Vec<(u32, Vec3)>),
    StepBadly,
    StepAmong(Vec<(u32, Vec3, Vec3)>, bool),
    Wake,
    Snapshot,
    Restore,
    RestoreShort,
    Attach,
}

/// Coordinates, now and then none a state may have.
fn coordinate() -> impl Strategy<Value = f32> {
    prop_oneof![
        40 => -0.5_f32..0.5,
        1 => Just(f32::NAN),
        1 => Just(f32::INFINITY),
        1 => Just(2.0e6_f32),
    ]
}

fn vector() -> impl Strategy<Value = Vec3> {
    [coordinate(), coordinate(), coordinate()].prop_map(Vec3::from_array)
}

/// Vertices, now and then one that is not there.
fn vertex() -> impl Strategy<Value = u32> {
    prop_oneof![30 => 0..VERTICES, 1 => VERTICES..VERTICES + 3, 1 => Just(u32::MAX)]
}

fn op() -> impl Strategy<Value = Op> {
    prop_oneof![
        3 => (vertex(), vector()).prop_map(|(v, x)| Op::Hold(v, x)),
        3 => vertex().prop_map(Op::Release),
        2 => (vertex(), vector(), vector()).prop_map(|(v, x, u)| Op::Place(v, x, u)),
        6 => Just(Op::Step),
        3 => prop::collection::vec((vertex(), vector()), 0..4).prop_map(Op::StepListed),
        1 => Just(Op::StepBadly),
        4 => (prop::collection::vec((0..8_u32, vector(), vector()), 0..4), any::<bool>())
            .prop_map(|(list, sleep)| Op::StepAmong(list, sleep)),
        1 => Just(Op::Wake),
        2 => Just(Op::Snapshot),
        2 => Just(Op::Restore),
        1 => Just(Op::RestoreShort),
        1 => Just(Op::Attach),
    ]
}

/// What a state promises, vertex by vertex: where it is held, if it is.
#[derive(Clone, Debug, PartialEq)]
struct Promise {
    held: Vec<Option<Vec3>>,
}

fn is_valid(v: Vec3) -> bool {
    v.to_array().iter().all(|c| c.abs() <= 1.0e6)
}

fn is_there(vertex: u32) -> bool {
    vertex < VERTICES
}

fn workload() -> Workload {
    Spec { pins: first(SIDE), ..Spec::new(Shape::grid(SIDE, SIDE, 0.05), 0.002) }
        .build()
        .expect("a small sheet builds")
}

/// Everything observable of a state, bit for bit.
fn bits(state: &State<'_>) -> (Vec<Block>, Fingerprint) {
    let mut blocks = vec![Block::default(); state.model().snapshot_blocks()];
    state.snapshot(&mut blocks).expect("the buffer fits");
    (blocks, state.fingerprint())
}

/// A collider of some kind, from somewhere to somewhere; `None` where that is nowhere.
fn collider((kind, from, to): &(u32, Vec3, Vec3)) -> Option<Collider> {
    let pose = Pose { translation: *from, rotation: [from.x, to.y, to.z, 1.0] };
    let made = match kind {
        0 => Collider::sphere(0.1, pose),
        1 => Collider::capsule(0.2, 0.002, pose),
        2 => Collider::tapered_capsule(0.1, 0.05, 0.1, pose),
        3 => Collider::cuboid(Vec3::new(0.2, 0.01, 0.1), pose),
        4 => Collider::cylinder(0.1, 0.1, pose),
        5 => Collider::cone(0.1, 0.1, pose),
        _ => Collider::plane(pose),
    };
    made.and_then(|c| c.touching(0.5, 0.001)).and_then(|c| c.moved(Pose::at(*to))).ok()
}

/// A refused operation must have left everything as it was.
fn refused<T: std::fmt::Debug, E>(
    state: &State<'_>,
    before: &(Vec<Block>, Fingerprint),
    result: Result<T, E>,
) {
    assert!(result.is_err(), "{result:?} where a refusal was due", result = result.ok());
    assert!(bits(state) == *before, "a refused operation changed the state");
}

fn run(program: &[Op]) {
    let workload = workload();
    let model = workload.model();
    let mut memory = workload.memory();
    let mut copy_memory = workload.memory();
    let mut state = State::seed(&model, &mut memory).expect("seeding");
    let rest: Vec<Vec3> = state.positions().collect();
    let mut promise = Promise { held: (0..SIDE * SIDE).map(|v| (v < SIDE).then(|| rest[v])).collect() };
    let mut kept: Option<(Vec<Block>, Fingerprint, Promise)> = None;
    let input = StepInput::new(1.0 / 60.0, Vec3::new(0.0, -9.81, 0.0), &library::COTTON);
    for op in program {
        let before = bits(&state);
        match op {
            Op::Hold(vertex, x) => {
                let result = state.hold(*vertex, *x);
                if is_there(*vertex) && is_valid(*x) {
                    result.expect("a good hold");
                    promise.held[*vertex as usize] = Some(*x);
                } else {
                    refused(&state, &before, result);
                }
            }
            Op::Release(vertex) => {
                let result = state.release(*vertex);
                if is_there(*vertex) {
                    result.expect("a good release");
                    promise.held[*vertex as usize] = None;
                } else {
                    refused(&state, &before, result);
                }
            }
            Op::Place(vertex, x, v) => {
                let result = state.place(*vertex, *x, *v);
                if is_there(*vertex) && is_valid(*x) && is_valid(*v) {
                    result.expect("a good place");
                    assert_eq!(state.position(*vertex), Some(*x));
                } else {
                    refused(&state, &before, result);
                }
            }
            Op::Step => {
                step(&mut state, &input).expect("a good step");
                check_held(&state, &promise);
            }
            Op::StepListed(list) => {
                let targets: Vec<Target> =
                    list.iter().map(|&(vertex, x)| Target { vertex, position: x.to_array() }).collect();
                let result = step(&mut state, &StepInput { targets: Targets::Listed(&targets), ..input });
                if list.iter().all(|&(vertex, x)| is_there(vertex) && is_valid(x)) {
                    result.expect("a good step");
                    for &(vertex, x) in list {
                        if let Some(target) = &mut promise.held[vertex as usize] {
                            *target = x;
                        }
                    }
                    check_held(&state, &promise);
                } else {
                    refused(&state, &before, result);
                }
            }
            Op::StepBadly => {
                let nan = StepInput { gravity: Vec3::new(f32::NAN, 0.0, 0.0), ..input };
                let result = step(&mut state, &nan);
                assert_eq!(result, Err(StepError::Gravity));
                refused(&state, &before, result);
                let result = step(&mut state, &StepInput { dt: 0.0, ..input });
                refused(&state, &before, result);
                let short = StepInput { targets: Targets::All(&[[0.0; 3]]), ..input };
                let result = step(&mut state, &short);
                refused(&state, &before, result);
            }
            Op::StepAmong(list, sleep) => {
                // Those that are none never get into a table; one that was broken on the way is refused by the step.
                let records: Vec<Collider> = list.iter().filter_map(collider).collect();
                let input = StepInput {
                    colliders: Colliders { records: &records, shapes: &[] },
                    sleep: *sleep,
                    most_substeps: 32,
                    ..input
                };
                let was_asleep = state.is_asleep();
                let report = step(&mut state, &input).expect("a good step");
                assert_eq!(report.asleep, state.is_asleep());
                if was_asleep && report.asleep {
                    assert!(bits(&state) == before, "a sleeping state changed");
                }
                check_held(&state, &promise);
                let broken: Vec<Collider> =
                    records.iter().map(|c| Collider { friction: f32::NAN, ..*c }).collect();
                if !broken.is_empty() {
                    let before = bits(&state);
                    let input = StepInput { colliders: Colliders { records: &broken, shapes: &[] }, ..input };
                    let result = step(&mut state, &input);
                    refused(&state, &before, result);
                }
            }
            Op::Wake => {
                state.wake();
                assert!(!state.is_asleep());
            }
            Op::Snapshot => {
                kept = Some((before.0.clone(), before.1, promise.clone()));
                let mut small = vec![Block::default(); model.snapshot_blocks() - 1];
                refused(&state, &before, state.snapshot(&mut small));
                assert!(small.iter().all(|b| *b == Block::default()), "a refused snapshot wrote something");
            }
            Op::Restore => {
                if let Some((blocks, fingerprint, then)) = &kept {
                    state.restore(blocks).expect("a good restore");
                    assert_eq!(state.fingerprint(), *fingerprint);
                    promise = then.clone();
                }
            }
            Op::RestoreShort => {
                let result = state.restore(&before.0[1..]);
                refused(&state, &before, result);
            }
            Op::Attach => {
                // The same bits elsewhere are the same state, and step alike.
                let mut other = State::seed(&model, &mut copy_memory).expect("seeding");
                other.restore(&before.0).expect("a good restore");
                assert_eq!(other.fingerprint(), before.1);
                step(&mut other, &input).expect("a good step");
                let there = other.fingerprint();
                let attached = State::attach(&model, &mut copy_memory).expect("a good attach");
                assert_eq!(attached.fingerprint(), there);
                step(&mut state, &input).expect("a good step");
                assert_eq!(state.fingerprint(), there, "a copy went another way");
                check_held(&state, &promise);
            }
        }
        for (vertex, held) in (0..).zip(&promise.held) {
            assert_eq!(state.is_held(vertex), held.is_some(), "vertex {vertex} after {op:?}");
        }
        assert!(!state.is_held(VERTICES));
        assert_eq!(
            state.release(VERTICES),
            Err(StateError::NoSuchVertex { vertex: VERTICES, count: VERTICES })
        );
    }
}

/// After a step everything is finite and what is held is exactly on its target.
fn check_held(state: &State<'_>, promise: &Promise) {
    assert!(state.positions().chain(state.velocities()).all(|v| v.is_finite()));
    for (vertex, held) in (0..).zip(&promise.held) {
        if let Some(target) = held {
            assert_eq!(state.position(vertex), Some(*target), "vertex {vertex} is off its target");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_program_keeps_the_promises(program in prop::collection::vec(op(), 1..40)) {
        run(&program);
    }
}
