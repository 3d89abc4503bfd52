//! One collider of every kind with its exact twin, and the points at which to try it.

use crate::narrow::{real, to_f32, to_u32};
use crate::random::Random;
use crate::truth::Solid;
use crate::workload::{narrow, wide};
use anyhow::Result;
use cloth_core::Vec3;
use cloth_core::bake::{Heights, Shapes};
use cloth_core::collide::{Collider, Kind, Pose, Surface, signed_distance};
use glam::{DQuat, DVec2, DVec3};

/// A collider and what it is.
#[derive(Clone, Debug)]
pub struct Subject {
    /// What it is called in tables.
    pub name: &'static str,
    /// The record, not moving.
    pub collider: Collider,
    /// Its words, if it has any.
    pub words: Vec<u32>,
    /// The same in f64, in its own frame and before it is scaled.
    pub solid: Solid,
    /// Points of its own frame at which nothing is smooth: corners, rims, apices, centres (m).
    pub corners: Vec<DVec3>,
    /// Segments of its own frame on which several points of the surface are equally near (m).
    pub medial: Vec<[DVec3; 2]>,
}

/// Where a point was taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    /// Within 1e-6 to 1e-2 of the surface.
    Near,
    /// Ten to a thousand sizes away.
    Far,
    /// Anywhere in a box half as large again.
    About,
    /// On a segment of equal distances, or within 1e-7 to 1e-2 of it.
    Medial,
    /// On a corner, or within 1e-7 to 1e-2 of it.
    Corner,
}

impl Where {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Near, Self::Far, Self::About, Self::Medial, Self::Corner];
}

/// Within this a point may be on either side of the wall under a field's rim (m): a few roundings of a coordinate.
const BLUR: f64 = 2e-6;

/// What a query was off by at one point.
#[derive(Clone, Copy, Debug)]
pub struct Off {
    /// The query's distance against the truth, over max(1 m, how far the point is from the collider's origin).
    pub distance: f64,
    /// The normal's length against 1.
    pub unit: f64,
    /// How far point − distance·normal is from the surface, over the same: the normal leads out by a shortest way, also where
    /// there are several.
    pub foot: f64,
    /// Angle between the normal and the truth's gradient (rad), where the truth is smooth.
    pub angle: Option<f64>,
}

impl Subject {
    /// A point to try, in the collider's space.
    pub fn point(&self, from: Where, random: &mut Random) -> Vec3 {
        let size = self.size();
        let jitter = |random: &mut Random| {
            if random.one_in(4) {
                DVec3::ZERO
            } else {
                wide(random.vector(1.0)) * size * 10f64.powf(random.real(-7.0, -2.0))
            }
        };
        let local = match from {
            Where::About => wide(random.vector(1.5)) * size,
            Where::Far => direction(random) * size * 10f64.powf(random.real(1.0, 3.0)),
            Where::Near => {
                let x = self.outside_in(wide(random.vector(1.2)) * size);
                let found = self.query(x);
                let off = 10f64.powf(random.real(-6.0, -2.0)) * if random.one_in(2) { 1.0 } else { -1.0 };
                let foot = wide(x) + wide(found.normal) * (off - f64::from(found.distance));
                return narrow(foot);
            }
            Where::Medial if !self.medial.is_empty() => {
                let [a, b] = self.medial[index(random, self.medial.len())];
                a.lerp(b, random.real(0.0, 1.0)) + jitter(random)
            }
            Where::Medial | Where::Corner => self.corners[index(random, self.corners.len())] + jitter(random),
        };
        self.outside_in(local)
    }

    /// How far it reaches (m), unscaled; a metre for a plane.
    fn size(&self) -> f64 {
        let most = self.corners.iter().map(|corner| corner.length()).fold(0.0, f64::max);
        if most > 0.0 { most } else { 1.0 }
    }

    fn rotation(&self) -> DQuat {
        DQuat::from_array(self.collider.rotation.map(f64::from)).normalize()
    }

    fn translation(&self) -> DVec3 {
        DVec3::from_array(self.collider.position.map(f64::from))
    }

    /// A point of its own frame, unscaled, where it stands.
    fn outside_in(&self, local: DVec3) -> Vec3 {
        narrow(self.translation() + self.rotation() * (local * f64::from(self.collider.scale)))
    }

