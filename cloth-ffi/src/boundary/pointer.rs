//! Where pointers become references.

use crate::collider::ClothCollider;
use crate::facts::ClothBlock;
use crate::overlap::Span;
use crate::status::{ClothStatus, Refused};
use crate::step::{ClothFault, ClothStep, ClothTarget};
use crate::vector::{ClothPose, ClothVec3};
use cloth_core::collide::Collider;
use cloth_core::{Block, Target};
use core::mem::offset_of;

/// A type of which every pattern of bits is a value, as whatever C left in memory has to be.
///
/// # Safety
/// All fields are numbers, pointers that nothing follows unchecked, or such types themselves.
pub(super) unsafe trait Plain: Copy {}

// SAFETY: numbers.
unsafe impl Plain for u8 {}
// SAFETY: numbers.
unsafe impl Plain for u32 {}
// SAFETY: numbers.
unsafe impl Plain for u64 {}
// SAFETY: numbers.
unsafe impl Plain for f32 {}
// SAFETY: numbers.
unsafe impl Plain for ClothVec3 {}
// SAFETY: numbers.
unsafe impl Plain for ClothPose {}
// SAFETY: numbers.
unsafe impl Plain for ClothBlock {}
// SAFETY: numbers.
unsafe impl Plain for ClothTarget {}
// SAFETY: numbers.
unsafe impl Plain for ClothCollider {}
// SAFETY: numbers, and pointers that go through `slice`.
unsafe impl Plain for ClothStep {}

/// Refuses what can be seen to be wrong with a pointer.
pub(super) fn check<T>(pointer: *const T) -> Result<(), ClothStatus> {
    if pointer.is_null() {
        Err(ClothStatus::NullPointer)
    } else if !pointer.is_aligned() {
        Err(ClothStatus::Misaligned)
    } else {
        Ok(())
    }
}

/// The memory of `count` items that are written, or only read. None at a null pointer is an empty piece.
pub(super) fn span<T>(items: *const T, count: usize, written: bool) -> Result<Span, ClothStatus> {
    if count == 0 && items.is_null() {
        return Ok(Span::EMPTY);
    }
    check(items)?;
    let bytes = count.checked_mul(size_of::<T>()).ok_or(ClothStatus::CountTooLarge)?;
    Span::new(items.addr(), bytes, written)
}

/// The memory of what is read.
pub(super) fn input<T>(items: *const T, count: usize) -> Result<Span, ClothStatus> {
    span(items, count, false)
}

/// The memory of what is written.
pub(super) fn output<T>(items: *mut T, count: usize) -> Result<Span, ClothStatus> {
    span(items.cast_const(), count, true)
}

/// The memory of a fault; none for a caller who does not ask for it.
pub(super) fn blame(fault: *mut ClothFault) -> Result<Span, ClothStatus> {
    span(fault, usize::from(!fault.is_null()), true)
}

/// A value from outside.
///
/// # Safety
/// If the pointer is neither null nor misaligned, it leads to an initialised `T` that nothing writes to meanwhile.
pub(super) unsafe fn read<T: Plain>(value: *const T) -> Result<T, ClothStatus> {
    check(value)?;
    // SAFETY: not null and aligned by the check above, readable and initialised by the caller's promise.
    Ok(unsafe { value.read() })
}

/// A struct that begins with the cookie and the size that its `cloth_default_` function puts there. Its first two words
/// are looked at before the rest is taken to be there.
///
/// # Safety
/// If the pointer is neither null nor misaligned, it leads to two initialised words and, where these are those expected, to
/// an initialised `T`; nothing writes there meanwhile.
pub(super) unsafe fn read_struct<T: Plain>(value: *const T, cookie: u32) -> Result<T, ClothStatus> {
    check(value)?;
    // SAFETY: not null by the check above, aligned for a `T` which begins with words, readable by the caller's promise.
    let [found, size] = unsafe { value.cast::<[u32; 2]>().read() };
    if found != cookie {
        return Err(ClothStatus::NotDefault);
    }
    if size != crate::size32::<T>() {
        return Err(ClothStatus::StructSize);
    }
    // SAFETY: not null and aligned by the check above, readable and initialised by the caller's promise.
    Ok(unsafe { value.read() })
}

/// Items from outside; none at a null pointer are none.
///
/// # Safety
/// If `items` is neither null nor misaligned, it leads to `count` initialised items that nothing writes to during `'a`.
pub(super) unsafe fn slice<'a, T: Plain>(items: *const T, count: usize) -> Result<&'a [T], ClothStatus> {
    if span(items, count, false)? == Span::EMPTY {
        return Ok(&[]);
    }
    // SAFETY: not null, aligned and within the address space by the checks of `span`; readable, initialised and unwritten
    // by the caller's promise.
    Ok(unsafe { core::slice::from_raw_parts(items, count) })
}

