//! Random programs against the entity world: whatever a host does, in whatever order, nothing panics, is lost, is there twice or is
//! no number, errors change nothing, the authored pose comes back, and no bit depends on who else is there or who steps.
//!
//! `CLOTH_PROGRAMS=5000 cargo test --release -p cloth-host --test world_program` for more of them.
#![cfg(feature = "io")]

mod dice;

use std::collections::BTreeMap;

use cloth_core::anchor::{Teleport, TeleportLimits};
use cloth_core::step::Escape;
use cloth_core::{Vec3, library};
use cloth_host::index::{Body, ColliderIndex, Group};
use cloth_host::pose::{Pose, narrow};
use cloth_host::world::file::WorldFile;
use cloth_host::world::hecs::{self, Entity};
use cloth_host::world::{
    Attachment, Cloth, ClothCollider, ClothExclude, ClothMesh, ClothPin, ClothTargets, Collider, MeshSource,
    Rate, Shape, Shuffled, Transform, World, WorldError,
};

use dice::Dice;

/// A world and what is known of it from outside.
struct Play {
    world: World,
    /// In the order of spawning, whatever their numbers.
    entities: Vec<Entity>,
    /// Local transforms as the program said them, by place in `entities`.
    local: BTreeMap<usize, Transform>,
    groups: Vec<(Group, usize)>,
    /// Bodies that are not the program's.
    strange_bodies: usize,
    taken: u32,
    refused: u32,
    trace: bool,
}

impl Play {
    fn new(strange: bool) -> Self {
        let mut world = World::new();
        let mut strange_bodies = 0;
        if strange {
            for i in 0..3_u8 {
                let at = [5.0e6, f64::from(i) * 7.0, 0.0];
                let anchor = world.spawn((Transform::at(at), Cloth::of(library::ROPE)));
                let node = world.attach(anchor, Transform::at([0.1, 0.0, 0.0]));
                world.attach(node, Transform::at([0.1, 0.0, 0.0]));
                let ball = Collider::new(Shape::Sphere { radius: 0.3 });
                world.spawn((Transform::at(at), ball, ClothCollider::default()));
                strange_bodies += 1;
            }
            world.set_executor(Shuffled::new(7));
        }
        let trace = std::env::var_os("CLOTH_TRACE").is_some() && !strange;
        Self {
            world,
            entities: Vec::new(),
            local: BTreeMap::new(),
            groups: Vec::new(),
            strange_bodies,
            taken: 0,
            refused: 0,
            trace,
        }
    }

    fn has<T: hecs::Component>(&self, entity: Entity) -> bool {
        self.world.entities().satisfies::<&T>(entity)
    }

    /// A random one that is there, and has the component.
    fn any<T: hecs::Component>(&self, dice: &mut Dice) -> Option<(usize, Entity)> {
        let there: Vec<usize> =
            (0..self.entities.len()).filter(|at| self.has::<T>(self.entities[*at])).collect();
        if there.is_empty() {
            return None;
        }
        let at = dice.of(&there);
        Some((at, self.entities[at]))
    }

    fn edit<T: hecs::Component>(&self, entity: Entity, change: impl FnOnce(&mut T)) {
        if let Ok(mut it) = self.world.entities().get::<&mut T>(entity) {
            change(&mut it);
        }
    }

    fn attach(&mut self, parent: Entity, local: Transform) -> Entity {
        let child = self.world.attach(parent, local);
        self.local.insert(self.entities.len(), local);
        self.entities.push(child);
        child
    }

    fn is_below(&self, entity: Entity, top: Entity) -> bool {
        let mut at = entity;
        for _ in 0..1000 {
            if at == top {
                return true;
            }
            match self.world.entities().get::<&Attachment>(at) {
                Ok(attachment) => at = attachment.parent,
                Err(_) => return false,
            }
        }
        true
    }

    fn despawn(&mut self, entity: Entity) {
        // What hangs on it goes too, or the tick would name it.
        let below: Vec<Entity> = self
            .entities
            .iter()
            .copied()
            .filter(|e| self.world.entities().contains(*e) && self.is_below(*e, entity))
            .collect();
        for entity in below {
            let _ = self.world.entities_mut().despawn(entity);
        }
    }

