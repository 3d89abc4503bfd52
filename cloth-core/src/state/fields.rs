//! The regions of a state, split once and borrowed apart.

use super::layout::{self, Body, Breeze, Mobilities, Node, Padded, Record, Slot, StateHeader, Vectors};
use crate::model::header::Header;
use crate::model::record::{Block, LANES};
use bytemuck::Pod;

/// What a snapshot holds, borrowed for checking and copying.
pub(crate) struct Persistent<'a> {
    pub header: StateHeader,
    pub bodies: &'a [Body],
    pub velocities: &'a [Padded],
    pub targets: &'a [Padded],
    pub anchors: &'a [Padded],
    pub tensions: &'a [f32],
}

/// Every region of a state.
pub(crate) struct Fields<'m> {
    pub header: &'m mut StateHeader,
    /// Positions and inverse masses; during a step those it began with.
    pub bodies: &'m mut [Body],
    pub velocities: &'m mut [Padded],
    /// Where a held particle goes, and what a slack leash is tied to (m).
    pub targets: &'m mut [Padded],
    /// Where particles were when the sleep window opened (m).
    pub anchors: &'m mut [Padded],
    /// Tension of each stretch row over its length (N/m), lane by lane, and eight zeros.
    pub tensions: &'m mut [f32],
    /// Scratch: where the targets are at the end of the step (m).
    pub ends: &'m mut [Record],
    /// Scratch: what the difference of two neighbours along a stretch row is multiplied with (N/m), slot by slot and lane
    /// by lane.
    pub factors: &'m mut [f32],
    /// Scratch: where particles going straight on will be (m), and their inverse masses (1/kg).
    pub ahead: &'m mut [Record],
    /// Scratch: the lengths of the tethers that act in this step (m), `+∞` for the others.
    pub tethers: &'m mut [[f32; LANES]],
    /// Scratch: velocities (m/s).
    pub motion: &'m mut [Vectors],
    /// Scratch: what rows and aggregates do not do, force of bend and tension over mass (m/s²).
    pub pushes: &'m mut [Vectors],
    /// Scratch: the air past particles and how much of it they face, in a step with air.
    pub breezes: &'m mut [Breeze],
    /// Scratch: the nodes of the sweep, particles first, then aggregates.
    pub nodes: &'m mut [Node],
    /// Scratch: where the centroids of the aggregates were before their rows moved them.
    pub centroids: &'m mut [Record],
    /// Scratch: the colliders that may be met in this step.
    pub slots: &'m mut [Slot],
    /// Scratch: a bit for each of them, particle group by particle group.
    pub near: &'m mut [u32],
    /// Scratch: a bit for each of them, face by face.
    pub near_faces: &'m mut [u32],
    /// Scratch: how many colliders each particle met in the substep.
    pub touches: &'m mut [[f32; LANES]],
    /// Scratch: normals of the targets of particles with backstops.
    pub normals: &'m mut [Record],
    /// Scratch: what the ends of the stretch rows are moved by.
    pub stretch_mobilities: &'m mut [Mobilities],
    /// Scratch: what the ends of the bounds are moved by.
    pub bound_mobilities: &'m mut [Mobilities],
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
        anchors: take(&mut rest, sizes.particles)?,
        tensions: take(&mut rest, sizes.tensions)?,
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
        anchors: take_mut(&mut rest, sizes.particles)?,
        tensions: take_mut(&mut rest, sizes.tensions)?,
        ends: take_mut(&mut rest, sizes.particles)?,
        factors: take_mut(&mut rest, sizes.link_slots)?,
        ahead: take_mut(&mut rest, sizes.particles)?,
        tethers: take_mut(&mut rest, sizes.tethers)?,
        motion: take_mut(&mut rest, sizes.vectors)?,
        pushes: take_mut(&mut rest, sizes.vectors)?,
        breezes: take_mut(&mut rest, sizes.breezes)?,
        nodes: take_mut(&mut rest, sizes.nodes)?,
        centroids: take_mut(&mut rest, sizes.aggregates)?,
        slots: take_mut(&mut rest, sizes.slots)?,
        near: take_mut(&mut rest, sizes.near)?,
        near_faces: take_mut(&mut rest, sizes.near_faces)?,
        touches: take_mut(&mut rest, sizes.touches)?,
        normals: take_mut(&mut rest, sizes.normals)?,
        stretch_mobilities: take_mut(&mut rest, sizes.stretch)?,
        bound_mobilities: take_mut(&mut rest, sizes.bounds)?,
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
            anchors: self.anchors,
            tensions: self.tensions,
        }
    }
}
