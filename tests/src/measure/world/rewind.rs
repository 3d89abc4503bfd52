//! `rewind`: back and on again is never having left.

use super::{Wearer, damped, edit, rope};
use crate::measure::{Measurement, Out, Verdict};
use crate::no_alloc::heap_calls;
use anyhow::{Context as _, Result, ensure};
use cloth_core::library;
use cloth_host::world::hecs::Entity;
use cloth_host::world::{
    Attachment, Cloth, ClothCollider, ClothDiagnostics, Collider, Rate, Shape, Snapshot, Transform, World,
};

/// Rollback.
pub const REWIND: Measurement = Measurement {
    name: "rewind",
    about: "a walker in a cape of strips, a rope with a rope on it, one stepped every fourth tick, one that sleeps, and balls that \
            go through them: at every frame of 600, save, 8 ticks, back, 8 ticks; all values, transforms, diagnostics and what is interpolated \
            are compared, and heap calls of saving and going back are counted from the hundredth frame on",
    bar: "save → 8 steps → restore → 8 steps at every frame of 600: bit-identical; nothing allocated in the steady state",
    uses_clock: false,
    run,
};

const FRAMES: u32 = 600;
const AHEAD: u32 = 8;

struct Scene {
    world: World,
    wearer: Wearer,
    anchors: [Entity; 4],
    balls: Vec<Entity>,
}

impl Scene {
    fn new() -> Result<Self> {
        let mut world = World::new();
        let wearer = Wearer::new(&mut world, [0.0, 1.5, 0.0], library::COTTON)?;
        let (long, links) = rope(&mut world, [2.0, 1.5, 0.0], 8, library::ROPE);
        let nested = world.attach(*links.last().context("it has links")?, Transform::IDENTITY);
        world.entities_mut().insert_one(nested, Cloth::of(library::CHAIN))?;
        let mut parent = nested;
        for _ in 0..4 {
            parent = world.attach(parent, Transform::at([0.08, 0.0, 0.0]));
        }
        let (slow, _) = rope(&mut world, [4.0, 1.5, 0.0], 8, library::HAIR);
        edit::<Cloth>(&world, slow, |cloth| cloth.rate = Rate::Fourth)?;
        let (still, _) = rope(&mut world, [6.0, 1.5, 0.0], 4, damped());
        let ball = || (Collider::new(Shape::Sphere { radius: 0.12 }), ClothCollider::default());
        let mut balls = Vec::new();
        for x in [0.0, 2.3, 4.3] {
            let (shape, contact) = ball();
            balls.push(world.spawn((Transform::at([x, 1.0, 0.0]), shape, contact)));
        }
        world.spawn((Transform::IDENTITY, Collider::new(Shape::Plane), ClothCollider::default()));
        Ok(Self { world, wearer, anchors: [long, nested, slow, still], balls })
    }

    fn tick(&mut self, tick: u32) -> Result<()> {
        let time = f64::from(tick) / 60.0;
        self.wearer.walk(&self.world, time)?;
        edit::<Transform>(&self.world, self.anchors[0], |it| {
            it.translation[1] = 1.5 + 0.05 * (3.0 * time).sin()
        })?;
        for (ball, x) in self.balls.iter().zip([0.0, 2.3, 4.3]) {
            let at = [x, 1.0 + 0.3 * (1.1 * time).sin(), 0.5 * (0.7 * time).cos()];
            edit::<Transform>(&self.world, *ball, |it| it.translation = at)?;
        }
        Ok(self.world.tick()?)
    }

    /// What a host sees of it.
    fn seen(&self) -> Result<Vec<f64>> {
        let entities = self.world.entities();
        let mut seen = Vec::new();
        for anchor in self.anchors.iter().chain([&self.wearer.anchor]) {
            let shown = self.world.interpolate(*anchor, 0.4)?;
            seen.extend(shown.positions.as_flattened());
            for (node, transform) in shown.nodes {
                let here = *entities.get::<&Transform>(node)?;
                let local = entities.get::<&Attachment>(node)?.local;
                for it in [transform, here, local] {
                    seen.extend(it.translation.into_iter().chain(it.rotation));
                }
            }
        }
        Ok(seen)
    }

    fn told(&self) -> Result<Vec<ClothDiagnostics>> {
        let anchors = self.anchors.iter().chain([&self.wearer.anchor]);
        anchors.map(|anchor| self.world.diagnostics(*anchor).copied().context("it lives")).collect()
    }
}

fn run(out: &mut Out) -> Result<Verdict> {
    let mut scene = Scene::new()?;
    scene.world.prepare()?;
    let (mut before, mut there, mut again) = (Snapshot::new(), Snapshot::new(), Snapshot::new());
    let (mut alike, mut slept, mut contacts, mut calls) = (0_u32, 0_u32, 0_u64, 0);
    for frame in 0..FRAMES {
        let ((), saving) = heap_calls(|| scene.world.snapshot(&mut before));
        for tick in frame..frame + AHEAD {
            scene.tick(tick)?;
        }
        scene.world.snapshot(&mut there);
        let (seen, told) = (scene.seen()?, scene.told()?);
        let (back, going) = heap_calls(|| scene.world.restore(&before));
        back?;
        for tick in frame..frame + AHEAD {
            scene.tick(tick)?;
        }
        scene.world.snapshot(&mut again);
        let bits = |values: &[f64]| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        let same = there == again && bits(&seen) == bits(&scene.seen()?) && told == scene.told()?;
        alike += u32::from(same);
        slept += u32::from(told.iter().any(|it| it.asleep));
        contacts += told.iter().map(|it| u64::from(it.contacts)).sum::<u64>();
        if frame >= 100 {
            calls += saving + going;
        }
        scene.world.restore(&before)?;
        scene.tick(frame)?;
    }
    ensure!(there != before, "it moves");
    out.line(format!(
        "{contacts} contacts in the frames that were compared, a cloth asleep in {slept} of them"
    ));
    let mut verdict = Verdict::new();
    verdict.check(format!("{alike} of {FRAMES} frames alike to the bit"), alike == FRAMES);
    verdict.check(format!("{calls} heap calls"), calls == 0);
    verdict.check(format!("asleep in {slept} frames, {contacts} contacts"), slept > 0 && contacts > 0);
    Ok(verdict)
}
