//! Particles against colliders: after all rows, so that what is drawn is never inside.
//!
//! Slot by slot, group by group, [`crate::contact::meet`] moves particles out and [`crate::contact::Meeting::grip`] takes back
//! what they slid. Those that met one and are near another are visited twice, because the other may have had its turn before; who
//! is still inside one then that it began outside of, is counted.

use super::Pass;
use super::world::{self, World, offset};
use crate::Vec3;
use crate::collide::{Aabb, Collider, MAX_FEATURES, Shell, Surface, features_within, surface_within};
use crate::contact::{Meeting, Reach, Way, meet};
use crate::index::at;
use crate::math::{Pose, real, vector};
use crate::model::record::LANES;
use crate::row::pull::{Vec3x8, difference, dot};
use crate::simd::{Floats, Kernel, Lanes, Mask as _};
use crate::state::State;
use crate::state::layout::{self, Node};

/// Speed at which what began inside a collider is brought out (m/s).
pub(super) const RECOVERY: f32 = 2.0;

/// What contacts of a substep came to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Touched {
    /// Meetings, face by face and particle by particle.
    pub contacts: u32,
    /// Particles that ended inside a collider they began outside of.
    pub missed: u32,
    /// Whether any of the colliders that were met moves.
    pub moving: bool,
    /// Whether any particle is inside a collider that it began inside of, with another near.
    pub pinched: bool,
    /// Whether any particle may be inside a collider whose turn is over.
    crowded: bool,
    /// Whether a collider pushed any particle that others had had their turn with by as much as it is kept off them.
    squeezed: bool,
}

/// A collider as a substep sees it, seen from the step's origin.
#[derive(Clone, Copy)]
pub(super) struct Body<'a> {
    pub collider: Collider,
    pub shapes: &'a [u32],
    /// Where it was when the substep began.
    pub from: Pose,
    /// Where it is when it ends.
    pub to: Pose,
    pub moves: bool,
    /// What is further from this than it goes meets nothing.
    shell: Shell,
    /// Box that it stays in meanwhile, with its offset.
    pub bounds: Aabb,
    pub offset: f32,
    /// How far it brings out what began inside (m).
    pub recovery: f32,
    /// How deep behind the surface of a mesh or height field a particle may be for it to be brought out (m).
    depth: f32,
}

impl<'a> Body<'a> {
    /// The collider of a slot, with `left` substeps to go, this one included.
    pub(super) fn new(pass: &Pass<'a>, depth: f32, index: u32, left: u32) -> Option<Self> {
        let colliders = pass.input.colliders;
        let collider = world::collider(pass, index)?;
        let count = real::from_count(pass.numbers.substeps);
        let done = count - real::from_count(left);
        let (from, to) = if collider.moves() {
            let to = if left <= 1 { 1.0 } else { (done + 1.0) / count };
            (collider.pose_at(done / count), collider.pose_at(to))
        } else {
            (collider.pose(), collider.pose())
        };
        let origin = Vec3::from_array(pass.origin);
        let seen = |pose: Pose| Pose { translation: pose.translation - origin, ..pose };
        let (from, to, offset) = (seen(from), seen(to), offset(pass, &collider));
        let (moves, shell) = (collider.moves(), collider.shell(colliders.shapes, &to));
        let bounds =
            if moves { collider.bounds_between(&from, &to, colliders.shapes) } else { shell.bounds() };
        Some(Self {
            collider,
            shapes: colliders.shapes,
            from,
            to,
            moves,
            shell,
            bounds: bounds.grown(offset),
            offset,
            recovery: RECOVERY * pass.numbers.h,
            depth,
        })
    }

    /// Where a point is now that the collider carried from `point` since the substep began.
    pub(super) fn carried(&self, point: Vec3) -> Vec3 {
        if self.moves { self.to.apply(self.from.undo(point)) } else { point }
    }

