//! Rigid poses in world space, in `f64`: what stands between an entity and the `f32` that a step computes in.
//!
//! Only `+ − × ÷` and `sqrt`, which every machine rounds alike. A pose seen from another is subtracted here and rounded
//! once, so that a cloth ten thousand kilometres from the origin steps with the bits it has at the origin.

// What is made here feeds a step.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

use cloth_core::Vec3;
use cloth_core::math;

/// Sum of two vectors.
pub fn add(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// Difference of two vectors.
pub fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// A vector times a number.
pub fn scaled(v: [f64; 3], by: f64) -> [f64; 3] {
    v.map(|component| component * by)
}

/// Scalar product.
pub fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Vector product.
pub fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// From `a` at 0 to `b` at 1.
pub fn mix(a: [f64; 3], b: [f64; 3], t: f64) -> [f64; 3] {
    [0, 1, 2].map(|axis| a[axis] + (b[axis] - a[axis]) * t)
}

/// Square root, correctly rounded.
#[cfg_attr(
    not(test),
    expect(clippy::disallowed_methods, reason = "std guarantees that f64::sqrt is correctly rounded")
)]
pub fn sqrt(x: f64) -> f64 {
    x.sqrt()
}

/// Length of a vector.
pub fn length(v: [f64; 3]) -> f64 {
    sqrt(dot(v, v))
}

/// Rounded once to the `f32` that core computes in.
#[expect(
    clippy::cast_possible_truncation,
    reason = "rounding is what this is for; core refuses what is not finite"
)]
pub fn narrow<const N: usize>(values: [f64; N]) -> [f32; N] {
    values.map(|value| value as f32)
}

/// The rotation by the quaternion `b`, then by `a`, each (x, y, z, w).
pub fn times(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    let [ax, ay, az, aw] = a;
    let [bx, by, bz, bw] = b;
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// The rotation back.
pub fn conjugate([x, y, z, w]: [f64; 4]) -> [f64; 4] {
    [-x, -y, -z, w]
}

/// v turned by the unit quaternion (u, w): v + 2w·(u × v) + 2u × (u × v).
pub fn turn([x, y, z, w]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let u = [x, y, z];
    let c = scaled(cross(u, v), 2.0);
    add(add(v, scaled(c, w)), cross(u, c))
}

/// The quaternion made unit; `None` where it has no direction or a component is not finite. One that is a unit but for
/// rounding is kept to the bit, so that a pose which nobody changed stays what it was.
pub fn unit(q: [f64; 4]) -> Option<[f64; 4]> {
    let square = q.iter().fold(0.0, |sum, x| sum + x * x);
    // Most are, so that is asked first.
    if (1.0 - 8.0 * f64::EPSILON..=1.0 + 8.0 * f64::EPSILON).contains(&square) {
        return Some(q);
    }
    if !(1.0e-200..=1.0e200).contains(&square) {
        return None;
    }
    let length = sqrt(square);
    Some(q.map(|x| x / length))
}

/// The shortest rotation that takes the direction `from` to that of `to`, both of any length; none where either has no
/// direction. Of the many that turn a direction round it takes one about an axis that only depends on `from`.
pub fn arc(from: [f64; 3], to: [f64; 3]) -> [f64; 4] {
    let size = sqrt(dot(from, from) * dot(to, to));
    if size.is_nan() || size <= 0.0 {
        return IDENTITY;
    }
    let [x, y, z] = cross(from, to);
    let w = size + dot(from, to);
    // Below this the quaternion's direction is lost in its rounding: half a turn about whatever is across.
    if w > 1.0e-12 * size {
        return unit([x, y, z, w]).unwrap_or(IDENTITY);
    }
    let [a, b, c] = from;
    let across = if a * a <= b * b && a * a <= c * c { [0.0, c, -b] } else { [-b, a, 0.0] };
    let across = if dot(across, across) > 0.0 { across } else { [c, 0.0, -a] };
    unit([across[0], across[1], across[2], 0.0]).unwrap_or(IDENTITY)
}

/// No rotation.
pub const IDENTITY: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

/// A rotation about the origin, then a translation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Where the origin is (m).
    pub translation: [f64; 3],
    /// Unit quaternion (x, y, z, w).
    pub rotation: [f64; 4],
}

