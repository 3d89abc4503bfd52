//! Why an operation on a state was refused.

/// The error of every operation on a [`crate::State`]; whatever was to change is as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StateError {
    /// The memory handed over is too small.
    BufferTooSmall {
        /// Blocks needed.
        required: usize,
        /// Blocks provided.
        provided: usize,
    },
    /// The blocks do not begin with a state (or snapshot) of this version and byte order.
    NotAState,
    /// The state belongs to another model.
    OtherModel,
    /// A stored value is not finite, or not one that a step could have left.
    Damaged {
        /// Name of the region.
        region: &'static str,
        /// Index of the item in it.
        index: u32,
    },
    /// There is no such source vertex.
    NoSuchVertex {
        /// The vertex asked for.
        vertex: u32,
        /// How many there are.
        count: u32,
    },
    /// A position, velocity or target has a component that is not finite or beyond
    /// [`crate::model::MAX_LENGTH`].
    NonFinite {
        /// The vertex it was meant for.
        vertex: u32,
    },
}

impl core::fmt::Display for StateError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match *self {
            Self::BufferTooSmall { required, provided } => {
                write!(f, "the state needs {required} blocks of 16 bytes and {provided} were given")
            }
            Self::NotAState => f.write_str("not a cloth state of this version and byte order"),
            Self::OtherModel => f.write_str("the state was seeded from another model"),
            Self::Damaged { region, index } => {
                write!(f, "item {index} of region {region} holds no value a step could have left")
            }
            Self::NoSuchVertex { vertex, count } => write!(f, "no vertex {vertex}: there are {count}"),
            Self::NonFinite { vertex } => {
                write!(f, "the vector for vertex {vertex} is not finite, or beyond a million metres")
            }
        }
    }
}

impl core::error::Error for StateError {}
