//! Fabrics: what an author sets, how it becomes step numbers, and seven of them ready to use.

pub(crate) mod dynamics;
pub mod library;
pub(crate) mod map;

pub use dynamics::{ClothDynamics, ClothFlags};
