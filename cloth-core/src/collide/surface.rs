//! What a query answers with.

use crate::Vec3;
use crate::math::real;

/// Most features one query tells of: as many as a particle has slots for contacts.
pub const MAX_FEATURES: usize = 4;

/// Where the surface of a collider is as seen from a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Surface {
    /// How far the point is outside (m); below zero inside, or behind a one-sided surface.
    pub distance: f32,
    /// Unit vector that leads out by the shortest way. The nearest point of the surface is
    /// point − distance·normal.
    pub normal: Vec3,
    /// Which part of the surface it is. A contact keeps what it has learnt as long as this stays the same. Zero in shapes
    /// whose normal changes smoothly all round; each shape's module says what it is elsewhere.
    pub feature: u32,
}

impl Surface {
    /// The surface of nothing.
    pub(crate) const NOWHERE: Self = Self { distance: f32::INFINITY, normal: Vec3::Y, feature: 0 };

    /// Whether distance and direction are numbers a step can work with: words that were changed may hold anything.
    #[inline(always)]
    pub(super) fn is_sound(&self) -> bool {
        real::is_finite(self.distance) && (0.25..=4.0).contains(&self.normal.dot(self.normal))
    }

    /// A surface of a shape with one feature.
    #[inline(always)]
    pub(super) fn smooth(distance: f32, normal: Vec3) -> Self {
        Self { distance, normal, feature: 0 }
    }
}
