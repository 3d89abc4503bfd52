//! `energy-steps`: how often, and how far, a vertex update climbs its own energy.
//!
//! The scaled energy of a vertex at x, everything else held: E(x) = ½‖x − y‖² + Σ ½k̃(‖x − o‖ − R)² over its
//! distance rows (a row that only pulls counts while it is longer than R) + Σ ½k̃(s − rest)² over its hinges,
//! computed in `f64` before and after the update.

use super::{Measurement, Out, Table, Verdict, absurd, sci};
use crate::workload::{Spec, scenes, wide};
use anyhow::Result;
use cloth_core::step::probe::{Probe, Term, Update, step_probed};
use glam::DVec3;

/// Updates that climb.
pub const ENERGY_STEPS: Measurement = Measurement {
    name: "energy-steps",
    about: "vertex updates that raise the energy they minimise, as a share of all and relative to it",
    bar: "by the f64 energy of the vertex, scale = ½·Σ abs(terms) before the update, climbs under 1e-6 of it ignored: \
          fraction and size of updates that raise local energy: cape ≤ 0.01 %, ≤ 0.5; absurd ≤ 3 %, ≤ 2",
    uses_clock: false,
    run,
};

/// Climbs smaller than this share of the scale are rounding.
const IGNORED: f64 = 1e-6;

#[derive(Default)]
struct Climbs {
    updates: u64,
    climbs: u64,
    worst: f64,
}

impl Probe for Climbs {
    fn update(&mut self, update: &Update<'_>) {
        self.updates += 1;
        let before = wide(update.before);
        let (start, end) = (energy(update, before), energy(update, before + wide(update.delta)));
        // Every term is a square: the sum of their magnitudes is the energy itself.
        let scale = 0.5 * start;
        let climb = end - start;
        if climb > IGNORED * scale {
            self.climbs += 1;
            self.worst = self.worst.max(climb / scale);
        }
    }
}

fn energy(update: &Update<'_>, x: DVec3) -> f64 {
    let mut energy = 0.5 * x.distance_squared(wide(update.inertial()));
    update.terms(|term| energy += potential(&term, x));
    energy
}

fn potential(term: &Term, x: DVec3) -> f64 {
    match *term {
        Term::Distance { other, stiffness, reference, pull } => {
            let excess = x.distance(wide(other)) - f64::from(reference);
            let excess = if pull { excess.max(0.0) } else { excess };
            0.5 * f64::from(stiffness) * excess * excess
        }
        Term::Bend { corners, own, c, stiffness, rest } => {
            let mut corners = corners.map(wide);
            corners[own] = x;
            let curvature: DVec3 = corners.iter().zip(c).map(|(&x, c)| x * f64::from(c)).sum();
            let [a, b, left, right] = corners;
            let normal = (b - a).cross(left - a) + (right - a).cross(b - a);
            // A flat rest shape has no side.
            let side = if curvature.dot(normal) < 0.0 && rest.abs() > 0.0 { -1.0 } else { 1.0 };
            let excess = side * curvature.length() - f64::from(rest);
            0.5 * f64::from(stiffness) * excess * excess
        }
    }
}

fn run(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new(["cloth", "updates", "climb", "share", "largest climb over the scale"]);
    let mut verdict = Verdict::new();
    let mut case = |name: &str, climbs: &Climbs, share_bar: f64, size_bar: f64| {
        let share = absurd::rational(climbs.climbs, climbs.updates);
        table.row([
            name.into(),
            climbs.updates.to_string(),
            climbs.climbs.to_string(),
            format!("{:.5} %", 100.0 * share),
            sci(climbs.worst),
        ]);
        if share_bar.is_finite() {
            verdict.check(format!("{name} {:.5} %", 100.0 * share), share <= share_bar);
            verdict.check(format!("≤ {}", sci(climbs.worst)), climbs.worst <= size_bar);
        }
    };
    case("cape", &cape(f32::INFINITY)?, 1e-4, 0.5);
    case("cape, rows of 1e3 N/m", &cape(1e3)?, f64::INFINITY, f64::INFINITY);
    case("absurd", &absurd_cloths(|_| ())?, 0.03, 2.0);
    let hard = |spec: &mut Spec| {
        spec.stiffness = f32::INFINITY;
        spec.row_stiffness.clear();
    };
    case("absurd, hard rows only", &absurd_cloths(hard)?, f64::INFINITY, f64::INFINITY);
    out.table(&table);
    Ok(verdict)
}

/// All absurd cloths, changed by `change`.
fn absurd_cloths(change: impl Fn(&mut Spec)) -> Result<Climbs> {
    let mut climbs = Climbs::default();
    for number in 0..absurd::CLOTHS {
        absurd::cloth(number, 60, &change, &mut climbs)?;
    }
    Ok(climbs)
}

/// The cape dropped through ninety degrees, five seconds.
fn cape(stiffness: f32) -> Result<Climbs> {
    let cape = Spec { stiffness, ..scenes::cape() }.build()?;
    let mut memory = cape.memory();
    let mut run = cape.start(&mut memory)?;
    let mut climbs = Climbs::default();
    for _ in 0..300 {
        step_probed(&mut run.state, &cape.input(), &mut climbs)?;
    }
    Ok(climbs)
}
