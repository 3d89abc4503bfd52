//! Multipliers of the hard rows: their decay at the start of a substep, their update after a sweep.

use super::{Pass, vertex};
use crate::Vec3;
use crate::index::{at, put};
use crate::row::{decayed, distance, leash, strain, stretch, tether};
use crate::state::{State, is_held};

/// Keeps a share of every multiplier.
#[inline(never)]
pub(super) fn warm_start(state: &mut State, pass: &Pass) {
    let model = state.model;
    let fields = &mut state.fields;
    let decay = pass.input.constants.multiplier_decay;
    for (row, reference) in model.stretch_rows().iter().zip(fields.stretch.iter_mut()) {
        *reference = decayed(*reference, row.rest, decay);
    }
    if let Some(allowance) = pass.numbers.allowance {
        for (row, reference) in model.stretch_rows().iter().zip(fields.strain.iter_mut()) {
            *reference = decayed(*reference, strain::limit(row.rest, allowance), decay);
        }
    }
    for (reach, reference) in model.reach().iter().zip(fields.tether.iter_mut()) {
        *reference = decayed(*reference, reach.geodesic, decay);
    }
    if let Some(slack) = pass.numbers.slack {
        for (reach, reference) in model.reach().iter().zip(fields.leash.iter_mut()) {
            *reference = decayed(*reference, leash::radius(slack, reach.geodesic), decay);
        }
    }
}

/// λ ← clamp(k·C + λ) for every hard row, as reference lengths.
#[inline(never)]
pub(super) fn update(state: &mut State, pass: &Pass) {
    let model = state.model;
    let fields = &mut state.fields;
    let bodies = &*fields.bodies;
    let position = |particle: u32| Vec3::from_array(at(bodies, particle).position);
    let references = fields.stretch.iter_mut().zip(fields.strain.iter_mut());
    for (row, (reference, limit)) in model.stretch_rows().iter().zip(references) {
        if !stretch::is_hard(row) && pass.numbers.allowance.is_none() {
            continue;
        }
        let [a, b] = [row.a, row.b].map(|end| at(bodies, end));
        // Between two held particles a row moves nothing; what it remembered would jerk them when they are let go.
        if is_held(a) && is_held(b) {
            *reference = row.rest;
            continue;
        }
        let length = distance::span(Vec3::from_array(a.position), Vec3::from_array(b.position)).length;
        if stretch::is_hard(row) {
            *reference = distance::dual_equality(*reference, length, row.rest);
        }
        if let Some(allowance) = pass.numbers.allowance {
            *limit = distance::dual_pull(*limit, length, strain::limit(row.rest, allowance));
        }
    }
    for particle in 0..model.particle_count() {
        let x = position(particle);
        let bound = tether::length(at(model.reach(), particle));
        if let Some((bound, anchor)) = bound.zip(vertex::tether_anchor(&model, bodies, particle)) {
            let length = distance::span(anchor, x).length;
            let reference = at(fields.tether, particle);
            put(fields.tether, particle, distance::dual_pull(reference, length, bound));
        }
        if let Some(bound) = vertex::leash_length(&model, pass.numbers.slack, particle) {
            let target = Vec3::from_array(at(fields.targets, particle).value);
            let length = distance::span(target, x).length;
            let reference = at(fields.leash, particle);
            put(fields.leash, particle, leash::dual(reference, length, bound));
        }
    }
}
