//! Replays and what came of them, as C sees them.

use crate::status::{ClothStatus, Refused};
use cloth_core::replay::Verified;
use cloth_core::{Block, Level, Replay, ReplayError};

/// What a replay holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct ClothReplayFacts {
    /// Blocks of the replay itself; its file form has 16 bytes for each.
    pub replay_blocks: u64,
    /// Blocks of memory that a state of its cloth needs.
    pub state_blocks: u64,
    /// Hash of its model's values.
    pub model_fingerprint: u64,
    /// Fingerprint of the state before the first frame.
    pub start_fingerprint: u64,
    /// Frames that were recorded.
    pub frame_count: u32,
    /// Zero.
    pub reserved: u32,
}

/// What came of running a replay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct ClothReplayResult {
    /// The fingerprint that was recorded: of the last frame, or of the first that differs.
    pub expected: u64,
    /// The fingerprint that this machine has found there.
    pub found: u64,
    /// How many frames are the same before any that differs.
    pub same_frames: u32,
    /// The first frame that differs, counted from 1, 0 being the state before the first; UINT32_MAX where none does.
    pub first_different: u32,
    /// Lanes it was computed in.
    pub lanes: u32,
    /// Zero.
    pub reserved: u32,
}

impl ClothReplayFacts {
    pub(crate) fn of(replay: &Replay<'_>) -> Self {
        let model = replay.model();
        Self {
            replay_blocks: replay.blocks().len() as u64,
            state_blocks: model.state_blocks() as u64,
            model_fingerprint: model.fingerprint().0,
            start_fingerprint: replay.start_fingerprint().0,
            frame_count: replay.frame_count(),
            reserved: 0,
        }
    }
}

/// Runs a replay in memory for a state and compares. A frame that differs is an answer, and no refusal.
pub(crate) fn verify(
    replay: &Replay<'_>,
    memory: &mut [Block],
    level: Level,
) -> Result<ClothReplayResult, Refused> {
    let lanes = u32::try_from(level.lanes()).unwrap_or(0);
    let result = ClothReplayResult { lanes, ..ClothReplayResult::default() };
    match cloth_core::replay::verify(replay, memory, level) {
        Ok(Verified { frames, last }) => Ok(ClothReplayResult {
            expected: last.0,
            found: last.0,
            same_frames: frames,
            first_different: ClothReplayResult::NONE,
            ..result
        }),
        Err(ReplayError::Differs { frame, expected, found }) => Ok(ClothReplayResult {
            expected: expected.0,
            found: found.0,
            same_frames: frame.saturating_sub(1),
            first_different: frame,
            ..result
        }),
        Err(error) => Err(error.into()),
    }
}

impl ClothReplayResult {
    /// What stands for "no frame differs".
    const NONE: u32 = u32::MAX;

    /// Whether it is what was recorded.
    pub(crate) fn verdict(&self) -> Result<(), Refused> {
        if self.first_different == Self::NONE {
            Ok(())
        } else {
            Err(Refused::at(ClothStatus::ReplayDiffers, self.first_different))
        }
    }
}
