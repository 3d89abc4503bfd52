//! The slowest small swing of a hanging chain, and what of a motion is in it.

use crate::narrow::real;
use crate::truth::curve;
use crate::workload::mean;

/// The fundamental mode of a chain of point masses hanging at rest.
pub struct Mode {
    /// Sideways displacement of the particles below the root, the lowest one's being 1.
    pub shape: Vec<f64>,
    /// Its angular frequency (rad/s), for amplitudes near zero.
    pub frequency: f64,
    masses: Vec<f64>,
}

/// A swing's period (s) and the share of its energy lost in one.
#[derive(Clone, Copy, Debug)]
pub struct Swing {
    /// The mean over the periods seen (s).
    pub period: f64,
    /// The geometric mean over the periods seen.
    pub loss: f64,
}

impl Mode {
    /// Of links of these lengths (m) with these masses at their lower ends (kg) under `gravity` (m/s²), by inverse
    /// iteration: a shape's inertia is a load, and the load's deflection the next shape.
    pub fn of(lengths: &[f64], masses: &[f64], gravity: f64) -> Self {
        let mut shape = vec![1.0; masses.len()];
        let mut square = 0.0;
        // The second mode is some five times as stiff, so that each round gains more than half a digit.
        for _ in 0..60 {
            let total = |weigh: &dyn Fn(usize) -> f64| -> Vec<f64> {
                let mut sums = vec![0.0; masses.len()];
                let mut sum = 0.0;
                for i in (0..masses.len()).rev() {
                    sum += masses[i] * weigh(i);
                    sums[i] = sum;
                }
                sums
            };
            let (load, weight) = (total(&|i| shape[i]), total(&|_| gravity));
            let mut at = 0.0;
            let deflection: Vec<f64> = (0..masses.len())
                .map(|i| {
                    at += lengths[i] * load[i] / weight[i];
                    at
                })
                .collect();
            square = 1.0 / at;
            shape = deflection.iter().map(|d| d / at).collect();
        }
        Self { shape, frequency: square.sqrt(), masses: masses.into() }
    }

    /// How much of the mode is in sideways displacements of the particles below the root.
    pub fn amplitude(&self, sideways: impl IntoIterator<Item = f64>) -> f64 {
        let weighted = |values: &mut dyn Iterator<Item = f64>| -> f64 {
            values.zip(&self.shape).zip(&self.masses).map(|((x, s), m)| x * s * m).sum()
        };
        weighted(&mut sideways.into_iter()) / weighted(&mut self.shape.iter().copied())
    }
}

impl Swing {
    /// Reads it off the amplitudes at the ends of frames of `dt` (s), over `periods` periods; `None` where there are
    /// not that many.
    pub fn read(amplitudes: &[f64], dt: f64, periods: usize) -> Option<Self> {
        let crossings = curve::zero_crossings(amplitudes);
        let last = *crossings.get(2 * periods)?;
        let period = (last - crossings[0]) * dt / real(periods);
        // Both turning points of a swing lie between its crossings; a mode's energy is the square of its amplitude.
        let turns: Vec<(f64, f64)> =
            curve::extrema(amplitudes).into_iter().filter(|&(at, _)| at > crossings[0]).collect();
        let ratio = |first: usize| turns.get(first + 2 * periods).map(|b| (b.1 / turns[first].1).powi(2));
        let kept = mean([ratio(0)?, ratio(1)?]);
        Some(Self { period, loss: 1.0 - kept.powf(1.0 / real(periods)) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::Chain;
    use std::f64::consts::TAU;

    const G: f64 = 9.81;

    #[test]
    fn the_mode_of_equal_links_is_a_zero_of_a_laguerre_polynomial() {
        let (links, length) = (20, 0.05);
        let mode = Mode::of(&vec![length; links], &vec![2.0 / 21.0; links], G);
        // L₀ = 1, L₁ = 1 − x, (k + 1)·Lₖ₊₁ = (2k + 1 − x)·Lₖ − k·Lₖ₋₁; the frequency's square is g/l times a zero.
        let x = mode.frequency.powi(2) * length / G;
        let (mut before, mut here) = (1.0, 1.0 - x);
        for k in 1..links {
            let k = real(k);
            (before, here) = (here, ((2.0 * k + 1.0 - x) * here - k * before) / (k + 1.0));
        }
        assert!(here.abs() < 1e-13, "L₂₀({x}) = {here}");
        assert!(mode.shape.windows(2).all(|pair| pair[0] < pair[1]), "not the slowest");
        assert!((mode.amplitude(mode.shape.iter().map(|s| 0.3 * s)) - 0.3).abs() < 1e-15);
    }

    #[test]
    fn a_pendulum_of_twenty_links_at_five_degrees_has_the_record_s_period() {
        let (lengths, masses) = ([0.05; 20], [2.0 / 21.0; 20]);
        let mode = Mode::of(&lengths, &masses, G);
        let mut chain = Chain::new(&lengths, &masses, 5.0_f64.to_radians(), G);
        let mut amplitudes = Vec::new();
        for _ in 0..600 {
            amplitudes.push(mode.amplitude(chain.positions().iter().skip(1).map(|p| p.x)));
            chain.advance(1.0 / 60.0, 40);
        }
        let swing = Swing::read(&amplitudes, 1.0 / 60.0, 4).unwrap();
        assert!((swing.period - 1.6897).abs() < 2e-4, "{swing:?}");
        assert!(swing.loss.abs() < 1e-3, "{swing:?}");
        // Amplitudes near zero swing a little faster.
        assert!(TAU / mode.frequency < swing.period);
    }

    #[test]
    fn a_decaying_cosine_loses_what_it_should() {
        let decay: Vec<f64> = (0..600)
            .map(|f| f64::from(f) / 60.0)
            .map(|t| (-0.05 * t).exp() * (TAU * t / 1.5).cos())
            .collect();
        let swing = Swing::read(&decay, 1.0 / 60.0, 4).unwrap();
        assert!((swing.period - 1.5).abs() < 1e-4, "{swing:?}");
        assert!((swing.loss - (1.0 - (-0.05_f64 * 2.0 * 1.5).exp())).abs() < 1e-4, "{swing:?}");
        assert!(Swing::read(&decay, 1.0 / 60.0, 9).is_none());
    }
}
