//! Steps in no order that anybody could rely on.

use super::{Executor, Parallelism};
use crate::fluid::one_after_the_other;
use crate::world::Work;

/// One cloth after the other in a random order, another one in every tick: a test that the order cannot matter.
#[derive(Debug)]
pub struct Shuffled {
    cloths: Vec<Work>,
    random: u64,
}

impl Shuffled {
    /// The orders of a seed.
    pub fn new(seed: u64) -> Self {
        Self { cloths: Vec::new(), random: seed }
    }

    /// A number below `bound`, which is not 0: SplitMix64 (Steele, Lea & Flood, *Fast splittable pseudorandom number generators*,
    /// 2014).
    fn below(&mut self, bound: usize) -> usize {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        #[expect(clippy::cast_possible_truncation, reason = "it is below a usize")]
        let below = (z % bound as u64) as usize;
        below
    }

    /// Puts things into another order: Fisher and Yates.
    fn shuffle<T>(&mut self, things: &mut [T]) {
        for last in (1..things.len()).rev() {
            let other = self.below(last + 1);
            things.swap(last, other);
        }
    }
}

impl Executor for Shuffled {
    fn start(&mut self, cloths: Vec<Work>) {
        self.cloths = cloths;
    }

    fn join(&mut self) -> Vec<Work> {
        let mut cloths = core::mem::take(&mut self.cloths);
        self.shuffle(&mut cloths);
        for cloth in &mut cloths {
            cloth.step();
        }
        cloths
    }

    fn share(&mut self, parts: &mut [&mut (dyn FnMut() + Send)]) {
        self.shuffle(parts);
        one_after_the_other(parts);
    }

    fn name(&self) -> &'static str {
        "shuffled"
    }

    fn parallelism(&self) -> Parallelism {
        Parallelism::single(
            "Cloths are stepped one after the other in a random order, each by one thread, as was asked for.",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_order_comes_and_nothing_goes_missing() {
        let mut shuffled = Shuffled::new(7);
        let mut orders = BTreeSet::new();
        for _ in 0..400 {
            let mut things = [0, 1, 2, 3];
            shuffled.shuffle(&mut things);
            orders.insert(things);
            things.sort_unstable();
            assert_eq!(things, [0, 1, 2, 3]);
        }
        assert_eq!(orders.len(), 24);
    }
}
