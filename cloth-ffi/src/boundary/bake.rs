//! Building models and shapes.

use super::call;
use super::pointer::{
    Plain, blame, check, input, output, read_struct, slice, slice_mut, tell, to_core_mut, vectors, write,
};
use crate::bake::model::{Arrays, COOKIE, build};
use crate::bake::shape;
use crate::bake::{
    ClothBackstop, ClothBake, ClothBakeReport, ClothRowStiffness, ClothShape, ClothShapeReport,
};
use crate::facts::ClothBlock;
use crate::overlap::{Span, disjoint};
use crate::status::{ClothStatus, Refused};
use crate::step::ClothFault;

// SAFETY: numbers, and pointers that go through `slice`.
unsafe impl Plain for ClothBake {}
// SAFETY: numbers, and pointers that go through `slice`.
unsafe impl Plain for ClothShape {}
// SAFETY: numbers.
unsafe impl Plain for ClothRowStiffness {}
// SAFETY: numbers.
unsafe impl Plain for ClothBackstop {}

/// A mesh of nothing yet: 0.15 kg/m^2, tethers and bend rows, hard stretch rows, no welding, 64 colliders, at most 256 MiB.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub extern "C" fn cloth_default_bake() -> ClothBake {
    ClothBake::plain()
}

/// The most memory that building can need for so many vertices, triangles and other entries (bytes): what memory_limit is
/// held against; UINT64_MAX for more than any memory holds, which is refused whatever the limit. Only counts, shape and cookie are
/// read; CLOTH_STATUS_UNKNOWN_VALUE for a shape that is none.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_bake_memory(bake: *const ClothBake, bytes: *mut u64) -> ClothStatus {
    call(|| {
        disjoint(&[input(bake, 1)?, output(bytes, 1)?])?;
        // SAFETY: the caller's promise.
        let told = unsafe { read_struct(bake, COOKIE)? };
        // SAFETY: the caller's promise.
        unsafe { write(bytes, told.counts()?.bytes()) }
    })
}

/// How many blocks cloth_bake needs: builds the model and throws it away. On an error the fault, unless it is null, says which
/// element is to blame.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_bake_size(
    bake: *const ClothBake,
    block_count: *mut usize,
    fault: *mut ClothFault,
) -> ClothStatus {
    call(|| {
        check(block_count)?;
        // SAFETY: the caller's promise.
        unsafe {
            model(bake, [output(block_count, 1)?, Span::EMPTY], fault, |baked| {
                write(block_count, baked.model().blocks().len())
            })
        }
    })
}

/// Builds a model into blocks, to be opened by cloth_model_open; cloth_bake_size says how many it takes. More are left alone.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_bake(
    bake: *const ClothBake,
    blocks: *mut ClothBlock,
    block_count: usize,
    report: *mut ClothBakeReport,
    fault: *mut ClothFault,
) -> ClothStatus {
    call(|| {
        check(report)?;
        // SAFETY: the caller's promise.
        unsafe {
            model(bake, [output(blocks, block_count)?, output(report, 1)?], fault, |baked| {
                let model = baked.model();
                let target = to_core_mut(slice_mut(blocks, block_count)?);
                let own = target.get_mut(..model.blocks().len()).ok_or(ClothStatus::BufferTooSmall)?;
                own.copy_from_slice(model.blocks());
                write(report, ClothBakeReport::of_core(&baked.report))
            })
        }
    })
}

/// Builds a model and hands it on.
///
/// # Safety
/// The caller's promise about everything, that the struct points at included.
unsafe fn model(
    bake: *const ClothBake,
    results: [Span; 2],
    fault: *mut ClothFault,
    done: impl FnOnce(&cloth_core::Baked) -> Result<(), Refused>,
) -> Result<(), Refused> {
    let own = input(bake, 1)?;
    let told_to = blame(fault)?;
    disjoint(&[own, results[0], results[1], told_to])?;
    // SAFETY: the caller's promise.
    let told = unsafe { read_struct(bake, COOKIE)? };
    disjoint(&[
        own,
        results[0],
        results[1],
        told_to,
        input(told.positions, told.position_count)?,
        input(told.indices, told.index_count)?,
        input(told.parents, told.parent_count)?,
        input(told.pins, told.pin_count)?,
        input(told.masses, told.mass_count)?,
        input(told.row_stiffness, told.row_stiffness_count)?,
        input(told.backstops, told.backstop_count)?,
    ])?;
    // SAFETY: the caller's promise.
    let arrays = unsafe {
        Arrays {
            positions: vectors(slice(told.positions, told.position_count)?),
            indices: slice(told.indices, told.index_count)?,
            parents: slice(told.parents, told.parent_count)?,
            pins: slice(told.pins, told.pin_count)?,
            masses: slice(told.masses, told.mass_count)?,
            row_stiffness: slice(told.row_stiffness, told.row_stiffness_count)?,
            backstops: slice(told.backstops, told.backstop_count)?,
        }
    };
    let result = build(&told, &arrays).and_then(|baked| done(&baked));
    // SAFETY: the caller's promise.
    unsafe { tell(fault, result) }
}

