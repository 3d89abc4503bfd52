//! What is wrong with a mesh, where, and what to do about it.

use cloth_core::bake::Defect;

use crate::error::{Error, Problem};
use crate::import::Surface;
use crate::run::RunProblem;

/// A defect of a mesh with its place in the file and its remedy.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The defect, by vertices and triangles counted from 0.
    pub defect: Defect,
    /// The line of the file where the element stands, if the file has lines.
    pub line: Option<usize>,
}

impl Finding {
    /// Finds the place of a defect.
    pub fn new(surface: &Surface, defect: Defect) -> Self {
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
        Self { defect, line }
    }

    /// What the user can do about it.
    pub fn remedy(&self) -> &'static str {
        match self.defect {
            Defect::Empty => "export a surface with at least one triangle",
            Defect::NonFinite { .. } => "move that vertex to a real place in the modelling program",
            Defect::TooLarge { .. } => "check the unit and the scale; move the mesh to the origin",
            Defect::IndexOutOfRange { .. } => "export the mesh again; its faces don't fit its vertices",
            Defect::RepeatedIndex { .. } => "delete that face; it has no area",
            Defect::DuplicateVertex { .. } => {
                "if the cloth is to hold together there, weld (0.0001 m joins what coincides)"
            }
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
    }

    /// The finding as an error about a file.
    pub fn into_error(self, path: &str) -> Error {
        let line = self.line;
        Error { path: path.into(), line, problem: Problem::Run(RunProblem::Mesh(self)) }
    }
}
