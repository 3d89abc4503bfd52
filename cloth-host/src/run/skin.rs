//! What is shown of a cloth: the surface itself, or a tube round a chain.

use cloth_core::NONE;
use glam::Vec3;

use crate::scene::{Body, Scene};

/// Sides of the tube round a rope.
const SIDES: u32 = 12;

/// The displayed mesh of a cloth, whose shape follows from the simulated positions.
#[derive(Clone, Debug)]
pub struct Skin {
    /// Triangles by displayed vertex.
    pub triangles: Vec<[u32; 3]>,
    /// The simulated vertex behind each displayed one.
    pub sources: Vec<u32>,
    /// The edges whose strain is shown, with their rest lengths (m).
    edges: Vec<(u32, u32, f32)>,
    /// Displayed vertices that share a normal: each vertex's representative; empty if every vertex is its own.
    shared: Vec<u32>,
    /// How many of the displayed vertices are simulated ones, the first of both.
    flat: usize,
    /// What follows on them.
    tubes: Vec<Tube>,
}

/// A tube round a chain.
#[derive(Clone, Debug)]
struct Tube {
    /// The vertices that it runs along.
    path: Vec<u32>,
    radius: f32,
}

impl Skin {
    /// The skin of a body. A tube has at least 4 mm and at most a third of the shortest link for its radius;
    /// between, it is half the `thickness`. Vertices that were welded share their normal, so that no seam shows:
    /// `welded` gives each vertex the one that stands for it, and may be empty if every vertex is its own.
    pub fn new(body: &Body, thickness: f32, welded: &[u32]) -> Self {
        match body {
            Body::Surface(surface) => Self {
                triangles: surface.triangles.clone(),
                sources: (0..).take(surface.positions.len()).collect(),
                edges: edges(
                    &surface.positions,
                    surface.triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]),
                ),
                shared: welded.to_vec(),
                flat: surface.positions.len(),
                tubes: Vec::new(),
            },
            Body::Chain { positions, parents } => {
                let mut skin = Self {
                    triangles: Vec::new(),
                    sources: Vec::new(),
                    edges: Vec::new(),
                    shared: Vec::new(),
                    flat: 0,
                    tubes: Vec::new(),
                };
                skin.add_chain(positions, parents, thickness, 0);
                skin
            }
        }
    }

    /// The skin of all cloths of a scene as it is shown ([`Scene::shown`]).
    pub fn of(shown: &Scene, welded: &[u32]) -> Self {
        let mut skin = Self::new(&shown.body, shown.fabric.dynamics.thickness, welded);
        let mut start = index(shown.body.positions().len());
        for rope in &shown.ropes {
            let parents: Vec<u32> =
                (0..rope.places.len()).map(|at| at.checked_sub(1).map_or(NONE, index)).collect();
            skin.add_chain(&rope.places, &parents, rope.fabric.dynamics.thickness, start);
            start += index(rope.places.len());
        }
        skin
    }

    /// Adds tubes round chains whose simulated vertices begin at `start`.
    fn add_chain(&mut self, positions: &[[f32; 3]], parents: &[u32], thickness: f32, start: u32) {
        let links = (0..).zip(parents).filter(|(_, parent)| (**parent as usize) < positions.len());
        let edges = edges(positions, links.map(|(vertex, parent)| (vertex, *parent)));
        let shortest = edges.iter().map(|edge| edge.2).fold(f32::INFINITY, f32::min);
        let radius = (0.5 * thickness).max(0.004).min(shortest / 3.0);
        self.edges.extend(edges.into_iter().map(|(a, b, rest)| (a + start, b + start, rest)));
        for path in paths(parents) {
            let (own, rings) = tube_topology(path.len());
            let base = index(self.sources.len());
            let path: Vec<u32> = path.iter().map(|vertex| vertex + start).collect();
            self.triangles.extend(own.iter().map(|corners| corners.map(|corner| base + corner)));
            self.sources.extend(rings.iter().map(|ring| path[*ring as usize]));
            if !self.shared.is_empty() {
                // A tube has no seams.
                self.shared.extend(base..index(self.sources.len()));
            }
            self.tubes.push(Tube { path, radius });
        }
    }

    /// Displayed positions (m) from simulated ones.
    pub fn positions(&self, simulated: &[[f32; 3]]) -> Vec<Vec3> {
        let points: Vec<Vec3> = simulated.iter().copied().map(Vec3::from).collect();
        let mut shown: Vec<Vec3> = points.iter().take(self.flat).copied().collect();
        for Tube { path, radius } in &self.tubes {
            let along: Vec<Vec3> = path.iter().map(|vertex| points[*vertex as usize]).collect();
            shown.extend(tube(&along, *radius));
        }
        shown
    }

    /// Mean length of the edges at rest (m); 0 without edges.
    pub fn mean_edge(&self) -> f32 {
        self.edges.iter().map(|edge| edge.2).sum::<f32>() / self.edges.len().max(1) as f32
    }

    /// Displayed normals of displayed positions, by [`smooth_normals`](super::smooth_normals).
    pub fn normals(&self, positions: &[Vec3]) -> Vec<Vec3> {
        if self.shared.is_empty() {
            return super::smooth_normals(positions, &self.triangles);
        }
        let joined: Vec<_> =
            self.triangles.iter().map(|corners| corners.map(|vertex| self.shared[vertex as usize])).collect();
        let normals = super::smooth_normals(positions, &joined);
        self.shared.iter().map(|vertex| normals[*vertex as usize]).collect()
    }

    /// Strain shown at each displayed vertex: the largest |L − L₀|/L₀ of the edges at its simulated vertex.
    pub fn strain(&self, simulated: &[[f32; 3]]) -> Vec<f32> {
        let mut strain = vec![0.0_f32; simulated.len()];
        for &(a, b, rest) in &self.edges {
            let length = Vec3::from(simulated[a as usize]).distance(Vec3::from(simulated[b as usize]));
            let value = (length - rest).abs() / rest;
            for vertex in [a, b] {
                let place = &mut strain[vertex as usize];
                *place = place.max(value);
            }
        }
        self.sources.iter().map(|vertex| strain[*vertex as usize]).collect()
    }
}

fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(NONE)
}

/// Every pair once, with its rest length; pairs without length carry no strain.
fn edges(positions: &[[f32; 3]], pairs: impl Iterator<Item = (u32, u32)>) -> Vec<(u32, u32, f32)> {
    let mut pairs: Vec<_> = pairs.map(|(a, b)| (a.min(b), a.max(b))).collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs
        .into_iter()
        .map(|(a, b)| (a, b, Vec3::from(positions[a as usize]).distance(Vec3::from(positions[b as usize]))))
        .filter(|(_, _, rest)| *rest > 0.0)
        .collect()
}

/// The paths that chains are drawn along: from a root down to a leaf, and from wherever one branches down to another. A root
/// that several chains hang on is what they are fastened to, and is not drawn.
fn paths(parents: &[u32]) -> Vec<Vec<u32>> {
    let mut children = vec![Vec::new(); parents.len()];
    let mut starts: Vec<Vec<u32>> = Vec::new();
    for (vertex, parent) in (0..).zip(parents) {
        match children.get_mut(*parent as usize) {
            Some(children) => children.push(vertex),
            None => starts.push(vec![vertex]),
        }
    }
    let fasten = |start: Vec<u32>| match (start[0], &children[start[0] as usize]) {
        (_, children) if children.len() > 1 => children.iter().map(|child| vec![*child]).collect(),
        _ => vec![start],
    };
    let mut starts: Vec<Vec<u32>> = starts.into_iter().flat_map(fasten).rev().collect();
    let mut paths = Vec::new();
    while let Some(mut path) = starts.pop() {
        while let Some((next, others)) = path.last().and_then(|last| children[*last as usize].split_first()) {
            let branching = path[path.len() - 1];
            starts.extend(others.iter().rev().map(|other| vec![branching, *other]));
            path.push(*next);
        }
        paths.push(path);
    }
    paths
}

/// A ring of [`SIDES`] vertices round every point, then the two tips.
fn tube_topology(points: usize) -> (Vec<[u32; 3]>, Vec<u32>) {
    let rings: Vec<u32> = (0..).take(points).collect();
    let last = rings.last().copied().unwrap_or(0);
    let mut sources: Vec<u32> = rings.iter().flat_map(|ring| [*ring; SIDES as usize]).collect();
    sources.extend([0, last]);
    let at = |ring: u32, side: u32| ring * SIDES + side % SIDES;
    let (start, end) = ((last + 1) * SIDES, (last + 1) * SIDES + 1);
    let mut triangles = Vec::new();
    for side in 0..SIDES {
        for ring in 0..last {
            let (a, b) = (at(ring, side), at(ring, side + 1));
            let (c, d) = (at(ring + 1, side + 1), at(ring + 1, side));
            triangles.extend([[a, b, c], [a, c, d]]);
        }
        triangles.push([start, at(0, side + 1), at(0, side)]);
        triangles.push([end, at(last, side), at(last, side + 1)]);
    }
    (triangles, sources)
}

