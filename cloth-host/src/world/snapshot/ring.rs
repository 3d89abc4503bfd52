//! The last few ticks of a world, in memory that is used again and again.

use super::Snapshot;
use crate::world::{World, WorldError};

/// Snapshots of the last few ticks: what a rollback goes back to.
///
/// ```
/// use cloth_host::world::{Cloth, Snapshots, Transform, World};
///
/// let mut world = World::new();
/// let hand = world.spawn((Transform::IDENTITY, Cloth::default()));
/// world.attach(hand, Transform::at([0.1, 0.0, 0.0]));
/// let mut last = Snapshots::new(8);
/// for _ in 0..20 {
///     world.tick()?;
///     last.save(&mut world);
/// }
/// last.restore(&mut world, 15)?;
/// assert_eq!(world.tick_number(), 15);
/// assert!(last.restore(&mut world, 3).is_err(), "that is too long ago");
/// # Ok::<(), cloth_host::world::WorldError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Snapshots {
    /// By number of their tick, modulo how many there are.
    slots: Vec<(Option<u64>, Snapshot)>,
}

impl Snapshots {
    /// Room for the last `count` ticks, one at least.
    pub fn new(count: usize) -> Self {
        Self { slots: vec![(None, Snapshot::new()); count.max(1)] }
    }

    /// Saves the world under the number of its last tick, in place of what was saved so many ticks ago. What was saved of later
    /// ticks, before the world went back, will not have been and is forgotten.
    pub fn save(&mut self, world: &mut World) {
        let tick = world.tick_number();
        for (number, _) in &mut self.slots {
            *number = number.filter(|number| *number < tick);
        }
        let place = self.place(tick);
        let Some((number, snapshot)) = self.slots.get_mut(place) else { return };
        *number = Some(tick);
        world.snapshot(snapshot);
    }

    /// The world after that tick.
    pub fn at(&self, tick: u64) -> Option<&Snapshot> {
        let (number, snapshot) = self.slots.get(self.place(tick))?;
        (*number == Some(tick)).then_some(snapshot)
    }

    /// Goes back to after that tick.
    ///
    /// # Errors
    /// [`WorldError::NoSnapshot`], and those of [`World::restore`]; the world is as it was.
    pub fn restore(&self, world: &mut World, tick: u64) -> Result<(), WorldError> {
        world.restore(self.at(tick).ok_or(WorldError::NoSnapshot { tick })?)
    }

    fn place(&self, tick: u64) -> usize {
        usize::try_from(tick % self.slots.len() as u64).unwrap_or(0)
    }
}
