//! Measurements of the entity world: what surrounds one cloth.

mod bystander;
mod cast;
mod crowd;
mod executors;
mod hierarchy;
mod host_rate;
mod in_flight;
mod interpolate;
mod lockstep;
mod offload;
mod planted;
mod rewind;
mod snapshot;
mod wake_table;

pub use bystander::BYSTANDER;
pub use cast::CAST;
pub use crowd::CROWD;
pub use executors::{EXECUTORS, WORKERS};
pub use hierarchy::{AUTHORED_POSE, RECOMPOSE};
pub use host_rate::HOST_RATE;
pub use in_flight::IN_FLIGHT;
pub use interpolate::INTERPOLATE;
pub use lockstep::LOCKSTEP;
pub use offload::OFFLOAD;
pub use planted::PLANTED;
pub use rewind::REWIND;
pub use snapshot::SNAPSHOT;
pub use wake_table::WAKE_TABLE;

use anyhow::{Context as _, Result, bail};
use cloth_core::{ClothDynamics, library};
use cloth_host::import::Surface;
use cloth_host::scene::{Body, Grid, Shape};
use cloth_host::world::hecs::{self, Entity};
use cloth_host::world::{
    self, Attachment, Cloth, ClothCollider, ClothExclude, ClothMesh, ClothPin, Collider, MeshSource,
    Transform, World,
};

use super::callgrind::Child;

/// What is observed from outside.
///
/// # Errors
///
/// What the world refuses.
pub fn child(child: Child) -> Result<()> {
    match child {
        Child::OffloadSurface
        | Child::OffloadSurfaceSerial
        | Child::OffloadStrips
        | Child::OffloadStripsSerial => offload::child(child),
        _ => crowd::child(child),
    }
}

/// Strips of a cape, and links of each.
const STRIPS: u8 = 5;
const LINKS: u8 = 7;

/// A rope of links of 10 cm along X from an anchor.
fn rope(world: &mut World, at: [f64; 3], links: u32, dynamics: ClothDynamics) -> (Entity, Vec<Entity>) {
    let anchor = world.spawn((Transform::at(at), Cloth::of(dynamics)));
    let mut parent = anchor;
    let links = (0..links).map(|_| {
        parent = world.attach(parent, Transform::at([0.1, 0.0, 0.0]));
        parent
    });
    let links = links.collect();
    (anchor, links)
}

/// A rope that comes to rest soon.
fn damped() -> ClothDynamics {
    ClothDynamics { damping: 4.0, ..library::ROPE }
}

/// A wearer of a cape of five strips of 8 cm links, 8.5 cm apart, who walks: the cape's anchor on the shoulders, and capsules for
/// trunk and legs that hang on it.
struct Wearer {
    anchor: Entity,
    legs: [Entity; 2],
    start: [f64; 3],
}

impl Wearer {
    fn new(world: &mut World, start: [f64; 3], dynamics: ClothDynamics) -> Result<Self> {
        let anchor = world.spawn((Transform::at(start), Cloth::of(dynamics)));
        for strip in 0..STRIPS {
            let x = 0.085 * (f64::from(strip) - 2.0);
            let mut parent = world.attach(anchor, Transform::at([x, 0.0, -0.14]));
            world.entities_mut().insert_one(parent, ClothPin).context("it was spawned")?;
            for _ in 1..LINKS {
                parent = world.attach(parent, Transform::at([0.0, -0.08, -0.005]));
            }
        }
        Self::of(world, anchor, start)
    }

    /// A wearer of a cape that is a surface.
    fn in_surface(world: &mut World, start: [f64; 3], dynamics: ClothDynamics) -> Result<Self> {
        let anchor = world.spawn((Transform::at(start), Cloth::of(dynamics)));
        let Shape { body, edges } = Grid { width: 0.5, height: 0.75, columns: 10, rows: 12 }.cape(1.5);
        let Body::Surface(Surface { positions, triangles, .. }) = body else { bail!("a cape is a surface") };
        let (_, pins) = edges.into_iter().find(|(name, _)| *name == "top").context("it has a top")?;
        let mesh = ClothMesh::new(MeshSource { positions, triangles, pins, weld: None });
        world.entities_mut().insert_one(anchor, mesh)?;
        Self::of(world, anchor, start)
    }

    /// What a wearer has besides a cape: trunk and legs.
    fn of(world: &mut World, anchor: Entity, start: [f64; 3]) -> Result<Self> {
        let mut limb = |half_height: f32, radius: f32, at: [f64; 3]| {
            let shape = Collider::new(world::Shape::Capsule { half_height, radius });
            let entity = world.attach(anchor, Transform::at(at));
            // What is attached to an anchor is cloth unless it says otherwise.
            let parts = (shape, ClothCollider::default(), ClothExclude);
            world.entities_mut().insert(entity, parts).context("it was spawned").map(|()| entity)
        };
        limb(0.18, 0.11, [0.0, -0.25, 0.0])?;
        let legs = [limb(0.35, 0.07, [0.09, -0.85, 0.0])?, limb(0.35, 0.07, [-0.09, -0.85, 0.0])?];
        Ok(Self { anchor, legs, start })
    }

    /// Where it is at a time (s): it sets out along +Z, sways and bobs, and swings its legs.
    fn walk(&self, world: &World, time: f64) -> Result<()> {
        let along = if time < 1.0 { 0.6 * time * time } else { 1.2 * time - 0.6 };
        // Steps at 1.3 Hz: at 0.9 they would pump the strips, which swing at 0.86 Hz.
        let phase = std::f64::consts::TAU * 1.3 * time;
        let [x, y, z] = self.start;
        let about_y = 0.06 * phase.sin();
        let pose = Transform {
            translation: [x + 0.015 * phase.sin(), y + 0.02 * (1.0 - (2.0 * phase).cos()), z + along],
            rotation: [0.0, (about_y / 2.0).sin(), 0.0, (about_y / 2.0).cos()],
            ..Transform::IDENTITY
        };
        *world.entities().get::<&mut Transform>(self.anchor)? = pose;
        for (leg, side) in self.legs.iter().zip([1.0, -1.0]) {
            let swing: f64 = side * 0.15 * phase.sin();
            // About the hip, 0.5 m below the shoulders.
            let (sine, cosine) = swing.sin_cos();
            let local = Transform {
                translation: [side * 0.09, -0.5 - 0.35 * cosine, -0.35 * sine],
                rotation: [(swing / 2.0).sin(), 0.0, 0.0, (swing / 2.0).cos()],
                ..Transform::IDENTITY
            };
            world.entities().get::<&mut Attachment>(*leg)?.local = local;
        }
        Ok(())
    }
}

/// Changes a component.
fn edit<T: hecs::Component>(world: &World, entity: Entity, change: impl FnOnce(&mut T)) -> Result<()> {
    change(&mut *world.entities().get::<&mut T>(entity).context("it has no such component")?);
    Ok(())
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}