/// The tube's vertices: rings across the rope's direction, each turned as little as possible against the one
/// before, so that the tube does not twist.
fn tube(points: &[Vec3], radius: f32) -> Vec<Vec3> {
    let along = |index: usize| {
        let before = points[index.saturating_sub(1)];
        let after = points[(index + 1).min(points.len() - 1)];
        (after - before).try_normalize()
    };
    let mut direction = along(0).unwrap_or(Vec3::NEG_Y);
    let mut across = direction.any_orthonormal_vector();
    let mut vertices = Vec::with_capacity(points.len() * SIDES as usize + 2);
    let mut first = direction;
    for (index, point) in points.iter().enumerate() {
        direction = along(index).unwrap_or(direction);
        if index == 0 {
            first = direction;
        }
        across = across
            .reject_from_normalized(direction)
            .try_normalize()
            .unwrap_or_else(|| direction.any_orthonormal_vector());
        let third = direction.cross(across);
        for side in 0..SIDES {
            let angle = side as f32 / SIDES as f32 * core::f32::consts::TAU;
            vertices.push(*point + (across * angle.cos() + third * angle.sin()) * radius);
        }
    }
    let ends = [points.first().map(|p| *p - first * radius), points.last().map(|p| *p + direction * radius)];
    vertices.extend(ends.into_iter().flatten());
    vertices
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Grid, rope};

    #[test]
    fn a_tube_is_closed_and_faces_outward() {
        let shape = rope(1.0, 10, [1.0, -0.5, 0.2], 0.0);
        let skin = Skin::new(&shape.body, 0.02, &[]);
        let positions = skin.positions(shape.body.positions());
        assert_eq!(positions.len(), skin.sources.len());
        let volume: f32 = skin
            .triangles
            .iter()
            .map(|corners| corners.map(|vertex| positions[vertex as usize]))
            .map(|[a, b, c]| a.dot(b.cross(c)) / 6.0)
            .sum();
        // A cylinder of 1 m and 1 cm radius, twelve-sided, with two small cones.
        let twelve_gon = 0.5 * 12.0 * (core::f32::consts::TAU / 12.0).sin() * 1e-4;
        assert!((volume / (twelve_gon * (1.0 + 0.02 / 3.0)) - 1.0).abs() < 1e-3, "{volume}");
    }

    #[test]
    fn strain_is_the_worst_of_the_edges_at_a_vertex() {
        let shape = rope(2.0, 2, [1.0, 0.0, 0.0], 0.0);
        let skin = Skin::new(&shape.body, 0.02, &[]);
        let strain = skin.strain(&[[0.0; 3], [1.0, 0.0, 0.0], [2.5, 0.0, 0.0]]);
        let at = |source: u32| strain[skin.sources.iter().position(|s| *s == source).unwrap()];
        assert_eq!((at(0), at(1), at(2)), (0.0, 0.5, 0.5));
    }

    #[test]
    fn welded_seams_share_their_normals() {
        let Body::Surface(mut surface) = Grid { width: 1.0, height: 1.0, columns: 1, rows: 1 }.sheet().body
        else {
            panic!("a surface")
        };
        let corners: Vec<_> =
            surface.triangles.iter().flatten().map(|v| surface.positions[*v as usize]).collect();
        surface.positions = corners;
        surface.triangles = vec![[0, 1, 2], [3, 4, 5]];
        surface.positions[5][1] = 0.5;
        let body = Body::Surface(surface);
        let apart = Skin::new(&body, 0.01, &[]);
        let joined = Skin::new(&body, 0.01, &[0, 1, 2, 0, 2, 5]);
        let positions = joined.positions(body.positions());
        let (flat, smooth) = (apart.normals(&positions), joined.normals(&positions));
        assert!(flat[0] != flat[3] && smooth[0] == smooth[3]);
    }

    #[test]
    fn a_single_point_has_a_tube_too() {
        let body = Body::Chain { positions: vec![[1.0; 3]], parents: vec![u32::MAX] };
        let skin = Skin::new(&body, 0.02, &[]);
        assert!(skin.positions(body.positions()).iter().all(|position| position.is_finite()));
    }
}
