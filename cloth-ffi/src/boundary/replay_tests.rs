//! Replays, verified as C verifies them.

use super::tests::sheet;
use super::*;
use crate::*;
use cloth_core::replay::{Event, Recorder};
use cloth_core::{Block, ClothDynamics, State, StepInput, Vec3, step};
use core::ptr;
use std::vec::Vec;

const DONE: ClothStatus = ClothStatus::Ok;
const FRAMES: u32 = 20;

/// The file form of a run in which a corner is let go, and the state's size.
fn recorded() -> (Vec<u8>, usize) {
    let baked = sheet();
    let model = baked.model();
    let mut memory = std::vec![Block::default(); model.state_blocks()];
    let mut state = State::seed(&model, &mut memory).expect("room for a state");
    let dynamics = ClothDynamics::default();
    let input = StepInput::new(1.0 / 60.0, Vec3::new(0.0, -9.81, 0.0), &dynamics);
    let mut recorder = Recorder::new(&state).expect("a fresh state");
    for frame in 0..FRAMES {
        if frame == 10 {
            let event = Event::Release { vertex: 0 };
            event.happen(&mut state).expect("a vertex");
            recorder.event(event);
        }
        step(&mut state, &input).expect("a step");
        recorder.frame(&input, state.fingerprint());
    }
    (recorder.finish().expect("a run").to_bytes(), model.state_blocks())
}

const NO_FAULT: ClothFault = ClothFault { status: 77, element: 77, other: 77 };
const NO_RESULT: ClothReplayResult =
    ClothReplayResult { expected: 7, found: 7, same_frames: 7, first_different: 7, lanes: 7, reserved: 7 };

/// What verifying a file in so many blocks and lanes answers.
fn verified(file: &[u8], blocks: usize, lanes: u32) -> (ClothStatus, ClothReplayResult, ClothFault) {
    let mut memory = std::vec![ClothBlock::default(); blocks];
    let (mut result, mut fault) = (NO_RESULT, NO_FAULT);
    let (out, blame) = (&raw mut result, &raw mut fault);
    // SAFETY: pointers and lengths of slices, and references.
    let status = unsafe {
        cloth_replay_verify_file(file.as_ptr(), file.len(), lanes, memory.as_mut_ptr(), blocks, out, blame)
    };
    (status, result, fault)
}

