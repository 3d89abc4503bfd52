//! Coming to rest: what strain, energy and spin are left of a damped cloth, and when it could be put to sleep.

use super::skirt::Garment;
use super::{Candidate, Film, Stillness};
use crate::narrow::real;
use crate::physics;
use crate::truth::Catenary;
use crate::workload::motion::library_settings;
use crate::workload::{Shape, Spec, Topology, scenes};
use anyhow::{Context as _, Result};
use cloth_core::NONE;
use glam::{DVec2, DVec3};

/// How a cloth rests.
#[derive(Clone, Copy, Debug)]
pub struct Rest {
    /// Mean edge strain of the last frame.
    pub mean: f64,
    /// Worst edge strain of the last frame.
    pub worst: f64,
    /// The most kinetic energy in the last 120 frames (J).
    pub kinetic: f64,
    /// When it would fall asleep, as [`Stillness::settled`] has it.
    pub settled: Option<u32>,
    /// Angular momentum about the vertical through the first pin over moment of inertia about it, by central
    /// differences, mean over the last 300 frames (rad/s).
    pub spin: f64,
}

/// Damping of every scene that comes to rest (1/s).
const DAMPING: f32 = 0.5;
const FRAMES: u32 = 1800;
const LATE: u32 = 120;
const SPIN: usize = 300;

/// The sheet, held along its edge.
///
/// # Errors
///
/// What the candidate objects to.
pub fn sheet(candidate: &dyn Candidate) -> Result<Rest> {
    of(candidate, library_settings(scenes::sheet(32), DAMPING))
}

/// The sheet, held by one corner.
///
/// # Errors
///
/// What the candidate objects to.
pub fn corner(candidate: &dyn Candidate) -> Result<Rest> {
    of(candidate, Spec { pins: vec![0], ..library_settings(scenes::sheet(32), DAMPING) })
}

/// The sheet of random triangles, held along its edge.
///
/// # Errors
///
/// What the candidate objects to.
pub fn irregular(candidate: &dyn Candidate) -> Result<Rest> {
    of(
        candidate,
        Spec { shape: crate::workload::motion::jittered(), ..library_settings(scenes::sheet(32), DAMPING) },
    )
}

/// A garment, hanging from its waist.
///
/// # Errors
///
/// What the candidate objects to, or a missing asset.
pub fn garment(candidate: &dyn Candidate, garment: Garment) -> Result<Rest> {
    of(candidate, library_settings(garment()?.0, DAMPING))
}

fn of(candidate: &dyn Candidate, spec: Spec) -> Result<Rest> {
    let workload = candidate.prepare(spec).build()?;
    let masses = &workload.spec.masses;
    let pin = workload.spec.pins[0] as usize;
    let reach = workload.geodesics().into_iter().fold(0.0, f64::max);
    let mut memory = Vec::new();
    let mut simulation = candidate.start(&workload, &mut memory)?;
    let mut stillness = Stillness::new(simulation.positions(), reach);
    let mut kinetic = 0.0_f64;
    let mut late = Vec::new();
    for frame in 1..=FRAMES {
        simulation.step(&[])?;
        let pose = simulation.positions();
        stillness.see(&pose);
        if frame + LATE > FRAMES {
            kinetic = kinetic.max(super::film::kinetic(masses, &simulation.velocities()));
        }
        late.push(pose);
        if late.len() > SPIN {
            late.remove(0);
        }
    }
    drop(simulation);
    let film = Film { workload, poses: late };
    let spins = (1..film.poses.len() - 1).map(|frame| spin(&film, frame, pin));
    let spin = crate::workload::mean(spins);
    let last = &film.poses[film.poses.len() - 1];
    let strain = if physics::finite(last) {
        physics::strain(&film.workload, last)
    } else {
        physics::Strain { worst: f64::INFINITY, mean: f64::INFINITY, worst_stretch: f64::INFINITY }
    };
    Ok(Rest { mean: strain.mean, worst: strain.worst, kinetic, settled: stillness.settled(), spin })
}

/// Angular velocity about the vertical through a vertex (rad/s).
fn spin(film: &Film, frame: usize, pin: usize) -> f64 {
    let pose = &film.poses[frame];
    let (mut momentum, mut inertia) = (0.0, 0.0);
    for ((x, v), &m) in pose.iter().zip(film.velocities(frame)).zip(&film.workload.spec.masses) {
        let arm = *x - pose[pin];
        momentum += f64::from(m) * arm.cross(v).y;
        inertia += f64::from(m) * (arm.x * arm.x + arm.z * arm.z);
    }
    // A cloth that hangs straight below its pin has nothing to spin with.
    if inertia > 0.0 { momentum / inertia } else { 0.0 }
}

/// Links of the rope between two posts.
const LINKS: usize = 40;

/// A rope of 40 links of 2 cm between two posts 0.5 m apart, authored as a V, damped: the largest distance of a
/// particle from the catenary once it hangs, over the rope's length. The links alone leave 2e-4.
///
/// # Errors
///
/// What the candidate objects to.
pub fn rope(candidate: &dyn Candidate) -> Result<f64> {
    let (link, span) = (0.02, 0.5);
    let length = link * real(LINKS);
    let thread = Catenary::between(DVec2::ZERO, DVec2::new(span, 0.0), length).context("the rope reaches")?;
    let film = Film::shoot(candidate, v_rope(link, span), 1800)?;
    let pose = &film.poses[film.poses.len() - 1];
    let off = |(i, x): (usize, &DVec3)| x.distance(thread.at(link * real(i)).extend(0.0));
    let worst = pose
        .iter()
        .enumerate()
        .map(off)
        .fold(0.0, |a, b| if b.is_nan() { f64::INFINITY } else { f64::max(a, b) });
    Ok(worst / length)
}

fn v_rope(link: f64, span: f64) -> Spec {
    let across = span / (link * real(LINKS));
    let down = (1.0 - across * across).sqrt();
    let at = |i: usize| {
        let depth = real(i.min(LINKS - i)) * link * down;
        [crate::narrow::to_f32(real(i) * link * across), crate::narrow::to_f32(-depth), 0.0]
    };
    let last = crate::narrow::to_u32(LINKS);
    let parents = (0..=last).map(|i| if i == 0 { NONE } else { i - 1 }).collect();
    let shape = Shape { positions: (0..=LINKS).map(at).collect(), topology: Topology::Chains(parents) };
    let bare = Spec { pins: vec![0, last], ..Spec::new(shape, 5e-4) };
    Spec { bend_rows: false, ..library_settings(bare, DAMPING) }
}
