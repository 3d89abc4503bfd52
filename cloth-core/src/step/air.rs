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
use crate::row::pull::{Vec3x8, cross, difference, dot, plus};
use crate::simd::{Cut, Floats as _, Kernel, Lanes, cut, cut_mut};
use crate::state::layout::{Breeze, Node, Vectors};
use crate::state::{State, low_high};

/// Fastest air past the frame of a step along an axis (m/s): the anchor's own speed, which has no limit of its own, is in it.
const FASTEST: f32 = 1.0e9;

/// Least square of a speed past a particle that has a direction (m²/s²).
const TINY: f32 = 1.0e-24;

/// Whether a step knows of any air.
pub(super) fn blows(input: &StepInput) -> bool {
    input.air != Air::None && input.dynamics.drag > 0.0
}

/// What the air does in a substep.
#[derive(Clone, Copy)]
pub(super) struct Blow {
    /// The share of its gap to the air that what faces it closes (1).
    closed: f32,
    /// That times the dial of lift.
    aside: f32,
}

impl Blow {
    /// What it does in the substeps of a pass; `None` without air.
    pub(super) fn of(pass: &Pass) -> Option<Self> {
        if !pass.blown {
            return None;
        }
        let closed = pass.input.dynamics.closed(pass.numbers.h);
        Some(Self { closed, aside: closed * pass.input.dynamics.lift })
    }

    /// The velocity that eight particles with velocity v set out with.
    ///
    /// Lift turns w = u − v by the angle whose half has the tangent √y, y = ¼·aside²·p·(m² − p), with m = √s·n and
    /// p = (ŵ·m)²: (w·(1 − y) − aside·(m·(w·m) − p·w))/(1 + y) is as long as w whatever n is. Drag leaves 1 − closed·facing of that.
    #[inline(always)]
    pub(super) fn onto<L: Lanes>(self, l: L, breeze: &Breeze, v: Vec3x8<L>) -> Vec3x8<L> {
        let [a, b, c, facing, x, y, z, square] = breeze;
        let gap = difference::<L>([l.load(a), l.load(b), l.load(c)], v);
        let drawn = l.load(facing) * l.splat(self.closed);
        // Read with the particles and not from the settings: for those the compiler writes the loop around it twice.
        if square[0] <= 0.0 {
            return plus::<L>(v, gap, drawn);
        }
        let one = l.splat(1.0);
        let normal = [l.load(x), l.load(y), l.load(z)];
        let through = dot::<L>(gap, normal);
        let part = through * (through / dot::<L>(gap, gap).max(l.splat(TINY)));
        let turn = part * (l.load(square) - part) * l.splat(0.25 * self.aside * self.aside);
        let share = one / (one + turn);
        let aside = (one - drawn) * share * l.splat(self.aside);
        let along = (drawn * (one - turn) + turn + turn) * share - aside * part;
        plus::<L>(plus::<L>(v, gap, along), normal, aside * through)
    }
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
            if let Some(last) = breezes.last_mut() {
                // Behind the last particle there is none.
                *last = Breeze::default();
            }
            let of = model.source_of().chunks(LANES);
            for ([x, y, z, ..], vertices) in breezes.iter_mut().zip(of) {
                for (((x, y), z), vertex) in x.iter_mut().zip(y).zip(z).zip(vertices) {
                    [*x, *y, *z] = at(velocities, *vertex);
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
        lifts: pass.input.dynamics.lift > 0.0 && model.is_surface(),
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
    /// Whether there is lift: a line has no side that air could push it to.
    lifts: bool,
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
                    let [u, v, t, ..] = &*breeze;
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
                let [u, v, t, facing, x, y, z, rest] = &mut *breeze;
                l.store(wind[0], u);
                l.store(wind[1], v);
                l.store(wind[2], t);
                l.store(span.facing(l, flow, is_surface), facing);
                let mut square = l.splat(0.0);
                if self.lifts {
                    let normal = span.normal(l);
                    let [a, b, c] = normal;
                    l.store(a, x);
                    l.store(b, y);
                    l.store(c, z);
                    square = dot::<L>(normal, normal).max(l.splat(TINY));
                }
                l.store(square, rest);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::real;
    use crate::simd::Level;

    /// The velocities eight particles set out with.
    struct Onto<'a>(Blow, &'a Breeze, [[f32; 8]; 3]);

    impl Kernel for Onto<'_> {
        type Output = [[f32; 8]; 3];
        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> [[f32; 8]; 3] {
            let mut found = [[0.0; 8]; 3];
            for l in l.parts() {
                let v = self.0.onto(l, self.1, load(l, &self.2));
                crate::step::predict::store(l, v, &mut found);
            }
            found
        }
    }

