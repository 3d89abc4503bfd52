//! The workloads whose exact motion is known: sheets and chains that move as planar chains of rigid links.
//!
//! A sheet falls off the edge it is held by in the plane of y and z, and so do the chains here; `x` of the exact chain
//! is `z` of the workload.

use super::{BARE, G, Shape, Spec, Topology, first, scenes};
use crate::narrow::{real, to_f32, to_u32};
use crate::random::Random;
use crate::truth::{Chain, Root};
use cloth_core::{ClothDynamics, library};
use glam::{DVec2, DVec3};
use std::f64::consts::FRAC_PI_2;

/// A workload, the vertices at its free end, and its exact twin.
pub struct Known {
    /// What is simulated.
    pub spec: Spec,
    /// The free edge or the tip.
    pub hem: Vec<u32>,
    /// What it should do.
    pub chain: Chain,
}

/// Cotton's budget, no drag, the workloads' bend of 1e-5 N·m, and a damping rate (1/s).
pub fn library_settings(spec: Spec, damping: f32) -> Spec {
    let ClothDynamics { substeps, iterations, .. } = library::COTTON;
    Spec { dynamics: ClothDynamics { bend: 1e-5, drag: 0.0, damping, substeps, iterations, ..BARE }, ..spec }
}

/// Side of the sheet.
const SIDE: usize = 32;
/// Its spacing (m).
const SPACING: f64 = 0.02;

/// The falling sheet of SOLVER §8, damping 0.
pub fn falling() -> Known {
    let spec = library_settings(scenes::sheet(SIDE), 0.0);
    let row = 0.5 / real(SIDE);
    let chain = Chain::new(&[SPACING; SIDE - 1], &[row; SIDE - 1], FRAC_PI_2, G);
    Known { spec, hem: last_row(), chain }
}

/// The same with a hem of twenty times the mass of the other rows.
pub fn heavy_hem() -> Known {
    const HEAVY: f64 = 20.0;
    let mut known = falling();
    for &vertex in &known.hem {
        known.spec.masses[vertex as usize] *= to_f32(HEAVY);
    }
    let mut rows = [0.5 / real(SIDE); SIDE - 1];
    rows[SIDE - 2] *= HEAVY;
    known.chain = Chain::new(&[SPACING; SIDE - 1], &rows, FRAC_PI_2, G);
    known
}

/// The falling sheet's area in as many particles of the same mass, moved about at random and triangulated anew. Only
/// in the limit of small triangles is its motion the chain's.
pub fn irregular() -> Known {
    let falling = falling();
    Known { spec: Spec { shape: jittered(), ..falling.spec }, ..falling }
}

/// A sheet's points moved by up to 0.3 spacings, those of the rim along the rim, corners not at all; Delaunay triangles.
pub fn jittered() -> Shape {
    let mut random = Random::new(3);
    let mut jitter = |at: usize| {
        let by = random.real(-0.3, 0.3);
        SPACING * (real(at) + if at == 0 || at == SIDE - 1 { 0.0 } else { by })
    };
    let mut points = Vec::new();
    for row in 0..SIDE {
        for column in 0..SIDE {
            points.push(delaunator::Point { x: jitter(column), y: jitter(row) });
        }
    }
    let triangulation = delaunator::triangulate(&points);
    let positions = points.iter().map(|p| [to_f32(p.x), 0.0, to_f32(p.y)]).collect();
    let triangles = triangulation.triangles.as_chunks().0.iter();
    let triangles = triangles.map(|&[a, b, c]| [to_u32(a), to_u32(b), to_u32(c)]).collect();
    Shape { positions, topology: Topology::Triangles(triangles) }
}

fn last_row() -> Vec<u32> {
    (to_u32(SIDE * (SIDE - 1))..to_u32(SIDE * SIDE)).collect()
}

/// The pendulum: 20 links of 5 cm, 2 kg over 21 particles, released at an angle from straight down (rad).
pub fn pendulum(angle: f64, tethers: bool) -> Known {
    let direction = DVec3::new(0.0, -angle.cos(), angle.sin());
    let bare =
        Spec { pins: vec![0], tethers, ..Spec::new(Shape::strands(1, 20, 0.05, direction), 2.0 / 21.0) };
    let spec = Spec { bend_rows: false, ..library_settings(bare, 0.0) };
    Known { spec, hem: vec![20], chain: Chain::new(&[0.05; 20], &[2.0 / 21.0; 20], angle, G) }
}

