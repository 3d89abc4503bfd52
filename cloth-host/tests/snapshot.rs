//! A world that goes back and on again is the world that never left.

mod company;

use cloth_core::anchor::Teleport;
use cloth_core::{Level, Region};
use cloth_host::index::Body;
use cloth_host::pose::Pose;
use cloth_host::world::hecs::Entity;
use cloth_host::world::{
    Attachment, Cloth, ClothCollider, ClothPin, Collider, Pipelined, Rate, Shape, Snapshot, Snapshots,
    Transform, World, WorldError,
};
use company::{Company, differs};
use proptest::prelude::*;

#[test]
fn eight_ticks_back_and_on_again_is_never_having_left() {
    let mut company = Company::new();
    let mut before = Snapshot::new();
    let (mut there, mut again) = (Snapshot::new(), Snapshot::new());
    for tick in 0..240 {
        company.world.snapshot(&mut before);
        for ahead in tick..tick + 8 {
            company.tick(ahead);
        }
        company.world.snapshot(&mut there);
        let shown = company.shown();
        company.world.restore(&before).expect("it is its own");
        company.world.snapshot(&mut again);
        assert!(again == before, "tick {tick}: it is where it was");
        for ahead in tick..tick + 8 {
            company.tick(ahead);
        }
        company.world.snapshot(&mut again);
        assert_eq!(differs(&there, &again), None, "tick {tick}");
        assert!(there == again && shown == company.shown(), "tick {tick}");
        company.world.restore(&before).expect("it is its own");
        company.tick(tick);
    }
    assert!(company.slept() > 0, "one of them sleeps");
}

#[test]
fn a_step_in_flight_comes_down_before_it_is_saved_and_goes_when_the_world_goes_back() {
    let (mut serial, mut pipelined) = (Company::new(), Company::new());
    pipelined.world.set_executor(Pipelined::new());
    for company in [&serial, &pipelined] {
        // A step that is long done is shown a tick later where it was in flight, settled or not.
        let mut slow = company.world.entities().get::<&mut Cloth>(company.anchors[3]).expect("it is there");
        slow.rate = Rate::Every;
    }
    let (mut kept, mut a, mut b) = (Snapshots::new(16), Snapshot::new(), Snapshot::new());
    for tick in 0..90 {
        serial.tick(tick);
        pipelined.tick(tick);
        if tick % 7 == 3 {
            serial.world.snapshot(&mut a);
            kept.save(&mut pipelined.world);
            // Away from there, with a step in flight, and back.
            for ahead in 0..3 {
                pipelined.tick(500 + ahead);
            }
            kept.restore(&mut pipelined.world, serial.world.tick_number()).expect("it is kept");
            pipelined.world.snapshot(&mut b);
            assert_eq!(differs(&a, &b), None, "tick {tick}");
            assert!(a == b && serial.shown() == pipelined.shown(), "tick {tick}");
        }
        assert_eq!(serial.world.fingerprint(), pipelined.world.fingerprint(), "tick {tick}");
    }
}

#[test]
fn two_ways_to_one_state_give_the_same_words() {
    let (mut straight, mut astray) = (Company::new(), Company::new());
    astray.world.set_level(Level::SCALAR);
    let (mut a, mut b) = (Snapshot::new(), Snapshot::new());
    let mut last = Snapshots::new(16);
    for tick in 0..60 {
        straight.tick(tick);
        astray.tick(tick);
        last.save(&mut astray.world);
        if tick % 10 == 9 {
            // Off the way for five ticks, and back.
            for ahead in 0..5 {
                astray.tick(1000 + 7 * ahead);
            }
            let number = straight.world.tick_number();
            last.restore(&mut astray.world, number).expect("it is kept");
        }
    }
    straight.world.snapshot(&mut a);
    astray.world.snapshot(&mut b);
    assert_eq!(differs(&a, &b), None);
    assert!(a == b && a.words().eq(b.words()));
    assert_eq!(straight.world.fingerprints(), astray.world.fingerprints());
    straight.tick(60);
    straight.world.snapshot(&mut a);
    assert!(a != b, "another tick is another state");
}

