//! `recompose` and `authored-pose`: what cloth writes into a hierarchy, and what it leaves there.

use super::{Wearer, damped, distance, edit, rope};
use crate::measure::{Measurement, Out, Table, Verdict, sci};
use anyhow::{Context as _, Result};
use cloth_core::library;
use cloth_host::world::hecs::Entity;
use cloth_host::world::{Attachment, Cloth, ClothCollider, Collider, Shape, Transform, World};
use std::collections::BTreeMap;

/// Local and world transforms agree.
pub const RECOMPOSE: Measurement = Measurement {
    name: "recompose",
    about: "a walking cape of five strips with a rope hung from its hem, 600 ticks, at the origin and 1,000 km from it: after every tick the \
            hierarchy is composed anew from local transforms alone",
    bar: "recomposing the hierarchy after write-back moves nothing by more than 1e-6 m",
    uses_clock: false,
    run: recompose,
};

/// The authored pose is given back.
pub const AUTHORED_POSE: Measurement = Measurement {
    name: "authored-pose",
    about: "a swinging rope of ten links, a hundred times: re-seeded, run, its cloth removed, run, given back",
    bar: "remove and re-add, re-seed 100 times: authored pose exact, no drift, entity and collider counts return",
    uses_clock: false,
    run: authored_pose,
};

fn recompose(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new(["from the origin (m)", "moved by at most (m)", "moved in the run (m)"]);
    let mut verdict = Verdict::new();
    for far in [0.0, 1.0e6] {
        let mut world = World::new();
        let wearer = Wearer::new(&mut world, [far, 1.5, -far], library::DENIM)?;
        world.tick()?;
        let hem = world.nodes(wearer.anchor).last().context("a cape has nodes")?;
        let tail = world.attach(hem, Transform::IDENTITY);
        world.entities_mut().insert_one(tail, Cloth::of(damped()))?;
        let mut parent = tail;
        for _ in 0..4 {
            parent = world.attach(parent, Transform::at([0.05, 0.0, 0.0]));
        }
        let (mut worst, mut moved) = (0.0_f64, 0.0_f64);
        let first = world.entities().get::<&Transform>(parent)?.translation;
        for tick in 0..600_u32 {
            wearer.walk(&world, f64::from(tick) / 60.0)?;
            world.tick()?;
            let mut composed: BTreeMap<Entity, Transform> = BTreeMap::new();
            for (entity, now) in world.entities().query::<(Entity, &Transform)>().iter() {
                let by_hand = compose(&world, entity, &mut composed)?;
                worst = worst.max(distance(by_hand.translation, now.translation));
            }
            let now = world.entities().get::<&Transform>(parent)?.translation;
            moved = moved.max(distance(now, first));
        }
        table.row([format!("{far:.0e}"), sci(worst), format!("{moved:.2}")]);
        verdict.check(format!("{} m at {far:.0e} m", sci(worst)), worst <= 1e-6 && moved > 1.0);
    }
    out.table(&table);
    Ok(verdict)
}

/// Where an entity is by its local transform and those above it.
fn compose(world: &World, entity: Entity, known: &mut BTreeMap<Entity, Transform>) -> Result<Transform> {
    if let Some(known) = known.get(&entity) {
        return Ok(*known);
    }
    let attachment = world.entities().get::<&Attachment>(entity).ok().map(|attachment| *attachment);
    let here = match attachment {
        Some(Attachment { parent, local }) => local.within(&compose(world, parent, known)?),
        None => *world.entities().get::<&Transform>(entity)?,
    };
    known.insert(entity, here);
    Ok(here)
}

fn authored_pose(out: &mut Out) -> Result<Verdict> {
    let mut world = World::new();
    let (anchor, links) = rope(&mut world, [0.0, 2.0, 0.0], 10, library::ROPE);
    let ball = Collider::new(Shape::Sphere { radius: 0.1 });
    world.spawn((Transform::at([0.5, 1.6, 0.0]), ball, ClothCollider::default()));
    let locals = |world: &World| -> Result<Vec<[u64; 10]>> {
        let bits = |link: &Entity| {
            let Transform { translation: t, rotation: r, scale: s } =
                world.entities().get::<&Attachment>(*link)?.local;
            Ok([t[0], t[1], t[2], r[0], r[1], r[2], r[3], s[0], s[1], s[2]].map(f64::to_bits))
        };
        links.iter().map(bits).collect()
    };
    let counts = |world: &World| {
        use cloth_host::index::ColliderIndex as _;
        [u64::from(world.entities().len()), world.index().len() as u64]
    };
    let authored = locals(&world)?;
    world.tick()?;
    let count = counts(&world);
    let (mut exact, mut simulated, mut counted) = (0_u32, 0_u32, 0_u32);
    let run = |world: &mut World| (0..17).try_for_each(|_| world.tick());
    for round in 0..100_u32 {
        run(&mut world)?;
        simulated += u32::from(locals(&world)? != authored);
        world.reseed(anchor)?;
        exact += u32::from(locals(&world)? == authored);
        run(&mut world)?;
        edit::<Cloth>(&world, anchor, |cloth| cloth.blend = 0.0)?;
        world.tick()?;
        exact += u32::from(locals(&world)? == authored);
        edit::<Cloth>(&world, anchor, |cloth| cloth.blend = 1.0)?;
        run(&mut world)?;
        let cloth = world.entities_mut().remove_one::<Cloth>(anchor)?;
        world.tick()?;
        exact += u32::from(locals(&world)? == authored);
        world.entities_mut().insert_one(anchor, cloth)?;
        world.tick()?;
        counted += u32::from(counts(&world) == count);
        anyhow::ensure!(world.diagnostics(anchor).is_some(), "round {round}: the cloth is not back");
    }
    out.line(format!(
        "{} entities and {} collider, as at the start {counted} times of 100",
        count[0], count[1]
    ));
    let mut verdict = Verdict::new();
    verdict.check(format!("authored to the bit {exact} times of 300"), exact == 300);
    verdict.check(format!("simulated in between {simulated} times of 100"), simulated == 100);
    verdict.check(format!("counts return {counted} times of 100"), counted == 100);
    Ok(verdict)
}
