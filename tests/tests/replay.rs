//! Replays: what is recorded is what runs, every frame is compared, and whatever is in a file, the answer is an error or a run.

use anyhow::{Context as _, Result};
use cloth_core::bake::Shapes;
use cloth_core::collide::{Collider, Pose};
use cloth_core::replay::{Event, Header, Recorder, Recording, verify};
use cloth_core::step::Colliders;
use cloth_core::{
    Block, Fingerprint, Level, Replay, ReplayError, StateError, StepError, StepInput, Target, Targets, Vec3,
    step,
};
use cloth_tests::golden;
use cloth_tests::narrow::{to_f32, to_u32};
use cloth_tests::no_alloc::heap_calls;
use cloth_tests::random::Random;
use cloth_tests::workload::{Workload, scenes};

/// Words of the header.
const HEADER: usize = size_of::<Header>() / 4;

/// A run in which every setting changes and every event happens, from its start or from a state of its own.
fn busy(workload: &Workload, warm: bool) -> Result<Recording> {
    let mut memory = workload.memory();
    let mut run = workload.start(&mut memory)?;
    if warm {
        run.steps(3)?;
    }
    let mut recorder = Recorder::new(&run.state)?;
    let sources = run.state.model().source_count();
    let all: Vec<[f32; 3]> = run.state.positions().map(|x| (x + Vec3::Y * 0.01).to_array()).collect();
    let normals = vec![[0.0, 0.0, 1.0]; sources as usize];
    let mut shapes = Shapes::new();
    let corners = [[0.0; 3], [0.2, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 0.2]];
    let hull = shapes.hull(&corners)?;
    let at = Pose::at(Vec3::new(0.05, -0.1, 0.05));
    let records = [
        Collider::sphere(0.05, at)?.touching(0.4, 0.0)?,
        Collider::shaped(cloth_core::collide::Kind::Hull, hull, shapes.words(), at)?,
    ];
    for frame in 0..16_u32 {
        let event = match frame {
            3 => Some(Event::Hold { vertex: sources / 2, target: Vec3::new(0.0, 0.1, 0.0) }),
            5 => Some(Event::Place { vertex: 1, position: Vec3::X, velocity: Vec3::Y }),
            7 => Some(Event::Release { vertex: sources / 2 }),
            9 => Some(Event::Wake),
            _ => None,
        };
        if let Some(event) = event {
            event.happen(&mut run.state)?;
            recorder.event(event);
        }
        let listed = [Target { vertex: 0, position: [to_f32(0.001 * f64::from(frame)), 0.0, 0.0] }];
        let mut dynamics = workload.spec.dynamics;
        dynamics.damping = if frame < 8 { 0.1 } else { 0.3 };
        let still = StepInput { dynamics: &dynamics, ..workload.input() };
        let input = StepInput {
            dt: if frame < 12 { 1.0 / 60.0 } else { 1.0 / 50.0 },
            gravity: Vec3::new(0.0, if frame < 10 { -9.81 } else { -1.6 }, 0.0),
            targets: match frame % 3 {
                0 => Targets::Keep,
                1 => Targets::Listed(&listed),
                _ => Targets::All(&all),
            },
            colliders: match frame {
                0..4 => Colliders::default(),
                _ => Colliders { records: &records, shapes: shapes.words() },
            },
            layer: 1 + frame / 6,
            faces: frame % 2 == 0,
            sleep: frame > 6,
            most_substeps: 64 + frame / 8,
            backstop_normals: if frame > 11 { &normals } else { &[] },
            ..still
        };
        step(&mut run.state, &input)?;
        recorder.frame(&input, run.state.fingerprint());
    }
    Ok(recorder.finish()?)
}

fn memory_for(replay: &Replay<'_>) -> Vec<Block> {
    vec![Block([0xdead_beef; 4]); replay.model().state_blocks()]
}

#[test]
fn a_recording_runs_again_in_all_lanes_and_from_its_file() -> Result<()> {
    for warm in [false, true] {
        let workload = scenes::hung_sheet(6).build()?;
        let recording = busy(&workload, warm)?;
        let replay = recording.replay()?;
        assert_eq!(replay.frame_count(), 16);
        let mut memory = memory_for(&replay);
        for level in [Level::SCALAR, Level::FOUR, Level::detect()] {
            let verified = verify(&replay, &mut memory, level)?;
            assert_eq!(verified.frames, 16);
        }
        let bytes = recording.to_bytes();
        let mut blocks = vec![Block::default(); Replay::blocks_for(&bytes)?];
        let loaded = Replay::load(&bytes, &mut blocks)?;
        assert_eq!(loaded.blocks(), replay.blocks());
        let mut again = vec![0; loaded.byte_len()];
        assert_eq!(loaded.save(&mut again)?, bytes.len());
        assert_eq!(again, bytes);
        assert!(loaded.save(&mut again[1..]).is_err());
        let events: Vec<_> = replay.frames().flat_map(|frame| frame.events()).collect();
        assert_eq!(events.len(), 4);
        assert_eq!(replay.frames().last().map(|frame| frame.input().backstop_normals.len()), Some(36));
    }
    Ok(())
}

