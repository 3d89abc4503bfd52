//! From a scene to its motion: build, step, record.

mod normals;
mod notes;
mod simulate;
mod skin;

use cloth_core::collide::ColliderError;
use cloth_core::{BuildError, StateError, StepError};
use thiserror::Error as ThisError;

pub use normals::smooth_normals;
pub use simulate::{FrameRow, Prepared, Recording, Shot, prepare, simulate};
pub use skin::Skin;

use crate::inspect::Finding;

/// Why a scene cannot be built or stepped, or its result not be written.
#[derive(Clone, Debug, PartialEq, ThisError)]
#[non_exhaustive]
pub enum RunProblem {
    /// The mesh has a defect.
    #[error("{}", .0.defect)]
    Mesh(Finding),
    /// The builder refused.
    #[error("the cloth cannot be built: {0}")]
    Build(BuildError),
    /// The state refused.
    #[error("the cloth cannot be set up: {0}")]
    State(StateError),
    /// A step refused.
    #[error("frame {frame} cannot be stepped: {error}")]
    Step {
        /// The frame, counted from 1.
        frame: u32,
        /// Why.
        error: StepError,
    },
    /// A collider has no place to go.
    #[error("frame {frame} cannot be stepped: collider \"{name}\": {error}")]
    Collider {
        /// The frame, counted from 1.
        frame: u32,
        /// The collider.
        name: String,
        /// Why.
        error: ColliderError,
    },
    /// What was written does not read back as it was meant.
    #[error("the file does not read back as written: {0}")]
    Unsound(String),
    /// A file format refuses the data.
    #[error("cannot be encoded: {0}")]
    Encode(String),
}

impl RunProblem {
    /// What the user can do about it.
    pub fn remedy(&self) -> String {
        match self {
            Self::Mesh(finding) => return finding.remedy(),
            Self::Build(_) => {
                "`cloth inspect` lists what is wrong with a mesh; check unit, scale and density"
            }
            Self::State(_) => "check the machine's memory and the size of the mesh",
            Self::Step { .. } => "check gravity and the motion of the pins at that time",
            Self::Collider { .. } => "check the collider's motion at that time",
            Self::Unsound(_) | Self::Encode(_) => "this is a fault of cloth; please report it with the scene",
        }
        .into()
    }
}
