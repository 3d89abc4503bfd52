//! The entity world: what a tick does to entities, and what it leaves alone.
#![cfg(feature = "world")]

mod ropes;

use cloth_core::anchor::Teleport;
use cloth_core::{ClothDynamics, library};
use cloth_host::pose::Pose;
use cloth_host::world::hecs::Entity;
use cloth_host::world::{
    Attachment, Cloth, ClothCollider, ClothExclude, ClothMesh, ClothPin, ClothTargets, Collider, MeshSource,
    Rate, Shape, Transform, World, WorldError,
};
use ropes::{chain, edit, local, rope, run};

fn place(world: &World, entity: Entity) -> [f64; 3] {
    world.entities().get::<&Transform>(entity).expect("it is there").translation
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f64>().sqrt()
}

/// A rope that comes to rest soon.
fn damped() -> ClothDynamics {
    ClothDynamics { damping: 4.0, ..library::ROPE }
}

fn square(pins: &[u32]) -> ClothMesh {
    let at = |column: u8, row: u8| [f32::from(column) * 0.1, 0.0, f32::from(row) * 0.1];
    let positions = (0..6).flat_map(|row| (0..6).map(move |column| at(column, row))).collect();
    let cell = |c: u32| [[c, c + 6, c + 1], [c + 1, c + 6, c + 7]];
    let triangles = (0..5).flat_map(|row| (0..5).flat_map(move |column| cell(row * 6 + column))).collect();
    ClothMesh::new(MeshSource { positions, triangles, pins: pins.into(), weld: None })
}

#[test]
fn a_rope_falls_and_its_links_keep_their_lengths() {
    let mut world = World::new();
    let (anchor, links) = rope(&mut world, [0.0, 5.0, 0.0], 12, Cloth::of(library::ROPE));
    run(&mut world, 300);
    let mut above = place(&world, anchor);
    for link in &links {
        let here = place(&world, *link);
        assert!((distance(above, here) - 0.1).abs() < 1e-3);
        above = here;
    }
    assert!(above[1] < 3.9, "{above:?}");
    assert_eq!(world.nodes(anchor).collect::<Vec<_>>(), links);
}

#[test]
fn what_is_written_back_is_what_composing_gives() {
    let mut world = World::new();
    let (anchor, links) = rope(&mut world, [3.0e5, 5.0, -2.0e5], 12, Cloth::of(library::CHAIN));
    for tick in 0..120_u32 {
        let x = 3.0e5 + 0.02 * f64::from(tick);
        edit::<Transform>(&mut world, anchor, |transform| transform.translation[0] = x);
        run(&mut world, 1);
        let shown = world.interpolate(anchor, 1.0).expect("it lives");
        for ((node, transform), position) in shown.nodes.iter().zip(shown.positions.iter().skip(1)) {
            let written = *world.entities().get::<&Transform>(*node).expect("it is there");
            assert!(distance(written.translation, shown.anchor.apply(*position)) < 1e-6);
            assert!(distance(written.translation, transform.translation) < 1e-9);
        }
    }
    let before: Vec<_> = links.iter().map(|link| place(&world, *link)).collect();
    // Composed by hand, from local transforms alone.
    let mut above = *world.entities().get::<&Transform>(anchor).expect("it is there");
    for (link, before) in links.iter().zip(before) {
        above = local(&world, *link).within(&above);
        assert!(distance(above.translation, before) < 1e-6);
    }
}

#[test]
fn a_link_is_turned_as_it_hangs() {
    let mut world = World::new();
    let (_, links) = rope(&mut world, [0.0; 3], 8, Cloth::of(library::CHAIN));
    run(&mut world, 900);
    let last = *world.entities().get::<&Transform>(links[7]).expect("it is there");
    // Authored along +X it hangs down: X of the link is −Y of the world.
    let along = cloth_host::pose::turn(last.rotation, [1.0, 0.0, 0.0]);
    assert!(along[1] < -0.999, "{along:?}");
}

