//! A volume's air as words: all that changes in it and is not found again from what the next step is told.

use super::Fluid;
use super::sleep::Rest;
use crate::world::words::{Reader, Words as _, fields};

fields! {
    Rest { steady, told }
}

impl Fluid {
    /// Appends all that changes in it, as words.
    pub(crate) fn put(&self, to: &mut Vec<u32>) {
        let Self { grid, border, flow, next: _, spare: _, bodies, pressure, rest, has_begun, last, report } =
            self;
        to.extend(grid.count.map(|n| u32::try_from(n).unwrap_or(u32::MAX)));
        border.put(to);
        has_begun.put(to);
        last.put(to);
        rest.put(to);
        report.put(to);
        for values in flow.iter().chain([&pressure.values]) {
            to.extend(values.iter().map(|value| value.to_bits()));
        }
        bodies.put(to);
    }

    /// Takes up what [`Fluid::put`] wrote of one with as many cells; `None` where it is none, and then this one is to be thrown
    /// away.
    pub(crate) fn take(&mut self, from: &mut Reader<'_>) -> Option<()> {
        let counts: [u32; 3] = from.take()?;
        if counts.map(|n| n as usize) != self.grid.count {
            return None;
        }
        self.border = from.take()?;
        self.has_begun = from.take()?;
        self.last = from.take()?;
        self.rest = from.take()?;
        self.report = from.take()?;
        for values in self.flow.iter_mut().chain([&mut self.pressure.values]) {
            for (value, word) in values.iter_mut().zip(from.run(self.grid.places())?) {
                let read = f32::from_bits(*word);
                if !read.is_finite() {
                    return None;
                }
                *value = read;
            }
        }
        self.bodies.take(from)
    }
}
