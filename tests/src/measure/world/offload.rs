//! `offload`: what is left for the thread that owns the scene when steps are taken beside it.

use super::Wearer;
use crate::measure::callgrind::{self, Child};
use crate::measure::{Measurement, Out, Table, Verdict};
use anyhow::{Context as _, Result, bail};
use cloth_core::library;
use cloth_host::import::Surface;
use cloth_host::scene::{Body, Grid, Shape};
use cloth_host::world::{Cloth, ClothMesh, ClothPin, MeshSource, Pipelined, Serial, Transform, World};

/// One garment.
pub const OFFLOAD: Measurement = Measurement {
    name: "offload",
    about: "a walker with three capsules in a garment of 1,024 particles in cotton, as a surface, and as 32 strips of 32 entities; instructions of ten ticks after twenty on \
            the thread that owns the scene, steps taken beside it, over those and the steps' (callgrind counts each thread for itself); times beside",
    bar: "≥ 80 % of the tick off the calling thread (the record's slower solver: 95 %, M§41), and the calling thread's share in instructions",
    uses_clock: false,
    run,
};

const WARM_UP: u32 = 20;

fn run(out: &mut Out) -> Result<Verdict> {
    let garments = [
        ("surface", Child::OffloadSurfaceSerial, Child::OffloadSurface),
        ("strips", Child::OffloadStripsSerial, Child::OffloadStrips),
    ];
    let mut table = Table::new([
        "garment",
        "serial tick",
        "of which the step",
        "calling thread, pipelined",
        "its share",
        "serial tick (ms)",
        "calling thread (ms)",
    ]);
    let mut verdict = Verdict::new();
    for (name, serial, beside) in garments {
        let (tick, step) = callgrind::instructions_within(serial, "cloth_core::step::step")?;
        let (calling, none) = callgrind::instructions_within(beside, "cloth_core::step::step")?;
        anyhow::ensure!(none == 0, "the calling thread took a step");
        anyhow::ensure!(step > 0, "no step was counted");
        let off = crate::measure::absurd::rational(step, step + calling);
        let [all, own] = times(serial == Child::OffloadStripsSerial)?;
        table.row([
            name.into(),
            tick.to_string(),
            step.to_string(),
            calling.to_string(),
            format!("{:.1} %", 100.0 * (1.0 - off)),
            format!("{all:.3}"),
            format!("{own:.3}"),
        ]);
        verdict.check(format!("{name}: {:.1} % off the calling thread", 100.0 * off), off >= 0.8);
        verdict.tell(format!("{calling} instructions left, {:.1} % of time", 100.0 * (1.0 - own / all)));
    }
    out.line("Instructions a tick. Times are minima of 200 ticks, taken in turns, and decide nothing: how long the thread is busy, the step beside it being done.\n");
    out.table(&table);
    Ok(verdict)
}

/// A walker in a garment of 1,024 particles.
fn stage(in_strips: bool, pipelined: bool) -> Result<(World, Wearer)> {
    let mut world = World::new();
    if pipelined {
        world.set_executor(Pipelined::new());
    } else {
        world.set_executor(Serial::default());
    }
    let start = [0.0, 1.5, 0.0];
    let anchor = world.spawn((Transform::at(start), Cloth::of(library::COTTON)));
    if in_strips {
        for strip in 0..32_u8 {
            let x = 0.016 * (f64::from(strip) - 15.5);
            let mut parent = world.attach(anchor, Transform::at([x, 0.0, -0.14]));
            world.entities_mut().insert_one(parent, ClothPin)?;
            for _ in 1..32 {
                parent = world.attach(parent, Transform::at([0.0, -0.024, -0.001]));
            }
        }
    } else {
        let cape = Grid { width: 0.6, height: 0.8, columns: 31, rows: 31 }.cape(1.5);
        let Shape { body, edges } = cape;
        let Body::Surface(Surface { positions, triangles, .. }) = body else { bail!("a cape is a surface") };
        let (_, pins) = edges.into_iter().find(|(name, _)| *name == "top").context("it has a top")?;
        anyhow::ensure!(positions.len() == 1024, "the cape has {} vertices", positions.len());
        let mesh = ClothMesh::new(MeshSource { positions, triangles, pins, weld: None });
        world.entities_mut().insert_one(anchor, mesh)?;
    }
    let wearer = Wearer::of(&mut world, anchor, start)?;
    Ok((world, wearer))
}

fn walk(world: &World, wearer: &Wearer, tick: u32) -> Result<()> {
    wearer.walk(world, f64::from(tick) / 60.0)
}

/// Least milliseconds of a serial tick, and of the calling thread beside steps that are done when it asks for them.
fn times(in_strips: bool) -> Result<[f64; 2]> {
    let mut stages = [stage(in_strips, false)?, stage(in_strips, true)?];
    let mut least = [f64::INFINITY; 2];
    for tick in 0..200 {
        for turn in 0..2_usize {
            let which = (turn + tick as usize) % 2;
            let (world, wearer) = &mut stages[which];
            walk(world, wearer, tick)?;
            let begun = std::time::Instant::now();
            world.tick()?;
            let took = begun.elapsed().as_secs_f64() * 1e3;
            // Waits for the step.
            anyhow::ensure!(world.state(wearer.anchor).is_some(), "it lives");
            if tick >= WARM_UP {
                least[which] = least[which].min(took);
            }
        }
    }
    Ok(least)
}

/// The walker under observation.
///
/// # Errors
///
/// What the world refuses.
pub fn child(child: Child) -> Result<()> {
    let in_strips = matches!(child, Child::OffloadStrips | Child::OffloadStripsSerial);
    let pipelined = matches!(child, Child::OffloadStrips | Child::OffloadSurface);
    let (mut world, wearer) = stage(in_strips, pipelined)?;
    for tick in 0..WARM_UP {
        walk(&world, &wearer, tick)?;
        world.tick()?;
    }
    for tick in 0..callgrind::MEASURED {
        walk(&world, &wearer, WARM_UP + tick)?;
        // Waits for the step: waiting is no work.
        anyhow::ensure!(world.state(wearer.anchor).is_some(), "it lives");
        offloads_measured_frames(&mut world)?;
    }
    Ok(())
}

/// Where counting is switched on.
#[inline(never)]
fn offloads_measured_frames(world: &mut World) -> Result<()> {
    Ok(world.tick()?)
}
