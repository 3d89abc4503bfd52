//! Cloths.

use super::call;
use super::handle::{self, Body};
use super::pointer::{
    blame, check, colliders, input, output, read_struct, slice, slice_mut, targets, tell, to_core,
    to_core_mut, vectors, write,
};
use crate::collider::ClothCollider;
use crate::facts::{Cloth, ClothBlock, ClothModel, ClothParticles, ClothStateFacts, ClothVertex};
use crate::overlap::{Span, disjoint};
use crate::status::{ClothStatus, Refused};
use crate::step::{
    CLOTH_STEP_FACES, CLOTH_STEP_SLEEP, COOKIE, ClothAir, ClothFault, ClothStep, ClothStepReport,
    ClothTarget, ClothTargets, level,
};
use crate::vector::ClothVec3;
use cloth_core::step::Colliders;
use cloth_core::{Air, Block, Model, State, StateError, StepInput, Targets, Vec3, step};

/// How core makes a state of memory.
type Begin = fn(&Model<'static>, &'static mut [Block]) -> Result<State<'static>, StateError>;

/// Fills memory with a model's rest pose at rest, build-time pins held where they are, and opens it as a cloth.
/// cloth_model_facts says how many blocks are needed; more are left alone.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_seed(
    model: *const ClothModel,
    memory: *mut ClothBlock,
    block_count: usize,
    cloth: *mut Cloth,
) -> ClothStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe { begin(model, memory, block_count, cloth, State::seed) })
}

/// Opens memory that already holds a state of the model, after checking every value in it: one that was seeded before,
/// moved, or copied from elsewhere.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_attach(
    model: *const ClothModel,
    memory: *mut ClothBlock,
    block_count: usize,
    cloth: *mut Cloth,
) -> ClothStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe { begin(model, memory, block_count, cloth, State::attach) })
}

/// Makes a state of memory and opens it.
///
/// # Safety
/// The caller's promise about all four.
unsafe fn begin(
    model: *const ClothModel,
    memory: *mut ClothBlock,
    block_count: usize,
    cloth: *mut Cloth,
    make: Begin,
) -> Result<(), Refused> {
    let own = output(memory, block_count)?;
    // SAFETY: the caller's promise.
    let view = unsafe { handle::model(model)? };
    disjoint(&[input(model, 1)?, view.blocks, own, output(cloth, 1)?])?;
    // SAFETY: the caller's promise, which for a state's memory lasts as long as the cloth is open.
    let blocks: &'static mut [ClothBlock] = unsafe { slice_mut(memory, block_count)? };
    let state = make(&view.model, to_core_mut(blocks))?;
    let needed = output(memory, view.model.state_blocks())?;
    let body = Body { state, memory: needed, blocks: view.blocks, level: view.level };
    // SAFETY: the caller's promise.
    unsafe { handle::open_cloth(cloth, body) }
}

/// Closes a cloth. Nothing is freed, for nothing was allocated: later calls with the handle are refused. The state stays
/// in its memory, which may be moved, kept and opened again by cloth_attach.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_close(cloth: *mut Cloth) -> ClothStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe { handle::close_cloth(cloth) })
}

/// A step that needs nothing more than a fabric: 1/60 s, gravity of 9.81 m/s^2 downwards, plain settings, no colliders, targets
/// where they were.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub extern "C" fn cloth_default_step() -> ClothStep {
    ClothStep::plain()
}

/// Advances a cloth by one step: a pure function of model, state and input. On an error nothing has changed, and the fault,
/// unless it is null, says which element of the input is to blame.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_step(
    cloth: *mut Cloth,
    input: *const ClothStep,
    report: *mut ClothStepReport,
    fault: *mut ClothFault,
) -> ClothStatus {
    call(|| {
        let results = [output(report, 1)?, blame(fault)?];
        let own = self::input(input, 1)?;
        disjoint(&[results[0], results[1], own])?;
        // SAFETY: the caller's promise.
        let told = unsafe { read_struct(input, COOKIE)? };
        // SAFETY: the caller's promise.
        let done = unsafe {
            handle::changing(cloth, |body, [a, b, c]| {
                told.check()?;
                let arrays = Arrays::of(&told, &[a, b, c, results[0], results[1], own])?;
                // From here on nothing that the fault could lie in is anything else.
                let stepped = take(body, &told, &arrays);
                tell(fault, stepped)
            })?
        };
        // SAFETY: the caller's promise.
        unsafe { write(report, done) }
    })
}

