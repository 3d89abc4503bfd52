//! Seeding, holding, letting go, copying out and back in.

mod common;

use cloth_core::{
    Block, ClothDynamics, Model, ModelBuilder, NONE, Region, SavedState, State, StateError, StepError,
    StepInput, Target, Targets, Vec3, step,
};
use common::{DT, GRAVITY, baked, chain, sheet};
use proptest::prelude::*;
use std::error::Error;

type Outcome = Result<(), Box<dyn Error>>;

fn positions(state: &State) -> Vec<Vec3> {
    state.positions().collect()
}

#[test]
fn short_memory_is_refused_and_left_alone() -> Outcome {
    let (baked, _) = baked(sheet(4, 0.1).pins(&[0]))?;
    let model = baked.model();
    let required = model.state_blocks();
    let mut memory = vec![Block([7; 4]); required - 1];
    let error = State::seed(&model, &mut memory).err();
    assert_eq!(error, Some(StateError::BufferTooSmall { required, provided: required - 1 }));
    assert!(memory.iter().all(|block| *block == Block([7; 4])));
    Ok(())
}

#[test]
fn a_seeded_state_is_the_rest_pose_at_rest() -> Outcome {
    let (baked, mut memory) = baked(sheet(4, 0.1).pins(&[3, 0]))?;
    let model = baked.model();
    let state = State::seed(&model, &mut memory)?;
    assert_eq!(state.position(5), Some(Vec3::new(0.1, 0.0, 0.1)));
    assert!(state.velocities().all(|velocity| velocity == Vec3::ZERO));
    let held: Vec<u32> = (0..16).filter(|vertex| state.is_held(*vertex)).collect();
    assert_eq!(held, [0, 3]);
    assert_eq!(state.steps(), 0);
    Ok(())
}

#[test]
fn a_held_particle_moves_evenly_and_ends_exactly_on_its_target() -> Outcome {
    // The row is driven at 1 m/s (case R23); the same step has it there, whatever the substeps.
    for substeps in [1, 2, 3, 7] {
        let (baked, mut memory) = baked(sheet(4, 0.1).pins(&[0, 1, 2, 3]))?;
        let model = baked.model();
        let mut state = State::seed(&model, &mut memory)?;
        let dynamics = ClothDynamics { substeps, ..ClothDynamics::default() };
        for tick in 1_u8..=30 {
            let x = f32::from(tick) * DT;
            let targets = [0_u32, 1, 2, 3].map(|vertex| {
                let column = f32::from(u8::try_from(vertex).unwrap_or(0)) * 0.1;
                Target { vertex, position: [column + x, 0.0, 0.0] }
            });
            let input =
                StepInput { targets: Targets::Listed(&targets), ..StepInput::new(DT, GRAVITY, &dynamics) };
            step(&mut state, &input)?;
            for target in targets {
                assert_eq!(state.position(target.vertex), Some(Vec3::from_array(target.position)));
            }
            let speed = state.velocity(1).unwrap_or_default().x;
            assert!((speed - 1.0).abs() < 1e-3, "{substeps} substeps: {speed} m/s");
        }
    }
    Ok(())
}

#[test]
fn any_particle_can_be_held_and_let_go_again() -> Outcome {
    let (baked, mut memory) = baked(sheet(6, 0.05).pins(&[0, 1, 2, 3, 4, 5]))?;
    let model = baked.model();
    let mut state = State::seed(&model, &mut memory)?;
    let dynamics = ClothDynamics::default();
    let input = StepInput::new(DT, GRAVITY, &dynamics);
    let grip = Vec3::new(0.1, 0.05, 0.2);
    state.hold(33, grip)?;
    for _ in 0..60 {
        step(&mut state, &input)?;
        assert_eq!(state.position(33), Some(grip));
    }
    // Letting go of everything, pins included: the whole cloth falls as one body would.
    for vertex in 0..36 {
        state.release(vertex)?;
    }
    for _ in 0..60 {
        step(&mut state, &input)?;
    }
    let mean = state.velocities().fold(Vec3::ZERO, |sum, velocity| sum + velocity) / 36.0;
    assert!((mean.y + 9.81).abs() < 0.25, "fell at {} m/s after a second", mean.y);
    Ok(())
}