#[test]
fn the_authored_pose_comes_back_exactly() {
    let mut world = World::new();
    let (anchor, links) = rope(&mut world, [0.0; 3], 6, Cloth::of(library::ROPE));
    let authored: Vec<Transform> = links.iter().map(|link| local(&world, *link)).collect();
    let same = |world: &World| links.iter().map(|link| local(world, *link)).eq(authored.iter().copied());
    run(&mut world, 60);
    assert!(!same(&world));
    for _ in 0..20 {
        world.reseed(anchor).expect("it can be made");
        assert!(same(&world), "a new seed begins at it");
        run(&mut world, 7);
        let cloth = world.entities_mut().remove_one::<Cloth>(anchor).expect("it has one");
        run(&mut world, 1);
        assert!(same(&world), "what is removed leaves it");
        assert!((place(&world, links[5])[0] - 0.6).abs() < 1e-12, "and the world follows");
        assert!(world.diagnostics(anchor).is_none());
        world.entities_mut().insert_one(anchor, cloth).expect("it is there");
        run(&mut world, 9);
        edit::<Cloth>(&mut world, anchor, |cloth| cloth.blend = 0.0);
        run(&mut world, 1);
        assert!(same(&world), "blend 0 shows it");
        edit::<Cloth>(&mut world, anchor, |cloth| cloth.blend = 1.0);
        run(&mut world, 1);
        assert!(!same(&world));
    }
    world.entities_mut().despawn(anchor).expect("it is there");
    assert!(matches!(world.tick(), Err(WorldError::NoParent { .. })));
}

#[test]
fn only_what_tables_depend_on_seeds_anew() {
    let mut world = World::new();
    let (anchor, _) = rope(&mut world, [0.0; 3], 6, Cloth::of(library::ROPE));
    run(&mut world, 10);
    let steps = |world: &World| world.diagnostics(anchor).expect("it lives").steps;
    edit::<Cloth>(&mut world, anchor, |cloth| {
        cloth.dynamics = library::CHAIN;
        cloth.dynamics.slack = 0.2;
        cloth.blend = 0.5;
        (cloth.layer, cloth.mask) = (3, 5);
        cloth.sleeps = false;
    });
    run(&mut world, 1);
    assert_eq!(steps(&world), 11, "all of that is live");
    let changes: [fn(&mut Cloth); 3] =
        [|cloth| cloth.density = Some(0.3), |cloth| cloth.stiff_bend = true, |cloth| cloth.colliders = 128];
    for change in changes {
        edit(&mut world, anchor, change);
        run(&mut world, 2);
        assert_eq!(steps(&world), 2);
    }
    edit::<Transform>(&mut world, anchor, |transform| transform.scale = [2.0; 3]);
    run(&mut world, 2);
    assert_eq!(steps(&world), 2, "another scale is another length");
    let mesh = square(&[0, 5]);
    world.entities_mut().insert_one(anchor, mesh.clone()).expect("it is there");
    run(&mut world, 3);
    assert_eq!((steps(&world), world.positions(anchor).map(<[_]>::len)), (3, Some(36)));
    // The same mesh again, in memory of its own.
    world.entities_mut().insert_one(anchor, ClothMesh::new((*mesh.0).clone())).expect("it is there");
    run(&mut world, 1);
    assert_eq!(steps(&world), 4);
}

#[test]
fn a_subtree_that_changes_is_noticed_and_applied_when_asked() {
    let mut world = World::new();
    let (anchor, links) = rope(&mut world, [0.0; 3], 6, Cloth::of(library::ROPE));
    run(&mut world, 5);
    let changed = |world: &World| world.diagnostics(anchor).expect("it lives").subtree_changed;
    assert!(!changed(&world));
    let more = world.attach(links[5], Transform::at([0.1, 0.0, 0.0]));
    run(&mut world, 1);
    assert!(changed(&world) && world.nodes(anchor).count() == 6);
    world.reseed(anchor).expect("it can be made");
    run(&mut world, 1);
    assert!(!changed(&world) && world.nodes(anchor).count() == 7);
    world.entities_mut().insert_one(links[2], ClothExclude).expect("it is there");
    world.entities_mut().insert_one(links[1], ClothPin).expect("it is there");
    run(&mut world, 1);
    assert!(changed(&world));
    world.reseed(anchor).expect("it can be made");
    run(&mut world, 30);
    assert_eq!(world.nodes(anchor).collect::<Vec<_>>(), links[..2]);
    assert!(distance(place(&world, links[1]), [0.2, 0.0, 0.0]) < 1e-6, "a pin stays");
    assert_eq!(local(&world, more), Transform::at([0.1, 0.0, 0.0]), "what is left out is put back");
    // Gone in the middle of a run: the rest goes on.
    world.entities_mut().despawn(links[2]).expect("it is there");
    assert!(matches!(world.tick(), Err(WorldError::NoParent { .. })), "its children hang on nothing");
    for link in &links[3..] {
        world.entities_mut().despawn(*link).expect("it is there");
    }
    world.entities_mut().despawn(more).expect("it is there");
    world.entities_mut().despawn(links[1]).expect("it is there");
    run(&mut world, 5);
    assert!(changed(&world));
    assert!(matches!(world.state(anchor), Some(state) if state.positions().count() == 3));
    world.entities_mut().despawn(links[0]).expect("it is there");
    run(&mut world, 1);
    assert_eq!(world.reseed(anchor), Err(WorldError::NothingToSimulate { entity: anchor }));
    run(&mut world, 1);
}

