//! Hashes of a tick: of the world, of each cloth, of each region of its state; and of what the host said, apart from that.

use cloth_core::{Fingerprint, Region};
use hecs::{Entity, EntityRef};

use super::live::Live;
use super::snapshot::mask;
use super::words::{Reader, Words, fields};
use super::{
    AmbientWind, Attachment, Cloth, ClothCollider, ClothTargets, Collider, Transform, WindZone, Work, World,
};
use crate::fluid::FluidVolume;
use crate::hash::Hasher;
use crate::index::ColliderIndex as _;

/// The fingerprints of one cloth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClothFingerprints {
    /// Its anchor.
    pub anchor: Entity,
    /// The whole state's.
    pub state: Fingerprint,
    /// Those of [`Region::ALL`], in that order.
    pub regions: [Fingerprint; Region::ALL.len()],
}

/// The fingerprints of a world after a tick. Equal values have equal ones on every machine: −0 counts as 0, and every NaN as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprints {
    /// The world's ([`World::fingerprint`]): states, colliders, and air in volumes.
    pub world: Fingerprint,
    /// Those of the colliders: what they are and where they stand.
    pub colliders: Fingerprint,
    /// That of the air in volumes; 0 where there is none.
    pub air: Fingerprint,
    /// By number of their anchors.
    pub cloths: Vec<ClothFingerprints>,
}

impl World {
    /// The fingerprints of everything, region by region. It hashes every state twice.
    pub fn fingerprints(&self) -> Fingerprints {
        let states = self.cloths.values().filter_map(|live| Some((live.entity, self.work(live)?)));
        let cloths = states.map(|(anchor, work): (Entity, &Work)| ClothFingerprints {
            anchor,
            state: work.state().fingerprint(),
            regions: work.state().region_fingerprints(),
        });
        let cloths: Vec<ClothFingerprints> = cloths.collect();
        let colliders = self.index.fingerprint();
        let air = self.volumes.fingerprint();
        let world = of_world(colliders, cloths.iter().map(|cloth| cloth.state), air);
        Fingerprints { world, colliders, air, cloths }
    }

    /// A hash of every cloth's state, of all colliders and of the air in volumes: equal worlds, equal hash. Numbers of entities are not in it, the
    /// order of anchors by number is. Steps in flight are waited for, as [`World::state`] does.
    pub fn fingerprint(&self) -> Fingerprint {
        let works = self.cloths.values().filter_map(|live| self.work(live));
        of_world(
            self.index.fingerprint(),
            works.map(|work| work.state().fingerprint()),
            self.volumes.fingerprint(),
        )
    }

    /// A hash of what the host said, as it stands before a tick, and of nothing that the world makes of it: gravity, the length of a step,
    /// what was asked for ([`World::teleport`] and its like), and all components but transforms that the tick writes. So two peers
    /// can tell whether they disagree because they were told different things. Numbers of entities are in it; of meshes, models
    /// and words of shapes only that they are there.
    pub fn input_fingerprint(&self) -> Fingerprint {
        let mut words = Vec::new();
        self.gravity.put(&mut words);
        self.clock.step().put(&mut words);
        for live in self.listening() {
            live.entity.put(&mut words);
            live.put_asked(&mut words);
        }
        let mut listed: Vec<Entity> = self.entities.iter().map(|entity| entity.entity()).collect();
        listed.sort_unstable_by_key(|entity| entity.id());
        for entity in listed {
            if let Ok(of) = self.entities.entity(entity) {
                entity.put(&mut words);
                put_inputs(of, self.said_local(of), &mut words);
            }
        }
        let mut hasher = Hasher::new();
        words.iter().for_each(|word| hasher.word(*word));
        hasher.finish()
    }

    /// The cloths that something may be asked of, by number of their anchors: not those that went, and are put away by the next tick.
    pub(super) fn listening(&self) -> impl Iterator<Item = &Live> {
        self.cloths.values().filter(|live| self.entities.satisfies::<&Cloth>(live.entity))
    }

    /// Where an attached entity is relative to its parent, if the host says so: not of who hangs where cloth moves it.
    pub(super) fn said_local(&self, of: EntityRef<'_>) -> Option<Transform> {
        let attachment = of.get::<&Attachment>()?;
        self.authored_local(of).is_none().then_some(attachment.local)
    }

    /// Where an entity that cloth moves was authored relative to the parent that it hangs on.
    pub(super) fn authored_local(&self, of: EntityRef<'_>) -> Option<Transform> {
        self.authored.local(of.entity(), of.get::<&Attachment>()?.parent)
    }
}

/// The fingerprint of a world from those of its colliders and of its cloths, by number of their anchors, and of its air. Where there is no
/// volume it is what it was before there could be one.
fn of_world(
    colliders: Fingerprint,
    cloths: impl Iterator<Item = Fingerprint>,
    air: Fingerprint,
) -> Fingerprint {
    let mut hasher = Hasher::new();
    hasher.long(colliders.0);
    cloths.for_each(|cloth| hasher.long(cloth.0));
    if air != Fingerprint(0) {
        hasher.long(air.0);
    }
    hasher.finish()
}

/// Writes down the components of an entity that its host says, not those that a tick writes. `local` is where it is relative to its
/// parent, if that is the host's to say.
pub(super) fn put_inputs(of: EntityRef<'_>, local: Option<Transform>, to: &mut Vec<u32>) {
    to.push(mask(of));
    match (of.get::<&Attachment>(), of.get::<&Transform>()) {
        (Some(attachment), _) => {
            attachment.parent.put(to);
            local.put(to);
        }
        (None, Some(transform)) => transform.put(to),
        (None, None) => {}
    }
    if let Some(cloth) = of.get::<&Cloth>() {
        cloth.put(to);
    }
    if let Some(targets) = of.get::<&ClothTargets>() {
        targets.put(to);
    }
    if let Some(collider) = of.get::<&Collider>() {
        collider.put(to);
    }
    if let Some(collider) = of.get::<&ClothCollider>() {
        collider.put(to);
    }
    if let Some(wind) = of.get::<&AmbientWind>() {
        wind.put(to);
    }
    if let Some(zone) = of.get::<&WindZone>() {
        zone.put(to);
    }
    if let Some(volume) = of.get::<&FluidVolume>() {
        volume.put(to);
    }
}

impl Words for Fingerprint {
    fn put(&self, to: &mut Vec<u32>) {
        self.0.put(to);
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        from.take().map(Self)
    }
}

impl Words for ClothFingerprints {
    fn put(&self, to: &mut Vec<u32>) {
        let Self { anchor, state, regions } = self;
        anchor.put(to);
        state.put(to);
        regions.iter().for_each(|region| region.put(to));
    }

    fn take(from: &mut Reader<'_>) -> Option<Self> {
        let (anchor, state) = from.take()?;
        let mut regions = [Fingerprint(0); Region::ALL.len()];
        for region in &mut regions {
            *region = from.take()?;
        }
        Some(Self { anchor, state, regions })
    }
}

fields! {
    Fingerprints { world, colliders, air, cloths }
}
