//! Vectors and poses, as C sees them.

use cloth_core::Vec3;
use cloth_core::collide::Pose;

/// A vector, or a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct ClothVec3 {
    /// Along X.
    pub x: f32,
    /// Along Y, upwards.
    pub y: f32,
    /// Along Z.
    pub z: f32,
}

/// A quaternion, or a vector and a number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct ClothVec4 {
    /// Along X.
    pub x: f32,
    /// Along Y.
    pub y: f32,
    /// Along Z.
    pub z: f32,
    /// The real part, or a number beside a vector.
    pub w: f32,
}

/// Where a rigid body is: a rotation about its origin, then a translation. It takes a point of the body's own frame (m) into
/// the cloth's space.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct ClothPose {
    /// Where the body's origin is, cloth-local (m): each component within -1e6 to 1e6.
    pub translation: ClothVec3,
    /// How the body is turned, x, y, z and w = cos(angle/2): a quaternion of a length within 1e-15 to 1e15 (1), which is
    /// made 1.
    pub rotation: ClothVec4,
}

impl ClothVec3 {
    pub(crate) fn to_core(self) -> Vec3 {
        Vec3::new(self.x, self.y, self.z)
    }

    pub(crate) fn of_core(v: Vec3) -> Self {
        Self { x: v.x, y: v.y, z: v.z }
    }
}

impl ClothPose {
    pub(crate) fn to_core(self) -> Pose {
        let ClothVec4 { x, y, z, w } = self.rotation;
        Pose { translation: self.translation.to_core(), rotation: [x, y, z, w] }
    }

    pub(crate) fn of_core(core: &Pose) -> Self {
        let [x, y, z, w] = core.rotation;
        Self { translation: ClothVec3::of_core(core.translation), rotation: ClothVec4 { x, y, z, w } }
    }
}
