//! Volumes of simulated air in a world: the air itself, which is kept from tick to tick, and what goes into it.

use std::collections::BTreeMap;

use cloth_core::Fingerprint;
use cloth_core::collide::{self, Collider};
use hecs::Entity;

use super::weather::Weather;
use super::zone::{corners, meets};
use super::{Reach, Wind};
use crate::fluid::{Fluid, FluidError, FluidVolume, Obstacle, Share};
use crate::hash::Hasher;
use crate::index::{ColliderIndex, Query};
use crate::pose::{Bounds, Pose, greater, lesser, mix, turn};
use crate::world::WorldError;
use crate::world::words::{Reader, Words as _};

/// Fastest wind along an axis that a volume takes in (m/s).
const FASTEST: f64 = 1000.0;

/// The air of one volume.
#[derive(Debug)]
pub(super) struct Stream {
    pub entity: Entity,
    /// What it was told last.
    pub told: FluidVolume,
    /// Time that its steps took (s): what gusts go by that blow into it.
    pub age: f64,
    /// Where its box was in its last step; `None` before the first.
    stood: Option<Pose>,
    pub fluid: Fluid,
}

/// The volumes of a world.
#[derive(Debug, Default)]
pub(in crate::world) struct Volumes {
    /// By number of their entities.
    kept: BTreeMap<u32, Stream>,
    /// Room for the bodies in one.
    bodies: Vec<(Collider, Pose, Pose)>,
}

/// Those that have to be made, or made anew.
#[derive(Debug, Default)]
pub(in crate::world) struct Made(Vec<Stream>);

impl Volumes {
    /// The air of an entity's volume.
    pub fn fluid(&self, entity: Entity) -> Option<&Fluid> {
        self.stream(entity).map(|stream| &stream.fluid)
    }

    pub(super) fn stream(&self, entity: Entity) -> Option<&Stream> {
        self.kept.get(&entity.id()).filter(|stream| stream.entity == entity)
    }

    /// Makes the air that is not there yet, or has other cells now, and changes nothing.
    ///
    /// # Errors
    /// [`WorldError::Fluid`].
    pub fn look(&self, weather: &Weather) -> Result<Made, WorldError> {
        let mut made = Vec::new();
        for (entity, _, volume) in weather.volumes() {
            let refused = |error| WorldError::Fluid { entity: *entity, error };
            if !self.stream(*entity).is_some_and(|stream| stream.fluid.fits(volume)) {
                made.push(Stream::new(*entity, volume).map_err(refused)?);
            }
        }
        Ok(Made(made))
    }

    /// Takes in what was made, and lets go of the air of volumes that went.
    pub fn apply(&mut self, Made(made): Made, weather: &Weather) {
        self.kept.retain(|_, stream| weather.volumes().iter().any(|(entity, ..)| *entity == stream.entity));
        for stream in made {
            self.kept.insert(stream.entity.id(), stream);
        }
    }

    /// Goes on by a tick of `dt` (s), one volume after the other, each with its parts on whatever threads `parts` has.
    pub fn step(
        &mut self,
        weather: &Weather,
        dt: f64,
        index: &impl ColliderIndex,
        shapes: &[u32],
        parts: Share<'_>,
    ) {
        let Self { kept, bodies, .. } = self;
        for (entity, stands, volume) in weather.volumes() {
            let Some(stream) = kept.get_mut(&entity.id()).filter(|stream| stream.entity == *entity) else {
                continue;
            };
            stream.told = *volume;
            let wind = match volume.prevailing {
                Some(velocity) => velocity.map(f64::from),
                None => weather.ambient(volume.mask, stream.age),
            };
            let wind = wind.map(|speed| lesser(greater(speed, -FASTEST), FASTEST));
            bodies.clear();
            gather(volume, stands, index, shapes, bodies);
            let obstacles: Vec<Obstacle<'_>> = bodies
                .iter()
                .map(|(collider, previous, pose)| Obstacle {
                    collider,
                    shapes,
                    pose: *pose,
                    previous: *previous,
                })
                .collect();
            let wind = stands.unturn(wind);
            if let Some(stood) = stream.stood.replace(*stands).filter(|stood| !stood.is(stands)) {
                stream.fluid.shift(&stood.see(stands), wind, dt);
            }
            stream.fluid.step(volume, dt, wind, &obstacles, &mut *parts);
            stream.age += dt;
        }
    }

