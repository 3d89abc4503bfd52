//! Surfaces from glTF 2.0 and GLB, read with the `gltf` crate.
//!
//! One mesh is taken: the one named by [`ImportOptions::part`] (a mesh's or a node's name), else the first that
//! has triangles. All its triangle primitives are joined, and its node's transform in the scene is applied, so
//! that a mesh stands where and as large as its program showed it. Skins and morph targets are passed over.
//!
//! glTF splits a vertex wherever its texture coordinate or normal changes: such a mesh usually needs `weld`.

use std::borrow::Cow;
use std::path::Path;

use base64::Engine as _;
use gltf::accessor::{DataType, Dimensions};
use gltf::mesh::Mode;
use gltf::{Accessor, Document, Gltf, Mesh, Node, Primitive};
use thiserror::Error as ThisError;

use super::{ImportOptions, Surface};
use crate::error::{Error, Problem};

/// What is wrong with a glTF file.
#[derive(Debug, ThisError)]
#[non_exhaustive]
pub enum GltfProblem {
    /// Not glTF, or against its rules.
    #[error("is no valid glTF 2.0: {0}")]
    Invalid(String),
    /// A buffer whose bytes are not to be had.
    #[error("buffer {buffer} {what}")]
    Buffer {
        /// The buffer.
        buffer: usize,
        /// What is wrong with it.
        what: String,
    },
    /// An accessor that cannot be read as it should.
    #[error("accessor {accessor}, the {role} of mesh \"{mesh}\", {what}")]
    Accessor {
        /// The accessor.
        accessor: usize,
        /// What it is for.
        role: &'static str,
        /// The mesh.
        mesh: String,
        /// What is wrong with it.
        what: &'static str,
    },
    /// No mesh with triangles.
    #[error("has no mesh with triangles")]
    NoTriangles,
    /// The wanted mesh is not there.
    #[error("has no mesh or node \"{part}\" with triangles; its meshes are {}", super::name_list(.there))]
    NoPart {
        /// What was asked for.
        part: String,
        /// What the file has.
        there: Vec<String>,
    },
    /// A coordinate that is NaN, infinite or too large.
    #[error("vertex {vertex} (counted from 0) of mesh \"{mesh}\" is not finite")]
    NotFinite {
        /// The vertex.
        vertex: usize,
        /// The mesh.
        mesh: String,
    },
    /// A triangle with a vertex that is not there.
    #[error("index {position} of mesh \"{mesh}\" names vertex {vertex} of {count}")]
    OutOfRange {
        /// Which of the indices, counted from 0.
        position: usize,
        /// The mesh.
        mesh: String,
        /// The vertex named.
        vertex: u32,
        /// Vertices of the primitive.
        count: usize,
    },
}

impl GltfProblem {
    /// What the user can do about it.
    pub fn remedy(&self) -> String {
        match self {
            Self::Invalid(_) => "export the file again as glTF 2.0 binary (.glb)",
            Self::Buffer { .. } => "export as one .glb file, or keep the .bin file beside the .gltf",
            Self::Accessor { .. } => "export again without compression and without sparse accessors",
            Self::NoTriangles => "export a surface as triangles; lines and points cannot be cloth",
            Self::NoPart { .. } => "name one of those as `part`, or leave `part` out to take the first",
            Self::NotFinite { .. } => {
                "move that vertex to a real place in the modelling program and export again"
            }
            Self::OutOfRange { .. } => "export the mesh again; its triangles don't fit its vertices",
        }
        .into()
    }
}

/// Reads a glTF or GLB file that is in memory. `name` is what errors call it.
///
/// # Errors
/// [`Error`] with a [`GltfProblem`].
pub fn parse_gltf(
    name: &str,
    bytes: &[u8],
    folder: Option<&Path>,
    options: &ImportOptions,
) -> Result<Surface, Error> {
    read(bytes, folder, options).map_err(|problem| Problem::Gltf(problem).in_file(name))
}

fn read(bytes: &[u8], folder: Option<&Path>, options: &ImportOptions) -> Result<Surface, GltfProblem> {
    let gltf = open(bytes)?;
    let buffers = buffers(&gltf, folder)?;
    let (mesh, transform) = choose(&gltf.document, options.part.as_deref())?;
    let mut surface = Surface::default();
    for primitive in mesh.primitives().filter(|primitive| primitive.mode() == Mode::Triangles) {
        append(&mut surface, &mesh, &primitive, &buffers, &transform, options.factor())?;
    }
    Ok(surface)
}