/// A runner's cape: 20 columns and 30 rows of cotton at 2 cm, hanging at rest, its upper row carried by
/// [`runner`] and its exact twin by the same.
pub fn cape() -> Known {
    let (columns, rows) = (20, 30);
    let flat = scenes::cape_of(columns, rows);
    let spec = Spec { shape: flat.shape.clone().moved(|p| DVec3::new(p.x, -p.z, 0.0)), ..flat };
    let row = f64::from(spec.masses[0]) * real(columns);
    let chain = Chain::new(&[SPACING; 29], &[row; 29], 0.0, G).driven(runner);
    let hem = first(columns).iter().map(|&v| v + to_u32(columns * (rows - 1))).collect();
    Known { spec: library_settings(spec, 0.0), hem, chain }
}

/// Speed of the runner (m/s).
const SPEED: f64 = 2.0;
/// How long he takes to reach it (s): the cape's slowest swing takes 1.27 s and is left nearly at rest by a ramp of 1.43
/// times that. One that is already swinging when he stops folds up, and then every solver is right in its own way.
const START: f64 = 1.8;
/// When he has stopped (s).
pub const STOPPED: f64 = 2.0;
/// How long stopping takes him (s).
const STOP: f64 = 0.1;

/// The runner: gains speed over 1.8 s, runs on for 0.1 s and stops dead, which takes his shoulders 0.1 s: a jump of
/// velocity would set the first row alone turning, at a hundred radians a second.
pub fn runner(time: f64) -> Root {
    // The speed rises as 3s² − 2s³, whose integral is s³ − s⁴/2.
    let ramp = |since: f64, length: f64| {
        let s = (since / length).clamp(0.0, 1.0);
        let past = (since - length).max(0.0);
        let way = length * (s * s * s - 0.5 * s * s * s * s) + past;
        [way, s * s * (3.0 - 2.0 * s), 6.0 * s * (1.0 - s) / length]
    };
    let (start, stop) = (ramp(time, START), ramp(time - (STOPPED - STOP), STOP));
    let along = |order: usize| DVec2::new(SPEED * (start[order] - stop[order]), 0.0);
    Root { position: along(0), velocity: along(1), acceleration: along(2) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_random_triangulation_covers_the_sheet_once() {
        let shape = jittered();
        let width = SPACING * real(SIDE - 1);
        let at = |v: u32| {
            let [x, _, z] = shape.positions[v as usize];
            DVec2::new(x.into(), z.into())
        };
        let areas: Vec<f64> = shape
            .triangles()
            .iter()
            .map(|&[a, b, c]| 0.5 * (at(c) - at(a)).perp_dot(at(b) - at(a)))
            .collect();
        assert!(areas.iter().all(|&area| area > 1e-6), "a triangle is turned over or flat");
        assert!((areas.iter().sum::<f64>() / (width * width) - 1.0).abs() < 1e-6);
        let used: std::collections::BTreeSet<u32> = shape.triangles().iter().flatten().copied().collect();
        assert_eq!(used.len(), SIDE * SIDE);
        // As a disc has it: edges = 3·vertices − 3 − rim.
        assert_eq!(shape.edges().len(), 3 * SIDE * SIDE - 3 - 4 * (SIDE - 1));
    }

    #[test]
    fn the_runner_s_speed_is_the_change_of_his_place() {
        let h = 1e-5;
        for time in [0.0, 0.3, 1.79, 1.85, 1.92, 1.97, 2.5] {
            let (before, here, after) = (runner(time - h), runner(time), runner(time + h));
            let speed = (after.position - before.position) / (2.0 * h);
            let change = (after.velocity - before.velocity) / (2.0 * h);
            assert!((speed - here.velocity).length() < 1e-6, "{time}: {speed} {here:?}");
            assert!((change - here.acceleration).length() < 1e-2, "{time}: {change} {here:?}");
        }
        assert_eq!(runner(STOPPED + 0.1).velocity, DVec2::ZERO);
        assert!((runner(1.85).velocity.x - SPEED).abs() < 1e-12);
    }
}
