//! `no-alloc`: counts what core asks of the heap.
//!
//! Every program that links this library counts the heap calls of each of its threads; [`heap_calls`] says how
//! many one piece of work made.

use crate::narrow::to_f32;
use crate::workload::Workload;
use anyhow::{Context as _, Result};
use cloth_core::collide::{Collider, Pose};
use cloth_core::simd::Worth;
use cloth_core::step::Colliders;
use cloth_core::{
    Apart, Block, Sharing, State, StepInput, Target, Targets, Team, Vec3, library, step, step::sharing,
    step_by,
};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    // Constant and without a destructor, so that reading it allocates nothing itself.
    static CALLS: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, with every call counted.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn count() {
    CALLS.set(CALLS.get().wrapping_add(1));
}

// SAFETY: every call is passed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promise, passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller's promise, passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller's promise, passed on.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count();
        // SAFETY: the caller's promise, passed on.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// How many heap calls (to allocate, grow or free) this thread made during `work`.
pub fn heap_calls<R>(work: impl FnOnce() -> R) -> (R, u64) {
    let before = CALLS.get();
    let result = work();
    (result, CALLS.get().wrapping_sub(before))
}

/// The heap calls of every operation of core on one workload, by name.
///
/// # Errors
/// An operation that the workload's model or state refuses.
pub fn of_core(workload: &Workload) -> Result<Vec<(&'static str, u64)>> {
    let mut table = Vec::new();
    let mut note = |name, calls| table.push((name, calls));

    let baked = workload.model();
    let mut file = vec![0; baked.byte_len()];
    let mut blocks = vec![Block::default(); baked.blocks().len()];
    let mut memory = vec![Block::default(); baked.state_blocks()];
    let mut copy = vec![Block::default(); baked.snapshot_blocks()];
    let sources = baked.source_count() as usize;
    let all: Vec<[f32; 3]> = vec![[0.0, 1.0, 0.0]; sources];
    let listed = [Target { vertex: 0, position: [0.0, 1.0, 0.0] }];

    let (saved, calls) = heap_calls(|| baked.save(&mut file));
    saved.context("save")?;
    note("save", calls);
    let (model, calls) = heap_calls(|| cloth_core::Model::load(&file, &mut blocks));
    let model = model.context("load")?;
    note("load", calls);
    let (viewed, calls) = heap_calls(|| cloth_core::Model::from_blocks(model.blocks()));
    viewed.context("from_blocks")?;
    note("from_blocks", calls);
    note("model fingerprint", heap_calls(|| model.fingerprint()).1);

    let (state, calls) = heap_calls(|| State::seed(&model, &mut memory));
    state.context("seed")?;
    note("seed", calls);
    let (state, calls) = heap_calls(|| State::attach(&model, &mut memory));
    let mut state = state.context("attach")?;
    note("attach", calls);

    let (done, calls) = heap_calls(|| state.snapshot(&mut copy));
    done.context("snapshot")?;
    note("snapshot", calls);
    let mut calls = 0;
    for fabric in &library::ALL {
        let still = StepInput::new(1.0 / 60.0, Vec3::new(0.0, -9.81, 0.0), &fabric.dynamics);
        for targets in [Targets::Keep, Targets::Listed(&listed), Targets::All(&all)] {
            let (report, more) = heap_calls(|| step(&mut state, &StepInput { targets, ..still }));
            report.context("step")?;
            calls += more;
        }
        let wrong = StepInput { dt: f32::NAN, ..still };
        calls += heap_calls(|| step(&mut state, &wrong).is_err()).1;
    }
    note("step", calls);
    let (apart, calls) = heap_calls(|| Apart::find(&mut state));
    note("find what is apart", calls);
    note("shared step", shared(&apart, &mut state)?);
    note("step among colliders", among_colliders(&mut state)?);
    let (done, calls) = heap_calls(|| -> Result<(), cloth_core::StateError> {
        state.hold(0, Vec3::Y)?;
        state.place(0, Vec3::Y, Vec3::ZERO)?;
        state.release(0)
    });
    done.context("hold, place, release")?;
    note("hold, place, release", calls);
    note("positions, velocities", heap_calls(|| state.positions().zip(state.velocities()).last()).1);
    note("fingerprint", heap_calls(|| state.fingerprint()).1);
    let (done, calls) = heap_calls(|| state.restore(&copy));
    done.context("restore")?;
    note("restore", calls);
    Ok(table)
}

/// A thread that leads, and two that help when all is done: whatever is shared is cut, and all parts are done on the thread
/// whose calls are counted.
struct Late;

impl Team for Late {
    fn threads(&self) -> usize {
        3
    }

    fn gather(&self, lead: &mut dyn FnMut(), help: &(dyn Fn() + Sync)) {
        lead();
        (0..2).for_each(|_| help());
    }

    fn worth(&self) -> Worth {
        Worth { particles: 1, groups: 1 }
    }

    fn pause(&self) {}
}

/// The heap calls of steps that a team shares.
fn shared(apart: &Apart, state: &mut State<'_>) -> Result<u64> {
    let threads = sharing(&Late, state.model());
    anyhow::ensure!(threads == Sharing::Shared { threads: 3 } && apart.is_of(state.model()), "{threads}");
    let mut calls = 0;
    for fabric in &library::ALL {
        let input = StepInput::new(1.0 / 60.0, Vec3::new(0.0, -9.81, 0.0), &fabric.dynamics);
        let (report, more) = heap_calls(|| step_by(&Late, apart, state, &input));
        anyhow::ensure!(report.context("shared step")?.substeps > 0, "nothing was computed");
        calls += more;
    }
    Ok(calls)
}

/// The heap calls of steps that touch, follow fast colliders, sleep, wake and refuse.
fn among_colliders(state: &mut State<'_>) -> Result<u64> {
    let middle = state.positions().fold(Vec3::ZERO, |sum, x| sum + x)
        / to_f32(f64::from(state.model().source_count()));
    let seen = Pose::at(middle);
    let wire = Collider::capsule(1.0, 0.001, Pose::at(middle - Vec3::Z * 0.3))?
        .moved(Pose::at(middle + Vec3::Z * 0.3))?;
    let records = [
        Collider::sphere(0.05, seen)?.touching(0.5, 0.01)?,
        wire,
        Collider::plane(Pose::at(middle - Vec3::Y))?,
    ];
    let bad = [Collider { scale: f32::NAN, ..records[0] }];
    let still = StepInput::new(1.0 / 60.0, Vec3::new(0.0, -9.81, 0.0), &library::COTTON);
    let mut calls = 0;
    let mut contacts = 0;
    for table in [&records[..], &records[..1], &[]] {
        for sleep in [false, true] {
            let input = StepInput { colliders: Colliders { records: table, shapes: &[] }, sleep, ..still };
            let (report, more) = heap_calls(|| step(state, &input));
            contacts += report.context("step among colliders")?.contacts;
            calls += more;
        }
    }
    anyhow::ensure!(contacts > 0, "nothing was touched");
    let refused = StepInput { colliders: Colliders { records: &bad, shapes: &[] }, ..still };
    let (wrong, more) = heap_calls(|| step(state, &refused).is_err());
    anyhow::ensure!(wrong, "a bad collider was taken");
    calls += more + heap_calls(|| state.wake()).1;
    Ok(calls)
}
