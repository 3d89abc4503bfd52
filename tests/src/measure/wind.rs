//! Wind in a world: `wind-parity` and `source-change`, and what `still` and `air-cost` say of worlds.

use super::callgrind::{self, Child};
use super::{Measurement, Out, Table, Verdict, absurd};
use crate::incidents::{Steps, Whole, differing, states};
use crate::workload::{Run, Spec, motion, scenes};
use anyhow::{Context as _, Result, ensure};
use cloth_core::{ClothDynamics, Level, StepInput, Vec3, library};
use cloth_host::fluid::FluidVolume;
use cloth_host::world::hecs::Entity;
use cloth_host::world::{
    AirTold, AmbientWind, Cloth, ClothCollider, ClothModel, Collider, Shape, Transform, WindZone, World,
    ZoneBlend, ZoneShape,
};

/// Whoever takes the steps.
pub const WIND_PARITY: Measurement = Measurement {
    name: "wind-parity",
    about: "two silk strands of nine links on an anchor that walks out of a volume of air sheared by a board, in gusts of 1.5 m/s of 0.7 s, and as many on a second anchor \
            spawned at tick 60; 200 ticks under every executor, every whole state and the air compared with the serial executor's after every tick",
    bar: "M§50: zero differing bytes at every step; both ways of sampling run, and the strands move",
    uses_clock: false,
    run: parity,
};

/// When wind that changes is felt.
pub const SOURCE_CHANGE: Measurement = Measurement {
    name: "source-change",
    about: "a damped rope of eight links and one 5 m off, each kind of source added, turned, deleted: both awake beside a world in which nothing happens, and both \
            asleep in air along them",
    bar: "felt on the next step, by whom it reaches alone; sleepers wake; others do not",
    uses_clock: false,
    run: source_change,
};

/// Strands of nine links of 5 cm on an anchor.
fn strands(world: &mut World, at: [f64; 3]) -> Entity {
    let anchor = world.spawn((Transform::at(at), Cloth::of(library::SILK)));
    for side in [-0.05, 0.05] {
        let mut parent = world.attach(anchor, Transform::at([0.01, -0.05, side]));
        for _ in 1..9 {
            parent = world.attach(parent, Transform::at([0.01, -0.05, 0.0]));
        }
    }
    anchor
}

/// The stage of `wind-parity`.
struct Stage {
    world: World,
    anchors: Vec<Entity>,
    volume: Entity,
}

impl Stage {
    fn new(steps: Steps) -> Self {
        let mut world = World::new();
        steps.take_over(&mut world);
        let anchors = vec![strands(&mut world, [0.0, 0.2, 0.0])];
        world.spawn((AmbientWind { gust: [1.5, 0.0, 0.0], period: 0.7, ..AmbientWind::default() },));
        // Large enough to be cut into parts.
        let volume = FluidVolume {
            half_extents: [1.2, 0.6, 0.6],
            cell: 0.05,
            prevailing: Some([4.0, 0.0, 0.5]),
            ..FluidVolume::default()
        };
        let volume = world.spawn((Transform::at([0.2, 0.0, 0.0]), volume));
        let board = Collider::new(Shape::Box { half_extents: [0.06, 0.3, 0.6] });
        world.spawn((Transform::at([-0.4, 0.3, 0.0]), board, ClothCollider::default()));
        Self { world, anchors, volume }
    }

    fn tick(&mut self, tick: u32) -> Result<()> {
        if tick == 60 {
            self.anchors.push(strands(&mut self.world, [0.4, 0.2, 0.2]));
        }
        if tick >= 60 {
            // As fast as people walk; out of the volume at tick 114.
            let mut transform = self.world.entities().get::<&mut Transform>(self.anchors[0])?;
            transform.translation[0] += 1.6 / 60.0;
        }
        Ok(self.world.tick()?)
    }
}

/// What was seen of a run beside the serial one.
#[derive(Default)]
struct Seen {
    states: usize,
    differing: usize,
    airs: usize,
    each: usize,
    once: usize,
}

