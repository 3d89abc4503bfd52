//! What colliders look like: each a mesh in its own frame.

use std::collections::BTreeMap;

use cloth_core::collide::{self, Kind};
use glam::Vec3;

use crate::scene::SceneCollider;

/// Sides of what is round.
const SIDES: u32 = 48;
/// Steps of half a circle.
const STEPS: u32 = 24;
/// Triangles whose normals are no further apart than this share one at a vertex: cos 40°.
const CREASE: f32 = 0.766;

/// A collider as triangles, in its own frame.
#[derive(Clone, Debug, Default)]
pub struct Solid {
    /// Vertex positions (m); no triangle shares one.
    pub positions: Vec<Vec3>,
    /// Vertex normals.
    pub normals: Vec<Vec3>,
    /// Triangles, counterclockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Whether it is a part of a plane, which has no end.
    pub is_plane: bool,
}

/// The part of a plane that is shown: round `centre` (m), as far as `reach` (m).
#[derive(Clone, Copy, Debug)]
pub struct Shown {
    /// Middle of what is shown.
    pub centre: Vec3,
    /// Half its width.
    pub reach: f32,
}

impl Solid {
    /// The surface of a collider.
    pub fn new(collider: &SceneCollider, shown: Shown) -> Self {
        let record = &collider.record;
        let [a, b, c] = record.sizes;
        let kind = Kind::of(record.kind);
        let (positions, triangles) = match kind {
            Some(Kind::Sphere) => revolve(&balls(0.0, a, a)),
            Some(Kind::Capsule) => revolve(&balls(a, b, b)),
            Some(Kind::TaperedCapsule) => revolve(&balls(a, b, c)),
            Some(Kind::Cylinder) => revolve(&[[0.0, -a], [b, -a], [b, a], [0.0, a]]),
            Some(Kind::Cone) => revolve(&[[0.0, -a], [b, -a], [0.0, a]]),
            Some(Kind::Box) => cuboid(Vec3::new(a, b, c)),
            Some(Kind::Plane) => quad(collider.pose(0.0).undo(shown.centre), shown.reach),
            _ => {
                let surface = &collider.surface;
                (surface.positions.iter().copied().map(Vec3::from).collect(), surface.triangles.clone())
            }
        };
        let is_plane = kind == Some(Kind::Plane);
        let scale = if is_plane { 1.0 } else { record.scale };
        let positions: Vec<Vec3> = positions.into_iter().map(|position: Vec3| position * scale).collect();
        Self { is_plane, ..creased(&positions, &triangles) }
    }

    /// Positions and normals where a pose puts them.
    pub fn at(&self, pose: &collide::Pose) -> (Vec<Vec3>, Vec<Vec3>) {
        let positions = self.positions.iter().map(|position| pose.apply(*position)).collect();
        (positions, self.normals.iter().map(|normal| pose.rotate(*normal)).collect())
    }
}

/// Gives every corner of every triangle a vertex of its own, with the mean normal, by area, of the triangles there that look
/// nearly the same way: round is round and an edge is an edge. Triangles without area are left out.
fn creased(positions: &[Vec3], triangles: &[[u32; 3]]) -> Solid {
    // Files split vertices along texture seams, where the surface is as round as elsewhere. Adding 0 takes the sign off −0.
    let mut first: BTreeMap<[u32; 3], usize> = BTreeMap::new();
    let joined: Vec<usize> = positions
        .iter()
        .enumerate()
        .map(|(index, position)| {
            *first.entry(position.to_array().map(|x| (x + 0.0).to_bits())).or_insert(index)
        })
        .collect();
    let area = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|vertex| positions[vertex as usize]);
        (b - a).cross(c - a)
    };
    let kept: Vec<([u32; 3], Vec3)> = triangles
        .iter()
        .map(|corners| (*corners, area(corners)))
        .filter(|(_, area)| area.length() > 0.0)
        .collect();
    let mut around: Vec<Vec<usize>> = vec![Vec::new(); positions.len()];
    for (index, (corners, _)) in kept.iter().enumerate() {
        for vertex in corners {
            around[joined[*vertex as usize]].push(index);
        }
    }
    let mut solid = Solid::default();
    for ((corners, area), start) in kept.iter().zip((0..).step_by(3)) {
        let own = area.normalize_or(Vec3::Y);
        for vertex in corners {
            let alike = around[joined[*vertex as usize]].iter().map(|index| kept[*index].1);
            let sum: Vec3 = alike.filter(|other| other.normalize_or(Vec3::Y).dot(own) >= CREASE).sum();
            solid.positions.push(positions[*vertex as usize]);
            solid.normals.push(sum.normalize_or(own));
        }
        solid.triangles.push([start, start + 1, start + 2]);
    }
    solid
}

