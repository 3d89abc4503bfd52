//! Cloth in files: presets of a fabric, a cloth's settings, whole worlds. In whatever format serde has; TOML and JSON are tested.
//!
//! Presets, cloths and worlds carry a `version`; without one it is the first. What a newer version wrote is refused as that, and
//! a field that this version does not know by its name: nothing is lost silently. Fields that are left out have their defaults.
//!
//! ```
//! use cloth_core::{ClothDynamics, library};
//! use cloth_host::world::file::DynamicsFile;
//!
//! # #[cfg(feature = "io")] {
//! let text = toml::to_string(&DynamicsFile::from(library::SILK))?;
//! assert!(text.contains("thickness = 0.004"));
//! let file: DynamicsFile = toml::from_str(&text)?;
//! assert_eq!(ClothDynamics::from(file), library::SILK);
//!
//! let newer = toml::from_str::<DynamicsFile>("version = 7\nslack = 0.5\nwool = 1").unwrap_err();
//! assert!(newer.to_string().contains("version 7"));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod entities;
mod read;

use cloth_core::anchor::{Teleport, TeleportLimits};
use cloth_core::step::Escape;
use cloth_core::{ClothDynamics, ClothFlags};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

pub use entities::{AttachmentFile, EntityFile, WorldFile};

use super::{Cloth, Rate};

/// The version that is written.
pub const VERSION: u32 = 1;

/// [`ClothDynamics`] in a file. Quantities are in SI units, dials 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DynamicsFile {
    version: u32,
    slack: f32,
    stretch: f32,
    bend: f32,
    skip: f32,
    inertia: f32,
    damping: f32,
    drag: f32,
    lift: f32,
    thickness: f32,
    substeps: u32,
    iterations: u32,
    strain_limit: bool,
    self_contact: bool,
}

impl<'de> Deserialize<'de> for DynamicsFile {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let given: DynamicsFields = read::versioned("a fabric", from)?;
        given.try_into().map_err(D::Error::custom)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DynamicsFields {
    #[expect(dead_code, reason = "it has been looked at, and is no misspelling")]
    version: Option<u32>,
    slack: Option<f32>,
    stretch: Option<f32>,
    bend: Option<f32>,
    skip: Option<f32>,
    inertia: Option<f32>,
    damping: Option<f32>,
    drag: Option<f32>,
    lift: Option<f32>,
    thickness: Option<f32>,
    substeps: Option<u32>,
    iterations: Option<u32>,
    strain_limit: Option<bool>,
    self_contact: Option<bool>,
}

impl TryFrom<DynamicsFields> for DynamicsFile {
    type Error = String;

    fn try_from(given: DynamicsFields) -> Result<Self, String> {
        let or = Self::from(ClothDynamics::default());
        let file = Self {
            version: VERSION,
            slack: given.slack.unwrap_or(or.slack),
            stretch: given.stretch.unwrap_or(or.stretch),
            bend: given.bend.unwrap_or(or.bend),
            skip: given.skip.unwrap_or(or.skip),
            inertia: given.inertia.unwrap_or(or.inertia),
            damping: given.damping.unwrap_or(or.damping),
            drag: given.drag.unwrap_or(or.drag),
            lift: given.lift.unwrap_or(or.lift),
            thickness: given.thickness.unwrap_or(or.thickness),
            substeps: given.substeps.unwrap_or(or.substeps),
            iterations: given.iterations.unwrap_or(or.iterations),
            strain_limit: given.strain_limit.unwrap_or(or.strain_limit),
            self_contact: given.self_contact.unwrap_or(or.self_contact),
        };
        match ClothDynamics::from(file).invalid_field() {
            Some(field) => {
                let range = ClothDynamics::range_of(field);
                Err(format!("{field} must lie within {} to {}", range.start(), range.end()))
            }
            None => Ok(file),
        }
    }
}

impl From<ClothDynamics> for DynamicsFile {
    fn from(dynamics: ClothDynamics) -> Self {
        // A field that is added has to be written here.
        let ClothDynamics {
            slack,
            stretch,
            bend,
            skip,
            inertia,
            damping,
            drag,
            lift,
            thickness,
            substeps,
            iterations,
            flags,
        } = dynamics;
        let strain_limit = flags.contains(ClothFlags::STRAIN_LIMIT);
        let self_contact = flags.contains(ClothFlags::SELF_CONTACT);
        Self {
            version: VERSION,
            slack,
            stretch,
            bend,
            skip,
            inertia,
            damping,
            drag,
            lift,
            thickness,
            substeps,
            iterations,
            strain_limit,
            self_contact,
        }
    }
}

impl From<DynamicsFile> for ClothDynamics {
    fn from(file: DynamicsFile) -> Self {
        let flag = |on: bool, flag: ClothFlags| if on { flag } else { ClothFlags::NONE };
        Self {
            slack: file.slack,
            stretch: file.stretch,
            bend: file.bend,
            skip: file.skip,
            inertia: file.inertia,
            damping: file.damping,
            drag: file.drag,
            lift: file.lift,
            thickness: file.thickness,
            substeps: file.substeps,
            iterations: file.iterations,
            flags: flag(file.strain_limit, ClothFlags::STRAIN_LIMIT)
                .with(flag(file.self_contact, ClothFlags::SELF_CONTACT)),
        }
    }
}

/// A jump of the anchor, in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Jump {
    Keep,
    Reset,
    Never,
}

