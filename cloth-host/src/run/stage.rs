//! A scene as a world: its cloths on their anchors, its colliders, and how they move from frame to frame.

use std::collections::BTreeMap;
use std::sync::Arc;

use cloth_core::anchor::Teleport;
use cloth_core::collide::{Collider as Record, Kind};
use cloth_core::fabric::library::Density;
use cloth_core::simd::Level;
use cloth_core::{Baked, Fingerprint, State};

use crate::pose::{Pose, add, narrow, sub};
use crate::scene::{Body, Place, Scene, SceneAir, SceneCollider, SceneFabric, SceneRope, Stand};
use crate::world::hecs::Entity;
use crate::world::{
    Clock, Cloth, ClothCollider, ClothDiagnostics, ClothModel, ClothPin, ClothTargets, Collider, Shape,
    Transform, WordsKind, World, WorldError,
};

/// A cloth in the world.
pub(super) struct Placed {
    pub anchor: Entity,
    /// The nodes of the scene's vertices, its anchor first: the world counts them by depth, a scene strip by strip. Empty of a
    /// model, which keeps the scene's order.
    nodes: Vec<Entity>,
}

/// A scene in a world.
pub(super) struct Stage<'s> {
    scene: &'s Scene,
    pub world: World,
    /// The anchors of the scene's cloth and of its copies.
    copies: Vec<(Place, Entity)>,
    /// All cloths, in the order of their vertices.
    pub cloths: Vec<Placed>,
    colliders: Vec<(SceneCollider, Entity)>,
    /// Zones of wind and then volumes of air, in the scene's order.
    sources: Vec<Entity>,
}

impl<'s> Stage<'s> {
    /// Sets a scene up as it is at its start.
    pub fn new(scene: &'s Scene, baked: &Baked, level: Level) -> Result<Self, WorldError> {
        let mut world = World::with_clock(Clock::new(1.0 / scene.fps, 1)?);
        world.set_gravity(scene.gravity.map(f64::from))?;
        world.set_timed(true);
        world.set_level(level);
        *world.shapes_mut() = scene.shapes.clone();
        let model = Arc::new(baked.clone());
        let (mut copies, mut cloths) = (Vec::new(), Vec::new());
        for place in scene.copies.places() {
            let anchor = world.spawn((Transform::of(stands(scene, &place, 0.0)), cloth(scene)));
            copies.push((place, anchor));
            if scene.nested.is_empty() {
                // It was spawned above.
                let _ = world.entities_mut().insert_one(anchor, ClothModel(model.clone()));
                cloths.push(Placed { anchor, nodes: Vec::new() });
            } else {
                cloths.extend(hang(&mut world, scene, model.model().collider_capacity(), anchor));
            }
        }
        let colliders = scene.shown().colliders.into_iter().map(|collider| {
            let (shape, contact) = parts(&collider.record);
            let entity = world.spawn((placed(&collider, 0.0), shape, contact));
            (collider, entity)
        });
        let colliders = colliders.collect();
        cloths.extend(scene.ropes.iter().map(|rope| beside(&mut world, scene, rope)));
        let sources = sources(&mut world, scene);
        world.prepare()?;
        Ok(Self { scene, world, copies, cloths, colliders, sources })
    }

    /// Moves everything on to where it is at a frame, and steps.
    pub fn step(&mut self, frame: u32) -> Result<(), WorldError> {
        self.place(frame);
        self.world.tick()?;
        // A frame is recorded as soon as it is there.
        self.world.settle()
    }

    /// Moves everything on to where it is at a frame.
    pub fn place(&mut self, frame: u32) {
        let Self { scene, world, copies, colliders, sources, .. } = self;
        let time = scene.time(frame);
        for (entity, pose) in sources.iter().zip(places(scene, time)) {
            if let Ok(mut transform) = world.entities().get::<&mut Transform>(*entity) {
                *transform = Transform::of(pose);
            }
        }
        for (collider, entity) in colliders.iter() {
            if let Ok(mut transform) = world.entities().get::<&mut Transform>(*entity) {
                *transform = placed(collider, time);
            }
        }
        for (place, anchor) in copies.iter() {
            if scene.moves_anchor {
                if let Ok(mut transform) = world.entities().get::<&mut Transform>(*anchor) {
                    *transform = Transform::of(stands(scene, place, time));
                }
            } else if !scene.motion.is_still() {
                // All targets go along with the pins, so that a slack leash ties cloth to where its garment is. Of welded vertices
                // core takes the first one's.
                let pose = scene.motion.pose(place.time(time));
                let targets = scene.body.positions().iter().map(|place| pose.carry(*place)).collect();
                // The anchor was spawned above.
                let _ = world.entities_mut().insert_one(*anchor, ClothTargets(targets));
            }
        }
    }

