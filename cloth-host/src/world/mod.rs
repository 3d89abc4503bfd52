//! An entity world in which cloth lives: components, a fixed step, and what surrounds one cloth.
//!
//! A [`World`] is a [`hecs`] world and what the tick makes of it. Components are plain data and may be written between two
//! ticks as one likes; the tick notices. An entity with a [`Cloth`] is the **anchor** of a cloth: what is attached to it is the
//! cloth's nodes, and the tick writes where they are. docs/scene.md is the guide.
//!
//! ```
//! use cloth_host::world::{Attachment, Cloth, Collider, ClothCollider, Shape, Transform, World};
//! use cloth_core::library;
//!
//! let mut world = World::new();
//! // A hand, and a rope of ten links that hangs from it.
//! let hand = world.spawn((Transform::at([0.0, 2.0, 0.0]), Cloth::of(library::ROPE)));
//! let mut links = Vec::new();
//! let mut parent = hand;
//! for _ in 0..10 {
//!     let local = Transform::at([0.1, 0.0, 0.0]);
//!     parent = world.spawn((Transform::IDENTITY, Attachment { parent, local }));
//!     links.push(parent);
//! }
//! // A floor.
//! world.spawn((Transform::IDENTITY, Collider::new(Shape::Plane), ClothCollider::default()));
//!
//! // A second of frames at 90 Hz, in steps of 1/60 s.
//! for _ in 0..90 {
//!     world.advance(1.0 / 90.0)?;
//! }
//! let tip = world.entities().get::<&Transform>(links[9]).unwrap().translation;
//! assert!(tip[1] < 1.7, "it has fallen");
//!
//! // What an author changes works on the next step.
//! world.entities().get::<&mut Cloth>(hand).unwrap().dynamics.damping = 2.0;
//! world.tick()?;
//! assert!(world.diagnostics(hand).unwrap().max_strain < 0.05);
//! # Ok::<(), cloth_host::world::WorldError>(())
//! ```

// What is made here feeds a step.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod attachment;
mod authored;
mod clock;
mod cloth;
mod collider;
mod diagnostics;
mod error;
mod executor;
#[cfg(feature = "serde")]
pub mod file;
mod fingerprints;
mod flight;
mod gather;
pub(crate) mod inputs;
mod interpolate;
mod live;
mod published;
mod seed;
mod snapshot;
#[cfg(feature = "threads")]
mod threads;
mod tick;
mod transform;
mod wind;
pub(crate) mod words;
mod work;
mod write_back;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cloth_core::anchor::Teleport;
use cloth_core::bake::Shapes;
use cloth_core::{Fingerprint, Level, State};
pub use hecs;
use hecs::Entity;

pub use attachment::Attachment;
pub use clock::{Advance, Clock};
pub use cloth::{Cloth, ClothExclude, ClothMesh, ClothModel, ClothPin, ClothTargets, MeshSource, Rate};
pub use collider::{ClothCollider, Collider, Shape, WordsKind};
pub use diagnostics::{AirTold, ClothDiagnostics, Overflow};
pub use error::WorldError;
#[cfg(feature = "rayon")]
pub use executor::Rayon;
pub use executor::{Executor, ExecutorFault, Parallelism, Pipelined, Serial, Shuffled};
pub use fingerprints::{ClothFingerprints, Fingerprints};
pub use interpolate::Shown;
pub use snapshot::{ClothSize, Snapshot, Snapshots};
#[cfg(feature = "threads")]
pub use threads::Threads;
pub use transform::{FARTHEST, Transform, TransformFault};
pub use wind::{AmbientWind, Reach, Wind, WindSource, WindZone, ZoneBlend, ZoneShape};
pub use work::Work;

use crate::fluid::Fluid;
use crate::index::{ColliderIndex, Index};
use crate::pose::{Bounds, Pose};
use attachment::Cascade;
use authored::Authored;
use collider::Bodies;
use flight::Flight;
use live::Live;
use wind::{Asker, Blown, Room, Volumes, Weather};

