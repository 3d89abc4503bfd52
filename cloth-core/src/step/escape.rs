//! The escape hatch: a particle that nothing frees goes back to its target.
//!
//! A free particle is **in trouble** at the end of a step
//!
//! - where one of its hard stretch rows is off its rest length by more than a share, |L − rest| > strain·rest,
//! - where two colliders leave it no room: it began the last substep inside one and is inside one still,
//! - where it is further from its target than an author allows. A rope that stands on its own end, folded, has all its rows at
//!   their length and touches nothing it is inside of, so neither of the others sees it; only its author knows it is wrong.
//!
//! In trouble for so many steps in a row it is taken to its target in a straight line, as a held particle is: rows follow it and
//! surfaces do not stop it. There it is let go, at rest. Who is in trouble is counted particle by particle in the state, and
//! while any is, a cloth does not fall asleep.

use super::Pass;
use super::targets::from;
use super::touch::INSIDE;
use super::velocity::strain;
use crate::Vec3;
use crate::index::{at, put};
use crate::math::real;
use crate::model::Model;
use crate::simd::{Floats as _, Kernel, Lanes, Level, Mask as _};
use crate::state::fields::Fields;
use crate::state::layout::{Body, Node, Padded, StateHeader};
use crate::state::{State, Trouble, is_held};

/// When a particle goes back to its target by itself, and how fast. The default never acts on cloth that is merely pulled,
/// struck or crumpled (`measure rescue`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Escape {
    /// How far a hard stretch row may be off its rest length, over that (1), 0.01 and above; `+∞` asks none.
    pub strain: f32,
    /// How far a particle may be from its target (m), above 0; `+∞`, the default, asks none.
    pub distance: f32,
    /// Steps in trouble after which a particle goes, at most [`Escape::MOST`]; 0 turns the hatch off.
    pub steps: u32,
    /// Steps it takes to its target, 1 to [`Escape::MOST`].
    pub window: u32,
}

impl Escape {
    /// Nothing goes anywhere by itself.
    pub const OFF: Self = Self { strain: f32::INFINITY, distance: f32::INFINITY, steps: 0, window: 15 };

    /// Most steps that are counted.
    pub const MOST: u32 = Trouble::MOST;

    /// Every field, as a word.
    pub(crate) fn words(&self) -> [u32; 4] {
        let Self { strain, distance, steps, window } = *self;
        [strain.to_bits(), distance.to_bits(), steps, window]
    }

    /// The first field that no step would take.
    pub fn invalid_field(&self) -> Option<&'static str> {
        // What is compared with a NaN is false.
        let known = [
            ("strain", self.strain >= 0.01),
            ("distance", self.distance > 0.0),
            ("steps", self.steps <= Self::MOST),
            ("window", (1..=Self::MOST).contains(&self.window)),
        ];
        known.into_iter().find(|(_, is_known)| !is_known).map(|(field, _)| field)
    }
}

impl Default for Escape {
    /// After a second at 60 Hz with a row at twice its length, or inside a collider; back in a quarter of one.
    fn default() -> Self {
        Self { strain: 1.0, steps: 60, ..Self::OFF }
    }
}

fn is_any(state: &State) -> bool {
    state.fields.header.flags & StateHeader::TROUBLED != 0
}

/// Who is on the way goes a part of it in this step.
pub(super) fn begin(state: &mut State, pass: &Pass) {
    if !is_any(state) {
        return;
    }
    let Fields { anchors, bodies, ends, .. } = &mut state.fields;
    for ((anchor, body), end) in anchors.iter().zip(bodies.iter()).zip(ends.iter_mut()) {
        let left = Trouble::of(anchor).left;
        if left > 1 {
            let part = 1.0 / real::from_count(left);
            // The way is straight for whoever goes with the anchor, as its target does.
            let [x, y, z, _] = from(pass.frame.ends(body.position), pass.origin);
            let [u, v, t, w] = *end;
            *end = [x + (u - x) * part, y + (v - y) * part, z + (t - z) * part, w];
        }
    }
}

