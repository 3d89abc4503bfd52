//! Everything a model must be before anything reads it.
//!
//! What follows from other items is computed again and compared bit for bit. Every check takes time in proportion to what
//! it looks at, apart from a binary search in a particle's slots, and nothing is allocated.

mod aggregates;
mod rows;
mod slots;

use super::header::{self, Header};
use super::record::{Backstop, Block, Ends, Face, LANES, MAX_LEVELS, Particle};
use super::regions::Region;
use super::{MAX_LENGTH, Model, ModelError};
use super::{derived, regions};
use crate::index::{NONE, at, len32};
use crate::math::real;
use crate::row::tether::Reach;
use crate::simd::PLACE;
use bytemuck::AnyBitPattern;

/// Masses a model may hold (kg): what fabric weighs at the smallest and largest meshes, with room.
pub(crate) const MASSES: core::ops::RangeInclusive<f32> = 1.0e-15..=1.0e12;
/// Lengths a row may have (m): squares stay normal numbers.
pub(crate) const LENGTHS: core::ops::RangeInclusive<f32> = 1.0e-9..=MAX_LENGTH;
/// Largest magnitude of a hinge's stencil coefficients.
pub(crate) const MAX_COEFFICIENT: f32 = 1.0e6;
/// Stiffnesses of a soft row (N/m).
pub(crate) const STIFFNESSES: core::ops::RangeInclusive<f32> = 1.0e-9..=1.0e15;

/// Reads and checks the header against the blocks that are there.
pub(super) fn header(blocks: &[Block]) -> Result<Header, ModelError> {
    let provided = blocks.len() as u64;
    let short = ModelError::TooShort { required: regions::HEADER_BLOCKS, provided };
    let bytes: &[u8] = bytemuck::try_cast_slice(blocks).map_err(|_| ModelError::Header)?;
    let bytes = bytes.get(..size_of::<Header>()).ok_or(short)?;
    let header: Header = bytemuck::try_pod_read_unaligned(bytes).map_err(|_| ModelError::Header)?;
    if header.magic == header::MAGIC.swap_bytes() && header.byte_order == header::BYTE_ORDER.swap_bytes() {
        return Err(ModelError::ByteOrder);
    }
    if header.magic != header::MAGIC {
        return Err(ModelError::NotAModel);
    }
    if header.byte_order != header::BYTE_ORDER {
        return Err(ModelError::ByteOrder);
    }
    if header.version != header::VERSION {
        return Err(ModelError::Version { found: header.version });
    }
    if header.layout != regions::LAYOUT_HASH {
        return Err(ModelError::Layout);
    }
    if u64::from(header.blocks) != regions::model_blocks(&header) {
        return Err(ModelError::Header);
    }
    if u64::from(header.blocks) > provided {
        return Err(ModelError::TooShort { required: u64::from(header.blocks), provided });
    }
    if is_sane(&header) { Ok(header) } else { Err(ModelError::Header) }
}

/// Most colliders a model may ask for.
pub(crate) const MAX_COLLIDERS: u32 = 256;

/// Counts that can be, before any item is looked at.
fn is_sane(header: &Header) -> bool {
    let lanes = |groups: u32| u64::from(groups) * LANES as u64;
    let filled = |rows: u32, groups: u32| u64::from(rows) <= lanes(groups);
    let particles = header.particles > 0
        && header.particles <= header.sources
        && header.pins <= header.particles
        && header.is_addressable();
    let rows = filled(header.stretch, header.stretch_groups)
        && filled(header.skip, header.skip_groups)
        && filled(header.hinges, header.hinge_groups);
    let bend = if header.merged_hinges == 0 {
        header.bend_inertia.to_bits() == f32::INFINITY.to_bits()
    } else {
        is_usable(header.bend_inertia)
    };
    let tables = (header.backstops == 0 || header.backstops == header.particles)
        && header.colliders.is_multiple_of(32)
        && (32..=MAX_COLLIDERS).contains(&header.colliders);
    let levels =
        header.levels as usize <= MAX_LEVELS && header.aggregate_nodes.is_multiple_of(header::LANES32);
    particles && rows && bend && tables && levels
}

/// What fills the last block of a region is zero, so that equal models are equal words.
fn padding(model: &Model) -> Result<(), ModelError> {
    for region in regions::REGIONS {
        let (words, name) = regions::padding(model.blocks, &model.header, region);
        check(words.iter().all(|word| *word == 0), name, u32::MAX)?;
    }
    Ok(())
}

/// The first group that has an index which is not below `length`, or not below 2³¹.
pub(super) fn first_outside<const N: usize>(ends: &[Ends<N>], length: usize) -> u32 {
    let outside = |place: &u32| {
        !place.is_multiple_of(PLACE) || *place >= 1 << 31 || index_of(*place) as usize >= length
    };
    let first = ends.iter().zip(0..).find(|(group, _)| group.as_flattened().iter().any(outside));
    first.map_or(u32::MAX, |(_, index)| index)
}

/// The index that a place stands for.
fn index_of(place: u32) -> u32 {
    place / PLACE
}

/// The items of a region.
fn items_of<'a, T: AnyBitPattern>(model: &Model<'a>, region: Region) -> &'a [T] {
    super::region(model.blocks, &model.header, region)
}

