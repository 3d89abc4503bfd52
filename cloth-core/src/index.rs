//! Reading and writing by `u32` index without a panic path.
//!
//! Every index a model stores is checked once by [`crate::Model::from_blocks`], so the fall-backs here are
//! never taken; they exist because an indexing expression would leave a panic in the object code, and core
//! promises none.

/// "No index": the parent of a chain's root, the pin of a particle that no pin can be reached from.
pub const NONE: u32 = u32::MAX;

/// The element at `index`, or the zero value where there is none.
#[inline(always)]
pub(crate) fn at<T: Copy + Default>(items: &[T], index: u32) -> T {
    match items.get(index as usize) {
        Some(item) => *item,
        None => T::default(),
    }
}

/// Writes the element at `index`; nothing where there is none.
#[inline(always)]
pub(crate) fn put<T>(items: &mut [T], index: u32, value: T) {
    if let Some(item) = items.get_mut(index as usize) {
        *item = value;
    }
}

/// The run of `items` that belongs to `index` in a table whose `starts` has one entry more than it has runs.
#[inline(always)]
pub(crate) fn run<'a, T>(items: &'a [T], starts: &[u32], index: u32) -> &'a [T] {
    let first = at(starts, index) as usize;
    let last = at(starts, index.wrapping_add(1)) as usize;
    items.get(first..last).unwrap_or(&[])
}

/// A length as the `u32` the layout stores. Counts are validated to fit, so the clamp is never reached.
#[inline(always)]
pub(crate) fn len32<T>(items: &[T]) -> u32 {
    u32::try_from(items.len()).unwrap_or(u32::MAX)
}
