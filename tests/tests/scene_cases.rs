//! The cases R3, R20, R22 to R25, R29 and R30: cloth on an anchor that is far away, moves, jumps, sleeps, or has company, on any
//! number of threads.

use anyhow::{Context as _, Result, ensure};
use cloth_core::anchor::Teleport;
use cloth_core::{ClothDynamics, Fingerprint, library};
use cloth_host::world::hecs::{Component, Entity};
use cloth_host::world::{
    Cloth, ClothCollider, ClothDiagnostics, ClothMesh, ClothModel, ClothTargets, Collider, MeshSource, Rayon,
    Shape, Transform, World,
};
use cloth_tests::workload::scenes;

/// A cloth of 16×16 vertices in the plane of X and Z, 5 cm apart, its first row held.
fn sheet() -> ClothMesh {
    let at = |column: u8, row: u8| [f32::from(column) * 0.05, 0.0, f32::from(row) * 0.05];
    let positions = (0..16).flat_map(|row| (0..16).map(move |column| at(column, row))).collect();
    let cell = |c: u32| [[c, c + 16, c + 1], [c + 1, c + 16, c + 17]];
    let cells = (0..15_u32).flat_map(|row| (0..15).map(move |column| row * 16 + column));
    let triangles = cells.flat_map(cell).collect();
    ClothMesh::new(MeshSource { positions, triangles, pins: HELD.collect(), weld: None })
}

const HELD: core::ops::Range<u32> = 0..16;

/// A chain of links of 10 cm, hanging from its anchor.
fn chain(world: &mut World, at: [f64; 3], links: u32, dynamics: ClothDynamics) -> Entity {
    let anchor = world.spawn((Transform::at(at), Cloth::of(dynamics)));
    let mut parent = anchor;
    for _ in 0..links {
        parent = world.attach(parent, Transform::at([0.0, -0.1, 0.0]));
    }
    anchor
}

fn ball(world: &mut World, at: [f64; 3], radius: f32) -> Entity {
    let shape = Collider::new(Shape::Sphere { radius });
    world.spawn((Transform::at(at), shape, ClothCollider::default()))
}

/// Changes a component of an entity.
fn edit<T: Component>(world: &World, entity: Entity, change: impl FnOnce(&mut T)) -> Result<()> {
    change(&mut *world.entities().get::<&mut T>(entity)?);
    Ok(())
}

fn shift(world: &World, entity: Entity, by: [f64; 3]) -> Result<()> {
    edit(world, entity, |transform: &mut Transform| {
        for (x, by) in transform.translation.iter_mut().zip(by) {
            *x += by;
        }
    })
}

fn ticks(world: &mut World, count: u32) -> Result<()> {
    (0..count).try_for_each(|_| Ok(world.tick()?))
}

fn fingerprint(world: &World, anchor: Entity) -> Result<Fingerprint> {
    Ok(world.state(anchor).context("it lives")?.fingerprint())
}

fn positions(world: &World, anchor: Entity) -> Result<&[[f32; 3]]> {
    world.positions(anchor).context("it lives")
}

fn diagnostics(world: &World, anchor: Entity) -> Result<&ClothDiagnostics> {
    world.diagnostics(anchor).context("it lives")
}

/// R3: a cloth of 16×16 at 0, 1e3, 1e4, 1e5 m from the world's origin, and at 10,000 km, has the same bits.
#[test]
fn r3_far_from_the_origin() -> Result<()> {
    let state = |at: [f64; 3]| -> Result<Fingerprint> {
        let mut world = World::new();
        let anchor = world.spawn((Transform::at(at), Cloth::of(library::COTTON), sheet()));
        let about = |offset: [f64; 3]| core::array::from_fn(|axis| at[axis] + offset[axis]);
        let floor = Transform::at(about([0.0, -0.5, 0.0]));
        world.spawn((floor, Collider::new(Shape::Plane), ClothCollider::default()));
        let moving = ball(&mut world, about([0.375, -0.375, 0.5]), 0.125);
        let mut contacts = 0;
        for tick in 0..120_u32 {
            // Ways that a f64 holds exactly wherever it stands.
            shift(&world, anchor, [1.0 / 256.0, 0.0, 0.0])?;
            if tick > 60 {
                shift(&world, moving, [1.0 / 64.0, 0.0, -1.0 / 128.0])?;
            }
            world.tick()?;
            contacts = contacts.max(diagnostics(&world, anchor)?.contacts);
        }
        ensure!(contacts > 0, "it met the ball or the floor");
        fingerprint(&world, anchor)
    };
    let here = state([0.0; 3])?;
    for far in [1.0e3, 1.0e4, 1.0e5, 1.0e7] {
        assert_eq!(state([far, -far, 2.0 * far])?, here, "{far} m");
    }
    Ok(())
}

