//! Sleep: a cloth that stays where it is for a while is not computed until something changes.
//!
//! A **window** opens where the particles are. As long as every one stays within 5e-4 of the cloth's extent of where it was
//! then, the window ages by a step; the first to leave opens another. After thirty steps and half a second the cloth sleeps,
//! and no bit of it changes: displacement is read and not speed, because what trembles about a place is at rest to whoever
//! looks at it. In half a second whatever is let go has fallen a long way, however many steps that takes.
//!
//! It wakes when the state is touched (placing, holding, letting go, [`crate::State::wake`]), when its anchor moves and it feels
//! that, when a target is another than
//! it was, and when anything else that steps read is: length of the step, gravity, the fabric's settings, solver constants,
//! layers, the air past it, and the colliders in reach – their records, poses before and now included, so one that moved, came, left or was
//! replaced. Those are compared by a hash of 64 bits. The words of hulls, meshes and height fields are not in it: whoever
//! changes them in place has to wake the cloth.
//!
//! In steady air a cloth sleeps where that holds it. While the air changes from step to step it does not fall asleep.

use super::{Colliders, Escape, Pass, StepInput, Targets};
use super::{air, world};
use crate::Vec3;
use crate::collide::Aabb;
use crate::hash::{Hasher, canonical_bits};
use crate::index::at;
use crate::math::real;
use crate::state::layout::{Padded, StateHeader};
use crate::state::{State, low_high};

/// Steps that a cloth stays in its window before it sleeps.
const STEPS: u32 = 30;

/// Time that it stays there (s), by the length of the step that finds it.
const TIME: f32 = 0.5;

/// How far a particle may be from where the window opened, over the cloth's extent (1).
const WINDOW: f32 = 5.0e-4;

/// Whether the cloth sleeps on through this step.
pub(super) fn sleeps(state: &mut State, pass: &Pass) -> bool {
    if !state.is_asleep() {
        return false;
    }
    let same = pass.input.sleep
        && !pass.frame.is_felt
        && targets_stay(state, pass.input)
        && state.fields.header.world == low_high(hash(state, pass));
    if !same {
        state.wake();
    }
    same
}

/// Looks whether the particles are still in their window after a step.
pub(super) fn watch(state: &mut State, pass: &Pass) {
    let troubled = state.fields.header.flags & StateHeader::TROUBLED != 0;
    if !pass.input.sleep || pass.frame.is_felt || troubled {
        state.fields.header.still = 0;
        return;
    }
    if air::turns(state, pass) {
        // Gusts that do not move it much are no reason to stop it dead and wake it, over and over.
        state.fields.header.still = 0;
    }
    let bound = WINDOW * state.model.extent();
    let fields = &mut state.fields;
    let moved = fields.bodies.iter().zip(fields.anchors.iter()).fold(0.0, |most, (body, anchor)| {
        let way = Vec3::from_array(body.position) - Vec3::from_array(anchor.value);
        real::max(way.dot(way), most)
    });
    if fields.header.still == 0 || moved > bound * bound {
        for (anchor, body) in fields.anchors.iter_mut().zip(fields.bodies.iter()) {
            anchor.value = body.position;
        }
        fields.header.still = 1;
        return;
    }
    fields.header.still = fields.header.still.saturating_add(1);
    let still = fields.header.still;
    if still > STEPS && real::from_count(still) * pass.input.dt > TIME {
        fields.velocities.fill(Padded::default());
        fields.header.set(StateHeader::ASLEEP, true);
        state.fields.header.world = low_high(hash(state, pass));
    }
}

/// Whether all targets are where they were.
fn targets_stay(state: &State, input: &StepInput) -> bool {
    let targets = &*state.fields.targets;
    let same = |particle: u32, position: [f32; 3]| {
        at(targets, particle).value.map(canonical_bits) == position.map(canonical_bits)
    };
    match input.targets {
        Targets::Keep => true,
        Targets::All(positions) => (0..)
            .zip(state.model.source_of())
            .all(|(particle, vertex)| same(particle, at(positions, *vertex))),
        Targets::Listed(list) => {
            list.iter().all(|target| same(at(state.model.particle_of(), target.vertex), target.position))
        }
    }
}

/// A hash of everything but targets that the step of a cloth at rest depends on.
fn hash(state: &State, pass: &Pass) -> u64 {
    let input = pass.input;
    let mut hasher = Hasher::new();
    hasher.float(input.dt);
    for value in input.gravity.to_array() {
        hasher.float(value);
    }
    input.dynamics.each_word(|word| hasher.word(word));
    input.constants.each_word(|word| hasher.word(word));
    for word in [input.layer, input.mask, u32::from(input.faces)] {
        hasher.word(word);
    }
    for value in input.backstop_normals.as_flattened() {
        hasher.float(*value);
    }
    if input.escape != Escape::default() {
        for word in input.escape.words() {
            hasher.word(word);
        }
    }
    air::add_to(&mut hasher, pass);
    let Colliders { records, .. } = input.colliders;
    if !records.is_empty() {
        let none = Aabb { low: Vec3::INFINITY, high: Vec3::NEG_INFINITY };
        let particles = state.model.particle_count() as usize;
        let bodies = state.fields.bodies.iter().take(particles);
        let cloth = bodies.fold(none, |bounds, body| {
            let point = Vec3::from_array(body.position);
            bounds.union(Aabb { low: point, high: point })
        });
        // As far as a cloth at rest looks.
        let reach = (1.0 + world::MARGIN) * input.dynamics.thickness;
        let near = records.iter().filter(|collider| {
            world::meets(pass, collider)
                && collider.reaches(input.colliders.shapes, &cloth, reach + collider.inflation)
        });
        for collider in near {
            for word in bytemuck::cast_slice::<_, u32>(core::slice::from_ref(collider)) {
                hasher.word(*word);
            }
        }
    }
    hasher.finish().0
}