#[test]
fn a_tether_lets_go_with_its_pin() -> Outcome {
    // A chain hung by its root; when the root is let go and the tip held, nothing ties links to the root's
    // old place.
    let (baked, mut memory) = baked(chain(10, Vec3::new(0.05, 0.0, 0.0)).pins(&[0]))?;
    let model = baked.model();
    let mut state = State::seed(&model, &mut memory)?;
    let dynamics = ClothDynamics { damping: 2.0, ..ClothDynamics::default() };
    state.release(0)?;
    state.hold(10, Vec3::new(3.0, 0.0, 0.0))?;
    for _ in 0..300 {
        step(&mut state, &StepInput::new(DT, GRAVITY, &dynamics))?;
    }
    let root = state.position(0).unwrap_or_default();
    assert!((root - Vec3::new(3.0, -0.5, 0.0)).length() < 0.05, "the root hangs at {root}");
    Ok(())
}

#[test]
fn refused_inputs_change_nothing() -> Outcome {
    let (baked, mut memory) = baked(sheet(4, 0.1).pins(&[0]))?;
    let model = baked.model();
    let mut state = State::seed(&model, &mut memory)?;
    let good = ClothDynamics::default();
    for _ in 0..3 {
        step(&mut state, &StepInput::new(DT, GRAVITY, &good))?;
    }
    let mut before = vec![Block::default(); model.snapshot_blocks()];
    state.snapshot(&mut before)?;
    let nan = f32::NAN;
    let bad = ClothDynamics { damping: nan, ..good };
    let few = [[0.0; 3]; 3];
    let mut crooked = [[0.0; 3]; 16];
    crooked[9] = [0.0, f32::INFINITY, 0.0];
    let stranger = [Target { vertex: 16, position: [0.0; 3] }];
    let wild = [Target { vertex: 1, position: [nan, 0.0, 0.0] }];
    let base = StepInput::new(DT, GRAVITY, &good);
    let constants = cloth_core::SolverConstants { turn: -1.0, ..base.constants };
    let cases = [
        (StepInput { dt: 0.0, ..base }, StepError::Dt),
        (StepInput { dt: nan, ..base }, StepError::Dt),
        (StepInput { gravity: Vec3::new(0.0, nan, 0.0), ..base }, StepError::Gravity),
        (StepInput { dynamics: &bad, ..base }, StepError::Dynamics { field: "damping" }),
        (StepInput { constants, ..base }, StepError::Constants),
        (
            StepInput { targets: Targets::All(&few), ..base },
            StepError::TargetCount { expected: 16, provided: 3 },
        ),
        (StepInput { targets: Targets::All(&crooked), ..base }, StepError::TargetNonFinite { index: 9 }),
        (
            StepInput { targets: Targets::Listed(&stranger), ..base },
            StepError::TargetVertex { index: 0, vertex: 16 },
        ),
        (StepInput { targets: Targets::Listed(&wild), ..base }, StepError::TargetNonFinite { index: 0 }),
    ];
    for (input, expected) in cases {
        assert_eq!(step(&mut state, &input), Err(expected));
        assert!(!expected.to_string().is_empty());
    }
    assert_eq!(
        state.place(16, Vec3::ZERO, Vec3::ZERO),
        Err(StateError::NoSuchVertex { vertex: 16, count: 16 })
    );
    assert_eq!(state.place(1, Vec3::splat(nan), Vec3::ZERO), Err(StateError::NonFinite { vertex: 1 }));
    assert_eq!(state.hold(1, Vec3::splat(f32::INFINITY)), Err(StateError::NonFinite { vertex: 1 }));
    assert_eq!(state.release(99), Err(StateError::NoSuchVertex { vertex: 99, count: 16 }));
    assert!(!state.is_held(99) && state.position(99).is_none());
    let mut after = vec![Block::default(); model.snapshot_blocks()];
    state.snapshot(&mut after)?;
    assert_eq!(before, after);
    Ok(())
}

#[test]
fn a_restored_state_goes_the_same_way_again() -> Outcome {
    let (baked, mut memory) = baked(sheet(6, 0.05).pins(&[0, 5]))?;
    let model = baked.model();
    let mut state = State::seed(&model, &mut memory)?;
    let dynamics = ClothDynamics { bend: 1e-5, slack: 0.4, ..ClothDynamics::default() };
    let input = StepInput::new(DT, GRAVITY, &dynamics);
    for _ in 0..20 {
        step(&mut state, &input)?;
    }
    let mut saved = vec![Block::default(); model.snapshot_blocks()];
    state.snapshot(&mut saved)?;
    let fork = state.fingerprint();
    let mut first = Vec::new();
    for _ in 0..20 {
        step(&mut state, &input)?;
        first.push(state.fingerprint());
    }
    state.restore(&saved)?;
    assert_eq!(state.fingerprint(), fork);
    for expected in first {
        step(&mut state, &input)?;
        assert_eq!(state.fingerprint(), expected);
    }
    Ok(())
}

