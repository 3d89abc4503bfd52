//! Replays of worlds: what is recorded is what is played, and what is damaged is named.

mod company;

use cloth_core::Region;
use cloth_core::Vec3;
use cloth_core::anchor::Teleport;
use cloth_core::replay::Event;
use cloth_host::replay::{Part, Parted, Player, Recorder, Replay, ReplayError, diff, verify};
use cloth_host::world::{
    Attachment, Clock, Cloth, ClothCollider, ClothModel, ClothPin, Collider, Executor, Pipelined, Serial,
    Shape, Shuffled, Snapshot, Transform, World,
};
use company::{Company, differs, sheet};

/// Records so many ticks of the company, with everything that can be told: `plant` may do something that is not.
fn recorded(ticks: u32, every: u32, plant: impl Fn(&mut Company, u32)) -> (Vec<u8>, Snapshot) {
    recorded_by(Serial::default(), ticks, every, plant)
}

/// [`recorded`], by an executor.
fn recorded_by(
    executor: impl Executor + 'static,
    ticks: u32,
    every: u32,
    plant: impl Fn(&mut Company, u32),
) -> (Vec<u8>, Snapshot) {
    let mut company = Company::new();
    company.world.set_executor(executor);
    let mut recorder = Recorder::new(&mut company.world, Vec::new(), every).expect("it can be recorded");
    for tick in 0..ticks {
        company.place(tick);
        let world = &mut company.world;
        match tick {
            5 => {
                let ball = Collider::new(Shape::Sphere { radius: 0.1 });
                let at = Transform::at([0.1, 0.6, 0.1]);
                company.came.push(world.spawn((at, ball, ClothCollider::default())));
            }
            8 => world.set_gravity([0.3, -9.0, 0.0]).expect("it is one"),
            10 => world.teleport(company.anchors[0], Teleport::Keep).expect("it lives"),
            12 => {
                let hand = world.spawn((Transform::at([3.0, 1.0, 0.0]), Cloth::default()));
                world.attach(hand, Transform::at([0.1, 0.0, 0.0]));
            }
            15 => world.wake(company.anchors[3]).expect("it lives"),
            18 => world.entities_mut().despawn(company.came[0]).expect("it is there"),
            20 => {
                let event = Event::Hold { vertex: 3, target: Vec3::new(0.3, 0.1, 0.0) };
                recorder.event(world, company.anchors[0], event).expect("it is a vertex");
            }
            22 => {
                world.entities_mut().insert_one(company.rope[2], ClothPin).expect("it is there");
                recorder.reseed(world, company.anchors[0]).expect("it can be made");
            }
            25 => {
                world.entities().get::<&mut Cloth>(company.anchors[2]).expect("it has one").dynamics.damping =
                    2.0
            }
            _ => {}
        }
        plant(&mut company, tick);
        recorder.tick(&mut company.world).expect("it steps");
    }
    let mut last = Snapshot::new();
    company.world.snapshot(&mut last);
    (recorder.finish().expect("it is written"), last)
}

#[test]
fn what_was_recorded_comes_again() {
    let (file, last) = recorded(60, 16, |_, _| ());
    let replay = Replay::read(&file).expect("it is one");
    assert_eq!((replay.ticks().len(), replay.damage(), replay.keyframes()), (60, None, 4));
    assert_eq!(verify(&replay).expect("as recorded").ticks, 60);
    // Not only what is hashed.
    let mut player = Player::start(&replay).expect("it can be built");
    while player.tick().expect("as told") {}
    let mut again = Snapshot::new();
    player.into_world().snapshot(&mut again);
    assert_eq!(differs(&last, &again), None);
    assert_eq!(diff(&replay, &replay), Ok(None));
}

/// Every executor, by name, and whether what it gives is shown a tick late.
fn executors() -> Vec<(&'static str, bool, Box<dyn Executor>)> {
    vec![
        ("serial", false, Box::new(Serial::default())),
        ("shuffled", false, Box::new(Shuffled::new(11))),
        #[cfg(feature = "rayon")]
        ("rayon", false, Box::new(cloth_host::world::Rayon::oversubscribed(3))),
        ("pipelined", true, Box::new(Pipelined::new())),
        #[cfg(feature = "rayon")]
        (
            "pipelined over rayon",
            true,
            Box::new(Pipelined::over(cloth_host::world::Rayon::oversubscribed(2))),
        ),
    ]
}

