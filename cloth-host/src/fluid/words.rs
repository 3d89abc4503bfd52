//! A volume's air as words: all that changes in it and is not found again from what the next step is told.

use core::ops::Range;

use super::Fluid;
use super::grid::Grid;
use super::sleep::Rest;
use crate::world::words::{Reader, Words as _, fields};

fields! {
    Rest { steady, told }
}

impl Fluid {
    /// Appends all that changes in it, as words.
    pub(crate) fn put(&self, to: &mut Vec<u32>) {
        let Self {
            grid,
            border,
            flow,
            next: _,
            spare: _,
            bodies,
            pressure,
            rest,
            has_begun,
            last,
            goes: _,
            report,
        } = self;
        to.extend(grid.count.map(|n| u32::try_from(n).unwrap_or(u32::MAX)));
        border.put(to);
        has_begun.put(to);
        last.put(to);
        rest.put(to);
        report.put(to);
        // The layer round the box follows from what is within.
        for (axis, values) in flow.iter().enumerate() {
            grid.for_each(grid.faces(axis), |at| values[at].put(to));
        }
        grid.for_each(grid.cells(), |at| pressure.values[at].put(to));
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
        let grid = self.grid;
        for (axis, values) in self.flow.iter_mut().enumerate() {
            take_values(&grid, grid.faces(axis), values, from)?;
        }
        take_values(&grid, grid.cells(), &mut self.pressure.values, from)?;
        super::copy_sides(&grid, &mut self.flow);
        self.bodies.take(from)
    }
}

/// Values at a box of places; `None` where one is no number.
fn take_values(
    grid: &Grid,
    places: [Range<usize>; 3],
    values: &mut [f32],
    from: &mut Reader<'_>,
) -> Option<()> {
    let mut words = from.run(places.iter().map(Range::len).product())?.iter();
    let mut are_numbers = true;
    grid.for_each(places, |at| {
        let read = words.next().map_or(f32::NAN, |word| f32::from_bits(*word));
        are_numbers &= read.is_finite();
        values[at] = read;
    });
    are_numbers.then_some(())
}
