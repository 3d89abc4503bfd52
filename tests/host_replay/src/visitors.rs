//! Who comes and goes, and what else may be said: a cloth of a model that travels in the file, a collider, gravity, vertices that are
//! held and let go, a cloth made anew, one that is stepped less often.

use cloth_core::replay::Event;
use cloth_core::{ModelBuilder, Vec3, library};
use cloth_host::replay::Recorder;
use cloth_host::world::hecs::Entity;
use cloth_host::world::{
    Cloth, ClothCollider, ClothModel, ClothPin, Collider, Rate, Shape, Transform, World,
};

use crate::Failure;
use crate::ropes::{Ropes, links, sheet};
use crate::script::Part;

#[derive(Default)]
pub(crate) struct Visitors {
    /// Of the ropes that were there before.
    ropes: Vec<Entity>,
    /// A sheet of a model, and a rope.
    cloths: Vec<Entity>,
    collider: Option<Entity>,
}

impl Visitors {
    pub fn new(ropes: &Ropes) -> Self {
        Self { ropes: vec![ropes.anchor, ropes.chain], ..Self::default() }
    }
}

impl Part for Visitors {
    fn before(
        &mut self,
        tick: u32,
        world: &mut World,
        recorder: &mut Recorder<Vec<u8>>,
    ) -> Result<(), Failure> {
        match tick {
            30 => {
                let mesh = sheet([8, 8], 0.05);
                let builder = ModelBuilder::mesh(&mesh.positions, &mesh.triangles).pins(&mesh.pins);
                let model = ClothModel::build(builder)?;
                let at = Transform::at([-1.0, 1.5, 0.0]);
                self.cloths.push(world.spawn((at, Cloth::of(library::DENIM), model)));
            }
            45 => {
                let shape = Collider::new(Shape::TaperedCapsule {
                    half_height: 0.1,
                    lower_radius: 0.12,
                    upper_radius: 0.06,
                });
                let at = Transform::at([-1.0, 1.2, 0.05]);
                self.collider = Some(world.spawn((at, shape, ClothCollider::default())));
            }
            60 => {
                let anchor = world.spawn((Transform::at([-1.6, 1.5, 0.4]), Cloth::of(library::HAIR)));
                let strand = links(world, anchor, 8, [0.0, -0.02, 0.04]);
                world.entities_mut().insert_one(strand[0], ClothPin)?;
                self.cloths.push(anchor);
            }
            75 => world.set_gravity([0.4, -9.6, 0.2])?,
            100 => {
                let event = Event::Hold { vertex: 60, target: Vec3::new(0.1, -0.25, 0.1) };
                recorder.event(world, self.cloths[0], event)?;
            }
            130 => recorder.event(world, self.cloths[0], Event::Release { vertex: 60 })?,
            140 => world.entities().get::<&mut Cloth>(self.cloths[0])?.dynamics.damping = 2.0,
            160 => recorder.reseed(world, self.ropes[1])?,
            170 => world.entities().get::<&mut Cloth>(self.ropes[0])?.rate = Rate::Second,
            185 => {
                if let Some(collider) = self.collider.take() {
                    world.despawn(collider)?;
                }
            }
            200 => {
                world.despawn(self.cloths[1])?;
            }
            210 => world.wake(self.cloths[0])?,
            _ => {}
        }
        Ok(())
    }
}
