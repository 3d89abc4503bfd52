//! `cast`: what a second worker is worth.

use super::crowd;
use crate::measure::{Measurement, Out, Table, Verdict};
use anyhow::Result;
use cloth_host::world::Rayon;

/// Sixty-four capes.
pub const CAST: Measurement = Measurement {
    name: "cast",
    about: "64 walkers with 192 capsules in capes of 143 vertices, and in capes of five strips that are entities, on one worker and on two, the worlds taking turns; least times \
            of ticks 20–219",
    bar: "64 capes, 2 workers against 1 in one run: ≥ 1.7 × (1.9), same bits",
    uses_clock: true,
    run,
};

const WARM_UP: u32 = 20;
const TICKS: u32 = 220;

fn run(out: &mut Out) -> Result<Verdict> {
    let cores = std::thread::available_parallelism()?.get();
    let mut verdict = Verdict::new();
    if cores < 2 {
        verdict.unmeasured("this machine has one core");
        return Ok(verdict);
    }
    let mut table =
        Table::new(["capes", "one worker (ms)", "two workers (ms)", "ratio", "of the steps alone"]);
    for (name, in_surfaces) in [("surfaces", true), ("strips", false)] {
        let Times { ticks: [one, two], steps: [steps, steps_of_two], same } = times(in_surfaces)?;
        let (ratio, alone) = (one / two, steps / steps_of_two);
        table.row([
            name.into(),
            format!("{one:.2}"),
            format!("{two:.2}"),
            format!("{ratio:.2}"),
            format!("{alone:.2}"),
        ]);
        verdict.check(format!("{name} {ratio:.2} ×"), ratio >= 1.7);
        verdict.check(format!("{same} of {TICKS} worlds alike"), same == TICKS);
    }
    out.line("Of the steps alone: what lies between the first phase and the last, by the same clock.\n");
    out.table(&table);
    Ok(verdict)
}

struct Times {
    ticks: [f64; 2],
    steps: [f64; 2],
    same: u32,
}

fn times(in_surfaces: bool) -> Result<Times> {
    let mut worlds = [crowd::crowd(in_surfaces)?, crowd::crowd(in_surfaces)?];
    let clocks = [Clocked::new(1), Clocked::new(2)];
    let mut least = Times { ticks: [f64::INFINITY; 2], steps: [f64::INFINITY; 2], same: 0 };
    let read = clocks.each_ref().map(|clock| clock.took.clone());
    for ((world, _), clock) in worlds.iter_mut().zip(clocks) {
        world.set_executor(clock);
    }
    for tick in 0..TICKS {
        for turn in 0..2_usize {
            // Whoever goes second finds the other's memory where its own should be.
            let which = (turn + tick as usize) % 2;
            let (world, wearers) = &mut worlds[which];
            crowd::walk(world, wearers, tick)?;
            let begun = std::time::Instant::now();
            world.tick()?;
            let took = begun.elapsed().as_secs_f64() * 1e3;
            if tick >= WARM_UP {
                least.ticks[which] = least.ticks[which].min(took);
                let step = f64::from_bits(read[which].load(std::sync::atomic::Ordering::Relaxed));
                least.steps[which] = least.steps[which].min(step);
            }
        }
        least.same += u32::from(worlds[0].0.fingerprint() == worlds[1].0.fingerprint());
    }
    Ok(least)
}

/// A pool that says how long it took (ms, as bits).
struct Clocked {
    pool: Rayon,
    took: std::sync::Arc<std::sync::atomic::AtomicU64>,
}

impl Clocked {
    fn new(workers: usize) -> Self {
        Self { pool: Rayon::oversubscribed(workers), took: std::sync::Arc::default() }
    }
}

impl cloth_host::world::Executor for Clocked {
    fn start(&mut self, cloths: Vec<cloth_host::world::Work>) {
        self.pool.start(cloths);
    }

    fn join(&mut self) -> Vec<cloth_host::world::Work> {
        let begun = std::time::Instant::now();
        let cloths = self.pool.join();
        let took = begun.elapsed().as_secs_f64() * 1e3;
        self.took.store(took.to_bits(), std::sync::atomic::Ordering::Relaxed);
        cloths
    }

    fn name(&self) -> &'static str {
        self.pool.name()
    }

    fn parallelism(&self) -> cloth_host::world::Parallelism {
        self.pool.parallelism()
    }
}
