//! The eight regimes of M§6: ways to break a solver.

use super::{Shape, Spec, first};
use cloth_core::Vec3;

/// A regime.
pub struct Regime {
    /// What M§6 calls it.
    pub name: &'static str,
    /// What it is made of.
    pub what: &'static str,
    /// The cloth.
    pub spec: Spec,
    /// How long it runs.
    pub frames: u32,
    /// Every free particle starts with this speed in a random direction (m/s).
    pub thrown: f64,
    /// Whether energy and reach are bounded: updates reach as far as a substep's motion, and no soft row is stiffer
    /// than a sweep can carry.
    pub mastered: bool,
}

/// A hard sheet of `side`² particles, row 0 held, released flat.
fn patch(side: usize, spacing: f64, mass: f64) -> Spec {
    Spec { pins: first(side), ..Spec::new(Shape::grid(side, side, spacing), mass) }
}

/// The eight regimes, two of them twice.
pub fn regimes() -> Vec<Regime> {
    let regime =
        |name, what, spec: Spec, frames| Regime { name, what, spec, frames, thrown: 0.0, mastered: true };
    let thrown = |regime| Regime { thrown: 100.0, ..regime };
    let beyond = |regime| Regime { mastered: false, ..regime };
    let stiff = Spec { stiffness: 1e8, dt: 0.2, ..patch(8, 1.0, 1.0) }.budget(1, 1);
    let light = Spec { dt: 1.0 / 240.0, ..patch(16, 0.02, 1e-5) }.budget(4, 8);
    let wide = Spec { dt: 1.0 / 15.0, ..patch(6, 10.0, 0.01) };
    let heavy = |spacing| Spec { gravity: Vec3::new(0.0, -9810.0, 0.0), ..patch(16, spacing, 0.002) };
    let weightless = |spacing| Spec { gravity: Vec3::ZERO, ..patch(16, spacing, 0.002) };
    vec![
        beyond(regime("stiff + 5 fps", "8×8 at 1 m, 1 kg particles, 1e8 N/m rows, 1×1 at 0.2 s", stiff, 300)),
        regime("light + 240 fps", "16×16 at 2 cm, 10 mg particles, 4×8 at 1/240 s", light, 1200),
        regime("10 m spacing", "6×6 at 10 m, 2×4 at 1/15 s", wide, 300),
        regime("a thousand g", "16×16 at 0.5 m, −9810 m/s², 2×4", heavy(0.5), 600),
        beyond(regime("a thousand g", "the same at 2 cm", heavy(0.02), 600)),
        thrown(regime("zero g, 100 m/s", "16×16 at 0.5 m, thrown every way, 2×4", weightless(0.5), 600)),
        beyond(thrown(regime("zero g, 100 m/s", "the same at 2 cm", weightless(0.02), 600))),
        regime("inextensible", "16×16 at 2 cm, hard rows, 2×4", patch(16, 0.02, 0.002), 600),
        regime("inextensible cape", "20×30 at 2 cm, hard rows, 2×4", super::scenes::cape(), 600),
    ]
}