/// Puts who is on the way where it came to, lets go who arrived, and looks who is in trouble. `max_strain` is the largest strain
/// of the cloth, `pinched` whether any particle may be between colliders. Answers how many set out.
pub(super) fn end(state: &mut State, pass: &Pass, max_strain: f32, pinched: bool) -> u32 {
    arrive(state, pass.origin);
    let Escape { strain, distance, steps, window } = pass.input.escape;
    if steps == 0 {
        state.fields.forget_trouble(&state.model);
        return 0;
    }
    let strained = max_strain > strain;
    if !(strained || pinched || distance < f32::INFINITY || is_any(state)) {
        return 0;
    }
    let model = state.model;
    let fields = &mut state.fields;
    // Where particles were before the last substep nobody asks any more: what is counted there is who is strained.
    for [_, before] in fields.nodes.iter_mut() {
        *before = [0.0; 4];
    }
    if strained {
        Level::BASELINE.run(Strained { model: &model, nodes: fields.nodes, strain });
    }
    let (mut any, mut gone) = (false, 0);
    for particle in 0..model.particle_count() {
        let (body, anchor) = (at(fields.bodies, particle), at(fields.anchors, particle));
        let trouble = Trouble::of(&anchor);
        if trouble.left > 0 {
            any = true;
            continue;
        }
        let away = Vec3::from_array(body.position) - Vec3::from_array(at(fields.targets, particle).value);
        let [_, [strained, ..]] = at(fields.nodes, particle);
        let touched = fields.touches.as_flattened().get(particle as usize).copied().unwrap_or(0.0);
        let is_stuck =
            strained > 0.0 || (pinched && touched >= INSIDE) || away.dot(away) > distance * distance;
        let mut next = Trouble::NONE;
        if is_stuck && !is_held(body) {
            next.steps = trouble.steps.saturating_add(1);
            if next.steps >= steps {
                next = Trouble { steps: 0, left: window };
                put(fields.bodies, particle, Body { inv_mass: 0.0, ..body });
                gone += 1;
            }
        }
        any |= next != Trouble::NONE;
        put(fields.anchors, particle, Padded { pad: next.word(), ..anchor });
    }
    fields.header.set(StateHeader::TROUBLED, any);
    gone
}

/// Who is on the way is where its part of it ended; at the end of all of it it is let go.
fn arrive(state: &mut State, origin: [f32; 3]) {
    if !is_any(state) {
        return;
    }
    let model = state.model;
    let Fields { anchors, nodes, bodies, velocities, .. } = &mut state.fields;
    let places = bodies.iter_mut().zip(velocities.iter_mut()).zip(nodes.iter());
    for (((body, velocity), node), (anchor, particle)) in
        places.zip(anchors.iter_mut().zip(model.particles()))
    {
        let trouble = Trouble::of(anchor);
        if trouble.left == 0 {
            continue;
        }
        let left = trouble.left - 1;
        anchor.pad = Trouble { left, ..trouble }.word();
        if left == 0 {
            // On its target already, as held particles are.
            body.inv_mass = 1.0 / particle.mass;
            *velocity = Padded::default();
        } else {
            let [[x, y, z, _], _] = *node;
            let [u, v, t] = origin;
            body.position = [x + u, y + v, z + t];
        }
    }
}

/// Counts beside each particle the rows of it that are strained by more than `strain`.
struct Strained<'a> {
    model: &'a Model<'a>,
    nodes: &'a mut [Node],
    strain: f32,
}

impl Kernel for Strained<'_> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let (zero, one) = (l.splat(0.0), l.splat(1.0));
        for ([a, b], row) in self.model.stretch_ends().iter().zip(self.model.stretch_groups()) {
            for l in l.parts() {
                // What a soft row gives is what it was made for.
                let hard = l.load(&row.compliance).le(zero);
                let beyond = hard & l.splat(self.strain).lt(strain(l, [a, b], row, self.nodes));
                if beyond.any() {
                    let more = beyond.keep(one);
                    a.add_nth(l, 1, self.nodes, [more, zero, zero]);
                    b.add_nth(l, 1, self.nodes, [more, zero, zero]);
                }
            }
        }
    }
}
