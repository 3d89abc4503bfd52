//! A field of eddies: smooth, bounded, and of no divergence.
//!
//! Six waves that each go across the way they vary along, so that none has any divergence (Kraichnan, *Diffusion by a random velocity
//! field*, 1970, eq. 7, with a few fixed modes instead of many random ones):
//!
//! ```text
//! T(x) = Σ aₙ·cₙ·sin 2π(qₙ·kₙ·x + φₙ),   |kₙ| = |cₙ| = 1,  kₙ·cₙ = 0,  Σ aₙ = 1
//! ```
//!
//! so |T| ≤ 1. Lengths are those of the largest eddies: q is 1 and the golden ratio. They drift with the wind that carries them, and keep
//! their shape (Taylor, *The spectrum of turbulence*, 1938).

use crate::pose::{add, dot, scaled};
use crate::trig::sine_of;

/// One wave.
struct Mode {
    /// Along which it varies.
    along: [f64; 3],
    /// Along which it blows.
    across: [f64; 3],
    /// Its share, its waves a length, and where it begins (turns).
    share: f64,
    waves: f64,
    phase: f64,
}

/// Of two frames of three axes each, of whole numbers over 7 and 9, that lie askew to each other.
const MODES: [Mode; 6] = {
    const fn over(n: f64, [x, y, z]: [f64; 3]) -> [f64; 3] {
        [x / n, y / n, z / n]
    }
    const A: [[f64; 3]; 3] =
        [over(7.0, [2.0, 3.0, 6.0]), over(7.0, [3.0, -6.0, 2.0]), over(7.0, [6.0, 2.0, -3.0])];
    const B: [[f64; 3]; 3] =
        [over(9.0, [1.0, 4.0, 8.0]), over(9.0, [4.0, 7.0, -4.0]), over(9.0, [8.0, -4.0, 1.0])];
    const GOLDEN: f64 = 1.618_033_988_749_895;
    const fn large(along: [f64; 3], across: [f64; 3], phase: f64) -> Mode {
        Mode { along, across, share: 2.0 / 9.0, waves: 1.0, phase }
    }
    const fn small(along: [f64; 3], across: [f64; 3], phase: f64) -> Mode {
        Mode { along, across, share: 1.0 / 9.0, waves: GOLDEN, phase }
    }
    [
        large(A[0], A[1], 0.0),
        large(A[1], A[2], 0.31),
        large(A[2], A[0], 0.67),
        small(B[0], B[1], 0.13),
        small(B[1], B[2], 0.48),
        small(B[2], B[0], 0.89),
    ]
};

/// T at a place in lengths of the largest eddies (1); at most 1 long.
pub(super) fn at(place: [f64; 3]) -> [f64; 3] {
    MODES.iter().fold([0.0; 3], |sum, mode| {
        let wave = sine_of(mode.waves * dot(mode.along, place) + mode.phase);
        add(sum, scaled(mode.across, mode.share * wave))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::length;

    #[test]
    fn waves_are_of_length_one_and_go_across_themselves() {
        let shares: f64 = MODES.iter().map(|mode| mode.share).sum();
        assert!((shares - 1.0).abs() < 1e-15);
        for mode in &MODES {
            assert!((length(mode.along) - 1.0).abs() < 1e-15 && (length(mode.across) - 1.0).abs() < 1e-15);
            assert!(dot(mode.along, mode.across).abs() < 1e-15);
        }
    }

    #[test]
    fn the_field_has_no_divergence_is_bounded_and_varies() {
        let (mut longest, mut mean) = (0.0_f64, [0.0; 3]);
        for step in 0..4_000_u32 {
            let place = [0.173, -0.211, 0.097].map(|x| x * f64::from(step));
            let e = 1e-4;
            let divergence: f64 = (0..3)
                .map(|axis| {
                    let moved = |by: f64| {
                        let mut place = place;
                        place[axis] += by;
                        at(place)[axis]
                    };
                    (moved(e) - moved(-e)) / (2.0 * e)
                })
                .sum();
            assert!(divergence.abs() < 1e-5, "{place:?}: {divergence}");
            longest = longest.max(length(at(place)));
            mean = add(mean, scaled(at(place), 1.0 / 4_000.0));
        }
        assert!(longest <= 1.0 && longest > 0.5, "{longest}");
        assert!(length(mean) < 0.02, "{mean:?}");
    }
}
