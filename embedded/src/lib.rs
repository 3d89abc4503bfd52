//! Runs a cloth on a bare machine and tells what it took: RAM, flash, stack and instructions.
#![no_std]

pub mod scene;

use cloth_core::Block;
use scene::{Cloth, FRAMES};

/// Bytes in flash, aligned as models want to be used in place.
#[derive(Debug)]
#[repr(C, align(16))]
pub struct Aligned<T: ?Sized>(pub T);

/// What the build script baked: models, the blocks of their states, and the fingerprints they end with.
#[allow(missing_docs, reason = "made by build.rs, which says what they are")]
pub mod models {
    use super::Aligned;

    include!(concat!(env!("OUT_DIR"), "/models.rs"));
}

/// What a run of a cloth gave.
#[derive(Clone, Copy, Debug, Default)]
pub struct Run {
    /// Fingerprint of the last state; 0 where a call was refused.
    pub fingerprint: u64,
    /// Ticks of the timer over all steps.
    pub ticks: u64,
    /// Ticks of the longest step.
    pub longest: u32,
}

/// Runs a cloth from a model in flash, in memory of the caller. `ticks` measures what a piece of work takes.
pub fn run(
    cloth: Cloth,
    model: &[u8],
    memory: &mut [Block],
    mut ticks: impl FnMut(&mut dyn FnMut()) -> u32,
) -> Run {
    let mut told = Run::default();
    let mut steps = || {
        let blocks: &[Block] = bytemuck::try_cast_slice(model).ok()?;
        let model = cloth_core::Model::from_blocks(blocks).ok()?;
        let mut state = cloth_core::State::seed(&model, memory).ok()?;
        let ball = cloth.ball().ok()?;
        for frame in 1..=FRAMES {
            let mut refused = false;
            let took = ticks(&mut || refused = cloth.step(&mut state, &ball, frame).is_err());
            if refused {
                return None;
            }
            told.ticks += u64::from(took);
            told.longest = told.longest.max(took);
        }
        Some(state.fingerprint().0)
    };
    let fingerprint = steps().unwrap_or(0);
    Run { fingerprint, ..told }
}

#[cfg(target_os = "none")]
pub mod machine;