    /// The volumes of air, in the scene's order.
    pub fn volumes(&self) -> &[Entity] {
        self.sources.get(self.scene.air.zones.len()..).unwrap_or(&[])
    }

    /// [`positions`] of its cloths.
    pub fn positions(&self) -> Vec<[f32; 3]> {
        positions(&self.world, &self.cloths)
    }

    /// [`diagnostics`] of its cloths.
    pub fn diagnostics(&self) -> ClothDiagnostics {
        diagnostics(&self.world, &self.cloths)
    }

    /// [`fingerprint`] of its cloths.
    pub fn fingerprint(&self) -> Fingerprint {
        fingerprint(&self.world, &self.cloths)
    }
}

/// The fingerprint of the cloth's state; of several cloths that of the world.
pub(super) fn fingerprint(world: &World, cloths: &[Placed]) -> Fingerprint {
    match cloths {
        [Placed { anchor, .. }] => world.state(*anchor).map_or(Fingerprint(0), State::fingerprint),
        _ => world.fingerprint(),
    }
}

/// Where the vertices of all cloths are in the world (m), in the order of [`Scene::shown`].
pub(super) fn positions(world: &World, cloths: &[Placed]) -> Vec<[f32; 3]> {
    let mut all = Vec::new();
    for Placed { anchor, nodes } in cloths {
        let own = world.positions(*anchor).unwrap_or(&[]);
        let pose = world.stepped_anchor(*anchor).filter(|pose| !pose.is(&Pose::IDENTITY));
        let placed = |at: [f32; 3]| pose.map_or(at, |pose| narrow(pose.apply(at.map(f64::from))));
        if nodes.is_empty() {
            all.extend(own.iter().copied().map(placed));
            continue;
        }
        let counted = core::iter::once(*anchor).chain(world.nodes(*anchor));
        let at: BTreeMap<u32, [f32; 3]> = counted.map(|node| node.id()).zip(own.iter().copied()).collect();
        all.extend(nodes.iter().map(|node| placed(at.get(&node.id()).copied().unwrap_or_default())));
    }
    all
}

/// How all cloths are doing, as if they were one.
pub(super) fn diagnostics(world: &World, cloths: &[Placed]) -> ClothDiagnostics {
    let mut all = cloths.iter().filter_map(|cloth| world.diagnostics(cloth.anchor)).copied();
    let Some(first) = all.next() else { return ClothDiagnostics::default() };
    let (mut sum, mut count) = (first, 1.0_f32);
    for one in all {
        count += 1.0;
        for (most, one) in [(&mut sum.max_strain, one.max_strain), (&mut sum.max_speed, one.max_speed)] {
            if one > *most {
                *most = one;
            }
        }
        sum.mean_strain += (one.mean_strain - sum.mean_strain) / count;
        sum.kinetic_energy += one.kinetic_energy;
        sum.substeps = sum.substeps.max(one.substeps);
        sum.contacts += one.contacts;
        sum.overflow.colliders += one.overflow.colliders;
        sum.rescued += one.rescued;
        sum.escaped += one.escaped;
        sum.missed_crossings += one.missed_crossings;
        sum.asleep &= one.asleep;
        if one.teleported == Some(Teleport::Reset) {
            sum.teleported = one.teleported;
        }
        sum.milliseconds += one.milliseconds;
    }
    sum
}

fn cloth(scene: &Scene) -> Cloth {
    Cloth { sleeps: scene.sleep, ..Cloth::of(scene.fabric.dynamics) }
}

/// Hangs a scene's rope on its anchor, link by link, and the nested ropes on it; all of them, the scene's first. Each has room for as
/// many colliders as the scene's model, and bends as the scene asks.
fn hang(world: &mut World, scene: &Scene, colliders: u32, anchor: Entity) -> Vec<Placed> {
    let Body::Chain { positions, parents } = &scene.body else { return Vec::new() };
    let density = match scene.fabric.density {
        Density::Linear(density) => Some(density),
        Density::Areal(_) => None,
    };
    let stiff_bend = scene.fabric.stiff_bend == Some(true);
    let cloth = Cloth { density, stiff_bend, colliders, ..cloth(scene) };
    if let Ok(mut component) = world.entities().get::<&mut Cloth>(anchor) {
        *component = cloth;
    }
    let mut nodes = vec![anchor];
    for (vertex, (at, parent)) in (0_u32..).zip(positions.iter().zip(parents)).skip(1) {
        let above = *parent as usize;
        let local = sub(at.map(f64::from), positions.get(above).copied().unwrap_or_default().map(f64::from));
        let node = world.attach(nodes.get(above).copied().unwrap_or(anchor), Transform::at(local));
        if scene.pins.contains(&vertex) {
            // It was spawned above.
            let _ = world.entities_mut().insert_one(node, ClothPin);
        }
        nodes.push(node);
    }
    let mut ropes = Vec::new();
    for nested in &scene.nested {
        let Some(node) = nodes.get(nested.vertex as usize) else { continue };
        let anchor = world.attach(*node, Transform::IDENTITY);
        let _ = world.entities_mut().insert_one(anchor, cloth);
        ropes.push(Placed { anchor, nodes: string(world, anchor, &nested.places) });
    }
    core::iter::once(Placed { anchor, nodes }).chain(ropes).collect()
}

