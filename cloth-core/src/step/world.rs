//! Which colliders a step may meet, and where: looked for once, and again should anything outrun what was looked at.
//!
//! Every collider's swept box, grown by what the cloth can be reached by, is held against the cloth's; those that meet it
//! take a slot each, in the order in which they were given. Then every group of eight particles notes the slots whose box
//! it may get into, a bit each, and so does every triangle or link for colliders that fit between particles. A bit is no
//! contact: whether a particle meets the collider is asked in every substep.

use super::pace::{fastest, follows, mean};
use super::{Pass, StepReport};
use crate::Vec3;
use crate::collide::{Aabb, Collider};
use crate::index::at;
use crate::math::{real, sqrt, vector};
use crate::model::record::LANES;
use crate::simd::{Floats as _, Kernel, Lanes};
use crate::state::State;
use crate::state::layout::{self, Node, Slot};

/// What a step knows of the colliders near its cloth.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct World {
    /// Slots that are filled.
    pub slots: u32,
    /// Whether any of their colliders fits between particles.
    pub thin: bool,
    /// Whether any of them has hollows, which may leave a particle no room.
    pub rough: bool,
    /// Colliders that reach the cloth and found no slot.
    pub dropped: u32,
    /// How far particles may yet go before others could be met (m).
    pub reach: f32,
    /// Whether one that is near moves past the cloth faster than the fabric's substeps follow.
    pub strikes: bool,
    /// How far a collider that is near gets past the cloth in the step, at most (m); one that stands still counts in part.
    pub passing: f32,
}

/// How much of the way that a cloth goes past what stands still counts as that passing it (1): it takes nothing along that did
/// not come to it.
const STANDING: f32 = 0.36;

/// Least distance beyond the offset at which colliders are looked for, over the thickness (1).
pub(super) const MARGIN: f32 = 1.0;

/// Looks for the colliders that particles may meet from where the substep began, with the share `left` of the step to go.
#[inline(never)]
pub(super) fn look(state: &mut State, pass: &Pass, left: f32) -> World {
    let colliders = pass.input.colliders;
    if colliders.records.is_empty() {
        return World { reach: f32::INFINITY, ..World::default() };
    }
    let count = state.model.particle_count() as usize;
    let nodes = state.fields.nodes.get(..state.model.header().particle_nodes() as usize).unwrap_or(&[]);
    let extent = pass.level.run(Extent { nodes });
    let own = own_reach(state, pass, fastest(state, pass, Vec3::ZERO), left);
    let middle = (extent.low + extent.high) * 0.5 + Vec3::from_array(pass.origin);
    let radius = 0.5 * vector::length(extent.high - extent.low) + own;
    let drift = mean(state) * (pass.input.dt * left);
    let thickest = 0.6 * state.model.longest_row();
    let fast = follows(state, pass.input.dynamics.substeps);
    let travel = |collider: &Collider| collider.travel(colliders.shapes, middle, radius);
    let mut world = World::default();
    // What a collider takes along it takes as far as it goes itself, into others.
    let mut farthest = fill(state, pass, &mut world, &extent.grown(own), travel);
    if farthest > 0.0 {
        world = World::default();
        farthest = fill(state, pass, &mut world, &extent.grown(own + farthest), travel);
    }
    let reach = own + farthest;
    world.reach = reach;
    let fields = &mut state.fields;
    let particles = fields.nodes.get(..count).unwrap_or(&[]);
    for slot in fields.slots.iter_mut().take(world.slots as usize) {
        let Some(collider) = &collider(pass, slot.index) else { continue };
        let thin = collider.thickness(colliders.shapes) + offset(pass, collider) < thickest;
        slot.thin = u32::from(thin);
        let box_of = slot_box(slot);
        let grown = box_of.grown(reach);
        (slot.low, slot.high) = (grown.low.to_array(), grown.high.to_array());
        if collider.moves() || drift != Vec3::ZERO {
            let share = if collider.moves() { 1.0 } else { STANDING };
            let passing = share * travel(&relative(collider, drift));
            // What fits between particles is near before any of them is.
            let between = if thin { state.model.longest_row() } else { 0.0 };
            let strikes = collider.moves() && passing > fast && !world.strikes;
            if (passing > world.passing || strikes) && near_any(particles, &box_of.grown(own + between)) {
                world.passing = real::max(passing, world.passing);
                world.strikes |= strikes;
            }
            // What is fast tears cells open that it did not fit through, and they stay open where it takes the cloth along.
            let fastest = real::max(passing, travel(collider));
            if fastest > fast && collider.moves() && collider.is_convex() {
                slot.thin = 1;
            }
        }
        world.thin |= slot.thin != 0;
        world.rough |= !collider.is_convex();
    }
    let slots = fields.slots.get_mut(..world.slots as usize).unwrap_or(&mut []);
    let words = layout::words(state.model.header().colliders);
    let groups = particles.chunks(LANES).zip(fields.near.chunks_mut(words));
    for (group, (nodes, near)) in (0..).zip(groups) {
        near.fill(0);
        if slots.is_empty() {
            continue;
        }
        let bounds = bounds_of(nodes);
        for (place, slot) in slots.iter_mut().enumerate() {
            if bounds.meets(&slot_box(slot)) {
                set(near, place);
                slot.first = slot.first.min(group);
                slot.end = group + 1;
            }
        }
    }
    if world.thin && pass.input.faces {
        note_faces(state, world, words);
    }
    world
}

