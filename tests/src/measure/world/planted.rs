//! `planted`: a bit that flips is found.

use super::{Wearer, rope};
use crate::measure::{Measurement, Out, Verdict};
use anyhow::{Context as _, Result, bail};
use cloth_core::{Region, State, Vec3, library};
use cloth_host::replay::{Part, Parted, Recorder, Replay, ReplayError, diff, verify};
use cloth_host::world::{ClothCollider, Collider, Shape, Transform, World};

/// A desync.
pub const PLANTED: Measurement = Measurement {
    name: "planted",
    about: "a walker in a cape, a rope, and a ball: 600 ticks recorded with a keyframe each, twice; after the step of tick 300 the lowest bit of one coordinate \
            of one particle flips in one of them, and nobody is told",
    bar: "one bit flipped at tick 300 of 600: `cloth diff` names tick, cloth, region, particle and both values",
    uses_clock: false,
    run,
};

const TICKS: u32 = 600;
const PLANTED_AT: u32 = 300;
const VERTEX: u32 = 7;

fn run(out: &mut Out) -> Result<Verdict> {
    let (good, _) = recorded(false)?;
    let (bad, flipped) = recorded(true)?;
    let (expected, found) = flipped.context("it flipped")?;
    let (a, b) = (Replay::read(&good)?, Replay::read(&bad)?);
    let mut verdict = Verdict::new();
    let verified = verify(&a)?;
    verdict.check(format!("{} of {TICKS} ticks verified without", verified.ticks), verified.ticks == TICKS);
    let caught = matches!(verify(&b), Err(ReplayError::Differs { tick: PLANTED_AT, .. }));
    verdict.check(if caught { "verify names the tick" } else { "verify does not name the tick" }, caught);
    let Some(divergence) = diff(&a, &b)? else { bail!("no difference was found") };
    out.line(format!("cloth diff: {divergence}"));
    let Parted::Outcome { part: Part::Region { region, .. }, difference: Some(difference) } =
        divergence.parted
    else {
        bail!("only this was found: {divergence}");
    };
    let named = divergence.tick == PLANTED_AT && region == Region::Positions && difference.vertex == VERTEX;
    verdict.check(format!("tick {}, {region}, vertex {}", divergence.tick, difference.vertex), named);
    let both = difference.bits == [expected, found];
    verdict.check(format!("{:08x} and {:08x}", difference.bits[0], difference.bits[1]), both);
    verdict.tell(format!("{} bytes a tick", good.len() / TICKS as usize));
    Ok(verdict)
}

/// Bits before and after one was flipped.
type Flipped = (u32, u32);

/// The recording, and what was flipped.
fn recorded(plant: bool) -> Result<(Vec<u8>, Option<Flipped>)> {
    let mut world = World::new();
    let wearer = Wearer::new(&mut world, [0.0, 1.5, 0.0], library::COTTON)?;
    rope(&mut world, [2.0, 1.5, 0.0], 8, library::ROPE);
    let ball = (Collider::new(Shape::Sphere { radius: 0.2 }), ClothCollider::default());
    world.spawn((Transform::at([2.2, 1.1, 0.0]), ball.0, ball.1));
    let mut recorder = Recorder::new(&mut world, Vec::new(), 1)?;
    let mut flipped = None;
    for tick in 1..=TICKS {
        wearer.walk(&world, f64::from(tick) / 60.0)?;
        recorder.before(&world)?;
        world.tick()?;
        if plant && tick == PLANTED_AT {
            flipped = world.with_state(wearer.anchor, flip)?;
        }
        recorder.after(&mut world)?;
    }
    Ok((recorder.finish()?, flipped))
}

fn flip(state: &mut State<'_>) -> Option<Flipped> {
    let (at, velocity) = (state.position(VERTEX)?, state.velocity(VERTEX)?);
    let bits = (at.y.to_bits(), at.y.to_bits() ^ 1);
    state.place(VERTEX, Vec3::new(at.x, f32::from_bits(bits.1), at.z), velocity).ok()?;
    Some(bits)
}
