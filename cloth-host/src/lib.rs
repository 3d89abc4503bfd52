//! Cloth in a scene.
//!
//! With the feature `io`: meshes from OBJ and glTF files ([`import`]), scenes from TOML files ([`scene`]), their
//! motion ([`run`]), and what it leaves behind: an animation, pictures and tables ([`export`]). The feature `cli`
//! (default) adds the `cloth` command. The feature `world`, which `io` brings along, adds [`world`]: entities, a fixed step, and
//! the cloth that lives among them. Nothing here prints; only the command does.

#[cfg(feature = "io")]
pub mod error;
#[cfg(feature = "io")]
pub mod export;
#[cfg(feature = "world")]
pub mod fluid;
#[cfg(feature = "world")]
mod hash;
#[cfg(feature = "io")]
pub mod import;
#[cfg(feature = "world")]
pub mod index;
#[cfg(feature = "io")]
pub mod inspect;
#[cfg(feature = "world")]
pub mod pose;
#[cfg(feature = "world")]
pub mod replay;
#[cfg(feature = "io")]
pub mod run;
#[cfg(feature = "io")]
pub mod scene;
#[cfg(feature = "world")]
mod trig;
#[cfg(feature = "world")]
pub mod world;

#[cfg(feature = "io")]
pub use error::Error;

/// The examples of docs/scene.md.
#[cfg(all(doctest, feature = "world"))]
#[doc = include_str!("../../docs/scene.md")]
struct Guide;
