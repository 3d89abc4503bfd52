//! What the anchor does to a step: the cloth taken into the frame the step is computed in, and back (see [`crate::anchor`]).

use super::velocity::{self, FASTEST};
use super::{Pass, StepInput, air, targets};
use crate::Vec3;
use crate::anchor::{Entry, Rates, Teleport};
use crate::collide::Collider;
use crate::fabric::map::StepNumbers;
use crate::math::{Pose, real};
use crate::state::layout::{Padded, SETTLE, StateHeader};
use crate::state::{State, is_held};

/// Rate at which a cloth that settles is damped besides its own when it begins to (1/s).
const DAMPING: f32 = 20.0;

/// Speed limit at the end of settling, in lengths of the cloth a second (1/s).
const SPEED: f32 = 10.0;

/// The frame of a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// Whether the anchor's motion is felt in this step, its coming to rest included.
    pub is_felt: bool,
    /// From the axes that the anchor began with to those it ends with, as far as it is felt; `None` where they are the same.
    pub back: Option<Pose>,
    /// λ·ω (rad/s).
    pub angular: Vec3,
    /// How it goes through air that stands still ([`crate::air::Air`]); nothing where there is no air.
    pub past: Rates,
    /// Whether colliders were where they are, whatever they say.
    pub is_placed: bool,
}

impl Frame {
    /// That of an anchor that stands.
    pub(super) const STANDING: Self = Self {
        is_felt: false,
        back: None,
        angular: Vec3::ZERO,
        past: Rates { linear: Vec3::ZERO, angular: Vec3::ZERO },
        is_placed: false,
    };

    /// Where a point of the frame the anchor had is when the step begins (m).
    pub(super) fn begins(&self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        self.back.map_or([x, y, z], |back| back.rotate(Vec3::new(x, y, z)).to_array())
    }

    /// Where a point that goes with the anchor is when the step ends, from where it is when it begins (m): the inverse of
    /// [`Frame::begins`].
    pub(super) fn ends(&self, [x, y, z]: [f32; 3]) -> [f32; 3] {
        self.back.map_or([x, y, z], |back| back.unrotate(Vec3::new(x, y, z)).to_array())
    }

    /// A collider as it moves in this frame.
    pub(super) fn seen(&self, collider: &Collider) -> Collider {
        let mut seen = *collider;
        if self.is_placed {
            (seen.previous_position, seen.previous_rotation) = (seen.position, seen.rotation);
        } else if let Some(back) = self.back {
            let began = back.compose(&collider.previous_pose());
            (seen.previous_position, seen.previous_rotation) = (began.translation.to_array(), began.rotation);
        }
        seen
    }
}

/// What a step has to know of its anchor before it begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Carry {
    entry: Entry,
    /// How the anchor moved in the last step, its turning as far as it was felt; as it does now where that is not known.
    before: Rates,
    pub frame: Frame,
}

/// Looks at what the anchor does. Nothing changes.
#[inline(never)]
pub(super) fn look(state: &State, input: &StepInput) -> Carry {
    let inertia = input.dynamics.inertia;
    let entry = input.anchor.entry(inertia, input.dt);
    let header = &state.fields.header;
    let linear = Vec3::from_array(header.linear);
    let mut before = Rates { linear, angular: Vec3::from_array(header.angular) };
    let mut frame = Frame::STANDING;
    match entry {
        Entry::Stands => {
            frame.is_felt = before.angular != Vec3::ZERO || (before.linear != Vec3::ZERO && inertia > 0.0);
        }
        Entry::Welded => frame.is_felt = before.angular != Vec3::ZERO,
        Entry::Jumps(_) => frame.is_placed = true,
        Entry::Moves { back, rates } => {
            let turns = rates.angular != Vec3::ZERO;
            frame.is_felt = true;
            frame.back = turns.then_some(back);
            frame.angular = rates.angular * inertia;
            // Taken up as it is: as if it had always gone on so.
            let is_new = header.flags & StateHeader::PUT != 0 || state.steps() == 0;
            if is_new {
                before.angular = frame.angular;
            }
            if is_new || header.flags & StateHeader::WELDED != 0 {
                before.linear = if turns { back.unrotate(rates.linear) } else { rates.linear };
            }
        }
    }
    if air::blows(input) && !frame.is_placed {
        let Rates { linear, angular } = input.anchor.rates(input.dt);
        frame.past = Rates { linear, angular: angular - frame.angular };
    }
    Carry { entry, before, frame }
}