#[test]
fn what_was_saved_is_loaded_without_a_check_and_only_where_it_belongs() -> Outcome {
    let (baked, mut memory) = baked(sheet(6, 0.1).pins(&[0, 5]))?;
    let model = baked.model();
    let mut state = State::seed(&model, &mut memory)?;
    let dynamics = ClothDynamics::default();
    let input = StepInput::new(DT, GRAVITY, &dynamics);
    for _ in 0..20 {
        step(&mut state, &input)?;
    }
    let mut saved = SavedState::new();
    assert_eq!(state.load(&saved), Err(StateError::NotAState));
    state.save(&mut saved);
    let mut copied = vec![Block::default(); model.snapshot_blocks()];
    state.snapshot(&mut copied)?;
    assert_eq!(saved.blocks(), copied);
    let here = state.fingerprint();
    for _ in 0..20 {
        step(&mut state, &input)?;
    }
    assert_ne!(state.fingerprint(), here);
    state.load(&saved)?;
    assert_eq!(state.fingerprint(), here);

    let other = sheet(5, 0.1).pins(&[0]).build()?;
    let mut elsewhere = vec![Block::default(); other.model().state_blocks()];
    let mut stranger = State::seed(&other.model(), &mut elsewhere)?;
    let before = stranger.fingerprint();
    assert_eq!(stranger.load(&saved), Err(StateError::OtherModel));
    assert_eq!(stranger.fingerprint(), before);
    assert_eq!(SavedState::checked(&other.model(), &copied).err(), Some(StateError::OtherModel));
    assert_eq!(SavedState::checked(&model, &copied)?, saved);
    // A position that is none.
    let mut damaged = copied.clone();
    damaged[6].0[0] = f32::NAN.to_bits();
    assert!(matches!(SavedState::checked(&model, &damaged), Err(StateError::Damaged { .. })));
    Ok(())
}

#[test]
fn regions_part_where_a_value_does_and_zero_has_no_sign() -> Outcome {
    let (baked, mut memory) = baked(sheet(6, 0.1).pins(&[0, 5]))?;
    let model = baked.model();
    let mut second = vec![Block::default(); model.state_blocks()];
    let (mut a, mut b) = (State::seed(&model, &mut memory)?, State::seed(&model, &mut second)?);
    assert_eq!((a.region_fingerprints(), a.difference(&b)), (b.region_fingerprints(), None));

    // −0 is 0, for the whole and for its parts.
    let at = a.position(20).ok_or("it is there")?;
    a.place(20, at, Vec3::new(0.0, 0.0, 0.0))?;
    b.place(20, at, Vec3::new(-0.0, 0.0, -0.0))?;
    assert_eq!((a.fingerprint(), a.region_fingerprints()), (b.fingerprint(), b.region_fingerprints()));
    assert_eq!(a.difference(&b), None);

    // One value, one region, and its particle.
    b.place(20, at, Vec3::new(0.0, 0.25, 0.0))?;
    let parted = |a: &State, b: &State| -> Vec<Region> {
        Region::ALL.into_iter().filter(|r| a.region_fingerprint(*r) != b.region_fingerprint(*r)).collect()
    };
    assert_eq!(parted(&a, &b), [Region::Velocities]);
    let found = a.difference(&b).ok_or("they differ")?;
    assert_eq!((found.region, found.vertex, found.field), (Region::Velocities, 20, "y"));
    assert_eq!((found.item, found.bits), (model.particle_of()[20], [0, 0.25_f32.to_bits()]));
    let text = found.to_string();
    assert!(
        text.starts_with("velocities of particle ") && text.ends_with("0.0 (00000000) and 0.25 (3e800000)")
    );
    b.place(20, at, Vec3::ZERO)?;
    b.hold(20, at)?;
    assert_eq!(parted(&a, &b), [Region::Targets]);
    assert_eq!(a.difference(&b).map(|found| found.field), Some("inverse mass"));
    b.release(20)?;
    assert_eq!(parted(&a, &b), []);

    // What sleeps is in its region, what is said of a row says so.
    let dynamics = ClothDynamics::default();
    let input = StepInput::new(DT, GRAVITY, &dynamics);
    step(&mut b, &input)?;
    assert!(parted(&a, &b).contains(&Region::Sleep));
    assert!(!parted(&a, &b).contains(&Region::Targets) && !parted(&a, &b).contains(&Region::Anchor));
    Ok(())
}

