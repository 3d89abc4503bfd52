//! A box along the axes.

use crate::Vec3;
use crate::math::real;

/// A box along the axes, low corner and high corner (m). Infinite where nothing bounds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Smallest coordinates (m).
    pub low: Vec3,
    /// Largest coordinates (m).
    pub high: Vec3,
}

impl Aabb {
    /// All space.
    pub const EVERYWHERE: Self = Self { low: Vec3::NEG_INFINITY, high: Vec3::INFINITY };

    /// The smallest box with both in it.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        let low = lesser(self.low, other.low);
        let high = greater(self.high, other.high);
        Self { low, high }
    }

    /// Larger by `by` (m) on all sides.
    #[must_use]
    pub fn grown(self, by: f32) -> Self {
        Self { low: self.low - Vec3::splat(by), high: self.high + Vec3::splat(by) }
    }

    /// Square of the distance of a point from it (m²); 0 inside.
    #[inline(always)]
    pub fn square_from(&self, point: Vec3) -> f32 {
        let out = greater(greater(self.low - point, point - self.high), Vec3::ZERO);
        out.dot(out)
    }

    /// Whether the two have a point in common.
    pub fn meets(&self, other: &Self) -> bool {
        let apart = self.low.cmpgt(other.high) | other.low.cmpgt(self.high);
        !apart.any()
    }
}

/// The smaller of each component.
#[inline(always)]
pub(super) fn lesser(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(real::min(a.x, b.x), real::min(a.y, b.y), real::min(a.z, b.z))
}

/// The larger of each component.
#[inline(always)]
pub(super) fn greater(a: Vec3, b: Vec3) -> Vec3 {
    Vec3::new(real::max(a.x, b.x), real::max(a.y, b.y), real::max(a.z, b.z))
}

/// Each component without its sign.
#[inline(always)]
pub(super) fn sizes(v: Vec3) -> Vec3 {
    Vec3::new(real::abs(v.x), real::abs(v.y), real::abs(v.z))
}
