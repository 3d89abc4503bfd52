//! What blocks must be before they count as a state.

use super::fields::{self, Persistent};
use super::layout::{self, Padded};
use super::{StateError, is_within, low_high};
use crate::math::real;
use crate::model::record::Block;
use crate::model::{MAX_LENGTH, Model, header};

/// Checks that `memory` begins with a snapshot of this model and is at least `required` blocks long.
pub(super) fn snapshot(model: &Model, memory: &[Block], required: usize) -> Result<(), StateError> {
    let short = StateError::BufferTooSmall { required, provided: memory.len() };
    if memory.len() < required {
        return Err(short);
    }
    let held = fields::persistent(model.header(), memory).ok_or(short)?;
    let head = &held.header;
    let ours = head.magic == layout::MAGIC
        && head.byte_order == header::BYTE_ORDER
        && head.version == layout::VERSION
        && head.reserved == [0; 3];
    if !ours {
        return Err(StateError::NotAState);
    }
    if head.model != low_high(model.fingerprint().0) {
        return Err(StateError::OtherModel);
    }
    values(model, &held)
}

fn damaged(good: bool, region: &'static str, index: u32) -> Result<(), StateError> {
    if good { Ok(()) } else { Err(StateError::Damaged { region, index }) }
}

fn values(model: &Model, held: &Persistent) -> Result<(), StateError> {
    let head = &held.header;
    let dials = (0.0..=1.0).contains(&head.slack) && (0.0..=1.0).contains(&head.allowance);
    let mean = is_within(head.mean_velocity, layout::MAX_SPEED) && head.has_mean <= 1;
    damaged(dials && mean, "header", 0)?;
    for (index, (body, particle)) in (0..).zip(held.bodies.iter().zip(model.particles())) {
        let mass = body.inv_mass.to_bits() == 0 || body.inv_mass.to_bits() == (1.0 / particle.mass).to_bits();
        damaged(mass && is_within(body.position, layout::MAX_POSITION), "bodies", index)?;
    }
    vectors(held.velocities, layout::MAX_SPEED, "velocities")?;
    vectors(held.targets, MAX_LENGTH, "targets")?;
    lengths(held.stretch, model.stretch_rows().len(), "stretch")?;
    lengths(held.strain, model.stretch_rows().len(), "strain")?;
    lengths(held.tether, model.reach().len(), "tether")?;
    lengths(held.leash, model.reach().len(), "leash")
}

fn vectors(items: &[Padded], largest: f32, region: &'static str) -> Result<(), StateError> {
    for (index, item) in (0..).zip(items) {
        let good = item.mark == 0 && is_within(item.value, largest);
        damaged(good, region, index)?;
    }
    Ok(())
}

/// Reference lengths, and the zeros that fill their last block.
fn lengths(items: &[f32], used: usize, region: &'static str) -> Result<(), StateError> {
    for (index, item) in (0_u32..).zip(items) {
        let padding = index as usize >= used;
        damaged(
            real::abs(*item) <= layout::MAX_REFERENCE && (!padding || item.to_bits() == 0),
            region,
            index,
        )?;
    }
    Ok(())
}
