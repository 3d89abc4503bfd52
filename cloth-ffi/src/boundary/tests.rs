//! The functions, called as C calls them.

use super::*;
use crate::*;
use cloth_core::collide::{Collider, Pose};
use cloth_core::step::Colliders;
use cloth_core::{Baked, Block, ModelBuilder, State, StepInput, Target, Targets, Vec3, step};
use core::mem::MaybeUninit;
use core::ptr;
use std::boxed::Box;
use std::vec::Vec;

pub(super) const DONE: ClothStatus = ClothStatus::Ok;
const DOWN: Vec3 = Vec3::new(0.0, -9.81, 0.0);

pub(super) fn sheet() -> Baked {
    let side = 5_u8;
    let place = |i: u8| [f32::from(i % side) * 0.1, 0.0, f32::from(i / side) * 0.1];
    let positions: Vec<[f32; 3]> = (0..side * side).map(place).collect();
    let mut triangles = Vec::new();
    for corner in (0..u32::from(side * (side - 1))).filter(|i| i % 5 != 4) {
        triangles.push([corner, corner + 5, corner + 1]);
        triangles.push([corner + 1, corner + 5, corner + 6]);
    }
    ModelBuilder::mesh(&positions, &triangles).pins(&[0, 4]).build().expect("a sheet is a cloth")
}

/// A cloth in memory of its own, opened by the functions under test. Nothing in it moves.
pub(super) struct Opened {
    blocks: Vec<ClothBlock>,
    memory: Vec<ClothBlock>,
    model: Box<ClothModel>,
    pub(super) cloth: Box<Cloth>,
}

impl Opened {
    pub(super) fn new(baked: &Baked) -> Self {
        let blocks: Vec<ClothBlock> =
            baked.model().blocks().iter().map(|b| ClothBlock { words: b.0 }).collect();
        let memory = std::vec![ClothBlock::default(); baked.model().state_blocks()];
        let (model, cloth) = (Box::new(closed_model()), Box::new(closed_cloth()));
        let mut new = Self { blocks, memory, model, cloth };
        // SAFETY: pointers and lengths of vectors and boxes that stay where they are.
        unsafe {
            assert_eq!(cloth_model_open(new.blocks.as_ptr(), new.blocks.len(), &raw mut *new.model), DONE);
            let (memory, count) = (new.memory.as_mut_ptr(), new.memory.len());
            assert_eq!(cloth_seed(&raw const *new.model, memory, count, &raw mut *new.cloth), DONE);
        }
        new
    }

    fn cloth(&mut self) -> *mut Cloth {
        &raw mut *self.cloth
    }

    pub(super) fn facts(&self) -> ClothStateFacts {
        let mut facts = MaybeUninit::uninit();
        // SAFETY: an open cloth and memory for the result, which is there if the call says so.
        unsafe {
            assert_eq!(cloth_state_facts(&raw const *self.cloth, facts.as_mut_ptr()), DONE);
            facts.assume_init()
        }
    }

    pub(super) fn step(&mut self, input: &ClothStep) -> Result<ClothStepReport, ClothFault> {
        let mut report = ClothStepReport { teleported: 77, ..ClothStepReport::default() };
        let mut fault = ClothFault { status: 0, element: 0, other: 0 };
        // SAFETY: an open cloth, and references.
        let status = unsafe { cloth_step(self.cloth(), input, &raw mut report, &raw mut fault) };
        if status == DONE {
            assert_eq!(fault.status, 0, "a fault without an error");
            return Ok(report);
        }
        assert_eq!(report.teleported, 77, "an error wrote a report");
        assert!(fault.status == status as u32 || fault.status == 0, "{fault:?} of {status:?}");
        Err(ClothFault { status: status as u32, ..fault })
    }
}

fn closed_model() -> ClothModel {
    ClothModel { opaque: [0; CLOTH_MODEL_WORDS] }
}

