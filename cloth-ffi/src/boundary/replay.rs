//! Replays.

use super::call;
use super::pointer::{blame, input, output, slice, slice_mut, tell, to_core, to_core_mut, write};
use crate::facts::ClothBlock;
use crate::overlap::disjoint;
use crate::replay::{self, ClothReplayFacts, ClothReplayResult};
use crate::status::{ClothStatus, Refused};
use crate::step::{ClothFault, level};
use cloth_core::{Block, Level, Replay};

/// How many blocks cloth_replay_load needs for a replay's file form.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_replay_blocks(
    bytes: *const u8,
    byte_count: usize,
    block_count: *mut usize,
) -> ClothStatus {
    call(|| {
        disjoint(&[input(bytes, byte_count)?, output(block_count, 1)?])?;
        // SAFETY: the caller's promise.
        let needed = Replay::blocks_for(unsafe { slice(bytes, byte_count)? })?;
        // SAFETY: the caller's promise.
        unsafe { write(block_count, needed) }
    })
}

/// Copies a replay's file form into blocks of the machine's byte order, checks its model and every input of it, and says what
/// it holds. Where checking finds fault the blocks are cleared; a refusal before that leaves them as they are. Of an input
/// that is refused the fault's element is the frame, counted from 1, and other the element of that input.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_replay_load(
    bytes: *const u8,
    byte_count: usize,
    blocks: *mut ClothBlock,
    block_count: usize,
    facts: *mut ClothReplayFacts,
    fault: *mut ClothFault,
) -> ClothStatus {
    call(|| {
        let (file, own) = (input(bytes, byte_count)?, output(blocks, block_count)?);
        disjoint(&[file, own, output(facts, 1)?, blame(fault)?])?;
        // SAFETY: the caller's promise.
        let found = unsafe {
            let file = slice(bytes, byte_count)?;
            tell(fault, load(file, to_core_mut(slice_mut(blocks, block_count)?)))?
        };
        // SAFETY: the caller's promise.
        unsafe { write(facts, found) }
    })
}

/// Checks a replay in the machine's byte order where it lies, and says what it holds. On a little-endian machine the file
/// form is such a replay once it lies on a 16-byte boundary.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_replay_check(
    blocks: *const ClothBlock,
    block_count: usize,
    facts: *mut ClothReplayFacts,
    fault: *mut ClothFault,
) -> ClothStatus {
    call(|| {
        disjoint(&[input(blocks, block_count)?, output(facts, 1)?, blame(fault)?])?;
        // SAFETY: the caller's promise.
        let replay = unsafe { tell(fault, check(slice(blocks, block_count)?))? };
        // SAFETY: the caller's promise.
        unsafe { write(facts, ClothReplayFacts::of(&replay)) }
    })
}

/// Checks a replay where it lies, runs it from its start in memory for one state (cloth_replay_check says how many blocks) and
/// compares the fingerprint of every frame with the recorded one. Lanes are those of a ClothStep: 0 for as many as this
/// processor has, 1 or 4. CLOTH_STATUS_REPLAY_DIFFERS says that a frame differs; the result, which is written then too, says
/// which. What the memory holds afterwards is of no use.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_replay_verify(
    blocks: *const ClothBlock,
    block_count: usize,
    lanes: u32,
    memory: *mut ClothBlock,
    memory_count: usize,
    result: *mut ClothReplayResult,
    fault: *mut ClothFault,
) -> ClothStatus {
    call(|| {
        let (own, room) = (input(blocks, block_count)?, output(memory, memory_count)?);
        disjoint(&[own, room, output(result, 1)?, blame(fault)?])?;
        let level = level(lanes, Level::detect)?;
        // SAFETY: the caller's promise.
        let done = unsafe {
            let memory = to_core_mut(slice_mut(memory, memory_count)?);
            let run = check(slice(blocks, block_count)?).and_then(|it| replay::verify(&it, memory, level));
            tell(fault, run)?
        };
        // SAFETY: the caller's promise.
        unsafe {
            write(result, done)?;
            tell(fault, done.verdict())
        }
    })
}

/// Verifies a replay's file form in one call: as cloth_replay_load and cloth_replay_verify. The memory is for both, the
/// replay's own blocks and behind them those of one state.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_replay_verify_file(
    bytes: *const u8,
    byte_count: usize,
    lanes: u32,
    memory: *mut ClothBlock,
    memory_count: usize,
    result: *mut ClothReplayResult,
    fault: *mut ClothFault,
) -> ClothStatus {
    call(|| {
        let (file, room) = (input(bytes, byte_count)?, output(memory, memory_count)?);
        disjoint(&[file, room, output(result, 1)?, blame(fault)?])?;
        let level = level(lanes, Level::detect)?;
        // SAFETY: the caller's promise.
        let done = unsafe {
            let file = slice(bytes, byte_count)?;
            tell(fault, verify_file(file, to_core_mut(slice_mut(memory, memory_count)?), level))?
        };
        // SAFETY: the caller's promise.
        unsafe {
            write(result, done)?;
            tell(fault, done.verdict())
        }
    })
}

fn check(blocks: &[ClothBlock]) -> Result<Replay<'_>, Refused> {
    Ok(Replay::from_blocks(to_core(blocks))?)
}

/// Loads a replay into blocks, which are cleared where it is damaged.
fn load(file: &[u8], blocks: &mut [Block]) -> Result<ClothReplayFacts, Refused> {
    let needed = Replay::blocks_for(file)?;
    let own = blocks.get_mut(..needed).ok_or(ClothStatus::BufferTooSmall)?;
    let loaded = Replay::load(file, own).map(|replay| ClothReplayFacts::of(&replay));
    if loaded.is_err() {
        own.fill(Block::default());
    }
    Ok(loaded?)
}

fn verify_file(file: &[u8], memory: &mut [Block], level: Level) -> Result<ClothReplayResult, Refused> {
    let needed = Replay::blocks_for(file)?;
    let (own, room) = memory.split_at_mut_checked(needed).ok_or(ClothStatus::BufferTooSmall)?;
    replay::verify(&Replay::load(file, own)?, room, level)
}
