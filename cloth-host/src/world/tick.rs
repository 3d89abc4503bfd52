//! One fixed step of a world.
//!
//! What may be refused is looked at first: an error leaves every cloth, collider and authored pose as it was; only where
//! attached entities are has been worked out. Then three loops, never one of three phases, so that a cloth hung on another sees
//! it as the last tick left it, whoever takes the steps and in which order.

use std::sync::Arc;

use cloth_core::Fingerprint;
use cloth_core::anchor::Teleport;
use cloth_core::step::MOST_SUBSTEPS;
use hecs::{Entity, Or, With};

use super::live::{Live, Scene, Sky, Tick};
use super::seed::{Recipe, Subtree};
use super::work::Unstepped;
use super::write_back::Skeleton;
use super::{
    Advance, Attachment, Cloth, ClothCollider, ClothExclude, ClothMesh, ClothModel, ClothPin, ClothTargets,
    Transform, WindSource, WindZone, Work, World, WorldError,
};
use crate::fluid::FluidVolume;
use crate::hash::Hasher;
use crate::index::ColliderIndex;
use crate::pose::Pose;

impl World {
    /// Lets `elapsed` (s) go by: as many fixed steps as it has room for, at most the clock's most; what is left is kept for the next
    /// call, and whole steps beyond are dropped and counted.
    ///
    /// # Errors
    /// [`WorldError::Elapsed`]; and what [`World::tick`] refuses: the steps before it were taken, and the rest of the time is
    /// dropped.
    pub fn advance(&mut self, elapsed: f64) -> Result<Advance, WorldError> {
        self.advance_with(elapsed, |_| ())
    }

    /// [`World::advance`], with something to do before every fixed step: where what a host moves step by step goes on, so that
    /// the same happens at whatever rate frames come. Whoever pauses the clock there stops before that step, and the steps that
    /// were left are not made up for.
    ///
    /// # Errors
    /// As [`World::advance`].
    pub fn advance_with(
        &mut self,
        elapsed: f64,
        mut before: impl FnMut(&mut Self),
    ) -> Result<Advance, WorldError> {
        let (clock, due) = self.clock.after(elapsed)?;
        // What is done to the clock between steps stays done.
        self.clock = clock;
        for taken in 0..due.steps {
            before(self);
            if self.clock.is_paused() {
                self.clock.give_back(due.steps - taken);
                return Ok(Advance { steps: taken, ..due });
            }
            self.tick()?;
        }
        Ok(due)
    }

    /// Takes one fixed step, whatever the clock says.
    ///
    /// # Errors
    /// [`WorldError`]: nothing was stepped, except where the variant says otherwise. Of a step that was in flight the tick after it
    /// says what went wrong.
    pub fn tick(&mut self) -> Result<(), WorldError> {
        let pipelined = self.flight.is_pipelined();
        let (anchors, restored) = self.take_in(pipelined)?;
        self.hand_over(&anchors);
        if !pipelined {
            self.write_back(false);
        }
        if restored || !pipelined {
            self.cascade.look_again(&self.entities)?;
            self.cascade.write(&mut self.entities);
        }
        self.late.take().map_or(Ok(()), Err)
    }

    /// Takes in what has been spawned, changed and despawned, without a step: cloths are seeded and can be shown, colliders stand
    /// where they are, and what moves from here to the next tick sweeps its way. A tick does so by itself.
    ///
    /// # Errors
    /// As [`World::tick`].
    pub fn prepare(&mut self) -> Result<(), WorldError> {
        self.take_in(false)?;
        self.cascade.look_again(&self.entities)?;
        self.cascade.write(&mut self.entities);
        Ok(())
    }

    /// Everything that comes before the first phase; the anchors, by number, and where they are, and whether anything attached was
    /// put back to where it was authored. `whole` where nobody works out where everything is when that is done: what neither is
    /// met nor carries a cloth, no phase asks for.
    ///
    /// What is in flight comes first: whatever is looked at here is as if it had been written back when the last tick ended.
    fn take_in(&mut self, whole: bool) -> Result<(Anchors, bool), WorldError> {
        self.write_back(true);
        if whole {
            self.cascade.look(&self.entities)?;
        } else {
            let mut cloths = self.entities.query::<With<Entity, &Cloth>>();
            let mut colliders = self.entities.query::<With<Entity, &ClothCollider>>();
            let mut zones =
                self.entities.query::<With<Entity, Or<&WindZone, Or<&FluidVolume, &WindSource>>>>();
            let asked = cloths.iter().chain(colliders.iter()).chain(zones.iter());
            self.cascade.look_for(&self.entities, asked)?;
        }
        self.cascade.write(&mut self.entities);
        let taken = self.take_in_placed();
        if taken.is_err() && !whole {
            // There is no second time: after an error too everything is written where it is.
            self.place_all();
        }
        taken
    }

