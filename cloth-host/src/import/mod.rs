//! Meshes from files: OBJ and glTF, in metres, as triangles.

mod gltf;
mod obj;
mod unit;

use std::path::Path;

pub use gltf::{GltfProblem, parse_gltf};
pub use obj::{ObjProblem, parse_obj};
pub use unit::Unit;

use crate::error::{Error, Problem};

/// A triangle surface as it came from a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Surface {
    /// Vertex positions (m).
    pub positions: Vec<[f32; 3]>,
    /// Triangles by vertex index, counted from 0.
    pub triangles: Vec<[u32; 3]>,
    /// The line of the file each vertex stands on; empty where the file has no lines.
    pub vertex_lines: Vec<usize>,
    /// The line of the file each triangle's face stands on; empty where the file has no lines.
    pub triangle_lines: Vec<usize>,
}

/// How a file's numbers become metres, and which part of it is the cloth.
#[derive(Clone, Debug)]
pub struct ImportOptions {
    /// The unit of the file's coordinates.
    pub unit: Unit,
    /// A factor on top of the unit.
    pub scale: f64,
    /// The OBJ group or object, or glTF mesh or node, to take; everything (OBJ) or the first mesh (glTF) if
    /// `None`.
    pub part: Option<String>,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self { unit: Unit::Metre, scale: 1.0, part: None }
    }
}

impl ImportOptions {
    /// Metres per unit of the file.
    pub fn factor(&self) -> f64 {
        self.unit.metres() * self.scale
    }
}

/// Reads a mesh; the name's ending says how.
///
/// # Errors
/// [`Error`] names the file, the line where there is one, and the element.
pub fn read_mesh(path: &Path, options: &ImportOptions) -> Result<Surface, Error> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| Problem::Read(error).in_file(&name))?;
    parse_mesh(&name, &bytes, path.parent(), options)
}

/// Reads a mesh from bytes that are in memory; `folder` is where a `.gltf` file's buffers are looked for.
///
/// # Errors
/// As [`read_mesh`].
pub fn parse_mesh(
    name: &str,
    bytes: &[u8],
    folder: Option<&Path>,
    options: &ImportOptions,
) -> Result<Surface, Error> {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    match ending.as_deref() {
        Some("obj") => parse_obj(name, bytes, options),
        Some("gltf" | "glb") => parse_gltf(name, bytes, folder, options),
        _ => Err(Problem::UnknownFormat.in_file(name)),
    }
}
