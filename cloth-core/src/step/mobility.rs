//! What the ends of rows are moved by: asked of the nodes once a step, because nothing is held or let go within one.

use super::Pass;
use crate::simd::{Cut, Groups, Kernel, Lanes, cut_mut};
use crate::state::State;
use crate::state::layout::{Mobilities, Node};

/// Which word of a node its inverse mass is.
const INVERSE_MASS: [usize; 2] = [0, 3];

/// Notes the mobilities of stretch rows and of bounds.
pub(super) fn begin(state: &mut State, pass: &Pass) {
    let model = state.model;
    let fields = &mut state.fields;
    let tables = [
        (model.stretch_ends(), &mut *fields.stretch_mobilities),
        (model.bound_ends(), &mut *fields.bound_mobilities),
    ];
    for (ends, mobilities) in tables {
        pass.run(Note { ends, nodes: fields.nodes, mobilities });
    }
}

struct Note<'a> {
    ends: Groups<'a, 2>,
    nodes: &'a [Node],
    mobilities: &'a mut [Mobilities],
}

impl Kernel for Note<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        if !self.ends.fit(self.nodes.len()) {
            return;
        }
        for ([a, b], mobilities) in self.ends.iter().zip(self.mobilities) {
            for l in l.parts() {
                let [of_a, of_b] = mobilities;
                l.store(a.gather_word(l, INVERSE_MASS, self.nodes), of_a);
                l.store(-b.gather_word(l, INVERSE_MASS, self.nodes), of_b);
            }
        }
    }
}

impl Cut for Note<'_> {
    fn groups(&self) -> usize {
        self.ends.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (ends, other_ends) = (self.ends.range(0, at), self.ends.range(at, self.ends.len()));
        let (mobilities, others) = cut_mut(self.mobilities, at);
        (Self { ends, mobilities, ..self }, Self { ends: other_ends, mobilities: others, ..self })
    }
}
