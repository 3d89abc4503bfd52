//! Sums whose order is fixed by the number of terms alone.
//!
//! Term i goes to accumulator i mod 8, and the eight are added as a tree: halves onto each other, then quarters,
//! then the last two. One 8-lane register, two 4-lane registers or eight scalars follow that order alike.

/// How many accumulators run side by side.
const LANES: usize = 8;

/// A sum being collected.
#[derive(Clone, Copy, Debug, Default)]
pub struct TreeSum {
    lanes: [f32; LANES],
    terms: usize,
}

impl TreeSum {
    /// A sum of nothing yet.
    pub const fn new() -> Self {
        Self { lanes: [0.0; LANES], terms: 0 }
    }

    /// Adds the next term.
    #[inline(always)]
    pub fn push(&mut self, term: f32) {
        self.lanes[self.terms % LANES] += term;
        self.terms = self.terms.wrapping_add(1);
    }

    /// The sum of all terms; +0 of none.
    #[inline(always)]
    pub fn finish(self) -> f32 {
        let [a, b, c, d, e, f, g, h] = self.lanes;
        ((a + e) + (c + g)) + ((b + f) + (d + h))
    }
}

/// The sum of the terms in the order of [`TreeSum`].
#[inline]
pub fn sum(terms: impl IntoIterator<Item = f32>) -> f32 {
    let mut sum = TreeSum::new();
    for term in terms {
        sum.push(term);
    }
    sum.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_the_documented_one() {
        // Ten terms of sizes at which every association rounds differently.
        let terms = [1e8, 1.0, -1e8, 3.0, 1e-3, 2e8, -7.0, 0.5, 1e7, -2e8].map(|t: f32| t * 1.000_123);
        let lane = |i: usize| 0.0 + terms[i] + terms.get(i + 8).copied().unwrap_or(0.0);
        let tree = ((lane(0) + lane(4)) + (lane(2) + lane(6))) + ((lane(1) + lane(5)) + (lane(3) + lane(7)));
        assert_eq!(sum(terms).to_bits(), tree.to_bits());
        let serial = terms.iter().fold(0.0, |s, t| s + t);
        assert_ne!(sum(terms).to_bits(), f32::to_bits(serial), "the terms no longer tell orders apart");
    }

    #[test]
    fn sums_small_counts_exactly() {
        assert_eq!(sum([]).to_bits(), 0);
        for n in 1..=100_u8 {
            assert_eq!(
                sum((1..=n).map(f32::from)).to_bits(),
                (f32::from(n) * f32::from(n + 1) / 2.0).to_bits()
            );
        }
    }

    #[test]
    fn a_million_equal_terms_lose_little() {
        let exact = f64::from(0.1_f32) * f64::from(1 << 20);
        let off = |total: f32| (f64::from(total) / exact - 1.0).abs();
        assert!(off(sum(core::iter::repeat_n(0.1, 1 << 20))) < 2e-3);
        assert!(off((0..1 << 20).fold(0.0, |serial, _| serial + 0.1)) > 6e-3, "one accumulator would do");
    }
}
