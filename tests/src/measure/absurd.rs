//! `absurd`: nothing an author can write makes the step fail.

use super::{Measurement, Out, Table, Verdict, sci};
use crate::physics;
use crate::workload::{Spec, absurd};
use anyhow::Result;
use cloth_core::step::probe::{Probe, Update, step_probed};

/// The guard never acts.
pub const ABSURD: Measurement = Measurement {
    name: "absurd",
    about: "random cloths of random topology, masses over ten decades, stiffness over thirteen, steps from 1 to 250 ms, thrown about",
    bar: "≥ 300 random absurd cloths, ≥ 5 M updates: guard acted 0 times; smallest raw pivot and share of floored updates printed; the same run without the floor is seen failing",
    uses_clock: false,
    run,
};

/// Number of cloths, and the frames each runs.
pub const CLOTHS: u64 = 320;
const FRAMES: u32 = 100;

/// Counts vertex updates and watches their pivots.
struct Pivots<const FLOOR: bool> {
    updates: u64,
    floored: u64,
    smallest: f32,
}

impl<const FLOOR: bool> Probe for Pivots<FLOOR> {
    const PIVOT_FLOOR: bool = FLOOR;

    fn update(&mut self, update: &Update<'_>) {
        self.updates += 1;
        let low = update.pivots.into_iter().fold(f32::INFINITY, f32::min);
        self.floored += u64::from(low < 1.0);
        self.smallest = self.smallest.min(low);
    }
}

/// What became of all the cloths.
#[derive(Default)]
struct Outcome {
    rescued: u64,
    cloths_rescued: u64,
    not_finite: u64,
}

fn run(out: &mut Out) -> Result<Verdict> {
    let (floored, with) = all::<true>()?;
    let (unfloored, without) = all::<false>()?;
    let mut table = Table::new(["", "with the pivot floor", "without it"]);
    let mut row = |what: &str, with: String, without: String| table.row([what.into(), with, without]);
    row("cloths", CLOTHS.to_string(), CLOTHS.to_string());
    row("vertex updates", floored.updates.to_string(), unfloored.updates.to_string());
    row("particles rescued", with.rescued.to_string(), without.rescued.to_string());
    row("cloths with a rescue", with.cloths_rescued.to_string(), without.cloths_rescued.to_string());
    row("cloths with a non-finite number", with.not_finite.to_string(), without.not_finite.to_string());
    row("smallest raw pivot", sci(floored.smallest.into()), sci(unfloored.smallest.into()));
    let share = |p: u64, of: u64| format!("{p} ({} ppm)", sci(1e6 * rational(p, of)));
    row(
        "updates with a pivot below 1",
        share(floored.floored, floored.updates),
        share(unfloored.floored, unfloored.updates),
    );
    out.table(&table);
    let mut verdict = Verdict::new();
    verdict.check(format!("{CLOTHS} cloths"), CLOTHS >= 300);
    verdict.check(
        format!("{:.1} M updates", rational(floored.updates, 1_000_000)),
        floored.updates >= 5_000_000,
    );
    verdict.check(format!("guard acted {} times", with.rescued), with.rescued == 0 && with.not_finite == 0);
    verdict.tell(format!("smallest raw pivot {}", sci(floored.smallest.into())));
    verdict.tell(format!("{} floored", share(floored.floored, floored.updates)));
    verdict.check(format!("{} rescues without the floor", without.rescued), without.rescued > 0);
    Ok(verdict)
}

/// A ratio of counts; counts here are far below 2^53.
#[expect(clippy::cast_precision_loss, reason = "a share to three digits")]
pub fn rational(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

fn all<const FLOOR: bool>() -> Result<(Pivots<FLOOR>, Outcome)> {
    let mut pivots = Pivots { updates: 0, floored: 0, smallest: f32::INFINITY };
    let mut outcome = Outcome::default();
    for number in 0..CLOTHS {
        let ran = cloth(number, FRAMES, |_| (), &mut pivots)?;
        outcome.rescued += ran.rescued;
        outcome.cloths_rescued += u64::from(ran.rescued > 0);
        outcome.not_finite += u64::from(!ran.finite);
    }
    Ok((pivots, outcome))
}

/// How one absurd cloth ended.
pub struct Ran {
    /// Rescues over the run.
    pub rescued: u64,
    /// Whether positions and velocities stayed finite in every frame.
    pub finite: bool,
}

/// Runs absurd cloth `number`, changed by `change`, with its events under a probe.
///
/// # Errors
///
/// What the core objects to; it should not.
pub fn cloth(number: u64, frames: u32, change: impl Fn(&mut Spec), probe: &mut impl Probe) -> Result<Ran> {
    let (mut spec, mut random) = absurd::cloth(number);
    change(&mut spec);
    let workload = spec.build()?;
    let mut memory = workload.memory();
    let mut run = workload.start(&mut memory)?;
    let mut ran = Ran { rescued: 0, finite: true };
    for _ in 0..frames {
        absurd::event(&mut run.state, &mut random, &workload.spec)?;
        let input = workload.input();
        ran.rescued += u64::from(step_probed(&mut run.state, &input, probe)?.rescued);
        ran.finite &= physics::finite(&run.positions()) && physics::finite(&run.velocities());
    }
    Ok(ran)
}
