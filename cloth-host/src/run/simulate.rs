//! Building a scene's cloth and stepping it through its frames.

// What is made here feeds a step.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

use cloth_core::anchor::Teleport;
use cloth_core::bake::Note;
use cloth_core::fabric::library::Density;
use cloth_core::simd::Level;
use cloth_core::{Baked, Block, BuildReport, Fingerprint, Model, ModelBuilder};
use serde::Serialize;

use super::air::{FluidRun, Views};
use super::stage::Stage;
use super::{RunProblem, Streamline, notes};
use crate::error::{Error, Problem};
use crate::inspect::Finding;
use crate::scene::{Body, Scene};
use crate::world::{ClothDiagnostics, Executor, Serial, WorldError};

/// Colliders that every model has room for.
const COLLIDERS: u32 = 64;

/// What is known of one frame: a line of `frames.csv`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FrameRow {
    /// The frame, counted from 1; 0 is the start and has no line.
    pub frame: u32,
    /// Its time (s).
    pub time: f64,
    /// Largest strain of a stretch row (1).
    pub max_strain: f32,
    /// Mean strain of the stretch rows (1).
    pub mean_strain: f32,
    /// Kinetic energy (J).
    pub kinetic_energy: f32,
    /// Largest speed of a particle (m/s).
    pub max_speed: f32,
    /// Contacts with colliders, counted once a substep.
    pub contacts: u32,
    /// Particles that got into a collider all the same.
    pub missed_crossings: u32,
    /// Colliders in reach that were not met.
    pub dropped_colliders: u32,
    /// Substeps that were taken; 0 of a cloth that sleeps.
    pub substeps: u32,
    /// Whether the cloth sleeps. Its strain is that of its last step then.
    pub asleep: bool,
    /// What the step took (ms).
    pub ms: f64,
    /// Whether an anchor went so far that the cloth was put on its targets. The notes say so, and no column does.
    #[serde(skip)]
    pub reset: bool,
}

/// The positions at one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Shot {
    /// The frame; 0 is the start.
    pub frame: u32,
    /// Its time (s).
    pub time: f64,
    /// Positions of the scene's vertices (m).
    pub positions: Vec<[f32; 3]>,
    /// The air about them, of frames that become pictures.
    pub air: Vec<Streamline>,
}

/// A scene's motion.
#[derive(Clone, Debug)]
pub struct Recording {
    /// What the builder did.
    pub report: BuildReport,
    /// What may not be meant, or should be known.
    pub notes: Vec<String>,
    /// For each vertex of the cloth and its copies the one it was welded to, itself if none; empty where none can be.
    pub welded: Vec<u32>,
    /// Bytes of the model.
    pub model_bytes: usize,
    /// Bytes of the state.
    pub state_bytes: usize,
    /// The model's fingerprint.
    pub model_fingerprint: Fingerprint,
    /// The state's fingerprint after the last frame; of several cloths that of the world they are in.
    pub final_fingerprint: Fingerprint,
    /// Particles that the step's guard had to rescue, over all frames.
    pub rescued: u64,
    /// Particles that went to their targets because nothing else freed them.
    pub escaped: u64,
    /// How the scene's volumes of air did.
    pub fluids: Vec<FluidRun>,
    /// One line a frame.
    pub rows: Vec<FrameRow>,
    /// The frames that were asked for, in order.
    pub shots: Vec<Shot>,
    /// Least coordinates over all frames (m).
    pub low: [f32; 3],
    /// Greatest coordinates over all frames (m).
    pub high: [f32; 3],
}

impl Recording {
    /// The positions at a frame, if it was asked for.
    pub fn shot(&self, frame: u32) -> Option<&Shot> {
        let index = self.shots.binary_search_by_key(&frame, |shot| shot.frame).ok()?;
        self.shots.get(index)
    }

    /// Nothing yet of a scene.
    pub(super) fn new(scene: &Scene, prepared: &Prepared) -> Self {
        let Prepared { baked, notes } = prepared;
        let model = baked.model();
        Self {
            report: baked.report.clone(),
            notes: notes.clone(),
            welded: welded(scene, &model),
            model_bytes: model.byte_len(),
            state_bytes: model.state_blocks() * size_of::<Block>(),
            model_fingerprint: model.fingerprint(),
            final_fingerprint: Fingerprint(0),
            rescued: 0,
            escaped: 0,
            fluids: Vec::new(),
            rows: Vec::new(),
            shots: Vec::new(),
            low: [f32::INFINITY; 3],
            high: [f32::NEG_INFINITY; 3],
        }
    }

