//! What a surface does to a point of the cloth: contact, friction, backstops. Laws of one point; which points meet which
//! surfaces, and when, is written in [`mod@crate::step`].

pub mod backstop;
mod law;

pub use law::{Meeting, Reach, Way, meet};
