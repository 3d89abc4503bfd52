//! Steps on the workers of a pool.

use std::cmp::Reverse;
use std::num::NonZero;
use std::sync::{Mutex, PoisonError};

use ::rayon::iter::{IndexedParallelIterator as _, IntoParallelRefMutIterator as _, ParallelIterator as _};
use ::rayon::{ThreadPool, ThreadPoolBuilder};
use cloth_core::simd::MOST_PARTS;
use cloth_core::step::sharing;
use cloth_core::{Sharing, Team};

use super::{Executor, Parallelism};
use crate::fluid::one_after_the_other;
use crate::world::Work;

/// Cloths beside each other, on a pool of its own, and a large one on several of its workers.
///
/// Where there are large ones, workers take one cloth after the other, the largest first, and who finds none left helps with a
/// large one whose step is still under way. To step two cloths beside each other is worth more than to share the step of one, so
/// nobody helps who could take a cloth. A step goes on whether anybody helps or not: a helper that comes late, or is busy with
/// a cloth until the end, is not waited for, so workers cannot wait for each other in a circle, and no thread is started for it.
#[derive(Debug)]
pub struct Rayon {
    pool: Option<ThreadPool>,
    /// What it was asked for, and got.
    parallelism: Parallelism,
    cloths: Vec<Work>,
    last: Option<Shares>,
}

/// How the cloths of a tick were shared out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shares {
    cloths: usize,
    /// How many of them are worth more than one worker.
    large: usize,
    /// Whether the largest is, and why not.
    largest: Sharing,
}

/// The workers of a pool, of which one leads.
struct Workers<'p>(&'p ThreadPool);

impl Team for Workers<'_> {
    fn threads(&self) -> usize {
        self.0.current_num_threads().min(MOST_PARTS)
    }

    fn gather(&self, lead: &mut dyn FnMut(), help: &(dyn Fn() + Sync)) {
        self.0.in_place_scope(|scope| {
            // They wait in the queue of who leads, who looks there when the step is taken and finds that nothing is left to do.
            // Others look there when they have nothing of their own.
            (1..self.threads()).for_each(|_| scope.spawn(|_| help()));
            lead();
        });
    }

    fn pause(&self) {
        std::thread::yield_now();
    }
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
                    "rayon could not start threads: {error}; cloths are stepped one after the other, each by one thread."
                );
                (None, Parallelism { running: 1, reason, ..parallelism })
            }
        };
        Self { pool, parallelism, cloths: Vec::new(), last: None }
    }
}

impl Shares {
    /// Of cloths on a team.
    fn of(cloths: &[Work], team: &impl Team) -> Option<Self> {
        let largest = cloths.iter().max_by_key(|cloth| particles(cloth))?;
        let of = |cloth: &Work| sharing(team, cloth.state().model());
        let is_large = |cloth: &&Work| matches!(of(cloth), Sharing::Shared { .. });
        let large = cloths.iter().filter(is_large).count();
        Some(Self { cloths: cloths.len(), large, largest: of(largest) })
    }
}

impl core::fmt::Display for Shares {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { cloths, large, largest } = *self;
        let them = if cloths == 1 { "cloth was" } else { "cloths were" };
        write!(f, "In the last tick {cloths} {them} stepped, ")?;
        match largest {
            Sharing::Shared { threads } => write!(
                f,
                "{large} of them large enough for as many as {threads} workers, who helped when they found no cloth left to take."
            ),
            Sharing::Alone => f.write_str("one after the other, by the only worker there is."),
            Sharing::Small { particles, least } => write!(
                f,
                "each by one worker: the largest has {particles} particles, and below {least} to wait for another takes longer than to do its part."
            ),
        }
    }
}

fn particles(cloth: &Work) -> u32 {
    cloth.state().model().particle_count()
}

/// Has workers take one cloth after the other, the largest first, until none is left.
fn share_out(pool: &ThreadPool, cloths: &mut [Work], step: impl Fn(&mut Work) + Sync) {
    cloths.sort_unstable_by_key(|cloth| Reverse(particles(cloth)));
    let left = Mutex::new(cloths.iter_mut());
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    // Told to every worker instead of put in a queue: what a worker was told goes before what others have to do.
    pool.broadcast(|_| {
        while let Some(cloth) = next() {
            step(cloth);
        }
    });
}

impl Executor for Rayon {
    fn start(&mut self, cloths: Vec<Work>) {
        self.cloths = cloths;
    }

    fn join(&mut self) -> Vec<Work> {
        let mut cloths = core::mem::take(&mut self.cloths);
        let Some(pool) = &self.pool else {
            cloths.iter_mut().for_each(Work::step);
            return cloths;
        };
        let team = Workers(pool);
        self.last = Shares::of(&cloths, &team);
        if self.last.is_some_and(|last| last.large > 0) {
            share_out(pool, &mut cloths, |cloth| cloth.step_shared(&team));
        } else if cloths.len() > 1 {
            // One at a time: a larger cloth must not have small ones wait behind it.
            pool.install(|| cloths.par_iter_mut().with_max_len(1).for_each(Work::step));
        } else {
            cloths.iter_mut().for_each(Work::step);
        }
        cloths
    }

    fn share(&mut self, parts: &mut [&mut (dyn FnMut() + Send)]) {
        match &self.pool {
            Some(pool) if parts.len() > 1 && pool.current_num_threads() > 1 => {
                pool.install(|| parts.par_iter_mut().with_max_len(1).for_each(|part| part()));
            }
            _ => one_after_the_other(parts),
        }
    }

