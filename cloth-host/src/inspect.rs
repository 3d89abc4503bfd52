//! What is wrong with a mesh, where, and what to do about it.

use cloth_core::bake::{self, Defect};
use cloth_core::{BuildError, ModelBuilder};
use serde::Serialize;

use crate::error::{Error, Problem};
use crate::import::Surface;
use crate::run::RunProblem;

/// What the builder sees of a mesh.
#[derive(Clone, Debug, Serialize)]
pub struct Inspection {
    /// Vertices in the file.
    pub vertices: u32,
    /// Vertices after welding.
    pub particles: u32,
    /// Triangles in use.
    pub triangles: u32,
    /// Edges of these triangles.
    pub edges: u32,
    /// Pieces without a vertex in common.
    pub components: u32,
    /// Size along x, y and z (m); 0 without finite vertices.
    pub size: [f32; 3],
    /// Boundary loops, in the order that `[pins] loop = …` counts them.
    pub loops: Vec<Loop>,
    /// What is wrong, kind by kind.
    pub defects: Vec<Finding>,
    /// What building would change about the mesh.
    pub repairs: Vec<String>,
    /// The built cloth, if it can be built.
    pub built: Option<Built>,
    /// Why it cannot be built, where that is none of the defects: mass or size out of range, say.
    pub refusal: Option<String>,
}

/// A boundary loop.
#[derive(Clone, Debug, Serialize)]
pub struct Loop {
    /// How long it is (m).
    pub length: f32,
    /// Its mean height (m).
    pub height: f32,
    /// Its vertices in order, counted from 0.
    pub vertices: Vec<u32>,
}

/// Counts and sizes of a built cloth, without pins.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Built {
    /// Stretch rows.
    pub stretch_rows: u32,
    /// Bend rows.
    pub bend_rows: u32,
    /// Colours of the sweep.
    pub colours: u32,
    /// Bytes of the model.
    pub model_bytes: usize,
    /// Bytes of the state.
    pub state_bytes: usize,
}

impl Inspection {
    /// Looks a mesh over; `weld` is the distance (m) within which vertices are joined.
    pub fn new(surface: &Surface, weld: Option<f32>) -> Self {
        let facts = bake::inspect(&surface.positions, &surface.triangles, weld);
        let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        for position in &surface.positions {
            for axis in 0..3 {
                low[axis] = low[axis].min(position[axis]);
                high[axis] = high[axis].max(position[axis]);
            }
        }
        let (built, refusal) =
            match facts.fatal().map_or_else(|| Built::new(surface, weld).map(Some), |_| Ok(None)) {
                Ok(built) => (built, None),
                Err(error) => (None, Some(error.to_string())),
            };
        Self {
            vertices: facts.vertices,
            particles: facts.particles,
            triangles: facts.triangles,
            edges: facts.edges,
            components: facts.components,
            size: [0, 1, 2].map(|axis| (high[axis] - low[axis]).max(0.0)),
            built,
            refusal,
            loops: facts.boundary_loops.into_iter().map(|vertices| Loop::new(surface, vertices)).collect(),
            defects: findings(surface, facts.defects),
            repairs: facts.repairs.iter().map(ToString::to_string).collect(),
        }
    }

    /// Whether nothing at all is wrong.
    pub fn is_sound(&self) -> bool {
        self.defects.is_empty() && self.refusal.is_none()
    }

    /// Everything as JSON.
    ///
    /// # Errors
    /// [`RunProblem::Encode`] if it cannot be written.
    pub fn to_json(&self) -> Result<String, RunProblem> {
        serde_json::to_string_pretty(self).map_err(|error| RunProblem::Encode(error.to_string()))
    }
}

impl Loop {
    /// Which of the loops is the highest, the first of equals.
    pub fn top(loops: &[Self]) -> Option<usize> {
        (0..loops.len()).rev().max_by(|a, b| loops[*a].height.total_cmp(&loops[*b].height))
    }

    /// Which of the loops is the lowest, the first of equals.
    pub fn bottom(loops: &[Self]) -> Option<usize> {
        (0..loops.len()).min_by(|a, b| loops[*a].height.total_cmp(&loops[*b].height))
    }

    /// Measures a loop of a surface's vertices.
    pub(crate) fn new(surface: &Surface, vertices: Vec<u32>) -> Self {
        let point = |vertex: u32| surface.positions[vertex as usize];
        let next = vertices.iter().cycle().skip(1);
        let length = vertices.iter().zip(next).map(|(a, b)| {
            let (a, b) = (point(*a), point(*b));
            [0, 1, 2].map(|axis| (b[axis] - a[axis]) * (b[axis] - a[axis])).iter().sum::<f32>().sqrt()
        });
        let heights: f32 = vertices.iter().map(|vertex| point(*vertex)[1]).sum();
        Self { length: length.sum(), height: heights / vertices.len().max(1) as f32, vertices }
    }
}