type Mesh = (Vec<Vec3>, Vec<[u32; 3]>);

/// The meridian of the hull of two balls on Y: (distance from the axis, height), from the lowest point up.
fn balls(half: f32, lower: f32, upper: f32) -> Vec<[f32; 2]> {
    let arc = |height: f32, radius: f32, from: f32, to: f32| {
        (0..=STEPS).map(move |step| {
            let angle = from + (to - from) * step as f32 / STEPS as f32;
            [radius * angle.cos().max(0.0), height + radius * angle.sin()]
        })
    };
    let quarter = core::f32::consts::FRAC_PI_2;
    let lean = (lower - upper) / (2.0 * half).max(f32::MIN_POSITIVE);
    let mut line: Vec<[f32; 2]> = if half <= 0.0 || lean >= 1.0 {
        arc(-half, lower, -quarter, quarter).collect()
    } else if lean <= -1.0 {
        arc(half, upper, -quarter, quarter).collect()
    } else {
        // Where the segment that touches both leaves them.
        let touch = lean.asin();
        arc(-half, lower, -quarter, touch).chain(arc(half, upper, touch, quarter)).collect()
    };
    // Poles are on the axis, whatever cosines say.
    for end in [0, line.len() - 1] {
        line[end][0] = 0.0;
    }
    line
}

/// A surface of revolution about Y of a line that starts and ends on the axis.
fn revolve(line: &[[f32; 2]]) -> Mesh {
    let mut positions = Vec::new();
    for [rho, y] in line {
        for side in 0..SIDES {
            let angle = side as f32 / SIDES as f32 * core::f32::consts::TAU;
            positions.push(Vec3::new(rho * angle.cos(), *y, rho * angle.sin()));
        }
    }
    let mut triangles = Vec::new();
    for ring in (0..).take(line.len() - 1) {
        let at = |ring: u32, side: u32| ring * SIDES + side % SIDES;
        for side in 0..SIDES {
            let (a, b) = (at(ring, side), at(ring, side + 1));
            let (c, d) = (at(ring + 1, side), at(ring + 1, side + 1));
            triangles.extend([[a, c, b], [b, c, d]]);
        }
    }
    (positions, triangles)
}

fn cuboid(half: Vec3) -> Mesh {
    let positions = (0..8)
        .map(|i: u8| half * Vec3::from([1, 2, 4].map(|bit| if i & bit == 0 { -1.0 } else { 1.0 })))
        .collect();
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    (positions, faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect())
}