    /// The true distance at a point of the collider's space (m).
    pub fn truth(&self, x: DVec3) -> f64 {
        self.solid.distance(self.inside(x)) * f64::from(self.collider.scale)
    }

    /// A point of the collider's space in its own frame, unscaled.
    fn inside(&self, x: DVec3) -> DVec3 {
        self.rotation().inverse() * (x - self.translation()) / f64::from(self.collider.scale)
    }

    /// What core says.
    pub fn query(&self, x: Vec3) -> Surface {
        signed_distance(&self.collider, &self.words, &self.collider.pose(), x)
    }

    /// How wrong core is at a point; the angle, which is expensive, only if asked for.
    pub fn off(&self, x: Vec3, with_angle: bool) -> Off {
        let (found, x) = (self.query(x), wide(x));
        let (distance, normal) = (f64::from(found.distance), wide(found.normal));
        let scale = f64::from(self.collider.scale);
        let relative = 1.0_f64.max((x - self.translation()).length());
        let exact = self.truth(x);
        let foot = self.truth(x - normal * distance);
        Off {
            distance: self.solid.off(self.inside(x), distance / scale, BLUR) * scale / relative,
            unit: (normal.length() - 1.0).abs(),
            foot: foot.abs() / relative,
            angle: if with_angle { self.angle(x, normal, exact) } else { None },
        }
    }

    /// Differences over two steps agree, and are of length 1, where the distance is smooth about x; where coordinates of single
    /// precision, at a distance of a millionth of the size, still have a direction.
    fn angle(&self, x: DVec3, normal: DVec3, exact: f64) -> Option<f64> {
        let size = self.size() * f64::from(self.collider.scale);
        if exact.abs() < 1e-4 * size || exact.abs() > 10.0 * size {
            return None;
        }
        let scale = f64::from(self.collider.scale);
        let (local, turn) = (self.inside(x), self.rotation());
        let gradient = |step: f64| turn * self.solid.gradient(local, step * size / scale);
        let (fine, coarse) = (gradient(1e-7), gradient(1e-4));
        let is_smooth = (fine.length() - 1.0).abs() < 1e-5 && fine.distance(coarse) < 1e-3;
        is_smooth.then(|| fine.normalize().cross(normal).length().atan2(fine.dot(normal)))
    }
}

/// One of every kind, and of some kinds more: long, flat, pointed, scaled, turned and away from the origin.
///
/// # Errors
///
/// Core refused one of them.
pub fn subjects() -> Result<Vec<Subject>> {
    let mut random = Random::new(4);
    let mut all = round(&mut random)?;
    all.extend(angular(&mut random)?);
    all.push(field(&mut random)?);
    Ok(all)
}

fn pose(random: &mut Random) -> Pose {
    let mut axis = || to_f32(random.real(-1.0, 1.0));
    Pose { rotation: [axis(), axis(), axis(), axis()], translation: Vec3::new(axis(), axis(), axis()) * 3.0 }
}

fn subject(name: &'static str, collider: Collider, solid: Solid) -> Subject {
    Subject { name, collider, words: Vec::new(), solid, corners: Vec::new(), medial: Vec::new() }
}

