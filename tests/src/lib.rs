//! Whole-system tests: the workloads every figure is measured on, the measurements themselves, and the goldens.
//!
//! What a bar says about physics is computed here in `f64` from positions and velocities, independently of
//! what a step reports about itself.

pub mod aggregates;
pub mod c_library;
pub mod candidates;
pub mod contact;
pub mod golden;
pub mod incidents;
pub mod measure;
pub mod narrow;
pub mod no_alloc;
pub mod no_panic;
pub mod object;
pub mod oracle;
pub mod pareto;
pub mod physics;
pub mod random;
pub mod source;
pub mod truth;
pub mod workload;
