//! Where particles are bound: straight on at first, with the forces known in advance then, without rows.

use super::{Pass, air};
use crate::Vec3;
use crate::math::real;
use crate::model::record::LANES;
use crate::row::pull::{Vec3x8, difference, plus};
use crate::simd::{Cut, Floats as _, Kernel, Lanes, Mask as _, cut, cut_mut};
use crate::state::State;
use crate::state::layout::{Breeze, Node, Record, Vectors};

/// What is asked of a particle once its velocity is known.
#[derive(Clone, Copy)]
pub(super) enum Course {
    /// Nothing: the step is over.
    End,
    /// Where it will be after this time straight on (s), for the pushes there.
    Ahead(f32),
    /// Where it would be after the next substep without rows.
    Predict(Fall),
    /// The same for a velocity v + closed·facing·(u − v), with the air's velocity u.
    Blown {
        fall: Fall,
        /// The share of its gap to the air that what faces it closes (1).
        closed: f32,
    },
}

/// What is known of a substep in advance: x = x₀ + h·(v + h·(g + push)).
///
/// A held particle goes in a straight line from where it is to where its target will be at the end of the step, so one
/// that was just taken from elsewhere arrives with the others; the last substep puts it there exactly.
#[derive(Clone, Copy)]
pub(super) struct Fall {
    /// Gravity (m/s²).
    gravity: Vec3,
    /// Length of a substep (s).
    h: f32,
    /// Substeps to go, the next one included.
    left: u32,
}

impl Course {
    /// The prediction with `left` substeps to go, the next one included.
    pub(super) fn predict(pass: &Pass, left: u32) -> Self {
        let fall = Fall { gravity: pass.input.gravity, h: pass.numbers.h, left };
        air::closed(pass).map_or(Self::Predict(fall), |closed| Self::Blown { fall, closed })
    }
}

/// Does what `course` asks of all particles, from the positions that are noted as those they set out from and the velocities
/// they have, turned by lift (see [`air::turned`]) where there is any.
#[inline(never)]
pub(super) fn set_out(state: &mut State, pass: &Pass, course: Course, aside: f32) {
    let fields = &mut state.fields;
    pass.run(SetOut {
        nodes: fields.nodes,
        motion: fields.motion,
        ahead: fields.ahead,
        pushes: fields.pushes,
        ends: fields.ends,
        breezes: fields.breezes,
        course,
        aside,
    });
}

struct SetOut<'a> {
    nodes: &'a mut [Node],
    motion: &'a [Vectors],
    ahead: &'a mut [Record],
    pushes: &'a [Vectors],
    ends: &'a [Record],
    breezes: &'a [Breeze],
    course: Course,
    aside: f32,
}

impl Kernel for SetOut<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let nodes = self.nodes.as_chunks_mut::<LANES>().0.iter_mut().zip(self.motion);
        let ahead = self.ahead.as_chunks_mut::<LANES>().0.iter_mut();
        let rest = self.pushes.iter().zip(self.ends.as_chunks::<LANES>().0).zip(self.breezes);
        for (((nodes, motion), ahead), ((pushes, ends), breeze)) in nodes.zip(ahead).zip(rest) {
            for l in l.looped_parts() {
                let [x, y, z, w] = l.load_nth(1, nodes);
                let mut v = load(l, motion);
                if self.aside > 0.0 {
                    v = air::turned(l, breeze, v, self.aside);
                }
                let to = Way { nodes: &mut *nodes, ahead: &mut *ahead, pushes, ends, breeze, notes: false };
                to.go(l, self.course, [x, y, z], w, v);
            }
        }
    }
}

impl Cut for SetOut<'_> {
    fn groups(&self) -> usize {
        self.motion.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (nodes, other_nodes) = cut_mut(self.nodes, at * LANES);
        let (motion, other_motion) = cut(self.motion, at);
        let (ahead, other_ahead) = cut_mut(self.ahead, at * LANES);
        let ((pushes, other_pushes), (ends, other_ends)) = (cut(self.pushes, at), cut(self.ends, at * LANES));
        let (breezes, other_breezes) = cut(self.breezes, at);
        (
            Self { nodes, motion, ahead, pushes, ends, breezes, ..self },
            Self {
                nodes: other_nodes,
                motion: other_motion,
                ahead: other_ahead,
                pushes: other_pushes,
                ends: other_ends,
                breezes: other_breezes,
                ..self
            },
        )
    }
}