impl Default for Pose {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl Pose {
    /// No motion.
    pub const IDENTITY: Self = Self { translation: [0.0; 3], rotation: IDENTITY };

    /// A point of the body in the space it stands in (m).
    pub fn apply(&self, point: [f64; 3]) -> [f64; 3] {
        add(self.translation, turn(self.rotation, point))
    }

    /// A point of that space in the body's frame (m).
    pub fn undo(&self, point: [f64; 3]) -> [f64; 3] {
        self.unturn(sub(point, self.translation))
    }

    /// A direction of that space in the body's frame.
    pub fn unturn(&self, v: [f64; 3]) -> [f64; 3] {
        turn(conjugate(self.rotation), v)
    }

    /// `other`, which stands in the same space, as this body sees it.
    pub fn see(&self, other: &Self) -> Self {
        Self {
            translation: self.undo(other.translation),
            rotation: times(conjugate(self.rotation), other.rotation),
        }
    }

    /// What [`Pose::see`] saw, in the space both stand in.
    pub fn place(&self, seen: &Self) -> Self {
        Self { translation: self.apply(seen.translation), rotation: times(self.rotation, seen.rotation) }
    }

    /// The pose a fraction `t` of the way to `to`: translation linearly, rotation by the normalised linear blend of the
    /// quaternions on one hemisphere. Exactly the ends at 0 and 1.
    #[must_use]
    pub fn between(&self, to: &Self, t: f64) -> Self {
        if t <= 0.0 {
            return *self;
        }
        if t >= 1.0 {
            return *to;
        }
        let (from, mut end) = (self.rotation, to.rotation);
        if from.iter().zip(end).fold(0.0, |sum, (a, b)| sum + a * b) < 0.0 {
            end = end.map(|x| -x);
        }
        let blend = core::array::from_fn(|i| from[i] * (1.0 - t) + end[i] * t);
        Self {
            translation: mix(self.translation, to.translation, t),
            // On one hemisphere the blend is at least 1/√2 long.
            rotation: unit(blend).unwrap_or(from),
        }
    }

    /// Rounded once for core.
    pub fn narrow(&self) -> math::Pose {
        math::Pose {
            translation: Vec3::from_array(narrow(self.translation)),
            rotation: narrow(self.rotation),
        }
    }

    /// Whether both are the same to the bit.
    pub fn is(&self, other: &Self) -> bool {
        self.translation.map(f64::to_bits) == other.translation.map(f64::to_bits)
            && self.rotation.map(f64::to_bits) == other.rotation.map(f64::to_bits)
    }
}

/// A box along the axes of the world (m).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Smallest coordinates (m).
    pub low: [f64; 3],
    /// Largest coordinates (m).
    pub high: [f64; 3],
}

impl Bounds {
    /// The box of no point: what a union starts with.
    pub const NONE: Self = Self { low: [f64::INFINITY; 3], high: [f64::NEG_INFINITY; 3] };

    /// All space.
    pub const EVERYWHERE: Self = Self { low: [f64::NEG_INFINITY; 3], high: [f64::INFINITY; 3] };