    /// From −1 to 1, by Knuth's multiplicative generator.
    fn random(state: &mut u32) -> f32 {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        real::from_count(*state >> 8) / 8_388_608.0 - 1.0
    }

    fn lane(of: &[[f32; 8]], lane: usize) -> [f64; 3] {
        core::array::from_fn(|axis| f64::from(of[axis][lane]))
    }

    fn dot3(a: [f64; 3], b: [f64; 3]) -> f64 {
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    }

    #[test]
    fn lift_turns_the_flow_and_takes_nothing_of_it_at_any_normal() {
        let mut seed = 7;
        let mut turned = 0.0_f64;
        for round in 0..2000 {
            let mut breeze = Breeze::default();
            let mut v = [[0.0; 8]; 3];
            let speed = [1e-3, 1.0, 30.0, 1e6][round & 3];
            for i in 0..8 {
                for axis in 0..3 {
                    breeze[axis][i] = random(&mut seed) * speed;
                    v[axis][i] = random(&mut seed) * speed;
                    breeze[4 + axis][i] = random(&mut seed) * 0.577;
                }
                breeze[3][i] = real::abs(random(&mut seed));
                let m = lane(&breeze[4..7], i);
                breeze[7][i] = real::max(dot3(m, m) as f32, TINY);
            }
            let closed = real::abs(random(&mut seed)).min(0.999);
            let lift = real::abs(random(&mut seed));
            let blow = Blow { closed, aside: closed * lift };
            let found = Level::detect().run(Onto(blow, &breeze, v));
            assert_eq!(found, Level::SCALAR.run(Onto(blow, &breeze, v)));
            for i in 0..8 {
                let (u, before, after) = (lane(&breeze, i), lane(&v, i), lane(&found, i));
                let m = lane(&breeze[4..7], i);
                let gap = |v: [f64; 3]| [u[0] - v[0], u[1] - v[1], u[2] - v[2]];
                let (w, left) = (gap(before), gap(after));
                let (square, rest) = (dot3(w, w), dot3(left, left));
                let kept = 1.0 - f64::from(closed) * f64::from(breeze[3][i]);
                // As long as drag leaves it, up to rounding of velocities.
                let off = (rest.sqrt() - kept * square.sqrt()).abs();
                let digits = 4e-7 * (dot3(u, u).sqrt() + dot3(before, before).sqrt());
                assert!(off <= digits, "{off:e} m/s at {}", square.sqrt());
                // It goes where the normal is, to the first order by aside·(m·(w·m) − p·w).
                let p = dot3(w, m).powi(2) / square;
                let lifted = f64::from(blow.aside) * dot3(w, m) * (dot3(m, m) - p);
                let towards = dot3(w, m) - dot3(left, m) / kept;
                let first = 0.6 * lifted.abs() + digits / kept;
                assert!((towards - lifted).abs() <= first, "{towards:e} is not {lifted:e}");
                turned = turned.max(1.0 - dot3(w, left) / (square * rest).sqrt());
            }
        }
        assert!(turned > 0.02, "turned by {turned}");
    }

    #[test]
    fn without_lift_drag_is_what_it_was() {
        let mut breeze = Breeze::default();
        breeze[0] = [3.0; 8];
        breeze[3] = [0.7; 8];
        let v = [[0.1; 8], [0.2; 8], [-0.3; 8]];
        let drag = |v: f32, u: f32| v + (u - v) * (0.7 * 0.2);
        let blow = Blow { closed: 0.2, aside: 0.0 };
        let found = Level::SCALAR.run(Onto(blow, &breeze, v));
        assert_eq!(found.map(|axis| axis[5]), [drag(0.1, 3.0), drag(0.2, 0.0), drag(-0.3, 0.0)]);
    }
}
