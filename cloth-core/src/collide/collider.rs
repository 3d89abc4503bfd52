//! The record of a collider and how one is made.

use super::check::{self, SIZES};
use super::{ColliderError, Kind};
use crate::Vec3;
use crate::math::Pose;
use bytemuck::{Pod, Zeroable};

/// A run of the words beside a table of colliders, where a shape's data is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Data {
    /// First word.
    pub first: u32,
    /// How many.
    pub count: u32,
}

/// A shape, where it is and was, and what a contact with it is like: 28 words.
///
/// Made by the functions below, which refuse what is no collider; a record from elsewhere is looked through by
/// [`Collider::check`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Collider {
    /// Number of its [`Kind`].
    pub kind: u32,
    /// Which collider it is, the same from step to step.
    pub handle: u32,
    /// Layers it is in, a bit each.
    pub layer: u32,
    /// Layers of cloth it meets, a bit each.
    pub mask: u32,
    /// Where its origin is now, cloth-local (m).
    pub position: [f32; 3],
    /// Coefficient of friction μ (1).
    pub friction: f32,
    /// How it is turned now: unit quaternion (x, y, z, w).
    pub rotation: [f32; 4],
    /// Where its origin was when the step began, cloth-local (m).
    pub previous_position: [f32; 3],
    /// By how much a contact keeps further off than the cloth's own thickness (m), 0 to 1e6; no part of the shape. Centimetres
    /// are meant: a query of a height field looks at up to 2·π·(d/cell)² triangles, d being inflation, thickness, the way of a
    /// substep and the cloth's longest row together, as it does of rugged ground. Level ground is found at once.
    pub inflation: f32,
    /// How it was turned when the step began.
    pub previous_rotation: [f32; 4],
    /// Sizes as [`Kind::sizes`] names them, then zeros (m).
    pub sizes: [f32; 3],
    /// By how much all sizes and the data are multiplied (1).
    pub scale: f32,
    /// First word of its data; zero where the kind has none.
    pub data: u32,
    /// Words of its data; zero where the kind has none.
    pub data_count: u32,
    /// Zero.
    pub reserved: [u32; 2],
}

/// All layers.
const EVERY: u32 = u32::MAX;

impl Collider {
    /// A ball of `radius` (m) about the pose's origin.
    ///
    /// # Errors
    ///
    /// [`ColliderError::Size`] and [`ColliderError::Pose`], as from all functions of this kind.
    pub fn sphere(radius: f32, pose: Pose) -> Result<Self, ColliderError> {
        Self::sized(Kind::Sphere, [radius, 0.0, 0.0], pose)
    }

    /// All within `radius` of the segment from −`half` to `half` along the pose's Y (m).
    ///
    /// # Errors
    ///
    /// As [`Collider::sphere`].
    pub fn capsule(half: f32, radius: f32, pose: Pose) -> Result<Self, ColliderError> {
        Self::sized(Kind::Capsule, [half, radius, 0.0], pose)
    }

    /// The hull of two balls: of radius `lower` about −`half` and of radius `upper` about `half` on the pose's Y (m).
    ///
    /// # Errors
    ///
    /// As [`Collider::sphere`].
    pub fn tapered_capsule(half: f32, lower: f32, upper: f32, pose: Pose) -> Result<Self, ColliderError> {
        Self::sized(Kind::TaperedCapsule, [half, lower, upper], pose)
    }

    /// A box that reaches `half` (m) from the pose's origin along each of its axes.
    ///
    /// # Errors
    ///
    /// As [`Collider::sphere`].
    pub fn cuboid(half: Vec3, pose: Pose) -> Result<Self, ColliderError> {
        Self::sized(Kind::Box, half.to_array(), pose)
    }

    /// A cylinder about the pose's Y that reaches from −`half` to `half` (m).
    ///
    /// # Errors
    ///
    /// As [`Collider::sphere`].
    pub fn cylinder(half: f32, radius: f32, pose: Pose) -> Result<Self, ColliderError> {
        Self::sized(Kind::Cylinder, [half, radius, 0.0], pose)
    }

    /// A cone about the pose's Y: its base of `radius` at −`half`, its apex at `half` (m).
    ///
    /// # Errors
    ///
    /// As [`Collider::sphere`].
    pub fn cone(half: f32, radius: f32, pose: Pose) -> Result<Self, ColliderError> {
        Self::sized(Kind::Cone, [half, radius, 0.0], pose)
    }

