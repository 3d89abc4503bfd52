//! A sheet that falls on a fixed sphere and stays there, for candidates that have colliders.

use super::film::{StrainGauge, Stretch, kinetic};
use super::{Candidate, Stillness};
use crate::narrow::real;
use crate::workload::motion::library_settings;
use crate::workload::{Collider, Spec, Surface, scenes};
use anyhow::Result;
use glam::DVec3;

/// What a sheet that fell on a sphere showed.
#[derive(Clone, Copy, Debug)]
pub struct Landing {
    /// The deepest a particle ever was below the surface (m).
    pub depth: f64,
    /// Strain.
    pub stretch: Stretch,
    /// When it would fall asleep, as [`Stillness::settled`] has it.
    pub settled: Option<u32>,
    /// The most kinetic energy in the last 120 frames (J).
    pub kinetic: f64,
    /// Whether the middle of the sheet is still on the sphere's upper half.
    pub stays: bool,
}

/// The sphere's radius (m).
const RADIUS: f64 = 0.1;
/// How far below the sheet its top is (m).
const GAP: f64 = 0.1;
/// How far it is from below the sheet's middle (m).
const ASIDE: f64 = 0.015;
const FRICTION: f64 = 0.5;
const SIDE: usize = 20;
const FRAMES: u32 = 900;
const LATE: u32 = 120;
const DAMPING: f32 = 0.5;

/// A free 20×20 sheet falls 10 cm on a fixed sphere of 10 cm, 15 mm off its middle, with friction of 0.5 and damped by 0.5/s;
/// `None` from a candidate without colliders.
///
/// # Errors
///
/// What the candidate objects to.
pub fn landing(candidate: &dyn Candidate) -> Result<Option<Landing>> {
    let spec = Spec { pins: Vec::new(), ..library_settings(scenes::sheet(SIDE), DAMPING) };
    let workload = candidate.prepare(spec).build()?;
    let mut memory = Vec::new();
    let mut simulation = candidate.start(&workload, &mut memory)?;
    let side = 0.02 * real(SIDE - 1);
    let centre = DVec3::new(0.5 * side + ASIDE, -GAP - RADIUS, 0.5 * side);
    let surface = Surface::Sphere { centre, radius: RADIUS };
    if !simulation.add_collider(Collider { surface, friction: FRICTION })? {
        return Ok(None);
    }
    let mut gauge = StrainGauge::default();
    let mut stillness = Stillness::new(simulation.positions(), side);
    let (mut depth, mut moving) = (0.0_f64, 0.0_f64);
    let mut middle = DVec3::ZERO;
    for frame in 1..=FRAMES {
        simulation.step(&[])?;
        let pose = simulation.positions();
        gauge.read(&workload, &pose);
        stillness.see(&pose);
        depth = pose.iter().map(|x| RADIUS - x.distance(centre)).fold(depth, f64::max);
        if frame + LATE > FRAMES {
            moving = moving.max(kinetic(&workload.spec.masses, &simulation.velocities()));
        }
        middle = pose[SIDE / 2 * (SIDE + 1)];
    }
    let stays = middle.y > centre.y && middle.distance(centre) < 1.1 * RADIUS;
    let (stretch, settled) = (gauge.stretch(), stillness.settled());
    Ok(Some(Landing { depth, stretch, settled, kinetic: moving, stays }))
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

        fn add_collider(&mut self, collider: Collider) -> Result<bool> {
            let Surface::Sphere { centre, radius } = collider.surface else { return Ok(false) };
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
        assert!((landing.depth - 0.004).abs() < 1e-6, "{landing:?}");
        // Dust beside the sphere falls for ever.
        assert!(landing.stretch.worst > 10.0 && landing.settled.is_none() && !landing.stays, "{landing:?}");
        assert!(super::landing(&Sinking(-1.0)).unwrap().is_none());
    }
}
