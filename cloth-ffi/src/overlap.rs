//! Pieces of memory that a call touches, and whether they keep apart.

use crate::status::ClothStatus;

/// A run of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    start: usize,
    end: usize,
    written: bool,
}

impl Span {
    /// Nothing.
    pub(crate) const EMPTY: Self = Self { start: 0, end: 0, written: false };

    /// `length` bytes from an address.
    pub(crate) fn new(start: usize, length: usize, written: bool) -> Result<Self, ClothStatus> {
        let end = start.checked_add(length).ok_or(ClothStatus::CountTooLarge)?;
        if length > isize::MAX.unsigned_abs() {
            return Err(ClothStatus::CountTooLarge);
        }
        Ok(Self { start, end, written })
    }

    /// The same memory, only read.
    pub(crate) fn read(self) -> Self {
        Self { written: false, ..self }
    }

    fn collides(&self, other: &Self) -> bool {
        let apart = self.end <= other.start || other.end <= self.start;
        let empty = self.start == self.end || other.start == other.end;
        (self.written || other.written) && !apart && !empty
    }
}

/// Refuses memory that is written and overlaps any other.
#[inline(never)]
pub(crate) fn disjoint(spans: &[Span]) -> Result<(), ClothStatus> {
    let mut rest = spans;
    while let [first, others @ ..] = rest {
        if others.iter().any(|other| first.collides(other)) {
            return Err(ClothStatus::Overlap);
        }
        rest = others;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(start: usize, length: usize, written: bool) -> Span {
        Span::new(start, length, written).expect("a span within memory")
    }

    #[test]
    fn only_written_memory_must_keep_apart() {
        assert_eq!(disjoint(&[span(0, 16, false), span(8, 16, false)]), Ok(()));
        assert_eq!(disjoint(&[span(0, 16, false), span(8, 16, true)]), Err(ClothStatus::Overlap));
        assert_eq!(disjoint(&[span(0, 16, true), span(16, 16, true), span(32, 1, false)]), Ok(()));
        assert_eq!(
            disjoint(&[span(64, 16, false), span(0, 1, true), span(79, 1, true)]),
            Err(ClothStatus::Overlap)
        );
        assert_eq!(disjoint(&[span(0, 16, true), span(8, 0, true), Span::EMPTY]), Ok(()));
    }

    #[test]
    fn nothing_ends_behind_the_last_address() {
        assert_eq!(Span::new(usize::MAX, 2, false), Err(ClothStatus::CountTooLarge));
        assert_eq!(Span::new(0, usize::MAX, false), Err(ClothStatus::CountTooLarge));
    }
}
