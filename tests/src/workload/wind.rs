//! A banner and a rope in wind that gusts and turns. Every number is written out or made by correctly rounded operations: a sine
//! would be another number on another machine.

use super::{Shape, Spec, Workload, scenes, wide};
use crate::narrow::{to_f32, to_u32};
use cloth_core::collide::Pose;
use cloth_core::{Air, AnchorMotion, ClothDynamics, Vec3, library};
use glam::DVec3;

/// The air of a frame, with what it is read from.
#[derive(Clone, Debug, Default)]
pub enum Weather {
    /// None.
    #[default]
    None,
    /// Of one velocity (m/s).
    Uniform(Vec3),
    /// Of another at each vertex (m/s).
    Each(Vec<[f32; 3]>),
}

impl Weather {
    /// As a step is told it.
    pub fn air(&self) -> Air<'_> {
        match self {
            Self::None => Air::None,
            Self::Uniform(velocity) => Air::Uniform(*velocity),
            Self::Each(velocities) => Air::Each(velocities),
        }
    }
}

/// A banner of SILK on a pole along y: a hung sheet held by one of its upright sides.
pub fn banner(side: usize) -> Spec {
    let hung = scenes::hung_sheet(side);
    let shape = hung.shape.moved(|p| p * 2.0);
    let pins = (0..to_u32(side)).map(|row| row * to_u32(side)).collect();
    let mass = to_f32(0.06 * 0.04 * 0.04);
    let masses = vec![mass; shape.positions.len()];
    Spec { shape, pins, masses, dynamics: library::SILK, ..hung }
}

/// A flag of SILK of 5 cm squares on a pole along y, with lift.
pub fn flag(columns: usize, rows: usize, lift: f32) -> Spec {
    let shape = Shape::grid(columns, rows, 0.05).moved(|p| DVec3::new(p.x, -p.z, 0.0));
    let pins = (0..to_u32(rows)).map(|row| row * to_u32(columns)).collect();
    let dynamics = ClothDynamics { lift, ..library::SILK };
    Spec { pins, dynamics, ..Spec::new(shape, 0.06 * 0.05 * 0.05) }
}

/// The wind of a flag (m/s): along it, and a twentieth across, without which a flat flag has no side to leave its plane to.
pub fn past_flag(speed: f64) -> Vec3 {
    Vec3::new(to_f32(speed), 0.0, to_f32(0.05 * speed))
}

/// A rope of ROPE, hung in its rest pose, its skip rows as stiff as a rope's.
pub fn rope(links: usize) -> Spec {
    let rope = scenes::rope(links, 0.005);
    let shape = rope.shape.moved(|p| DVec3::new(0.0, -p.z, 0.0));
    Spec { shape, dynamics: ClothDynamics { skip: 20.0, ..library::ROPE }, ..rope }
}

/// A direction that turns: once about y in 120 frames, by the rational points of a circle.
fn turning(frame: u32) -> DVec3 {
    let quarter = f64::from(frame % 30) / 30.0;
    let (cos, sin) = ((1.0 - quarter * quarter), 2.0 * quarter);
    let scale = 1.0 / (1.0 + quarter * quarter);
    let (mut x, mut z) = (cos * scale, sin * scale);
    for _ in 0..(frame / 30) % 4 {
        (x, z) = (-z, x);
    }
    DVec3::new(x, 0.0, z)
}

/// Wind that turns and gusts, is another at each vertex for a second, calms down, and is gone: the air of a frame.
pub fn weather(workload: &Workload, frame: u32) -> Weather {
    // From 3 to 7 m/s, every 24 frames.
    let gust = f64::from(frame % 24) / 24.0;
    let speed = 3.0 + 16.0 * gust * (1.0 - gust);
    let wind = turning(frame) * speed;
    match frame {
        0..70 => Weather::Uniform(Vec3::new(to_f32(wind.x), to_f32(wind.y), to_f32(wind.z))),
        70..110 => {
            // Faster the higher, and from below beside the pole.
            let at = |place: &[f32; 3]| {
                let place = wide(Vec3::from_array(*place));
                let here = wind * (1.0 + place.y) + DVec3::Y * place.x;
                [to_f32(here.x), to_f32(here.y), to_f32(here.z)]
            };
            Weather::Each(workload.spec.shape.positions.iter().map(at).collect())
        }
        110..140 => Weather::Uniform(Vec3::ZERO),
        _ => Weather::None,
    }
}

/// What its anchor does in a frame: it sets out in the wind, banking, and stops.
pub fn anchor(frame: u32) -> AnchorMotion {
    let turned = Pose { translation: Vec3::new(0.02, 0.0, 0.03), rotation: [0.002, 0.02, 0.0, 1.0] };
    if (40..90).contains(&frame) { AnchorMotion::to(turned) } else { AnchorMotion::STANDING }
}

/// The lean of a straight rope in a cross-wind where it hangs still, over its length (1): response·U·sin²θ = g·cos θ with θ from
/// the wind, as every link is carried by the next.
pub fn lean(response: f64, wind: f64) -> f64 {
    let a = response * wind / super::G;
    0.5 * ((1.0 / (a * a) + 4.0).sqrt() - 1.0 / a)
}
