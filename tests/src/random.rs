//! A seeded integer generator, so that a random workload is the same one on every machine and for ever.
//!
//! SplitMix64 (Steele, Lea & Flood, *Fast splittable pseudorandom number generators*, 2014): integer
//! operations only, and every seed, zero included, is a good one.

use crate::narrow::to_f32;

/// The generator.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts the sequence of `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// An integer below `bound`, which is at least 1.
    pub fn below(&mut self, bound: u32) -> u32 {
        // The high half of a 32×32 product; the bias of under bound/2³² is of no concern to a workload.
        let product = (self.bits() >> 32) * u64::from(bound);
        u32::try_from(product >> 32).expect("a value below a u32 bound")
    }

    /// An integer in `low..=high`.
    pub fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below(high - low + 1)
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    /// A real number in `low..high`, evenly spread.
    pub fn real(&mut self, low: f64, high: f64) -> f64 {
        let unit = f64::from(self.below(u32::MAX)) / f64::from(u32::MAX);
        low + (high - low) * unit
    }

    /// A number in `2^low..2^(high + 1)` whose order of magnitude is evenly spread, so that extremes are common.
    ///
    /// Put together from bits: an `exp` would be another number on another machine.
    pub fn magnitude(&mut self, low: i32, high: i32) -> f32 {
        let spread = u32::try_from(high - low).expect("low is not above high");
        let exponent = u32::try_from(low + 127).expect("a normal number") + self.between(0, spread);
        f32::from_bits((exponent << 23) | self.below(1 << 23))
    }

    /// A vector inside a cube of half-width `reach`.
    pub fn vector(&mut self, reach: f64) -> glam::Vec3 {
        let mut axis = || to_f32(self.real(-reach, reach));
        glam::Vec3::new(axis(), axis(), axis())
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn follows_the_published_sequence() {
        // The reference implementation's first outputs for seed 1234567.
        let mut random = Random::new(1_234_567);
        assert_eq!(random.bits(), 6_457_827_717_110_365_317);
        assert_eq!(random.bits(), 3_203_168_211_198_807_973);
        assert_eq!(random.bits(), 9_817_491_932_198_370_423);
    }

    #[test]
    fn ranges_are_kept_and_reached() {
        let mut random = Random::new(0);
        let mut seen = [false; 5];
        for _ in 0..200 {
            let value = random.between(3, 7);
            seen[usize::try_from(value - 3).unwrap()] = true;
            let magnitude = random.magnitude(-10, 9);
            assert!((1.0 / 1024.0..1024.0).contains(&magnitude));
        }
        assert_eq!(seen, [true; 5]);
    }
}