fn parity(out: &mut Out) -> Result<Verdict> {
    let all = [
        ("rayon, 1 worker", Steps::Rayon(1)),
        ("rayon, 2 workers", Steps::Rayon(2)),
        ("rayon, 4 workers", Steps::Rayon(4)),
        ("shuffled", Steps::Shuffled(1)),
        ("pipelined", Steps::Pipelined),
        ("pipelined over rayon", Steps::PipelinedRayon(2)),
        ("pipelined over shuffled", Steps::PipelinedShuffled(1)),
    ];
    let mut table = Table::new([
        "executor",
        "states",
        "differing bytes",
        "ticks of other air",
        "steps sampled at every vertex",
        "steps sampled once",
    ]);
    let mut verdict = Verdict::new();
    let (mut differ, mut both) = (0, true);
    for (name, steps) in all {
        let seen = beside_serial(steps)?;
        table.row([
            name.into(),
            seen.states.to_string(),
            seen.differing.to_string(),
            seen.airs.to_string(),
            seen.each.to_string(),
            seen.once.to_string(),
        ]);
        differ += seen.differing + seen.airs;
        both &= seen.each > 0 && seen.once > 0;
    }
    out.table(&table);
    verdict.check(format!("{differ} bytes and airs differ"), differ == 0);
    verdict.check("both ways of sampling ran", both);
    Ok(verdict)
}

fn beside_serial(steps: Steps) -> Result<Seen> {
    let [mut serial, mut other] = [Steps::Serial, steps].map(Stage::new);
    let mut seen = Seen::default();
    let mut last: Option<Vec<Whole>> = None;
    for tick in 0..200 {
        serial.tick(tick)?;
        other.tick(tick)?;
        let (ours, theirs) = (states(&serial.world, &serial.anchors)?, states(&other.world, &other.anchors)?);
        ensure!(ours.len() == serial.anchors.len(), "a cloth does not live");
        seen.states += ours.len();
        seen.differing += differing(&ours, &theirs);
        let prints = [&serial, &other].map(|stage| stage.world.fingerprints().air);
        seen.airs += usize::from(prints[0] != prints[1]);
        match serial.world.diagnostics(serial.anchors[0]).context("it lives")?.air {
            AirTold::Each { .. } => seen.each += 1,
            AirTold::Uniform { .. } => seen.once += 1,
            AirTold::None => {}
        }
        if let Some(last) = last.replace(ours) {
            let now = states(&serial.world, &serial.anchors)?;
            ensure!(differing(&last[..1], &now[..1]) > 0, "tick {tick}: the strands stand still");
        }
    }
    let reached = serial.world.fluid(serial.volume).context("it is there")?.report();
    ensure!(!reached.asleep, "the air stands still");
    Ok(seen)
}

/// A kind of source: put into a world, turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Ambient,
    Adding,
    Replacing,
    Volume,
}

const KINDS: [(Kind, &str); 4] = [
    (Kind::Ambient, "ambient"),
    (Kind::Adding, "zone that adds"),
    (Kind::Replacing, "zone that replaces"),
    (Kind::Volume, "volume"),
];

impl Kind {
    /// Whether the rope that is far off feels it too.
    fn is_everywhere(self) -> bool {
        self == Self::Ambient
    }

    /// Spawns it, with a wind (m/s) along the world's axes.
    fn spawn(self, world: &mut World, wind: [f32; 3]) -> Entity {
        let here = Transform::at([0.0, 1.6, 0.0]);
        let shape = ZoneShape::Box { half_extents: [1.0; 3] };
        match self {
            Self::Ambient => world.spawn((AmbientWind::of(wind),)),
            Self::Adding => world.spawn((here, WindZone::of(shape, wind))),
            Self::Replacing => {
                world.spawn((here, WindZone { blend: ZoneBlend::Replace, ..WindZone::of(shape, wind) }))
            }
            Self::Volume => {
                let volume = FluidVolume {
                    half_extents: [1.0; 3],
                    cell: 0.2,
                    prevailing: Some(wind),
                    ..FluidVolume::default()
                };
                world.spawn((here, volume))
            }
        }
    }

    /// Turns it a quarter about Z: by its entity where its wind follows that.
    fn turn(self, world: &World, source: Entity) -> Result<()> {
        let turned = |[x, y, z]: [f32; 3]| [-y, x, z];
        match self {
            Self::Ambient => {
                let mut wind = world.entities().get::<&mut AmbientWind>(source)?;
                wind.velocity = turned(wind.velocity);
            }
            Self::Volume => {
                let mut volume = world.entities().get::<&mut FluidVolume>(source)?;
                volume.prevailing = volume.prevailing.map(turned);
            }
            Self::Adding | Self::Replacing => {
                let half = 0.5_f64.sqrt();
                world.entities().get::<&mut Transform>(source)?.rotation = [0.0, 0.0, half, half];
            }
        }
        Ok(())
    }
}

