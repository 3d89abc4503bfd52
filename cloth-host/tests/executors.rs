//! Who takes the steps: what is shown when, and what an executor may not do.
#![cfg(feature = "world")]

mod company;

use cloth_core::anchor::Teleport;
use cloth_core::{ClothDynamics, Vec3, library};
use cloth_host::world::hecs::Entity;
use cloth_host::world::{
    Attachment, Cloth, Executor, ExecutorFault, Parallelism, Pipelined, Rate, Serial, Transform, Work, World,
    WorldError,
};

/// A world with a rope of links along X from an anchor.
fn rope(executor: impl Executor + 'static, cloth: Cloth) -> (World, Entity, Vec<Entity>) {
    let mut world = World::new();
    world.set_executor(executor);
    let (anchor, nodes) = hang(&mut world, [0.0; 3], cloth);
    (world, anchor, nodes)
}

fn hang(world: &mut World, at: [f64; 3], cloth: Cloth) -> (Entity, Vec<Entity>) {
    let anchor = world.spawn((Transform::at(at), cloth));
    let mut parent = anchor;
    let nodes = (0..6).map(|_| {
        parent = world.attach(parent, Transform::at([0.1, 0.0, 0.0]));
        parent
    });
    let nodes = nodes.collect();
    (anchor, nodes)
}

fn locals(world: &World, nodes: &[Entity]) -> Vec<Transform> {
    let local = |node: &Entity| world.entities().get::<&Attachment>(*node).expect("it is attached").local;
    nodes.iter().map(local).collect()
}

fn shift(world: &World, anchor: Entity, by: f64) {
    world.entities().get::<&mut Transform>(anchor).expect("it is there").translation[0] += by;
}

fn edit(world: &World, anchor: Entity, change: impl FnOnce(&mut Cloth)) {
    change(&mut world.entities().get::<&mut Cloth>(anchor).expect("it has one"));
}

/// An executor that does something else with cloths.
struct Odd<F>(Vec<Work>, F);

impl<F: FnMut(Vec<Work>) -> Vec<Work> + Send> Executor for Odd<F> {
    fn start(&mut self, cloths: Vec<Work>) {
        self.0 = cloths;
    }

    fn join(&mut self) -> Vec<Work> {
        (self.1)(std::mem::take(&mut self.0))
    }

    fn name(&self) -> &'static str {
        "odd"
    }

    fn parallelism(&self) -> Parallelism {
        Serial::default().parallelism()
    }
}

fn stepped(mut cloths: Vec<Work>) -> Vec<Work> {
    cloths.iter_mut().for_each(Work::step);
    cloths
}

#[test]
fn what_is_written_back_is_one_tick_late_and_states_are_not() {
    let cloth = Cloth::of(library::ROPE);
    let (mut serial, anchor, nodes) = rope(Serial::default(), cloth);
    let (mut beside, ..) = rope(Pipelined::new(), cloth);
    let mut before = locals(&serial, &nodes);
    for tick in 0..60 {
        for world in [&mut serial, &mut beside] {
            shift(world, anchor, 0.01);
            world.tick().expect("it steps");
        }
        assert_eq!(locals(&beside, &nodes), before, "tick {tick}");
        before = locals(&serial, &nodes);
        let print = |world: &World| world.state(anchor).expect("it lives").fingerprint();
        assert_eq!(print(&beside), print(&serial), "tick {tick}");
        assert_eq!(beside.fingerprint(), serial.fingerprint());
        assert_ne!(locals(&beside, &nodes), before, "looking at a state writes nothing back");
    }
    beside.settle().expect("all went well");
    assert_eq!(locals(&beside, &nodes), before);
    assert_eq!(beside.diagnostics(anchor), serial.diagnostics(anchor));
    assert_eq!(beside.positions(anchor), serial.positions(anchor));
}

