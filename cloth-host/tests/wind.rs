//! Wind in a world: who feels what, from when on, and what is kept of it.

use std::sync::Arc;

use cloth_core::library;
use cloth_host::fluid::{FluidError, FluidVolume};
use cloth_host::pose::{Bounds, Pose};
use cloth_host::replay::{Recorder, Replay, ReplayError, verify};
use cloth_host::world::hecs::Entity;
use cloth_host::world::{
    AirTold, AmbientWind, Cloth, ClothCollider, ClothExclude, ClothMesh, Collider, MeshSource, Reach, Shape,
    Snapshot, Transform, TransformFault, Wind, WindSource, WindZone, World, WorldError, ZoneBlend, ZoneShape,
};

/// A rope of `links` of 5 cm that hangs from a point.
fn rope(world: &mut World, at: [f64; 3], links: usize) -> Entity {
    let anchor = world.spawn((Transform::at(at), Cloth::of(library::ROPE)));
    (0..links).fold(anchor, |parent, _| world.attach(parent, Transform::at([0.0, -0.05, 0.0])));
    anchor
}

/// A banner of silk that hangs by its upper edge, in the plane of X and Y.
fn banner(world: &mut World, at: [f64; 3]) -> Entity {
    let side = 8_u16;
    let place = |v: u16| [f32::from(v % side) * 0.05, -f32::from(v / side) * 0.05, 0.0];
    let down = u32::from(side);
    let corners = (0..down * (down - 1)).filter(|v| v % down != down - 1);
    let triangles = corners.flat_map(|v| [[v, v + down, v + 1], [v + 1, v + down, v + down + 1]]).collect();
    let positions = (0..side * side).map(place).collect();
    let mesh = ClothMesh::new(MeshSource { positions, triangles, pins: (0..down).collect(), weld: None });
    world.spawn((Transform::at(at), Cloth::of(library::SILK), mesh))
}

fn run(world: &mut World, ticks: u32) {
    for tick in 0..ticks {
        world.tick().unwrap_or_else(|error| panic!("tick {tick}: {error}"));
    }
}

fn print(world: &World, anchor: Entity) -> u64 {
    world.state(anchor).expect("it lives").fingerprint().0
}

fn told(world: &World, anchor: Entity) -> AirTold {
    world.diagnostics(anchor).expect("it lives").air
}

fn box_of(half: f32) -> ZoneShape {
    ZoneShape::Box { half_extents: [half; 3] }
}

/// How far the last vertex is from below its anchor, along X (m).
fn lean(world: &World, anchor: Entity) -> f32 {
    world.positions(anchor).expect("it lives").last().expect("it has vertices")[0]
}

#[test]
fn without_a_source_there_is_no_air_and_still_air_is_some() {
    let anchors = [None, Some(AmbientWind::default())].map(|wind| {
        let mut world = World::new();
        let anchor = rope(&mut world, [0.0; 3], 8);
        world
            .entities_mut()
            .insert_one(anchor, Transform { rotation: [0.0, 0.0, 0.6, 0.8], ..Transform::IDENTITY })
            .expect("it is there");
        if let Some(wind) = wind {
            world.spawn((wind,));
        }
        run(&mut world, 30);
        (told(&world, anchor), world.diagnostics(anchor).expect("it lives").max_speed, print(&world, anchor))
    });
    assert_eq!((anchors[0].0, anchors[1].0), (AirTold::None, AirTold::Uniform { points: 1 }));
    assert!(anchors[1].1 < anchors[0].1, "still air resists: {anchors:?}");
    assert_ne!(anchors[0].2, anchors[1].2);
}

#[test]
fn wind_goes_along_the_axes_of_the_world_whatever_the_anchor_does() {
    let leans = [[0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.6, 0.0, 0.8]].map(|rotation| {
        let mut world = World::new();
        let anchor = rope(&mut world, [0.0; 3], 8);
        world
            .entities_mut()
            .insert_one(anchor, Transform { rotation, ..Transform::IDENTITY })
            .expect("it is there");
        world.spawn((AmbientWind::of([3.0, 0.0, 0.0]),));
        run(&mut world, 120);
        let tip = world.nodes(anchor).last().expect("it has nodes");
        let at = world.entities().get::<&Transform>(tip).expect("it is placed").translation;
        assert!(at[0] > 0.05 && at[2].abs() < 0.05, "{rotation:?}: {at:?}");
        at[0]
    });
    assert!(leans.iter().all(|lean| (lean - leans[0]).abs() < 0.02), "{leans:?}");
}

