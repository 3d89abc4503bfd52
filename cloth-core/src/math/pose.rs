//! Where a rigid body is: a translation and a rotation by a unit quaternion.

use super::sqrt;
use super::vector;
use glam::Vec3;

/// A rotation about the origin, then a translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Where the body's origin is (m).
    pub translation: Vec3,
    /// Unit quaternion (x, y, z, w).
    pub rotation: [f32; 4],
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Pose {
    /// No motion.
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: [0.0, 0.0, 0.0, 1.0] };

    /// A translation alone.
    pub const fn at(translation: Vec3) -> Self {
        Self { translation, ..Self::IDENTITY }
    }

    /// The quaternion made unit; `None` where it has no direction or a component is not finite.
    pub fn normalised(self) -> Option<Self> {
        let rotation = normalise(self.rotation)?;
        self.translation.is_finite().then_some(Self { rotation, ..self })
    }

    /// A direction of the body in the space it stands in.
    #[inline(always)]
    pub fn rotate(&self, v: Vec3) -> Vec3 {
        let [x, y, z, w] = self.rotation;
        turn(Vec3::new(x, y, z), w, v)
    }

    /// A direction of that space in the body's frame.
    #[inline(always)]
    pub fn unrotate(&self, v: Vec3) -> Vec3 {
        let [x, y, z, w] = self.rotation;
        turn(Vec3::new(-x, -y, -z), w, v)
    }

    /// A point of the body in the space it stands in (m).
    #[inline(always)]
    pub fn apply(&self, point: Vec3) -> Vec3 {
        self.translation + self.rotate(point)
    }

    /// A point of that space in the body's frame (m).
    #[inline(always)]
    pub fn undo(&self, point: Vec3) -> Vec3 {
        self.unrotate(point - self.translation)
    }

    /// The motion back: what it applies to what this pose made of a point gives that point.
    pub fn inverse(&self) -> Self {
        let [x, y, z, w] = self.rotation;
        Self { translation: -self.unrotate(self.translation), rotation: [-x, -y, -z, w] }
    }

    /// `inner` first, then this: the pose in the space this one stands in of what has the pose `inner` in its frame.
    pub fn compose(&self, inner: &Self) -> Self {
        Self { translation: self.apply(inner.translation), rotation: product(self.rotation, inner.rotation) }
    }

    /// The same pose, seen from a body with the pose `frame` beside it: frame⁻¹·self.
    pub fn seen_from(&self, frame: &Self) -> Self {
        let [x, y, z, w] = frame.rotation;
        Self { translation: frame.undo(self.translation), rotation: product([-x, -y, -z, w], self.rotation) }
    }

    /// The pose a fraction `t` of the way from `self` to `to`: translation linearly, rotation by the normalised linear
    /// blend of the quaternions on one hemisphere. Exactly the ends at 0 and 1.
    ///
    /// Never a blend of matrices: half way between two of them a body is smaller by the cosine of half the angle.
    pub fn between(&self, to: &Self, t: f32) -> Self {
        if t <= 0.0 {
            return *self;
        }
        if t >= 1.0 {
            return *to;
        }
        let s = 1.0 - t;
        let to_rotation = nearer(self.rotation, to.rotation);
        let [a, b, c, d] = self.rotation;
        let [e, f, g, h] = to_rotation;
        let blend = [a * s + e * t, b * s + f * t, c * s + g * t, d * s + h * t];
        // On one hemisphere the blend is at least 1/√2 long, so it always has a direction.
        Self {
            translation: self.translation * s + to.translation * t,
            rotation: normalise(blend).unwrap_or(self.rotation),
        }
    }

    /// An upper bound of the angle between the rotations of two poses (rad), above it by less than 16 % and by less than
    /// 1 % below half a radian.
    ///
    /// The quaternions lie 2·sin(θ/4) apart, so θ = 4·asin(s) with s half of that. All terms of the series of asin past
    /// the first are positive and sum to π/2 − 1, and sⁿ ≤ s³ on [0, 1]: asin(s) ≤ s + (π/2 − 1)·s³.
    pub fn angle_bound(&self, to: &Self) -> f32 {
        let [e, f, g, h] = nearer(self.rotation, to.rotation);
        let [a, b, c, d] = self.rotation;
        let (x, y, z, w) = (e - a, f - b, g - c, h - d);
        let half = 0.5 * sqrt(x * x + y * y + z * z + w * w);
        4.0 * half * (1.0 + (core::f32::consts::FRAC_PI_2 - 1.0) * half * half)
    }
}

/// v turned by the unit quaternion (u, w): v + 2w·(u × v) + 2u × (u × v).
#[inline(always)]
fn turn(u: Vec3, w: f32, v: Vec3) -> Vec3 {
    let cross = u.cross(v) * 2.0;
    v + cross * w + u.cross(cross)
}

