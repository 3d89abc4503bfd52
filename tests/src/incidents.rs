//! What may happen to a world between two ticks, in random programs that run in two worlds at once: under the serial executor,
//! which is obviously correct, and under another.

use anyhow::{Context as _, Result, ensure};
use cloth_core::anchor::Teleport;
use cloth_core::{Block, ClothDynamics, Vec3, library};
use cloth_host::fluid::FluidVolume;
use cloth_host::pose::Pose;
use cloth_host::world::hecs::{Component, Entity};
use cloth_host::world::{
    AmbientWind, Attachment, Cloth, ClothCollider, ClothExclude, ClothMesh, ClothPin, ClothTargets, Collider,
    Executor, MeshSource, Pipelined, Rate, Rayon, Serial, Shape, Shuffled, Transform, WindZone, World,
    ZoneBlend, ZoneShape,
};

use crate::narrow::to_f32;

/// Whoever takes the steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steps {
    /// One after the other.
    Serial,
    /// On so many workers.
    Rayon(usize),
    /// In orders of this seed.
    Shuffled(u64),
    /// Beside the scene.
    Pipelined,
    /// Beside the scene, on so many workers.
    PipelinedRayon(usize),
    /// Beside the scene, in orders of this seed.
    PipelinedShuffled(u64),
}

impl Steps {
    /// Lets it take the steps of a world.
    pub fn take_over(self, world: &mut World) {
        match self {
            Self::Serial => world.set_executor(Serial::default()),
            Self::Rayon(workers) => world.set_executor(Rayon::oversubscribed(workers)),
            Self::Shuffled(seed) => world.set_executor(Shuffled::new(seed)),
            Self::Pipelined => world.set_executor(Pipelined::new()),
            Self::PipelinedRayon(workers) => world.set_executor(beside(Rayon::oversubscribed(workers))),
            Self::PipelinedShuffled(seed) => world.set_executor(beside(Shuffled::new(seed))),
        }
    }

    /// Whether steps are written back a tick late.
    pub fn is_late(self) -> bool {
        matches!(self, Self::Pipelined | Self::PipelinedRayon(_) | Self::PipelinedShuffled(_))
    }

    fn of(number: u8) -> Self {
        let seed = u64::from(number);
        match number % 6 {
            0 => Self::Serial,
            1 => Self::Rayon(2 + usize::from(number / 6) % 3),
            2 => Self::Shuffled(seed),
            3 => Self::Pipelined,
            4 => Self::PipelinedRayon(2),
            _ => Self::PipelinedShuffled(seed),
        }
    }
}

fn beside(executor: impl Executor + 'static) -> Pipelined {
    Pipelined::over(executor)
}

/// A program: an operation and what it is done with, each. All bytes mean something.
pub type Program = [[u8; 2]];

/// How many kinds of operations there are.
pub const OPERATIONS: u8 = 34;

/// Their names, by number.
pub const NAMES: [&str; OPERATIONS as usize] = [
    "tick",
    "several ticks",
    "move an anchor",
    "despawn a cloth",
    "despawn a last node",
    "take a cloth's component",
    "give it back",
    "re-seed",
    "change tables",
    "calm down",
    "wake",
    "teleport",
    "carry",
    "hide or show",
    "change the rate",
    "change the blend",
    "change the fabric",
    "set or take targets",
    "hold a vertex",
    "let a vertex go",
    "move a collider",
    "spawn or despawn a collider",
    "spawn a cloth",
    "hang a cloth on a cloth",
    "attach a node",
    "a tick that is refused",
    "prepare",
    "settle",
    "change gravity",
    "another executor",
    "spawn or despawn wind",
    "turn or move wind",
    "change wind",
    "hang wind on a node",
];

/// A world and who is in it.
struct Side {
    world: World,
    steps: Steps,
    anchors: Vec<Entity>,
    balls: Vec<Entity>,
    taken: Vec<(Entity, Cloth)>,
    /// Sources of wind.
    airs: Vec<Entity>,
}

