//! Words over a good snapshot, to `State::restore` and `State::attach`.
#![no_main]

use cloth_core::{Block, ModelBuilder, State, StepInput, Vec3, library, step};
use libfuzzer_sys::fuzz_target;

/// Words to overwrite: where (modulo the size) and with what.
type Edits = Vec<(u16, u32)>;

fn corrupt(blocks: &mut [Block], edits: &Edits) {
    let words = bytemuck::cast_slice_mut::<Block, u32>(blocks);
    for &(at, value) in edits {
        let at = usize::from(at) % words.len();
        words[at] = value;
    }
}

fuzz_target!(|edits: Edits| {
    let positions: Vec<[f32; 3]> = (0..9_u8).map(|i| [f32::from(i % 3), 0.0, f32::from(i / 3)]).collect();
    let triangles = [[0, 3, 1], [1, 3, 4], [1, 4, 2], [2, 4, 5], [3, 6, 4], [4, 6, 7], [4, 7, 5], [5, 7, 8]];
    let baked = ModelBuilder::mesh(&positions, &triangles).pins(&[0, 2]).build().expect("a good mesh");
    let model = baked.model();
    let input = StepInput::new(1.0 / 60.0, Vec3::new(0.0, -9.81, 0.0), &library::DENIM);

    let mut memory = vec![Block::default(); model.state_blocks()];
    let mut state = State::seed(&model, &mut memory).expect("room enough");
    step(&mut state, &input).expect("a valid input");
    let mut snapshot = vec![Block::default(); model.snapshot_blocks()];
    state.snapshot(&mut snapshot).expect("room enough");
    let before = state.fingerprint();
    corrupt(&mut snapshot, &edits);
    if state.restore(&snapshot).is_err() {
        assert_eq!(state.fingerprint(), before, "a refused restore changed the state");
    }
    step(&mut state, &input).expect("a valid input");
    assert!(state.positions().chain(state.velocities()).all(|v| v.is_finite()));

    corrupt(&mut memory, &edits);
    let untouched = memory.clone();
    match State::attach(&model, &mut memory) {
        Ok(mut state) => {
            step(&mut state, &input).expect("a valid input");
            assert!(state.positions().chain(state.velocities()).all(|v| v.is_finite()));
        }
        Err(_) => assert!(memory == untouched, "a refused attach changed the memory"),
    }
});