#[test]
fn every_executor_records_and_plays_what_the_serial_one_does() {
    let (serial, _) = recorded(60, 16, |_, _| ());
    let (pipelined, _) = recorded_by(Pipelined::new(), 60, 16, |_, _| ());
    for (name, is_late, executor) in executors() {
        let (file, _) = recorded_by(executor, 60, 16, |_, _| ());
        let same = if is_late { &pipelined } else { &serial };
        let place = file.iter().zip(same).position(|(a, b)| a != b);
        assert_eq!((place, file.len()), (None, same.len()), "{name}: the first byte that differs");
    }
    // What is shown a tick late is in keyframes, and nowhere else: inputs, hashes and fingerprints are to the byte the same.
    let without_keyframes = |file: &[u8]| -> Vec<Vec<u8>> {
        company::records(file)
            .into_iter()
            .filter(|(kind, _)| *kind != 3)
            .map(|(_, bytes)| bytes.to_vec())
            .collect()
    };
    assert_eq!(without_keyframes(&pipelined), without_keyframes(&serial));
    assert_ne!(pipelined, serial, "the slow cloth is shown late");
    let late = Replay::read(&pipelined).expect("it is one");
    let replay = Replay::read(&serial).expect("it is one");
    assert_eq!(diff(&replay, &late), Ok(None));
    for tick in [0, 15, 16, 17, 40, 60] {
        Player::seek(&late, tick).expect("it is there").check().expect("as recorded");
    }
    for replay in [&replay, &late] {
        assert_eq!(verify(replay).expect("as recorded").ticks, 60);
    }
    for (name, _, executor) in executors() {
        let mut player = Player::start(&replay).expect("it can be built");
        player.set_executor(executor);
        while player.tick().expect("as told") {
            player.check().unwrap_or_else(|error| panic!("{name}: {error}"));
        }
        assert_eq!(player.number(), 60, "{name}");
    }
    for (name, _, executor) in executors() {
        // From a keyframe on, too.
        let mut player = Player::seek(&replay, 37).expect("it is there");
        player.set_executor(executor);
        while player.tick().expect("as told") {
            player.check().unwrap_or_else(|error| panic!("{name}, from tick 37: {error}"));
        }
    }
}

#[test]
fn a_tick_is_found_by_keyframes_and_is_what_it_is_from_the_start() {
    let (file, _) = recorded(60, 8, |_, _| ());
    let replay = Replay::read(&file).expect("it is one");
    let mut straight = Player::start(&replay).expect("it can be built");
    for tick in 0..=60 {
        let found = Player::seek(&replay, tick).expect("it is there");
        found.check().expect("as recorded");
        assert_eq!(found.number(), tick);
        assert_eq!(found.world().fingerprints(), straight.world().fingerprints(), "tick {tick}");
        straight.tick().expect("as told");
    }
    assert_eq!(Player::seek(&replay, 61).map(|_| ()), Err(ReplayError::NoSuchTick { tick: 61, count: 60 }));
}

#[test]
fn a_bit_that_nobody_was_told_of_is_found() {
    let flip = |company: &mut Company, tick: u32| {
        if tick == 29 {
            let flip = |state: &mut cloth_core::State<'_>| {
                let (at, velocity) = (state.position(17), state.velocity(17));
                let at = at.expect("it is there");
                let at = Vec3::new(at.x, f32::from_bits(at.y.to_bits() ^ 1), at.z);
                state.place(17, at, velocity.expect("it is there"))
            };
            company.world.with_state(company.anchors[2], flip).expect("it lives").expect("a place");
        }
    };
    let (file, _) = recorded(60, 1, |_, _| ());
    let (planted, _) = recorded(60, 1, flip);
    let (good, bad) = (Replay::read(&file).expect("one"), Replay::read(&planted).expect("one"));
    let found = diff(&good, &bad).expect("both can be played").expect("they differ");
    assert_eq!(found.tick, 30);
    let Parted::Outcome { part: Part::Region { anchor, region }, difference: Some(difference) } =
        found.parted
    else {
        panic!("{found}");
    };
    assert_eq!((anchor, region), (Company::new().anchors[2], Region::Positions));
    assert_ne!(difference.bits[0], difference.bits[1]);
    assert!(found.to_string().contains("positions of particle"), "{found}");
    // Verifying the planted one names the tick too.
    let error = verify(&bad).expect_err("nobody was told");
    assert!(matches!(error, ReplayError::Differs { tick: 30, part: Part::Region { .. } }), "{error}");
    // Without a keyframe there the values are not known, and the rest is.
    let (planted, _) = recorded(60, 0, flip);
    let bad = Replay::read(&planted).expect("one");
    let found = diff(&good, &bad).expect("both can be played").expect("they differ");
    assert!(matches!(found.parted, Parted::Outcome { difference: None, .. }) && found.tick == 30, "{found}");
    // What was told is told apart from what came of it.
    let (told, _) = recorded(60, 0, |company, tick| {
        if tick == 40 {
            company.world.set_gravity([0.0; 3]).expect("it is one");
        }
    });
    let told = Replay::read(&told).expect("one");
    let found = diff(&good, &told).expect("both can be played").expect("they differ");
    assert!(matches!(found.parted, Parted::Inputs(_)) && found.tick == 41, "{found}");
    let (short, _) = recorded(50, 0, |_, _| ());
    let found = diff(&good, &Replay::read(&short).expect("one")).expect("both can be played");
    assert_eq!(found.map(|found| (found.tick, found.parted)), Some((51, Parted::Length([60, 50]))));
}

