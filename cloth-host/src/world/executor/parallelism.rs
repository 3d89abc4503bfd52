//! What an executor was asked for, and what it got.

/// How many cloths are stepped at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parallelism {
    /// Workers that were asked for.
    pub requested: usize,
    /// Workers that there are.
    pub running: usize,
    /// Why, and what comes of it within a cloth, in whole sentences.
    pub reason: String,
}

impl Parallelism {
    /// One worker, the thread that asks, as was asked for.
    pub(super) fn single(reason: impl Into<String>) -> Self {
        Self { requested: 1, running: 1, reason: reason.into() }
    }
}

impl core::fmt::Display for Parallelism {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self { requested, running, reason } = self;
        let workers = if *requested == 1 { "worker" } else { "workers" };
        write!(f, "requested {requested} {workers}, running {running}: {reason}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_reads_as_a_sentence() {
        let two = Parallelism { requested: 8, running: 2, reason: "This machine has 2 cores.".into() };
        assert_eq!(two.to_string(), "requested 8 workers, running 2: This machine has 2 cores.");
        let one = Parallelism::single("Nobody else is there.");
        assert_eq!(one.to_string(), "requested 1 worker, running 1: Nobody else is there.");
    }
}
