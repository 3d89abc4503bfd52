//! What blocks must be before they count as a state.

use super::fields::{self, Persistent};
use super::layout::{self, Body, Padded, StateHeader};
use super::{StateError, Trouble, is_within, low_high};
use crate::math::real;
use crate::model::record::Block;
use crate::model::{MAX_LENGTH, Model, header};

/// Checks that `memory` begins with a snapshot of this model and is at least `required` blocks long.
pub(crate) fn snapshot(model: &Model, memory: &[Block], required: usize) -> Result<(), StateError> {
    let short = StateError::BufferTooSmall { required, provided: memory.len() };
    if memory.len() < required {
        return Err(short);
    }
    let held = fields::persistent(model.header(), memory).ok_or(short)?;
    let head = &held.header;
    let ours = head.magic == layout::MAGIC
        && head.byte_order == header::BYTE_ORDER
        && head.version == layout::VERSION
        && head.flags & !StateHeader::FLAGS == 0;
    if !ours {
        return Err(StateError::NotAState);
    }
    let known = [head.linear, head.angular].into_iter().all(|rate| is_within(rate, layout::MAX_RATE));
    if !(known && head.settle <= layout::SETTLE && head.pad == 0) {
        return Err(StateError::Damaged { region: "anchor", index: 0 });
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
    let bodies = held.bodies.iter().zip(masses(model));
    for (index, (body, whole)) in (0..).zip(bodies) {
        let mass = body.inv_mass.to_bits() == 0 || body.inv_mass.to_bits() == whole.to_bits();
        damaged(mass && is_within(body.position, layout::MAX_POSITION), "bodies", index)?;
    }
    vectors(held.velocities, layout::MAX_SPEED, "velocities")?;
    vectors(held.targets, MAX_LENGTH, "targets")?;
    let troubled = held.header.flags & StateHeader::TROUBLED != 0;
    for (index, (anchor, body)) in (0..).zip(held.anchors.iter().zip(held.bodies)) {
        // Who is on the way to its target has no inverse mass.
        let trouble = Trouble::of(anchor);
        let known = trouble.is_within() && (trouble.left == 0 || body.inv_mass.to_bits() == 0);
        let good = (anchor.pad == 0 || troubled && known) && is_within(anchor.value, layout::MAX_POSITION);
        damaged(good, "anchors", index)?;
    }
    for (index, tension) in (0..).zip(held.tensions) {
        let none = index >= model.header().no_row();
        let good = real::abs(*tension) <= layout::MAX_TENSION && (!none || tension.to_bits() == 0);
        damaged(good, "tensions", index)?;
    }
    let inert = model.particle_count() as usize;
    let rest = held.bodies.iter().zip(held.velocities).zip(held.targets.iter().zip(held.anchors)).skip(inert);
    for ((body, velocity), (target, anchor)) in rest {
        let still =
            *body == Body::default() && [*velocity, *target, *anchor].iter().all(|v| *v == Padded::default());
        damaged(still, "bodies", model.particle_count())?;
    }
    Ok(())
}

/// The inverse mass of each particle node when it is not held (1/kg).
fn masses<'a>(model: &Model<'a>) -> impl Iterator<Item = f32> + 'a {
    model.particles().iter().map(|particle| 1.0 / particle.mass).chain(core::iter::repeat(0.0))
}

fn vectors(items: &[Padded], largest: f32, region: &'static str) -> Result<(), StateError> {
    for (index, item) in (0..).zip(items) {
        let good = item.pad == 0 && is_within(item.value, largest);
        damaged(good, region, index)?;
    }
    Ok(())
}