#[test]
fn a_damaged_file_is_named_by_its_byte_and_plays_up_to_there() {
    let (file, _) = recorded(40, 16, |_, _| ());
    let whole = Replay::read(&file).expect("it is one");
    for cut in (0..file.len()).rev().step_by(file.len() / 23) {
        match Replay::read(&file[..cut]) {
            Ok(replay) => {
                let error = replay.damage().expect("its end is missing").clone();
                assert_eq!(error, ReplayError::Ends { byte: cut as u64 });
                let verified = verify(&replay).expect("what is there is sound");
                assert_eq!(verified.ticks as usize, replay.ticks().len());
                assert!(replay.ticks().len() <= whole.ticks().len());
            }
            Err(error) => assert!(cut < 30_000, "{cut}: {error}"),
        }
    }
    let mut at = file.len() / 2;
    for bit in 0..40 {
        let mut bad = file.clone();
        at += 397;
        bad[at] ^= 1 << (bit % 8);
        let replay = Replay::read(&bad).expect("its start is sound");
        let byte = match replay.damage().expect("it is damaged") {
            ReplayError::Damaged { byte, .. } => *byte,
            // A length that says more than there is.
            ReplayError::Ends { byte } => *byte,
            other => panic!("{other}"),
        };
        assert!(byte <= at as u64 || byte == bad.len() as u64, "{byte} for {at}");
        assert!(replay.ticks().len() < 40);
        assert_eq!(verify(&replay).expect("what is there is sound").ticks as usize, replay.ticks().len());
    }
}

#[test]
fn what_is_no_replay_of_this_version_is_refused_as_what_it_is() {
    let (file, _) = recorded(2, 0, |_, _| ());
    let refused = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bad = file.clone();
        change(&mut bad);
        Replay::read(&bad).expect_err("it is none")
    };
    assert_eq!(refused(&|bad| bad[0] = b'X'), ReplayError::NotAReplay);
    assert_eq!(refused(&|bad| bad.clear()), ReplayError::NotAReplay);
    assert_eq!(refused(&|bad| bad[8] = 9), ReplayError::Version { found: 9 });
    let swap = |bad: &mut Vec<u8>| bad.as_chunks_mut::<4>().0.iter_mut().for_each(|word| word.reverse());
    assert_eq!(refused(&swap), ReplayError::ByteOrder);
    assert_eq!(refused(&|bad| bad.truncate(9)), ReplayError::Ends { byte: 9 });
    let never = refused(&|bad| bad[8] = 0);
    assert_eq!(never, ReplayError::Version { found: 0 });
    assert!(
        never.to_string().contains("there never was") && !never.to_string().contains("update"),
        "{never}"
    );
    assert_eq!(refused(&|bad| bad[13] = 1), ReplayError::Header { found: 256 });
}

#[test]
fn what_follows_the_end_is_named_and_nothing_before_it_is_lost() {
    let (file, _) = recorded(4, 0, |_, _| ());
    let junk: [&[u8]; 3] = [&file, b"?", b"12345678"];
    for more in junk {
        let both = [&file[..], more].concat();
        let replay = Replay::read(&both).expect("its start is sound");
        let (byte, count) = (file.len() as u64, more.len() as u64);
        assert_eq!(replay.damage(), Some(&ReplayError::Trails { byte, count }));
        assert_eq!(verify(&replay).expect("what is there is sound").ticks, 4);
    }
}

#[test]
fn a_cloth_that_is_no_longer_what_it_was_made_from_is_not_recorded() {
    let mut company = Company::new();
    let anchor = company.anchors[0];
    let node = company.rope[3];
    company.world.attach(node, Transform::at([0.0, -0.1, 0.0]));
    let mut out = Vec::new();
    let refused =
        Recorder::new(&mut company.world, &mut out, 0).map(|_| ()).expect_err("it cannot be played");
    assert_eq!(refused, ReplayError::Changed { entity: anchor });
    assert!(refused.to_string().contains("World::reseed") && out.is_empty(), "{refused}");
    // The remedy is one.
    company.world.reseed(anchor).expect("it can be made");
    let mut recorder = Recorder::new(&mut company.world, Vec::new(), 0).expect("it can be recorded");
    for _ in 0..5 {
        recorder.tick(&mut company.world).expect("it steps");
    }
    let replay = Replay::read(&recorder.finish().expect("it is written")).expect("it is one");
    assert_eq!(verify(&replay).expect("as recorded").ticks, 5);
}

