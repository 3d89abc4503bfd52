//! A hull around a shape that is quick to ask: what is further from it than it goes meets nothing.

use super::bounds::sizes;
use super::{Aabb, Collider, Kind};
use crate::Vec3;
use crate::math::{Pose, real, vector};

/// A box along axes of its own, rounded, or for a plane the half space below it. The distance from it is nowhere larger than
/// that from the shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Shell {
    /// Unit vectors along the box.
    pub axes: [Vec3; 3],
    /// Its middle, or a point of the plane (m).
    pub centre: Vec3,
    /// How far it reaches along its axes (m).
    pub half: [f32; 3],
    /// By how much it is rounded (m).
    pub round: f32,
    /// Whether it goes on for ever against its second axis.
    pub is_plane: bool,
}

impl Shell {
    /// How far a point is outside (m).
    pub fn gap(&self, point: Vec3) -> f32 {
        let [x, y, z] = self.axes.map(|axis| axis.dot(point - self.centre));
        let [a, b, c] = self.half;
        let y = if self.is_plane { y } else { real::abs(y) };
        let beyond = |side: f32, half: f32| real::max(side - half, 0.0);
        let over = Vec3::new(beyond(real::abs(x), a), beyond(y, b), beyond(real::abs(z), c));
        vector::length(over) - self.round
    }

    /// A box along the axes of the space it stands in; all space for a plane.
    pub fn bounds(&self) -> Aabb {
        if self.is_plane {
            return Aabb::EVERYWHERE;
        }
        let [x, y, z] = self.axes.map(sizes);
        let [a, b, c] = self.half;
        let half = x * a + y * b + z * c + Vec3::splat(self.round);
        // The sums round: by less than four ε of the largest number in them.
        let largest = sizes(self.centre) + half;
        let largest = real::max(largest.x, real::max(largest.y, largest.z));
        Aabb { low: self.centre - half, high: self.centre + half }.grown(4.0 * f32::EPSILON * largest)
    }
}

impl Collider {
    /// The shell of the collider where it stands at `pose`.
    pub(crate) fn shell(&self, shapes: &[u32], pose: &Pose) -> Shell {
        let axes = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| pose.rotate(axis));
        match self.extent(shapes) {
            Some(extent) => Shell {
                axes,
                centre: pose.apply(extent.centre),
                half: extent.half.to_array(),
                round: extent.round,
                is_plane: false,
            },
            None => Shell {
                axes,
                centre: pose.translation,
                half: [f32::MAX, 0.0, f32::MAX],
                round: 0.0,
                is_plane: Kind::of(self.kind) == Some(Kind::Plane),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collide::signed_distance;

    #[test]
    fn a_shell_is_never_further_than_the_shape() {
        let pose = Pose { translation: Vec3::new(0.3, -0.2, 0.1), rotation: [0.5, -0.5, 0.5, 0.5] };
        let made = [
            Collider::sphere(0.2, pose),
            Collider::capsule(0.3, 0.1, pose),
            Collider::tapered_capsule(0.3, 0.1, 0.2, pose),
            Collider::cuboid(Vec3::new(0.1, 0.2, 0.3), pose),
            Collider::cylinder(0.3, 0.1, pose),
            Collider::cone(0.3, 0.2, pose),
            Collider::plane(pose),
        ];
        for (collider, exact) in made.into_iter().zip([true, true, false, true, false, false, true]) {
            let collider = collider.unwrap();
            let shell = collider.shell(&[], &pose);
            let mut nearest = f32::INFINITY;
            for i in 0..1000_u16 {
                let [x, y, z] = [i % 10, i / 10 % 10, i / 100].map(|n| f32::from(n) * 0.25 - 1.125);
                let point = Vec3::new(x, y, z);
                let distance = signed_distance(&collider, &[], &pose, point).distance;
                if distance > 0.0 {
                    let less = distance - shell.gap(point);
                    assert!(less > -1e-5, "{collider:?} {point}: {less}");
                    nearest = nearest.min(less);
                    assert!(!exact || less < 1e-5, "{collider:?} {point}: {less}");
                }
            }
            assert!(nearest < 0.05, "{collider:?}: {nearest}");
        }
    }
}
