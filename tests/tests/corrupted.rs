//! Corrupted models, files and states: whatever is in the memory, the answer is an error or something that steps.

use anyhow::Result;
use cloth_core::{Block, Model, State, StepInput, Vec3, library, step};
use cloth_tests::random::Random;
use cloth_tests::workload::{Spec, scenes};

/// Values that break things more often than random ones do.
const NASTY: [u32; 14] = [
    0,
    1,
    2,
    3,
    u32::MAX,
    u32::MAX - 1,
    0x7fff_ffff,
    0x8000_0000,
    0x7f80_0000, // ∞
    0xff80_0000, // −∞
    0x7fc0_0000, // NaN
    0x0000_0001, // the smallest denormal
    0x7f7f_ffff, // the largest float
    0xbf80_0000, // −1
];

/// Overwrites one to four words.
fn corrupt(words: &mut [u32], random: &mut Random) {
    for _ in 0..random.between(1, 4) {
        let at = random.below(u32::try_from(words.len()).expect("a small model")) as usize;
        words[at] = match random.below(3) {
            0 => NASTY[random.below(14) as usize],
            1 => words[at] ^ (1 << random.below(32)),
            _ => words[at].wrapping_add(random.between(0, 4)).wrapping_sub(2),
        };
    }
}

fn specs() -> [Spec; 3] {
    let mut rig = scenes::rig();
    rig.bend_rows = true;
    [scenes::sheet(6), rig, scenes::chain(3, 0.01)]
}

/// Steps a state a few times with everything switched on; nothing here may panic or leave a non-finite number.
fn exercise(model: &Model<'_>, state: &mut State<'_>) {
    let mut dynamics = library::ROPE;
    dynamics.bend = 1e-3;
    dynamics.slack = 0.5;
    let input = StepInput::new(1.0 / 60.0, Vec3::new(0.0, -9.81, 0.0), &dynamics);
    for _ in 0..4 {
        step(state, &input).expect("a valid input");
    }
    assert!(state.positions().chain(state.velocities()).all(|v| v.is_finite()));
    let mut copy = vec![Block::default(); model.snapshot_blocks()];
    state.snapshot(&mut copy).expect("the buffer fits");
    state.restore(&copy).expect("what a step left is a state");
}

#[test]
fn corrupted_model_blocks_are_refused_or_harmless() -> Result<()> {
    let mut random = Random::new(1);
    let (mut refused, mut accepted) = (0, 0);
    for spec in specs() {
        let clean = spec.build()?.blocks;
        for _ in 0..4000 {
            let mut blocks = clean.clone();
            corrupt(bytemuck::cast_slice_mut(&mut blocks), &mut random);
            let Ok(model) = Model::from_blocks(&blocks) else {
                refused += 1;
                continue;
            };
            accepted += 1;
            let mut memory = vec![Block::default(); model.state_blocks()];
            exercise(&model, &mut State::seed(&model, &mut memory)?);
        }
        for length in 0..clean.len() {
            assert!(
                Model::from_blocks(&clean[..length]).is_err(),
                "{length} of {} blocks are a model",
                clean.len()
            );
        }
    }
    // What follows from something else is compared with it, so few corruptions pass: some move a rest position.
    assert!(refused > 11_000, "only {refused} of 12000 refused, {accepted} accepted");
    assert!(accepted > 100, "only {accepted} were stepped");
    Ok(())
}

#[test]
fn corrupted_files_are_refused_or_harmless() -> Result<()> {
    let mut random = Random::new(2);
    for spec in specs() {
        let workload = spec.build()?;
        let model = workload.model();
        let mut clean = vec![0; model.byte_len()];
        model.save(&mut clean)?;
        let mut room = vec![Block::default(); Model::blocks_for(&clean)?];
        assert_eq!(Model::load(&clean, &mut room)?.fingerprint(), model.fingerprint());
        for _ in 0..2000 {
            let mut file = clean.clone();
            for _ in 0..random.between(1, 4) {
                let at = random.below(u32::try_from(file.len())?) as usize;
                file[at] = random.bits().to_le_bytes()[0];
            }
            if random.one_in(8) {
                file.truncate(random.below(u32::try_from(file.len())?) as usize);
            }
            // A count of blocks that a corrupted header asks for may be absurd; the room given is not.
            let _ = Model::blocks_for(&file);
            if let Ok(model) = Model::load(&file, &mut room) {
                let mut memory = vec![Block::default(); model.state_blocks()];
                exercise(&model, &mut State::seed(&model, &mut memory)?);
            }
        }
    }
    Ok(())
}

#[test]
fn corrupted_states_are_refused_unchanged_or_harmless() -> Result<()> {
    let mut random = Random::new(3);
    let mut refused = 0;
    for spec in specs() {
        let workload = spec.build()?;
        let model = workload.model();
        let mut memory = workload.memory();
        let mut snapshot = vec![Block::default(); model.snapshot_blocks()];
        let mut run = workload.start(&mut memory)?;
        run.steps(10)?;
        run.state.snapshot(&mut snapshot)?;
        let at_snapshot = run.state.fingerprint();
        for _ in 0..2000 {
            let mut blocks = snapshot.clone();
            corrupt(bytemuck::cast_slice_mut(&mut blocks), &mut random);
            let mut target_memory = workload.memory();
            let mut target = State::seed(&model, &mut target_memory)?;
            target.restore(&snapshot)?;
            if target.restore(&blocks).is_err() {
                refused += 1;
                assert_eq!(target.fingerprint(), at_snapshot, "a refused restore changed the state");
            } else {
                exercise(&model, &mut target);
            }
        }
        for _ in 0..2000 {
            let mut attached = memory.clone();
            corrupt(bytemuck::cast_slice_mut(&mut attached), &mut random);
            let before = attached.clone();
            match State::attach(&model, &mut attached) {
                Ok(mut state) => exercise(&model, &mut state),
                Err(_) => assert!(attached == before, "a refused attach changed the memory"),
            }
        }
        let mut short = memory.clone();
        short.pop();
        assert!(State::attach(&model, &mut short).is_err());
    }
    assert!(refused > 500, "only {refused} of 6000 corrupted snapshots refused");
    Ok(())
}

#[test]
fn a_state_of_another_model_is_refused() -> Result<()> {
    let (one, two) = (scenes::sheet(5).build()?, scenes::sheet(5).damping(0.1).build()?);
    assert_eq!(one.model().fingerprint(), two.model().fingerprint(), "dynamics are no part of a model");
    let mut other = scenes::sheet(5);
    other.masses[7] *= 2.0;
    let other = other.build()?;
    assert_ne!(one.model().fingerprint(), other.model().fingerprint());
    let mut memory = one.memory();
    one.start(&mut memory)?;
    assert!(State::attach(&other.model(), &mut memory).is_err());
    assert!(State::attach(&two.model(), &mut memory).is_ok());
    Ok(())
}
