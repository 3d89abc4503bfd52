//! What a call answers.

use cloth_core::collide::ColliderError;
use cloth_core::{ModelError, ReplayError, StateError, StepError};
use core::ffi::CStr;

/// Statuses with their numbers and messages: written once, so that none can be without either.
macro_rules! statuses {
    ($($name:ident = $number:literal, $message:literal;)*) => {
        impl ClothStatus {
            /// Every status and its message.
            const MESSAGES: &'static [(Self, &'static CStr)] = &[$((Self::$name, $message)),*];
        }
        // cbindgen reads no macros: the enum itself is below, and this compiles only while the two agree.
        const _: () = { $(assert!(ClothStatus::$name as u32 == $number);)* };
    };
}

/// How a call ended. Numbers are never used again for something else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum ClothStatus {
    /// Done.
    Ok = 0,
    /// A pointer is null.
    NullPointer = 1,
    /// A pointer is not aligned for what it points at (16 bytes for blocks).
    Misaligned = 2,
    /// A count is larger than any memory.
    CountTooLarge = 3,
    /// Two pieces of memory overlap of which one is written.
    Overlap = 4,
    /// A struct does not have the cookie that its cloth_default_ function puts there.
    NotDefault = 5,
    /// A struct has another size than in this library.
    StructSize = 6,
    /// A number of an enum, or a flag, that this library does not know.
    UnknownValue = 7,
    /// A buffer for results is too small.
    BufferTooSmall = 8,
    /// A stride is smaller than what it strides over, or no multiple of four bytes.
    Stride = 9,
    /// A handle is not open: zero, never opened or closed.
    NotOpen = 10,
    /// A handle of a cloth is not where it was opened: it was copied or moved.
    HandleMoved = 11,
    /// Another thread is in a call with this cloth.
    Busy = 12,
    /// Nothing has that name or number.
    NotFound = 13,
    /// Fewer blocks or bytes than the model's header says.
    ModelTooShort = 16,
    /// The blocks or bytes do not begin with a model.
    NotAModel = 17,
    /// The model is in the other byte order.
    ModelByteOrder = 18,
    /// The model has a layout version this library does not read.
    ModelVersion = 19,
    /// The model was written by a build with other records.
    ModelLayout = 20,
    /// The model's header contradicts itself.
    ModelHeader = 21,
    /// An item of the model is out of range.
    ModelItem = 22,
    /// The model was refused for a reason that has no number yet.
    ModelRefused = 23,
    /// Fewer blocks than a state or a snapshot needs.
    StateTooShort = 32,
    /// The blocks do not begin with a state of this version and byte order.
    NotAState = 33,
    /// The state or snapshot is of another model.
    OtherModel = 34,
    /// A value of the state or snapshot is none that a step could have left.
    StateDamaged = 35,
    /// No source vertex has that number.
    NoSuchVertex = 36,
    /// A component of a vector is not finite, or outside -1e6 to 1e6 of its unit (m, m/s).
    VectorOutOfRange = 37,
    /// The state was refused for a reason that has no number yet.
    StateRefused = 38,
    /// The length of the step is not within 1e-5 to 1 s.
    Dt = 48,
    /// A component of gravity is not finite, or outside -1e6 to 1e6 m/s^2.
    Gravity = 49,
    /// A field of the dynamics is out of its range; the fault's element counts the fields from 0.
    Dynamics = 50,
    /// most_substeps is above 1024.
    MostSubsteps = 51,
    /// All targets were announced, and their number is not that of the source vertices.
    TargetCount = 52,
    /// A listed target names a vertex that is not there.
    TargetVertex = 53,
    /// A component of a target is not finite, or outside -1e6 to 1e6 m.
    TargetOutOfRange = 54,
    /// Backstop normals are not one for each source vertex.
    BackstopNormalCount = 55,
    /// A component of a backstop normal is not finite, or outside -1e6 to 1e6.
    BackstopNormal = 56,
    /// The step was refused for a reason that has no number yet.
    StepRefused = 57,
    /// The number of substeps is not within 1 to 1024.
    Substeps = 58,
    /// A field of the anchor is out of its range; the fault's element counts the fields from 0.
    Anchor = 59,
    /// A field of the escape hatch is out of its range; the fault's element counts the fields from 0.
    Escape = 60,
    /// A component of the air's velocity is not finite, or outside -1e6 to 1e6 m/s.
    Air = 61,
    /// Velocities of the air at each vertex were announced, and their number is not that of the source vertices.
    AirCount = 62,
    /// A component of the air's velocity at a vertex is not finite, or outside -1e6 to 1e6 m/s.
    AirVelocity = 63,
    /// No kind of collider has that number, or it is not one of words.
    ColliderKind = 64,
    /// A component of a pose is not finite, its translation has one outside -1e6 to 1e6 m, or its quaternion has no direction:
    /// a length outside 1e-15 to 1e15. In a collider: a quaternion whose squared length is not within 0.998 to 1.002.
    ColliderPose = 65,
    /// A size is not within 1e-6 to 1e6 m.
    ColliderSize = 66,
    /// The scale is not within 1e-6 to 1e6.
    ColliderScale = 67,
    /// Friction or inflation is not within 0 to 1e6.
    ColliderContact = 68,
    /// The collider's words do not lie within the shapes' words.
    ColliderData = 69,
    /// The words are not of a shape of this kind and version.
    NotThisShape = 70,
    /// A shape's words contradict each other.
    ShapeDamaged = 71,
    /// A field of the collider that has no meaning is not zero.
    ColliderPadding = 72,
    /// The collider was refused for a reason that has no number yet.
    ColliderRefused = 73,
    /// Building could need more memory than the limit allows; nothing was allocated.
    MemoryLimit = 80,
    /// Building failed within the library: a fault of the library.
    BakeFailed = 81,
    /// More elements than the layout can count.
    TooMany = 82,
    /// No triangle is left, or the chains have no vertices.
    NoTriangles = 83,
    /// A vertex is not finite.
    VertexNotFinite = 84,
    /// A component of a vertex is outside -1e6 to 1e6 m.
    VertexTooFar = 85,
    /// A triangle names a vertex that is not there.
    IndexOutOfRange = 86,
    /// A triangle names a vertex twice.
    RepeatedIndex = 87,
    /// Two triangles have the same vertices.
    DuplicateTriangle = 88,
    /// An edge or a link has no length.
    NoLength = 89,
    /// A triangle has no area.
    NoArea = 90,
    /// More than two triangles share an edge.
    NonManifoldEdge = 91,
    /// Triangles at a vertex touch in that point only.
    NonManifoldVertex = 92,
    /// A vertex is in no triangle and on no chain.
    IsolatedVertex = 93,
    /// A surface has one side only.
    NonOrientable = 94,
    /// Positions of a triangle soup, or indices of a mesh, do not come in threes.
    NotInThrees = 95,
    /// Chains have not one parent for each position.
    ParentCount = 96,
    /// A chain's parent is not there.
    ParentOutOfRange = 97,
    /// Following parents leads back to where it began.
    ParentCycle = 98,
    /// A chain vertex lies where its grandparent lies.
    FoldedChain = 99,
    /// The weld distance is not finite, or chains were to be welded.
    Weld = 100,
    /// A pin is not there.
    PinOutOfRange = 101,
    /// A density or a mass is not positive and finite, or masses are not one for each vertex.
    Mass = 102,
    /// A stretch stiffness is neither infinite nor within 1e-9 to 1e15 N/m.
    Stiffness = 103,
    /// A stiffness was given for two vertices that no row joins.
    NoSuchRow = 104,
    /// A backstop is no length, or backstops are not one for each vertex.
    Backstop = 105,
    /// The capacity for colliders is not within 1 to 256.
    ColliderCapacity = 106,
    /// Mass and size around a vertex are out of the range that a model admits.
    OutOfScale = 107,
    /// The model does not fit its 32-bit layout.
    ModelTooLarge = 108,
    /// Building was refused for a reason that has no number yet.
    BakeRefused = 109,
    /// The points of a hull span no volume.
    NoVolume = 112,
    /// Points of a hull are nearly in line or in plane.
    UnclearHull = 113,
    /// Two triangles that share an edge look to different sides.
    FlippedTriangle = 114,
    /// A field's heights or holes are not as many as its cells need.
    FieldCount = 115,
    /// The width of a field's cells is not within 1e-6 to 1e6 m.
    FieldCell = 116,
    /// The shape was refused for a reason that has no number yet.
    ShapeRefused = 117,
    /// Fewer blocks or bytes than the replay's header says.
    ReplayTooShort = 120,
    /// The blocks or bytes do not begin with a replay.
    NotAReplay = 121,
    /// The replay is in the other byte order.
    ReplayByteOrder = 122,
    /// The replay has a version this library does not read.
    ReplayVersion = 123,
    /// The replay's header contradicts itself.
    ReplayHeader = 124,
    /// The replay's stream holds something that is no command; the fault's element is the frame.
    ReplayDamaged = 125,
    /// A frame of the replay is not what was recorded; the fault's element is the frame.
    ReplayDiffers = 126,
    /// The replay was refused for a reason that has no number yet.
    ReplayRefused = 127,
}

