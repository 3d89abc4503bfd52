//! Cone: in the half plane (ρ, y) through the axis a triangle with corners (0, h), (r, −h) and (0, −h).
//!
//! With L = √(r² + 4h²) the slope's outward normal is (2h, r)/L. Outside, φ is the distance to the base, to the slope, or to
//! the point they or the slope and the axis meet in, whichever is nearest; inside it is the larger of the two lines' signed
//! distances, the base where they are equal. On the axis the direction to the slope is the one towards +X, and straight
//! above the apex it is +Y.

use super::Surface;
use super::meridian::Meridian;
use crate::Vec3;
use crate::math::sqrt;

const SLOPE: u32 = 0;
const BASE: u32 = 1;
const RIM: u32 = 2;
const APEX: u32 = 3;

/// Distance to and direction from a cone about Y. Features: 0 slope, 1 base, 2 rim, 3 apex.
#[inline(always)]
pub(super) fn surface(point: Vec3, half: f32, radius: f32) -> Surface {
    let m = Meridian::of(point);
    let height = 2.0 * half;
    let slant = sqrt(radius * radius + height * height);
    let (out, up) = (height / slant, radius / slant);
    let base = -half - m.y;
    if base >= 0.0 && m.rho <= radius {
        return Surface { distance: base, normal: Vec3::NEG_Y, feature: BASE };
    }
    let fall = m.y - half;
    let slope = m.rho * out + fall * up;
    // How far down the slope from the apex.
    let along = m.rho * up - fall * out;
    let normal = m.lift(out, up);
    if slope <= 0.0 && base < 0.0 {
        return if slope > base {
            Surface { distance: slope, normal, feature: SLOPE }
        } else {
            Surface { distance: base, normal: Vec3::NEG_Y, feature: BASE }
        };
    }
    if along <= 0.0 {
        let (distance, normal) = m.from(0.0, half, Vec3::Y);
        Surface { distance, normal, feature: APEX }
    } else if along >= slant {
        let (distance, normal) = m.from(radius, -half, normal);
        Surface { distance, normal, feature: RIM }
    } else {
        Surface { distance: slope, normal, feature: SLOPE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slope_base_rim_and_apex() {
        // Half height 2, radius 3: the slope is 5 long, its normal (0.8, 0.6).
        let at = |x: f32, y: f32, z: f32| surface(Vec3::new(x, y, z), 2.0, 3.0);
        let middle = at(1.5 + 0.8, 0.6, 0.0);
        assert!((middle.distance - 1.0).abs() < 1e-6 && middle.feature == SLOPE, "{middle:?}");
        assert!((middle.normal - Vec3::new(0.8, 0.6, 0.0)).length() < 1e-6);
        assert_eq!((at(1.0, -3.0, 1.0).distance, at(1.0, -3.0, 1.0).feature), (1.0, BASE));
        let rim = at(6.0, -6.0, 0.0);
        assert!((rim.distance - 5.0).abs() < 1e-6 && rim.feature == RIM, "{rim:?}");
        let apex = at(0.0, 3.0, 0.0);
        assert_eq!((apex.distance, apex.normal, apex.feature), (1.0, Vec3::Y, APEX));
        // On the axis: 1.5 from the base, 0.6·2.5 = 1.5 from the slope, so the base; higher up the slope.
        assert_eq!(at(0.0, -0.75, 0.0).normal, Vec3::NEG_Y);
        let high = at(0.0, 1.0, 0.0);
        assert!((high.distance + 0.6).abs() < 1e-6 && high.feature == SLOPE, "{high:?}");
    }
}
