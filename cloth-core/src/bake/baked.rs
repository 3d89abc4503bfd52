//! A built model.

use super::BuildReport;
use crate::model::{Block, Model, ModelError};
use alloc::vec::Vec;

/// A model in memory of its own, and the story of its making.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Baked {
    pub(super) blocks: Vec<Block>,
    /// What it consists of, what was repaired, what deserves a look.
    pub report: BuildReport,
}

impl Baked {
    /// A model that was baked before, looked through. Its report says nothing.
    ///
    /// # Errors
    /// As [`Model::from_blocks`].
    pub fn of_blocks(mut blocks: Vec<Block>) -> Result<Self, ModelError> {
        let own = Model::from_blocks(&blocks)?.blocks().len();
        blocks.truncate(own);
        Ok(Self { blocks, report: BuildReport::default() })
    }

    /// The model.
    pub fn model(&self) -> Model<'_> {
        Model::of_checked(&self.blocks)
    }

    /// The model's blocks, to be kept or written to a file.
    pub fn into_blocks(self) -> Vec<Block> {
        self.blocks
    }
}