    fn name(&self) -> &'static str {
        "rayon"
    }

    fn parallelism(&self) -> Parallelism {
        let mut parallelism = self.parallelism.clone();
        if let Some(last) = self.last {
            parallelism.reason += &format!(" {last}");
        }
        parallelism
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Cloth, ClothMesh, MeshSource, Transform, World, WorldError};
    use hecs::Entity;

    #[test]
    fn where_no_thread_starts_it_says_so_and_steps_all_the_same() {
        // No machine has a stack of that size.
        let asked = Parallelism { requested: 2, running: 2, reason: "As many as were asked for.".into() };
        let refused = Rayon::with_pool(ThreadPoolBuilder::new().stack_size(1 << 60), asked);
        assert!(refused.pool.is_none());
        let said = refused.parallelism();
        assert_eq!((said.requested, said.running), (2, 1));
        assert!(said.reason.starts_with("rayon could not start threads: "), "{said}");
        let mut world = World::new();
        world.set_executor(refused);
        let anchor = world.spawn((Transform::IDENTITY, Cloth::default()));
        world.attach(anchor, Transform::at([0.1, 0.0, 0.0]));
        world.tick().expect("it steps");
        assert_eq!(world.state(anchor).map(cloth_core::State::steps), Some(1));
    }

    #[test]
    fn it_says_what_came_of_the_last_tick() {
        let of = |cloths, large, largest| Shares { cloths, large, largest }.to_string();
        assert_eq!(
            of(3, 1, Sharing::Shared { threads: 2 }),
            "In the last tick 3 cloths were stepped, 1 of them large enough for as many as 2 workers, who helped when they found no cloth left to take."
        );
        assert_eq!(
            of(1, 0, Sharing::Alone),
            "In the last tick 1 cloth was stepped, one after the other, by the only worker there is."
        );
        assert_eq!(
            of(64, 0, Sharing::Small { particles: 143, least: 8192 }),
            "In the last tick 64 cloths were stepped, each by one worker: the largest has 143 particles, and below 8192 to wait for another takes longer than to do its part."
        );
    }

    /// Who of a team panics, while it steps a cloth.
    #[derive(Clone, Copy, Debug)]
    enum Panics {
        Leader,
        Helper,
        LateHelper,
    }

    /// A pool whose team panics over the first cloth in the third tick.
    struct Planted {
        pool: ThreadPool,
        who: Panics,
        cloths: Vec<Work>,
        ticks: u32,
    }

    struct Breaking<'p>(Workers<'p>, Panics);

    impl Team for Breaking<'_> {
        fn threads(&self) -> usize {
            self.0.threads()
        }

        fn gather(&self, lead: &mut dyn FnMut(), help: &(dyn Fn() + Sync)) {
            let mut leads = || {
                lead();
                assert!(!matches!(self.1, Panics::Leader), "planted");
            };
            let helps = || {
                assert!(!matches!(self.1, Panics::Helper), "planted");
                help();
                assert!(!matches!(self.1, Panics::LateHelper), "planted");
            };
            self.0.gather(&mut leads, &helps);
        }

        fn pause(&self) {
            self.0.pause();
        }
    }

    impl Executor for Planted {
        fn start(&mut self, cloths: Vec<Work>) {
            self.cloths = cloths;
            self.ticks += 1;
        }

        fn join(&mut self) -> Vec<Work> {
            let mut cloths = core::mem::take(&mut self.cloths);
            share_out(&self.pool, &mut cloths, |cloth| {
                if self.ticks == 3 && cloth.ticket() == 0 {
                    cloth.step_shared(&Breaking(Workers(&self.pool), self.who));
                } else {
                    cloth.step_shared(&Workers(&self.pool));
                }
            });
            cloths
        }

        fn name(&self) -> &'static str {
            "planted"
        }

        fn parallelism(&self) -> Parallelism {
            Parallelism::single("It panics.")
        }
    }

    /// Two sheets that are large, and a rope.
    fn stage(executor: impl Executor + 'static) -> (World, [Entity; 3]) {
        let mut world = World::new();
        world.set_executor(executor);
        let sheet = ClothMesh::new(MeshSource::sheet(91));
        let anchors = [0.0, 2.0].map(|x| {
            let cloth = Cloth { density: Some(0.15), ..Cloth::default() };
            world.spawn((Transform::at([x, 0.0, 0.0]), cloth, sheet.clone()))
        });
        let rope = world.spawn((Transform::at([0.0, 0.0, 3.0]), Cloth::default()));
        world.attach(rope, Transform::at([0.1, 0.0, 0.0]));
        (world, [anchors[0], anchors[1], rope])
    }

    #[test]
    fn a_panic_within_a_large_cloth_costs_that_its_state_and_nobody_waits() {
        for who in [Panics::Leader, Panics::Helper, Panics::LateHelper] {
            let pool = ThreadPoolBuilder::new().num_threads(3).build().expect("threads");
            let (mut world, anchors) = stage(Planted { pool, who, cloths: Vec::new(), ticks: 0 });
            let (mut sound, _) = stage(Rayon::oversubscribed(2));
            for tick in 1..=4 {
                sound.tick().expect("it steps");
                let panicked = WorldError::Panicked { entity: anchors[0], message: "planted".into() };
                let expected = if tick == 3 { Err(panicked) } else { Ok(()) };
                assert_eq!(world.tick(), expected, "{who:?}, tick {tick}");
                for anchor in [anchors[1], anchors[2]] {
                    let print = |world: &World| world.state(anchor).map(cloth_core::State::fingerprint);
                    assert_eq!(print(&world), print(&sound), "{who:?}, tick {tick}");
                }
            }
            assert_eq!(world.state(anchors[0]).map(cloth_core::State::steps), Some(1), "it was made anew");
        }
    }
}
