//! The two cloths and what they are told, frame by frame: the firmware and the build script run the same.

use cloth_core::collide::{Collider, ColliderError, Pose};
use cloth_core::step::Colliders;
use cloth_core::{
    ClothDynamics, State, StepError, StepInput, StepReport, Target, Targets, Vec3, library, step,
};

/// Frames that are run.
pub const FRAMES: u32 = 120;

/// A cloth of the example.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cloth {
    /// A rope of forty links, swung by its end over a ball.
    Rope,
    /// A flag of 12×12 particles on a pole that sways.
    Flag,
}

/// Links of the rope.
pub const LINKS: u16 = 40;
/// Particles along a side of the flag.
pub const SIDE: u16 = 12;
/// Length of a link of the rope, and of an edge of the flag (m).
pub const SPACING: f32 = 0.025;

impl Cloth {
    /// What it is made of.
    pub fn dynamics(self) -> ClothDynamics {
        match self {
            Self::Rope => library::ROPE,
            Self::Flag => library::COTTON,
        }
    }

    /// Its pins: the end of the rope, the column of the flag at the pole.
    pub fn pins(self) -> u16 {
        match self {
            Self::Rope => 1,
            Self::Flag => SIDE,
        }
    }

    /// Where a vertex is when the cloth is made (m): the rope lies along X; the flag, row by row from the pole's top, in the
    /// plane of X and Y.
    pub fn position(self, vertex: u16) -> [f32; 3] {
        match self {
            Self::Rope => [f32::from(vertex) * SPACING, 0.0, 0.0],
            Self::Flag => [f32::from(vertex / SIDE) * SPACING, -f32::from(vertex % SIDE) * SPACING, 0.0],
        }
    }

    /// What it meets.
    ///
    /// # Errors
    /// None.
    pub fn ball(self) -> Result<Collider, ColliderError> {
        Collider::sphere(0.1, Pose::at(Vec3::new(0.15, -0.5, 0.02)))?.touching(0.4, 0.0)
    }

    /// One frame, its pins on their way back and forth along Z.
    ///
    /// # Errors
    /// None.
    pub fn step(self, state: &mut State<'_>, ball: &Collider, frame: u32) -> Result<StepReport, StepError> {
        let mut targets = [Target { vertex: 0, position: [0.0; 3] }; SIDE as usize];
        for (vertex, target) in (0..self.pins()).zip(&mut targets) {
            let [x, y, _] = self.position(vertex);
            *target = Target { vertex: vertex.into(), position: [x, y, 0.1 * wave(frame)] };
        }
        let dynamics = self.dynamics();
        let targets = targets.get(..usize::from(self.pins())).unwrap_or(&[]);
        let input = StepInput {
            targets: Targets::Listed(targets),
            colliders: Colliders { records: core::slice::from_ref(ball), shapes: &[] },
            ..StepInput::new(1.0 / 60.0, Vec3::new(0.0, -9.81, 0.0), &dynamics)
        };
        step(state, &input)
    }
}

/// One period of a wave of parabolas over sixty frames, between −1 and 1.
fn wave(frame: u32) -> f32 {
    let phase = u8::try_from(frame % 60).unwrap_or(0);
    let turn = f32::from(phase) / 30.0;
    let (half, sign) = if turn < 1.0 { (turn, 1.0) } else { (turn - 1.0, -1.0) };
    sign * 4.0 * half * (1.0 - half)
}