    /// [`World::take_in`], once it is known where things are.
    fn take_in_placed(&mut self) -> Result<(Anchors, bool), WorldError> {
        if self.words.len() != self.shapes.words().len() {
            self.words = Arc::new(self.shapes.words().to_vec());
        }
        let changes = {
            let mut transforms = self.entities.query::<&Transform>();
            let transforms = transforms.view();
            self.weather.look(&self.entities, |entity| transforms.get(entity).copied())?;
            self.bodies.look(&self.entities, &self.index, &self.words, |entity| transforms.get(entity))?
        };
        let made = self.volumes.look(&self.weather)?;
        let (anchors, seeded) = self.look_at_cloths()?;

        self.index.advance(&self.words);
        self.ticks = self.ticks.wrapping_add(1);
        self.bodies.apply(changes, &mut self.index, &self.words);
        self.volumes.apply(made, &self.weather);
        let mut restored = self.put_away(&anchors);
        for live in seeded {
            restored |= self.adopt(live);
        }
        self.notice_changed_subtrees();
        Ok((anchors, restored))
    }

    /// Makes a cloth anew from what is attached to its anchor now, and from its authored pose. It settles what is in flight first
    /// ([`World::settle`]); what that has to complain about, the next tick says.
    ///
    /// # Errors
    /// [`WorldError`]; the cloth is as it was.
    pub fn reseed(&mut self, anchor: Entity) -> Result<(), WorldError> {
        if !self.entities.contains(anchor) {
            return Err(WorldError::NoSuchEntity { entity: anchor });
        }
        self.write_back(false);
        self.cascade.look(&self.entities)?;
        self.cascade.write(&mut self.entities);
        let (pose, recipe) = self.recipe(anchor)?;
        let live = self.seed(anchor, recipe, pose)?;
        self.adopt(live);
        self.cascade.look(&self.entities)?;
        self.cascade.write(&mut self.entities);
        Ok(())
    }

    /// Every anchor, by number, and the cloths that have to be made.
    fn look_at_cloths(&self) -> Result<(Anchors, Vec<Live>), WorldError> {
        let mut anchors: Vec<Entity> =
            self.entities.query::<(Entity, &Cloth)>().iter().map(|(entity, _)| entity).collect();
        anchors.sort_unstable_by_key(|entity| entity.id());
        let (mut poses, mut seeded) = (Vec::with_capacity(anchors.len()), Vec::new());
        for entity in anchors {
            let (pose, recipe) = self.recipe(entity)?;
            let vertices = match self.live(entity) {
                // One whose state was lost is made anew.
                Ok(live) if live.work.is_some() && live.recipe.is_like(&recipe) => live.positions().len(),
                _ => {
                    let live = self.seed(entity, recipe, pose)?;
                    let vertices = live.positions().len();
                    seeded.push(live);
                    vertices
                }
            };
            self.check_targets(entity, vertices)?;
            poses.push((entity, pose));
        }
        Ok((poses, seeded))
    }

    /// Where an anchor is and what its cloth is to be made from, its settings checked.
    fn recipe(&self, entity: Entity) -> Result<(Pose, Recipe), WorldError> {
        let parts = (
            self.entities.get::<&Cloth>(entity),
            self.entities.get::<&Transform>(entity),
            self.entities.get::<&ClothMesh>(entity),
            self.entities.get::<&ClothModel>(entity),
        );
        let (cloth, transform, mesh, model) = parts;
        let cloth = cloth.map_err(|_| WorldError::NoCloth { entity })?;
        let transform = transform.map_err(|_| WorldError::NoTransform { entity })?;
        let transform = transform.checked().map_err(|fault| WorldError::Transform { entity, fault })?;
        let scale = transform.uniform_scale().ok_or(WorldError::NonUniformScale { entity })?;
        if let Some(field) = invalid_field(&cloth) {
            return Err(WorldError::Setting { entity, field });
        }
        let (mesh, model) = (mesh.ok(), model.ok());
        if model.is_some() && scale.to_bits() != 1.0_f64.to_bits() {
            return Err(WorldError::ScaledModel { entity });
        }
        Ok((transform.pose(), Recipe::new(&cloth, mesh.as_deref(), model.as_deref(), scale)))
    }