impl Side {
    fn new(steps: Steps) -> Self {
        let mut world = World::new();
        steps.take_over(&mut world);
        let mut side = Self {
            world,
            steps,
            anchors: Vec::new(),
            balls: Vec::new(),
            taken: Vec::new(),
            airs: Vec::new(),
        };
        let outer = side.rope([0.0, 1.0, 0.0], library::ROPE);
        side.nest(outer);
        side.sheet([0.3, 1.2, 0.8]);
        let floor = Transform::at([0.0, 0.5, 0.0]);
        side.world.spawn((floor, Collider::new(Shape::Plane), ClothCollider::default()));
        side.ball([0.3, 0.7, 0.1]);
        side
    }

    fn rope(&mut self, at: [f64; 3], dynamics: ClothDynamics) -> Entity {
        let anchor = self.world.spawn((Transform::at(at), Cloth::of(dynamics)));
        let mut parent = anchor;
        for _ in 0..5 {
            parent = self.world.attach(parent, Transform::at([0.1, 0.0, 0.02]));
        }
        self.anchors.push(anchor);
        anchor
    }

    /// Hangs a cloth on a cloth's third node, and a ball that other cloths meet on its fourth.
    fn nest(&mut self, outer: Entity) {
        let nodes = self.nodes(outer);
        let Some(node) = nodes.get(2).copied() else { return };
        let inner = self.world.attach(node, Transform::IDENTITY);
        let insert = |world: &mut World, entity, cloth: Cloth| {
            world.entities_mut().insert_one(entity, cloth).expect("it was spawned");
        };
        insert(&mut self.world, inner, Cloth::of(library::CHAIN));
        let mut parent = inner;
        for _ in 0..4 {
            parent = self.world.attach(parent, Transform::at([0.0, 0.01, 0.08]));
        }
        self.anchors.push(inner);
        let Some(node) = nodes.get(3).copied() else { return };
        let ball = self.world.attach(node, Transform::at([0.0, 0.0, 0.1]));
        let parts = (Collider::new(Shape::Sphere { radius: 0.06 }), ClothCollider::default(), ClothExclude);
        self.world.entities_mut().insert(ball, parts).expect("it was spawned");
    }

    fn sheet(&mut self, at: [f64; 3]) {
        let place = |column: u8, row: u8| [f32::from(column) * 0.08, 0.0, f32::from(row) * 0.08];
        let positions = (0..5).flat_map(|row| (0..5).map(move |column| place(column, row))).collect();
        let cell = |c: u32| [[c, c + 5, c + 1], [c + 1, c + 5, c + 6]];
        let triangles =
            (0..4).flat_map(|row| (0..4).flat_map(move |column| cell(row * 5 + column))).collect();
        let mesh = ClothMesh::new(MeshSource { positions, triangles, pins: vec![0, 4], weld: None });
        self.anchors.push(self.world.spawn((Transform::at(at), Cloth::of(library::COTTON), mesh)));
    }

    fn ball(&mut self, at: [f64; 3]) {
        let shape = Collider::new(Shape::Sphere { radius: 0.15 });
        self.balls.push(self.world.spawn((Transform::at(at), shape, ClothCollider::default())));
    }