impl Built {
    fn new(surface: &Surface, weld: Option<f32>) -> Result<Self, BuildError> {
        let builder = ModelBuilder::mesh(&surface.positions, &surface.triangles).areal_density(0.15);
        let builder = match weld {
            Some(distance) => builder.weld(distance),
            None => builder,
        };
        let baked = builder.build()?;
        let model = baked.model();
        Ok(Self {
            stretch_rows: baked.report.stretch_rows,
            bend_rows: baked.report.hinge_rows,
            colours: baked.report.colours,
            model_bytes: model.byte_len(),
            state_bytes: model.state_blocks() * size_of::<cloth_core::Block>(),
        })
    }
}

/// Weld distances that are proposed (m), and how much shorter than every edge one must be.
const WELDS: [f64; 6] = [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9];
const SHORTER: f64 = 0.1;

fn findings(surface: &Surface, defects: Vec<Defect>) -> Vec<Finding> {
    let proposed = defects.first().map(|_| proposed_weld(surface));
    defects.into_iter().map(|defect| Finding { weld: proposed, ..Finding::placed(surface, defect) }).collect()
}

/// The largest of [`WELDS`] that leaves every edge of the surface alone; edges up to the last count for nothing.
fn proposed_weld(surface: &Surface) -> f64 {
    let point = |vertex: u32| surface.positions.get(vertex as usize).map(|p| p.map(f64::from));
    let length = |a: u32, b: u32| {
        let (a, b) = (point(a)?, point(b)?);
        Some([0, 1, 2].map(|axis| (b[axis] - a[axis]) * (b[axis] - a[axis])).iter().sum::<f64>().sqrt())
    };
    let edges = surface.triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
    let lengths = edges.filter_map(|(a, b)| length(a, b)).filter(|length| *length > WELDS[5]);
    let shortest = lengths.fold(f64::INFINITY, f64::min);
    WELDS.into_iter().find(|weld| *weld <= SHORTER * shortest).unwrap_or(WELDS[5])
}

/// A defect of a mesh with its place in the file and its remedy.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The defect, by vertices and triangles counted from 0.
    pub defect: Defect,
    /// The line of the file where the element stands, if the file has lines.
    pub line: Option<usize>,
    /// A weld distance that would leave every edge of the mesh alone (m), where one was looked for.
    pub weld: Option<f64>,
}

impl Finding {
    /// Finds the place of a defect, and a weld distance for the mesh.
    pub fn new(surface: &Surface, defect: Defect) -> Self {
        Self { weld: Some(proposed_weld(surface)), ..Self::placed(surface, defect) }
    }

    fn placed(surface: &Surface, defect: Defect) -> Self {
        let vertex = |vertex: u32| surface.vertex_lines.get(vertex as usize).copied();
        let triangle = |triangle: u32| surface.triangle_lines.get(triangle as usize).copied();
        let line = match defect {
            Defect::NonFinite { vertex: v }
            | Defect::TooLarge { vertex: v }
            | Defect::DuplicateVertex { vertex: v, .. }
            | Defect::NonManifoldVertex { vertex: v }
            | Defect::IsolatedVertex { vertex: v } => vertex(v),
            Defect::ZeroLengthEdge { a, .. } | Defect::NonManifoldEdge { a, .. } => vertex(a),
            Defect::IndexOutOfRange { triangle: t, .. }
            | Defect::RepeatedIndex { triangle: t, .. }
            | Defect::DuplicateTriangle { triangle: t, .. }
            | Defect::ZeroAreaTriangle { triangle: t }
            | Defect::NonOrientable { triangle: t }
            | Defect::InconsistentWinding { triangle: t } => triangle(t),
            _ => None,
        };
        Self { defect, line, weld: None }
    }

    /// What the user can do about it.
    pub fn remedy(&self) -> String {
        match self.defect {
            Defect::Empty => "export a surface with at least one triangle",
            Defect::NonFinite { .. } => "move that vertex to a real place in the modelling program",
            Defect::TooLarge { .. } => "check the unit and the scale; move the mesh to the origin",
            Defect::IndexOutOfRange { .. } => "export the mesh again; its faces don't fit its vertices",
            Defect::RepeatedIndex { .. } => "delete that face; it has no area",
            Defect::DuplicateVertex { .. } => match self.weld {
                Some(distance) => {
                    return format!(
                        "if the cloth is to hold together there, weld ({distance} m joins what coincides)"
                    );
                }
                None => "if the cloth is to hold together there, weld",
            },
            Defect::DuplicateTriangle { .. } => "delete one of the two faces",
            Defect::ZeroLengthEdge { .. } => "merge the two vertices in the modelling program, or weld",
            Defect::ZeroAreaTriangle { .. } => "dissolve that face, or move its corners apart",
            Defect::NonManifoldEdge { .. } => {
                "cloth is a single layer: delete the inner face, or split the pieces apart"
            }
            Defect::NonManifoldVertex { .. } => "split the vertex in two, or join the pieces along an edge",
            Defect::IsolatedVertex { .. } => "delete loose vertices in the modelling program",
            Defect::NonOrientable { .. } => "cut the strip open once; a one-sided surface has no outside",
            Defect::InconsistentWinding { .. } => {
                "nothing to do, building turns it over; to be tidy, recalculate normals and export again"
            }
            _ => "repair it in the modelling program and export again",
        }
        .into()
    }