    /// Makes a cloth, and changes nothing.
    fn seed(&self, entity: Entity, recipe: Recipe, anchor: Pose) -> Result<Live, WorldError> {
        let subtree = if recipe.is_subtree() {
            Subtree::walk(&self.entities, self.cascade.links(), entity, &self.authored)
        } else {
            Subtree::default()
        };
        let poses = subtree.poses(recipe.scale())?;
        let model = recipe.build(entity, &subtree, &poses)?;
        let work = Work::seed(model).map_err(|error| WorldError::State { entity, error })?;
        let blend = self.entities.get::<&Cloth>(entity).map_or(1.0, |cloth| cloth.blend);
        let skeleton = Skeleton::new(&subtree, poses);
        Ok(Live::new(entity, recipe, Arc::new(subtree), skeleton, work, anchor, blend))
    }

    fn check_targets(&self, entity: Entity, vertices: usize) -> Result<(), WorldError> {
        let Ok(targets) = self.entities.get::<&ClothTargets>(entity) else { return Ok(()) };
        let given = targets.0.len();
        if given != vertices {
            let expected = u32::try_from(vertices).unwrap_or(u32::MAX);
            return Err(WorldError::TargetCount { entity, expected, given });
        }
        let far = |target: &[f32; 3]| !target.iter().all(|x| (-1.0e6..=1.0e6).contains(x));
        match (0..).zip(&targets.0).find(|(_, target)| far(target)) {
            Some((vertex, _)) => Err(WorldError::Target { entity, vertex }),
            None => Ok(()),
        }
    }

    /// Puts cloths away whose anchor or component went: what they moved gets its authored pose back. Whether there were any.
    fn put_away(&mut self, anchors: &[(Entity, Pose)]) -> bool {
        let is_there = |live: &Live| {
            let place = anchors.binary_search_by_key(&live.entity.id(), |(entity, _)| entity.id());
            place.is_ok_and(|place| anchors[place].0 == live.entity)
        };
        let gone: Vec<u32> =
            self.cloths.iter().filter(|(_, live)| !is_there(live)).map(|(id, _)| *id).collect();
        for id in &gone {
            if let Some(live) = self.cloths.remove(id) {
                self.authored.give_back(live.entity, &live.subtree, &mut self.entities);
            }
        }
        !gone.is_empty()
    }

    /// Takes a cloth in, in place of the one its anchor may have: everything that one moved is first put back. Whether there was one.
    fn adopt(&mut self, live: Live) -> bool {
        let before = self.cloths.remove(&live.entity.id());
        if let Some(before) = &before {
            self.authored.give_back(before.entity, &before.subtree, &mut self.entities);
        }
        self.authored.take(live.entity, &live.subtree, &mut self.entities);
        self.cloths.insert(live.entity.id(), live);
        before.is_some()
    }

    /// Compares what is attached to anchors with what cloths were made from, where anything may have changed.
    fn notice_changed_subtrees(&mut self) {
        let structure = self.structure();
        if self.noticed == Some(structure) {
            return;
        }
        self.noticed = Some(structure);
        for live in self.cloths.values_mut().filter(|live| live.recipe.is_subtree()) {
            let now = Subtree::walk(&self.entities, self.cascade.links(), live.entity, &self.authored);
            live.diagnostics.subtree_changed = !now.is_like(&live.subtree);
            self.authored.claim(live.entity, &live.subtree, &now);
        }
    }

    /// A hash of who is attached, excluded, pinned or an anchor: what subtrees follow from.
    fn structure(&self) -> Fingerprint {
        let mut hasher = Hasher::new();
        hasher.long(self.cascade.structure().map_or(0, |structure| structure.0));
        let mut note =
            |entity: Option<Entity>| hasher.long(entity.map_or(0, |entity| entity.to_bits().get()));
        self.entities.query::<(Entity, &ClothExclude)>().iter().for_each(|(entity, _)| note(Some(entity)));
        // No entity has the bits that end a list.
        note(None);
        self.entities.query::<(Entity, &ClothPin)>().iter().for_each(|(entity, _)| note(Some(entity)));
        note(None);
        self.entities.query::<(Entity, &Cloth)>().iter().for_each(|(entity, _)| note(Some(entity)));
        hasher.finish()
    }

    /// The air, the first loop, and the start of the second.
    fn hand_over(&mut self, anchors: &[(Entity, Pose)]) {
        let tick = Tick {
            number: self.ticks,
            step: self.clock.step(),
            gravity: self.gravity,
            timed: self.timed,
            level: self.level,
        };
        let flight = &mut self.flight;
        let mut share = |parts: &mut [&mut (dyn FnMut() + Send)]| flight.share(parts);
        self.volumes.step(&self.weather, tick.step, &self.index, &self.words, &mut share);
        let sky = Sky { weather: &self.weather, volumes: &self.volumes, room: &mut self.room };
        let mut scene = Scene { shapes: &self.words, index: &self.index, sky };
        let mut work = Vec::with_capacity(anchors.len());
        for (entity, pose) in anchors {
            let Some(live) = self.cloths.get_mut(&entity.id()) else { continue };
            let Ok(cloth) = self.entities.get::<&Cloth>(*entity) else { continue };
            let targets = self.entities.get::<&ClothTargets>(*entity);
            let targets = targets.as_ref().ok().map(|targets| targets.0.as_slice());
            if let Some(each) = live.advance(&tick, &cloth, targets, *pose, &mut scene) {
                work.push((*entity, each));
            }
        }
        self.flight.start(work);
    }

