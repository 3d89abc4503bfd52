//! Velocities from positions, damping, the velocity limit, and the guard.

use super::cloth::{Cloth, History};
use glam::DVec3;

/// Velocity limit over the authority of the sweeps, shortest row · sweeps / h.
const AUTHORITY: f64 = 4.0;

/// Farthest a particle may be along an axis (m).
const MAX_POSITION: f64 = 1.0e9;

/// Speeds below this are none (m/s): what decays ends at zero.
const MIN_SPEED: f64 = 1.0e-30;

/// A jump of velocity in one substep that is an impact, in shortest rows a substep.
const IMPACT: f64 = 0.25;

impl Cloth {
    /// Ends a substep: velocities, and what the next one may know of this one.
    pub(super) fn finish(&mut self, h: f64, history: Option<&History>) {
        let kept = 1.0 / (1.0 + self.damping * h);
        let dry = self.settings.dry * self.damping * h;
        let fastest = AUTHORITY * self.net.shortest_row * f64::from(self.settings.sweeps) / h;
        let impact = IMPACT * self.net.shortest_row / h;
        let last = self.settings.second_order.then(|| self.velocities.clone());
        let (mut jump, mut lost) = (0.0_f64, false);
        for i in 0..self.positions.len() {
            let (x, before) = (self.positions[i], self.before[i]);
            let mut v = match history {
                Some(last) if !self.is_held(i) => (x * 3.0 - before * 4.0 + last.positions[i]) / (2.0 * h),
                _ => (x - before) / h,
            };
            if !self.is_held(i) {
                let speed = v.length();
                v *= kept * (1.0 - dry / speed.max(MIN_SPEED)).max(0.0);
                if speed > fastest {
                    v *= fastest / speed;
                }
                jump = (v - self.velocities[i]).length().max(jump);
                if !(v.is_finite() && x.abs().max_element() <= MAX_POSITION) {
                    (v, self.positions[i], lost) = (DVec3::ZERO, self.start[i], true);
                }
            }
            self.velocities[i] = if v.length() < MIN_SPEED { DVec3::ZERO } else { v };
        }
        if lost {
            // What pulled them out of the numbers may pull again.
            self.tensions.fill(0.0);
        }
        if let Some(velocities) = last
            && !(self.touching.contains(&true) || lost || jump > impact)
        {
            self.history = Some(History { positions: self.before.clone(), velocities });
        }
    }
}
