//! `host-rate`: the same cloth at whatever rate frames come.

use super::Wearer;
use crate::measure::{Measurement, Out, Table, Verdict};
use anyhow::Result;
use cloth_core::{Fingerprint, library};
use cloth_host::world::World;

/// The same at every rate.
pub const HOST_RATE: Measurement = Measurement {
    name: "host-rate",
    about: "a walking cape of five strips over ten seconds of a host that draws 15, 30, 60, 90, 144 and 240 frames a second (R20)",
    bar: "15, 30, 60, 90, 144, 240 Hz hosts: same states bit for bit (R20)",
    uses_clock: false,
    run,
};

fn run(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new(["frames a second", "steps", "dropped", "last fingerprint"]);
    let mut all: Vec<Vec<Fingerprint>> = Vec::new();
    for hertz in [15_u32, 30, 60, 90, 144, 240] {
        let mut world = World::new();
        let wearer = Wearer::new(&mut world, [0.0, 1.5, 0.0], library::COTTON)?;
        let (mut step, mut failed, mut prints) = (0_u32, None, Vec::new());
        for _ in 0..10 * hertz {
            world.advance_with(1.0 / f64::from(hertz), |world| {
                if step > 0 {
                    prints.push(world.fingerprint());
                }
                failed = failed.take().or(wearer.walk(world, f64::from(step) / 60.0).err());
                step += 1;
            })?;
        }
        if let Some(error) = failed {
            return Err(error);
        }
        prints.push(world.fingerprint());
        let last = prints.last().map_or_else(String::new, ToString::to_string);
        let clock = world.clock();
        table.row([hertz.to_string(), clock.taken().to_string(), clock.dropped().to_string(), last]);
        all.push(prints);
    }
    out.table(&table);
    let alike = all.iter().all(|prints| *prints == all[0]);
    let mut verdict = Verdict::new();
    verdict.check(
        format!("{} states alike in all of {} runs: {alike}", all[0].len(), all.len()),
        alike && all[0].len() == 600,
    );
    let moves = all[0].windows(2).all(|pair| pair[0] != pair[1]);
    verdict.check(format!("each differs from the one before: {moves}"), moves);
    Ok(verdict)
}