    fn mesh(scale: f32) -> ClothMesh {
        let at = |i: u8| [f32::from(i % 4) * 0.1 * scale, 0.0, f32::from(i / 4) * 0.1 * scale];
        let positions = (0..16).map(at).collect();
        let cell = |c: u32| [[c, c + 4, c + 1], [c + 1, c + 4, c + 5]];
        let triangles =
            (0..3).flat_map(|row| (0..3).flat_map(move |column| cell(row * 4 + column))).collect();
        ClothMesh::new(MeshSource { positions, triangles, pins: vec![0, 3], weld: None })
    }

    fn act(&mut self, dice: &mut Dice) {
        let what = dice.below(34);
        if self.trace {
            println!("  op {what}");
        }
        match what {
            0 => {
                let at = if dice.one_in(8) { [1.0e7, -2.0e6, 3.0] } else { dice.vector(2.0) };
                let mut transform = Transform::at(at);
                transform.rotation = dice.rotation();
                let cloth = Cloth::of(dice.of(&[library::ROPE, library::CHAIN, library::SILK]));
                let anchor = self.world.spawn((transform, cloth));
                self.entities.push(anchor);
                let mut parent = anchor;
                for _ in 0..1 + dice.below(6) {
                    let mut local = Transform::at([0.1, dice.unit() * 0.05, 0.0]);
                    if dice.one_in(3) {
                        local.rotation = dice.rotation();
                    }
                    let child = self.attach(parent, local);
                    if !dice.one_in(4) {
                        parent = child;
                    }
                }
            }
            1 => {
                let cloth = Cloth::of(dice.of(&[library::SILK, library::DENIM]));
                let anchor = self.world.spawn((Transform::at(dice.vector(2.0)), cloth, Self::mesh(1.0)));
                self.entities.push(anchor);
            }
            2 | 3 => {
                if let Some((_, parent)) = self.any::<Transform>(dice) {
                    let mut local = Transform::at([0.1, dice.unit() * 0.1, dice.unit() * 0.1]);
                    if dice.one_in(5) {
                        local.scale = [0.5 + dice.unit() * 0.2; 3];
                    }
                    let child = self.attach(parent, local);
                    if dice.one_in(3) {
                        let _ = self.world.entities_mut().insert_one(child, ClothExclude);
                    }
                    if dice.one_in(4) {
                        let ball = Collider::new(Shape::Sphere { radius: 0.05 });
                        let _ = self.world.entities_mut().insert(child, (ball, ClothCollider::default()));
                    }
                }
            }
            4 => {
                if let Some((_, entity)) = self.any::<Transform>(dice) {
                    self.despawn(entity);
                }
            }
            5 => {
                if let Some((_, entity)) = self.any::<Cloth>(dice) {
                    let _ = self.world.entities_mut().remove_one::<Cloth>(entity);
                    if self.has::<ClothTargets>(entity) && dice.one_in(2) {
                        let _ = self.world.entities_mut().remove_one::<ClothTargets>(entity);
                    }
                }
            }
            6 => {
                if let Some((_, entity)) = self.any::<Transform>(dice) {
                    let _ = self.world.entities_mut().insert_one(entity, Cloth::of(library::ROPE));
                }
            }
            7 => {
                if let Some((_, entity)) = self.any::<Attachment>(dice) {
                    if self.has::<ClothExclude>(entity) {
                        let _ = self.world.entities_mut().remove_one::<ClothExclude>(entity);
                    } else {
                        let _ = self.world.entities_mut().insert_one(entity, ClothExclude);
                    }
                }
            }
            8 => {
                if let Some((_, entity)) = self.any::<Attachment>(dice) {
                    if self.has::<ClothPin>(entity) {
                        let _ = self.world.entities_mut().remove_one::<ClothPin>(entity);
                    } else {
                        let _ = self.world.entities_mut().insert_one(entity, ClothPin);
                    }
                }
            }
            9 => {
                // Elsewhere, on a parent it never had.
                let (child, parent) = (self.any::<Attachment>(dice), self.any::<Transform>(dice));
                if let (Some((at, child)), Some((_, parent))) = (child, parent)
                    && !self.is_below(parent, child)
                {
                    let local = Transform::at([0.12, dice.unit() * 0.1, 0.0]);
                    let holder = self.world.attach(parent, Transform::at([0.1, 0.0, 0.0]));
                    self.local.insert(self.entities.len(), Transform::at([0.1, 0.0, 0.0]));
                    self.entities.push(holder);
                    self.edit(child, |attachment: &mut Attachment| {
                        *attachment = Attachment { parent: holder, local }
                    });
                    self.local.insert(at, local);
                }
            }
            10 => {
                if let Some((_, entity)) = self.any::<Cloth>(dice) {
                    let density = dice.of(&[None, Some(0.2_f32), Some(1.0e-6), Some(1.0e6)]);
                    let colliders = dice.of(&[1_u32, 2, 64, 256]);
                    let stiff = dice.one_in(3);
                    self.edit(entity, |cloth: &mut Cloth| {
                        (cloth.density, cloth.colliders, cloth.stiff_bend) = (density, colliders, stiff);
                    });
                }
            }
            11 | 12 => {
                if let Some((_, entity)) = self.any::<Cloth>(dice) {
                    let (visible, rate) =
                        (!dice.one_in(3), dice.of(&[Rate::Every, Rate::Second, Rate::Fourth]));
                    self.edit(entity, |cloth: &mut Cloth| (cloth.visible, cloth.rate) = (visible, rate));
                }
            }
            13 => {
                if let Some((_, entity)) = self.any::<Cloth>(dice) {
                    let blend = dice.of(&[0.0_f32, 0.3, 1.0]);
                    self.edit(entity, |cloth: &mut Cloth| cloth.blend = blend);
                }
            }
            14 => {
                if let Some((_, entity)) = self.any::<Cloth>(dice) {
                    let (inertia, damping) = (dice.of(&[0.0_f32, 0.5, 1.0]), dice.of(&[0.1_f32, 4.0, 20.0]));
                    let gone = dice.of(&[Some(Teleport::Keep), Some(Teleport::Reset), None]);
                    let (distance, angle) =
                        (dice.of(&[0.0_f32, 1.0, f32::INFINITY]), dice.of(&[0.0_f32, 0.5, f32::INFINITY]));
                    self.edit(entity, |cloth: &mut Cloth| {
                        (cloth.dynamics.inertia, cloth.dynamics.damping) = (inertia, damping);
                        cloth.limits = TeleportLimits { distance, angle, beyond: gone };
                    });
                }
            }
            15 => {
                if let Some((_, entity)) = self.any::<Cloth>(dice) {
                    let strain = dice.of(&[0.01_f32, 0.05, f32::INFINITY]);
                    let distance = dice.of(&[1.0e-3_f32, 0.1, f32::INFINITY]);
                    let (steps, window) = (dice.of(&[0_u32, 1, 5]), dice.of(&[1_u32, 3, 60_000]));
                    self.edit(entity, |cloth: &mut Cloth| {
                        cloth.escape = Escape { strain, distance, steps, window }
                    });
                }
            }
            16 => {
                if let Some((_, entity)) = self.any::<Cloth>(dice) {
                    let kind = dice.of(&[Teleport::Keep, Teleport::Reset]);
                    let _ = self.world.teleport(entity, kind);
                }
            }
            17 => {
                if let Some((_, entity)) = self.any::<Cloth>(dice) {
                    let part = Pose { translation: dice.vector(0.3), rotation: dice.rotation() };
                    let _ = self.world.carry(entity, part);
                    if dice.one_in(2) {
                        let bad = Pose { translation: [f64::NAN; 3], ..Pose::IDENTITY };
                        assert!(self.world.carry(entity, bad).is_err());
                    }
                }
            }
            18 => {
                if let Some((_, entity)) = self.any::<Cloth>(dice) {
                    let _ = self.world.wake(entity);
                }
            }
            19 => {
                if let Some((_, entity)) = self.any::<Cloth>(dice) {
                    let _ = self.world.reseed(entity);
                }
            }
            20 => {
                let _ = self.world.prepare();
            }
            21 | 22 => {
                if let Some((_, entity)) = self.any::<Transform>(dice) {
                    let size = dice.of(&[0.01, 0.3, 3.0, 1.0e3, 1.0e7]);
                    let (way, rotation) = (dice.vector(size), dice.one_in(3).then(|| dice.rotation()));
                    self.edit(entity, |transform: &mut Transform| {
                        transform.translation = cloth_host::pose::add(transform.translation, way);
                        transform.rotation = rotation.unwrap_or(transform.rotation);
                    });
                }
            }
            23 => {
                if let Some((_, entity)) = self.any::<Cloth>(dice) {
                    let scale = dice.of(&[1.0, 2.0, 0.1, 100.0]);
                    self.edit(entity, |transform: &mut Transform| transform.scale = [scale; 3]);
                }
            }
            24 | 25 => {
                let shape = dice.of(&[
                    Shape::Sphere { radius: 0.2 },
                    Shape::Capsule { half_height: 0.2, radius: 0.1 },
                    Shape::Box { half_extents: [0.2, 0.1, 0.3] },
                    Shape::Plane,
                ]);
                let body = self.world.spawn((
                    Transform::at(dice.vector(1.5)),
                    Collider::new(shape),
                    ClothCollider::default(),
                ));
                self.entities.push(body);
            }
            26 => {
                if let Some((_, entity)) = self.any::<ClothCollider>(dice) {
                    let (inflation, off) = (dice.of(&[0.0_f32, 0.1]), dice.one_in(2));
                    self.edit(entity, |collider: &mut ClothCollider| {
                        collider.inflation = inflation;
                        collider.enabled = off;
                    });
                }
            }
            27 => {
                let count = dice.of(&[0_usize, 1, 7, 300]);
                let shape = cloth_core::collide::Collider::sphere(0.1, cloth_core::math::Pose::IDENTITY)
                    .expect("a ball");
                let bodies: Vec<Body> = (0..count)
                    .map(|_| Body { shape, pose: Pose { translation: dice.vector(3.0), ..Pose::IDENTITY } })
                    .collect();
                let group = self.world.index_mut().insert_group(&bodies, &[]);
                self.groups.push((group, count));
            }
            28 => {
                if !self.groups.is_empty() {
                    let at = dice.below(self.groups.len());
                    let (group, _) = self.groups.swap_remove(at);
                    assert!(self.world.index_mut().remove_group(group));
                    assert!(!self.world.index_mut().remove_group(group));
                    assert!(self.world.index().body(group.0).is_none());
                }
            }
            29 => {
                if let Some((_, entity)) = self.any::<Cloth>(dice) {
                    if self.has::<ClothTargets>(entity) {
                        let _ = self.world.entities_mut().remove_one::<ClothTargets>(entity);
                    } else if let Some(positions) = self.world.positions(entity) {
                        let count = positions.len();
                        let targets = (0..count).map(|_| narrow(dice.vector(0.3))).collect();
                        let _ = self.world.entities_mut().insert_one(entity, ClothTargets(targets));
                    }
                }
            }
            30 => {
                if let Some((_, entity)) = self.any::<Cloth>(dice) {
                    let (vertex, at) = (dice.of(&[0, 1, 2, 3]), narrow(dice.vector(0.4)));
                    let kind = dice.below(3);
                    let _ = self.world.with_state(entity, |state| match kind {
                        0 => state.hold(vertex, Vec3::from_array(at)),
                        1 => state.release(vertex),
                        _ => state.place(vertex, Vec3::from_array(at), Vec3::ZERO),
                    });
                }
            }
            31 => {
                let gravity = dice.vector(12.0);
                self.world.set_gravity(gravity).expect("it is one");
            }
            32 => self.bad(dice),
            _ => {
                let _ = self.world.advance(0.03);
                self.check();
            }
        }
    }

