//! From a scene to its motion: build, step, record.

mod air;
mod normals;
mod notes;
mod replayed;
mod simulate;
mod single;
mod skin;
mod stage;
mod streamline;

use cloth_core::BuildError;
use thiserror::Error as ThisError;

pub use air::FluidRun;
pub use normals::smooth_normals;
pub use replayed::{record, replayed};
pub use simulate::{FrameRow, Prepared, Recording, Shot, prepare, simulate, simulate_on};
pub use single::record_single;
pub use skin::Skin;
pub use streamline::{Slice, Streamline};

use crate::fluid::FluidError;
use crate::inspect::Finding;
use crate::world::WorldError;

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
    /// The world that the scene is run in refused: the cloth's state, a step, or where something is to go.
    #[error("frame {frame} cannot be stepped: {error}")]
    World {
        /// The frame, counted from 1; 0 is the start.
        frame: u32,
        /// Why.
        error: WorldError,
    },
    /// There are several cloths where there may be one.
    #[error("the scene has {count} cloths, and the recording of a single cloth holds one")]
    ManyCloths {
        /// How many there are.
        count: usize,
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
            Self::World {
                error:
                    WorldError::Fluid { error: FluidError::TooLarge { .. } | FluidError::Memory { .. }, .. },
                ..
            } => "write a larger cell, or a smaller box",
            Self::World { .. } => "check gravity and the motion of pins and colliders at that time",
            Self::ManyCloths { .. } => {
                "leave `--single` out, or take [copies], [[nested]] and [[rope]] out of the scene"
            }
            Self::Unsound(_) | Self::Encode(_) => "this is a fault of cloth; please report it with the scene",
        }
        .into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn air_that_has_no_room_has_a_remedy_of_its_own() {
        let (cells, bytes) = (1 << 24, 1 << 31);
        let remedy = |error| {
            let error = WorldError::Fluid { entity: hecs::Entity::DANGLING, error };
            RunProblem::World { frame: 0, error }.remedy()
        };
        for error in
            [FluidError::Memory { cells, bytes }, FluidError::TooLarge { cells, bytes, allowed: cells }]
        {
            assert_eq!(remedy(error), "write a larger cell, or a smaller box");
        }
    }
}
