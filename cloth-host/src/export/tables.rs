//! `frames.csv` and `report.json`.

use serde::Serialize;

use crate::error::Problem;
use crate::fluid::FluidVolume;
use crate::run::{FluidRun, FrameRow, Recording, RunProblem};
use crate::scene::{Scene, SceneCollider, Standing};

/// The table: a heading, then a line a frame.
///
/// # Errors
/// [`RunProblem::Encode`] if the table cannot be written.
pub fn frames_csv(rows: &[FrameRow]) -> Result<Vec<u8>, Problem> {
    let failed = |what: String| Problem::Run(RunProblem::Encode(what));
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row).map_err(|error| failed(error.to_string()))?;
    }
    writer.into_inner().map_err(|error| failed(error.to_string()))
}

#[derive(Serialize)]
struct Report<'a> {
    scene: &'a str,
    mesh: Option<&'a str>,
    fabric: &'a str,
    colliders: Vec<ColliderFacts<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    air: Option<AirFacts>,
    model: ModelFacts,
    repairs: Vec<String>,
    notes: Vec<String>,
    budget: Budget,
    totals: Totals,
    fingerprints: Fingerprints,
}

#[derive(Serialize)]
struct ColliderFacts<'a> {
    name: &'a str,
    shape: &'a str,
    moves: bool,
}

/// The air, of a scene that has some.
#[derive(Serialize)]
struct AirFacts {
    wind: Option<WindFacts>,
    zones: usize,
    fluids: Vec<FluidFacts>,
}

#[derive(Serialize)]
struct WindFacts {
    velocity: [f32; 3],
    gust: [f32; 3],
    period: f32,
}

#[derive(Serialize)]
struct FluidFacts {
    half_extents: [f32; 3],
    cell: f32,
    divergence: f32,
    most_sweeps: u32,
    frames_asleep: u32,
}

impl AirFacts {
    fn of(scene: &Scene, recording: &Recording) -> Self {
        let fluid = |(fluid, run): (&Standing<FluidVolume>, &FluidRun)| FluidFacts {
            half_extents: fluid.source.half_extents,
            cell: fluid.source.cell,
            divergence: run.divergence,
            most_sweeps: run.most_sweeps,
            frames_asleep: run.frames_asleep,
        };
        Self {
            wind: scene.air.wind.map(|wind| WindFacts {
                velocity: wind.velocity,
                gust: wind.gust,
                period: wind.period,
            }),
            zones: scene.air.zones.len(),
            fluids: scene.air.fluids.iter().zip(&recording.fluids).map(fluid).collect(),
        }
    }
}

#[derive(Serialize)]
struct ModelFacts {
    vertices: u32,
    particles: u32,
    triangles: u32,
    stretch_rows: u32,
    bend_rows: u32,
    skip_rows: u32,
    tethers: u32,
    pins: u32,
    colours: u32,
    components: u32,
    model_bytes: usize,
    state_bytes: usize,
}

impl<'a> ColliderFacts<'a> {
    fn of(collider: &'a SceneCollider) -> Self {
        Self { name: &collider.name, shape: collider.shape, moves: !collider.is_still() }
    }
}

#[derive(Serialize)]
struct Budget {
    frames: u32,
    fps: f64,
    substeps: u32,
    iterations: u32,
}

#[derive(Serialize)]
struct Totals {
    seconds: f64,
    max_strain: f32,
    mean_strain: f64,
    max_speed: f32,
    final_kinetic_energy: f32,
    rescued: u64,
    contacts: u64,
    missed_crossings: u64,
    dropped_colliders: u32,
    most_substeps: u32,
    frames_asleep: usize,
    step_ms_mean: f64,
    step_ms_total: f64,
}

#[derive(Serialize)]
struct Fingerprints {
    model: String,
    final_state: String,
}

/// The report: what was built, what was found, and the fingerprints that tell two runs apart. Everything in it but
/// the times (`step_ms_…`) is the same on every machine.
///
/// # Errors
/// [`RunProblem::Encode`] if the report cannot be written.
pub fn report_json(scene: &Scene, recording: &Recording) -> Result<Vec<u8>, Problem> {
    let (build, rows) = (&recording.report, &recording.rows);
    let count = rows.len().max(1) as f64;
    let step_ms_total: f64 = rows.iter().map(|row| row.ms).sum();
    let report = Report {
        scene: &scene.name,
        mesh: scene.mesh_path.as_deref(),
        fabric: scene.fabric.name,
        colliders: scene.colliders.iter().map(ColliderFacts::of).collect(),
        air: scene.air.is_some().then(|| AirFacts::of(scene, recording)),
        model: ModelFacts {
            vertices: build.vertices,
            particles: build.particles,
            triangles: build.triangles,
            stretch_rows: build.stretch_rows,
            bend_rows: build.hinge_rows,
            skip_rows: build.skip_rows,
            tethers: build.tethers,
            pins: build.pins,
            colours: build.colours,
            components: build.components,
            model_bytes: recording.model_bytes,
            state_bytes: recording.state_bytes,
        },
        repairs: build.repairs.iter().map(ToString::to_string).collect(),
        notes: recording.notes.clone(),
        budget: Budget {
            frames: scene.frames,
            fps: scene.fps,
            substeps: scene.fabric.dynamics.substeps,
            iterations: scene.fabric.dynamics.iterations,
        },
        totals: Totals {
            seconds: scene.time(scene.frames),
            max_strain: rows.iter().map(|row| row.max_strain).fold(0.0, f32::max),
            mean_strain: rows.iter().map(|row| f64::from(row.mean_strain)).sum::<f64>() / count,
            max_speed: rows.iter().map(|row| row.max_speed).fold(0.0, f32::max),
            final_kinetic_energy: rows.last().map_or(0.0, |row| row.kinetic_energy),
            rescued: recording.rescued,
            contacts: rows.iter().map(|row| u64::from(row.contacts)).sum(),
            missed_crossings: rows.iter().map(|row| u64::from(row.missed_crossings)).sum(),
            dropped_colliders: rows.iter().map(|row| row.dropped_colliders).fold(0, u32::max),
            most_substeps: rows.iter().map(|row| row.substeps).fold(0, u32::max),
            frames_asleep: rows.iter().filter(|row| row.asleep).count(),
            step_ms_mean: step_ms_total / count,
            step_ms_total,
        },
        fingerprints: Fingerprints {
            model: recording.model_fingerprint.to_string(),
            final_state: recording.final_fingerprint.to_string(),
        },
    };
    let mut bytes = serde_json::to_vec_pretty(&report)
        .map_err(|error| Problem::Run(RunProblem::Encode(error.to_string())))?;
    bytes.push(b'\n');
    Ok(bytes)
}