#[test]
fn what_is_shown_goes_on_evenly_at_every_rate_one_tick_late() {
    for rate in [Rate::Every, Rate::Second, Rate::Fourth] {
        let cloth = Cloth { rate, sleeps: false, ..Cloth::of(library::ROPE) };
        let (mut serial, anchor, _) = rope(Serial::default(), cloth);
        let (mut beside, ..) = rope(Pipelined::new(), cloth);
        let mut before = None;
        for tick in 0..24 {
            for world in [&mut serial, &mut beside] {
                world.tick().expect("it steps");
            }
            let shown = |world: &World, alpha| world.interpolate(anchor, alpha).expect("it lives").positions;
            let now = [0.0, 0.25, 0.75].map(|alpha| shown(&beside, alpha));
            // The first tick of all has nothing before it.
            if let Some(before) = before.filter(|_| tick > 1) {
                assert_eq!(now, before, "{rate:?}, tick {tick}");
            }
            before = Some([0.0, 0.25, 0.75].map(|alpha| shown(&serial, alpha)));
        }
    }
}

#[test]
fn a_jump_of_the_anchor_is_not_smeared_while_its_step_is_in_flight() {
    let (mut world, anchor, _) = rope(Pipelined::new(), Cloth::of(library::ROPE));
    for asked in [Some(Teleport::Keep), None] {
        for _ in 0..30 {
            world.tick().expect("it steps");
        }
        if let Some(kind) = asked {
            world.teleport(anchor, kind).expect("it lives");
        }
        // Without being asked for, it is a jump by its length.
        shift(&world, anchor, 1.0e4);
        for tick in 0..2 {
            world.tick().expect("it steps");
            let shown = world.interpolate(anchor, 0.5).expect("it lives");
            let at = world.entities().get::<&Transform>(anchor).expect("it is there").pose();
            assert!(shown.anchor.is(&at), "{asked:?}, tick {tick}");
        }
        let expected = Some(asked.unwrap_or(Teleport::Reset));
        assert_eq!(world.diagnostics(anchor).expect("it lives").teleported, expected);
    }
}

#[test]
fn what_is_asked_for_while_a_step_is_in_flight_is_for_the_next() {
    let damped = Cloth::of(ClothDynamics { damping: 4.0, ..library::ROPE });
    let (mut world, anchor, _) = rope(Pipelined::new(), damped);
    let asleep = |world: &World| world.diagnostics(anchor).expect("it lives").asleep;
    for _ in 0..2000 {
        world.tick().expect("it steps");
    }
    assert!(asleep(&world));
    world.wake(anchor).expect("it lives");
    world.tick().expect("it steps");
    assert!(asleep(&world), "what is known is of the step before");
    world.tick().expect("it steps");
    assert!(!asleep(&world));
}

#[test]
fn another_executor_takes_over_without_a_gap() {
    let cloth = Cloth::of(library::ROPE);
    let (mut serial, anchor, nodes) = rope(Serial::default(), cloth);
    let (mut changing, ..) = rope(Serial::default(), cloth);
    for tick in 0..60 {
        match tick % 7 {
            2 => changing.set_executor(Pipelined::new()),
            4 => changing.set_executor(Serial::default()),
            _ => {}
        }
        let before = locals(&serial, &nodes);
        for world in [&mut serial, &mut changing] {
            shift(world, anchor, 0.01);
            world.tick().expect("it steps");
        }
        // Not in every tick: who looks waits, and nothing would be in flight when another takes over.
        if tick % 7 == 6 {
            assert_eq!(changing.fingerprint(), serial.fingerprint(), "tick {tick}");
        }
        let late = changing.executor() == "pipelined";
        let expected = if late { before } else { locals(&serial, &nodes) };
        assert_eq!(locals(&changing, &nodes), expected, "tick {tick}");
    }
}

#[test]
fn a_world_may_go_while_steps_are_in_flight() {
    for _ in 0..50 {
        let (mut world, ..) = rope(Pipelined::new(), Cloth::of(library::ROPE));
        hang(&mut world, [3.0, 0.0, 0.0], Cloth::of(library::CHAIN));
        world.tick().expect("it steps");
        drop(world);
    }
}