/// A row of standing balls that the rope and the sheet hang onto.
fn row(height: f64) -> Vec<Body> {
    let shape =
        cloth_core::collide::Collider::sphere(0.09, cloth_core::collide::Pose::IDENTITY).expect("one");
    let at = |x: f64| Pose { translation: [x, height, 0.0], ..Pose::IDENTITY };
    [0.1, 0.3, 0.5].map(|x| Body { shape, pose: at(x) }).to_vec()
}

#[test]
fn groups_that_came_and_went_since_are_as_they_were() {
    let mut company = Company::new();
    let old = company.world.index_mut().insert_group(&row(0.7), &[]);
    for tick in 0..20 {
        company.tick(tick);
    }
    let (mut before, mut there, mut again) = (Snapshot::new(), Snapshot::new(), Snapshot::new());
    company.world.snapshot(&mut before);
    // Straight on.
    for tick in 20..50 {
        company.tick(tick);
    }
    company.world.snapshot(&mut there);
    company.world.restore(&before).expect("it is its own");
    company.world.snapshot(&mut again);
    assert!(again == before, "it is where it was");

    // Astray: the group goes, two others come in its place, in whose way the cloths are.
    assert!(company.world.index_mut().remove_group(old));
    let new = company.world.index_mut().insert_group(&row(0.85), &[]);
    company.world.index_mut().insert_group(&row(0.4), &[]);
    for tick in 20..30 {
        company.tick(tick);
    }
    company.world.snapshot(&mut again);
    assert!(again != before && again != there);
    company.world.restore(&before).expect("it is its own");
    company.world.snapshot(&mut again);
    assert!(again == before, "the group is there again, under its handle");
    assert!(!company.world.index_mut().remove_group(new), "who came since has gone");
    for tick in 20..50 {
        company.tick(tick);
    }
    company.world.snapshot(&mut again);
    assert_eq!(differs(&there, &again), None);
    assert!(there == again);

    // Handles go on where they would have: those that came since are given out again.
    company.world.restore(&before).expect("it is its own");
    assert_eq!(company.world.index_mut().insert_group(&row(0.85), &[]), new);
    company.world.restore(&before).expect("it is its own");
    assert!(company.world.index_mut().remove_group(old));

    // A world without them has another shape.
    let mut other = Company::new();
    let refused = other.world.restore(&before).expect_err("it has no group");
    assert!(refused.to_string().contains("groups of colliders"), "{refused}");
    other.world.index_mut().insert_group(&row(0.7), &[]);
    other.world.restore(&before).expect("it has one of equal bodies");
    assert_eq!(other.world.fingerprint(), company_at(&before));
}

/// The fingerprint of a world that went back to a snapshot of the company's with a group.
fn company_at(before: &Snapshot) -> cloth_core::Fingerprint {
    let mut company = Company::new();
    company.world.index_mut().insert_group(&row(0.7), &[]);
    for tick in 0..20 {
        company.tick(tick);
    }
    company.world.restore(before).expect("it has the same shape");
    company.world.fingerprint()
}