    /// The end of the second loop, and the third, for whoever is in flight. `late` where that is when the next tick begins.
    fn write_back(&mut self, late: bool) {
        if !self.flight.is_out() {
            return;
        }
        let mut stepped = Vec::new();
        for (entity, work) in self.flight.land() {
            let fault = match &work {
                Ok(work) => work.fault(),
                Err(fault) => Some(*fault),
            };
            let executor = self.flight.name();
            let mut error = fault.map(|fault| WorldError::Executor { executor, entity, fault });
            // Taken back from the very cloth that handed it over, never by one of the same number.
            let live = self.cloths.get_mut(&entity.id()).filter(|live| live.entity == entity);
            if let (Some(live), Ok(work)) = (live, work) {
                match live.finish(work, &self.authored, &mut self.entities, late) {
                    Ok(()) => stepped.push(entity),
                    Err(Unstepped::Refused(why)) => error = Some(WorldError::Step { entity, error: why }),
                    Err(Unstepped::Panicked(message)) => {
                        error = Some(WorldError::Panicked { entity, message })
                    }
                }
            }
            if self.late.is_none() {
                self.late = error;
            }
        }
        self.carry_nested(&stepped);
    }

    /// Writes back what is in flight, and where that leaves what is attached, as a tick that is not pipelined does when it ends.
    pub(super) fn come_down(&mut self) {
        if self.flight.is_out() {
            self.write_back(false);
            self.place_all();
        }
    }

    /// Writes where everything attached is, if that can be told: what is wrong with the hierarchy, the next tick says.
    fn place_all(&mut self) {
        if self.cascade.look(&self.entities).is_ok() {
            self.cascade.write(&mut self.entities);
        }
    }

    /// What hangs on a node of a cloth that was reset in this tick sees it jump to its target in the next, which is no motion.
    fn carry_nested(&mut self, stepped: &[Entity]) {
        let live = |entity: &Entity| self.cloths.get(&entity.id());
        let was_reset = |live: &&Live| live.diagnostics.teleported == Some(Teleport::Reset);
        let reset: Vec<&Live> = stepped.iter().filter_map(live).filter(was_reset).collect();
        if reset.is_empty() {
            return;
        }
        // Up from an anchor to a node that jumps, if there is one. A cycle that somebody made since the last look is none of ours.
        let most = self.entities.len() as usize;
        let jumps = |live: &Live| {
            let above = |entity: &Entity| {
                self.entities.get::<&Attachment>(*entity).ok().map(|attachment| attachment.parent)
            };
            let moved =
                |entity: Entity| reset.iter().any(|outer| self.authored.is_moved_by(entity, outer.entity));
            core::iter::successors(above(&live.entity), above).take(most).any(moved)
        };
        let jumping: Vec<u32> =
            self.cloths.iter().filter(|(_, live)| jumps(live)).map(|(id, _)| *id).collect();
        for id in jumping {
            if let Some(live) = self.cloths.get_mut(&id) {
                live.follow();
            }
        }
    }
}

/// Most colliders that a cloth may ask room for.
pub(super) const MOST_COLLIDERS: u32 = 256;

/// Anchors by number, and where they are.
type Anchors = Vec<(Entity, Pose)>;

/// The first setting of a cloth that no step could use.
fn invalid_field(cloth: &Cloth) -> Option<&'static str> {
    let Cloth { dynamics, density, blend, colliders, most_substeps, limits, escape, .. } = cloth;
    if let Some(field) = dynamics.invalid_field() {
        return Some(field);
    }
    let fields = [
        ((0.0..=1.0).contains(blend), "blend"),
        (density.is_none_or(|density| density > 0.0 && density < f32::INFINITY), "density"),
        ((1..=MOST_COLLIDERS).contains(colliders), "colliders"),
        (*most_substeps <= MOST_SUBSTEPS, "most_substeps"),
        (limits.distance >= 0.0, "limits.distance"),
        (limits.angle >= 0.0, "limits.angle"),
    ];
    let escape = escape.invalid_field().map(|field| match field {
        "strain" => "escape.strain",
        "distance" => "escape.distance",
        "steps" => "escape.steps",
        _ => "escape.window",
    });
    fields.iter().find(|(good, _)| !good).map(|(_, name)| *name).or(escape)
}