    /// Takes a frame in: its place in the extent, and where it is wanted itself, with the air that is asked for then.
    pub(super) fn record(
        &mut self,
        scene: &Scene,
        frame: u32,
        wanted: bool,
        positions: Vec<[f32; 3]>,
        air: impl FnOnce() -> Vec<Streamline>,
    ) {
        for position in &positions {
            for ((low, high), value) in self.low.iter_mut().zip(&mut self.high).zip(*position) {
                if value < *low {
                    *low = value;
                }
                if value > *high {
                    *high = value;
                }
            }
        }
        if wanted {
            self.shots.push(Shot { frame, time: scene.time(frame), positions, air: air() });
        }
    }
}

/// A scene's cloth, built.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The model and what the builder did.
    pub baked: Baked,
    /// What may not be meant, or should be known: the builder's notes and those about colliders and the fabric.
    pub notes: Vec<String>,
}

/// Builds the model of a scene's cloth. Where its fabric bends more stiffly than merged bend rows carry, they are solved
/// one by one, unless the scene says how they are to be solved.
///
/// # Errors
/// [`Error`] with a [`RunProblem`], naming the mesh's line where the fault has one.
pub fn prepare(scene: &Scene) -> Result<Prepared, Error> {
    let dynamics = &scene.fabric.dynamics;
    let builder = builder(scene).stiff_bend(scene.fabric.stiff_bend == Some(true));
    let baked = build(scene, builder.clone())?;
    let limit = baked.model().merged_bend_limit(scene.dt(), dynamics.substeps);
    // Cloth that falls onto something is meant to fall.
    let lands = |note: &Note| *note == Note::NoPins && !scene.colliders.is_empty();
    let mut notes: Vec<String> =
        baked.report.notes.iter().filter(|note| !lands(note)).map(ToString::to_string).collect();
    notes.extend(scene.colliders.iter().filter_map(|collider| collider.note.clone()));
    notes.extend(notes::of_start(scene));
    if dynamics.bend <= limit {
        return Ok(Prepared { baked, notes });
    }
    let above = format!("bend {} N·m is above what merged rows carry ({limit:.1e})", dynamics.bend);
    if scene.fabric.stiff_bend == Some(false) {
        notes.push(format!("{above}: they have that much, as stiff_bend = false asks"));
        return Ok(Prepared { baked, notes });
    }
    notes.push(format!("{above}: hinges solved one by one"));
    Ok(Prepared { baked: build(scene, builder.stiff_bend(true))?, notes })
}

fn builder(scene: &Scene) -> ModelBuilder {
    let builder = match &scene.body {
        Body::Surface(surface) => ModelBuilder::mesh(&surface.positions, &surface.triangles),
        Body::Chain { positions, parents } => ModelBuilder::chains(positions, parents),
    };
    let builder = match scene.fabric.density {
        Density::Areal(density) => builder.areal_density(density),
        Density::Linear(density) => builder.linear_density(density),
    };
    let builder = match scene.weld {
        Some(distance) => builder.weld(distance),
        None => builder,
    };
    let builder = match scene.backstop {
        Some(backstop) => builder.backstops(&vec![backstop; scene.body.positions().len()]),
        None => builder,
    };
    // Room for all of them, and never less than any other model has.
    let most = u32::try_from(scene.colliders.len()).unwrap_or(u32::MAX);
    let builder = if most > COLLIDERS { builder.colliders(most) } else { builder };
    builder.pins(&scene.pins)
}

fn build(scene: &Scene, builder: ModelBuilder) -> Result<Baked, Error> {
    builder.build().map_err(|error| match (error, &scene.body) {
        (cloth_core::BuildError::Defect(defect), Body::Surface(surface)) => {
            Finding::new(surface, defect).into_error(scene.mesh_path.as_deref().unwrap_or(&scene.path))
        }
        _ => Problem::Run(RunProblem::Build(error)).in_file(&scene.path),
    })
}

/// Steps a scene through its frames in the widest lanes this processor has, keeping the positions of the frames in
/// `keep` (rising). `progress` hears the number of every finished frame.
///
/// # Errors
/// [`Error`] with a [`RunProblem`].
pub fn simulate(
    scene: &Scene,
    prepared: &Prepared,
    keep: &[u32],
    progress: impl FnMut(u32),
) -> Result<Recording, Error> {
    simulate_on(Serial::default(), scene, prepared, keep, progress)
}

/// [`simulate`], the steps of a frame's cloths taken by an executor of the caller's choice, which changes no bit.
///
/// # Errors
/// As [`simulate`].
pub fn simulate_on(
    executor: impl Executor + 'static,
    scene: &Scene,
    prepared: &Prepared,
    keep: &[u32],
    progress: impl FnMut(u32),
) -> Result<Recording, Error> {
    simulate_at(Level::detect(), executor, scene, prepared, keep, progress)
}