#[test]
fn a_world_that_went_back_or_changed_its_clock_is_not_recorded_on() {
    let mut company = Company::new();
    let mut recorder = Recorder::new(&mut company.world, Vec::new(), 0).expect("it can be recorded");
    let mut saved = Snapshot::new();
    for tick in 0..6 {
        if tick == 3 {
            company.world.snapshot(&mut saved);
        }
        recorder.tick(&mut company.world).expect("it steps");
    }
    let world = &mut company.world;
    let last = world.tick_number();
    let clock = *world.clock();
    let before = clock.step();
    *world.clock_mut() = Clock::new(1.0 / 30.0, 4).expect("one");
    let changed = ReplayError::Clock { tick: 7, recorded: before, found: 1.0 / 30.0 };
    assert_eq!(recorder.tick(world), Err(changed));
    *world.clock_mut() = clock;
    world.restore(&saved).expect("it is its own");
    let back = ReplayError::WentBack { recorded: last, found: last - 3 };
    assert_eq!(recorder.tick(world), Err(back.clone()));
    assert_eq!(recorder.reseed(world, company.anchors[0]), Err(back.clone()));
    assert_eq!(recorder.event(world, company.anchors[0], Event::Wake), Err(back));
    // What was recorded until then is sound.
    let replay = Replay::read(&recorder.finish().expect("it is written")).expect("it is one");
    assert_eq!((verify(&replay).expect("as recorded").ticks, replay.damage()), (6, None));
}

#[test]
fn models_are_in_the_file_and_others_are_named() {
    let source = sheet(6);
    let builder = cloth_core::ModelBuilder::mesh(&source.positions, &source.triangles).pins(&source.pins);
    let model = ClothModel::build(builder).expect("it can be built");
    let mut world = World::new();
    let anchor = world.spawn((Transform::at([0.0, 1.0, 0.0]), Cloth::default(), model.clone()));
    world.spawn((Transform::at([0.0, 3.0, 0.0]), Cloth::default(), model));
    let mut recorder = Recorder::new(&mut world, Vec::new(), 4).expect("it can be recorded");
    for _ in 0..10 {
        recorder.tick(&mut world).expect("it steps");
    }
    let file = recorder.finish().expect("it is written");
    let replay = Replay::read(&file).expect("it is one");
    assert_eq!(verify(&replay).expect("as recorded").ticks, 10);
    // The start says which model the cloth had: another one, soundly written, is named.
    let expected = world.state(anchor).expect("it lives").model().fingerprint();
    let wrong = company::with_other(&file, 2, expected.0);
    let replay = Replay::read(&wrong).expect("its records are sound");
    let error = verify(&replay).expect_err("it is another");
    assert!(
        matches!(error, ReplayError::OtherModel { entity, found, .. } if entity == anchor && found == expected),
        "{error}"
    );
}

#[test]
fn groups_of_colliders_are_refused_by_name() {
    let mut world = World::new();
    let shape = cloth_core::collide::Collider::sphere(0.5, cloth_core::collide::Pose::IDENTITY).expect("one");
    let body = cloth_host::index::Body { shape, pose: cloth_host::pose::Pose::IDENTITY };
    world.index_mut().insert_group(&[body], &[]);
    let refused = Recorder::new(&mut world, Vec::new(), 0).map(|_| ());
    assert_eq!(refused, Err(ReplayError::Groups));
}

#[test]
fn a_node_that_is_hung_elsewhere_is_the_hosts_to_place() {
    let mut company = Company::new();
    let post = company.world.spawn((Transform::at([1.0, 1.0, 1.0]),));
    let hung = company.rope[3];
    let ball = (Collider::new(Shape::Sphere { radius: 0.1 }), ClothCollider::default());
    company.world.entities_mut().insert(hung, ball).expect("it is there");
    let mut recorder = Recorder::new(&mut company.world, Vec::new(), 64).expect("it can be recorded");
    for tick in 0..30 {
        company.place(tick);
        if tick >= 10 {
            let local = Transform::at([0.0, 0.01 * f64::from(tick), 0.0]);
            let attachment = Attachment { parent: post, local };
            company.world.entities_mut().insert_one(hung, attachment).expect("it is there");
        }
        recorder.tick(&mut company.world).expect("it steps");
    }
    let file = recorder.finish().expect("it is written");
    let replay = Replay::read(&file).expect("it is one");
    assert_eq!(verify(&replay).expect("as recorded").ticks, 30);
}
