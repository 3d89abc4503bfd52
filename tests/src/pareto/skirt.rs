//! The skirt, an irregular garment, against what its own solver converges to.

use super::fall::WINDOW;
use super::{Candidate, Film};
use crate::workload::motion::library_settings;
use crate::workload::{mean, scenes};
use anyhow::Result;
use glam::DVec3;
use std::f64::consts::TAU;

/// Substeps of the run that is compared with.
const REFERENCE: u32 = 64;
/// How far the waist goes to either side of its middle (m).
const AMPLITUDE: f64 = 0.15;

/// Root mean square distance of the hem's centre from that of a run with 64 substeps, over the window the falling sheet is
/// compared in (m). The waist goes from side to side by ±0.15 m at 1 Hz, starting at rest.
///
/// # Errors
///
/// What the candidate objects to, or a missing asset.
pub fn hem_error(candidate: &dyn Candidate) -> Result<f64> {
    let coarse = swung(candidate)?;
    let fine = swung(&*candidate.refined(REFERENCE))?;
    Ok(mean(WINDOW.map(|frame| coarse[frame].distance_squared(fine[frame]))).sqrt())
}

/// The hem's centre by frame.
fn swung(candidate: &dyn Candidate) -> Result<Vec<DVec3>> {
    let (spec, waist, hem) = scenes::skirt()?;
    let spec = library_settings(spec, 0.0);
    let rest = spec.shape.positions.clone();
    let dt = f64::from(spec.dt);
    let frames = crate::narrow::to_u32(*WINDOW.end());
    let film = Film::directed(candidate, spec, frames, &mut |frame, _| {
        let aside = AMPLITUDE * (1.0 - (TAU * f64::from(frame) * dt).cos());
        let goal = |&pin: &u32| {
            let [x, y, z] = rest[pin as usize];
            (pin, DVec3::new(f64::from(x) + aside, y.into(), z.into()))
        };
        Ok(waist.iter().map(goal).collect())
    })?;
    let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| film.curve(&hem, |x| x.dot(axis)));
    Ok((0..film.poses.len()).map(|f| DVec3::new(axes[0][f], axes[1][f], axes[2][f])).collect())
}
