//! The catenary: the curve of an inextensible thread between two points under its own weight.

use glam::DVec2;

/// y = a·cosh((x − x₀)/a) + y₀ through two points, of a given length (Leibniz, Huygens & Johann Bernoulli, 1691).
#[derive(Clone, Copy, Debug)]
pub struct Catenary {
    start: DVec2,
    /// The parameter a (m): horizontal pull over weight per length.
    pub parameter: f64,
    /// (x − x₀)/a at the start.
    from: f64,
}

impl Catenary {
    /// The thread of `length` (m) from `start` to `end`, which is further along x; `None` when it is too short to
    /// reach, or when the points are one above the other.
    pub fn between(start: DVec2, end: DVec2, length: f64) -> Option<Self> {
        let span = end - start;
        // Length² − height² = (2a·sinh(width/2a))²: with z = width/2a, sinh(z)/z is given.
        let chord = (length * length - span.y * span.y).max(0.0).sqrt();
        let ratio = chord / span.x;
        if !(span.x > 0.0 && ratio > 1.0 && ratio.is_finite()) {
            return None;
        }
        // sinh z/z > 1 + z²/6 and it is convex: Newton from above comes down without ever passing the root.
        let mut z = (6.0 * (ratio - 1.0)).sqrt().min(2.0 + 2.0 * ratio.ln());
        while z.sinh() < ratio * z {
            z *= 2.0;
        }
        loop {
            let next = z - (z.sinh() - ratio * z) / (z.cosh() - ratio);
            if next.partial_cmp(&z) != Some(std::cmp::Ordering::Less) {
                break;
            }
            z = next;
        }
        let parameter = span.x / (2.0 * z);
        // The middle of the two ends is at atanh(height/length).
        let from = (span.y / length).atanh() - z;
        Some(Self { start, parameter, from })
    }

    /// The point an arc `s` (m) from the start.
    pub fn at(&self, s: f64) -> DVec2 {
        // Arc from the start: a·(sinh u − sinh u₀).
        let u = (self.from.sinh() + s / self.parameter).asinh();
        self.start + self.parameter * DVec2::new(u - self.from, u.cosh() - self.from.cosh())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_of_known_parameter_is_found_again() {
        // a = 1 between x = −1 and 1: 2·sinh 1 long, sagging by cosh 1 − 1.
        let (left, right) = (DVec2::new(-1.0, 0.5), DVec2::new(1.0, 0.5));
        let length = 2.0 * 1.0_f64.sinh();
        let thread = Catenary::between(left, right, length).unwrap();
        assert!((thread.parameter - 1.0).abs() < 1e-13);
        let lowest = thread.at(0.5 * length);
        assert!((lowest - DVec2::new(0.0, 0.5 + 1.0 - 1.0_f64.cosh())).length() < 1e-13, "{lowest}");
    }

    #[test]
    fn an_uneven_thread_ends_where_it_should_and_has_its_length() {
        for (height, length) in [(0.3, 1.1), (-0.8, 3.0), (0.0, 1.0 + 1e-9), (2.0, 40.0)] {
            let end = DVec2::new(1.0, height);
            let Some(thread) = Catenary::between(DVec2::ZERO, end, length) else {
                panic!("{length} m reach over 1 m and {height} m");
            };
            assert!((thread.at(length) - end).length() < 1e-7 * length, "{height} {length}");
            let points: Vec<DVec2> = (0..=10_000).map(|i| thread.at(length * f64::from(i) / 1e4)).collect();
            let arc: f64 = points.windows(2).map(|p| p[0].distance(p[1])).sum();
            assert!((arc / length - 1.0).abs() < 1e-6, "{height} {length}: {arc}");
        }
        assert!(Catenary::between(DVec2::ZERO, DVec2::X, 0.99).is_none());
        assert!(Catenary::between(DVec2::ZERO, DVec2::NEG_Y, 2.0).is_none());
    }
}
