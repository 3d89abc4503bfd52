//! The camera of the pictures: one for the whole motion.

use glam::Vec3;

use crate::scene::View;

/// Half the height or width of what the camera sees, per metre of distance: tan 13°.
const HALF_ANGLE: f32 = 0.231;
/// How much of the picture the cloth may fill.
const FILL: f32 = 0.86;

/// A perspective camera.
#[derive(Clone, Copy, Debug)]
pub struct Camera {
    /// Where it stands (m).
    pub eye: Vec3,
    /// To the right of the picture.
    right: Vec3,
    /// Up in the picture.
    up: Vec3,
    /// From the scene to the eye.
    back: Vec3,
    /// Half-width and half-height seen per metre of distance.
    tangent: [f32; 2],
    size: [f32; 2],
}

/// Where a point is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seen {
    /// Pixels from the left.
    pub x: f32,
    /// Pixels from the top.
    pub y: f32,
    /// One over the distance along the view (1/m): larger is nearer.
    pub nearness: f32,
}

impl Camera {
    /// A camera that sees all `points`, from the view's direction; returns it with the height of its picture, which
    /// follows the shape of what is seen (0.7 to 1.4 of the width).
    pub fn framing(view: &View, points: impl Iterator<Item = Vec3> + Clone) -> (Self, usize) {
        let (azimuth, elevation) = (radians(view.azimuth), radians(view.elevation));
        let back =
            Vec3::new(azimuth.sin() * elevation.cos(), elevation.sin(), azimuth.cos() * elevation.cos());
        let right = Vec3::new(azimuth.cos(), 0.0, -azimuth.sin());
        let up = back.cross(right);
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for point in points.clone() {
            let seen = Vec3::new(point.dot(right), point.dot(up), point.dot(back));
            (low, high) = (low.min(seen), high.max(seen));
        }
        let extent = (high - low).max(Vec3::splat(1e-3));
        let width = view.tile as f32;
        let height = (width * (extent.y / extent.x).clamp(0.7, 1.4)).round();
        let tangent = if height > width {
            [HALF_ANGLE * width / height, HALF_ANGLE]
        } else {
            [HALF_ANGLE, HALF_ANGLE * height / width]
        };
        let middle = (low + high) * 0.5;
        let distance = points
            .map(|point| Vec3::new(point.dot(right), point.dot(up), point.dot(back)) - middle)
            .map(|p| p.z + (p.x.abs() / tangent[0]).max(p.y.abs() / tangent[1]) / FILL)
            .fold(extent.z + extent.x * 0.1, f32::max);
        let centre = right * middle.x + up * middle.y + back * middle.z;
        let camera = Self { eye: centre + back * distance, right, up, back, tangent, size: [width, height] };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 1.4 of a tile")]
        (camera, height as usize)
    }

    /// Where a point is seen, in pixels of the picture times `scale`.
    pub fn see(&self, point: Vec3, scale: f32) -> Seen {
        let arm = point - self.eye;
        let nearness = 1.0 / (-arm.dot(self.back)).max(1e-6);
        let x = arm.dot(self.right) * nearness / self.tangent[0];
        let y = arm.dot(self.up) * nearness / self.tangent[1];
        let [width, height] = self.size;
        Seen { x: (0.5 + 0.5 * x) * width * scale, y: (0.5 - 0.5 * y) * height * scale, nearness }
    }

    /// The direction seen at a place in the picture (both 0…1, from the top left); its part along the view is 1.
    pub fn ray(&self, x: f32, y: f32) -> Vec3 {
        let [horizontal, vertical] = self.tangent;
        self.right * ((2.0 * x - 1.0) * horizontal) + self.up * ((1.0 - 2.0 * y) * vertical) - self.back
    }

    /// A direction given as (right, up, back).
    pub fn direction(&self, right: f32, up: f32, back: f32) -> Vec3 {
        (self.right * right + self.up * up + self.back * back).normalize()
    }
}

#[expect(clippy::cast_possible_truncation, reason = "rounding is harmless in a picture")]
fn radians(degrees: f64) -> f32 {
    degrees.to_radians() as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_in_the_picture_and_fills_it() {
        for (azimuth, elevation) in [(0.0, 0.0), (120.0, 35.0), (-60.0, -20.0)] {
            let view = View { azimuth, elevation, ..View::default() };
            let corner =
                |i: u32| Vec3::new((i & 1) as f32 * 2.0, (i >> 1 & 1) as f32 * 3.0 + 5.0, (i >> 2) as f32);
            let (camera, height) = Camera::framing(&view, (0..8).map(corner));
            let seen: Vec<_> = (0..8).map(|i| camera.see(corner(i), 1.0)).collect();
            let inside = |s: &Seen| (0.0..=400.0).contains(&s.x) && (0.0..=height as f32).contains(&s.y);
            assert!(seen.iter().all(inside), "{seen:?}");
            let spread = |f: fn(&Seen) -> f32| {
                seen.iter().map(f).fold(f32::MIN, f32::max) - seen.iter().map(f).fold(f32::MAX, f32::min)
            };
            assert!(spread(|s| s.x) / 400.0 > 0.6 || spread(|s| s.y) / height as f32 > 0.6);
        }
    }

    #[test]
    fn a_ray_goes_where_a_point_is_seen() {
        let view = View { azimuth: 30.0, elevation: 20.0, ..View::default() };
        let points = [Vec3::ZERO, Vec3::ONE, Vec3::new(1.0, 0.0, 0.3)];
        let (camera, height) = Camera::framing(&view, points.into_iter());
        for point in points {
            let seen = camera.see(point, 1.0);
            let ray = camera.ray(seen.x / 400.0, seen.y / height as f32) / seen.nearness;
            assert!((camera.eye + ray - point).length() < 1e-4);
        }
    }
}