/// R20: one chain at host rates of 15 to 240 Hz: the same states, and with them the same half-life.
#[test]
fn r20_the_rate_of_the_host() -> Result<()> {
    let states = |hertz: u32| -> Result<Vec<Fingerprint>> {
        let mut world = World::new();
        let anchor = chain(&mut world, [0.0; 3], 10, library::ROPE);
        world.prepare()?;
        let mut states = Vec::new();
        for _ in 0..4 * hertz {
            world.advance_with(1.0 / f64::from(hertz), |world| {
                states.push(shift(world, anchor, [0.01, 0.0, 0.0]).and_then(|()| fingerprint(world, anchor)));
            })?;
        }
        states.into_iter().collect()
    };
    let expected = states(60)?;
    assert_eq!(expected.len(), 240);
    assert!(expected.windows(2).all(|pair| pair[0] != pair[1]), "it moves");
    for hertz in [15, 30, 90, 144, 240] {
        assert_eq!(states(hertz)?, expected, "{hertz} Hz");
    }
    Ok(())
}

/// R22: 10 m and half a turn about Y in one step, felt, reset, and kept.
#[test]
fn r22_a_jump() -> Result<()> {
    type Places = Vec<[f32; 3]>;
    // Where it was before, and is and how fast after.
    let jump = |teleport: Option<Teleport>| -> Result<(Places, Places, f32)> {
        let mut world = World::new();
        // Nothing that its limits would turn into a jump by themselves.
        let limits = cloth_core::anchor::TeleportLimits { beyond: None, ..Cloth::default().limits };
        let cloth = Cloth { limits, ..Cloth::of(library::COTTON) };
        let anchor = world.spawn((Transform::IDENTITY, cloth, sheet()));
        ticks(&mut world, 40)?;
        let before = positions(&world, anchor)?.to_vec();
        if let Some(kind) = teleport {
            world.teleport(anchor, kind)?;
        }
        edit(&world, anchor, |at: &mut Transform| {
            (at.translation, at.rotation) = ([10.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]);
        })?;
        world.tick()?;
        assert_eq!(diagnostics(&world, anchor)?.teleported, teleport);
        let fastest =
            world.state(anchor).context("it lives")?.velocities().map(|v| v.dot(v)).fold(0.0, f32::max);
        Ok((before, positions(&world, anchor)?.to_vec(), fastest))
    };
    let (_, reset, speed) = jump(Some(Teleport::Reset))?;
    assert_eq!(reset, sheet().0.positions, "on its targets");
    assert!(speed <= 0.0, "at rest: {speed}");
    let (before, kept, _) = jump(Some(Teleport::Keep))?;
    let (_, felt, _) = jump(None)?;
    let farthest = |now: &[[f32; 3]]| {
        let ways =
            before.iter().zip(now).map(|(a, b)| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f32>());
        ways.fold(0.0, f32::max).sqrt()
    };
    // It was falling and falls on: what a step of its own makes of it. `measure teleport` compares the state before that.
    assert!(farthest(&kept) < 0.1, "{}", farthest(&kept));
    assert!(farthest(&felt) > 0.3, "a motion that is felt is none of these: {}", farthest(&felt));
    Ok(())
}

/// R23: a held row at 1 m/s is on its targets in the same step.
#[test]
fn r23_held_rows_do_not_lag() -> Result<()> {
    let mut world = World::new();
    let anchor = world.spawn((Transform::IDENTITY, Cloth::of(library::COTTON), sheet()));
    ticks(&mut world, 30)?;
    let rest = sheet().0.positions.clone();
    let held = HELD.end as usize;
    for tick in 1..=60_u8 {
        let way = f32::from(tick) / 60.0;
        let targets: Vec<[f32; 3]> = rest.iter().map(|[x, y, z]| [x + way, *y, *z]).collect();
        world.entities_mut().insert_one(anchor, ClothTargets(targets.clone()))?;
        world.tick()?;
        assert_eq!(positions(&world, anchor)?[..held], targets[..held], "tick {tick}");
    }
    // Without targets they are where they were authored, in the frame of an anchor that moves too.
    world.entities_mut().remove_one::<ClothTargets>(anchor)?;
    for _ in 0..30 {
        shift(&world, anchor, [0.0, 0.0, 1.0 / 60.0])?;
        world.tick()?;
        assert_eq!(positions(&world, anchor)?[..held], rest[..held]);
    }
    Ok(())
}

