//! Distance, direction and features of any collider.

use super::features::Features;
use super::field::Field;
use super::hull::Hull;
use super::mesh::Mesh;
use super::{Collider, Kind, MAX_FEATURES, Surface};
use super::{capsule, cone, cuboid, cylinder, plane, sphere, tapered};
use crate::Vec3;
use crate::math::{Pose, vector};

/// How far `point` is outside `collider` where it stands at `pose` (m), and the direction out.
///
/// The direction is a unit vector within 1e-6, at every point of space: where several ways out are equally short (the
/// centre of a sphere, an axis, the bisector of two faces) each shape's module says which is taken. `shapes` are the words
/// [`Collider::check`] was given. Distances are to the shape; inflation is not subtracted.
///
/// A record that is no collider is nowhere: the answer is an infinite distance.
pub fn signed_distance(collider: &Collider, shapes: &[u32], pose: &Pose, point: Vec3) -> Surface {
    outward(collider, pose, local_surface(collider, shapes, pose.undo(point) / collider.scale))
}

/// Every feature of the surface of `collider` that a point no further than `reach` (m) from it can touch on its own, at most
/// four of them, the most violated first, equal ones by feature.
///
/// A convex shape has one: where it is touched next depends on one closest point, and two of its planes would hold a point
/// off where only one of them does. A mesh and a height field have several in a concave corner: those faces, edges and
/// vertices from which the shortest way to the point leads straight up (local minima of the distance). Neighbours in one
/// plane count once. Where the point is behind the surface, others are looked for from the nearest point of the surface.
/// Inside a solid it may be as deep as it will; behind a height field or an open mesh no further than `reach`.
///
/// Answers how many of `found` were written.
pub fn features_within(
    collider: &Collider,
    shapes: &[u32],
    pose: &Pose,
    point: Vec3,
    reach: f32,
    found: &mut [Surface; MAX_FEATURES],
) -> usize {
    let x = pose.undo(point) / collider.scale;
    let local_reach = reach / collider.scale;
    let mut features = Features::new(found);
    let words = collider.words(shapes).unwrap_or(&[]);
    match Kind::of(collider.kind) {
        Some(Kind::Mesh) => {
            if let Some(mesh) = Mesh::open(words) {
                mesh.features(x, local_reach, &mut features);
            }
        }
        Some(Kind::Field) => {
            if let Some(field) = Field::open(words) {
                field.features(x, local_reach, &mut features);
            }
        }
        _ => {
            let nearest = local_surface(collider, shapes, x);
            if nearest.distance <= local_reach {
                features.insert(nearest, 0.0);
            }
        }
    }
    let count = features.count();
    for surface in found.iter_mut().take(count) {
        *surface = outward(collider, pose, *surface);
    }
    count
}

/// Distance and direction in the shape's own frame, before it is scaled.
#[inline(always)]
fn local_surface(collider: &Collider, shapes: &[u32], x: Vec3) -> Surface {
    let [a, b, c] = collider.sizes;
    let words = || collider.words(shapes).unwrap_or(&[]);
    match Kind::of(collider.kind) {
        Some(Kind::Sphere) => sphere::surface(x, a),
        Some(Kind::Capsule) => capsule::surface(x, a, b),
        Some(Kind::TaperedCapsule) => tapered::surface(x, a, b, c),
        Some(Kind::Box) => cuboid::surface(x, Vec3::new(a, b, c)),
        Some(Kind::Cylinder) => cylinder::surface(x, a, b),
        Some(Kind::Cone) => cone::surface(x, a, b),
        Some(Kind::Plane) => plane::surface(x),
        Some(Kind::Hull) => Hull::open(words()).map_or(Surface::NOWHERE, |hull| hull.surface(x)),
        Some(Kind::Mesh) => Mesh::open(words()).map_or(Surface::NOWHERE, |mesh| mesh.surface(x)),
        Some(Kind::Field) => Field::open(words()).map_or(Surface::NOWHERE, |field| field.surface(x)),
        None => Surface::NOWHERE,
    }
}

/// A surface of the shape's own frame in the space it stands in.
#[inline(always)]
fn outward(collider: &Collider, pose: &Pose, local: Surface) -> Surface {
    // A quaternion is a unit only to its last digits, and a turned vector is off by twice what is missing.
    let normal = vector::unit_or(pose.rotate(local.normal), Vec3::Y);
    Surface { distance: local.distance * collider.scale, normal, ..local }
}