/// What eight particles that set out read and write.
pub(super) struct Way<'a> {
    pub nodes: &'a mut [Node; LANES],
    pub ahead: &'a mut [Record; LANES],
    pub pushes: &'a Vectors,
    pub ends: &'a [Record; LANES],
    pub breeze: &'a Breeze,
    /// Whether where they set out from is not noted yet.
    pub notes: bool,
}

impl Way<'_> {
    /// Sets out from `x` with velocity `v` and inverse mass `w`, and notes where from.
    #[inline(always)]
    pub(super) fn go<L: Lanes>(self, l: L, course: Course, x: Vec3x8<L>, w: L::F, v: Vec3x8<L>) {
        let mut now = x;
        match course {
            Course::End => {}
            Course::Ahead(time) => {
                let [a, b, c] = plus::<L>(x, v, l.splat(time));
                l.store_records([a, b, c, w], self.ahead);
            }
            Course::Predict(fall) => now = self.fall(l, fall, x, w, v),
            Course::Blown { fall, closed } => {
                let [a, b, c, facing, ..] = self.breeze;
                let gap = difference::<L>([l.load(a), l.load(b), l.load(c)], v);
                let blown = plus::<L>(v, gap, l.load(facing) * l.splat(closed));
                now = self.fall(l, fall, x, w, blown);
            }
        }
        // Whoever looks ahead sets out once more before anybody asks where he is.
        if !matches!(course, Course::Ahead(_)) {
            store_now(l, [now[0], now[1], now[2], w], self.nodes);
        }
        if self.notes {
            store_before(l, [x[0], x[1], x[2], w], self.nodes);
        }
    }

    /// Where it gets from `x` with velocity `v`.
    #[inline(always)]
    fn fall<L: Lanes>(&self, l: L, fall: Fall, x: Vec3x8<L>, w: L::F, v: Vec3x8<L>) -> Vec3x8<L> {
        let Fall { gravity, h, left } = fall;
        let (zero, h) = (l.splat(0.0), l.splat(h));
        let push = load(l, self.pushes);
        let force =
            [push[0] + l.splat(gravity.x), push[1] + l.splat(gravity.y), push[2] + l.splat(gravity.z)];
        let now = plus::<L>(x, plus::<L>(v, force, h), h);
        let held = w.le(zero);
        if !held.any() {
            return now;
        }
        let [ex, ey, ez, _] = l.load_records(self.ends);
        let end = [ex, ey, ez];
        let share = l.splat(1.0 / real::from_count(left));
        let on = if left <= 1 { end } else { plus::<L>(x, difference::<L>(end, x), share) };
        [held.select(on[0], now[0]), held.select(on[1], now[1]), held.select(on[2], now[2])]
    }
}

/// Puts nodes at the positions and inverse masses `words`.
#[inline(always)]
pub(super) fn store_now<L: Lanes>(l: L, words: [L::F; 4], nodes: &mut [Node; LANES]) {
    l.store_nth(0, words, nodes);
}

/// Notes where nodes are when a substep begins.
#[inline(always)]
pub(super) fn store_before<L: Lanes>(l: L, words: [L::F; 4], nodes: &mut [Node; LANES]) {
    l.store_nth(1, words, nodes);
}

/// The vectors of the particles at hand.
#[inline(always)]
pub(super) fn load<L: Lanes>(l: L, from: &Vectors) -> Vec3x8<L> {
    [l.load(&from[0]), l.load(&from[1]), l.load(&from[2])]
}

/// The inverse of [`load`].
#[inline(always)]
pub(super) fn store<L: Lanes>(l: L, lanes: Vec3x8<L>, to: &mut Vectors) {
    let [x, y, z] = lanes;
    l.store(x, &mut to[0]);
    l.store(y, &mut to[1]);
    l.store(z, &mut to[2]);
}