#[test]
fn bad_input_is_named_and_changes_nothing() {
    let mut world = World::new();
    let (anchor, links) = rope(&mut world, [0.0; 3], 4, Cloth::of(library::ROPE));
    let ball = world.spawn((
        Transform::at([0.2, -0.5, 0.0]),
        Collider::new(Shape::Sphere { radius: 0.1 }),
        ClothCollider::default(),
    ));
    run(&mut world, 5);
    let before = world.fingerprint();
    let refuses = |world: &mut World, expected: WorldError| {
        assert_eq!(world.tick(), Err(expected.clone()));
        assert_eq!(world.fingerprint(), before, "{expected}");
        assert!(expected.to_string().len() > 20);
    };
    let fault = |entity, fault| WorldError::Transform { entity, fault };
    use cloth_host::world::TransformFault;

    edit::<Transform>(&mut world, anchor, |transform| transform.translation[1] = f64::NAN);
    refuses(&mut world, fault(anchor, TransformFault::Translation));
    edit::<Transform>(&mut world, anchor, |transform| {
        *transform = Transform { scale: [1.0, 2.0, 1.0], ..Transform::IDENTITY }
    });
    refuses(&mut world, WorldError::NonUniformScale { entity: anchor });
    edit::<Transform>(&mut world, anchor, |transform| *transform = Transform::IDENTITY);

    edit::<Transform>(&mut world, ball, |transform| transform.scale = [1.0, 1.0, 3.0]);
    refuses(&mut world, WorldError::NonUniformScale { entity: ball });
    edit::<Transform>(&mut world, ball, |transform| {
        (transform.scale, transform.rotation) = ([1.0; 3], [0.0; 4])
    });
    refuses(&mut world, fault(ball, TransformFault::Rotation));
    edit::<Transform>(&mut world, ball, |transform| transform.rotation = [0.0, 0.0, 0.0, 1.0]);
    edit::<Collider>(&mut world, ball, |collider| collider.shape = Shape::Sphere { radius: -1.0 });
    assert!(matches!(world.tick(), Err(WorldError::Collider { entity, .. }) if entity == ball));
    edit::<Collider>(&mut world, ball, |collider| collider.shape = Shape::Sphere { radius: 0.1 });

    edit::<Attachment>(&mut world, links[0], |attachment| attachment.parent = links[3]);
    refuses(&mut world, WorldError::AttachmentCycle { entity: links[0] });
    edit::<Attachment>(&mut world, links[0], |attachment| attachment.parent = anchor);

    edit::<Cloth>(&mut world, anchor, |cloth| cloth.dynamics.bend = f32::NAN);
    refuses(&mut world, WorldError::Setting { entity: anchor, field: "bend" });
    edit::<Cloth>(&mut world, anchor, |cloth| (cloth.dynamics.bend, cloth.blend) = (0.0, 1.5));
    refuses(&mut world, WorldError::Setting { entity: anchor, field: "blend" });
    edit::<Cloth>(&mut world, anchor, |cloth| (cloth.blend, cloth.escape.window) = (1.0, 0));
    refuses(&mut world, WorldError::Setting { entity: anchor, field: "escape.window" });
    edit::<Cloth>(&mut world, anchor, |cloth| cloth.escape.window = 15);
    edit::<Cloth>(&mut world, anchor, |cloth| cloth.most_substeps = 1025);
    refuses(&mut world, WorldError::Setting { entity: anchor, field: "most_substeps" });
    edit::<Cloth>(&mut world, anchor, |cloth| cloth.most_substeps = 256);
    let said = |field| WorldError::Setting { entity: anchor, field }.to_string();
    assert!(said("blend").ends_with("blend must lie within 0 to 1"));
    assert!(said("most_substeps").ends_with("most_substeps must lie within 0 to 1024"));
    assert!(said("colliders").ends_with("colliders must lie within 1 to 256"));
    assert!(said("escape.window").ends_with("escape.window must lie within 1 to 60000"));

    world.entities_mut().insert_one(anchor, ClothTargets(vec![[0.0; 3]; 3])).expect("it is there");
    refuses(&mut world, WorldError::TargetCount { entity: anchor, expected: 5, given: 3 });
    world.entities_mut().insert_one(anchor, ClothTargets(vec![[f32::INFINITY; 3]; 5])).expect("it is there");
    refuses(&mut world, WorldError::Target { entity: anchor, vertex: 0 });
    world.entities_mut().remove_one::<ClothTargets>(anchor).expect("it has them");

    let lonely = world.spawn((Transform::IDENTITY, Cloth::default()));
    refuses(&mut world, WorldError::NothingToSimulate { entity: lonely });
    let doubled = world.attach(lonely, Transform::IDENTITY);
    let refused = world.tick();
    assert!(
        matches!(refused, Err(WorldError::Build { entity, part: Some(part), .. }) if (entity, part) == (lonely, doubled))
    );
    world.entities_mut().despawn(doubled).expect("it is there");
    world.entities_mut().despawn(lonely).expect("it is there");
    assert_eq!(world.wake(lonely), Err(WorldError::NoSuchEntity { entity: lonely }));
    assert_eq!(world.wake(ball), Err(WorldError::NoCloth { entity: ball }));
    assert_eq!(world.reseed(ball), Err(WorldError::NoCloth { entity: ball }));
    assert!(WorldError::NoCloth { entity: ball }.to_string().ends_with("call tick or prepare"));
    assert!(world.set_gravity([0.0, f64::NAN, 0.0]).is_err());
    assert!(matches!(world.advance(-1.0), Err(WorldError::Elapsed { .. })));
    let homeless = world.entities_mut().spawn((Cloth::default(),));
    refuses(&mut world, WorldError::NoTransform { entity: homeless });
    world.entities_mut().despawn(homeless).expect("it is there");
    run(&mut world, 1);
    assert_ne!(world.fingerprint(), before, "and it goes on");
}

