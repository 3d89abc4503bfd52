//! How many substeps a step takes: the fabric's, or more where those cannot follow what is going on.
//!
//! A sweep carries a motion little further than a row, and a row is solved along the direction it had when the substep began.
//! So no collider may go much further past the cloth than a part of a row in a substep. A cloth that was **struck** by one that
//! substeps of the fabric's own cannot follow is watched until it has calmed down: it may have been torn into a whip, and what its
//! particles do by themselves counts too – in full where rows turn and stretch faster than substeps resolve (`Rate`), in part
//! where they do not.
//!
//! Cloth that nothing strikes takes the fabric's own, however it moves: its leapfrog has an energy to keep, which changing
//! substeps would change. None of this asks whether there are colliders elsewhere: those out of reach change nothing.

use super::predict::{load, store_now};
use super::world::World;
use super::{Pass, velocity};
use crate::Vec3;
use crate::math::{real, sqrt, sum};
use crate::model::Model;
use crate::model::record::LANES;
use crate::row::pull::{difference, dot, plus};
use crate::simd::{Floats as _, Kernel, Lanes, Level, Mask as _};
use crate::state::State;
use crate::state::layout::{Node, Record, StateHeader, Vectors};

/// Part of the cloth's longest row that a collider may get past it in a substep (1).
const PASSING: f32 = 0.09;

/// Weight of what particles of a struck cloth do by themselves while a collider gets past it (1).
const DRAGGED: f32 = 0.5;

/// The same when none does (1).
const LOOSE: f32 = 0.2;

/// Root mean square of what rows turn and stretch in one of the fabric's substeps, in their lengths, from which on it counts
/// in full (1).
const VIOLENT: f32 = 0.04;

/// The same at which a struck cloth has calmed down (1).
const CALM: f32 = 0.02;

/// How many times what substeps can follow the cloth has to do before a step that is under way takes twice as many (1).
const OUTRUN: f32 = 1.5;

/// How many substeps a step sets out with, no more than `StepInput::most_substeps` and no fewer than the fabric's.
pub(super) fn substeps(state: &mut State, pass: &Pass, world: &World) -> u32 {
    let least = pass.input.dynamics.substeps;
    if least >= pass.input.most_substeps {
        return least;
    }
    if world.strikes {
        state.fields.header.set(StateHeader::STRUCK, true);
    } else if is_struck(state) && rate(state, pass, least) <= CALM {
        state.fields.header.set(StateHeader::STRUCK, false);
    }
    let own = if is_struck(state) { own_way(state, pass, world, least, follows(state, least)) } else { 0.0 };
    let way = real::max(world.passing, own);
    let mut needed = least;
    while needed < pass.input.most_substeps && way > follows(state, needed) {
        needed += 1;
    }
    needed
}

/// Whether the rest of the step has to be taken in twice as many substeps, `left` being to go: a whip gathers its speed within
/// a step.
pub(super) fn doubles(state: &mut State, pass: &Pass, world: &World, left: u32) -> bool {
    let substeps = pass.numbers.substeps;
    if !is_struck(state) || 2 * substeps > pass.input.most_substeps {
        return false;
    }
    let followed = OUTRUN * follows(state, substeps);
    own_way(state, pass, world, left, followed) > followed
}

fn is_struck(state: &State) -> bool {
    state.fields.header.flags & StateHeader::STRUCK != 0
}

/// How far particles get past the rest of the cloth in a step (m), as far as it counts, with `left` substeps to go; 0 where it is
/// no more than is `followed` anyway.
fn own_way(state: &mut State, pass: &Pass, world: &World, left: u32, followed: f32) -> f32 {
    let mean = mean(state);
    let way = fastest(state, pass, mean) * pass.input.dt;
    if way <= followed {
        return 0.0;
    }
    let weight = if rate(state, pass, left) > VIOLENT {
        1.0
    } else if world.passing > 0.0 {
        DRAGGED
    } else {
        LOOSE
    };
    weight * way
}

/// How far a collider may get past the cloth in a step of so many substeps (m).
pub(super) fn follows(state: &State, substeps: u32) -> f32 {
    PASSING * state.model.longest_row() * real::from_count(substeps)
}

/// Numbers of the lanes of a group, and how many there are.
const NUMBERS: [f32; LANES] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
const LANE_COUNT: f32 = LANES as f32;

/// Mean velocity of the particles (m/s).
pub(super) fn mean(state: &State) -> Vec3 {
    let mut sum = [[0.0; LANES]; 3];
    for motion in state.fields.motion.iter() {
        for (sum, component) in sum.iter_mut().zip(motion) {
            for (sum, v) in sum.iter_mut().zip(component) {
                *sum += v;
            }
        }
    }
    Vec3::from_array(sum.map(sum::sum)) / real::from_count(state.model.particle_count())
}

