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
use crate::math::real;
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

/// The share of its gap to the air that what faces it closes in a substep; `None` without air.
pub(super) fn closed(pass: &Pass) -> Option<f32> {
    pass.blown.then(|| pass.input.dynamics.closed(pass.numbers.h))
}

/// What lift does until it is asked again, after so many substeps: the share of its gap to the air that what faces that
/// closes meanwhile, times the dial. Like bend and tension it is held for as long, which halves what it costs.
pub(super) fn aside(pass: &Pass, substeps: u32) -> f32 {
    let dynamics = pass.input.dynamics;
    if !lifts(pass) {
        return 0.0;
    }
    dynamics.lift * dynamics.closed(pass.numbers.h * real::from_count(substeps))
}

/// Whether there is lift.
fn lifts(pass: &Pass) -> bool {
    pass.blown && pass.input.dynamics.lift > 0.0
}

/// The velocities that lift leaves of velocities v.
///
/// It turns w = u − v by the angle whose half has the tangent √y, y = ¼·aside²·p·(m² − p), with m = √s·n and p = (ŵ·m)²:
/// (w·(1 − y) − aside·(m·(w·m) − p·w))/(1 + y) is as long as w whatever m is.
#[inline(always)]
pub(super) fn turned<L: Lanes>(l: L, breeze: &Breeze, v: Vec3x8<L>, aside: f32) -> Vec3x8<L> {
    let [a, b, c, _, x, y, z, square] = breeze;
    // Read with the particles and not from the pass: for what that says the compiler writes the loop around it twice.
    if square[0] <= 0.0 {
        return v;
    }
    let gap = difference::<L>([l.load(a), l.load(b), l.load(c)], v);
    let normal = [l.load(x), l.load(y), l.load(z)];
    let through = dot::<L>(gap, normal);
    let part = through * (through / dot::<L>(gap, gap).max(l.splat(TINY)));
    let half = part * (l.load(square) - part) * l.splat(0.25 * aside * aside);
    let share = l.splat(1.0) / (half + l.splat(1.0));
    let aside = share * l.splat(aside);
    let along = (half + half) * share - aside * part;
    plus::<L>(plus::<L>(v, gap, along), normal, aside * through)
}

/// Notes the air past every particle, and how much of it faces it.
#[inline(never)]
pub(super) fn begin(state: &mut State, pass: &Pass) {
    if !pass.blown {
        return;
    }
    let model = state.model;
    let (wind, velocities): (Vec3, &[[f32; 3]]) = match pass.input.air {
        Air::None => (Vec3::ZERO, &[]),
        Air::Uniform(velocity) => (velocity, &[]),
        Air::Each(velocities) => (Vec3::ZERO, velocities),
    };
    let past = pass.frame.past;
    pass.run(Faces {
        model: &model,
        first: 0,
        nodes: state.fields.nodes,
        motion: state.fields.motion,
        breezes: state.fields.breezes,
        velocities,
        lifts: lifts(pass) && model.is_surface(),
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
    /// What the air does at each source vertex (m/s); none where it does the same everywhere.
    velocities: &'a [[f32; 3]],
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
        let mut vertices = self.model.source_of().get(self.first * LANES..).unwrap_or(&[]);
        for ((starts, nodes), (motion, breeze)) in starts.zip(nodes).zip(rest) {
            let [start, end] = starts else { continue };
            let neighbours = ends.range(*start as usize, *end as usize);
            let here;
            (here, vertices) = cut(vertices, LANES);
            let there =
                if self.velocities.is_empty() { Vectors::default() } else { told(self.velocities, here) };
            for l in l.parts() {
                let [x, y, z, _] = l.load_nth(0, nodes);
                let mut wind = splat(l, self.wind);
                if !self.velocities.is_empty() {
                    let [u, v, t] = &there;
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

/// The air at the vertices of eight particles (m/s): one function for all levels.
#[inline(never)]
fn told(velocities: &[[f32; 3]], vertices: &[u32]) -> Vectors {
    let mut found = Vectors::default();
    let [u, v, t] = &mut found;
    for (lane, vertex) in (0_usize..).zip(vertices) {
        [u[lane & 7], v[lane & 7], t[lane & 7]] = at(velocities, *vertex);
    }
    found
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
    use crate::simd::Level;

    /// The velocities eight particles set out with.
    struct Turned<'a>(f32, &'a Breeze, [[f32; 8]; 3]);

    impl Kernel for Turned<'_> {
        type Output = [[f32; 8]; 3];
        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> [[f32; 8]; 3] {
            let mut found = [[0.0; 8]; 3];
            for l in l.parts() {
                let v = turned(l, self.1, load(l, &self.2), self.0);
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
                let m = [breeze[4][i], breeze[5][i], breeze[6][i]];
                breeze[7][i] = real::max(m.iter().map(|x| x * x).sum(), TINY);
            }
            let aside = real::abs(random(&mut seed));
            let found = Level::detect().run(Turned(aside, &breeze, v));
            assert_eq!(found, Level::SCALAR.run(Turned(aside, &breeze, v)));
            for i in 0..8 {
                let (u, before, after) = (lane(&breeze, i), lane(&v, i), lane(&found, i));
                let m = lane(&breeze[4..7], i);
                let gap = |v: [f64; 3]| [u[0] - v[0], u[1] - v[1], u[2] - v[2]];
                let (w, left) = (gap(before), gap(after));
                let (square, rest) = (dot3(w, w), dot3(left, left));
                // As long as before, up to rounding of velocities.
                let off = (rest.sqrt() - square.sqrt()).abs();
                let digits = 4e-7 * (dot3(u, u).sqrt() + dot3(before, before).sqrt());
                assert!(off <= digits, "{off:e} m/s at {}", square.sqrt());
                // It goes where the normal is, to the first order by aside·(m·(w·m) − p·w).
                let p = dot3(w, m).powi(2) / square;
                let lifted = f64::from(aside) * dot3(w, m) * (dot3(m, m) - p);
                let towards = dot3(w, m) - dot3(left, m);
                let first = 0.6 * lifted.abs() + digits;
                assert!((towards - lifted).abs() <= first, "{towards:e} is not {lifted:e}");
                turned = turned.max(1.0 - dot3(w, left) / (square * rest).sqrt());
            }
        }
        assert!(turned > 0.02, "turned by {turned}");
    }
}
