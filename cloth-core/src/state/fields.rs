//! The regions of a state, split once and borrowed apart.

use super::layout::{self, Body, Padded, StateHeader};
use crate::model::header::Header;
use crate::model::record::Block;
use bytemuck::Pod;

/// What a snapshot holds, borrowed for checking and copying.
pub(crate) struct Persistent<'a> {
    pub header: StateHeader,
    pub bodies: &'a [Body],
    pub velocities: &'a [Padded],
    pub targets: &'a [Padded],
    pub stretch: &'a [f32],
    pub strain: &'a [f32],
    pub tether: &'a [f32],
    pub leash: &'a [f32],
}

/// Every region of a state.
pub(crate) struct Fields<'m> {
    pub header: &'m mut StateHeader,
    pub bodies: &'m mut [Body],
    pub velocities: &'m mut [Padded],
    /// Where a held particle goes, and what a slack leash is tied to (m).
    pub targets: &'m mut [Padded],
    /// Reference lengths R = rest − λ/k of the stretch rows (m): a row's multiplier, stored as a length.
    pub stretch: &'m mut [f32],
    /// The same of the strain-limit rows.
    pub strain: &'m mut [f32],
    /// The same of the tethers, one a particle.
    pub tether: &'m mut [f32],
    /// The same of the slack leashes, one a particle.
    pub leash: &'m mut [f32],
    /// Scratch: inertial targets of the substep; the mark says that the guard has taken the particle.
    pub inertial: &'m mut [Padded],
    /// Scratch: positions at the start of the substep.
    pub before: &'m mut [Padded],
    /// Scratch: positions at the start of the step.
    pub start: &'m mut [Padded],
}

fn take<'a, T: Pod>(rest: &mut &'a [Block], blocks: usize) -> Option<&'a [T]> {
    let (head, tail) = rest.split_at_checked(blocks)?;
    *rest = tail;
    bytemuck::try_cast_slice(head).ok()
}

fn take_mut<'a, T: Pod>(rest: &mut &'a mut [Block], blocks: usize) -> Option<&'a mut [T]> {
    let (head, tail) = core::mem::take(rest).split_at_mut_checked(blocks)?;
    *rest = tail;
    bytemuck::try_cast_slice_mut(head).ok()
}

/// Views the snapshot at the start of `memory`; `None` where it is too short.
pub(crate) fn persistent<'a>(model: &Header, memory: &'a [Block]) -> Option<Persistent<'a>> {
    let sizes = layout::sizes(model);
    let mut rest = memory;
    let header: &[StateHeader] = take(&mut rest, layout::HEADER_BLOCKS)?;
    Some(Persistent {
        header: *header.first()?,
        bodies: take(&mut rest, sizes.particles)?,
        velocities: take(&mut rest, sizes.particles)?,
        targets: take(&mut rest, sizes.particles)?,
        stretch: take(&mut rest, sizes.stretch)?,
        strain: take(&mut rest, sizes.stretch)?,
        tether: take(&mut rest, sizes.leashes)?,
        leash: take(&mut rest, sizes.leashes)?,
    })
}

/// Splits a state's memory; `None` where it is too short.
pub(crate) fn split<'m>(model: &Header, memory: &'m mut [Block]) -> Option<Fields<'m>> {
    let sizes = layout::sizes(model);
    let mut rest = memory;
    let header: &mut [StateHeader] = take_mut(&mut rest, layout::HEADER_BLOCKS)?;
    Some(Fields {
        header: header.first_mut()?,
        bodies: take_mut(&mut rest, sizes.particles)?,
        velocities: take_mut(&mut rest, sizes.particles)?,
        targets: take_mut(&mut rest, sizes.particles)?,
        stretch: take_mut(&mut rest, sizes.stretch)?,
        strain: take_mut(&mut rest, sizes.stretch)?,
        tether: take_mut(&mut rest, sizes.leashes)?,
        leash: take_mut(&mut rest, sizes.leashes)?,
        inertial: take_mut(&mut rest, sizes.particles)?,
        before: take_mut(&mut rest, sizes.particles)?,
        start: take_mut(&mut rest, sizes.particles)?,
    })
}

impl Fields<'_> {
    /// The snapshot part, for hashing and copying out.
    pub(crate) fn persistent(&self) -> Persistent<'_> {
        Persistent {
            header: *self.header,
            bodies: self.bodies,
            velocities: self.velocities,
            targets: self.targets,
            stretch: self.stretch,
            strain: self.strain,
            tether: self.tether,
            leash: self.leash,
        }
    }
}