/// A scene's rope that hangs from a point of the world.
fn beside(world: &mut World, scene: &Scene, rope: &SceneRope) -> Placed {
    let SceneFabric { dynamics, density, .. } = rope.fabric;
    let density = match density {
        Density::Linear(density) => Some(density),
        Density::Areal(_) => None,
    };
    let colliders = u32::try_from(scene.colliders.len()).unwrap_or(u32::MAX);
    let default = Cloth::of(dynamics);
    let colliders = if colliders > default.colliders { colliders } else { default.colliders };
    let cloth = Cloth { density, colliders, sleeps: scene.sleep, ..default };
    let anchor = world.spawn((Transform::at(rope.at), cloth));
    Placed { anchor, nodes: string(world, anchor, &rope.places) }
}

/// Attaches nodes to an anchor, each to the one before, and returns all of them, the anchor first.
fn string(world: &mut World, anchor: Entity, places: &[[f32; 3]]) -> Vec<Entity> {
    let mut links = vec![anchor];
    for pair in places.windows(2) {
        let [from, to] = [pair[0], pair[1]].map(|at| at.map(f64::from));
        links.push(world.attach(links[links.len() - 1], Transform::at(sub(to, from))));
    }
    links
}

/// Sets up what blows; what has a place, zones first.
fn sources(world: &mut World, scene: &Scene) -> Vec<Entity> {
    let SceneAir { wind, zones, fluids } = &scene.air;
    if let Some(wind) = wind {
        world.spawn((*wind,));
    }
    let mut places = places(scene, 0.0).map(Transform::of);
    let zones: Vec<Entity> =
        zones.iter().zip(&mut places).map(|(zone, at)| world.spawn((at, zone.source))).collect();
    let fluids = fluids.iter().zip(places).map(|(fluid, at)| world.spawn((at, fluid.source)));
    zones.into_iter().chain(fluids).collect()
}

/// Where zones and then volumes are at a time (s).
fn places(scene: &Scene, time: f64) -> impl Iterator<Item = Pose> {
    let SceneAir { zones, fluids, .. } = &scene.air;
    zones.iter().map(move |zone| zone.place(time)).chain(fluids.iter().map(move |fluid| fluid.place(time)))
}

/// Where a copy's anchor is at a time (s). A rope that others hang from has it in its first vertex.
fn stands(scene: &Scene, place: &Place, time: f64) -> Pose {
    let own = if scene.nested.is_empty() { None } else { scene.body.positions().first() };
    let stand = Stand { position: own.map_or([0.0; 3], |at| at.map(f64::from)), ..Stand::default() };
    let moved = scene.moves_anchor.then(|| scene.motion.pose(place.time(time)).place_body(&stand));
    let here = Pose { translation: stand.position, ..Pose::IDENTITY };
    let Pose { translation, rotation } = moved.unwrap_or(here);
    Pose { translation: add(translation, place.shift), rotation }
}

/// Where a collider is at a time (s).
fn placed(collider: &SceneCollider, time: f64) -> Transform {
    Transform { scale: [f64::from(collider.record.scale); 3], ..Transform::of(collider.place(time)) }
}

/// A record as components, its scale left to the transform.
fn parts(record: &Record) -> (Collider, ClothCollider) {
    let [a, b, c] = record.sizes;
    let words = |kind| Shape::Words { kind, data: [record.data, record.data_count] };
    let shape = match Kind::of(record.kind) {
        Some(Kind::Sphere) => Shape::Sphere { radius: a },
        Some(Kind::Capsule) => Shape::Capsule { half_height: a, radius: b },
        Some(Kind::TaperedCapsule) => {
            Shape::TaperedCapsule { half_height: a, lower_radius: b, upper_radius: c }
        }
        Some(Kind::Box) => Shape::Box { half_extents: [a, b, c] },
        Some(Kind::Cylinder) => Shape::Cylinder { half_height: a, radius: b },
        Some(Kind::Cone) => Shape::Cone { half_height: a, radius: b },
        Some(Kind::Hull) => words(WordsKind::Hull),
        Some(Kind::Mesh) => words(WordsKind::Mesh),
        Some(Kind::Field) => words(WordsKind::Field),
        _ => Shape::Plane,
    };
    let collider = Collider {
        friction: record.friction,
        layer: record.layer,
        mask: record.mask,
        ..Collider::new(shape)
    };
    (collider, ClothCollider { inflation: record.inflation, ..ClothCollider::default() })
}