    /// The half space below the plane through the pose's origin that the pose's Y is normal to.
    ///
    /// # Errors
    ///
    /// As [`Collider::sphere`].
    pub fn plane(pose: Pose) -> Result<Self, ColliderError> {
        Self::sized(Kind::Plane, [0.0; 3], pose)
    }

    /// A convex hull, triangle mesh or height field whose words are `data` of `shapes`.
    ///
    /// # Errors
    ///
    /// [`ColliderError::DataRange`], [`ColliderError::NotThisShape`] and [`ColliderError::Damaged`] for the words,
    /// [`ColliderError::UnknownKind`] for a kind that has none, and as [`Collider::sphere`].
    pub fn shaped(kind: Kind, data: Data, shapes: &[u32], pose: Pose) -> Result<Self, ColliderError> {
        if !kind.has_data() {
            return Err(ColliderError::UnknownKind { kind: kind as u32 });
        }
        let shaped = Self { data: data.first, data_count: data.count, ..Self::sized(kind, [0.0; 3], pose)? };
        shaped.check(shapes)?;
        Ok(shaped)
    }

    fn sized(kind: Kind, sizes: [f32; 3], pose: Pose) -> Result<Self, ColliderError> {
        for (name, value) in kind.sizes().iter().zip(sizes) {
            if !SIZES.contains(&value) {
                return Err(ColliderError::Size { name, value });
            }
        }
        let fresh =
            Self { kind: kind as u32, layer: EVERY, mask: EVERY, sizes, scale: 1.0, ..Self::default() };
        fresh.placed(pose)
    }

    /// Put somewhere at once: it sweeps nothing on the way.
    ///
    /// # Errors
    ///
    /// [`ColliderError::Pose`].
    pub fn placed(mut self, pose: Pose) -> Result<Self, ColliderError> {
        let pose = check::pose(pose)?;
        (self.position, self.rotation) = (pose.translation.to_array(), pose.rotation);
        (self.previous_position, self.previous_rotation) = (self.position, self.rotation);
        Ok(self)
    }

    /// Moved on: where it is becomes where it was.
    ///
    /// # Errors
    ///
    /// [`ColliderError::Pose`].
    pub fn moved(mut self, pose: Pose) -> Result<Self, ColliderError> {
        let pose = check::pose(pose)?;
        (self.previous_position, self.previous_rotation) = (self.position, self.rotation);
        (self.position, self.rotation) = (pose.translation.to_array(), pose.rotation);
        Ok(self)
    }

    /// Multiplied in size along each axis of its own (1).
    ///
    /// # Errors
    ///
    /// [`ColliderError::NonUniformScale`] where the three differ, [`ColliderError::Scale`] where the one they are is not
    /// above zero, or out of range.
    pub fn scaled(self, scale: Vec3) -> Result<Self, ColliderError> {
        let [x, y, z] = scale.to_array();
        if [x, y, z].iter().any(|s| !check::SCALES.contains(s)) {
            let bad = [x, y, z].into_iter().find(|s| !check::SCALES.contains(s)).unwrap_or(x);
            return Err(ColliderError::Scale { scale: bad });
        }
        if x.to_bits() != y.to_bits() || y.to_bits() != z.to_bits() {
            return Err(ColliderError::NonUniformScale);
        }
        Ok(Self { scale: x, ..self })
    }

    /// With a coefficient of friction μ (1) and an inflation (m).
    ///
    /// # Errors
    ///
    /// [`ColliderError::Contact`].
    pub fn touching(self, friction: f32, inflation: f32) -> Result<Self, ColliderError> {
        check::contact("friction", friction)?;
        check::contact("inflation", inflation)?;
        Ok(Self { friction, inflation, ..self })
    }

    /// Known by a handle, and on layers.
    #[must_use]
    pub fn known(self, handle: u32, layer: u32, mask: u32) -> Self {
        Self { handle, layer, mask, ..self }
    }

    /// Whether one contact holds a point wherever it is.
    pub fn is_convex(&self) -> bool {
        Kind::of(self.kind).is_none_or(Kind::is_convex)
    }
}
