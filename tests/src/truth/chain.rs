//! A planar chain of rigid links with point masses.
//!
//! Link i has the angle θᵢ from straight down, u = (sin θ, −cos θ) along it and n = (cos θ, sin θ) across. Particle i
//! hangs at its end, and Newton's law for it with the pulls T of the links above and below is
//!
//! mᵢ·aᵢ = mᵢ·g + Tᵢ₊₁·uᵢ₊₁ − Tᵢ·uᵢ,
//!
//! while rigidity says aᵢ − aᵢ₋₁ = lᵢ·(θ̈ᵢ·nᵢ − θ̇ᵢ²·uᵢ). The part of that along uᵢ is a symmetric tridiagonal
//! system for the pulls, the part across gives θ̈: the dense mass matrix of the link angles, solved in O(n).

use glam::DVec2;

/// How a chain's upper end moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Root {
    /// Where it is (m).
    pub position: DVec2,
    /// Its velocity (m/s).
    pub velocity: DVec2,
    /// Its acceleration (m/s²).
    pub acceleration: DVec2,
}

/// The path of a root over time (s).
pub type Path = Box<dyn Fn(f64) -> Root>;

/// The chain and its state.
pub struct Chain {
    /// Link lengths from the root down (m).
    lengths: Vec<f64>,
    /// Mass at the end of each link (kg).
    masses: Vec<f64>,
    gravity: f64,
    path: Path,
    time: f64,
    /// Angles (rad), then angular velocities (rad/s).
    state: Vec<f64>,
    scratch: Scratch,
}

/// What an evaluation works in.
#[derive(Default)]
struct Scratch {
    slopes: [Vec<f64>; 4],
    trial: Vec<f64>,
    along: Vec<DVec2>,
    /// The elimination's diagonal, and the pulls.
    diagonal: Vec<f64>,
    pull: Vec<f64>,
}

impl Chain {
    /// A chain at rest, every link at `angle` from straight down (rad); `masses` are those at the links' lower ends
    /// (kg), for whoever holds the root carries its own. `gravity` points down (m/s²).
    ///
    /// # Panics
    ///
    /// When there are not as many masses as links.
    pub fn new(lengths: &[f64], masses: &[f64], angle: f64, gravity: f64) -> Self {
        assert_eq!(lengths.len(), masses.len(), "a mass for each link");
        let n = lengths.len();
        let mut state = vec![angle; n];
        state.resize(2 * n, 0.0);
        let zeros = || vec![0.0; 2 * n];
        let scratch = Scratch {
            slopes: [zeros(), zeros(), zeros(), zeros()],
            trial: zeros(),
            along: vec![DVec2::ZERO; n],
            diagonal: vec![0.0; n],
            pull: vec![0.0; n],
        };
        let path: Path = Box::new(|_| Root::default());
        Self { lengths: lengths.into(), masses: masses.into(), gravity, path, time: 0.0, state, scratch }
    }

    /// The same chain with a root that moves along `path`.
    pub fn driven(mut self, path: impl Fn(f64) -> Root + 'static) -> Self {
        self.path = Box::new(path);
        self
    }

    /// Advances by `seconds` in `steps` steps of the classical fourth-order Runge–Kutta method (Kutta, 1901).
    pub fn advance(&mut self, seconds: f64, steps: u32) {
        let h = seconds / f64::from(steps);
        let start = self.time;
        for step in 0..steps {
            self.time = start + h * f64::from(step);
            self.runge_kutta(h);
        }
        self.time = start + seconds;
    }

    fn runge_kutta(&mut self, h: f64) {
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut slopes = std::mem::take(&mut scratch.slopes);
        let mut trial = std::mem::take(&mut scratch.trial);
        trial.copy_from_slice(&self.state);
        for (stage, slope) in slopes.iter_mut().enumerate() {
            let after = [0.0, 0.5, 0.5, 1.0][stage] * h;
            self.slope(self.time + after, &trial, slope, &mut scratch);
            let next = [0.5, 0.5, 1.0, 0.0][stage] * h;
            for ((trial, &state), &slope) in trial.iter_mut().zip(&self.state).zip(&*slope) {
                *trial = state + next * slope;
            }
        }
        let [a, b, c, d] = &slopes;
        for (i, state) in self.state.iter_mut().enumerate() {
            *state += h / 6.0 * (a[i] + 2.0 * (b[i] + c[i]) + d[i]);
        }
        scratch.slopes = slopes;
        scratch.trial = trial;
        self.scratch = scratch;
    }

