//! The immutable part of a cloth (being written: see docs/ARCHITECTURE.md).
pub mod record;
