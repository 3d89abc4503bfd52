//! A triangle mesh as the builder sees it: its facts, its faults, and what is left to build from.

use super::measure::{self, extent, is_flat, length};
use super::sets::Sets;
use super::surface::{Surface, Triangle};
use super::{Defect, LIMIT, Repair, weld};
use crate::Vec3;
use crate::index::len32;
use crate::math::real::{is_finite, max};
use crate::model::MAX_LENGTH;
use alloc::vec::Vec;

/// What [`inspect`] finds. Vertices and triangles are indices into the caller's arrays; welded vertices appear
/// under the first of their group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MeshFacts {
    /// Vertices given.
    pub vertices: u32,
    /// Vertices after welding.
    pub particles: u32,
    /// Triangles in use: given, with valid corners, not collapsed by welding.
    pub triangles: u32,
    /// Edges of these triangles.
    pub edges: u32,
    /// Pieces of surface without a vertex in common.
    pub components: u32,
    /// Boundary loops, each from its smallest vertex towards the smaller neighbour of that vertex. Where the
    /// mesh is defective a loop may touch itself or stay open.
    pub boundary_loops: Vec<Vec<u32>>,
    /// All faults found, fatal or not, kind by kind and by element within a kind.
    pub defects: Vec<Defect>,
    /// What the builder changes to build it.
    pub repairs: Vec<Repair>,
}

impl MeshFacts {
    /// The first fault that keeps a model from being built.
    pub fn fatal(&self) -> Option<Defect> {
        self.defects.iter().copied().find(|defect| !defect.is_repairable())
    }
}

/// Looks a mesh over without building it. `weld` is a distance (m) as for
/// [`ModelBuilder::weld`](super::ModelBuilder::weld); one that is negative or not finite counts as none.
///
/// An edge is without length up to max(1e-9 m, 4·ε·r), r being the largest coordinate of the mesh, and a
/// triangle without area if its height over its longest edge is within that, or below 1e-4 of this edge. Two
/// vertices that are not welded are duplicates within the same length, and a positive weld distance is at least that.
pub fn inspect(positions: &[[f32; 3]], triangles: &[[u32; 3]], weld: Option<f32>) -> MeshFacts {
    Survey::new(positions, triangles, weld.filter(|&distance| is_finite(distance) && distance >= 0.0)).facts
}

/// A mesh reduced to nodes (vertices after welding, numbered in the order of their first vertices) and usable
/// triangles between them.
#[derive(Default)]
pub(crate) struct Survey {
    pub(crate) facts: MeshFacts,
    /// Vertex → node.
    pub(crate) node_of: Vec<u32>,
    /// Node → first vertex.
    pub(crate) source_of: Vec<u32>,
    /// Rest positions of the nodes.
    pub(crate) rest: Vec<Vec3>,
    /// Wound alike wherever that can be had.
    pub(crate) surface: Surface,
    /// The length up to which an edge has none (m).
    no_length: f32,
}

impl Survey {
    pub(crate) fn new(positions: &[[f32; 3]], triangles: &[[u32; 3]], weld: Option<f32>) -> Self {
        let mut survey = Self::default();
        let given = positions.len().max(triangles.len());
        if given > LIMIT as usize {
            survey.facts.defects.push(Defect::TooMany { given, limit: LIMIT });
            return survey;
        }
        survey.facts.vertices = len32(positions);
        let points: Vec<Vec3> = positions.iter().map(|p| Vec3::from_array(*p)).collect();
        survey.find_bad_points(&points);
        let usable = survey.find_bad_corners(triangles);
        survey.join_points(&points, weld);
        survey.make_surface(usable);
        survey.find_bad_edges();
        survey.find_bad_nodes();
        survey.wind_alike();
        survey.count();
        survey
    }

    fn find_bad_points(&mut self, points: &[Vec3]) {
        let defects = &mut self.facts.defects;
        defects.extend(
            points
                .iter()
                .zip(0..)
                .filter(|(p, _)| !has_finite(**p))
                .map(|(_, vertex)| Defect::NonFinite { vertex }),
        );
        let outside = points.iter().zip(0..).filter(|(p, _)| has_finite(**p) && !is_place(**p));
        defects.extend(outside.map(|(_, vertex)| Defect::TooLarge { vertex }));
    }

