//! Where particles go on their own: gravity, bend, and the forces that rows carry.

use super::cloth::{Cloth, History};
use crate::oracle::laws;
use crate::workload::{narrow, wide};
use glam::DVec3;

/// Largest stiffness of a hinge over its inertia and 1/h². A particle is in about twelve hinges, which act together.
const MAX_BEND: f64 = 1.0 / 12.0;

impl Cloth {
    /// Free particles go to x + h·v + h²·a, or to BDF2's (4·x − x₋₁)/3 + h·(8·v − 2·v₋₁)/9 + h²·4·a/9; held ones
    /// their share of the way to where they are to be.
    pub(super) fn predict(&mut self, h: f64, h2: f64, left: f64, history: Option<&History>) {
        self.before.copy_from_slice(&self.positions);
        if let Some(last) = history {
            // Forces of the past would drive what swings: BDF2 wants those of where the substep ends.
            for ((x, &before), last) in self.positions.iter_mut().zip(&self.before).zip(&last.positions) {
                *x += before - *last;
            }
        }
        self.accelerate(h2);
        for i in 0..self.positions.len() {
            let x = self.before[i];
            self.positions[i] = if self.is_held(i) {
                if left <= 1.0 { self.ends[i] } else { x + (self.ends[i] - x) / left }
            } else if let Some(last) = history {
                let drift = self.velocities[i] * (8.0 / 9.0) - last.velocities[i] * (2.0 / 9.0);
                x + (x - last.positions[i]) / 3.0 + drift * h + self.accelerations[i] * h2
            } else {
                x + (self.velocities[i] + self.accelerations[i] * h) * h
            };
        }
    }

    fn accelerate(&mut self, h2: f64) {
        self.accelerations.fill(self.gravity);
        if self.bend > 0.0 {
            for hinge in &self.net.hinges {
                let law = laws::curvature(hinge, &hinge.p.map(|i| narrow(self.positions[i])));
                let most = MAX_BEND * f64::from(hinge.inertia) / (h2 * f64::from(law.bound));
                let force = wide(law.excess) * (self.bend.min(most) * f64::from(hinge.scale));
                for (i, c) in hinge.p.into_iter().zip(hinge.c) {
                    self.accelerations[i] -= force * (f64::from(c) * self.inverse[i]);
                }
            }
        }
        if self.settings.tension.is_some() {
            for (row, &tension) in self.net.rows.iter().zip(&self.tensions) {
                let d = self.positions[row.b] - self.positions[row.a];
                let force = along(d) * tension;
                self.accelerations[row.a] += force * self.inverse[row.a];
                self.accelerations[row.b] -= force * self.inverse[row.b];
            }
        }
    }
}

/// The unit vector along `d`; of what has no length, none.
fn along(d: DVec3) -> DVec3 {
    let length = d.length();
    if length > 0.0 { d / length } else { DVec3::ZERO }
}
