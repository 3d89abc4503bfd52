//! What only somebody who means harm does to a world, or a game on a bad day.
#![cfg(feature = "io")]

mod ropes;

use cloth_core::anchor::{Teleport, TeleportLimits};
use cloth_core::{ClothDynamics, library};
use cloth_host::pose::Pose;
use cloth_host::world::file::WorldFile;
use cloth_host::world::hecs::Entity;
use cloth_host::world::{
    Attachment, Cloth, ClothCollider, ClothExclude, ClothPin, ClothTargets, Collider, Rate, Shape, Transform,
    World,
};
use ropes::{chain, edit, local, rope, run};

const AUTHORED: Transform = Transform::at([0.1, 0.0, 0.0]);

/// A rope with another on its last link: the lower one goes, something `happens` to the upper, and that goes too. All nodes have to be
/// where they were authored again.
fn outlives(happens: impl FnOnce(&mut World, Entity)) {
    let mut world = World::new();
    let (upper, mut nodes) = rope(&mut world, [0.0, 5.0, 0.0], 4, Cloth::of(library::ROPE));
    let lower = nodes[3];
    world.entities_mut().insert_one(lower, Cloth::of(library::ROPE)).unwrap();
    nodes.extend(chain(&mut world, lower, 4));
    run(&mut world, 30);
    assert_ne!(local(&world, nodes[4]), AUTHORED);
    world.entities_mut().remove_one::<Cloth>(lower).unwrap();
    happens(&mut world, upper);
    run(&mut world, 30);
    world.entities_mut().remove_one::<Cloth>(upper).unwrap();
    run(&mut world, 1);
    for node in nodes {
        assert_eq!(local(&world, node), AUTHORED);
    }
}

#[test]
fn the_authored_pose_outlives_a_cloth_that_goes_as_another_grows() {
    // In one tick the lower cloth goes and the upper is seeded anew.
    outlives(|world, upper| edit(world, upper, |cloth: &mut Cloth| cloth.density = Some(0.3)));
}

#[test]
fn the_authored_pose_outlives_reseeding_after_a_cloth_went() {
    outlives(|world, upper| world.reseed(upper).unwrap());
}

#[test]
fn the_authored_pose_outlives_a_cloth_that_begins_on_another() {
    for reseeded in [false, true] {
        let mut world = World::new();
        let (a, links) = rope(&mut world, [0.0, 5.0, 0.0], 8, Cloth::of(library::ROPE));
        run(&mut world, 30);
        world.entities_mut().insert_one(links[3], Cloth::of(library::ROPE)).unwrap();
        run(&mut world, 10);
        if reseeded {
            world.reseed(a).unwrap();
        }
        run(&mut world, 10);
        let file = WorldFile::of(&world).unwrap();
        assert!(file.entities.iter().all(|e| e.attachment.is_none_or(|a| a.local == AUTHORED)), "file");
        for gone in [a, links[3]] {
            world.entities_mut().remove_one::<Cloth>(gone).unwrap();
            run(&mut world, 1);
        }
        for node in &links {
            assert_eq!(local(&world, *node), AUTHORED, "reseeded {reseeded}");
        }
    }
}

#[test]
fn a_file_has_the_authored_pose_of_whoever_has_an_old_number() {
    let mut world = World::new();
    let (_, first) = rope(&mut world, [0.0, 5.0, 0.0], 4, Cloth::of(library::ROPE));
    let (_, second) = rope(&mut world, [9.0, 5.0, 0.0], 4, Cloth::of(library::ROPE));
    run(&mut world, 30);
    // The end of one rope goes, its number is used again for the end of the other.
    world.entities_mut().despawn(first[3]).unwrap();
    let end = world.attach(second[3], AUTHORED);
    assert_eq!(end.id(), first[3].id());
    let anchor = world.entities().get::<&Attachment>(second[0]).unwrap().parent;
    world.reseed(anchor).unwrap();
    run(&mut world, 30);
    assert_ne!(local(&world, end), AUTHORED);
    let file = WorldFile::of(&world).unwrap();
    assert!(file.entities.iter().all(|e| e.attachment.is_none_or(|a| a.local == AUTHORED)));
}

