//! Why a builder refused, in numbers.

use crate::status::{ClothStatus, Refused};
use cloth_core::BuildError;
use cloth_core::bake::{Defect, ShapeError};

impl From<Defect> for Refused {
    fn from(defect: Defect) -> Self {
        match defect {
            Defect::TooMany { .. } => ClothStatus::TooMany.into(),
            Defect::Empty => ClothStatus::NoTriangles.into(),
            Defect::NonFinite { vertex } => Self::at(ClothStatus::VertexNotFinite, vertex),
            Defect::TooLarge { vertex } => Self::at(ClothStatus::VertexTooFar, vertex),
            Defect::IndexOutOfRange { triangle, vertex, .. } => {
                Self::between(ClothStatus::IndexOutOfRange, triangle, vertex)
            }
            Defect::RepeatedIndex { triangle, vertex } => {
                Self::between(ClothStatus::RepeatedIndex, triangle, vertex)
            }
            Defect::DuplicateTriangle { triangle, of } => {
                Self::between(ClothStatus::DuplicateTriangle, triangle, of)
            }
            Defect::ZeroLengthEdge { a, b } => Self::between(ClothStatus::NoLength, a, b),
            Defect::ZeroAreaTriangle { triangle } => Self::at(ClothStatus::NoArea, triangle),
            Defect::NonManifoldEdge { a, b, .. } => Self::between(ClothStatus::NonManifoldEdge, a, b),
            Defect::NonManifoldVertex { vertex } => Self::at(ClothStatus::NonManifoldVertex, vertex),
            Defect::IsolatedVertex { vertex } => Self::at(ClothStatus::IsolatedVertex, vertex),
            Defect::NonOrientable { triangle } => Self::at(ClothStatus::NonOrientable, triangle),
            _ => ClothStatus::BakeRefused.into(),
        }
    }
}

impl From<BuildError> for Refused {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Defect(defect) => defect.into(),
            BuildError::SoupLength { .. } => ClothStatus::NotInThrees.into(),
            BuildError::TooMany { .. } => ClothStatus::TooMany.into(),
            BuildError::ParentCount { .. } => ClothStatus::ParentCount.into(),
            BuildError::ParentOutOfRange { vertex, parent, .. } => {
                Self::between(ClothStatus::ParentOutOfRange, vertex, parent)
            }
            BuildError::ParentCycle { vertex } => Self::at(ClothStatus::ParentCycle, vertex),
            BuildError::NoVertices => ClothStatus::NoTriangles.into(),
            BuildError::FoldedChain { vertex } => Self::at(ClothStatus::FoldedChain, vertex),
            BuildError::WeldOnChains | BuildError::WeldDistance { .. } => ClothStatus::Weld.into(),
            BuildError::PinOutOfRange { pin, .. } => Self::at(ClothStatus::PinOutOfRange, pin),
            BuildError::Density { .. } | BuildError::TotalMass { .. } | BuildError::MassCount { .. } => {
                ClothStatus::Mass.into()
            }
            BuildError::Mass { vertex, .. } => Self::at(ClothStatus::Mass, vertex),
            BuildError::Stiffness { .. } => ClothStatus::Stiffness.into(),
            BuildError::NoSuchRow { a, b } => Self::between(ClothStatus::NoSuchRow, a, b),
            BuildError::BackstopCount { .. } => ClothStatus::Backstop.into(),
            BuildError::Backstop { vertex } => Self::at(ClothStatus::Backstop, vertex),
            BuildError::ColliderCapacity { .. } => ClothStatus::ColliderCapacity.into(),
            BuildError::OutOfScale { vertex } => Self::at(ClothStatus::OutOfScale, vertex),
            BuildError::TooLarge => ClothStatus::ModelTooLarge.into(),
            BuildError::Model(_) => ClothStatus::BakeFailed.into(),
            _ => ClothStatus::BakeRefused.into(),
        }
    }
}

impl From<ShapeError> for Refused {
    fn from(error: ShapeError) -> Self {
        match error {
            ShapeError::NonFinite { vertex } => Self::at(ClothStatus::VertexNotFinite, vertex),
            ShapeError::TooMany { .. } => ClothStatus::TooMany.into(),
            ShapeError::NoVolume => ClothStatus::NoVolume.into(),
            ShapeError::Unclear => ClothStatus::UnclearHull.into(),
            ShapeError::NoSurface => ClothStatus::NoTriangles.into(),
            ShapeError::NoSuchVertex { triangle, vertex, .. } => {
                Self::between(ClothStatus::IndexOutOfRange, triangle, vertex)
            }
            ShapeError::SharedEdge { triangle, .. } => Self::at(ClothStatus::NonManifoldEdge, triangle),
            ShapeError::Flipped { triangle, .. } => Self::at(ClothStatus::FlippedTriangle, triangle),
            ShapeError::Heights { .. } | ShapeError::Holes { .. } => ClothStatus::FieldCount.into(),
            ShapeError::Cell { .. } => ClothStatus::FieldCell.into(),
            _ => ClothStatus::ShapeRefused.into(),
        }
    }
}
