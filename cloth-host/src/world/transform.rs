//! Where an entity is in the world, and how one transform stands in another.

use crate::pose::{Pose, add, scaled, turn, unit};

/// Farthest an entity may be from the world's origin along an axis (m): there a `f64` still tells a tenth of a millimetre.
pub const FARTHEST: f64 = 1.0e12;

/// Scales an entity may have (1). Mirrored and flattened bodies are none that cloth can meet or hang from.
const SCALES: core::ops::RangeInclusive<f64> = 1.0e-6..=1.0e6;

/// A component: where an entity is in the world. Of an entity with an [`Attachment`](super::Attachment) the tick writes it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct Transform {
    /// Where its origin is (m).
    pub translation: [f64; 3],
    /// Unit quaternion (x, y, z, w).
    pub rotation: [f64; 4],
    /// Size along its own axes (1). Cloth and colliders take a uniform one only.
    pub scale: [f64; 3],
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// What is wrong with a transform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TransformFault {
    /// A component is not finite, or the translation is beyond [`FARTHEST`].
    Translation,
    /// The quaternion has no direction.
    Rotation,
    /// A scale is not within 1e-6 to 1e6.
    Scale,
}

impl Transform {
    /// No motion.
    pub const IDENTITY: Self =
        Self { translation: [0.0; 3], rotation: crate::pose::IDENTITY, scale: [1.0; 3] };

    /// A translation alone (m).
    pub const fn at(translation: [f64; 3]) -> Self {
        Self { translation, ..Self::IDENTITY }
    }

    /// A rigid pose.
    pub const fn of(pose: Pose) -> Self {
        Self { translation: pose.translation, rotation: pose.rotation, scale: [1.0; 3] }
    }

    /// Translation and rotation.
    pub const fn pose(&self) -> Pose {
        Pose { translation: self.translation, rotation: self.rotation }
    }

    /// The one scale of all axes; `None` where they differ.
    pub fn uniform_scale(&self) -> Option<f64> {
        let [x, y, z] = self.scale.map(f64::to_bits);
        (x == y && y == z).then_some(self.scale[0])
    }

    /// This transform in the space that the parent stands in: T = Tₚ + Rₚ·(Sₚ∘t), R = Rₚ·r, S = Sₚ∘s. Where the parent's scale
    /// differs along its axes the shear that a turned child would get is left out.
    #[must_use]
    pub fn within(&self, parent: &Self) -> Self {
        let arm = [0, 1, 2].map(|axis| parent.scale[axis] * self.translation[axis]);
        let rotation = crate::pose::times(parent.rotation, self.rotation);
        Self {
            translation: add(parent.translation, turn(parent.rotation, arm)),
            rotation: unit(rotation).unwrap_or(rotation),
            scale: [0, 1, 2].map(|axis| parent.scale[axis] * self.scale[axis]),
        }
    }

    /// The pose of what is seen at `pose` from a body at `seen_by` whose scale is `scale`: the inverse of
    /// [`Transform::within`] for uniform scales.
    pub(crate) fn from_seen(seen_by: &Pose, scale: f64, pose: &Pose, own_scale: [f64; 3]) -> Self {
        let Pose { translation, rotation } = seen_by.see(pose);
        Self {
            translation: scaled(translation, 1.0 / scale),
            rotation: unit(rotation).unwrap_or(rotation),
            scale: own_scale,
        }
    }

    /// The same with its quaternion made unit.
    ///
    /// # Errors
    /// [`TransformFault`].
    pub fn checked(&self) -> Result<Self, TransformFault> {
        self.check_place(FARTHEST)?;
        let rotation = unit(self.rotation).ok_or(TransformFault::Rotation)?;
        Ok(Self { rotation, ..*self })
    }

    /// What [`Transform::checked`] asks of translation and scale, with another limit along an axis (m).
    pub(super) fn check_place(&self, farthest: f64) -> Result<(), TransformFault> {
        // Without a branch per axis: every attached entity is asked twice a tick.
        let all = |axes: [f64; 3], good: &core::ops::RangeInclusive<f64>| {
            axes.into_iter().fold(true, |all, x| all & good.contains(&x))
        };
        if !all(self.translation, &(-farthest..=farthest)) {
            return Err(TransformFault::Translation);
        }
        if !all(self.scale, &SCALES) {
            return Err(TransformFault::Scale);
        }
        Ok(())
    }
}

impl core::fmt::Display for TransformFault {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Translation => "the translation is not finite, or beyond 1e12 m",
            Self::Rotation => "the rotation is not finite, or a quaternion without a direction",
            Self::Scale => "the scale is not within 1e-6 to 1e6",
        })
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "values that are exact by construction")]
mod tests {
    use super::*;

    #[test]
    fn what_a_parent_sees_is_where_the_child_was() {
        let parent = Transform {
            translation: [1.0, 2.0, -3.0],
            rotation: unit([0.1, 0.4, -0.2, 0.8]).expect("a direction"),
            scale: [2.0; 3],
        };
        let local = Transform {
            translation: [0.3, -0.1, 0.6],
            rotation: unit([0.3, 0.0, 0.1, 0.9]).expect("a direction"),
            scale: [1.0, 2.0, 0.5],
        };
        let world = local.within(&parent);
        let back = Transform::from_seen(&parent.pose(), 2.0, &world.pose(), local.scale);
        for (a, b) in
            back.translation.iter().zip(local.translation).chain(back.rotation.iter().zip(local.rotation))
        {
            assert!((a - b).abs() < 1e-15);
        }
        assert_eq!(world.scale, [2.0, 4.0, 1.0]);
    }

    #[test]
    fn faults_have_names() {
        let good = Transform::at([1.0, 0.0, 0.0]);
        assert_eq!(good.checked(), Ok(good));
        assert_eq!(Transform::at([f64::NAN, 0.0, 0.0]).checked(), Err(TransformFault::Translation));
        assert_eq!(Transform::at([0.0, 1.1e12, 0.0]).checked(), Err(TransformFault::Translation));
        assert_eq!(Transform { rotation: [0.0; 4], ..good }.checked(), Err(TransformFault::Rotation));
        assert_eq!(Transform { scale: [1.0, -1.0, 1.0], ..good }.checked(), Err(TransformFault::Scale));
        let doubled = Transform { rotation: [0.0, 0.0, 0.0, 2.0], ..good };
        assert_eq!(doubled.checked(), Ok(good));
    }
}
