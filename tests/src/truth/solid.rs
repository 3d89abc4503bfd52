//! Signed distances the slow and plain way.
//!
//! Nothing here is how core does it: bodies of rotation are polygons in a half plane, hulls of balls are minimised over the
//! balls between the two, and everything else is all of its triangles, with the solid angle they fill or the heights beside
//! a point to tell inside from outside.

use glam::{DVec2, DVec3};

/// A solid, in its own frame.
#[derive(Clone, Debug)]
pub enum Solid {
    /// All balls between one of radius `lower` about −`half` on Y and one of radius `upper` about `half`.
    Balls {
        /// Half the distance of the outermost centres (m).
        half: f64,
        /// Radius of the lowest (m).
        lower: f64,
        /// Radius of the highest (m).
        upper: f64,
    },
    /// What a convex polygon that begins and ends on the axis sweeps about Y: (distance from the axis, height).
    Turned(Vec<DVec2>),
    /// Below Y = 0.
    HalfSpace,
    /// What triangles enclose, counterclockwise from outside.
    Enclosed(Vec<[DVec3; 3]>),
    /// What is behind all of these triangles, which may overlap.
    Convex(Vec<[DVec3; 3]>),
    /// What is below triangles none of which is above another.
    Below(Vec<[DVec3; 3]>),
}

impl Solid {
    /// Distance of the surface (m), below zero inside.
    pub fn distance(&self, x: DVec3) -> f64 {
        match self {
            Self::Balls { half, lower, upper } => among_balls(x, *half, *lower, *upper),
            Self::Turned(profile) => {
                let p = DVec2::new(x.x.hypot(x.z), x.y);
                let sides = || profile.windows(2).map(|pair| (pair[0], pair[1]));
                let nearest = sides().map(|(a, b)| to_segment(p, a, b)).fold(f64::INFINITY, f64::min);
                // Counterclockwise, with the axis as its last side, which no point is beyond.
                let is_inside = sides().all(|(a, b)| (b - a).perp_dot(p - a) >= 0.0);
                if is_inside { -nearest } else { nearest }
            }
            Self::HalfSpace => x.y,
            Self::Enclosed(triangles) => {
                let nearest = to_triangles(x, triangles);
                // Full where the solid angle is 4π, empty where it is 0.
                let filled: f64 = triangles.iter().map(|t| solid_angle(x, *t)).sum();
                if filled > 2.0 * std::f64::consts::PI { -nearest } else { nearest }
            }
            Self::Convex(triangles) => {
                let height = |[a, b, c]: &[DVec3; 3]| (x - *a).dot((*b - *a).cross(*c - *a).normalize());
                let highest = triangles.iter().map(height).fold(f64::NEG_INFINITY, f64::max);
                if highest <= 0.0 { highest } else { to_triangles(x, triangles) }
            }
            Self::Below(triangles) => {
                let nearest = to_triangles(x, triangles);
                let is_below =
                    triangles.iter().any(|t| height_over(x, *t).is_some_and(|height| height < 0.0));
                if is_below { -nearest } else { nearest }
            }
        }
    }

    /// How far `distance` (m) is from a distance of the solid within `blur` (m) of x across Y.
    ///
    /// Only below a field that matters: where it ends its sign changes from one point to the next, and no single precision
    /// tells on which side of that wall a point is.
    pub fn off(&self, x: DVec3, distance: f64, blur: f64) -> f64 {
        let here = (distance - self.distance(x)).abs();
        if !matches!(self, Self::Below(_)) || here < blur {
            return here;
        }
        let beside = [DVec3::X, DVec3::NEG_X, DVec3::Z, DVec3::NEG_Z].map(|way| x + way * blur);
        beside.iter().map(|x| (distance - self.distance(*x)).abs() - blur).fold(here, f64::min).max(0.0)
    }

    /// The gradient of the distance by central differences over `step` (m). Its length is 1 but where nearest points change
    /// over within the step.
    pub fn gradient(&self, x: DVec3, step: f64) -> DVec3 {
        let along =
            |axis: DVec3| (self.distance(x + axis * step) - self.distance(x - axis * step)) / (2.0 * step);
        DVec3::new(along(DVec3::X), along(DVec3::Y), along(DVec3::Z))
    }
}

