//! A scene that is run through the world is what core steps by itself, to the bit.

use cloth_core::collide::Collider;
use cloth_core::step::Colliders;
use cloth_core::{Block, Level, State, StepInput, Targets, Vec3, step};
use cloth_host::run::{prepare, simulate};
use cloth_host::scene::{BUNDLED, Body, Copies, Scene};

#[test]
fn the_world_adds_nothing_to_a_cloth_whose_anchor_stands() {
    for bundled in BUNDLED {
        let mut scene = Scene::bundled(bundled.name).expect("it is in the list").expect("it has no errors");
        // What the air is, the world alone knows.
        if scene.moves_anchor || scene.cloths() > 1 || scene.air.is_some() {
            continue;
        }
        scene.frames = 40;
        let prepared = prepare(&scene).expect("it can be built");
        let recording = simulate(&scene, &prepared, &[40], |_| ()).expect("it runs");

        let model = prepared.baked.model();
        let mut memory = vec![Block::default(); model.state_blocks()];
        let mut state = State::seed(&model, &mut memory).expect("there is memory");
        let mut records: Vec<Collider> = scene.colliders.iter().map(|collider| collider.record).collect();
        for frame in 1..=scene.frames {
            let time = scene.time(frame);
            let pose = scene.motion.pose(time);
            let targets: Vec<[f32; 3]> =
                scene.body.positions().iter().map(|place| pose.carry(*place)).collect();
            for (record, collider) in records.iter_mut().zip(&scene.colliders) {
                *record = record.moved(collider.pose(time)).expect("a pose");
            }
            let targets = if scene.motion.is_still() { Targets::Keep } else { Targets::All(&targets) };
            let input = StepInput {
                targets,
                level: Level::detect(),
                sleep: scene.sleep,
                colliders: Colliders { records: &records, shapes: scene.shapes.words() },
                ..StepInput::new(scene.dt(), Vec3::from(scene.gravity), &scene.fabric.dynamics)
            };
            step(&mut state, &input).expect("it steps");
        }
        let positions: Vec<[f32; 3]> = state.positions().map(|place| place.to_array()).collect();
        assert_eq!(recording.shots[0].positions, positions, "{}", scene.name);
        assert_eq!(recording.final_fingerprint, state.fingerprint(), "{}", scene.name);
    }
}

/// A bundled scene, run for so many frames: the places of its vertices at each frame.
fn places(scene: &Scene) -> Vec<Vec<[f32; 3]>> {
    let prepared = prepare(scene).expect("it can be built");
    let all: Vec<u32> = (0..=scene.frames).collect();
    let recording = simulate(scene, &prepared, &all, |_| ()).expect("it runs");
    recording.shots.into_iter().map(|shot| shot.positions).collect()
}

fn apart(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3).map(|axis| (a[axis] - b[axis]).abs()).fold(0.0, f32::max)
}

#[test]
fn copies_do_the_same_and_set_out_one_after_the_other() {
    let mut scene = Scene::bundled("walk").expect("it is in the list").expect("it has no errors");
    scene.frames = 60;
    let alone = places(&scene);
    let count = scene.body.positions().len();
    scene.copies = Copies { count: 2, columns: 2, spacing: [8.0, 0.0], delay: 0.0 };
    let both = places(&scene);
    assert_eq!(both[0].len(), 2 * count);
    for (one, two) in alone.iter().zip(&both) {
        for (vertex, at) in one.iter().enumerate() {
            let [x, y, z] = *at;
            assert!(apart(two[vertex], [x - 4.0, y, z]) < 1e-5, "{vertex}");
            assert!(apart(two[count + vertex], [x + 4.0, y, z]) < 1e-5, "{vertex}");
        }
    }
    scene.copies.delay = 0.5;
    let late = places(&scene);
    let [x, y, z] = late[30][0];
    assert!(apart(late[60][count], [x + 8.0, y, z]) < 1e-5, "its anchor is where the first one's was");
    assert!(apart(late[30][count], late[0][count]) < 1e-6, "it has not set out");
    assert!(apart(late[30][0], late[0][0]) > 0.01, "the first one has");
    // What is worn is there for each, what is not is there once.
    scene.copies.count = 64;
    let worn = scene.colliders.iter().filter(|collider| collider.carrier.is_some()).count();
    assert_eq!(scene.shown().colliders.len(), 64 * worn + scene.colliders.len() - worn);
}

#[test]
fn a_nested_rope_hangs_where_the_last_step_left_its_vertex() {
    let mut scene = Scene::bundled("bridge").expect("it is in the list").expect("it has no errors");
    scene.frames = 90;
    let shots = places(&scene);
    let (ropes, links) = (scene.nested.len(), scene.nested[0].places.len());
    let count = scene.body.positions().len();
    assert_eq!(shots[0].len(), 2 * (count + ropes * links));
    let mut moved = 0.0_f32;
    for pair in shots.windows(2) {
        for (number, nested) in scene.nested.iter().enumerate() {
            let (root, vertex) = (count + number * links, nested.vertex as usize);
            assert!(apart(pair[1][root], pair[0][vertex]) < 1e-5, "rope {number}");
            moved = moved.max(apart(pair[1][vertex], pair[0][vertex]));
        }
    }
    assert!(moved > 1e-3, "the rope that they hang from moves");
}

#[test]
fn strips_that_ropes_hang_from_are_shown_in_the_scenes_order() {
    let bundled = |name| Scene::bundled(name).expect("it is in the list").expect("it has no errors");
    let mut scene = bundled("walk");
    (scene.frames, scene.nested) = (60, bundled("bridge").nested);
    scene.nested.truncate(2);
    (scene.nested[0].vertex, scene.nested[1].vertex) = (7, 35);
    let shots = places(&scene);
    let Body::Chain { positions, parents } = &scene.body else { panic!("strips are chains") };
    for (vertex, at) in positions.iter().enumerate() {
        assert!(apart(shots[0][vertex], *at) < 1e-5, "{vertex} starts where the scene has it");
    }
    let length = |a, b| cloth_core::math::vector::length(Vec3::from_array(a) - Vec3::from_array(b));
    for (vertex, parent) in parents.iter().enumerate().skip(1) {
        let parent = *parent as usize;
        let rest = length(positions[vertex], positions[parent]);
        let now = length(shots[60][vertex], shots[60][parent]);
        assert!((now - rest).abs() < 0.05 * rest, "{vertex} hangs on {parent}: {now} m, {rest} at rest");
    }
}