/// [`simulate_on`] in lanes of the caller's choice, which change no bit.
fn simulate_at(
    level: Level,
    executor: impl Executor + 'static,
    scene: &Scene,
    prepared: &Prepared,
    keep: &[u32],
    mut progress: impl FnMut(u32),
) -> Result<Recording, Error> {
    let baked = &prepared.baked;
    let refused = |frame: u32| {
        move |error: WorldError| Problem::Run(RunProblem::World { frame, error }).in_file(&scene.path)
    };
    let mut stage = Stage::new(scene, baked, level).map_err(refused(0))?;
    stage.world.set_executor(executor);
    let mut recording = Recording::new(scene, prepared);
    let wanted = |frame: u32| keep.binary_search(&frame).is_ok();
    let views = Views::new(scene, 0, scene.frames);
    recording.record(scene, 0, wanted(0), stage.positions(), || views.air(&stage.world, 0));
    let mut before = ClothDiagnostics::default();
    for frame in 1..=scene.frames {
        stage.step(frame).map_err(refused(frame))?;
        FluidRun::watch(&mut recording.fluids, &stage.world, stage.volumes());
        let now = stage.diagnostics();
        recording.rows.push(FrameRow::new(scene, frame, &now, &before));
        recording.record(scene, frame, wanted(frame), stage.positions(), || views.air(&stage.world, frame));
        before = now;
        progress(frame);
    }
    recording.rescued = before.rescued;
    recording.escaped = before.escaped;
    recording.notes.extend(notes::of_contacts(&recording.rows));
    recording.notes.extend(notes::of_jumps(&recording.rows));
    recording.final_fingerprint = stage.fingerprint();
    Ok(recording)
}

/// For each vertex of the scene's cloth and its copies the one it was welded to. Where others hang from the cloth, none of it was.
fn welded(scene: &Scene, model: &Model<'_>) -> Vec<u32> {
    if !scene.nested.is_empty() {
        return Vec::new();
    }
    let own: Vec<u32> = model.particle_of().iter().map(|at| model.source_of()[*at as usize]).collect();
    let starts = (0..scene.copies.count).map(|copy| copy * model.source_count());
    starts.flat_map(|start| own.iter().map(move |vertex| vertex + start)).collect()
}

impl FrameRow {
    /// A frame's line from what the cloth says after it, and what it said before: some of it is counted from the start on.
    pub(super) fn new(scene: &Scene, frame: u32, now: &ClothDiagnostics, before: &ClothDiagnostics) -> Self {
        let missed = now.missed_crossings - before.missed_crossings;
        Self {
            frame,
            time: scene.time(frame),
            max_strain: now.max_strain,
            mean_strain: now.mean_strain,
            kinetic_energy: now.kinetic_energy,
            max_speed: now.max_speed,
            contacts: now.contacts,
            missed_crossings: u32::try_from(missed).unwrap_or(u32::MAX),
            dropped_colliders: now.overflow.colliders,
            substeps: now.substeps,
            asleep: now.asleep,
            ms: now.milliseconds,
            reset: now.teleported == Some(Teleport::Reset),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::BUNDLED;
    use crate::world::Pipelined;
    use cloth_core::State;

    #[test]
    fn neither_lanes_nor_executors_change_a_bit() {
        for bundled in BUNDLED {
            let mut scene =
                Scene::bundled(bundled.name).expect("it is in the list").expect("it has no errors");
            scene.frames = 12;
            let prepared = prepare(&scene).expect("it can be built");
            let widest = simulate(&scene, &prepared, &[12], |_| ()).expect("it runs");
            let scalar = simulate_at(Level::SCALAR, Serial::default(), &scene, &prepared, &[12], |_| ());
            let scalar = scalar.expect("it runs");
            // Of a step beside the scene nothing is recorded a frame late.
            let beside = simulate_on(Pipelined::new(), &scene, &prepared, &[12], |_| ()).expect("it runs");
            assert_eq!(beside.final_fingerprint, scalar.final_fingerprint, "{}", scene.name);
            assert_eq!(beside.shots, scalar.shots, "{}", scene.name);
            assert_eq!(widest.final_fingerprint, scalar.final_fingerprint, "{}", scene.name);
            assert_eq!(widest.shots, scalar.shots, "{}", scene.name);
            assert_ne!(
                widest.final_fingerprint,
                fingerprint_at_rest(&prepared.baked),
                "{} does not move",
                scene.name
            );
        }
    }

    /// The fingerprint of a cloth that was not stepped.
    fn fingerprint_at_rest(baked: &Baked) -> Fingerprint {
        let model = baked.model();
        let mut memory = vec![Block::default(); model.state_blocks()];
        State::seed(&model, &mut memory).expect("the memory is large enough").fingerprint()
    }
}
