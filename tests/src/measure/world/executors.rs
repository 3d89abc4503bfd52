//! `executors` and `workers`: whoever takes the steps, the bits are the same.

use std::collections::BTreeMap;

use super::{Wearer, rope};
use crate::incidents::{Steps, differing, states};
use crate::measure::{Measurement, Out, Table, Verdict};
use crate::workload::scenes;
use anyhow::{Context as _, Result};
use cloth_core::{Fingerprint, library};
use cloth_host::world::hecs::Entity;
use cloth_host::world::{
    Attachment, Cloth, ClothCollider, ClothExclude, ClothModel, Collider, Rayon, Shape, Transform, World,
};

/// Whoever takes the steps.
pub const EXECUTORS: Measurement = Measurement {
    name: "executors",
    about: "a rope that is walked; a rope with another and a ball hung on it; ropes and a cape spawned at ticks 37 and 120; a cape of 143 vertices on a walker \
            with three capsules, a floor and a ball that goes through; a sheet of 92², large enough for several workers, that is carried about above a floor beside a \
            rope, for 100 ticks; 400 ticks each of the others under every executor, compared with the serial one \
            byte by byte after every tick, and what was written back with what the serial one had written a tick before",
    bar: "serial, rayon, shuffled, pipelined: zero differing bytes in every whole state at every step; pipelined write-back exactly one tick late",
    uses_clock: false,
    run: executors,
};

/// How many workers.
pub const WORKERS: Measurement = Measurement {
    name: "workers",
    about: "eight walkers in capes of five strips among 24 capsules, 240 ticks, and 40 with a sheet of 92² that is large enough for several workers, on 1, 2, 3, 5 and 8 workers of a pool and beside the scene on as many: the world's \
            fingerprint after every tick (R29)",
    bar: "1, 2, 3, 5, 8 workers: same fingerprints (R29)",
    uses_clock: false,
    run: workers,
};

const TICKS: u32 = 400;
/// Of a large cloth: each is as long as a hundred of the others.
const LARGE_TICKS: u32 = 100;

/// What is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Play {
    One,
    Nested,
    Staggered,
    Colliders,
    Large,
}

const PLAYS: [(Play, &str); 5] = [
    (Play::One, "one cloth"),
    (Play::Nested, "nested"),
    (Play::Staggered, "staggered spawn"),
    (Play::Colliders, "colliders"),
    (Play::Large, "one large cloth"),
];

/// A sheet that is large enough for several workers, held along an edge.
fn large() -> Result<(Cloth, ClothModel)> {
    let cloth = Cloth { sleeps: false, ..Cloth::of(library::COTTON) };
    Ok((cloth, ClothModel::build(scenes::sheet(92).builder())?))
}

/// A world in which it is played.
struct Stage {
    play: Play,
    world: World,
    anchors: Vec<Entity>,
    ball: Option<Entity>,
    wearer: Option<Wearer>,
}

impl Stage {
    fn new(play: Play, steps: Steps) -> Result<Self> {
        let mut world = World::new();
        steps.take_over(&mut world);
        let mut stage = Self { play, world, anchors: Vec::new(), ball: None, wearer: None };
        let ball = (Collider::new(Shape::Sphere { radius: 0.1 }), ClothCollider::default(), ClothExclude);
        if play == Play::Colliders {
            let wearer = Wearer::in_surface(&mut stage.world, [0.0, 1.5, 0.0], library::COTTON)?;
            stage.anchors.push(wearer.anchor);
            stage.wearer = Some(wearer);
            let floor =
                (Transform::at([0.0, 0.7, 0.0]), Collider::new(Shape::Plane), ClothCollider::default());
            stage.world.spawn(floor);
            let at = Transform::at([-0.6, 1.0, 0.2]);
            let entity = stage.world.spawn(ball);
            stage.world.entities_mut().insert_one(entity, at)?;
            stage.ball = Some(entity);
            return Ok(stage);
        }
        let (outer, links) = rope(&mut stage.world, [0.0, 1.5, 0.0], 6, library::ROPE);
        stage.anchors.push(outer);
        if play == Play::Large {
            let (cloth, model) = large()?;
            let at = Transform::at([0.0, 1.5, 0.3]);
            stage.anchors.insert(0, stage.world.spawn((at, cloth, model)));
            let floor =
                (Transform::at([0.0, 0.7, 0.0]), Collider::new(Shape::Plane), ClothCollider::default());
            stage.world.spawn(floor);
        }
        if play == Play::Nested {
            let inner = stage.world.attach(links[2], Transform::IDENTITY);
            stage.world.entities_mut().insert_one(inner, Cloth::of(library::CHAIN))?;
            let mut parent = inner;
            for _ in 0..4 {
                parent = stage.world.attach(parent, Transform::at([0.0, 0.0, 0.08]));
            }
            stage.anchors.push(inner);
            // What one cloth carries the other runs into.
            let carried = stage.world.attach(links[4], Transform::at([0.0, -0.05, 0.1]));
            stage.world.entities_mut().insert(carried, ball)?;
        }
        Ok(stage)
    }

