//! Models and shapes from meshes, chains, points and heights (feature `bake`).

pub(crate) mod memory;
pub(crate) mod model;
mod refusal;
pub(crate) mod shape;

pub use model::{
    CLOTH_BAKE_BEND_ROWS, CLOTH_BAKE_STIFF_BEND, CLOTH_BAKE_TETHERS, CLOTH_NOTE_COMPONENTS,
    CLOTH_NOTE_DUPLICATES, CLOTH_NOTE_EVERYTHING_PINNED, CLOTH_NOTE_NO_PINS, ClothBackstop, ClothBake,
    ClothBakeReport, ClothBakeShape, ClothMasses, ClothRowStiffness,
};
pub use shape::{ClothShape, ClothShapeReport};

use crate::status::{ClothStatus, Refused};

/// Corners of triangles in threes.
pub(crate) fn in_threes(indices: &[u32]) -> Result<&[[u32; 3]], Refused> {
    match indices.as_chunks::<3>() {
        (triangles, []) => Ok(triangles),
        _ => Err(ClothStatus::NotInThrees.into()),
    }
}

/// Runs a builder, whose panics – faults of the library – become a status.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T, Refused>) -> Result<T, Refused> {
    // Whatever a panic leaves half done is the builder's own and gone with it.
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    caught.unwrap_or_else(|_| Err(ClothStatus::BakeFailed.into()))
}