    /// The smallest box with both in it.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        let each = |pick: fn(f64, f64) -> f64, a: [f64; 3], b: [f64; 3]| {
            [0, 1, 2].map(|axis| pick(a[axis], b[axis]))
        };
        Self { low: each(lesser, self.low, other.low), high: each(greater, self.high, other.high) }
    }

    /// The smallest box with the point in it too.
    #[must_use]
    pub fn with(&self, point: [f64; 3]) -> Self {
        self.union(&Self { low: point, high: point })
    }

    /// Larger by `by` (m) on all sides.
    #[must_use]
    pub fn grown(&self, by: f64) -> Self {
        Self { low: self.low.map(|x| x - by), high: self.high.map(|x| x + by) }
    }

    /// Whether the two have a point in common.
    pub fn meets(&self, other: &Self) -> bool {
        (0..3).all(|axis| self.low[axis] <= other.high[axis] && other.low[axis] <= self.high[axis])
    }

    /// Whether all of the other is in it; a box of numbers that are none contains nothing and is in nothing.
    pub fn contains(&self, other: &Self) -> bool {
        (0..3).all(|axis| self.low[axis] <= other.low[axis] && other.high[axis] <= self.high[axis])
    }

    /// Whether it ends on all sides.
    pub fn is_finite(&self) -> bool {
        self.low.iter().chain(&self.high).all(|x| x.is_finite())
    }

    /// Square of the distance between the two (m²); 0 where they meet.
    pub fn square_from(&self, other: &Self) -> f64 {
        let gap = [0, 1, 2].map(|axis| {
            greater(greater(self.low[axis] - other.high[axis], other.low[axis] - self.high[axis]), 0.0)
        });
        dot(gap, gap)
    }
}

/// The smaller of two.
pub fn lesser(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// The larger of two.
pub fn greater(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "values that are exact by construction")]
mod tests {
    use super::*;

    fn near<const N: usize>(a: [f64; N], b: [f64; N]) -> bool {
        (0..N).all(|i| (a[i] - b[i]).abs() < 1e-12)
    }

    fn about_y(angle: f64) -> [f64; 4] {
        [0.0, (angle / 2.0).sin(), 0.0, (angle / 2.0).cos()]
    }

    #[test]
    fn seen_and_placed_is_where_it_was() {
        let a = Pose { translation: [1.0, -2.0, 3.0], rotation: about_y(0.7) };
        let b = Pose { translation: [0.5, 4.0, -1.0], rotation: arc([1.0, 0.2, 0.0], [0.0, -1.0, 0.5]) };
        let back = a.place(&a.see(&b));
        assert!(near(back.translation, b.translation) && near(back.rotation, b.rotation));
        let point = [0.3, 0.1, -0.8];
        assert!(near(a.undo(a.apply(point)), point));
    }

    #[test]
    fn an_arc_takes_one_direction_to_the_other() {
        let directions =
            [[1.0, 0.0, 0.0], [0.0, -2.0, 0.0], [0.0, 0.0, 0.1], [-1.0, 1.0, 3.0], [0.0, 2.0, 0.0]];
        for from in directions {
            for to in directions.into_iter().chain([scaled(from, -3.0)]) {
                let got = turn(arc(from, to), from);
                let expected = scaled(to, length(from) / length(to));
                assert!(near(got, expected), "{from:?} to {to:?}: {got:?}");
            }
        }
        assert_eq!(arc([0.0; 3], [1.0, 0.0, 0.0]), IDENTITY);
    }

    #[test]
    fn halfway_is_half_the_angle_and_the_ends_are_exact() {
        let from = Pose { translation: [1.0, 0.0, 0.0], rotation: about_y(0.2) };
        let to = Pose { translation: [3.0, 0.0, 0.0], rotation: about_y(1.2).map(|x| -x) };
        assert!(from.between(&to, 0.0).is(&from) && from.between(&to, 1.0).is(&to));
        let half = from.between(&to, 0.5);
        assert!(near(half.translation, [2.0, 0.0, 0.0]) && near(half.rotation, about_y(0.7)));
    }

    #[test]
    fn boxes_meet_and_are_apart() {
        let cube = Bounds { low: [0.0; 3], high: [1.0; 3] };
        let far = Bounds { low: [4.0, 5.0, 0.0], high: [5.0, 6.0, 1.0] };
        assert!(!cube.meets(&far) && cube.grown(4.0).meets(&far));
        assert!(
            (cube.square_from(&far) - 25.0).abs() < 1e-12 && (far.square_from(&cube) - 25.0).abs() < 1e-12
        );
        assert_eq!(Bounds::NONE.with([1.0; 3]).with([0.0; 3]), cube);
        assert!(!Bounds::NONE.meets(&cube) && Bounds::EVERYWHERE.meets(&cube));
    }
}
