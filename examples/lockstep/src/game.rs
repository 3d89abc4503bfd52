//! The game, and what a rollback needs of it.

use anyhow::{Context as _, Result, ensure};
use cloth_core::{Block, ClothDynamics, Region, SavedState, library};
use cloth_host::world::hecs::Entity;
use cloth_host::world::{
    Attachment, Cloth, ClothCollider, ClothExclude, ClothMesh, ClothPin, Collider, MeshSource, Shape,
    Snapshot, Snapshots, Transform, World,
};

use crate::dump::{Dump, Frame};
use crate::players::{Buttons, Character, DIRECTIONS, Directions, PLAYERS, walk};

/// Frames that are kept: those that a rollback goes back to, and those that a desync is found in later.
const KEPT: usize = 64;
/// Frames that are dumped: the one that was found, and some before it, because the report of an earlier one may have been lost.
const DUMPED: u64 = 8;

/// Two characters in capes, and a pole that the capes get caught on.
pub struct Game {
    world: World,
    characters: [Character; PLAYERS],
    bodies: [Body; PLAYERS],
    directions: Directions,
    kept: Snapshots,
    /// The frame that the world is at; frame 0 is before the first tick.
    frame: u64,
    /// The number of the world's tick at frame 0.
    first: u64,
    plant: Option<u64>,
}

/// A character's entities.
struct Body {
    anchor: Entity,
    legs: [Entity; 2],
}

/// What the rollback library keeps of a frame: the game's own state. Of cloth it has the number of the tick it is kept under.
#[derive(Clone, Debug)]
pub struct Saved {
    frame: u64,
    characters: [Character; PLAYERS],
}

impl Game {
    /// The game at its first frame.
    ///
    /// # Errors
    /// What the world refuses.
    pub fn new() -> Result<Self> {
        let mut world = World::new();
        let directions = Directions::new();
        let characters = [Character::new([-0.6, 0.0], 0), Character::new([0.6, 0.0], DIRECTIONS / 2)];
        let [a, b] = characters.map(|character| character.shoulders(&directions));
        // A surface, and strips: both kinds of cloth.
        let bodies = [cape(&mut world, a)?, strips(&mut world, b)?];
        let pole = Collider::new(Shape::Capsule { half_height: 1.0, radius: 0.08 });
        world.spawn((Transform::at([0.0, 1.0, 0.0]), pole, ClothCollider::default()));
        world.prepare()?;
        let first = world.tick_number();
        let kept = Snapshots::new(KEPT);
        Ok(Self { world, characters, bodies, directions, kept, frame: 0, first, plant: None })
    }

    /// Flips one bit of a cloth in the tick that leads to `frame`, whenever that is taken: a desync, if only one peer does it.
    pub fn plant(&mut self, frame: Option<u64>) {
        self.plant = frame;
    }

    /// The frame it is at.
    pub fn frame(&self) -> u64 {
        self.frame
    }

    /// One tick.
    ///
    /// # Errors
    /// What the world refuses.
    pub fn tick(&mut self, buttons: [Buttons; PLAYERS]) -> Result<()> {
        walk(&mut self.characters, buttons, &self.directions);
        let entities = self.world.entities();
        for (character, body) in self.characters.iter().zip(&self.bodies) {
            *entities.get::<&mut Transform>(body.anchor)? = character.shoulders(&self.directions);
            for (leg, is_left) in body.legs.iter().zip([true, false]) {
                entities.get::<&mut Attachment>(*leg)?.local = character.leg(is_left);
            }
        }
        self.world.tick()?;
        self.frame += 1;
        if self.plant == Some(self.frame) {
            self.flip()?;
        }
        Ok(())
    }

    /// Keeps the frame it is at. The hash is of two parts: what the cloth is, and above it what it was told, so that two peers know
    /// which of the two they disagree about.
    pub fn save(&mut self) -> (Saved, u128) {
        self.kept.save(&mut self.world);
        let cloth = u128::from(self.world.fingerprint().0);
        let told = u128::from(self.world.input_fingerprint().0);
        (Saved { frame: self.frame, characters: self.characters }, (told << 64) | cloth)
    }

