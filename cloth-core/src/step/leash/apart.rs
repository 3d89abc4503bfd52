//! Tethers, shared by threads.

use super::{beyond, brought_in};
use crate::model::record::LANES;
use crate::row::pull::{Ends, difference};
use crate::simd::{Backs, Cut, Fronts, Groups, Kernel, Lanes, Mask as _, columns, cut};
use crate::state::fields::Fields;
use crate::state::layout::Record;
use crate::step::Pass;
use core::cell::Cell;

/// [`tethers`](super::tethers), as each part can do it that changes its own particles alone.
pub(super) fn tethers(fields: &mut Fields, pins: Groups<1>, pinned: usize, pass: &Pass) {
    // Nobody asks for places ahead between the push and the end of a substep.
    // Particles are numbered from the pins, so these are few.
    for (place, [now, _]) in fields.ahead.iter_mut().zip(fields.nodes.iter()).take(pinned) {
        *place = *now;
    }
    let (nodes, backs) = columns(fields.nodes);
    let (tethers, places, turn) = (&*fields.tethers, &*fields.ahead, pass.turn);
    pass.run(Tethers { pins, tethers, nodes, backs, first: 0, places, turn });
}

/// Finds pins where they were noted: a pin that a tether acts to is held, and no tether moves it.
struct Tethers<'a> {
    pins: Groups<'a, 1>,
    tethers: &'a [[f32; LANES]],
    nodes: Fronts<'a>,
    /// Where all particles were when the substep began.
    backs: Backs<'a>,
    /// The first particle of these.
    first: usize,
    /// Where pins are.
    places: &'a [Record],
    turn: f32,
}

impl Kernel for Tethers<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let groups = self.pins.iter().zip(self.tethers).zip(self.nodes.groups());
        for ((([pin], bound), nodes), group) in groups.zip(0..) {
            let Some(before) = self.backs.chunk(self.first + group * LANES) else { return };
            for l in l.parts() {
                let [x, y, z, w] = l.load_records(&nodes.map(Cell::get));
                let [u, v, t, _] = l.load_records(&before);
                let [px, py, pz, _] = pin.gather(l, self.places);
                let [pu, pv, pt, _] = self.backs.gather(l, pin);
                let now = difference::<L>([x, y, z], [px, py, pz]);
                let before = difference::<L>([u, v, t], [pu, pv, pt]);
                let (ends, bound) = (Ends { now, before }, l.load(bound));
                let tight = beyond::<L>(&ends, bound);
                if tight.any() {
                    let moved = brought_in(l, &ends, bound, w, self.turn, tight);
                    l.add_to_records(moved, |lane| nodes[lane & 7]);
                }
            }
        }
    }
}

impl Cut for Tethers<'_> {
    fn groups(&self) -> usize {
        self.pins.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (pins, other_pins) = (self.pins.range(0, at), self.pins.range(at, self.pins.len()));
        let ((tethers, others), (nodes, other_nodes)) = (cut(self.tethers, at), self.nodes.cut(at * LANES));
        let first = self.first + at * LANES;
        (
            Self { pins, tethers, nodes, ..self },
            Self { pins: other_pins, tethers: others, nodes: other_nodes, first, ..self },
        )
    }
}
