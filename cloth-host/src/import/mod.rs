//! Meshes from files: OBJ and glTF, in metres, as triangles.

// What is made here feeds a step.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

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

/// Whether a file's name ends as those of the meshes do that [`read_mesh`] reads.
pub fn is_mesh(path: &Path) -> bool {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    matches!(ending.as_deref(), Some("obj" | "gltf" | "glb"))
}

/// Names for a message: at most a dozen, then how many more.
fn name_list(names: &[String]) -> String {
    const SHOWN: usize = 12;
    match names.len() {
        0 => "none".into(),
        count if count > SHOWN => format!("{} and {} more", names[..SHOWN].join(", "), count - SHOWN),
        _ => names.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_of_names_are_cut() {
        let names: Vec<String> = (0..15).map(|number| number.to_string()).collect();
        assert_eq!(name_list(&names), "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 3 more");
        assert_eq!((name_list(&names[..2]), name_list(&[])), ("0, 1".into(), "none".into()));
    }

    #[test]
    fn the_ending_says_how_to_read() {
        let options = ImportOptions::default();
        let said = |name: &str| parse_mesh(name, b"", None, &options).unwrap_err().to_string();
        assert!(said("A.OBJ").contains("no faces") && said("a.glb").contains("glTF"));
        assert!(said("a.ply").contains("neither") && said("obj").contains("neither"));
    }
}