    /// The time derivative of a state.
    fn slope(&self, time: f64, state: &[f64], slope: &mut [f64], scratch: &mut Scratch) {
        let n = self.lengths.len();
        let (angles, speeds) = state.split_at(n);
        let Scratch { along, diagonal, pull, .. } = scratch;
        for (u, &angle) in along.iter_mut().zip(angles) {
            let (sin, cos) = angle.sin_cos();
            *u = DVec2::new(sin, -cos);
        }
        let fall = DVec2::new(0.0, -self.gravity) - (self.path)(time).acceleration;
        // Row i of the system: pull[i]·(1/mᵢ + 1/mᵢ₋₁) − pull[i+1]·(uᵢ·uᵢ₊₁)/mᵢ − pull[i−1]·(uᵢ·uᵢ₋₁)/mᵢ₋₁ = lᵢ·θ̇ᵢ².
        // The root is as heavy as anything that can't be moved, and gravity shows in its row alone.
        for i in 0..n {
            let above = if i == 0 { 0.0 } else { 1.0 / self.masses[i - 1] };
            diagonal[i] = 1.0 / self.masses[i] + above;
            pull[i] = self.lengths[i] * speeds[i] * speeds[i];
            if i == 0 {
                pull[i] += fall.dot(along[0]);
            } else {
                let coupling = -along[i].dot(along[i - 1]) * above;
                let factor = coupling / diagonal[i - 1];
                diagonal[i] -= factor * coupling;
                pull[i] -= factor * pull[i - 1];
            }
        }
        for i in (0..n).rev() {
            if i + 1 < n {
                pull[i] += along[i].dot(along[i + 1]) / self.masses[i] * pull[i + 1];
            }
            pull[i] /= diagonal[i];
        }
        // What the links do to a particle, as an acceleration; the root's is gravity's opposite in its own frame.
        let mut before = -fall;
        for i in 0..n {
            let below = if i + 1 < n { along[i + 1] * pull[i + 1] } else { DVec2::ZERO };
            let here = (below - along[i] * pull[i]) / self.masses[i];
            let across = DVec2::new(-along[i].y, along[i].x);
            slope[i] = speeds[i];
            slope[n + i] = (here - before).dot(across) / self.lengths[i];
            before = here;
        }
    }

    /// The root, then the end of each link (m).
    pub fn positions(&self) -> Vec<DVec2> {
        let mut at = (self.path)(self.time).position;
        let mut positions = vec![at];
        for (&angle, &length) in self.state.iter().zip(&self.lengths) {
            at += length * DVec2::new(angle.sin(), -angle.cos());
            positions.push(at);
        }
        positions
    }

