//! Every bit of some models turned over: what is accepted all the same is named here.

use crate::index::NONE;
use crate::model::header::Header;
use crate::model::record::{Block, HingeGroup, PairGroup, Particle};
use crate::model::regions::{HEADER_BLOCKS, REGIONS, Region, place};
use crate::model::{Model, ModelError};
use crate::row::tether::Reach;
use crate::simd::PLACE;
use crate::{Baked, BuildError, ModelBuilder};
use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;
use core::mem::offset_of;

/// A sheet with a fold, soft rows, aggregates of two levels and tethers.
fn sheet() -> Result<Baked, BuildError> {
    let mut positions = vec![];
    let mut triangles = vec![];
    for row in 0..6_u8 {
        for column in 0..6_u8 {
            positions.push([f32::from(column), f32::from(column.saturating_sub(4)), f32::from(row) * 1.1]);
            if row > 0 && column > 0 {
                let d = u32::from(6 * row + column);
                triangles.extend([[d - 7, d - 1, d - 6], [d - 6, d - 1, d]]);
            }
        }
    }
    ModelBuilder::mesh(&positions, &triangles)
        .pins(&[0, 5])
        .row_stiffness(&[(34, 35, 90.0), (29, 35, 70.0)])
        .build()
}

/// A branching chain with skip rows.
fn chain() -> Result<Baked, BuildError> {
    let positions: Vec<[f32; 3]> = (0..12_u8).map(|i| [f32::from(i % 2) * 0.3, -f32::from(i), 0.0]).collect();
    ModelBuilder::chains(&positions, &[NONE, 0, 1, 2, 3, 4, 2, 6, 7, 8, 9, 10]).pins(&[0]).build()
}

/// What a word is: the region it lies in and the byte in the region's item, by the item's size.
fn whereabouts(header: &Header, word: usize) -> (&'static str, usize) {
    let sizes = |region: Region| match region {
        Region::Particles => size_of::<Particle>(),
        Region::Reach => size_of::<Reach>(),
        Region::Stretch | Region::Skip => size_of::<PairGroup>(),
        Region::Hinges => size_of::<HingeGroup>(),
        _ => 4,
    };
    let byte = 4 * word as u64;
    let region = REGIONS.iter().rev().find(|region| 16 * place(header, **region).0 <= byte);
    region.filter(|_| byte >= 16 * HEADER_BLOCKS).map_or(("header", 4 * word), |region| {
        let own = byte - 16 * place(header, *region).0;
        (region.name(), usize::try_from(own).unwrap_or(0) % sizes(*region))
    })
}

/// Whether a model may be another one that is as good, with this bit turned over.
fn is_free(header: &Header, word: usize, bit: u32) -> bool {
    let (region, byte) = whereabouts(header, word);
    // The last bits of a length or a mass may be lost in everything that follows from it.
    let is_small = bit < 3;
    match region {
        // How many colliders a step considers is the author's choice.
        "header" => [
            offset_of!(Header, bend_inertia),
            offset_of!(Header, merged_hinges),
            offset_of!(Header, colliders),
        ]
        .contains(&byte),
        "particles" => byte < offset_of!(Particle, mass) || is_small,
        "reach" => byte != offset_of!(Reach, shortest_row) || header.skip > 0,
        "stretch" => {
            let compliance = offset_of!(PairGroup, compliance)..offset_of!(PairGroup, inertia);
            compliance.contains(&byte) || (is_small && byte < offset_of!(PairGroup, inverse_rest))
        }
        "skip" => is_small && byte < offset_of!(PairGroup, inverse_rest),
        "bounds" => is_small,
        // Any four particles may bend about each other, any two of the same masses may have another skip row, any
        // two aggregates of a level a bound, and any three particles a face.
        "hinges" | "hinge_ends" | "skip_ends" | "bound_ends" | "faces" => true,
        _ => false,
    }
}

#[test]
fn hardly_a_bit_may_be_turned_over() -> Result<(), BuildError> {
    for baked in [sheet()?, chain()?] {
        let mut blocks = baked.into_blocks();
        let header = *Model::from_blocks(&blocks).map_err(BuildError::Model)?.header();
        let mut accepted = BTreeSet::new();
        for word in 0..4 * blocks.len() {
            for bit in 0..32 {
                blocks[word / 4].0[word % 4] ^= 1 << bit;
                if Model::from_blocks(&blocks).is_ok() {
                    let (region, byte) = whereabouts(&header, word);
                    assert!(is_free(&header, word, bit), "bit {bit} of byte {byte} of an item of {region}");
                    accepted.insert(region);
                }
                blocks[word / 4].0[word % 4] ^= 1 << bit;
            }
        }
        assert!(accepted.contains("particles") && accepted.contains("reach"), "{accepted:?}");
        assert_eq!(accepted.contains("hinges"), header.hinges > 0);
    }
    Ok(())
}

#[test]
fn the_models_above_have_all_there_is() -> Result<(), BuildError> {
    let (sheet, chain) = (sheet()?, chain()?);
    let (sheet, chain) = (*sheet.model().header(), *chain.model().header());
    assert!(sheet.levels >= 2 && sheet.hinges > 0 && sheet.merged_hinges > 0 && sheet.bend_slots > 0);
    assert!(sheet.bound_groups > 0 && chain.levels > 0 && chain.skip > 0 && chain.child_slots > 0);
    Ok(())
}

#[test]
fn the_group_of_an_index_outside_is_named() -> Result<(), BuildError> {
    let mut blocks = sheet()?.into_blocks();
    let header = *Model::from_blocks(&blocks).map_err(BuildError::Model)?.header();
    let ends = usize::try_from(place(&header, Region::StretchEnds).0).unwrap_or(0);
    // The second group's first end.
    blocks[ends + 4] = Block([header.particle_nodes() * PLACE; 4]);
    let error = ModelError::Item { region: "stretch_ends", index: 1 };
    assert_eq!(Model::from_blocks(&blocks).err(), Some(error));
    Ok(())
}