fn round(random: &mut Random) -> Result<Vec<Subject>> {
    let mut all = Vec::new();
    let up = |y: f64| DVec3::new(0.0, y, 0.0);
    let balls = |half: f64, lower: f64, upper: f64| Solid::Balls {
        half: f64::from(to_f32(half)),
        lower: f64::from(to_f32(lower)),
        upper: f64::from(to_f32(upper)),
    };
    let on_axis = |subject: Subject, reach: f64, out: f64| Subject {
        corners: vec![
            up(reach),
            up(-reach),
            DVec3::ZERO,
            DVec3::new(out, reach, 0.0),
            DVec3::new(out, -reach, 0.0),
        ],
        medial: vec![[up(-reach), up(reach)]],
        ..subject
    };
    let sphere = Collider::sphere(0.7, pose(random))?.scaled(Vec3::splat(0.5))?;
    all.push(on_axis(subject("sphere", sphere, balls(0.0, 0.7, 0.7)), 0.7, 0.0));
    let capsule = Collider::capsule(0.5, 0.2, pose(random))?;
    all.push(on_axis(subject("capsule", capsule, balls(0.5, 0.2, 0.2)), 0.5, 0.2));
    let thin = Collider::capsule(0.4, 0.001, pose(random))?;
    all.push(on_axis(subject("capsule of 1 mm", thin, balls(0.4, 0.001, 0.001)), 0.4, 0.001));
    for (name, half, lower, upper) in [
        ("tapered capsule", 0.5, 0.3, 0.1),
        ("tapered capsule, upside down", 0.25, 0.05, 0.4),
        ("tapered capsule, one ball in the other", 0.1, 0.5, 0.2),
    ] {
        let made = Collider::tapered_capsule(to_f32(half), to_f32(lower), to_f32(upper), pose(random))?;
        all.push(on_axis(subject(name, made, balls(half, lower, upper)), half, lower));
    }
    for (name, half, radius) in [("cylinder", 0.5, 0.3), ("cylinder, a disc", 0.01, 0.8)] {
        let made = Collider::cylinder(to_f32(half), to_f32(radius), pose(random))?;
        let (h, r) = (f64::from(to_f32(half)), f64::from(to_f32(radius)));
        let profile = [[0.0, -h], [r, -h], [r, h], [0.0, h]].map(DVec2::from_array);
        let mut made = on_axis(subject(name, made, Solid::Turned(profile.to_vec())), h, r);
        // Wall and cap are equally near on the cone that leads in from the rim.
        let depth = h.min(r);
        made.medial.push([DVec3::new(r, h, 0.0), DVec3::new(r - depth, h - depth, 0.0)]);
        all.push(made);
    }
    for (name, half, radius) in [("cone", 0.5, 0.4), ("cone, a needle", 0.5, 0.01), ("cone, flat", 0.02, 0.6)]
    {
        let made = Collider::cone(to_f32(half), to_f32(radius), pose(random))?;
        let (h, r) = (f64::from(to_f32(half)), f64::from(to_f32(radius)));
        let profile = [[0.0, -h], [r, -h], [0.0, h]].map(DVec2::from_array);
        all.push(on_axis(subject(name, made, Solid::Turned(profile.to_vec())), h, r));
    }
    let plane = Collider::plane(pose(random))?;
    let origin = Subject { corners: vec![DVec3::ZERO], ..subject("plane", plane, Solid::HalfSpace) };
    all.push(origin);
    Ok(all)
}

fn angular(random: &mut Random) -> Result<Vec<Subject>> {
    let mut all = Vec::new();
    for (name, half) in
        [("box", [0.5, 0.3, 0.2]), ("box, a board", [0.6, 0.002, 0.4]), ("box, a cube", [0.4; 3])]
    {
        let made = Collider::cuboid(Vec3::from_array(half), pose(random))?.scaled(Vec3::splat(1.5))?;
        let corners = box_corners(DVec3::from_array(half.map(f64::from)));
        let triangles = BOX_FACES.iter().map(|face| face.map(|i| corners[i])).collect();
        all.push(Subject {
            medial: vec![[corners[0], DVec3::ZERO], [DVec3::ZERO, corners[0] * DVec3::X]],
            corners: corners.to_vec(),
            ..subject(name, made, Solid::Enclosed(triangles))
        });
    }
    let ball: Vec<DVec3> = (0..28).map(|_| direction(random) * 0.5).collect();
    all.push(hull("hull of 28 points", &ball, random)?);
    let half = DVec3::new(0.3, 0.2, 0.4);
    all.push(hull("hull of a box", &box_corners(half), random)?);
    let drum: Vec<DVec3> = (0..24)
        .map(|i| {
            let (sin, cos) = (std::f64::consts::TAU * f64::from(i / 2) / 12.0).sin_cos();
            DVec3::new(0.4 * cos, if i % 2 == 0 { -0.1 } else { 0.1 }, 0.4 * sin)
        })
        .collect();
    all.push(hull("hull of a drum", &drum, random)?);

    let (positions, triangles) = torus(12, 8);
    all.push(mesh("mesh, a torus", &positions, &triangles, random)?);
    let (positions, triangles) = bumpy(5);
    all.push(mesh("mesh, a bumpy cube", &positions, &triangles, random)?);
    let corners = box_corners(half).map(|corner| corner.to_array().map(to_f32));
    let faces = BOX_FACES.map(|face| face.map(to_u32));
    all.push(mesh("mesh, a box", &corners, &faces, random)?);
    Ok(all)
}

