//! Particles against the surfaces behind their targets.

use super::Pass;
use super::targets::from;
use super::touch::RECOVERY;
use crate::Vec3;
use crate::contact::{Reach, Way, backstop, meet};
use crate::index::{at, put};
use crate::math::{real, vector};
use crate::state::State;

/// Normals of the targets where they will be at the end of the step: given, or those of the targets' own surface.
pub(super) fn begin(state: &mut State, pass: &Pass) {
    let model = state.model;
    if model.backstops().is_empty() {
        return;
    }
    let fields = &mut state.fields;
    if !pass.input.backstop_normals.is_empty() {
        for (normal, vertex) in fields.normals.iter_mut().zip(model.source_of()) {
            let given = Vec3::from_array(at(pass.input.backstop_normals, *vertex));
            let [x, y, z] = vector::unit_or(given, Vec3::ZERO).to_array();
            *normal = [x, y, z, 0.0];
        }
        return;
    }
    fields.normals.fill([0.0; 4]);
    let end = |particle: u32| {
        let [x, y, z, _] = at(fields.ends, particle);
        Vec3::new(x, y, z)
    };
    for face in model.faces().iter().filter(|face| face.count == 3) {
        let [a, b, c] = face.corners.map(end);
        let area = (b - a).cross(c - a);
        for corner in face.corners {
            let [x, y, z, _] = at(fields.normals, corner);
            let sum = Vec3::new(x, y, z) + area;
            put(fields.normals, corner, [sum.x, sum.y, sum.z, 0.0]);
        }
    }
    for normal in fields.normals.iter_mut() {
        let [x, y, z, _] = *normal;
        let [x, y, z] = vector::unit_or(Vec3::new(x, y, z), Vec3::ZERO).to_array();
        *normal = [x, y, z, 0.0];
    }
}

/// Keeps free particles in front of their backstops, with `left` substeps to go, this one included.
#[inline(never)]
pub(super) fn backstops(state: &mut State, pass: &Pass, left: u32) {
    let model = state.model;
    if model.backstops().is_empty() {
        return;
    }
    let fields = &mut state.fields;
    let per_substep = 1.0 / real::from_count(pass.numbers.substeps);
    let done = real::from_count(pass.numbers.substeps - left + 1) * per_substep;
    let recovery = RECOVERY * pass.numbers.h;
    let targets = fields.targets.iter().zip(fields.ends.iter()).zip(fields.normals.iter());
    for ((backstop, node), ((target, end), normal)) in
        model.backstops().iter().zip(fields.nodes.iter_mut()).zip(targets)
    {
        let ([[x, y, z, w], [u, v, t, rest]], [i, j, k, _]) = (*node, *normal);
        let normal = Vec3::new(i, j, k);
        // Where a surface has no normal nothing is behind it.
        if w <= 0.0 || backstop.radius <= 0.0 || normal == Vec3::ZERO {
            continue;
        }
        let ([a, b, c, _], [d, e, f, _]) = (from(pass.frame.begins(target.value), pass.origin), *end);
        let (first, last) = (Vec3::new(a, b, c), Vec3::new(d, e, f));
        let step = last - first;
        let target = first + step * done;
        let (now, before) = (Vec3::new(x, y, z), Vec3::new(u, v, t));
        let mut start = before + step * per_substep;
        let mut upright = normal;
        if pass.frame.back.is_some() {
            // The surface turns with the anchor: who is behind it is so by where it stood when the substep began.
            let began = Vec3::from_array(pass.frame.begins(normal.to_array()));
            let turned = |share: f32| vector::unit_or(began + (normal - began) * share, normal);
            upright = turned(done);
            let last = turned(done - per_substep);
            let off = backstop::surface(backstop, target - step * per_substep, last, before).distance;
            start += upright * (off - backstop::surface(backstop, target, upright, start).distance);
        }
        let surface = |point| backstop::surface(backstop, target, upright, point);
        let way = Way { start, now };
        let Some(meeting) =
            meet(surface, way, surface(now), Reach { offset: 0.0, recovery, is_convex: true })
        else {
            continue;
        };
        let (now, before) = (now + meeting.push, before + meeting.normal * meeting.recovered);
        *node = [[now.x, now.y, now.z, w], [before.x, before.y, before.z, rest]];
    }
}
