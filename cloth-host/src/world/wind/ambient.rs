//! Wind that blows everywhere, and its gusts.

use super::{Reach, Wind, is_velocity};
use crate::pose::{Bounds, Pose, add, scaled};
use crate::trig::sine_of;

/// Lengths a gust may have (s).
pub(super) const PERIODS: core::ops::RangeInclusive<f32> = 1.0e-3..=1.0e6;

/// Frequencies of a gust beside its own, over that (1): √2 and 1/√3. No sum of whole multiples of the three is 0, so all of them come
/// as near to their height together as one likes, and never come back.
const QUICK: f64 = core::f64::consts::SQRT_2;
const SLOW: f64 = 0.577_350_269_189_625_7;

/// A component: wind that blows everywhere. It needs no [`Transform`](crate::world::Transform); several add up.
///
/// ```text
/// u(t) = velocity + gust·s(t/period),   s(τ) = ½·sin 2πτ + ¼·sin 2π√2τ + ¼·sin 2πτ/√3
/// ```
///
/// t being the age of who asks (s): |s| ≤ 1, nothing of it is outside 0.57 to 1.42 times 1/period, it never comes back, and a cloth that
/// was just seeded feels `velocity` alone.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct AmbientWind {
    /// Its steady part (m/s), along the world's axes.
    pub velocity: [f32; 3],
    /// How much gusts add and take, at most (m/s), along the world's axes.
    pub gust: [f32; 3],
    /// How long a gust and the lull behind it are, about (s).
    pub period: f32,
    /// Layers of cloth that feel it, a bit each.
    pub mask: u32,
}

impl Default for AmbientWind {
    /// Air that stands still.
    fn default() -> Self {
        Self { velocity: [0.0; 3], gust: [0.0; 3], period: 1.0, mask: u32::MAX }
    }
}

impl AmbientWind {
    /// A steady wind (m/s).
    pub fn of(velocity: [f32; 3]) -> Self {
        Self { velocity, ..Self::default() }
    }

    /// The wind (m/s) for whoever has this age (s).
    pub fn at(&self, age: f64) -> [f64; 3] {
        let Self { velocity, gust, period, .. } = *self;
        let steady = velocity.map(f64::from);
        if gust.iter().all(|component| *component == 0.0) {
            return steady;
        }
        add(steady, scaled(gust.map(f64::from), strength(age / f64::from(period))))
    }

    /// The first field that is none.
    pub(super) fn invalid_field(&self) -> Option<&'static str> {
        let fields = [
            (is_velocity(&self.velocity), "velocity"),
            (is_velocity(&self.gust), "gust"),
            (PERIODS.contains(&self.period), "period"),
        ];
        fields.iter().find(|(good, _)| !good).map(|(_, name)| *name)
    }
}

/// s(τ), −1 to 1.
fn strength(periods: f64) -> f64 {
    0.5 * sine_of(periods) + 0.25 * (sine_of(QUICK * periods) + sine_of(SLOW * periods))
}

impl Wind for AmbientWind {
    fn reach(&self, _: &Pose, _: &Bounds) -> Reach {
        Reach::Evenly
    }

    fn blow(&self, _: &Pose, age: f64, _: &[[f64; 3]], air: &mut [[f64; 3]]) -> bool {
        let wind = self.at(age);
        for velocity in air {
            *velocity = add(*velocity, wind);
        }
        true
    }

    fn mask(&self) -> u32 {
        self.mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gusts_stay_within_their_bound_come_near_it_and_begin_at_nothing() {
        let (mut low, mut high) = (0.0_f64, 0.0_f64);
        for step in 0..200_000 {
            let strength = strength(f64::from(step) * 0.01);
            (low, high) = (low.min(strength), high.max(strength));
        }
        assert!(low >= -1.0 && high <= 1.0 && low < -0.99 && high > 0.99, "{low} {high}");
        let wind = AmbientWind { gust: [1.0, -2.0, 3.0], ..AmbientWind::of([4.0, 0.0, 0.5]) };
        assert_eq!(wind.at(0.0).map(f64::to_bits), [4.0_f64, 0.0, 0.5].map(f64::to_bits));
    }

    #[test]
    fn a_gust_has_the_frequencies_it_says_and_no_others() {
        // How much of a frequency there is in a thousand periods, by the sums of a discrete Fourier transform.
        let share = |frequency: f64| {
            let count = 40_000_u32;
            let (mut cosines, mut sines) = (0.0, 0.0);
            for step in 0..count {
                let time = f64::from(step) / 40.0;
                let angle = core::f64::consts::TAU * frequency * time;
                cosines += strength(time) * angle.cos();
                sines += strength(time) * angle.sin();
            }
            2.0 * (cosines * cosines + sines * sines).sqrt() / f64::from(count)
        };
        for (frequency, expected) in [(1.0, 0.5), (QUICK, 0.25), (SLOW, 0.25)] {
            assert!((share(frequency) - expected).abs() < 2e-3, "{frequency}: {}", share(frequency));
        }
        for frequency in [0.0, 0.1, 0.3, 0.5, 1.9, 3.0, 10.0] {
            assert!(share(frequency) < 2e-3, "{frequency}: {}", share(frequency));
        }
    }

    #[test]
    fn what_is_none_is_named() {
        let good = AmbientWind::of([1.0, 2.0, 3.0]);
        assert_eq!(good.invalid_field(), None);
        assert_eq!(AmbientWind { velocity: [f32::NAN, 0.0, 0.0], ..good }.invalid_field(), Some("velocity"));
        assert_eq!(AmbientWind { gust: [0.0, 0.0, 1.1e6], ..good }.invalid_field(), Some("gust"));
        for period in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert_eq!(AmbientWind { period, ..good }.invalid_field(), Some("period"));
        }
    }
}
