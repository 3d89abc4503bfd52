//! Colliders.

use super::call;
use super::pointer::{input, output, read, slice, write};
use crate::collider::{self, ClothCollider, ClothSurface};
use crate::overlap::disjoint;
use crate::status::{ClothStatus, Refused};
use crate::vector::{ClothPose, ClothVec3};
use cloth_core::collide::{Collider, ColliderError, Data, Pose};

/// A collider of a kind that is sizes: sphere, capsule, tapered capsule, box, cylinder, cone or plane. Unused sizes are
/// ignored. It stands at the pose and was there before, is on every layer and meets every layer, without friction.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_collider(
    kind: u32,
    sizes: ClothVec3,
    pose: *const ClothPose,
    collider: *mut ClothCollider,
) -> ClothStatus {
    call(|| {
        disjoint(&[input(pose, 1)?, output(collider, 1)?])?;
        // SAFETY: the caller's promise.
        let pose = unsafe { read(pose)? };
        let made = collider::sized(kind, sizes, pose)?;
        // SAFETY: the caller's promise.
        unsafe { write(collider, made) }
    })
}

/// A collider of a kind that is words: hull, mesh or field. Its words are data_count of shape_words from data on; they are
/// looked through. Otherwise as cloth_collider.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_collider_shaped(
    kind: u32,
    data: u32,
    data_count: u32,
    shape_words: *const u32,
    shape_word_count: usize,
    pose: *const ClothPose,
    collider: *mut ClothCollider,
) -> ClothStatus {
    call(|| {
        disjoint(&[input(pose, 1)?, input(shape_words, shape_word_count)?, output(collider, 1)?])?;
        // SAFETY: the caller's promise.
        let (pose, shapes) = unsafe { (read(pose)?, slice(shape_words, shape_word_count)?) };
        let made = collider::shaped(kind, Data { first: data, count: data_count }, shapes, pose)?;
        // SAFETY: the caller's promise.
        unsafe { write(collider, made) }
    })
}

/// Moves a collider on: where it is becomes where it was, and it goes to the pose in the next step. What is no collider is
/// refused; its words are not looked at.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_collider_move(
    pose: *const ClothPose,
    collider: *mut ClothCollider,
) -> ClothStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe { posed(pose, collider, Collider::moved) })
}

/// Puts a collider somewhere at once: it sweeps nothing on the way. What is no collider is refused; its words are not looked at.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_collider_place(
    pose: *const ClothPose,
    collider: *mut ClothCollider,
) -> ClothStatus {
    // SAFETY: the caller's promise.
    call(|| unsafe { posed(pose, collider, Collider::placed) })
}

/// Gives what is a collider another pose.
///
/// # Safety
/// As the library promises and asks for everywhere.
unsafe fn posed(
    pose: *const ClothPose,
    collider: *mut ClothCollider,
    change: impl FnOnce(Collider, Pose) -> Result<Collider, ColliderError>,
) -> Result<(), Refused> {
    disjoint(&[input(pose, 1)?, output(collider, 1)?])?;
    // SAFETY: the caller's promise.
    let (pose, from) = unsafe { (read(pose)?, read(collider)?) };
    let from = from.to_core();
    from.check_fields()?;
    let changed = change(from, pose.to_core())?;
    // SAFETY: the caller's promise.
    unsafe { write(collider, ClothCollider::of_core(changed)) }
}

/// Looks through a collider and all its words, which a step trusts after their header, and says how far a point (cloth-local, m,
/// each component within -1e6 to 1e6) is from it (m) where it stands at the end of the step. Inflation is not subtracted.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_collider_surface(
    collider: *const ClothCollider,
    shape_words: *const u32,
    shape_word_count: usize,
    point: ClothVec3,
    surface: *mut ClothSurface,
) -> ClothStatus {
    call(|| {
        disjoint(&[input(collider, 1)?, input(shape_words, shape_word_count)?, output(surface, 1)?])?;
        // SAFETY: the caller's promise.
        let (collider, shapes) = unsafe { (read(collider)?, slice(shape_words, shape_word_count)?) };
        let found = collider::surface(collider, shapes, point)?;
        // SAFETY: the caller's promise.
        unsafe { write(surface, found) }
    })
}
