//! Cloths made in code: sheet, flag, cape and rope.

use cloth_core::NONE;

use crate::import::Surface;
use crate::trig::sin_cos;

/// What is simulated: a surface, or chains of links.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// A triangle surface.
    Surface(Surface),
    /// Chains, which may hang on one another.
    Chain {
        /// Vertex positions, root first (m).
        positions: Vec<[f32; 3]>,
        /// Each vertex's parent, [`NONE`] for the root.
        parents: Vec<u32>,
    },
}

impl Body {
    /// Vertex positions (m).
    pub fn positions(&self) -> &[[f32; 3]] {
        match self {
            Self::Surface(surface) => &surface.positions,
            Self::Chain { positions, .. } => positions,
        }
    }
}

/// A cloth made in code, with the edges that pins can name.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    /// The cloth.
    pub body: Body,
    /// Names of edges and corners, and their vertices.
    pub edges: Vec<(&'static str, Vec<u32>)>,
}

/// Edges and corners of a cloth that lies.
const FLAT: [&str; 8] =
    ["back", "front", "left", "right", "back-left", "back-right", "front-left", "front-right"];
/// Edges and corners of a cloth that hangs.
const UPRIGHT: [&str; 8] =
    ["top", "bottom", "left", "right", "top-left", "top-right", "bottom-left", "bottom-right"];

/// A grid of cells: how many, and how large in all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    /// Size along the columns (m).
    pub width: f64,
    /// Size along the rows (m).
    pub height: f64,
    /// Cells side by side.
    pub columns: u32,
    /// Cells one below the other.
    pub rows: u32,
}

impl Grid {
    /// A sheet that lies flat: x across, centred on 0; z from 0 at the back edge to `height` at the front.
    pub fn sheet(self) -> Shape {
        self.build(FLAT, |u, v| [(u - 0.5) * self.width, 0.0, v * self.height])
    }

    /// A flag that stands along the plane z = 0: its left edge on the pole x = 0, its bottom edge on y = 0. It has
    /// a ripple of one per cent of its width, because a sheet that is perfectly flat cannot buckle under forces in
    /// its plane and would be crushed instead.
    pub fn flag(self) -> Shape {
        self.build(UPRIGHT, |u, v| {
            let ripple = 0.01 * self.width * u * sin_cos((3.0 * u + v) * core::f64::consts::PI).0;
            [u * self.width, (1.0 - v) * self.height, ripple]
        })
    }

    /// A cape round shoulders at the origin: its top edge is `width` long and runs round `ROUND` of a circle
    /// about the Y axis, behind (−Z); downward the radius grows to `flare` times that of the top.
    pub fn cape(self, flare: f64) -> Shape {
        /// The angle that a cape's edge runs round (rad): 200°.
        const ROUND: f64 = 200.0 / 180.0 * core::f64::consts::PI;
        let radius = self.width / ROUND;
        self.build(UPRIGHT, |u, v| {
            let (sine, cosine) = sin_cos((u - 0.5) * ROUND);
            let radius = radius * (1.0 + (flare - 1.0) * v);
            [radius * sine, -v * self.height, -radius * cosine]
        })
    }

