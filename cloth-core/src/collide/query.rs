//! Distance, direction and features of any collider.

use super::features::Features;
use super::field::Field;
use super::hull::Hull;
use super::mesh::Mesh;
use super::{Collider, Kind, MAX_FEATURES, Surface};
use super::{capsule, cone, cuboid, cylinder, plane, sphere, tapered};
use crate::Vec3;
use crate::math::{Pose, real, vector};

/// How far `point` is outside `collider` where it stands at `pose` (m), and the direction out.
///
/// The direction is a unit vector within 1e-6, at every point of space: where several ways out are equally short (the
/// centre of a sphere, an axis, the bisector of two faces) each shape's module says which is taken. `shapes` are the words
/// [`Collider::check`] was given. Distances are to the shape; inflation is not subtracted.
///
/// A record that is no collider is nowhere: the answer is an infinite distance.
///
/// Without a bound a mesh or a height field may have to be searched whole: of whom only what is near matters asks
/// [`surface_within`].
pub fn signed_distance(collider: &Collider, shapes: &[u32], pose: &Pose, point: Vec3) -> Surface {
    surface_within(collider, shapes, pose, point, f32::INFINITY).unwrap_or(Surface::NOWHERE)
}

/// What [`signed_distance`] answers, to the bit, where that is no further than `reach` (m) on either side; `None` where the
/// surface of a mesh or a height field is further away, and for a record that is no collider. Analytic shapes and hulls are
/// answered for at every distance.
///
/// A mesh and a height field are surfaces: a point further behind one than `reach` is not in it, a closed mesh included, so what
/// is deeper than its reach is not brought out. Nor is what is below a field, where fields may stack.
///
/// Only what is within the reach is looked at: of a field at most O((reach/cell)²) cells (see
/// its module), of a mesh the nodes of its tree whose boxes
/// are no further away. A reach below zero, or none, finds nothing of them.
pub fn surface_within(
    collider: &Collider,
    shapes: &[u32],
    pose: &Pose,
    point: Vec3,
    reach: f32,
) -> Option<Surface> {
    let local = local_surface(collider, shapes, pose.undo(point) / collider.scale, reach / collider.scale)?;
    let surface = outward(collider, pose, local);
    let is_near = collider.is_convex() || real::abs(surface.distance) <= reach;
    is_near.then_some(surface)
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
            if let Some(nearest) = local_surface(collider, shapes, x, local_reach)
                && nearest.distance <= local_reach
            {
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

/// Distance and direction in the shape's own frame, before it is scaled. Meshes and fields that are further than `reach` may be
/// answered for or not.
#[inline(never)]
fn local_surface(collider: &Collider, shapes: &[u32], x: Vec3, reach: f32) -> Option<Surface> {
    let [a, b, c] = collider.sizes;
    let found = match Kind::of(collider.kind)? {
        Kind::Sphere => return Some(sphere::surface(x, a)),
        Kind::Capsule => return Some(capsule::surface(x, a, b)),
        Kind::TaperedCapsule => return Some(tapered::surface(x, a, b, c)),
        Kind::Box => return Some(cuboid::surface(x, Vec3::new(a, b, c))),
        Kind::Cylinder => return Some(cylinder::surface(x, a, b)),
        Kind::Cone => return Some(cone::surface(x, a, b)),
        Kind::Plane => return Some(plane::surface(x)),
        Kind::Hull => Hull::open(collider.words(shapes)?)?.surface(x),
        Kind::Mesh => Mesh::open(collider.words(shapes)?)?.surface(x, reach)?,
        Kind::Field => Field::open(collider.words(shapes)?)?.surface(x, reach)?,
    };
    found.is_sound().then_some(found)
}

/// A surface of the shape's own frame in the space it stands in.
// Not inlined: every query ends with it.
#[inline(never)]
fn outward(collider: &Collider, pose: &Pose, local: Surface) -> Surface {
    // A quaternion is a unit only to its last digits, and a turned vector is off by twice what is missing.
    let normal = vector::unit_or(pose.rotate(local.normal), Vec3::Y);
    Surface { distance: local.distance * collider.scale, normal, ..local }
}