    /// Something that a tick refuses, and that is taken back afterwards.
    fn bad(&mut self, dice: &mut Dice) {
        let Some((_, entity)) = self.any::<Transform>(dice) else { return };
        let kind = dice.below(5);
        let before = (
            *self.world.entities().get::<&Transform>(entity).expect("it is there"),
            self.world.entities().get::<&Cloth>(entity).ok().map(|cloth| *cloth),
            self.world.entities().get::<&Attachment>(entity).ok().map(|attachment| *attachment),
        );
        match kind {
            0 => self.edit(entity, |t: &mut Transform| t.translation[1] = f64::NAN),
            1 => self.edit(entity, |t: &mut Transform| t.rotation = [0.0; 4]),
            2 => self.edit(entity, |t: &mut Transform| t.scale = [0.0, -1.0, f64::INFINITY]),
            3 => self.edit(entity, |cloth: &mut Cloth| cloth.blend = f32::NAN),
            _ => self.edit(entity, |attachment: &mut Attachment| attachment.parent = entity),
        }
        self.tick();
        if self.world.entities().contains(entity) {
            self.edit(entity, |t: &mut Transform| *t = before.0);
            self.edit(entity, |cloth: &mut Cloth| *cloth = before.1.expect("it had one"));
            self.edit(entity, |attachment: &mut Attachment| {
                attachment.parent = before.2.expect("it had one").parent
            });
        }
    }

