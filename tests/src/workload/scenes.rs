//! The named workloads. Each states what the record or the design says, and what was chosen where both are silent.

use super::{BARE, Shape, Spec, first};
use crate::narrow::{real, to_f32, to_u32};
use anyhow::{Context as _, Result};
use cloth_core::{ClothDynamics, library};
use glam::DVec3;
use std::path::PathBuf;

/// The folder of the workspace.
pub fn workspace() -> PathBuf {
    let mut path = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    path.pop();
    path
}

/// COTTON's mass an area (kg/m²).
const COTTON_DENSITY: f64 = 0.15;

/// The sheet: `side`² particles at 2 cm, 0.5 kg in all, row 0 held, released flat; bend 1e-5 N·m.
pub fn sheet(side: usize) -> Spec {
    Spec {
        pins: first(side),
        dynamics: ClothDynamics { bend: 1e-5, ..BARE },
        ..Spec::new(Shape::grid(side, side, 0.02), 0.5 / real(side * side))
    }
}

/// The sheet turned down by a quarter: it hangs in its rest pose.
pub fn hung_sheet(side: usize) -> Spec {
    let flat = sheet(side);
    Spec { shape: flat.shape.moved(|p| DVec3::new(p.x, -p.z, 0.0)), ..flat }
}

/// The chain: `links` hard links of 2 cm, hung in its rest pose, no other rows.
pub fn chain(links: usize, mass: f64) -> Spec {
    Spec {
        pins: vec![0],
        tethers: false,
        bend_rows: false,
        ..Spec::new(Shape::strands(1, links, 0.02, DVec3::NEG_Y), mass)
    }
}

/// The tethered rig of M§10: three strands of thirty links of 5 cm, rooted, authored horizontally. The record
/// names no fabric; mass (5 g a particle) and damping are ROPE's, without its strain limit.
pub fn rig() -> Spec {
    let shape = Shape::strands(3, 30, 0.05, DVec3::Z);
    Spec { pins: vec![0, 31, 62], bend_rows: false, ..Spec::new(shape, 0.005) }.damping(library::ROPE.damping)
}

/// A rope of 5 cm links, rooted, authored horizontally, ROPE in every respect but the mass, which is given.
pub fn rope(links: usize, mass: f64) -> Spec {
    Spec {
        pins: vec![0],
        dynamics: library::ROPE,
        ..Spec::new(Shape::strands(1, links, 0.05, DVec3::Z), mass)
    }
    .budget(2, 4)
}

/// The cape of M§6: 20 columns and 30 rows at 2 cm, hung from its top row, released flat. The record names no
/// mass; 0.15 kg/m² is COTTON's 0.06 g a particle.
pub fn cape() -> Spec {
    cape_of(20, 30)
}

/// The same of other proportions.
pub fn cape_of(columns: usize, rows: usize) -> Spec {
    Spec {
        pins: first(columns),
        dynamics: ClothDynamics { bend: 1e-5, ..BARE },
        ..Spec::new(Shape::grid(columns, rows, 0.02), COTTON_DENSITY * 0.02 * 0.02)
    }
}

/// R6, R7: a 16×16 sheet, no pins, tilted about two axes (rational rotations, so that no machine's `sin` has a say).
pub fn tilted() -> Spec {
    let sheet = sheet(16);
    let tilt = |p: DVec3| {
        let q = DVec3::new(p.x, 0.8 * p.y - 0.6 * p.z, 0.6 * p.y + 0.8 * p.z);
        DVec3::new((12.0 * q.x - 5.0 * q.y) / 13.0, (5.0 * q.x + 12.0 * q.y) / 13.0, q.z)
    };
    Spec { shape: sheet.shape.moved(tilt), pins: Vec::new(), ..sheet }
}

/// R4: the 20×20 sheet with every length, gravity included, multiplied by `scale`; bend, an energy per
/// area ratio, scales with the square.
pub fn scaled(scale: f64) -> Spec {
    let sheet = sheet(20);
    let factor = to_f32(scale);
    Spec {
        shape: Shape::grid(20, 20, 0.02 * scale),
        gravity: sheet.gravity * factor,
        dynamics: ClothDynamics {
            bend: sheet.dynamics.bend * factor * factor,
            thickness: sheet.dynamics.thickness * factor,
            ..sheet.dynamics
        },
        ..sheet
    }
}

/// A boundary loop of a triangle mesh, as vertices in no particular order.
pub type Loop = Vec<u32>;

