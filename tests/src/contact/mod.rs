//! A cloth among colliders, and what measurements and tests of contact read off it.

pub mod crossing;
pub mod golden;
pub mod jaws;

use crate::physics::{self, Strain};
use crate::workload::{Run, Spec, narrow, wide};
use anyhow::{Context as _, Result};
use cloth_core::collide::{Collider, Kind, Pose, signed_distance};
use cloth_core::step::Colliders;
use cloth_core::{StepInput, StepReport, Targets, Vec3, step};
use glam::{DQuat, DVec3};

/// A workload being stepped among colliders.
pub struct Encounter<'w> {
    /// The cloth.
    pub run: Run<'w>,
    /// What it meets.
    pub colliders: Vec<Collider>,
    /// Words of hulls, meshes and height fields.
    pub shapes: Vec<u32>,
    /// Whether triangles and links meet what fits between particles.
    pub faces: bool,
    /// Whether it may fall asleep.
    pub sleep: bool,
    /// Most substeps of a step.
    pub most_substeps: u32,
    /// What reports of all steps said so far.
    pub seen: Seen,
}

/// Sums and maxima over the reports of steps.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    /// Contacts, substep by substep.
    pub contacts: u64,
    /// Missed crossings.
    pub missed: u64,
    /// Colliders dropped, the most of a step.
    pub dropped: u32,
    /// Particles put back by the guard.
    pub rescued: u64,
    /// Most substeps of a step.
    pub substeps: u32,
}

impl<'w> Encounter<'w> {
    /// A cloth that may not sleep, among some colliders that need no words.
    pub fn new(run: Run<'w>, colliders: Vec<Collider>) -> Self {
        let most_substeps = run.workload.input().most_substeps;
        Self {
            run,
            colliders,
            shapes: Vec::new(),
            faces: true,
            sleep: false,
            most_substeps,
            seen: Seen::default(),
        }
    }

    /// One frame.
    ///
    /// # Errors
    ///
    /// What the core objects to.
    pub fn step(&mut self) -> Result<StepReport> {
        self.step_to(Targets::Keep)
    }

    /// One frame with targets.
    ///
    /// # Errors
    ///
    /// What the core objects to.
    pub fn step_to(&mut self, targets: Targets<'_>) -> Result<StepReport> {
        let input = StepInput {
            targets,
            colliders: Colliders { records: &self.colliders, shapes: &self.shapes },
            faces: self.faces,
            sleep: self.sleep,
            most_substeps: self.most_substeps,
            ..self.run.workload.input()
        };
        self.run.frame += 1;
        let report =
            step(&mut self.run.state, &input).with_context(|| format!("frame {}", self.run.frame))?;
        self.seen.contacts += u64::from(report.contacts);
        self.seen.missed += u64::from(report.missed_crossings);
        self.seen.rescued += u64::from(report.rescued);
        self.seen.dropped = self.seen.dropped.max(report.dropped_colliders);
        self.seen.substeps = self.seen.substeps.max(report.substeps);
        Ok(report)
    }

    /// `frames` frames.
    ///
    /// # Errors
    ///
    /// What the core objects to.
    pub fn steps(&mut self, frames: u32) -> Result<()> {
        (0..frames).try_for_each(|_| self.step().map(drop))
    }

    /// Steps with sleep on until the cloth sleeps, `most` frames at most: how many it took.
    ///
    /// # Errors
    ///
    /// What the core objects to.
    pub fn until_asleep(&mut self, most: u32) -> Result<Option<u32>> {
        self.sleep = true;
        for frame in 1..=most {
            self.step()?;
            if self.run.state.is_asleep() {
                return Ok(Some(frame));
            }
        }
        Ok(None)
    }

    /// Moves a collider on.
    ///
    /// # Errors
    ///
    /// A pose that is none.
    pub fn drive(&mut self, index: usize, pose: Pose) -> Result<()> {
        self.colliders[index] = self.colliders[index].moved(pose)?;
        Ok(())
    }

    /// How far the deepest particle is nearer to a collider than cloth may be (m); negative where none is.
    pub fn intrusion(&self) -> f64 {
        let thickness = f64::from(self.run.workload.spec.dynamics.thickness);
        let gap = |c: &Collider| self.distances(c).fold(f64::INFINITY, f64::min) - f64::from(c.inflation);
        self.colliders.iter().map(|c| thickness - gap(c)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Distance of every particle from a collider where it is now (m).
    pub fn distances(&self, collider: &Collider) -> impl Iterator<Item = f64> {
        let pose = collider.pose();
        let of = move |x| distance(collider, &self.shapes, &pose, x);
        self.run.state.positions().map(of)
    }

    /// Strain of the edges.
    pub fn strain(&self) -> Strain {
        physics::strain(self.run.workload, &self.run.positions())
    }

    /// Kinetic energy (J).
    pub fn kinetic(&self) -> f64 {
        physics::energy(&self.run).kinetic
    }

    /// Gives every particle one velocity (m/s).
    ///
    /// # Errors
    ///
    /// What the core objects to.
    pub fn throw(&mut self, velocity: DVec3) -> Result<()> {
        for vertex in 0..self.run.state.model().source_count() {
            let x = self.run.state.position(vertex).context("a vertex that is counted is there")?;
            self.run.state.place(vertex, x, narrow(velocity))?;
        }
        Ok(())
    }
}

/// Distance of a point from a collider (m): of planes and balls in double precision, of others core's own, which
/// `measure shapes` holds against `f64`.
pub fn distance(collider: &Collider, shapes: &[u32], pose: &Pose, x: Vec3) -> f64 {
    let away = wide(x) - wide(pose.translation);
    match Kind::of(collider.kind) {
        Some(Kind::Sphere) => away.length() - f64::from(collider.sizes[0]) * f64::from(collider.scale),
        Some(Kind::Plane) => {
            let rotation = DQuat::from_array(pose.rotation.map(f64::from)).normalize();
            away.dot(rotation * DVec3::Y)
        }
        _ => signed_distance(collider, shapes, pose, x).distance.into(),
    }
}

/// A pose without a turn (m).
pub fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::at(narrow(DVec3::new(x, y, z)))
}

/// A pose turned about an axis by an angle (rad).
pub fn turned(position: DVec3, axis: DVec3, angle: f64) -> Pose {
    let rotation = DQuat::from_axis_angle(axis, angle).to_array();
    Pose { translation: narrow(position), rotation: rotation.map(crate::narrow::to_f32) }
}

/// The horizontal plane through a height (m), with a coefficient of friction (1).
///
/// # Errors
///
/// None for numbers.
pub fn floor(height: f64, friction: f32) -> Result<Collider> {
    Ok(Collider::plane(at(0.0, height, 0.0))?.touching(friction, 0.0)?)
}

/// Two particles a link apart along Y, the first at a place, of a thickness, weightless and undamped: a chain of fewer is none.
pub fn pair(place: DVec3, thickness: f32) -> Spec {
    let shape = crate::workload::Shape::strands(1, 1, 0.1, DVec3::Y).moved(|p| p + place);
    let mut spec = Spec { gravity: Vec3::ZERO, ..Spec::new(shape, 0.001) }.budget(8, 1);
    spec.dynamics.thickness = thickness;
    spec
}