/// R24: a sleeping cloth is awake in the step in which a target moves.
#[test]
fn r24_a_target_wakes() -> Result<()> {
    let mut world = World::new();
    let damped = ClothDynamics { damping: 4.0, ..library::COTTON };
    let anchor = world.spawn((Transform::IDENTITY, Cloth::of(damped), sheet()));
    let mut targets = sheet().0.positions.clone();
    world.entities_mut().insert_one(anchor, ClothTargets(targets.clone()))?;
    let asleep = |world: &World| diagnostics(world, anchor).map(|cloth| cloth.asleep);
    for _ in 0..4000 {
        world.tick()?;
        if asleep(&world)? {
            break;
        }
    }
    ensure!(asleep(&world)?, "it comes to rest");
    ticks(&mut world, 5)?;
    ensure!(asleep(&world)?, "and stays so");
    targets[0][1] += 0.001;
    world.entities_mut().insert_one(anchor, ClothTargets(targets.clone()))?;
    world.tick()?;
    ensure!(!asleep(&world)?, "awake");
    assert_eq!(positions(&world, anchor)?[..1], targets[..1]);
    Ok(())
}

/// R25: on a root that runs at 6 m/s for two seconds the hem is lifted the more the more of the motion is felt, and not at all
/// where nothing is.
#[test]
fn r25_a_runner() -> Result<()> {
    let lift = |inertia: f32| -> Result<f64> {
        let mut world = World::new();
        let anchor = chain(&mut world, [0.0; 3], 8, ClothDynamics { inertia, ..library::COTTON });
        ticks(&mut world, 10)?;
        let mut widest = 0.0_f64;
        for tick in 1..=120_u8 {
            // Within a quarter of a second to full speed.
            let speed = 6.0 * f64::min(f64::from(tick) / 15.0, 1.0);
            shift(&world, anchor, [speed / 60.0, 0.0, 0.0])?;
            world.tick()?;
            let [x, y, _] = positions(&world, anchor)?[8].map(f64::from);
            widest = widest.max((-x).atan2(-y).to_degrees());
        }
        Ok(widest)
    };
    let (none, half, all) = (lift(0.0)?, lift(0.5)?, lift(1.0)?);
    assert!(none.abs() < 1e-9, "{none}°");
    assert!(none < half && half < all, "{none}°, {half}°, {all}°");
    assert!(half > 10.0, "{half}°");
    Ok(())
}

/// R29: one scene on 1, 2, 3, 5, 8 workers, which share the step of its large cloth too: the same fingerprint at every step.
#[test]
fn r29_the_number_of_workers() -> Result<()> {
    let large = ClothModel::build(scenes::sheet(92).builder())?;
    let prints = |executor: Option<Rayon>| -> Result<(Vec<Fingerprint>, String)> {
        let mut world = World::new();
        if let Some(executor) = executor {
            world.set_executor(executor);
        }
        world.spawn((Transform::at([-3.0, 0.0, 0.0]), Cloth::of(library::COTTON), large.clone()));
        let anchor = world.spawn((Transform::IDENTITY, Cloth::of(library::COTTON), sheet()));
        for place in 1..6 {
            chain(&mut world, [0.0, 0.0, 0.5 * f64::from(place)], 8, library::CHAIN);
        }
        ball(&mut world, [0.3, -0.2, 0.4], 0.15);
        let mut prints = Vec::new();
        for _ in 0..20 {
            shift(&world, anchor, [0.01, 0.0, 0.0])?;
            world.tick()?;
            prints.push(world.fingerprint());
        }
        Ok((prints, world.parallelism().reason))
    };
    let (serial, _) = prints(None)?;
    assert!(serial.windows(2).all(|pair| pair[0] != pair[1]), "it moves");
    for workers in [1, 2, 3, 5, 8] {
        let (shared, said) = prints(Some(Rayon::oversubscribed(workers)))?;
        assert_eq!(shared, serial, "{workers} workers");
        let expected = if workers == 1 { "the only worker" } else { "1 of them large enough" };
        assert!(said.contains(expected), "{workers} workers: {said}");
    }
    Ok(())
}

/// R30: the same cloth with and without an unrelated cloth and collider far away.
#[test]
fn r30_bystanders() -> Result<()> {
    let state = |crowd: bool| -> Result<Fingerprint> {
        let mut world = World::new();
        let noise = |world: &mut World, z: f64| {
            ball(world, [0.0, 0.0, z], 1.0);
            chain(world, [0.0, 0.0, z + 3.0], 5, library::CHAIN);
        };
        if crowd {
            noise(&mut world, 50.0);
        }
        let damped = ClothDynamics { damping: 4.0, ..library::ROPE };
        let anchor = world.spawn((Transform::IDENTITY, Cloth::of(damped), sheet()));
        if crowd {
            noise(&mut world, -70.0);
        }
        ball(&mut world, [0.3, -0.4, 0.2], 0.1);
        let mut contacts = 0;
        for tick in 0..250 {
            if crowd && tick == 50 {
                noise(&mut world, 90.0);
            }
            world.tick()?;
            contacts = contacts.max(diagnostics(&world, anchor)?.contacts);
        }
        ensure!(contacts > 0, "it met its ball");
        fingerprint(&world, anchor)
    };
    assert_eq!(state(true)?, state(false)?);
    Ok(())
}