    /// Whether building works all the same.
    pub fn is_repaired(&self) -> bool {
        self.defect.is_repairable()
    }

    /// The finding as an error about a file.
    pub fn into_error(self, path: &str) -> Error {
        let line = self.line;
        Error { path: path.into(), line, problem: Problem::Run(RunProblem::Mesh(self)) }
    }
}

impl Serialize for Finding {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Written {
            what: String,
            line: Option<usize>,
            remedy: String,
            repaired: bool,
        }
        let written = Written {
            what: self.defect.to_string(),
            line: self.line,
            remedy: self.remedy(),
            repaired: self.is_repaired(),
        };
        written.serialize(serializer)
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "values that are exact by construction")]
mod tests {
    use super::*;
    use crate::import::{ImportOptions, parse_obj};

    fn look(text: &str, weld: Option<f32>) -> Inspection {
        let surface = parse_obj("t.obj", text.as_bytes(), &ImportOptions::default()).expect("it reads");
        Inspection::new(&surface, weld)
    }

    const STRIP: &str = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nf 1 2 3 4\n";

    #[test]
    fn a_sound_mesh_has_its_facts() {
        let seen = look(STRIP, None);
        assert!(seen.is_sound());
        assert_eq!((seen.vertices, seen.triangles, seen.edges, seen.components), (4, 2, 5, 1));
        assert_eq!(seen.size, [2.0, 1.0, 0.0]);
        assert_eq!(seen.loops.len(), 1);
        assert!((seen.loops[0].length - 6.0).abs() < 1e-6 && (seen.loops[0].height - 0.5).abs() < 1e-6);
        let built = seen.built.expect("it can be built");
        assert!(built.stretch_rows == 5 && built.bend_rows == 1 && built.model_bytes > 0);
    }

    #[test]
    fn what_the_builder_refuses_is_not_sound() {
        let seen = look("v 0 0 0\nv 1e-7 0 0\nv 0 1e-7 0\nf 1 2 3\n", None);
        assert!(seen.defects.is_empty() && seen.built.is_none() && !seen.is_sound());
        assert!(
            seen.refusal.as_ref().is_some_and(|why| why.contains("out of the range")),
            "{:?}",
            seen.refusal
        );
        assert!(seen.to_json().expect("it can be written").contains("out of the range"));
        let negative = look(STRIP, Some(-1.0));
        assert!(!negative.is_sound() && negative.refusal.is_some());
    }

    #[test]
    fn a_proposed_weld_joins_the_seam_and_collapses_nothing() {
        for (size, weld, distance) in [(1.0, 1e-4, 1e-4_f32), (2e-4, 1e-5, 1e-5), (2e-5, 1e-6, 1e-6)] {
            let v = |x: f64, z: f64| format!("v {} 0 {}\n", x * size, z * size);
            let one = [v(0.0, 0.0), v(1.0, 0.0), v(1.0, 1.0)].concat();
            let other = [v(0.0, 0.0), v(1.0, 1.0), v(0.0, 1.0)].concat();
            let text = format!("{one}{other}f 1 2 3\nf 4 5 6\n");
            let seen = look(&text, None);
            assert_eq!(seen.defects[0].weld, Some(weld));
            assert!(seen.defects[0].remedy().contains(&format!("({weld} m")), "{}", seen.defects[0].remedy());
            let welded = look(&text, Some(distance));
            assert_eq!((welded.particles, welded.triangles, welded.defects.len()), (4, 2, 0), "{size}");
        }
    }

    #[test]
    fn the_first_of_equally_high_loops_is_named() {
        let strip = |y: f32| Loop { length: 1.0, height: y, vertices: vec![0] };
        let loops = [strip(1.0), strip(2.0), strip(2.0), strip(1.0)];
        assert_eq!((Loop::top(&loops), Loop::bottom(&loops)), (Some(1), Some(0)));
        assert_eq!((Loop::top(&[]), Loop::bottom(&[])), (None, None));
    }

    #[test]
    fn a_defect_has_its_line_and_remedy() {
        let seen = look(&format!("{STRIP}v 9 9 9\n"), None);
        assert_eq!(seen.defects.len(), 1);
        assert_eq!(seen.defects[0].line, Some(6));
        assert!(seen.built.is_none());
        let json = seen.to_json().expect("it can be written");
        assert!(json.contains("vertex 4") && json.contains("delete loose vertices"), "{json}");
    }
}