#[test]
fn what_came_and_went_since_is_undone() {
    let mut company = Company::new();
    for tick in 0..20 {
        company.tick(tick);
    }
    let (mut before, mut there, mut again) = (Snapshot::new(), Snapshot::new(), Snapshot::new());
    company.world.snapshot(&mut before);
    for tick in 20..40 {
        company.tick(tick);
    }
    company.world.snapshot(&mut there);
    company.world.restore(&before).expect("it is its own");

    // A ball comes, another goes, a cloth goes with all that hangs from it, one is made anew, one comes.
    let ball = Collider::new(Shape::Sphere { radius: 0.2 });
    let world = &mut company.world;
    let came = world.spawn((Transform::at([0.0, 1.0, 0.0]), ball, ClothCollider::default()));
    world.entities_mut().despawn(company.balls[0]).expect("it is there");
    for entity in company.nested.clone() {
        world.entities_mut().despawn(entity).expect("it is there");
    }
    let hand = world.spawn((Transform::at([5.0, 1.0, 0.0]), Cloth::default()));
    world.attach(hand, Transform::at([0.1, 0.0, 0.0]));
    world.entities_mut().insert_one(company.rope[3], ClothPin).expect("it is there");
    world.reseed(company.anchors[0]).expect("it can be made");
    world.shapes_mut().hull(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]).expect("a hull");
    for _ in 0..10 {
        world.tick().expect("it steps");
    }
    world.restore(&before).expect("it is its own");
    assert!(!world.entities().contains(came) && !world.entities().contains(hand));
    world.snapshot(&mut again);
    assert_eq!(differs(&before, &again), None);
    for tick in 20..40 {
        company.tick(tick);
    }
    company.world.snapshot(&mut again);
    assert_eq!(differs(&there, &again), None);
    // Who comes now gets the number that he would have got.
    company.world.restore(&before).expect("it is its own");
    let next = company.world.spawn((Transform::IDENTITY,));
    assert_eq!(next, came);
}

#[test]
fn a_world_of_another_shape_is_named_and_nothing_changes() {
    let build = || {
        let mut company = Company::new();
        company.tick(0);
        company
    };
    let mut from = build();
    from.tick(1);
    let mut snapshot = Snapshot::new();
    from.world.snapshot(&mut snapshot);
    let refused = |change: &dyn Fn(&mut Company)| {
        let mut other = build();
        change(&mut other);
        let (mut before, mut after) = (Snapshot::new(), Snapshot::new());
        other.world.snapshot(&mut before);
        let error = other.world.restore(&snapshot).expect_err("it is of another shape");
        other.world.snapshot(&mut after);
        assert!(before == after, "{error}");
        error
    };
    // The same shape is taken, whatever happened there.
    let mut twin = build();
    for tick in 5..30 {
        twin.tick(tick);
    }
    twin.world.restore(&snapshot).expect("it is of the same shape");
    let mut again = Snapshot::new();
    twin.world.snapshot(&mut again);
    assert_eq!(differs(&snapshot, &again), None);
    twin.tick(2);
    from.tick(2);
    assert_eq!(twin.world.fingerprints(), from.world.fingerprints());

    let last = |error: WorldError| error.to_string();
    let error = last(refused(&|other| {
        other.world.spawn((Transform::IDENTITY,));
    }));
    assert!(error.contains("is not in the snapshot"), "{error}");
    let gone = from.balls[1];
    let error = refused(&|other| other.world.entities_mut().despawn(gone).expect("it is there"));
    assert!(matches!(error, WorldError::OtherShape { .. }), "{error}");
    let error = refused(&|other| {
        other.world.entities_mut().remove_one::<Collider>(gone).expect("it has one");
    });
    assert!(matches!(error, WorldError::OtherComponents { entity, component: "Collider" } if entity == gone));
    let error = refused(&|other| {
        other.world.entities().get::<&mut Collider>(gone).expect("it has one").friction = 0.25;
        other.tick(1);
    });
    assert!(error.to_string().contains("another Collider"), "{error}");
    let anchor = from.anchors[0];
    let error = refused(&|other| {
        other.world.entities().get::<&mut Cloth>(anchor).expect("it has one").density = Some(0.3);
        other.tick(1);
    });
    assert!(matches!(error, WorldError::State { entity, .. } if entity == anchor), "{error}");
    let mut empty = World::new();
    assert!(matches!(empty.restore(&Snapshot::new()), Err(WorldError::NotASnapshot { .. })));
    assert!(matches!(empty.restore(&snapshot), Err(WorldError::OtherShape { .. })));
    let ring = Snapshots::new(2);
    assert_eq!(ring.restore(&mut empty, 7), Err(WorldError::NoSnapshot { tick: 7 }));
}

