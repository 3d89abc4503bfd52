//! What contact promises whatever the scene: nothing ends inside, discovery overlooks nothing, sleep and snapshots change
//! nothing.

use anyhow::Result;
use cloth_core::collide::{Collider, Kind, Pose, signed_distance};
use cloth_core::step::Colliders;
use cloth_core::{
    Block, SolverConstants, State, StepInput, StepReport, Target, Targets, Vec3, library, step,
};
use cloth_tests::contact::{Encounter, at, floor, golden};
use cloth_tests::narrow::to_f32;
use cloth_tests::physics::energy;
use cloth_tests::random::Random;
use cloth_tests::workload::solids::{Subject, subjects};
use cloth_tests::workload::{BARE, DT, Run, Shape, Spec, Workload, first, narrow, wide};
use glam::{DQuat, DVec3};

/// Everything a state is, bit for bit.
fn bits(state: &State<'_>) -> Vec<Block> {
    let mut blocks = vec![Block::default(); state.model().snapshot_blocks()];
    state.snapshot(&mut blocks).expect("the buffer fits");
    blocks
}

/// A sheet or a few chains of random size somewhere about the origin, 4 mm thick.
fn cloth(random: &mut Random, reach: f64) -> Spec {
    let spacing = random.real(0.01, 0.06);
    let shape = if random.one_in(4) {
        Shape::strands(4, 8, spacing, DVec3::NEG_Y)
    } else {
        Shape::grid(7, 6, spacing)
    };
    let turn = DQuat::from_array([0.0; 4].map(|_: f64| random.real(-1.0, 1.0))).normalize();
    let place = wide(random.vector(reach));
    let spec = Spec { dynamics: BARE, ..Spec::new(shape.moved(|p| place + turn * p), 0.001) };
    let mut spec = spec.budget(8, 1);
    spec.dynamics.thickness = 0.004;
    spec
}

/// Steps a run one substep at a time, and counts who began outside of a collider and ended inside.
fn entered(run: &mut Run<'_>, subject: &Subject, steps: u32) -> Result<(u32, u32, u32)> {
    let collider = subject.collider.touching(0.3, 0.0)?;
    let distance = |x: Vec3| signed_distance(&collider, &subject.words, &collider.pose(), x).distance;
    let (mut entered, mut missed, mut contacts) = (0, 0, 0);
    for _ in 0..steps {
        let before: Vec<f32> = run.state.positions().map(distance).collect();
        let input = StepInput {
            colliders: Colliders { records: &[collider], shapes: &subject.words },
            most_substeps: 1,
            ..run.workload.input()
        };
        let report = step(&mut run.state, &input)?;
        assert_eq!(report.substeps, 1);
        missed += report.missed_crossings;
        contacts += report.contacts;
        for (before, after) in before.iter().zip(run.state.positions().map(distance)) {
            entered += u32::from(*before >= 0.0 && after < 0.0);
        }
    }
    Ok((entered, missed, contacts))
}

#[test]
fn nothing_ends_a_substep_inside_a_collider_it_began_outside_of() -> Result<()> {
    let mut touched = 0;
    // A height field has no walls: below it is inside for whoever comes from beside it, and no surface is between.
    for subject in subjects()?.into_iter().filter(|subject| subject.collider.kind != Kind::Field as u32) {
        let (mut inside, mut missed, mut contacts) = (0, 0, 0);
        for seed in 0..12 {
            let mut random = Random::new(seed);
            let centre = wide(subject.collider.pose().translation);
            let mut spec = cloth(&mut random, 0.8);
            spec.shape = spec.shape.moved(|p| p + centre);
            spec.dynamics.substeps = 1;
            spec.dt = DT / 8.0;
            let workload = spec.build()?;
            let mut memory = workload.memory();
            let mut run = workload.start(&mut memory)?;
            let middle = workload.rest.iter().sum::<DVec3>() / cloth_tests::narrow::real(workload.rest.len());
            let speed = (centre - middle).normalize_or_zero() * random.real(1.0, 30.0);
            for (vertex, x) in (0..).zip(&workload.rest) {
                run.state.place(vertex, narrow(*x), narrow(speed) + random.vector(2.0))?;
            }
            let (a, b, c) = entered(&mut run, &subject, 100)?;
            (inside, missed, contacts) = (inside + a, missed + b, contacts + c);
        }
        touched += u32::from(contacts > 100);
        assert!(
            inside <= missed,
            "{}: {inside} ended inside, {missed} were counted, of {contacts} contacts",
            subject.name
        );
    }
    assert!(touched >= 8, "only {touched} shapes were met at all");
    Ok(())
}

