//! The simplest contact there is, for every solver of these tests: fixed spheres and planes, met after the rows.
//!
//! A particle below a surface at the end of a substep's sweeps is put on it along the normal, by n, which is h²/m times the
//! normal force. Friction then takes back its displacement along the surface since the substep began, by at most μ·n: inside
//! the cone of Coulomb's law it sticks where it was, outside it slides against μ times the normal force. Nothing is carried
//! from substep to substep: what holds a resting particle is recomputed from its weight each time, exactly.

use glam::DVec3;

/// A surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Surface {
    /// The outside of a sphere.
    Sphere {
        /// Its centre (m).
        centre: DVec3,
        /// Its radius (m).
        radius: f64,
    },
    /// The side of a plane that its normal points to.
    Plane {
        /// Unit normal.
        normal: DVec3,
        /// Distance of the plane from the origin along the normal (m).
        offset: f64,
    },
}

/// A fixed collider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collider {
    /// Where it is.
    pub surface: Surface,
    /// Coefficient of friction μ (1).
    pub friction: f64,
}

impl Surface {
    /// How far a point is outside (m), and the outward normal there. The centre of a sphere has none.
    pub fn distance(&self, x: DVec3) -> (f64, DVec3) {
        match *self {
            Self::Sphere { centre, radius } => {
                let out = x - centre;
                let length = out.length();
                (length - radius, if length > 0.0 { out / length } else { DVec3::ZERO })
            }
            Self::Plane { normal, offset } => (normal.dot(x) - offset, normal),
        }
    }
}

impl Collider {
    /// Where a particle that was at `before` when the substep began and is at `x` has to go; `None` where it is outside.
    pub fn resolved(&self, before: DVec3, x: DVec3) -> Option<DVec3> {
        let (distance, normal) = self.surface.distance(x);
        if distance >= 0.0 {
            return None;
        }
        let out = x - normal * distance;
        let moved = out - before;
        let rise = normal * moved.dot(normal);
        let along = moved - rise;
        let (slip, most) = (along.length(), -distance * self.friction);
        // Written from where it was, so that what sticks does so to the last digit.
        Some(if slip <= most { before + rise } else { out - along * (most / slip) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOOR: Collider =
        Collider { surface: Surface::Plane { normal: DVec3::Y, offset: 0.0 }, friction: 0.5 };

    #[test]
    fn out_along_the_normal_and_back_along_the_surface_within_the_cone() {
        let before = DVec3::new(1.0, 0.0, 0.0);
        assert_eq!(FLOOR.resolved(before, DVec3::new(1.2, 0.1, 0.0)), None);
        let stuck = FLOOR.resolved(before, DVec3::new(1.04, -0.1, 0.03)).unwrap();
        assert!(stuck.distance(before) < 1e-15, "{stuck}");
        let slid = FLOOR.resolved(before, DVec3::new(1.25, -0.1, 0.0)).unwrap();
        assert!(slid.distance(DVec3::new(1.2, 0.0, 0.0)) < 1e-6, "{slid}");
    }

    #[test]
    fn a_sphere_pushes_from_its_centre() {
        let ball = Collider { surface: Surface::Sphere { centre: DVec3::Y, radius: 0.5 }, friction: 0.0 };
        let out = ball.resolved(DVec3::Y, DVec3::new(0.375, 1.5, 0.0));
        assert_eq!(out, None, "0.625 from the centre is outside");
        let out = ball.resolved(DVec3::Y, DVec3::new(0.0, 1.25, 0.0)).unwrap();
        assert!(out.distance(DVec3::new(0.0, 1.5, 0.0)) < 1e-6, "{out}");
        assert_eq!(ball.resolved(DVec3::X, DVec3::Y), Some(DVec3::Y), "its centre has no way out");
    }
}
