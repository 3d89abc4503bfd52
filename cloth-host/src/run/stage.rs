//! A scene as a world: its cloth on an anchor that stands, its colliders, and how they move from frame to frame.

use std::sync::Arc;

use cloth_core::Baked;
use cloth_core::collide::{Collider as Record, Kind};
use cloth_core::simd::Level;

use crate::pose::{Pose, narrow};
use crate::scene::{Scene, SceneCollider, Stand};
use crate::world::hecs::Entity;
use crate::world::{
    Clock, Cloth, ClothCollider, ClothModel, ClothTargets, Collider, Shape, Transform, WordsKind, World,
    WorldError,
};

/// A scene in a world.
pub(super) struct Stage<'s> {
    scene: &'s Scene,
    pub world: World,
    /// The cloth's anchor.
    pub anchor: Entity,
    colliders: Vec<Entity>,
}

impl<'s> Stage<'s> {
    /// Sets a scene up as it is at its start.
    pub fn new(scene: &'s Scene, baked: &Baked, level: Level) -> Result<Self, WorldError> {
        let mut world = World::with_clock(Clock::new(1.0 / scene.fps, 1)?);
        world.set_gravity(scene.gravity.map(f64::from))?;
        world.set_timed(true);
        world.set_level(level);
        *world.shapes_mut() = scene.shapes.clone();
        let cloth = Cloth { sleeps: scene.sleep, ..Cloth::of(scene.fabric.dynamics) };
        let model = ClothModel(Arc::new(baked.clone()));
        let anchor = world.spawn((Transform::of(stands(scene, 0.0)), cloth, model));
        let colliders = scene.colliders.iter().map(|collider| {
            let (shape, contact) = parts(&collider.record);
            world.spawn((placed(collider, 0.0), shape, contact))
        });
        let colliders = colliders.collect();
        world.prepare()?;
        Ok(Self { scene, world, anchor, colliders })
    }

    /// Moves everything on to where it is at a frame, and steps.
    pub fn step(&mut self, frame: u32) -> Result<(), WorldError> {
        let Self { scene, world, anchor, colliders } = self;
        let time = scene.time(frame);
        for (entity, collider) in colliders.iter().zip(&scene.colliders) {
            if let Ok(mut transform) = world.entities().get::<&mut Transform>(*entity) {
                *transform = placed(collider, time);
            }
        }
        if scene.moves_anchor {
            if let Ok(mut transform) = world.entities().get::<&mut Transform>(*anchor) {
                *transform = Transform::of(stands(scene, time));
            }
        } else if !scene.motion.is_still() {
            // All targets go along with the pins, so that a slack leash ties cloth to where its garment is. Of welded vertices
            // core takes the first one's.
            let pose = scene.motion.pose(time);
            let targets = scene.body.positions().iter().map(|place| pose.carry(*place)).collect();
            // The anchor was spawned above.
            let _ = world.entities_mut().insert_one(*anchor, ClothTargets(targets));
        }
        world.tick()
    }

    /// Where the vertices are in the world (m).
    pub fn positions(&self) -> Vec<[f32; 3]> {
        let own = self.world.positions(self.anchor).unwrap_or(&[]);
        match self.world.stepped_anchor(self.anchor) {
            Some(pose) if self.scene.moves_anchor => {
                own.iter().map(|at| narrow(pose.apply(at.map(f64::from)))).collect()
            }
            _ => own.to_vec(),
        }
    }
}

/// Where the cloth's anchor is at a time (s).
fn stands(scene: &Scene, time: f64) -> Pose {
    if scene.moves_anchor { scene.motion.pose(time).place_body(&Stand::default()) } else { Pose::IDENTITY }
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