    /// A hash of all the air there is: 0 where there is no volume.
    pub fn fingerprint(&self) -> Fingerprint {
        if self.kept.is_empty() {
            return Fingerprint(0);
        }
        let mut hasher = Hasher::new();
        let mut words = Vec::new();
        for stream in self.kept.values() {
            hasher.float(stream.age);
            words.clear();
            stream.fluid.put(&mut words);
            words.iter().for_each(|word| hasher.word(*word));
        }
        hasher.finish()
    }

    /// Writes down all the air there is.
    pub fn put(&self, to: &mut Vec<u32>) {
        let all = to.len();
        [0, u32::try_from(self.kept.len()).unwrap_or(u32::MAX)].put(to);
        for Stream { entity, told, age, stood, fluid } in self.kept.values() {
            (*entity, *told).put(to);
            age.put(to);
            stood.put(to);
            let own = to.len();
            to.push(0);
            fluid.put(to);
            note_length(to, own);
        }
        note_length(to, all);
    }

    /// Reads past what [`Volumes::put`] wrote, and answers with it.
    pub fn skip<'w>(from: &mut Reader<'w>) -> Option<Reader<'w>> {
        let count = from.take::<u32>()? as usize;
        from.run(count).map(Reader::new)
    }

    /// Makes the air that [`Volumes::put`] wrote and that is not here with as many cells, and changes nothing. What is not the world's `own`
    /// is read once.
    ///
    /// # Errors
    /// [`WorldError::NotASnapshot`], [`WorldError::Fluid`].
    pub fn ready(&self, mut from: Reader<'_>, own: bool) -> Result<Made, WorldError> {
        let damaged = || WorldError::NotASnapshot { what: "the air in it is none" };
        let mut made = Vec::new();
        for _ in 0..from.take::<u32>().ok_or_else(damaged)? {
            let (head, mut words) = one(&mut from).ok_or_else(damaged)?;
            let Head { entity, told, .. } = head;
            if own && self.stream(entity).is_some_and(|stream| stream.fluid.fits(&told)) {
                continue;
            }
            // Each cell has a word at least: a file cannot ask for more memory than it is long.
            let cells = told.half().iter().fold(1.0, |all, half| all * 2.0 * half / f64::from(told.cell));
            if cells > f64::from(u32::try_from(words.left()).unwrap_or(u32::MAX)) {
                return Err(damaged());
            }
            let refused = |error| WorldError::Fluid { entity, error };
            let mut stream = Stream::new(entity, &told).map_err(refused)?;
            if !own {
                stream.fluid.take(&mut words).ok_or_else(damaged)?;
            }
            made.push(stream);
        }
        Ok(Made(made))
    }

    /// Takes over what [`Volumes::put`] wrote, with what was made for it.
    pub fn take(&mut self, Made(made): Made, mut from: Reader<'_>) -> Option<()> {
        for stream in made {
            self.kept.insert(stream.entity.id(), stream);
        }
        let mut there = Vec::new();
        for _ in 0..from.take::<u32>()? {
            let (Head { entity, told, age, stood }, mut words) = one(&mut from)?;
            let stream = self.kept.get_mut(&entity.id()).filter(|stream| stream.entity == entity)?;
            (stream.told, stream.age, stream.stood) = (told, age, stood);
            stream.fluid.take(&mut words)?;
            there.push(entity);
        }
        self.kept.retain(|_, stream| there.contains(&stream.entity));
        Some(())
    }
}

/// What stands before the words of one volume's air.
struct Head {
    entity: Entity,
    told: FluidVolume,
    age: f64,
    stood: Option<Pose>,
}

/// The next volume, and the words of its air.
fn one<'w>(from: &mut Reader<'w>) -> Option<(Head, Reader<'w>)> {
    let ((entity, told), age, stood) = (from.take()?, from.take()?, from.take()?);
    let count = from.take::<u32>()? as usize;
    Some((Head { entity, told, age, stood }, Reader::new(from.run(count)?)))
}

/// Writes down, in the word that was left for it, how many follow.
fn note_length(to: &mut [u32], place: usize) {
    let length = u32::try_from(to.len() - place - 1).unwrap_or(u32::MAX);
    if let Some(word) = to.get_mut(place) {
        *word = length;
    }
}

