//! Where the air of a scene is shown.

use super::Slice;
use crate::pose::{Bounds, greater, sub};
use crate::scene::{Scene, ViewSlice};

/// How far the air is shown round cloth, over the cloth's longest side.
const ROUND: f64 = 0.45;

impl Slice {
    /// The slice that a scene's pictures show, in a box round its cloth as it is at the start.
    pub fn of(scene: &Scene) -> Self {
        let shown = scene.shown();
        let places = shown.body.positions().iter().map(|at| at.map(f64::from));
        let cloth = places.fold(Bounds::NONE, |bounds, at| bounds.with(at));
        let longest = sub(cloth.high, cloth.low).into_iter().fold(0.0, greater);
        let bounds = cloth.grown(ROUND * greater(longest, 1e-3));
        let view = &scene.view;
        let axis = match view.slice {
            Some(ViewSlice { axis, .. }) => axis,
            None => along(view.azimuth, view.elevation),
        };
        let middle = 0.5 * (bounds.low[axis] + bounds.high[axis]);
        let at = view.slice.and_then(|slice| slice.at).unwrap_or(middle);
        Self { bounds, axis, at }
    }
}

/// The axis that a camera looks along most.
fn along(azimuth: f64, elevation: f64) -> usize {
    let (azimuth, elevation) = (azimuth.to_radians(), elevation.to_radians());
    let level = elevation.cos().abs();
    let view = [level * azimuth.sin().abs(), elevation.sin().abs(), level * azimuth.cos().abs()];
    (0..3).max_by(|a, b| view[*a].total_cmp(&view[*b])).unwrap_or(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_camera_looks_along_an_axis() {
        let seen = [(0.0, 10.0), (180.0, -20.0), (80.0, 10.0), (-100.0, 0.0), (30.0, 60.0), (30.0, -80.0)];
        let axes = seen.map(|(azimuth, elevation)| along(azimuth, elevation));
        assert_eq!(axes, [2, 2, 0, 0, 1, 1]);
    }
}
