//! Where pointers become references. All of the crate's `unsafe` that touches memory is here.

use crate::model::ClothBlock;
use crate::status::ClothStatus;
use cloth_core::Block;

// A C block and a core block are the same 16 bytes with the same alignment.
const _: () = assert!(size_of::<ClothBlock>() == size_of::<Block>());
const _: () = assert!(align_of::<ClothBlock>() == align_of::<Block>());

/// The blocks a caller points at.
///
/// # Safety
/// If `blocks` is neither null nor misaligned, it points at `count` initialised blocks that nothing writes to
/// during `'a`.
pub(crate) unsafe fn blocks<'a>(blocks: *const ClothBlock, count: usize) -> Result<&'a [Block], ClothStatus> {
    check(blocks)?;
    if count > isize::MAX.unsigned_abs() / size_of::<Block>() {
        return Err(ClothStatus::CountTooLarge);
    }
    // SAFETY: not null, aligned and not longer than memory by the checks above; readable, initialised and
    // unwritten by the caller's promise. Both block types are four u32 with the same alignment.
    Ok(unsafe { core::slice::from_raw_parts(blocks.cast::<Block>(), count) })
}

/// Writes a result where the caller wants it.
///
/// # Safety
/// If `out` is neither null nor misaligned, it points at memory for a `T` that nothing else uses.
pub(crate) unsafe fn write<T>(out: *mut T, value: T) -> Result<(), ClothStatus> {
    check(out)?;
    // SAFETY: not null and aligned by the check above; writable by the caller's promise.
    unsafe { out.write(value) };
    Ok(())
}

/// Refuses what can be seen to be wrong with a pointer.
pub(crate) fn check<T>(pointer: *const T) -> Result<(), ClothStatus> {
    if pointer.is_null() {
        Err(ClothStatus::NullPointer)
    } else if !pointer.is_aligned() {
        Err(ClothStatus::Misaligned)
    } else {
        Ok(())
    }
}
