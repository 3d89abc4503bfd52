//! Snapshots that nobody else can have written, and that are put back without a look at every value.

use super::{State, StateError, check};
use crate::model::Model;
use crate::model::record::Block;
use alloc::vec::Vec;

/// A snapshot that [`State::save`] wrote, or that [`SavedState::checked`] looked through: [`State::load`] puts it back at the
/// speed of a copy. Saved into again, it takes no memory that it does not have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedState {
    blocks: Vec<Block>,
}

impl SavedState {
    /// Nothing yet: no state loads it.
    pub const fn new() -> Self {
        Self { blocks: Vec::new() }
    }

    /// Takes over a snapshot from elsewhere.
    ///
    /// # Errors
    /// [`StateError`] names what is wrong with it.
    pub fn checked(model: &Model<'_>, blocks: &[Block]) -> Result<Self, StateError> {
        let required = model.snapshot_blocks();
        check::snapshot(model, blocks, required)?;
        Ok(Self { blocks: blocks.get(..required).unwrap_or(&[]).to_vec() })
    }

    /// Its blocks: equal states, equal blocks.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }
}

impl State<'_> {
    /// Copies everything that decides the future to `to`, whatever that held.
    pub fn save(&self, to: &mut SavedState) {
        to.blocks.resize(self.model.snapshot_blocks(), Block::default());
        // It has just been made large enough.
        let _ = self.snapshot(&mut to.blocks);
    }

    /// Puts back what [`State::save`] copied from a state of the same model.
    ///
    /// # Errors
    /// [`StateError::NotAState`] where nothing was saved, [`StateError::OtherModel`]; the state is as it was.
    pub fn load(&mut self, from: &SavedState) -> Result<(), StateError> {
        self.is_of(&from.blocks)?;
        self.put_back(&from.blocks)
    }
}