    /// Goes on by a tick.
    fn tick(&mut self, tick: u32) -> Result<()> {
        let time = f64::from(tick) / 60.0;
        if let Some(wearer) = &self.wearer {
            wearer.walk(&self.world, time)?;
        } else {
            let turn: f64 = 0.4 * (1.3 * time).sin();
            *self.world.entities().get::<&mut Transform>(self.anchors[0])? = Transform {
                translation: [0.5 * time, 1.5 + 0.05 * (7.0 * time).sin(), 0.3 * (2.0 * time).sin()],
                rotation: [0.0, turn.sin(), 0.0, turn.cos()],
                ..Transform::IDENTITY
            };
        }
        if let Some(ball) = self.ball {
            self.world.entities().get::<&mut Transform>(ball)?.translation[0] += 0.4 / 60.0;
        }
        if self.play == Play::Staggered {
            match tick {
                37 => self.anchors.push(rope(&mut self.world, [1.0, 1.5, 0.5], 8, library::CHAIN).0),
                120 => {
                    let wearer = Wearer::new(&mut self.world, [2.0, 1.5, 0.0], library::DENIM)?;
                    self.anchors.push(wearer.anchor);
                }
                _ => {}
            }
        }
        Ok(self.world.tick()?)
    }

    /// What has been written back: local transforms of nodes, and positions.
    fn written(&self) -> Result<BTreeMap<u64, Vec<f64>>> {
        let mut all = BTreeMap::new();
        for anchor in &self.anchors {
            let positions = self.world.positions(*anchor).context("it lives")?;
            all.insert(anchor.to_bits().get(), positions.iter().flatten().map(|x| f64::from(*x)).collect());
            for node in self.world.nodes(*anchor) {
                let Transform { translation, rotation, .. } =
                    self.world.entities().get::<&Attachment>(node)?.local;
                all.insert(node.to_bits().get(), translation.into_iter().chain(rotation).collect());
            }
        }
        Ok(all)
    }
}

fn executors(out: &mut Out) -> Result<Verdict> {
    let all = [
        ("rayon", Steps::Rayon(2)),
        ("shuffled", Steps::Shuffled(1)),
        ("pipelined", Steps::Pipelined),
        ("pipelined over rayon", Steps::PipelinedRayon(2)),
        ("pipelined over shuffled", Steps::PipelinedShuffled(1)),
    ];
    let mut table = Table::new(["scene", "executor", "states", "differing bytes", "write-backs as expected"]);
    let (mut differ, mut right, mut written) = (0, 0, 0);
    for (play, scene) in PLAYS {
        for (name, steps) in all {
            let seen = against_serial(play, steps)?;
            differ += seen.differing;
            right += seen.right;
            written += seen.written;
            table.row([
                scene.into(),
                name.into(),
                seen.states.to_string(),
                seen.differing.to_string(),
                format!("{} of {}", seen.right, seen.written),
            ]);
        }
    }
    out.line("A write-back is as expected where it is that of the serial executor in the same tick, or, beside the scene, in the tick before, to the bit.\n");
    out.table(&table);
    let mut verdict = Verdict::new();
    verdict.check(format!("{differ} differing bytes"), differ == 0);
    verdict.check(format!("{right} of {written} write-backs in their tick"), right == written && written > 0);
    Ok(verdict)
}

#[derive(Default)]
struct Seen {
    states: usize,
    differing: usize,
    right: usize,
    written: usize,
}

