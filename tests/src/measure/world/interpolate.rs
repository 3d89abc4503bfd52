//! `interpolate`: what a display shows that is faster than the steps.

use super::{Wearer, distance};
use crate::measure::{Measurement, Out, Table, Verdict};
use anyhow::{Context as _, Result};
use cloth_core::{ClothDynamics, library};
use cloth_host::world::{Clock, Cloth, Rate, World};
use std::collections::BTreeSet;

/// Between two steps.
pub const INTERPOLATE: Measurement = Measurement {
    name: "interpolate",
    about: "a walking cape of five strips over ten seconds: 144 frames a second over steps of 1/60 s, at every rate; and at every quarter of a step \
            the distance of its nodes from those of steps a fourth as long with as long substeps, one step earlier, held and interpolated",
    bar: "144 Hz display over 60 Hz steps: no repeated pose, error against a 4× finer run reported",
    uses_clock: false,
    run,
};

fn run(out: &mut Out) -> Result<Verdict> {
    let mut verdict = Verdict::new();
    let mut table = Table::new(["rate", "frames", "poses shown", "longest hold of a node (frames)"]);
    for rate in [Rate::Every, Rate::Second, Rate::Fourth] {
        let (frames, shown, hold) = display(rate)?;
        table.row([format!("{rate:?}"), frames.to_string(), shown.to_string(), hold.to_string()]);
        verdict.check(format!("{shown} poses in {frames} frames ({rate:?})"), shown == frames && hold <= 1);
    }
    out.table(&table);
    let mut table = Table::new(["of a step", "held: mean, worst (mm)", "interpolated: mean, worst (mm)"]);
    let mut sums = [[0.0; 2]; 4];
    let mut worst = [[0.0_f64; 2]; 4];
    let finer = shapes(&Fine::Finer)?;
    let coarse = shapes(&Fine::Steps)?;
    let mut count = 0.0;
    for tick in 1..600_usize {
        count += 1.0;
        for quarter in 1..=4_usize {
            // Both lists have a shape for every quarter of a step, the first for the first quarter.
            let at = 4 * tick + quarter - 1;
            let (truth, before, now) = (&finer[at], &coarse[4 * tick - 1], &coarse[at]);
            for (side, shape) in [before, now].into_iter().enumerate() {
                let off =
                    shape.iter().zip(truth).map(|(a, b)| distance(*a, *b)).sum::<f64>() / truth.len() as f64;
                sums[quarter - 1][side] += off;
                worst[quarter - 1][side] = worst[quarter - 1][side].max(off);
            }
        }
    }
    for (quarter, (sum, worst)) in sums.iter().zip(worst).enumerate() {
        let cell = |side: usize| format!("{:.2}, {:.2}", 1e3 * sum[side] / count, 1e3 * worst[side]);
        table.row([format!("{}/4", quarter + 1), cell(0), cell(1)]);
    }
    out.table(&table);
    let mean = |side: usize| 1e3 * (0..3).map(|quarter| sums[quarter][side]).sum::<f64>() / (3.0 * count);
    verdict.tell(format!("{:.2} mm off a finer run, {:.2} mm held", mean(1), mean(0)));
    Ok(verdict)
}

/// Frames of ten seconds at 144 Hz, how many poses are shown, and for how many frames a node rested at most.
fn display(rate: Rate) -> Result<(usize, usize, usize)> {
    let mut world = World::new();
    let wearer = Wearer::new(&mut world, [0.0, 1.5, 0.0], library::COTTON)?;
    world.entities().get::<&mut Cloth>(wearer.anchor)?.rate = rate;
    let (mut step, mut failed) = (0_u32, None);
    let mut poses = BTreeSet::new();
    let mut held: Vec<(Vec<u64>, usize)> = Vec::new();
    let (mut frames, mut hold) = (0, 0);
    for frame in 0..1440 {
        world.advance_with(1.0 / 144.0, |world| {
            failed = failed.take().or(wearer.walk(world, f64::from(step) / 60.0).err());
            step += 1;
        })?;
        // The first steps are of a cape that has not begun to move.
        if frame < 30 {
            continue;
        }
        let shown = world.interpolate(wearer.anchor, world.clock().alpha())?;
        let nodes: Vec<Vec<u64>> =
            shown.nodes.iter().map(|(_, at)| at.translation.map(f64::to_bits).to_vec()).collect();
        for (place, node) in nodes.iter().enumerate() {
            match held.get_mut(place) {
                Some((before, count)) if before == node => *count += 1,
                Some(known) => *known = (node.clone(), 1),
                None => held.push((node.clone(), 1)),
            }
        }
        hold = held.iter().map(|(_, count)| *count).fold(hold, usize::max);
        poses.insert(nodes);
        frames += 1;
    }
    match failed {
        Some(error) => Err(error),
        None => Ok((frames, poses.len(), hold)),
    }
}

/// Which run.
enum Fine {
    /// Steps of 1/60 s, shown at every quarter of them.
    Steps,
    /// Steps of 1/240 s with substeps as long, shown at each.
    Finer,
}

/// Where the nodes are at every 1/240 s from the first step on.
fn shapes(fine: &Fine) -> Result<Vec<Vec<[f64; 3]>>> {
    let (parts, quarters): (u32, &[f64]) = match fine {
        Fine::Steps => (1, &[0.25, 0.5, 0.75, 1.0]),
        Fine::Finer => (4, &[1.0]),
    };
    let mut world = World::with_clock(Clock::new(1.0 / f64::from(60 * parts), 8)?);
    let substeps = library::COTTON.substeps / parts;
    let wearer = Wearer::new(&mut world, [0.0, 1.5, 0.0], ClothDynamics { substeps, ..library::COTTON })?;
    let mut shown = Vec::new();
    for step in 1..=602 * parts {
        wearer.walk(&world, f64::from(step) / f64::from(60 * parts))?;
        world.tick()?;
        for alpha in quarters {
            let shape = world.interpolate(wearer.anchor, *alpha)?.nodes;
            anyhow::ensure!(!shape.is_empty(), "a cape has nodes");
            shown.push(shape.iter().map(|(_, at)| at.translation).collect());
        }
    }
    shown.first().context("nothing was shown")?;
    Ok(shown)
}