#[test]
fn a_cloth_that_went_is_not_written_to_its_successor() {
    let (mut world, anchor, nodes) = rope(Pipelined::new(), Cloth::of(library::ROPE));
    for _ in 0..20 {
        world.tick().expect("it steps");
    }
    // All numbers are used again, at once.
    for node in nodes.iter().rev().chain([&anchor]) {
        world.entities_mut().despawn(*node).expect("it is there");
    }
    let (successor, links) = hang(&mut world, [0.0; 3], Cloth::of(library::ROPE));
    assert!(links.iter().any(|link| nodes.iter().any(|node| node.id() == link.id() && node != link)));
    assert!(world.state(anchor).is_none() && world.state(successor).is_none());
    let (mut fresh, other, _) = rope(Serial::default(), Cloth::of(library::ROPE));
    for _ in 0..20 {
        for world in [&mut world, &mut fresh] {
            world.tick().expect("it steps");
        }
        let print = |world: &World, anchor| world.state(anchor).expect("it lives").fingerprint();
        assert_eq!(print(&world, successor), print(&fresh, other));
    }
}

#[test]
fn a_hold_in_flight_is_for_the_next_step() {
    let cloth = Cloth::of(library::ROPE);
    let (mut serial, anchor, nodes) = rope(Serial::default(), cloth);
    let (mut beside, ..) = rope(Pipelined::new(), cloth);
    for tick in 0..40 {
        for world in [&mut serial, &mut beside] {
            world.tick().expect("it steps");
            if tick == 20 {
                world
                    .with_state(anchor, |state| state.hold(6, Vec3::new(0.3, 0.0, 0.0)))
                    .expect("it lives")
                    .expect("there is such a vertex");
            }
        }
        assert_eq!(beside.fingerprint(), serial.fingerprint(), "tick {tick}");
    }
    assert_ne!(locals(&beside, &nodes), locals(&serial, &nodes), "and it goes on in flight");
}

#[test]
fn a_cloth_that_is_not_given_back_is_named_and_made_anew() {
    let mut count = 0;
    let drops = move |mut cloths: Vec<Work>| {
        count += 1;
        if count == 10 {
            cloths.pop();
        }
        stepped(cloths)
    };
    let (mut world, first, _) = rope(Odd(Vec::new(), drops), Cloth::of(library::ROPE));
    let (second, nodes) = hang(&mut world, [3.0, 0.0, 0.0], Cloth::of(library::ROPE));
    let authored = locals(&world, &nodes);
    for _ in 1..10 {
        world.tick().expect("it steps");
    }
    let fault = ExecutorFault::Lost;
    let expected = Err(WorldError::Executor { executor: "odd", entity: second, fault });
    assert_eq!(world.tick(), expected);
    assert!(world.state(second).is_none() && world.positions(second).is_some());
    assert_eq!(world.with_state(second, |_| ()), Err(WorldError::NoCloth { entity: second }));
    world.tick().expect("it goes on");
    let steps = |anchor| world.state(anchor).expect("it lives").steps();
    assert_eq!((steps(first), steps(second)), (11, 1));
    assert_ne!(locals(&world, &nodes), authored);
    world.entities_mut().remove_one::<Cloth>(second).expect("it has one");
    world.tick().expect("it steps");
    assert_eq!(locals(&world, &nodes), authored, "the authored pose was not lost");
}

#[test]
fn a_cloth_that_two_tasks_write_or_none_is_named() {
    let (mut world, anchor, _) = rope(Odd(Vec::new(), |cloths| stepped(stepped(cloths))), Cloth::default());
    let fault = ExecutorFault::Stepped { times: 2 };
    assert_eq!(world.tick(), Err(WorldError::Executor { executor: "odd", entity: anchor, fault }));
    world.set_executor(Odd(Vec::new(), |cloths| cloths));
    let fault = ExecutorFault::NotStepped;
    let expected = WorldError::Executor { executor: "odd", entity: anchor, fault };
    let before = world.fingerprint();
    assert_eq!(world.tick(), Err(expected.clone()));
    assert_eq!(world.fingerprint(), before);
    assert!(expected.to_string().contains("without its step"), "{expected}");
    world.set_executor(Serial::default());
    world.tick().expect("it steps");
    assert_ne!(world.fingerprint(), before);
}

