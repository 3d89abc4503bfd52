//! `within-cloth`: what a second thread is worth in one large cloth.

use super::{Measurement, Out, Table, Verdict};
use crate::workload::{Workload, motion, scenes};
use anyhow::Result;
use cloth_core::step::sharing;
use cloth_core::{Apart, Sharing, State, StepReport, step_by};
use cloth_host::world::{Cloth, ClothModel, Rayon, Threads, Transform, World};
use std::time::Instant;

/// One large cloth on two cores.
pub const WITHIN_CLOTH: Measurement = Measurement {
    name: "within-cloth",
    about: "sheets of 32² to 128² with tethers at library settings on one thread and on two, taking turns step by step, by a team and, of 128², in a world on one worker of a pool and on two; least times of steps 20–319, and every state compared",
    bar: "128² on 2 cores: ≥ 1.4 × (1.6), same bits; below the size where it pays it stays serial and says so",
    uses_clock: true,
    run,
};

const WARM_UP: u32 = 20;
const STEPS: u32 = 320;

fn run(out: &mut Out) -> Result<Verdict> {
    let mut verdict = Verdict::new();
    let cores = std::thread::available_parallelism()?.get();
    let mut table =
        Table::new(["sheet", "one thread (ms)", "two threads (ms)", "ratio", "states alike", "it says"]);
    for side in [32, 64, 96, 128] {
        let workload = motion::library_settings(scenes::sheet(side), 0.0).build()?;
        let Taken { least: [one, two], same, sharing } = times(&workload)?;
        let ratio = one / two;
        table.row([
            format!("{side}²"),
            format!("{one:.3}"),
            format!("{two:.3}"),
            format!("{ratio:.2}"),
            format!("{same} of {STEPS}"),
            sharing.to_string(),
        ]);
        verdict.check(format!("{side}²: {same} of {STEPS} states alike"), same == STEPS);
        match side {
            32 => verdict.check("32² is one thread's", matches!(sharing, Sharing::Small { .. })),
            128 if cores < 2 => verdict.unmeasured("this machine has one core"),
            128 => verdict.check(format!("128² {ratio:.2} ×"), ratio >= 1.4),
            _ => {}
        }
    }
    let Taken { least: [one, two], same, sharing } = ticks()?;
    let ratio = one / two;
    table.row([
        "128² in a world".into(),
        format!("{one:.3}"),
        format!("{two:.3}"),
        format!("{ratio:.2}"),
        format!("{same} of {STEPS}"),
        sharing,
    ]);
    verdict.check(format!("in a world: {same} of {STEPS} states alike"), same == STEPS);
    verdict.tell(format!("{ratio:.2} × in a world"));
    out.table(&table);
    Ok(verdict)
}

struct Taken<S> {
    least: [f64; 2],
    same: u32,
    sharing: S,
}

/// Times of ticks of a world with one sheet of 128².
fn ticks() -> Result<Taken<String>> {
    let spec = motion::library_settings(scenes::sheet(128), 0.0);
    let cloth = Cloth { sleeps: false, ..Cloth::of(spec.dynamics) };
    let model = ClothModel::build(spec.builder())?;
    let mut worlds = [1, 2].map(|workers| {
        let mut world = World::new();
        world.set_executor(Rayon::oversubscribed(workers));
        world.spawn((Transform::IDENTITY, cloth, model.clone()));
        world
    });
    let mut taken = Taken { least: [f64::INFINITY; 2], same: 0, sharing: String::new() };
    for step in 0..STEPS {
        for turn in 0..2_usize {
            let which = (turn + step as usize) % 2;
            let begun = Instant::now();
            worlds[which].tick()?;
            let time = begun.elapsed().as_secs_f64() * 1e3;
            if step >= WARM_UP {
                taken.least[which] = taken.least[which].min(time);
            }
        }
        taken.same += u32::from(worlds[0].fingerprint() == worlds[1].fingerprint());
    }
    taken.sharing = worlds[1].parallelism().reason;
    Ok(taken)
}

fn times(workload: &Workload) -> Result<Taken<Sharing>> {
    let model = workload.model();
    let (mut one, mut two) = (workload.memory(), workload.memory());
    let mut states = [State::seed(&model, &mut one)?, State::seed(&model, &mut two)?];
    let apart = Apart::find(&mut states[0]);
    let teams = [1, 2].map(Threads::oversubscribed);
    let input = workload.input();
    let mut taken = Taken { least: [f64::INFINITY; 2], same: 0, sharing: sharing(&teams[1], &model) };
    for step in 0..STEPS {
        let mut reports = [StepReport::default(); 2];
        for turn in 0..2_usize {
            // Whoever goes second finds the other's memory where its own should be.
            let which = (turn + step as usize) % 2;
            let begun = Instant::now();
            reports[which] = step_by(&teams[which], &apart, &mut states[which], &input)?;
            let time = begun.elapsed().as_secs_f64() * 1e3;
            if step >= WARM_UP {
                taken.least[which] = taken.least[which].min(time);
            }
        }
        let alike = states[0].fingerprint() == states[1].fingerprint() && reports[0] == reports[1];
        taken.same += u32::from(alike);
    }
    Ok(taken)
}
