//! `wake-table`: what wakes a cloth that sleeps, and what does not.

use super::{damped, edit, rope};
use crate::measure::{Measurement, Out, Table, Verdict};
use anyhow::{Context as _, Result};
use cloth_core::Vec3;
use cloth_core::anchor::Teleport;
use cloth_host::pose::Pose;
use cloth_host::world::hecs::Entity;
use cloth_host::world::{Cloth, ClothCollider, ClothTargets, Collider, Rate, Shape, Transform, World};

/// Causes of waking.
pub const WAKE_TABLE: Measurement = Measurement {
    name: "wake-table",
    about: "a rope of eight links asleep against a ball: each cause of the scene's wake table, and what is none, in a world of its own",
    bar: "each cause of SCENE wakes in the same step; nothing else does (R24)",
    uses_clock: false,
    run,
};

/// A rope asleep against a ball.
struct Bed {
    world: World,
    anchor: Entity,
    ball: Entity,
    far: Entity,
}

const BALL: Shape = Shape::Sphere { radius: 0.1 };

fn ball(world: &mut World, at: [f64; 3]) -> Entity {
    world.spawn((Transform::at(at), Collider::new(BALL), ClothCollider::default()))
}

impl Bed {
    fn new() -> Result<Self> {
        let mut world = World::new();
        let (anchor, _) = rope(&mut world, [0.0, 2.0, 0.0], 8, damped());
        let near = ball(&mut world, [0.08, 1.5, 0.0]);
        let far = ball(&mut world, [5.0, 1.5, 0.0]);
        let mut bed = Self { world, anchor, ball: near, far };
        for _ in 0..3000 {
            bed.world.tick()?;
            if bed.is_asleep()? {
                return Ok(bed);
            }
        }
        anyhow::bail!("the rope does not fall asleep")
    }

    fn is_asleep(&self) -> Result<bool> {
        Ok(self.world.diagnostics(self.anchor).context("it lives")?.asleep)
    }

    /// Its targets where they were authored, with the last one moved (m).
    fn targets(&self, by: f32) -> Result<ClothTargets> {
        let count = self.world.positions(self.anchor).context("it lives")?.len();
        let state = self.world.state(self.anchor).context("it lives")?;
        let targets =
            (0_u32..).take(count).map(|vertex| state.target(vertex).unwrap_or(Vec3::ZERO).to_array());
        let mut targets: Vec<[f32; 3]> = targets.collect();
        if let Some([x, ..]) = targets.last_mut() {
            *x += by;
        }
        Ok(ClothTargets(targets))
    }
}

