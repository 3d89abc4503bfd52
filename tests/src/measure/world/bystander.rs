//! `bystander`: what is far away changes nothing.

use super::{Wearer, rope};
use crate::measure::{Measurement, Out, Verdict};
use anyhow::{Context as _, Result};
use cloth_core::{Fingerprint, library};
use cloth_host::world::hecs::Entity;
use cloth_host::world::{ClothCollider, Collider, Shape, Transform, World};

/// Unrelated things.
pub const BYSTANDER: Measurement = Measurement {
    name: "bystander",
    about: "a walking cape of five strips, 900 ticks, then standing until it sleeps; with and without ropes and moving balls that are \
            spawned 40 m and more away before it, after it and while it walks (R30)",
    bar: "an unrelated cloth or collider far away: same bits (R30)",
    uses_clock: false,
    run,
};

fn run(out: &mut Out) -> Result<Verdict> {
    let (alone, slept) = walk(false)?;
    let (among, _) = walk(true)?;
    let alike = alone.iter().zip(&among).take_while(|(a, b)| a == b).count();
    out.line(format!("asleep in {slept} of {} ticks", alone.len()));
    let mut verdict = Verdict::new();
    verdict.check(
        format!("{alike} of {} states alike", alone.len()),
        alike == alone.len() && among.len() == alike,
    );
    verdict.tell(format!("asleep {slept} ticks"));
    Ok(verdict)
}

fn walk(crowded: bool) -> Result<(Vec<Fingerprint>, u32)> {
    let mut world = World::new();
    let mut balls = Vec::new();
    let bystanders = |world: &mut World, balls: &mut Vec<Entity>, z: f64| {
        if crowded {
            let ball = Collider::new(Shape::Sphere { radius: 1.0 });
            balls.push(world.spawn((Transform::at([0.0, 1.0, z]), ball, ClothCollider::default())));
            rope(world, [0.5, 2.0, z], 6, library::CHAIN);
        }
    };
    bystanders(&mut world, &mut balls, -60.0);
    let wearer = Wearer::new(&mut world, [0.0, 1.5, 0.0], library::DENIM)?;
    bystanders(&mut world, &mut balls, 90.0);
    let (mut prints, mut slept) = (Vec::new(), 0);
    for tick in 0..2400_u32 {
        if tick % 100 == 50 {
            bystanders(&mut world, &mut balls, -70.0 - f64::from(tick));
        }
        for ball in &balls {
            world.entities().get::<&mut Transform>(*ball)?.translation[0] += 0.01;
        }
        if tick < 900 {
            wearer.walk(&world, f64::from(tick) / 60.0)?;
        }
        world.tick()?;
        prints.push(world.state(wearer.anchor).context("it lives")?.fingerprint());
        slept += u32::from(world.diagnostics(wearer.anchor).context("it lives")?.asleep);
    }
    Ok((prints, slept))
}