statuses! {
    Ok = 0, c"done";
    NullPointer = 1, c"a pointer is null";
    Misaligned = 2, c"a pointer is not aligned: blocks want 16 bytes, everything else what its type wants";
    CountTooLarge = 3, c"a count is larger than any memory";
    Overlap = 4, c"two pieces of memory overlap of which one is written: give each its own";
    NotDefault = 5, c"a struct has no cookie: begin with what its cloth_default_ function answers";
    StructSize = 6, c"a struct has another size than in this library: header and library are of different versions";
    UnknownValue = 7, c"a number of an enum or a flag that this library does not know";
    BufferTooSmall = 8, c"a buffer for results is too small";
    Stride = 9, c"a stride is smaller than what it strides over, or no multiple of four bytes";
    NotOpen = 10, c"a handle is not open: it is zero, was never opened, or is closed";
    HandleMoved = 11, c"a handle of a cloth is not where it was opened: open it again instead of copying it";
    Busy = 12, c"another thread is in a call with this cloth: a cloth belongs to one thread at a time";
    NotFound = 13, c"nothing has that name or number";
    ModelTooShort = 16, c"fewer blocks or bytes than the model's header says: pass all of them";
    NotAModel = 17, c"the blocks do not begin with a cloth model";
    ModelByteOrder = 18, c"the model is in the other byte order: load it from its file form";
    ModelVersion = 19, c"another layout version of the model: bake it again";
    ModelLayout = 20, c"the model was written by a build with other records: bake it again";
    ModelHeader = 21, c"the model's header contradicts itself: the data is damaged";
    ModelItem = 22, c"an item of the model is out of range: the data is damaged";
    ModelRefused = 23, c"the model was refused";
    StateTooShort = 32, c"fewer blocks than a state or a snapshot needs: cloth_model_facts says how many";
    NotAState = 33, c"the blocks do not begin with a cloth state of this version and byte order";
    OtherModel = 34, c"the state or snapshot is of another model";
    StateDamaged = 35, c"a value of the state or snapshot is none that a step could have left: the data is damaged";
    NoSuchVertex = 36, c"no source vertex has that number";
    VectorOutOfRange = 37, c"a component of a vector must be finite and within -1e6 to 1e6 of its unit (m, m/s)";
    StateRefused = 38, c"the state was refused";
    Dt = 48, c"dt must lie within 1e-5 to 1 second";
    Gravity = 49, c"a component of gravity must be finite and within -1e6 to 1e6 m/s^2";
    Dynamics = 50, c"a field of the dynamics is out of its range";
    MostSubsteps = 51, c"most_substeps must not be above 1024";
    TargetCount = 52, c"not one target for each source vertex";
    TargetVertex = 53, c"a listed target names a vertex that is not there";
    TargetOutOfRange = 54, c"a component of a target must be finite and within -1e6 to 1e6 m";
    BackstopNormalCount = 55, c"not one backstop normal for each source vertex: give one for each, or none";
    BackstopNormal = 56, c"a component of a backstop normal must be finite and within -1e6 to 1e6";
    StepRefused = 57, c"the step was refused";
    Substeps = 58, c"the number of substeps must lie within 1 to 1024";
    Anchor = 59, c"anchor: a pose needs a quaternion with a direction and a translation within a million metres, limits must be no less than 0";
    Escape = 60, c"escape: strain must be 0.01 or more, distance above 0, steps 0 to 60000, window 1 to 60000";
    Air = 61, c"a component of the air's velocity must be finite and within -1e6 to 1e6 m/s";
    AirCount = 62, c"not one velocity of the air for each source vertex: give one for each, or a uniform one";
    AirVelocity = 63, c"a component of the air's velocity at a vertex must be finite and within -1e6 to 1e6 m/s";
    ColliderKind = 64, c"no such kind of collider, or not one whose shape is words";
    ColliderPose = 65, c"a component of a pose is not finite, its translation is outside -1e6 to 1e6 m, or its quaternion is not of a length within 1e-15 to 1e15, in a collider of length 1";
    ColliderSize = 66, c"a size must lie within 1e-6 to 1e6 m";
    ColliderScale = 67, c"scale must lie within 1e-6 to 1e6";
    ColliderContact = 68, c"friction and inflation must lie within 0 to 1e6";
    ColliderData = 69, c"the collider's words do not lie within the words of shapes that were given";
    NotThisShape = 70, c"the words are not of a shape of this kind and version: build the shape again";
    ShapeDamaged = 71, c"a shape's words contradict each other: the data is damaged";
    ColliderPadding = 72, c"a field of the collider that has no meaning for its kind is not zero";
    ColliderRefused = 73, c"the collider was refused";
    MemoryLimit = 80, c"building could need more memory than memory_limit allows: raise it";
    BakeFailed = 81, c"building failed within the library: please report it";
    TooMany = 82, c"more elements than the layout can count";
    NoTriangles = 83, c"no triangle or no vertex is left";
    VertexNotFinite = 84, c"a vertex is not finite";
    VertexTooFar = 85, c"a component of a vertex must be within -1e6 to 1e6 m";
    IndexOutOfRange = 86, c"a triangle names a vertex that is not there";
    RepeatedIndex = 87, c"a triangle names a vertex twice";
    DuplicateTriangle = 88, c"two triangles have the same vertices";
    NoLength = 89, c"an edge or a link has no length";
    NoArea = 90, c"a triangle has no area";
    NonManifoldEdge = 91, c"more than two triangles share an edge";
    NonManifoldVertex = 92, c"the triangles at a vertex touch in that point only";
    IsolatedVertex = 93, c"a vertex is in no triangle and on no chain";
    NonOrientable = 94, c"a surface has one side only";
    NotInThrees = 95, c"positions of a triangle soup, or indices of a mesh, do not come in threes";
    ParentCount = 96, c"chains need one parent for each position";
    ParentOutOfRange = 97, c"a chain's parent is not there";
    ParentCycle = 98, c"following parents leads back to where it began";
    FoldedChain = 99, c"a chain vertex lies where its grandparent lies: move it, or bake without bend rows";
    Weld = 100, c"the weld distance is not finite, or chains were to be welded";
    PinOutOfRange = 101, c"a pin is not there";
    Mass = 102, c"a density or a mass is not positive and finite, or masses are not one for each vertex";
    Stiffness = 103, c"a stretch stiffness is neither infinite nor within 1e-9 to 1e15 N/m";
    NoSuchRow = 104, c"a stiffness was given for two vertices that no row joins";
    Backstop = 105, c"a backstop is no length, or backstops are not one for each vertex";
    ColliderCapacity = 106, c"the capacity for colliders must lie within 1 to 256";
    OutOfScale = 107, c"mass and size around a vertex are out of the range that a model admits";
    ModelTooLarge = 108, c"the model does not fit its 32-bit layout";
    BakeRefused = 109, c"building was refused";
    NoVolume = 112, c"the points of a hull span no volume: give four that are not in one plane";
    UnclearHull = 113, c"points of a hull are nearly in line or in plane: leave out those that do not matter";
    FlippedTriangle = 114, c"two triangles that share an edge look to different sides: flip one";
    FieldCount = 115, c"a field needs two vertices along each axis, a height for each and a hole's mark for each cell or none";
    FieldCell = 116, c"the width of a field's cells must lie within 1e-6 to 1e6 m";
    ShapeRefused = 117, c"the shape was refused";
    ReplayTooShort = 120, c"fewer blocks or bytes than the replay's header says: pass all of them";
    NotAReplay = 121, c"the blocks do not begin with a cloth replay";
    ReplayByteOrder = 122, c"the replay is in the other byte order: load it from its file form";
    ReplayVersion = 123, c"another version of the replay: record the run again";
    ReplayHeader = 124, c"the replay's header contradicts itself: the data is damaged";
    ReplayDamaged = 125, c"the replay's stream holds something that is no command: the data is damaged";
    ReplayDiffers = 126, c"a frame is not what was recorded";
    ReplayRefused = 127, c"the replay was refused";
}

