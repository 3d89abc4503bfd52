//! The sources of a tick, and what of them reaches who asks.

use std::sync::Arc;

use hecs::{Component, Entity, World as Entities};

use super::volumes::Volumes;
use super::{AmbientWind, Reach, Wind, WindSource, WindZone};
use crate::fluid::FluidVolume;
use crate::pose::{Bounds, Pose, add};
use crate::world::{Transform, WorldError};

/// Who asks for the air.
#[derive(Clone, Copy, Debug)]
pub(in crate::world) struct Asker {
    /// Layers he is in, a bit each.
    pub layer: u32,
    /// The time that his steps took (s).
    pub age: f64,
}

/// What reaches who asks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::world) enum Blown {
    /// No source does.
    Nothing,
    /// Air of one velocity (m/s), whether one point was enough to know or not: who is asked for alike is told alike, however sources
    /// that do not reach him lie.
    Evenly([f64; 3]),
    /// The velocities in [`Room::air`].
    Each,
}

/// Room for what is asked and answered.
#[derive(Debug, Default)]
pub(in crate::world) struct Room {
    /// Points of the world (m).
    pub at: Vec<[f64; 3]>,
    /// The air there (m/s).
    pub air: Vec<[f64; 3]>,
}

/// The sources of a world as they stand, each kind in the order of the entities' numbers.
#[derive(Default)]
pub(in crate::world) struct Weather {
    ambients: Vec<(Entity, AmbientWind)>,
    volumes: Vec<(Entity, Pose, FluidVolume)>,
    zones: Vec<(Entity, Pose, WindZone)>,
    own: Vec<(Entity, Pose, Arc<dyn Wind>)>,
}

impl Weather {
    /// Looks at all sources, in place of those that were here.
    ///
    /// # Errors
    /// [`WorldError`], naming the entity; what is here then is worth nothing.
    pub fn look(
        &mut self,
        entities: &Entities,
        transform: impl Fn(Entity) -> Option<Transform>,
    ) -> Result<(), WorldError> {
        let Self { ambients, volumes, zones, own } = self;
        ambients.clear();
        volumes.clear();
        zones.clear();
        own.clear();
        let refused = |component, field: Option<_>, entity| match field {
            Some(field) => Err(WorldError::Wind { entity, component, field }),
            None => Ok(()),
        };
        for (entity, wind) in listed::<AmbientWind>(entities) {
            refused("AmbientWind", wind.invalid_field(), entity)?;
            ambients.push((entity, wind));
        }
        for (entity, volume) in listed::<FluidVolume>(entities) {
            volume.check().map_err(|error| WorldError::Fluid { entity, error })?;
            let stands = transform(entity).ok_or(WorldError::NoTransform { entity })?;
            volumes.push((entity, rigid(entity, &stands)?, volume));
        }
        for (entity, zone) in listed::<WindZone>(entities) {
            refused("WindZone", zone.invalid_field(), entity)?;
            let stands = transform(entity).ok_or(WorldError::NoTransform { entity })?;
            zones.push((entity, rigid(entity, &stands)?, zone));
        }
        for (entity, WindSource(wind)) in listed::<WindSource>(entities) {
            let stands = match transform(entity) {
                Some(stands) => placed(entity, &stands)?.pose(),
                None => Pose::IDENTITY,
            };
            own.push((entity, stands, wind));
        }
        Ok(())
    }

    /// The volumes of simulated air, by number of their entities, and where they stand.
    pub(super) fn volumes(&self) -> &[(Entity, Pose, FluidVolume)] {
        &self.volumes
    }

    /// What blows everywhere (m/s), for who is in these layers and has this age (s).
    pub(super) fn ambient(&self, layer: u32, age: f64) -> [f64; 3] {
        let felt = self.ambients.iter().filter(|(_, wind)| wind.mask & layer != 0);
        felt.fold([0.0; 3], |sum, (_, wind)| add(sum, wind.at(age)))
    }