impl Stream {
    /// Air that has not begun yet.
    pub fn new(entity: Entity, volume: &FluidVolume) -> Result<Self, FluidError> {
        Ok(Self { entity, told: *volume, age: 0.0, stood: None, fluid: Fluid::new(volume)? })
    }
}

/// The bodies that stand in a volume, in its frame, by rising handle. Both poses are seen from where the volume is when the tick ends:
/// velocities of its air are those past the world, and a body that stands in the world has none.
fn gather(
    volume: &FluidVolume,
    stands: &Pose,
    index: &impl ColliderIndex,
    shapes: &[u32],
    bodies: &mut Vec<(Collider, Pose, Pose)>,
) {
    if index.is_empty() || volume.obstacles == 0 {
        return;
    }
    let mut bounds = Bounds::NONE;
    for corner in corners(volume.half()) {
        bounds = bounds.with(stands.apply(corner));
    }
    // What ends at the surface of the box is in the way of what goes through it.
    let bounds = bounds.grown(f64::from(volume.cell));
    let query = Query { bounds, layer: u32::MAX, mask: volume.obstacles, capacity: usize::MAX };
    index.gather(&query, shapes, &mut |found| {
        let here = collide::Pose::IDENTITY;
        let (position, rotation) = (here.translation.to_array(), here.rotation);
        // Inflation is what cloth keeps off by, not where the body ends.
        let shape = Collider {
            position,
            rotation,
            previous_position: position,
            previous_rotation: rotation,
            inflation: 0.0,
            ..found.body.shape
        };
        bodies.push((shape, stands.see(&found.previous), stands.see(&found.body.pose)));
    });
}

/// Simulated air takes the place of what would be there.
impl Wind for Stream {
    fn reach(&self, stands: &Pose, within: &Bounds) -> Reach {
        if meets(self.told.half(), stands, within) { Reach::Unevenly } else { Reach::Nowhere }
    }

    fn blow(&self, stands: &Pose, _: f64, at: &[[f64; 3]], air: &mut [[f64; 3]]) -> bool {
        let mut reached = false;
        for (at, velocity) in at.iter().zip(air) {
            let (wind, weight) = self.fluid.sample(stands.undo(*at));
            if weight <= 0.0 {
                continue;
            }
            reached = true;
            let wind = turn(stands.rotation, wind);
            *velocity = if weight >= 1.0 { wind } else { mix(*velocity, wind, weight) };
        }
        reached
    }

    fn mask(&self) -> u32 {
        self.told.mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fluid::one_after_the_other;
    use cloth_core::Vec3;

    #[test]
    fn air_that_went_back_goes_on_as_if_it_had_not_left() {
        let volume = FluidVolume { half_extents: [0.8, 0.5, 0.5], cell: 0.1, ..FluidVolume::default() };
        let mut fluid = Fluid::new(&volume).expect("it is one");
        let collider = Collider::cuboid(Vec3::splat(0.15), collide::Pose::IDENTITY).expect("a box");
        let step = |fluid: &mut Fluid, tick: u32| {
            let at =
                |tick: u32| Pose { translation: [-0.2, 0.0, 0.005 * f64::from(tick % 50)], ..Pose::IDENTITY };
            let body = Obstacle { collider: &collider, shapes: &[], pose: at(tick + 1), previous: at(tick) };
            let wind = [3.0, 0.1 * f64::from(tick % 7), 0.0];
            fluid.step(&volume, 1.0 / 60.0, wind, &[body], &mut one_after_the_other);
            let mut words = Vec::new();
            fluid.put(&mut words);
            words
        };
        let mut kept = Vec::new();
        (0..30).for_each(|tick| kept = step(&mut fluid, tick));
        let there: Vec<Vec<u32>> = (30..45).map(|tick| step(&mut fluid, tick)).collect();
        (45..80).for_each(|tick| drop(step(&mut fluid, tick)));
        fluid.take(&mut Reader::new(&kept)).expect("it is its own");
        for (tick, expected) in (30..).zip(&there) {
            let got = step(&mut fluid, tick);
            let other = got.iter().zip(expected).position(|(a, b)| a != b);
            let values = other.map(|at| (at, f32::from_bits(got[at]), f32::from_bits(expected[at])));
            assert_eq!(values, None, "tick {tick}: {} words", got.len());
        }
    }
}