    fn states(&self) -> Vec<Option<u64>> {
        self.entities
            .iter()
            .map(|entity| self.world.state(*entity).map(|state| state.fingerprint().0))
            .collect()
    }

    fn tick(&mut self) {
        let before = (self.states(), self.locals(), self.world.index().fingerprint());
        match self.world.tick() {
            Ok(()) => {
                self.taken += 1;
                self.check();
            }
            Err(WorldError::Step { entity, error }) => panic!("{entity:?} was not stepped: {error}"),
            Err(error) => {
                if self.trace {
                    println!("  refused: {error}");
                }
                self.refused += 1;
                let after = (self.states(), self.locals(), self.world.index().fingerprint());
                assert!(before == after, "{error} changed something");
            }
        }
    }

    /// Takes away what a tick refuses, until it has nothing to say.
    fn mend(&mut self) {
        for _ in 0..200 {
            match self.world.tick() {
                Ok(()) => return,
                Err(WorldError::TargetCount { entity, .. }) => {
                    let _ = self.world.entities_mut().remove_one::<ClothTargets>(entity);
                }
                Err(
                    WorldError::NothingToSimulate { entity }
                    | WorldError::Build { entity, .. }
                    | WorldError::State { entity, .. }
                    | WorldError::NonUniformScale { entity }
                    | WorldError::Transform { entity, .. },
                ) => {
                    if self.world.entities_mut().remove_one::<Cloth>(entity).is_err() {
                        self.despawn(entity);
                    }
                }
                Err(error) => panic!("{error}"),
            }
        }
        panic!("there is no end of what is refused");
    }