    /// The triangles between three different vertices that exist.
    fn find_bad_corners(&mut self, triangles: &[[u32; 3]]) -> Vec<Triangle> {
        let count = self.facts.vertices;
        let mut usable = Vec::with_capacity(triangles.len());
        let mut repeated = Vec::new();
        for (&corners, source) in triangles.iter().zip(0..) {
            let [a, b, c] = corners;
            if let Some(&vertex) = corners.iter().find(|&&vertex| vertex >= count) {
                self.facts.defects.push(Defect::IndexOutOfRange { triangle: source, vertex, count });
            } else if a == b || b == c || c == a {
                let vertex = if b == c { b } else { a };
                repeated.push(Defect::RepeatedIndex { triangle: source, vertex });
            } else {
                usable.push(Triangle { corners, source });
            }
        }
        self.facts.defects.append(&mut repeated);
        usable
    }

    /// Finds the vertices that share a place, and makes them one node if `weld` is given.
    fn join_points(&mut self, points: &[Vec3], weld: Option<f32>) {
        let (sources, places): (Vec<u32>, Vec<Vec3>) =
            (0..self.facts.vertices).zip(points.iter().copied()).filter(|(_, p)| is_place(*p)).unzip();
        self.no_length = measure::no_length(places.iter().fold(0.0, |reach, p| max(extent(*p), reach)));
        let distance = match weld {
            Some(distance) if distance <= 0.0 => 0.0,
            Some(distance) => max(distance, self.no_length),
            None => self.no_length,
        };
        let groups = weld::groups(&places, distance);
        let mut first_of: Vec<u32> = (0..self.facts.vertices).collect();
        for (&vertex, &group) in sources.iter().zip(&groups) {
            let onto = sources[group as usize];
            if onto == vertex {
                continue;
            }
            if weld.is_some() {
                first_of[vertex as usize] = onto;
                self.facts.repairs.push(Repair::Welded { vertex, onto });
            } else {
                self.facts.defects.push(Defect::DuplicateVertex { vertex, of: onto });
            }
        }
        for (&first, vertex) in first_of.iter().zip(0..) {
            if first == vertex {
                self.node_of.push(len32(&self.source_of));
                self.source_of.push(vertex);
                self.rest.push(points[vertex as usize]);
            } else {
                // The first of a group comes before the rest of it, so its node is known.
                self.node_of.push(self.node_of[first as usize]);
            }
        }
    }

    fn make_surface(&mut self, usable: Vec<Triangle>) {
        let mut kept = Vec::with_capacity(usable.len());
        for Triangle { corners, source } in usable {
            let [a, b, c] = corners.map(|vertex| self.node_of[vertex as usize]);
            if a == b || b == c || c == a {
                self.facts.repairs.push(Repair::Dropped { triangle: source });
            } else {
                kept.push(Triangle::new([a, b, c], source));
            }
        }
        if kept.is_empty() {
            self.facts.defects.push(Defect::Empty);
        }
        self.surface = Surface::new(kept);
        let mut found: Vec<[u32; 2]> = Vec::new();
        for same in self.surface.triangles.chunk_by(|a, b| a.key() == b.key()) {
            found.extend(same.iter().skip(1).map(|triangle| [triangle.source, same[0].source]));
        }
        found.sort_unstable();
        self.facts
            .defects
            .extend(found.iter().map(|&[triangle, of]| Defect::DuplicateTriangle { triangle, of }));
    }

    fn find_bad_edges(&mut self) {
        let defects = &mut self.facts.defects;
        let name = |node: u32| self.source_of[node as usize];
        let place = |node: u32| self.rest[node as usize];
        for edge in self.surface.edges() {
            let [a, b] = edge[0].edge;
            // Comparing this way round, a NaN is no fault of the edge.
            if length(place(a) - place(b)) <= self.no_length {
                defects.push(Defect::ZeroLengthEdge { a: name(a), b: name(b) });
            }
        }
        let mut flat: Vec<u32> = Vec::new();
        for triangle in &self.surface.triangles {
            let corners = triangle.corners.map(place);
            if corners.iter().all(|p| is_place(*p)) && is_flat(corners, self.no_length) {
                flat.push(triangle.source);
            }
        }
        flat.sort_unstable();
        defects.extend(flat.iter().map(|&triangle| Defect::ZeroAreaTriangle { triangle }));
        for edge in self.surface.edges().filter(|edge| edge.len() > 2) {
            let [a, b] = edge[0].edge.map(name);
            defects.push(Defect::NonManifoldEdge { a, b, triangles: len32(edge) });
        }
    }