    /// A source of wind of one of the kinds that there are.
    fn air(&mut self, kind: u8, with: u8) {
        let strong = f32::from(with % 8) - 3.0;
        let at = Transform::at([0.1 * f64::from(with % 8), 0.9, 0.1 * f64::from(with / 8)]);
        let entity = match kind % 4 {
            0 => self.world.spawn((AmbientWind {
                gust: [0.0, 0.5, 1.5],
                period: 0.7,
                ..AmbientWind::of([strong, 0.0, 0.5])
            },)),
            1 => {
                let shape = ZoneShape::Box { half_extents: [0.5, 0.4, 0.6] };
                let zone =
                    WindZone { turbulence: 0.4, falloff: 0.2, ..WindZone::of(shape, [0.0, strong, 2.0]) };
                self.world.spawn((at, zone))
            }
            2 => {
                let zone = WindZone::of(ZoneShape::Sphere { radius: 0.7 }, [strong, 1.0, 0.0]);
                self.world.spawn((at, WindZone { blend: ZoneBlend::Replace, mask: 1, ..zone }))
            }
            _ => {
                let prevailing = with.is_multiple_of(2).then_some([strong, 0.0, 1.0]);
                let volume = FluidVolume {
                    half_extents: [0.4; 3],
                    cell: 0.1,
                    border: 0.1,
                    prevailing,
                    ..FluidVolume::default()
                };
                self.world.spawn((at, volume))
            }
        };
        self.airs.push(entity);
    }

    /// What hangs on an entity, at any depth, those above first.
    fn below(&self, top: Entity) -> Vec<Entity> {
        let mut found = vec![top];
        let mut at = 0;
        while let Some(parent) = found.get(at).copied() {
            let mut attached = self.world.entities().query::<(Entity, &Attachment)>();
            let children = attached.iter().filter(|(_, attachment)| attachment.parent == parent);
            let mut children: Vec<Entity> = children.map(|(child, _)| child).collect();
            children.sort_unstable_by_key(|child| child.id());
            found.extend(children);
            at += 1;
        }
        found
    }

    /// A rope's own nodes, as they are attached.
    fn nodes(&self, anchor: Entity) -> Vec<Entity> {
        let is_own = |entity: &Entity| !self.world.entities().satisfies::<&Cloth>(*entity);
        self.below(anchor).into_iter().skip(1).filter(is_own).collect()
    }

    fn edit<T: Component>(&self, entity: Entity, change: impl FnOnce(&mut T)) -> bool {
        let found = self.world.entities().get::<&mut T>(entity).map(|mut component| change(&mut component));
        found.is_ok()
    }

