//! What a world is told between ticks, and what it makes of it by itself: the same under all executors, in recordings and after going
//! back. All of these were found by somebody who tried to break them.
#![cfg(all(feature = "world", feature = "serde"))]

mod ropes;

use std::sync::{Arc, Mutex, PoisonError};

use cloth_core::anchor::Teleport;
use cloth_core::{collide, library};
use cloth_host::index::Body;
use cloth_host::replay::{Player, Recorder, Replay, verify};
use cloth_host::world::hecs::Entity;
use cloth_host::world::{
    Cloth, ClothCollider, ClothExclude, Collider, Executor, Parallelism, Pipelined, Rate, Shape, Snapshot,
    Snapshots, Transform, Work, World, WorldError,
};
use ropes::{edit, local, rope, run};

fn snapshot(world: &mut World) -> Snapshot {
    let mut snapshot = Snapshot::new();
    world.snapshot(&mut snapshot);
    snapshot
}

fn ball() -> (Collider, ClothCollider) {
    (Collider::new(Shape::Sphere { radius: 0.1 }), ClothCollider::default())
}

/// A rope with another hung on its end.
fn nested(world: &mut World) -> (Entity, Vec<Entity>) {
    let (anchor, links) = rope(world, [0.0; 3], 5, Cloth::of(library::ROPE));
    let inner = world.attach(links[4], Transform::IDENTITY);
    world.entities_mut().insert_one(inner, Cloth::of(library::CHAIN)).expect("it is there");
    let link = world.attach(inner, Transform::at([0.1, 0.0, 0.0]));
    world.attach(link, Transform::at([0.1, 0.0, 0.0]));
    (anchor, links)
}

#[test]
fn numbers_become_free_in_one_order_whoever_went_back() {
    let make = || {
        let mut world = World::new();
        let (anchor, mut children) = rope(&mut world, [0.0; 3], 1, Cloth::of(library::ROPE));
        for y in [0.05, 0.1, 0.15] {
            children.push(world.attach(anchor, Transform::at([0.1, y, 0.0])));
        }
        run(&mut world, 1);
        (world, anchor, children)
    };
    let (stayed, anchor, _) = make();
    let (mut back, _, children) = make();
    let before = snapshot(&mut back);
    // A frame that was not to be: one of them moves to another archetype.
    back.entities_mut().insert(children[0], ball()).expect("it is there");
    run(&mut back, 1);
    back.restore(&before).expect("it is of this world");
    assert!(snapshot(&mut back) == before);
    let [stayed, back] = [stayed, back].map(|mut world| {
        assert_eq!(world.despawn(anchor), Ok(5));
        let again = rope(&mut world, [0.0; 3], 4, Cloth::of(library::ROPE));
        run(&mut world, 5);
        let locals: Vec<Transform> = again.1.iter().map(|link| local(&world, *link)).collect();
        (again, locals, world.fingerprint(), world.input_fingerprint())
    });
    assert_eq!(stayed, back);
}

#[test]
fn what_a_reset_does_to_what_hangs_below_is_no_input() {
    let record = |pipelined: bool| {
        let mut world = World::new();
        if pipelined {
            world.set_executor(Pipelined::new());
        }
        let (anchor, _) = nested(&mut world);
        world.prepare().expect("it is sound");
        let mut recorder = Recorder::new(&mut world, Vec::new(), 0).expect("it is sound");
        let mut inputs = Vec::new();
        for tick in 0..30 {
            if tick == 12 {
                world.teleport(anchor, Teleport::Reset).expect("it lives");
            }
            recorder.tick(&mut world).expect("it steps");
            inputs.push(world.input_fingerprint());
        }
        (recorder.finish().expect("memory takes all"), inputs)
    };
    let (serial, pipelined) = (record(false), record(true));
    assert_eq!(serial.1, pipelined.1);
    assert!(serial.0 == pipelined.0, "the files differ");
    assert_eq!(verify(&Replay::read(&pipelined.0).expect("it reads")).map(|it| it.ticks), Ok(30));
}

