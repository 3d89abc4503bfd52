//! Tethers to pins and leashes to targets: bounds on one particle, applied after the sweep and so kept to the digit.

use super::Pass;
use super::predict::store_now;
use crate::index::at;
use crate::math::real;
use crate::model::record::LANES;
use crate::row::pull::{Ends, Pull, difference, dot, length, minus, plus};
use crate::row::tether::Reach;
use crate::simd::{Floats as _, Groups, Kernel, Lanes, Mask as _, PLACE};
use crate::state::layout::{Node, Record};
use crate::state::{State, is_held};

/// Notes the tethers that act in this step: those of free particles whose pin is held. Where there is none stands the
/// particle itself, and no bound.
pub(super) fn begin(state: &mut State) {
    if !state.model.has_tethers() {
        return;
    }
    let fields = &mut state.fields;
    let (pins, bounds) = (fields.pins.as_flattened_mut(), fields.bounds.as_flattened_mut());
    let bodies = &*fields.bodies;
    let ends = pins.as_flattened_mut().iter_mut().zip(bounds).zip((0..).step_by(PLACE as usize));
    // The lanes behind the last particle have none either.
    let reaches = state.model.reach().iter().copied().chain(core::iter::repeat(Reach::default()));
    for ((((pin, bound), own), reach), body) in ends.zip(reaches).zip(bodies) {
        let acts = reach.is_tethered() && !is_held(*body) && is_held(at(bodies, reach.pin));
        (*pin, *bound) = if acts { (reach.pin * PLACE, reach.geodesic) } else { (own, f32::INFINITY) };
    }
}

/// Brings every tethered particle whose pin is held to within its way to it.
#[inline(never)]
pub(super) fn tethers(state: &mut State, pass: &Pass) {
    if !state.model.has_tethers() {
        return;
    }
    let fields = &mut state.fields;
    let Some(pins) = Groups::new(fields.pins, fields.bodies.len()) else { return };
    pass.level.run(Tethers {
        pins,
        bounds: fields.bounds,
        nodes: fields.nodes,
        turn: pass.input.constants.turn,
    });
}

struct Tethers<'a> {
    pins: Groups<'a, 1>,
    bounds: &'a [[f32; LANES]],
    nodes: &'a mut [Node],
    turn: f32,
}

impl Kernel for Tethers<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        if !self.pins.fit(self.nodes.len()) {
            return;
        }
        let zero = l.splat(0.0);
        for (([pin], bound), place) in self.pins.iter().zip(self.bounds).zip((0..).step_by(LANES)) {
            for l in l.parts() {
                let Some(own) = self.nodes.get(place..).and_then(|run| run.first_chunk::<LANES>()) else {
                    return;
                };
                let [x, y, z, w] = l.collect_records(|lane| &own[lane & 7][0]);
                let [px, py, pz, _] = pin.gather_nth(l, 0, self.nodes);
                let bound = l.load(bound);
                let now = difference::<L>([x, y, z], [px, py, pz]);
                let tight = (bound * bound).lt(dot::<L>(now, now));
                if !tight.any() {
                    continue;
                }
                let [u, v, t, _] = l.collect_records(|lane| &own[lane & 7][1]);
                let [pu, pv, pt, _] = pin.gather_nth(l, 1, self.nodes);
                let ends = Ends { now, before: difference::<L>([u, v, t], [pu, pv, pt]) };
                let pull = Pull::new(l, &ends, l.splat(1.0) / bound, self.turn);
                let moved = pull.moved(l, tight.select(pull.length - bound, zero), w);
                let [x, y, z] = minus::<L>([x, y, z], moved, w);
                let Some(own) = self.nodes.get_mut(place..).and_then(|run| run.first_chunk_mut::<LANES>())
                else {
                    return;
                };
                store_now(l, [x, y, z, w], own);
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
        origin: pass.origin,
        slack,
        share: done / real::from_count(pass.numbers.substeps),
    });
}

struct Leashes<'a> {
    reach: &'a [Reach],
    nodes: &'a mut [Node],
    targets: &'a [Record],
    ends: &'a [Record],
    origin: [f32; 3],
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
                let [x, y, z, w] = l.collect_records(|lane| &node[lane & 7][0]);
                let [tx, ty, tz, _] = l.load_records(target);
                let [ex, ey, ez, _] = l.load_records(end);
                let origin = [l.splat(self.origin[0]), l.splat(self.origin[1]), l.splat(self.origin[2])];
                let start = difference::<L>([tx, ty, tz], origin);
                let way = difference::<L>([ex, ey, ez], start);
                let target = plus::<L>(start, way, l.splat(self.share));
                let off = difference::<L>([x, y, z], target);
                let far = length(l, off);
                let tight = bound.lt(far) & zero.lt(w);
                let kept = plus::<L>(target, off, bound / far);
                let out = [tight.select(kept[0], x), tight.select(kept[1], y), tight.select(kept[2], z)];
                store_now(l, [out[0], out[1], out[2], w], node);
            }
        }
    }
}
