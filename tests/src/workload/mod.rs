//! The workloads of SOLVER §8, so that a figure means one thing.

pub mod absurd;
pub mod bodies;
mod collider;
pub mod hostile;
pub mod motion;
pub mod scenes;
pub mod shape;
pub mod solids;
pub mod walk;
pub mod wind;

pub use collider::{Collider, Surface};
pub use shape::{Edge, Shape, Topology};

use crate::narrow::{real, to_f32, to_u32};
use anyhow::{Context as _, Result};
use cloth_core::model::record::Backstop;
use cloth_core::simd::Level;
use cloth_core::step::{Colliders, Escape};
use cloth_core::{
    Block, ClothDynamics, ClothFlags, Model, ModelBuilder, SolverConstants, State, StepInput, StepReport,
    Targets, Vec3, step,
};
use glam::DVec3;

/// The frame of every workload that names no other: 1/60 s.
pub const DT: f32 = 1.0 / 60.0;
/// Standard gravity of the record (m/s²).
pub const G: f64 = 9.81;
/// Gravity of every workload that names no other (m/s²).
pub const GRAVITY: Vec3 = Vec3::new(0.0, -9.81, 0.0);

/// A fabric without any comfort: nothing damps, drags, bends or limits unless the workload says so.
pub const BARE: ClothDynamics = ClothDynamics {
    slack: 1.0,
    bend: 0.0,
    skip: 0.0,
    inertia: 1.0,
    damping: 0.0,
    drag: 0.0,
    lift: 0.0,
    substeps: 2,
    iterations: 4,
    stretch: 0.5,
    thickness: 0.004,
    flags: ClothFlags::NONE,
};

/// Everything a workload is made of, to be changed before it is built.
#[derive(Clone, Debug)]
pub struct Spec {
    /// Geometry.
    pub shape: Shape,
    /// Pinned vertices.
    pub pins: Vec<u32>,
    /// Mass per vertex (kg).
    pub masses: Vec<f32>,
    /// Whether tether rows are built.
    pub tethers: bool,
    /// Whether bend or skip rows are built.
    pub bend_rows: bool,
    /// Stiffness of every stretch row (N/m); infinite is hard.
    pub stiffness: f32,
    /// Stiffness of single rows (N/m).
    pub row_stiffness: Vec<(u32, u32, f32)>,
    /// How far each vertex may go behind its target; empty for no backstops.
    pub backstops: Vec<Backstop>,
    /// Fabric and budget.
    pub dynamics: ClothDynamics,
    /// Solver constants.
    pub constants: SolverConstants,
    /// Gravity (m/s²).
    pub gravity: Vec3,
    /// Fixed step (s).
    pub dt: f32,
    /// When particles that nothing frees go back to their targets.
    pub escape: Escape,
    /// Lanes, which change no bit.
    pub level: Level,
}

impl Spec {
    /// A spec of `shape` with one mass for every vertex (kg), a bare fabric, hard rows and tethers.
    pub fn new(shape: Shape, mass: f64) -> Self {
        let masses = vec![to_f32(mass); shape.positions.len()];
        Self {
            shape,
            pins: Vec::new(),
            masses,
            tethers: true,
            bend_rows: true,
            stiffness: f32::INFINITY,
            row_stiffness: Vec::new(),
            backstops: Vec::new(),
            dynamics: BARE,
            constants: SolverConstants::default(),
            gravity: GRAVITY,
            dt: DT,
            escape: Escape::default(),
            level: Level::detect(),
        }
    }

    /// With another budget.
    pub fn budget(mut self, substeps: u32, iterations: u32) -> Self {
        self.dynamics.substeps = substeps;
        self.dynamics.iterations = iterations;
        self
    }

    /// With another damping rate (1/s).
    pub fn damping(mut self, rate: f32) -> Self {
        self.dynamics.damping = rate;
        self
    }

    /// Bakes the model.
    ///
    /// # Errors
    ///
    /// What the builder objects to.
    pub fn build(self) -> Result<Workload> {
        let blocks = self.builder().build().context("baking a workload")?.into_blocks();
        let edges = self.shape.edges();
        let rest = self.shape.positions.iter().map(|&p| wide(Vec3::from_array(p))).collect();
        let held = to_u32(self.pins.len());
        Ok(Workload { edges, rest, blocks, held, spec: self })
    }

    /// The builder with everything of the spec told to it.
    pub fn builder(&self) -> ModelBuilder {
        let builder = match &self.shape.topology {
            Topology::Triangles(triangles) => ModelBuilder::mesh(&self.shape.positions, triangles),
            Topology::Chains(parents) => ModelBuilder::chains(&self.shape.positions, parents),
        };
        builder
            .pins(&self.pins)
            .masses(&self.masses)
            .tethers(self.tethers)
            .bend_rows(self.bend_rows)
            .stretch_stiffness(self.stiffness)
            .row_stiffness(&self.row_stiffness)
            .backstops(&self.backstops)
    }
}

