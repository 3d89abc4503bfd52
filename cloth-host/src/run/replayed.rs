//! Scenes as recordings of their worlds, and recordings as the motion of a scene.

// What is made here feeds a step.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

use std::io::Write;

use cloth_core::simd::Level;

use super::air::{FluidRun, Views};
use super::stage::{Stage, diagnostics, fingerprint, positions};
use super::{FrameRow, Prepared, Recording, RunProblem};
use crate::error::{Error, Problem};
use crate::replay::{Player, Recorder, Replay, ReplayError};
use crate::scene::Scene;

/// Runs a scene and records its world, with a keyframe every so many ticks. A frame is a tick. `progress` hears the number of every
/// finished one.
///
/// # Errors
/// [`Error`] with a [`RunProblem`] or a [`ReplayError`].
pub fn record<W: Write>(
    scene: &Scene,
    prepared: &Prepared,
    every: u32,
    out: W,
    mut progress: impl FnMut(u32),
) -> Result<W, Error> {
    let refused = |error: ReplayError| match error {
        ReplayError::World { tick: frame, error } => {
            Problem::Run(RunProblem::World { frame, error }).in_file(&scene.path)
        }
        error => Problem::Replay(error).in_file(&scene.path),
    };
    let mut stage = Stage::new(scene, &prepared.baked, Level::detect())
        .map_err(|error| refused(ReplayError::World { tick: 0, error }))?;
    let mut recorder = Recorder::new(&mut stage.world, out, every).map_err(refused)?;
    for frame in 1..=scene.frames {
        stage.place(frame);
        recorder.tick(&mut stage.world).map_err(refused)?;
        progress(frame);
    }
    recorder.finish().map_err(refused)
}

/// The motion of a recorded scene between two of its frames, keeping the positions of the start and of the frames in `keep`
/// (rising); and the first of them that is not what was recorded, where one is not. Nothing is computed that lies before the last
/// keyframe before `from`.
///
/// # Errors
/// [`ReplayError::OtherScene`] where the scene's cloths are others than the recorded ones; what else keeps it from being played.
pub fn replayed(
    scene: &Scene,
    prepared: &Prepared,
    replay: &Replay,
    [from, to]: [u32; 2],
    keep: &[u32],
) -> Result<(Recording, Option<ReplayError>), ReplayError> {
    let mut recording = Recording::new(scene, prepared);
    let stage = Stage::new(scene, &prepared.baked, Level::detect());
    let stage = stage.map_err(|error| ReplayError::World { tick: 0, error })?;
    // The recorded world has the entities that the scene's has.
    replay.is_of(&stage.world)?;
    let (volumes, cloths) = (stage.volumes().to_vec(), stage.cloths);
    let wanted = |frame: u32| keep.binary_search(&frame).is_ok();
    let views = Views::new(scene, from, to);
    let start = Player::start(replay)?;
    let air = || views.air(start.world(), 0);
    recording.record(scene, 0, wanted(0), positions(start.world(), &cloths), air);
    let mut player = Player::seek(replay, from)?;
    let mut differs = player.check().err();
    let mut before = diagnostics(player.world(), &cloths);
    let mut frame = from;
    if frame > 0 {
        let air = || views.air(player.world(), frame);
        recording.record(scene, frame, wanted(frame), positions(player.world(), &cloths), air);
    }
    while frame < to && player.tick()? {
        frame = player.number();
        differs = differs.or_else(|| player.check().err());
        FluidRun::watch(&mut recording.fluids, player.world(), &volumes);
        let now = diagnostics(player.world(), &cloths);
        recording.rows.push(FrameRow::new(scene, frame, &now, &before));
        let air = || views.air(player.world(), frame);
        recording.record(scene, frame, wanted(frame), positions(player.world(), &cloths), air);
        before = now;
    }
    (recording.rescued, recording.escaped) = (before.rescued, before.escaped);
    recording.final_fingerprint = fingerprint(player.world(), &cloths);
    Ok((recording, differs))
}
