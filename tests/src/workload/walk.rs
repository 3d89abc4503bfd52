//! A cape on somebody who walks, turns, stops and is put elsewhere. Every number is written out or made by correctly rounded
//! operations: a sine would be another number on another machine.

use super::{GRAVITY, Spec, Workload, narrow, scenes, wide};
use crate::narrow::{real, to_f32};
use anyhow::Result;
use cloth_core::collide::{Collider, Pose};
use cloth_core::{AnchorMotion, ClothDynamics, StepInput, Teleport, TeleportLimits, Vec3, library};
use glam::{DQuat, DVec3};

/// A pose in the world, as a host has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// Where (m).
    pub place: DVec3,
    /// How it is turned.
    pub turn: DQuat,
}

impl Placed {
    /// At the world's origin.
    pub const ORIGIN: Self = Self { place: DVec3::ZERO, turn: DQuat::IDENTITY };

    /// The same, seen from a body beside it, rounded once.
    pub fn seen_from(&self, frame: &Self) -> Pose {
        if self == frame {
            return Pose::IDENTITY;
        }
        let back = frame.turn.conjugate();
        let DQuat { x, y, z, w } = back * self.turn;
        let rotation = [x, y, z, w].map(to_f32);
        Pose { translation: narrow(back * (self.place - frame.place)), rotation }
    }

    /// What its anchor does that comes from `before`.
    pub fn motion_from(&self, before: &Self) -> AnchorMotion {
        AnchorMotion::to(self.seen_from(before))
    }

    /// A direction of the world in its frame.
    pub fn unturned(&self, direction: Vec3) -> Vec3 {
        narrow(self.turn.conjugate() * wide(direction))
    }
}

/// The input of a step in which a workload's anchor goes from one pose to another.
pub fn input<'w>(workload: &'w Workload, before: &Placed, now: &Placed) -> StepInput<'w> {
    let plain = workload.input();
    StepInput { anchor: now.motion_from(before), gravity: now.unturned(plain.gravity), ..plain }
}

/// M§13's sprint: a square wave in velocity along x, ±9 m/s and nothing between, a second each. Where it is after a time (s).
pub fn sprint(time: f64) -> Placed {
    let phase = time.rem_euclid(4.0);
    let way = 9.0
        * if phase < 1.0 {
            phase
        } else if phase < 2.0 {
            1.0
        } else if phase < 3.0 {
            3.0 - phase
        } else {
            0.0
        };
    Placed { place: DVec3::new(way, 0.0, 0.0), ..Placed::ORIGIN }
}

/// The frame in which it is put a kilometre away.
const AWAY: u32 = 91;
/// The frame in which it turns about, its cape with it.
const ABOUT: u32 = 131;

/// Where the walker is after a frame.
pub fn walker(frame: u32) -> Placed {
    let mut at = Placed::ORIGIN;
    for frame in 1..=frame {
        let speed = match frame {
            0..20 => 0.1 * f64::from(frame),
            20..70 => 2.0,
            70..90 => 0.0,
            _ => 1.5,
        };
        if (40..70).contains(&frame) {
            at.turn = (at.turn * DQuat::from_xyzw(0.003, 0.02, 0.001, 1.0)).normalize();
        }
        at.place += at.turn * DVec3::new(0.0, 0.0, speed / 60.0);
        if frame == AWAY {
            at.place += DVec3::new(800.0, 0.0, -600.0);
        }
        if frame == ABOUT {
            at.turn = (at.turn * DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0)).normalize();
        }
    }
    at
}

/// The cape: a hung sheet of COTTON that feels most of it.
pub fn cape(side: usize) -> Spec {
    Spec { dynamics: ClothDynamics { inertia: 0.85, ..library::COTTON }, ..scenes::hung_sheet(side) }
}

/// What its anchor does in a frame, and gravity there.
pub fn anchor(frame: u32) -> (AnchorMotion, Vec3) {
    let (before, now) = (walker(frame - 1), walker(frame));
    let limits = TeleportLimits {
        beyond: if frame == ABOUT { Some(Teleport::Keep) } else { Some(Teleport::Reset) },
        ..TeleportLimits::default()
    };
    (AnchorMotion { limits, ..now.motion_from(&before) }, now.unturned(GRAVITY))
}

/// The walker's body, and a post that stands on the way.
///
/// # Errors
///
/// None.
pub fn colliders(side: usize, frame: u32) -> Result<Vec<Collider>> {
    let (before, now) = (walker(frame - 1), walker(frame));
    let middle = 0.01 * real(side - 1);
    let own = Pose::at(Vec3::new(to_f32(middle), -0.2, 0.055));
    let body = Collider::capsule(0.2, 0.05, own)?.touching(0.3, 0.0)?;
    let post = Placed { place: DVec3::new(middle + 0.05, -0.34, 1.0), ..Placed::ORIGIN };
    let post = Collider::capsule(0.1, 0.03, post.seen_from(&before))?.moved(post.seen_from(&now))?;
    let post = post.touching(0.2, 0.0)?;
    Ok(vec![body.known(1, u32::MAX, u32::MAX), post.known(2, u32::MAX, u32::MAX)])
}