/// A handful of colliders of every convex kind about the origin, some of which move.
fn few(random: &mut Random) -> Vec<Collider> {
    let size = |random: &mut Random| to_f32(random.real(0.005, 0.15));
    let count = random.between(1, 12);
    let mut all = Vec::new();
    for handle in 0..count {
        let turn = [0.0; 4].map(|_: f32| to_f32(random.real(-1.0, 1.0)));
        let pose = Pose { translation: random.vector(0.4), rotation: turn };
        let (a, b, c) = (size(random), size(random), size(random));
        let made = match random.below(8) {
            0 => Collider::sphere(a, pose),
            1 => Collider::capsule(a, b, pose),
            2 => Collider::tapered_capsule(a, b, c, pose),
            3 => Collider::cuboid(Vec3::new(a, b, c), pose),
            4 => Collider::cylinder(a, b, pose),
            5 => Collider::cone(a, b, pose),
            6 => Collider::capsule(0.3, 0.001, pose),
            _ => Collider::plane(Pose { translation: Vec3::new(0.0, -0.5, 0.0), ..pose }),
        };
        let made = made.and_then(|c| c.touching(to_f32(random.real(0.0, 1.0)), 0.0)).expect("a collider");
        all.push(made.known(handle, u32::MAX, u32::MAX));
    }
    all
}

/// Moves some of them on, planes excepted: by a turn they would sweep away at any speed what is far enough.
fn on(colliders: &mut [Collider], random: &mut Random) {
    for collider in colliders.iter_mut().filter(|c| c.handle % 2 == 1 && c.kind != Kind::Plane as u32) {
        let Pose { translation, rotation } = collider.pose();
        let turned = rotation.map(|q| q + to_f32(random.real(-0.1, 0.1)));
        let pose = Pose { translation: translation + random.vector(0.05), rotation: turned };
        *collider = collider.moved(pose).expect("a pose");
    }
}

/// One that rushes by thirteen metres away and touches nothing: its travel makes a step look at every pair there is.
fn phantom() -> Collider {
    let from = Pose::at(Vec3::new(-38.0, 20.0, 0.0));
    let to = Pose::at(Vec3::new(20.0, -38.0, 0.0));
    Collider::sphere(0.01, from).and_then(|c| c.moved(to)).expect("a collider").known(99, u32::MAX, u32::MAX)
}

#[test]
fn discovery_overlooks_nothing() -> Result<()> {
    let (mut contacts, mut frames) = (0, 0);
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let workload = cloth(&mut random, 0.2).build()?;
        let (mut one, mut other) = (workload.memory(), workload.memory());
        let mut found = workload.start(&mut one)?;
        let mut forced = workload.start(&mut other)?;
        for vertex in 0..found.state.model().source_count() {
            let (x, v) = (found.state.position(vertex).expect("it is there"), random.vector(6.0));
            found.state.place(vertex, x, v)?;
            forced.state.place(vertex, x, v)?;
        }
        let mut colliders = few(&mut random);
        for frame in 0..60 {
            on(&mut colliders, &mut random);
            let mut all = colliders.clone();
            all.push(phantom());
            // As many substeps as the fabric has, whoever rushes by.
            let input = |records| StepInput {
                colliders: Colliders { records, shapes: &[] },
                most_substeps: 8,
                ..workload.input()
            };
            let report = step(&mut found.state, &input(&colliders))?;
            let brute = step(&mut forced.state, &input(&all))?;
            // Rows that pull a particle further within a substep than its speed and a thickness are no affair of discovery.
            if report.max_strain.max(brute.max_strain) > 1.0 {
                break;
            }
            assert_eq!(report, brute, "seed {seed}, frame {frame}");
            assert_eq!(found.state.fingerprint(), forced.state.fingerprint(), "seed {seed}, frame {frame}");
            contacts += report.contacts;
            frames += 1;
            // The phantom itself must not be met.
            if found.state.positions().any(|x| x.length() > 8.0) {
                break;
            }
        }
    }
    assert!(contacts > 10_000 && frames > 1500, "{contacts} contacts in {frames} frames are no test");
    Ok(())
}

