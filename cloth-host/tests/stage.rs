//! A scene that is run through the world is what core steps by itself, to the bit.

use cloth_core::collide::Collider;
use cloth_core::step::Colliders;
use cloth_core::{Block, Level, State, StepInput, Targets, Vec3, step};
use cloth_host::run::{prepare, simulate};
use cloth_host::scene::{BUNDLED, Scene};

#[test]
fn the_world_adds_nothing_to_a_cloth_whose_anchor_stands() {
    for bundled in BUNDLED {
        let mut scene = Scene::bundled(bundled.name).expect("it is in the list").expect("it has no errors");
        if scene.moves_anchor {
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
