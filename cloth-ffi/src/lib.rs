//! The C ABI of `cloth-core`: so far what a C program needs to accept a baked model.
//!
//! Every function answers with a [`ClothStatus`] and writes its result through a pointer; what it was to write
//! is untouched unless the status is [`ClothStatus::Ok`]. Null and misaligned pointers are statuses, not
//! crashes. What no function can check, and a caller promises: a pointer that is neither points at as much
//! readable (or writable) memory as its count says, and nothing else writes there during the call.
//!
//! `include/cloth.h` is generated from this crate, and `.ci/run` fails where the two differ:
//!
//! ```sh
//! cbindgen --config cloth-ffi/cbindgen.toml --crate cloth-ffi --output cloth-ffi/include/cloth.h cloth-ffi
//! ```
//!
//! In the workspace this is a plain Rust library. The one that C links is built by itself:
//!
//! ```sh
//! cargo rustc --profile standalone -p cloth-ffi --features standalone --crate-type staticlib
//! ```
#![no_std]
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

#[cfg(test)]
extern crate std;

mod boundary;
mod model;
mod status;

pub use model::{ClothBlock, ClothModelFacts, cloth_model_check, cloth_state_blocks};
pub use status::{ClothStatus, cloth_status_message};

/// Raised whenever a function, a struct or a status changes its meaning.
pub const CLOTH_ABI_VERSION: u32 = 1;

/// The `CLOTH_ABI_VERSION` the library was built with. A program that finds another one than in its header was
/// compiled against another library.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub extern "C" fn cloth_abi_version() -> u32 {
    CLOTH_ABI_VERSION
}

/// Core promises no panic and the object code is checked for it, so this is never run; a library that C links
/// must have one all the same.
#[cfg(all(feature = "standalone", panic = "abort"))]
#[panic_handler]
fn never(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {
        core::hint::spin_loop();
    }
}