/// A square of the plane Y = 0.
fn quad(centre: Vec3, half: f32) -> Mesh {
    let corner = |x: f32, z: f32| Vec3::new(centre.x + x * half, 0.0, centre.z + z * half);
    let positions = vec![corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0)];
    (positions, vec![[0, 1, 2], [0, 2, 3]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;
    use cloth_core::collide::signed_distance;

    const SHOWN: Shown = Shown { centre: Vec3::ZERO, reach: 2.0 };

    fn volume(solid: &Solid) -> f32 {
        let corners = solid.triangles.iter().map(|t| t.map(|vertex| solid.positions[vertex as usize]));
        corners.map(|[a, b, c]| a.dot(b.cross(c)) / 6.0).sum()
    }

    fn colliders(sections: &str) -> Scene {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("s.toml");
        let text = format!("[mesh]\nkind = \"sheet\"\n{sections}");
        std::fs::write(&path, text).expect("it can be written");
        let cube = "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n\
                    f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
        std::fs::write(folder.path().join("cube.obj"), cube).expect("it can be written");
        Scene::read(&path).expect("it is sound")
    }

    const EVERY: &str = r#"
        [[collider]]
        shape = "sphere"
        radius = 0.5
        scale = 2
        [[collider]]
        shape = "capsule"
        half_height = 0.5
        radius = 0.3
        [[collider]]
        shape = "tapered-capsule"
        half_height = 0.5
        lower_radius = 0.4
        upper_radius = 0.1
        [[collider]]
        shape = "tapered-capsule"
        half_height = 0.05
        lower_radius = 0.4
        upper_radius = 0.1
        [[collider]]
        shape = "box"
        half_extents = [0.5, 1, 2]
        [[collider]]
        shape = "cylinder"
        half_height = 0.5
        radius = 0.3
        [[collider]]
        shape = "cone"
        half_height = 0.5
        radius = 0.3
        [[collider]]
        shape = "hull"
        file = "cube.obj"
        [[collider]]
        shape = "mesh"
        file = "cube.obj"
        scale = 0.5
    "#;

    #[test]
    fn every_solid_is_closed_faces_outward_and_lies_on_its_collider() {
        let scene = colliders(EVERY);
        assert_eq!(scene.colliders.len(), 9);
        let pi = core::f32::consts::PI;
        let volumes = [
            Some(4.0 / 3.0 * pi),
            Some(pi * 0.09 * (1.0 + 0.4)),
            None,
            Some(4.0 / 3.0 * pi * 0.064),
            Some(8.0),
            Some(pi * 0.09),
            Some(pi * 0.03),
            Some(8.0),
            Some(1.0),
        ];
        for (collider, expected) in scene.colliders.iter().zip(volumes) {
            let solid = Solid::new(collider, SHOWN);
            if let Some(expected) = expected {
                let share = volume(&solid) / expected;
                assert!((0.985..1.0001).contains(&share), "{}: {share}", collider.name);
            }
            let pose = collider.pose(0.0);
            for (position, normal) in solid.positions.iter().zip(&solid.normals) {
                let found = signed_distance(&collider.record, scene.shapes.words(), &pose, *position);
                assert!(found.distance.abs() < 2e-3, "{}: {position} {found:?}", collider.name);
                let outside = *position + *normal * 0.02;
                let further = signed_distance(&collider.record, scene.shapes.words(), &pose, outside);
                assert!(further.distance > 0.005, "{}: {position} {normal} {further:?}", collider.name);
            }
        }
    }

    #[test]
    fn a_field_s_holes_are_not_drawn_and_its_ground_looks_up() {
        let scene = colliders(
            "[[collider]]\nshape = \"height-field\"\ncell = 0.5\n\
             heights = [[0, 0.1, 0], [0, 0.2, 0], [0.1, 0, 0.3]]\nholes = [[1, 0]]\n",
        );
        let solid = Solid::new(&scene.colliders[0], SHOWN);
        assert_eq!(solid.triangles.len(), 6);
        assert!(solid.normals.iter().all(|normal| normal.y > 0.5));
        let pose = scene.colliders[0].pose(0.0);
        for corners in &solid.triangles {
            let middle = corners.map(|v| solid.positions[v as usize]).iter().copied().sum::<Vec3>() / 3.0;
            let found = signed_distance(&scene.colliders[0].record, scene.shapes.words(), &pose, middle);
            assert!(found.distance.abs() < 1e-5, "cells are split as core splits them: {middle} {found:?}");
        }
    }

    #[test]
    fn round_is_smooth_and_edges_are_sharp() {
        let scene = colliders(EVERY);
        let sphere = Solid::new(&scene.colliders[0], SHOWN);
        for (position, normal) in sphere.positions.iter().zip(&sphere.normals) {
            assert!(position.normalize().dot(*normal) > 0.999, "{position} {normal}");
        }
        let cube = Solid::new(&scene.colliders[4], SHOWN);
        let along_axes = |normal: &Vec3| normal.abs().max_element() > 0.999;
        assert!(cube.normals.iter().all(along_axes) && cube.triangles.len() == 12);
    }

    #[test]
    fn a_plane_is_shown_where_the_cloth_is() {
        let scene = colliders("[[collider]]\nshape = \"plane\"\nposition = [50, -1, 0]\n");
        let plane = Solid::new(&scene.colliders[0], Shown { centre: Vec3::new(3.0, 0.5, 0.0), reach: 2.0 });
        let (positions, normals) = plane.at(&scene.colliders[0].pose(0.0));
        assert!(plane.is_plane && normals.iter().all(|normal| *normal == Vec3::Y));
        let middle = positions.iter().copied().sum::<Vec3>() / positions.len() as f32;
        assert!((middle - Vec3::new(3.0, -1.0, 0.0)).length() < 1e-5, "{middle}");
        assert!(positions.iter().all(|position| (position.x - 3.0).abs() <= 2.0001));
    }
}