/// min over s in [0, 1] of ‖x − c(s)‖ − r(s), which is convex in s.
fn among_balls(x: DVec3, half: f64, lower: f64, upper: f64) -> f64 {
    let at =
        |s: f64| (x - DVec3::new(0.0, half * (2.0 * s - 1.0), 0.0)).length() - lower - (upper - lower) * s;
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..120 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if at(a) < at(b) { high = b } else { low = a }
    }
    at(low).min(at(high)).min(at(0.0)).min(at(1.0))
}

fn to_segment(p: DVec2, a: DVec2, b: DVec2) -> f64 {
    let s = ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
    p.distance(a + (b - a) * s)
}

fn to_triangles(x: DVec3, triangles: &[[DVec3; 3]]) -> f64 {
    triangles.iter().map(|t| to_triangle(x, *t)).fold(f64::INFINITY, f64::min)
}

/// To the plane where x is over the triangle, else to the nearest side.
fn to_triangle(x: DVec3, corners: [DVec3; 3]) -> f64 {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a).normalize();
    let sides = [(a, b), (b, c), (c, a)];
    if sides.iter().all(|(p, q)| (*q - *p).cross(x - *p).dot(normal) >= 0.0) {
        return (x - a).dot(normal).abs();
    }
    let side = |(p, q): &(DVec3, DVec3)| {
        let s = ((x - *p).dot(*q - *p) / (*q - *p).length_squared()).clamp(0.0, 1.0);
        x.distance(*p + (*q - *p) * s)
    };
    sides.iter().map(side).fold(f64::INFINITY, f64::min)
}

/// The signed solid angle a triangle fills, seen from x.
///
/// Source: van Oosterom and Strackee, *The solid angle of a plane triangle* (1983), eq. 8.
fn solid_angle(x: DVec3, corners: [DVec3; 3]) -> f64 {
    let [a, b, c] = corners.map(|corner| corner - x);
    let (la, lb, lc) = (a.length(), b.length(), c.length());
    let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    2.0 * a.dot(b.cross(c)).atan2(below)
}

/// How high x is over a triangle along Y, where it is straight over or under it.
fn height_over(x: DVec3, corners: [DVec3; 3]) -> Option<f64> {
    let [a, b, c] = corners;
    let flat = |v: DVec3| DVec2::new(v.z, v.x);
    let area = |p: DVec3, q: DVec3, r: DVec3| flat(q - p).perp_dot(flat(r - p));
    let weights = [area(x, b, c), area(a, x, c), area(a, b, x)];
    let whole: f64 = weights.iter().sum();
    weights.iter().all(|weight| weight / whole >= 0.0).then(|| {
        let surface: f64 =
            corners.iter().zip(weights).map(|(corner, weight)| corner.y * weight / whole).sum();
        x.y - surface
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_known_by_heart() {
        let capsule = Solid::Balls { half: 1.0, lower: 0.5, upper: 0.5 };
        assert!((capsule.distance(DVec3::new(2.0, 0.3, 0.0)) - 1.5).abs() < 1e-12);
        assert!((capsule.distance(DVec3::new(0.0, 3.0, 0.0)) - 1.5).abs() < 1e-12);
        let can = Solid::Turned(vec![
            DVec2::new(0.0, -1.0),
            DVec2::new(2.0, -1.0),
            DVec2::new(2.0, 1.0),
            DVec2::new(0.0, 1.0),
        ]);
        assert!((can.distance(DVec3::new(0.0, 0.5, 0.0)) + 0.5).abs() < 1e-12);
        assert!((can.distance(DVec3::new(5.0, 5.0, 0.0)) - 5.0).abs() < 1e-12);
        let tetrahedron = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let faces =
            [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]].map(|f: [usize; 3]| f.map(|i| tetrahedron[i]));
        let solid = Solid::Enclosed(faces.to_vec());
        assert!((solid.distance(DVec3::splat(0.1)) + 0.1).abs() < 1e-12);
        assert!((solid.distance(DVec3::splat(1.0)) - 2.0 / 3.0_f64.sqrt()).abs() < 1e-12);
        let field = Solid::Below(vec![[DVec3::ZERO, DVec3::Z, DVec3::X]]);
        assert!((field.distance(DVec3::new(0.2, -0.5, 0.2)) + 0.5).abs() < 1e-12);
        assert!((field.distance(DVec3::new(-0.3, -0.4, 0.2)) - 0.5).abs() < 1e-12);
    }
}
