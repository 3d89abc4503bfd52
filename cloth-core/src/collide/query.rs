//! Distance, direction and features of any collider.

use super::{Collider, Kind, MAX_FEATURES, Surface, sphere};
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
    let Some(kind) = Kind::of(collider.kind) else {
        return Surface { distance: f32::INFINITY, normal: Vec3::Y, feature: 0 };
    };
    let x = pose.undo(point) / collider.scale;
    let local = local_surface(collider, kind, shapes, x);
    outward(collider, pose, local)
}

/// Every feature of the surface of `collider` that a point no further than `reach` (m) from it can touch on its own, at most
/// four of them, the most violated first, equal ones by feature.
///
/// A convex shape has one: where it is touched next depends on one closest point, and two of its planes would hold a point
/// off where only one of them does. A mesh and a height field have several, in a corner that is concave: those faces, edges
/// and vertices from which the shortest way to the point leads straight up (local minima of the distance). Neighbours in one
/// plane count once. Where the point is behind the surface, others are looked for from the nearest point of the surface.
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
    let nearest = signed_distance(collider, shapes, pose, point);
    if nearest.distance <= reach {
        let [first, ..] = found;
        *first = nearest;
        1
    } else {
        0
    }
}

/// Distance and direction in the shape's own frame, before it is scaled.
#[inline(always)]
fn local_surface(collider: &Collider, kind: Kind, _shapes: &[u32], x: Vec3) -> Surface {
    let [a, _b, _c] = collider.sizes;
    match kind {
        Kind::Sphere => sphere::surface(x, a),
        _ => Surface { distance: f32::INFINITY, normal: Vec3::Y, feature: 0 },
    }
}

/// A surface of the shape's own frame in the space it stands in.
#[inline(always)]
fn outward(collider: &Collider, pose: &Pose, local: Surface) -> Surface {
    let turned = pose.rotate(local.normal);
    // A quaternion is a unit only to its last digits, and a turned vector inherits twice what is missing.
    let normal = vector::unit_or(turned, local.normal);
    Surface { distance: local.distance * collider.scale, normal, ..local }
}
