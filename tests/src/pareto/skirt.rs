//! The skirt, an irregular garment, against what its own solver converges to.

use super::fall::WINDOW;
use super::{Candidate, Film};
use crate::narrow::{to_f32, to_u32};
use crate::workload::motion::library_settings;
use crate::workload::scenes::Loop;
use crate::workload::{Spec, mean};
use anyhow::Result;
use glam::DVec3;
use std::f64::consts::TAU;

/// Substeps of the run that is compared with.
const REFERENCE: u32 = 64;
/// How far the waist goes to either side of its middle (m).
const AMPLITUDE: f64 = 0.15;

/// How a run differs from the one that is compared with it.
#[derive(Clone, Copy)]
struct Way {
    /// Steps a frame; the waist goes in a straight line through them as through substeps.
    steps: u32,
    /// How far a particle of the hem starts aside (m).
    nudge: f64,
}

const PLAIN: Way = Way { steps: 1, nudge: 0.0 };
/// A core's step has 64 substeps at most: 128 are two steps.
const FINER: Way = Way { steps: 2, ..PLAIN };
const NUDGED: Way = Way { nudge: 1e-6, ..PLAIN };

/// A garment with its waist and its hem.
pub type Garment = fn() -> Result<(Spec, Loop, Loop)>;

/// What a run with 64 substeps is worth as a reference: how far others that are as right are from it, all as
/// [`hem_error`] has it (m).
#[derive(Clone, Copy, Debug)]
pub struct Floor {
    /// Of 128 substeps, in two steps a frame.
    pub finer: f64,
    /// Of the same 64 substeps, one particle displaced by 1e-6 m at the start.
    pub nudged: f64,
}

/// Root mean square distance of the hem's centre from that of a run with 64 substeps, over the window the falling sheet is
/// compared in (m). The waist goes from side to side by ±0.15 m at 1 Hz, starting at rest.
///
/// # Errors
///
/// What the candidate objects to, or a missing asset.
pub fn hem_error(candidate: &dyn Candidate, garment: Garment) -> Result<f64> {
    Ok(apart(&swung(candidate, garment, PLAIN)?, &swung(&*candidate.refined(REFERENCE), garment, PLAIN)?))
}

/// How reproducible the run is that [`hem_error`] compares with.
///
/// # Errors
///
/// As [`hem_error`].
pub fn floor(candidate: &dyn Candidate, garment: Garment) -> Result<Floor> {
    let reference = candidate.refined(REFERENCE);
    let fine = swung(&*reference, garment, PLAIN)?;
    let from_fine = |way| Ok::<_, anyhow::Error>(apart(&swung(&*reference, garment, way)?, &fine));
    Ok(Floor { finer: from_fine(FINER)?, nudged: from_fine(NUDGED)? })
}

/// Root mean square distance over the window (m).
fn apart(one: &[DVec3], other: &[DVec3]) -> f64 {
    mean(WINDOW.map(|frame| one[frame].distance_squared(other[frame]))).sqrt()
}

/// The hem's centre by frame.
fn swung(candidate: &dyn Candidate, garment: Garment, way: Way) -> Result<Vec<DVec3>> {
    let (spec, waist, hem) = garment()?;
    let spec = library_settings(spec, 0.0);
    let rest = spec.shape.positions.clone();
    let frame = f64::from(spec.dt);
    let aside = |frames: u32| AMPLITUDE * (1.0 - (TAU * f64::from(frames) * frame).cos());
    let Way { steps, nudge } = way;
    let spec = Spec { dt: to_f32(frame / f64::from(steps)), ..spec };
    let film = Film::directed(candidate, spec, steps * to_u32(*WINDOW.end()), &mut |step, simulation| {
        if step == 1 && nudge > 0.0 {
            let start = simulation.positions()[hem[0] as usize];
            simulation.place(hem[0], start + DVec3::Z * nudge, DVec3::ZERO)?;
        }
        let (before, left) = (step / steps, f64::from(step % steps) / f64::from(steps));
        let aside = aside(before) * (1.0 - left) + aside(before + 1) * left;
        let goal = |&pin: &u32| {
            let [x, y, z] = rest[pin as usize];
            (pin, DVec3::new(f64::from(x) + aside, y.into(), z.into()))
        };
        Ok(waist.iter().map(goal).collect())
    })?;
    let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| film.curve(&hem, |x| x.dot(axis)));
    let frames = (0..film.poses.len()).step_by(steps as usize);
    Ok(frames.map(|f| DVec3::new(axes[0][f], axes[1][f], axes[2][f])).collect())
}