fn words(file: &[u8]) -> Vec<u32> {
    file.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// A file with a word changed.
fn with_word(file: &[u8], word: usize, value: u32) -> Vec<u8> {
    let mut changed = file.to_vec();
    changed[4 * word..4 * word + 4].copy_from_slice(&value.to_le_bytes());
    changed
}

#[test]
fn a_run_is_the_same_in_all_lanes() {
    let (file, state) = recorded();
    let blocks = file.len() / 16 + state;
    for lanes in [0, 1, 4] {
        let (status, result, fault) = verified(&file, blocks, lanes);
        assert_eq!((status, result.same_frames, result.first_different), (DONE, FRAMES, u32::MAX));
        assert!(result.found == result.expected && result.found != 0 && result.reserved == 0);
        assert!(lanes == 0 || result.lanes <= lanes, "{lanes}: {result:?}");
        assert_eq!(fault, NO_FAULT, "a fault without an error");
    }
    let refused = |file, blocks, lanes| {
        let (status, result, fault) = verified(file, blocks, lanes);
        assert_eq!(result, NO_RESULT, "an error wrote a result");
        assert!(fault == NO_FAULT || fault.status == status as u32, "{fault:?}");
        status
    };
    assert_eq!(refused(&file, blocks, 8), ClothStatus::UnknownValue);
    assert_eq!(refused(&file, blocks - 1, 0), ClothStatus::StateTooShort);
    assert_eq!(refused(&file, file.len() / 16 - 1, 0), ClothStatus::BufferTooSmall);
    assert_eq!(refused(&file[..file.len() - 1], blocks, 0), ClothStatus::ReplayTooShort);
    assert_eq!(refused(&[], blocks, 0), ClothStatus::NotAReplay);
}

#[test]
fn the_first_frame_that_differs_is_named() {
    let (file, state) = recorded();
    let blocks = file.len() / 16 + state;
    let (_, good, _) = verified(&file, blocks, 0);
    // Behind the last frame's fingerprint lies padding only.
    let words = words(&file);
    let low = words.iter().rposition(|word| *word == (good.expected & 0xffff_ffff) as u32).expect("a frame");
    let other = with_word(&file, low, words[low] ^ 1);
    let (status, result, fault) = verified(&other, blocks, 0);
    assert_eq!(status, ClothStatus::ReplayDiffers);
    assert_eq!((result.same_frames, result.first_different), (FRAMES - 1, FRAMES));
    assert_eq!((result.found, result.expected), (good.found, good.expected ^ 1));
    assert_eq!((fault.status, fault.element), (status as u32, FRAMES));
    // The state before the first frame.
    let start = core::mem::offset_of!(cloth_core::replay::Header, start) / 4;
    let (status, result, _) = verified(&with_word(&file, start, words[start] ^ 1), blocks, 0);
    assert_eq!((status, result.first_different, result.same_frames), (ClothStatus::ReplayDiffers, 0, 0));
}

#[test]
fn replays_are_loaded_and_run_where_they_lie() {
    let (file, state) = recorded();
    let mut needed = 0;
    let mut facts = ClothReplayFacts::default();
    let mut memory = std::vec![ClothBlock::default(); state];
    let mut result = NO_RESULT;
    // SAFETY: pointers and lengths of vectors, and references; null where it means nothing.
    unsafe {
        assert_eq!(cloth_replay_blocks(file.as_ptr(), file.len(), &raw mut needed), DONE);
        assert_eq!(needed, file.len() / 16);
        let mut blocks = std::vec![ClothBlock::default(); needed];
        let (bytes, length, out) = (file.as_ptr(), file.len(), blocks.as_mut_ptr());
        let nobody = ptr::null_mut();
        let short = cloth_replay_load(bytes, length, out, needed - 1, &raw mut facts, nobody);
        assert_eq!((short, facts), (ClothStatus::BufferTooSmall, ClothReplayFacts::default()));
        assert_eq!(cloth_replay_load(bytes, length, out, needed, &raw mut facts, nobody), DONE);
        let loaded = facts;
        assert_eq!(
            (facts.replay_blocks, facts.state_blocks, facts.frame_count),
            (needed as u64, state as u64, FRAMES)
        );
        assert_eq!(cloth_replay_check(blocks.as_ptr(), needed, &raw mut facts, nobody), DONE);
        assert_eq!(facts, loaded);
        let room = memory.as_mut_ptr();
        let run = cloth_replay_verify(blocks.as_ptr(), needed, 0, room, state, &raw mut result, nobody);
        assert_eq!((run, result.same_frames), (DONE, FRAMES));
        // The blocks that are read are not the memory to run in, and the result is not in it.
        let within = blocks.as_mut_ptr();
        let shared = cloth_replay_verify(within, needed, 0, within, needed, &raw mut result, nobody);
        let hidden = cloth_replay_verify(within, needed, 0, room, state, room.cast(), nobody);
        assert_eq!((shared, hidden), (ClothStatus::Overlap, ClothStatus::Overlap));
    }
}

#[test]
fn damage_is_a_status_and_clears_what_was_loaded() {
    let (file, state) = recorded();
    let model = size_of::<cloth_core::replay::Header>() / 4;
    // The tag of the last step, and its length.
    let tag = words(&file).windows(2).rposition(|pair| pair == [1, 2]);
    for (word, value, status, frame) in [
        (0, 0, ClothStatus::NotAReplay, u32::MAX),
        (1, 0x0403_0201, ClothStatus::ReplayByteOrder, u32::MAX),
        (2, 999, ClothStatus::ReplayVersion, u32::MAX),
        (4, 1, ClothStatus::ModelTooShort, u32::MAX),
        (7, FRAMES + 1, ClothStatus::ReplayHeader, u32::MAX),
        (model, 0, ClothStatus::NotAModel, u32::MAX),
        (tag.expect("a step"), 99, ClothStatus::ReplayDamaged, FRAMES),
    ] {
        let spoilt = with_word(&file, word, value);
        let (found, result, fault) = verified(&spoilt, file.len() / 16 + state, 0);
        assert_eq!((found, result), (status, NO_RESULT), "word {word}");
        assert_eq!((fault.status, fault.element), (status as u32, frame), "word {word}");
        let mut blocks = std::vec![ClothBlock { words: [7; 4] }; file.len() / 16];
        let mut facts = ClothReplayFacts::default();
        let (bytes, length) = (spoilt.as_ptr(), spoilt.len());
        let (out, count) = (blocks.as_mut_ptr(), blocks.len());
        // SAFETY: pointers and lengths of vectors, and references; null where it means nothing.
        unsafe {
            let load = cloth_replay_load(bytes, length, out, count, &raw mut facts, ptr::null_mut());
            assert_eq!((load, facts), (status, ClothReplayFacts::default()));
            let check = cloth_replay_check(blocks.as_ptr(), count, &raw mut facts, ptr::null_mut());
            assert_eq!(check, ClothStatus::NotAReplay);
        }
    }
}