    fn find_bad_nodes(&mut self) {
        let defects = &mut self.facts.defects;
        let name = |node: u32| self.source_of[node as usize];
        defects.extend(
            self.surface.pinched().into_iter().map(|node| Defect::NonManifoldVertex { vertex: name(node) }),
        );
        if self.surface.triangles.is_empty() {
            // Then every vertex is isolated, and the mesh called empty.
            return;
        }
        let mut used = alloc::vec![false; self.source_of.len()];
        for node in self.surface.triangles.iter().flat_map(|triangle| triangle.corners) {
            used[node as usize] = true;
        }
        let isolated = used.iter().zip(&self.source_of).filter(|(used, _)| !**used);
        defects.extend(isolated.map(|(_, &vertex)| Defect::IsolatedVertex { vertex }));
    }

    fn wind_alike(&mut self) {
        let winding = self.surface.orient();
        let facts = &mut self.facts;
        facts.defects.extend(winding.one_sided.iter().map(|&triangle| Defect::NonOrientable { triangle }));
        facts
            .defects
            .extend(winding.flipped.iter().map(|&triangle| Defect::InconsistentWinding { triangle }));
        facts.repairs.extend(winding.flipped.iter().map(|&triangle| Repair::Flipped { triangle }));
    }

    fn count(&mut self) {
        let facts = &mut self.facts;
        facts.particles = len32(&self.source_of);
        facts.triangles = len32(&self.surface.triangles);
        let mut pieces = Sets::new(facts.particles);
        for edge in self.surface.edges() {
            facts.edges += 1;
            pieces.join(edge[0].edge[0], edge[0].edge[1]);
        }
        let names = pieces.into_names();
        let mut first_nodes: Vec<u32> =
            self.surface.triangles.iter().map(|triangle| names[triangle.corners[0] as usize]).collect();
        first_nodes.sort_unstable();
        first_nodes.dedup();
        facts.components = len32(&first_nodes);
        facts.boundary_loops = self.surface.boundary_loops();
        for vertex in facts.boundary_loops.iter_mut().flatten() {
            *vertex = self.source_of[*vertex as usize];
        }
    }
}

fn has_finite(p: Vec3) -> bool {
    is_finite(p.x) && is_finite(p.y) && is_finite(p.z)
}