const BOX_FACES: [[usize; 3]; 12] = [
    [0, 2, 1],
    [1, 2, 3],
    [4, 5, 6],
    [5, 7, 6],
    [0, 1, 4],
    [1, 5, 4],
    [2, 6, 3],
    [3, 6, 7],
    [0, 4, 2],
    [2, 4, 6],
    [1, 3, 5],
    [3, 7, 5],
];

/// Corner i lies at the positive end of X, Y, Z by its bits.
fn box_corners(half: DVec3) -> [DVec3; 8] {
    let sign = |i: usize, bit: usize| if i & bit == 0 { -1.0 } else { 1.0 };
    std::array::from_fn(|i| half * DVec3::new(sign(i, 1), sign(i, 2), sign(i, 4)))
}

/// The faces of a hull by trying all triples in f64.
fn hull(name: &'static str, points: &[DVec3], random: &mut Random) -> Result<Subject> {
    let given: Vec<[f32; 3]> = points.iter().map(|point| point.to_array().map(to_f32)).collect();
    let corners: Vec<DVec3> = given.iter().map(|point| DVec3::from_array(point.map(f64::from))).collect();
    let mut triangles = Vec::new();
    for a in 0..corners.len() {
        for b in 0..corners.len() {
            for c in b + 1..corners.len() {
                if a >= b {
                    continue;
                }
                let (p, q, r) = (corners[a], corners[b], corners[c]);
                let Some(normal) = (q - p).cross(r - p).try_normalize() else {
                    continue;
                };
                let most = corners.iter().map(|x| (*x - p).dot(normal)).fold(f64::NEG_INFINITY, f64::max);
                let least = corners.iter().map(|x| (*x - p).dot(normal)).fold(f64::INFINITY, f64::min);
                // Single precision moved corners of one plane out of it by as much.
                if most <= 1e-7 {
                    triangles.push([p, q, r]);
                } else if least >= -1e-7 {
                    triangles.push([p, r, q]);
                }
            }
        }
    }
    let mut shapes = Shapes::new();
    let data = shapes.hull(&given)?;
    let collider = Collider::shaped(Kind::Hull, data, shapes.words(), pose(random))?;
    let middle = corners.iter().sum::<DVec3>() / real(corners.len());
    let medial = corners.iter().map(|corner| [*corner, middle]).collect();
    // Triangles of one plane overlap, so the solid angle counts them more than once; inside is behind all of them.
    let solid = Solid::Convex(triangles);
    Ok(Subject { words: shapes.words().to_vec(), corners, medial, ..subject(name, collider, solid) })
}

fn mesh(
    name: &'static str,
    positions: &[[f32; 3]],
    triangles: &[[u32; 3]],
    random: &mut Random,
) -> Result<Subject> {
    let mut shapes = Shapes::new();
    let (data, report) = shapes.mesh(positions, triangles)?;
    anyhow::ensure!(!report.is_open(), "{name} is open");
    let collider =
        Collider::shaped(Kind::Mesh, data, shapes.words(), pose(random))?.scaled(Vec3::splat(0.8))?;
    let corners: Vec<DVec3> = positions.iter().map(|point| DVec3::from_array(point.map(f64::from))).collect();
    let faces: Vec<[DVec3; 3]> = triangles
        .iter()
        .map(|face| face.map(|i| corners[usize::try_from(i).expect("a small mesh")]))
        .collect();
    // Edges and what is behind them: the bisectors of their faces.
    let mut medial: Vec<[DVec3; 2]> = faces.iter().map(|[a, b, _]| [*a, *b]).collect();
    medial.extend(faces.iter().map(|[a, b, c]| [*a, (*a + *b + *c) * 0.25]));
    let solid = Solid::Enclosed(faces);
    Ok(Subject { words: shapes.words().to_vec(), corners, medial, ..subject(name, collider, solid) })
}