/// A hull of nothing yet, at most 256 MiB.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub extern "C" fn cloth_default_shape() -> ClothShape {
    ClothShape::plain()
}

/// The most memory that building can need for so many points, triangles, heights and holes (bytes): what memory_limit is held
/// against; UINT64_MAX for more than any memory holds, which is refused whatever the limit. Only counts, kind and cookie are read;
/// CLOTH_STATUS_COLLIDER_KIND for a kind that is not of words.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_shape_memory(shape: *const ClothShape, bytes: *mut u64) -> ClothStatus {
    call(|| {
        disjoint(&[input(shape, 1)?, output(bytes, 1)?])?;
        // SAFETY: the caller's promise.
        let told = unsafe { read_struct(shape, shape::COOKIE)? };
        // SAFETY: the caller's promise.
        unsafe { write(bytes, told.counts()?.bytes()) }
    })
}

/// How many words cloth_shape needs: builds the shape and throws it away. On an error the fault, unless it is null, says which
/// element is to blame.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_shape_size(
    shape: *const ClothShape,
    word_count: *mut usize,
    fault: *mut ClothFault,
) -> ClothStatus {
    call(|| {
        check(word_count)?;
        // SAFETY: the caller's promise.
        unsafe {
            words(shape, [output(word_count, 1)?, Span::EMPTY], fault, |words, _| {
                write(word_count, words.len())
            })
        }
    })
}

/// Builds the words of a hull, a mesh or a height field, which cloth_collider_shaped makes colliders of; cloth_shape_size says how
/// many it takes. Words of several shapes may lie one after the other in one array.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_shape(
    shape: *const ClothShape,
    shape_words: *mut u32,
    word_count: usize,
    report: *mut ClothShapeReport,
    fault: *mut ClothFault,
) -> ClothStatus {
    call(|| {
        check(report)?;
        // SAFETY: the caller's promise.
        unsafe {
            words(shape, [output(shape_words, word_count)?, output(report, 1)?], fault, |words, found| {
                let target = slice_mut(shape_words, word_count)?;
                target.get_mut(..words.len()).ok_or(ClothStatus::BufferTooSmall)?.copy_from_slice(words);
                write(report, found)
            })
        }
    })
}

/// Builds a shape and hands its words on.
///
/// # Safety
/// The caller's promise about everything, that the struct points at included.
unsafe fn words(
    shape: *const ClothShape,
    results: [Span; 2],
    fault: *mut ClothFault,
    done: impl FnOnce(&[u32], ClothShapeReport) -> Result<(), Refused>,
) -> Result<(), Refused> {
    let own = input(shape, 1)?;
    let told_to = blame(fault)?;
    disjoint(&[own, results[0], results[1], told_to])?;
    // SAFETY: the caller's promise.
    let told = unsafe { read_struct(shape, shape::COOKIE)? };
    disjoint(&[
        own,
        results[0],
        results[1],
        told_to,
        input(told.points, told.point_count)?,
        input(told.indices, told.index_count)?,
        input(told.heights, told.height_count)?,
        input(told.holes, told.hole_count)?,
    ])?;
    // SAFETY: the caller's promise.
    let arrays = unsafe {
        shape::Arrays {
            points: vectors(slice(told.points, told.point_count)?),
            indices: slice(told.indices, told.index_count)?,
            heights: slice(told.heights, told.height_count)?,
            holes: slice(told.holes, told.hole_count)?,
        }
    };
    let result = shape::build(&told, &arrays).and_then(|(shapes, found)| done(shapes.words(), found));
    // SAFETY: the caller's promise.
    unsafe { tell(fault, result) }
}
