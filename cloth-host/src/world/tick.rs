//! One fixed step of a world.
//!
//! What may be refused is looked at first: an error leaves every cloth, collider and authored pose as it was; only where
//! attached entities are has been worked out. Then three loops, never one of three phases, so that a cloth hung on another sees
//! it as the last tick left it, whoever takes the steps and in which order.

use std::sync::Arc;

use cloth_core::Fingerprint;
use hecs::Entity;

use super::live::{Live, Tick};
use super::seed::{Authored, Recipe, Subtree};
use super::write_back::Skeleton;
use super::{
    Advance, Cloth, ClothExclude, ClothMesh, ClothModel, ClothPin, ClothTargets, Transform, Work, World,
    WorldError,
};
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
    /// the same happens at whatever rate frames come.
    ///
    /// # Errors
    /// As [`World::advance`].
    pub fn advance_with(
        &mut self,
        elapsed: f64,
        mut before: impl FnMut(&mut Self),
    ) -> Result<Advance, WorldError> {
        let (clock, advance) = self.clock.after(elapsed)?;
        let outcome = (0..advance.steps).try_for_each(|_| {
            before(self);
            self.tick()
        });
        self.clock = clock;
        outcome.map(|()| advance)
    }

    /// Takes one fixed step, whatever the clock says.
    ///
    /// # Errors
    /// [`WorldError`]: nothing was stepped, except where the variant says otherwise.
    pub fn tick(&mut self) -> Result<(), WorldError> {
        let anchors = self.take_in()?;
        let outcome = self.run(&anchors);
        self.cascade.look_again(&self.entities)?;
        self.cascade.write(&mut self.entities);
        outcome
    }

    /// Takes in what has been spawned, changed and despawned, without a step: cloths are seeded and can be shown, colliders stand
    /// where they are, and what moves from here to the next tick sweeps its way. A tick does so by itself.
    ///
    /// # Errors
    /// As [`World::tick`].
    pub fn prepare(&mut self) -> Result<(), WorldError> {
        self.take_in().map(drop)
    }

    /// Everything that comes before the first phase; the anchors, by number, and where they are.
    fn take_in(&mut self) -> Result<Anchors, WorldError> {
        self.cascade.look(&self.entities)?;
        self.cascade.write(&mut self.entities);
        if self.words.len() != self.shapes.words().len() {
            self.words = Arc::new(self.shapes.words().to_vec());
        }
        let changes = {
            let mut transforms = self.entities.query::<&Transform>();
            let transforms = transforms.view();
            self.bodies.look(&self.entities, &self.index, &self.words, |entity| transforms.get(entity))?
        };
        let (anchors, seeded) = self.look_at_cloths()?;

        self.index.advance(&self.words);
        self.ticks = self.ticks.wrapping_add(1);
        self.bodies.apply(changes, &mut self.index, &self.words);
        self.put_away(&anchors);
        for live in seeded {
            self.adopt(live);
        }
        self.notice_changed_subtrees();
        Ok(anchors)
    }

    /// Makes a cloth anew from what is attached to its anchor now, and from its authored pose.
    ///
    /// # Errors
    /// [`WorldError`]; the cloth is as it was.
    pub fn reseed(&mut self, anchor: Entity) -> Result<(), WorldError> {
        if !self.entities.contains(anchor) {
            return Err(WorldError::NoSuchEntity { entity: anchor });
        }
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
                Ok(live) if live.recipe.is_like(&recipe) => live.positions().len(),
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
            return Err(WorldError::Setting {
                entity,
                field: "the scale of an anchor with a ClothModel (1)",
            });
        }
        Ok((transform.pose(), Recipe::new(&cloth, mesh.as_deref(), model.as_deref(), scale)))
    }

    /// Makes a cloth, and changes nothing.
    fn seed(&self, entity: Entity, recipe: Recipe, anchor: Pose) -> Result<Live, WorldError> {
        let nothing = Authored::new();
        let before = self.live(entity).ok();
        let authored = before.map_or(&nothing, |live| &live.authored);
        let subtree = if recipe.is_subtree() {
            Subtree::walk(&self.entities, self.cascade.links(), entity, authored)
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

    /// Puts cloths away whose anchor or component went: what they moved gets its authored pose back.
    fn put_away(&mut self, anchors: &[(Entity, Pose)]) {
        let is_there = |live: &Live| {
            let place = anchors.binary_search_by_key(&live.entity.id(), |(entity, _)| entity.id());
            place.is_ok_and(|place| anchors[place].0 == live.entity)
        };
        let gone: Vec<u32> =
            self.cloths.iter().filter(|(_, live)| !is_there(live)).map(|(id, _)| *id).collect();
        for id in gone {
            if let Some(live) = self.cloths.remove(&id) {
                live.restore(&mut self.entities);
            }
        }
    }

    /// Takes a cloth in, in place of the one its anchor may have: everything that one moved is first put back.
    fn adopt(&mut self, live: Live) {
        if let Some(before) = self.cloths.insert(live.entity.id(), live) {
            before.restore(&mut self.entities);
        }
    }

    /// Compares what is attached to anchors with what cloths were made from, where anything may have changed.
    fn notice_changed_subtrees(&mut self) {
        let structure = self.structure();
        if self.noticed == Some(structure) {
            return;
        }
        self.noticed = Some(structure);
        for live in self.cloths.values_mut().filter(|live| live.recipe.is_subtree()) {
            let now = Subtree::walk(&self.entities, self.cascade.links(), live.entity, &live.authored);
            live.diagnostics.subtree_changed = !now.is_like(&live.subtree);
        }
    }

    /// A hash of who is attached, excluded, pinned or an anchor: what subtrees follow from.
    fn structure(&self) -> Fingerprint {
        let mut hasher = Hasher::new();
        hasher.long(self.cascade.structure().map_or(0, |structure| structure.0));
        let mut note = |entity: Entity| hasher.long(entity.to_bits().get());
        self.entities.query::<(Entity, &ClothExclude)>().iter().for_each(|(entity, _)| note(entity));
        self.entities.query::<(Entity, &ClothPin)>().iter().for_each(|(entity, _)| note(entity));
        self.entities.query::<(Entity, &Cloth)>().iter().for_each(|(entity, _)| note(entity));
        hasher.finish()
    }

    /// The three loops.
    fn run(&mut self, anchors: &[(Entity, Pose)]) -> Result<(), WorldError> {
        let tick = Tick {
            number: self.ticks,
            step: self.clock.step(),
            gravity: self.gravity,
            timed: self.timed,
            level: self.level,
        };
        let mut work = Vec::with_capacity(anchors.len());
        let mut stepped = Vec::with_capacity(anchors.len());
        for (entity, pose) in anchors {
            let Some(live) = self.cloths.get_mut(&entity.id()) else { continue };
            let Ok(cloth) = self.entities.get::<&Cloth>(*entity) else { continue };
            let targets = self.entities.get::<&ClothTargets>(*entity);
            let targets = targets.as_ref().ok().map(|targets| targets.0.as_slice());
            if let Some(mut each) = live.advance(&tick, &cloth, targets, *pose, &self.words, &self.index) {
                each.ticket = stepped.len();
                stepped.push(*entity);
                work.push(each);
            }
        }

        self.executor.start(work);
        let mut work = self.executor.join();
        // An executor may give them back in any order.
        work.sort_by_key(|each| each.ticket);

        let mut outcome = Ok(());
        for each in work {
            let Some(entity) = stepped.get(each.ticket).copied() else { continue };
            let Some(live) = self.cloths.get_mut(&entity.id()) else { continue };
            let cloth = self.entities.get::<&Cloth>(entity).map(|cloth| *cloth);
            let Ok(cloth) = cloth else { continue };
            let has_targets = self.entities.satisfies::<&ClothTargets>(entity);
            if let Err(error) = live.finish(each, &cloth, has_targets, &mut self.entities)
                && outcome.is_ok()
            {
                outcome = Err(WorldError::Step { entity, error });
            }
        }
        outcome
    }
}

/// Anchors by number, and where they are.
type Anchors = Vec<(Entity, Pose)>;

/// The first setting of a cloth that no step could use.
fn invalid_field(cloth: &Cloth) -> Option<&'static str> {
    let Cloth { dynamics, density, blend, colliders, limits, escape, .. } = cloth;
    if let Some(field) = dynamics.invalid_field() {
        return Some(field);
    }
    let fields = [
        ((0.0..=1.0).contains(blend), "blend"),
        (density.is_none_or(|density| density > 0.0 && density < f32::INFINITY), "density"),
        ((1..=256).contains(colliders), "colliders"),
        (limits.distance >= 0.0, "limits.distance"),
        (limits.angle >= 0.0, "limits.angle"),
        (escape.invalid_field().is_none(), "escape"),
    ];
    fields.iter().find(|(good, _)| !good).map(|(_, name)| *name)
}