#[test]
fn a_zone_reaches_who_is_in_it_and_one_sample_does_where_it_is_even() {
    let mut world = World::new();
    let [near, far] = [0.0, 5.0].map(|x| rope(&mut world, [x, 0.0, 0.0], 8));
    let zone = world.spawn((Transform::IDENTITY, WindZone::of(box_of(1.0), [2.0, 0.0, 0.0])));
    run(&mut world, 3);
    assert_eq!((told(&world, near), told(&world, far)), (AirTold::Uniform { points: 1 }, AirTold::None));
    // Its surface cuts the rope.
    world.entities().get::<&mut Transform>(zone).expect("it is there").translation[1] = 0.8;
    run(&mut world, 1);
    assert_eq!(told(&world, near), AirTold::Each { points: 9 });
    world.entities().get::<&mut Transform>(zone).expect("it is there").translation = [5.0, 0.0, 0.0];
    run(&mut world, 1);
    assert_eq!((told(&world, near), told(&world, far)), (AirTold::None, AirTold::Uniform { points: 1 }));
    let points = [[5.0, 0.0, 0.0], [0.0, 0.0, 0.0]];
    assert_eq!(world.air(&points, u32::MAX), Some(vec![[2.0, 0.0, 0.0], [0.0; 3]]));
    assert_eq!(world.air(&points[1..], u32::MAX), None);
    world.despawn(zone).expect("it is there");
    run(&mut world, 1);
    assert_eq!((told(&world, far), world.air(&points, u32::MAX)), (AirTold::None, None));
}

#[test]
fn sources_come_in_their_order_and_by_layer() {
    let mut world = World::new();
    let at = |x: f64| Transform::at([x, 0.0, 0.0]);
    // The order of spawning is none: kinds have theirs.
    world.spawn((at(0.0), WindZone::of(box_of(2.0), [0.0, 0.0, 4.0])));
    let replaces =
        WindZone { blend: ZoneBlend::Replace, mask: 2, ..WindZone::of(box_of(1.0), [0.0, 7.0, 0.0]) };
    world.spawn((at(0.0), replaces));
    world.spawn((AmbientWind { mask: 1, ..AmbientWind::of([1.0, 0.0, 0.0]) },));
    world.spawn((AmbientWind::of([0.5, 0.0, 0.0]),));
    let points = [[0.0; 3], [1.5, 0.0, 0.0], [9.0, 0.0, 0.0]];
    let air = |layer| world.air(&points, layer).expect("some reach it");
    assert_eq!(air(1), [[1.5, 0.0, 4.0], [1.5, 0.0, 4.0], [1.5, 0.0, 0.0]]);
    assert_eq!(air(2), [[0.0, 7.0, 0.0], [0.5, 0.0, 4.0], [0.5, 0.0, 0.0]]);
    assert_eq!(air(3), [[0.0, 7.0, 0.0], [1.5, 0.0, 4.0], [1.5, 0.0, 0.0]]);
}

#[test]
fn the_nth_step_has_the_same_gust_whenever_a_cloth_was_spawned() {
    let mut world = World::new();
    let gust = AmbientWind { gust: [4.0, 0.0, 1.0], period: 0.3, ..AmbientWind::default() };
    world.spawn((gust,));
    let first = rope(&mut world, [0.0; 3], 6);
    let mut early = Vec::new();
    for _ in 0..17 {
        run(&mut world, 1);
        early.push(print(&world, first));
    }
    let late = rope(&mut world, [3.0, 0.0, 0.0], 6);
    for expected in &early {
        run(&mut world, 1);
        assert_eq!(print(&world, late), *expected);
    }
    // Who is not simulated does not age.
    let hidden = rope(&mut world, [6.0, 0.0, 0.0], 6);
    world.entities().get::<&mut Cloth>(hidden).expect("it is there").visible = false;
    run(&mut world, 11);
    world.entities().get::<&mut Cloth>(hidden).expect("it is there").visible = true;
    run(&mut world, 17);
    assert!((lean(&world, hidden) - lean(&world, late)).abs() < 0.3);
    // And who is made anew is as young as that.
    world.reseed(first).expect("it can be");
    run(&mut world, 17);
    assert_eq!(Some(&print(&world, first)), early.last());
}

