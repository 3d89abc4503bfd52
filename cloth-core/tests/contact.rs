//! Contact gives the same bits at every width of the lanes.

mod common;

use cloth_core::bake::Shapes;
use cloth_core::collide::{Collider, ColliderError, Kind, Pose};
use cloth_core::simd::Level;
use cloth_core::step::Colliders;
use cloth_core::{Block, State, StepInput, StepReport, Vec3, library, step};
use common::{DT, GRAVITY, baked, chain, sheet};

/// A collider of every kind about a sheet of 0.2 m, some of which move, with the words of those that have some.
fn world(shapes: &mut Shapes) -> Result<Vec<Collider>, ColliderError> {
    let corners = [[0.0, 0.0, 0.0], [0.06, 0.0, 0.0], [0.0, 0.06, 0.0], [0.0, 0.0, 0.06], [0.05, 0.05, 0.05]];
    let hull = shapes.hull(&corners).expect("a hull");
    let floor = [[-1.0, 0.0, -1.0], [-1.0, 0.0, 1.0], [1.0, 0.01, -1.0], [1.0, 0.0, 1.0]];
    let (mesh, _) = shapes.mesh(&floor, &[[0, 1, 2], [2, 1, 3]]).expect("a mesh");
    let at =
        |x: f32, y: f32, z: f32| Pose { translation: Vec3::new(x, y, z), rotation: [0.1, 0.2, 0.3, 0.9] };
    let all = [
        Collider::sphere(0.03, at(0.05, -0.05, 0.05))?,
        Collider::capsule(0.1, 0.01, at(0.1, -0.03, 0.15))?.moved(at(0.12, -0.02, 0.13))?,
        Collider::capsule(0.2, 0.001, at(0.1, -0.03, 0.11))?.moved(at(0.1, 0.0, 0.11))?,
        Collider::tapered_capsule(0.05, 0.01, 0.02, at(0.15, -0.06, 0.05))?,
        Collider::cuboid(Vec3::new(0.05, 0.01, 0.02), at(0.0, -0.05, 0.15))?.moved(at(0.0, -0.03, 0.17))?,
        Collider::cylinder(0.02, 0.03, at(0.18, -0.05, 0.18))?,
        Collider::cone(0.03, 0.03, at(0.1, -0.08, 0.0))?,
        Collider::shaped(Kind::Hull, hull, shapes.words(), at(0.05, -0.1, 0.1))?,
        Collider::shaped(Kind::Mesh, mesh, shapes.words(), Pose::at(Vec3::new(0.0, -0.1, 0.0)))?,
        Collider::plane(Pose::at(Vec3::new(0.0, -0.12, 0.0)))?,
    ];
    all.into_iter().map(|collider| collider.touching(0.4, 0.001)).collect()
}

/// Reports and fingerprints of a fall into the world, a second long.
fn film(builder: cloth_core::ModelBuilder, level: Level, faces: bool) -> Vec<(StepReport, u64)> {
    let (baked, mut memory) = baked(builder).expect("a model");
    let model = baked.model();
    let mut shapes = Shapes::new();
    let mut records = world(&mut shapes).expect("colliders");
    let mut state = State::seed(&model, &mut memory).expect("a state");
    let mut film = Vec::new();
    for _ in 0..60 {
        let input = StepInput {
            colliders: Colliders { records: &records, shapes: shapes.words() },
            level,
            faces,
            ..StepInput::new(DT, GRAVITY, &library::COTTON)
        };
        let report = step(&mut state, &input).expect("a step");
        film.push((report, state.fingerprint().0));
        for collider in &mut records {
            let pose = collider.pose();
            *collider = collider.moved(pose).expect("a pose");
        }
    }
    film
}

#[test]
fn every_width_gives_the_same_contact() {
    for faces in [true, false] {
        for builder in [sheet(11, 0.02), chain(12, Vec3::new(0.02, 0.0, 0.015))] {
            let scalar = film(builder.clone(), Level::SCALAR, faces);
            let contacts: u32 = scalar.iter().map(|(report, _)| report.contacts).sum();
            assert!(contacts > 1000, "{contacts} contacts are no test");
            for level in [Level::FOUR, Level::BASELINE, Level::detect()] {
                assert!(film(builder.clone(), level, faces) == scalar, "{} differs", level.name());
            }
        }
    }
}

#[test]
fn faces_are_another_thing_than_particles() {
    let with = film(sheet(11, 0.02), Level::SCALAR, true);
    let without = film(sheet(11, 0.02), Level::SCALAR, false);
    assert!(with != without, "no face met anything");
}

#[test]
fn memory_under_and_around_a_state_has_no_say() {
    let (baked, memory) = baked(sheet(7, 0.02)).expect("a model");
    let model = baked.model();
    let mut shapes = Shapes::new();
    let records = world(&mut shapes).expect("colliders");
    let mut ends = [Block([0; 4]), Block([0xdead_beef; 4]), Block([u32::MAX; 4])].map(|noise| {
        let mut memory = vec![noise; memory.len() + 3];
        let mut state = State::seed(&model, &mut memory[2..]).expect("a state");
        for _ in 0..30 {
            let colliders = Colliders { records: &records, shapes: shapes.words() };
            let input = StepInput { colliders, ..StepInput::new(DT, GRAVITY, &library::COTTON) };
            step(&mut state, &input).expect("a step");
        }
        state.fingerprint()
    });
    ends.sort_by_key(|print| print.0);
    assert_eq!(ends[0], ends[2]);
}
