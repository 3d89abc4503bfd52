//! Everything a model must be before anything reads it.

use super::header::{self, Header};
use super::record::{Block, HingeSlot, PairSlot, Particle};
use super::{MAX_LENGTH, Model, ModelError};
use super::{derived, regions};
use crate::index::{NONE, at, len32, run};
use crate::math::real;
use crate::row::bend::HingeRow;
use crate::row::tether::Reach;

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
    if u64::from(header.blocks) != regions::model_blocks(&header) || header.reserved != 0 {
        return Err(ModelError::Header);
    }
    if u64::from(header.blocks) > provided {
        return Err(ModelError::TooShort { required: u64::from(header.blocks), provided });
    }
    let sane = header.particles > 0
        && header.particles <= header.sources
        && header.colours > 0
        && header.colours <= header.particles
        && header.pins <= header.particles;
    if sane { Ok(header) } else { Err(ModelError::Header) }
}

/// The header's figures are those of the items.
fn figures(model: &Model) -> Result<(), ModelError> {
    let header = &model.header;
    let same = |a: f32, b: f32| a.to_bits() == b.to_bits();
    let shortest = derived::shortest(model.reach.iter().map(|reach| reach.shortest_row));
    let good = same(header.mass, derived::mass(model.particles))
        && same(header.stiffest, derived::stiffest(model.stretch, model.particles))
        && real::is_finite(header.mass)
        && real::is_finite(header.stiffest)
        && same(header.shortest_row, shortest);
    if good { Ok(()) } else { Err(ModelError::Header) }
}

/// What fills the last block of a region is zero, so that equal models are equal words.
fn padding(model: &Model) -> Result<(), ModelError> {
    for region in regions::REGIONS {
        let (words, name) = regions::padding(model.blocks, &model.header, region);
        check(words.iter().all(|word| *word == 0), name, u32::MAX)?;
    }
    Ok(())
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
    for (index, particle) in (0..).zip(model.particle_of) {
        check(*particle < count, "particle_of", index)?;
    }
    for (index, source) in (0..).zip(model.source_of) {
        let known = *source < model.source_count() && at(model.particle_of, *source) == index;
        check(known, "source_of", index)?;
    }
    starts(model.colour_starts, count, "colour_starts")?;
    for (index, row) in (0..).zip(model.stretch) {
        let stiff = STIFFNESSES.contains(&row.stiffness) || row.stiffness == f32::INFINITY;
        check(stiff && is_pair(model, row.a, row.b, row.rest), "stretch", index)?;
    }
    for (index, row) in (0..).zip(model.skip) {
        check(row.pad == 0 && is_pair(model, row.a, row.b, row.rest), "skip", index)?;
    }
    for (index, hinge) in (0..).zip(model.hinges) {
        check(is_hinge(model, hinge), "hinges", index)?;
    }
    starts(model.stretch_starts, len32(model.stretch_slots), "stretch_starts")?;
    starts(model.skip_starts, len32(model.skip_slots), "skip_starts")?;
    starts(model.hinge_starts, len32(model.hinge_slots), "hinge_starts")?;
    for particle in 0..count {
        let own = |row: u32| {
            let row = at(model.stretch, row);
            (row.a, row.b)
        };
        pair_slots(model.stretch_of(particle), particle, own, "stretch_slots")?;
        let own = |row: u32| {
            let row = at(model.skip, row);
            (row.a, row.b)
        };
        pair_slots(model.skip_of(particle), particle, own, "skip_slots")?;
        hinge_slots(model, run(model.hinge_slots, model.hinge_starts, particle), particle)?;
        let stretch = model.stretch_of(particle).iter().map(|slot| at(model.stretch, slot.row).rest);
        let skip = model.skip_of(particle).iter().map(|slot| at(model.skip, slot.row).rest);
        let shortest = derived::shortest(stretch.chain(skip));
        let stored = at(model.reach, particle).shortest_row;
        check(stored.to_bits() == shortest.to_bits(), "reach", particle)?;
    }
    figures(model)?;
    padding(model)
}

fn is_particle(particle: &Particle) -> bool {
    particle.rest.iter().all(|value| real::abs(*value) <= MAX_LENGTH) && MASSES.contains(&particle.mass)
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

/// A table of run starts: ascending from 0 to the number of items.
fn starts(starts: &[u32], items: u32, region: &'static str) -> Result<(), ModelError> {
    check(starts.first() == Some(&0), region, 0)?;
    for (index, pair) in (0..).zip(starts.windows(2)) {
        check(matches!(pair, [first, last] if first <= last), region, index)?;
    }
    check(starts.last() == Some(&items), region, len32(starts))
}

/// The colour of a particle.
fn colour(model: &Model, particle: u32) -> usize {
    model.colour_starts.partition_point(|start| *start <= particle)
}

/// Two particles that a row may couple: distinct, present and of different colours.
fn is_pair(model: &Model, a: u32, b: u32, rest: f32) -> bool {
    a < b && b < model.particle_count() && LENGTHS.contains(&rest) && colour(model, a) != colour(model, b)
}

fn is_hinge(model: &Model, hinge: &HingeRow) -> bool {
    let [p0, p1, p2, p3] = hinge.p;
    let pairs = [(p0, p1), (p0, p2), (p0, p3), (p1, p2), (p1, p3), (p2, p3)];
    let apart = pairs.iter().all(|(a, b)| a != b && colour(model, *a) != colour(model, *b));
    let there = hinge.p.iter().all(|particle| *particle < model.particle_count());
    let stencil = hinge.c.iter().all(|c| real::abs(*c) <= MAX_COEFFICIENT);
    let scale = hinge.scale > 0.0 && real::is_finite(hinge.scale);
    let inertia = hinge.inertia > 0.0 && real::is_finite(hinge.inertia);
    let rest = real::abs(hinge.rest) <= MAX_LENGTH;
    there && apart && stencil && scale && inertia && rest && hinge.pad == 0
}

/// The slots of one particle name its rows, each once. Every row then has exactly its two slots, because
/// there are twice as many slots as rows and none can stand in a run that is not one of its ends'.
fn pair_slots(
    slots: &[PairSlot],
    particle: u32,
    ends: impl Fn(u32) -> (u32, u32),
    region: &'static str,
) -> Result<(), ModelError> {
    let mut next = 0;
    for slot in slots {
        let (a, b) = ends(slot.row);
        let own = (a == particle && b == slot.other) || (b == particle && a == slot.other);
        check(slot.row >= next && own && a != b, region, particle)?;
        next = slot.row + 1;
    }
    Ok(())
}

fn hinge_slots(model: &Model, slots: &[HingeSlot], particle: u32) -> Result<(), ModelError> {
    let mut next = 0;
    for slot in slots {
        let hinge = model.hinges.get(slot.row as usize);
        let own = hinge.and_then(|hinge| hinge.p.get(slot.corner as usize)) == Some(&particle);
        check(slot.row >= next && own, "hinge_slots", particle)?;
        next = slot.row + 1;
    }
    Ok(())
}
