//! A small world with one of everything: nested cloths, colliders, one that sleeps, one that is stepped every fourth tick.

#![expect(dead_code, reason = "each test takes what it needs of it")]

use cloth_core::{ClothDynamics, library};
use cloth_host::world::hecs::Entity;
use cloth_host::world::{
    Attachment, Cloth, ClothCollider, ClothDiagnostics, ClothMesh, ClothTargets, Collider, MeshSource, Rate,
    Shape, Snapshot, Transform, World,
};

/// A world, and who is who in it.
pub struct Company {
    pub world: World,
    /// Of the rope, the rope on it, the sheet, the slow one and the one that sleeps.
    pub anchors: [Entity; 5],
    /// Links of the rope.
    pub rope: Vec<Entity>,
    /// The anchor of the rope on the rope, and its links.
    pub nested: Vec<Entity>,
    pub balls: Vec<Entity>,
    /// Who was spawned later.
    pub came: Vec<Entity>,
}

/// A rope of links of 10 cm along X from an anchor.
fn hang(world: &mut World, anchor: Entity, links: u32) -> Vec<Entity> {
    let mut parent = anchor;
    let mut nodes = Vec::new();
    for _ in 0..links {
        parent = world.attach(parent, Transform::at([0.1, 0.0, 0.0]));
        nodes.push(parent);
    }
    nodes
}

/// A square sheet in the plane Y = 0, of so many vertices a side and 4 cm between them, held along one edge.
pub fn sheet(side: u32) -> MeshSource {
    let at = |row: u32, column: u32| row * side + column;
    let mut mesh = MeshSource { pins: (0..side).collect(), ..MeshSource::default() };
    for row in 0..side {
        for column in 0..side {
            #[expect(clippy::cast_precision_loss, reason = "small numbers")]
            mesh.positions.push([0.04 * column as f32, 0.0, 0.04 * row as f32]);
            if row + 1 < side && column + 1 < side {
                let (a, b, c, d) =
                    (at(row, column), at(row, column + 1), at(row + 1, column), at(row + 1, column + 1));
                mesh.triangles.extend([[a, c, b], [b, c, d]]);
            }
        }
    }
    mesh
}

impl Company {
    pub fn new() -> Self {
        let mut world = World::new();
        let rope = world.spawn((Transform::at([0.0, 1.0, 0.0]), Cloth::of(library::ROPE)));
        let links = hang(&mut world, rope, 6);
        let nested = world.attach(links[5], Transform::IDENTITY);
        world.entities_mut().insert_one(nested, Cloth::of(library::CHAIN)).expect("it was spawned");
        let mut all = vec![nested];
        all.extend(hang(&mut world, nested, 3));
        let slow = Cloth { rate: Rate::Fourth, ..Cloth::of(library::HAIR) };
        let slow = world.spawn((Transform::at([-0.6, 1.0, 0.3]), slow));
        hang(&mut world, slow, 4);
        let mesh = ClothMesh::new(sheet(7));
        let surface = world.spawn((Transform::at([0.2, 0.9, -0.6]), Cloth::of(library::SILK), mesh));
        let still = ClothDynamics { damping: 30.0, ..library::ROPE };
        let still = world.spawn((Transform::at([-2.0, 1.0, 0.0]), Cloth::of(still)));
        let mut parent = still;
        for _ in 0..3 {
            parent = world.attach(parent, Transform::at([0.0, -0.1, 0.0]));
        }
        let mut balls = Vec::new();
        for x in [0.2, 0.45] {
            let ball = Collider::new(Shape::Sphere { radius: 0.1 });
            balls.push(world.spawn((Transform::at([x, 0.7, 0.0]), ball, ClothCollider::default())));
        }
        world.spawn((Transform::IDENTITY, Collider::new(Shape::Plane), ClothCollider::default()));
        world.prepare().expect("it can be made");
        Self {
            world,
            anchors: [rope, nested, surface, slow, still],
            rope: links,
            nested: all,
            balls,
            came: Vec::new(),
        }
    }

    /// Moves on, and steps.
    pub fn tick(&mut self, tick: u32) {
        self.place(tick);
        self.world.tick().expect("it steps");
    }

