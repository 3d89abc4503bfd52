//! Small swings: the period and what a period costs.

use super::{Candidate, Film};
use crate::truth::{Mode, Swing};
use crate::workload::G;
use crate::workload::motion;
use anyhow::{Context as _, Result};

/// The period of 20 links at 5° (s): the exact chain's, read the same way. The tests of [`crate::truth`] have it.
pub const PERIOD: f64 = 1.6897;
const DEGREES: f64 = 5.0;
/// Six and a half periods at least, if the solver's is not longer by half.
const FRAMES: u32 = 900;
const PERIODS: usize = 4;

/// The pendulum of 20 links released at 5°: period and loss of its fundamental mode over four periods.
///
/// # Errors
///
/// What the candidate objects to, or a pendulum that doesn't swing that often.
pub fn small(candidate: &dyn Candidate, tethers: bool) -> Result<Swing> {
    let spec = motion::pendulum(DEGREES.to_radians(), tethers).spec;
    let masses: Vec<f64> = spec.masses.iter().skip(1).map(|&m| m.into()).collect();
    let film = Film::shoot(candidate, spec, FRAMES)?;
    let mode = Mode::of(&vec![0.05; masses.len()], &masses, G);
    let amplitude = |pose: &Vec<glam::DVec3>| mode.amplitude(pose.iter().skip(1).map(|x| x.z));
    let amplitudes: Vec<f64> = film.poses.iter().map(amplitude).collect();
    Swing::read(&amplitudes, film.dt(), PERIODS).context("the pendulum does not swing four times in 15 s")
}
