//! The commands of the stream, as they are read and as they are written.

use super::fingerprint;
use crate::air::Air;
use crate::anchor::{AnchorMotion, Teleport, TeleportLimits};
use crate::collide::Collider;
use crate::math::Pose;
use crate::step::{Escape, SolverConstants, Target, Targets};
use crate::{ClothDynamics, Fingerprint, State, StateError, Vec3};

/// The command that ends a frame. Each command is its number, how many words follow, and those.
pub const STEP: u32 = 1;
const DT: u32 = 2;
const GRAVITY: u32 = 3;
const DYNAMICS: u32 = 4;
const CONSTANTS: u32 = 5;
const SWITCHES: u32 = 6;
const COLLIDERS: u32 = 7;
const SHAPES: u32 = 8;
const TARGETS: u32 = 9;
const NORMALS: u32 = 10;
const EVENT: u32 = 11;
const ANCHOR: u32 = 12;
const ESCAPE: u32 = 13;
const AIR: u32 = 14;

const KEEP: u32 = 0;
const ALL: u32 = 1;
const LISTED: u32 = 2;

const NO_AIR: u32 = 0;
const UNIFORM: u32 = 1;
const EACH: u32 = 2;

const KEPT: u32 = Teleport::Keep as u32;
const RESET: u32 = Teleport::Reset as u32;

const HOLD: u32 = 0;
const RELEASE: u32 = 1;
const PLACE: u32 = 2;
const WAKE: u32 = 3;

/// What happens to a cloth between two steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// [`State::hold`].
    Hold {
        /// The source vertex.
        vertex: u32,
        /// Where it is to be, cloth-local (m).
        target: Vec3,
    },
    /// [`State::release`].
    Release {
        /// The source vertex.
        vertex: u32,
    },
    /// [`State::place`].
    Place {
        /// The source vertex.
        vertex: u32,
        /// Where it is now, cloth-local (m).
        position: Vec3,
        /// How it moves now, cloth-local (m/s).
        velocity: Vec3,
    },
    /// [`State::wake`].
    Wake,
}

impl Event {
    /// Lets it happen.
    ///
    /// # Errors
    /// [`StateError::NoSuchVertex`], [`StateError::NonFinite`]; nothing was changed.
    pub fn happen(&self, state: &mut State<'_>) -> Result<(), StateError> {
        match *self {
            Self::Hold { vertex, target } => state.hold(vertex, target),
            Self::Release { vertex } => state.release(vertex),
            Self::Place { vertex, position, velocity } => state.place(vertex, position, velocity),
            Self::Wake => {
                state.wake();
                Ok(())
            }
        }
    }
}

/// Layers and switches of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Switches {
    pub layer: u32,
    pub mask: u32,
    pub most_substeps: u32,
    pub faces: bool,
    pub sleep: bool,
}

