//! Bytes to `Replay::load`, and what passes to `verify`.
#![no_main]

use cloth_core::replay::verify;
use cloth_core::{Block, Level, Replay, ReplayError};
use libfuzzer_sys::fuzz_target;

/// Most blocks a header may make us allocate: 4 MiB.
const MOST: usize = 1 << 18;

fuzz_target!(|bytes: &[u8]| {
    let Some(needed) = Replay::blocks_for(bytes).ok().filter(|&needed| needed <= MOST) else {
        return;
    };
    let mut blocks = vec![Block::default(); needed];
    let Ok(replay) = Replay::load(bytes, &mut blocks) else {
        return;
    };
    let state = replay.model().state_blocks();
    if state > MOST {
        return;
    }
    let verified = verify(&replay, &mut vec![Block::default(); state], Level::detect());
    assert!(
        matches!(verified, Ok(_) | Err(ReplayError::Differs { .. })),
        "looked through, and yet {verified:?}"
    );
});