/// The file's parts, validated. What the `gltf` crate takes on trust while it validates is checked here before:
/// the length in a GLB's header, from which it subtracts, and the accessors of positions, which it looks up.
fn open(bytes: &[u8]) -> Result<Gltf, GltfProblem> {
    const HEADER: u32 = 12;
    let invalid = |error: gltf::Error| GltfProblem::Invalid(error.to_string());
    if let (true, Some(&[a, b, c, d])) = (bytes.starts_with(b"glTF"), bytes.get(8..12)) {
        let length = u32::from_le_bytes([a, b, c, d]);
        if length < HEADER {
            return Err(GltfProblem::Invalid(format!("its header gives it a length of {length} bytes")));
        }
    }
    let Gltf { document, blob } = Gltf::from_slice_without_validation(bytes).map_err(invalid)?;
    let root = document.into_json();
    let positions = gltf::json::validation::Checked::Valid(gltf::Semantic::Positions);
    for (number, mesh) in root.meshes.iter().enumerate() {
        for accessor in mesh.primitives.iter().filter_map(|primitive| primitive.attributes.get(&positions)) {
            let (accessor, count) = (accessor.value(), root.accessors.len());
            if accessor >= count {
                let name = mesh.name.clone().unwrap_or_else(|| format!("#{number}"));
                let what = format!("the positions of mesh \"{name}\" are accessor {accessor} of {count}");
                return Err(GltfProblem::Invalid(what));
            }
        }
    }
    Ok(Gltf { document: Document::from_json(root).map_err(invalid)?, blob })
}

type Buffers<'b> = Vec<Cow<'b, [u8]>>;

fn buffers<'b>(gltf: &'b Gltf, folder: Option<&Path>) -> Result<Buffers<'b>, GltfProblem> {
    gltf.buffers()
        .map(|buffer| {
            let bad = |what: String| GltfProblem::Buffer { buffer: buffer.index(), what };
            let bytes: Cow<'b, [u8]> = match buffer.source() {
                gltf::buffer::Source::Bin => match &gltf.blob {
                    Some(blob) => blob.as_slice().into(),
                    None => return Err(bad("has no bytes: the file has no binary chunk".into())),
                },
                gltf::buffer::Source::Uri(uri) => match uri.strip_prefix("data:") {
                    Some(data) => {
                        let (_, text) =
                            data.split_once("base64,").ok_or_else(|| bad("is no base64".into()))?;
                        let engine = base64::engine::general_purpose::STANDARD;
                        engine.decode(text).map_err(|error| bad(format!("is no base64: {error}")))?.into()
                    }
                    None => {
                        let path = folder.unwrap_or_else(|| Path::new("")).join(uri);
                        std::fs::read(&path)
                            .map_err(|error| bad(format!("cannot be read from {}: {error}", path.display())))?
                            .into()
                    }
                },
            };
            if bytes.len() < buffer.length() {
                return Err(bad(format!("has {} bytes of {}", bytes.len(), buffer.length())));
            }
            Ok(bytes)
        })
        .collect()
}

/// An affine map: the columns of its matrix, then its translation.
#[derive(Clone, Copy)]
struct Affine([[f64; 3]; 4]);

impl Affine {
    const IDENTITY: Self = Self([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0; 3]]);

    fn of(node: &Node<'_>) -> Self {
        let columns = node.transform().matrix();
        Self(columns.map(|column| [column[0], column[1], column[2]].map(f64::from)))
    }

    fn direction(&self, d: [f64; 3]) -> [f64; 3] {
        let [x, y, z, _] = self.0;
        [0, 1, 2].map(|axis| x[axis] * d[0] + y[axis] * d[1] + z[axis] * d[2])
    }

    fn point(&self, p: [f64; 3]) -> [f64; 3] {
        let d = self.direction(p);
        [0, 1, 2].map(|axis| d[axis] + self.0[3][axis])
    }

    fn then(&self, inner: &Self) -> Self {
        let [x, y, z, t] = inner.0;
        Self([self.direction(x), self.direction(y), self.direction(z), self.point(t)])
    }

    fn mirrors(&self) -> bool {
        let [x, y, z, _] = self.0;
        let cross = [y[1] * z[2] - y[2] * z[1], y[2] * z[0] - y[0] * z[2], y[0] * z[1] - y[1] * z[0]];
        x[0] * cross[0] + x[1] * cross[1] + x[2] * cross[2] < 0.0
    }
}

