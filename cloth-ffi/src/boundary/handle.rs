//! What lies in a handle: views that were checked once.
//!
//! Checking a model and attaching its state costs more than a step of the cloth (`measure c-handle`), so a handle keeps the
//! checked view instead of making every call check again. It lies in the caller's memory, owns nothing and needs no closing;
//! closing makes later calls a status.

use super::pointer::{check, write};
use crate::facts::{Cloth, ClothModel};
use crate::overlap::Span;
use crate::status::{ClothStatus, Refused};
use cloth_core::{Level, Model, State};
use core::sync::atomic::{AtomicU32, Ordering};

/// First word of an open model.
const MODEL: u32 = u32::from_le_bytes(*b"CLmo");
/// First word of an open cloth.
const CLOTH: u32 = u32::from_le_bytes(*b"CLcl");

/// What an open [`ClothModel`] is.
#[repr(C)]
struct OpenModel {
    mark: u32,
    view: ModelView,
}

/// A checked model and what calls with it need to know.
#[derive(Clone, Copy)]
pub(super) struct ModelView {
    pub model: Model<'static>,
    /// The blocks, which nothing may write to.
    pub blocks: Span,
    /// The widest lanes of this processor, which was asked once.
    pub level: Level,
}

/// What an open [`Cloth`] is.
#[repr(C)]
struct OpenCloth {
    mark: u32,
    /// [`FREE`], [`WRITING`], or how many calls are reading.
    users: AtomicU32,
    /// Where it was opened.
    home: usize,
    body: Body,
}

/// A checked cloth and what calls with it need to know.
pub(super) struct Body {
    pub state: State<'static>,
    /// The state's memory.
    pub memory: Span,
    /// The model's blocks.
    pub blocks: Span,
    pub level: Level,
}

const _: () = assert!(size_of::<OpenModel>() <= size_of::<ClothModel>());
const _: () = assert!(align_of::<OpenModel>() <= align_of::<ClothModel>());
const _: () = assert!(size_of::<OpenCloth>() <= size_of::<Cloth>());
const _: () = assert!(align_of::<OpenCloth>() <= align_of::<Cloth>());

/// Opens a model.
///
/// # Safety
/// If `handle` is neither null nor misaligned, it leads to a [`ClothModel`] that nothing else uses. The blocks are not
/// written to while it or a cloth of it is open.
pub(super) unsafe fn open_model(handle: *mut ClothModel, view: ModelView) -> Result<(), Refused> {
    check(handle)?;
    // SAFETY: memory for one by the assert above, the caller's promise otherwise.
    unsafe { write(handle.cast::<OpenModel>(), OpenModel { mark: MODEL, view }) }
}

/// The view of an open model.
///
/// # Safety
/// If `handle` is neither null nor misaligned, it leads to a [`ClothModel`] that nothing writes to meanwhile; if that is
/// open, its blocks are as they were.
pub(super) unsafe fn model(handle: *const ClothModel) -> Result<ModelView, ClothStatus> {
    check(handle)?;
    let open = handle.cast::<OpenModel>();
    // SAFETY: not null and aligned by the check above; every ClothModel begins with words.
    if unsafe { (&raw const (*open).mark).read() } != MODEL {
        return Err(ClothStatus::NotOpen);
    }
    // SAFETY: the mark says that `open_model` wrote it, and the caller that it and its blocks are unchanged.
    Ok(unsafe { (&raw const (*open).view).read() })
}

/// Closes a model.
///
/// # Safety
/// As [`model`], and nothing else uses the handle.
pub(super) unsafe fn close_model(handle: *mut ClothModel) -> Result<(), Refused> {
    // SAFETY: the caller's promise is the one asked for.
    unsafe { model(handle)? };
    // SAFETY: an open handle, which begins with its mark; the caller's promise otherwise.
    unsafe { write(handle.cast::<u32>(), 0) }
}

/// Opens a cloth.
///
/// # Safety
/// If `handle` is neither null nor misaligned, it leads to a [`Cloth`] that nothing else uses. Nothing else writes to the
/// state's memory or the model's blocks while it is open.
pub(super) unsafe fn open_cloth(handle: *mut Cloth, body: Body) -> Result<(), Refused> {
    check(handle)?;
    let open = OpenCloth { mark: CLOTH, users: AtomicU32::new(FREE), home: handle.addr(), body };
    // SAFETY: memory for one by the assert above, the caller's promise otherwise.
    unsafe { write(handle.cast::<OpenCloth>(), open) }
}

/// An open cloth, before anyone knows that no other thread is in it.
///
/// # Safety
/// If `handle` is neither null nor misaligned, it leads to a [`Cloth`] that only calls of this library write to.
unsafe fn open(handle: *const Cloth) -> Result<*const OpenCloth, ClothStatus> {
    check(handle)?;
    let open = handle.cast::<OpenCloth>();
    // SAFETY: not null and aligned by the check above; a Cloth has room for the mark.
    if unsafe { (&raw const (*open).mark).read() } != CLOTH {
        return Err(ClothStatus::NotOpen);
    }
    // SAFETY: as above.
    if unsafe { (&raw const (*open).home).read() } != handle.addr() {
        return Err(ClothStatus::HandleMoved);
    }
    Ok(open)
}