/// [`Escape`] in a file. What is left out of a table that is there asks nobody, as `distance` does by default.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EscapeFile {
    #[serde(skip_serializing_if = "Option::is_none")]
    strain: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<f32>,
    steps: u32,
    window: u32,
}

impl From<Escape> for EscapeFile {
    fn from(escape: Escape) -> Self {
        let Escape { strain, distance, steps, window } = escape;
        Self { strain: finite(strain), distance: finite(distance), steps, window }
    }
}

impl From<EscapeFile> for Escape {
    fn from(file: EscapeFile) -> Self {
        let EscapeFile { strain, distance, steps, window } = file;
        Self { strain: limit(strain), distance: limit(distance), steps, window }
    }
}

/// A limit as files have it: none where it is infinite.
fn finite(limit: f32) -> Option<f32> {
    limit.is_finite().then_some(limit)
}

/// The inverse of [`finite`].
fn limit(limit: Option<f32>) -> f32 {
    limit.unwrap_or(f32::INFINITY)
}

/// [`Cloth`] in a file. A limit that is left out is none where it was written so, because not every format has infinity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ClothFile {
    version: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    density: Option<f32>,
    blend: f32,
    layer: u32,
    mask: u32,
    visible: bool,
    rate: Rate,
    sleeps: bool,
    stiff_bend: bool,
    colliders: u32,
    most_substeps: u32,
    beyond_limits: Jump,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance_limit: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    angle_limit: Option<f32>,
    escape: EscapeFile,
    dynamics: DynamicsFile,
}

impl<'de> Deserialize<'de> for ClothFile {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let given: ClothFields = read::versioned("a cloth", from)?;
        given.try_into().map_err(D::Error::custom)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClothFields {
    #[expect(dead_code, reason = "it has been looked at, and is no misspelling")]
    version: Option<u32>,
    density: Option<f32>,
    blend: Option<f32>,
    layer: Option<u32>,
    mask: Option<u32>,
    visible: Option<bool>,
    rate: Option<Rate>,
    sleeps: Option<bool>,
    stiff_bend: Option<bool>,
    colliders: Option<u32>,
    most_substeps: Option<u32>,
    beyond_limits: Option<Jump>,
    distance_limit: Option<f32>,
    angle_limit: Option<f32>,
    escape: Option<EscapeFile>,
    dynamics: Option<DynamicsFile>,
}

impl TryFrom<ClothFields> for ClothFile {
    type Error = String;

    fn try_from(given: ClothFields) -> Result<Self, String> {
        let or = Self::from(Cloth::default());
        // Whoever says what lies beyond the limits has said what they are.
        let limits_said = given.beyond_limits.is_some();
        let limit = |given: Option<f32>, or: Option<f32>| if limits_said { given } else { given.or(or) };
        Ok(Self {
            version: VERSION,
            density: given.density,
            blend: given.blend.unwrap_or(or.blend),
            layer: given.layer.unwrap_or(or.layer),
            mask: given.mask.unwrap_or(or.mask),
            visible: given.visible.unwrap_or(or.visible),
            rate: given.rate.unwrap_or(or.rate),
            sleeps: given.sleeps.unwrap_or(or.sleeps),
            stiff_bend: given.stiff_bend.unwrap_or(or.stiff_bend),
            colliders: given.colliders.unwrap_or(or.colliders),
            most_substeps: given.most_substeps.unwrap_or(or.most_substeps),
            beyond_limits: given.beyond_limits.unwrap_or(or.beyond_limits),
            distance_limit: limit(given.distance_limit, or.distance_limit),
            angle_limit: limit(given.angle_limit, or.angle_limit),
            escape: given.escape.unwrap_or(or.escape),
            dynamics: given.dynamics.unwrap_or(or.dynamics),
        })
    }
}

impl From<Cloth> for ClothFile {
    fn from(cloth: Cloth) -> Self {
        let Cloth {
            dynamics,
            density,
            blend,
            layer,
            mask,
            visible,
            rate,
            sleeps,
            stiff_bend,
            colliders,
            most_substeps,
            limits,
            escape,
        } = cloth;
        Self {
            version: VERSION,
            density,
            blend,
            layer,
            mask,
            visible,
            rate,
            sleeps,
            stiff_bend,
            colliders,
            most_substeps,
            beyond_limits: match limits.beyond {
                Some(Teleport::Keep) => Jump::Keep,
                Some(Teleport::Reset) => Jump::Reset,
                None => Jump::Never,
            },
            distance_limit: finite(limits.distance),
            angle_limit: finite(limits.angle),
            escape: escape.into(),
            dynamics: dynamics.into(),
        }
    }
}

impl From<ClothFile> for Cloth {
    fn from(file: ClothFile) -> Self {
        let ClothFile { density, blend, layer, mask, visible, rate, sleeps, stiff_bend, .. } = file;
        let ClothFile { colliders, most_substeps, .. } = file;
        let beyond = match file.beyond_limits {
            Jump::Keep => Some(Teleport::Keep),
            Jump::Reset => Some(Teleport::Reset),
            Jump::Never => None,
        };
        let limits =
            TeleportLimits { distance: limit(file.distance_limit), angle: limit(file.angle_limit), beyond };
        let (dynamics, escape) = (file.dynamics.into(), file.escape.into());
        Self {
            dynamics,
            density,
            blend,
            layer,
            mask,
            visible,
            rate,
            sleeps,
            stiff_bend,
            colliders,
            most_substeps,
            limits,
            escape,
        }
    }
}