#[test]
fn a_file_has_where_a_node_hangs_now() {
    let mut world = World::new();
    let (_, first) = rope(&mut world, [0.0, 5.0, 0.0], 4, Cloth::of(library::ROPE));
    let elsewhere = world.spawn((Transform::at([3.0, 0.0, 0.0]),));
    run(&mut world, 30);
    let here = Transform::at([0.0, 0.7, 0.0]);
    edit(&mut world, first[3], |attachment: &mut Attachment| {
        *attachment = Attachment { parent: elsewhere, local: here };
    });
    run(&mut world, 1);
    let file = WorldFile::of(&world).unwrap();
    let number = 1 + 3;
    assert_eq!(file.entities[number].attachment.unwrap().local, here);
}

#[test]
fn what_is_carried_is_looked_at() {
    let mut world = World::new();
    let (a, _) = rope(&mut world, [0.0, 5.0, 0.0], 4, Cloth::of(library::ROPE));
    run(&mut world, 3);
    let before = world.fingerprint();
    for part in [
        Pose { translation: [f64::NAN, 0.0, 0.0], ..Pose::IDENTITY },
        Pose { rotation: [f64::NAN, 0.0, 0.0, 1.0], ..Pose::IDENTITY },
        Pose { rotation: [0.0; 4], ..Pose::IDENTITY },
    ] {
        assert!(world.carry(a, part).is_err(), "{part:?}");
    }
    assert_eq!(world.fingerprint(), before);
    run(&mut world, 1);
    assert_eq!(world.diagnostics(a).unwrap().teleported, None);
}

#[test]
fn a_pause_asked_for_in_a_step_holds() {
    let mut world = World::new();
    rope(&mut world, [0.0, 5.0, 0.0], 4, Cloth::of(library::ROPE));
    let advance = world.advance_with(4.0 / 60.0, |world| world.clock_mut().pause(true)).unwrap();
    assert!(world.clock().is_paused());
    assert_eq!((advance.steps, world.clock().taken()), (0, 0));
}

#[test]
fn a_pin_goes_back_to_where_it_was_authored_without_targets() {
    let mut world = World::new();
    let (a, links) = rope(&mut world, [0.0, 5.0, 0.0], 4, Cloth::of(library::ROPE));
    world.entities_mut().insert_one(links[1], ClothPin).unwrap();
    let rest: Vec<[f32; 3]> = (0..5_u8).map(|i| [f32::from(i) * 0.1, 0.0, 0.0]).collect();
    let mut targets = rest.clone();
    targets[2][1] = 0.05;
    world.entities_mut().insert_one(a, ClothTargets(targets)).unwrap();
    run(&mut world, 5);
    world.entities_mut().remove_one::<ClothTargets>(a).unwrap();
    run(&mut world, 5);
    let at = world.positions(a).unwrap()[2];
    assert!((at[0] - 0.2).abs() < 1e-6 && at[1].abs() < 1e-6, "{at:?}");
}

