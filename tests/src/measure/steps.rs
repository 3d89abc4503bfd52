//! `energy-steps`: how often, and how far, a vertex update climbs its own energy.
//!
//! The scaled energy of a vertex at x, everything else held: E(x) = ½‖x − y‖² + Σ ½k̃(‖x − o‖ − R)² over its
//! distance rows (a row that only pulls counts while it is longer than R) + Σ ½k̃(s − rest)² over its hinges,
//! computed in `f64` before and after the update.
//!
//! Positions are `f32`: a coordinate is only as fine as its last digit, and so is a length formed from two of
//! them. Across a row of scaled stiffness k̃ that alone is worth ½k̃·(2u)², u being the spacing of floats at the
//! largest coordinate involved. Below the sum of these the solver has no position to go to, so a climb counts
//! once it is above both that resolution and the bar's 1e-6 of the scale, and its size is taken over the larger
//! of scale and resolution. Where stiffness is moderate the resolution is nothing; with k̃ of 1e14, as absurd
//! cloth has, it is everything, and the table shows what counting it too would give.
//!
//! Two kinds of term have no second derivative where it matters: a row that only pulls is nothing until the
//! update has carried the particle past its reference – with a penalty of 16 it then makes up to 16 times the
//! inertia's share –, and a curved hinge that is folded through changes the sign of s. The record's bar on the
//! size of climbs comes from a solver that had neither, so the size is taken over the terms that are of one
//! form before and after; the share counts every climb, and the table shows the size with everything.

use super::{Measurement, Out, Table, Verdict, absurd, sci};
use crate::oracle::VertexRun;
use crate::oracle::probe::{Probe, Term, Update};
use crate::workload::{Spec, scenes, wide};
use anyhow::Result;
use glam::DVec3;

/// Updates that climb.
pub const ENERGY_STEPS: Measurement = Measurement {
    name: "energy-steps",
    about: "(oracle) vertex updates that raise the energy they minimise, as a share of all and relative to it",
    bar: "by the f64 energy of the vertex, scale = ½·Σ abs(terms) before the update, climbs under 1e-6 of it ignored: \
          fraction and size of updates that raise local energy: cape ≤ 0.01 %, ≤ 0.5; absurd ≤ 3 %, ≤ 2",
    uses_clock: false,
    run,
};

/// Climbs smaller than this share of the scale are rounding.
const IGNORED: f64 = 1e-6;

/// Spacing of floats over their magnitude, at its coarsest.
const SPACING: f64 = 1.0 / 8_388_608.0;

#[derive(Default)]
struct Climbs {
    updates: u64,
    climbs: u64,
    /// Largest climb over the scale, of terms that keep their form.
    worst: f64,
    /// The same of all terms.
    worst_of_all: f64,
    /// Climbs above 1e-6 of the scale, resolved by f32 or not.
    unresolved: u64,
}

impl Probe for Climbs {
    fn update(&mut self, update: &Update<'_>) {
        self.updates += 1;
        let before = wide(update.before);
        let after = before + wide(update.delta);
        let target = wide(update.inertial());
        let inertia = |x: DVec3| 0.5 * x.distance_squared(target);
        let (mut start, mut climb, mut resolution) = (inertia(before), inertia(after) - inertia(before), 0.0);
        let mut sudden = 0.0;
        update.terms(|term| {
            let (old, new) = (potential(&term, before), potential(&term, after));
            start += old.energy;
            climb += new.energy - old.energy;
            if old.form != new.form {
                sudden += new.energy - old.energy;
            }
            resolution += unresolved(&term, before);
        });
        // Every term is a square: the sum of their magnitudes is the energy itself.
        let scale = 0.5 * start;
        self.unresolved += u64::from(climb > IGNORED * scale);
        if climb > (IGNORED * scale).max(resolution) {
            self.climbs += 1;
            let over = scale.max(resolution);
            self.worst = self.worst.max((climb - sudden) / over);
            self.worst_of_all = self.worst_of_all.max(climb / over);
        }
    }
}

/// A term's energy, and which of its forms it has there.
struct Potential {
    energy: f64,
    form: i8,
}

/// ½k̃·(2u)² of a row.
fn unresolved(term: &Term, x: DVec3) -> f64 {
    let (stiffness, size) = match *term {
        Term::Distance { other, stiffness, reference, .. } => {
            (stiffness, wide(other).abs().max_element().max(f64::from(reference).abs()))
        }
        Term::Bend { corners, c, stiffness, .. } => {
            let sizes = corners.iter().zip(c).map(|(&x, c)| wide(x).abs().max_element() * f64::from(c).abs());
            (stiffness, sizes.sum())
        }
    };
    let spacing = SPACING * x.abs().max_element().max(size);
    0.5 * f64::from(stiffness) * (2.0 * spacing).powi(2)
}

fn potential(term: &Term, x: DVec3) -> Potential {
    let (stiffness, excess, form) = match *term {
        Term::Distance { other, stiffness, reference, pull } => {
            let excess = x.distance(wide(other)) - f64::from(reference);
            let idle = pull && excess < 0.0;
            (stiffness, if idle { 0.0 } else { excess }, i8::from(idle))
        }
        Term::Bend { corners, own, c, stiffness, rest } => {
            let mut corners = corners.map(wide);
            corners[own] = x;
            let curvature: DVec3 = corners.iter().zip(c).map(|(&x, c)| x * f64::from(c)).sum();
            let [a, b, left, right] = corners;
            let normal = (b - a).cross(left - a) + (right - a).cross(b - a);
            // A flat rest shape has no side.
            let turned = curvature.dot(normal) < 0.0 && rest.abs() > 0.0;
            let side = if turned { -1.0 } else { 1.0 };
            (stiffness, side * curvature.length() - f64::from(rest), i8::from(turned))
        }
    };
    Potential { energy: 0.5 * f64::from(stiffness) * excess * excess, form }
}

fn run(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new([
        "cloth",
        "updates",
        "climb",
        "share",
        "share with what f32 cannot resolve",
        "largest climb over the scale",
        "largest with terms that change form",
    ]);
    let mut verdict = Verdict::new();
    let mut case = |name: &str, climbs: &Climbs, share_bar: f64, size_bar: f64| {
        let share = absurd::rational(climbs.climbs, climbs.updates);
        table.row([
            name.into(),
            climbs.updates.to_string(),
            climbs.climbs.to_string(),
            format!("{:.5} %", 100.0 * share),
            format!("{:.5} %", 100.0 * absurd::rational(climbs.unresolved, climbs.updates)),
            sci(climbs.worst),
            sci(climbs.worst_of_all),
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
    let mut run = VertexRun::new(&cape);
    let mut climbs = Climbs::default();
    for _ in 0..300 {
        run.step_probed(&mut climbs);
    }
    Ok(climbs)
}