    /// Goes back to a frame.
    ///
    /// # Errors
    /// [`NoSnapshot`](cloth_host::world::WorldError::NoSnapshot).
    pub fn load(&mut self, saved: &Saved) -> Result<()> {
        self.kept.restore(&mut self.world, self.first + saved.frame)?;
        self.frame = saved.frame;
        self.characters = saved.characters;
        Ok(())
    }

    /// The fingerprint of the world as it is.
    pub fn fingerprint(&self) -> u64 {
        self.world.fingerprint().0
    }

    /// What the frame that was kept last takes (bytes).
    pub fn bytes(&self) -> usize {
        // The tick before the one that it is at may have been the last to be kept.
        let ticks = (self.first..=self.first + self.frame).rev();
        ticks.take(2).find_map(|tick| self.kept.at(tick)).map_or(0, Snapshot::size)
    }

    /// What two peers compare to find where they part: the frames up to `frame` that are still kept. The game goes on from where it is.
    ///
    /// # Errors
    /// What the world refuses.
    pub fn dump(&mut self, player: usize, frame: u64, hashes: [u128; 2]) -> Result<Dump> {
        let mut here = Snapshot::new();
        self.world.snapshot(&mut here);
        let mut frames = Vec::new();
        for frame in frame.saturating_sub(DUMPED)..=frame {
            if let Some(kept) = self.kept.at(self.first + frame) {
                self.world.restore(kept)?;
                frames.push(Frame::of(frame, &self.world, kept));
            }
        }
        self.world.restore(&here)?;
        ensure!(!frames.is_empty(), "frame {frame} is not kept any more");
        Ok(Dump::new(player, frame, hashes, frames))
    }

    /// The world, with the states of a dump's frame in its cloths.
    ///
    /// # Errors
    /// A state that is not one of this game's.
    pub fn take(&mut self, frame: &Frame) -> Result<&World> {
        for body in &self.bodies {
            let blocks =
                frame.state(body.anchor).with_context(|| format!("it has no cloth {:?}", body.anchor))?;
            let loaded = self.world.with_state(body.anchor, |state| {
                SavedState::checked(state.model(), &blocks).and_then(|saved| state.load(&saved))
            });
            loaded??;
        }
        Ok(&self.world)
    }

    /// The anchors of the capes, by player.
    pub fn anchors(&self) -> [Entity; PLAYERS] {
        [self.bodies[0].anchor, self.bodies[1].anchor]
    }

    /// Flips the last bit of where the last particle of the second cape is.
    fn flip(&mut self) -> Result<()> {
        let anchor = self.bodies[1].anchor;
        self.world.with_state(anchor, |state| {
            let mut saved = SavedState::new();
            state.save(&mut saved);
            let before = state.region_fingerprints();
            let last = state.bodies().last().context("it has particles")?.map(f32::to_bits);
            let mut blocks: Vec<Block> = saved.blocks().to_vec();
            let block = blocks.iter_mut().find(|block| block.0 == last).context("it is in the state")?;
            block.0[0] ^= 1;
            state.load(&SavedState::checked(state.model(), &blocks)?)?;
            let changed = Region::ALL.into_iter().zip(before.into_iter().zip(state.region_fingerprints()));
            let changed: Vec<Region> =
                changed.filter(|(_, (a, b))| a != b).map(|(region, _)| region).collect();
            ensure!(changed == [Region::Positions], "one bit is one bit, and not {changed:?}");
            Ok(())
        })?
    }
}

const FABRIC: ClothDynamics = ClothDynamics { thickness: 0.01, ..library::COTTON };