#[test]
fn what_stays_is_written_once() -> Result<()> {
    let workload = scenes::hung_sheet(4).build()?;
    let words = |frames: u32| -> Result<u32> {
        let mut memory = workload.memory();
        let mut run = workload.start(&mut memory)?;
        let mut recorder = Recorder::new(&run.state)?;
        let input = workload.input();
        for _ in 0..frames {
            step(&mut run.state, &input)?;
            recorder.frame(&input, run.state.fingerprint());
        }
        let blocks = recorder.finish()?.into_blocks();
        Ok(bytemuck::cast_slice::<Block, u32>(&blocks)[6])
    };
    // A tag, a length and a fingerprint.
    assert_eq!(words(20)? - words(10)?, 10 * 4);
    Ok(())
}

#[test]
fn the_first_frame_that_differs_is_named_with_both_fingerprints() -> Result<()> {
    let recording = busy(&scenes::hung_sheet(5).build()?, false)?;
    let clean = recording.replay()?;
    let after: Vec<Fingerprint> = clean.frames().map(|frame| frame.after()).collect();
    let mut blocks = recording.clone().into_blocks();
    let words: &mut [u32] = bytemuck::cast_slice_mut(&mut blocks);
    for frame in [11, 6] {
        let low = u32::try_from(after[frame - 1].0 & 0xffff_ffff)?;
        let at = words.iter().rposition(|word| *word == low).context("the fingerprint is there")?;
        words[at] ^= 1;
    }
    let replay = Replay::from_blocks(&blocks)?;
    let found = after[5];
    let expected = Fingerprint(found.0 ^ 1);
    let error = verify(&replay, &mut memory_for(&replay), Level::detect()).expect_err("it differs");
    assert_eq!(error, ReplayError::Differs { frame: 6, expected, found });
    assert!(error.to_string().contains("frame 6"), "{error}");
    // The start is compared too.
    let mut blocks = recording.into_blocks();
    bytemuck::cast_slice_mut::<Block, u32>(&mut blocks)[8] ^= 1;
    let replay = Replay::from_blocks(&blocks)?;
    let error = verify(&replay, &mut memory_for(&replay), Level::detect()).expect_err("it differs");
    assert!(matches!(error, ReplayError::Differs { frame: 0, .. }), "{error}");
    Ok(())
}

#[test]
fn what_a_step_would_refuse_is_refused_before_any_is_taken() -> Result<()> {
    let workload = scenes::hung_sheet(4).build()?;
    let mut memory = workload.memory();
    let state = workload.start(&mut memory)?.state;
    let good = workload.input();
    let finish = |input: &StepInput<'_>, event: Option<Event>| -> ReplayError {
        let mut recorder = Recorder::new(&state).expect("a seeded state");
        recorder.frame(&good, Fingerprint(1));
        event.into_iter().for_each(|event| recorder.event(event));
        recorder.frame(input, Fingerprint(2));
        recorder.finish().expect_err("it should be refused")
    };
    let step = |error| ReplayError::Step { frame: 2, error };
    assert_eq!(finish(&StepInput { dt: 0.0, ..good }, None), step(StepError::Dt));
    assert_eq!(finish(&StepInput { gravity: Vec3::NAN, ..good }, None), step(StepError::Gravity));
    assert_eq!(finish(&StepInput { most_substeps: 4000, ..good }, None), step(StepError::MostSubsteps));
    let outside = [Target { vertex: 99, position: [0.0; 3] }];
    assert_eq!(
        finish(&StepInput { targets: Targets::Listed(&outside), ..good }, None),
        step(StepError::TargetVertex { index: 0, vertex: 99 })
    );
    assert_eq!(
        finish(&StepInput { targets: Targets::All(&[[0.0; 3]]), ..good }, None),
        step(StepError::TargetCount { expected: 16, provided: 1 })
    );
    let none = [Collider::default()];
    let among = StepInput { colliders: Colliders { records: &none, shapes: &[] }, ..good };
    assert!(matches!(
        finish(&among, None),
        ReplayError::Step { frame: 2, error: StepError::Collider { .. } }
    ));
    let event = |error| ReplayError::Event { frame: 2, error };
    assert_eq!(
        finish(&good, Some(Event::Release { vertex: 16 })),
        event(StateError::NoSuchVertex { vertex: 16, count: 16 })
    );
    assert_eq!(
        finish(&good, Some(Event::Hold { vertex: 3, target: Vec3::INFINITY })),
        event(StateError::NonFinite { vertex: 3 })
    );
    // A stream that says nothing of the first step is refused as well, and one that ends within a frame.
    let mut recorder = Recorder::new(&state)?;
    recorder.event(Event::Wake);
    assert!(matches!(recorder.finish(), Err(ReplayError::Damaged { frame: 1, .. })));
    Ok(())
}