    fn locals(&self) -> Vec<Option<[u64; 7]>> {
        let bits = |entity: &Entity| {
            let local = self.world.entities().get::<&Attachment>(*entity).ok()?.local;
            let [a, b, c] = local.translation.map(f64::to_bits);
            let [d, e, f, g] = local.rotation.map(f64::to_bits);
            Some([a, b, c, d, e, f, g])
        };
        self.entities.iter().map(bits).collect()
    }

    /// What is true after every tick.
    fn check(&self) {
        let world = &self.world;
        for entity in self.entities.iter().copied().filter(|entity| world.entities().contains(*entity)) {
            // What is spoilt on purpose and asked for by nobody stays as it is.
            if let (true, Ok(transform)) =
                (self.has::<Attachment>(entity), world.entities().get::<&Transform>(entity))
            {
                let values = transform.translation.iter().chain(&transform.rotation).chain(&transform.scale);
                assert!(values.into_iter().all(|x| x.is_finite()), "{transform:?}");
            }
            if let Some(positions) = world.positions(entity) {
                assert!(positions.as_flattened().iter().all(|x| x.is_finite()));
                for alpha in [0.0, 0.4, 1.0, f64::NAN] {
                    let shown = world.interpolate(entity, alpha).expect("it lives");
                    assert!(shown.vertices().all(|at| at.iter().all(|x| x.is_finite())));
                }
            }
        }
    }

