//! A cape on a runner who stops dead, against a chain with a driven root.

use super::{Candidate, Film};
use crate::truth::curve;
use crate::workload::motion::{self, Known, STOPPED, runner};
use anyhow::{Context as _, Result};
use glam::DVec2;

/// The swing of a cape past its runner.
#[derive(Clone, Copy, Debug)]
pub struct Cape {
    /// The most the line from shoulders to hem leans forward after the stop (rad).
    pub peak: f64,
    /// What it would exactly (rad).
    pub exact: f64,
    /// Frames by which it is late.
    pub lag: f64,
}

const FRAMES: u32 = 180;
const FINE: u32 = 400;

/// The cape.
///
/// # Errors
///
/// What the candidate objects to, or a cape that doesn't swing forward.
pub fn cape(candidate: &dyn Candidate) -> Result<Cape> {
    let Known { spec, hem, mut chain } = motion::cape();
    let (pins, rest) = (spec.pins.clone(), spec.shape.positions.clone());
    let dt = f64::from(spec.dt);
    let shoulders = |frame: u32| runner(f64::from(frame) * dt).position;
    let film = Film::directed(candidate, spec, FRAMES, &mut |frame, _| {
        let at = shoulders(frame);
        let goal = |&pin: &u32| {
            let [x, y, _] = rest[pin as usize];
            (pin, glam::DVec3::new(x.into(), f64::from(y) + at.y, at.x))
        };
        Ok(pins.iter().map(goal).collect())
    })?;
    let lean = |hem: DVec2, root: DVec2| (hem.x - root.x).atan2(root.y - hem.y);
    let (z, y) = (film.curve(&hem, |x| x.z), film.curve(&hem, |x| x.y));
    let frames = 0..=FRAMES;
    let seen: Vec<f64> = frames
        .clone()
        .zip(z.iter().zip(&y))
        .map(|(f, (&z, &y))| lean(DVec2::new(z, y), shoulders(f)))
        .collect();
    let mut exact = Vec::new();
    for frame in frames {
        let tip = *chain.positions().last().context("links")?;
        exact.push(lean(tip, shoulders(frame)));
        chain.advance(dt, FINE);
    }
    // The frame he stands still at, and from then on the first time the cape turns back.
    let from = exact.iter().zip(0..).position(|(_, f)| f64::from(f) * dt >= STOPPED).context("he stops")?;
    let peak = |curve: &[f64]| {
        let mirrored: Vec<f64> = curve.iter().map(|lean| -lean).collect();
        curve::first_minimum(&mirrored, from).map(|(frame, lean)| (frame, -lean))
    };
    let (at, peak_seen) = peak(&seen).context("the cape never turns back")?;
    let (expected, peak_exact) = peak(&exact).context("the exact cape never turns back")?;
    Ok(Cape { peak: peak_seen, exact: peak_exact, lag: at - expected })
}