#[test]
fn what_was_asked_for_and_not_yet_done_comes_back() {
    let run = |detour: bool| {
        let mut company = Company::new();
        company.tick(0);
        let anchor = company.anchors[0];
        company.world.teleport(anchor, Teleport::Reset).expect("it lives");
        company.world.entities().get::<&mut Transform>(anchor).expect("it has one").translation[0] += 3.0;
        company.world.set_gravity([0.0, -3.0, 0.0]).expect("it is one");
        let asked = company.world.input_fingerprint();
        if detour {
            let mut before = Snapshot::new();
            company.world.snapshot(&mut before);
            company.world.set_gravity([0.0, 9.0, 0.0]).expect("it is one");
            company.world.wake(anchor).expect("it lives");
            assert_ne!(company.world.input_fingerprint(), asked);
            company.tick(3);
            company.world.restore(&before).expect("it is its own");
        }
        assert_eq!(company.world.input_fingerprint(), asked);
        company.world.tick().expect("it steps");
        (company.world.fingerprints(), company.world.diagnostics(anchor).expect("it lives").teleported)
    };
    let (straight, teleported) = run(false);
    assert_eq!(teleported, Some(Teleport::Reset));
    assert_eq!(run(true), (straight, teleported));
}

#[test]
fn inputs_are_hashed_apart_from_what_is_made_of_them() {
    let (mut a, mut b) = (Company::new(), Company::new());
    a.tick(0);
    b.tick(0);
    let anchor = a.anchors[0];
    a.world
        .with_state(anchor, |state| state.place(5, cloth_core::Vec3::ONE, cloth_core::Vec3::ZERO))
        .expect("it lives")
        .expect("a place");
    assert_eq!(a.world.input_fingerprint(), b.world.input_fingerprint());
    let (one, two) = (a.world.fingerprints(), b.world.fingerprints());
    assert_ne!(one.world, two.world);
    assert_eq!(one.colliders, two.colliders);
    let parts: Vec<(usize, Region)> = one
        .cloths
        .iter()
        .zip(&two.cloths)
        .enumerate()
        .flat_map(|(place, (a, b))| {
            let regions = a.regions.iter().zip(&b.regions).zip(Region::ALL);
            let parted: Vec<_> =
                regions.filter(|((a, b), _)| a != b).map(|(_, region)| (place, region)).collect();
            parted
        })
        .collect();
    // Who is placed is awake, and has not been calm.
    let expected = [Region::Positions, Region::Velocities, Region::Tensions, Region::Sleep];
    assert_eq!(parts, expected.map(|region| (0, region)));
    let (state, other) = (a.world.state(anchor).expect("it lives"), b.world.state(anchor).expect("it lives"));
    let difference = state.difference(other).expect("they differ");
    assert_eq!((difference.region, difference.vertex, difference.field), (Region::Positions, 5, "x"));
    assert_eq!(f32::from_bits(difference.bits[0]).to_bits(), 1.0_f32.to_bits());
    assert_eq!(difference.bits[1], other.position(5).expect("it is there").x.to_bits());
    // What a cloth does to the entities it moves is no input.
    b.world.entities().get::<&mut Attachment>(b.rope[2]).expect("it has one").local.translation[1] += 0.5;
    assert_eq!(a.world.input_fingerprint(), b.world.input_fingerprint());
    b.world.entities().get::<&mut Cloth>(anchor).expect("it has one").rate = Rate::Second;
    assert_ne!(a.world.input_fingerprint(), b.world.input_fingerprint());
}

/// What a random program does in a tick.
#[derive(Clone, Debug)]
enum Act {
    Go,
    Back(u8),
    Spawn(i8),
    Despawn(u8),
    Reseed(u8),
    Hold(u8),
    Hide(u8),
    Rate(u8),
    Shift(u8),
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        6 => Just(Act::Go),
        4 => (1_u8..7).prop_map(Act::Back),
        1 => any::<i8>().prop_map(Act::Spawn),
        1 => any::<u8>().prop_map(Act::Despawn),
        1 => any::<u8>().prop_map(Act::Reseed),
        1 => any::<u8>().prop_map(Act::Hold),
        1 => any::<u8>().prop_map(Act::Hide),
        1 => any::<u8>().prop_map(Act::Rate),
        1 => any::<u8>().prop_map(Act::Shift),
    ]
}

