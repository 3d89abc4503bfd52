//! Steps beside the scene.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};

use super::{Executor, Parallelism, Serial};
use crate::world::Work;

/// The steps of a tick are taken by a thread of its own while the scene goes on, and are written back when the next tick begins.
/// One tick is in flight at most: whoever is late is waited for.
///
/// States are to the bit those of every other executor; what is written back is one tick late, whatever the machine, also where
/// no thread could be started. Dropped with a tick in flight, it waits for the thread and throws the steps away.
pub struct Pipelined {
    thread: Option<Thread>,
    /// Cloths that no thread has taken.
    here: Vec<Work>,
    is_out: bool,
    parallelism: Parallelism,
}

struct Thread {
    /// Taken before the thread is waited for: it ends when nobody can give it anything any more.
    give: Option<Sender<Vec<Work>>>,
    /// Cloths, and what the executor says after their tick.
    take: Receiver<(Vec<Work>, Parallelism)>,
    handle: Option<JoinHandle<()>>,
}

impl Pipelined {
    /// One thread beside the scene, which steps one cloth after the other.
    pub fn new() -> Self {
        Self::over(Serial::default())
    }

    /// A thread beside the scene on which another executor takes the steps: [`Rayon`](super::Rayon) where one thread is not enough.
    pub fn over(executor: impl Executor + 'static) -> Self {
        Self::with_thread(Builder::new().name("cloth".into()), executor)
    }

    fn with_thread(builder: Builder, executor: impl Executor + 'static) -> Self {
        let parallelism = beside(executor.parallelism());
        let (thread, parallelism) = match Thread::start(builder, executor) {
            Ok(thread) => (Some(thread), parallelism),
            Err(error) => {
                let reason = format!(
                    "No thread could be started: {error}; cloths are stepped when the next tick begins, one after the other, each by one thread."
                );
                (None, Parallelism { running: 1, reason, ..parallelism })
            }
        };
        Self { thread, here: Vec::new(), is_out: false, parallelism }
    }
}

impl Default for Pipelined {
    fn default() -> Self {
        Self::new()
    }
}

/// What an executor says that takes its steps beside the scene.
fn beside(said: Parallelism) -> Parallelism {
    let reason = format!("Steps are taken beside the scene, a tick in flight. {}", said.reason);
    Parallelism { reason, ..said }
}

impl Thread {
    fn start(builder: Builder, mut executor: impl Executor + 'static) -> std::io::Result<Self> {
        let (give, orders) = channel::<Vec<Work>>();
        let (done, take) = channel();
        let handle = builder.spawn(move || {
            while let Ok(cloths) = orders.recv() {
                executor.start(cloths);
                let cloths = executor.join();
                if done.send((cloths, beside(executor.parallelism()))).is_err() {
                    // Nobody wants them any more.
                    return;
                }
            }
        })?;
        Ok(Self { give: Some(give), take, handle: Some(handle) })
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        self.give = None;
        if let Some(handle) = self.handle.take() {
            // A panic of an executor of a host's has been told: its cloths were missing.
            let _ = handle.join();
        }
    }
}

impl Executor for Pipelined {
    fn start(&mut self, cloths: Vec<Work>) {
        let given = match &self.thread {
            Some(Thread { give: Some(give), .. }) => give.send(cloths).map_err(|refused| refused.0),
            _ => Err(cloths),
        };
        self.is_out = given.is_ok();
        if let Err(cloths) = given {
            self.here = cloths;
            if self.thread.take().is_some() {
                self.parallelism.running = 1;
                self.parallelism.reason = "The thread beside the scene has ended, its executor panicked; cloths are stepped when the next tick begins, one after the other, each by one thread.".into();
            }
        }
    }

    fn join(&mut self) -> Vec<Work> {
        if core::mem::take(&mut self.is_out) {
            let back = self.thread.as_ref().and_then(|thread| thread.take.recv().ok());
            // A thread that ended gives nothing back, and the world says which cloths are missing.
            let Some((cloths, parallelism)) = back else { return Vec::new() };
            self.parallelism = parallelism;
            return cloths;
        }
        let mut cloths = core::mem::take(&mut self.here);
        for cloth in &mut cloths {
            cloth.step();
        }
        cloths
    }

    fn name(&self) -> &'static str {
        "pipelined"
    }

    fn parallelism(&self) -> Parallelism {
        self.parallelism.clone()
    }

    fn is_pipelined(&self) -> bool {
        true
    }
}

impl core::fmt::Debug for Pipelined {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Pipelined").field("parallelism", &self.parallelism).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Cloth, Transform, World};

    #[test]
    fn where_no_thread_starts_it_says_so_and_gives_the_same() {
        // No machine has a stack of that size.
        let refused = Pipelined::with_thread(Builder::new().stack_size(1 << 60), Serial::default());
        assert!(refused.thread.is_none());
        let said = refused.parallelism();
        assert_eq!((said.requested, said.running), (1, 1));
        assert!(said.reason.starts_with("No thread could be started: "), "{said}");
        let run = |executor: Pipelined| {
            let mut world = World::new();
            world.set_executor(executor);
            let anchor = world.spawn((Transform::IDENTITY, Cloth::default()));
            let node = world.attach(anchor, Transform::at([0.1, 0.0, 0.0]));
            world.attach(node, Transform::at([0.1, 0.0, 0.0]));
            for _ in 0..20 {
                world.tick().expect("it steps");
            }
            (world.fingerprint(), world.positions(anchor).map(<[_]>::to_vec))
        };
        assert_eq!(run(refused), run(Pipelined::new()));
    }
}
