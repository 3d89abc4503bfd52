//! Models, as C sees them.

use crate::boundary;
use crate::status::ClothStatus;
use cloth_core::Model;

/// The unit of memory of models and states: 16 bytes on a 16-byte boundary.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(16))]
pub struct ClothBlock {
    /// Four words in the machine's byte order.
    pub words: [u32; 4],
}

/// What a model holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct ClothModelFacts {
    /// Hash of the model's values, equal on every machine.
    pub fingerprint: u64,
    /// Vertices of the mesh or chain the model was built from.
    pub source_count: u32,
    /// Simulated particles.
    pub particle_count: u32,
    /// Particles pinned when the model was built.
    pub pin_count: u32,
    /// Levels of aggregates.
    pub level_count: u32,
    /// Stretch rows.
    pub stretch_row_count: u32,
    /// Skip rows of chains.
    pub skip_row_count: u32,
    /// Bend rows over hinges.
    pub hinge_row_count: u32,
    /// Zero.
    pub reserved: u32,
}

/// Checks every index and value of a model and, where all is well, says what it holds.
///
/// # Safety
/// `blocks` points at `count` blocks, `facts` at memory for the result.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_model_check(
    blocks: *const ClothBlock,
    count: usize,
    facts: *mut ClothModelFacts,
) -> ClothStatus {
    // SAFETY: the caller's promise is the one asked for.
    unsafe { answer(blocks, count, facts, facts_of) }
}

/// Blocks of memory that a state of a model needs, after the checks of `cloth_model_check`.
///
/// # Safety
/// `blocks` points at `count` blocks, `needed` at memory for the result.
// SAFETY: no other function of that name exists in a program that links this library once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cloth_state_blocks(
    blocks: *const ClothBlock,
    count: usize,
    needed: *mut usize,
) -> ClothStatus {
    // SAFETY: the caller's promise is the one asked for.
    unsafe { answer(blocks, count, needed, |model| model.state_blocks()) }
}

/// Checks a model and writes what `question` says about it.
///
/// # Safety
/// As for [`boundary::blocks`] and [`boundary::write`].
unsafe fn answer<T>(
    blocks: *const ClothBlock,
    count: usize,
    out: *mut T,
    question: impl FnOnce(&Model<'_>) -> T,
) -> ClothStatus {
    let checked = || {
        boundary::check(out)?;
        // SAFETY: the caller's promise is the one asked for.
        let blocks = unsafe { boundary::blocks(blocks, count)? };
        let model = Model::from_blocks(blocks)?;
        // SAFETY: the caller's promise is the one asked for.
        unsafe { boundary::write(out, question(&model)) }
    };
    checked().map_or_else(|status| status, |()| ClothStatus::Ok)
}

fn facts_of(model: &Model<'_>) -> ClothModelFacts {
    let header = model.header();
    ClothModelFacts {
        fingerprint: model.fingerprint().0,
        source_count: model.source_count(),
        particle_count: model.particle_count(),
        pin_count: model.pin_count(),
        level_count: header.levels,
        stretch_row_count: header.stretch,
        skip_row_count: header.skip,
        hinge_row_count: header.hinges.saturating_add(header.merged_hinges),
        reserved: 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cloth_core::{Baked, Block, ModelBuilder};
    use core::ptr;
    use std::vec::Vec;

    fn square() -> Baked {
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0]];
        let built =
            ModelBuilder::mesh(&corners, &[[0, 2, 1], [1, 2, 3]]).pins(&[0]).areal_density(0.2).build();
        built.expect("a square is a cloth")
    }

    fn check(blocks: &[Block], facts: &mut ClothModelFacts) -> ClothStatus {
        // SAFETY: a slice's pointer and length, and a reference.
        unsafe { cloth_model_check(blocks.as_ptr().cast(), blocks.len(), facts) }
    }

    #[test]
    fn a_good_model_tells_what_it_holds() {
        let baked = square();
        let mut facts = ClothModelFacts::default();
        assert_eq!(check(baked.model().blocks(), &mut facts), ClothStatus::Ok);
        let model = baked.model();
        assert_eq!(facts.fingerprint, model.fingerprint().0);
        assert_eq!((facts.source_count, facts.particle_count, facts.pin_count), (4, 4, 1));
        assert_eq!((facts.stretch_row_count, facts.skip_row_count, facts.hinge_row_count), (5, 0, 1));
        assert_eq!(facts.level_count, model.header().levels);

        let mut needed = 0;
        // SAFETY: a slice's pointer and length, and a reference.
        let status = unsafe {
            cloth_state_blocks(
                baked.model().blocks().as_ptr().cast(),
                baked.model().blocks().len(),
                &raw mut needed,
            )
        };
        assert_eq!((status, needed), (ClothStatus::Ok, model.state_blocks()));
    }

    #[test]
    fn bad_pointers_are_statuses() {
        let baked = square();
        let good: *const ClothBlock = baked.model().blocks().as_ptr().cast();
        let count = baked.model().blocks().len();
        let mut facts = ClothModelFacts::default();
        for (blocks, count, out, expected) in [
            (ptr::null(), count, &raw mut facts, ClothStatus::NullPointer),
            (good, count, ptr::null_mut(), ClothStatus::NullPointer),
            (good.wrapping_byte_add(4), count, &raw mut facts, ClothStatus::Misaligned),
            (good, count, (&raw mut facts).wrapping_byte_add(1), ClothStatus::Misaligned),
            (good, usize::MAX, &raw mut facts, ClothStatus::CountTooLarge),
            (good, 0, &raw mut facts, ClothStatus::ModelTooShort),
            (good, count - 1, &raw mut facts, ClothStatus::ModelTooShort),
        ] {
            // SAFETY: every pointer that passes the checks is a good one with at most its own count.
            assert_eq!(unsafe { cloth_model_check(blocks, count, out) }, expected);
        }
        assert_eq!(facts, ClothModelFacts::default(), "an error wrote a result");
    }

    #[test]
    fn damage_is_a_status_and_writes_nothing() {
        let baked = square();
        let damaged = |word: usize, value: u32| {
            let mut blocks: Vec<Block> = baked.model().blocks().to_vec();
            blocks[word / 4].0[word % 4] = value;
            let mut facts = ClothModelFacts::default();
            let status = check(&blocks, &mut facts);
            assert_eq!(facts, ClothModelFacts::default(), "an error wrote a result");
            status
        };
        assert_eq!(damaged(0, 0), ClothStatus::NotAModel);
        assert_eq!(damaged(1, 0x0403_0201), ClothStatus::ModelByteOrder);
        assert_eq!(damaged(2, 999), ClothStatus::ModelVersion);
        assert_eq!(damaged(3, 0), ClothStatus::ModelLayout);
        assert_eq!(damaged(4, 1), ClothStatus::ModelHeader);
        // The first particle's position.
        let item = size_of::<cloth_core::model::Header>() / 4;
        assert_eq!(damaged(item, f32::NAN.to_bits()), ClothStatus::ModelItem);
    }
}