fn same(a: f32, b: f32) -> bool {
    a.to_bits() == b.to_bits()
}

/// Positive, finite and not denormal: what may be divided by.
fn is_usable(x: f32) -> bool {
    x >= f32::MIN_POSITIVE && real::is_finite(x)
}

fn is_length_or_infinite(value: f32) -> bool {
    LENGTHS.contains(&value) || value == f32::INFINITY
}

fn check(good: bool, region: &'static str, index: u32) -> Result<(), ModelError> {
    if good { Ok(()) } else { Err(ModelError::Item { region, index }) }
}

/// Checks every item of every region.
pub(super) fn items(model: &Model) -> Result<(), ModelError> {
    let count = model.particle_count();
    for (index, particle) in (0..).zip(model.particles) {
        check(is_particle(particle), "particles", index)?;
    }
    let mut pins = 0_u32;
    for (index, reach) in (0..).zip(model.reach) {
        check(is_reach(model, index, reach), "reach", index)?;
        pins += u32::from(reach.is_pin());
    }
    check(pins == model.pin_count(), "reach", count)?;
    tethers(model)?;
    for (index, particle) in (0..).zip(model.particle_of) {
        check(*particle < count, "particle_of", index)?;
    }
    for (index, source) in (0..).zip(model.source_of) {
        let known = *source < model.source_count() && at(model.particle_of, *source) == index;
        check(known, "source_of", index)?;
    }
    let lengths = rows::all(model)?;
    let shortest = lengths.shortest;
    slots::all(model)?;
    aggregates::all(model)?;
    for (index, face) in (0..).zip(model.faces) {
        check(is_face(face, count), Region::Faces.name(), index)?;
    }
    for (index, backstop) in (0..).zip(model.backstops) {
        check(is_backstop(backstop), Region::Backstops.name(), index)?;
    }
    let good = same(model.header.mass, derived::mass(model.particles))
        && same(model.header.shortest_row, shortest)
        && same(model.header.longest_row, lengths.longest)
        && same(shortest, derived::shortest(model.reach.iter().map(|reach| reach.shortest_row)));
    if !good {
        return Err(ModelError::Header);
    }
    padding(model)
}

fn is_particle(particle: &Particle) -> bool {
    particle.rest.iter().all(|value| real::abs(*value) <= MAX_LENGTH) && MASSES.contains(&particle.mass)
}

fn is_face(face: &Face, particles: u32) -> bool {
    let [a, b, c] = face.corners;
    let apart = a != b && (face.count == 2 && c == b || face.count == 3 && c != a && c != b);
    apart && a < particles && b < particles && c < particles
}

/// Whether a step can use a backstop.
pub(crate) fn is_backstop(backstop: &Backstop) -> bool {
    let radius = backstop.radius == 0.0 || is_length_or_infinite(backstop.radius);
    radius && real::abs(backstop.distance) <= MAX_LENGTH
}

fn is_reach(model: &Model, index: u32, reach: &Reach) -> bool {
    let known_flags = reach.flags & !(Reach::PIN | Reach::TETHER) == 0;
    let own_pin = !reach.is_pin() || (reach.pin == index && reach.geodesic == 0.0 && !reach.is_tethered());
    let bound = if reach.pin == NONE {
        reach.geodesic == 0.0 && !reach.is_tethered()
    } else {
        let real = reach.pin < model.particle_count() && at(model.reach, reach.pin).is_pin();
        real && (reach.is_pin() || LENGTHS.contains(&reach.geodesic))
    };
    known_flags && own_pin && bound && is_length_or_infinite(reach.shortest_row)
}

/// Tethers are what the particles' reach says.
fn tethers(model: &Model) -> Result<(), ModelError> {
    let pins: &[Ends<1>] = items_of(model, Region::TetherPins);
    let pins = pins.as_flattened().as_flattened();
    for (node, (pin, length)) in (0..).zip(pins.iter().zip(model.tether_lengths.as_flattened())) {
        let (own_pin, own_length) = derived::tether(node, model.reach.get(node as usize));
        check(index_of(*pin) == own_pin && same(*length, own_length), Region::TetherPins.name(), node)?;
    }
    Ok(())
}

/// A table of run starts: ascending from 0 to the number of items.
fn starts(starts: &[u32], items: u32, region: &'static str) -> Result<(), ModelError> {
    check(starts.first() == Some(&0), region, 0)?;
    for (index, pair) in (0..).zip(starts.windows(2)) {
        check(matches!(pair, [first, last] if first <= last), region, index)?;
    }
    check(starts.last() == Some(&items), region, len32(starts))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_group_with_an_index_outside_is_found() {
        let ends = [[[0, 4, 8, 12, 16, 20, 24, 28]], [[0, 0, 0, 0, 0, 0, 0, 32]], [[1 << 31; 8]]];
        let found = [first_outside(&ends, 8), first_outside(&ends, 9), first_outside(&ends[..1], 8)];
        assert_eq!(found, [1, 2, u32::MAX]);
        assert_eq!(first_outside(&[[[0; 8]], [[0, 0, 0, 2, 0, 0, 0, 0]]], 8), 1, "between two places");
    }
}
