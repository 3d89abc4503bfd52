//! How thick a collider is.

use super::{Collider, Kind, signed_distance};
use crate::math::{Pose, real, sqrt};

impl Collider {
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
            // What is around the middle of a hull is not the largest ball in it, but one.
            Some(Kind::Hull) => {
                let here = Pose::IDENTITY;
                let own = self.placed(here).unwrap_or(*self);
                let bounds = own.swept_bounds(shapes);
                let middle = (bounds.low + bounds.high) * 0.5;
                return real::max(-signed_distance(&own, shapes, &here, middle).distance, 0.0);
            }
            _ => f32::INFINITY,
        };
        radius * self.scale
    }
}
