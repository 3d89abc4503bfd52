//! Falling from horizontal: the motion against the exact one, the energy that is left, the strain.

use super::{Candidate, Film};
use crate::truth::curve;
use crate::workload::Workload;
use crate::workload::motion::{self, Known};
use anyhow::Result;
use cloth_core::Vec3;
use std::f64::consts::FRAC_PI_2;
use std::ops::RangeInclusive;

/// What a fall showed.
#[derive(Clone, Copy, Debug)]
pub struct Fall {
    /// Root mean square error of the hem's height (m).
    pub hem: f64,
    /// How many frames later than the exact one the hem turns at the bottom of its first swing.
    pub lag: Option<f64>,
    /// Share of the energy lost after a second.
    pub lost: f64,
    /// The most energy above the start, as a share of it; negative when there never was as much.
    pub peak: f64,
    /// Median over the last 120 frames of the worst edge strain.
    pub late: f64,
    /// Its peak.
    pub worst: f64,
}

/// Frames over which the hem's height is compared, 0.37 to 1 s: before, all are right, and from the second whip on the
/// exact motion is chaotic.
pub const WINDOW: RangeInclusive<usize> = 22..=60;
/// The same for a chain of 1 m instead of 0.62 m, longer by the root of that.
pub const CHAIN_WINDOW: RangeInclusive<usize> = 28..=76;
/// The frame at 1 s.
const SECOND: usize = 60;
const FRAMES: u32 = 600;
/// Steps of the exact chain a frame.
const FINE: u32 = 400;

/// The falling sheet.
///
/// # Errors
///
/// What the candidate objects to.
pub fn sheet(candidate: &dyn Candidate) -> Result<Fall> {
    of(candidate, motion::falling(), WINDOW, FRAMES)
}

/// The falling sheet with a hem of twenty times the mass.
///
/// # Errors
///
/// What the candidate objects to.
pub fn heavy_hem(candidate: &dyn Candidate) -> Result<Fall> {
    of(candidate, motion::heavy_hem(), WINDOW, FRAMES)
}

/// The falling sheet of random triangles.
///
/// # Errors
///
/// What the candidate objects to.
pub fn irregular(candidate: &dyn Candidate) -> Result<Fall> {
    of(candidate, motion::irregular(), WINDOW, FRAMES)
}

/// The pendulum from horizontal.
///
/// # Errors
///
/// What the candidate objects to.
pub fn chain(candidate: &dyn Candidate) -> Result<Fall> {
    of(candidate, motion::pendulum(FRAC_PI_2, true), CHAIN_WINDOW, FRAMES)
}

/// A known fall of so many frames, the free end's height compared over a window of them.
///
/// # Errors
///
/// What the candidate objects to.
pub fn of(
    candidate: &dyn Candidate,
    known: Known,
    window: RangeInclusive<usize>,
    frames: u32,
) -> Result<Fall> {
    let Known { spec, hem, mut chain } = known;
    let film = Film::shoot(candidate, spec, frames)?;
    let mut exact = vec![0.0];
    for _ in 0..*window.end() {
        chain.advance(film.dt(), FINE);
        exact.push(chain.positions().last().map_or(0.0, |tip| tip.y));
    }
    let seen = film.curve(&hem, |x| x.y);
    let bottom = |curve: &[f64]| curve::first_minimum(curve, 1).map(|(frame, _)| frame);
    let there = depth(&film.workload);
    let energies = (1..film.poses.len() - 1).map(|frame| film.energy(frame));
    let most =
        energies.fold(f64::NEG_INFINITY, |most, e| if e.is_nan() { f64::INFINITY } else { most.max(e) });
    let stretch = film.stretch();
    Ok(Fall {
        hem: curve::rms(&seen, &exact, window),
        lag: bottom(&seen).zip(bottom(&exact)).map(|(seen, exact)| seen - exact),
        lost: -film.energy(SECOND) / there,
        peak: most / there,
        late: stretch.late,
        worst: stretch.worst,
    })
}

/// Energy between the start and hanging straight down: m·g·(way to the pins), 1.52 J for the sheet.
fn depth(workload: &Workload) -> f64 {
    let gravity = f64::from(Vec3::dot(workload.spec.gravity, Vec3::NEG_Y));
    let heights = workload.rest.iter().zip(&workload.spec.masses);
    heights.map(|(x, &m)| f64::from(m) * gravity * x.z).sum()
}
