//! Geometry of the workloads: positions, and the triangles or chains over them.

use crate::narrow::{real, to_f32, to_u32};
use anyhow::{Context as _, Result};
use cloth_core::NONE;
use glam::DVec3;
use std::collections::BTreeSet;

/// What connects the positions of a [`Shape`].
#[derive(Clone, Debug)]
pub enum Topology {
    /// Triangles over positions.
    Triangles(Vec<[u32; 3]>),
    /// For each position its parent, [`NONE`] for a root.
    Chains(Vec<u32>),
}

/// A cloth before it has masses, pins or a fabric.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Rest positions (m).
    pub positions: Vec<[f32; 3]>,
    /// How they hang together.
    pub topology: Topology,
}

/// An edge of a shape, by vertices, `a < b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// First vertex.
    pub a: u32,
    /// Second vertex.
    pub b: u32,
}

impl Shape {
    /// A flat grid in the plane y = 0, `columns` along x and `rows` along z, row by row; edges along both axes
    /// and one diagonal, the same way everywhere (SOLVER §8).
    pub fn grid(columns: usize, rows: usize, spacing: f64) -> Self {
        let mut positions = Vec::with_capacity(columns * rows);
        for row in 0..rows {
            for column in 0..columns {
                positions.push([to_f32(real(column) * spacing), 0.0, to_f32(real(row) * spacing)]);
            }
        }
        let mut triangles = Vec::with_capacity(2 * (columns - 1) * (rows - 1));
        for row in 1..rows {
            for column in 1..columns {
                let at = |row: usize, column: usize| to_u32(row * columns + column);
                let (a, b) = (at(row - 1, column - 1), at(row - 1, column));
                let (c, d) = (at(row, column - 1), at(row, column));
                triangles.push([a, c, b]);
                triangles.push([b, c, d]);
            }
        }
        Self { positions, topology: Topology::Triangles(triangles) }
    }

    /// A closed grid of `rings` rings of `columns`, ring by ring, at `place(turn, down)`: how far round and how far from the
    /// first ring to the last, from 0 to 1. Its diagonals all run the same way.
    pub fn tube(columns: usize, rings: usize, place: impl Fn(f64, f64) -> DVec3) -> Self {
        let mut positions = Vec::with_capacity(columns * rings);
        let mut triangles = Vec::with_capacity(2 * columns * (rings - 1));
        for ring in 0..rings {
            for column in 0..columns {
                let p = place(real(column) / real(columns), real(ring) / real(rings - 1));
                positions.push([to_f32(p.x), to_f32(p.y), to_f32(p.z)]);
                if ring > 0 {
                    let at = |ring: usize, column: usize| to_u32(ring * columns + column % columns);
                    let (a, b) = (at(ring - 1, column), at(ring - 1, column + 1));
                    let (c, d) = (at(ring, column), at(ring, column + 1));
                    triangles.push([a, c, b]);
                    triangles.push([b, c, d]);
                }
            }
        }
        Self { positions, topology: Topology::Triangles(triangles) }
    }

    /// `strands` chains of `links` links side by side, rooted at z = 0 and running along `direction`.
    pub fn strands(strands: usize, links: usize, spacing: f64, direction: DVec3) -> Self {
        let mut positions = Vec::new();
        let mut parents = Vec::new();
        for strand in 0..strands {
            let root = DVec3::X * (real(strand) * spacing);
            for link in 0..=links {
                let p = root + direction * (real(link) * spacing);
                let index = to_u32(positions.len());
                parents.push(if link == 0 { NONE } else { index - 1 });
                positions.push([to_f32(p.x), to_f32(p.y), to_f32(p.z)]);
            }
        }
        Self { positions, topology: Topology::Chains(parents) }
    }