    /// Where it carries the ends of the unit vectors, from where it carries the origin, and that.
    fn carrying(&self) -> [Vec3; 4] {
        let origin = self.carried(Vec3::ZERO);
        let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|end| self.carried(end) - origin);
        [x, y, z, origin]
    }

    /// How it is met.
    pub(super) fn reach(&self) -> Reach {
        let is_convex = self.collider.is_convex();
        Reach { offset: self.offset, recovery: self.recovery, is_convex }
    }

    /// Whether a point is so near that a push may take it inside.
    fn is_near(&self, point: Vec3) -> bool {
        self.shell.gap(point) <= 1.5 * self.offset
    }

    /// Whether a particle is pushed by so much that it may get into what it was kept off.
    fn is_far(&self, meeting: &Meeting) -> bool {
        vector::length(meeting.push) > 0.5 * self.offset
    }

    /// The surface as a point sees it that goes no further than `way` (m): further off than that, and deeper behind a mesh or a
    /// height field than one is brought out from, it is nowhere.
    pub(super) fn surface(&self, point: Vec3, way: f32) -> Surface {
        let reach = way + self.offset + self.depth;
        surface_within(&self.collider, self.shapes, &self.to, point, reach).unwrap_or(Surface::NOWHERE)
    }
}

/// Puts particles out of the colliders of their slots, with `left` substeps to go, this one included.
#[inline(never)]
pub(super) fn particles(state: &mut State, pass: &Pass, world: &World, left: u32, touched: &mut Touched) {
    if world.slots == 0 {
        return;
    }
    state.fields.touches.fill([0.0; LANES]);
    for slot in 0..world.slots {
        round(state, pass, world, slot, left, Round::First, touched);
    }
    // What one collider pushed, it may have pushed into another whose turn is over.
    if !core::mem::take(&mut touched.crowded) {
        return;
    }
    touched.squeezed = false;
    for slot in 0..world.slots {
        round(state, pass, world, slot, left, Round::Again, touched);
    }
    if touched.squeezed {
        for slot in 0..world.slots {
            round(state, pass, world, slot, left, Round::Count, touched);
        }
    }
}

/// What `touches` counts for a collider that a particle met, over 1 for one that it is near: within half as much again as it is
/// kept off it. Pushed by as much as half of that, a particle counts as having met two: by less it is not pushed into any that
/// it is not near.
const MET: f32 = 64.0;

/// What `touches` counts for a particle that colliders leave no room: above all that they come to otherwise.
pub(super) const INSIDE: f32 = 1.0e6;

/// From which count on a particle may be inside a collider whose turn is over: it met one, and is near another – or near another
/// face of the same.
fn crowd(world: &World) -> f32 {
    if world.rough { MET } else { MET + 2.0 }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    /// All particles.
    First,
    /// Those that met one, where another may be met too.
    Again,
    /// The same, to see which are inside one that they began outside of.
    Count,
}

fn round(
    state: &mut State,
    pass: &Pass,
    world: &World,
    slot: u32,
    left: u32,
    round: Round,
    touched: &mut Touched,
) {
    let fields = &mut state.fields;
    let record = at(fields.slots, slot);
    if record.first >= record.end {
        return;
    }
    let words = layout::words(state.model.header().colliders);
    let (word, bit) = ((slot / 32) as usize, 1 << (slot % 32));
    let (first, end) = (record.first as usize, record.end as usize);
    let nodes = fields.nodes.get_mut(first * LANES..end * LANES).unwrap_or(&mut []);
    let touches = fields.touches.get_mut(first..end).unwrap_or(&mut []);
    let near = fields.near.get(first * words..end * words).unwrap_or(&[]);
    let crowd = crowd(world);
    let wanted = |(near, touches): (&[u32], &[f32; LANES])| {
        near.get(word).is_some_and(|bits| bits & bit != 0)
            && (round == Round::First || touches.iter().any(|count| *count >= crowd))
    };
    if !rows(near, words).zip(touches.iter()).any(wanted) {
        return;
    }
    let depth = state.model.longest_row();
    let Some(body) = Body::new(pass, depth, record.index, left) else { return };
    let carrying = body.moves.then(|| body.carrying());
    pass.level.run(Visits {
        body: &body,
        carrying,
        round,
        crowd,
        nodes,
        touches,
        near,
        words,
        wanted,
        touched,
    });
}

