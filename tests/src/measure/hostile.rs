//! `hostile`: the eight regimes of M§6, each inside bounds that can be stated without solving it.
//!
//! - **energy**: rows store energy and never make it, so kinetic plus potential energy, soft rows' included, stays
//!   at or below its start (an implicit step loses, it does not gain);
//! - **reach**: no particle gets further from its nearest pin than the way there along the edges;
//! - **speed**: nothing is faster than the velocity limit, 4·shortest row·iterations/h.
//!
//! The first two hold where the solver has a chance. A vertex update is capped at its shortest row, so a substep can
//! take back at most iterations·(shortest row); where gravity or a throw moves particles further than that in one
//! substep, speed is what remains bounded (M§10, the bound's condition). Soft rows far above 8·m/h² add energy
//! (M§6), and again speed is what remains.

use super::{Measurement, Out, Table, Verdict, sci};
use crate::narrow::{real, to_f32};
use crate::physics;
use crate::random::Random;
use crate::workload::{Edge, G, Spec, Workload, hostile, scenes};
use anyhow::Result;
use glam::DVec3;

/// Eight ways to break a solver.
pub const HOSTILE: Measurement = Measurement {
    name: "hostile",
    about: "the eight regimes of hostile cloth, with the energy they may have and the reach they may attain",
    bar: "the eight regimes: finite, and inside an analytic bound stated per regime; soft-as-water sags to its analytic length within 2 %",
    uses_clock: false,
    run,
};

/// Largest energy above the start, over the energy there is: rounding and the residual of a finite budget.
const ENERGY_BAR: f64 = 0.01;
/// Largest reach over the bound: a hard row's residual at these budgets, which M§6 has at a few per cent.
const REACH_BAR: f64 = 1.1;
/// Largest speed over the velocity limit: the last digits of an `f32`.
const SPEED_BAR: f64 = 1.0 + 1e-6;

fn run(out: &mut Out) -> Result<Verdict> {
    out.line(
        "Energy made: the most kinetic plus potential energy above the start, over what there was to begin with \
         (kinetic energy, and the weight of the free particles times their way to the pin). Reach: distance to the \
         nearest pin over the way there along the edges. Speed over the velocity limit. A dash: not bounded, because \
         a substep moves particles further than its updates reach, or a soft row's stiffness is far above 8·m/h².\n",
    );
    let mut table =
        Table::new(["regime", "what", "finite", "energy made", "reach", "speed", "worst strain at the end"]);
    let mut verdict = Verdict::new();
    for regime in hostile::regimes() {
        let found = observe(&regime)?;
        let against = |value: f64, bar: f64| format!("{} ≤ {}", sci(value), sci(bar));
        let if_mastered = |text: String| if regime.mastered { text } else { "–".into() };
        table.row([
            regime.name.into(),
            regime.what.into(),
            if found.finite { "yes" } else { "no" }.into(),
            if_mastered(against(found.made, ENERGY_BAR)),
            if_mastered(format!("{:.4} ≤ {REACH_BAR:.4}", found.reach)),
            against(found.speed, SPEED_BAR),
            sci(found.strain),
        ]);
        let bounded = found.made <= ENERGY_BAR && found.reach <= REACH_BAR || !regime.mastered;
        let inside = found.finite && found.speed <= SPEED_BAR && bounded;
        let name = format!("{}{}", regime.name, if regime.mastered { "" } else { " beyond reach" });
        verdict.check(format!("{name} {}", if inside { "inside" } else { "outside" }), inside);
    }
    out.table(&table);
    let (sag, analytic) = water()?;
    out.line(format!(
        "soft as water: a chain of {LINKS} links of 2 cm on rows of 1e-2 N/m, 5e-4 kg a particle, damped at 1/s, hangs \
         {sag:.4} m long; n·L0 + (m·g/k)·n(n+1)/2 = {analytic:.4} m.",
    ));
    let off = (sag / analytic - 1.0).abs();
    verdict.check(format!("soft as water {sag:.2} m, {:.3} % off", 100.0 * off), off <= 0.02);
    Ok(verdict)
}

struct Found {
    finite: bool,
    made: f64,
    reach: f64,
    speed: f64,
    strain: f64,
}

fn observe(regime: &hostile::Regime) -> Result<Found> {
    let workload = regime.spec.clone().build()?;
    let geodesics = workload.geodesics();
    let mut memory = workload.memory();
    let mut run = workload.start(&mut memory)?;
    if regime.thrown > 0.0 {
        let mut random = Random::new(6);
        for (vertex, x) in (0..).zip(run.positions()) {
            if !run.state.is_held(vertex) {
                let way = crate::workload::wide(random.vector(1.0)).normalize();
                run.state.place(
                    vertex,
                    crate::workload::narrow(x),
                    crate::workload::narrow(way * regime.thrown),
                )?;
            }
        }
    }
    let start = physics::energy(&run);
    let gravity = crate::workload::wide(workload.spec.gravity).length();
    let fall: f64 =
        geodesics.iter().zip(&workload.spec.masses).map(|(way, &m)| gravity * f64::from(m) * way).sum();
    let there = start.kinetic + fall;
    let limit = velocity_limit(&workload);
    let mut found = Found { finite: true, made: 0.0, reach: 0.0, speed: 0.0, strain: 0.0 };
    for _ in 0..regime.frames {
        run.step()?;
        let (positions, velocities) = (run.positions(), run.velocities());
        found.finite &= physics::finite(&positions) && physics::finite(&velocities);
        found.made = found.made.max((physics::energy(&run).total() - start.total()) / there);
        found.reach = found.reach.max(physics::reach(&workload, &geodesics, &positions));
        found.speed = velocities.iter().map(|v| v.length() / limit).fold(found.speed, f64::max);
    }
    found.strain = physics::strain(&workload, &run.positions()).worst;
    Ok(found)
}

/// 4·shortest row·iterations/h (m/s).
fn velocity_limit(workload: &Workload) -> f64 {
    let spec = &workload.spec;
    let length = |e: &Edge| workload.rest[e.a as usize].distance(workload.rest[e.b as usize]);
    let shortest = workload.edges.iter().map(length).fold(f64::INFINITY, f64::min);
    let sweeps = f64::from(spec.dynamics.iterations) * f64::from(spec.dynamics.substeps);
    4.0 * shortest * sweeps / f64::from(spec.dt)
}

const LINKS: usize = 20;

/// Length of a chain on very soft rows once it hangs, and the length statics gives it: link i of n carries the
/// n − i + 1 particles below it.
fn water() -> Result<(f64, f64)> {
    let (mass, stiffness, link) = (5e-4, 1e-2, 0.02);
    let chain = Spec { stiffness: to_f32(stiffness), ..scenes::chain(LINKS, mass) }.damping(1.0).build()?;
    let mut memory = chain.memory();
    let mut run = chain.start(&mut memory)?;
    run.steps(7200)?;
    let positions = run.positions();
    let sag = positions[0].distance(positions[LINKS]);
    let n = real(LINKS);
    let analytic = n * link + mass * G / stiffness * n * (n + 1.0) / 2.0;
    anyhow::ensure!(
        positions[LINKS].distance(DVec3::NEG_Y * sag) < 1e-3 * sag,
        "the chain hangs askew: its end at {}",
        positions[LINKS]
    );
    Ok((sag, analytic))
}
