//! The air past the particles: what it does and how much of it each faces, once a step ([`crate::air`]).
//!
//! What it does to their velocities is done in every substep, where they set out (`predict`).

use super::predict::load;
use super::{Pass, StepInput};
use crate::Vec3;
use crate::air::Air;
use crate::air::facing::Span;
use crate::hash::Hasher;
use crate::index::at;
use crate::model::Model;
use crate::model::record::LANES;
use crate::row::pull::{Vec3x8, cross, difference};
use crate::simd::{Cut, Floats as _, Kernel, Lanes, cut, cut_mut};
use crate::state::layout::{Breeze, Node, Vectors};
use crate::state::{State, low_high};

/// Fastest air past the frame of a step along an axis (m/s): the anchor's own speed, which has no limit of its own, is in it.
const FASTEST: f32 = 1.0e9;

/// Whether a step knows of any air.
pub(super) fn blows(input: &StepInput) -> bool {
    input.air != Air::None && input.dynamics.drag > 0.0
}

/// The share of its gap to the air that what faces it closes in a substep; `None` without air.
pub(super) fn closed(pass: &Pass) -> Option<f32> {
    pass.blown.then(|| pass.input.dynamics.closed(pass.numbers.h))
}

/// Notes the air past every particle, and how much of it faces it.
#[inline(never)]
pub(super) fn begin(state: &mut State, pass: &Pass) {
    if !pass.blown {
        return;
    }
    let model = state.model;
    let breezes = &mut *state.fields.breezes;
    let mut wind = Vec3::ZERO;
    match pass.input.air {
        Air::None => {}
        Air::Uniform(velocity) => wind = velocity,
        Air::Each(velocities) => {
            let mut of = model.source_of().iter();
            for [x, y, z, _] in breezes.iter_mut() {
                for ((x, y), z) in x.iter_mut().zip(y).zip(z) {
                    [*x, *y, *z] = of.next().map_or([0.0; 3], |vertex| at(velocities, *vertex));
                }
            }
        }
    }
    let past = pass.frame.past;
    pass.run(Faces {
        model: &model,
        first: 0,
        nodes: state.fields.nodes,
        motion: state.fields.motion,
        breezes: state.fields.breezes,
        uniform: matches!(pass.input.air, Air::Uniform(_)),
        wind: wind - past.linear,
        angular: past.angular,
        origin: Vec3::from_array(pass.origin),
    });
}

struct Faces<'a> {
    model: &'a Model<'a>,
    /// The first of the groups of particles.
    first: usize,
    nodes: &'a [Node],
    motion: &'a [Vectors],
    breezes: &'a mut [Breeze],
    /// Whether there is nothing in the breezes yet.
    uniform: bool,
    /// What goes past all of them (m/s).
    wind: Vec3,
    /// How the frame turns in the air (rad/s).
    angular: Vec3,
    /// What positions are relative to (m).
    origin: Vec3,
}

impl Kernel for Faces<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let ends = self.model.link_ends();
        if !ends.fit(self.nodes.len()) {
            return;
        }
        let is_surface = self.model.is_surface();
        let turns = self.angular != Vec3::ZERO;
        let starts = self.model.link_starts().get(self.first..).unwrap_or(&[]).windows(2);
        let nodes = self.nodes.as_chunks::<LANES>().0.get(self.first..).unwrap_or(&[]);
        let rest = self.motion.iter().zip(self.breezes);
        for ((starts, nodes), (motion, breeze)) in starts.zip(nodes).zip(rest) {
            let [start, end] = starts else { continue };
            let neighbours = ends.range(*start as usize, *end as usize);
            for l in l.parts() {
                let [x, y, z, _] = l.load_nth(0, nodes);
                let mut wind = splat(l, self.wind);
                if !self.uniform {
                    let [u, v, t, _] = &*breeze;
                    wind = [wind[0] + l.load(u), wind[1] + l.load(v), wind[2] + l.load(t)];
                }
                if turns {
                    let [a, b, c] = splat(l, self.origin);
                    let carried = cross::<L>(splat(l, self.angular), [x + a, y + b, z + c]);
                    wind = difference::<L>(wind, carried);
                }
                let (low, high) = (l.splat(-FASTEST), l.splat(FASTEST));
                let wind = [wind[0].clamp(low, high), wind[1].clamp(low, high), wind[2].clamp(low, high)];
                let mut span = Span::none(l);
                for [other] in neighbours.iter() {
                    let [u, v, t, _] = other.gather_nth(l, 0, self.nodes);
                    span = span.with(l, difference::<L>([u, v, t], [x, y, z]));
                }
                let flow = difference::<L>(wind, load(l, motion));
                let [u, v, t, facing] = &mut *breeze;
                l.store(wind[0], u);
                l.store(wind[1], v);
                l.store(wind[2], t);
                l.store(span.facing(l, flow, is_surface), facing);
            }
        }
    }
}

#[inline(always)]
fn splat<L: Lanes>(l: L, v: Vec3) -> Vec3x8<L> {
    [l.splat(v.x), l.splat(v.y), l.splat(v.z)]
}

impl Cut for Faces<'_> {
    fn groups(&self) -> usize {
        self.motion.len()
    }

    fn cut(self, at: usize) -> (Self, Self) {
        let (motion, other_motion) = cut(self.motion, at);
        let (breezes, other_breezes) = cut_mut(self.breezes, at);
        (
            Self { motion, breezes, ..self },
            Self { motion: other_motion, breezes: other_breezes, first: self.first + at, ..self },
        )
    }
}

/// A hash of the air as the cloth meets it.
fn hash(pass: &Pass) -> u64 {
    let mut hasher = Hasher::new();
    let mut vector = |v: Vec3| v.to_array().into_iter().for_each(|component| hasher.float(component));
    let past = pass.frame.past;
    vector(past.angular);
    match pass.input.air {
        Air::None => {}
        Air::Uniform(velocity) => vector(velocity - past.linear),
        Air::Each(velocities) => {
            vector(past.linear);
            for velocity in velocities.as_flattened() {
                hasher.float(*velocity);
            }
        }
    }
    hasher.finish().0
}

/// Adds the air to a hash of what a cloth sleeps by. Without air that stays the hash it is.
pub(super) fn add_to(hasher: &mut Hasher, pass: &Pass) {
    if pass.blown {
        for word in low_high(hash(pass)) {
            hasher.word(word);
        }
    }
}

/// Whether the air is another than it was in the last step of a cloth that is awake, which is noted with what it sleeps by.
pub(super) fn turns(state: &mut State, pass: &Pass) -> bool {
    if !pass.blown {
        return false;
    }
    let now = low_high(hash(pass));
    let header = &mut state.fields.header;
    core::mem::replace(&mut header.world, now) != now
}