type Cause = (&'static str, fn(&mut Bed) -> Result<()>);

/// Everything that has to wake.
const CAUSES: &[Cause] = &[
    ("the anchor moves", |bed| edit::<Transform>(&bed.world, bed.anchor, |at| at.translation[0] += 1e-3)),
    ("the anchor turns", |bed| {
        edit::<Transform>(&bed.world, bed.anchor, |at| {
            at.rotation = [0.0, 0.001_f64.sin(), 0.0, 0.001_f64.cos()]
        })
    }),
    ("the anchor teleports, Reset", |bed| Ok(bed.world.teleport(bed.anchor, Teleport::Reset)?)),
    ("a target moves", |bed| {
        let targets = bed.targets(0.01)?;
        Ok(bed.world.entities_mut().insert_one(bed.anchor, targets)?)
    }),
    ("a collider that it touches moves", |bed| {
        edit::<Transform>(&bed.world, bed.ball, |at| at.translation[0] -= 1e-4)
    }),
    ("a collider that it touches goes", |bed| Ok(bed.world.entities_mut().despawn(bed.ball)?)),
    ("a collider appears in it", |bed| {
        ball(&mut bed.world, [0.0, 1.3, 0.0]);
        Ok(())
    }),
    ("a collider is replaced by another like it", |bed| {
        let at = bed.world.entities().get::<&Transform>(bed.ball)?.translation;
        bed.world.entities_mut().despawn(bed.ball)?;
        ball(&mut bed.world, at);
        Ok(())
    }),
    ("a collider that it touches has another friction", |bed| {
        edit::<Collider>(&bed.world, bed.ball, |collider| collider.friction = 0.1)
    }),
    ("a collider passes in one step", |bed| {
        let far = bed.far;
        edit::<Transform>(&bed.world, far, |at| at.translation[0] = -5.0)
    }),
    ("a plane comes up to it", |bed| {
        bed.world.spawn((
            Transform::at([0.0, 1.25, 0.0]),
            Collider::new(Shape::Plane),
            ClothCollider::default(),
        ));
        Ok(())
    }),
    ("gravity changes", |bed| Ok(bed.world.set_gravity([0.0, -9.8, 0.0])?)),
    ("the fabric changes", |bed| edit::<Cloth>(&bed.world, bed.anchor, |cloth| cloth.dynamics.bend = 1e-5)),
    ("the blend changes", |bed| edit::<Cloth>(&bed.world, bed.anchor, |cloth| cloth.blend = 0.9)),
    ("its layers change", |bed| edit::<Cloth>(&bed.world, bed.anchor, |cloth| cloth.layer = 1)),
    ("its steps are longer", |bed| edit::<Cloth>(&bed.world, bed.anchor, |cloth| cloth.rate = Rate::Second)),
    ("it may not sleep any more", |bed| edit::<Cloth>(&bed.world, bed.anchor, |cloth| cloth.sleeps = false)),
    ("it is seeded anew", |bed| Ok(bed.world.reseed(bed.anchor)?)),
    ("a vertex is held", |bed| {
        let hold = |state: &mut cloth_core::State<'_>| state.hold(8, Vec3::new(0.1, -0.7, 0.0));
        bed.world.with_state(bed.anchor, hold)?.map_err(Into::into)
    }),
    ("it is woken", |bed| Ok(bed.world.wake(bed.anchor)?)),
];

/// What is no cause.
const OTHERS: &[Cause] = &[
    ("time goes by", |_| Ok(())),
    ("a collider moves 5 m away", |bed| {
        edit::<Transform>(&bed.world, bed.far, |at| at.translation[1] += 0.5)
    }),
    ("a collider 5 m away goes", |bed| Ok(bed.world.entities_mut().despawn(bed.far)?)),
    ("a collider appears 5 m away", |bed| {
        ball(&mut bed.world, [0.0, 1.5, -5.0]);
        Ok(())
    }),
    ("a plane appears 1 m below it", |bed| {
        bed.world.spawn((
            Transform::at([0.0, 0.2, 0.0]),
            Collider::new(Shape::Plane),
            ClothCollider::default(),
        ));
        Ok(())
    }),
    ("a body without a ClothCollider appears in it", |bed| {
        bed.world.spawn((Transform::at([0.0, 1.3, 0.0]), Collider::new(BALL)));
        Ok(())
    }),
    ("a collider of another layer appears in it", |bed| {
        edit::<Cloth>(&bed.world, bed.anchor, |_| ())?;
        let collider = Collider { layer: 0, ..Collider::new(BALL) };
        bed.world.spawn((Transform::at([0.0, 1.3, 0.0]), collider, ClothCollider::default()));
        Ok(())
    }),
    ("another cloth appears", |bed| {
        rope(&mut bed.world, [0.0, 2.0, 0.5], 4, damped());
        Ok(())
    }),
    ("everything is written again as it was", |bed| {
        let (transform, cloth) = (
            *bed.world.entities().get::<&Transform>(bed.anchor)?,
            *bed.world.entities().get::<&Cloth>(bed.anchor)?,
        );
        bed.world.entities_mut().insert(bed.anchor, (transform, cloth))?;
        let targets = bed.targets(0.0)?;
        Ok(bed.world.entities_mut().insert_one(bed.anchor, targets)?)
    }),
    ("its anchor is carried along", |bed| {
        let part = Pose { translation: [0.0, 0.0, 0.125], ..Pose::IDENTITY };
        for entity in [bed.anchor, bed.ball] {
            edit::<Transform>(&bed.world, entity, |at| at.translation[2] += 0.125)?;
        }
        // The ball goes along and stands in the anchor's frame, but in the world it moves: that wakes. So it is put out of reach.
        bed.world.entities_mut().remove_one::<ClothCollider>(bed.ball)?;
        bed.settle()?;
        edit::<Transform>(&bed.world, bed.anchor, |at| at.translation[2] += 0.125)?;
        Ok(bed.world.carry(bed.anchor, part)?)
    }),
    ("it is shown", |bed| bed.world.interpolate(bed.anchor, 0.5).map(drop).map_err(Into::into)),
    ("it is culled and comes back", |bed| {
        edit::<Cloth>(&bed.world, bed.anchor, |cloth| cloth.visible = false)?;
        bed.world.tick()?;
        edit::<Cloth>(&bed.world, bed.anchor, |cloth| cloth.visible = true)
    }),
];

impl Bed {
    /// Lets it fall asleep again.
    fn settle(&mut self) -> Result<()> {
        for _ in 0..3000 {
            self.world.tick()?;
            if self.is_asleep()? {
                return Ok(());
            }
        }
        anyhow::bail!("the rope does not fall asleep again")
    }
}

fn run(out: &mut Out) -> Result<Verdict> {
    let mut table = Table::new(["what", "has to wake", "awake in the same tick", "bits stay asleep"]);
    let (mut woken, mut slept) = (0, 0);
    for (all, wakes) in [(CAUSES, true), (OTHERS, false)] {
        for (what, cause) in all {
            let mut bed = Bed::new()?;
            cause(&mut bed)?;
            let before = bed.world.positions(bed.anchor).context("it lives")?.to_vec();
            bed.world.tick()?;
            // Of a rate of two ticks the step is in the second.
            if *what == "its steps are longer" {
                bed.world.tick()?;
            }
            let (awake, same) = (!bed.is_asleep()?, bed.world.positions(bed.anchor) == Some(&before[..]));
            if wakes {
                woken += usize::from(awake);
            } else {
                slept += usize::from(!awake && same);
            }
            let word = |yes: bool| if yes { "yes" } else { "no" }.to_owned();
            table.row([(*what).to_owned(), word(wakes), word(awake), word(same)]);
        }
    }
    out.table(&table);
    let mut verdict = Verdict::new();
    verdict.check(format!("{woken} of {} causes wake", CAUSES.len()), woken == CAUSES.len());
    verdict.check(format!("{slept} of {} others do not", OTHERS.len()), slept == OTHERS.len());
    Ok(verdict)
}