#[test]
fn a_cloth_of_an_earlier_tick_is_no_cloth_of_this_one() {
    let mut kept = Vec::new();
    let late = move |cloths: Vec<Work>| {
        let mut cloths = stepped(cloths);
        cloths.append(&mut kept);
        // The second cloth stays away for a tick, and comes back beside the one that was made in its place.
        kept.extend(cloths.len().eq(&2).then(|| cloths.pop()).flatten());
        cloths
    };
    let (mut world, ..) = rope(Odd(Vec::new(), late), Cloth::of(library::ROPE));
    let (second, _) = hang(&mut world, [3.0, 0.0, 0.0], Cloth::of(library::ROPE));
    let lost = WorldError::Executor { executor: "odd", entity: second, fault: ExecutorFault::Lost };
    assert_eq!(world.tick(), Err(lost));
    world.tick().expect("all who went came back");
    assert_eq!(world.state(second).expect("it lives").steps(), 1);
}

#[test]
fn an_executor_that_panics_beside_the_scene_is_told_of_and_replaced() {
    let mut count = 0;
    let breaks = move |cloths: Vec<Work>| {
        count += 1;
        assert!(count < 5, "planted");
        stepped(cloths)
    };
    let (mut world, anchor, _) = rope(Pipelined::over(Odd(Vec::new(), breaks)), Cloth::of(library::ROPE));
    for _ in 0..5 {
        world.tick().expect("it steps");
    }
    let fault = ExecutorFault::Lost;
    let expected = WorldError::Executor { executor: "pipelined", entity: anchor, fault };
    // The tick that finds out makes the cloth anew, and steps it.
    assert_eq!(world.tick(), Err(expected));
    assert!(world.parallelism().reason.contains("panicked"), "{}", world.parallelism());
    for _ in 0..5 {
        world.tick().expect("it goes on");
    }
    assert_eq!(world.state(anchor).expect("it lives").steps(), 6);
}

#[test]
fn a_refused_tick_keeps_what_a_step_in_flight_complained_about() {
    let mut count = 0;
    let forgets = move |cloths: Vec<Work>| {
        count += 1;
        if count == 5 { cloths } else { stepped(cloths) }
    };
    let (mut world, anchor, _) = rope(Pipelined::over(Odd(Vec::new(), forgets)), Cloth::of(library::ROPE));
    for _ in 0..5 {
        world.tick().expect("it steps");
    }
    shift(&world, anchor, f64::NAN);
    assert!(matches!(world.tick(), Err(WorldError::Transform { .. })));
    *world.entities().get::<&mut Transform>(anchor).expect("it is there") = Transform::IDENTITY;
    let fault = ExecutorFault::NotStepped;
    assert_eq!(world.settle(), Err(WorldError::Executor { executor: "pipelined", entity: anchor, fault }));
    world.tick().expect("it goes on");
    assert_eq!(world.state(anchor).expect("it lives").steps(), 5);
}

#[test]
fn a_setting_that_changes_in_flight_is_for_the_next_step() {
    let cloth = Cloth { sleeps: false, ..Cloth::of(library::ROPE) };
    let (mut serial, anchor, nodes) = rope(Serial::default(), cloth);
    let (mut beside, ..) = rope(Pipelined::new(), cloth);
    let mut before = locals(&serial, &nodes);
    for tick in 0..60_u8 {
        let blend = [1.0, 0.5, 0.0, 0.0, 1.0][usize::from(tick) % 5];
        for world in [&mut serial, &mut beside] {
            edit(world, anchor, |cloth| cloth.blend = blend);
            world.tick().expect("it steps");
        }
        assert_eq!(locals(&beside, &nodes), before, "tick {tick}");
        before = locals(&serial, &nodes);
        assert_eq!(beside.fingerprint(), serial.fingerprint(), "tick {tick}");
    }
}

