//! Scenes of one cloth as recordings that core reads by itself.

// What is made here feeds a step.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

use std::sync::{Arc, Mutex, PoisonError};

use cloth_core::replay::{Recorder, Recording};
use cloth_core::simd::Level;

use super::stage::{Placed, Stage};
use super::{Prepared, RunProblem};
use crate::error::{Error, Problem};
use crate::replay::ReplayError;
use crate::scene::Scene;
use crate::world::{Executor, Parallelism, Serial, Work, WorldError};

/// The recorder, which the executor writes to while the world has the executor.
type Shared = Arc<Mutex<Option<Recorder>>>;

/// Takes the steps of the one cloth there is, and notes what each was told: as the world works it out, anchors, colliders and targets
/// included, so that the recording holds what `cloth run` does.
struct Noting {
    cloths: Vec<Work>,
    recorder: Shared,
}

impl Executor for Noting {
    fn start(&mut self, cloths: Vec<Work>) {
        self.cloths = cloths;
    }

    fn join(&mut self) -> Vec<Work> {
        let mut cloths = core::mem::take(&mut self.cloths);
        let mut recorder = self.recorder.lock().unwrap_or_else(PoisonError::into_inner);
        for cloth in &mut cloths {
            cloth.step_by(|state, input| {
                let report = cloth_core::step(state, input)?;
                if let Some(recorder) = recorder.as_mut() {
                    recorder.frame(input, state.fingerprint());
                }
                Ok(report)
            });
        }
        cloths
    }

    fn name(&self) -> &'static str {
        "noting"
    }

    fn parallelism(&self) -> Parallelism {
        Serial::default().parallelism()
    }
}

/// Runs a scene of one cloth and records that alone, in the format of [`cloth_core::replay`]. A frame of the scene is one of the recording.
/// `progress` hears the number of every finished one.
///
/// # Errors
/// [`Error`] with [`RunProblem::ManyCloths`], another [`RunProblem`], or a [`ReplayError`].
pub fn record_single(
    scene: &Scene,
    prepared: &Prepared,
    mut progress: impl FnMut(u32),
) -> Result<Recording, Error> {
    let failed = |problem: RunProblem| Problem::Run(problem).in_file(&scene.path);
    let refused = |frame: u32| move |error: WorldError| failed(RunProblem::World { frame, error });
    let unwritten = |error| Problem::Replay(ReplayError::Single { byte: 0, error }).in_file(&scene.path);
    let mut stage = Stage::new(scene, &prepared.baked, Level::detect()).map_err(refused(0))?;
    let count = stage.cloths.len();
    let [Placed { anchor, .. }] = stage.cloths[..] else {
        return Err(failed(RunProblem::ManyCloths { count }));
    };
    let none = || failed(RunProblem::ManyCloths { count: 0 });
    let recorder = Recorder::new(stage.world.state(anchor).ok_or_else(none)?).map_err(unwritten)?;
    let shared: Shared = Arc::new(Mutex::new(Some(recorder)));
    stage.world.set_executor(Noting { cloths: Vec::new(), recorder: shared.clone() });
    for frame in 1..=scene.frames {
        stage.step(frame).map_err(refused(frame))?;
        progress(frame);
    }
    let recorder = shared.lock().unwrap_or_else(PoisonError::into_inner).take();
    recorder.ok_or_else(none)?.finish().map_err(unwritten)
}
