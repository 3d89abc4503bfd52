//! Backward Euler for springs, solved until nothing is left to solve.
//!
//! A step from x₀, v₀ ends at the minimum of
//!
//! ½·Σ m·|x − x₀ − h·v₀ − h²·g|²/h² + ½·Σ k·(L − L₀)²,
//!
//! found by Newton's method with a line search. Its linear systems take the Hessian without the part that springs
//! shorter than their rest length make indefinite, and are solved by conjugate gradients (Hestenes & Stiefel, 1952).

use glam::DVec3;

/// A spring between two particles.
#[derive(Clone, Copy, Debug)]
pub struct Spring {
    /// One end.
    pub a: usize,
    /// The other end.
    pub b: usize,
    /// Rest length (m).
    pub length: f64,
    /// Stiffness (N/m).
    pub stiffness: f64,
}

/// Particles on springs.
pub struct ImplicitEuler {
    /// The springs.
    pub springs: Vec<Spring>,
    /// Mass per particle (kg); infinite where it is held.
    pub masses: Vec<f64>,
    /// Gravity (m/s²).
    pub gravity: DVec3,
    /// Positions (m).
    pub positions: Vec<DVec3>,
    /// Velocities (m/s).
    pub velocities: Vec<DVec3>,
}

/// A spring's share of the Hessian: k·(g·gᵀ + max(1 − L₀/L, 0)·(I − g·gᵀ)).
struct Stiff {
    a: usize,
    b: usize,
    along: DVec3,
    stretch: f64,
    aside: f64,
}

impl ImplicitEuler {
    /// One step of `h` (s). Returns the largest force left unbalanced, over the largest weight or inertia there is.
    pub fn step(&mut self, h: f64) -> f64 {
        let free: Vec<bool> = self.masses.iter().map(|m| m.is_finite()).collect();
        let inertia: Vec<f64> =
            self.masses.iter().map(|&m| if m.is_finite() { m / (h * h) } else { 0.0 }).collect();
        let start = self.positions.clone();
        let target: Vec<DVec3> = (start.iter().zip(&self.velocities).zip(&free))
            .map(|((&x, &v), &free)| if free { x + h * v + h * h * self.gravity } else { x })
            .collect();
        let mut x = start.clone();
        let imbalance = |x: &[DVec3]| {
            let (gradient, scale) = self.gradient(x, &target, &inertia, &free);
            let left = gradient.iter().map(|f| f.length()).fold(0.0, f64::max) / scale;
            (gradient, left)
        };
        let (mut gradient, mut left) = imbalance(&x);
        for _ in 0..MOST_ROUNDS {
            let way = self.newton(&x, &gradient, &inertia, &free);
            let slope: f64 = gradient.iter().zip(&way).map(|(g, d)| g.dot(*d)).sum();
            let energy = self.objective(&x, &target, &inertia);
            // Armijo's rule; where rounding drowns the energy's last digits, a smaller imbalance is as good.
            let mut share = 1.0;
            let (next, after) = loop {
                let next: Vec<DVec3> = x.iter().zip(&way).map(|(&x, &d)| x + share * d).collect();
                let after = imbalance(&next);
                let descends = self.objective(&next, &target, &inertia) <= energy + 1e-4 * share * slope;
                if descends || after.1 < 0.5 * left || share < 1e-6 {
                    break (next, after);
                }
                share *= 0.5;
            };
            let gained = after.1 < 0.5 * left;
            if left < ROUNDING && !gained {
                break;
            }
            x = next;
            (gradient, left) = after;
        }
        for ((v, &x), &before) in self.velocities.iter_mut().zip(&x).zip(&start) {
            *v = (x - before) / h;
        }
        self.positions = x;
        left
    }

    /// The minimised function.
    fn objective(&self, x: &[DVec3], target: &[DVec3], inertia: &[f64]) -> f64 {
        let moving: f64 =
            x.iter().zip(target).zip(inertia).map(|((x, y), m)| m * x.distance_squared(*y)).sum();
        let strained: f64 =
            self.springs.iter().map(|s| s.stiffness * (x[s.a].distance(x[s.b]) - s.length).powi(2)).sum();
        0.5 * (moving + strained)
    }

    /// Its gradient, zero for the held, and the largest single force in it.
    fn gradient(&self, x: &[DVec3], target: &[DVec3], inertia: &[f64], free: &[bool]) -> (Vec<DVec3>, f64) {
        let mut gradient: Vec<DVec3> =
            x.iter().zip(target).zip(inertia).map(|((&x, &y), &m)| m * (x - y)).collect();
        let weights = self.masses.iter().filter(|m| m.is_finite()).map(|m| m * self.gravity.length());
        let mut scale = weights.fold(1e-12, f64::max);
        for spring in &self.springs {
            let across = x[spring.b] - x[spring.a];
            let length = across.length();
            let force = spring.stiffness * (length - spring.length) * across / length;
            gradient[spring.a] -= force;
            gradient[spring.b] += force;
            scale = scale.max(force.length());
        }
        for (g, &free) in gradient.iter_mut().zip(free) {
            if !free {
                *g = DVec3::ZERO;
            }
        }
        (gradient, scale)
    }

