//! A point as a body of rotation about Y sees it: how far from the axis, how high, and in which direction.

use crate::Vec3;
use crate::math::vector;

/// Coordinates in the half plane through the axis that a point lies in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meridian {
    /// Distance from the axis (m).
    pub rho: f32,
    /// Height (m).
    pub y: f32,
    /// Unit vector from the axis to the point; +X on the axis.
    out: Vec3,
}

impl Meridian {
    #[inline(always)]
    pub(super) fn of(point: Vec3) -> Self {
        let across = Vec3::new(point.x, 0.0, point.z);
        Self { rho: vector::length(across), y: point.y, out: vector::unit_or(across, Vec3::X) }
    }

    /// A direction of the half plane as one of space.
    #[inline(always)]
    pub(super) fn lift(&self, out: f32, up: f32) -> Vec3 {
        self.out * out + Vec3::new(0.0, up, 0.0)
    }

    /// Distance from a point of the half plane (m), and the direction from it; `otherwise` at the point itself.
    #[inline(always)]
    pub(super) fn from(&self, rho: f32, y: f32, otherwise: Vec3) -> (f32, Vec3) {
        let v = self.lift(self.rho - rho, self.y - y);
        (vector::length(v), vector::unit_or(v, otherwise))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_looks_along_x() {
        assert_eq!(Meridian::of(Vec3::Y).lift(2.0, 1.0), Vec3::new(2.0, 1.0, 0.0));
        let m = Meridian::of(Vec3::new(0.0, 7.0, -3.0));
        assert_eq!((m.rho, m.y, m.lift(1.0, 0.0)), (3.0, 7.0, Vec3::NEG_Z));
        assert_eq!(m.from(3.0, 6.0, Vec3::X), (1.0, Vec3::Y));
        assert_eq!(m.from(3.0, 7.0, Vec3::X), (0.0, Vec3::X));
    }
}
