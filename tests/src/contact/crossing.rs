//! Whether a point on its way goes through a surface that moves too.

use glam::DVec3;

/// Parts of a step that are looked at one by one: the volume that decides is a cubic, whose sign changes at most thrice.
const PARTS: u32 = 16;
/// Halvings to find when a point was in a triangle's plane.
const HALVINGS: u32 = 40;

/// Poses of a surface and of a point at the ends of a step between which all move in straight lines.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The surface's vertices before and after (m).
    pub surface: [&'a [DVec3]; 2],
    /// The point before and after (m).
    pub point: [DVec3; 2],
}

impl Step<'_> {
    /// How many triangles the point goes through; one through a common edge counts for both.
    pub fn crossed(&self, triangles: &[[u32; 3]]) -> u32 {
        let through = triangles.iter().filter(|triangle| self.is_crossed(**triangle));
        through.fold(0, |count, _| count + 1)
    }

    fn is_crossed(&self, triangle: [u32; 3]) -> bool {
        let volume = |t: f64| {
            let ([a, b, c], p) = self.at(triangle, t);
            (p - a).dot((b - a).cross(c - a))
        };
        let mut before = volume(0.0);
        for part in 1..=PARTS {
            let (begin, end) = (f64::from(part - 1) / f64::from(PARTS), f64::from(part) / f64::from(PARTS));
            let after = volume(end);
            if before * after <= 0.0 && before.abs() + after.abs() > 0.0 {
                let (mut low, mut high) = (begin, end);
                for _ in 0..HALVINGS {
                    let middle = 0.5 * (low + high);
                    if volume(middle) * before > 0.0 { low = middle } else { high = middle }
                }
                let (corners, p) = self.at(triangle, high);
                if is_within(corners, p) {
                    return true;
                }
            }
            before = after;
        }
        false
    }

    fn at(&self, triangle: [u32; 3], t: f64) -> ([DVec3; 3], DVec3) {
        let [before, after] = self.surface;
        let corner = |v: u32| before[v as usize].lerp(after[v as usize], t);
        (triangle.map(corner), self.point[0].lerp(self.point[1], t))
    }
}

/// Whether a point of a triangle's plane is in the triangle, or within a billionth of it.
fn is_within([a, b, c]: [DVec3; 3], p: DVec3) -> bool {
    let normal = (b - a).cross(c - a);
    let least = -1e-9 * normal.length_squared();
    [(a, b), (b, c), (c, a)].iter().all(|(from, to)| (*to - *from).cross(p - *from).dot(normal) >= least)
}

/// Whether a segment goes through any of the triangles.
pub fn is_pierced(triangles: &[[u32; 3]], surface: &[DVec3], segment: [DVec3; 2]) -> bool {
    Step { surface: [surface, surface], point: segment }.crossed(triangles) > 0
}

/// Distance between two segments (m), by sampling one and projecting on the other twice.
pub fn between(one: [DVec3; 2], other: [DVec3; 2]) -> f64 {
    const SAMPLES: u32 = 64;
    let nearest = |[a, b]: [DVec3; 2], p: DVec3| {
        let way = b - a;
        a + way * ((p - a).dot(way) / way.length_squared()).clamp(0.0, 1.0)
    };
    let gap = |i: u32| {
        let mut p = one[0].lerp(one[1], f64::from(i) / f64::from(SAMPLES));
        let mut q = nearest(other, p);
        for _ in 0..2 {
            p = nearest(one, q);
            q = nearest(other, p);
        }
        p.distance(q)
    };
    (0..=SAMPLES).map(gap).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: [[u32; 3]; 1] = [[0, 1, 2]];

    #[test]
    fn a_point_crosses_where_it_does() {
        let still = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let path = |x: f64, y: f64| [DVec3::new(x, y, -1.0), DVec3::new(x, y, 0.3)];
        assert!(is_pierced(&TRIANGLE, &still, path(0.2, 0.2)));
        assert!(is_pierced(&TRIANGLE, &still, path(0.5, 0.5)), "on an edge");
        assert!(!is_pierced(&TRIANGLE, &still, path(0.6, 0.6)));
        assert!(!is_pierced(&TRIANGLE, &still, [DVec3::new(0.2, 0.2, 0.1), DVec3::new(0.2, 0.2, 0.3)]));
    }

    #[test]
    fn a_surface_that_runs_ahead_is_not_crossed() {
        let still = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let moved = still.map(|p| p + DVec3::Z * 2.0);
        let point = [DVec3::new(0.2, 0.2, -0.5), DVec3::new(0.2, 0.2, 1.0)];
        assert_eq!(Step { surface: [&still, &moved], point }.crossed(&TRIANGLE), 0);
        let faster = [point[0], DVec3::new(0.2, 0.2, 2.1)];
        assert_eq!(Step { surface: [&still, &moved], point: faster }.crossed(&TRIANGLE), 1);
    }

    #[test]
    fn segments_are_apart_by_the_common_normal() {
        let x = [DVec3::NEG_X, DVec3::X];
        assert!((between(x, [DVec3::new(0.3, -1.0, 0.2), DVec3::new(0.3, 1.0, 0.2)]) - 0.2).abs() < 1e-12);
        assert!((between(x, [DVec3::new(2.0, 0.0, 0.0), DVec3::new(3.0, 0.0, 0.0)]) - 1.0).abs() < 1e-12);
    }
}