#[test]
fn what_was_asked_of_a_cloth_that_went_before_the_tick_is_nothing() {
    for ask in [
        |world: &mut World, anchor| world.teleport(anchor, Teleport::Keep),
        |world: &mut World, anchor| world.wake(anchor),
    ] {
        for whole in [true, false] {
            let mut world = World::new();
            let (anchor, _) = rope(&mut world, [0.0; 3], 4, Cloth::of(library::ROPE));
            rope(&mut world, [3.0, 0.0, 0.0], 3, Cloth::of(library::ROPE));
            world.prepare().expect("it is sound");
            let mut recorder = Recorder::new(&mut world, Vec::new(), 0).expect("it is sound");
            for tick in 0..10 {
                if tick == 5 {
                    ask(&mut world, anchor).expect("it lives");
                    if whole {
                        world.despawn(anchor).expect("it is there");
                    } else {
                        world.entities_mut().remove_one::<Cloth>(anchor).expect("it has one");
                    }
                }
                recorder.tick(&mut world).expect("it steps");
            }
            let file = recorder.finish().expect("memory takes all");
            assert_eq!(verify(&Replay::read(&file).expect("it reads")).map(|it| it.ticks), Ok(10));
        }
    }
}

#[test]
fn a_jump_of_a_slow_cloth_is_shown_as_it_was() {
    let mut world = World::new();
    let (anchor, _) = rope(&mut world, [0.0; 3], 4, Cloth { rate: Rate::Fourth, ..Cloth::of(library::ROPE) });
    world.prepare().expect("it is sound");
    let mut recorder = Recorder::new(&mut world, Vec::new(), 0).expect("it is sound");
    let mut shown = Vec::new();
    for tick in 0..20 {
        if tick == 10 {
            world.teleport(anchor, Teleport::Keep).expect("it lives");
            edit::<Transform>(&mut world, anchor, |transform| transform.translation[0] = 0.5);
        }
        recorder.tick(&mut world).expect("it steps");
        shown.push(world.interpolate(anchor, 0.5).expect("it lives"));
    }
    let file = recorder.finish().expect("memory takes all");
    let replay = Replay::read(&file).expect("it reads");
    let mut player = Player::start(&replay).expect("it starts");
    for expected in shown {
        assert_eq!(player.tick(), Ok(true));
        assert_eq!(
            player.world().interpolate(anchor, 0.5).as_ref(),
            Ok(&expected),
            "tick {}",
            player.number()
        );
    }
}

#[test]
fn going_to_a_tick_past_a_subtree_that_changed_gives_what_was_recorded() {
    let mut world = World::new();
    world.prepare().expect("it is empty");
    let mut recorder = Recorder::new(&mut world, Vec::new(), 10).expect("it is sound");
    let mut made = None;
    for tick in 0..40 {
        if tick == 3 {
            let (anchor, links) = rope(&mut world, [0.0, 1.0, 0.0], 1, Cloth::of(library::ROPE));
            let inner = world.attach(links[0], Transform::at([0.0, 0.0, 0.1]));
            world.entities_mut().insert_one(inner, Cloth::of(library::CHAIN)).expect("it is there");
            world.attach(inner, Transform::at([0.1, 0.0, 0.0]));
            made = Some((anchor, links[0]));
        }
        if let (7, Some((anchor, link))) = (tick, made) {
            world.entities_mut().insert_one(link, ClothExclude).expect("it is there");
            world.attach(anchor, Transform::at([0.1, 0.0, 0.0]));
        }
        recorder.tick(&mut world).expect("it steps");
    }
    let file = recorder.finish().expect("memory takes all");
    let replay = Replay::read(&file).expect("it reads");
    for tick in [9, 12, 25, 40] {
        assert_eq!(Player::seek(&replay, tick).expect("it is there").check(), Ok(()), "tick {tick}");
    }
}

