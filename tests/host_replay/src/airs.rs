//! Wind: gusts from the start, a volume of air about the ropes with bodies in it, a zone of eddies that turns, and what changes of them.

use cloth_host::fluid::FluidVolume;
use cloth_host::replay::Recorder;
use cloth_host::world::hecs::Entity;
use cloth_host::world::{
    AmbientWind, ClothCollider, Collider, Shape, Transform, WindZone, World, ZoneBlend, ZoneShape,
};

use crate::Failure;
use crate::script::{Part, place, turned, wave};

pub(crate) struct Airs {
    breeze: Entity,
    volume: Entity,
    post: Entity,
    zone: Option<Entity>,
}

impl Airs {
    pub fn new(world: &mut World) -> Self {
        let gusts = AmbientWind { gust: [1.5, 0.2, -0.5], period: 0.7, ..AmbientWind::of([1.0, 0.0, 0.5]) };
        let breeze = world.spawn((gusts,));
        let volume = FluidVolume {
            half_extents: [0.9, 0.6, 0.6],
            cell: 0.1,
            confinement: 0.3,
            border: 0.2,
            ..FluidVolume::default()
        };
        let volume = world.spawn((Transform::at([0.2, 1.3, 0.2]), volume));
        let post = Collider::new(Shape::Cylinder { half_height: 0.5, radius: 0.12 });
        let post = world.spawn((Transform::at([-0.5, 1.3, 0.4]), post, ClothCollider::default()));
        Self { breeze, volume, post, zone: None }
    }
}

impl Part for Airs {
    fn before(&mut self, tick: u32, world: &mut World, _: &mut Recorder<Vec<u8>>) -> Result<(), Failure> {
        // The post goes to and fro in the air, and turns.
        let at = Transform::at([-0.5, 1.3, 0.4 + 0.1 * wave(tick, 90)]);
        place(world, self.post, Transform { rotation: turned(0, 0.2 * wave(tick, 70)), ..at })?;
        if let Some(zone) = self.zone {
            place(
                world,
                zone,
                Transform { rotation: turned(1, 0.6 * wave(tick, 120)), ..Transform::at([0.0, 1.2, 0.0]) },
            )?;
        }
        match tick {
            40 => {
                let shape = ZoneShape::Box { half_extents: [0.5, 0.6, 0.7] };
                let eddies = WindZone {
                    turbulence: 0.6,
                    eddy: 0.35,
                    falloff: 0.2,
                    ..WindZone::of(shape, [0.0, 0.5, 1.5])
                };
                self.zone = Some(world.spawn((Transform::at([0.0, 1.2, 0.0]), eddies)));
            }
            80 => world.entities().get::<&mut FluidVolume>(self.volume)?.prevailing = Some([2.0, 0.0, -1.0]),
            110 => place(
                world,
                self.volume,
                Transform { rotation: turned(1, 0.3), ..Transform::at([0.1, 1.3, 0.2]) },
            )?,
            125 => world.entities().get::<&mut AmbientWind>(self.breeze)?.velocity = [-1.0, 0.3, 0.0],
            150 => {
                if let Some(zone) = self.zone {
                    world.entities().get::<&mut WindZone>(zone)?.blend = ZoneBlend::Replace;
                }
            }
            165 => {
                if let Some(zone) = self.zone.take() {
                    world.despawn(zone)?;
                }
            }
            180 => world.entities().get::<&mut FluidVolume>(self.volume)?.cell = 0.15,
            220 => world.entities_mut().remove_one::<FluidVolume>(self.volume).map(drop)?,
            _ => {}
        }
        Ok(())
    }
}