#[test]
fn whatever_changes_a_fingerprint_is_found_in_a_region() -> Outcome {
    let (baked, mut memory) = baked(sheet(4, 0.1).pins(&[0]))?;
    let model = baked.model();
    let dynamics = ClothDynamics::default();
    let mut state = State::seed(&model, &mut memory)?;
    for _ in 0..5 {
        step(&mut state, &StepInput::new(DT, GRAVITY, &dynamics))?;
    }
    let mut saved = vec![Block::default(); model.snapshot_blocks()];
    state.snapshot(&mut saved)?;
    let mut second = vec![Block::default(); model.state_blocks()];
    let mut other = State::seed(&model, &mut second)?;
    let mut changed = 0;
    for word in 0..saved.len() * 4 {
        for bit in 0..32 {
            let mut altered = saved.clone();
            altered[word / 4].0[word % 4] ^= 1 << bit;
            if other.restore(&altered).is_err() {
                continue;
            }
            let differs = other.fingerprint() != state.fingerprint();
            assert_eq!(other.difference(&state).is_some(), differs, "word {word}, bit {bit}");
            assert_eq!(
                other.region_fingerprints() != state.region_fingerprints(),
                differs,
                "word {word}, bit {bit}"
            );
            // Only a zero has a sign that says nothing.
            assert!(
                differs || (bit == 31 && saved[word / 4].0[word % 4] << 1 == 0),
                "word {word}, bit {bit}"
            );
            changed += u32::from(differs);
        }
    }
    assert!(changed > 1000, "{changed}");
    Ok(())
}

#[test]
fn attach_takes_up_where_the_memory_was_left_and_refuses_what_no_step_left() -> Outcome {
    let (baked, mut memory) = baked(sheet(4, 0.1).pins(&[0]))?;
    let model = baked.model();
    let dynamics = ClothDynamics::default();
    let mut state = State::seed(&model, &mut memory)?;
    step(&mut state, &StepInput::new(DT, GRAVITY, &dynamics))?;
    let (fingerprint, pose) = (state.fingerprint(), positions(&state));
    let mut moved = memory.clone();
    let attached = State::attach(&model, &mut moved)?;
    assert_eq!((attached.fingerprint(), positions(&attached), attached.steps()), (fingerprint, pose, 1));

    // Block 4 is the first body: its first word a coordinate, its last the inverse mass.
    let damage = [(4, 0, f32::NAN.to_bits()), (5, 3, 1.5_f32.to_bits()), (0, 2, 99)];
    for (block, word, value) in damage {
        let mut broken = memory.clone();
        broken[block].0[word] = value;
        let kept = broken.clone();
        assert!(State::attach(&model, &mut broken).is_err(), "block {block} word {word}");
        assert_eq!(broken, kept);
    }
    let (other, _) = common::baked(sheet(4, 0.1).pins(&[1]))?;
    let other = other.model();
    memory.resize(memory.len().max(other.state_blocks()), Block::default());
    assert_eq!(State::attach(&other, &mut memory).err(), Some(StateError::OtherModel));
    Ok(())
}

#[test]
fn a_model_reads_back_from_its_file_form_and_from_other_memory() -> Outcome {
    let (baked, _) = baked(sheet(5, 0.1).pins(&[0]))?;
    let model = baked.model();
    let mut bytes = vec![0; model.byte_len()];
    assert_eq!(model.save(&mut bytes)?, bytes.len());
    assert_eq!(&bytes[..4], b"CLTH");
    let mut blocks = vec![Block::default(); Model::blocks_for(&bytes)? + 3];
    let loaded = Model::load(&bytes, &mut blocks)?;
    assert_eq!(loaded.fingerprint(), model.fingerprint());
    assert!(Model::load(&bytes[..bytes.len() - 1], &mut [Block::default(); 1000]).is_err());
    assert!(model.save(&mut [0; 15]).is_err());
    Ok(())
}

