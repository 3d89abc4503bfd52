//! Rows with a stiffness: what they read at rest, and how they swing.

use super::{Candidate, Film};
use crate::narrow::{real, to_f32};
use crate::truth::{ImplicitEuler, Spring, curve};
use crate::workload::motion::library_settings;
use crate::workload::{Edge, G, Shape, Spec, Workload, wide};
use anyhow::Result;
use glam::DVec3;
use std::ops::RangeInclusive;

const LINKS: usize = 10;
const LINK: f64 = 0.05;
/// Mass of a particle (kg).
const MASS: f64 = 0.005;
/// Stiffness of a row (N/m): the first stretches by a tenth under the chain's weight.
const STIFFNESS: f64 = 100.0;
/// Frames over which the swing is compared; a chain of half a metre is past its first whip soon after.
const WINDOW: RangeInclusive<usize> = 15..=45;
/// Steps of the reference a frame.
const FINE: u32 = 64;

/// The chain along a direction, with a damping rate (1/s).
fn chain(direction: DVec3, damping: f32) -> Spec {
    let shape = Shape::strands(1, LINKS, LINK, direction);
    let bare = Spec { pins: vec![0], tethers: false, bend_rows: false, ..Spec::new(shape, MASS) };
    Spec { stiffness: to_f32(STIFFNESS), ..library_settings(bare, damping) }
}

/// The largest deviation of a row's extension from Hooke's, over it, once a chain of ten rows of 100 N/m hangs still.
///
/// # Errors
///
/// What the candidate objects to.
pub fn hooke(candidate: &dyn Candidate) -> Result<f64> {
    let film = Film::shoot(candidate, chain(DVec3::NEG_Y, 2.0), 1800)?;
    let pose = &film.poses[film.poses.len() - 1];
    let off = |link: usize| {
        let hung = f64::from(to_f32(MASS)) * G * real(LINKS - link);
        (pose[link].distance(pose[link + 1]) - LINK) / (hung / STIFFNESS) - 1.0
    };
    Ok((0..LINKS)
        .map(off)
        .fold(0.0, |most, off| if off.is_nan() { f64::INFINITY } else { most.max(off.abs()) }))
}

/// Root mean square error of the tip's height over 0.25–0.75 s of the same chain released from horizontal, against
/// converged backward Euler at 64 steps a frame (m).
///
/// # Errors
///
/// What the candidate objects to, or a reference that did not converge.
pub fn swing(candidate: &dyn Candidate) -> Result<f64> {
    let film = Film::shoot(candidate, chain(DVec3::Z, 0.0), crate::narrow::to_u32(*WINDOW.end()))?;
    let mut reference = implicit_euler(&film.workload);
    let tip = LINKS;
    let mut exact = vec![reference.positions[tip].y];
    for _ in 0..*WINDOW.end() {
        for _ in 0..FINE {
            let left = reference.step(film.dt() / f64::from(FINE));
            anyhow::ensure!(left < 1e-6, "the reference is left with {left}");
        }
        exact.push(reference.positions[tip].y);
    }
    let seen = film.curve(&[crate::narrow::to_u32(tip)], |x| x.y);
    Ok(curve::rms(&seen, &exact, WINDOW))
}

/// The workload's rows and particles.
pub fn implicit_euler(workload: &Workload) -> ImplicitEuler {
    let spec = &workload.spec;
    let spring = |&Edge { a, b }: &Edge| {
        let (a, b) = (a as usize, b as usize);
        let length = workload.rest[a].distance(workload.rest[b]);
        Spring { a, b, length, stiffness: spec.stiffness.into() }
    };
    let mut masses: Vec<f64> = spec.masses.iter().map(|&m| m.into()).collect();
    for &pin in &spec.pins {
        masses[pin as usize] = f64::INFINITY;
    }
    ImplicitEuler {
        springs: workload.edges.iter().map(spring).collect(),
        masses,
        gravity: wide(spec.gravity),
        positions: workload.rest.clone(),
        velocities: vec![DVec3::ZERO; workload.rest.len()],
    }
}
