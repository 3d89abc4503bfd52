//! Colliders, as C sees them.

use crate::status::{ClothStatus, Refused};
use crate::vector::{ClothPose, ClothVec3, ClothVec4};
use cloth_core::collide::{Collider, Data, Kind, signed_distance};
use cloth_core::model::MAX_LENGTH;

/// What a collider is. Sizes are those of ClothCollider::sizes, in metres; axes are the pose's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum ClothColliderKind {
    /// A ball: radius.
    Sphere = 1,
    /// All within a radius of a segment along Y: half the segment's length, radius.
    Capsule = 2,
    /// The hull of two balls on Y: half the distance of their centres, radius of the lower, radius of the upper.
    TaperedCapsule = 3,
    /// A box: half its extents.
    Box = 4,
    /// A cylinder about Y: half its height, radius.
    Cylinder = 5,
    /// A cone about Y, its apex above: half its height, radius of its base.
    Cone = 6,
    /// The half space below Y = 0; no sizes.
    Plane = 7,
    /// A convex polyhedron; words.
    Hull = 8,
    /// The back of a triangle mesh; words.
    Mesh = 9,
    /// What is below a grid of heights; words.
    Field = 10,
}

/// A shape, where it is and was, and what a contact with it is like: 28 words. Made by cloth_collider and
/// cloth_collider_shaped; friction, inflation, scale, handle, layer and mask are set by hand. A step looks through every
/// record.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct ClothCollider {
    /// A ClothColliderKind.
    pub kind: u32,
    /// Which collider it is, the same from step to step.
    pub handle: u32,
    /// Layers it is in, a bit each.
    pub layer: u32,
    /// Layers of cloth it meets, a bit each.
    pub mask: u32,
    /// Where its origin is at the end of the step, cloth-local (m).
    pub position: ClothVec3,
    /// Coefficient of friction (1), 0 to 1e6.
    pub friction: f32,
    /// How it is turned at the end of the step: a quaternion of a squared length within 0.998 to 1.002, as cloth_collider,
    /// cloth_collider_move and cloth_collider_place leave it.
    pub rotation: ClothVec4,
    /// Where its origin was when the step began, cloth-local (m).
    pub previous_position: ClothVec3,
    /// By how much a contact keeps further off than the cloth's own thickness (m), 0 to 1e6; no part of the shape.
    /// Centimetres are meant: each query of a rugged height field looks at up to 2*pi*(d/cell)^2 triangles, d being
    /// inflation, thickness, the way of a substep and the cloth's longest row together; level ground is found at once.
    pub inflation: f32,
    /// How it was turned when the step began: a quaternion as rotation.
    pub previous_rotation: ClothVec4,
    /// Sizes as ClothColliderKind names them, then zeros (m), 1e-6 to 1e6.
    pub sizes: [f32; 3],
    /// By how much all sizes and words are multiplied (1), 1e-6 to 1e6.
    pub scale: f32,
    /// First word of its shape; zero where the kind has none.
    pub data: u32,
    /// Words of its shape; zero where the kind has none.
    pub data_count: u32,
    /// Zero.
    pub reserved: [u32; 2],
}

/// Where the surface of a collider is as seen from a point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct ClothSurface {
    /// Unit vector that leads out by the shortest way, cloth-local. The nearest point of the surface is
    /// point - distance*normal.
    pub normal: ClothVec3,
    /// How far the point is outside (m); below zero inside, or behind a one-sided surface.
    pub distance: f32,
}

impl ClothCollider {
    /// The record as core has it.
    pub(crate) fn to_core(self) -> Collider {
        let vector = |v: ClothVec3| [v.x, v.y, v.z];
        let quaternion = |q: ClothVec4| [q.x, q.y, q.z, q.w];
        Collider {
            kind: self.kind,
            handle: self.handle,
            layer: self.layer,
            mask: self.mask,
            position: vector(self.position),
            friction: self.friction,
            rotation: quaternion(self.rotation),
            previous_position: vector(self.previous_position),
            inflation: self.inflation,
            previous_rotation: quaternion(self.previous_rotation),
            sizes: self.sizes,
            scale: self.scale,
            data: self.data,
            data_count: self.data_count,
            reserved: self.reserved,
        }
    }

    /// Core's record as C sees it.
    pub(crate) fn of_core(core: Collider) -> Self {
        let vector = |[x, y, z]: [f32; 3]| ClothVec3 { x, y, z };
        let quaternion = |[x, y, z, w]: [f32; 4]| ClothVec4 { x, y, z, w };
        Self {
            kind: core.kind,
            handle: core.handle,
            layer: core.layer,
            mask: core.mask,
            position: vector(core.position),
            friction: core.friction,
            rotation: quaternion(core.rotation),
            previous_position: vector(core.previous_position),
            inflation: core.inflation,
            previous_rotation: quaternion(core.previous_rotation),
            sizes: core.sizes,
            scale: core.scale,
            data: core.data,
            data_count: core.data_count,
            reserved: core.reserved,
        }
    }
}

