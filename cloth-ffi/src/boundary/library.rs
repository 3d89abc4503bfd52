//! The library itself.

use crate::status::ClothStatus;
use core::ffi::c_char;

/// Raised whenever a function, a struct or a status changes its meaning.
pub const CLOTH_ABI_VERSION: u32 = 4;

/// The CLOTH_ABI_VERSION the library was built with. A program that finds another one than in its header was compiled
/// against another library.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub extern "C" fn cloth_abi_version() -> u32 {
    CLOTH_ABI_VERSION
}

/// A sentence in English about a status, for a log: a static string, never null, "unknown status" for a number that is
/// none. It takes a plain number because a C program may pass any.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub extern "C" fn cloth_status_message(status: u32) -> *const c_char {
    ClothStatus::message(status).unwrap_or(c"unknown status").as_ptr()
}

/// Called where a panic is reachable, and defined nowhere: a program links only if none is (`measure ffi-no-panic`).
#[cfg(all(feature = "prove", feature = "standalone", not(feature = "bake"), panic = "abort"))]
pub(crate) fn panic_is_reachable() {
    unsafe extern "C" {
        fn cloth_panic_is_reachable();
    }
    // SAFETY: never run, for nothing that calls it links.
    unsafe { cloth_panic_is_reachable() };
}