#[test]
fn what_does_not_move_adds_no_energy() -> Result<()> {
    let (mut contacts, mut frames) = (0, 0);
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let workload = cloth(&mut random, 0.2).build()?;
        let mut memory = workload.memory();
        let mut run = workload.start(&mut memory)?;
        for vertex in 0..run.state.model().source_count() {
            let (x, v) = (run.state.position(vertex).expect("it is there"), random.vector(6.0));
            run.state.place(vertex, x, v)?;
        }
        let colliders = few(&mut random);
        let start = energy(&run);
        for frame in 0..120 {
            let report = run.step_among(Targets::Keep, Colliders { records: &colliders, shapes: &[] })?;
            // Colliders that began in the cloth and hold rows apart by more than their length let go of what no energy counts.
            if report.max_strain > 1.0 {
                break;
            }
            contacts += report.contacts;
            frames += 1;
            let now = energy(&run).total();
            // What begins inside a collider is lifted out of it, at most its own depth.
            let lifted = 0.042 * 9.81 * 0.3;
            assert!(now <= start.total() + lifted, "seed {seed}, frame {frame}: {now} J of {start:?}");
        }
    }
    assert!(contacts > 10_000 && frames > 1500, "{contacts} contacts in {frames} frames are no test");
    Ok(())
}

/// The drape golden's scene, from its start.
fn draped(workload: &Workload) -> Result<Vec<Collider>> {
    assert_eq!(workload.rest.len(), 100);
    golden::ball_on_floor(10)
}

#[test]
fn a_snapshot_in_the_middle_of_contact_has_the_same_future() -> Result<()> {
    let workload = golden::drape(10).build()?;
    let colliders = draped(&workload)?;
    let (mut one, mut other) = (workload.memory(), workload.memory());
    let mut scene = Encounter::new(workload.start(&mut one)?, colliders.clone());
    scene.sleep = true;
    for pause in [10, 7, 20, 33, 300, 500] {
        scene.steps(pause)?;
        let saved = bits(&scene.run.state);
        let mut copy = Encounter::new(workload.start(&mut other)?, colliders.clone());
        copy.sleep = true;
        // Whatever it did before is forgotten.
        copy.steps(3)?;
        copy.run.state.restore(&saved)?;
        assert_eq!(copy.run.state.is_asleep(), scene.run.state.is_asleep());
        for step in 0..20 {
            assert_eq!(scene.step()?, copy.step()?, "step {step} after a pause of {pause}");
            assert_eq!(scene.run.state.fingerprint(), copy.run.state.fingerprint());
        }
        assert!(bits(&scene.run.state) == bits(&copy.run.state));
    }
    assert!(scene.seen.contacts > 1000, "{} contacts", scene.seen.contacts);
    assert!(scene.run.state.is_asleep());
    Ok(())
}

/// A patch of cotton on a floor, and what is behind it; its corner is held where it lies.
fn patch() -> Spec {
    let shape = Shape::grid(6, 6, 0.02).moved(|p| p + DVec3::Y * 0.009);
    Spec { pins: first(1), dynamics: library::COTTON, ..Spec::new(shape, 1e-4) }
}

/// A patch asleep, whose blocks were taken, and the colliders it sleeps on.
struct Bedroom<'w> {
    scene: Encounter<'w>,
    asleep: Vec<Block>,
}

impl<'w> Bedroom<'w> {
    fn new(workload: &'w Workload, memory: &'w mut [Block]) -> Result<Self> {
        let ball = Collider::sphere(0.03, at(0.05, 0.045, 0.2))?.known(5, u32::MAX, u32::MAX);
        let mut scene = Encounter::new(workload.start(memory)?, vec![floor(0.0, 0.5)?, ball]);
        anyhow::ensure!(scene.until_asleep(2000)?.is_some(), "a patch on a floor does not sleep");
        let asleep = bits(&scene.run.state);
        Ok(Self { scene, asleep })
    }

    /// One step of the sleeping patch; whether it slept through it.
    fn sleeps(&mut self, input: StepInput<'_>) -> Result<bool> {
        self.scene.run.state.restore(&self.asleep)?;
        let report = step(&mut self.scene.run.state, &input)?;
        let slept = report.asleep && self.scene.run.state.is_asleep();
        assert_eq!(slept, bits(&self.scene.run.state) == self.asleep, "asleep is unchanged, awake is not");
        if slept {
            assert_eq!(report, StepReport { asleep: true, ..StepReport::default() });
        }
        Ok(slept)
    }