/// The memory that belongs to an open cloth: its handle, its state, its model.
fn spans(handle: *const Cloth, body: &Body, written: bool) -> Result<[Span; 3], ClothStatus> {
    let own = super::pointer::span(handle, 1, true)?;
    let memory = if written { body.memory } else { body.memory.read() };
    Ok([own, memory, body.blocks])
}

/// Runs a call that reads a cloth, with the memory that is the cloth's.
///
/// # Safety
/// If `handle` is neither null nor misaligned, it leads to a [`Cloth`] that only calls of this library write to; if that is
/// open, nothing else writes to its state's memory or its model's blocks.
pub(super) unsafe fn reading<R>(
    handle: *const Cloth,
    work: impl FnOnce(&Body, [Span; 3]) -> Result<R, Refused>,
) -> Result<R, Refused> {
    // SAFETY: the caller's promise is the one asked for.
    let open = unsafe { open(handle)? };
    // SAFETY: the marks say that `open_cloth` wrote it; an atomic may be shared.
    let _guard = Shared::lock(unsafe { &(*open).users })?;
    // SAFETY: the marks say that `open_cloth` wrote it, and the guard that no call is changing it.
    let body = unsafe { &(*open).body };
    work(body, spans(handle, body, false)?)
}

/// Runs a call that changes a cloth, with the memory that is the cloth's.
///
/// # Safety
/// As [`reading`].
pub(super) unsafe fn changing<R>(
    handle: *mut Cloth,
    work: impl FnOnce(&mut Body, [Span; 3]) -> Result<R, Refused>,
) -> Result<R, Refused> {
    // SAFETY: the caller's promise is the one asked for.
    let open = unsafe { open(handle)? }.cast_mut();
    // SAFETY: the marks say that `open_cloth` wrote it; an atomic may be shared.
    let _guard = Exclusive::lock(unsafe { &(*open).users })?;
    // SAFETY: the marks say that `open_cloth` wrote it, and the guard that no other call is in it.
    let body = unsafe { &mut (*open).body };
    let spans = spans(handle, body, true)?;
    work(body, spans)
}

/// Closes a cloth.
///
/// # Safety
/// As [`reading`].
pub(super) unsafe fn close_cloth(handle: *mut Cloth) -> Result<(), Refused> {
    // SAFETY: the caller's promise is the one asked for.
    let open = unsafe { open(handle)? };
    // SAFETY: the marks say that `open_cloth` wrote it; an atomic may be shared.
    let _guard = Exclusive::lock(unsafe { &(*open).users })?;
    // SAFETY: an open handle, which begins with its mark, and no other call is in it.
    unsafe { write(handle.cast::<u32>(), 0) }
}

/// Nobody is in a call.
const FREE: u32 = 0;
/// A call that changes the cloth is running.
const WRITING: u32 = u32::MAX;

/// A call that reads.
struct Shared<'a>(&'a AtomicU32);
/// A call that changes.
struct Exclusive<'a>(&'a AtomicU32);

impl<'a> Shared<'a> {
    fn lock(users: &'a AtomicU32) -> Result<Self, ClothStatus> {
        exchange(users, |found| if found < WRITING - 1 { Some(found + 1) } else { None })?;
        Ok(Self(users))
    }
}

impl Drop for Shared<'_> {
    fn drop(&mut self) {
        _ = exchange(self.0, |found| Some(found.wrapping_sub(1)));
    }
}

impl<'a> Exclusive<'a> {
    fn lock(users: &'a AtomicU32) -> Result<Self, ClothStatus> {
        exchange(users, |found| if found == FREE { Some(WRITING) } else { None })?;
        Ok(Self(users))
    }
}

impl Drop for Exclusive<'_> {
    fn drop(&mut self) {
        self.0.store(FREE, Ordering::Release);
    }
}

/// Exchanges the number of users for another, or says that they are too many.
#[cfg(target_has_atomic = "32")]
fn exchange(users: &AtomicU32, change: impl FnMut(u32) -> Option<u32>) -> Result<(), ClothStatus> {
    users.fetch_update(Ordering::AcqRel, Ordering::Relaxed, change).map(|_| ()).map_err(|_| ClothStatus::Busy)
}

/// Exchanges the number of users for another, or says that they are too many. A machine that cannot compare and exchange
/// has one core: what is seen here is a call from an interrupt.
#[cfg(not(target_has_atomic = "32"))]
fn exchange(users: &AtomicU32, mut change: impl FnMut(u32) -> Option<u32>) -> Result<(), ClothStatus> {
    let changed = change(users.load(Ordering::Acquire)).ok_or(ClothStatus::Busy)?;
    users.store(changed, Ordering::Release);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn readers_share_and_writers_do_not() {
        let users = AtomicU32::new(FREE);
        {
            let _one = Shared::lock(&users).expect("free");
            let _two = Shared::lock(&users).expect("shared");
            assert!(matches!(Exclusive::lock(&users), Err(ClothStatus::Busy)));
        }
        {
            let _alone = Exclusive::lock(&users).expect("free again");
            assert!(matches!(Exclusive::lock(&users), Err(ClothStatus::Busy)));
            assert!(matches!(Shared::lock(&users), Err(ClothStatus::Busy)));
        }
        assert_eq!(users.load(Ordering::Relaxed), FREE);
    }
}
