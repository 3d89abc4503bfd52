//! A user of `cloth-core` without `std`: everything it does at run time, in one function that C calls with data
//! the compiler cannot see through.
//!
//! Built with the profile `standalone`, the panic handler calls a function that exists nowhere, so a program links
//! only if no panic is reachable. In every other build this is an ordinary library without a handler.
#![no_std]

use cloth_core::collide::{
    Aabb, Collider, Data, Kind, MAX_FEATURES, Pose, Surface, check_all, features_within, signed_distance,
    surface_within,
};
use cloth_core::math::{self, angle, real, solve, sum};
use cloth_core::replay::verify;
use cloth_core::simd::{Level, Worth};
use cloth_core::step::Colliders;
use cloth_core::{
    Air, AnchorMotion, Apart, Block, ClothDynamics, Fingerprint, Model, Replay, State, StepInput, Target,
    Targets, Teleport, TeleportLimits, Vec3, library, step, step_by,
};
use core::hint::black_box;

/// The memory and the inputs a C program hands over.
#[derive(Debug)]
#[repr(C)]
pub struct Job {
    /// A model's file form.
    pub file: *const u8,
    /// Its length (bytes).
    pub file_length: usize,
    /// Memory for the model, the state and a snapshot.
    pub memory: *mut Block,
    /// Its length (blocks).
    pub memory_length: usize,
    /// Memory for the file form, written again.
    pub copy: *mut u8,
    /// Its length (bytes).
    pub copy_length: usize,
    /// A vertex to hold, place and let go; need not exist.
    pub vertex: u32,
    /// Which library fabric; need not exist.
    pub fabric: u32,
    /// Length of a step (s).
    pub dt: f32,
    /// How many steps.
    pub steps: u32,
}

/// Runs the job: the fingerprint of the state at its end, 0 where a call was refused.
///
/// # Safety
/// The pointers lead to as much memory as the lengths say, aligned and used by nothing else.
// SAFETY: no other function of that name exists in the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_everything(job: &Job) -> u64 {
    // SAFETY: the caller's promise.
    let file = unsafe { core::slice::from_raw_parts(job.file, job.file_length) };
    // SAFETY: the caller's promise.
    let memory = unsafe { core::slice::from_raw_parts_mut(job.memory, job.memory_length) };
    // SAFETY: the caller's promise.
    let copy = unsafe { core::slice::from_raw_parts_mut(job.copy, job.copy_length) };
    #[cfg(feature = "planted")]
    planted_panic(memory, job.vertex);
    run(job, file, memory, copy).map_or(0, |fingerprint| fingerprint.0)
}

fn run(job: &Job, file: &[u8], memory: &mut [Block], copy: &mut [u8]) -> Option<Fingerprint> {
    arithmetic(job.dt);
    colliders(job, words(memory));
    replays(file, memory);

    let (blocks, memory) = memory.split_at_mut_checked(Model::blocks_for(file).ok()?)?;
    let loaded = Model::load(file, blocks).ok()?;
    if loaded.save(copy).ok()? != loaded.byte_len() {
        return None;
    }
    let model = Model::from_blocks(loaded.blocks()).ok()?;
    describe(&model);

    let (own, memory) = memory.split_at_mut_checked(model.state_blocks())?;
    let (snapshot, memory) = memory.split_at_mut_checked(model.snapshot_blocks())?;
    let mut state = State::seed(&model, own).ok()?;
    let fabric = library::ALL.get(job.fabric as usize).map(|fabric| fabric.dynamics);
    let dynamics = black_box(fabric.unwrap_or_default());

    state.snapshot(snapshot).ok()?;
    exercise(&mut state, job, &dynamics, file);
    black_box(state.region_fingerprints());
    _ = black_box(state.is_of(snapshot));
    state.restore(snapshot).ok()?;
    let mut state = State::attach(&model, own).ok()?;

    let ball = Collider::sphere(0.05, Pose::at(Vec3::new(0.1, -0.15, 0.0))).ok()?.touching(0.5, 0.0).ok()?;
    let wire = Collider::capsule(0.5, 0.001, Pose::at(Vec3::new(0.2, -0.1, 0.005))).ok()?;
    let records = black_box([ball, wire, Collider::plane(Pose::at(Vec3::new(0.0, -0.2, 0.0))).ok()?]);
    let colliders = Colliders { records: &records, shapes: &[] };
    let input = StepInput { colliders, ..StepInput::new(job.dt, Vec3::new(0.0, -9.81, 0.0), &dynamics) };
    let (before, _) = memory.split_at_mut_checked(model.state_blocks())?;
    let before = State::seed(&model, before).ok()?;
    let apart = Apart::find(&mut state);
    for turn in 0..job.steps {
        black_box(
            if turn.is_multiple_of(2) {
                step(&mut state, &input)
            } else {
                step_by(&Team, &apart, &mut state, &input)
            }
            .ok()?,
        );
    }
    black_box(state.difference(&before));
    Some(state.fingerprint())
}