impl ClothStatus {
    /// The message of a number; none for a number that is no status.
    pub(crate) fn message(number: u32) -> Option<&'static CStr> {
        Self::MESSAGES.iter().find(|(known, _)| *known as u32 == number).map(|(_, message)| *message)
    }
}

/// Why a call was refused, and which element of its input is to blame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    pub status: ClothStatus,
    pub element: u32,
    pub other: u32,
}

/// What stands for "no element".
pub(crate) const NO_ELEMENT: u32 = u32::MAX;

/// The number of a field by its name, counted from 0 in the order of its struct.
pub(crate) fn number_in(fields: &[&str], field: &str) -> u32 {
    (0..).zip(fields).find(|(_, name)| **name == field).map_or(NO_ELEMENT, |(number, _)| number)
}

impl Refused {
    /// A refusal that one element is to blame for.
    pub(crate) fn at(status: ClothStatus, element: u32) -> Self {
        Self { status, element, other: NO_ELEMENT }
    }

    /// A refusal that two elements are to blame for.
    pub(crate) fn between(status: ClothStatus, element: u32, other: u32) -> Self {
        Self { status, element, other }
    }
}

impl From<ClothStatus> for Refused {
    fn from(status: ClothStatus) -> Self {
        Self::at(status, NO_ELEMENT)
    }
}

