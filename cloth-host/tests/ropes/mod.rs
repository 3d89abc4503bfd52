//! Ropes in a world, and what tests do with them.

use cloth_host::world::hecs::{self, Entity};
use cloth_host::world::{Attachment, Cloth, Transform, World};

/// A rope of links of 10 cm along X from an anchor.
pub fn rope(world: &mut World, at: [f64; 3], links: u32, cloth: Cloth) -> (Entity, Vec<Entity>) {
    let anchor = world.spawn((Transform::at(at), cloth));
    (anchor, chain(world, anchor, links))
}

/// Its links.
pub fn chain(world: &mut World, anchor: Entity, links: u32) -> Vec<Entity> {
    let mut parent = anchor;
    (0..links)
        .map(|_| {
            parent = world.attach(parent, Transform::at([0.1, 0.0, 0.0]));
            parent
        })
        .collect()
}

/// Where an entity is relative to its parent.
pub fn local(world: &World, entity: Entity) -> Transform {
    world.entities().get::<&Attachment>(entity).expect("it is attached").local
}

/// Takes so many ticks.
pub fn run(world: &mut World, ticks: u32) {
    for _ in 0..ticks {
        world.tick().expect("it steps");
    }
}

/// Changes a component.
pub fn edit<T: hecs::Component>(world: &mut World, entity: Entity, change: impl FnOnce(&mut T)) {
    change(&mut world.entities().get::<&mut T>(entity).expect("it has one"));
}
