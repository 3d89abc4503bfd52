//! Angles without a library's arc functions.

use super::{real, vector};
use core::f32::consts::FRAC_PI_2;
use glam::Vec3;

/// The angle between two unit vectors (rad), off by less than 1e-6: 2·atan(‖u − v‖/‖u + v‖).
///
/// By halves of the angle the quotient has all its digits near 0 and near π alike, where a cosine has lost them.
pub fn between_units(u: Vec3, v: Vec3) -> f32 {
    let (apart, together) = (vector::length(u - v), vector::length(u + v));
    if apart <= together {
        2.0 * atan(apart / real::max(together, f32::MIN_POSITIVE))
    } else {
        2.0 * (FRAC_PI_2 - atan(together / apart))
    }
}

/// atan of x in `[0, 1]`, off by less than 1e-7.
///
/// Source: Abramowitz and Stegun, *Handbook of Mathematical Functions* (1964), 4.4.49: less than 2e-8 but for rounding.
fn atan(x: f32) -> f32 {
    const TERMS: [f32; 8] = [
        0.002_866_225_7,
        -0.016_165_737,
        0.042_909_615,
        -0.075_289_64,
        0.106_562_64,
        -0.142_089,
        0.199_935_51,
        -0.333_331_45,
    ];
    let square = x * x;
    let mut sum = 0.0;
    for term in TERMS {
        sum = (sum + term) * square;
    }
    x * (1.0 + sum)
}

#[cfg(test)]
#[expect(clippy::cast_possible_truncation, reason = "the nearest f32 of an exact cosine")]
mod tests {
    use super::*;

    #[test]
    fn angles_are_those_of_the_library() {
        for i in 0..=100_000 {
            let angle = f64::from(i) * core::f64::consts::PI / 100_000.0;
            let v = Vec3::new(angle.cos() as f32, angle.sin() as f32, 0.0);
            // Against the vector's own angle, which rounding moved.
            let exact = f64::from(v.y).atan2(f64::from(v.x));
            assert!((f64::from(between_units(Vec3::X, v)) - exact).abs() < 1e-6, "{angle}");
        }
        assert_eq!(between_units(Vec3::X, Vec3::X).to_bits(), 0);
    }
}