    /// The step that solves Hessian·step = −gradient, to where more digits would not help Newton.
    fn newton(&self, x: &[DVec3], gradient: &[DVec3], inertia: &[f64], free: &[bool]) -> Vec<DVec3> {
        let mut diagonal: Vec<f64> = inertia.to_vec();
        let stiff: Vec<Stiff> = (self.springs.iter())
            .map(|&Spring { a, b, length, stiffness }| {
                let across = x[b] - x[a];
                let now = across.length();
                diagonal[a] += stiffness;
                diagonal[b] += stiffness;
                let aside = stiffness * (1.0 - length / now).max(0.0);
                Stiff { a, b, along: across / now, stretch: stiffness, aside }
            })
            .collect();
        let apply = |d: &[DVec3]| -> Vec<DVec3> {
            let mut out: Vec<DVec3> = d.iter().zip(inertia).map(|(&d, &m)| m * d).collect();
            for s in &stiff {
                let change = d[s.b] - d[s.a];
                let along = s.along.dot(change);
                let force = s.aside * change + (s.stretch - s.aside) * along * s.along;
                out[s.a] -= force;
                out[s.b] += force;
            }
            for (out, &free) in out.iter_mut().zip(free) {
                if !free {
                    *out = DVec3::ZERO;
                }
            }
            out
        };
        let dot = |a: &[DVec3], b: &[DVec3]| -> f64 { a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum() };
        let precondition = |r: &[DVec3]| -> Vec<DVec3> {
            r.iter().zip(&diagonal).map(|(&r, &d)| r / d.max(1e-300)).collect()
        };
        let mut solution = vec![DVec3::ZERO; x.len()];
        let mut residual: Vec<DVec3> = gradient.iter().map(|&g| -g).collect();
        let mut way = precondition(&residual);
        let first = dot(&residual, &way);
        let mut now = first;
        for _ in 0..20 * x.len() {
            if now <= 1e-24 * first {
                break;
            }
            let along = apply(&way);
            let share = now / dot(&way, &along);
            for i in 0..x.len() {
                solution[i] += share * way[i];
                residual[i] -= share * along[i];
            }
            let next_way = precondition(&residual);
            let next = dot(&residual, &next_way);
            for (way, next_way) in way.iter_mut().zip(next_way) {
                *way = next_way + next / now * *way;
            }
            now = next;
        }
        solution
    }
}

/// Newton rounds before a step gives up and says by its residual that it did.
const MOST_ROUNDS: u32 = 200;
/// An imbalance below which a round that doesn't halve it has met the last digits of the positions.
const ROUNDING: f64 = 1e-6;

#[cfg(test)]
mod tests {
    use super::*;

    /// A chain of `links` links hanging down from a held particle.
    fn hanging(links: usize, mass: f64, length: f64, stiffness: f64) -> ImplicitEuler {
        let mut masses = vec![mass; links + 1];
        masses[0] = f64::INFINITY;
        let at = |i: usize| DVec3::NEG_Y * (length * crate::narrow::real(i));
        ImplicitEuler {
            springs: (0..links).map(|a| Spring { a, b: a + 1, length, stiffness }).collect(),
            masses,
            gravity: DVec3::NEG_Y * 9.81,
            positions: (0..=links).map(at).collect(),
            velocities: vec![DVec3::ZERO; links + 1],
        }
    }

    #[test]
    fn one_mass_follows_the_recurrence_of_a_linear_spring() {
        // v' = (v + h·(g − k/m·c))/(1 + h²·k/m), c' = c + h·v', with c the stretch.
        let (mass, stiffness, h) = (0.3, 500.0, 0.01);
        let mut one = hanging(1, mass, 0.2, stiffness);
        let (mut stretch, mut speed) = (0.0, 0.0);
        for _ in 0..100 {
            assert!(one.step(h) < 1e-11);
            speed = (speed + h * (9.81 - stiffness / mass * stretch)) / (1.0 + h * h * stiffness / mass);
            stretch += h * speed;
            assert!((-one.positions[1].y - 0.2 - stretch).abs() < 1e-12);
        }
    }

    #[test]
    fn a_chain_comes_to_hooke_s_rest_whatever_its_stiffness() {
        for stiffness in [50.0, 1e4, 1e8] {
            let (links, mass) = (8, 0.01);
            let mut chain = hanging(links, mass, 0.05, stiffness);
            for _ in 0..400 {
                let left = chain.step(0.5);
                assert!(left < 1e-7, "{left} left of {stiffness} N/m");
            }
            let n = crate::narrow::real(links);
            let expected = n * 0.05 + mass * 9.81 / stiffness * n * (n + 1.0) / 2.0;
            let length = -chain.positions[links].y;
            assert!((length / expected - 1.0).abs() < 1e-9, "{stiffness} N/m: {length} and not {expected}");
        }
    }

    #[test]
    fn stiff_links_swing_like_rigid_ones_when_the_step_is_small() {
        let rigid = {
            let mut chain = crate::truth::Chain::new(&[0.1; 4], &[0.05; 4], 1.0, 9.81);
            chain.advance(0.3, 3000);
            chain.positions()[4]
        };
        let off = |steps: u32| {
            let mut chain = hanging(4, 0.05, 0.1, 1e6);
            for x in &mut chain.positions {
                *x = DVec3::new(-x.y * 1.0_f64.sin(), x.y * 1.0_f64.cos(), 0.0);
            }
            for _ in 0..steps {
                assert!(chain.step(0.3 / f64::from(steps)) < 1e-7);
            }
            chain.positions[4].truncate().distance(rigid)
        };
        // First order: a step of a tenth, a tenth of the error.
        let (coarse, fine) = (off(100), off(1000));
        assert!(fine < 2e-3 && (5.0..20.0).contains(&(coarse / fine)), "{coarse} {fine}");
    }
}
