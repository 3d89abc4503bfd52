//! Choosing between floats, with the answer for −0 and NaN written down.
//!
//! All of them are comparisons and bit operations. The choosing functions keep their *second* argument unless
//! the first is truly better, so a NaN never wins against a bound given second.

const SIGN: u32 = 0x8000_0000;
const INFINITE: u32 = 0x7f80_0000;

/// `a` if `a < b`, else `b`: so `b` when either is a NaN, and `b` of two zeros.
#[inline(always)]
pub fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// `a` if `a > b`, else `b`: so `b` when either is a NaN, and `b` of two zeros.
#[inline(always)]
pub fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// `x` moved into `[low, high]`: `low` for a NaN, `high` where the bounds are crossed; a zero equal to a bound
/// becomes that bound.
#[inline(always)]
pub fn clamp(x: f32, low: f32, high: f32) -> f32 {
    min(max(x, low), high)
}

/// |x|: the sign bit cleared, of zeros and NaNs too.
#[inline(always)]
pub fn abs(x: f32) -> f32 {
    f32::from_bits(x.to_bits() & !SIGN)
}

/// 1 above zero, −1 below, and +0 for both zeros and for a NaN.
#[inline(always)]
pub fn signum(x: f32) -> f32 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

/// `magnitude` with the sign bit of `sign`, whatever either is.
#[inline(always)]
pub fn copysign(magnitude: f32, sign: f32) -> f32 {
    f32::from_bits((magnitude.to_bits() & !SIGN) | (sign.to_bits() & SIGN))
}

/// Whether x is neither infinite nor a NaN.
#[inline(always)]
pub fn is_finite(x: f32) -> bool {
    x.to_bits() & INFINITE != INFINITE
}

/// 2^−x for x in `[0, 32]`, with a relative error below 3e-7 and exact at whole numbers; x outside is moved to
/// the nearer end, a NaN to 0.
#[inline]
pub fn exp2_neg(x: f32) -> f32 {
    let (change, scale) = exp2_parts(x);
    (1.0 + change) * scale
}

/// 1 − 2^−x for x in `[0, 32]`, with a relative error below 5e-7 also where it is small, 0 at 0 and below 1 everywhere; x
/// outside is moved to the nearer end, a NaN to 0.
#[inline]
pub fn exp2_rise(x: f32) -> f32 {
    /// The largest number below 1.
    const BELOW: f32 = 1.0 - 0.5 * f32::EPSILON;

    let (change, scale) = exp2_parts(x);
    if scale < 1.0 { min(1.0 - (1.0 + change) * scale, BELOW) } else { -change }
}

/// 2^−x as (1 + change)·scale, with x as [`exp2_neg`] takes it.
///
/// x is split into the nearest whole number n and f in `[−½, ½]`; 2^−f is its Taylor polynomial of degree 6,
/// which leaves out less than (½·ln 2)⁷/7! = 1.2e-7, and 2^−n is written into the exponent.
#[inline(always)]
fn exp2_parts(x: f32) -> (f32, f32) {
    /// (−ln 2)ᵏ/k! for k = 6 … 1.
    const TERMS: [f32; 6] =
        [1.540_353e-4, -1.333_355_8e-3, 9.618_129e-3, -5.550_411e-2, 0.240_226_5, -core::f32::consts::LN_2];
    // Adding 1.5·2²³ leaves no bits for a fraction: the sum is rounded to a whole number, which then stands in
    // its lowest bits.
    const ROUNDER: f32 = 12_582_912.0;

    let x = clamp(x, 0.0, 32.0);
    let rounded = x + ROUNDER;
    let f = x - (rounded - ROUNDER);
    let n = rounded.to_bits() & 63;
    let mut power = 0.0;
    for term in TERMS {
        power = (power + term) * f;
    }
    (power, f32::from_bits((127 - n) << 23))
}