    /// The same among colliders that were changed.
    fn sleeps_among(&mut self, change: impl FnOnce(&mut Vec<Collider>)) -> Result<bool> {
        let mut records = self.scene.colliders.clone();
        change(&mut records);
        self.sleeps(among(self.scene.run.workload, &records))
    }
}

/// The input under which a patch fell asleep, among colliders.
fn among<'a>(workload: &'a Workload, records: &'a [Collider]) -> StepInput<'a> {
    StepInput { colliders: Colliders { records, shapes: &[] }, sleep: true, ..workload.input() }
}

#[test]
fn asleep_not_a_bit_changes() -> Result<()> {
    let workload = patch().build()?;
    let mut memory = workload.memory();
    let mut room = Bedroom::new(&workload, &mut memory)?;
    for _ in 0..300 {
        assert!(room.scene.step()?.asleep);
        assert!(bits(&room.scene.run.state) == room.asleep);
    }
    Ok(())
}

#[test]
fn each_change_of_the_input_wakes_and_nothing_else_does() -> Result<()> {
    let workload = patch().build()?;
    let mut memory = workload.memory();
    let mut room = Bedroom::new(&workload, &mut memory)?;
    let there: Vec<[f32; 3]> =
        (0..36).map(|v| room.scene.run.state.target(v).expect("a target").to_array()).collect();
    let mut moved = there.clone();
    moved[7][1] += 1e-6;
    let same = Target { vertex: 7, position: there[7] };
    let other = Target { vertex: 7, position: moved[7] };
    let (silk, up) = (library::SILK, [[0.0, 1.0, 0.0]; 36]);
    let records = room.scene.colliders.clone();
    let base = among(&workload, &records);
    let turned = SolverConstants { turn: 9.0, ..base.constants };

    assert!(room.sleeps(base)?);
    assert!(room.sleeps(StepInput { targets: Targets::All(&there), ..base })?);
    assert!(room.sleeps(StepInput { targets: Targets::Listed(&[same]), ..base })?);
    assert!(room.sleeps(StepInput { level: cloth_core::Level::SCALAR, ..base })?);
    assert!(room.sleeps(StepInput { most_substeps: 100, ..base })?, "nothing passes a cloth at rest");

    assert!(!room.sleeps(StepInput { targets: Targets::All(&moved), ..base })?);
    assert!(!room.sleeps(StepInput { targets: Targets::Listed(&[other]), ..base })?);
    assert!(!room.sleeps(StepInput { dt: 0.5 * base.dt, ..base })?);
    assert!(!room.sleeps(StepInput { gravity: Vec3::new(0.0, -9.80, 0.0), ..base })?);
    assert!(!room.sleeps(StepInput { dynamics: &silk, ..base })?);
    assert!(!room.sleeps(StepInput { constants: turned, ..base })?);
    assert!(!room.sleeps(StepInput { layer: 1, ..base })?);
    assert!(!room.sleeps(StepInput { mask: 1, ..base })?);
    assert!(!room.sleeps(StepInput { faces: false, ..base })?);
    assert!(!room.sleeps(StepInput { backstop_normals: &up, ..base })?);
    assert!(!room.sleeps(StepInput { sleep: false, ..base })?);
    Ok(())
}