/// Three threads of which two come when all is done.
#[derive(Debug)]
struct Team;

impl cloth_core::Team for Team {
    fn threads(&self) -> usize {
        black_box(3)
    }

    fn gather(&self, lead: &mut dyn FnMut(), help: &(dyn Fn() + Sync)) {
        lead();
        help();
        help();
    }

    fn pause(&self) {}

    fn worth(&self) -> Worth {
        Worth { particles: black_box(1), groups: black_box(1) }
    }
}

/// Blocks as the words they are made of.
fn words(blocks: &[Block]) -> &[u32] {
    // SAFETY: a block is four words without padding, and at least as aligned.
    unsafe { core::slice::from_raw_parts(blocks.as_ptr().cast(), 4 * blocks.len()) }
}

/// Everything a collider is asked, also one that its check refuses: shapes are read where they are, checked or not.
fn colliders(job: &Job, shapes: &[u32]) {
    let (point, pose) = (Vec3::splat(job.dt), Pose::at(Vec3::new(job.dt, 0.0, 0.0)));
    let data = Data { first: job.vertex, count: job.steps };
    let from_outside = black_box(Collider {
        kind: job.fabric,
        data: job.vertex,
        data_count: job.steps,
        sizes: [job.dt; 3],
        scale: job.dt,
        ..Collider::default()
    });
    _ = black_box(check_all(&[from_outside], shapes, job.steps));
    for made in [
        Collider::sphere(job.dt, pose),
        Collider::capsule(job.dt, job.dt, pose),
        Collider::tapered_capsule(job.dt, job.dt, job.dt, pose),
        Collider::cuboid(point, pose),
        Collider::cylinder(job.dt, job.dt, pose),
        Collider::cone(job.dt, job.dt, pose),
        Collider::plane(pose),
        Kind::of(job.fabric).map_or(Ok(from_outside), |kind| Collider::shaped(kind, data, shapes, pose)),
        from_outside.moved(pose),
        from_outside.placed(pose),
        from_outside.scaled(point),
        from_outside.touching(job.dt, job.dt),
        Ok(from_outside.known(job.vertex, job.steps, job.steps)),
    ] {
        let Ok(collider) = black_box(made) else {
            continue;
        };
        _ = black_box((collider.check(shapes), collider.check_record(shapes)));
        let now = collider.pose_at(job.dt);
        let mut found = [Surface::default(); MAX_FEATURES];
        black_box(signed_distance(&collider, shapes, &now, point));
        black_box(surface_within(&collider, shapes, &now, point, job.dt));
        black_box(features_within(&collider, shapes, &now, point, job.dt, &mut found));
        black_box((collider.swept_bounds(shapes), collider.travel(shapes, point, job.dt)));
        black_box((collider.carried(point, 0.0, job.dt), collider.moves()));
        let bounds = collider.swept_bounds(shapes).grown(job.dt);
        black_box((bounds.meets(&Aabb::EVERYWHERE), collider.reaches(shapes, &bounds, job.dt)));
    }
}

/// Everything a replay is asked, of bytes that may be any.
fn replays(file: &[u8], memory: &mut [Block]) {
    let Some((blocks, memory)) = memory.split_at_mut_checked(Replay::blocks_for(file).unwrap_or(0)) else {
        return;
    };
    _ = black_box(Replay::from_blocks(blocks));
    let Ok(replay) = Replay::load(file, blocks) else {
        return;
    };
    black_box((replay.frame_count(), replay.start_fingerprint(), replay.byte_len()));
    _ = black_box(replay.save(&mut [0; 16]));
    for frame in replay.frames() {
        black_box((frame.number(), frame.input(), frame.events().last(), frame.after()));
    }
    _ = black_box(verify(&replay, memory, Level::detect()));
}