#[test]
fn a_world_whose_cloth_is_of_other_entities_is_of_another_shape() {
    let make = |swapped: bool| {
        let mut world = World::new();
        let (anchor, links) = rope(&mut world, [0.0, 1.0, 0.0], 1, Cloth::of(library::ROPE));
        let beside = world.attach(anchor, Transform::at([0.1, 0.0, 0.0]));
        let out = if swapped { links[0] } else { beside };
        world.entities_mut().insert_one(out, ClothExclude).expect("it is there");
        run(&mut world, 1);
        world.entities_mut().remove_one::<ClothExclude>(out).expect("it has it");
        run(&mut world, 20);
        (world, anchor)
    };
    let ((mut one, _), (mut other, anchor)) = (make(false), make(true));
    let (of_one, before) = (snapshot(&mut one), snapshot(&mut other));
    let refused = other.restore(&of_one);
    assert!(matches!(refused, Err(WorldError::OtherShape { entity, .. }) if entity == anchor), "{refused:?}");
    assert!(snapshot(&mut other) == before);
    let (mut same, _) = make(false);
    assert_eq!(same.restore(&of_one), Ok(()));
}

#[test]
fn a_world_whose_groups_have_other_handles_is_of_another_shape() {
    let body = |x: f64| Body {
        shape: collide::Collider::sphere(0.2, collide::Pose::IDENTITY).expect("a sphere"),
        pose: Transform::at([x, 0.0, 0.0]).pose(),
    };
    let make = |first: bool| {
        let mut world = World::new();
        let bodies = [body(-0.2), body(0.3)];
        if first {
            world.index_mut().insert_group(&bodies, &[]);
        }
        rope(&mut world, [0.0, 0.5, 0.0], 5, Cloth::of(library::ROPE));
        let standing = world.spawn((Transform::at([0.2, 0.0, 0.0]),));
        world.entities_mut().insert(standing, ball()).expect("it is there");
        world.prepare().expect("it is sound");
        if !first {
            world.index_mut().insert_group(&bodies, &[]);
        }
        run(&mut world, 5);
        world
    };
    let of_one = snapshot(&mut make(false));
    let mut other = make(true);
    let before = snapshot(&mut other);
    assert!(matches!(other.restore(&of_one), Err(WorldError::NotASnapshot { .. })));
    assert!(snapshot(&mut other) == before);
    assert_eq!(make(false).restore(&of_one), Ok(()));
}

#[test]
fn a_future_that_will_not_have_been_is_forgotten() {
    let mut world = World::new();
    rope(&mut world, [0.0; 3], 4, Cloth::of(library::ROPE));
    let mut last = Snapshots::new(9);
    for _ in 0..20 {
        run(&mut world, 1);
        last.save(&mut world);
    }
    last.restore(&mut world, 14).expect("it was saved");
    run(&mut world, 1);
    last.save(&mut world);
    assert_eq!(last.restore(&mut world, 18), Err(WorldError::NoSnapshot { tick: 18 }));
    assert_eq!((world.tick_number(), last.restore(&mut world, 13)), (15, Ok(())));
}

/// Cloths and whose they are.
type Queue = Arc<Mutex<Vec<(u32, Vec<Work>)>>>;

/// Two worlds' cloths in one queue, of which each gets the other's.
struct Swapping {
    queue: Queue,
    world: u32,
}

impl Executor for Swapping {
    fn start(&mut self, mut cloths: Vec<Work>) {
        cloths.iter_mut().for_each(Work::step);
        self.queue.lock().unwrap_or_else(PoisonError::into_inner).push((self.world, cloths));
    }

    fn join(&mut self) -> Vec<Work> {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        let other = queue.iter().position(|(world, _)| *world != self.world);
        queue.remove(other.unwrap_or(0)).1
    }

    fn name(&self) -> &'static str {
        "swapping"
    }

    fn parallelism(&self) -> Parallelism {
        Parallelism { requested: 1, running: 1, reason: "One at a time.".into() }
    }

    fn is_pipelined(&self) -> bool {
        true
    }
}

#[test]
fn a_cloth_of_another_world_is_none_of_this_one() {
    let queue = Queue::default();
    let [(mut one, first), (mut two, _)] = [(0, 3), (1, 9)].map(|(number, links)| {
        let mut world = World::new();
        world.set_executor(Swapping { queue: Arc::clone(&queue), world: number });
        let (anchor, _) = rope(&mut world, [0.0; 3], links, Cloth::of(library::ROPE));
        (world, anchor)
    });
    assert_eq!((one.tick(), two.tick()), (Ok(()), Ok(())));
    let lost = one.tick();
    assert!(matches!(lost, Err(WorldError::Executor { entity, .. }) if entity == first), "{lost:?}");
}