/// Largest speed of a particle past a velocity `mean` (m/s).
// Not inlined: asked for in three places, at every level.
#[inline(never)]
pub(super) fn fastest(state: &State, pass: &Pass, mean: Vec3) -> f32 {
    let particles = state.model.particle_count();
    sqrt(pass.level.run(Fastest { motion: state.fields.motion, particles, mean }))
}

/// The square of [`fastest`] (m²/s²).
struct Fastest<'a> {
    motion: &'a [Vectors],
    /// How many of them are particles.
    particles: u32,
    mean: Vec3,
}

impl Kernel for Fastest<'_> {
    type Output = f32;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> f32 {
        let mut fastest = [0.0; LANES];
        for l in l.parts() {
            let mean = [l.splat(self.mean.x), l.splat(self.mean.y), l.splat(self.mean.z)];
            let lane = l.load(&NUMBERS);
            let mut most = l.splat(0.0);
            let mut left = real::from_count(self.particles);
            for motion in self.motion {
                let v = difference::<L>(load(l, motion), mean);
                // What is behind the last particle does not move, however fast the others do.
                most = lane.lt(l.splat(left)).keep(dot::<L>(v, v)).max(most);
                left -= LANE_COUNT;
            }
            l.store(most, &mut fastest);
        }
        velocity::largest(fastest)
    }
}

/// Root mean square of what rows turn and stretch in one of the fabric's substeps, in their lengths (1), were free particles to
/// go straight on and held ones on to their targets, with `left` substeps to go.
#[inline(never)]
fn rate(state: &mut State, pass: &Pass, left: u32) -> f32 {
    let model = state.model;
    let rows = model.header().stretch;
    if rows == 0 {
        return 0.0;
    }
    let fields = &mut state.fields;
    let h = pass.input.dt / real::from_count(pass.input.dynamics.substeps);
    let share = h / (pass.numbers.h * real::from_count(left));
    Level::BASELINE.run(Straight { nodes: fields.nodes, motion: fields.motion, ends: fields.ends, h, share });
    let square = Level::BASELINE.run(Rate { model: &model, nodes: fields.nodes });
    sqrt(square / real::from_count(rows))
}

/// Puts particles where they would be after a substep without rows and forces. Whoever sets out does so once more later.
struct Straight<'a> {
    nodes: &'a mut [Node],
    motion: &'a [Vectors],
    ends: &'a [Record],
    h: f32,
    /// Part of the way to its target that a held particle goes meanwhile (1).
    share: f32,
}

impl Kernel for Straight<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let groups = self.nodes.as_chunks_mut::<LANES>().0.iter_mut().zip(self.motion);
        for ((nodes, motion), ends) in groups.zip(self.ends.as_chunks::<LANES>().0) {
            for l in l.parts() {
                let [x, y, z, w] = l.load_nth(1, nodes);
                let free = plus::<L>([x, y, z], load(l, motion), l.splat(self.h));
                let [u, v, t, _] = l.load_records(ends);
                let way = difference::<L>([u, v, t], [x, y, z]);
                let held = plus::<L>([x, y, z], way, l.splat(self.share));
                let is_held = w.le(l.splat(0.0));
                let [a, b, c] = held;
                let [x, y, z] = free;
                store_now(l, [is_held.select(a, x), is_held.select(b, y), is_held.select(c, z), w], nodes);
            }
        }
    }
}

/// Sum of the squares of what rows turn and stretch, in their lengths (1).
struct Rate<'a> {
    model: &'a Model<'a>,
    nodes: &'a [Node],
}

impl Kernel for Rate<'_> {
    type Output = f32;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> f32 {
        let zero = l.splat(0.0);
        let ends = self.model.stretch_ends();
        if !ends.fit(self.nodes.len()) {
            return 0.0;
        }
        let mut sums = [0.0; LANES];
        for l in l.parts() {
            let mut sum = zero;
            for ([a, b], row) in ends.iter().zip(self.model.stretch_groups()) {
                let [now, before] = a.differences(b, l, self.nodes);
                let turned = difference::<L>(now, before);
                let per_rest = l.load(&row.inverse_rest);
                // Inert lanes have no inertia.
                let there = zero.lt(l.load(&row.inertia));
                sum = sum + there.keep(dot::<L>(turned, turned) * (per_rest * per_rest));
            }
            l.store(sum, &mut sums);
        }
        sum::sum(sums)
    }
}
