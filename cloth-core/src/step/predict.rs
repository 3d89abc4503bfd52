//! Where particles would be without rows: x = x₀ + h·(v + h·(g + push)), and held ones on their way.

use super::Pass;
use crate::Vec3;
use crate::math::real;
use crate::model::record::LANES;
use crate::row::pull::{difference, plus};
use crate::simd::{Floats as _, Kernel, Lanes, Mask as _};
use crate::state::State;
use crate::state::layout::Record;

/// Predicts, with `left` substeps to go, this one included.
///
/// A held particle goes in a straight line from where it is to where its target will be at the end of the step, so one
/// that was just taken from elsewhere arrives with the others; the last substep puts it there exactly.
#[inline(never)]
pub(super) fn predict(state: &mut State, pass: &Pass, left: u32) {
    let fields = &mut state.fields;
    pass.level.run(Predict {
        before: fields.before,
        velocities: bytemuck::cast_slice(fields.velocities),
        pushes: fields.pushes,
        ends: fields.ends,
        nodes: fields.nodes,
        gravity: pass.input.gravity,
        h: pass.numbers.h,
        left,
    });
}

struct Predict<'a> {
    before: &'a [Record],
    velocities: &'a [Record],
    pushes: &'a [Record],
    ends: &'a [Record],
    nodes: &'a mut [Record],
    gravity: Vec3,
    h: f32,
    left: u32,
}

impl Kernel for Predict<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let h = l.splat(self.h);
        let gravity = [l.splat(self.gravity.x), l.splat(self.gravity.y), l.splat(self.gravity.z)];
        let share = l.splat(1.0 / real::from_count(self.left));
        let last = self.left <= 1;
        let zero = l.splat(0.0);
        let before = self.before.as_chunks::<LANES>().0.iter().zip(self.velocities.as_chunks::<LANES>().0);
        let rest = self.pushes.as_chunks::<LANES>().0.iter().zip(self.ends.as_chunks::<LANES>().0);
        let nodes = self.nodes.as_chunks_mut::<LANES>().0.iter_mut();
        for (node, ((before, velocity), (push, end))) in nodes.zip(before.zip(rest)) {
            for l in l.parts() {
                let [x, y, z, w] = l.load_records(before);
                let [u, v, t, _] = l.load_records(velocity);
                let [px, py, pz, _] = l.load_records(push);
                let [ex, ey, ez, _] = l.load_records(end);
                let force = plus::<L>(gravity, [px, py, pz], l.splat(1.0));
                let free = plus::<L>([x, y, z], plus::<L>([u, v, t], force, h), h);
                let way = difference::<L>([ex, ey, ez], [x, y, z]);
                let held = if last { [ex, ey, ez] } else { plus::<L>([x, y, z], way, share) };
                let is_free = zero.lt(w);
                let out = [
                    is_free.select(free[0], held[0]),
                    is_free.select(free[1], held[1]),
                    is_free.select(free[2], held[2]),
                ];
                l.store_records([out[0], out[1], out[2], w], node);
            }
        }
    }
}
