//! What the escape hatch counts of a particle.

use super::layout::{Padded, StateHeader};
use super::{State, fields::Fields};
use crate::index::{at, put};
use crate::model::Model;

/// Whether a particle is in trouble, and since when; or on its way to its target, and how long yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Trouble {
    /// Steps in a row that found it in trouble.
    pub steps: u32,
    /// Steps until it is on its target; 0 for those that go nowhere.
    pub left: u32,
}

impl Trouble {
    /// All is well.
    pub const NONE: Self = Self { steps: 0, left: 0 };

    /// That of the particle whose sleep anchor this is, the word beside which it is kept in.
    pub(crate) fn of(anchor: &Padded) -> Self {
        Self { steps: anchor.pad & 0xffff, left: anchor.pad >> 16 }
    }

    /// Most steps that are counted, of either.
    pub const MOST: u32 = 60_000;

    /// Whether both numbers are such as are counted.
    pub(crate) fn is_within(self) -> bool {
        self.steps <= Self::MOST && self.left <= Self::MOST
    }

    /// Both numbers, below 2¹⁶, in a word.
    pub(crate) fn word(self) -> u32 {
        self.steps & 0xffff | self.left << 16
    }
}

impl Fields<'_> {
    /// Forgets all trouble, and lets go who is on the way.
    pub(crate) fn forget_trouble(&mut self, model: &Model) {
        if self.header.flags & StateHeader::TROUBLED == 0 {
            return;
        }
        self.header.set(StateHeader::TROUBLED, false);
        let places = self.bodies.iter_mut().zip(self.anchors.iter_mut());
        for ((body, anchor), particle) in places.zip(model.particles()) {
            if Trouble::of(anchor).left > 0 {
                body.inv_mass = 1.0 / particle.mass;
            }
            anchor.pad = 0;
        }
    }
}

impl State<'_> {
    /// Forgets the trouble of a particle that whoever calls has decided about.
    pub(super) fn clear_trouble(&mut self, particle: u32) {
        let anchor = at(self.fields.anchors, particle);
        put(self.fields.anchors, particle, Padded { pad: 0, ..anchor });
    }

    /// Whether the escape hatch is taking a vertex to its target ([`crate::step::Escape`]); `false` for a vertex that is not there.
    pub fn is_escaping(&self, vertex: u32) -> bool {
        let trouble = |particle| Trouble::of(&at(self.fields.anchors, particle));
        self.particle(vertex).is_ok_and(|particle| trouble(particle).left > 0)
    }
}