#[test]
fn colliders_that_come_go_move_or_change_wake_and_far_ones_do_not() -> Result<()> {
    let workload = patch().build()?;
    let mut memory = workload.memory();
    let mut room = Bedroom::new(&workload, &mut memory)?;
    let ball =
        |x: f64, y: f64| Collider::sphere(0.03, at(x, y, 0.05)).expect("a ball").known(7, u32::MAX, u32::MAX);

    assert!(room.sleeps_among(|all| all.push(ball(5.0, 0.0)))?, "five metres away");
    assert!(room.sleeps_among(|all| all.insert(0, ball(5.0, 0.0)))?, "before the others in the table");
    assert!(room.sleeps_among(|all| all.push(ball(0.05, 0.02).known(7, 0, 0)))?, "on no layer");

    assert!(!room.sleeps_among(|all| all.push(ball(0.05, 0.03)))?, "came");
    assert!(room.sleeps_among(|all| all.truncate(1))?, "a ball out of reach left");
    assert!(!room.sleeps_among(|all| _ = all.remove(0))?, "the floor left");
    assert!(!room.sleeps_among(Vec::clear)?, "all left");
    assert!(!room.sleeps_among(|all| all[0] = all[0].moved(at(0.0, -1e-3, 0.0)).expect("a pose"))?, "moved");
    assert!(
        !room.sleeps_among(|all| all[0] = all[0].placed(at(0.0, -1e-3, 0.0)).expect("a pose"))?,
        "was put elsewhere"
    );
    assert!(!room.sleeps_among(|all| all[0].friction = 0.4)?, "became smoother");
    assert!(
        !room.sleeps_among(|all| all[0] = all[0].known(8, u32::MAX, u32::MAX))?,
        "was replaced by its like"
    );
    assert!(!room.sleeps_among(|all| all[0].inflation = 1e-3)?, "was inflated");
    // One that is there already and comes near.
    assert!(
        !room.sleeps_among(|all| all.push(ball(5.0, 0.0).moved(at(0.05, 0.02, 0.05)).expect("a pose")))?,
        "arrived"
    );
    Ok(())
}

#[test]
fn whoever_touches_the_state_wakes_it() -> Result<()> {
    let workload = patch().build()?;
    let mut memory = workload.memory();
    let mut room = Bedroom::new(&workload, &mut memory)?;
    let asleep = room.asleep.clone();
    let changes: [fn(&mut State<'_>); 4] = [
        |state| state.wake(),
        |state| state.hold(9, Vec3::new(0.1, 0.1, 0.1)).expect("a hold"),
        |state| state.release(0).expect("a release"),
        |state| state.place(9, Vec3::new(0.1, 0.1, 0.1), Vec3::ZERO).expect("a place"),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let state = &mut room.scene.run.state;
        state.restore(&asleep)?;
        assert!(state.is_asleep());
        change(state);
        assert!(!state.is_asleep(), "change {number}");
        assert!(!room.scene.step()?.asleep, "change {number}");
    }
    Ok(())
}

#[test]
fn what_a_cloth_slept_on_is_not_remembered_by_its_handle() -> Result<()> {
    let workload = patch().build()?;
    let (mut one, mut other) = (workload.memory(), workload.memory());
    let ends = [(&mut one, 0), (&mut other, 77)].map(|(memory, handle)| -> Result<_> {
        let mut room = Bedroom::new(&workload, memory)?;
        let block = Collider::cuboid(Vec3::new(0.08, 0.05, 0.5), at(0.0, -0.06, 0.0))?.touching(0.1, 0.0)?;
        room.scene.colliders = vec![block.known(handle, u32::MAX, u32::MAX)];
        let mut film = Vec::new();
        for _ in 0..120 {
            room.scene.step()?;
            let state = &room.scene.run.state;
            film.extend(state.positions().chain(state.velocities()).map(|v| v.to_array().map(f32::to_bits)));
        }
        Ok(film)
    });
    let [a, b] = ends;
    assert!(a? == b?, "a handle makes a difference");
    Ok(())
}

#[test]
fn every_kind_is_met_by_cloth() -> Result<()> {
    // A kind that discovery or contact forgot would let this through.
    for subject in subjects()? {
        if subject.collider.kind == Kind::Plane as u32 {
            continue;
        }
        let collider = subject.collider;
        let bounds = collider.swept_bounds(&subject.words);
        let (low, high) = (wide(bounds.low), wide(bounds.high));
        let middle = 0.5 * (low + high);
        let shape = Shape::grid(12, 12, 0.02)
            .moved(|p| DVec3::new(middle.x - 0.11, high.y + 0.02, middle.z - 0.11) + p);
        let workload = Spec { dynamics: library::COTTON, ..Spec::new(shape, 1e-4) }.build()?;
        let mut memory = workload.memory();
        let mut scene = Encounter::new(workload.start(&mut memory)?, vec![collider]);
        scene.shapes = subject.words;
        scene.steps(60)?;
        assert!(scene.seen.contacts > 0, "{} was never met", subject.name);
        assert!(scene.intrusion() < 0.004, "{}: {} deep", subject.name, scene.intrusion());
    }
    Ok(())
}