#[test]
fn after_a_refused_tick_everything_is_written_where_it_is() {
    let mut world = World::new();
    let (anchor, links) = rope(&mut world, [0.0; 3], 4, Cloth::of(library::ROPE));
    run(&mut world, 5);
    let before: Vec<[f64; 3]> = links.iter().map(|link| place(&world, *link)).collect();
    edit::<Transform>(&mut world, anchor, |transform| transform.translation[2] += 8.0);
    edit::<Cloth>(&mut world, anchor, |cloth| cloth.blend = 2.0);
    assert_eq!(world.tick(), Err(WorldError::Setting { entity: anchor, field: "blend" }));
    for (link, [x, y, z]) in links.iter().zip(before) {
        assert!(distance(place(&world, *link), [x, y, z + 8.0]) < 1e-12);
    }
}

#[test]
fn a_cloth_on_a_cloth_is_one_step_behind_it() {
    let mut world = World::new();
    let (outer, links) = rope(&mut world, [0.0; 3], 6, Cloth::of(library::ROPE));
    let inner = world.attach(links[2], Transform::IDENTITY);
    world.entities_mut().insert_one(inner, Cloth::of(library::CHAIN)).expect("it is there");
    let tail = chain(&mut world, inner, 4);
    for tick in 0..120_u32 {
        let angle = f64::from(tick) * 0.01;
        edit::<Transform>(&mut world, outer, |transform| {
            transform.rotation = [0.0, (angle / 2.0).sin(), 0.0, (angle / 2.0).cos()]
        });
        let before = world.positions(outer).map(|shape| shape[3].map(f64::from));
        run(&mut world, 1);
        if let Some(before) = before {
            let ran_on = world.stepped_anchor(inner).expect("it lives").translation;
            let expected = world.stepped_anchor(outer).expect("it lives").apply(before);
            assert!(distance(ran_on, expected) < 1e-12, "tick {tick}: the shape that the last tick left");
            assert!(distance(ran_on, place(&world, links[2])) > 1e-6, "tick {tick}: and not this one's");
            assert!(
                distance(place(&world, inner), place(&world, links[2])) < 1e-12,
                "what is shown hangs together"
            );
        }
    }
    assert_eq!(world.nodes(outer).collect::<Vec<_>>(), links, "an anchor is no node");
    let moved = world.positions(inner).expect("it lives")[4].map(f64::from);
    assert!(distance(moved, [0.4, 0.0, 0.0]) > 0.05 && tail.len() == 4, "{moved:?}");
}

