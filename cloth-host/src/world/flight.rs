//! Steps between the thread that asked for them and the world that takes them back.

use std::cell::{OnceCell, RefCell};

use hecs::Entity;

use super::{Executor, ExecutorFault, Parallelism, Work};

/// Who takes the steps, and the cloths that are away with it.
///
/// Whoever only looks at a state may wait for the steps ([`Flight::peek`]): they come down into a place of their own, and the
/// world takes them from there when it is time to write back.
pub(super) struct Flight {
    executor: RefCell<Box<dyn Executor>>,
    /// Whose flights these are: an executor may be shared by worlds.
    world: u64,
    /// Which flight this is, so that nothing that comes back is of another.
    number: u64,
    /// Anchors of the cloths that are away, by number; a cloth's place here is its ticket.
    away: Vec<Entity>,
    /// By ticket; empty as long as nobody has waited.
    landed: OnceCell<Vec<Option<Work>>>,
}

impl Flight {
    /// Nobody is away.
    pub fn new(world: u64, executor: impl Executor + 'static) -> Self {
        Self {
            world,
            executor: RefCell::new(Box::new(executor)),
            number: 0,
            away: Vec::new(),
            landed: OnceCell::new(),
        }
    }

    /// Lets another executor take the steps from here on. What the one before is at is waited for.
    pub fn set_executor(&mut self, executor: impl Executor + 'static) {
        self.landed();
        self.executor = RefCell::new(Box::new(executor));
    }

    pub fn name(&self) -> &'static str {
        self.executor.borrow().name()
    }

    pub fn parallelism(&self) -> Parallelism {
        self.executor.borrow().parallelism()
    }

    pub fn is_pipelined(&self) -> bool {
        self.executor.borrow().is_pipelined()
    }

    /// Whether any cloth is away.
    pub fn is_out(&self) -> bool {
        !self.away.is_empty()
    }

    /// Hands cloths over, by number of their anchor. Those of the flight before have been taken back.
    pub fn start(&mut self, cloths: Vec<(Entity, Work)>) {
        self.number = self.number.wrapping_add(1);
        self.landed = OnceCell::new();
        let mut works = Vec::with_capacity(cloths.len());
        self.away.clear();
        for (entity, mut work) in cloths {
            work.board((self.world, self.number), self.away.len());
            self.away.push(entity);
            works.push(work);
        }
        if self.is_out() {
            self.executor.get_mut().start(works);
        }
    }

    /// Has parts of something else done while nobody is away.
    pub fn share(&mut self, parts: &mut [&mut (dyn FnMut() + Send)]) {
        self.executor.get_mut().share(parts);
    }

    /// A cloth that is away, once its step is taken.
    pub fn peek(&self, anchor: Entity) -> Option<&Work> {
        let ticket = self.away.binary_search_by_key(&anchor.id(), |entity| entity.id()).ok()?;
        if self.away.get(ticket) != Some(&anchor) {
            return None;
        }
        self.landed().get(ticket)?.as_ref()
    }

    /// Takes back whoever is away, by number of their anchor. Waits for it.
    pub fn land(&mut self) -> Vec<(Entity, Result<Work, ExecutorFault>)> {
        self.landed();
        let landed = self.landed.take().unwrap_or_default();
        let came = core::mem::take(&mut self.away).into_iter().zip(landed);
        came.map(|(entity, work)| (entity, work.ok_or(ExecutorFault::Lost))).collect()
    }

    /// Those who were away, by ticket. An executor may give them back in any order.
    fn landed(&self) -> &[Option<Work>] {
        self.landed.get_or_init(|| {
            let mut landed: Vec<Option<Work>> = self.away.iter().map(|_| None).collect();
            if !self.is_out() {
                return landed;
            }
            for work in self.executor.borrow_mut().join() {
                // What is of a flight before was said to be lost then, and what is another world's is lost there.
                if work.flight() == (self.world, self.number)
                    && let Some(place) = landed.get_mut(work.ticket())
                {
                    *place = Some(work);
                }
            }
            landed
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Attachment, Cloth, Pipelined, Serial, Transform, World, WorldError};
    use super::*;

    /// Steps one cloth after the other, of which one panics in one tick.
    struct Panics {
        cloths: Vec<Work>,
        ticks: u32,
    }

    impl Executor for Panics {
        fn start(&mut self, cloths: Vec<Work>) {
            self.cloths = cloths;
            self.ticks += 1;
        }

        fn join(&mut self) -> Vec<Work> {
            let mut cloths = core::mem::take(&mut self.cloths);
            for (place, cloth) in cloths.iter_mut().enumerate() {
                if (self.ticks, place) == (10, 1) {
                    cloth.panic(&format!("planted in {place}"));
                } else {
                    cloth.step();
                }
            }
            cloths
        }

        fn name(&self) -> &'static str {
            "panics"
        }

        fn parallelism(&self) -> Parallelism {
            Serial::default().parallelism()
        }
    }

    fn ropes(executor: impl Executor + 'static) -> (World, [Entity; 3]) {
        let mut world = World::new();
        world.set_executor(executor);
        let anchors = [0.0, 1.0, 2.0].map(|z| {
            let anchor = world.spawn((Transform::at([0.0, 0.0, z]), Cloth::default()));
            let node = world.attach(anchor, Transform::at([0.1, 0.0, 0.0]));
            world.attach(node, Transform::at([0.1, 0.0, 0.0]));
            anchor
        });
        (world, anchors)
    }

    #[test]
    fn a_step_that_panics_costs_one_cloth_its_state_and_nobody_else_anything() {
        let panics = || Panics { cloths: Vec::new(), ticks: 0 };
        for pipelined in [false, true] {
            let (mut world, anchors) =
                if pipelined { ropes(Pipelined::over(panics())) } else { ropes(panics()) };
            let (mut sound, _) = ropes(Serial::default());
            let late = u32::from(pipelined);
            for tick in 1..=20 {
                sound.tick().expect("it steps");
                let expected = WorldError::Panicked { entity: anchors[1], message: "planted in 1".into() };
                let expected = if tick == 10 + late { Err(expected) } else { Ok(()) };
                assert_eq!(world.tick(), expected, "tick {tick}");
                for anchor in [anchors[0], anchors[2]] {
                    let print = |world: &World| world.state(anchor).expect("it lives").fingerprint();
                    assert_eq!(print(&world), print(&sound), "tick {tick}");
                }
            }
            let made_anew = world.state(anchors[1]).expect("it lives");
            assert_eq!(made_anew.steps(), 10);
            let node = world.nodes(anchors[1]).next().expect("it has one");
            let local = world.entities().get::<&Attachment>(node).expect("it is attached").local;
            assert!(local.translation[1] < -1e-3, "and it falls again: {local:?}");
        }
    }

    #[test]
    fn who_is_away_is_known_by_more_than_a_number() {
        let (mut world, anchors) = ropes(Pipelined::new());
        world.tick().expect("it steps");
        assert!(world.flight.is_out());
        assert!(world.flight.peek(anchors[1]).is_some());
        world.entities_mut().despawn(anchors[1]).expect("it is there");
        let successor = world.spawn((Transform::IDENTITY,));
        assert_eq!(successor.id(), anchors[1].id());
        assert!(world.flight.peek(successor).is_none());
        assert_eq!(world.flight.land().len(), 3);
        assert!(!world.flight.is_out() && world.flight.land().is_empty());
    }
}