/// The skirt: waist pinned, COTTON by area. With its waist and hem loops.
///
/// # Errors
///
/// A missing or unreadable `assets/skirt.obj`, or one without exactly two boundary loops.
pub fn skirt() -> Result<(Spec, Loop, Loop)> {
    let path = workspace().join("assets/skirt.obj");
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    // The file is in decimetres.
    let shape = Shape::from_obj(&text, 0.1).with_context(|| path.display().to_string())?;
    let mut loops = boundary_loops(&shape);
    anyhow::ensure!(loops.len() == 2, "{} boundary loops in the skirt, not waist and hem", loops.len());
    let height = |l: &Loop| super::mean(l.iter().map(|&v| f64::from(shape.positions[v as usize][1])));
    loops.sort_by(|a, b| height(b).total_cmp(&height(a)));
    let hem = loops.pop().context("the lower loop")?;
    let waist = loops.pop().context("the upper loop")?;
    let masses = lumped_masses(&shape, COTTON_DENSITY);
    let spec = Spec { pins: waist.clone(), masses, dynamics: library::COTTON, ..Spec::new(shape, 0.0) };
    Ok((spec, waist, hem))
}

/// Columns and rings of [`regular_skirt`]: as many particles as the skirt has.
const COLUMNS: usize = 36;
const RINGS: usize = 20;

/// A skirt without a tailor: a closed regular grid between two level ellipses, those of the skirt's waist and hem, with its
/// number of particles, its fabric and its pins. With its waist and hem loops.
///
/// # Errors
///
/// As [`skirt`].
pub fn regular_skirt() -> Result<(Spec, Loop, Loop)> {
    let (skirt, waist, hem) = skirt()?;
    let ellipse = |l: &Loop| {
        let corner = |pick: fn(f64, f64) -> f64, from: f64| {
            let at = |axis: usize| {
                l.iter().map(|&v| f64::from(skirt.shape.positions[v as usize][axis])).fold(from, pick)
            };
            DVec3::new(at(0), at(1), at(2))
        };
        let (low, high) = (corner(f64::min, f64::INFINITY), corner(f64::max, f64::NEG_INFINITY));
        (0.5 * (low + high), 0.5 * (high - low) * DVec3::new(1.0, 0.0, 1.0))
    };
    let (top, bottom) = (ellipse(&waist), ellipse(&hem));
    let shape = Shape::tube(COLUMNS, RINGS, |turn, down| {
        let (sin, cos) = (std::f64::consts::TAU * turn).sin_cos();
        let (middle, axes) = (top.0.lerp(bottom.0, down), top.1.lerp(bottom.1, down));
        middle + axes * DVec3::new(sin, 0.0, cos)
    });
    let masses = lumped_masses(&shape, COTTON_DENSITY);
    let last = to_u32(COLUMNS * (RINGS - 1));
    let (waist, hem) = (first(COLUMNS), first(COLUMNS).into_iter().map(|v| v + last).collect());
    Ok((Spec { shape, pins: waist.clone(), masses, ..skirt }, waist, hem))
}

/// A third of each triangle's mass on each of its corners (kg).
fn lumped_masses(shape: &Shape, density: f64) -> Vec<f32> {
    let at = |v: u32| {
        let [x, y, z] = shape.positions[v as usize];
        DVec3::new(x.into(), y.into(), z.into())
    };
    let mut masses = vec![0.0; shape.positions.len()];
    for &[a, b, c] in shape.triangles() {
        let area = 0.5 * (at(b) - at(a)).cross(at(c) - at(a)).length();
        for v in [a, b, c] {
            masses[v as usize] += density * area / 3.0;
        }
    }
    masses.into_iter().map(to_f32).collect()
}

/// The boundary loops: edges of one triangle, joined where they share a vertex.
fn boundary_loops(shape: &Shape) -> Vec<Loop> {
    let mut uses = std::collections::BTreeMap::<(u32, u32), u32>::new();
    for t in shape.triangles() {
        for i in 0..3 {
            let (a, b) = (t[i], t[(i + 1) % 3]);
            *uses.entry((a.min(b), a.max(b))).or_default() += 1;
        }
    }
    let mut root: Vec<u32> = (0..to_u32(shape.positions.len())).collect();
    let find = |root: &[u32], mut v: u32| {
        while root[v as usize] != v {
            v = root[v as usize];
        }
        v
    };
    let boundary: Vec<(u32, u32)> = uses.into_iter().filter(|&(_, n)| n == 1).map(|(e, _)| e).collect();
    for &(a, b) in &boundary {
        let (a, b) = (find(&root, a), find(&root, b));
        root[a.max(b) as usize] = a.min(b);
    }
    let mut loops = std::collections::BTreeMap::<u32, std::collections::BTreeSet<u32>>::new();
    for &(a, b) in &boundary {
        loops.entry(find(&root, a)).or_default().extend([a, b]);
    }
    loops.into_values().map(|l| l.into_iter().collect()).collect()
}