#[test]
fn the_state_of_a_refused_frame_is_as_it_was() -> Result<()> {
    let recording = busy(&scenes::hung_sheet(6).build()?, false)?;
    let replay = recording.replay()?;
    let other = scenes::hung_sheet(5).build()?;
    let mut memory = other.memory();
    let mut state = other.start(&mut memory)?.state;
    let before = state.fingerprint();
    let frame = replay.frames().nth(2).context("there are more")?;
    let error = frame.play(&mut state, Level::detect()).expect_err("targets of another cloth");
    assert!(matches!(error, ReplayError::Step { frame: 3, .. }), "{error}");
    assert_eq!(state.fingerprint(), before);
    // Memory that is too small is told before it is written.
    let mut short = memory_for(&replay);
    short.pop();
    let clean = short.clone();
    let error = verify(&replay, &mut short, Level::detect()).expect_err("a block is missing");
    assert!(matches!(error, ReplayError::Start(StateError::BufferTooSmall { .. })), "{error}");
    assert!(short == clean, "a refused start was written");
    Ok(())
}

#[test]
fn every_flipped_bit_of_the_stream_is_refused_or_runs() -> Result<()> {
    for warm in [false, true] {
        let blocks = busy(&scenes::hung_sheet(4).build()?, warm)?.into_blocks();
        let words = blocks.len() * 4;
        let header = *bytemuck::from_bytes::<Header>(bytemuck::cast_slice(&blocks[..HEADER / 4]));
        let stream = 4 * (HEADER / 4 + (header.model_blocks + header.start_blocks) as usize);
        let mut memory = memory_for(&Replay::from_blocks(&blocks)?);
        let (mut refused, mut differs, mut same) = (0, 0, 0);
        // Header and stream whole; of model and snapshot, which have tests of their own, some.
        for word in (0..HEADER).chain((HEADER..stream).step_by(37)).chain(stream..words) {
            for bit in (word % 3..32).step_by(3) {
                let mut spoiled = blocks.clone();
                bytemuck::cast_slice_mut::<Block, u32>(&mut spoiled)[word] ^= 1 << bit;
                let Ok(replay) = Replay::from_blocks(&spoiled) else {
                    refused += 1;
                    continue;
                };
                memory.resize(replay.model().state_blocks(), Block::default());
                match verify(&replay, &mut memory, Level::detect()) {
                    Ok(_) => same += 1,
                    Err(ReplayError::Differs { .. }) => differs += 1,
                    Err(error) => panic!("word {word} bit {bit}: looked through, and yet {error}"),
                }
            }
        }
        assert!(refused > 1000 && differs > 1000, "{refused} refused, {differs} differ, {same} the same");
    }
    Ok(())
}

#[test]
fn corrupted_golden_files_are_refused_or_run() -> Result<()> {
    let mut random = Random::new(5);
    for name in ["chain", "absurd"] {
        let clean = golden::replay(name)?;
        let mut room = vec![Block::default(); Replay::blocks_for(&clean)?];
        let mut memory = memory_for(&Replay::load(&clean, &mut room.clone())?);
        for _ in 0..400 {
            let mut file = clean.clone();
            for _ in 0..random.between(1, 4) {
                let at = random.below(to_u32(file.len())) as usize;
                file[at] = random.bits().to_le_bytes()[0];
            }
            if random.one_in(8) {
                file.truncate(random.below(to_u32(file.len())) as usize);
            }
            let _ = Replay::blocks_for(&file);
            if let Ok(replay) = Replay::load(&file, &mut room) {
                memory.resize(replay.model().state_blocks(), Block::default());
                match verify(&replay, &mut memory, Level::detect()) {
                    Ok(_) | Err(ReplayError::Differs { .. }) => {}
                    Err(error) => panic!("looked through, and yet {error}"),
                }
            }
        }
        for length in 0..clean.len() / 16 {
            let cut = Replay::load(&clean[..16 * length], &mut room).expect_err("it is cut off");
            assert!(matches!(cut, ReplayError::TooShort { .. } | ReplayError::NotAReplay), "{length}: {cut}");
        }
    }
    Ok(())
}

#[test]
fn reading_and_running_a_replay_makes_no_heap_call() -> Result<()> {
    let bytes = busy(&scenes::hung_sheet(5).build()?, true)?.to_bytes();
    let mut blocks = vec![Block::default(); Replay::blocks_for(&bytes)?];
    let mut memory = memory_for(&Replay::load(&bytes, &mut blocks.clone())?);
    let (verified, calls) = heap_calls(|| {
        let replay = Replay::load(&bytes, &mut blocks)?;
        verify(&replay, &mut memory, Level::detect())
    });
    assert_eq!((verified?.frames, calls), (16, 0));
    Ok(())
}

#[test]
fn words_of_the_other_byte_order_are_told() -> Result<()> {
    let mut blocks = busy(&scenes::hung_sheet(4).build()?, false)?.into_blocks();
    for block in &mut blocks {
        block.0 = block.0.map(u32::swap_bytes);
    }
    assert_eq!(Replay::from_blocks(&blocks).expect_err("swapped"), ReplayError::ByteOrder);
    Ok(())
}