/// How a source comes into a world.
type Spawn = Box<dyn Fn(&mut World) -> Entity>;

#[test]
fn what_changes_counts_from_the_next_step_on_and_for_whom_it_reaches() {
    let mut world = World::new();
    world.spawn((AmbientWind { mask: 2, ..AmbientWind::default() },));
    let [near, far] = [0.0, 5.0].map(|x| rope(&mut world, [x, 0.0, 0.0], 4));
    for anchor in [near, far] {
        world.entities().get::<&mut Cloth>(anchor).expect("it is there").layer = 2;
    }
    run(&mut world, 120);
    let asleep = |world: &World, anchor| world.diagnostics(anchor).expect("it lives").asleep;
    assert!(asleep(&world, near) && asleep(&world, far), "in still air they fall asleep");
    let volume =
        FluidVolume { half_extents: [0.5; 3], prevailing: Some([1.0, 0.0, 0.0]), ..FluidVolume::default() };
    let sources: [(&str, Spawn); 3] = [
        (
            "zone",
            Box::new(|world| world.spawn((Transform::IDENTITY, WindZone::of(box_of(1.0), [1.0, 0.0, 0.0])))),
        ),
        ("volume", Box::new(move |world| world.spawn((Transform::IDENTITY, volume)))),
        ("host's own", Box::new(|world| world.spawn((WindSource(Arc::new(Corner)),)))),
    ];
    for (name, add) in &sources {
        let source = add(&mut world);
        run(&mut world, 1);
        assert!(!asleep(&world, near) && asleep(&world, far), "{name}: added");
        let before = print(&world, near);
        run(&mut world, 20);
        assert_ne!(print(&world, near), before, "{name}: it moves");
        world.despawn(source).expect("it is there");
        run(&mut world, 1);
        assert_eq!(told(&world, near), AirTold::Uniform { points: 1 }, "{name}: the breeze alone");
        run(&mut world, 600);
        assert!(asleep(&world, near) && asleep(&world, far), "{name}: gone");
    }
}

/// Wind of a host's own in the ball of 1 m about its entity.
struct Corner;

impl Wind for Corner {
    fn reach(&self, _: &Pose, _: &Bounds) -> Reach {
        Reach::Unevenly
    }

    fn blow(&self, stands: &Pose, _: f64, at: &[[f64; 3]], air: &mut [[f64; 3]]) -> bool {
        let mut reached = false;
        for (at, velocity) in at.iter().zip(air) {
            let [x, y, z] = stands.undo(*at);
            if x * x + y * y + z * z < 1.0 {
                (velocity[0], reached) = (velocity[0] + 2.0, true);
            }
        }
        reached
    }
}

/// One that answers what is no number.
struct Broken;

impl Wind for Broken {
    fn reach(&self, _: &Pose, _: &Bounds) -> Reach {
        Reach::Evenly
    }

    fn blow(&self, _: &Pose, _: f64, _: &[[f64; 3]], air: &mut [[f64; 3]]) -> bool {
        air.fill([f64::NAN; 3]);
        true
    }
}

