//! Colliders of a world, and which of them a cloth may meet: what the world asks is here, and who answers behind it.
//!
//! Poses and boxes are world space in `f64`. Whoever asks gives a box about a cloth; the answer is the bodies whose swept
//! box, grown by their own inflation, meets it. The anchor is subtracted afterwards, by whoever asked.

// What is answered feeds a step.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod body;
mod nearest;
mod scan;
mod tree;

pub use body::{Body, Handle};
pub use scan::Scan;
pub(crate) use tree::HeldGroup;
pub use tree::{Group, Tree};

/// The index that worlds use.
pub type Index = Tree;

use crate::pose::{Bounds, Pose};
use cloth_core::Fingerprint;

/// What a cloth asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    /// The box that the cloth does not leave in the step, with all that it may be met by but bodies' own inflation (m).
    pub bounds: Bounds,
    /// Layers the cloth is in, a bit each.
    pub layer: u32,
    /// Layers of bodies that the cloth meets, a bit each.
    pub mask: u32,
    /// Most bodies to answer with.
    pub capacity: usize,
}

/// A body that a query found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found<'a> {
    /// Which one.
    pub handle: Handle,
    /// What it is, and where.
    pub body: &'a Body,
    /// Where it was when the tick began.
    pub previous: Pose,
}

/// What the world asks of its colliders.
///
/// A tick begins with [`ColliderIndex::advance`], then bodies come, move and go, then cloths gather. Equal sets that were
/// inserted in the same order give equal answers, whatever else was inserted and removed between.
///
/// `shapes` are the words that bodies point into, the same wherever one is asked for: those that a body points into may not
/// change while it is there.
pub trait ColliderIndex {
    /// Puts a body in at its pose: it sweeps nothing in this tick, having appeared and not moved. Handles are never used
    /// twice, and rise.
    fn insert(&mut self, body: Body, shapes: &[u32]) -> Handle;

    /// Takes a body out; `false` where there is none. From now on nobody meets it.
    fn remove(&mut self, handle: Handle) -> bool;

    /// Moves a body on within this tick; `false` where there is none. Where it was when the tick began stays.
    fn set_pose(&mut self, handle: Handle, pose: Pose, shapes: &[u32]) -> bool;

    /// Gives a body another shape, friction, inflation or layers, and another pose without sweeping the way there;
    /// `false` where there is none.
    fn replace(&mut self, handle: Handle, body: Body, shapes: &[u32]) -> bool;

    /// A body.
    fn body(&self, handle: Handle) -> Option<&Body>;

    /// Begins a tick: where every body is becomes where it was.
    fn advance(&mut self, shapes: &[u32]);

    /// Calls `each` for every body that meets the query's box, by rising handle, and returns how many did not fit. Of more
    /// than the capacity the nearest to the box's middle stay, of equally near ones those with the lower handle.
    fn gather(&self, query: &Query, shapes: &[u32], each: &mut dyn FnMut(Found<'_>)) -> usize;

    /// Whether a body of these layers that came, went, moved or was replaced in this tick or the last may have been in the box
    /// then, or may be now. Never `false` where one was or is: nothing that a query of this box was answered with last has changed
    /// then, and nothing has joined it.
    fn changed_in(&self, _bounds: &Bounds, _layer: u32, _mask: u32) -> bool {
        true
    }

    /// A hash of the set: what the bodies are and where they stand, by rising handle. It does not depend on what came and went,
    /// on handles, nor on the tree: only on who is there and in which order they came, which is the order that steps meet them in.
    fn fingerprint(&self) -> Fingerprint;

    /// How many bodies there are.
    fn len(&self) -> usize;

    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