/// What a [`ClothStep`] points at.
struct Arrays<'a> {
    all: &'a [ClothVec3],
    listed: &'a [ClothTarget],
    colliders: &'a [ClothCollider],
    shapes: &'a [u32],
    normals: &'a [ClothVec3],
    airs: &'a [ClothVec3],
}

impl Arrays<'_> {
    /// The arrays of a step, none of which overlaps what is written.
    ///
    /// # Safety
    /// The caller's promise about everything that the struct points at.
    unsafe fn of(told: &ClothStep, others: &[Span; 6]) -> Result<Self, ClothStatus> {
        let count = |mode: ClothTargets| if told.target_mode == mode as u32 { told.target_count } else { 0 };
        let (all, listed) = (count(ClothTargets::All), count(ClothTargets::Listed));
        let airs = if told.air_mode == ClothAir::Each as u32 { told.air_velocity_count } else { 0 };
        let arrays = [
            if all == 0 { Span::EMPTY } else { input(told.targets, all)? },
            if listed == 0 { Span::EMPTY } else { input(told.listed_targets, listed)? },
            input(told.colliders, told.collider_count)?,
            input(told.shape_words, told.shape_word_count)?,
            input(told.backstop_normals, told.backstop_normal_count)?,
            if airs == 0 { Span::EMPTY } else { input(told.air_velocities, airs)? },
        ];
        let ([a, b, c, d, e, f], [g, h, i, j, k, m]) = (*others, arrays);
        disjoint(&[a, b, c, d, e, f, g, h, i, j, k, m])?;
        // SAFETY: the caller's promise.
        unsafe {
            Ok(Self {
                all: if all == 0 { &[] } else { slice(told.targets, all)? },
                listed: if listed == 0 { &[] } else { slice(told.listed_targets, listed)? },
                colliders: slice(told.colliders, told.collider_count)?,
                shapes: slice(told.shape_words, told.shape_word_count)?,
                normals: slice(told.backstop_normals, told.backstop_normal_count)?,
                airs: if airs == 0 { &[] } else { slice(told.air_velocities, airs)? },
            })
        }
    }
}

/// Takes the step.
fn take(body: &mut Body, told: &ClothStep, arrays: &Arrays<'_>) -> Result<ClothStepReport, Refused> {
    let dynamics = told.dynamics.to_core()?;
    let input = StepInput {
        air: match told.air()? {
            ClothAir::None => Air::None,
            ClothAir::Uniform => Air::Uniform(told.air.to_core()),
            ClothAir::Each => Air::Each(vectors(arrays.airs)),
        },
        anchor: told.anchor.to_core()?,
        targets: match told.targets()? {
            ClothTargets::Keep => Targets::Keep,
            ClothTargets::All => Targets::All(vectors(arrays.all)),
            ClothTargets::Listed => Targets::Listed(targets(arrays.listed)),
        },
        colliders: Colliders { records: colliders(arrays.colliders), shapes: arrays.shapes },
        layer: told.layer,
        mask: told.mask,
        most_substeps: told.most_substeps,
        faces: told.flags & CLOTH_STEP_FACES != 0,
        backstop_normals: vectors(arrays.normals),
        sleep: told.flags & CLOTH_STEP_SLEEP != 0,
        escape: told.escape.to_core(),
        level: level(told.lanes, || body.level)?,
        ..StepInput::new(told.dt, told.gravity.to_core(), &dynamics)
    };
    Ok(ClothStepReport::of_core(&step(&mut body.state, &input)?))
}

/// Holds a vertex: the next step takes it in a straight line from where it is to the target (m, cloth-local), and it stays
/// there, or follows the step's targets, until it is let go. Holding a held vertex moves its target.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_hold(cloth: *mut Cloth, vertex: u32, target: ClothVec3) -> ClothStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        handle::changing(cloth, |body, _| body.state.hold(vertex, target.to_core()).map_err(Refused::from))
    })
}