    /// What is true after a tick that took everything in.
    fn check_whole(&self) {
        let world = &self.world;
        let all = world.entities();
        let cloths = all.query::<&Cloth>().iter().count();
        let alive = all.query::<(Entity, &Cloth)>().iter().filter(|(e, _)| world.state(*e).is_some()).count();
        assert_eq!(cloths, alive);
        let said = format!("{world:?}");
        assert!(said.contains(&format!("cloths: {cloths},")), "{said} of {cloths}");
        let bodies = all.query::<(&Collider, &ClothCollider)>().iter().filter(|(_, c)| c.enabled).count();
        let grouped: usize = self.groups.iter().map(|(_, count)| *count).sum();
        assert_eq!(world.index().len(), bodies + grouped);
        for (entity, attachment) in all.query::<(Entity, &Attachment)>().iter() {
            let at = |entity| *all.get::<&Transform>(entity).expect("it is somewhere");
            assert_eq!(attachment.local.within(&at(attachment.parent)), at(entity));
        }
    }

    /// Takes all cloth away, and looks whether everything is as the program said.
    fn end(&mut self) {
        let anchors: Vec<Entity> =
            self.world.entities().query::<(Entity, &Cloth)>().iter().map(|(e, _)| e).collect();
        for anchor in anchors {
            let _ = self.world.entities_mut().remove_one::<Cloth>(anchor);
        }
        self.world.tick().expect("nothing is left to refuse");
        for (at, said) in &self.local {
            if let Ok(attachment) = self.world.entities().get::<&Attachment>(self.entities[*at]) {
                assert_eq!(attachment.local, *said, "entity {at}");
            }
        }
        for (group, _) in core::mem::take(&mut self.groups) {
            self.world.index_mut().remove_group(group);
        }
        for entity in core::mem::take(&mut self.entities) {
            let _ = self.world.entities_mut().despawn(entity);
        }
        self.world.tick().expect("nothing is left to refuse");
        assert_eq!(self.world.index().len(), self.strange_bodies);
    }
}

fn play(seed: u64, length: usize) {
    let mut plays = [Play::new(false), Play::new(true)];
    for turn in 0..length {
        let mut fingerprints = Vec::new();
        for play in &mut plays {
            let mut dice = Dice(seed.wrapping_mul(1_000_003).wrapping_add(turn as u64));
            if play.trace {
                println!("turn {turn}");
            }
            for _ in 0..1 + dice.below(3) {
                play.act(&mut dice);
            }
            if dice.one_in(2) {
                play.mend();
                play.check_whole();
            }
            for _ in 0..dice.below(6) {
                play.tick();
            }
            fingerprints.push(play.states());
        }
        assert_eq!(fingerprints[0], fingerprints[1], "turn {turn}: a bit depends on who else is there");
    }
    for play in &mut plays {
        play.mend();
        play.world.tick().expect("all that is refused has gone");
        play.check_whole();
    }
    let [play, _] = &plays;
    assert!(play.taken > play.refused, "{} steps, {} refused", play.taken, play.refused);
    let file = WorldFile::of(&play.world).expect("it is data");
    let text = serde_json::to_string(&file).expect("JSON takes it");
    assert_eq!(serde_json::from_str::<WorldFile>(&text).expect("JSON gives it back"), file);
    let text = toml::to_string(&file).expect("TOML takes it");
    assert_eq!(toml::from_str::<WorldFile>(&text).expect("TOML gives it back"), file);
    let (mut again, _) = file.build().expect("it is sound");
    // Cloths go on without what was their subtree; of a file there is nothing to make them from.
    let _ = again.tick();
    assert_eq!(WorldFile::of(&again).expect("it is data"), file);
    for play in &mut plays {
        play.end();
    }
}

#[test]
fn whatever_a_host_does() {
    let count = std::env::var("CLOTH_PROGRAMS").ok().and_then(|count| count.parse().ok()).unwrap_or(12_u64);
    for seed in 0..count {
        if let Err(what) = std::panic::catch_unwind(|| play(seed, 60)) {
            println!("program {seed}");
            std::panic::resume_unwind(what);
        }
    }
}