/// A bit for each collider, group by group. Words are never none, which is not to be seen from where they are used: without this
/// the proof finds a panic.
#[inline(always)]
fn rows(near: &[u32], words: usize) -> core::slice::Chunks<'_, u32> {
    near.chunks(words.max(1))
}

/// A round over the groups that may get near a collider.
struct Visits<'a, 'b, W> {
    body: &'a Body<'b>,
    /// How it carries points, if it moves.
    carrying: Option<[Vec3; 4]>,
    round: Round,
    crowd: f32,
    nodes: &'a mut [Node],
    touches: &'a mut [[f32; LANES]],
    near: &'a [u32],
    words: usize,
    wanted: W,
    touched: &'a mut Touched,
}

impl<W: Fn((&[u32], &[f32; LANES])) -> bool> Kernel for Visits<'_, '_, W> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Aabb { low, high } = self.body.bounds;
        let groups = self.nodes.as_chunks_mut::<LANES>().0.iter_mut().zip(self.touches);
        for ((nodes, touches), near) in groups.zip(rows(self.near, self.words)) {
            if !(self.wanted)((near, touches)) {
                continue;
            }
            let (mut inside, mut any) = ([0.0; LANES], false);
            for l in l.looped_parts() {
                let [x, y, z, w] = l.load_nth(0, nodes);
                let [u, v, t, _] = l.load_nth(1, nodes);
                // Whose way does not get into the box the collider stays in, cannot meet it.
                let mut enters = l.splat(0.0).lt(w);
                enters = enters & passes::<L>(l, x, u, low.x, high.x);
                enters = enters & passes::<L>(l, y, v, low.y, high.y);
                enters = enters & passes::<L>(l, z, t, low.z, high.z);
                if !enters.any() {
                    continue;
                }
                // Nor can one whose way is shorter than what is between the two.
                let start = match &self.carrying {
                    Some(carrying) => carried::<L>(l, carrying, [u, v, t]),
                    None => [u, v, t],
                };
                let way = difference::<L>([x, y, z], start);
                let reach = dot::<L>(way, way).root() + l.splat(self.body.offset + self.body.shell.round);
                enters = enters & beyond::<L>(l, &self.body.shell, [x, y, z]).le(reach * reach);
                any |= enters.any();
                l.store(enters.select(l.splat(1.0), l.splat(0.0)), &mut inside);
            }
            if !any {
                continue;
            }
            let Self { body, round, crowd, .. } = self;
            turns(body, round, crowd, nodes, touches, &inside, self.touched);
        }
    }
}

/// Whether ways along an axis get between two bounds.
#[inline(always)]
fn passes<L: Lanes>(l: L, now: L::F, before: L::F, low: f32, high: f32) -> <L::F as Floats>::Mask {
    now.min(before).le(l.splat(high)) & l.splat(low).le(now.max(before))
}

/// Where points are that a collider carried, given where it carries the origin and by how much the ends of the unit vectors
/// are from there.
#[inline(always)]
fn carried<L: Lanes>(l: L, [x, y, z, origin]: &[Vec3; 4], [u, v, t]: Vec3x8<L>) -> Vec3x8<L> {
    [
        along::<L>(l, Vec3::new(x.x, y.x, z.x), [u, v, t]) + l.splat(origin.x),
        along::<L>(l, Vec3::new(x.y, y.y, z.y), [u, v, t]) + l.splat(origin.y),
        along::<L>(l, Vec3::new(x.z, y.z, z.z), [u, v, t]) + l.splat(origin.z),
    ]
}

/// Squares of how far points are from the box of a shell before it is rounded (m²).
#[inline(always)]
fn beyond<L: Lanes>(l: L, shell: &Shell, [x, y, z]: Vec3x8<L>) -> L::F {
    let Shell { axes, centre, half, is_plane, .. } = shell;
    let from = [x - l.splat(centre.x), y - l.splat(centre.y), z - l.splat(centre.z)];
    let [a, b, c] = axes;
    let (a, b, c) = (along::<L>(l, *a, from), along::<L>(l, *b, from), along::<L>(l, *c, from));
    let b = if *is_plane { b } else { b.abs() };
    let zero = l.splat(0.0);
    let over = [
        (a.abs() - l.splat(half[0])).max(zero),
        (b - l.splat(half[1])).max(zero),
        (c.abs() - l.splat(half[2])).max(zero),
    ];
    dot::<L>(over, over)
}