impl Act {
    /// The same in every world that is the same.
    fn happen(&self, company: &mut Company) {
        let anchors: Vec<Entity> = {
            let mut anchors: Vec<Entity> = company
                .world
                .entities()
                .query::<(Entity, &Cloth)>()
                .iter()
                .map(|(entity, _)| entity)
                .collect();
            anchors.sort_unstable();
            anchors
        };
        let pick = |which: u8| anchors.get(usize::from(which) % anchors.len().max(1)).copied();
        let edit = |company: &Company, which: u8, change: &dyn Fn(&mut Cloth)| {
            if let Some(anchor) = pick(which) {
                change(&mut company.world.entities().get::<&mut Cloth>(anchor).expect("it has one"));
            }
        };
        match *self {
            Self::Go | Self::Back(_) => {}
            Self::Spawn(x) => {
                let ball = Collider::new(Shape::Sphere { radius: 0.15 });
                let at = Transform::at([f64::from(x) * 0.01, 0.6, 0.0]);
                let entity = company.world.spawn((at, ball, ClothCollider::default()));
                company.came.push(entity);
            }
            Self::Despawn(which) => {
                let mut there: Vec<Entity> = company
                    .world
                    .entities()
                    .query::<(Entity, &ClothCollider)>()
                    .iter()
                    .map(|(entity, _)| entity)
                    .collect();
                there.sort_unstable();
                if let Some(entity) = there.get(usize::from(which) % there.len().max(1)) {
                    company.world.entities_mut().despawn(*entity).expect("it is there");
                }
            }
            Self::Reseed(which) => {
                if let Some(anchor) = pick(which) {
                    company.world.reseed(anchor).expect("it can be made");
                }
            }
            Self::Hold(which) => {
                if let Some(anchor) = pick(which) {
                    let held = company.world.with_state(anchor, |state| {
                        let at = state.position(1).unwrap_or_default();
                        state.hold(1, at).is_ok()
                    });
                    // One that was never stepped has no state yet.
                    assert!(held.is_ok_and(|held| held) || company.world.state(anchor).is_none());
                }
            }
            Self::Hide(which) => edit(company, which, &|cloth| cloth.visible = !cloth.visible),
            Self::Rate(which) => edit(company, which, &|cloth| {
                cloth.rate = if cloth.rate == Rate::Every { Rate::Fourth } else { Rate::Every };
            }),
            Self::Shift(which) => {
                if let Some(anchor) = pick(which)
                    && let Ok(mut transform) = company.world.entities().get::<&mut Transform>(anchor)
                {
                    transform.translation[2] += 0.02;
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Goes back at random and does the same again; another world never goes back.
    #[test]
    fn random_rollbacks_leave_no_trace(program in prop::collection::vec(act(), 1..48)) {
        let (mut straight, mut rolled) = (Company::new(), Company::new());
        let mut last = Snapshots::new(8);
        let first = rolled.world.tick_number();
        last.save(&mut rolled.world);
        for (tick, act) in program.iter().enumerate() {
            for company in [&mut straight, &mut rolled] {
                act.happen(company);
                company.tick(u32::try_from(tick).expect("a short program"));
            }
            last.save(&mut rolled.world);
            if let Act::Back(ticks) = act {
                let back = usize::from(*ticks).min(tick + 1);
                // Somewhere else first, then back to where both were.
                rolled.tick(5000);
                let number = first + (tick + 1 - back) as u64;
                last.restore(&mut rolled.world, number).expect("it is kept");
                for (again, act) in program.iter().enumerate().take(tick + 1).skip(tick + 1 - back) {
                    act.happen(&mut rolled);
                    rolled.tick(u32::try_from(again).expect("a short program"));
                }
            }
        }
        let (mut a, mut b) = (Snapshot::new(), Snapshot::new());
        straight.world.snapshot(&mut a);
        rolled.world.snapshot(&mut b);
        prop_assert_eq!(differs(&a, &b), None);
        prop_assert!(straight.shown() == rolled.shown());
    }
}
