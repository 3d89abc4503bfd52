//! The way a row moves its two ends, eight rows at a time.
//!
//! Ends a and b of a row move by ±w·λ·p with p = t·L/(d·t), where d = x_b − x_a, L = ‖d‖: the length then changes by
//! −(w_a + w_b)·λ to first order, whatever the direction t. With t = d **now** this is the projection of position-based
//! dynamics, whose velocities are backward Euler's: a swinging cloth loses energy that nothing took. With t = d₀, the
//! direction **when the substep began**, it is SHAKE (Ryckaert, Ciccotti and Berendsen 1977): with velocities as position
//! differences that is the leapfrog of a constrained system, of second order, and a row's impulse is central at the
//! positions it is applied to, so that linear and angular momentum are kept however few rows have converged.
//!
//! t turns from d₀ to d as the row turns and stretches within a substep,
//!
//! ```text
//! t = d₀ + θ·(d − d₀),   θ = min(1, turn·‖d − d₀‖²/rest²),
//! ```
//!
//! so that gentle motion is conservative and what a substep cannot resolve is damped. Should d·t fall below ¼·L², which
//! takes a row shorter than its turn, t is d.

use crate::simd::{Floats, Lanes, Mask as _};

/// A vector in eight lanes.
pub type Vec3x8<L> = [<L as Lanes>::F; 3];

/// Square of the smallest length a direction is formed from (m²).
const MIN_SQUARE: f32 = 1.0e-24;

/// Least inverse mass that is divided by (1/kg), below that of the heaviest particle a model admits: with
/// `MIN_SQUARE` the divisor stays a normal number.
const MIN_MOBILITY: f32 = 1.0e-13;

/// Where the two ends of eight rows are.
#[derive(Clone, Copy)]
pub struct Ends<L: Lanes> {
    /// d = x_b − x_a (m).
    pub now: Vec3x8<L>,
    /// d₀: the same when the substep began (m).
    pub before: Vec3x8<L>,
}

/// What a row does to its ends.
#[derive(Clone, Copy)]
pub struct Pull<L: Lanes> {
    /// L (m).
    pub length: L::F,
    direction: Vec3x8<L>,
    projection: L::F,
}

/// x − y.
#[inline(always)]
pub fn difference<L: Lanes>(x: Vec3x8<L>, y: Vec3x8<L>) -> Vec3x8<L> {
    [x[0] - y[0], x[1] - y[1], x[2] - y[2]]
}

/// x·y.
#[inline(always)]
pub fn dot<L: Lanes>(x: Vec3x8<L>, y: Vec3x8<L>) -> L::F {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

/// x × y.
#[inline(always)]
pub fn cross<L: Lanes>(x: Vec3x8<L>, y: Vec3x8<L>) -> Vec3x8<L> {
    [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
}

/// x + y·s.
#[inline(always)]
pub fn plus<L: Lanes>(x: Vec3x8<L>, y: Vec3x8<L>, s: L::F) -> Vec3x8<L> {
    [x[0] + y[0] * s, x[1] + y[1] * s, x[2] + y[2] * s]
}

/// x − y·s.
#[inline(always)]
pub fn minus<L: Lanes>(x: Vec3x8<L>, y: Vec3x8<L>, s: L::F) -> Vec3x8<L> {
    [x[0] - y[0] * s, x[1] - y[1] * s, x[2] - y[2] * s]
}

/// x·s.
#[inline(always)]
pub fn times<L: Lanes>(x: Vec3x8<L>, s: L::F) -> Vec3x8<L> {
    [x[0] * s, x[1] * s, x[2] * s]
}

/// What is moved in the lanes of `mask`, and −0 elsewhere: added to a position, that leaves every bit of it, also where the
/// move was none (0/0, or 0 times what left the numbers), so that a lane comes out as if its group had been skipped.
#[inline(always)]
pub fn only<L: Lanes>(l: L, mask: <L::F as Floats>::Mask, moved: Vec3x8<L>) -> Vec3x8<L> {
    let none = l.splat(-0.0);
    [mask.select(moved[0], none), mask.select(moved[1], none), mask.select(moved[2], none)]
}

/// ‖x‖, and not below 1e-12.
#[inline(always)]
pub fn length<L: Lanes>(l: L, x: Vec3x8<L>) -> L::F {
    dot::<L>(x, x).max(l.splat(MIN_SQUARE)).root()
}

impl<L: Lanes> Pull<L> {
    /// The pull of rows with these rest lengths, `inverse_rest` = 1/rest (1/m).
    #[inline(always)]
    pub fn new(l: L, ends: &Ends<L>, inverse_rest: L::F, turn: f32) -> Self {
        let Ends { now, before } = *ends;
        let square = dot::<L>(now, now).max(l.splat(MIN_SQUARE));
        let change = difference::<L>(now, before);
        let turned = dot::<L>(change, change) * (inverse_rest * inverse_rest) * l.splat(turn);
        let share = turned.min(l.splat(1.0));
        let mixed = plus::<L>(before, change, share);
        let projection = dot::<L>(now, mixed);
        let crushed = projection.lt(square * l.splat(0.25));
        let (mut direction, mut along) = (mixed, projection);
        if crushed.any() {
            // No row of cloth that is not crumpled to a seventh of its length gets here: worth a branch.
            direction = [
                crushed.select(now[0], mixed[0]),
                crushed.select(now[1], mixed[1]),
                crushed.select(now[2], mixed[2]),
            ];
            along = crushed.select(square, projection);
        }
        Self { length: square.root(), direction, projection: along }
    }

    /// The vector p·λ (m·kg) for λ = `violation`/`mobility`: end a moves by w_a of it, b by −w_b.
    ///
    /// `mobility` is w_a + w_b, and 1/(k·h²) more for a soft row (1/kg): what a unit of λ takes off the violation (m).
    #[inline(always)]
    pub fn moved(self, l: L, violation: L::F, mobility: L::F) -> Vec3x8<L> {
        let divisor = mobility.max(l.splat(MIN_MOBILITY)) * self.projection;
        let s = violation * self.length / divisor;
        times::<L>(self.direction, s)
    }
}