/// A count as a float: exact up to 2²⁴, correctly rounded above.
#[inline(always)]
pub fn from_count(count: u32) -> f32 {
    // Both halves are exact, and so is the product; the sum rounds once.
    let low = u16::try_from(count & 0xffff).unwrap_or(u16::MAX);
    let high = u16::try_from(count >> 16).unwrap_or(u16::MAX);
    f32::from(high) * 65_536.0 + f32::from(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEG_ZERO: u32 = SIGN;

    #[test]
    fn the_second_argument_is_kept_unless_the_first_is_better() {
        assert_eq!(min(1.0, 2.0).to_bits(), 1.0_f32.to_bits());
        assert_eq!(min(2.0, 1.0).to_bits(), 1.0_f32.to_bits());
        assert_eq!(max(1.0, 2.0).to_bits(), 2.0_f32.to_bits());
        assert_eq!(max(2.0, 1.0).to_bits(), 2.0_f32.to_bits());
        for choose in [min, max] {
            assert_eq!(choose(0.0, -0.0).to_bits(), NEG_ZERO);
            assert_eq!(choose(-0.0, 0.0).to_bits(), 0);
            assert_eq!(choose(f32::NAN, 3.0).to_bits(), 3.0_f32.to_bits());
            assert!(choose(3.0, f32::NAN).is_nan());
        }
    }

    #[test]
    fn clamp_always_answers_inside() {
        for (x, expected) in [(-1.0, 0.5), (0.75, 0.75), (9.0, 2.0), (f32::NAN, 0.5), (f32::INFINITY, 2.0)] {
            assert_eq!(clamp(x, 0.5, 2.0).to_bits(), f32::to_bits(expected), "{x}");
        }
        assert_eq!(clamp(1.0, 3.0, 2.0).to_bits(), 2.0_f32.to_bits());
        assert_eq!(clamp(-0.0, 0.0, 1.0).to_bits(), 0);
    }

    #[test]
    fn signs() {
        assert_eq!(abs(-0.0).to_bits(), 0);
        assert_eq!(abs(-3.5).to_bits(), 3.5_f32.to_bits());
        assert_eq!(abs(f32::NEG_INFINITY).to_bits(), f32::INFINITY.to_bits());
        for (x, sign) in [(2.0, 1.0), (-1e-45, -1.0), (0.0, 0.0), (-0.0, 0.0), (f32::NAN, 0.0)] {
            assert_eq!(signum(x).to_bits(), f32::to_bits(sign), "{x}");
        }
        assert_eq!(copysign(2.0, -0.0).to_bits(), (-2.0_f32).to_bits());
        assert_eq!(copysign(-2.0, f32::from_bits(0x7fc0_0000)).to_bits(), 2.0_f32.to_bits());
    }

    #[test]
    fn counts_round_once() {
        for count in [0, 1, 65_535, 65_536, 16_777_217, u32::MAX, 3_000_000_001] {
            #[expect(clippy::cast_precision_loss, reason = "the conversion under test")]
            let expected = count as f32;
            assert_eq!(from_count(count).to_bits(), expected.to_bits(), "{count}");
        }
    }

    #[test]
    fn finite_is_what_ieee_says() {
        for x in [0.0, -0.0, f32::MIN_POSITIVE, -f32::MAX, f32::MAX] {
            assert!(is_finite(x), "{x}");
        }
        for x in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::from_bits(0xff80_0001)] {
            assert!(!is_finite(x), "{x}");
        }
    }

    #[test]
    fn exp2_neg_keeps_its_bound() {
        let mut worst = 0.0_f64;
        let mut previous = f32::INFINITY;
        for i in 0..=320_000_u32 {
            let x = i as f32 / 10_000.0;
            let y = exp2_neg(x);
            let exact = (-f64::from(x)).exp2();
            worst = worst.max(((f64::from(y) - exact) / exact).abs());
            assert!(y <= previous, "not monotone at {x}");
            previous = y;
        }
        assert!(worst < 3e-7, "{worst:e}");
        for n in 0..=32_u8 {
            assert_eq!(exp2_neg(f32::from(n)).to_bits(), (127 - u32::from(n)) << 23, "n = {n}");
        }
    }

    #[test]
    fn exp2_neg_outside_answers_the_nearer_end() {
        assert_eq!(exp2_neg(f32::NAN).to_bits(), 1.0_f32.to_bits());
        assert_eq!(exp2_neg(-5.0).to_bits(), 1.0_f32.to_bits());
        assert_eq!(exp2_neg(f32::INFINITY).to_bits(), exp2_neg(32.0).to_bits());
    }

    #[test]
    fn exp2_rise_keeps_its_bound_and_stays_below_one() {
        let mut previous = 0.0;
        for i in 0..=320_000_u32 {
            let x = i as f32 / 10_000.0;
            let y = exp2_rise(x);
            let exact = -(-f64::from(x) * core::f64::consts::LN_2).exp_m1();
            assert!((f64::from(y) - exact).abs() <= 5e-7 * exact, "{x}: {y:e} is not {exact:e}");
            assert!(y >= previous && y < 1.0, "{x}: {y:e} after {previous:e}");
            previous = y;
        }
        for x in [1e-3_f32, 1e-6, 1e-12, 1e-30] {
            let exact = f64::from(x) * core::f64::consts::LN_2;
            assert!((f64::from(exp2_rise(x)) - exact).abs() < 1e-3 * exact, "{x:e}");
        }
        assert_eq!([0.0, -1.0, f32::NAN].map(|x| exp2_rise(x).to_bits() << 1), [0; 3]);
        assert!(exp2_rise(f32::INFINITY) < 1.0);
    }
}