/// Looks again where the cloth may have gone further than was looked, `left` substeps being to go, the last one included.
pub(super) fn follow(state: &mut State, pass: &Pass, world: &mut World, left: u32, report: &mut StepReport) {
    if pass.input.colliders.records.is_empty() || left <= 1 {
        return;
    }
    let way = fastest(state, pass, Vec3::ZERO) * pass.numbers.h;
    world.reach -= way;
    if world.reach < 0.0 {
        let share = real::from_count(left - 1) / real::from_count(pass.numbers.substeps);
        *world = look(state, pass, share);
        report.dropped_colliders = report.dropped_colliders.max(world.dropped);
    }
}

/// Marks faces for the colliders that fit between particles.
fn note_faces(state: &mut State, world: World, words: usize) {
    let fields = &mut state.fields;
    let slots = fields.slots.get(..world.slots as usize).unwrap_or(&[]);
    for (face, near) in state.model.faces().iter().zip(fields.near_faces.chunks_mut(words)) {
        near.fill(0);
        let corners = face.corners.map(|corner| at(fields.nodes, corner));
        let bounds = bounds_of(&corners);
        for (place, slot) in slots.iter().enumerate() {
            if slot.thin != 0 && bounds.meets(&slot_box(slot)) {
                set(near, place);
            }
        }
    }
}

/// The collider with an index in the table, as it moves in the frame of the step.
pub(super) fn collider(pass: &Pass, index: u32) -> Option<Collider> {
    pass.input.colliders.records.get(index as usize).map(|collider| pass.frame.seen(collider))
}

/// Whether layers let cloth and collider meet.
pub(super) fn meets(pass: &Pass, collider: &Collider) -> bool {
    collider.mask & pass.input.layer != 0 && pass.input.mask & collider.layer != 0
}

/// How far from a collider cloth is kept (m).
pub(super) fn offset(pass: &Pass, collider: &Collider) -> f32 {
    pass.input.dynamics.thickness + collider.inflation
}

/// The swept box of a collider with its offset, seen from the step's origin.
fn bounds(pass: &Pass, collider: &Collider) -> Aabb {
    let Aabb { low, high } = collider.swept_bounds(pass.input.colliders.shapes);
    let origin = Vec3::from_array(pass.origin);
    Aabb { low: low - origin, high: high - origin }.grown(offset(pass, collider))
}

/// A collider as it moves past a cloth that drifts by so much (m).
fn relative(collider: &Collider, drift: Vec3) -> Collider {
    let position = Vec3::from_array(collider.position) - drift;
    Collider { position: position.to_array(), ..*collider }
}

/// Whether a group of particles is in a box.
fn near_any(particles: &[Node], bounds: &Aabb) -> bool {
    particles.chunks(LANES).any(|nodes| bounds_of(nodes).meets(bounds))
}