/// Entities, and the cloth that lives among them.
pub struct World {
    entities: hecs::World,
    cascade: Cascade,
    bodies: Bodies,
    index: Index,
    shapes: Shapes,
    /// The words of the shapes as steps read them.
    words: Arc<Vec<u32>>,
    /// By number of their anchor.
    cloths: BTreeMap<u32, Live>,
    /// The sources of wind of the last tick; made anew for each.
    weather: Weather,
    volumes: Volumes,
    /// Room to sample them.
    room: Room,
    authored: Authored,
    clock: Clock,
    gravity: [f64; 3],
    flight: Flight,
    /// What went wrong in steps since the last answer of a tick: the first of it.
    late: Option<WorldError>,
    timed: bool,
    level: Level,
    /// How often the index has been told to begin a tick.
    ticks: u64,
    /// What was attached, excluded and pinned when subtrees were last looked at.
    noticed: Option<Fingerprint>,
    /// Which world this is, of all of this process: whose snapshot one is.
    identity: u64,
    /// Room for a list of all entities.
    listed: Vec<Entity>,
}

/// How many worlds there were.
static WORLDS: AtomicU64 = AtomicU64::new(0);

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}

impl World {
    /// An empty world of 60 steps a second, with a gravity of 9.81 m/s² along −Y.
    pub fn new() -> Self {
        let identity = 1 + WORLDS.fetch_add(1, Ordering::Relaxed);
        Self {
            entities: hecs::World::new(),
            cascade: Cascade::default(),
            bodies: Bodies::default(),
            index: Index::default(),
            shapes: Shapes::new(),
            words: Arc::default(),
            cloths: BTreeMap::new(),
            weather: Weather::default(),
            volumes: Volumes::default(),
            room: Room::default(),
            authored: Authored::default(),
            clock: Clock::default(),
            gravity: [0.0, -9.81, 0.0],
            flight: Flight::new(identity, Serial::default()),
            late: None,
            timed: false,
            level: Level::detect(),
            ticks: 0,
            noticed: None,
            identity,
            listed: Vec::new(),
        }
    }

    /// An empty world with a clock of its own.
    pub fn with_clock(clock: Clock) -> Self {
        Self { clock, ..Self::new() }
    }

    /// The entities.
    pub fn entities(&self) -> &hecs::World {
        &self.entities
    }

    /// The entities, to spawn, despawn and change.
    pub fn entities_mut(&mut self) -> &mut hecs::World {
        &mut self.entities
    }

    /// Spawns an entity with components.
    pub fn spawn(&mut self, components: impl hecs::DynamicBundle) -> Entity {
        self.entities.spawn(components)
    }

    /// Spawns an entity that stands at `local` relative to `parent`.
    pub fn attach(&mut self, parent: Entity, local: Transform) -> Entity {
        self.entities.spawn((Transform::IDENTITY, Attachment { parent, local }))
    }

    /// Despawns an entity and what is attached to it, at any depth; how many that were. Despawning an anchor alone would leave its
    /// nodes attached to nothing, which the next tick refuses.
    ///
    /// # Errors
    /// [`WorldError::NoSuchEntity`].
    pub fn despawn(&mut self, entity: Entity) -> Result<usize, WorldError> {
        if !self.entities.contains(entity) {
            return Err(WorldError::NoSuchEntity { entity });
        }
        let mut below: BTreeMap<u64, Vec<Entity>> = BTreeMap::new();
        for (child, attachment) in self.entities.query::<(Entity, &Attachment)>().iter() {
            below.entry(attachment.parent.to_bits().get()).or_default().push(child);
        }
        let (mut going, mut count) = (vec![entity], 0);
        while let Some(entity) = going.pop() {
            // Whoever is attached to itself through its parents is met twice.
            if self.entities.despawn(entity).is_ok() {
                count += 1;
                let mut children = below.remove(&entity.to_bits().get()).unwrap_or_default();
                // Numbers become free in the order in which they go: not that of archetypes, which nobody who goes back restores.
                children.sort_unstable_by_key(|child| child.id());
                going.extend(children);
            }
        }
        Ok(count)
    }

    /// The clock.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The clock, to pause.
    pub fn clock_mut(&mut self) -> &mut Clock {
        &mut self.clock
    }

    /// Gravity (m/s²).
    pub fn gravity(&self) -> [f64; 3] {
        self.gravity
    }

    /// Sets gravity (m/s²).
    ///
    /// # Errors
    /// [`WorldError::Gravity`].
    pub fn set_gravity(&mut self, gravity: [f64; 3]) -> Result<(), WorldError> {
        if !gravity.iter().all(|g| (-1.0e6..=1.0e6).contains(g)) {
            return Err(WorldError::Gravity);
        }
        self.gravity = gravity;
        Ok(())
    }