    /// Does an operation; what came of it, in words.
    fn do_one(&mut self, [kind, with]: [u8; 2]) -> String {
        let anchor = self.anchors[usize::from(with) % self.anchors.len()];
        let [low, high] = [with % 16, with / 16];
        match NAMES[usize::from(kind % OPERATIONS)] {
            "tick" => return format!("{:?}", self.world.tick()),
            "several ticks" => {
                let ticks: Vec<_> = (0..2 + low).map(|_| self.world.tick()).collect();
                return format!("{ticks:?}");
            }
            "move an anchor" => {
                let by = [0.01, -0.02, 0.05, 0.001][usize::from(high) % 4];
                self.edit(anchor, |transform: &mut Transform| {
                    transform.translation[usize::from(low) % 3] += by;
                    let half: f64 = by * f64::from(high) / 2.0;
                    transform.rotation = [0.0, half.sin(), 0.0, half.cos()];
                });
            }
            "despawn a cloth" if self.anchors.len() > 1 => {
                for entity in self.below(anchor).into_iter().rev() {
                    self.anchors.retain(|anchor| *anchor != entity);
                    self.airs.retain(|air| *air != entity);
                    let _ = self.world.entities_mut().despawn(entity);
                }
                // Never none: the program goes on with others.
                if self.anchors.is_empty() {
                    self.rope([0.1, 1.0, 0.1], library::ROPE);
                }
            }
            "despawn a last node" => {
                let nodes = self.nodes(anchor);
                let last = nodes.iter().rfind(|node| self.below(**node).len() == 1);
                if let (Some(last), true) = (last, nodes.len() > 2) {
                    let _ = self.world.entities_mut().despawn(*last);
                }
            }
            "take a cloth's component" => {
                if let Ok(cloth) = self.world.entities_mut().remove_one::<Cloth>(anchor) {
                    self.taken.push((anchor, cloth));
                }
            }
            "give it back" => {
                if let Some((anchor, cloth)) = self.taken.pop() {
                    let _ = self.world.entities_mut().insert_one(anchor, cloth);
                }
            }
            "re-seed" => return format!("{:?}", self.world.reseed(anchor)),
            "change tables" => {
                self.edit(anchor, |cloth: &mut Cloth| cloth.density = Some(0.05 + 0.01 * f32::from(high)));
            }
            "calm down" => {
                self.edit(anchor, |cloth: &mut Cloth| cloth.dynamics.damping = 40.0);
                let ticks: Vec<_> = (0..90).map(|_| self.world.tick()).collect();
                return format!("{ticks:?}");
            }
            "wake" => return format!("{:?}", self.world.wake(anchor)),
            "teleport" => {
                let kind = if low % 2 == 0 { Teleport::Keep } else { Teleport::Reset };
                if low % 3 == 0 {
                    self.edit(anchor, |transform: &mut Transform| transform.translation[0] += 0.5);
                }
                return format!("{:?}", self.world.teleport(anchor, kind));
            }
            "carry" => {
                let part = Pose { translation: [0.02, 0.0, 0.001 * f64::from(high)], ..Pose::IDENTITY };
                return format!("{:?}", self.world.carry(anchor, part));
            }
            "hide or show" => {
                self.edit(anchor, |cloth: &mut Cloth| cloth.visible = !cloth.visible);
            }
            "change the rate" => {
                let rate = [Rate::Every, Rate::Second, Rate::Fourth][usize::from(high) % 3];
                self.edit(anchor, |cloth: &mut Cloth| cloth.rate = rate);
            }
            "change the blend" => {
                let blend = [0.0, 0.3, 1.0, 1.0][usize::from(high) % 4];
                self.edit(anchor, |cloth: &mut Cloth| cloth.blend = blend);
            }
            "change the fabric" => {
                let fabric = [library::ROPE, library::CHAIN, library::HAIR, library::SILK];
                self.edit(anchor, |cloth: &mut Cloth| cloth.dynamics = fabric[usize::from(high) % 4]);
            }
            "set or take targets" => {
                let taken = self.world.entities_mut().remove_one::<ClothTargets>(anchor).is_ok();
                // As many as the cloth has vertices, of one that is about to be made anew perhaps not.
                let count = self.world.positions(anchor).map_or(0, <[_]>::len);
                if !taken && count > 0 {
                    let at = |vertex: usize| [0.05 * to_f32(vertex as f64), 0.02 * f32::from(high), 0.0];
                    let targets = ClothTargets((0..count).map(at).collect());
                    let _ = self.world.entities_mut().insert_one(anchor, targets);
                }
            }
            "hold a vertex" => {
                let at = Vec3::new(0.1, 0.02 * f32::from(high), 0.05);
                return format!(
                    "{:?}",
                    self.world.with_state(anchor, |state| state.hold(u32::from(low), at))
                );
            }
            "let a vertex go" => {
                return format!("{:?}", self.world.with_state(anchor, |state| state.release(u32::from(low))));
            }
            "move a collider" => {
                if let Some(ball) = self.balls.get(usize::from(low)) {
                    self.edit(*ball, |transform: &mut Transform| {
                        transform.translation[usize::from(high) % 3] += 0.03;
                    });
                }
            }
            "spawn or despawn a collider" => match self.balls.pop() {
                Some(ball) if low > 7 => {
                    let _ = self.world.entities_mut().despawn(ball);
                }
                other => {
                    self.balls.extend(other);
                    self.ball([0.1 * f64::from(low), 0.8, 0.1 * f64::from(high)]);
                }
            },
            "spawn a cloth" if self.anchors.len() < 8 => {
                let at = [0.1 * f64::from(low), 1.0, 0.05 * f64::from(high)];
                if low % 4 == 0 {
                    self.sheet(at);
                } else {
                    self.rope(at, library::ROPE);
                }
            }
            "hang a cloth on a cloth" if self.anchors.len() < 8 => self.nest(anchor),
            "attach a node" => {
                if let Some(last) = self.nodes(anchor).last().copied() {
                    let node = self.world.attach(last, Transform::at([0.05, 0.0, 0.05]));
                    if low % 4 == 0 {
                        let _ = self.world.entities_mut().insert_one(node, ClothPin);
                    }
                }
            }
            "a tick that is refused" => {
                let Ok(was) = self.world.entities().get::<&Transform>(anchor).map(|at| *at) else {
                    return String::new();
                };
                self.edit(anchor, |transform: &mut Transform| transform.scale = [1.0, 2.0, 1.0]);
                let refused = self.world.tick();
                self.edit(anchor, |transform: &mut Transform| *transform = was);
                return format!("{refused:?}");
            }
            "prepare" => return format!("{:?}", self.world.prepare()),
            "settle" => return format!("{:?}", self.world.settle()),
            "change gravity" => {
                let gravity = [0.0, -9.81 + 0.5 * f64::from(low), 0.2 * f64::from(high)];
                return format!("{:?}", self.world.set_gravity(gravity));
            }
            "spawn or despawn wind" => match self.airs.len() {
                // Volumes cost time: there are few.
                count if count >= 4 || low > 9 && count > 0 => {
                    let air = self.airs.swap_remove(usize::from(high) % count);
                    let _ = self.world.entities_mut().despawn(air);
                }
                _ => self.air(low, high),
            },
            "turn or move wind" => {
                if let Some(air) = self.airs.get(usize::from(high) % 4) {
                    self.edit(*air, |transform: &mut Transform| {
                        transform.translation[usize::from(low) % 3] += 0.04;
                        let half = 0.05 * f64::from(low);
                        transform.rotation = [0.0, half.sin(), 0.0, half.cos()];
                    });
                }
            }
            "change wind" => {
                if let Some(air) = self.airs.get(usize::from(high) % 4) {
                    self.edit(*air, |wind: &mut AmbientWind| wind.velocity[usize::from(low) % 3] += 0.5);
                    self.edit(*air, |zone: &mut WindZone| {
                        zone.mask ^= 1;
                        zone.falloff += 0.02;
                    });
                    self.edit(*air, |volume: &mut FluidVolume| match low % 4 {
                        0 => volume.cell = if volume.cell > 0.11 { 0.1 } else { 0.12 },
                        1 => volume.prevailing = None,
                        2 => volume.obstacles ^= u32::MAX,
                        _ => volume.damping += 0.1,
                    });
                }
            }
            "hang wind on a node" => {
                let node = self.nodes(anchor).into_iter().rfind(|node| !self.airs.contains(node));
                if let (Some(parent), Some(air)) = (node, self.airs.get(usize::from(high) % 4)) {
                    let attachment = Attachment { parent, local: Transform::at([0.0, 0.1, 0.0]) };
                    // What blows everywhere may hang there too.
                    let _ = self.world.entities_mut().insert(*air, (attachment, ClothExclude));
                }
            }
            // The serial side stays what it is.
            "another executor" if self.steps != Steps::Serial => {
                Steps::of(with).take_over(&mut self.world);
            }
            _ => {}
        }
        String::new()
    }

