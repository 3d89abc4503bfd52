//! Steps on the thread that asks.

use super::{Executor, Parallelism};
use crate::world::Work;

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

    fn parallelism(&self) -> Parallelism {
        Parallelism::single("Cloths are stepped one after the other, each by one thread, as was asked for.")
    }
}