/// Whether a particle can be at `p`.
pub(crate) fn is_place(p: Vec3) -> bool {
    has_finite(p) && extent(p) <= MAX_LENGTH
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    const SQUARE: [[f32; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0]];
    const HALVES: [[u32; 3]; 2] = [[0, 2, 1], [1, 2, 3]];

    /// The square with one more vertex and one more triangle.
    fn defects(vertex: [f32; 3], triangle: [u32; 3]) -> Vec<Defect> {
        let positions = [SQUARE.as_slice(), &[vertex]].concat();
        inspect(&positions, &[HALVES.as_slice(), &[triangle]].concat(), None).defects
    }

    #[test]
    fn a_sound_mesh_has_no_faults() {
        let facts = inspect(&SQUARE, &HALVES, None);
        let counts = [facts.vertices, facts.particles, facts.triangles, facts.edges, facts.components];
        assert_eq!(counts, [4, 4, 2, 5, 1]);
        assert_eq!(facts.boundary_loops, vec![vec![0, 1, 3, 2]]);
        assert_eq!((facts.defects, facts.repairs), (vec![], vec![]));
    }

    #[test]
    fn faults_name_their_elements() {
        let beyond = [2.0, 0.0, 0.0];
        assert_eq!(inspect(&[], &[], None).defects, vec![Defect::Empty]);
        assert_eq!(inspect(&SQUARE, &[], None).defects, vec![Defect::Empty]);
        assert_eq!(defects([2.0, f32::NAN, 0.0], [1, 3, 4]), vec![Defect::NonFinite { vertex: 4 }]);
        assert_eq!(defects([2.0, 0.0, -3e6], [1, 3, 4]), vec![Defect::TooLarge { vertex: 4 }]);
        let out = Defect::IndexOutOfRange { triangle: 2, vertex: 7, count: 5 };
        assert_eq!(defects(beyond, [1, 7, 4]), vec![out, Defect::IsolatedVertex { vertex: 4 }]);
        let repeated = Defect::RepeatedIndex { triangle: 2, vertex: 3 };
        assert_eq!(defects(beyond, [3, 4, 3]), vec![repeated, Defect::IsolatedVertex { vertex: 4 }]);
        assert_eq!(defects(beyond, [1, 4, 3]), vec![Defect::InconsistentWinding { triangle: 2 }]);
        assert_eq!(defects([0.0, 0.0, 2.0], [2, 3, 4]), vec![Defect::InconsistentWinding { triangle: 2 }]);
        assert_eq!(
            defects([0.5, 1.0, 0.5], [1, 2, 4])[0],
            Defect::NonManifoldEdge { a: 1, b: 2, triangles: 3 }
        );
        let same = Defect::DuplicateVertex { vertex: 4, of: 3 };
        assert_eq!(defects(SQUARE[3], [1, 3, 4])[..2], [same, Defect::ZeroLengthEdge { a: 3, b: 4 }]);
        assert!(defects(SQUARE[3], [1, 3, 4]).contains(&Defect::ZeroAreaTriangle { triangle: 2 }));
        assert_eq!(defects([1.0, 0.0, 2.0], [1, 3, 4])[0], Defect::ZeroAreaTriangle { triangle: 2 });
        assert_eq!(defects(beyond, [3, 2, 1])[0], Defect::DuplicateTriangle { triangle: 2, of: 1 });
        let positions = [SQUARE.as_slice(), &[[2.0, 0.0, 1.0], [2.0, 0.0, 2.0]]].concat();
        let tied = inspect(&positions, &[HALVES.as_slice(), &[[3, 5, 4]]].concat(), None).defects;
        assert_eq!(tied, vec![Defect::NonManifoldVertex { vertex: 3 }]);
    }

    #[test]
    fn duplicates_and_welding_begin_where_edges_have_no_length() {
        // Beside the corner at (1, 0, 1), three and five ε off; four are the limit, and without length.
        for (steps, near) in [(3.0, true), (5.0, false), (12.0, false)] {
            let beside = [1.0, 0.0, 1.0 - steps * f32::EPSILON];
            let positions = [SQUARE.as_slice(), &[beside, [2.0 / 3.0, 0.5, 0.0]]].concat();
            let triangles = [HALVES.as_slice(), &[[1, 4, 5]]].concat();
            let facts = inspect(&positions, &triangles, None);
            let duplicate = Defect::DuplicateVertex { vertex: 4, of: 3 };
            assert_eq!(facts.defects.contains(&duplicate), near, "{steps}: {:?}", facts.defects);
            let welded = inspect(&positions, &triangles, Some(1e-12)).repairs;
            assert_eq!(welded.contains(&Repair::Welded { vertex: 4, onto: 3 }), near, "{steps}");
        }
    }

    #[test]
    fn a_one_sided_strip_is_named() {
        // Five vertices round a circle, each triangle two steps wide: the smallest Möbius strip.
        let positions =
            [[0.0, 0.0, 2.0], [2.0, 0.3, 0.6], [1.2, 0.0, -1.6], [-1.2, 0.5, -1.6], [-2.0, 0.0, 0.6]];
        let triangles = [[0, 1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 0], [4, 0, 1]];
        assert_eq!(
            inspect(&positions, &triangles, None).defects,
            vec![Defect::NonOrientable { triangle: 0 }]
        );
    }

    #[test]
    fn all_faults_are_found_at_once() {
        let found = inspect(&[[0.0; 3], [f32::INFINITY; 3], [1.0; 3]], &[[0, 0, 1], [0, 1, 9]], None).defects;
        let expected = vec![
            Defect::NonFinite { vertex: 1 },
            Defect::IndexOutOfRange { triangle: 1, vertex: 9, count: 3 },
            Defect::RepeatedIndex { triangle: 0, vertex: 0 },
            Defect::Empty,
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn welding_joins_and_drops() {
        let positions = [SQUARE.as_slice(), &[[1.0, 0.0, 1.001], [1.0, 0.0, 0.0], [2.0, 0.0, 0.5]]].concat();
        let triangles = [HALVES.as_slice(), &[[5, 4, 6], [3, 4, 6]]].concat();
        let facts = inspect(&positions, &triangles, Some(0.01));
        assert_eq!(facts.defects, vec![]);
        let welded = [Repair::Welded { vertex: 4, onto: 3 }, Repair::Welded { vertex: 5, onto: 1 }];
        assert_eq!(facts.repairs, [welded.as_slice(), &[Repair::Dropped { triangle: 3 }]].concat());
        assert_eq!((facts.particles, facts.triangles, facts.components), (5, 3, 1));
        assert_eq!(facts.boundary_loops, vec![vec![0, 1, 6, 3, 2]]);
    }

    #[test]
    fn size_does_not_matter() {
        for size in [1e-6_f32, 1e-2, 1e4, 9e5] {
            let positions = SQUARE.map(|p| p.map(|x| x * size));
            assert_eq!(inspect(&positions, &HALVES, None).defects, vec![], "{size}");
        }
    }
}