impl From<ModelError> for Refused {
    fn from(error: ModelError) -> Self {
        let status = match error {
            ModelError::TooShort { .. } => ClothStatus::ModelTooShort,
            ModelError::NotAModel => ClothStatus::NotAModel,
            ModelError::ByteOrder => ClothStatus::ModelByteOrder,
            ModelError::Version { .. } => ClothStatus::ModelVersion,
            ModelError::Layout => ClothStatus::ModelLayout,
            ModelError::Header => ClothStatus::ModelHeader,
            ModelError::Item { index, .. } => return Self::at(ClothStatus::ModelItem, index),
            _ => ClothStatus::ModelRefused,
        };
        status.into()
    }
}

impl From<StateError> for Refused {
    fn from(error: StateError) -> Self {
        match error {
            StateError::BufferTooSmall { .. } => ClothStatus::StateTooShort.into(),
            StateError::NotAState => ClothStatus::NotAState.into(),
            StateError::OtherModel => ClothStatus::OtherModel.into(),
            StateError::Damaged { index, .. } => Self::at(ClothStatus::StateDamaged, index),
            StateError::NoSuchVertex { vertex, .. } => Self::at(ClothStatus::NoSuchVertex, vertex),
            StateError::NonFinite { vertex } => Self::at(ClothStatus::VectorOutOfRange, vertex),
            _ => ClothStatus::StateRefused.into(),
        }
    }
}

