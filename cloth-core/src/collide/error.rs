//! Why a collider was refused.

use core::fmt;

/// Why a record, or the words of its shape, are no collider.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ColliderError {
    /// No kind has this number.
    UnknownKind {
        /// The number found.
        kind: u32,
    },
    /// A translation is not finite or beyond [`crate::model::MAX_LENGTH`], or a quaternion is not finite or without a
    /// direction; in a record from outside also one whose length is off 1 by more than 1e-3.
    Pose,
    /// A size is not a number, zero, negative, or outside 1e-6…1e6 m.
    Size {
        /// Which one.
        name: &'static str,
        /// What it was (m).
        value: f32,
    },
    /// The scale is not a number above zero, or outside 1e-6…1e6.
    Scale {
        /// What it was (1).
        scale: f32,
    },
    /// The scale is not the same along all axes; a distance to the scaled shape has no simple law then.
    NonUniformScale,
    /// Friction or inflation is negative or not a number below 1e6.
    Contact {
        /// Which one.
        name: &'static str,
        /// What it was.
        value: f32,
    },
    /// The record's data does not lie within the words beside the table.
    DataRange {
        /// First word.
        first: u32,
        /// How many.
        count: u32,
        /// How many words there are.
        words: usize,
    },
    /// The words are not of a shape of this kind and version.
    NotThisShape,
    /// A part of the shape's words contradicts another, or is not a number in range.
    Damaged {
        /// Which table.
        table: &'static str,
        /// Index of the item in it.
        index: u32,
    },
    /// A word that has no meaning is not zero.
    Padding,
}

impl fmt::Display for ColliderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::UnknownKind { kind } => write!(f, "no kind of collider has number {kind}"),
            Self::Pose => f.write_str(
                "a pose is not finite, beyond a million metres, or its quaternion is not of length 1",
            ),
            Self::Size { name, value } => {
                write!(f, "{name} is {value} m: it must lie between 1e-6 and 1e6")
            }
            Self::Scale { scale } => write!(f, "scale is {scale}: it must lie between 1e-6 and 1e6"),
            Self::NonUniformScale => f.write_str(
                "the scale differs along the axes: scale the shape itself before it becomes a collider",
            ),
            Self::Contact { name, value } => write!(f, "{name} is {value}: it must lie between 0 and 1e6"),
            Self::DataRange { first, count, words } => {
                write!(f, "the shape's {count} words from word {first} do not lie within the {words} given")
            }
            Self::NotThisShape => f.write_str("the shape's words are not of this kind and version"),
            Self::Damaged { table, index } => {
                write!(f, "item {index} of the shape's {table} is out of range or contradicts another")
            }
            Self::Padding => f.write_str("a word without a meaning is not zero"),
        }
    }
}

impl core::error::Error for ColliderError {}

/// Why a table of colliders was refused.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum TableError {
    /// More colliders than there is room for.
    TooMany {
        /// How many were given.
        given: usize,
        /// How many there may be.
        capacity: u32,
    },
    /// One of them is no collider.
    Entry {
        /// Its index in the table.
        index: u32,
        /// What is wrong with it.
        error: ColliderError,
    },
    /// Two have one handle, by which contacts tell colliders apart.
    HandleTwice {
        /// The handle.
        handle: u32,
        /// Index of the second that has it.
        index: u32,
    },
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::TooMany { given, capacity } => {
                write!(
                    f,
                    "{given} colliders where there is room for {capacity}: give the nearest, or build for more"
                )
            }
            Self::Entry { index, error } => write!(f, "collider {index}: {error}"),
            Self::HandleTwice { handle, index } => {
                write!(f, "collider {index} has handle {handle}, which another before it has too")
            }
        }
    }
}

impl core::error::Error for TableError {}