fn torus(around: u32, across: u32) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    for i in 0..around {
        for j in 0..across {
            let (s, c) = (std::f64::consts::TAU * f64::from(i) / f64::from(around)).sin_cos();
            let (t, d) = (std::f64::consts::TAU * f64::from(j) / f64::from(across)).sin_cos();
            let ring = 0.5 + 0.2 * d;
            positions.push([ring * c, 0.2 * t, ring * s].map(to_f32));
            let at = |i: u32, j: u32| (i % around) * across + j % across;
            let (p, q, r, u) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
            triangles.extend([[p, r, q], [p, u, r]]);
        }
    }
    (positions, triangles)
}

/// A cube of n × n squares a side, its points pushed in and out: convex, concave, flat and sharp edges.
fn bumpy(n: u32) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    for side in 0..6_usize {
        let first = to_u32(positions.len());
        for j in 0..=n {
            for i in 0..=n {
                let (u, v) =
                    (2.0 * f64::from(i) / f64::from(n) - 1.0, 2.0 * f64::from(j) / f64::from(n) - 1.0);
                let w = if side < 3 { 1.0 } else { -1.0 };
                let mut cube = [0.0; 3];
                // Axes in cyclic order, the other two swapped on the far sides, so that all squares turn the same way.
                let (a, b) = if side < 3 { (u, v) } else { (v, u) };
                cube[side % 3] = w;
                cube[(side + 1) % 3] = a;
                cube[(side + 2) % 3] = b;
                let p = DVec3::from_array(cube);
                let dent = 0.12 * ((5.0 * p.x).sin() * (4.0 * p.y + 1.0).sin() + (6.0 * p.z).sin());
                positions.push((p * (0.4 + dent.max(0.0))).to_array().map(to_f32));
            }
        }
        for j in 0..n {
            for i in 0..n {
                let a = first + i + j * (n + 1);
                triangles.extend([[a, a + 1, a + n + 2], [a, a + n + 2, a + n + 1]]);
            }
        }
    }
    (positions, triangles)
}

fn field(random: &mut Random) -> Result<Subject> {
    let (nx, nz, cell) = (17_u32, 13_u32, 0.07_f32);
    let heights: Vec<f32> = (0..nx * nz)
        .map(|v| {
            let (i, j) = (f64::from(v % nx), f64::from(v / nx));
            to_f32(if v % nx < 6 { 0.1 } else { 0.15 * (0.9 * i).sin() + 0.1 * (1.3 * j).cos() })
        })
        .collect();
    let holes: Vec<bool> = (0..(nx - 1) * (nz - 1)).map(|c| c % 37 == 20 || (60..63).contains(&c)).collect();
    let mut shapes = Shapes::new();
    let data = shapes.field(&Heights { vertices: [nx, nz], cell, heights: &heights, holes: &holes })?;
    let collider = Collider::shaped(Kind::Field, data, shapes.words(), pose(random))?;
    let at = |i: u32, j: u32| {
        let height = heights[usize::try_from(i + j * nx).expect("a small field")];
        DVec3::new(f64::from(i) * f64::from(cell), f64::from(height), f64::from(j) * f64::from(cell))
    };
    let mut triangles = Vec::new();
    for j in 0..nz - 1 {
        for i in 0..nx - 1 {
            if !holes[usize::try_from(i + j * (nx - 1)).expect("a small field")] {
                triangles.push([at(i, j), at(i, j + 1), at(i + 1, j + 1)]);
                triangles.push([at(i, j), at(i + 1, j + 1), at(i + 1, j)]);
            }
        }
    }
    let corners = (0..nx * nz).map(|v| at(v % nx, v / nx)).collect();
    let medial = triangles.iter().map(|[a, b, _]| [*a, *b]).collect();
    let solid = Solid::Below(triangles);
    Ok(Subject {
        words: shapes.words().to_vec(),
        corners,
        medial,
        ..subject("height field with holes", collider, solid)
    })
}

fn direction(random: &mut Random) -> DVec3 {
    loop {
        let v = wide(random.vector(1.0));
        if (0.1..1.0).contains(&v.length()) {
            return v.normalize();
        }
    }
}

fn index(random: &mut Random, count: usize) -> usize {
    usize::try_from(random.below(to_u32(count))).expect("a small count")
}