/// A damped rope that hangs as it was authored.
fn hung(world: &mut World, at: [f64; 3]) -> Entity {
    let cloth = Cloth::of(ClothDynamics { damping: 4.0, ..library::ROPE });
    let anchor = world.spawn((Transform::at(at), cloth));
    (0..8).fold(anchor, |parent, _| world.attach(parent, Transform::at([0.0, -0.1, 0.0])));
    anchor
}

/// Two ropes: one where sources are, one where they are not.
struct Pair {
    world: World,
    near: Entity,
    far: Entity,
    source: Option<Entity>,
}

/// Wind along a rope that hangs: it does not face it, and sleeps in it.
const ALONG: [f32; 3] = [0.0, -1.0, 0.0];

impl Pair {
    fn new(kind: Kind, blows: bool, ticks: u32) -> Result<Self> {
        let mut world = World::new();
        let [near, far] = [0.0, 5.0].map(|x| hung(&mut world, [x, 2.0, 0.0]));
        let source = blows.then(|| kind.spawn(&mut world, ALONG));
        for _ in 0..ticks {
            world.tick()?;
        }
        Ok(Self { world, near, far, source })
    }

    /// One whose ropes are on their way down, so that any air is felt.
    fn swinging(kind: Kind, blows: bool) -> Result<Self> {
        let mut pair = Self::new(kind, blows, 1)?;
        for anchor in [pair.near, pair.far] {
            pair.world.entities().get::<&mut Transform>(anchor)?.rotation = [0.0, 0.0, 0.2, 0.96_f64.sqrt()];
        }
        (0..30).try_for_each(|_| pair.world.tick())?;
        Ok(pair)
    }

    fn change(&mut self, kind: Kind, change: &str) -> Result<()> {
        match (change, self.source) {
            ("added", None) => self.source = Some(kind.spawn(&mut self.world, [1.0, 0.0, 0.0])),
            ("turned", Some(source)) => kind.turn(&self.world, source)?,
            ("deleted", Some(source)) => drop(self.world.despawn(source)?),
            _ => {}
        }
        Ok(())
    }

    fn prints(&self) -> Result<[u64; 2]> {
        let print = |anchor| anyhow::Ok(self.world.state(anchor).context("it lives")?.fingerprint().0);
        Ok([print(self.near)?, print(self.far)?])
    }

    fn asleep(&self) -> Result<[bool; 2]> {
        let asleep = |anchor| anyhow::Ok(self.world.diagnostics(anchor).context("it lives")?.asleep);
        Ok([asleep(self.near)?, asleep(self.far)?])
    }
}

fn source_change(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new([
        "source",
        "what happens",
        "the next step is another: near, far",
        "asleep before: near, far",
        "awake in the next step: near, far",
    ]);
    let (mut good, mut count) = (0, 0);
    for (kind, name) in KINDS {
        for change in ["added", "turned", "deleted"] {
            let blows = change != "added";
            let (mut one, mut other) = (Pair::swinging(kind, blows)?, Pair::swinging(kind, blows)?);
            ensure!(one.prints()? == other.prints()?, "the twins differ");
            one.change(kind, change)?;
            one.world.tick()?;
            other.world.tick()?;
            let (a, b) = (one.prints()?, other.prints()?);
            let felt = [a[0] != b[0], a[1] != b[1]];

            let mut bed = Pair::new(kind, blows, 400)?;
            let slept = bed.asleep()?;
            bed.change(kind, change)?;
            bed.world.tick()?;
            let woke = bed.asleep()?.map(|asleep| !asleep);
            let expected = [true, kind.is_everywhere()];
            count += 1;
            good += usize::from(felt == expected && slept == [true; 2] && woke == expected);
            let words = |[near, far]: [bool; 2]| {
                let word = |yes| if yes { "yes" } else { "no" };
                format!("{}, {}", word(near), word(far))
            };
            table.row([name.into(), change.into(), words(felt), words(slept), words(woke)]);
        }
    }
    out.table(&table);
    let mut verdict = Verdict::new();
    verdict.check(format!("{good} of {count} as they should"), good == count);
    Ok(verdict)
}

/// The 32×32 sheet at library settings without damping, which air holds on to.
fn sheet() -> Spec {
    let spec = motion::library_settings(scenes::sheet(32), 0.0);
    Spec { dynamics: ClothDynamics { drag: library::COTTON.drag, ..spec.dynamics }, ..spec }
}

