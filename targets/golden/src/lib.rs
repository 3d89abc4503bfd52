//! One call that verifies a replay file, as C sees it.
#![no_std]

use cloth_core::replay::{Verified, verify};
use cloth_core::{Block, Level, Replay, ReplayError};

/// How it went.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct Outcome {
    /// Fingerprint after the last frame, or what the first frame that differs was recorded with.
    pub expected: u64,
    /// The same fingerprint, or what came of that frame here.
    pub found: u64,
    /// Frames run and the same, or the first that differs.
    pub frames: u32,
    /// Lanes it was computed in.
    pub lanes: u32,
    /// Blocks of memory that were needed.
    pub blocks: u32,
    /// Zero.
    pub reserved: u32,
}

/// Every frame is the same.
pub const SAME: i32 = 0;
/// A frame differs.
pub const DIFFERS: i32 = 1;
/// The file is no replay of this version, or damaged.
pub const REFUSED: i32 = 2;
/// `memory` is too small.
pub const MEMORY: i32 = 3;

/// Verifies a replay file in memory of the caller, in `lanes` of 1, 4, or the widest there are for 0.
///
/// # Safety
/// `file` leads to `file_length` bytes, `memory` to `memory_length` blocks that nothing else uses, `outcome` to an
/// [`Outcome`]; all are aligned as their types want.
// SAFETY: no other function of that name exists in the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn golden_verify(
    file: *const u8,
    file_length: usize,
    memory: *mut Block,
    memory_length: usize,
    lanes: u32,
    outcome: *mut Outcome,
) -> i32 {
    // SAFETY: the caller's promise.
    let file = unsafe { core::slice::from_raw_parts(file, file_length) };
    // SAFETY: the caller's promise.
    let memory = unsafe { core::slice::from_raw_parts_mut(memory, memory_length) };
    let level = match lanes {
        1 => Level::SCALAR,
        4 => Level::FOUR,
        _ => Level::detect(),
    };
    let (answer, told) = run(file, memory, level);
    // SAFETY: the caller's promise.
    unsafe { outcome.write(told) };
    answer
}

/// Verifies a replay file.
pub fn run(file: &[u8], memory: &mut [Block], level: Level) -> (i32, Outcome) {
    let lanes = u32::try_from(level.lanes()).unwrap_or(0);
    let mut outcome = Outcome { lanes, ..Outcome::default() };
    let Ok(blocks) = Replay::blocks_for(file) else {
        return (REFUSED, outcome);
    };
    let Some((own, memory)) = memory.split_at_mut_checked(blocks) else {
        return (MEMORY, outcome);
    };
    let Ok(replay) = Replay::load(file, own) else {
        return (REFUSED, outcome);
    };
    outcome.blocks = u32::try_from(blocks + replay.model().state_blocks()).unwrap_or(u32::MAX);
    match verify(&replay, memory, level) {
        Ok(Verified { frames, last }) => {
            (SAME, Outcome { frames, expected: last.0, found: last.0, ..outcome })
        }
        Err(ReplayError::Differs { frame, expected, found }) => {
            (DIFFERS, Outcome { frames: frame, expected: expected.0, found: found.0, ..outcome })
        }
        Err(ReplayError::Start(_)) => (MEMORY, outcome),
        Err(_) => (REFUSED, outcome),
    }
}

#[cfg(all(feature = "standalone", panic = "abort"))]
#[panic_handler]
fn panicked(_: &core::panic::PanicInfo<'_>) -> ! {
    // Core has no panic (tests/no_panic); a build that has one hangs, and the runner's clock says so.
    loop {
        core::hint::spin_loop();
    }
}
