//! Sine and cosine with the same bits on every machine.
//!
//! The motion of pins and gusts of wind feed the step, so they may not use the platform's functions (docs: determinism). The argument is
//! reduced by multiples of π/2 held in two parts, then the Taylor series is summed; on |r| ≤ π/4 the first
//! term left out is below 1e-19.

// What is made here feeds a step.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

/// 2/π.
const QUADRANTS_PER_RADIAN: f64 = core::f64::consts::FRAC_2_PI;
/// The first 33 bits of π/2: times a whole number below 2²⁰ it is exact.
const QUADRANT_HIGH: f64 = 1.570_796_326_734_125_6;
/// The rest of π/2.
const QUADRANT_LOW: f64 = 6.077_100_506_506_192e-11;

/// Sine and cosine of an angle (rad), within 1e-12 of the true values for |angle| ≤ 1e6; beyond, and for what
/// is not finite, the error grows but the results stay in [−1, 1].
pub fn sin_cos(angle: f64) -> (f64, f64) {
    let turns = angle * QUADRANTS_PER_RADIAN;
    let half = if turns < 0.0 { -0.5 } else { 0.5 };
    // A conversion that cuts off and saturates: defined for every input.
    #[expect(clippy::cast_possible_truncation, reason = "cutting off is how this rounds")]
    let quadrant = (turns + half) as i64;
    #[expect(clippy::cast_precision_loss, reason = "exact below 2⁵³, and accuracy is promised far below")]
    let whole = quadrant as f64;
    let r = (angle - whole * QUADRANT_HIGH) - whole * QUADRANT_LOW;
    let r = if (-1.0..=1.0).contains(&r) { r } else { 0.0 };
    let (sine, cosine) = series(r);
    match quadrant & 3 {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

/// The sine of so many turns, sin 2π·turns, as exact after a year as it is at once: whole turns are taken off without rounding. 0 for
/// what is not finite.
pub(crate) fn sine_of(turns: f64) -> f64 {
    #[expect(clippy::cast_possible_truncation, reason = "cutting off is meant, and the conversion saturates")]
    let whole = turns as i64;
    #[expect(
        clippy::cast_precision_loss,
        reason = "a whole number that came from an f64 goes back unchanged"
    )]
    let part = turns - whole as f64;
    // Beyond 2⁶³ a number has no part of a turn.
    let part = if (-1.0..=1.0).contains(&part) { part } else { 0.0 };
    sin_cos(core::f64::consts::TAU * part).0
}

/// The Taylor series on |r| ≤ 1, by Horner's rule.
fn series(r: f64) -> (f64, f64) {
    let q = r * r;
    let (mut sine, mut cosine) = (1.0, 1.0);
    // sin r = r(1 − q/(2·3)(1 − q/(4·5)(1 − …))), cos r = 1 − q/(1·2)(1 − q/(3·4)(1 − …)).
    let mut n = 18.0;
    while n > 1.0 {
        sine = 1.0 - q / (n * (n + 1.0)) * sine;
        cosine = 1.0 - q / ((n - 1.0) * n) * cosine;
        n -= 2.0;
    }
    (r * sine, cosine)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_std() {
        let mut worst = 0.0_f64;
        for step in -200_000..=200_000 {
            let angle = f64::from(step) * 0.000_731;
            let (sine, cosine) = sin_cos(angle);
            worst = worst.max((sine - angle.sin()).abs()).max((cosine - angle.cos()).abs());
        }
        for angle in [1e3, -1e4, 1e5, 1e6, -1e6, core::f64::consts::FRAC_PI_4] {
            let (sine, cosine) = sin_cos(angle);
            worst = worst.max((sine - angle.sin()).abs()).max((cosine - angle.cos()).abs());
        }
        assert!(worst < 1e-12, "{worst:e}");
    }

    #[test]
    fn turns_are_as_good_after_many() {
        for (turns, expected) in [(0.0, 0.0), (0.25, 1.0), (-0.25, -1.0), (0.5, 0.0), (1.0 / 12.0, 0.5)] {
            // Times a power of two, so that the part stays exact.
            for whole in [0.0, 1.0, -8.0, 1048576.0, -4294967296.0] {
                let got = sine_of(turns + whole);
                let lost = 7.0 * (turns + whole - whole - turns).abs();
                assert!((got - expected).abs() < 1e-12 + lost, "{turns} + {whole}: {got}");
            }
        }
        assert_eq!([f64::NAN, f64::INFINITY, -1e300].map(|turns| sine_of(turns).to_bits()), [0; 3]);
    }

    #[test]
    fn stays_in_range_for_every_input() {
        for angle in [f64::NAN, f64::INFINITY, -f64::INFINITY, 1e300, -1e18, f64::MIN_POSITIVE] {
            let (sine, cosine) = sin_cos(angle);
            assert!((-1.0..=1.0).contains(&sine) && (-1.0..=1.0).contains(&cosine), "{angle}");
        }
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
    }
}