#[test]
fn words_of_a_model_that_decide_something_are_checked() -> Outcome {
    // Every single-bit change is either refused, or leaves a model that steps without harm.
    let (baked, _) = baked(sheet(3, 0.1).pins(&[0]))?;
    let blocks = baked.model().blocks().to_vec();
    let dynamics = ClothDynamics { bend: 1e-5, slack: 0.5, ..ClothDynamics::default() };
    let mut refused = 0;
    for word in 0..blocks.len() * 4 {
        for bit in [0, 1, 7, 15, 22, 23, 30, 31] {
            let mut changed = blocks.clone();
            changed[word / 4].0[word % 4] ^= 1 << bit;
            let Ok(model) = Model::from_blocks(&changed) else {
                refused += 1;
                continue;
            };
            let mut memory = vec![Block::default(); model.state_blocks()];
            let mut state = State::seed(&model, &mut memory)?;
            for _ in 0..3 {
                step(&mut state, &StepInput::new(DT, GRAVITY, &dynamics))?;
            }
            assert!(positions(&state).iter().all(|position| position.is_finite()), "word {word} bit {bit}");
        }
    }
    assert!(refused > blocks.len() * 8, "only {refused} changes refused");
    Ok(())
}

#[test]
fn attach_refuses_what_would_not_stay_finite() -> Outcome {
    let (baked, mut memory) = baked(chain(4, Vec3::new(0.1, 0.0, 0.0)).pins(&[0, 1]))?;
    let model = baked.model();
    State::seed(&model, &mut memory)?;
    // Bodies begin in block 4, velocities behind them, targets behind these.
    let particles = model.particle_count() as usize;
    for (block, value) in [(4, 1e20_f32), (4 + particles, 3e38), (4 + 2 * particles, 1e20)] {
        let mut broken = memory.clone();
        broken[block].0[0] = value.to_bits();
        assert!(State::attach(&model, &mut broken).is_err(), "{value} in block {block}");
    }
    Ok(())
}

#[test]
fn a_state_thrown_about_can_always_be_restored() -> Outcome {
    // Holding far away in one short step and letting go hands on speeds that no fabric has.
    let (baked, mut memory) = baked(chain(4, Vec3::new(0.1, 0.0, 0.0)).pins(&[0]))?;
    let model = baked.model();
    let mut state = State::seed(&model, &mut memory)?;
    let dynamics = ClothDynamics { substeps: 64, ..ClothDynamics::default() };
    let mut saved = vec![Block::default(); model.snapshot_blocks()];
    for round in 0..6_u8 {
        let far = if round % 2 == 0 { 1e6 } else { -1e6 };
        for vertex in 0..5 {
            state.hold(vertex, Vec3::new(far, -far, far))?;
        }
        step(&mut state, &StepInput::new(1e-5, GRAVITY, &dynamics))?;
        for vertex in 0..5 {
            assert_eq!(state.position(vertex), Some(Vec3::new(far, -far, far)), "round {round}");
            state.release(vertex)?;
        }
        let report = step(&mut state, &StepInput::new(1.0, GRAVITY, &dynamics))?;
        assert!(report.kinetic_energy.is_finite() && report.max_strain.is_finite());
        state.snapshot(&mut saved)?;
        state.restore(&saved)?;
    }
    Ok(())
}

#[test]
fn a_stretched_row_between_held_ends_remembers_nothing() -> Outcome {
    // Held stretched for a second or put there this moment: let go, both leave alike.
    let mut speeds = Vec::new();
    for waits in [60, 0] {
        let (baked, mut memory) = baked(chain(2, Vec3::new(0.1, 0.0, 0.0)).tethers(false))?;
        let model = baked.model();
        let mut state = State::seed(&model, &mut memory)?;
        let dynamics = ClothDynamics { damping: 0.0, ..ClothDynamics::default() };
        let far = [Vec3::ZERO, Vec3::new(0.12, 0.0, 0.0), Vec3::new(0.24, 0.0, 0.0)];
        for (vertex, place) in (0..).zip(far) {
            state.place(vertex, place, Vec3::ZERO)?;
            state.hold(vertex, place)?;
        }
        for _ in 0..waits {
            step(&mut state, &StepInput::new(DT, Vec3::ZERO, &dynamics))?;
        }
        for vertex in 0..3 {
            state.release(vertex)?;
        }
        speeds.push(step(&mut state, &StepInput::new(DT, Vec3::ZERO, &dynamics))?.max_speed);
    }
    assert_eq!(speeds[0].to_bits(), speeds[1].to_bits(), "{speeds:?}");
    Ok(())
}

