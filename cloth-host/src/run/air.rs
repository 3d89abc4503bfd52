//! Where the air of a scene is shown, and what it is there.

use super::{Slice, Streamline};
use crate::fluid::{Fluid, FluidVolume};
use crate::pose::{Bounds, greater, sub, turn};
use crate::scene::{Scene, SceneAir, SceneRope, Standing, ViewSlice};
use crate::world::hecs::Entity;
use crate::world::{Cloth, World};

/// How far the air is shown round cloth, over the cloth's longest side.
const ROUND: f64 = 0.45;

impl Slice {
    /// The slice that a scene's pictures show, in a box round its cloth as it is at the start.
    pub fn of(scene: &Scene) -> Self {
        let shown = scene.shown();
        let ropes = shown.ropes.iter().flat_map(SceneRope::positions);
        let places = shown.body.positions().iter().copied().chain(ropes).map(|at| at.map(f64::from));
        let cloth = places.fold(Bounds::NONE, |bounds, at| bounds.with(at));
        let longest = sub(cloth.high, cloth.low).into_iter().fold(0.0, greater);
        let fluids = scene.air.fluids.iter().map(volume).reduce(|all, one| all.union(&one));
        // Where air is simulated, all of it; else what is round the cloth.
        let bounds = match fluids {
            Some(fluids) => fluids.union(&cloth),
            None => cloth.grown(ROUND * greater(longest, 1e-3)),
        };
        let view = &scene.view;
        let axis = match view.slice {
            Some(ViewSlice { axis, .. }) => axis,
            None => along(view.azimuth, view.elevation, blows(scene)),
        };
        let middle = 0.5 * (bounds.low[axis] + bounds.high[axis]);
        let at = view.slice.and_then(|slice| slice.at).unwrap_or(middle);
        Self { bounds, axis, at }
    }
}

/// The frames of a run whose air is seen.
pub(super) struct Views<'a> {
    scene: &'a Scene,
    slice: Slice,
    /// Rising; none of a scene without air.
    frames: Vec<u32>,
}

impl<'a> Views<'a> {
    /// Those that become pictures of the frames between two.
    pub fn new(scene: &'a Scene, from: u32, to: u32) -> Self {
        let frames = if scene.air.is_some() { scene.pictures(from, to) } else { Vec::new() };
        Self { scene, slice: Slice::of(scene), frames }
    }

    /// The air of a world at a frame; none where nobody sees it.
    pub fn air(&self, world: &World, frame: u32) -> Vec<Streamline> {
        // The air of a volume begins with the first step, and what is there before it nobody is told.
        let has_begun = frame > 0 || self.scene.air.fluids.is_empty();
        if !has_begun || self.frames.binary_search(&frame).is_err() {
            return Vec::new();
        }
        let layer = Cloth::default().layer;
        let sample =
            |points: &[[f64; 3]]| world.air(points, layer).unwrap_or_else(|| vec![[0.0; 3]; points.len()]);
        self.slice.trace(self.scene.view.air, sample)
    }
}

/// How a volume of air did in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FluidRun {
    /// Largest divergence that a step left in a cell, as a share of the mean speed ([`FluidReport::divergence`](crate::fluid::FluidReport)).
    pub divergence: f32,
    /// How often the pressure was improved in a step, at most.
    pub most_sweeps: u32,
    /// Frames in which it slept.
    pub frames_asleep: u32,
}

impl FluidRun {
    /// Takes in what the last step of each volume came to.
    pub(super) fn watch(runs: &mut Vec<Self>, world: &World, volumes: &[Entity]) {
        runs.resize(volumes.len(), Self::default());
        for (run, report) in runs.iter_mut().zip(volumes.iter().map(|volume| world.fluid(*volume))) {
            let Some(report) = report.map(Fluid::report) else { continue };
            run.divergence = run.divergence.max(report.divergence);
            run.most_sweeps = run.most_sweeps.max(report.sweeps);
            run.frames_asleep += u32::from(report.asleep);
        }
    }
}

/// The box of the world that a volume of air is in at the start.
fn volume(fluid: &Standing<FluidVolume>) -> Bounds {
    let (pose, half) = (fluid.place(0.0), fluid.source.half_extents.map(f64::from));
    let corner =
        |number: usize| [0, 1, 2].map(|axis| if number >> axis & 1 == 0 { -half[axis] } else { half[axis] });
    (0..8).fold(Bounds::NONE, |bounds, number| bounds.with(pose.apply(corner(number))))
}

/// The axis that a scene's air goes along most, if it does along any.
fn blows(scene: &Scene) -> Option<usize> {
    let SceneAir { wind, zones, fluids } = &scene.air;
    let wind =
        wind.iter().flat_map(|wind| [wind.velocity, wind.gust]).map(|velocity| velocity.map(f64::from));
    let zones = zones.iter().map(|zone| turn(zone.place(0.0).rotation, zone.source.velocity.map(f64::from)));
    let fluids =
        fluids.iter().filter_map(|fluid| fluid.source.prevailing).map(|velocity| velocity.map(f64::from));
    let sum = wind
        .chain(zones)
        .chain(fluids)
        .fold([0.0; 3], |sum, velocity| [0, 1, 2].map(|axis: usize| sum[axis] + velocity[axis].abs()));
    let most = (0..3).max_by(|a, b| sum[*a].total_cmp(&sum[*b]));
    most.filter(|axis| sum[*axis] > 0.0)
}

/// The axis that a camera looks along most, of those along which nothing blows: a slice across the wind would show none of it.
fn along(azimuth: f64, elevation: f64, blows: Option<usize>) -> usize {
    let (azimuth, elevation) = (azimuth.to_radians(), elevation.to_radians());
    let level = elevation.cos().abs();
    let view = [level * azimuth.sin().abs(), elevation.sin().abs(), level * azimuth.cos().abs()];
    let axes = (0..3).filter(|axis| Some(*axis) != blows);
    axes.max_by(|a, b| view[*a].total_cmp(&view[*b])).unwrap_or(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_camera_looks_along_an_axis() {
        let seen = [(0.0, 10.0), (180.0, -20.0), (80.0, 10.0), (-100.0, 0.0), (30.0, 60.0), (30.0, -80.0)];
        let axes = seen.map(|(azimuth, elevation)| along(azimuth, elevation, None));
        assert_eq!(axes, [2, 2, 0, 0, 1, 1]);
        // Along the wind, and not across it.
        let axes = seen.map(|(azimuth, elevation)| along(azimuth, elevation, Some(2)));
        assert_eq!(axes, [1, 1, 0, 0, 1, 1]);
    }
}
