//! `in-flight`: whatever happens to a world while steps are in flight, no state is another for it.

use crate::incidents::{NAMES, OPERATIONS, Steps, compare};
use crate::measure::{Measurement, Out, Table, Verdict};
use crate::random::Random;
use anyhow::Result;

/// Random programs.
pub const IN_FLIGHT: Measurement = Measurement {
    name: "in-flight",
    about: "300 random programs of 80 operations on ropes, sheets and ropes hung on ropes among colliders: despawning anchors and nodes, taking the component and giving \
            it back, re-seeds asked for and caused, sleep, waking, jumps, culling, rates, blend, holds, refused ticks, other executors, shutdown; in two worlds at once, one \
            of them serial",
    bar: "random programs of despawn, re-seed, sleep, wake, shutdown against the serial executor: 0 differing bytes",
    uses_clock: false,
    run,
};

const PROGRAMS: u64 = 300;

fn run(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new(["executor", "programs", "states compared", "programs that differ"]);
    let executors = [
        ("pipelined", Steps::Pipelined),
        ("pipelined over rayon", Steps::PipelinedRayon(2)),
        ("pipelined over shuffled", Steps::PipelinedShuffled(9)),
        ("rayon", Steps::Rayon(3)),
        ("shuffled", Steps::Shuffled(11)),
    ];
    let mut done = [0_u64; OPERATIONS as usize];
    let (mut states, mut differ, mut taken, mut refused) = (0, 0, 0, 0);
    for (place, (name, executor)) in (0_u64..).zip(executors) {
        let (mut own, mut wrong) = (0, 0);
        for number in 0..PROGRAMS / 5 {
            let mut random = Random::new(1000 * place + number);
            let program: Vec<[u8; 2]> = (0..80).map(|_| operation(&mut random)).collect();
            for [kind, _] in &program {
                done[usize::from(*kind)] += 1;
            }
            // Both worlds go at its end, with or without steps in flight.
            match compare(&program, executor, number % 2 == 0) {
                Ok(came) => {
                    own += came.states;
                    taken += came.ticks;
                    refused += came.refused;
                }
                Err(error) => {
                    wrong += 1;
                    out.line(format!("{name}, program {number}: {error:#}"));
                }
            }
        }
        table.row([name.into(), (PROGRAMS / 5).to_string(), own.to_string(), wrong.to_string()]);
        states += own;
        differ += wrong;
    }
    out.table(&table);
    let told: Vec<String> = NAMES.iter().zip(done).map(|(name, count)| format!("{name} {count}")).collect();
    out.line(format!("Operations: {}. {taken} ticks, {refused} refused.", told.join(", ")));
    let mut verdict = Verdict::new();
    verdict.check(format!("{differ} of {PROGRAMS} programs differ"), differ == 0);
    verdict.check(format!("{states} states compared to the byte"), states > 0);
    Ok(verdict)
}

/// Ticks as often as everything else together.
fn operation(random: &mut Random) -> [u8; 2] {
    let below = |random: &mut Random, bound: u32| u8::try_from(random.below(bound)).expect("a small bound");
    let kind = if random.one_in(2) { 0 } else { below(random, u32::from(OPERATIONS)) };
    [kind, if random.one_in(9) { 0 } else { below(random, 256) }]
}