    /// All sources that layers let feel, in the order in which each changes what those before it left.
    fn sources<'s>(
        &'s self,
        kept: &'s Volumes,
        layer: u32,
    ) -> impl Iterator<Item = (&'s Pose, &'s dyn Wind)> {
        let ambients = self.ambients.iter().map(|(_, wind)| (&EVERYWHERE, wind as &dyn Wind));
        let stream =
            |(entity, stands, _): &'s (Entity, Pose, _)| Some((stands, kept.stream(*entity)? as &dyn Wind));
        let volumes = self.volumes.iter().filter_map(stream);
        let zones = self.zones.iter().map(|(_, stands, zone)| (stands, zone as &dyn Wind));
        let own = self.own.iter().map(|(_, stands, wind)| (stands, &**wind));
        ambients.chain(volumes).chain(zones).chain(own).filter(move |(_, wind)| wind.mask() & layer != 0)
    }

    /// Whether nothing but what blows everywhere alike can reach anybody.
    fn is_even(&self) -> bool {
        self.volumes.is_empty() && self.zones.is_empty() && self.own.is_empty()
    }

    /// The air of who asks. `bounds` is asked for the box he is in, and `points` for where he is, if it depends on that.
    pub fn blow(
        &self,
        kept: &Volumes,
        asker: Asker,
        room: &mut Room,
        bounds: impl FnOnce() -> Bounds,
        points: impl FnOnce(&mut Vec<[f64; 3]>),
    ) -> Blown {
        let within = if self.is_even() { Bounds::NONE } else { bounds() };
        let mut reach = Reach::Nowhere;
        for (stands, wind) in self.sources(kept, asker.layer) {
            match wind.reach(stands, &within) {
                Reach::Nowhere => {}
                Reach::Evenly if reach == Reach::Nowhere => reach = Reach::Evenly,
                Reach::Evenly => {}
                Reach::Unevenly => {
                    reach = Reach::Unevenly;
                    break;
                }
            }
        }
        let Room { at, air } = room;
        at.clear();
        match reach {
            Reach::Nowhere => return Blown::Nothing,
            Reach::Evenly => at.push([0, 1, 2].map(|axis| 0.5 * within.low[axis] + 0.5 * within.high[axis])),
            Reach::Unevenly => points(at),
        }
        air.clear();
        air.resize(at.len(), [0.0; 3]);
        let mut reached = false;
        for (stands, wind) in self.sources(kept, asker.layer) {
            if wind.reach(stands, &within) != Reach::Nowhere {
                reached |= wind.blow(stands, asker.age, at, air);
            }
        }
        let [first, rest @ ..] = air.as_slice() else { return Blown::Nothing };
        let same = |velocity: &[f64; 3]| velocity.map(f64::to_bits) == first.map(f64::to_bits);
        match (reached, rest.iter().all(same)) {
            (false, _) => Blown::Nothing,
            (true, true) => Blown::Evenly(*first),
            (true, false) => Blown::Each,
        }
    }
}

/// Where what blows everywhere stands.
const EVERYWHERE: Pose = Pose::IDENTITY;

/// The entities with a component, by number.
fn listed<T: Component + Clone>(entities: &Entities) -> Vec<(Entity, T)> {
    let mut listed: Vec<(Entity, T)> =
        entities.query::<(Entity, &T)>().iter().map(|(entity, it)| (entity, it.clone())).collect();
    listed.sort_unstable_by_key(|(entity, _)| entity.id());
    listed
}

/// A transform that is one.
fn placed(entity: Entity, stands: &Transform) -> Result<Transform, WorldError> {
    stands.checked().map_err(|fault| WorldError::Transform { entity, fault })
}

/// Where air that is not scaled stands.
fn rigid(entity: Entity, stands: &Transform) -> Result<Pose, WorldError> {
    let stands = placed(entity, stands)?;
    if stands.scale.map(f64::to_bits) != [1.0_f64.to_bits(); 3] {
        return Err(WorldError::ScaledAir { entity });
    }
    Ok(stands.pose())
}
