//! Multipliers of the hard rows: their decay at the start of a substep, their update after a sweep.

use super::cloth::{Fields, leash_length};
use super::net::Net;
use super::{Pass, laws, penalty};

/// Keeps a share of every multiplier.
pub(super) fn warm_start(net: &Net, fields: &mut Fields, pass: &Pass<'_>) {
    let decay = pass.input.constants.multiplier_decay;
    for (row, reference) in net.stretch.iter().zip(&mut fields.stretch) {
        *reference = penalty::decayed(*reference, row.rest, decay);
    }
    if let Some(allowance) = pass.numbers.allowance {
        for (row, reference) in net.stretch.iter().zip(&mut fields.strain) {
            *reference = penalty::decayed(*reference, laws::strain_limit(row.rest, allowance), decay);
        }
    }
    for (tie, reference) in net.ties.iter().zip(&mut fields.tether) {
        *reference = penalty::decayed(*reference, tie.geodesic, decay);
    }
    if let Some(slack) = pass.numbers.slack {
        for (tie, reference) in net.ties.iter().zip(&mut fields.leash) {
            *reference = penalty::decayed(*reference, laws::leash_radius(slack, tie.geodesic), decay);
        }
    }
}

/// λ ← clamp(k·C + λ) for every hard row, as reference lengths.
pub(super) fn update(net: &Net, fields: &mut Fields, pass: &Pass<'_>) {
    for (index, row) in net.stretch.iter().enumerate() {
        if !row.is_hard() && pass.numbers.allowance.is_none() {
            continue;
        }
        let [a, b] = [row.a, row.b];
        // Between two held particles a row moves nothing; what it remembered would jerk them when they are let go.
        if fields.is_held(a) && fields.is_held(b) {
            fields.stretch[index] = row.rest;
            continue;
        }
        let length = laws::span(fields.positions[a], fields.positions[b]).length;
        if row.is_hard() {
            fields.stretch[index] = penalty::dual_equality(fields.stretch[index], length, row.rest);
        }
        if let Some(allowance) = pass.numbers.allowance {
            let bound = laws::strain_limit(row.rest, allowance);
            fields.strain[index] = penalty::dual_pull(fields.strain[index], length, bound);
        }
    }
    for particle in 0..net.count() {
        let x = fields.positions[particle];
        if let Some(anchor) = fields.tether_anchor(net, particle) {
            let length = laws::span(anchor, x).length;
            let bound = net.ties[particle].geodesic;
            fields.tether[particle] = penalty::dual_pull(fields.tether[particle], length, bound);
        }
        if let Some(bound) = leash_length(net, pass.numbers.slack, particle) {
            let length = laws::span(fields.targets[particle], x).length;
            fields.leash[particle] = penalty::dual_leash(fields.leash[particle], length, bound);
        }
    }
}