/// A world of it, its anchor where the world's origin is.
fn sheet_world(sources: impl FnOnce(&mut World)) -> Result<(World, Entity)> {
    let spec = sheet();
    let mut world = World::new();
    let cloth = Cloth { sleeps: false, ..Cloth::of(spec.dynamics) };
    let anchor = world.spawn((Transform::IDENTITY, cloth, ClothModel::build(spec.builder())?));
    sources(&mut world);
    Ok((world, anchor))
}

/// What `still` says of worlds: without a source, and with sources that do not reach the cloth, a world steps what core steps by itself.
pub(super) fn still(verdict: &mut Verdict) -> Result<()> {
    let workload = sheet().build()?;
    let mut memory = workload.memory();
    let mut alone: Run<'_> = workload.start(&mut memory)?;
    let nobody = |world: &mut World| {
        world.spawn((AmbientWind { mask: 0, ..AmbientWind::of([3.0; 3]) },));
        let zone = WindZone::of(ZoneShape::Sphere { radius: 1.0 }, [3.0; 3]);
        world.spawn((Transform::at([9.0, 0.0, 0.0]), zone));
    };
    let mut worlds = [sheet_world(|_| ())?, sheet_world(nobody)?];
    let mut same = [0; 2];
    for _ in 0..120 {
        let input = StepInput { level: Level::detect(), sleep: false, ..workload.input() };
        let input = StepInput { gravity: Vec3::new(0.0, -9.81, 0.0), dt: 1.0 / 60.0, ..input };
        alone.step_with(&input)?;
        for ((world, anchor), same) in worlds.iter_mut().zip(&mut same) {
            world.tick()?;
            let state = world.state(*anchor).context("it lives")?;
            *same += u32::from(state.fingerprint() == alone.state.fingerprint());
        }
    }
    verdict.check(format!("a world without a source: {} of 120 steps as core's", same[0]), same[0] == 120);
    verdict.check(format!("with sources elsewhere: {} of 120", same[1]), same[1] == 120);
    Ok(())
}

/// Which wind a child counts.
fn of_child(child: Child) -> Result<(World, Entity)> {
    sheet_world(|world| {
        if child == Child::WindFluid {
            let volume = FluidVolume { half_extents: [1.5; 3], cell: 0.25, ..FluidVolume::default() };
            world.spawn((Transform::IDENTITY, volume));
        }
        world
            .spawn((AmbientWind { gust: [1.5, 0.0, 0.0], period: 0.7, ..AmbientWind::of([2.0, 0.0, 0.0]) },));
    })
}

/// Does what the observed process is there for.
pub(super) fn child(child: Child) -> Result<()> {
    let (mut world, _) = of_child(child)?;
    for _ in 0..callgrind::WARM_UP {
        world.tick()?;
    }
    measured_frames(&mut world)
}

/// Where counting is switched on.
#[inline(never)]
fn measured_frames(world: &mut World) -> Result<()> {
    (0..callgrind::MEASURED).try_for_each(|_| Ok(world.tick()?))
}

/// What `air-cost` says of worlds: what finding the air costs, over the step that is told it.
pub(super) fn cost(out: &mut Out, verdict: &mut Verdict) -> Result<()> {
    let mut table = Table::new([
        "sampled in a world",
        "instructions a step of the sheet",
        "of finding its air",
        "share",
        "a particle",
    ]);
    for (name, child) in [("ambient wind with gusts", Child::WindAmbient), ("a volume", Child::WindFluid)] {
        let (_, step) = callgrind::instructions_within(child, "cloth_core::step::step")?;
        let (_, tell) = callgrind::instructions_within(child, "cloth_host::world::live::air::tell")?;
        ensure!(step > 0 && tell > 0, "{name}: {step} instructions of steps, {tell} of sampling");
        let share = absurd::rational(tell, step);
        table.row([
            name.into(),
            step.to_string(),
            tell.to_string(),
            format!("{:.2} %", 100.0 * share),
            format!("{:.0}", absurd::rational(tell, 1024)),
        ]);
        if child == Child::WindAmbient {
            verdict.check(format!("ambient sampling {:.3} % of a step", 100.0 * share), share <= 0.01);
        } else {
            verdict.tell(format!("sampling a volume: {:.1} % of a step", 100.0 * share));
        }
    }
    out.table(&table);
    Ok(())
}