/// Everything that changes a state, with inputs that may be refused.
fn exercise(state: &mut State<'_>, job: &Job, dynamics: &ClothDynamics, file: &[u8]) {
    let input = StepInput::new(job.dt, Vec3::new(0.0, -9.81, 0.0), dynamics);
    let somewhere = Vec3::splat(job.dt);
    _ = black_box(state.hold(job.vertex, somewhere));
    _ = black_box(state.place(job.vertex, somewhere, somewhere));
    let target = Target { vertex: job.vertex, position: somewhere.to_array() };
    _ = black_box(step(state, &StepInput { targets: Targets::Listed(&[target]), ..input }));
    _ = black_box(step(state, &StepInput { targets: Targets::All(&[target.position]), ..input }));
    // Colliders of every kind, of bytes that may be any: what the check lets through is met, and slept on.
    let from_outside = black_box(Collider {
        kind: job.fabric,
        data: job.vertex,
        data_count: job.steps,
        sizes: [job.dt; 3],
        scale: job.dt,
        mask: job.steps,
        layer: job.vertex,
        rotation: [0.0, 0.0, 0.0, 1.0],
        previous_rotation: [0.0, 0.0, 1.0, 0.0],
        ..Collider::default()
    });
    let shapes = file.as_chunks::<4>().0.first().map(|word| u32::from_le_bytes(*word)).unwrap_or(job.steps);
    let normals = [somewhere.to_array()];
    let colliders = Colliders { records: &[from_outside, from_outside], shapes: &[shapes, job.steps] };
    for faces in [true, false] {
        let among = StepInput {
            colliders,
            faces,
            sleep: faces,
            most_substeps: job.steps,
            layer: job.fabric,
            ..input
        };
        _ = black_box(step(state, &among));
        _ = black_box(step(state, &StepInput { backstop_normals: &normals, ..among }));
    }
    // An anchor that moves as it likes, and what a cloth by its side makes of it.
    let moved = Pose { translation: somewhere, rotation: [job.dt, 0.0, 0.0, 1.0] };
    let limits = TeleportLimits { distance: job.dt, angle: job.dt, beyond: Some(Teleport::Keep) };
    for anchor in [
        AnchorMotion::to(moved),
        AnchorMotion { carried: moved.inverse(), limits, ..AnchorMotion::to(moved) },
        AnchorMotion { teleport: Some(Teleport::Reset), ..AnchorMotion::default() },
        AnchorMotion::to(moved.compose(&moved).seen_from(&moved)),
    ] {
        let among = StepInput { colliders, anchor: black_box(anchor), ..input };
        _ = black_box((anchor.invalid_field(), step(state, &among)));
    }
    // Air, and one of a velocity for each vertex or not.
    for air in [Air::Uniform(somewhere), Air::Each(&normals), Air::Each(&[])] {
        let blown = StepInput { air: black_box(air), sleep: true, anchor: AnchorMotion::to(moved), ..input };
        _ = black_box(step(state, &blown));
    }
    _ = black_box(dynamics.closed(job.dt));
    black_box(state.blended(job.dt).last());
    black_box(state.is_asleep());
    state.wake();
    black_box((state.is_held(job.vertex), state.steps(), state.model().source_count()));
    black_box((state.position(job.vertex), state.velocity(job.vertex), state.target(job.vertex)));
    black_box((state.positions().last(), state.velocities().last()));
    _ = black_box(state.release(job.vertex));
}

/// Everything a model tells.
fn describe(model: &Model<'_>) {
    black_box(model.fingerprint());
    black_box((model.source_count(), model.particle_count(), model.pin_count()));
    black_box((model.particles(), model.reach(), model.particle_of(), model.source_of()));
    black_box((model.tether_pins(), model.tether_lengths()));
    black_box((model.stretch_groups(), model.skip_groups(), model.hinge_groups(), model.bound_groups()));
    black_box((model.stretch_ends(), model.skip_ends(), model.hinge_ends(), model.bound_ends()));
    black_box((model.levels(), model.parents(), model.children(), model.child_shares()));
    black_box((model.link_ends(), model.link_rows(), model.link_bend(), model.bend_ends(), model.bend()));
    black_box((model.link_starts(), model.bend_starts(), model.child_starts(), model.aggregate_mass()));
    black_box((model.has_soft_rows(), model.has_tethers()));
    for level in [Level::SCALAR, Level::FOUR, Level::BASELINE, Level::detect()] {
        black_box((level.lanes(), level.name()));
    }
    black_box((model.header(), model.shortest_row(), model.merged_bend_limit(1.0, black_box(8))));
    black_box(library::by_name("silk"));
    black_box((ClothDynamics::default().invalid_field(), ClothDynamics::range_of(black_box("bend"))));
}

/// The arithmetic, where no step calls it.
fn arithmetic(x: f32) {
    black_box((math::sqrt(x), math::sqrt_software(x), real::exp2_neg(x), real::signum(x)));
    black_box((real::clamp(x, -x, 1.0), real::copysign(1.0, x), real::is_finite(x), real::abs(x)));
    let h = solve::Sym3 { xx: x, xy: x, xz: x, yy: x, yz: x, zz: x };
    black_box(solve::ldlt_solve(&h, Vec3::splat(x), x));
    black_box(sum::sum([x; 9]));
    black_box(angle::between_units(Vec3::splat(x), Vec3::X));
}

/// A panic path that no optimiser can rule out.
#[cfg(feature = "planted")]
#[inline(never)]
fn planted_panic(memory: &mut [Block], index: u32) {
    memory[index as usize] = Block::default();
}

#[cfg(panic = "abort")]
#[panic_handler]
fn reached(_: &core::panic::PanicInfo<'_>) -> ! {
    unsafe extern "C" {
        fn cloth_panic_is_reachable() -> !;
    }
    // SAFETY: the function exists nowhere; a program with this call does not link.
    unsafe { cloth_panic_is_reachable() }
}
