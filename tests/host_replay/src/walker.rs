//! A cape on a walker two kilometres away: capsules that swing, a floor, a box that turns as it comes, and places that are jumped to.

use cloth_core::anchor::Teleport;
use cloth_core::library;
use cloth_host::pose::Pose;
use cloth_host::replay::Recorder;
use cloth_host::world::hecs::Entity;
use cloth_host::world::{
    Attachment, Cloth, ClothCollider, ClothExclude, ClothMesh, Collider, Shape, Transform, World,
};

use crate::Failure;
use crate::ropes::sheet;
use crate::script::{Part, place, turned, wave};

/// Where it sets out: what `f32` could not say to the millimetre.
const START: [f64; 3] = [2_000.3, 1.5, -700.7];
/// The tick at which it is twelve metres further: a jump by its length.
const JUMPS: u32 = 90;
/// The tick at which it is half a metre further, and says that it has jumped.
const SAYS: u32 = 150;
/// The ticks in which it stands on something that goes.
const RIDES: core::ops::Range<u32> = 180..200;

pub(crate) struct Walker {
    anchor: Entity,
    legs: [Entity; 2],
    comes: Entity,
    /// How far it has jumped or ridden.
    away: f64,
}

impl Walker {
    pub fn new(world: &mut World) -> Result<Self, Failure> {
        let cape = (Cloth::of(library::COTTON), ClothMesh::new(sheet([10, 12], 0.055)));
        let anchor = world.spawn(cape);
        world.entities_mut().insert_one(anchor, Transform::at(START))?;
        let mut limb = |half_height: f32, radius: f32, at: [f64; 3]| -> Result<Entity, Failure> {
            let shape = Collider::new(Shape::Capsule { half_height, radius });
            let entity = world.attach(anchor, Transform::at(at));
            world.entities_mut().insert(entity, (shape, ClothCollider::default(), ClothExclude))?;
            Ok(entity)
        };
        limb(0.18, 0.11, [0.0, -0.25, 0.14])?;
        let legs = [limb(0.35, 0.07, [0.09, -0.85, 0.14])?, limb(0.35, 0.07, [-0.09, -0.85, 0.14])?];
        let floor = Transform::at([START[0], 0.95, START[2]]);
        world.spawn((floor, Collider::new(Shape::Plane), ClothCollider::default()));
        let shape = Collider::new(Shape::Box { half_extents: [0.12, 0.1, 0.08] });
        let comes = world.spawn((Transform::at(START), shape, ClothCollider::default()));
        Ok(Self { anchor, legs, comes, away: 0.0 })
    }
}

impl Part for Walker {
    fn before(&mut self, tick: u32, world: &mut World, _: &mut Recorder<Vec<u8>>) -> Result<(), Failure> {
        let time = f64::from(tick) / 60.0;
        match tick {
            JUMPS => self.away += 12.0,
            SAYS => {
                self.away += 0.5;
                world.teleport(self.anchor, Teleport::Keep)?;
            }
            _ if RIDES.contains(&tick) => {
                let part = [0.0, 0.0, 0.03];
                self.away += part[2];
                world.carry(self.anchor, Pose { translation: part, ..Pose::IDENTITY })?;
            }
            _ => {}
        }
        let along = if time < 1.0 { 0.6 * time * time } else { 1.2 * time - 0.6 };
        let [x, y, z] = START;
        let pose = Transform {
            translation: [x + 0.015 * wave(tick, 46), y + 0.02 * wave(tick, 23), z + along + self.away],
            rotation: turned(1, 0.03 * wave(tick, 46)),
            ..Transform::IDENTITY
        };
        place(world, self.anchor, pose)?;
        for (leg, side) in self.legs.iter().zip([1.0, -1.0]) {
            let rotation = turned(0, side * 0.08 * wave(tick, 46));
            // About the hip, half a metre below the shoulders.
            let hangs = cloth_host::pose::turn(rotation, [0.0, -0.35, 0.0]);
            let translation = [side * 0.09, hangs[1] - 0.5, hangs[2] + 0.14];
            world.entities().get::<&mut Attachment>(*leg)?.local =
                Transform { translation, rotation, ..Transform::IDENTITY };
        }
        // From one side through the cape to the other and back, beside the walker.
        let comes = Transform {
            translation: [x + 0.8 * wave(tick, 160), y - 0.45, z + along + self.away - 0.12],
            rotation: turned(2, 0.7 * wave(tick, 130)),
            ..Transform::IDENTITY
        };
        place(world, self.comes, comes)
    }
}