    /// A mesh from OBJ text, polygons cut into fans, coordinates multiplied by `unit`.
    ///
    /// Lenient on purpose: what the file says, NaN and indices past the end included, reaches the builder, which
    /// the reader of cloth-host would spare it.
    ///
    /// # Errors
    ///
    /// A line that is not a vertex of three numbers or a face of three vertices or more.
    pub fn from_obj(text: &str, unit: f64) -> Result<Self> {
        let mut positions = Vec::new();
        let mut triangles = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let context = || format!("line {}: {line}", number + 1);
            let mut words = line.split_whitespace();
            match words.next() {
                Some("v") => {
                    let c: Vec<f64> =
                        words.map(str::parse).collect::<Result<_, _>>().with_context(context)?;
                    let [x, y, z] = c[..] else { anyhow::bail!(context()) };
                    positions.push([to_f32(x * unit), to_f32(y * unit), to_f32(z * unit)]);
                }
                Some("f") => {
                    let corner = |word: &str| word.split('/').next().unwrap_or(word).parse::<u32>();
                    let c: Vec<u32> = words.map(corner).collect::<Result<_, _>>().with_context(context)?;
                    anyhow::ensure!(c.len() >= 3 && !c.contains(&0), context());
                    triangles.extend((2..c.len()).map(|i| [c[0] - 1, c[i - 1] - 1, c[i] - 1]));
                }
                _ => {}
            }
        }
        Ok(Self { positions, topology: Topology::Triangles(triangles) })
    }

    /// The unique edges, in ascending order.
    pub fn edges(&self) -> Vec<Edge> {
        let mut edges = BTreeSet::new();
        let mut add = |a: u32, b: u32| edges.insert(Edge { a: a.min(b), b: a.max(b) });
        match &self.topology {
            Topology::Triangles(triangles) => {
                for &[a, b, c] in triangles {
                    add(a, b);
                    add(b, c);
                    add(c, a);
                }
            }
            Topology::Chains(parents) => {
                for (child, &parent) in parents.iter().enumerate() {
                    if parent != NONE {
                        add(to_u32(child), parent);
                    }
                }
            }
        }
        edges.into_iter().collect()
    }

    /// The triangles; none for chains.
    pub fn triangles(&self) -> &[[u32; 3]] {
        match &self.topology {
            Topology::Triangles(triangles) => triangles,
            Topology::Chains(_) => &[],
        }
    }

    /// The same shape with every position passed through `map`.
    pub fn moved(mut self, map: impl Fn(DVec3) -> DVec3) -> Self {
        for position in &mut self.positions {
            let p = map(DVec3::new(position[0].into(), position[1].into(), position[2].into()));
            *position = [to_f32(p.x), to_f32(p.y), to_f32(p.z)];
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sheet_has_the_rows_the_record_counts() {
        let sheet = Shape::grid(32, 32, 0.02);
        assert_eq!(sheet.positions.len(), 1024);
        assert_eq!(sheet.edges().len(), 2945);
        // Every inner edge is a hinge: 3·triangles = 2·inner + boundary, boundary = 4·31.
        assert_eq!((3 * sheet.triangles().len() - 4 * 31) / 2, 2821);
    }

    #[test]
    fn a_tube_is_closed_and_has_two_rims() {
        let tube = Shape::tube(12, 5, |turn, down| {
            let (sin, cos) = (std::f64::consts::TAU * turn).sin_cos();
            DVec3::new(sin, -down, cos)
        });
        // Euler's characteristic of a cylinder is 0, and a rim is 12 edges of one triangle each.
        let (vertices, edges, triangles) = (60, tube.edges().len(), tube.triangles().len());
        assert_eq!(vertices + triangles, edges);
        assert_eq!(2 * edges - 3 * triangles, 2 * 12);
        // Wound so that normals point away from the axis.
        for t in tube.triangles() {
            let [a, b, c] = t.map(|v| DVec3::from_array(tube.positions[v as usize].map(f64::from)));
            let middle = (a + b + c) / 3.0;
            assert!((b - a).cross(c - a).dot(middle * DVec3::new(1.0, 0.0, 1.0)) > 0.0, "{t:?}");
        }
    }

    #[test]
    fn a_polygon_becomes_a_fan_and_a_bad_line_is_named() {
        let quad = Shape::from_obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n", 0.1).unwrap();
        assert_eq!(quad.triangles(), [[0, 1, 2], [0, 2, 3]]);
        assert_eq!(quad.edges().len(), 5);
        let error = Shape::from_obj("v 0 0 0\nv 1 0\n", 1.0).unwrap_err();
        assert!(error.to_string().contains("line 2"), "{error}");
    }
}
