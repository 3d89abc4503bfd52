//! What a cloth's anchor does in a step, as C sees it.

use crate::status::{ClothStatus, Refused};
use crate::vector::ClothPose;
use cloth_core::{AnchorMotion, Teleport, TeleportLimits};

/// A jump of the anchor that is no motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum ClothTeleport {
    /// None.
    None = 0,
    /// The cloth is carried along as it is: positions and velocities in the anchor's frame stay to the bit, and the step is
    /// that of an anchor that stands. The fingerprint is another until the next step all the same: the state notes that how fast
    /// the anchor was is not known.
    Keep = 1,
    /// Every particle goes to its target of this step, at rest, and nothing else happens in it; in the next twenty steps the cloth
    /// settles, limited in speed and damped.
    Reset = 2,
}

/// How the frame moves that a cloth lives in. A ClothStep begins with an anchor that stands.
///
/// Gravity, targets and where colliders are now are in the frame the anchor has when the step ends; where colliders were is in
/// the frame it had when the step began. Of what is not carried along, the cloth feels the share dynamics.inertia.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct ClothAnchor {
    /// Where it is when the step ends, in the frame it had when the step began: the inverse of its pose then times its pose
    /// now, in whatever precision the world has, rounded once. Of an anchor that stands this is no motion to the bit: what is
    /// left of a rounding is felt, and who feels its anchor move does not sleep. What is carried whole, and what an inertia of 0
    /// leaves of a motion, wakes nobody.
    pub moved: ClothPose,
    /// The part of it that carries the cloth along and is not felt, whatever the inertia: a vehicle, a lift, an animation's root.
    /// The same as moved for all of it.
    pub carried: ClothPose,
    /// What is known to be a jump: a ClothTeleport value. CLOTH_TELEPORT_NONE leaves it to the limits.
    pub teleport: u32,
    /// Way in a step beyond which it is a jump (m); infinite for any. 1 by default. Both limits are held against all of the motion
    /// that is not carried, whatever the inertia: two metres in a step are a jump at an inertia of 0 too. Whoever wants no
    /// jumps makes both infinite, or beyond CLOTH_TELEPORT_NONE. No limit of the cloth's is lifted by that: what is felt is a speed
    /// like any other, and no particle goes further in a substep than the cloth's longest side.
    pub max_distance: f32,
    /// Angle in a step beyond which it is a jump (rad); infinite for any. 0.5 by default. An upper bound of the angle is compared,
    /// which is above it by less than 1 % below half a radian and by less than 16 % anywhere: 0.5 is passed from 0.497 rad
    /// on, 1 from 0.977, 2 from 1.86, 3 from 2.66.
    pub max_angle: f32,
    /// What happens beyond either: a ClothTeleport value. CLOTH_TELEPORT_RESET by default; none makes every motion one.
    pub beyond: u32,
}

/// The fields by their names in core, in the order of [`ClothAnchor`].
const FIELDS: [&str; 6] =
    ["moved", "carried", "teleport", "limits.distance", "limits.angle", "limits.beyond"];

/// The number of a field of core, counted from 0 in [`ClothAnchor`].
pub(crate) fn number_of(field: &str) -> u32 {
    crate::status::number_in(&FIELDS, field)
}

/// The teleport of a number.
fn teleport(number: u32) -> Result<Option<Teleport>, Refused> {
    match number {
        number if number == ClothTeleport::None as u32 => Ok(None),
        number if number == ClothTeleport::Keep as u32 => Ok(Some(Teleport::Keep)),
        number if number == ClothTeleport::Reset as u32 => Ok(Some(Teleport::Reset)),
        _ => Err(ClothStatus::UnknownValue.into()),
    }
}

/// The number of a teleport.
pub(crate) fn number(teleport: Option<Teleport>) -> u32 {
    let told = match teleport {
        None => ClothTeleport::None,
        Some(Teleport::Keep) => ClothTeleport::Keep,
        Some(Teleport::Reset) => ClothTeleport::Reset,
    };
    told as u32
}

impl ClothAnchor {
    /// The motion as core has it.
    pub(crate) fn to_core(self) -> Result<AnchorMotion, Refused> {
        Ok(AnchorMotion {
            moved: self.moved.to_core(),
            carried: self.carried.to_core(),
            teleport: teleport(self.teleport)?,
            limits: TeleportLimits {
                distance: self.max_distance,
                angle: self.max_angle,
                beyond: teleport(self.beyond)?,
            },
        })
    }

    pub(crate) fn of_core(core: &AnchorMotion) -> Self {
        Self {
            moved: ClothPose::of_core(&core.moved),
            carried: ClothPose::of_core(&core.carried),
            teleport: number(core.teleport),
            max_distance: core.limits.distance,
            max_angle: core.limits.angle,
            beyond: number(core.limits.beyond),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_motion_survives_the_way_to_c_and_back() {
        for jump in [None, Some(Teleport::Keep), Some(Teleport::Reset)] {
            let moved = cloth_core::math::Pose::at(cloth_core::Vec3::new(1.0, 2.0, 3.0));
            let limits = TeleportLimits { distance: 4.0, angle: 5.0, beyond: jump };
            let core = AnchorMotion { teleport: jump, limits, ..AnchorMotion::to(moved) };
            assert_eq!(ClothAnchor::of_core(&core).to_core(), Ok(core));
        }
        let plain = ClothAnchor::of_core(&AnchorMotion::STANDING);
        for spoilt in [ClothAnchor { teleport: 3, ..plain }, ClothAnchor { beyond: 77, ..plain }] {
            assert_eq!(spoilt.to_core(), Err(ClothStatus::UnknownValue.into()));
        }
    }

    #[test]
    fn every_field_that_core_refuses_has_its_number() {
        let standing = AnchorMotion::STANDING;
        let nowhere = cloth_core::math::Pose::at(cloth_core::Vec3::NAN);
        let limits = TeleportLimits::default();
        let bad = [
            (AnchorMotion { moved: nowhere, ..standing }, 0),
            (AnchorMotion { carried: nowhere, ..standing }, 1),
            (AnchorMotion { limits: TeleportLimits { distance: -1.0, ..limits }, ..standing }, 3),
            (AnchorMotion { limits: TeleportLimits { angle: f32::NAN, ..limits }, ..standing }, 4),
        ];
        for (motion, number) in bad {
            assert_eq!(motion.invalid_field().map(number_of), Some(number));
        }
    }
}