    /// Moves on.
    pub fn place(&mut self, tick: u32) {
        let time = f64::from(tick) / 60.0;
        let entities = self.world.entities();
        let put = |entity: Entity, at: [f64; 3]| {
            if let Ok(mut transform) = entities.get::<&mut Transform>(entity) {
                transform.translation = at;
            }
        };
        put(self.anchors[0], [0.05 * (3.0 * time).sin(), 1.0, 0.03 * time]);
        put(self.anchors[3], [-0.6, 1.0 + 0.02 * (5.0 * time).cos(), 0.3]);
        for (ball, x) in self.balls.iter().zip([0.2, 0.45]) {
            put(*ball, [x + 0.15 * (4.0 * time).sin(), 0.75, 0.02]);
        }
        if tick % 16 == 5 {
            let targets = sheet(7).positions.iter().map(|[x, y, z]| [*x, y + 0.01, *z]).collect();
            self.world
                .entities_mut()
                .insert_one(self.anchors[2], ClothTargets(targets))
                .expect("it is there");
        }
        if tick % 16 == 9 {
            // It may have none.
            let _ = self.world.entities_mut().remove_one::<ClothTargets>(self.anchors[2]);
        }
    }

    /// How many cloths sleep.
    pub fn slept(&self) -> usize {
        let asleep = |anchor: &&Entity| self.world.diagnostics(**anchor).is_some_and(|it| it.asleep);
        self.anchors.iter().filter(asleep).count()
    }

    /// Everything that a host sees: transforms, local ones, what is interpolated, diagnostics.
    pub fn shown(&self) -> Vec<String> {
        let mut all: Vec<Entity> = self.world.entities().iter().map(|it| it.entity()).collect();
        all.sort_unstable();
        let see = |entity: &Entity| {
            let diagnostics = self.world.diagnostics(*entity);
            let diagnostics = diagnostics.map(|it| ClothDiagnostics { milliseconds: 0.0, ..*it });
            let local = self.world.entities().get::<&Attachment>(*entity).ok().map(|it| *it);
            let transform = self.world.entities().get::<&Transform>(*entity).ok().map(|it| *it);
            let shown = self.world.interpolate(*entity, 0.3).ok();
            format!("{entity:?} {transform:?} {local:?} {diagnostics:?} {shown:?}")
        };
        all.iter().map(see).collect()
    }
}

/// The first word in which two snapshots differ.
pub fn differs(a: &Snapshot, b: &Snapshot) -> Option<usize> {
    let lengths = (a.words().count(), b.words().count());
    let place = a.words().zip(b.words()).position(|(a, b)| a != b);
    place.or_else(|| (lengths.0 != lengths.1).then_some(lengths.0.min(lengths.1)))
}

/// A recording of which a record of a kind says another number where it says this one first, its checksum right.
pub fn with_other(file: &[u8], of: u32, number: u64) -> Vec<u8> {
    let mut words: Vec<u32> = file.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    let fnv = |words: &[u32]| {
        words.iter().flat_map(|word| word.to_le_bytes()).fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    };
    let halves = |long: u64| [(long & 0xffff_ffff) as u32, (long >> 32) as u32];
    let mut at = 4;
    while at < words.len() {
        let (kind, length) = (words[at], words[at + 1] as usize);
        let holds = at + 4..at + 4 + length;
        let place = words[holds.clone()].windows(2).position(|pair| pair == halves(number));
        if let Some(place) = place.filter(|_| kind == of) {
            words[holds.start + place] ^= 1;
            let hashed: Vec<u32> = [kind, words[at + 1], 0].iter().chain(&words[holds]).copied().collect();
            let [low, high] = halves(fnv(&hashed));
            (words[at + 2], words[at + 3]) = (low, high);
            return words.iter().flat_map(|word| word.to_le_bytes()).collect();
        }
        at += 4 + length;
    }
    panic!("no record of kind {of} says {number:x}");
}

/// The records of a file, each with its kind.
pub fn records(file: &[u8]) -> Vec<(u32, &[u8])> {
    let word = |at: usize| file.as_chunks::<4>().0.get(at).map(|word| u32::from_le_bytes(*word));
    let (mut at, mut found) = (4, Vec::new());
    while let Some((kind, length)) = word(at).zip(word(at + 1)) {
        let end = at + 4 + length as usize;
        found.push((kind, &file[4 * at..4 * end]));
        at = end;
    }
    found
}
