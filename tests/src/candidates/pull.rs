//! How a row moves its two ends.
//!
//! Ends a and b move by ±w·λ·t·L/(d·t), where d = x_b − x_a and L = ‖d‖: the length changes by −(w_a + w_b)·λ to first
//! order, whatever the direction t = d₀ + θ·(d − d₀) between where the row was when the substep began and where it is
//! (see [`Pairwise::turn`](super::Pairwise::turn)). Where d·t is below ¼·L², in a row that turned over, t is d.

use glam::DVec3;

/// Square of the smallest length a direction is formed from (m²).
const MIN_SQUARE: f64 = 1.0e-24;

/// A row as it is met.
#[derive(Clone, Copy)]
pub(super) struct Pull {
    /// L (m).
    pub length: f64,
    /// t·L/(d·t) (1): what a unit of λ moves a unit of inverse mass by.
    pub direction: DVec3,
}

/// The pull of a row of that rest length whose ends are `now` apart and were `before` (m).
pub(super) fn pull(now: DVec3, before: DVec3, rest: f64, turn: f64) -> Pull {
    let square = now.length_squared().max(MIN_SQUARE);
    let length = square.sqrt();
    let change = now - before;
    let turned = turn * (change.dot(change) / (rest * rest));
    // Infinity times nothing is no number, and no share below 1.
    let share = if turned < 1.0 { turned } else { 1.0 };
    let mixed = before + change * share;
    let projection = now.dot(mixed);
    let usable = projection >= 0.25 * square;
    let (t, projection) = if usable { (mixed, projection) } else { (now, square) };
    Pull { length, direction: t * (length / projection) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_closes_along_any_direction() {
        let (now, before) = (DVec3::new(1.02, 0.03, -0.01), DVec3::new(1.0, -0.05, 0.02));
        for turn in [0.0, 10.0, f64::INFINITY] {
            let pull = pull(now, before, 1.0, turn);
            let closed = now - pull.direction * (pull.length - 1.0);
            // What is left is of second order in what was turned.
            assert!((closed.length() - 1.0).abs() < 1e-4, "{turn}: {}", closed.length());
        }
        assert!(pull(now, before, 1.0, 0.0).direction.cross(before).length() < 1e-6);
        assert!(pull(now, before, 1.0, f64::INFINITY).direction.cross(now).length() < 1e-6);
        assert!(pull(now, now, 1.0, f64::INFINITY).direction.is_finite());
    }

    #[test]
    fn a_row_that_turned_over_is_pushed_along_itself() {
        let pull = pull(DVec3::X, -DVec3::X, 1.0, 0.0);
        assert_eq!(pull.direction, DVec3::X);
    }
}