    /// Every state, whole: anchor by anchor.
    fn states(&self) -> Result<Vec<Whole>> {
        states(&self.world, &self.anchors)
    }
}

/// A cloth's anchor, and its whole state.
pub type Whole = (Entity, Vec<Block>);

/// The whole state of every cloth that has one.
///
/// # Errors
///
/// None that a world causes.
pub fn states(world: &World, anchors: &[Entity]) -> Result<Vec<Whole>> {
    let mut all = Vec::new();
    for anchor in anchors {
        if let Some(state) = world.state(*anchor) {
            let mut blocks = vec![Block::default(); state.model().snapshot_blocks()];
            state.snapshot(&mut blocks)?;
            all.push((*anchor, blocks));
        }
    }
    Ok(all)
}

/// How many bytes differ. Of states that are not of the same cloths, all.
pub fn differing(a: &[Whole], b: &[Whole]) -> usize {
    let bytes = |side: &[Whole]| -> Vec<u8> {
        side.iter().flat_map(|(_, blocks)| bytemuck::cast_slice::<Block, u8>(blocks).to_vec()).collect()
    };
    let same = |(a, b): (&Whole, &Whole)| a.0 == b.0 && a.1.len() == b.1.len();
    let (left, right) = (bytes(a), bytes(b));
    if a.len() != b.len() || !a.iter().zip(b).all(same) {
        return left.len().max(right.len());
    }
    left.iter().zip(&right).filter(|(a, b)| a != b).count()
}