/// Items to be written; none at a null pointer are none.
///
/// # Safety
/// If `items` is neither null nor misaligned, it leads to `count` items that nothing else reads or writes during `'a`.
pub(super) unsafe fn slice_mut<'a, T: Plain>(
    items: *mut T,
    count: usize,
) -> Result<&'a mut [T], ClothStatus> {
    if span(items, count, true)? == Span::EMPTY {
        return Ok(&mut []);
    }
    // SAFETY: not null, aligned and within the address space by the checks of `span`; writable by the caller's promise,
    // who has memory of C, where what is there counts as initialised.
    Ok(unsafe { core::slice::from_raw_parts_mut(items, count) })
}

/// Writes a result where the caller wants it.
///
/// # Safety
/// If `out` is neither null nor misaligned, it leads to memory for a `T` that nothing else uses.
pub(super) unsafe fn write<T>(out: *mut T, value: T) -> Result<(), Refused> {
    check(out)?;
    // SAFETY: not null and aligned by the check above; writable by the caller's promise.
    unsafe { out.write(value) };
    Ok(())
}

/// Tells a refusal to a caller who wants to know; a null pointer is one who does not.
///
/// # Safety
/// As [`write`].
pub(super) unsafe fn tell<T>(fault: *mut ClothFault, result: Result<T, Refused>) -> Result<T, Refused> {
    if let Err(refused) = &result
        && !fault.is_null()
    {
        // SAFETY: the caller's promise is the one asked for.
        unsafe { write(fault, (*refused).into())? };
    }
    result
}

// A C block and a core block are the same 16 bytes with the same alignment.
const _: () = assert!(size_of::<ClothBlock>() == size_of::<Block>());
const _: () = assert!(align_of::<ClothBlock>() == align_of::<Block>());

/// Core's view of blocks.
pub(super) fn to_core(blocks: &[ClothBlock]) -> &[Block] {
    // SAFETY: both are four u32 with the same alignment, by the asserts above.
    unsafe { core::slice::from_raw_parts(blocks.as_ptr().cast(), blocks.len()) }
}

/// Core's view of blocks to be written.
pub(super) fn to_core_mut(blocks: &mut [ClothBlock]) -> &mut [Block] {
    // SAFETY: both are four u32 with the same alignment, by the asserts above.
    unsafe { core::slice::from_raw_parts_mut(blocks.as_mut_ptr().cast(), blocks.len()) }
}

// A vector is three floats without padding.
const _: () = assert!(size_of::<ClothVec3>() == size_of::<[f32; 3]>());
const _: () = assert!(align_of::<ClothVec3>() == align_of::<[f32; 3]>());

/// Core's view of vectors.
pub(super) fn vectors(vectors: &[ClothVec3]) -> &[[f32; 3]] {
    // SAFETY: both are three f32 with the same alignment, by the asserts above.
    unsafe { core::slice::from_raw_parts(vectors.as_ptr().cast(), vectors.len()) }
}

// A target is a word and a vector in both.
const _: () = assert!(size_of::<ClothTarget>() == size_of::<Target>());
const _: () = assert!(align_of::<ClothTarget>() == align_of::<Target>());
const _: () = assert!(offset_of!(ClothTarget, vertex) == offset_of!(Target, vertex));
const _: () = assert!(offset_of!(ClothTarget, position) == offset_of!(Target, position));

/// Core's view of targets.
pub(super) fn targets(targets: &[ClothTarget]) -> &[Target] {
    // SAFETY: both have the same fields at the same places, by the asserts above.
    unsafe { core::slice::from_raw_parts(targets.as_ptr().cast(), targets.len()) }
}

macro_rules! same_place {
    ($($field:ident)*) => {
        $(const _: () = assert!(offset_of!(ClothCollider, $field) == offset_of!(Collider, $field));)*
    };
}
const _: () = assert!(size_of::<ClothCollider>() == size_of::<Collider>());
const _: () = assert!(align_of::<ClothCollider>() == align_of::<Collider>());
same_place!(kind handle layer mask position friction rotation previous_position inflation previous_rotation sizes scale data
    data_count reserved);

/// Core's view of colliders.
pub(super) fn colliders(colliders: &[ClothCollider]) -> &[Collider] {
    // SAFETY: both have the same fields, all of them numbers, at the same places, by the asserts above.
    unsafe { core::slice::from_raw_parts(colliders.as_ptr().cast(), colliders.len()) }
}
