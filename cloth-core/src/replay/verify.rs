//! Running a replay and comparing every frame.

use super::{Replay, ReplayError};
use crate::Fingerprint;
use crate::model::Block;
use crate::simd::Level;

/// A replay that gave what was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Frames run and compared.
    pub frames: u32,
    /// Fingerprint of the state after the last.
    pub last: Fingerprint,
}

/// Runs a replay from its start in `memory` of [`Model::state_blocks`](crate::Model::state_blocks), in the lanes of `level`,
/// and compares the fingerprint of every frame.
///
/// # Errors
/// [`ReplayError::Start`] where the memory is too small, and nothing was written then; [`ReplayError::Differs`] with the
/// first frame that is not what was recorded. `memory` holds the state of that frame then.
pub fn verify(replay: &Replay<'_>, memory: &mut [Block], level: Level) -> Result<Verified, ReplayError> {
    let mut state = replay.start(memory)?;
    let mut verified = Verified { frames: 0, last: replay.start_fingerprint() };
    for frame in replay.frames() {
        frame.play(&mut state, level)?;
        let (expected, found) = (frame.after(), state.fingerprint());
        if found != expected {
            return Err(ReplayError::Differs { frame: frame.number(), expected, found });
        }
        verified = Verified { frames: frame.number(), last: found };
    }
    Ok(verified)
}