#[cfg(feature = "rayon")]
#[test]
fn a_world_says_how_many_workers_it_got() {
    use cloth_host::world::Rayon;
    let mut world = World::new();
    assert_eq!((world.parallelism().requested, world.parallelism().running), (1, 1));
    let cores = std::thread::available_parallelism().expect("it has some").get();
    world.set_executor(Rayon::workers(cores + 6));
    let got = world.parallelism();
    assert_eq!((got.requested, got.running), (cores + 6, cores));
    assert!(got.reason.contains(&format!("{cores} core")), "{got}");
    hang(&mut world, [0.0; 3], Cloth::of(library::ROPE));
    world.tick().expect("it steps");
    let got = world.parallelism();
    assert!(got.reason.contains("1 cloth was stepped"), "{got}");
    world.set_executor(Pipelined::over(Rayon::oversubscribed(5)));
    let got = world.parallelism();
    assert_eq!((got.requested, got.running), (5, 5), "{got}");
    world.set_executor(Rayon::workers(0));
    assert_eq!(world.parallelism().running, cores);
}

#[test]
fn what_a_step_that_was_not_taken_was_told_is_told_again() {
    let mut count = 0;
    let forgets = move |cloths: Vec<Work>| {
        count += 1;
        if count == 3 { cloths } else { stepped(cloths) }
    };
    let cloth = Cloth { rate: Rate::Fourth, ..Cloth::of(library::ROPE) };
    let (mut world, anchor, _) = rope(Odd(Vec::new(), forgets), cloth);
    let steps = |world: &World| world.state(anchor).expect("it lives").steps();
    for _ in 0..8 {
        world.tick().expect("it steps");
    }
    world.teleport(anchor, Teleport::Keep).expect("it lives");
    assert!(matches!(world.tick(), Err(WorldError::Executor { fault: ExecutorFault::NotStepped, .. })));
    assert_eq!(steps(&world), 2);
    world.tick().expect("it steps");
    assert_eq!(steps(&world), 3, "the step is not put off by four ticks");
    assert_eq!(world.diagnostics(anchor).expect("it lives").teleported, Some(Teleport::Keep));
}

/// Above the size from which on threads share a step.
#[cfg(feature = "rayon")]
#[test]
fn a_large_cloth_is_shared_by_the_workers_with_the_bits_of_one_thread() {
    use cloth_host::world::{ClothMesh, Rayon, Snapshot};
    let mesh = ClothMesh::new(company::sheet(92));
    let stage = |mut world: World| {
        let sheet = world.spawn((Transform::at([3.0, 0.0, 0.0]), Cloth::of(library::COTTON), mesh.clone()));
        hang(&mut world, [0.0, 0.0, 3.0], Cloth::of(library::CHAIN));
        (world, sheet)
    };
    let seen = |world: &mut World| {
        let mut snapshot = Snapshot::new();
        world.snapshot(&mut snapshot);
        snapshot
    };
    for pipelined in [false, true] {
        let pool = Rayon::oversubscribed(3);
        let cloth = Cloth::of(library::ROPE);
        let (other, ..) = if pipelined { rope(Pipelined::over(pool), cloth) } else { rope(pool, cloth) };
        let (mut serial, sheet) = stage(rope(Serial::default(), cloth).0);
        let (mut other, _) = stage(other);
        let (mut saved, mut differ) = ([Snapshot::new(), Snapshot::new()], 0);
        for tick in 0..14 {
            for (world, saved) in [&mut serial, &mut other].into_iter().zip(&mut saved) {
                match tick {
                    3 => world.snapshot(saved),
                    // What may be shared of the model outlives a restore, and not another seeding.
                    7 => world.restore(saved).expect("it is its own"),
                    10 => edit(world, sheet, |cloth| cloth.density = Some(0.3)),
                    _ => {}
                }
                shift(world, sheet, 0.01);
                world.tick().expect("it steps");
            }
            let snapshots = [seen(&mut serial), seen(&mut other)];
            differ += usize::from(company::differs(&snapshots[0], &snapshots[1]).is_some());
        }
        assert_eq!(differ, 0, "worlds of 14, {}", other.executor());
        assert_eq!(serial.state(sheet).expect("it lives").steps(), 4, "it was seeded anew");
        let said = other.parallelism();
        assert!(
            said.reason.contains("3 cloths were stepped, 1 of them large enough for as many as 3 workers"),
            "{said}"
        );
    }
}