/// The mesh to take, with its transform in the scene: that of the first node that shows it.
fn choose<'d>(document: &'d Document, part: Option<&str>) -> Result<(Mesh<'d>, Affine), GltfProblem> {
    let has_triangles =
        |mesh: &Mesh<'_>| mesh.primitives().any(|primitive| primitive.mode() == Mode::Triangles);
    let placed: Vec<_> = placed_nodes(document)
        .into_iter()
        .filter_map(|(node, transform)| {
            let name = node.name();
            node.mesh().map(|mesh| (mesh, name, transform))
        })
        .collect();
    let wanted = |mesh: &Mesh<'_>, node: Option<&str>| {
        has_triangles(mesh) && part.is_none_or(|part| mesh.name() == Some(part) || node == Some(part))
    };
    if let Some((mesh, _, transform)) = placed.iter().find(|(mesh, node, _)| wanted(mesh, *node)) {
        return Ok((mesh.clone(), *transform));
    }
    // A mesh that no node shows stands as it was modelled.
    if let Some(mesh) = document.meshes().find(|mesh| wanted(mesh, None)) {
        return Ok((mesh, Affine::IDENTITY));
    }
    Err(match part {
        Some(part) => GltfProblem::NoPart {
            part: part.into(),
            there: document.meshes().filter(has_triangles).map(|mesh| label(&mesh)).collect(),
        },
        None => GltfProblem::NoTriangles,
    })
}

/// Every node of every scene with its world transform, parents first. A node is visited once, so that a file
/// whose nodes form a ring ends too.
fn placed_nodes(document: &Document) -> Vec<(Node<'_>, Affine)> {
    let mut seen = vec![false; document.nodes().len()];
    let mut waiting: Vec<_> =
        document.scenes().flat_map(|scene| scene.nodes()).map(|node| (node, Affine::IDENTITY)).collect();
    waiting.reverse();
    let mut placed = Vec::new();
    while let Some((node, parent)) = waiting.pop() {
        if std::mem::replace(&mut seen[node.index()], true) {
            continue;
        }
        let transform = parent.then(&Affine::of(&node));
        let children: Vec<_> = node.children().map(|child| (child, transform)).collect();
        waiting.extend(children.into_iter().rev());
        placed.push((node, transform));
    }
    placed
}

fn label(mesh: &Mesh<'_>) -> String {
    mesh.name().map_or_else(|| format!("#{}", mesh.index()), str::to_owned)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the result is checked to be finite, and rounding is wanted"
)]
fn append(
    surface: &mut Surface,
    mesh: &Mesh<'_>,
    primitive: &Primitive<'_>,
    buffers: &Buffers<'_>,
    transform: &Affine,
    factor: f64,
) -> Result<(), GltfProblem> {
    let bad = |accessor: &Accessor<'_>, role, what| GltfProblem::Accessor {
        accessor: accessor.index(),
        role,
        mesh: label(mesh),
        what,
    };
    let positions = primitive
        .get(&gltf::Semantic::Positions)
        .ok_or_else(|| GltfProblem::Invalid(format!("mesh \"{}\" has no positions", label(mesh))))?;
    if positions.data_type() != DataType::F32 || positions.dimensions() != Dimensions::Vec3 {
        return Err(bad(&positions, "positions", "does not hold three 32-bit floats a vertex"));
    }
    check_extent(&positions, buffers).map_err(|what| bad(&positions, "positions", what))?;
    if let Some(indices) = primitive.indices() {
        let integers = matches!(indices.data_type(), DataType::U8 | DataType::U16 | DataType::U32);
        if !integers || indices.dimensions() != Dimensions::Scalar {
            return Err(bad(&indices, "indices", "does not hold unsigned integers"));
        }
        check_extent(&indices, buffers).map_err(|what| bad(&indices, "indices", what))?;
    }

    let reader = primitive.reader(|buffer| buffers.get(buffer.index()).map(|bytes| &**bytes));
    let base = surface.positions.len();
    for (vertex, position) in reader.read_positions().into_iter().flatten().enumerate() {
        let position = transform.point(position.map(f64::from)).map(|value| (value * factor) as f32);
        if !position.iter().all(|value| value.is_finite()) {
            return Err(GltfProblem::NotFinite { vertex, mesh: label(mesh) });
        }
        surface.positions.push(position);
    }
    let count = surface.positions.len() - base;
    let indices: Vec<u32> = match reader.read_indices() {
        Some(indices) => indices.into_u32().collect(),
        None => (0..).take(count).collect(),
    };
    if let Some(position) = indices.iter().position(|index| *index as usize >= count) {
        return Err(GltfProblem::OutOfRange {
            position,
            mesh: label(mesh),
            vertex: indices[position],
            count,
        });
    }
    let base = u32::try_from(base).map_err(|_| GltfProblem::Invalid("too many vertices".into()))?;
    for corners in indices.chunks_exact(3) {
        let [a, b, c] = [base + corners[0], base + corners[1], base + corners[2]];
        surface.triangles.push(if transform.mirrors() { [a, c, b] } else { [a, b, c] });
    }
    Ok(())
}

