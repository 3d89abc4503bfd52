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