#[test]
fn what_nobody_sees_stands_still_and_comes_back_as_it_was() {
    let mut world = World::new();
    let (anchor, links) = rope(&mut world, [0.0; 3], 8, Cloth::of(library::ROPE));
    run(&mut world, 20);
    edit::<Cloth>(&mut world, anchor, |cloth| cloth.visible = false);
    let before = world.state(anchor).expect("it lives").fingerprint();
    let shape = world.positions(anchor).expect("it lives").to_vec();
    for tick in 0..90_u8 {
        edit::<Transform>(&mut world, anchor, |transform| transform.translation[0] = 3.0 * f64::from(tick));
        run(&mut world, 1);
        assert_eq!(world.state(anchor).expect("it lives").fingerprint(), before);
        let tip = f64::from(shape[8][0]) + 3.0 * f64::from(tick);
        assert!((place(&world, links[7])[0] - tip).abs() < 1e-9, "it goes along with its anchor");
    }
    assert!(world.diagnostics(anchor).expect("it lives").culled);
    edit::<Cloth>(&mut world, anchor, |cloth| cloth.visible = true);
    run(&mut world, 1);
    let now = world.positions(anchor).expect("it lives");
    let far =
        shape.iter().zip(now).map(|(a, b)| distance(a.map(f64::from), b.map(f64::from))).fold(0.0, f64::max);
    assert!(far < 0.1, "{far}: it goes on at the speed it had");
    assert!(!world.diagnostics(anchor).expect("it lives").culled);
}

#[test]
fn a_slower_rate_takes_fewer_steps_and_shows_as_many_poses() {
    for (rate, every) in [(Rate::Every, 1), (Rate::Second, 2), (Rate::Fourth, 4)] {
        let mut world = World::new();
        let (anchor, _) =
            rope(&mut world, [0.0; 3], 8, Cloth { rate, sleeps: false, ..Cloth::of(library::ROPE) });
        run(&mut world, 16);
        assert_eq!(world.diagnostics(anchor).expect("it lives").steps, 16 / every);
        let mut before: Option<Vec<[f64; 3]>> = None;
        for _ in 0..12 {
            run(&mut world, 1);
            for alpha in [0.25, 0.5, 0.75, 1.0] {
                let shown = world.interpolate(anchor, alpha).expect("it lives").positions;
                if let Some(before) = &before {
                    let way = distance(shown[8], before[8]);
                    assert!(way > 1e-4 && way < 0.05, "{every}: {way}");
                }
                before = Some(shown);
            }
        }
    }
}

#[test]
fn a_teleport_is_not_smeared() {
    let mut world = World::new();
    let (anchor, links) = rope(&mut world, [0.0; 3], 8, Cloth::of(library::ROPE));
    run(&mut world, 40);
    for kind in [Teleport::Keep, Teleport::Reset] {
        let shape = world.positions(anchor).expect("it lives").to_vec();
        world.teleport(anchor, kind).expect("it lives");
        edit::<Transform>(&mut world, anchor, |transform| transform.translation[2] += 1.0e7);
        run(&mut world, 1);
        let shown = world.interpolate(anchor, 0.5).expect("it lives");
        let at = world.entities().get::<&Transform>(anchor).expect("it is there").pose();
        assert!(shown.anchor.is(&at), "{kind:?}");
        let diagnostics = world.diagnostics(anchor).expect("it lives");
        assert_eq!(diagnostics.teleported, Some(kind));
        if kind == Teleport::Reset {
            assert!((place(&world, links[7])[0] - 0.8).abs() < 1e-6);
        } else {
            assert!(distance(shape[8].map(f64::from), shown.positions[8]) < 0.1);
        }
    }
}

