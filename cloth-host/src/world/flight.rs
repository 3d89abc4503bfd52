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
    /// Which flight this is, so that nothing that comes back is of another.
    number: u64,
    /// Anchors of the cloths that are away, by number; a cloth's place here is its ticket.
    away: Vec<Entity>,
    /// By ticket; empty as long as nobody has waited.
    landed: OnceCell<Vec<Option<Work>>>,
}

impl Flight {
    /// Nobody is away.
    pub fn new(executor: impl Executor + 'static) -> Self {
        Self {
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
            work.board(self.number, self.away.len());
            self.away.push(entity);
            works.push(work);
        }
        if self.is_out() {
            self.executor.get_mut().start(works);
        }
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
                // What is of a flight before was said to be lost then.
                if work.flight() == self.number
                    && let Some(place) = landed.get_mut(work.ticket())
                {
                    *place = Some(work);
                }
            }
            landed
        })
    }
}