    /// Builds the grid from a map of (u, v) ∈ [0, 1]², v downward. Diagonals alternate, so that no direction
    /// is favoured.
    fn build(self, names: [&'static str; 8], place: impl Fn(f64, f64) -> [f64; 3]) -> Shape {
        let (columns, rows) = (self.columns, self.rows);
        let at = |column: u32, row: u32| row * (columns + 1) + column;
        let mut surface = Surface::default();
        for row in 0..=rows {
            for column in 0..=columns {
                let point = place(f64::from(column) / f64::from(columns), f64::from(row) / f64::from(rows));
                surface.positions.push(narrow(point));
            }
        }
        for row in 0..rows {
            for column in 0..columns {
                let (a, b) = (at(column, row), at(column + 1, row));
                let (c, d) = (at(column + 1, row + 1), at(column, row + 1));
                surface.triangles.extend(if (row + column) % 2 == 0 {
                    [[a, d, c], [a, c, b]]
                } else {
                    [[a, d, b], [b, d, c]]
                });
            }
        }
        let [first, last, left, right, corners @ ..] = names;
        let mut edges = vec![
            (first, (0..=columns).map(|column| at(column, 0)).collect()),
            (last, (0..=columns).map(|column| at(column, rows)).collect()),
            (left, (0..=rows).map(|row| at(0, row)).collect()),
            (right, (0..=rows).map(|row| at(columns, row)).collect()),
        ];
        let places = [at(0, 0), at(columns, 0), at(0, rows), at(columns, rows)];
        edges.extend(corners.into_iter().zip(places.map(|corner| vec![corner])));
        Shape { body: Body::Surface(surface), edges }
    }
}

/// A rope from the origin along a direction of any length above 0, in the middle `sag` below the straight line (m): a parabola.
pub fn rope(length: f64, links: u32, direction: [f64; 3], sag: f64) -> Shape {
    let norm = super::motion::length(direction);
    let positions = (0..=links)
        .map(|vertex| {
            let along = length * f64::from(vertex) / f64::from(links);
            let [x, y, z] = direction.map(|component| component / norm * along);
            if sag > 0.0 {
                let share = f64::from(vertex) / f64::from(links);
                return narrow([x, y - 4.0 * sag * share * (1.0 - share), z]);
            }
            narrow([x, y, z])
        })
        .collect();
    let parents = (0..=links).map(|vertex| vertex.checked_sub(1).unwrap_or(NONE)).collect();
    Shape { body: Body::Chain { positions, parents }, edges: vec![("start", vec![0]), ("end", vec![links])] }
}

/// Strips that hang behind a wearer: `columns` chains of `rows` vertices each along a `width` (m), down to `height` (m), 14 cm behind
/// the origin, which is the vertex that all of them hang on. Downward they stand off by a tenth.
pub fn strips(width: f64, height: f64, columns: u32, rows: u32) -> Shape {
    /// How far behind the wearer's middle they hang (m).
    const BEHIND: f64 = 0.14;
    let mut positions = vec![[0.0; 3]];
    let mut parents = vec![NONE];
    let share = |index: u32, count: u32| f64::from(index) / f64::from(count.saturating_sub(1).max(1));
    for column in 0..columns {
        for row in 0..rows {
            let (u, v) = (share(column, columns), share(row, rows));
            let x = if columns > 1 { (u - 0.5) * width } else { 0.0 };
            positions.push(narrow([x, -v * height, -BEHIND - 0.1 * v * height]));
            parents.push(if row == 0 { 0 } else { column * rows + row });
        }
    }
    let ends = |row: u32| (0..columns).map(move |column| 1 + column * rows + row);
    let top = core::iter::once(0).chain(ends(0)).collect();
    Shape {
        body: Body::Chain { positions, parents },
        edges: vec![("top", top), ("bottom", ends(rows.saturating_sub(1)).collect())],
    }
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "rounding is wanted; the builder refuses what is not finite"
)]
fn narrow(point: [f64; 3]) -> [f32; 3] {
    point.map(|value| value as f32)
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "values that are exact by construction")]
mod tests {
    use super::*;

    fn surface(shape: &Shape) -> &Surface {
        match &shape.body {
            Body::Surface(surface) => surface,
            Body::Chain { .. } => panic!("a surface"),
        }
    }

    #[test]
    fn grids_have_their_counts_and_sizes() {
        let grid = Grid { width: 2.0, height: 1.0, columns: 4, rows: 3 };
        for shape in [grid.sheet(), grid.flag(), grid.cape(1.5)] {
            let surface = surface(&shape);
            assert_eq!((surface.positions.len(), surface.triangles.len()), (20, 24));
            assert_eq!(
                shape.edges.iter().map(|(_, edge)| edge.len()).collect::<Vec<_>>(),
                [5, 5, 4, 4, 1, 1, 1, 1]
            );
        }
        assert_eq!(surface(&grid.sheet()).positions[0], [-1.0, 0.0, 0.0]);
        let corners =
            |shape: &Shape| shape.edges[4..].iter().flat_map(|(_, at)| at.clone()).collect::<Vec<_>>();
        assert_eq!(corners(&grid.cape(1.5)), [0, 4, 15, 19]);
        let [x, y, z] = surface(&grid.flag()).positions[19];
        assert!(x == 2.0 && y == 0.0 && z.abs() < 0.021);
    }

    #[test]
    fn every_triangle_of_a_grid_is_wound_alike() {
        let flag = Grid { width: 1.0, height: 1.0, columns: 3, rows: 3 }.flag();
        let surface = surface(&flag);
        for &[a, b, c] in &surface.triangles {
            let [a, b, c] = [a, b, c].map(|vertex| surface.positions[vertex as usize]);
            let z = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            assert!(z > 0.0, "faces +Z");
        }
    }

    #[test]
    fn a_cape_has_its_flare() {
        let cape = Grid { width: 1.0, height: 1.2, columns: 10, rows: 4 }.cape(2.0);
        let radius = |vertex: usize| {
            let [x, _, z] = surface(&cape).positions[vertex];
            (x * x + z * z).sqrt()
        };
        assert!((radius(54) / radius(0) - 2.0).abs() < 1e-5);
    }

    #[test]
    fn a_rope_is_a_chain_of_equal_links() {
        let rope = rope(2.0, 4, [0.0, -3.0, 0.0], 0.0);
        assert_eq!(rope.body.positions()[4], [0.0, -2.0, 0.0]);
        let Body::Chain { parents, .. } = &rope.body else { panic!("a chain") };
        assert_eq!(parents[..], [NONE, 0, 1, 2, 3]);
    }
}