/// A character in a cape of 6×8 vertices.
fn cape(world: &mut World, at: Transform) -> Result<Body> {
    const COLUMNS: u16 = 6;
    const ROWS: u16 = 8;
    let across = (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (row, column)));
    let positions = across.map(|(row, column)| {
        [0.07 * (f32::from(column) - 2.5), -0.09 * f32::from(row), -0.15 - 0.005 * f32::from(row)]
    });
    let quads = (0..ROWS - 1).flat_map(|row| (0..COLUMNS - 1).map(move |column| row * COLUMNS + column));
    let triangles = quads.flat_map(|first| {
        let [a, b] = [first, first + 1].map(u32::from);
        let below = u32::from(COLUMNS);
        [[a, a + below, b], [b, a + below, b + below]]
    });
    let source = MeshSource {
        positions: positions.collect(),
        triangles: triangles.collect(),
        pins: (0..u32::from(COLUMNS)).collect(),
        weld: None,
    };
    let anchor = world.spawn((at, Cloth::of(FABRIC), ClothMesh::new(source)));
    body(world, anchor)
}

/// A character in a cape of four strips of six links.
fn strips(world: &mut World, at: Transform) -> Result<Body> {
    let anchor = world.spawn((at, Cloth::of(ClothDynamics { damping: 1.0, ..FABRIC })));
    for strip in 0..4 {
        let x = 0.1 * (f64::from(strip) - 1.5);
        let mut parent = world.attach(anchor, Transform::at([x, 0.0, -0.15]));
        world.entities_mut().insert_one(parent, ClothPin)?;
        for _ in 1..7 {
            parent = world.attach(parent, Transform::at([0.0, -0.1, -0.005]));
        }
    }
    body(world, anchor)
}

/// What a character has besides a cape: trunk and legs.
fn body(world: &mut World, anchor: Entity) -> Result<Body> {
    let mut limb = |half_height: f32, radius: f32, at: [f64; 3]| {
        let shape = Collider::new(Shape::Capsule { half_height, radius });
        let limb = world.attach(anchor, Transform::at(at));
        // What is attached to an anchor is cloth unless it says otherwise.
        world.entities_mut().insert(limb, (shape, ClothCollider::default(), ClothExclude)).map(|()| limb)
    };
    limb(0.18, 0.11, [0.0, -0.25, 0.0])?;
    let legs = [limb(0.35, 0.07, [0.09, -0.85, 0.0])?, limb(0.35, 0.07, [-0.09, -0.85, 0.0])?];
    Ok(Body { anchor, legs })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn going_back_and_on_again_is_never_having_left() {
        let buttons = |frame| [0, 1].map(|player| Buttons::of_bot(3, player, frame));
        let mut game = Game::new().expect("it is one");
        let mut straight = Vec::new();
        for frame in 0..120 {
            straight.push(game.save());
            game.tick(buttons(frame)).expect("it steps");
        }
        game.load(&straight[90].0).expect("it is kept");
        // Another way for a while, and back.
        for _ in 0..5 {
            game.tick([Buttons(0); 2]).expect("it steps");
        }
        assert_ne!(game.save().1, straight[95].1);
        game.load(&straight[90].0).expect("it is kept");
        for frame in 90..120 {
            assert_eq!(game.save().1, straight[usize::try_from(frame).expect("small")].1, "frame {frame}");
            game.tick(buttons(frame)).expect("it steps");
        }
    }

    #[test]
    fn capes_are_where_their_wearers_are_and_meet_bodies() {
        let mut game = Game::new().expect("it is one");
        let mut contacts = [0; PLAYERS];
        for frame in 0..600 {
            game.tick([0, 1].map(|player| Buttons::of_bot(1, player, frame))).expect("it steps");
            for (player, anchor) in game.anchors().into_iter().enumerate() {
                let diagnostics = game.world.diagnostics(anchor).expect("it lives");
                // Nothing is crushed between two bodies.
                assert!(diagnostics.max_strain < 0.3, "{player} in {frame}: {}", diagnostics.max_strain);
                contacts[player] += diagnostics.contacts;
            }
        }
        assert!(contacts.into_iter().all(|contacts| contacts > 100), "{contacts:?}");
    }
}
