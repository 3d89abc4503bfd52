//! Who takes the steps of a tick.

mod fault;
mod parallelism;
mod pipelined;
#[cfg(feature = "rayon")]
mod rayon;
mod serial;
mod shuffled;

pub use self::fault::ExecutorFault;
pub use self::parallelism::Parallelism;
pub use self::pipelined::Pipelined;
#[cfg(feature = "rayon")]
pub use self::rayon::Rayon;
pub use self::serial::Serial;
pub use self::shuffled::Shuffled;

use super::Work;
use crate::fluid::one_after_the_other;

/// Takes the steps of a tick: the one phase that may leave the thread.
///
/// Cloths know nothing of each other, so neither order nor threads show in a bit of the result. What is started is what is
/// joined, each cloth stepped once, in any order; the world looks at that ([`ExecutorFault`]) and asks for it before it writes
/// anything back. It never starts cloths while others are out.
pub trait Executor: Send {
    /// Takes over the cloths of a tick, and may begin to step them.
    fn start(&mut self, cloths: Vec<Work>);

    /// Gives all of them back, each stepped once.
    fn join(&mut self) -> Vec<Work>;

    /// Does all parts of something, in any order and on any threads, and comes back when all are done: what the air in a volume
    /// is cut into. They know nothing of each other. It is asked between [`Executor::join`] and [`Executor::start`], many times a tick;
    /// unless it knows better it does one after the other.
    fn share(&mut self, parts: &mut [&mut (dyn FnMut() + Send)]) {
        one_after_the_other(parts);
    }

    /// What it calls itself.
    fn name(&self) -> &'static str;

    /// How many cloths are stepped at a time, why not as many as were asked for, and whether several threads share the step of one.
    fn parallelism(&self) -> Parallelism;

    /// Whether cloths stay with it until the next tick begins. What is written back is one tick late then, and nothing else differs.
    fn is_pipelined(&self) -> bool {
        false
    }
}

/// One that is chosen when the program runs.
impl<E: Executor + ?Sized> Executor for Box<E> {
    fn start(&mut self, cloths: Vec<Work>) {
        (**self).start(cloths);
    }

    fn join(&mut self) -> Vec<Work> {
        (**self).join()
    }

    fn share(&mut self, parts: &mut [&mut (dyn FnMut() + Send)]) {
        (**self).share(parts);
    }

    fn name(&self) -> &'static str {
        (**self).name()
    }

    fn parallelism(&self) -> Parallelism {
        (**self).parallelism()
    }

    fn is_pipelined(&self) -> bool {
        (**self).is_pipelined()
    }
}
