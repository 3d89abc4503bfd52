//! Triangles and links against colliders that fit between particles.
//!
//! The point of a face that is deepest in a collider is looked for by turns: from a point of the face to the collider's core
//! under it, and from there to the nearest point of the face (von Neumann's alternating projections; both sets being convex
//! they approach the two nearest points). That point is then a particle like any other ([`crate::contact::meet`]), whose
//! weights share what it is moved by among the corners: λ = d/Σ w_i·b_i², Δx_i = w_i·b_i·λ.
//!
//! Where the face began tells which side it is on: a link that a wire has passed within the substep is brought back.

use super::Pass;
use super::touch::{Body, Touched};
use super::world::World;
use crate::Vec3;
use crate::collide::segment::Level;
use crate::collide::{Aabb, Surface, segment, triangle};
use crate::contact::{Meeting, Way, meet};
use crate::index::{at, put};
use crate::math::{real, vector};
use crate::model::record::Face;
use crate::state::State;
use crate::state::layout::{self, Node};

/// Projections to find a face's deepest point.
const TURNS: u32 = 4;

/// Weights of the middle of a face.
const MIDDLE: Vec3 = Vec3::splat(1.0 / 3.0);

/// Puts triangles and links out of the colliders of their slots, with `left` substeps to go, this one included.
#[inline(never)]
pub(super) fn faces(state: &mut State, pass: &Pass, world: &World, left: u32, touched: &mut Touched) {
    if !(world.thin && pass.input.faces) {
        return;
    }
    let words = layout::words(state.model.header().colliders);
    for slot in 0..world.slots {
        let fields = &mut state.fields;
        let record = at(fields.slots, slot);
        if record.thin == 0 {
            continue;
        }
        let Some(body) = Body::new(pass, 0.0, record.index, left) else { continue };
        // What fits between particles, and what is fast, is convex: it has a distance everywhere.
        let core = body.collider.thickness(body.shapes);
        let (word, bit) = ((slot / 32) as usize, 1 << (slot % 32));
        for (face, near) in state.model.faces().iter().zip(fields.near_faces.chunks(words)) {
            if near.get(word).is_some_and(|bits| bits & bit != 0) {
                visit(&body, core, face, fields.nodes, touched);
            }
        }
    }
}

fn visit(body: &Body, core: f32, face: &Face, nodes: &mut [Node], touched: &mut Touched) {
    let [start, now] = places(body, face, nodes);
    let bounds = box_of(&now).union(box_of(&start));
    if !bounds.meets(&body.bounds) {
        return;
    }
    // Nothing of a face is further from its middle than its corners are.
    let middle = blend(&now, MIDDLE);
    let size = now.iter().fold(0.0, |most, corner| real::max((*corner - middle).dot(*corner - middle), most));
    let moved = start.iter().zip(now).map(|(start, now)| (now - start).dot(now - start));
    let moved = moved.fold(0.0, |most, way| real::max(way, most));
    let gap = body.surface(middle, 0.0).distance - body.offset;
    if gap > 0.0 && gap * gap > 2.0 * (size + moved) {
        return;
    }
    let axis = body.collider.axis(&body.to);
    if let Some(ends) = axis.and_then(|axis| segment::over(axis, now)) {
        // Where most of the axis was when the substep began, the face is on the other side, even should it be pierced now.
        let up = normal(&start);
        let side = ends.iter().fold(0.0, |side, end| side + up.dot(blend(&start, end.weights) - end.point));
        for end in ends {
            lift(body, face, nodes, end, side, touched);
        }
        return;
    }
    let nearest = |corners: &[Vec3; 3]| match axis {
        Some(axis) => segment::beside(axis, *corners),
        None => deepest(body, core, corners),
    };
    let mut weights = nearest(&now);
    let mut way = Way { start: blend(&start, weights), now: blend(&now, weights) };
    let (begin, end) = (body.surface(way.start, 0.0), body.surface(way.now, 0.0));
    let meeting = if begin.normal.dot(end.normal) > 0.0 {
        met(body, way, end)
    } else {
        // What is deepest now was on the other side: the point that was nearest then tells where the face belongs.
        weights = nearest(&start);
        way = Way { start: blend(&start, weights), now: blend(&now, weights) };
        behind(body, way)
    };
    if let Some(meeting) = meeting {
        share(body, face, nodes, weights, way, meeting, touched);
    }
}

/// Keeps a face off a point of a capsule's axis that it is level with, on the side where it is told to be.
#[inline(never)]
fn lift(body: &Body, face: &Face, nodes: &mut [Node], end: Level, side: f32, touched: &mut Touched) {
    let [start, now] = places(body, face, nodes);
    let facing = |corners: &[Vec3; 3]| if side < 0.0 { -normal(corners) } else { normal(corners) };
    let way = Way { start: blend(&start, end.weights), now: blend(&now, end.weights) };
    let off = body.collider.sizes[1] * body.collider.scale + body.offset;
    let (before, after) =
        (facing(&start).dot(way.start - end.point) - off, facing(&now).dot(way.now - end.point) - off);
    if let Some(meeting) = lifted(facing(&now), before, after, body.recovery) {
        share(body, face, nodes, end.weights, way, meeting, touched);
    }
}