impl From<StepError> for Refused {
    fn from(error: StepError) -> Self {
        match error {
            StepError::Dt => ClothStatus::Dt.into(),
            StepError::Gravity => ClothStatus::Gravity.into(),
            StepError::Dynamics { field } => {
                Self::at(ClothStatus::Dynamics, crate::dynamics::number_of(field))
            }
            StepError::Anchor { field } => Self::at(ClothStatus::Anchor, crate::anchor::number_of(field)),
            StepError::Escape { field } => Self::at(ClothStatus::Escape, crate::escape::number_of(field)),
            StepError::Air => ClothStatus::Air.into(),
            StepError::AirCount { .. } => ClothStatus::AirCount.into(),
            StepError::AirVelocity { index } => Self::at(ClothStatus::AirVelocity, index),
            StepError::MostSubsteps => ClothStatus::MostSubsteps.into(),
            StepError::Collider { index, error } => Self { element: index, ..error.into() },
            StepError::BackstopNormalCount { .. } => ClothStatus::BackstopNormalCount.into(),
            StepError::BackstopNormal { index } => Self::at(ClothStatus::BackstopNormal, index),
            StepError::TargetCount { .. } => ClothStatus::TargetCount.into(),
            StepError::TargetVertex { index, vertex } => {
                Self::between(ClothStatus::TargetVertex, index, vertex)
            }
            StepError::TargetNonFinite { index } => Self::at(ClothStatus::TargetOutOfRange, index),
            _ => ClothStatus::StepRefused.into(),
        }
    }
}