fn closed_cloth() -> Cloth {
    Cloth { opaque: [0; CLOTH_WORDS] }
}

pub(super) fn vector([x, y, z]: [f32; 3]) -> ClothVec3 {
    ClothVec3 { x, y, z }
}

pub(super) fn here() -> ClothPose {
    let rotation = ClothVec4 { w: 1.0, ..ClothVec4::default() };
    ClothPose { translation: vector([0.2, -0.15, 0.2]), rotation }
}

/// A state of core's own, to compare with.
fn core_fingerprint(baked: &Baked, work: impl FnOnce(&mut State<'_>)) -> u64 {
    let model = baked.model();
    let mut memory = std::vec![Block::default(); model.state_blocks()];
    let mut state = State::seed(&model, &mut memory).expect("room for a state");
    work(&mut state);
    state.fingerprint().0
}

#[test]
fn steps_are_cores() {
    let baked = sheet();
    let mut opened = Opened::new(&baked);
    // Under the middle of the sheet, which falls on it whatever its corners do.
    let below = ClothPose { translation: vector([0.2, -0.1, 0.2]), ..here() };
    let mut ball = MaybeUninit::uninit();
    // SAFETY: references and memory for the result.
    let mut ball = unsafe {
        let sizes = vector([0.08, 0.0, 0.0]);
        assert_eq!(cloth_collider(ClothColliderKind::Sphere as u32, sizes, &below, ball.as_mut_ptr()), DONE);
        ball.assume_init()
    };
    ball.friction = 0.5;
    let listed = [ClothTarget { vertex: 4, position: vector([0.35, 0.1, 0.0]) }];
    let all: Vec<ClothVec3> = (0..25_u8).map(|i| vector([f32::from(i) * 0.01, 0.0, 0.0])).collect();
    let mut contacts = 0;
    for turn in 0..40_u32 {
        let mode = [ClothTargets::Keep, ClothTargets::Listed, ClothTargets::All][turn as usize % 3];
        let input = ClothStep {
            lanes: [0, 1, 4][turn as usize % 3],
            target_mode: mode as u32,
            listed_targets: listed.as_ptr(),
            targets: all.as_ptr(),
            target_count: if mode == ClothTargets::All { 25 } else { 1 },
            colliders: &raw const ball,
            collider_count: 1,
            ..cloth_default_step()
        };
        contacts += opened.step(&input).expect("a step").contacts;
    }
    assert!(contacts > 0);

    let expected = core_fingerprint(&baked, |state| {
        let pose = Pose::at(Vec3::new(0.2, -0.1, 0.2));
        let ball = Collider::sphere(0.08, pose).and_then(|ball| ball.touching(0.5, 0.0)).expect("a ball");
        let listed = [Target { vertex: 4, position: [0.35, 0.1, 0.0] }];
        let all: Vec<[f32; 3]> = (0..25_u8).map(|i| [f32::from(i) * 0.01, 0.0, 0.0]).collect();
        let dynamics = cloth_core::ClothDynamics::default();
        for turn in 0..40 {
            let targets = [Targets::Keep, Targets::Listed(&listed), Targets::All(&all)][turn % 3];
            let colliders = Colliders { records: &[ball], shapes: &[] };
            let input = StepInput { targets, colliders, ..StepInput::new(1.0 / 60.0, DOWN, &dynamics) };
            step(state, &input).expect("a step");
        }
    });
    let facts = opened.facts();
    assert_eq!((facts.fingerprint, facts.steps), (expected, 40));
}

#[test]
fn vertices_are_held_placed_and_let_go_as_in_core() {
    let baked = sheet();
    let mut opened = Opened::new(&baked);
    let (grip, speed) = (vector([0.4, 0.2, 0.5]), vector([1.0, 0.0, -1.0]));
    // SAFETY: an open cloth.
    unsafe {
        assert_eq!(cloth_hold(opened.cloth(), 24, grip), DONE);
        assert_eq!(cloth_place(opened.cloth(), 12, grip, speed), DONE);
        assert_eq!(cloth_release(opened.cloth(), 0), DONE);
        assert_eq!(cloth_release(opened.cloth(), 25), ClothStatus::NoSuchVertex);
        assert_eq!(cloth_hold(opened.cloth(), 24, vector([f32::NAN; 3])), ClothStatus::VectorOutOfRange);
        assert_eq!(
            cloth_place(opened.cloth(), 24, grip, vector([0.0, 1e7, 0.0])),
            ClothStatus::VectorOutOfRange
        );
    }
    let expected = core_fingerprint(&baked, |state| {
        let grip = Vec3::new(0.4, 0.2, 0.5);
        state.hold(24, grip).expect("a vertex");
        state.place(12, grip, Vec3::new(1.0, 0.0, -1.0)).expect("a vertex");
        state.release(0).expect("a vertex");
    });
    assert_eq!(opened.facts().fingerprint, expected);
    let mut found = MaybeUninit::uninit();
    // SAFETY: an open cloth and memory for the result, which is there if the call says so.
    unsafe {
        assert_eq!(cloth_vertex(opened.cloth(), 25, found.as_mut_ptr()), ClothStatus::NoSuchVertex);
        assert_eq!(cloth_vertex(opened.cloth(), 24, found.as_mut_ptr()), DONE);
        let found = found.assume_init();
        assert_eq!((found.target, found.held), (grip, 1));
        let mut asleep = 7;
        assert_eq!(cloth_is_asleep(opened.cloth(), &raw mut asleep), DONE);
        assert_eq!(asleep, 0);
    }
}

#[test]
fn vectors_are_copied_in_source_order_and_between_them_nothing() {
    let mut opened = Opened::new(&sheet());
    opened.step(&cloth_default_step()).expect("a step");
    const STRIDE: usize = 20;
    const MARK: u32 = 0xdead_beef;
    for (call, moving) in [(cloth_positions as CopyOut, false), (cloth_velocities, true)] {
        let mut room = std::vec![MARK; 26 * STRIDE / 4];
        let start: *mut ClothVec3 = room.as_mut_ptr().cast();
        // SAFETY: an open cloth, and room for 26 vectors at that stride.
        unsafe {
            assert_eq!(call(opened.cloth(), start, STRIDE, 24), ClothStatus::BufferTooSmall);
            assert_eq!(call(opened.cloth(), start, 8, 25), ClothStatus::Stride);
            assert_eq!(call(opened.cloth(), start, 14, 25), ClothStatus::Stride);
            assert_eq!(call(opened.cloth(), start, usize::MAX - 3, 25), ClothStatus::CountTooLarge);
            assert!(room.iter().all(|word| *word == MARK), "an error wrote");
            assert_eq!(call(opened.cloth(), start, STRIDE, 26), DONE);
        }
        for (vertex, words) in (0..).zip(room.chunks(STRIDE / 4)) {
            let written = if vertex < 25 { 3 } else { 0 };
            assert!(words[written..].iter().all(|word| *word == MARK), "vertex {vertex}");
            let mut found = MaybeUninit::uninit();
            // SAFETY: an open cloth and memory for the result, which is there if the call says so.
            let found = unsafe {
                if cloth_vertex(opened.cloth(), vertex, found.as_mut_ptr()) != DONE {
                    continue;
                }
                found.assume_init()
            };
            let v = if moving { found.velocity } else { found.position };
            assert_eq!(words[..3], [v.x, v.y, v.z].map(f32::to_bits), "vertex {vertex}");
        }
    }
}

type CopyOut = unsafe extern "C" fn(*const Cloth, *mut ClothVec3, usize, usize) -> ClothStatus;

#[test]
fn the_borrowed_span_and_the_permutation_lead_to_the_same_vertices() {
    let mut opened = Opened::new(&sheet());
    opened.step(&cloth_default_step()).expect("a step");
    let (mut particles, mut permutation) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    // SAFETY: open handles and memory for the results, which lead as far as they say.
    unsafe {
        assert_eq!(cloth_particles(opened.cloth(), particles.as_mut_ptr()), DONE);
        assert_eq!(cloth_model_permutation(&raw const *opened.model, permutation.as_mut_ptr()), DONE);
        let (particles, permutation) = (particles.assume_init(), permutation.assume_init());
        assert_eq!((permutation.source_count, permutation.particle_count, particles.count), (25, 25, 25));
        for vertex in 0..25_u32 {
            let particle = *permutation.particle_of.add(vertex as usize);
            assert_eq!(*permutation.source_of.add(particle as usize), vertex);
            let (body, velocity) =
                (*particles.bodies.add(particle as usize), *particles.velocities.add(particle as usize));
            let mut found = MaybeUninit::uninit();
            assert_eq!(cloth_vertex(opened.cloth(), vertex, found.as_mut_ptr()), DONE);
            let found = found.assume_init();
            assert_eq!(vector([body.x, body.y, body.z]), found.position);
            assert_eq!(vector([velocity.x, velocity.y, velocity.z]), found.velocity);
            assert_eq!((body.w == 0.0, velocity.w), (found.held == 1, 0.0));
        }
    }
}

#[test]
fn snapshots_and_moved_memory_have_the_same_future() {
    let baked = sheet();
    let mut opened = Opened::new(&baked);
    let input = cloth_default_step();
    opened.step(&input).expect("a step");
    let mut saved = std::vec![ClothBlock::default(); baked.model().snapshot_blocks()];
    // SAFETY: an open cloth, and pointers and lengths of vectors.
    unsafe {
        let (out, count) = (saved.as_mut_ptr(), saved.len());
        assert_eq!(cloth_snapshot(opened.cloth(), out, count - 1), ClothStatus::StateTooShort);
        assert!(saved.iter().all(|block| *block == ClothBlock::default()), "an error wrote");
        assert_eq!(cloth_snapshot(opened.cloth(), out, count), DONE);
    }
    opened.step(&input).expect("a step");
    let once = opened.facts();
    // SAFETY: as above.
    unsafe { assert_eq!(cloth_restore(saved.as_ptr(), saved.len(), opened.cloth()), DONE) };
    opened.step(&input).expect("a step");
    assert_eq!(opened.facts(), once);

    let mut spoilt = saved.clone();
    spoilt[4].words[0] = f32::NAN.to_bits();
    // SAFETY: as above.
    let status = unsafe { cloth_restore(spoilt.as_ptr(), spoilt.len(), opened.cloth()) };
    assert_eq!((status, opened.facts()), (ClothStatus::StateDamaged, once));

    // The state in other memory, under another handle.
    let mut moved = opened.memory.clone();
    let mut cloth = closed_cloth();
    // SAFETY: pointers and lengths of what lives until the end of this function.
    unsafe {
        assert_eq!(cloth_close(opened.cloth()), DONE);
        assert_eq!(cloth_close(opened.cloth()), ClothStatus::NotOpen);
        let (model, memory, count) = (&raw const *opened.model, moved.as_mut_ptr(), moved.len());
        assert_eq!(cloth_attach(model, memory, count - 1, &raw mut cloth), ClothStatus::StateTooShort);
        assert_eq!(cloth_attach(model, memory, count, &raw mut cloth), DONE);
        let mut facts = MaybeUninit::uninit();
        assert_eq!(cloth_state_facts(&raw const cloth, facts.as_mut_ptr()), DONE);
        assert_eq!(facts.assume_init(), once);
    }
}

#[test]
fn what_is_no_handle_is_a_status() {
    let mut opened = Opened::new(&sheet());
    let (mut facts, mut asleep) = (ClothModelFacts::default(), 0);
    let mut zero = closed_cloth();
    let mut copy = *opened.cloth;
    let noise = ClothModel { opaque: [0x5555; CLOTH_MODEL_WORDS] };
    // SAFETY: whatever passes the checks leads to as much memory as is said.
    unsafe {
        assert_eq!(cloth_wake(ptr::null_mut()), ClothStatus::NullPointer);
        assert_eq!(cloth_wake(opened.cloth().wrapping_byte_add(1)), ClothStatus::Misaligned);
        assert_eq!(cloth_wake(&raw mut zero), ClothStatus::NotOpen);
        assert_eq!(cloth_wake(&raw mut copy), ClothStatus::HandleMoved);
        assert_eq!(cloth_is_asleep(&raw const copy, &raw mut asleep), ClothStatus::HandleMoved);
        assert_eq!(cloth_model_facts(&raw const noise, &raw mut facts), ClothStatus::NotOpen);
        // A model's handle may be copied.
        let other = *opened.model;
        assert_eq!(cloth_model_facts(&raw const other, &raw mut facts), DONE);
        assert_eq!(cloth_model_close(&raw mut *opened.model), DONE);
        assert_eq!(cloth_model_facts(&raw const *opened.model, &raw mut facts), ClothStatus::NotOpen);
    }
    // Cloths of a closed model go on.
    opened.step(&cloth_default_step()).expect("a step");
}

#[test]
fn memory_that_overlaps_is_a_status() {
    let baked = sheet();
    let mut opened = Opened::new(&baked);
    let before = opened.facts();
    let memory: *mut ClothBlock = opened.memory.as_mut_ptr();
    let blocks: *mut ClothBlock = opened.blocks.as_mut_ptr();
    let (cloth, count) = (opened.cloth(), opened.memory.len());
    let mut input = cloth_default_step();
    let mut report = ClothStepReport::default();
    // SAFETY: every pointer leads to as much memory as is said; whether it is apart is what the calls have to find out.
    unsafe {
        let model = &raw const *opened.model;
        assert_eq!(cloth_seed(model, blocks, opened.blocks.len(), cloth), ClothStatus::Overlap);
        assert_eq!(cloth_seed(model, cloth.cast(), 1, cloth), ClothStatus::Overlap);
        assert_eq!(cloth_snapshot(cloth, memory, count), ClothStatus::Overlap);
        assert_eq!(cloth_snapshot(cloth, blocks, opened.blocks.len()), ClothStatus::Overlap);
        assert_eq!(cloth_restore(memory, count, cloth), ClothStatus::Overlap);
        assert_eq!(cloth_blended_positions(cloth, 0.5, memory.cast(), 12, 25), ClothStatus::Overlap);
        assert_eq!(cloth_positions(cloth, memory.cast(), 12, 25), ClothStatus::Overlap);
        assert_eq!(cloth_positions(cloth, cloth.cast(), 12, 25), ClothStatus::Overlap);
        assert_eq!(cloth_state_facts(cloth, memory.cast()), ClothStatus::Overlap);
        assert_eq!(cloth_model_facts(model, blocks.cast()), ClothStatus::Overlap);
        // A fault that overlaps is not written either.
        assert_eq!(cloth_step(cloth, &raw const input, &raw mut report, memory.cast()), ClothStatus::Overlap);
        assert_eq!(cloth_step(cloth, &raw const input, memory.cast(), ptr::null_mut()), ClothStatus::Overlap);
        let within: *mut ClothStepReport = (&raw mut input).cast();
        assert_eq!(cloth_step(cloth, &raw const input, within, ptr::null_mut()), ClothStatus::Overlap);
    }
    let inside = ClothStep { colliders: memory.cast(), collider_count: 1, ..input };
    assert_eq!(opened.step(&inside).expect_err("overlap").status, ClothStatus::Overlap as u32);
    assert_eq!(opened.facts(), before);
}

#[test]
fn a_refused_step_names_its_fault_and_changes_nothing() {
    let mut opened = Opened::new(&sheet());
    let good = cloth_default_step();
    opened.step(&good).expect("a step");
    let before = opened.facts();
    let listed = [
        ClothTarget { vertex: 3, position: vector([0.0; 3]) },
        ClothTarget { vertex: 99, position: vector([0.0; 3]) },
    ];
    let lost = [vector([0.0; 3]), vector([f32::INFINITY; 3])];
    // SAFETY: memory of zeros is a record of numbers.
    let nothing: [ClothCollider; 2] = unsafe { MaybeUninit::zeroed().assume_init() };
    let (all, some) = (ClothTargets::All as u32, ClothTargets::Listed as u32);
    let none = u32::MAX;
    for (input, status, element, other) in [
        (ClothStep { dt: 0.0, ..good }, ClothStatus::Dt, none, none),
        (ClothStep { gravity: lost[1], ..good }, ClothStatus::Gravity, none, none),
        (
            ClothStep { dynamics: ClothDynamics { damping: -1.0, ..good.dynamics }, ..good },
            ClothStatus::Dynamics,
            5,
            none,
        ),
        (ClothStep { most_substeps: 1025, ..good }, ClothStatus::MostSubsteps, none, none),
        (
            ClothStep { target_mode: all, targets: lost.as_ptr(), target_count: 2, ..good },
            ClothStatus::TargetCount,
            none,
            none,
        ),
        (
            ClothStep { target_mode: some, listed_targets: listed.as_ptr(), target_count: 2, ..good },
            ClothStatus::TargetVertex,
            1,
            99,
        ),
        (
            ClothStep { backstop_normals: lost.as_ptr(), backstop_normal_count: 2, ..good },
            ClothStatus::BackstopNormalCount,
            none,
            none,
        ),
        (
            ClothStep { colliders: nothing.as_ptr(), collider_count: 2, ..good },
            ClothStatus::ColliderKind,
            0,
            none,
        ),
        (ClothStep { lanes: 3, ..good }, ClothStatus::UnknownValue, none, none),
    ] {
        let fault = opened.step(&input).expect_err("a bad step");
        assert_eq!(fault, ClothFault { status: status as u32, element, other });
        assert_eq!(opened.facts(), before, "{status:?}");
    }
    for (input, status) in [
        (ClothStep { cookie: 0, ..good }, ClothStatus::NotDefault),
        (ClothStep { struct_size: 0, ..good }, ClothStatus::StructSize),
        (ClothStep { flags: 8, ..good }, ClothStatus::UnknownValue),
        (ClothStep { target_mode: 3, ..good }, ClothStatus::UnknownValue),
        (ClothStep { collider_count: 1, ..good }, ClothStatus::NullPointer),
        (
            ClothStep { collider_count: usize::MAX, colliders: nothing.as_ptr(), ..good },
            ClothStatus::CountTooLarge,
        ),
        (ClothStep { target_mode: all, target_count: 25, ..good }, ClothStatus::NullPointer),
    ] {
        assert_eq!(opened.step(&input).expect_err("a bad step").status, status as u32);
        assert_eq!(opened.facts(), before, "{status:?}");
    }
    // Who wants no fault gives none.
    let (bad, mut report) = (ClothStep { dt: 0.0, ..good }, ClothStepReport::default());
    // SAFETY: an open cloth, and references.
    let status = unsafe { cloth_step(opened.cloth(), &raw const bad, &raw mut report, ptr::null_mut()) };
    assert_eq!(status, ClothStatus::Dt);
}

#[test]
fn a_model_is_loaded_from_bytes_saved_and_told() {
    let baked = sheet();
    let model = baked.model();
    let mut bytes = std::vec![0; model.byte_len() + 1];
    model.save(&mut bytes[1..]).expect("room for the file");
    // Where a file lies in memory does not matter.
    let file = &bytes[1..];
    let mut needed = 0;
    let mut handle = closed_model();
    let mut facts = ClothModelFacts::default();
    // SAFETY: pointers and lengths of slices, and references.
    unsafe {
        assert_eq!(cloth_model_blocks(file.as_ptr(), file.len(), &raw mut needed), DONE);
        assert_eq!(needed, model.blocks().len());
        let mut blocks = std::vec![ClothBlock { words: [7; 4] }; needed];
        let out = blocks.as_mut_ptr();
        let short = cloth_model_load(file.as_ptr(), file.len(), out, needed - 1, &raw mut handle);
        assert_eq!(short, ClothStatus::BufferTooSmall);
        let half = cloth_model_load(file.as_ptr(), file.len() / 2, out, needed, &raw mut handle);
        assert_eq!(half, ClothStatus::ModelTooShort);
        assert!(blocks.iter().all(|block| block.words == [7; 4]), "refused, and written to");
        let out = blocks.as_mut_ptr();
        assert_eq!(cloth_model_load(file.as_ptr(), file.len(), out, needed, &raw mut handle), DONE);
        assert_eq!(cloth_model_facts(&raw const handle, &raw mut facts), DONE);
        let mut again = std::vec![0; file.len()];
        assert_eq!(cloth_model_save(&raw const handle, again.as_mut_ptr(), 15), ClothStatus::BufferTooSmall);
        assert_eq!(cloth_model_save(&raw const handle, again.as_mut_ptr(), again.len()), DONE);
        assert_eq!(again, file);
        let mut limit = 0.0;
        assert_eq!(cloth_model_bend_limit(&raw const handle, 1.0 / 60.0, 8, &raw mut limit), DONE);
        assert_eq!(limit.to_bits(), model.merged_bend_limit(1.0 / 60.0, 8).to_bits());
        assert_eq!(cloth_model_bend_limit(&raw const handle, f32::NAN, 8, &raw mut limit), ClothStatus::Dt);
        for (substeps, status) in [
            (1, DONE),
            (1024, DONE),
            (0, ClothStatus::Substeps),
            (1025, ClothStatus::Substeps),
            (u32::MAX, ClothStatus::Substeps),
        ] {
            let before = limit;
            assert_eq!(
                cloth_model_bend_limit(&raw const handle, 1.0 / 60.0, substeps, &raw mut limit),
                status
            );
            assert_eq!(status == DONE, limit.to_bits() != before.to_bits(), "{substeps}");
        }
    }
    assert_eq!(facts.fingerprint, model.fingerprint().0);
    assert_eq!((facts.source_count, facts.particle_count, facts.pin_count), (25, 25, 2));
    assert_eq!((facts.stretch_row_count, facts.hinge_row_count), (56, 40));
    assert_eq!(
        (facts.state_blocks, facts.snapshot_blocks),
        (model.state_blocks() as u64, model.snapshot_blocks() as u64)
    );
}

#[test]
fn damaged_models_are_statuses_and_open_nothing() {
    let baked = sheet();
    let model = baked.model();
    let mut file = std::vec![0; model.byte_len()];
    model.save(&mut file).expect("room for the file");
    let particle = size_of::<cloth_core::model::Header>() / 4;
    for (word, value, status) in [
        (0, 0, ClothStatus::NotAModel),
        (1, 0x0403_0201, ClothStatus::ModelByteOrder),
        (2, 999, ClothStatus::ModelVersion),
        (3, 0, ClothStatus::ModelLayout),
        (5, u32::MAX, ClothStatus::ModelHeader),
        (particle, f32::NAN.to_bits(), ClothStatus::ModelItem),
    ] {
        let mut words = file.clone();
        words[4 * word..4 * word + 4].copy_from_slice(&u32::to_le_bytes(value));
        let mut blocks = std::vec![ClothBlock { words: [7; 4] }; model.blocks().len()];
        let mut handle = closed_model();
        let mut facts = ClothModelFacts::default();
        // SAFETY: pointers and lengths of vectors, and references.
        unsafe {
            let (out, count) = (blocks.as_mut_ptr(), blocks.len());
            let found = cloth_model_load(words.as_ptr(), words.len(), out, count, &raw mut handle);
            assert_eq!(found, status, "word {word}");
            assert_eq!(cloth_model_facts(&raw const handle, &raw mut facts), ClothStatus::NotOpen);
            assert_eq!(cloth_model_open(blocks.as_ptr(), count, &raw mut handle), ClothStatus::NotAModel);
        }
    }
    let blocks = model.blocks().as_ptr().cast::<ClothBlock>();
    let count = model.blocks().len();
    let mut handle = closed_model();
    for (blocks, count, expected) in [
        (ptr::null(), count, ClothStatus::NullPointer),
        (ptr::null(), 0, ClothStatus::ModelTooShort),
        (blocks.wrapping_byte_add(4), count, ClothStatus::Misaligned),
        (blocks, usize::MAX, ClothStatus::CountTooLarge),
        (blocks, 0, ClothStatus::ModelTooShort),
        (blocks, count - 1, ClothStatus::ModelTooShort),
    ] {
        // SAFETY: every pointer that passes the checks is a good one with at most its own count.
        assert_eq!(unsafe { cloth_model_open(blocks, count, &raw mut handle) }, expected);
    }
}

#[test]
fn a_thread_that_is_late_is_told() {
    let mut opened = Opened::new(&sheet());
    let shared = opened.cloth().expose_provenance();
    // Two threads step one cloth: each call is either done or refused as busy, and every one that was done counts.
    let work = move || {
        let (cloth, input) = (ptr::with_exposed_provenance_mut(shared), cloth_default_step());
        let mut done = 0;
        for _ in 0..200 {
            let mut report = ClothStepReport::default();
            // SAFETY: an open cloth, and references; that other threads call too is what the call has to find out.
            match unsafe { cloth_step(cloth, &raw const input, &raw mut report, ptr::null_mut()) } {
                ClothStatus::Ok => done += 1,
                status => assert_eq!(status, ClothStatus::Busy),
            }
        }
        done
    };
    let threads = [(); 3].map(|()| std::thread::spawn(work));
    let done = threads.map(|thread| thread.join().expect("no thread panics")).iter().sum::<u64>();
    assert_eq!(opened.facts().steps, done);
}

#[test]
fn statuses_speak() {
    let message = |number| {
        // SAFETY: the function answers with a static, terminated string.
        unsafe { core::ffi::CStr::from_ptr(cloth_status_message(number)) }
    };
    assert_eq!(message(ClothStatus::Dt as u32), c"dt must lie within 1e-5 to 1 second");
    assert_eq!(message(15), c"unknown status");
    assert_eq!(cloth_abi_version(), CLOTH_ABI_VERSION);
    let mut fabric = MaybeUninit::uninit();
    // SAFETY: terminated strings and memory for the result, which is there if the call says so.
    unsafe {
        assert_eq!(cloth_fabric_by_name(c"wool".as_ptr(), fabric.as_mut_ptr()), ClothStatus::NotFound);
        let long = c"a name that is longer than any in the library";
        assert_eq!(cloth_fabric_by_name(long.as_ptr(), fabric.as_mut_ptr()), ClothStatus::NotFound);
        assert_eq!(cloth_fabric(CLOTH_FABRIC_COUNT, fabric.as_mut_ptr()), ClothStatus::NotFound);
        assert_eq!(cloth_fabric_by_name(c"rope".as_ptr(), fabric.as_mut_ptr()), DONE);
        let fabric = fabric.assume_init();
        assert_eq!((fabric.dynamics.substeps, fabric.density_kind), (12, ClothDensityKind::Linear as u32));
        assert_eq!(core::ffi::CStr::from_ptr(fabric.name), c"rope");
    }
}