#[test]
fn a_rate_that_changes_between_two_steps_makes_no_time() {
    // A rope that is carried along at a steady 3 m/s feels nothing, whatever its rate was.
    let mut world = World::new();
    let limits = TeleportLimits { beyond: None, ..TeleportLimits::DEFAULT };
    let cloth = Cloth {
        rate: Rate::Fourth,
        limits,
        sleeps: false,
        ..Cloth::of(ClothDynamics { damping: 4.0, ..library::ROPE })
    };
    let (a, _) = rope(&mut world, [0.0, 5.0, 0.0], 4, cloth);
    for _ in 0..600 {
        edit(&mut world, a, |t: &mut Transform| t.translation[0] += 0.05);
        run(&mut world, 1);
    }
    let tip = |world: &World| world.positions(a).unwrap()[4];
    let before = tip(&world);
    let steps = world.diagnostics(a).unwrap().steps;
    while world.diagnostics(a).unwrap().steps == steps {
        edit(&mut world, a, |t: &mut Transform| t.translation[0] += 0.05);
        run(&mut world, 1);
    }
    for _ in 0..2 {
        edit(&mut world, a, |t: &mut Transform| t.translation[0] += 0.05);
        run(&mut world, 1);
    }
    edit(&mut world, a, |cloth: &mut Cloth| cloth.rate = Rate::Every);
    for _ in 0..3 {
        edit(&mut world, a, |t: &mut Transform| t.translation[0] += 0.05);
        run(&mut world, 1);
        let speed = world.diagnostics(a).unwrap().max_speed;
        assert!(speed < 0.3, "{speed} m/s, {:?} to {:?}", before, tip(&world));
    }
}

#[test]
fn a_jump_is_shown_as_one_at_any_rate() {
    for rate in [Rate::Every, Rate::Second, Rate::Fourth] {
        for visible in [true, false] {
            let mut world = World::new();
            let cloth = Cloth { rate, ..Cloth::of(library::ROPE) };
            let (a, _) = rope(&mut world, [0.0, 5.0, 0.0], 4, cloth);
            run(&mut world, 5);
            edit(&mut world, a, |cloth: &mut Cloth| cloth.visible = visible);
            run(&mut world, 1);
            for _ in 0..6 {
                world.teleport(a, Teleport::Keep).unwrap();
                edit(&mut world, a, |t: &mut Transform| t.translation[0] += 1000.0);
                let there = world.entities().get::<&Transform>(a).unwrap().translation[0];
                run(&mut world, 1);
                for alpha in [0.0, 0.5, 1.0] {
                    let shown = world.interpolate(a, alpha).unwrap().anchor.translation[0];
                    assert!((shown - there).abs() < 1.0, "{rate:?} {visible} {alpha}: {shown} {there}");
                }
            }
        }
    }
}

#[test]
fn excluded_and_pinned_instead_is_a_change() {
    let mut world = World::new();
    let (a, links) = rope(&mut world, [0.0, 5.0, 0.0], 4, Cloth::of(library::ROPE));
    world.entities_mut().insert_one(links[3], ClothExclude).unwrap();
    run(&mut world, 2);
    assert!(!world.diagnostics(a).unwrap().subtree_changed);
    world.entities_mut().remove_one::<ClothExclude>(links[3]).unwrap();
    world.entities_mut().insert_one(links[3], ClothPin).unwrap();
    run(&mut world, 1);
    assert!(world.diagnostics(a).unwrap().subtree_changed);
}

#[test]
fn a_body_that_somebody_took_out_of_the_index_comes_back() {
    let mut world = World::new();
    world.spawn((
        Transform::IDENTITY,
        Collider::new(Shape::Sphere { radius: 1.0 }),
        ClothCollider::default(),
    ));
    run(&mut world, 1);
    *world.index_mut() = cloth_host::index::Index::default();
    run(&mut world, 1);
    assert_eq!(cloth_host::index::ColliderIndex::len(world.index()), 1);
}

#[test]
fn json_gives_every_bit_back() {
    let mut seed = 1_u64;
    let mut next = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64 * 10.0
    };
    for _ in 0..2000 {
        let t = Transform::at([next(), next(), next()]);
        let text = serde_json::to_string(&t).unwrap();
        assert_eq!(serde_json::from_str::<Transform>(&text).unwrap(), t, "{text}");
    }
}

