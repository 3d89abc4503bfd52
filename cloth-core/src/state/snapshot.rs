//! Copying a state out and back in, and its fingerprint.

use super::fields;
use super::layout::{HEADER_BLOCKS, Padded, StateHeader};
use super::{State, StateError, check};
use crate::hash::{Fingerprint, Hasher, canonical_bits};
use crate::model::record::Block;

impl State<'_> {
    /// Copies out everything that decides the future: `Model::snapshot_blocks()` blocks.
    ///
    /// # Errors
    /// [`StateError::BufferTooSmall`]; `out` is as it was.
    pub fn snapshot(&self, out: &mut [Block]) -> Result<(), StateError> {
        let required = self.model.snapshot_blocks();
        let short = StateError::BufferTooSmall { required, provided: out.len() };
        let mut rest = out.get_mut(..required).ok_or(short)?;
        let held = self.fields.persistent();
        let head = [held.header];
        let regions: [&[u8]; 6] = [
            bytemuck::cast_slice::<StateHeader, u8>(&head),
            bytemuck::cast_slice(held.bodies),
            bytemuck::cast_slice(held.velocities),
            bytemuck::cast_slice(held.targets),
            bytemuck::cast_slice(held.anchors),
            bytemuck::cast_slice(held.tensions),
        ];
        for region in regions {
            let (head, tail) = rest.split_at_mut_checked(region.len() / size_of::<Block>()).ok_or(short)?;
            let bytes: &mut [u8] = bytemuck::cast_slice_mut(head);
            if bytes.len() == region.len() {
                bytes.copy_from_slice(region);
            }
            rest = tail;
        }
        Ok(())
    }

    /// Puts a snapshot of the same model back, after checking every value in it.
    ///
    /// # Errors
    /// [`StateError`] names what is wrong; the state is as it was.
    pub fn restore(&mut self, from: &[Block]) -> Result<(), StateError> {
        check::snapshot(&self.model, from, self.model.snapshot_blocks())?;
        self.put_back(from)
    }

    /// [`State::restore`] of values that were looked at before.
    pub(super) fn put_back(&mut self, from: &[Block]) -> Result<(), StateError> {
        let required = self.model.snapshot_blocks();
        let short = StateError::BufferTooSmall { required, provided: from.len() };
        let held = fields::persistent(self.model.header(), from).ok_or(short)?;
        *self.fields.header = held.header;
        copy(self.fields.bodies, held.bodies);
        copy(self.fields.velocities, held.velocities);
        copy(self.fields.targets, held.targets);
        copy(self.fields.anchors, held.anchors);
        copy(self.fields.tensions, held.tensions);
        Ok(())
    }

    /// Whether blocks are a snapshot of this state's model, as far as their header and length say.
    ///
    /// # Errors
    /// [`StateError::NotAState`], [`StateError::OtherModel`].
    pub fn is_of(&self, blocks: &[Block]) -> Result<(), StateError> {
        let head: &[StateHeader] =
            bytemuck::try_cast_slice(blocks.get(..HEADER_BLOCKS).unwrap_or(&[])).unwrap_or(&[]);
        let head = head.first().ok_or(StateError::NotAState)?;
        if head.model != self.fields.header.model || blocks.len() != self.model.snapshot_blocks() {
            return Err(StateError::OtherModel);
        }
        Ok(())
    }

    /// A hash of everything a snapshot holds, as values: equal on every machine for equal states.
    pub fn fingerprint(&self) -> Fingerprint {
        let held = self.fields.persistent();
        let mut hasher = Hasher::new();
        let head = held.header;
        let rest = [head.still, head.flags, head.calm];
        // Of an anchor that stands there is nothing to say.
        let [a, b, c] = head.linear.map(canonical_bits);
        let [d, e, f] = head.angular.map(canonical_bits);
        let moves = [head.settle, a, b, c, d, e, f];
        let moves: &[u32] = if moves == [0; 7] { &[] } else { &moves };
        for word in head.model.iter().chain(&head.steps).chain(&head.world).chain(&rest).chain(moves) {
            hasher.word(*word);
        }
        if head.flags & StateHeader::TROUBLED != 0 {
            for anchor in held.anchors {
                hasher.word(anchor.pad);
            }
        }
        for body in held.bodies {
            for value in body.position.into_iter().chain([body.inv_mass]) {
                hasher.float(value);
            }
        }
        for Padded { value, .. } in held.velocities.iter().chain(held.targets).chain(held.anchors) {
            for component in value {
                hasher.float(*component);
            }
        }
        for value in held.tensions {
            hasher.float(*value);
        }
        hasher.finish()
    }
}

/// Copies a region onto one of the same length; both come from one model, so the lengths agree.
fn copy<T: Copy>(to: &mut [T], from: &[T]) {
    if to.len() == from.len() {
        to.copy_from_slice(from);
    }
}
