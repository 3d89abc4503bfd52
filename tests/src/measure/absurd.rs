//! `absurd`: nothing an author can write makes the vertex solver fail.
//!
//! Two safeguards keep a vertex system solvable in `f32`: soft rows are limited to 2²⁰ of their effective
//! inertia, and pivots to 1 from below. Each is left out in turn, to show that the run would notice.

use super::{Measurement, Out, Table, Verdict, sci};
use crate::oracle::VertexRun;
use crate::oracle::probe::{Probe, Update};
use crate::physics;
use crate::workload::{Spec, absurd};
use anyhow::Result;

/// The guard never acts.
pub const ABSURD: Measurement = Measurement {
    name: "absurd",
    about: "(oracle) random cloths of random topology, masses over ten decades, stiffness over thirteen, steps from 1 to 250 ms, thrown about",
    bar: "≥ 300 random absurd cloths, ≥ 5 M updates: guard acted 0 times; smallest raw pivot and share of floored updates printed; the same run without the floor is seen failing",
    uses_clock: false,
    run,
};

/// Number of cloths, and the frames each runs.
pub const CLOTHS: u64 = 320;
const FRAMES: u32 = 100;

/// Counts vertex updates and watches their pivots.
struct Pivots<const LIMIT: bool, const FLOOR: bool> {
    updates: u64,
    floored: u64,
    smallest: f32,
}

impl<const LIMIT: bool, const FLOOR: bool> Probe for Pivots<LIMIT, FLOOR> {
    const PIVOT_FLOOR: bool = FLOOR;
    const SOFT_LIMIT: bool = LIMIT;

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
    updates: u64,
    floored: u64,
    smallest: f32,
    rescued: u64,
    cloths_rescued: u64,
    not_finite: u64,
}

fn run(out: &mut Out) -> Result<Verdict> {
    let product = all::<true, true>()?;
    let floor_only = all::<false, true>()?;
    let limit_only = all::<true, false>()?;
    let neither = all::<false, false>()?;
    let runs = [&product, &floor_only, &limit_only, &neither];
    let mut table = Table::new(["320 cloths", "limit and floor", "floor only", "limit only", "neither"]);
    let mut row = |what: &str, cell: &dyn Fn(&Outcome) -> String| {
        table.row([vec![what.to_owned()], runs.map(cell).to_vec()].concat());
    };
    row("vertex updates", &|run| run.updates.to_string());
    row("particles rescued", &|run| run.rescued.to_string());
    row("cloths with a rescue", &|run| run.cloths_rescued.to_string());
    row("cloths with a non-finite number", &|run| run.not_finite.to_string());
    row("smallest raw pivot", &|run| sci(run.smallest.into()));
    let share =
        |run: &Outcome| format!("{} ({} ppm)", run.floored, sci(1e6 * rational(run.floored, run.updates)));
    row("updates with a pivot below 1", &share);
    out.table(&table);
    let mut verdict = Verdict::new();
    verdict.check(format!("{CLOTHS} cloths"), CLOTHS >= 300);
    let millions = rational(product.updates, 1_000_000);
    verdict.check(format!("{millions:.1} M updates"), product.updates >= 5_000_000);
    for (run, name) in [(&product, "guard acted"), (&floor_only, "with the floor alone")] {
        verdict.check(format!("{name} {} times", run.rescued), run.rescued == 0 && run.not_finite == 0);
    }
    verdict.tell(format!("smallest raw pivot {}", sci(product.smallest.into())));
    verdict.tell(format!("{} floored", share(&product)));
    verdict.check(format!("{} rescues with neither", neither.rescued), neither.rescued > 0);
    Ok(verdict)
}

/// A ratio of counts; counts here are far below 2^53.
#[expect(clippy::cast_precision_loss, reason = "a share to three digits")]
pub fn rational(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

fn all<const LIMIT: bool, const FLOOR: bool>() -> Result<Outcome> {
    let mut pivots = Pivots::<LIMIT, FLOOR> { updates: 0, floored: 0, smallest: f32::INFINITY };
    let mut outcome = Outcome::default();
    for number in 0..CLOTHS {
        let ran = cloth(number, FRAMES, |_| (), &mut pivots)?;
        outcome.rescued += ran.rescued;
        outcome.cloths_rescued += u64::from(ran.rescued > 0);
        outcome.not_finite += u64::from(!ran.finite);
    }
    let Pivots { updates, floored, smallest } = pivots;
    Ok(Outcome { updates, floored, smallest, ..outcome })
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
/// What the builder objects to; it should not.
pub fn cloth(number: u64, frames: u32, change: impl Fn(&mut Spec), probe: &mut impl Probe) -> Result<Ran> {
    let (mut spec, mut random) = absurd::cloth(number);
    change(&mut spec);
    let workload = spec.build()?;
    let mut run = VertexRun::new(&workload);
    let mut ran = Ran { rescued: 0, finite: true };
    for _ in 0..frames {
        run.suffer(absurd::draw(&mut random, &workload.spec));
        ran.rescued += u64::from(run.step_probed(probe).rescued);
        ran.finite &= physics::finite(&run.positions()) && physics::finite(&run.velocities());
    }
    Ok(ran)
}