#[test]
fn a_newer_file_is_refused_as_that_whatever_is_in_it() {
    for text in [
        "version = 2\n[[entities]]\nwind = 3",
        "version = 2\n[[entities]]\n[entities.cloth]\nrate = \"eighth\"",
        "version = 2\ngravity = \"moon\"",
        "version = 2\n[[entities]]\n[entities.cloth]\nversion = 2",
    ] {
        let said = toml::from_str::<WorldFile>(text).expect_err("refused").to_string();
        assert!(said.contains("version 2"), "{said}");
    }
    for text in
        ["{\"entities\": [{\"wind\": 1}], \"version\": 2}", "{\"version\": 2, \"entities\": [{\"wind\": 1}]}"]
    {
        let said = serde_json::from_str::<WorldFile>(text).expect_err("refused").to_string();
        assert!(said.contains("version 2"), "{said}");
    }
    let text =
        "[[entities]]\n[[entities]]\n[entities.cloth]\nblend = 1.0\n[entities.cloth.dynamics]\nstrecth = 1";
    let said = toml::from_str::<WorldFile>(text).expect_err("refused").to_string();
    assert!(
        said.contains("entities[1].cloth") && said.contains("dynamics") && said.contains("`strecth`"),
        "{said}"
    );
}

#[test]
fn what_a_cloth_moved_stands_where_it_was_put_when_prepared() {
    let mut world = World::new();
    let (a, links) = rope(&mut world, [0.0, 5.0, 0.0], 4, Cloth::of(library::ROPE));
    run(&mut world, 30);
    world.entities_mut().remove_one::<Cloth>(a).unwrap();
    world.prepare().unwrap();
    let tip = world.entities().get::<&Transform>(links[3]).unwrap().translation;
    assert!((tip[0] - 0.4).abs() < 1e-9 && (tip[1] - 5.0).abs() < 1e-9, "{tip:?}");
}

#[test]
fn a_snapshot_that_sleeps_is_shown() {
    let mut world = World::new();
    let cloth = Cloth::of(ClothDynamics { damping: 4.0, ..library::ROPE });
    let (a, _) = rope(&mut world, [0.0, 5.0, 0.0], 4, cloth);
    let take = |world: &World| {
        let state = world.state(a).unwrap();
        let mut out = vec![cloth_core::Block::default(); state.model().snapshot_blocks()];
        state.snapshot(&mut out).unwrap();
        out
    };
    let sleep = |world: &mut World| {
        for _ in 0..3000 {
            world.tick().unwrap();
            if world.diagnostics(a).unwrap().asleep {
                return;
            }
        }
        panic!("it does not sleep");
    };
    sleep(&mut world);
    let first = take(&world);
    let there = world.positions(a).unwrap().to_vec();
    world
        .with_state(a, |state| state.place(4, cloth_core::Vec3::new(0.3, 0.2, 0.1), cloth_core::Vec3::ZERO))
        .unwrap()
        .unwrap();
    sleep(&mut world);
    assert_ne!(world.positions(a).unwrap(), there, "no other rest");
    world.with_state(a, |state| state.restore(&first)).unwrap().unwrap();
    run(&mut world, 1);
    assert_eq!(world.positions(a).unwrap(), there);
}

#[test]
fn a_rope_over_the_edge_of_the_world_does_not_stop_it() {
    let mut world = World::new();
    let edge = cloth_host::world::FARTHEST;
    let (anchor, links) = rope(&mut world, [0.0, -edge, 0.0], 4, Cloth::of(library::ROPE));
    run(&mut world, 30);
    let lowest = world.entities().get::<&Transform>(links[3]).unwrap().translation[1];
    assert!(lowest < -edge, "it hangs beyond it: {lowest}");
    // Who is attached over the edge by hand is named, and may come back.
    edit::<Transform>(&mut world, anchor, |at| at.translation[1] = -1.1 * edge);
    let refused = world.tick();
    assert!(
        matches!(refused, Err(cloth_host::world::WorldError::Transform { entity, .. }) if entity == anchor),
        "{refused:?}"
    );
    edit::<Transform>(&mut world, anchor, |at| at.translation[1] = 0.0);
    run(&mut world, 2);
}
