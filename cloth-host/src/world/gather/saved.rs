//! What a cloth knows of bodies, in a snapshot.

use super::{Acquaintances, Known};
use crate::index::Handle;
use crate::world::words::{Reader, Words};

impl Acquaintances {
    /// All but the last question, which only saves looking twice.
    pub fn put(&self, to: &mut Vec<u32>) {
        let Self { known, next, lost, asked: _ } = self;
        next.put(to);
        lost.put(to);
        to.push(u32::try_from(known.len()).unwrap_or(u32::MAX));
        for Known { handle, number, pose } in known {
            handle.0.put(to);
            number.put(to);
            pose.put(to);
        }
    }

    /// Takes over what [`Acquaintances::put`] wrote.
    pub fn take(&mut self, from: &mut Reader<'_>) -> Option<()> {
        self.asked = None;
        (self.next, self.lost) = (from.take()?, from.take()?);
        let count = from.take::<u32>()?;
        self.known.clear();
        for _ in 0..count {
            let (handle, number, pose) = (Handle(from.take()?), from.take()?, from.take()?);
            self.known.push(Known { handle, number, pose });
        }
        Some(())
    }
}