/// Gives the colliders whose box meets `cloth` a slot each, with that box, and returns the largest of their travels (m).
fn fill(
    state: &mut State,
    pass: &Pass,
    world: &mut World,
    cloth: &Aabb,
    travel: impl Fn(&Collider) -> f32,
) -> f32 {
    let mut farthest = 0.0;
    for (index, collider) in (0..).zip(pass.input.colliders.records) {
        if !meets(pass, collider) {
            continue;
        }
        let collider = &pass.frame.seen(collider);
        let origin = Vec3::from_array(pass.origin);
        let there = Aabb { low: cloth.low + origin, high: cloth.high + origin };
        if !collider.reaches(pass.input.colliders.shapes, &there, offset(pass, collider)) {
            continue;
        }
        let bounds = bounds(pass, collider);
        let Some(slot) = state.fields.slots.get_mut(world.slots as usize) else {
            world.dropped += 1;
            continue;
        };
        world.slots += 1;
        let (low, high) = (bounds.low.to_array(), bounds.high.to_array());
        *slot = Slot { index, low, high, first: u32::MAX, ..Slot::default() };
        if collider.moves() {
            farthest = real::max(travel(collider), farthest);
        }
    }
    farthest
}

fn slot_box(slot: &Slot) -> Aabb {
    Aabb { low: Vec3::from_array(slot.low), high: Vec3::from_array(slot.high) }
}

fn set(bits: &mut [u32], place: usize) {
    if let Some(word) = bits.get_mut(place / 32) {
        *word |= 1 << (place % 32);
    }
}

/// How far the cloth itself may get in what is left of the step (m): at the speed of its fastest particle, falling, with
/// its targets, and a margin.
fn own_reach(state: &State, pass: &Pass, fastest: f32, left: f32) -> f32 {
    let dt = pass.input.dt * left;
    let gravity = vector::length(pass.input.gravity);
    // From where a held particle is to where its target will be, wherever its target was before.
    let particles = state.model.particle_count() as usize;
    let mut way = 0.0;
    for (end, node) in state.fields.ends.iter().zip(state.fields.nodes.iter()).take(particles) {
        let ([u, v, t, _], [[.., w], [x, y, z, _]]) = (*end, *node);
        if w <= 0.0 {
            let step = Vec3::new(u - x, v - y, t - z);
            way = real::max(step.dot(step), way);
        }
    }
    fastest * dt + gravity * dt * dt + sqrt(way) + MARGIN * pass.input.dynamics.thickness
}

fn bounds_of(nodes: &[Node]) -> Aabb {
    let mut bounds = Aabb { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY };
    for [_, [x, y, z, _]] in nodes {
        let point = Vec3::new(*x, *y, *z);
        bounds = bounds.union(Aabb { low: point, high: point });
    }
    bounds
}

/// Box of all particles when the substep began.
struct Extent<'a> {
    nodes: &'a [Node],
}

impl Kernel for Extent<'_> {
    type Output = Aabb;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Aabb {
        let mut low = [[f32::INFINITY; LANES]; 3];
        let mut high = [[f32::NEG_INFINITY; LANES]; 3];
        for l in l.parts() {
            let mut least = low.map(|low| l.load(&low));
            let mut most = high.map(|high| l.load(&high));
            for nodes in self.nodes.as_chunks::<LANES>().0 {
                let [x, y, z, _] = l.collect_records(|lane| &nodes[lane & 7][1]);
                least = [x.min(least[0]), y.min(least[1]), z.min(least[2])];
                most = [x.max(most[0]), y.max(most[1]), z.max(most[2])];
            }
            for axis in 0..3 {
                l.store(least[axis], &mut low[axis]);
                l.store(most[axis], &mut high[axis]);
            }
        }
        let least = |lanes: &[f32; LANES]| lanes.iter().fold(f32::INFINITY, |a, b| real::min(*b, a));
        let most = |lanes: &[f32; LANES]| lanes.iter().fold(f32::NEG_INFINITY, |a, b| real::max(*b, a));
        let [a, b, c] = low.each_ref().map(least);
        let [d, e, f] = high.each_ref().map(most);
        Aabb { low: Vec3::new(a, b, c), high: Vec3::new(d, e, f) }
    }
}
