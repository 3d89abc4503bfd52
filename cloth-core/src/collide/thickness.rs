//! How thick a collider is.

use super::{Collider, Kind};
use crate::math::{real, sqrt};

impl Collider {
    /// Whether one contact holds a point wherever it is.
    pub fn is_convex(&self) -> bool {
        Kind::of(self.kind).is_none_or(Kind::is_convex)
    }

    /// Radius of the largest ball that fits into its thinnest part (m): what is thinner than the cells of a cloth fits
    /// between its particles. Infinite for planes, meshes and height fields, whose other side nobody sees.
    pub fn thickness(&self, shapes: &[u32]) -> f32 {
        let [a, b, c] = self.sizes;
        let radius = match Kind::of(self.kind) {
            Some(Kind::Sphere) => a,
            Some(Kind::Capsule) => b,
            Some(Kind::TaperedCapsule) => real::min(b, c),
            Some(Kind::Box) => real::min(a, real::min(b, c)),
            Some(Kind::Cylinder) => real::min(a, b),
            // The ball that touches base and side: r·H/(r + √(r² + H²)) with H the height.
            Some(Kind::Cone) => b * 2.0 * a / (b + sqrt(b * b + 4.0 * a * a)),
            _ => f32::INFINITY,
        };
        let _ = shapes;
        radius * self.scale
    }
}
