//! Cloths that hang on cloths: a rope that is walked, a chain on one of its links, a flag at the chain's end, and a ball that the rope
//! carries into them.

use cloth_core::library;
use cloth_host::replay::Recorder;
use cloth_host::world::hecs::Entity;
use cloth_host::world::{
    Cloth, ClothCollider, ClothExclude, ClothMesh, Collider, MeshSource, Shape, Transform, World,
};

use crate::Failure;
use crate::script::{Part, place, turned, wave};

/// Ropes on ropes.
pub(crate) struct Ropes {
    /// Of the rope.
    pub anchor: Entity,
    /// Of the chain on it.
    pub chain: Entity,
}

impl Ropes {
    pub fn new(world: &mut World) -> Result<Self, Failure> {
        let anchor = world.spawn((Transform::at([0.0, 1.5, 0.0]), Cloth::of(library::ROPE)));
        let links = links(world, anchor, 6, [0.1, 0.0, 0.0]);
        let chain = world.attach(links[2], Transform::IDENTITY);
        world.entities_mut().insert_one(chain, Cloth::of(library::CHAIN))?;
        let ends = self::links(world, chain, 4, [0.0, 0.0, 0.08]);
        let flag = world.attach(ends[3], Transform::IDENTITY);
        world.entities_mut().insert(flag, (Cloth::of(library::SILK), ClothMesh::new(sheet([6, 5], 0.04))))?;
        let ball = world.attach(links[4], Transform::at([0.0, -0.05, 0.1]));
        let shape = Collider::new(Shape::Sphere { radius: 0.08 });
        world.entities_mut().insert(ball, (shape, ClothCollider::default(), ClothExclude))?;
        Ok(Self { anchor, chain })
    }
}

impl Part for Ropes {
    fn before(&mut self, tick: u32, world: &mut World, _: &mut Recorder<Vec<u8>>) -> Result<(), Failure> {
        let pose = Transform {
            translation: [f64::from(tick) / 120.0, 1.5 + 0.05 * wave(tick, 54), 0.3 * wave(tick, 188)],
            rotation: turned(1, 0.38 * wave(tick, 290)),
            ..Transform::IDENTITY
        };
        place(world, self.anchor, pose)
    }
}

/// So many entities, each this far from the one before.
pub(crate) fn links(world: &mut World, anchor: Entity, count: u32, step: [f64; 3]) -> Vec<Entity> {
    let mut parent = anchor;
    let mut hang = |_| {
        parent = world.attach(parent, Transform::at(step));
        parent
    };
    (0..count).map(&mut hang).collect()
}

/// A sheet of so many vertices along X and down, so far apart, its upper edge held and in the middle about the origin.
pub(crate) fn sheet([columns, rows]: [u16; 2], apart: f32) -> MeshSource {
    let at = |row: u16, column: u16| u32::from(row) * u32::from(columns) + u32::from(column);
    let middle = 0.5 * f32::from(columns - 1);
    let mut mesh = MeshSource { pins: (0..u32::from(columns)).collect(), ..MeshSource::default() };
    for row in 0..rows {
        for column in 0..columns {
            mesh.positions.push([(f32::from(column) - middle) * apart, -f32::from(row) * apart, 0.0]);
            if row + 1 < rows && column + 1 < columns {
                let (a, b) = (at(row, column), at(row, column + 1));
                let (c, d) = (at(row + 1, column), at(row + 1, column + 1));
                mesh.triangles.extend([[a, c, b], [b, c, d]]);
            }
        }
    }
    mesh
}