impl Carry {
    /// The teleport of this step.
    pub(super) fn teleport(&self) -> Option<Teleport> {
        match self.entry {
            Entry::Jumps(teleport) => Some(teleport),
            _ => None,
        }
    }

    /// Notes whether the anchor moves and nothing of it is felt.
    pub(super) fn note_welded(&self, state: &mut State) {
        state.fields.header.set(StateHeader::WELDED, self.entry == Entry::Welded);
    }

    /// Notes how the anchor moves, for the next step.
    pub(super) fn note(&self, state: &mut State) {
        let rates = match self.entry {
            Entry::Moves { rates, .. } => rates,
            _ => Rates::default(),
        };
        let header = &mut state.fields.header;
        header.linear = rates.linear.to_array();
        header.angular = self.frame.angular.to_array();
        header.set(StateHeader::PUT, self.teleport().is_some());
        self.note_welded(state);
    }
}

/// Puts every particle on its target of this step, at rest, and forgets what the cloth had learnt.
#[inline(never)]
pub(super) fn reset(state: &mut State, input: &StepInput) {
    targets::take(state, input);
    state.wake();
    let fields = &mut state.fields;
    fields.forget_trouble(&state.model);
    let places = fields.bodies.iter_mut().zip(fields.anchors.iter_mut()).zip(fields.targets.iter());
    for ((body, anchor), target) in places {
        body.position = target.value;
        *anchor = *target;
    }
    fields.velocities.fill(Padded::default());
    fields.tensions.fill(0.0);
    let header = &mut fields.header;
    header.set(StateHeader::TOUCHING | StateHeader::STRUCK | StateHeader::CARRIED, false);
    header.world = [0; 2];
    header.settle = SETTLE;
}

/// Takes the cloth from the frame the anchor had into that of the step.
#[inline(never)]
pub(super) fn begin(state: &mut State, carry: &Carry, inertia: f32) {
    if !carry.frame.is_felt {
        return;
    }
    let (back, now) = match carry.entry {
        Entry::Moves { back, rates } => (back, rates),
        _ => (Pose::IDENTITY, Rates::default()),
    };
    let turns = carry.frame.back.is_some();
    let begun = if turns { back.rotate(carry.before.linear) } else { carry.before.linear };
    let change = (begun - now.linear) * inertia;
    let angular = carry.before.angular;
    if !turns && change == Vec3::ZERO && angular == Vec3::ZERO {
        return;
    }
    let fields = &mut state.fields;
    let count = state.model.particle_count() as usize;
    for (body, velocity) in fields.bodies.iter_mut().zip(fields.velocities.iter_mut()).take(count) {
        let (mut place, mut u) = (Vec3::from_array(body.position), Vec3::from_array(velocity.value));
        u += angular.cross(place);
        if turns {
            (place, u) = (back.rotate(place), back.rotate(u));
        }
        body.position = place.to_array();
        // Those of held particles follow from their ways.
        if !is_held(*body) {
            velocity.value = kept(u + change).to_array();
        }
    }
}

/// Takes velocities back into the frame of the anchor.
#[inline(never)]
pub(super) fn end(state: &mut State, pass: &Pass) {
    let angular = pass.frame.angular;
    if angular != Vec3::ZERO {
        let origin = Vec3::from_array(pass.origin);
        let count = state.model.particle_count();
        velocity::change(&mut state.fields, count, |point, u, _| kept(u - angular.cross(point + origin)));
    }
}

/// What a cloth that settles is stepped with: `numbers`, limited and damped by what is left of its settling.
pub(super) fn settling(state: &State, numbers: StepNumbers, damping: f32) -> StepNumbers {
    let settle = state.fields.header.settle;
    if settle == 0 {
        return numbers;
    }
    let left = real::from_count(settle) / real::from_count(SETTLE);
    let done = 1.0 - left + 1.0 / real::from_count(SETTLE);
    let limit = done * SPEED * state.model.extent();
    let damping = damping + DAMPING * left;
    StepNumbers {
        retention: 1.0 / (1.0 + damping * numbers.h),
        max_speed: real::min(numbers.max_speed, limit),
        ..numbers
    }
}

/// A velocity that a state may hold.
fn kept(velocity: Vec3) -> Vec3 {
    velocity::limited(velocity, FASTEST)
}
