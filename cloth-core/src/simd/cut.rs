//! Work that can be cut in two.

/// Work on groups that parts of can be done apart from each other, in any order or at the same time, with the same bits.
pub trait Cut: Sized {
    /// How many groups there are to go through; 0 or 1 for work that cannot be cut.
    fn groups(&self) -> usize;

    /// The work on the groups before `at`, and that on the others.
    fn cut(self, at: usize) -> (Self, Self);
}

/// The first `at` items, and the others.
pub fn cut<T>(items: &[T], at: usize) -> (&[T], &[T]) {
    items.split_at_checked(at).unwrap_or((items, &[]))
}

/// [`cut`] of items to be changed.
pub fn cut_mut<T>(items: &mut [T], at: usize) -> (&mut [T], &mut [T]) {
    let at = at.min(items.len());
    items.split_at_mut_checked(at).unwrap_or_default()
}
