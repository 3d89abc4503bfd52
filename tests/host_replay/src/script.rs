//! What is played: parts that each have something in the world, and say something of it before every tick.

use cloth_core::{State, Vec3};
use cloth_host::replay::Recorder;
use cloth_host::world::hecs::Entity;
use cloth_host::world::{ClothMesh, Transform, World};

use crate::Failure;
use crate::airs::Airs;
use crate::ropes::Ropes;
use crate::visitors::Visitors;
use crate::walker::Walker;

/// Ticks that are played.
pub const TICKS: u32 = 240;
/// The tick at which something is planted.
pub const PLANTED_AT: u32 = 60;
/// Ticks that are played where something was: a machine that is slow need not go on for long.
pub const PLANTED_TICKS: u32 = 72;

/// Something in the world.
pub(crate) trait Part {
    /// What it says before a tick, counted from 1. What leaves no trace in components goes through the recorder.
    fn before(
        &mut self,
        tick: u32,
        world: &mut World,
        recorder: &mut Recorder<Vec<u8>>,
    ) -> Result<(), Failure>;
}

/// The world's parts, as they begin.
pub(crate) fn parts(world: &mut World) -> Result<Vec<Box<dyn Part>>, Failure> {
    let ropes = Ropes::new(world)?;
    let visitors = Visitors::new(&ropes);
    let airs = Airs::new(world);
    Ok(vec![Box::new(ropes), Box::new(Walker::new(world)?), Box::new(visitors), Box::new(airs)])
}

/// What nobody is told of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plant {
    /// The lowest bit of a coordinate of a particle of the largest mesh flips.
    State,
    /// Gravity is by 0.01 m/s² another one than was said.
    Input,
}

/// Plants something.
pub(crate) fn plant(what: Plant, world: &mut World) -> Result<(), Failure> {
    match what {
        Plant::State => {
            let mut worn = world.entities().query::<(Entity, &ClothMesh)>();
            let largest =
                worn.iter().max_by_key(|(_, mesh)| mesh.0.positions.len()).map(|(entity, _)| entity);
            drop(worn);
            world.with_state(largest.ok_or("nobody wears a mesh")?, flip)?.ok_or("it has no such particle")
        }
        Plant::Input => {
            let [x, y, z] = world.gravity();
            Ok(world.set_gravity([x, y + 0.01, z])?)
        }
    }
    .map_err(Into::into)
}

/// Flips the lowest bit of the height of a particle.
fn flip(state: &mut State<'_>) -> Option<()> {
    const VERTEX: u32 = 57;
    let (at, velocity) = (state.position(VERTEX)?, state.velocity(VERTEX)?);
    state.place(VERTEX, Vec3::new(at.x, f32::from_bits(at.y.to_bits() ^ 1), at.z), velocity).ok()
}

/// One period of a wave of parabolas over so many ticks, between −1 and 1: a sine would be another number on another machine.
pub fn wave(tick: u32, period: u32) -> f64 {
    let turn = f64::from(tick % period) / (0.5 * f64::from(period));
    let (half, sign) = if turn < 1.0 { (turn, 1.0) } else { (turn - 1.0, -1.0) };
    sign * 4.0 * half * (1.0 - half)
}

/// The rotation about one of X, Y and Z whose half angle has this sine.
pub(crate) fn turned(axis: usize, half_sine: f64) -> [f64; 4] {
    let mut rotation = [0.0, 0.0, 0.0, cloth_host::pose::sqrt(1.0 - half_sine * half_sine)];
    rotation[axis] = half_sine;
    rotation
}

/// Puts an entity somewhere.
pub(crate) fn place(world: &World, entity: Entity, pose: Transform) -> Result<(), Failure> {
    *world.entities().get::<&mut Transform>(entity)? = pose;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::wave;

    #[test]
    fn the_wave_is_closed_and_reaches_one() {
        assert!(wave(0, 60).abs() < 1e-12 && wave(30, 60).abs() < 1e-12);
        assert!((wave(15, 60) - 1.0).abs() < 1e-12 && (wave(45, 60) + 1.0).abs() < 1e-12);
    }
}
