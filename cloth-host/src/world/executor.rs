//! Who takes the steps of a tick.

use super::Work;

/// Takes the steps of a tick: the one phase that may leave the thread.
///
/// Cloths know nothing of each other, so neither order nor threads show in a bit of the result. What is started is what is
/// joined, in any order; the world asks for it before it writes anything back.
pub trait Executor: Send {
    /// Takes over the cloths of a tick, and may begin to step them.
    fn start(&mut self, cloths: Vec<Work>);

    /// Gives all of them back, each stepped once.
    fn join(&mut self) -> Vec<Work>;

    /// What it calls itself.
    fn name(&self) -> &'static str;
}

/// One cloth after the other, on the thread that asks.
#[derive(Debug, Default)]
pub struct Serial {
    cloths: Vec<Work>,
}

impl Executor for Serial {
    fn start(&mut self, cloths: Vec<Work>) {
        self.cloths = cloths;
    }

    fn join(&mut self) -> Vec<Work> {
        let mut cloths = core::mem::take(&mut self.cloths);
        for cloth in &mut cloths {
            cloth.step();
        }
        cloths
    }

    fn name(&self) -> &'static str {
        "serial"
    }
}