#[test]
fn a_source_of_the_hosts_own_stands_at_its_entity_and_is_kept_by_snapshots_and_by_nothing_else() {
    let mut world = World::new();
    let anchor = rope(&mut world, [0.0; 3], 6);
    let source = world.spawn((Transform::at([0.0, -1.1, 0.0]), WindSource(Arc::new(Corner))));
    run(&mut world, 10);
    assert_eq!(told(&world, anchor), AirTold::Each { points: 7 });
    let mut snapshot = Snapshot::new();
    world.snapshot(&mut snapshot);
    run(&mut world, 10);
    let there = print(&world, anchor);
    world.despawn(source).expect("it is there");
    run(&mut world, 10);
    world.restore(&snapshot).expect("it is its own");
    run(&mut world, 10);
    assert_eq!(print(&world, anchor), there);

    assert_eq!(
        Recorder::new(&mut world, Vec::new(), 0).map(drop),
        Err(ReplayError::OwnWind { entity: source })
    );
    world.entities_mut().remove_one::<WindSource>(source).expect("it has it");
    let mut recorder = Recorder::new(&mut world, Vec::new(), 0).expect("it can be recorded");
    world.entities_mut().insert_one(source, WindSource(Arc::new(Broken))).expect("it is there");
    assert_eq!(recorder.tick(&mut world), Err(ReplayError::OwnWind { entity: source }));
    let error = world.tick().expect_err("it answers what is no number");
    assert!(matches!(error, WorldError::Step { entity, .. } if entity == anchor), "{error}");
    let before = print(&world, anchor);
    assert!(world.tick().is_err() && print(&world, anchor) == before, "and the cloth is as it was");
}