#[test]
fn what_hangs_on_a_cloth_that_is_reset_goes_along() {
    let mut world = World::new();
    let (outer, links) = rope(&mut world, [0.0; 3], 6, Cloth::of(library::ROPE));
    let inner = world.attach(links[5], Transform::IDENTITY);
    world
        .entities_mut()
        .insert_one(inner, Cloth { dynamics: damped(), ..Cloth::default() })
        .expect("it is there");
    chain(&mut world, inner, 4);
    run(&mut world, 200);
    world.teleport(outer, Teleport::Reset).expect("it lives");
    run(&mut world, 1);
    let (before, hung) = (world.stepped_anchor(inner).expect("it lives"), place(&world, inner));
    let way = distance(before.translation, hung);
    assert!(way > 0.1, "its node jumps by {way} m");
    // Within its limits, so that nothing else makes a teleport of it.
    edit::<Cloth>(&mut world, inner, |cloth| cloth.limits.beyond = None);
    run(&mut world, 1);
    assert_eq!(world.diagnostics(inner).expect("it lives").teleported, Some(Teleport::Keep));
    run(&mut world, 1);
    assert_eq!(world.diagnostics(inner).expect("it lives").teleported, None, "once");
}

#[test]
fn an_entity_goes_with_what_is_attached_to_it() {
    let mut world = World::new();
    let (anchor, links) = rope(&mut world, [0.0; 3], 6, Cloth::of(library::ROPE));
    let other = world.spawn((Transform::IDENTITY,));
    run(&mut world, 3);
    assert_eq!(world.despawn(links[3]), Ok(3));
    assert_eq!(world.tick(), Ok(()));
    assert!(world.diagnostics(anchor).expect("it lives").subtree_changed);
    assert_eq!(world.despawn(anchor), Ok(4));
    assert_eq!(world.tick(), Ok(()));
    assert_eq!(world.despawn(anchor), Err(WorldError::NoSuchEntity { entity: anchor }));
    assert!(world.diagnostics(anchor).is_none() && world.entities().contains(other));
}

#[test]
fn a_carried_anchor_is_not_felt() {
    let swing = |carried: bool| {
        let mut world = World::new();
        let (anchor, links) = rope(&mut world, [0.0; 3], 6, Cloth::of(damped()));
        run(&mut world, 600);
        let mut farthest = 0.0;
        for _ in 0..30 {
            if carried {
                let part = Pose { translation: [0.1, 0.0, 0.0], ..Pose::IDENTITY };
                world.carry(anchor, part).expect("it lives");
            }
            edit::<Transform>(&mut world, anchor, |transform| transform.translation[0] += 0.1);
            run(&mut world, 1);
            farthest = f64::max(farthest, (place(&world, anchor)[0] - place(&world, links[5])[0]).abs());
        }
        farthest
    };
    assert!(swing(true) < 0.01, "{}", swing(true));
    assert!(swing(false) > 0.2, "{}", swing(false));
}

#[test]
fn anchors_and_colliders_that_are_unrelated_change_no_bit() {
    let state = |crowd: bool| {
        let mut world = World::new();
        let noise = |world: &mut World, z: f64| {
            world.spawn((
                Transform::at([0.0, 0.0, z]),
                Collider::new(Shape::Sphere { radius: 1.0 }),
                ClothCollider::default(),
            ));
            rope(world, [0.0, 0.0, z + 3.0], 5, Cloth::of(library::CHAIN));
        };
        if crowd {
            noise(&mut world, 50.0);
        }
        let (anchor, _) = rope(&mut world, [0.0; 3], 8, Cloth::of(damped()));
        if crowd {
            noise(&mut world, -70.0);
        }
        world.spawn((
            Transform::at([0.3, -0.4, 0.0]),
            Collider::new(Shape::Sphere { radius: 0.1 }),
            ClothCollider::default(),
        ));
        run(&mut world, 50);
        if crowd {
            noise(&mut world, 90.0);
        }
        run(&mut world, 1500);
        assert!(world.diagnostics(anchor).expect("it lives").asleep);
        world.state(anchor).expect("it lives").fingerprint()
    };
    assert_eq!(state(true), state(false));
}
