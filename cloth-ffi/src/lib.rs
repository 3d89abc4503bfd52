//! The C ABI of `cloth-core`: everything it does for one cloth, for C and C++, `no_std` and without an allocator.
//!
//! Every function answers with a [`ClothStatus`] and writes its results through its last pointers; what it was to write
//! is untouched unless the status is [`ClothStatus::Ok`]. Whatever misuse a library can see is a status, never a crash
//! (`boundary`). docs/integration-c.md is the guide.
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
//!
//! Feature `bake` brings `std` and builds models and shapes; such a library needs no panic handler of ours:
//!
//! ```sh
//! cargo rustc --release -p cloth-ffi --features bake --crate-type cdylib
//! ```
#![no_std]
#![deny(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

#[cfg(any(test, feature = "bake"))]
extern crate std;

mod anchor;
#[cfg(feature = "bake")]
mod bake;
#[expect(unsafe_code, reason = "C has pointers")]
mod boundary;
mod collider;
mod dynamics;
mod escape;
mod facts;
mod overlap;
mod region;
mod replay;
mod status;
mod step;
mod vector;

pub use anchor::{ClothAnchor, ClothTeleport};
#[cfg(feature = "bake")]
pub use bake::{
    CLOTH_BAKE_BEND_ROWS, CLOTH_BAKE_STIFF_BEND, CLOTH_BAKE_TETHERS, CLOTH_NOTE_COMPONENTS,
    CLOTH_NOTE_DUPLICATES, CLOTH_NOTE_EVERYTHING_PINNED, CLOTH_NOTE_NO_PINS, ClothBackstop, ClothBake,
    ClothBakeReport, ClothBakeShape, ClothMasses, ClothRowStiffness, ClothShape, ClothShapeReport,
};
pub use boundary::*;
pub use collider::{ClothCollider, ClothColliderKind, ClothSurface};
pub use dynamics::{
    CLOTH_FABRIC_COUNT, CLOTH_FLAG_SELF_CONTACT, CLOTH_FLAG_STRAIN_LIMIT, ClothDensityKind, ClothDynamics,
    ClothFabric,
};
pub use escape::ClothEscape;
pub use facts::{
    CLOTH_MODEL_WORDS, CLOTH_WORDS, Cloth, ClothBlock, ClothModel, ClothModelFacts, ClothParticles,
    ClothPermutation, ClothStateFacts, ClothVertex,
};
pub use region::{CLOTH_FIELD_LENGTH, CLOTH_REGION_COUNT, ClothDifference, ClothRegion};
pub use replay::{ClothReplayFacts, ClothReplayResult};
pub use status::ClothStatus;
pub use step::{
    CLOTH_STEP_FACES, CLOTH_STEP_SLEEP, ClothAir, ClothFault, ClothStep, ClothStepReport, ClothTarget,
    ClothTargets,
};
pub use vector::{ClothPose, ClothVec3, ClothVec4};

/// The size of a struct as its `struct_size` has it.
#[expect(clippy::cast_possible_truncation, reason = "no struct of this crate has four gigabytes")]
const fn size32<T>() -> u32 {
    size_of::<T>() as u32
}

/// Core promises no panic and the object code is checked for it (`measure ffi-no-panic`), so this is never run; a library
/// that C links must have one all the same.
#[cfg(all(feature = "standalone", not(feature = "bake"), panic = "abort"))]
#[panic_handler]
fn never(_: &core::panic::PanicInfo<'_>) -> ! {
    #[cfg(feature = "prove")]
    panic_is_reachable();
    loop {
        core::hint::spin_loop();
    }
}
