//! A sheet that falls on a fixed sphere, for candidates that have colliders.

use super::Candidate;
use super::film::{StrainGauge, Stretch};
use crate::narrow::real;
use crate::workload::motion::library_settings;
use crate::workload::{Spec, scenes};
use anyhow::Result;
use glam::DVec3;

/// What a sheet that fell on a sphere showed.
#[derive(Clone, Copy, Debug)]
pub struct Landing {
    /// The deepest a particle ever was below the surface (m).
    pub depth: f64,
    /// Strain, while the sheet lies on the sphere and while it slides off.
    pub stretch: Stretch,
}

/// The sphere's radius (m).
const RADIUS: f64 = 0.1;
/// How far below the sheet its top is (m).
const GAP: f64 = 0.1;
const SIDE: usize = 20;
const FRAMES: u32 = 240;

/// A free 20×20 sheet falls 10 cm on a fixed sphere of 10 cm below its middle, which has no friction; `None` from a
/// candidate without colliders.
///
/// # Errors
///
/// What the candidate objects to.
pub fn landing(candidate: &dyn Candidate) -> Result<Option<Landing>> {
    let spec = Spec { pins: Vec::new(), ..library_settings(scenes::sheet(SIDE), 0.0) };
    let workload = candidate.prepare(spec).build()?;
    let mut memory = Vec::new();
    let mut simulation = candidate.start(&workload, &mut memory)?;
    let middle = 0.01 * real(SIDE - 1);
    let centre = DVec3::new(middle, -GAP - RADIUS, middle);
    if !simulation.add_sphere(centre, RADIUS)? {
        return Ok(None);
    }
    let mut gauge = StrainGauge::default();
    let mut depth = 0.0_f64;
    for _ in 0..FRAMES {
        simulation.step(&[])?;
        let pose = simulation.positions();
        gauge.read(&workload, &pose);
        depth = pose.iter().map(|x| RADIUS - x.distance(centre)).fold(depth, f64::max);
    }
    Ok(Some(Landing { depth, stretch: gauge.stretch() }))
}

#[cfg(test)]
mod tests {
    use super::super::{Goal, Simulation};
    use super::*;
    use crate::workload::Workload;
    use cloth_core::Block;

    /// Particles without rows that stop where they meet the sphere, `sunk` below its surface.
    struct Dust {
        positions: Vec<DVec3>,
        velocities: Vec<DVec3>,
        sphere: Option<(DVec3, f64)>,
        sunk: f64,
    }

    impl Simulation for Dust {
        fn step(&mut self, _: &[Goal]) -> Result<()> {
            for (x, v) in self.positions.iter_mut().zip(&mut self.velocities) {
                *v += DVec3::NEG_Y * (9.81 / 60.0);
                *x += *v / 60.0;
                if let Some((centre, radius)) = self.sphere
                    && x.distance(centre) < radius
                {
                    *x = centre + (*x - centre).normalize() * (radius - self.sunk);
                    *v = DVec3::ZERO;
                }
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

        fn hold(&mut self, _: u32, _: DVec3) -> Result<()> {
            anyhow::bail!("dust can't be held")
        }

        fn release(&mut self, _: u32) -> Result<()> {
            Ok(())
        }

        fn add_sphere(&mut self, centre: DVec3, radius: f64) -> Result<bool> {
            self.sphere = (self.sunk >= 0.0).then_some((centre, radius));
            Ok(self.sphere.is_some())
        }
    }

    /// Dust that sinks in that deep (m); without colliders when that is negative.
    struct Sinking(f64);

    impl Candidate for Sinking {
        fn name(&self) -> String {
            format!("dust {}", self.0)
        }

        fn start<'w>(
            &self,
            workload: &'w Workload,
            _: &'w mut Vec<Block>,
        ) -> Result<Box<dyn Simulation + 'w>> {
            let positions = workload.rest.clone();
            let velocities = vec![DVec3::ZERO; positions.len()];
            Ok(Box::new(Dust { positions, velocities, sphere: None, sunk: self.0 }))
        }

        fn refined(&self, _: u32) -> Box<dyn Candidate> {
            Box::new(Self(self.0))
        }
    }

    #[test]
    fn depth_and_strain_of_a_landing_are_seen() {
        let landing = landing(&Sinking(0.004)).unwrap().unwrap();
        assert!((landing.depth - 0.004).abs() < 1e-9, "{landing:?}");
        // Dust beside the sphere falls for ever.
        assert!(landing.stretch.worst > 10.0, "{landing:?}");
        assert!(super::landing(&Sinking(-1.0)).unwrap().is_none());
    }
}
