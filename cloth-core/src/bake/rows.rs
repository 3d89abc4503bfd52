//! The rows of a cloth.

use crate::row::bend::HingeRow;
use crate::row::skip::SkipRow;
use crate::row::stretch::StretchRow;
use alloc::vec::Vec;

/// All rows of a cloth apart from tethers, between particles as the model numbers them.
///
/// A model keeps them in groups of eight and merges most hinges; here each stands by itself.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Rows {
    /// `a < b`, sorted by (a, b).
    pub stretch: Vec<StretchRow>,
    /// `a < b`, sorted by (a, b).
    pub skip: Vec<SkipRow>,
    /// `p[0] < p[1]`, sorted by p. Merged ones are among them.
    pub hinges: Vec<HingeRow>,
}