fn against_serial(play: Play, steps: Steps) -> Result<Seen> {
    let (mut serial, mut other) = (Stage::new(play, Steps::Serial)?, Stage::new(play, steps)?);
    let (mut seen, mut before) = (Seen::default(), BTreeMap::new());
    let mut first = None;
    for tick in 0..if play == Play::Large { LARGE_TICKS } else { TICKS } {
        serial.tick(tick)?;
        other.tick(tick)?;
        // Written back first: a look at a state may not change it.
        let (now, written) = (serial.written()?, other.written()?);
        let expected = if steps.is_late() { &before } else { &now };
        for (who, at) in expected {
            seen.written += 1;
            seen.right += usize::from(written.get(who) == Some(at) && (!steps.is_late() || tick > 0));
        }
        let (ours, theirs) = (states(&serial.world, &serial.anchors)?, states(&other.world, &other.anchors)?);
        anyhow::ensure!(ours.len() == serial.anchors.len(), "a cloth does not live");
        seen.states += ours.len();
        seen.differing += differing(&ours, &theirs);
        before = now;
        first = first.or(Some(ours));
    }
    // Where nothing moves nothing can differ.
    let last = states(&serial.world, &serial.anchors)?;
    anyhow::ensure!(differing(&first.context("there was a tick")?[..1], &last[..1]) > 0, "nothing moved");
    if matches!(play, Play::Colliders | Play::Large) {
        let met = serial.world.diagnostics(serial.anchors[0]).context("it lives")?.colliders;
        anyhow::ensure!(met > 0, "nothing was met");
    }
    Ok(seen)
}

fn workers(out: &mut Out) -> Result<Verdict> {
    let large = large()?;
    let mut table =
        Table::new(["workers", "of a pool", "beside the scene", "with a large cloth", "beside the scene"]);
    let (serial, _) = fingerprints(None, |_| ())?;
    let (of_large, _) = fingerprints(Some(&large), |_| ())?;
    let mut verdict = Verdict::new();
    for count in [1, 2, 3, 5, 8] {
        let mut row = vec![count.to_string()];
        let mut all = true;
        for (large, expected) in [(None, &serial), (Some(&large), &of_large)] {
            let (pool, said) = fingerprints(large, |world| world.set_executor(Rayon::oversubscribed(count)))?;
            let is_shared = said.contains("1 of them large enough");
            anyhow::ensure!(is_shared == (large.is_some() && count > 1), "{count} workers: {said}");
            let (beside, _) = fingerprints(large, |world| Steps::PipelinedRayon(count).take_over(world))?;
            for prints in [pool, beside] {
                let alike = prints.iter().zip(expected).filter(|(a, b)| a == b).count();
                row.push(format!("{alike} of {} alike", expected.len()));
                all &= alike == expected.len() && prints.len() == alike;
            }
        }
        verdict.check(format!("{count}: {}", if all { "all alike" } else { "not all alike" }), all);
        table.row(row);
    }
    for prints in [&serial, &of_large] {
        anyhow::ensure!(prints.windows(2).all(|pair| pair[0] != pair[1]), "the crowd stands still");
    }
    out.table(&table);
    out.line(format!("Cores of this machine: {}.", std::thread::available_parallelism()?));
    Ok(verdict)
}

fn fingerprints(
    large: Option<&(Cloth, ClothModel)>,
    executor: impl FnOnce(&mut World),
) -> Result<(Vec<Fingerprint>, String)> {
    let mut world = World::new();
    executor(&mut world);
    let wearers = (0..8_u32)
        .map(|number| Wearer::new(&mut world, [1.5 * f64::from(number), 1.5, 0.0], library::DENIM))
        .collect::<Result<Vec<_>>>()?;
    if let Some((cloth, model)) = large {
        world.spawn((Transform::at([0.0, 1.5, 3.0]), *cloth, model.clone()));
    }
    let mut prints = Vec::new();
    for tick in 0..if large.is_some() { 40 } else { 240 } {
        for (number, wearer) in (0_u32..).zip(&wearers) {
            wearer.walk(&world, f64::from(tick + 7 * number) / 60.0)?;
        }
        world.tick()?;
        prints.push(world.fingerprint());
    }
    Ok((prints, world.parallelism().reason))
}
