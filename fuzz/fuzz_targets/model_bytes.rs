//! Bytes to `Model::load` and `Model::from_blocks`.
#![no_main]

use cloth_core::{Block, Model, State, StepInput, Vec3, library, step};
use libfuzzer_sys::fuzz_target;

/// Most blocks a header may make us allocate: 4 MiB.
const MOST: usize = 1 << 18;

fn exercise(model: &Model) {
    if model.state_blocks() > MOST {
        return;
    }
    let mut memory = vec![Block::default(); model.state_blocks()];
    let mut state = State::seed(model, &mut memory).expect("a checked model can be seeded");
    for fabric in &library::ALL {
        let input = StepInput::new(1.0 / 60.0, Vec3::new(0.0, -9.81, 0.0), &fabric.dynamics);
        step(&mut state, &input).expect("a valid input");
    }
    assert!(state.positions().chain(state.velocities()).all(|v| v.is_finite()));
}

fuzz_target!(|bytes: &[u8]| {
    if let Some(needed) = Model::blocks_for(bytes).ok().filter(|&needed| needed <= MOST) {
        let mut blocks = vec![Block::default(); needed];
        if let Ok(model) = Model::load(bytes, &mut blocks) {
            exercise(&model);
        }
    }
    let whole = bytes.len() / size_of::<Block>();
    let mut blocks = vec![Block::default(); whole];
    bytemuck::cast_slice_mut::<Block, u8>(&mut blocks).copy_from_slice(&bytes[..whole * size_of::<Block>()]);
    if let Ok(model) = Model::from_blocks(&blocks) {
        exercise(&model);
    }
});