/// The rotation by `b`, then by `a`.
fn product([a, b, c, d]: [f32; 4], [e, f, g, h]: [f32; 4]) -> [f32; 4] {
    [
        d * e + a * h + b * g - c * f,
        d * f - a * g + b * h + c * e,
        d * g + a * f - b * e + c * h,
        d * h - a * e - b * f - c * g,
    ]
}

/// Of `to` and −`to`, which are one rotation, the one on the hemisphere of `from`.
fn nearer(from: [f32; 4], to: [f32; 4]) -> [f32; 4] {
    if dot(from, to) < 0.0 { to.map(|x| -x) } else { to }
}

fn dot([a, b, c, d]: [f32; 4], [e, f, g, h]: [f32; 4]) -> f32 {
    a * e + b * f + c * g + d * h
}

fn normalise(q: [f32; 4]) -> Option<[f32; 4]> {
    let square = dot(q, q);
    // Outside, squares overflow or leave the normal numbers. A NaN is outside.
    if !(1.0e-30..=1.0e30).contains(&square) {
        return None;
    }
    let length = sqrt(square);
    Some(q.map(|x| x / length))
}

/// The largest of the distances that points on a sphere of `radius` about a body's origin travel between two poses (m), at
/// most: |Δt| + θ·R, θ from [`Pose::angle_bound`].
pub fn travel_bound(from: &Pose, to: &Pose, radius: f32) -> f32 {
    vector::length(to.translation - from.translation) + from.angle_bound(to) * radius
}

#[cfg(test)]
#[expect(clippy::cast_possible_truncation, reason = "the nearest f32 of an exact sine")]
mod tests {
    use super::*;

    fn about(axis: Vec3, angle: f64) -> [f32; 4] {
        let (sin, cos) = (angle / 2.0).sin_cos();
        let [x, y, z] = (axis * sin as f32).to_array();
        [x, y, z, cos as f32]
    }

    #[test]
    fn a_quarter_turn_about_y_takes_z_to_x() {
        let pose = Pose {
            translation: Vec3::new(1.0, 2.0, 3.0),
            rotation: about(Vec3::Y, core::f64::consts::FRAC_PI_2),
        };
        assert!((pose.apply(Vec3::Z) - Vec3::new(2.0, 2.0, 3.0)).length() < 1e-6);
        assert!(
            (pose.undo(pose.apply(Vec3::new(0.3, -0.7, 9.0))) - Vec3::new(0.3, -0.7, 9.0)).length() < 4e-6
        );
    }

    #[test]
    fn the_ends_are_exact_and_the_middle_is_half_the_angle() {
        let from = Pose { translation: Vec3::X, rotation: about(Vec3::Y, 0.2) };
        // The same rotation with the other sign: the short way round is still the short one.
        let to = Pose { translation: Vec3::Z, rotation: about(Vec3::Y, 1.2).map(|x| -x) };
        assert_eq!(from.between(&to, 0.0), from);
        assert_eq!(from.between(&to, 1.0), to);
        let middle = from.between(&to, 0.5);
        let half = Pose { translation: Vec3::new(0.5, 0.0, 0.5), rotation: about(Vec3::Y, 0.7) };
        assert!((middle.apply(Vec3::Z) - half.apply(Vec3::Z)).length() < 1e-6, "{middle:?}");
        // A blend of matrices would have shrunk this by cos(0.5).
        assert!((middle.rotate(Vec3::Z).length() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn the_angle_is_bounded_from_above_and_closely() {
        let from = Pose { translation: Vec3::ZERO, rotation: about(Vec3::X, 0.4) };
        for i in 0..=100 {
            let angle = f64::from(i) * core::f64::consts::PI / 100.0;
            let to = Pose { translation: Vec3::ZERO, rotation: about(Vec3::X, 0.4 + angle) };
            let bound = f64::from(from.angle_bound(&to));
            assert!(bound >= angle - 1e-6, "{angle} {bound}");
            assert!(bound <= angle * if angle < 0.5 { 1.01 } else { 1.16 } + 1e-6, "{angle} {bound}");
        }
    }

    #[test]
    fn what_has_no_direction_is_no_rotation() {
        for rotation in [[0.0; 4], [f32::NAN, 0.0, 0.0, 1.0], [f32::INFINITY, 0.0, 0.0, 1.0]] {
            assert_eq!(Pose { rotation, ..Pose::IDENTITY }.normalised(), None);
        }
        assert_eq!(Pose::at(Vec3::new(0.0, f32::INFINITY, 0.0)).normalised(), None);
        let doubled = Pose { rotation: [0.0, 0.0, 0.0, 2.0], ..Pose::IDENTITY };
        assert_eq!(doubled.normalised(), Some(Pose::IDENTITY));
    }
}