    /// Kinetic energy and weight times height below the origin, of all but the root (J).
    pub fn energy(&self) -> f64 {
        let n = self.lengths.len();
        let mut velocity = (self.path)(self.time).velocity;
        let mut energy = 0.0;
        for (i, at) in self.positions().into_iter().skip(1).enumerate() {
            let (angle, speed) = (self.state[i], self.state[n + i]);
            velocity += self.lengths[i] * speed * DVec2::new(angle.cos(), angle.sin());
            energy += self.masses[i] * (0.5 * velocity.length_squared() + self.gravity * at.y);
        }
        energy
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::curve;
    use std::f64::consts::FRAC_PI_2;

    const G: f64 = 9.81;

    /// The falling 32×32 sheet: rows of 0.5/32 kg, 2 cm apart.
    fn sheet() -> Chain {
        Chain::new(&[0.02; 31], &[0.5 / 32.0; 31], FRAC_PI_2, G)
    }

    #[test]
    fn the_sheet_falls_as_the_record_has_it() {
        let mut sheet = sheet();
        let mut hem = vec![0.0];
        let start = sheet.energy();
        let mut drift = 0.0_f64;
        let mut poses = vec![sheet.positions()];
        for _ in 0..61 {
            sheet.advance(1.0 / 60.0, 1000);
            hem.push(sheet.positions()[31].y);
            poses.push(sheet.positions());
            drift = drift.max((sheet.energy() - start).abs());
        }
        for (frame, height) in [(15, -0.3066), (30, -0.3643), (45, -0.1057), (60, -0.2750)] {
            assert!((hem[frame] - height).abs() < 1e-3, "frame {frame}: {} and not {height}", hem[frame]);
        }
        let (at, lowest) = curve::first_minimum(&hem, 0).unwrap();
        assert!((at - 21.42).abs() < 0.01 && (lowest + 0.605).abs() < 1e-3, "{lowest} m at {at}");
        assert!(drift < 5e-13, "{drift} J of 1.52 J");
        // What central differences of frames leave out of the energy at 1 s, of 1.52 J.
        let seen: f64 = (1..32)
            .map(|row| {
                let speed = (poses[61][row] - poses[59][row]).length() * 30.0;
                0.5 / 32.0 * (0.5 * speed * speed + G * poses[60][row].y)
            })
            .sum();
        assert!((seen / 1.52 + 0.014).abs() < 1e-3, "{seen} J");
    }

    #[test]
    fn unequal_links_and_masses_keep_their_energy_too() {
        let lengths = [0.3, 0.1, 0.2, 0.25];
        let mut chain = Chain::new(&lengths, &[0.1, 2.0, 0.05, 0.7], 1.0, G);
        let start = chain.energy();
        chain.advance(2.0, 20_000);
        assert!((chain.energy() - start).abs() < 1e-9, "{} J", chain.energy() - start);
        let positions = chain.positions();
        for (pair, length) in positions.windows(2).zip(lengths) {
            assert!((pair[0].distance(pair[1]) - length).abs() < 1e-14);
        }
    }

    #[test]
    fn one_link_is_the_pendulum_of_the_textbooks() {
        // Period at amplitude a: 2π·√(l/g)/M with M the arithmetic-geometric mean of 1 and cos a/2 (Gauss, 1799).
        let amplitude = 2.0_f64;
        let (mut a, mut b) = (1.0, (0.5 * amplitude).cos());
        for _ in 0..6 {
            (a, b) = (0.5 * (a + b), (a * b).sqrt());
        }
        let mut pendulum = Chain::new(&[0.5], &[3.0], amplitude, G);
        pendulum.advance(std::f64::consts::TAU * (0.5 / G).sqrt() / a, 2000);
        let back = pendulum.positions()[1] - 0.5 * DVec2::new(amplitude.sin(), -amplitude.cos());
        assert!(back.length() < 1e-9, "{back}");
    }

    #[test]
    fn a_root_that_gains_speed_is_gravity_aslant() {
        // Along x at a: in the root's frame gravity is √(a² + g²) and points atan(a/g) backward of down.
        let a = 4.0;
        let path = move |t: f64| Root {
            position: DVec2::new(0.5 * a * t * t, 0.0),
            velocity: DVec2::new(a * t, 0.0),
            acceleration: DVec2::new(a, 0.0),
        };
        let (lengths, masses) = ([0.1; 8], [0.2; 8]);
        let mut driven = Chain::new(&lengths, &masses, 0.0, G).driven(path);
        let mut aslant = Chain::new(&lengths, &masses, (a / G).atan(), G.hypot(a));
        driven.advance(0.7, 4000);
        aslant.advance(0.7, 4000);
        let turn = DVec2::from_angle(-(a / G).atan());
        for (x, y) in driven.positions().iter().zip(aslant.positions()) {
            let expected = path(0.7).position + turn.rotate(y);
            assert!((*x - expected).length() < 1e-9, "{x} {expected}");
        }
    }
}
