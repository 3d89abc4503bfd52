//! Which shapes there are.

/// What a collider is. A kind keeps its number for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
#[non_exhaustive]
pub enum Kind {
    /// A ball about the origin: radius.
    Sphere = 1,
    /// All within a radius of a segment along Y: half the segment's length, radius.
    Capsule = 2,
    /// The hull of two balls on Y: half the distance of their centres, radius of the lower, radius of the upper.
    TaperedCapsule = 3,
    /// A cuboid about the origin: half its extents.
    Box = 4,
    /// A cylinder about Y: half its height, radius.
    Cylinder = 5,
    /// A cone about Y, its apex above: half its height, radius of its base.
    Cone = 6,
    /// The half space below the plane Y = 0; no parameters.
    Plane = 7,
    /// A convex polyhedron; data.
    Hull = 8,
    /// The back of a triangle mesh; data.
    Mesh = 9,
    /// What is below a grid of heights; data.
    Field = 10,
}

impl Kind {
    /// The kind with that number.
    pub fn of(word: u32) -> Option<Self> {
        Some(match word {
            1 => Self::Sphere,
            2 => Self::Capsule,
            3 => Self::TaperedCapsule,
            4 => Self::Box,
            5 => Self::Cylinder,
            6 => Self::Cone,
            7 => Self::Plane,
            8 => Self::Hull,
            9 => Self::Mesh,
            10 => Self::Field,
            _ => return None,
        })
    }

    /// Names of the sizes a record of this kind holds, in their order.
    pub fn sizes(self) -> &'static [&'static str] {
        match self {
            Self::Sphere => &["radius"],
            Self::Capsule | Self::Cylinder | Self::Cone => &["half height", "radius"],
            Self::TaperedCapsule => &["half height", "lower radius", "upper radius"],
            Self::Box => &["half extent x", "half extent y", "half extent z"],
            Self::Plane | Self::Hull | Self::Mesh | Self::Field => &[],
        }
    }

    /// Whether the shape is words beside the table.
    pub fn has_data(self) -> bool {
        matches!(self, Self::Hull | Self::Mesh | Self::Field)
    }

    /// Whether one contact holds a point wherever it is: the shape is convex.
    pub fn is_convex(self) -> bool {
        !matches!(self, Self::Mesh | Self::Field)
    }
}
