//! Steps on the workers of a pool.

use std::num::NonZero;

use ::rayon::iter::{IndexedParallelIterator as _, IntoParallelRefMutIterator as _, ParallelIterator as _};
use ::rayon::{ThreadPool, ThreadPoolBuilder};

use super::{Executor, Parallelism};
use crate::world::Work;

/// Cloths beside each other, on a pool of its own.
#[derive(Debug)]
pub struct Rayon {
    pool: Option<ThreadPool>,
    parallelism: Parallelism,
    cloths: Vec<Work>,
}

impl Rayon {
    /// A pool of so many workers, but not more than this machine has cores: others would only wait. 0 for one a core.
    pub fn workers(requested: usize) -> Self {
        match std::thread::available_parallelism().map(NonZero::get) {
            Ok(cores) if requested == 0 => Self::built(cores, cores, "A worker for every core.".into()),
            Ok(cores) if requested > cores => {
                let them = if cores == 1 { "core" } else { "cores" };
                Self::built(requested, cores, format!("This machine has {cores} {them}."))
            }
            Ok(_) => Self::oversubscribed(requested),
            Err(error) => {
                let requested = requested.max(1);
                Self::built(requested, 1, format!("How many cores this machine has is not known: {error}."))
            }
        }
    }

    /// A pool of exactly so many workers, at least one, whatever the machine: to see that their number changes no bit.
    pub fn oversubscribed(workers: usize) -> Self {
        let workers = workers.max(1);
        Self::built(workers, workers, "As many as were asked for.".into())
    }

    fn built(requested: usize, running: usize, reason: String) -> Self {
        Self::with_pool(ThreadPoolBuilder::new(), Parallelism { requested, running, reason })
    }

    fn with_pool(builder: ThreadPoolBuilder, parallelism: Parallelism) -> Self {
        let named = builder.num_threads(parallelism.running).thread_name(|number| format!("cloth {number}"));
        let (pool, parallelism) = match named.build() {
            Ok(pool) => (Some(pool), parallelism),
            Err(error) => {
                let reason = format!(
                    "rayon could not start threads: {error}; cloths are stepped one after the other."
                );
                (None, Parallelism { running: 1, reason, ..parallelism })
            }
        };
        Self { pool, parallelism, cloths: Vec::new() }
    }
}

impl Executor for Rayon {
    fn start(&mut self, cloths: Vec<Work>) {
        self.cloths = cloths;
    }

    fn join(&mut self) -> Vec<Work> {
        let mut cloths = core::mem::take(&mut self.cloths);
        match &self.pool {
            // One at a time: a large cloth must not have small ones wait behind it.
            Some(pool) if cloths.len() > 1 => {
                pool.install(|| cloths.par_iter_mut().with_max_len(1).for_each(Work::step));
            }
            _ => cloths.iter_mut().for_each(Work::step),
        }
        cloths
    }

    fn name(&self) -> &'static str {
        "rayon"
    }

    fn parallelism(&self) -> Parallelism {
        self.parallelism.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_no_thread_starts_it_says_so_and_steps_all_the_same() {
        // No machine has a stack of that size.
        let asked = Parallelism { requested: 2, running: 2, reason: "As many as were asked for.".into() };
        let refused = Rayon::with_pool(ThreadPoolBuilder::new().stack_size(1 << 60), asked);
        assert!(refused.pool.is_none());
        let said = refused.parallelism();
        assert_eq!((said.requested, said.running), (2, 1));
        assert!(said.reason.starts_with("rayon could not start threads: "), "{said}");
        let mut world = crate::world::World::new();
        world.set_executor(refused);
        let anchor = world.spawn((crate::world::Transform::IDENTITY, crate::world::Cloth::default()));
        world.attach(anchor, crate::world::Transform::at([0.1, 0.0, 0.0]));
        world.tick().expect("it steps");
        assert_eq!(world.state(anchor).map(cloth_core::State::steps), Some(1));
    }
}