/// Lets a vertex go with the velocity it has; a build-time pin takes its tethers with it. Letting go of a free vertex does
/// nothing.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_release(cloth: *mut Cloth, vertex: u32) -> ClothStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe { handle::changing(cloth, |body, _| body.state.release(vertex).map_err(Refused::from)) })
}

/// Puts a vertex at a position (m) with a velocity (m/s) at once, without a step; both cloth-local.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_place(
    cloth: *mut Cloth,
    vertex: u32,
    position: ClothVec3,
    velocity: ClothVec3,
) -> ClothStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        handle::changing(cloth, |body, _| {
            body.state.place(vertex, position.to_core(), velocity.to_core()).map_err(Refused::from)
        })
    })
}

/// Wakes the cloth: the next steps are computed until it has been still for a while again. Placing, holding and letting go
/// wake it, and so does a step whose input is not that of the last one: its length, gravity, dynamics, targets, layers, faces,
/// backstop normals, escape hatch, and the colliders in reach; and one whose anchor moves and is felt, or is put elsewhere by
/// CLOTH_TELEPORT_RESET. An anchor that carries the cloth whole, an inertia of 0 and CLOTH_TELEPORT_KEEP do not wake it.
/// most_substeps and lanes are not looked at, nor are the words of hulls, meshes and height fields: whoever changes those in place has
/// to wake the cloth.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_wake(cloth: *mut Cloth) -> ClothStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        handle::changing(cloth, |body, _| {
            body.state.wake();
            Ok(())
        })
    })
}

/// The fingerprint of a cloth's state, its age and whether it sleeps. Hashes the state.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_state_facts(cloth: *const Cloth, facts: *mut ClothStateFacts) -> ClothStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        answer(cloth, facts, |state| {
            Ok(ClothStateFacts {
                fingerprint: state.fingerprint().0,
                steps: state.steps(),
                asleep: u32::from(state.is_asleep()),
                reserved: 0,
            })
        })
    })
}

/// Whether a cloth sleeps: 1 if it does, else 0.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_is_asleep(cloth: *const Cloth, asleep: *mut u32) -> ClothStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe { answer(cloth, asleep, |state| Ok(u32::from(state.is_asleep()))) })
}

/// Where one vertex is, how fast it moves, what holds it.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_vertex(
    cloth: *const Cloth,
    vertex: u32,
    found: *mut ClothVertex,
) -> ClothStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        answer(cloth, found, |state| {
            let parts = (state.position(vertex), state.velocity(vertex), state.target(vertex));
            let (Some(position), Some(velocity), Some(target)) = parts else {
                return Err(Refused::at(ClothStatus::NoSuchVertex, vertex));
            };
            Ok(ClothVertex {
                position: ClothVec3::of_core(position),
                velocity: ClothVec3::of_core(velocity),
                target: ClothVec3::of_core(target),
                held: if state.is_escaping(vertex) { 2 } else { u32::from(state.is_held(vertex)) },
            })
        })
    })
}

/// Where the particles of a cloth lie. What the pointers lead to is good until the next call that changes the cloth; the
/// particles do not move in memory while it is open, but ask again after a step rather than keeping pointers.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_particles(cloth: *const Cloth, particles: *mut ClothParticles) -> ClothStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        answer(cloth, particles, |state| {
            Ok(ClothParticles {
                bodies: state.bodies().as_ptr().cast(),
                velocities: state.particle_velocities().as_ptr().cast(),
                count: state.model().particle_count(),
            })
        })
    })
}

