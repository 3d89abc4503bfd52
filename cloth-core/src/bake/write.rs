//! From records to a model's blocks.

use super::BuildError;
use super::parts::Parts;
use crate::index::len32;
use crate::model::header::{self, Header};
use crate::model::record::{Block, HingeSlot, PairSlot};
use crate::model::{Model, derived, regions};
use alloc::vec;
use alloc::vec::Vec;
use bytemuck::NoUninit;

/// Writes the blocks of a model and checks them as [`Model::from_blocks`] does.
pub(crate) fn write(parts: &Parts) -> Result<Vec<Block>, BuildError> {
    let particles = len32(&parts.particles);
    let stretch: Vec<[u32; 2]> = parts.stretch.iter().map(|row| [row.a, row.b]).collect();
    let skip: Vec<[u32; 2]> = parts.skip.iter().map(|row| [row.a, row.b]).collect();
    let hinges: Vec<[u32; 4]> = parts.hinges.iter().map(|row| row.p).collect();
    let pair = |row: u32, corner: usize, ends: &[u32; 2]| PairSlot { other: ends[1 - corner], row };
    let (stretch_starts, stretch_slots) = incidences(particles, &stretch, pair);
    let (skip_starts, skip_slots) = incidences(particles, &skip, pair);
    let hinge = |row: u32, corner: usize, _: &[u32; 4]| HingeSlot { row, corner: len32(&[(); 4][..corner]) };
    let (hinge_starts, hinge_slots) = incidences(particles, &hinges, hinge);

    let mut header = Header {
        magic: header::MAGIC,
        byte_order: header::BYTE_ORDER,
        version: header::VERSION,
        layout: regions::LAYOUT_HASH,
        blocks: 0,
        sources: len32(&parts.particle_of),
        particles,
        colours: len32(&parts.colour_starts).saturating_sub(1),
        stretch: len32(&parts.stretch),
        skip: len32(&parts.skip),
        hinges: len32(&parts.hinges),
        pins: parts.reach.iter().map(|reach| u32::from(reach.is_pin())).sum(),
        shortest_row: derived::shortest(parts.reach.iter().map(|reach| reach.shortest_row)),
        mass: derived::mass(&parts.particles),
        stiffest: derived::stiffest(&parts.stretch, &parts.particles),
        reserved: 0,
    };
    header.blocks = u32::try_from(regions::model_blocks(&header)).map_err(|_| BuildError::TooLarge)?;

    let mut blocks = Vec::new();
    append(&mut blocks, &[header]);
    append(&mut blocks, &parts.particles);
    append(&mut blocks, &parts.reach);
    append(&mut blocks, &parts.particle_of);
    append(&mut blocks, &parts.source_of);
    append(&mut blocks, &parts.colour_starts);
    append(&mut blocks, &parts.stretch);
    append(&mut blocks, &stretch_starts);
    append(&mut blocks, &stretch_slots);
    append(&mut blocks, &parts.skip);
    append(&mut blocks, &skip_starts);
    append(&mut blocks, &skip_slots);
    append(&mut blocks, &parts.hinges);
    append(&mut blocks, &hinge_starts);
    append(&mut blocks, &hinge_slots);
    Model::from_blocks(&blocks).map_err(BuildError::Model)?;
    Ok(blocks)
}

/// Which rows stand on each particle: run starts, and the slots of each run in row order.
fn incidences<T: Copy + Default, const N: usize>(
    particles: u32,
    rows: &[[u32; N]],
    slot: impl Fn(u32, usize, &[u32; N]) -> T,
) -> (Vec<u32>, Vec<T>) {
    let mut starts = vec![0_u32; particles as usize + 1];
    for particle in rows.iter().flatten() {
        starts[*particle as usize + 1] += 1;
    }
    for index in 1..starts.len() {
        starts[index] += starts[index - 1];
    }
    let mut next = starts.clone();
    let mut slots = vec![T::default(); rows.len() * N];
    for (row, ends) in (0_u32..).zip(rows) {
        for (corner, particle) in ends.iter().enumerate() {
            let place = &mut next[*particle as usize];
            slots[*place as usize] = slot(row, corner, ends);
            *place += 1;
        }
    }
    (starts, slots)
}

/// Appends a region, its last block filled up with zeros.
fn append<T: NoUninit>(blocks: &mut Vec<Block>, items: &[T]) {
    let bytes: &[u8] = bytemuck::cast_slice(items);
    let first = blocks.len();
    blocks.resize(first + bytes.len().div_ceil(size_of::<Block>()), Block::default());
    let target: &mut [u8] = bytemuck::cast_slice_mut(&mut blocks[first..]);
    target[..bytes.len()].copy_from_slice(bytes);
}
