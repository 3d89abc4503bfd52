//! Tethers to pins and leashes to targets: bounds on one particle, applied after the sweep and so kept to the digit.

#[cfg(feature = "team")]
mod apart;

use super::Pass;
use super::predict::store_now;
use crate::Vec3;
use crate::math::real;
use crate::model::Model;
use crate::model::record::LANES;
use crate::row::pull::{Ends, Pull, Vec3x8, difference, dot, length, only, plus, times};
use crate::row::tether::Reach;
use crate::simd::{Floats, Kernel, Lanes, Level, Mask as _};
use crate::state::State;
use crate::state::layout::{Node, Record};

/// Notes how long the tethers that act in this step are: those of free particles whose pin is held.
pub(super) fn begin(state: &mut State) {
    let model = state.model;
    if !model.has_tethers() {
        return;
    }
    let fields = &mut state.fields;
    Level::BASELINE.run(Begin { model: &model, nodes: fields.nodes, tethers: fields.tethers });
}

struct Begin<'a> {
    model: &'a Model<'a>,
    nodes: &'a [Node],
    tethers: &'a mut [[f32; LANES]],
}

impl Kernel for Begin<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let pins = self.model.tether_pins();
        if !pins.fit(self.nodes.len()) {
            return;
        }
        let zero = l.splat(0.0);
        let own = self.nodes.as_chunks::<LANES>().0.iter().zip(self.tethers);
        for (([pin], length), (own, tether)) in pins.iter().zip(self.model.tether_lengths()).zip(own) {
            for l in l.parts() {
                let free = zero.lt(l.collect(|lane| own[lane & 7][0][3]));
                let acts = free & pin.gather_word(l, [0, 3], self.nodes).le(zero);
                l.store(acts.select(l.load(length), l.splat(f32::INFINITY)), tether);
            }
        }
    }
}

/// Brings every tethered particle whose pin is held to within its way to it.
#[inline(never)]
pub(super) fn tethers(state: &mut State, pass: &Pass) {
    let model = state.model;
    if !model.has_tethers() {
        return;
    }
    let fields = &mut state.fields;
    let turn = pass.turn;
    #[cfg(feature = "team")]
    if let Some(share) = pass.share {
        return apart::tethers(fields, model.tether_pins(), share.plan.pins, pass);
    }
    pass.level.run(Tethers { model: &model, tethers: fields.tethers, nodes: fields.nodes, turn });
}

/// Which particles are further from their pins than tethers of length `bound` reach.
#[inline(always)]
fn beyond<L: Lanes>(ends: &Ends<L>, bound: L::F) -> <L::F as Floats>::Mask {
    (bound * bound).lt(dot::<L>(ends.now, ends.now))
}

/// What those particles, of inverse mass `w`, are moved by.
#[inline(always)]
fn brought_in<L: Lanes>(
    l: L,
    ends: &Ends<L>,
    bound: L::F,
    w: L::F,
    turn: f32,
    tight: <L::F as Floats>::Mask,
) -> Vec3x8<L> {
    let pull = Pull::new(l, ends, l.splat(1.0) / bound, turn);
    only::<L>(l, tight, times::<L>(pull.moved(l, bound - pull.length, w), w))
}

struct Tethers<'a> {
    model: &'a Model<'a>,
    tethers: &'a [[f32; LANES]],
    nodes: &'a mut [Node],
    turn: f32,
}

impl Kernel for Tethers<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let pins = self.model.tether_pins();
        if !pins.fit(self.nodes.len()) {
            return;
        }
        for (([pin], bound), group) in pins.iter().zip(self.tethers).zip(0..) {
            for l in l.looped_parts() {
                let Some(own) = self.nodes.as_chunks::<LANES>().0.get(group) else { return };
                let [now, before] = pin.differences_to(own, l, self.nodes);
                let (ends, bound) = (Ends { now, before }, l.load(bound));
                let tight = beyond::<L>(&ends, bound);
                if !tight.any() {
                    continue;
                }
                let w = l.collect(|lane| own[lane & 7][0][3]);
                let moved = brought_in(l, &ends, bound, w, self.turn, tight);
                let Some(own) = self.nodes.as_chunks_mut::<LANES>().0.get_mut(group) else { return };
                l.add_nth(0, moved, own);
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
        back: pass
            .frame
            .back
            .map(|back| [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| back.rotate(axis).to_array())),
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
    /// Where the unit vectors of the frame that targets were in point, if it turned.
    back: Option<[[f32; 3]; 3]>,
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
            for l in l.looped_parts() {
                let bound = l.load(&bound);
                let [x, y, z, w] = l.load_nth(0, node);
                let [mut tx, mut ty, mut tz, _] = l.load_records(target);
                if let Some([x, y, z]) = self.back {
                    let turned = times::<L>(x.map(|word| l.splat(word)), tx);
                    let turned = plus::<L>(turned, y.map(|word| l.splat(word)), ty);
                    [tx, ty, tz] = plus::<L>(turned, z.map(|word| l.splat(word)), tz);
                }
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