/// Answers a question about a state.
///
/// # Safety
/// The caller's promise about both.
unsafe fn answer<T>(
    cloth: *const Cloth,
    out: *mut T,
    question: impl FnOnce(&State<'static>) -> Result<T, Refused>,
) -> Result<(), Refused> {
    let result = output(out, 1)?;
    // SAFETY: the caller's promise.
    let found = unsafe {
        handle::reading(cloth, |body, [a, b, c]| {
            disjoint(&[a, b, c, result])?;
            question(&body.state)
        })?
    };
    // SAFETY: the caller's promise.
    unsafe { write(out, found) }
}

/// Copies out the positions of all source vertices in their order, cloth-local (m): one every stride bytes from positions on,
/// into room for count of them. The bytes between them are left alone.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md. The room is (count - 1)*stride + 12 bytes.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_positions(
    cloth: *const Cloth,
    positions: *mut ClothVec3,
    stride: usize,
    count: usize,
) -> ClothStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        copy_out(cloth, positions, stride, count, |state, put| state.positions().for_each(put))
    })
}

/// Copies out positions blended with targets, target + blend*(position - target), of all source vertices in their order,
/// cloth-local (m), as cloth_positions does: the targets themselves at 0 and below, the positions themselves at 1 and above.
/// For drawing; the cloth knows nothing of it.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md. The room is (count - 1)*stride + 12 bytes.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_blended_positions(
    cloth: *const Cloth,
    blend: f32,
    positions: *mut ClothVec3,
    stride: usize,
    count: usize,
) -> ClothStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        copy_out(cloth, positions, stride, count, |state, put| state.blended(blend).for_each(put))
    })
}

/// Copies out the velocities of all source vertices in their order, cloth-local (m/s), as cloth_positions does.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md. The room is (count - 1)*stride + 12 bytes.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_velocities(
    cloth: *const Cloth,
    velocities: *mut ClothVec3,
    stride: usize,
    count: usize,
) -> ClothStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe {
        copy_out(cloth, velocities, stride, count, |state, put| state.velocities().for_each(put))
    })
}

/// Copies a vector of each source vertex to every stride bytes.
///
/// # Safety
/// The caller's promise about cloth and room.
unsafe fn copy_out(
    cloth: *const Cloth,
    out: *mut ClothVec3,
    stride: usize,
    count: usize,
    each: impl FnOnce(&State<'static>, &mut dyn FnMut(Vec3)),
) -> Result<(), Refused> {
    check(out)?;
    if stride < size_of::<ClothVec3>() || !stride.is_multiple_of(align_of::<ClothVec3>()) {
        return Err(ClothStatus::Stride.into());
    }
    let room =
        count.saturating_sub(1).checked_mul(stride).and_then(|room| room.checked_add(size_of::<ClothVec3>()));
    let room = Span::new(out.addr(), room.ok_or(ClothStatus::CountTooLarge)?, true)?;
    // SAFETY: the caller's promise.
    unsafe {
        handle::reading(cloth, |body, [a, b, c]| {
            disjoint(&[a, b, c, room])?;
            if count < body.state.model().source_count() as usize {
                return Err(ClothStatus::BufferTooSmall.into());
            }
            let mut place = out;
            each(&body.state, &mut |value| {
                // Within the room, of which there is a stride for each source vertex.
                place.write(ClothVec3::of_core(value));
                place = place.wrapping_byte_add(stride);
            });
            Ok(())
        })
    }
}

/// Copies out everything that decides the future of a cloth; cloth_model_facts says how many blocks it is.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_snapshot(
    cloth: *const Cloth,
    blocks: *mut ClothBlock,
    block_count: usize,
) -> ClothStatus {
    call(|| {
        let memory = output(blocks, block_count)?;
        // SAFETY: the caller's promise.
        unsafe {
            handle::reading(cloth, |body, [a, b, c]| {
                disjoint(&[a, b, c, memory])?;
                body.state.snapshot(to_core_mut(slice_mut(blocks, block_count)?)).map_err(Refused::from)
            })
        }
    })
}

/// Puts a snapshot of the same model back, after checking every value in it. On an error the cloth is as it was.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_restore(
    blocks: *const ClothBlock,
    block_count: usize,
    cloth: *mut Cloth,
) -> ClothStatus {
    call(|| {
        let memory = input(blocks, block_count)?;
        // SAFETY: the caller's promise.
        unsafe {
            handle::changing(cloth, |body, [a, b, c]| {
                disjoint(&[a, b, c, memory])?;
                body.state.restore(to_core(slice(blocks, block_count)?)).map_err(Refused::from)
            })
        }
    })
}
