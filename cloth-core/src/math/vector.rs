//! Lengths and directions of vectors, through our own square root.

use super::sqrt;
use glam::Vec3;

/// ‖v‖, of vectors whose squares are in range.
#[inline(always)]
pub fn length(v: Vec3) -> f32 {
    sqrt(v.dot(v))
}

/// v/‖v‖, or `otherwise` where v is too short to have a direction.
///
/// Below 1e-18 the square leaves the normal numbers, and what is left of the direction is rounding.
#[inline(always)]
pub fn unit_or(v: Vec3, otherwise: Vec3) -> Vec3 {
    let square = v.dot(v);
    if square > 1.0e-36 { v / sqrt(square) } else { otherwise }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_without_a_direction_takes_the_other() {
        assert_eq!(unit_or(Vec3::ZERO, Vec3::Y), Vec3::Y);
        assert_eq!(unit_or(Vec3::splat(1e-20), Vec3::Y), Vec3::Y);
        assert_eq!(unit_or(Vec3::splat(f32::NAN), Vec3::Y), Vec3::Y);
        assert_eq!(unit_or(Vec3::new(0.0, 0.0, -1e-17), Vec3::Y), Vec3::NEG_Z);
        assert_eq!(length(Vec3::new(2.0, 3.0, 6.0)).to_bits(), 7.0_f32.to_bits());
    }
}
