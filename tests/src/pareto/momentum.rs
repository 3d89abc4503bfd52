//! What no force inside a cloth can change: the fall of its centre, its angular momentum.

use super::{Candidate, Film, Simulation};
use crate::workload::motion::library_settings;
use crate::workload::{Spec, Workload, scenes, wide};
use anyhow::Result;
use cloth_core::Vec3;
use glam::DVec3;

/// A second of free fall.
#[derive(Clone, Copy, Debug)]
pub struct FreeFall {
    /// Upward velocity of the centre (m/s).
    pub velocity: f64,
    /// How far it went sideways (m).
    pub drift: f64,
    /// Angular momentum over Σ m r² (rad/s).
    pub spin: f64,
}

/// What a flag that is let go keeps.
#[derive(Clone, Copy, Debug)]
pub struct Flag {
    /// How far the change of its centre's velocity is from g·t half a second later (m/s).
    pub off: f64,
    /// Share of the angular momentum about its centre that is left.
    pub kept: f64,
}

/// Momentum of a whole cloth.
struct Momentum {
    centre: DVec3,
    velocity: DVec3,
    angular: DVec3,
    inertia: f64,
}

impl Momentum {
    fn of(workload: &Workload, positions: &[DVec3], velocities: &[DVec3]) -> Self {
        let masses = &workload.spec.masses;
        let total = workload.total_mass();
        let centre_of = |values: &[DVec3]| -> DVec3 {
            values.iter().zip(masses).map(|(&value, &m)| value * f64::from(m)).sum::<DVec3>() / total
        };
        let (centre, velocity) = (centre_of(positions), centre_of(velocities));
        let (mut angular, mut inertia) = (DVec3::ZERO, 0.0);
        for ((&x, &v), &m) in positions.iter().zip(velocities).zip(masses) {
            angular += f64::from(m) * (x - centre).cross(v - velocity);
            inertia += f64::from(m) * (x - centre).length_squared();
        }
        Self { centre, velocity, angular, inertia }
    }

    fn now(workload: &Workload, simulation: &dyn Simulation) -> Self {
        Self::of(workload, &simulation.positions(), &simulation.velocities())
    }

    fn seen(film: &Film, frame: usize) -> Self {
        Self::of(&film.workload, &film.poses[frame], &film.velocities(frame))
    }
}

/// A tilted 16×16 sheet without pins falls for a second.
///
/// # Errors
///
/// What the candidate objects to.
pub fn free_fall(candidate: &dyn Candidate) -> Result<FreeFall> {
    let workload = candidate.prepare(library_settings(scenes::tilted(), 0.0)).build()?;
    let mut memory = Vec::new();
    let mut simulation = candidate.start(&workload, &mut memory)?;
    let start = Momentum::now(&workload, &*simulation);
    for _ in 0..60 {
        simulation.step(&[])?;
    }
    let end = Momentum::now(&workload, &*simulation);
    let way = end.centre - start.centre;
    Ok(FreeFall {
        velocity: end.velocity.y,
        drift: DVec3::new(way.x, 0.0, way.z).length(),
        spin: end.angular.length() / end.inertia,
    })
}

/// Angular velocity of the turning sheets (rad/s).
const TURN: f64 = 5.0;
/// Frames they turn for: 2.5 s.
const TURNING: u32 = 150;

/// Share of its angular momentum a 16×16 sheet without pins or gravity keeps over 2.5 s at 5 rad/s, turning about its
/// normal, or about an axis in it.
///
/// # Errors
///
/// What the candidate objects to.
pub fn rotation(candidate: &dyn Candidate, about_normal: bool) -> Result<f64> {
    let flat = Spec { pins: Vec::new(), gravity: Vec3::ZERO, ..library_settings(scenes::sheet(16), 0.0) };
    let axis = if about_normal { DVec3::Y } else { DVec3::X };
    let workload = candidate.prepare(flat).build()?;
    let mut memory = Vec::new();
    let mut simulation = candidate.start(&workload, &mut memory)?;
    let centre = Momentum::now(&workload, &*simulation).centre;
    for (vertex, x) in (0..).zip(simulation.positions()) {
        simulation.place(vertex, x, (TURN * axis).cross(x - centre))?;
    }
    let start = Momentum::now(&workload, &*simulation).angular;
    for _ in 0..TURNING {
        simulation.step(&[])?;
    }
    let end = Momentum::now(&workload, &*simulation).angular;
    Ok(end.dot(start) / start.length_squared())
}

/// The frame after which the flag is let go, in the middle of its first swing.
const LET_GO: u32 = 18;
/// How long it is watched after that, in frames.
const WATCHED: usize = 30;

/// A 20×20 sheet swings down from horizontal and is let go; velocities by central differences of frames.
///
/// # Errors
///
/// What the candidate objects to.
pub fn flag(candidate: &dyn Candidate) -> Result<Flag> {
    let spec = library_settings(scenes::sheet(20), 0.0);
    let pins = spec.pins.clone();
    let frames = LET_GO + 2 + crate::narrow::to_u32(WATCHED);
    let film = Film::directed(candidate, spec, frames, &mut |frame, simulation| {
        if frame == LET_GO + 1 {
            for &pin in &pins {
                simulation.release(pin)?;
            }
        }
        Ok(Vec::new())
    })?;
    let first = LET_GO as usize + 1;
    let (start, end) = (Momentum::seen(&film, first), Momentum::seen(&film, first + WATCHED));
    let fallen = wide(film.workload.spec.gravity) * (crate::narrow::real(WATCHED) * film.dt());
    Ok(Flag {
        off: (end.velocity - start.velocity - fallen).length(),
        kept: end.angular.dot(start.angular) / start.angular.length_squared(),
    })
}
