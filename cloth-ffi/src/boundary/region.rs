//! Fingerprints of the parts of a cloth, and where two cloths part.

use super::call;
use super::handle;
use super::pointer::{output, slice_mut, write};
use crate::facts::Cloth;
use crate::overlap::disjoint;
use crate::region::{CLOTH_REGION_COUNT, ClothDifference, ClothRegion};
use crate::status::ClothStatus;
use core::ffi::c_char;

/// The name of a ClothRegion in English, for a log: a static string, never null, "unknown region" for a number that is none.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub extern "C" fn cloth_region_name(region: u32) -> *const c_char {
    ClothRegion::name(region).unwrap_or(c"unknown region").as_ptr()
}

/// A hash of the values of each ClothRegion, in their order: CLOTH_REGION_COUNT of them, equal on every machine for equal
/// values, -0 counting as 0 and every NaN as one. Two machines that part see by them in what. More than
/// CLOTH_REGION_COUNT are left alone; room for fewer is CLOTH_STATUS_BUFFER_TOO_SMALL. Hashes the state.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_region_fingerprints(
    cloth: *const Cloth,
    fingerprints: *mut u64,
    count: usize,
) -> ClothStatus {
    call(|| {
        let room = output(fingerprints, count)?;
        // SAFETY: the caller's promise.
        unsafe {
            handle::reading(cloth, |body, [a, b, c]| {
                disjoint(&[a, b, c, room])?;
                let all = slice_mut(fingerprints, count)?;
                let own = all.get_mut(..CLOTH_REGION_COUNT).ok_or(ClothStatus::BufferTooSmall)?;
                for (to, found) in own.iter_mut().zip(body.state.region_fingerprints()) {
                    *to = found.0;
                }
                Ok(())
            })
        }
    })
}

/// The first value in which two cloths of one model differ: region, particle and both values. What another machine had is
/// compared by restoring its snapshot into a second cloth. Two cloths whose models differ are CLOTH_STATUS_OTHER_MODEL.
///
/// # Safety
/// As the library promises and asks for everywhere: see docs/integration-c.md.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_difference(
    cloth: *const Cloth,
    other: *const Cloth,
    difference: *mut ClothDifference,
) -> ClothStatus {
    call(|| {
        let result = output(difference, 1)?;
        // SAFETY: the caller's promise. Both are read only, so that they may be one.
        let found = unsafe {
            handle::reading(cloth, |body, [a, b, c]| {
                disjoint(&[a, b, c, result])?;
                handle::reading(other, |others, [a, b, c]| {
                    disjoint(&[a, b, c, result])?;
                    if !body.state.is_of_model_of(&others.state) {
                        return Err(ClothStatus::OtherModel.into());
                    }
                    Ok(ClothDifference::of_core(body.state.difference(&others.state)))
                })
            })?
        };
        // SAFETY: the caller's promise.
        unsafe { write(difference, found) }
    })
}
