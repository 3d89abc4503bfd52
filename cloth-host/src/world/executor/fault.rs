//! What an executor may do wrong.

use thiserror::Error as ThisError;

/// What an executor did with a cloth that it must not do.
///
/// That two tasks write one cloth at the same time the language refuses: a [`Work`](super::Work) is owned. What is left, and looked
/// at in every tick, is that one takes its step after another has, or that none does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ThisError)]
pub enum ExecutorFault {
    /// It gave the cloth back as it got it. The cloth is as it was.
    #[error("it was given back without its step")]
    NotStepped,
    /// Two tasks wrote one cloth, one after the other. The cloth is ahead of its world by what was too much.
    #[error("it was stepped {times} times in one tick: two tasks wrote one cloth")]
    Stepped {
        /// How often.
        times: u32,
    },
    /// It did not give the cloth back. The next tick seeds it anew from its authored pose.
    #[error("it was not given back, and is seeded anew by the next tick")]
    Lost,
}