impl From<ColliderError> for Refused {
    fn from(error: ColliderError) -> Self {
        let status = match error {
            ColliderError::UnknownKind { .. } => ClothStatus::ColliderKind,
            ColliderError::Pose => ClothStatus::ColliderPose,
            ColliderError::Size { .. } => ClothStatus::ColliderSize,
            ColliderError::Scale { .. } | ColliderError::NonUniformScale => ClothStatus::ColliderScale,
            ColliderError::Contact { .. } => ClothStatus::ColliderContact,
            ColliderError::DataRange { .. } => ClothStatus::ColliderData,
            ColliderError::NotThisShape => ClothStatus::NotThisShape,
            ColliderError::Damaged { index, .. } => {
                return Self::between(ClothStatus::ShapeDamaged, NO_ELEMENT, index);
            }
            ColliderError::Padding => ClothStatus::ColliderPadding,
            _ => ClothStatus::ColliderRefused,
        };
        status.into()
    }
}

impl From<ReplayError> for Refused {
    /// What happens in a frame is refused as it would be outside, the frame coming before the element.
    fn from(error: ReplayError) -> Self {
        let within = |frame, refused: Self| Self { element: frame, other: refused.element, ..refused };
        match error {
            ReplayError::TooShort { .. } => ClothStatus::ReplayTooShort.into(),
            ReplayError::NotAReplay => ClothStatus::NotAReplay.into(),
            ReplayError::ByteOrder => ClothStatus::ReplayByteOrder.into(),
            ReplayError::Version { .. } => ClothStatus::ReplayVersion.into(),
            ReplayError::Header => ClothStatus::ReplayHeader.into(),
            ReplayError::Model(error) => error.into(),
            ReplayError::Start(error) => error.into(),
            ReplayError::Damaged { frame, .. } => Self::at(ClothStatus::ReplayDamaged, frame),
            ReplayError::Event { frame, error } => within(frame, error.into()),
            ReplayError::Step { frame, error } => within(frame, error.into()),
            ReplayError::Differs { frame, .. } => Self::at(ClothStatus::ReplayDiffers, frame),
            _ => ClothStatus::ReplayRefused.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::vec::Vec;

    #[test]
    fn every_status_has_a_message_of_its_own() {
        let messages: BTreeSet<&CStr> = ClothStatus::MESSAGES.iter().map(|(_, message)| *message).collect();
        assert_eq!(messages.len(), ClothStatus::MESSAGES.len());
        assert!(messages.iter().all(|message| message.to_str().is_ok_and(|text| text.is_ascii())));
    }

    #[test]
    fn numbers_rise_and_others_are_unknown() {
        let numbers: Vec<u32> = ClothStatus::MESSAGES.iter().map(|(status, _)| *status as u32).collect();
        assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
        for number in [15, 47, 1000, u32::MAX] {
            assert!(!numbers.contains(&number) && ClothStatus::message(number).is_none());
        }
    }

    /// The numbers are part of the ABI: this list may grow and never change.
    #[test]
    fn numbers_stay() {
        let numbers: Vec<u32> = ClothStatus::MESSAGES.iter().map(|(status, _)| *status as u32).collect();
        assert_eq!(
            numbers,
            [
                0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 16, 17, 18, 19, 20, 21, 22, 23, 32, 33, 34, 35,
                36, 37, 38, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67,
                68, 69, 70, 71, 72, 73, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95, 96,
                97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 112, 113, 114, 115, 116, 117,
                120, 121, 122, 123, 124, 125, 126, 127
            ]
        );
    }
}