#[test]
fn what_is_none_is_refused_by_name_and_nothing_changes() {
    let still = Transform::IDENTITY;
    let zone = WindZone::of(box_of(1.0), [1.0, 0.0, 0.0]);
    let volume = FluidVolume { half_extents: [0.5; 3], ..FluidVolume::default() };
    type Add<'a> = &'a dyn Fn(&mut World) -> Entity;
    let bad: [(Add<'_>, &str); 14] = [
        (&|w| w.spawn((AmbientWind::of([f32::NAN, 0.0, 0.0]),)), "velocity must lie within"),
        (&|w| w.spawn((AmbientWind::of([0.0, 2.0e6, 0.0]),)), "velocity must lie within"),
        (
            &|w| w.spawn((AmbientWind { gust: [f32::INFINITY; 3], ..AmbientWind::default() },)),
            "gust must lie within",
        ),
        (&|w| w.spawn((AmbientWind { period: -1.0, ..AmbientWind::default() },)), "period must lie within"),
        (&|w| w.spawn((zone,)), "has no Transform"),
        (&|w| w.spawn((Transform { scale: [2.0; 3], ..still }, zone)), "is not scaled"),
        (&|w| w.spawn((still, WindZone { falloff: -0.1, ..zone })), "falloff must lie within"),
        (&|w| w.spawn((still, WindZone { eddy: -1.0, ..zone })), "eddy must lie within"),
        (
            &|w| w.spawn((still, WindZone { shape: box_of(0.0), ..zone })),
            "shape.half_extents must lie within",
        ),
        (&|w| w.spawn((volume,)), "has no Transform"),
        (&|w| w.spawn((Transform { scale: [1.0, 1.0, 0.5], ..still }, volume)), "is not scaled"),
        (
            &|w| w.spawn((still, FluidVolume { half_extents: [0.0; 3], ..volume })),
            "half_extents of a fluid volume is 0",
        ),
        (&|w| w.spawn((still, FluidVolume { cell: -0.1, ..volume })), "cell of a fluid volume is -0.1"),
        (&|w| w.spawn((still, FluidVolume { cell: 1.0e-3, ..volume })), "choose a larger cell"),
    ];
    let mut world = World::new();
    let anchor = rope(&mut world, [0.0; 3], 6);
    world.spawn((AmbientWind::of([1.0, 0.0, 0.0]),));
    let good = world.spawn((still, volume));
    run(&mut world, 5);
    let (mut before, mut after) = (Snapshot::new(), Snapshot::new());
    for (add, expected) in bad {
        world.snapshot(&mut before);
        let bad = add(&mut world);
        let error = world.tick().expect_err(expected);
        let said = error.to_string();
        assert!(said.contains(expected) && said.contains(&format!("{bad:?}")), "{said}");
        assert_eq!(world.air(&[[0.0; 3]], 1), None);
        world.despawn(bad).expect("it is there");
        world.snapshot(&mut after);
        assert!(before == after, "{said}: something changed");
    }
    // One that was good and no longer is.
    world.entities().get::<&mut FluidVolume>(good).expect("it is there").prevailing = Some([f32::NAN; 3]);
    let error = world.tick().expect_err("it blows at no speed");
    assert!(
        matches!(error, WorldError::Fluid { entity, error: FluidError::Setting { field: "prevailing", .. } } if entity == good)
    );
    world.entities().get::<&mut FluidVolume>(good).expect("it is there").prevailing = None;
    *world.entities().get::<&mut Transform>(good).expect("it is there") = Transform::at([f64::NAN; 3]);
    let before = print(&world, anchor);
    let error = world.tick().expect_err("it is nowhere");
    assert_eq!(error, WorldError::Transform { entity: good, fault: TransformFault::Translation });
    assert_eq!(print(&world, anchor), before);
}

/// A banner behind a post in a volume, with a gust and an eddying zone about it.
fn stage() -> (World, Vec<Entity>) {
    let mut world = World::new();
    let flag = banner(&mut world, [0.3, 0.2, 0.0]);
    let line = rope(&mut world, [0.8, 0.2, 0.1], 9);
    world.spawn((AmbientWind { gust: [1.5, 0.0, 0.5], period: 0.7, ..AmbientWind::of([3.0, 0.0, 0.0]) },));
    let volume =
        FluidVolume { half_extents: [0.8, 0.5, 0.5], cell: 0.1, border: 0.2, ..FluidVolume::default() };
    let air = world.spawn((Transform::at([0.3, 0.0, 0.0]), volume));
    let post = Collider::new(Shape::Capsule { half_height: 0.5, radius: 0.1 });
    let post = world.spawn((Transform::at([-0.1, 0.0, 0.0]), post, ClothCollider::default()));
    let zone =
        WindZone { turbulence: 0.5, eddy: 0.4, falloff: 0.2, ..WindZone::of(box_of(0.6), [0.0, 0.0, 2.0]) };
    let zone = world.spawn((Transform::at([1.0, 0.0, 0.0]), zone));
    (world, vec![flag, line, air, post, zone])
}

/// What happens on the stage before a tick.
fn happen(world: &mut World, who: &[Entity], tick: u32) {
    let edit = |entity: Entity, change: &dyn Fn(&mut Transform)| {
        change(&mut world.entities().get::<&mut Transform>(entity).expect("it is there"));
    };
    edit(who[3], &|post| post.translation[2] = 0.002 * f64::from(tick % 60));
    edit(who[1], &|line| line.translation[0] += 0.004);
    edit(who[4], &|zone| zone.rotation = [0.0, 0.6, 0.0, 0.8]);
    if tick == 40 {
        world.entities().get::<&mut FluidVolume>(who[2]).expect("it is there").damping = 0.5;
    }
}

#[test]
fn going_back_with_wind_is_never_having_left() {
    let (mut world, who) = stage();
    let mut snapshot = Snapshot::new();
    let mut prints = Vec::new();
    for tick in 0..90 {
        if tick == 30 {
            world.snapshot(&mut snapshot);
        }
        happen(&mut world, &who, tick);
        run(&mut world, 1);
        prints.push(world.fingerprints());
    }
    assert!(prints.windows(2).all(|two| two[0].air != two[1].air), "the air moves");
    assert!(matches!(told(&world, who[0]), AirTold::Each { .. }));
    for spoil in 0..3 {
        match spoil {
            0 => {}
            // The volume goes, and another is there with other cells.
            1 => {
                world.despawn(who[2]).expect("it is there");
                run(&mut world, 2);
            }
            _ => {
                world.entities().get::<&mut FluidVolume>(who[2]).expect("it is there").cell = 0.2;
                run(&mut world, 2);
            }
        }
        world.restore(&snapshot).expect("it is its own");
        for tick in 30..90 {
            happen(&mut world, &who, tick);
            run(&mut world, 1);
            assert_eq!(world.fingerprints(), prints[tick as usize], "{spoil}: tick {tick}");
        }
    }
    // And in another world of the same shape.
    let (mut other, who) = stage();
    other.prepare().expect("it is sound");
    other.restore(&snapshot).expect("it has the same shape");
    for tick in 30..90 {
        happen(&mut other, &who, tick);
        run(&mut other, 1);
        assert_eq!(other.fingerprints(), prints[tick as usize], "another: tick {tick}");
    }
    let mut twice = [Snapshot::new(), Snapshot::new()];
    world.snapshot(&mut twice[0]);
    other.snapshot(&mut twice[1]);
    assert!(twice[0].words().eq(twice[1].words()));
}

#[test]
fn a_recording_has_the_wind() {
    let (mut world, who) = stage();
    let mut recorder = Recorder::new(&mut world, Vec::new(), 25).expect("it can be recorded");
    for tick in 0..80 {
        happen(&mut world, &who, tick);
        if tick == 55 {
            world.despawn(who[4]).expect("it is there");
        }
        if tick < 55 {
            recorder.tick(&mut world).expect("it is recorded");
        } else {
            let moved = |entity| world.entities().contains(entity);
            assert!(!moved(who[4]));
            recorder.tick(&mut world).expect("it is recorded");
            break;
        }
    }
    for _ in 0..20 {
        recorder.tick(&mut world).expect("it is recorded");
    }
    let file = recorder.finish().expect("it is written");
    let mut older = file.clone();
    older[8..12].copy_from_slice(&1_u32.to_le_bytes());
    let refused = Replay::read(&older).expect_err("its version knew no wind").to_string();
    assert!(refused.contains("version 1, which knew nothing of wind"), "{refused}");
    let replay = Replay::read(&file).expect("it is sound");
    assert_eq!(verify(&replay).expect("it plays").ticks, 76);
    let mut player = cloth_host::replay::Player::seek(&replay, 60).expect("there is a keyframe before");
    while player.tick().expect("it goes on") {
        player.check().expect("it is what was recorded");
    }
}

#[test]
fn a_volume_takes_in_what_blows_and_stands_about_what_stands_in_it() {
    let (mut world, who) = stage();
    run(&mut world, 1);
    let cells = |world: &World| world.fluid(who[2]).expect("it is there").sample([0.0; 3]);
    let first = cells(&world);
    assert!(first.0[0] > 0.5 && first.1 >= 1.0, "it begins with the wind: {first:?}");
    run(&mut world, 60);
    // Behind the post it is slower than beside it.
    let points = [[0.2, 0.0, 0.0], [0.2, 0.0, 0.35]];
    let air = world.air(&points, u32::MAX).expect("it is in the volume");
    assert!(air[0][0] < 0.9 * air[1][0], "{air:?}");
    // Outside its border it is the ambient's.
    let outside = world.air(&[[-2.0, 0.0, 0.0]], u32::MAX).expect("it blows everywhere");
    assert!(outside[0][0] > 1.0);
    world.entities_mut().remove_one::<FluidVolume>(who[2]).expect("it has one");
    world.despawn(who[4]).expect("it is there");
    run(&mut world, 1);
    assert!(world.fluid(who[2]).is_none());
    assert_eq!(told(&world, who[0]), AirTold::Uniform { points: 1 });
}

#[test]
fn fabric_without_drag_is_told_no_air() {
    let mut world = World::new();
    let anchor = rope(&mut world, [0.0; 3], 6);
    world.entities().get::<&mut Cloth>(anchor).expect("it is there").dynamics.drag = 0.0;
    world.spawn((AmbientWind::of([5.0, 0.0, 0.0]),));
    run(&mut world, 2);
    assert_eq!(told(&world, anchor), AirTold::None);
}

#[test]
fn wind_hangs_on_what_moves() {
    let mut world = World::new();
    let anchor = rope(&mut world, [0.0; 3], 6);
    let cart = world.spawn((Transform::at([10.0, 0.0, 0.0]),));
    let fan = world.attach(cart, Transform::at([1.0, 0.0, 0.0]));
    let zone = WindZone::of(box_of(1.0), [0.0, 0.0, 3.0]);
    world.entities_mut().insert(fan, (zone, ClothExclude)).expect("it is there");
    run(&mut world, 2);
    assert_eq!(told(&world, anchor), AirTold::None);
    world.entities().get::<&mut Transform>(cart).expect("it is there").translation[0] = -1.0;
    run(&mut world, 1);
    assert_eq!(told(&world, anchor), AirTold::Uniform { points: 1 });
}