/// A collider of one of the kinds whose shape is sizes.
pub(crate) fn sized(kind: u32, sizes: ClothVec3, pose: ClothPose) -> Result<ClothCollider, Refused> {
    let (pose, ClothVec3 { x, y, z }) = (pose.to_core(), sizes);
    let made = match Kind::of(kind) {
        Some(Kind::Sphere) => Collider::sphere(x, pose),
        Some(Kind::Capsule) => Collider::capsule(x, y, pose),
        Some(Kind::TaperedCapsule) => Collider::tapered_capsule(x, y, z, pose),
        Some(Kind::Box) => Collider::cuboid(sizes.to_core(), pose),
        Some(Kind::Cylinder) => Collider::cylinder(x, y, pose),
        Some(Kind::Cone) => Collider::cone(x, y, pose),
        Some(Kind::Plane) => Collider::plane(pose),
        _ => return Err(ClothStatus::ColliderKind.into()),
    };
    Ok(ClothCollider::of_core(made?))
}

/// A collider of one of the kinds whose shape is words.
pub(crate) fn shaped(
    kind: u32,
    data: Data,
    shapes: &[u32],
    pose: ClothPose,
) -> Result<ClothCollider, Refused> {
    let kind = Kind::of(kind).ok_or(ClothStatus::ColliderKind)?;
    Ok(ClothCollider::of_core(Collider::shaped(kind, data, shapes, pose.to_core())?))
}

/// The surface of a collider as seen from a point, after a look through its record.
pub(crate) fn surface(
    collider: ClothCollider,
    shapes: &[u32],
    point: ClothVec3,
) -> Result<ClothSurface, Refused> {
    let collider = collider.to_core();
    collider.check(shapes)?;
    let point = point.to_core();
    if !point.to_array().iter().all(|x| (-MAX_LENGTH..=MAX_LENGTH).contains(x)) {
        return Err(ClothStatus::VectorOutOfRange.into());
    }
    let surface = signed_distance(&collider, shapes, &collider.pose(), point);
    Ok(ClothSurface { normal: ClothVec3::of_core(surface.normal), distance: surface.distance })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: ClothPose = ClothPose {
        translation: ClothVec3 { x: 1.0, y: 2.0, z: 3.0 },
        rotation: ClothVec4 { x: 0.0, y: 0.0, z: 0.0, w: 2.0 },
    };

    #[test]
    fn kinds_have_the_numbers_of_core() {
        for (ours, theirs) in [
            (ClothColliderKind::Sphere, Kind::Sphere),
            (ClothColliderKind::Capsule, Kind::Capsule),
            (ClothColliderKind::TaperedCapsule, Kind::TaperedCapsule),
            (ClothColliderKind::Box, Kind::Box),
            (ClothColliderKind::Cylinder, Kind::Cylinder),
            (ClothColliderKind::Cone, Kind::Cone),
            (ClothColliderKind::Plane, Kind::Plane),
            (ClothColliderKind::Hull, Kind::Hull),
            (ClothColliderKind::Mesh, Kind::Mesh),
            (ClothColliderKind::Field, Kind::Field),
        ] {
            assert_eq!(ours as u32, theirs as u32);
        }
    }

    #[test]
    fn sizes_go_where_core_wants_them() -> Result<(), Refused> {
        let sizes = ClothVec3 { x: 0.5, y: 0.25, z: 0.125 };
        for kind in 1..=7 {
            let made = sized(kind, sizes, HERE)?;
            let used = Kind::of(kind).map_or(0, |kind| kind.sizes().len());
            let mut expected = [0.5, 0.25, 0.125];
            expected[used..].fill(0.0);
            assert_eq!((made.kind, made.sizes), (kind, expected));
            assert_eq!((made.position, made.rotation.w), (HERE.translation, 1.0));
            assert_eq!(made.to_core().check(&[]), Ok(()));
        }
        for kind in [0, 8, 9, 10, 11, u32::MAX] {
            assert_eq!(sized(kind, sizes, HERE), Err(ClothStatus::ColliderKind.into()));
        }
        Ok(())
    }

    #[test]
    fn a_distance_is_cores() -> Result<(), Refused> {
        let ball = sized(1, ClothVec3 { x: 0.5, y: 0.0, z: 0.0 }, HERE)?;
        let above = ClothVec3 { x: 1.0, y: 4.0, z: 3.0 };
        let found = surface(ball, &[], above)?;
        assert_eq!((found.distance, found.normal), (1.5, ClothVec3 { x: 0.0, y: 1.0, z: 0.0 }));
        for x in [f32::NAN, f32::INFINITY, 1.1e6] {
            let lost = ClothVec3 { x, ..above };
            assert_eq!(surface(ball, &[], lost), Err(ClothStatus::VectorOutOfRange.into()));
        }
        Ok(())
    }
}
