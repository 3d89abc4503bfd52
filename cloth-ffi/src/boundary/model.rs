//! Models.

use super::call;
use super::handle::{self, ModelView};
use super::pointer::{check, input, output, slice, slice_mut, to_core, to_core_mut, write};
use crate::facts::{ClothBlock, ClothModel, ClothModelFacts, ClothPermutation};
use crate::overlap::{Span, disjoint};
use crate::status::{ClothStatus, Refused};
use cloth_core::step::MOST_SUBSTEPS;
use cloth_core::{Block, Level, Model};

/// How many blocks cloth_model_load needs for a model's file form.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_model_blocks(
    bytes: *const u8,
    byte_count: usize,
    block_count: *mut usize,
) -> ClothStatus {
    call(|| {
        disjoint(&[input(bytes, byte_count)?, output(block_count, 1)?])?;
        // SAFETY: the caller's promise.
        let needed = Model::blocks_for(unsafe { slice(bytes, byte_count)? })?;
        // SAFETY: the caller's promise.
        unsafe { write(block_count, needed) }
    })
}

/// Copies a model's file form into blocks of the machine's byte order, checks every index and value of it, and opens it.
/// Where checking finds fault the blocks are cleared; a refusal before that leaves them as they are.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_model_load(
    bytes: *const u8,
    byte_count: usize,
    blocks: *mut ClothBlock,
    block_count: usize,
    model: *mut ClothModel,
) -> ClothStatus {
    call(|| {
        let memory = output(blocks, block_count)?;
        disjoint(&[input(bytes, byte_count)?, memory, output(model, 1)?])?;
        // SAFETY: the caller's promise.
        let bytes = unsafe { slice(bytes, byte_count)? };
        let needed = Model::blocks_for(bytes)?;
        if block_count < needed {
            return Err(ClothStatus::BufferTooSmall.into());
        }
        // SAFETY: the caller's promise, which for blocks of a model lasts as long as anything of them is open.
        let target: &'static mut [ClothBlock] = unsafe { slice_mut(blocks, needed)? };
        match Model::load(bytes, to_core_mut(target)) {
            // SAFETY: the caller's promise.
            Ok(loaded) => unsafe { open(loaded, memory.read(), model) },
            Err(error) => {
                // SAFETY: the caller's promise; the view that was to be a model is gone.
                to_core_mut(unsafe { slice_mut(blocks, needed)? }).fill(Block::default());
                Err(error.into())
            }
        }
    })
}

/// Checks every index and value of a model in the machine's byte order, and opens it where it lies. On a little-endian
/// machine the file form is such a model once it lies on a 16-byte boundary: in flash, in a mapped file.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_model_open(
    blocks: *const ClothBlock,
    block_count: usize,
    model: *mut ClothModel,
) -> ClothStatus {
    call(|| {
        let memory = input(blocks, block_count)?;
        disjoint(&[memory, output(model, 1)?])?;
        // SAFETY: the caller's promise, which for blocks of a model lasts as long as anything of them is open.
        let blocks: &'static [ClothBlock] = unsafe { slice(blocks, block_count)? };
        let checked = Model::from_blocks(to_core(blocks))?;
        // SAFETY: the caller's promise.
        unsafe { open(checked, memory, model) }
    })
}

/// Opens a checked model.
///
/// # Safety
/// The caller's promise about the handle, and about the blocks.
unsafe fn open(model: Model<'static>, blocks: Span, handle: *mut ClothModel) -> Result<(), Refused> {
    // SAFETY: the caller's promise.
    unsafe { handle::open_model(handle, ModelView { model, blocks, level: Level::detect() }) }
}

/// Closes a model. Nothing is freed, for nothing was allocated: later calls with the handle are refused. Cloths of it stay
/// open, and so its blocks must stay.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_model_close(model: *mut ClothModel) -> ClothStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe { handle::close_model(model) })
}

/// What a model holds, and how much memory its states and snapshots need. Hashes the whole model.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_model_facts(
    model: *const ClothModel,
    facts: *mut ClothModelFacts,
) -> ClothStatus {
    call(|| {
        check(facts)?;
        // SAFETY: the caller's promise.
        let view = unsafe { handle::model(model)? };
        disjoint(&[input(model, 1)?, view.blocks, output(facts, 1)?])?;
        // SAFETY: the caller's promise.
        unsafe { write(facts, ClothModelFacts::of(&view.model)) }
    })
}

/// Where the model says which particle simulates which source vertex. The answer leads into the model's blocks and is good as
/// long as these are.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_model_permutation(
    model: *const ClothModel,
    permutation: *mut ClothPermutation,
) -> ClothStatus {
    call(|| {
        check(permutation)?;
        // SAFETY: the caller's promise.
        let view = unsafe { handle::model(model)? };
        disjoint(&[input(model, 1)?, view.blocks, output(permutation, 1)?])?;
        let found = ClothPermutation {
            particle_of: view.model.particle_of().as_ptr(),
            source_of: view.model.source_of().as_ptr(),
            source_count: view.model.source_count(),
            particle_count: view.model.particle_count(),
        };
        // SAFETY: the caller's promise.
        unsafe { write(permutation, found) }
    })
}

/// The largest bending stiffness that merged bend rows have in a step of dt (s), 1e-5 to 1, cut into substeps, 1 to 1024 (N*m);
/// infinite for a model without merged rows.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_model_bend_limit(
    model: *const ClothModel,
    dt: f32,
    substeps: u32,
    limit: *mut f32,
) -> ClothStatus {
    call(|| {
        check(limit)?;
        // SAFETY: the caller's promise.
        let view = unsafe { handle::model(model)? };
        disjoint(&[input(model, 1)?, view.blocks, output(limit, 1)?])?;
        if !(1.0e-5..=1.0).contains(&dt) {
            return Err(ClothStatus::Dt.into());
        }
        if !(1..=MOST_SUBSTEPS).contains(&substeps) {
            return Err(ClothStatus::Substeps.into());
        }
        // SAFETY: the caller's promise.
        unsafe { write(limit, view.model.merged_bend_limit(dt, substeps)) }
    })
}

/// Writes a model's file form, the same bytes on every machine: 16 for each of its blocks.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_model_save(
    model: *const ClothModel,
    bytes: *mut u8,
    byte_count: usize,
) -> ClothStatus {
    call(|| {
        let memory = output(bytes, byte_count)?;
        // SAFETY: the caller's promise.
        let view = unsafe { handle::model(model)? };
        disjoint(&[input(model, 1)?, view.blocks, memory])?;
        // SAFETY: the caller's promise.
        let bytes = unsafe { slice_mut(bytes, byte_count)? };
        view.model.save(bytes).map_err(|_| ClothStatus::BufferTooSmall)?;
        Ok(())
    })
}
