//! Small-step position-based dynamics as a candidate: the textbook's, and a check of the bench, for with small
//! enough steps it does what the exact twins do.
//!
//! Each substep predicts, moves the two ends of every stretch row once per sweep along it by
//! −(C − λ/(k·h²))/(wₐ + w_b + 1/(k·h²)), λ being what it pulled in the substep so far, and takes velocities from
//! positions (Macklin et al., *Small Steps in Physics Simulation*, 2019). In `f64`, without bend, tethers and strain
//! limits. Rows go up in the first sweep and down in the second: one direction alone can add energy, whatever the step
//! (PEERS.md, "Motion").

use super::{Candidate, Goal, Simulation};
use crate::workload::{Edge, Workload, wide};
use anyhow::Result;
use cloth_core::Block;
use glam::DVec3;

/// The solver and its budget.
#[derive(Clone, Copy, Debug)]
pub struct Xpbd {
    /// Substeps a frame.
    pub substeps: u32,
    /// Sweeps a substep.
    pub sweeps: u32,
}

struct Row {
    a: usize,
    b: usize,
    length: f64,
    /// 1/stiffness (m/N).
    compliance: f64,
}

/// A cloth of rows.
struct Cloth {
    budget: Xpbd,
    rows: Vec<Row>,
    /// Inverse masses of particles that are let go (1/kg).
    free: Vec<f64>,
    /// Inverse masses now: zero where held.
    inverse: Vec<f64>,
    /// Where held particles are at the end of the frame (m).
    ends: Vec<DVec3>,
    positions: Vec<DVec3>,
    velocities: Vec<DVec3>,
    gravity: DVec3,
    damping: f64,
    dt: f64,
    sphere: Option<(DVec3, f64)>,
}

impl Candidate for Xpbd {
    fn name(&self) -> String {
        format!("XPBD {}×{}", self.substeps, self.sweeps)
    }

    fn start<'w>(&self, workload: &'w Workload, _: &'w mut Vec<Block>) -> Result<Box<dyn Simulation + 'w>> {
        let spec = &workload.spec;
        let row = |&Edge { a, b }: &Edge| {
            let own = spec.row_stiffness.iter().find(|&&(c, d, _)| (c.min(d), c.max(d)) == (a, b));
            let stiffness = f64::from(own.map_or(spec.stiffness, |&(.., k)| k));
            let (a, b) = (a as usize, b as usize);
            let length = workload.rest[a].distance(workload.rest[b]);
            Row { a, b, length, compliance: 1.0 / stiffness }
        };
        let free: Vec<f64> = spec.masses.iter().map(|&m| 1.0 / f64::from(m)).collect();
        let mut inverse = free.clone();
        for &pin in &spec.pins {
            inverse[pin as usize] = 0.0;
        }
        Ok(Box::new(Cloth {
            budget: *self,
            rows: workload.edges.iter().map(row).collect(),
            free,
            inverse,
            ends: workload.rest.clone(),
            positions: workload.rest.clone(),
            velocities: vec![DVec3::ZERO; workload.rest.len()],
            gravity: wide(spec.gravity),
            damping: spec.dynamics.damping.into(),
            dt: spec.dt.into(),
            sphere: None,
        }))
    }

    fn refined(&self, substeps: u32) -> Box<dyn Candidate> {
        Box::new(Self { substeps, ..*self })
    }
}

impl Cloth {
    fn substep(&mut self, h: f64, left: u32) {
        let before = self.positions.clone();
        for (i, x) in self.positions.iter_mut().enumerate() {
            if self.inverse[i] > 0.0 {
                *x += h * (self.velocities[i] + h * self.gravity);
            } else {
                *x += (self.ends[i] - *x) / f64::from(left);
            }
        }
        // The pull of each row so far, times h²; a soft row's share of it resists less the more there is.
        let mut pulled = vec![0.0; self.rows.len()];
        for sweep in 0..self.budget.sweeps {
            for at in 0..self.rows.len() {
                let at = if sweep % 2 == 0 { at } else { self.rows.len() - 1 - at };
                let row = &self.rows[at];
                let across = self.positions[row.b] - self.positions[row.a];
                let length = across.length();
                let (wa, wb) = (self.inverse[row.a], self.inverse[row.b]);
                if wa + wb > 0.0 && length > 1e-12 {
                    let soft = row.compliance / (h * h);
                    let more = (length - row.length - soft * pulled[at]) / (wa + wb + soft);
                    pulled[at] += more;
                    let pull = more / length * across;
                    self.positions[row.a] += wa * pull;
                    self.positions[row.b] -= wb * pull;
                }
            }
        }
        if let Some((centre, radius)) = self.sphere {
            for (x, &w) in self.positions.iter_mut().zip(&self.inverse) {
                let out = *x - centre;
                let distance = out.length();
                if w > 0.0 && distance < radius && distance > 0.0 {
                    *x = centre + out * (radius / distance);
                }
            }
        }
        let kept = 1.0 / (1.0 + self.damping * h);
        for (i, v) in self.velocities.iter_mut().enumerate() {
            *v = (self.positions[i] - before[i]) / h;
            if self.inverse[i] > 0.0 {
                *v *= kept;
            }
        }
    }
}