/// How far points are along an axis (m). Functions, not closures in a map over an array, which is not inlined where lanes are.
#[inline(always)]
fn along<L: Lanes>(l: L, axis: Vec3, [x, y, z]: Vec3x8<L>) -> L::F {
    l.splat(axis.x) * x + l.splat(axis.y) * y + l.splat(axis.z) * z
}

/// What a round does to those of eight particles that are not outside: one function for all levels.
#[inline(never)]
fn turns(
    body: &Body,
    round: Round,
    crowd: f32,
    nodes: &mut [Node; LANES],
    touches: &mut [f32; LANES],
    inside: &[f32; LANES],
    touched: &mut Touched,
) {
    for ((node, touch), inside) in nodes.iter_mut().zip(touches).zip(inside) {
        if *inside > 0.0 && (round == Round::First || *touch >= crowd) {
            turn(body, round, node, touch, touched);
            touched.crowded |= round == Round::First && *touch >= crowd;
        }
    }
}

/// What a round does to a particle.
fn turn(body: &Body, round: Round, node: &mut Node, touch: &mut f32, touched: &mut Touched) {
    match round {
        Round::First => {
            let [x, y, z, _] = node[0];
            *touch += if body.is_near(Vec3::new(x, y, z)) { 1.0 } else { 0.0 };
            if let Some(meeting) = visit(body, node) {
                *touch += if body.is_far(&meeting) { 2.0 * MET } else { MET };
                touched.contacts += 1;
                touched.moving |= body.moves;
            }
        }
        Round::Again => {
            let Some(meeting) = visit(body, node) else { return };
            touched.squeezed |= body.is_far(&meeting);
            let [x, y, z, _] = node[0];
            if meeting.recovered > 0.0 && body.surface(Vec3::new(x, y, z), 0.0).distance < 0.0 {
                touched.pinched = true;
                *touch = INSIDE;
            }
        }
        Round::Count => {
            let [[x, y, z, _], [u, v, t, _]] = *node;
            let (now, start) = (Vec3::new(x, y, z), body.carried(Vec3::new(u, v, t)));
            let way = vector::length(now - start);
            let outside = |point| body.surface(point, way).distance >= 0.0;
            let missed = !outside(now) && outside(start);
            touched.missed += u32::from(missed);
        }
    }
}

/// Lets one particle meet one collider; what came of it, if they met.
fn visit(body: &Body, node: &mut Node) -> Option<Meeting> {
    let [[x, y, z, w], [u, v, t, rest]] = *node;
    let (now, before) = (Vec3::new(x, y, z), Vec3::new(u, v, t));
    let way = Way { start: body.carried(before), now };
    let length = vector::length(way.now - way.start);
    let end = body.surface(now, length);
    let meeting = meet(|point| body.surface(point, length), way, end, body.reach())?;
    let (taken, shift) = meeting.grip(way, body.collider.friction);
    let (now, before) = (now + meeting.push - taken, before + shift);
    *node = [[now.x, now.y, now.z, w], [before.x, before.y, before.z, rest]];
    if !body.collider.is_convex() {
        corner(body, node, meeting.normal);
    }
    Some(meeting)
}

/// In a corner a particle is held by more than one feature of a surface.
fn corner(body: &Body, node: &mut Node, met: Vec3) {
    let mut found = [Surface::default(); MAX_FEATURES];
    for _ in 0..2 {
        let [[x, y, z, w], before] = *node;
        let point = Vec3::new(x, y, z);
        let count = features_within(&body.collider, body.shapes, &body.to, point, body.offset, &mut found);
        let mut out = point;
        for surface in found.iter().take(count) {
            let depth = body.offset - surface.distance - surface.normal.dot(out - point);
            if depth > 0.0 && surface.normal.dot(met) < 0.999 {
                out += surface.normal * depth;
            }
        }
        *node = [[out.x, out.y, out.z, w], before];
    }
}
