//! Tethers to pins and leashes to targets: bounds on one particle, applied after the sweep and so kept to the digit.

use super::Pass;
use crate::index::at;
use crate::math::real;
use crate::model::Model;
use crate::model::record::LANES;
use crate::row::pull::{Ends, Pull, difference, length, minus, plus};
use crate::row::tether::Reach;
use crate::simd::{Floats as _, Kernel, Lanes, Mask as _};
use crate::state::State;
use crate::state::layout::Record;

/// Brings every tethered particle whose pin is held to within its way to it.
#[inline(never)]
pub(super) fn tethers(state: &mut State, pass: &Pass) {
    let model = state.model;
    if !model.has_tethers() {
        return;
    }
    let fields = &mut state.fields;
    pass.level.run(Tethers {
        model: &model,
        nodes: fields.nodes,
        before: fields.before,
        turn: pass.input.constants.turn,
    });
}

struct Tethers<'a> {
    model: &'a Model<'a>,
    nodes: &'a mut [Record],
    before: &'a [Record],
    turn: f32,
}

impl Kernel for Tethers<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let zero = l.splat(0.0);
        for (group, reach) in self.model.reach().chunks(LANES).enumerate() {
            let mut bound = [f32::INFINITY; LANES];
            let mut pins = [[0.0, 0.0, 0.0, 1.0]; LANES];
            let mut pins_before = [[0.0; 4]; LANES];
            for (lane, reach) in reach.iter().enumerate() {
                if reach.is_tethered() {
                    bound[lane] = reach.geodesic;
                    pins[lane] = at(self.nodes, reach.pin);
                    pins_before[lane] = at(self.before, reach.pin);
                }
            }
            let place = group * LANES;
            let Some(before) = self.before.get(place..).and_then(|run| run.first_chunk::<LANES>()) else { return };
            let Some(node) = self.nodes.get_mut(place..).and_then(|run| run.first_chunk_mut::<LANES>()) else {
                return;
            };
            for l in l.parts() {
                let [x, y, z, w] = l.load_records(node);
                let [px, py, pz, pw] = l.load_records(&pins);
                let [u, v, t, _] = l.load_records(before);
                let [pu, pv, pt, _] = l.load_records(&pins_before);
                let bound = l.load(&bound);
                let ends = Ends {
                    now: difference::<L>([x, y, z], [px, py, pz]),
                    before: difference::<L>([u, v, t], [pu, pv, pt]),
                };
                let pull = Pull::new(l, &ends, l.splat(1.0) / bound, self.turn);
                let tight = bound.lt(pull.length) & zero.lt(w) & pw.le(zero);
                if !tight.any() {
                    continue;
                }
                let moved = pull.moved(l, tight.select(pull.length - bound, zero), w);
                let [x, y, z] = minus::<L>([x, y, z], moved, w);
                l.store_records([x, y, z, w], node);
            }
        }
    }
}

/// Brings every particle to within its leash of its target, with `left` substeps to go, this one included.
#[inline(never)]
pub(super) fn leashes(state: &mut State, pass: &Pass, left: u32) {
    let Some(slack) = pass.numbers.slack else { return };
    let model = state.model;
    let fields = &mut state.fields;
    let done = real::from_count(pass.numbers.substeps - left + 1);
    pass.level.run(Leashes {
        reach: model.reach(),
        nodes: fields.nodes,
        targets: bytemuck::cast_slice(fields.targets),
        ends: fields.ends,
        slack,
        share: done / real::from_count(pass.numbers.substeps),
    });
}

struct Leashes<'a> {
    reach: &'a [Reach],
    nodes: &'a mut [Record],
    targets: &'a [Record],
    ends: &'a [Record],
    slack: f32,
    /// How far targets are between where the step began and where it ends.
    share: f32,
}

impl Kernel for Leashes<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let zero = l.splat(0.0);
        let nodes = self.nodes.as_chunks_mut::<LANES>().0.iter_mut().zip(self.reach.chunks(LANES));
        let targets = self.targets.as_chunks::<LANES>().0.iter().zip(self.ends.as_chunks::<LANES>().0);
        for ((node, reach), (target, end)) in nodes.zip(targets) {
            // Where no pin is near, no leash.
            let mut bound = [f32::INFINITY; LANES];
            for (bound, reach) in bound.iter_mut().zip(reach) {
                if reach.geodesic > 0.0 {
                    *bound = crate::row::leash::radius(self.slack, reach.geodesic);
                }
            }
            for l in l.parts() {
                let bound = l.load(&bound);
                let [x, y, z, w] = l.load_records(node);
                let [tx, ty, tz, _] = l.load_records(target);
                let [ex, ey, ez, _] = l.load_records(end);
                let way = difference::<L>([ex, ey, ez], [tx, ty, tz]);
                let target = plus::<L>([tx, ty, tz], way, l.splat(self.share));
                let off = difference::<L>([x, y, z], target);
                let far = length(l, off);
                let tight = bound.lt(far) & zero.lt(w);
                let kept = plus::<L>(target, off, bound / far);
                let out = [tight.select(kept[0], x), tight.select(kept[1], y), tight.select(kept[2], z)];
                l.store_records([out[0], out[1], out[2], w], node);
            }
        }
    }
}