/// A command of the stream.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Command<'a> {
    Step(Fingerprint),
    Dt(f32),
    Gravity(Vec3),
    Air(Air<'a>),
    Anchor(AnchorMotion),
    Dynamics(ClothDynamics),
    Constants(SolverConstants),
    Switches(Switches),
    Escape(Escape),
    Colliders(&'a [Collider]),
    Shapes(&'a [u32]),
    Targets(Targets<'a>),
    Normals(&'a [[f32; 3]]),
    Event(Event),
}

/// The command at the head of the stream, and what follows it; `None` where there is none.
pub(super) fn read(stream: &[u32]) -> Option<(Command<'_>, &[u32])> {
    let (head, rest) = stream.split_first_chunk::<2>()?;
    let [tag, length] = *head;
    let (words, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
    let command = match tag {
        STEP => Command::Step(fingerprint(words.try_into().ok()?)),
        DT => Command::Dt(float(words)?),
        GRAVITY => Command::Gravity(vector(words)?),
        AIR => Command::Air(air(words)?),
        ANCHOR => Command::Anchor(anchor(words)?),
        DYNAMICS => Command::Dynamics(ClothDynamics::from_words(words)?),
        CONSTANTS => Command::Constants(constants(words.try_into().ok()?)),
        SWITCHES => Command::Switches(switches(words.try_into().ok()?)?),
        ESCAPE => Command::Escape(escape(words.try_into().ok()?)),
        COLLIDERS => Command::Colliders(bytemuck::try_cast_slice(words).ok()?),
        SHAPES => Command::Shapes(words),
        TARGETS => Command::Targets(targets(words)?),
        NORMALS => Command::Normals(bytemuck::try_cast_slice(words).ok()?),
        EVENT => Command::Event(event(words)?),
        _ => return None,
    };
    Some((command, rest))
}

fn float(words: &[u32]) -> Option<f32> {
    let [word] = words.try_into().ok()?;
    Some(f32::from_bits(word))
}

fn vector(words: &[u32]) -> Option<Vec3> {
    let words: [u32; 3] = words.try_into().ok()?;
    Some(Vec3::from_array(words.map(f32::from_bits)))
}

fn constants(
    [turn, carry, carry_strain, still, leak, carry_limit, spread, sweeps]: [u32; 8],
) -> SolverConstants {
    let [turn, carry, carry_strain, still, leak, carry_limit, spread] =
        [turn, carry, carry_strain, still, leak, carry_limit, spread].map(f32::from_bits);
    SolverConstants { turn, carry, carry_strain, still, leak, carry_limit, spread, bound_sweeps: sweeps }
}

fn anchor(words: &[u32]) -> Option<AnchorMotion> {
    let (moved, words) = words.split_first_chunk::<7>()?;
    let (carried, words) = words.split_first_chunk::<7>()?;
    let [now, distance, angle, beyond] = words.try_into().ok()?;
    Some(AnchorMotion {
        moved: pose(*moved),
        carried: pose(*carried),
        teleport: teleport(now)?,
        limits: TeleportLimits {
            distance: f32::from_bits(distance),
            angle: f32::from_bits(angle),
            beyond: teleport(beyond)?,
        },
    })
}

fn pose(words: [u32; 7]) -> Pose {
    let [x, y, z, rotation @ ..] = words.map(f32::from_bits);
    Pose { translation: Vec3::new(x, y, z), rotation }
}

fn teleport(word: u32) -> Option<Option<Teleport>> {
    match word {
        0 => Some(None),
        KEPT => Some(Some(Teleport::Keep)),
        RESET => Some(Some(Teleport::Reset)),
        _ => None,
    }
}

fn switch(word: u32) -> Option<bool> {
    match word {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

fn switches([layer, mask, most_substeps, faces, sleep]: [u32; 5]) -> Option<Switches> {
    Some(Switches { layer, mask, most_substeps, faces: switch(faces)?, sleep: switch(sleep)? })
}

fn escape([strain, distance, steps, window]: [u32; 4]) -> Escape {
    Escape { strain: f32::from_bits(strain), distance: f32::from_bits(distance), steps, window }
}

fn targets(words: &[u32]) -> Option<Targets<'_>> {
    let (kind, words) = words.split_first()?;
    match *kind {
        KEEP if words.is_empty() => Some(Targets::Keep),
        ALL => Some(Targets::All(bytemuck::try_cast_slice(words).ok()?)),
        LISTED => Some(Targets::Listed(bytemuck::try_cast_slice::<u32, Target>(words).ok()?)),
        _ => None,
    }
}

fn air(words: &[u32]) -> Option<Air<'_>> {
    let (kind, words) = words.split_first()?;
    match *kind {
        NO_AIR if words.is_empty() => Some(Air::None),
        UNIFORM => Some(Air::Uniform(vector(words)?)),
        EACH => Some(Air::Each(bytemuck::try_cast_slice(words).ok()?)),
        _ => None,
    }
}

fn event(words: &[u32]) -> Option<Event> {
    let (kind, words) = words.split_first()?;
    if *kind == WAKE {
        return words.is_empty().then_some(Event::Wake);
    }
    let (vertex, words) = words.split_first()?;
    let vertex = *vertex;
    match *kind {
        HOLD => Some(Event::Hold { vertex, target: vector(words)? }),
        RELEASE => words.is_empty().then_some(Event::Release { vertex }),
        PLACE => {
            let (position, velocity) = words.split_at_checked(3)?;
            Some(Event::Place { vertex, position: vector(position)?, velocity: vector(velocity)? })
        }
        _ => None,
    }
}

#[cfg(feature = "alloc")]
mod write {
    use super::*;
    use crate::state::low_high;
    use alloc::vec::Vec;

    impl Command<'_> {
        /// Appends the command's words to a stream.
        pub(in super::super) fn write(&self, stream: &mut Vec<u32>) {
            let at = stream.len();
            stream.extend([self.tag(), 0]);
            self.write_words(stream);
            let length = stream.len().saturating_sub(at + 2);
            if let Some(place) = stream.get_mut(at + 1) {
                // A stream past 2³² words is refused when it is finished.
                *place = u32::try_from(length).unwrap_or(u32::MAX);
            }
        }

        fn tag(&self) -> u32 {
            match self {
                Self::Step(_) => STEP,
                Self::Dt(_) => DT,
                Self::Gravity(_) => GRAVITY,
                Self::Air(_) => AIR,
                Self::Anchor(_) => ANCHOR,
                Self::Dynamics(_) => DYNAMICS,
                Self::Constants(_) => CONSTANTS,
                Self::Switches(_) => SWITCHES,
                Self::Escape(_) => ESCAPE,
                Self::Colliders(_) => COLLIDERS,
                Self::Shapes(_) => SHAPES,
                Self::Targets(_) => TARGETS,
                Self::Normals(_) => NORMALS,
                Self::Event(_) => EVENT,
            }
        }

        fn write_words(&self, stream: &mut Vec<u32>) {
            match *self {
                Self::Step(after) => stream.extend(low_high(after.0)),
                Self::Dt(dt) => stream.push(dt.to_bits()),
                Self::Gravity(gravity) => stream.extend(bits(gravity)),
                Self::Air(Air::None) => stream.push(NO_AIR),
                Self::Air(Air::Uniform(velocity)) => {
                    stream.push(UNIFORM);
                    stream.extend(bits(velocity));
                }
                Self::Air(Air::Each(velocities)) => {
                    stream.push(EACH);
                    stream.extend_from_slice(bytemuck::cast_slice(velocities));
                }
                Self::Anchor(AnchorMotion { moved, carried, teleport, limits }) => {
                    let TeleportLimits { distance, angle, beyond } = limits;
                    for pose in [moved, carried] {
                        stream.extend(bits(pose.translation));
                        stream.extend(pose.rotation.map(f32::to_bits));
                    }
                    let number = |teleport: Option<Teleport>| teleport.map_or(0, |teleport| teleport as u32);
                    stream.extend([number(teleport), distance.to_bits(), angle.to_bits(), number(beyond)]);
                }
                Self::Dynamics(dynamics) => dynamics.each_word(|word| stream.push(word)),
                Self::Constants(constants) => {
                    let SolverConstants {
                        turn,
                        carry,
                        carry_strain,
                        still,
                        leak,
                        carry_limit,
                        spread,
                        bound_sweeps,
                    } = constants;
                    let floats = [turn, carry, carry_strain, still, leak, carry_limit, spread];
                    stream.extend(floats.map(f32::to_bits));
                    stream.push(bound_sweeps);
                }
                Self::Switches(Switches { layer, mask, most_substeps, faces, sleep }) => {
                    stream.extend([layer, mask, most_substeps, faces.into(), sleep.into()]);
                }
                Self::Escape(escape) => stream.extend(escape.words()),
                Self::Colliders(colliders) => stream.extend_from_slice(bytemuck::cast_slice(colliders)),
                Self::Shapes(shapes) => stream.extend_from_slice(shapes),
                Self::Targets(Targets::Keep) => stream.push(KEEP),
                Self::Targets(Targets::All(all)) => {
                    stream.push(ALL);
                    stream.extend_from_slice(bytemuck::cast_slice(all));
                }
                Self::Targets(Targets::Listed(listed)) => {
                    stream.push(LISTED);
                    stream.extend_from_slice(bytemuck::cast_slice(listed));
                }
                Self::Normals(normals) => stream.extend_from_slice(bytemuck::cast_slice(normals)),
                Self::Event(Event::Hold { vertex, target }) => {
                    stream.extend([HOLD, vertex]);
                    stream.extend(bits(target));
                }
                Self::Event(Event::Release { vertex }) => stream.extend([RELEASE, vertex]),
                Self::Event(Event::Place { vertex, position, velocity }) => {
                    stream.extend([PLACE, vertex]);
                    stream.extend(bits(position));
                    stream.extend(bits(velocity));
                }
                Self::Event(Event::Wake) => stream.push(WAKE),
            }
        }
    }

    fn bits(vector: Vec3) -> [u32; 3] {
        vector.to_array().map(f32::to_bits)
    }
}