/// A baked workload and what the bars measure it against.
pub struct Workload {
    /// What it was made from.
    pub spec: Spec,
    /// The model's blocks.
    pub blocks: Vec<Block>,
    /// The edges by vertices, from the geometry and not from the model.
    pub edges: Vec<Edge>,
    /// Rest positions (m).
    pub rest: Vec<DVec3>,
    /// How many vertices are pinned.
    pub held: u32,
}

impl Workload {
    /// The model, checked as one from anywhere would be.
    ///
    /// # Panics
    ///
    /// When the builder wrote blocks that `from_blocks` refuses.
    pub fn model(&self) -> Model<'_> {
        Model::from_blocks(&self.blocks).expect("the builder wrote a model")
    }

    /// Memory for one state.
    pub fn memory(&self) -> Vec<Block> {
        vec![Block::default(); self.model().state_blocks()]
    }

    /// Seeds a state in `memory`, at rest in the rest pose.
    ///
    /// # Errors
    ///
    /// What the core objects to.
    pub fn start<'w>(&'w self, memory: &'w mut [Block]) -> Result<Run<'w>> {
        self.start_on(&self.model(), memory)
    }

    /// [`start`](Self::start) on a copy of the model.
    ///
    /// # Errors
    ///
    /// What the core objects to.
    pub fn start_on<'w>(&'w self, model: &Model<'w>, memory: &'w mut [Block]) -> Result<Run<'w>> {
        let state = State::seed(model, memory).context("seeding")?;
        Ok(Run { workload: self, state, frame: 0 })
    }

    /// The input of a step that leaves targets alone.
    pub fn input(&self) -> StepInput<'_> {
        let spec = &self.spec;
        StepInput {
            constants: spec.constants,
            escape: spec.escape,
            level: spec.level,
            ..StepInput::new(spec.dt, spec.gravity, &spec.dynamics)
        }
    }

    /// The mass of the whole cloth, pins included (kg).
    pub fn total_mass(&self) -> f64 {
        self.spec.masses.iter().map(|&m| f64::from(m)).sum()
    }

    /// Length of the shortest way along the edges from each vertex to a pin (m), infinite where there is none.
    pub fn geodesics(&self) -> Vec<f64> {
        let mut distance = vec![f64::INFINITY; self.rest.len()];
        for &pin in &self.spec.pins {
            distance[pin as usize] = 0.0;
        }
        // Bellman–Ford: slow and obviously right, an oracle for the builder's.
        loop {
            let mut changed = false;
            for &Edge { a, b } in &self.edges {
                let (a, b) = (a as usize, b as usize);
                let length = self.rest[a].distance(self.rest[b]);
                for (from, to) in [(a, b), (b, a)] {
                    if distance[from] + length < distance[to] {
                        distance[to] = distance[from] + length;
                        changed = true;
                    }
                }
            }
            if !changed {
                return distance;
            }
        }
    }
}

/// A workload being stepped.
pub struct Run<'w> {
    /// What runs.
    pub workload: &'w Workload,
    /// Its state.
    pub state: State<'w>,
    /// Frames stepped so far.
    pub frame: u32,
}

impl Run<'_> {
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
        self.step_among(targets, Colliders::default())
    }

    /// One frame with targets, among colliders.
    ///
    /// # Errors
    ///
    /// What the core objects to.
    pub fn step_among(&mut self, targets: Targets<'_>, colliders: Colliders<'_>) -> Result<StepReport> {
        self.step_with(&StepInput { targets, colliders, ..self.workload.input() })
    }

    /// One frame with an input of its own.
    ///
    /// # Errors
    ///
    /// What the core objects to.
    pub fn step_with(&mut self, input: &StepInput<'_>) -> Result<StepReport> {
        self.frame += 1;
        step(&mut self.state, input).with_context(|| format!("frame {}", self.frame))
    }

    /// `frames` frames; the last report.
    ///
    /// # Errors
    ///
    /// What the core objects to.
    pub fn steps(&mut self, frames: u32) -> Result<StepReport> {
        let mut last = StepReport::default();
        for _ in 0..frames {
            last = self.step()?;
        }
        Ok(last)
    }

    /// Positions in vertex order (m).
    pub fn positions(&self) -> Vec<DVec3> {
        self.state.positions().map(wide).collect()
    }

    /// Velocities in vertex order (m/s).
    pub fn velocities(&self) -> Vec<DVec3> {
        self.state.velocities().map(wide).collect()
    }
}

/// The same vector in double precision.
pub fn wide(v: Vec3) -> DVec3 {
    DVec3::new(v.x.into(), v.y.into(), v.z.into())
}

/// The nearest vector in single precision.
pub fn narrow(v: DVec3) -> Vec3 {
    Vec3::new(to_f32(v.x), to_f32(v.y), to_f32(v.z))
}

/// `0, 1, … n − 1` as vertices.
pub fn first(n: usize) -> Vec<u32> {
    (0..to_u32(n)).collect()
}

/// The mean of some values; 0 of none.
pub fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut count) = (0.0, 0_usize);
    for value in values {
        sum += value;
        count += 1;
    }
    if count == 0 { 0.0 } else { sum / real(count) }
}