/// What two sides of a program came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Came {
    /// Steps of cloths that were compared.
    pub states: usize,
    /// Bytes that differ.
    pub differing: usize,
    /// Ticks that were taken.
    pub ticks: usize,
    /// Ticks that were refused.
    pub refused: usize,
}

/// Runs a program in two worlds and compares every state whenever it is looked at: after every operation, or now and then, so that
/// steps are in flight when something happens. In the end everything that was written back is compared too.
///
/// # Errors
///
/// The first difference, after the operation that showed it.
pub fn compare(program: &Program, steps: Steps, always: bool) -> Result<Came> {
    let mut sides = [Side::new(Steps::Serial), Side::new(steps)];
    let mut came = Came::default();
    for (place, operation) in program.iter().enumerate() {
        let name = NAMES[usize::from(operation[0] % OPERATIONS)];
        let [ours, theirs] = sides.each_mut().map(|side| side.do_one(*operation));
        ensure!(ours == theirs, "{place}: {name} says {theirs} instead of {ours}");
        if name.contains("tick") || name == "calm down" {
            came.ticks += ours.matches("Ok(())").count();
            came.refused += ours.matches("Err(").count();
        }
        if always || operation[1] == 0 {
            look(&sides, &mut came).with_context(|| format!("{place}: {name} {}", operation[1]))?;
        }
    }
    for side in &mut sides {
        // Of what changed since a tick nothing has been said; a refused one is the same on both sides.
        let _ = side.world.tick();
        let _ = side.world.settle();
    }
    look(&sides, &mut came).context("in the end")?;
    let [ours, theirs] = &sides;
    for anchor in &ours.anchors {
        ensure!(ours.world.diagnostics(*anchor) == theirs.world.diagnostics(*anchor), "diagnostics differ");
        ensure!(ours.world.positions(*anchor) == theirs.world.positions(*anchor), "positions differ");
        // Where no step was in flight there was nothing to catch up with: a slower rate is shown a tick late still.
        let every = |cloth: &Cloth| cloth.rate == Rate::Every && cloth.visible;
        if ours.world.entities().get::<&Cloth>(*anchor).is_ok_and(|cloth| every(&cloth)) {
            let shown = |side: &Side| side.world.interpolate(*anchor, 0.25);
            ensure!(shown(ours) == shown(theirs), "what is shown differs");
        }
    }
    let placed = |side: &Side| -> Vec<(Entity, Transform)> {
        let mut query = side.world.entities().query::<(Entity, &Transform)>();
        query.iter().map(|(entity, transform)| (entity, *transform)).collect()
    };
    ensure!(placed(ours) == placed(theirs), "transforms differ");
    Ok(came)
}

fn look(sides: &[Side; 2], came: &mut Came) -> Result<()> {
    let [ours, theirs] = [sides[0].states()?, sides[1].states()?];
    let differs = differing(&ours, &theirs);
    came.states += ours.len();
    came.differing += differs;
    ensure!(differs == 0, "{differs} bytes of {} states differ", ours.len());
    let prints = sides.each_ref().map(|side| side.world.fingerprint());
    ensure!(prints[0] == prints[1], "the world's fingerprints differ");
    Ok(())
}
