//! Which of the bodies that meet a query are answered with, and in what order.

use super::{Body, Found, Handle, Query};
use crate::pose::{Bounds, Pose};

/// A body that meets a query.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met<'a> {
    pub handle: Handle,
    pub body: &'a Body,
    pub previous: Pose,
    /// Its swept box, inflation left out.
    pub bounds: Bounds,
}

/// Calls `each` for the nearest that fit, by rising handle, and returns how many did not fit.
pub(super) fn tell(mut met: Vec<Met<'_>>, query: &Query, each: &mut dyn FnMut(Found<'_>)) -> usize {
    let dropped = met.len().saturating_sub(query.capacity);
    if dropped > 0 {
        let middle = [0, 1, 2].map(|axis| 0.5 * query.bounds.low[axis] + 0.5 * query.bounds.high[axis]);
        let middle = Bounds { low: middle, high: middle };
        // Bits of what is not negative rise with it.
        met.sort_by_cached_key(|met| (met.bounds.square_from(&middle).to_bits(), met.handle));
        met.truncate(query.capacity);
    }
    met.sort_unstable_by_key(|met| met.handle);
    for Met { handle, body, previous, .. } in met {
        each(Found { handle, body, previous });
    }
    dropped
}
