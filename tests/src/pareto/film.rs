//! A scene as it was seen: the pose at the end of every frame.

use super::{Candidate, Goal, Simulation};
use crate::physics;
use crate::workload::{Edge, Spec, Workload, mean, wide};
use anyhow::Result;
use glam::DVec3;

/// All poses of a run.
pub struct Film {
    /// What ran.
    pub workload: Workload,
    /// Positions by frame, the start as frame 0 (m).
    pub poses: Vec<Vec<DVec3>>,
}

/// What happens before a frame is stepped; the goals of its held vertices.
pub type Script<'s> = dyn FnMut(u32, &mut dyn Simulation) -> Result<Vec<Goal>> + 's;

/// A film's most stretched edge, late and at its worst.
#[derive(Clone, Copy, Debug)]
pub struct Stretch {
    /// Median over the last 120 frames of the worst edge strain.
    pub late: f64,
    /// Its peak.
    pub worst: f64,
}

/// The worst edge strain of a pose; infinite where a position is no number.
pub fn worst_strain(workload: &Workload, pose: &[DVec3]) -> f64 {
    if physics::finite(pose) { physics::strain(workload, pose).worst } else { f64::INFINITY }
}

/// Kinetic energy (J); infinite where a velocity is no number.
pub fn kinetic(masses: &[f32], velocities: &[DVec3]) -> f64 {
    let all = masses.iter().zip(velocities);
    let energy: f64 = all.map(|(&m, v)| 0.5 * f64::from(m) * v.length_squared()).sum();
    if energy.is_nan() { f64::INFINITY } else { energy }
}

/// Collects the strain of a run frame by frame.
#[derive(Default)]
pub struct StrainGauge(Vec<f64>);

impl StrainGauge {
    /// One more frame.
    pub fn read(&mut self, workload: &Workload, pose: &[DVec3]) {
        self.0.push(worst_strain(workload, pose));
    }

    /// Of all frames read.
    pub fn stretch(&self) -> Stretch {
        let mut late = self.0[self.0.len().saturating_sub(120)..].to_vec();
        late.sort_by(f64::total_cmp);
        Stretch { late: late[late.len() / 2], worst: self.0.iter().copied().fold(0.0, f64::max) }
    }
}

impl Film {
    /// Films `frames` frames in which nothing happens from outside.
    ///
    /// # Errors
    ///
    /// What the candidate objects to.
    pub fn shoot(candidate: &dyn Candidate, spec: Spec, frames: u32) -> Result<Self> {
        Self::directed(candidate, spec, frames, &mut |_, _| Ok(Vec::new()))
    }

    /// Films `frames` frames after a script.
    ///
    /// # Errors
    ///
    /// What the candidate objects to.
    pub fn directed(
        candidate: &dyn Candidate,
        spec: Spec,
        frames: u32,
        script: &mut Script<'_>,
    ) -> Result<Self> {
        let workload = candidate.prepare(spec).build()?;
        let mut memory = Vec::new();
        let mut simulation = candidate.start(&workload, &mut memory)?;
        let mut poses = vec![simulation.positions()];
        for frame in 1..=frames {
            let goals = script(frame, &mut *simulation)?;
            simulation.step(&goals)?;
            poses.push(simulation.positions());
        }
        drop(simulation);
        Ok(Self { workload, poses })
    }

    /// Length of a frame (s).
    pub fn dt(&self) -> f64 {
        f64::from(self.workload.spec.dt)
    }

    /// The mean of a component over some vertices, frame by frame.
    pub fn curve(&self, vertices: &[u32], component: impl Fn(DVec3) -> f64) -> Vec<f64> {
        let of = |pose: &Vec<DVec3>| mean(vertices.iter().map(|&v| component(pose[v as usize])));
        self.poses.iter().map(of).collect()
    }

    /// Late and worst strain.
    pub fn stretch(&self) -> Stretch {
        let mut gauge = StrainGauge::default();
        for pose in &self.poses {
            gauge.read(&self.workload, pose);
        }
        gauge.stretch()
    }

    /// Velocity by central difference, for every vertex (m/s); `frame` is neither the first nor the last.
    pub fn velocities(&self, frame: usize) -> Vec<DVec3> {
        let pair = self.poses[frame + 1].iter().zip(&self.poses[frame - 1]);
        pair.map(|(&after, &before)| (after - before) / (2.0 * self.dt())).collect()
    }

    /// Kinetic energy by central difference, potential energy over the start and that of soft rows, of the free
    /// particles (J).
    pub fn energy(&self, frame: usize) -> f64 {
        let spec = &self.workload.spec;
        let gravity = wide(spec.gravity);
        let velocities = self.velocities(frame);
        let mut energy = 0.0;
        for (vertex, (&x, v)) in self.poses[frame].iter().zip(velocities).enumerate() {
            if !spec.pins.iter().any(|&pin| pin as usize == vertex) {
                let fallen = gravity.dot(x - self.poses[0][vertex]);
                energy += f64::from(spec.masses[vertex]) * (0.5 * v.length_squared() - fallen);
            }
        }
        if spec.stiffness.is_finite() {
            for &Edge { a, b } in &self.workload.edges {
                let (a, b) = (a as usize, b as usize);
                let rest = self.workload.rest[a].distance(self.workload.rest[b]);
                let stretched = self.poses[frame][a].distance(self.poses[frame][b]) - rest;
                energy += 0.5 * f64::from(spec.stiffness) * stretched * stretched;
            }
        }
        energy
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::Shape;

    #[test]
    fn the_gauge_reads_late_and_worst_and_is_not_blind_to_nan() {
        let workload = Spec::new(Shape::strands(1, 1, 1.0, DVec3::Z), 1.0).build().unwrap();
        let mut gauge = StrainGauge::default();
        let pose = |length: f64| [DVec3::ZERO, DVec3::Z * length];
        // One early peak, then 120 frames whose median is 0.2.
        gauge.read(&workload, &pose(3.0));
        for frame in 0..120 {
            gauge.read(&workload, &pose(if frame < 59 { 1.1 } else { 0.8 }));
        }
        let stretch = gauge.stretch();
        assert!((stretch.worst - 2.0).abs() < 1e-12 && (stretch.late - 0.2).abs() < 1e-12, "{stretch:?}");
        gauge.read(&workload, &pose(f64::NAN));
        assert!(gauge.stretch().worst.is_infinite());
    }
}
