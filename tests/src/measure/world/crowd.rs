//! `crowd`: what a world costs besides the steps of its cloths, counted.

use super::Wearer;
use crate::measure::callgrind::{self, Child};
use crate::measure::{Measurement, Out, Table, Verdict};
use anyhow::{Context as _, Result};
use cloth_core::library;
use cloth_host::world::{Cloth, World};

/// Sixty-four capes.
pub const CROWD: Measurement = Measurement {
    name: "crowd",
    about: "64 walkers with 192 capsules, in capes of five strips that are entities, and in capes that are surfaces of 143 vertices: instructions of ticks \
            over those of the steps in them, and those of the crowd in strips culled (callgrind, ten ticks after twenty)",
    bar: "64 capes: tick ≤ 1.15 × the sum of their steps; culled cloths cost ≤ 1 %",
    uses_clock: false,
    run,
};

/// Ticks before counting.
const WARM_UP: u32 = 20;

/// What a tick of the crowd in strips is known to cost at most, over its steps (1).
const REACHED: f64 = 1.46;

fn run(out: &mut Out) -> Result<Verdict> {
    let (tick, steps) = callgrind::instructions_within(Child::Crowd, "cloth_core::step::step")?;
    let (wide, wide_steps) = callgrind::instructions_within(Child::CrowdSurfaces, "cloth_core::step::step")?;
    let (culled, none) = callgrind::instructions_within(Child::CrowdCulled, "cloth_core::step::step")?;
    let (bare, _) = callgrind::instructions_within(Child::CrowdBare, "cloth_core::step::step")?;
    let mut table = Table::new(["crowd", "instructions a tick", "of which steps"]);
    table.row(["in strips".into(), tick.to_string(), steps.to_string()]);
    table.row(["in surfaces".into(), wide.to_string(), wide_steps.to_string()]);
    table.row(["in strips, culled".into(), culled.to_string(), none.to_string()]);
    table.row(["the same entities without cloth".into(), bare.to_string(), "0".into()]);
    out.table(&table);
    let share = |a: u64, b: u64| crate::measure::absurd::rational(a, b);
    let (substeps, contacts, colliders, strain) = diagnosed()?;
    out.line(format!(
        "A cloth takes {substeps:.1} substeps a tick, {contacts:.1} contacts with {colliders:.1} colliders; strain at worst {:.2} %.",
        100.0 * strain
    ));
    let mut verdict = Verdict::new();
    let (strips, surfaces) = (share(tick, steps), share(wide, wide_steps));
    // A strip's node is an entity, which the world places; of a surface it places none.
    verdict.short(format!("in strips a tick is {strips:.3} × its steps"), strips <= 1.15, strips <= REACHED);
    verdict.check(format!("in surfaces {surfaces:.3} ×"), surfaces <= 1.15);
    let extra = share(culled.saturating_sub(bare), tick);
    verdict.check(format!("culled cloths cost {:.2} %", 100.0 * extra), extra <= 0.01 && none == 0);
    Ok(verdict)
}

/// Sixty-four wearers who stand.
pub(super) fn crowd(in_surfaces: bool) -> Result<(World, Vec<Wearer>)> {
    let mut world = World::new();
    let wearers = (0..64_u32).map(|number| {
        let start = [f64::from(number % 8) * 1.5, 1.5, f64::from(number / 8) * 1.5];
        if in_surfaces {
            Wearer::in_surface(&mut world, start, library::COTTON)
        } else {
            Wearer::new(&mut world, start, library::DENIM)
        }
    });
    let wearers = wearers.collect::<Result<_>>()?;
    Ok((world, wearers))
}

/// What the steps of the counted ticks were like: substeps, contacts and colliders of a cloth, and the worst strain of all.
fn diagnosed() -> Result<(f64, f64, f64, f32)> {
    let (mut world, wearers) = crowd(false)?;
    let (mut count, mut substeps, mut contacts, mut colliders, mut strain) = (0, 0, 0, 0, 0.0_f32);
    for tick in 0..WARM_UP + callgrind::MEASURED {
        walk(&world, &wearers, tick)?;
        world.tick()?;
        for wearer in wearers.iter().filter(|_| tick >= WARM_UP) {
            let cloth = world.diagnostics(wearer.anchor).context("it lives")?;
            count += 1;
            substeps += cloth.substeps;
            contacts += cloth.contacts;
            colliders += cloth.colliders;
            strain = strain.max(cloth.max_strain);
        }
    }
    let mean = |sum: u32| f64::from(sum) / f64::from(count);
    Ok((mean(substeps), mean(contacts), mean(colliders), strain))
}

/// The crowd under observation.
///
/// # Errors
///
/// What the world refuses.
pub fn child(child: Child) -> Result<()> {
    let (mut world, wearers) = crowd(child == Child::CrowdSurfaces)?;
    for tick in 0..WARM_UP {
        if tick + 2 == WARM_UP {
            for wearer in &wearers {
                match child {
                    Child::CrowdCulled => world.entities().get::<&mut Cloth>(wearer.anchor)?.visible = false,
                    Child::CrowdBare => drop(world.entities_mut().remove_one::<Cloth>(wearer.anchor)?),
                    _ => {}
                }
            }
        }
        walk(&world, &wearers, tick)?;
        world.tick()?;
    }
    for tick in 0..callgrind::MEASURED {
        walk(&world, &wearers, WARM_UP + tick)?;
        crowds_measured_frames(&mut world)?;
    }
    Ok(())
}

/// Everybody goes on to where they are at a tick.
pub(super) fn walk(world: &World, wearers: &[Wearer], tick: u32) -> Result<()> {
    let walked = (0_u32..).zip(wearers).map(|(number, wearer)| {
        // Nobody is in step with anybody.
        wearer.walk(world, f64::from(tick + 7 * number) / 60.0)
    });
    walked.collect()
}

/// Where counting is switched on.
#[inline(never)]
fn crowds_measured_frames(world: &mut World) -> Result<()> {
    Ok(world.tick()?)
}