/// Where the corners of a face were when the substep began, had the collider carried them, and where they are.
fn places(body: &Body, face: &Face, nodes: &[Node]) -> [[Vec3; 3]; 2] {
    let corners = face.corners.map(|corner| at(nodes, corner));
    let start = corners.map(|[_, [x, y, z, _]]| body.carried(Vec3::new(x, y, z)));
    [start, corners.map(|[[x, y, z, _], _]| Vec3::new(x, y, z))]
}

/// Unit normal of a triangle, by the order of its corners.
fn normal([a, b, c]: &[Vec3; 3]) -> Vec3 {
    vector::unit_or((*b - *a).cross(*c - *a), Vec3::Y)
}

/// Shares among the corners of a face what a collider does to one of its points.
fn share(
    body: &Body,
    face: &Face,
    nodes: &mut [Node],
    weights: Vec3,
    way: Way,
    meeting: Meeting,
    touched: &mut Touched,
) {
    let [start, _] = places(body, face, nodes);
    let inverse = face.corners.map(|corner| at(nodes, corner)[0][3]);
    let shared = weights.to_array();
    let corners = merged(face, inverse, shared);
    let mut mobility = 0.0;
    for (w, b) in corners {
        mobility += w * b * b;
    }
    if inverse.iter().take(face.count as usize).any(|w| *w <= 0.0) {
        // A point beside a held corner moves the free ones by many times what it is moved itself.
        mobility = corners.iter().fold(mobility, |most, (w, b)| real::max(w * b, most));
    }
    if mobility <= 0.0 {
        return;
    }
    touched.contacts += 1;
    touched.moving |= body.moves;
    let (taken, shift) = meeting.grip(way, body.collider.friction);
    let move_now = meeting.push - taken;
    for ((corner, start), (w, b)) in face.corners.iter().zip(start).zip(corners) {
        if w * b <= 0.0 {
            continue;
        }
        let share = w * b / mobility;
        let [[x, y, z, w], [u, v, t, rest]] = at(nodes, *corner);
        let outside = |point| body.surface(point, 0.0).distance >= 0.0;
        // A corner on the other side of what the face hangs over must not count as having begun inside.
        let is_shifted = shift != Vec3::ZERO && (outside(start + shift * share) || !outside(start));
        let shift = if is_shifted { shift } else { Vec3::ZERO };
        let (now, before) = (Vec3::new(x, y, z) + move_now * share, Vec3::new(u, v, t) + shift * share);
        put(nodes, *corner, [[now.x, now.y, now.z, w], [before.x, before.y, before.z, rest]]);
    }
}

/// What a collider does to a point that is at `end` of its surface now.
#[inline(never)]
fn met(body: &Body, way: Way, end: Surface) -> Option<Meeting> {
    meet(|point| body.surface(point, 0.0), way, end, body.reach())
}

/// What brings a point back before the plane it was before when the substep began.
fn behind(body: &Body, way: Way) -> Option<Meeting> {
    let Surface { distance, normal, .. } = body.surface(way.start, 0.0);
    if distance < 0.0 {
        return met(body, way, body.surface(way.now, 0.0));
    }
    let before = distance - body.offset;
    lifted(normal, before, normal.dot(way.now - way.start) + before, body.recovery)
}

/// What brings a point back before a plane that it was `before` and is `after` above its offset (m): as `meet` does.
fn lifted(normal: Vec3, before: f32, after: f32, recovery: f32) -> Option<Meeting> {
    let recovered = real::min(real::max(-before, 0.0), recovery);
    let missing = real::min(before, 0.0) + recovered - after;
    let recovered = real::min(missing, recovered);
    let stopped = missing - recovered;
    (missing > 0.0).then_some(Meeting { normal, push: normal * missing, recovered, stopped })
}

fn box_of([a, b, c]: &[Vec3; 3]) -> Aabb {
    let point = |x: &Vec3| Aabb { low: *x, high: *x };
    point(a).union(point(b)).union(point(c))
}

/// Inverse mass and weight of each corner; a link's second corner has both its weights.
fn merged(face: &Face, inverse: [f32; 3], weights: [f32; 3]) -> [(f32, f32); 3] {
    let ([u, v, t], [a, b, c]) = (inverse, weights);
    if face.count == 2 { [(u, a), (v, b + c), (0.0, 0.0)] } else { [(u, a), (v, b), (t, c)] }
}

fn blend([a, b, c]: &[Vec3; 3], weights: Vec3) -> Vec3 {
    *a * weights.x + *b * weights.y + *c * weights.z
}

/// Weights of the point of a face that is deepest in a collider whose core is `core` below its surface (m).
fn deepest(body: &Body, core: f32, corners: &[Vec3; 3]) -> Vec3 {
    let mut weights = MIDDLE;
    for _ in 0..TURNS {
        let point = blend(corners, weights);
        let Surface { distance, normal, .. } = body.surface(point, 0.0);
        let (next, _) = triangle::weights(point - normal * (distance + core), *corners);
        let same = next == weights;
        weights = next;
        if same {
            break;
        }
    }
    weights
}
