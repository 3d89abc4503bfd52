//! The colliders of the goldens. Every number is written out or made by a division: a sine would be another number on another
//! machine.

use super::floor;
use crate::narrow::{real, to_f32};
use crate::workload::{Shape, Spec, scenes};
use anyhow::Result;
use cloth_core::collide::{Collider, Pose};
use cloth_core::{Vec3, library};

/// A free sheet over a ball that stands on a floor.
pub fn drape(side: usize) -> Spec {
    let shape = Shape::grid(side, side, 0.02);
    Spec { dynamics: library::COTTON, ..Spec::new(shape, 0.5 / real(side * side)) }
}

/// The ball, 7 mm off the sheet's middle, and the floor.
///
/// # Errors
///
/// None.
pub fn ball_on_floor(side: usize) -> Result<Vec<Collider>> {
    let middle = 0.01 * to_f32(real(side - 1));
    let ball =
        Collider::sphere(0.06, Pose::at(Vec3::new(middle + 0.007, -0.1, middle)))?.touching(0.5, 0.0)?;
    Ok(vec![ball.known(1, u32::MAX, u32::MAX), floor(-0.16, 0.4)?.known(2, u32::MAX, u32::MAX)])
}

/// A hung sheet.
pub fn sweep(side: usize) -> Spec {
    Spec { dynamics: library::COTTON, ..scenes::hung_sheet(side) }
}

/// A leaning limb that goes through the sheet at 4 m/s, turning as it goes, and a wire of 2 mm that follows at 1 m/s.
///
/// # Errors
///
/// None.
pub fn limb_and_wire(side: usize, frame: u32) -> Result<Vec<Collider>> {
    let middle = 0.01 * to_f32(real(side - 1));
    let limb = |frame: u32| {
        let time = to_f32(f64::from(frame) / 60.0);
        let rotation = [0.1 * time, 0.2 * time, 0.6, 0.8];
        Pose { translation: Vec3::new(middle, -middle, -0.5 + 4.0 * time), rotation }
    };
    let wire = |frame: u32| {
        let z = -0.3 + to_f32(f64::from(frame) / 60.0);
        Pose { translation: Vec3::new(middle, -1.4 * middle, z), rotation: [0.0, 0.0, 0.6, 0.8] }
    };
    let before = frame.saturating_sub(1);
    let limb = Collider::capsule(0.1, 0.03, limb(before))?.moved(limb(frame))?.touching(0.3, 0.0)?;
    let wire = Collider::capsule(0.2, 0.001, wire(before))?.moved(wire(frame))?.touching(0.2, 0.0)?;
    Ok(vec![limb.known(1, u32::MAX, u32::MAX), wire.known(2, u32::MAX, u32::MAX)])
}