    /// Hulls, meshes and height fields that colliders are made from.
    pub fn shapes(&self) -> &Shapes {
        &self.shapes
    }

    /// The same, to add some.
    pub fn shapes_mut(&mut self) -> &mut Shapes {
        &mut self.shapes
    }

    /// The index of all colliders.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The index of all colliders, for groups of bodies that stand and are no entities ([`Index::insert_group`]). Words that they
    /// point into are those of [`World::shapes`]. Bodies of entities are the world's to tell of.
    pub fn index_mut(&mut self) -> &mut Index {
        &mut self.index
    }

    /// Who takes the steps from the next tick on. Steps in flight are waited for; they are written back when they would have been.
    pub fn set_executor(&mut self, executor: impl Executor + 'static) {
        self.flight.set_executor(executor);
    }

    /// The name of who takes the steps.
    pub fn executor(&self) -> &'static str {
        self.flight.name()
    }

    /// How many cloths are stepped at a time, why not as many as were asked for, and whether several threads shared the step of one
    /// in the last tick.
    pub fn parallelism(&self) -> Parallelism {
        self.flight.parallelism()
    }

    /// Waits for steps in flight and writes them back now instead of when the next tick begins. Where nothing is in flight, nothing
    /// happens. No step that follows is another for it.
    ///
    /// # Errors
    /// [`WorldError::Step`], [`WorldError::Panicked`], [`WorldError::Executor`]: of the steps that were in flight. What is attached
    /// to what is not there, or the like, the next tick says.
    pub fn settle(&mut self) -> Result<(), WorldError> {
        self.come_down();
        self.late.take().map_or(Ok(()), Err)
    }

    /// Whether diagnostics say what a step took. It reads the clock twice a step and changes no result.
    pub fn set_timed(&mut self, timed: bool) {
        self.timed = timed;
    }

    /// How many lanes steps are computed in from the next tick on: the widest this processor has unless told. It changes no bit.
    pub fn set_level(&mut self, level: Level) {
        self.level = level;
    }

    /// How a cloth was doing in the step that was written back last; `None` before its first tick.
    pub fn diagnostics(&self, anchor: Entity) -> Option<&ClothDiagnostics> {
        self.live(anchor).ok().map(|live| &live.diagnostics)
    }

    /// Positions of a cloth's vertices as they were published last, in the frame of [`World::stepped_anchor`] (m): of a mesh in
    /// its own order, of a subtree the anchor's and then the nodes'.
    pub fn positions(&self, anchor: Entity) -> Option<&[[f32; 3]]> {
        self.live(anchor).ok().map(Live::positions)
    }

    /// Where the anchor was when the step that was written back last ended.
    pub fn stepped_anchor(&self, anchor: Entity) -> Option<Pose> {
        self.live(anchor).ok().map(Live::anchor)
    }

    /// The entities that a cloth moves, in the order of its vertices from 1 on; none of a mesh.
    pub fn nodes(&self, anchor: Entity) -> impl Iterator<Item = Entity> + '_ {
        self.live(anchor).ok().into_iter().flat_map(|live| live.subtree.nodes.iter().map(|node| node.entity))
    }

    /// A cloth's state, after all its steps: one that is in flight is waited for, and written back when it would have been.
    pub fn state(&self, anchor: Entity) -> Option<&State<'_>> {
        self.live(anchor).ok().and_then(|live| self.work(live)).map(Work::state)
    }

    /// Does something with a cloth's state: holds a vertex, lets it go, restores a snapshot. It settles what is in flight first
    /// ([`World::settle`]); what that has to complain about, the next tick says.
    ///
    /// # Errors
    /// [`WorldError::NoSuchEntity`], [`WorldError::NoCloth`].
    pub fn with_state<T>(
        &mut self,
        anchor: Entity,
        work: impl FnOnce(&mut State<'_>) -> T,
    ) -> Result<T, WorldError> {
        self.live(anchor)?;
        self.come_down();
        self.live_mut(anchor)?.with_state(work).ok_or(WorldError::NoCloth { entity: anchor })
    }

    /// The air (m/s, world) that a cloth of these layers, as old as the oldest one here, would be told at points of the world (m), as
    /// sources stand now; `None` where none reaches any of the points, or one is such that the next tick refuses it.
    pub fn air(&self, points: &[[f64; 3]], layer: u32) -> Option<Vec<[f64; 3]>> {
        let (mut weather, mut room) = (Weather::default(), Room::default());
        weather
            .look(&self.entities, |entity| self.entities.get::<&Transform>(entity).ok().map(|at| *at))
            .ok()?;
        let age = self.cloths.values().map(Live::lived).fold(0.0, crate::pose::greater);
        let bounds = || points.iter().fold(Bounds::NONE, |bounds, point| bounds.with(*point));
        match weather
            .blow(&self.volumes, Asker { layer, age }, &mut room, bounds, |at| at.extend_from_slice(points))
        {
            Blown::Nothing => None,
            Blown::Evenly(velocity) => Some(vec![velocity; points.len()]),
            Blown::Each => Some(room.air),
        }
    }

    /// The air of an entity's volume as the last tick left it; `None` before the volume's first ([`World::prepare`] counts).
    pub fn fluid(&self, entity: Entity) -> Option<&Fluid> {
        self.volumes.fluid(entity)
    }

    /// A cloth's work, here or away.
    fn work<'w>(&'w self, live: &'w Live) -> Option<&'w Work> {
        live.work.as_ref().or_else(|| self.flight.peek(live.entity))
    }

    /// Wakes a cloth for what the world cannot see. What it sees wakes by itself.
    ///
    /// # Errors
    /// [`WorldError::NoSuchEntity`], [`WorldError::NoCloth`].
    pub fn wake(&mut self, anchor: Entity) -> Result<(), WorldError> {
        self.live_mut(anchor).map(Live::wake)
    }

    /// Says that what the anchor does until the next step is a jump.
    ///
    /// # Errors
    /// [`WorldError::NoSuchEntity`], [`WorldError::NoCloth`].
    pub fn teleport(&mut self, anchor: Entity, kind: Teleport) -> Result<(), WorldError> {
        self.live_mut(anchor).map(|live| live.teleport(kind))
    }

    /// Says that this part of what the anchor does until the next step carries the cloth along and is not felt: root motion, a
    /// lift, a vehicle. In the frame that the anchor had when the step began; several parts follow each other.
    ///
    /// # Errors
    /// [`WorldError::NoSuchEntity`], [`WorldError::NoCloth`]; [`WorldError::Transform`] for a pose that is none.
    pub fn carry(&mut self, anchor: Entity, part: Pose) -> Result<(), WorldError> {
        let live = self.live_mut(anchor)?;
        let fault = |fault| WorldError::Transform { entity: anchor, fault };
        live.carry(Transform::of(part).checked().map_err(fault)?.pose());
        Ok(())
    }

    /// Takes over the words of shapes from a file; `used` says where in them shapes lie.
    #[cfg(feature = "serde")]
    fn restore_shapes(
        &mut self,
        words: &[u32],
        used: impl Iterator<Item = (WordsKind, [u32; 2])>,
    ) -> Result<(), WorldError> {
        for (kind, data) in used {
            // Every word is looked at once, as whoever receives a shape has to.
            let shape = Shape::Words { kind, data };
            shape.record(words).map_err(|error| WorldError::Shapes { error })?;
        }
        self.shapes = Shapes::of_words(words.to_vec());
        Ok(())
    }

    fn live(&self, anchor: Entity) -> Result<&Live, WorldError> {
        if !self.entities.contains(anchor) {
            return Err(WorldError::NoSuchEntity { entity: anchor });
        }
        let live = self.cloths.get(&anchor.id()).filter(|live| live.entity == anchor);
        live.ok_or(WorldError::NoCloth { entity: anchor })
    }

    fn live_mut(&mut self, anchor: Entity) -> Result<&mut Live, WorldError> {
        if !self.entities.contains(anchor) {
            return Err(WorldError::NoSuchEntity { entity: anchor });
        }
        let live = self.cloths.get_mut(&anchor.id()).filter(|live| live.entity == anchor);
        live.ok_or(WorldError::NoCloth { entity: anchor })
    }
}

impl core::fmt::Debug for World {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("World")
            .field("entities", &self.entities.len())
            .field("cloths", &self.cloths.len())
            .field("colliders", &self.index.len())
            .field("clock", &self.clock)
            .finish_non_exhaustive()
    }
}
