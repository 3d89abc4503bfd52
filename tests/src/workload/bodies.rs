//! Bodies of a world and what asks for them: a crowd that moves, a town that stands.

use crate::narrow::to_f32;
use crate::random::Random;
use cloth_core::Vec3;
use cloth_core::collide::{self, Collider};
use cloth_host::index::{Body, Query};
use cloth_host::pose::{self, Bounds, Pose, add, scaled};

/// A body of 0.1 to 0.6 m, some way turned.
fn body(random: &mut Random, place: [f64; 3]) -> Body {
    let here = collide::Pose::IDENTITY;
    let size = to_f32(random.real(0.1, 0.6));
    let shape = match random.below(3) {
        0 => Collider::sphere(size, here),
        1 => Collider::capsule(size, 0.3 * size, here),
        _ => Collider::cuboid(Vec3::new(size, 0.5 * size, 0.8 * size), here),
    };
    let shape =
        shape.and_then(|shape| shape.touching(0.5, 0.01)).expect("sizes are within what a shape may have");
    let turn = [0; 4].map(|_| random.real(-1.0, 1.0));
    let rotation = pose::unit(turn).unwrap_or(pose::IDENTITY);
    Body { shape: shape.known(0, 1, 1), pose: Pose { translation: place, rotation } }
}

/// What a cloth of 0.8×1.2×0.8 m asks for.
fn cloth(place: [f64; 3]) -> Query {
    let half = [0.4, 0.6, 0.4];
    let bounds = Bounds { low: pose::sub(place, half), high: add(place, half) };
    Query { bounds, layer: 1, mask: 1, capacity: 64 }
}

fn within(random: &mut Random, size: [f64; 3]) -> [f64; 3] {
    size.map(|size| random.real(0.0, size))
}

/// Bodies that drift, and cloths among them.
#[derive(Clone, Debug)]
pub struct Crowd {
    /// Where the bodies are.
    pub bodies: Vec<Body>,
    /// Metres a tick.
    ways: Vec<[f64; 3]>,
    /// What the cloths ask for.
    pub cloths: Vec<Query>,
}

impl Crowd {
    /// `bodies` bodies and `cloths` cloths in 96×8×96 m from `origin`. A walk's speed at most, every eighth 10 m/s at most; they turn.
    pub fn new(bodies: usize, cloths: usize, origin: [f64; 3]) -> Self {
        const SIZE: [f64; 3] = [96.0, 8.0, 96.0];
        let mut random = Random::new(59);
        let place = |random: &mut Random| add(origin, within(random, SIZE));
        let all = (0..bodies).map(|_| {
            let at = place(&mut random);
            body(&mut random, at)
        });
        let all: Vec<Body> = all.collect();
        let ways = (0..bodies).map(|i| {
            let speed = if i % 8 == 0 { 10.0 } else { 2.0 };
            [0; 3].map(|_| random.real(-speed, speed) / (60.0 * 1.75))
        });
        let ways = ways.collect();
        let mut random = Random::new(64);
        let cloths = (0..cloths).map(|_| cloth(place(&mut random))).collect();
        Self { bodies: all, ways, cloths }
    }

    /// Moves all on by a tick.
    pub fn drift(&mut self) {
        for (body, way) in self.bodies.iter_mut().zip(&self.ways) {
            let turn = pose::unit([way[0], way[1], way[2], 1.0]).unwrap_or(pose::IDENTITY);
            body.pose = Pose {
                translation: add(body.pose.translation, *way),
                rotation: pose::unit(pose::times(turn, body.pose.rotation)).unwrap_or(pose::IDENTITY),
            };
        }
    }
}

/// A town of square tiles, each a group of bodies that stand, and cloths in it.
#[derive(Clone, Debug)]
pub struct Town {
    /// The bodies of each tile.
    pub tiles: Vec<Vec<Body>>,
    /// What the cloths ask for.
    pub cloths: Vec<Query>,
}

impl Town {
    /// `side`×`side` tiles of 12 m with `bodies` bodies each, and `cloths` cloths.
    pub fn new(side: u32, bodies: usize, cloths: usize) -> Self {
        const TILE: f64 = 12.0;
        let mut random = Random::new(60);
        let tiles = (0..side * side).map(|tile| {
            let corner = scaled([f64::from(tile % side), 0.0, f64::from(tile / side)], TILE);
            let mut one = || {
                let at = add(corner, within(&mut random, [TILE, 8.0, TILE]));
                body(&mut random, at)
            };
            (0..bodies).map(|_| one()).collect()
        });
        let tiles = tiles.collect();
        let width = TILE * f64::from(side);
        let cloths = (0..cloths).map(|_| cloth(within(&mut random, [width, 8.0, width]))).collect();
        Self { tiles, cloths }
    }
}