/// Whether every element of an accessor lies in its view and its view in its buffer; the `gltf` crate reads on
/// without asking.
fn check_extent(accessor: &Accessor<'_>, buffers: &Buffers<'_>) -> Result<(), &'static str> {
    if accessor.sparse().is_some() {
        return Err("is sparse");
    }
    let view = accessor.view().ok_or("has no buffer view")?;
    let short = "reaches past the end of its buffer";
    let last = accessor.count().checked_sub(1).ok_or("is empty")?;
    let stride = view.stride().unwrap_or(accessor.size());
    if stride < accessor.size() {
        return Err("has elements that overlap");
    }
    let end = last
        .checked_mul(stride)
        .and_then(|end| end.checked_add(accessor.size()))
        .and_then(|end| end.checked_add(accessor.offset()))
        .ok_or(short)?;
    let available = buffers.get(view.buffer().index()).map_or(0, |bytes| bytes.len());
    let view_end = view.offset().checked_add(view.length()).ok_or(short)?;
    if end > view.length() || view_end > available { Err(short) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A .gltf of one triangle under a node that doubles and lifts it by one metre.
    fn triangle(positions: [[f32; 3]; 3], indices: [u16; 3], extra: &str) -> String {
        let mut bytes: Vec<u8> = positions.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        bytes.extend(indices.iter().flat_map(|index| index.to_le_bytes()));
        let data = base64::engine::general_purpose::STANDARD.encode(&bytes);
        format!(
            r#"{{"asset":{{"version":"2.0"}},"scene":0,"scenes":[{{"nodes":[0]}}],
            "nodes":[{{"name":"pole","mesh":0,"scale":[2,2,2],"translation":[0,1,0]{extra}}}],
            "meshes":[{{"name":"flag","primitives":[{{"attributes":{{"POSITION":0}},"indices":1}}]}}],
            "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}},
              {{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"}}],
            "bufferViews":[{{"buffer":0,"byteLength":36}},{{"buffer":0,"byteOffset":36,"byteLength":6}}],
            "buffers":[{{"byteLength":42,"uri":"data:application/octet-stream;base64,{data}"}}]}}"#
        )
    }

    const CORNERS: [[f32; 3]; 3] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

    fn parse(text: &str, part: Option<&str>) -> Result<Surface, Error> {
        let options = ImportOptions { part: part.map(str::to_owned), ..Default::default() };
        parse_gltf("t.gltf", text.as_bytes(), None, &options)
    }

    #[test]
    fn the_node_places_the_mesh() {
        for part in [None, Some("flag"), Some("pole")] {
            let surface = parse(&triangle(CORNERS, [0, 1, 2], ""), part).unwrap();
            assert_eq!(surface.positions, [[0.0, 1.0, 0.0], [2.0, 1.0, 0.0], [0.0, 3.0, 0.0]]);
            assert_eq!(surface.triangles, [[0, 1, 2]]);
        }
    }

    #[test]
    fn a_mirrored_node_turns_the_triangles_back() {
        let text = triangle(CORNERS, [0, 1, 2], "").replace("[2,2,2]", "[-2,2,2]");
        assert_eq!(parse(&text, None).unwrap().triangles, [[0, 2, 1]]);
    }

    #[test]
    fn a_ring_of_nodes_ends() {
        let text = triangle(CORNERS, [0, 1, 2], r#","children":[0]"#);
        assert_eq!(parse(&text, None).unwrap().triangles.len(), 1);
    }

    /// JSON as a GLB file without a binary chunk.
    fn glb(json: &str) -> Vec<u8> {
        let padded = json.to_owned() + &" ".repeat(json.len().next_multiple_of(4) - json.len());
        let size = u32::try_from(padded.len()).unwrap();
        let header = [b"glTF".as_slice(), &2_u32.to_le_bytes(), &(size + 20).to_le_bytes()].concat();
        [header.as_slice(), &size.to_le_bytes(), b"JSON", padded.as_bytes()].concat()
    }

    #[test]
    fn no_number_makes_it_panic() {
        let sound = triangle(CORNERS, [0, 1, 2], r#","children":[]"#)
            .replace("\"indices\":1", "\"indices\":1,\"targets\":[{\"POSITION\":0}],\"mode\":4");
        assert!(parse(&sound, None).is_ok());
        let numbers: Vec<(usize, char)> =
            sound.char_indices().filter(|(at, c)| c.is_ascii_digit() && *at < sound.len() - 80).collect();
        assert!(numbers.len() > 30);
        for (at, _) in numbers {
            for other in ["2", "7", "4294967295", "18446744073709551615", "-1", "null", "\"\""] {
                let text = format!("{}{other}{}", &sound[..at], &sound[at + 1..]);
                // Whatever it answers, it answers.
                let plain = parse(&text, None).is_ok();
                let binary = parse_gltf("t.glb", &glb(&text), None, &ImportOptions::default()).is_ok();
                assert_eq!(plain, binary, "{text}");
            }
        }
        let far = sound.replace("{\"POSITION\":0},\"ind", "{\"POSITION\":2},\"ind");
        let said = parse(&far, None).unwrap_err().to_string();
        assert!(
            said.contains("is no valid glTF 2.0: the positions of mesh \"flag\" are accessor 2 of 2"),
            "{said}"
        );
        let sound = glb(&sound);
        for at in 0..20 {
            for byte in [0, 1, 11, 255] {
                let mut bytes = sound.clone();
                bytes[at] = byte;
                let answer = parse_gltf("t.glb", &bytes, None, &ImportOptions::default());
                assert!(bytes == sound || at >= 8 || answer.is_err(), "byte {at} as {byte}");
            }
        }
        for length in 0..sound.len() {
            assert!(parse_gltf("t.glb", &sound[..length], None, &ImportOptions::default()).is_err());
        }
    }

    #[test]
    fn errors_name_the_element() {
        let message = |text: &str, part| parse(text, part).unwrap_err().to_string();
        assert!(message(&triangle(CORNERS, [0, 1, 2], ""), Some("hat")).contains("are flag"));
        assert!(message(&triangle(CORNERS, [0, 1, 7], ""), None).contains("names vertex 7 of 3"));
        let mut broken = CORNERS;
        broken[2][1] = f32::NAN;
        assert!(message(&triangle(broken, [0, 1, 2], ""), None).contains("vertex 2"));
        let long = triangle(CORNERS, [0, 1, 2], "").replace("\"byteLength\":6", "\"byteLength\":4");
        assert!(message(&long, None).contains("accessor 1"), "{}", message(&long, None));
        let cut = triangle(CORNERS, [0, 1, 2], "").replace("\"byteLength\":42", "\"byteLength\":43");
        assert!(message(&cut, None).contains("has 42 bytes of 43"));
        assert!(message("{}", None).contains("is no valid glTF"));
        let far = triangle(CORNERS, [0, 1, 2], "").replace("data:application/octet-stream;base64,", "x/");
        assert!(message(&far, None).contains("buffer 0 cannot be read from x/"));
    }
}