#[test]
fn a_model_whose_figures_are_not_those_of_its_rows_is_refused() -> Outcome {
    let soft = sheet(4, 0.1).pins(&[0]).stretch_stiffness(50.0);
    let (baked, _) = baked(soft)?;
    let model = baked.model();
    // Words of the header: longest row 24, shortest row 25, mass 26.
    for word in [24, 25, 26] {
        let mut changed = model.blocks().to_vec();
        let value = f32::from_bits(changed[word / 4].0[word % 4]);
        changed[word / 4].0[word % 4] = (value * 0.5).to_bits();
        assert!(Model::from_blocks(&changed).is_err(), "word {word}");
    }
    Ok(())
}

#[test]
fn a_row_between_two_pins_does_not_make_a_cloth_coarse() -> Outcome {
    // A strip of links of 10 cm that hangs half a metre off what carries it.
    let places = [[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [0.5, -0.1, 0.0], [0.5, -0.2, 0.0]];
    let strip = |pins: &[u32]| baked(ModelBuilder::chains(&places, &[NONE, 0, 1, 2]).pins(pins));
    let longest = |pins: &[u32]| strip(pins).map(|(baked, _)| baked.model().longest_row());
    assert!(longest(&[0, 1])? < 0.101, "the row to the strip joins pins");
    assert!(longest(&[0])? > 0.499, "the row to the strip swings");
    assert!(longest(&[0, 1, 2, 3])? > 0.499, "there are no others");
    Ok(())
}

/// Steps a sheet of soft rows with two held corners, one of them thrown to and fro; every state it leaves must be one that
/// it takes back.
fn is_taken_back(stiffness: f32, mass: f32, dt: f32, substeps: u32, reach: f32) -> Outcome {
    let cloth = sheet(4, 0.02).pins(&[0, 3]).stretch_stiffness(stiffness).masses(&[mass; 16]);
    let (baked, mut memory) = baked(cloth)?;
    let model = baked.model();
    let mut state = State::seed(&model, &mut memory)?;
    let dynamics = ClothDynamics { substeps, bend: 1e-5, ..ClothDynamics::default() };
    let mut snapshot = vec![Block::default(); model.snapshot_blocks()];
    for tick in 0..12 {
        let side = if tick % 2 == 0 { reach } else { -reach };
        // Along an axis for two steps, where a component is all of the speed, then across.
        let across = if tick % 4 < 2 { 0.0 } else { 0.7 * side };
        let target = [Target { vertex: 3, position: [side, across, -across] }];
        let input = StepInput { targets: Targets::Listed(&target), ..StepInput::new(dt, GRAVITY, &dynamics) };
        step(&mut state, &input)?;
        state.snapshot(&mut snapshot)?;
        let before = state.fingerprint();
        state.restore(&snapshot)?;
        assert_eq!(state.fingerprint(), before);
    }
    Ok(())
}

#[test]
fn soft_heavy_rows_in_short_substeps_keep_a_tension_that_is_a_number() -> Outcome {
    // (c·m/h²)² is beyond the largest f32 in each of these.
    for (stiffness, mass, dt, substeps) in
        [(1.0, 1e6, 1e-5, 45), (1e-9, 1e-3, 1e-5, 25), (1e-9, 1.0, 1.0 / 240.0, 64), (1e-6, 1e9, DT, 8)]
    {
        is_taken_back(stiffness, mass, dt, substeps, 0.06)
            .map_err(|error| format!("{stiffness} N/m, {mass} kg, {dt} s in {substeps}: {error}"))?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_state_a_step_leaves_is_taken_back(
        stiffness in -9.0_f32..15.0,
        mass in -14.0_f32..11.0,
        dt in -5.0_f32..0.0,
        substeps in 1_u32..=64,
        reach in -3.0_f32..6.0,
    ) {
        let ten = |power: f32| 10.0_f32.powf(power);
        let outcome = is_taken_back(ten(stiffness), ten(mass), ten(dt).max(1e-5), substeps, ten(reach));
        prop_assert!(outcome.is_ok(), "{:?}", outcome.err().map(|error| error.to_string()));
    }
}