impl Simulation for Cloth {
    fn step(&mut self, goals: &[Goal]) -> Result<()> {
        for &(vertex, x) in goals {
            self.ends[vertex as usize] = x;
        }
        let substeps = self.budget.substeps;
        for done in 0..substeps {
            self.substep(self.dt / f64::from(substeps), substeps - done);
        }
        Ok(())
    }

    fn positions(&self) -> Vec<DVec3> {
        self.positions.clone()
    }

    fn velocities(&self) -> Vec<DVec3> {
        self.velocities.clone()
    }

    fn place(&mut self, vertex: u32, x: DVec3, v: DVec3) -> Result<()> {
        (self.positions[vertex as usize], self.velocities[vertex as usize]) = (x, v);
        Ok(())
    }

    fn hold(&mut self, vertex: u32, x: DVec3) -> Result<()> {
        (self.inverse[vertex as usize], self.ends[vertex as usize]) = (0.0, x);
        Ok(())
    }

    fn release(&mut self, vertex: u32) -> Result<()> {
        self.inverse[vertex as usize] = self.free[vertex as usize];
        Ok(())
    }

    fn add_sphere(&mut self, centre: DVec3, radius: f64) -> Result<bool> {
        self.sphere = Some((centre, radius));
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pareto::{fall, momentum, pendulum, rest, runner, soft, sphere};
    use crate::workload::motion;
    use std::f64::consts::FRAC_PI_2;

    const FINE: Xpbd = Xpbd { substeps: 200, sweeps: 2 };

    #[test]
    fn small_steps_fall_as_the_exact_twins_do() {
        for (name, fall) in [
            ("sheet", fall::of(&FINE, motion::falling(), fall::WINDOW, 62).unwrap()),
            ("heavy hem", fall::of(&FINE, motion::heavy_hem(), fall::WINDOW, 62).unwrap()),
            ("chain", fall::of(&FINE, motion::pendulum(FRAC_PI_2, false), fall::CHAIN_WINDOW, 78).unwrap()),
        ] {
            assert!(fall.hem < 5e-3, "{name}: {fall:?}");
            assert!(fall.lag.is_some_and(|lag| lag.abs() < 0.1), "{name}: {fall:?}");
            assert!(fall.peak < 1e-4 && fall.lost < 0.04, "{name}: {fall:?}");
        }
    }

    #[test]
    fn small_steps_swing_run_and_turn_as_they_should() {
        let swing = pendulum::small(&FINE, false).unwrap();
        assert!((swing.period / pendulum::PERIOD - 1.0).abs() < 1e-3, "{swing:?}");
        assert!((0.0..5e-3).contains(&swing.loss), "{swing:?}");
        let cape = runner::cape(&*FINE.refined(100)).unwrap();
        assert!((cape.peak / cape.exact - 1.0).abs() < 0.02 && cape.lag.abs() < 0.5, "{cape:?}");
        let kept = momentum::rotation(&FINE, true).unwrap();
        assert!((0.99..1.0).contains(&kept), "{kept}");
        let flag = momentum::flag(&FINE).unwrap();
        assert!(flag.off < 1e-3 && (0.97..1.01).contains(&flag.kept), "{flag:?}");
    }

    #[test]
    fn a_rope_hangs_in_its_catenary() {
        let off = rest::rope(&Xpbd { substeps: 32, sweeps: 2 }).unwrap();
        assert!(off < 1e-3, "{off} of its length");
    }

    #[test]
    fn it_lands_on_the_surface() {
        let landing = sphere::landing(&Xpbd { substeps: 8, sweeps: 2 }).unwrap().unwrap();
        assert!(landing.depth < 1e-9 && landing.stretch.late < 0.1, "{landing:?}");
    }

    #[test]
    fn soft_rows_are_hooke_s_and_those_of_implicit_euler() {
        let off = |substeps, sweeps| soft::hooke(&Xpbd { substeps, sweeps }).unwrap();
        // One sweep is not enough for Hooke where the step is long; many, or small steps, are.
        assert!(off(8, 20) < 1e-4 && off(128, 2) < 1e-4 && off(8, 1) > 1e-2);
        let swing = |substeps| soft::swing(&Xpbd { substeps, sweeps: 1 }).unwrap();
        let (coarse, fine) = (swing(8), swing(128));
        assert!(fine < 2e-3 && coarse > 2.0 * fine, "{coarse} m, {fine} m");
    }
}
