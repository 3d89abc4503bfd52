//! A step in a build that knows no threads: `share.rs` without them.

use super::Pass;
use super::stretch::Marks;
use crate::model::Model;
use crate::simd::{Cut, Kernel, Rows};
use crate::state::layout::Node;
use core::ops::Range;

/// Nobody.
pub(super) type Share<'a> = core::convert::Infallible;

impl Pass<'_> {
    /// Runs a kernel.
    #[inline(always)]
    pub(super) fn run<K: Kernel + Cut>(&self, kernel: K) -> K::Output {
        match self.share {
            None => self.level.run(kernel),
            Some(nobody) => match nobody {},
        }
    }

    /// As [`Pass::run`], of a kernel that counts something.
    #[inline(always)]
    pub(super) fn count<K: Kernel<Output = u32> + Cut>(&self, kernel: K) -> u32 {
        self.run(kernel)
    }

    /// Goes through the stretch rows.
    #[inline(always)]
    pub(super) fn stretch_runs(
        &self,
        model: &Model,
        nodes: &mut [Node],
        mut each: impl FnMut(Rows<Node, 2>, Range<usize>),
    ) {
        each(Rows::new(model.stretch_ends(), nodes), 0..model.stretch_groups().len());
    }

    /// What is known of relaxations.
    #[inline(always)]
    pub(super) fn marks(&self) -> Option<&Marks> {
        None
    }
}
