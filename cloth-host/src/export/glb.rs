//! The animation as binary glTF: the mesh at the start, a morph target for every chosen frame, and weights that
//! pass from each target to the next.
//!
//! The weights are one-hot with linear interpolation, so that a viewer shows every chosen frame exactly and blends
//! two neighbours between them. Position and normal deltas are relative to the start.

use std::borrow::Cow;
use std::collections::BTreeMap;

use glam::Vec3;
use gltf_json::accessor::{ComponentType, GenericComponentType, Type};
use gltf_json::animation::{Channel, Interpolation, Property, Sampler, Target};
use gltf_json::buffer::{Stride, View};
use gltf_json::material::{PbrBaseColorFactor, PbrMetallicRoughness, StrengthFactor};
use gltf_json::mesh::{Mode, MorphTarget, Primitive, Semantic};
use gltf_json::validation::{Checked, USize64};
use gltf_json::{Accessor, Animation, Asset, Buffer, Index, Material, Mesh, Node, Root, Scene as JsonScene};

use super::colour;
use crate::error::Problem;
use crate::run::{Recording, RunProblem, Shot, Skin};
use crate::scene::Scene;

/// Builds the animation of a recording, reads it back and checks it. `targets` are the frames of the morph targets,
/// rising; the recording has to have kept them and frame 0.
///
/// # Errors
/// [`RunProblem::Encode`] or [`RunProblem::Unsound`].
pub fn animation(
    scene: &Scene,
    skin: &Skin,
    recording: &Recording,
    targets: &[u32],
) -> Result<Vec<u8>, Problem> {
    let missing = |frame: u32| RunProblem::Encode(format!("frame {frame} was not kept"));
    let shot = |frame: u32| recording.shot(frame).ok_or_else(|| missing(frame));
    let start = shot(0)?;
    let shots: Vec<&Shot> = targets.iter().map(|frame| shot(*frame)).collect::<Result<_, _>>()?;
    let bytes = write(scene, skin, start, &shots)?;
    let vertices = skin.sources.len();
    check_animation(&bytes, vertices, skin.triangles.len(), targets.len())?;
    Ok(bytes)
}

/// The binary chunk while it grows: three views, one after the other.
#[derive(Default)]
struct Writer {
    root: Root,
    indices: Vec<u8>,
    vertices: Vec<u8>,
    curves: Vec<u8>,
}

const INDICES: u32 = 0;
const VERTICES: u32 = 1;
const CURVES: u32 = 2;

fn write(scene: &Scene, skin: &Skin, start: &Shot, shots: &[&Shot]) -> Result<Vec<u8>, RunProblem> {
    let mut writer = Writer::default();
    let indices = writer.triangles(&skin.triangles);
    let positions = skin.positions(&start.positions);
    let normals = skin.normals(&positions);
    let attributes = BTreeMap::from([
        (Checked::Valid(Semantic::Positions), writer.vectors(&positions)),
        (Checked::Valid(Semantic::Normals), writer.vectors(&normals)),
    ]);
    let mut targets = Vec::with_capacity(shots.len());
    for shot in shots {
        let moved = skin.positions(&shot.positions);
        let turned = skin.normals(&moved);
        let delta = |to: &[Vec3], from: &[Vec3]| -> Vec<Vec3> {
            to.iter().zip(from).map(|(to, from)| *to - *from).collect()
        };
        targets.push(MorphTarget {
            positions: Some(writer.vectors(&delta(&moved, &positions))),
            normals: Some(writer.vectors(&delta(&turned, &normals))),
            tangents: None,
        });
    }
    #[expect(clippy::cast_possible_truncation, reason = "glTF times are f32")]
    let times: Vec<f32> = [start].iter().chain(shots).map(|shot| shot.time as f32).collect();
    let count = shots.len();
    let mut weights = vec![0.0; (count + 1) * count];
    for key in 1..=count {
        weights[key * count + key - 1] = 1.0;
    }
    let input = writer.scalars(&times, true);
    let output = writer.scalars(&weights, false);

    let root = &mut writer.root;
    root.asset =
        Asset { generator: Some(concat!("cloth ", env!("CARGO_PKG_VERSION")).into()), ..Asset::default() };
    let material = root.push(material(scene));
    let mesh = root.push(Mesh {
        extensions: None,
        extras: Default::default(),
        name: Some(scene.name.clone()),
        primitives: vec![Primitive {
            attributes,
            extensions: None,
            extras: Default::default(),
            indices: Some(indices),
            material: Some(material),
            mode: Checked::Valid(Mode::Triangles),
            targets: Some(targets),
        }],
        weights: Some(vec![0.0; count]),
    });
    let node = root.push(Node { mesh: Some(mesh), name: Some(scene.name.clone()), ..Node::default() });
    let shown = root.push(JsonScene {
        extensions: None,
        extras: Default::default(),
        name: Some(scene.name.clone()),
        nodes: vec![node],
    });
    root.scene = Some(shown);
    root.push(Animation {
        extensions: None,
        extras: Default::default(),
        name: Some(scene.name.clone()),
        samplers: vec![Sampler {
            extensions: None,
            extras: Default::default(),
            input,
            interpolation: Checked::Valid(Interpolation::Linear),
            output,
        }],
        channels: vec![Channel {
            sampler: Index::new(0),
            target: Target {
                extensions: None,
                extras: Default::default(),
                node,
                path: Checked::Valid(Property::MorphTargetWeights),
            },
            extensions: None,
            extras: Default::default(),
        }],
    });
    writer.finish()
}

fn material(scene: &Scene) -> Material {
    let [r, g, b] = colour::linear(scene.view.colour).to_array();
    Material {
        name: Some(scene.fabric.name.into()),
        double_sided: true,
        pbr_metallic_roughness: PbrMetallicRoughness {
            base_color_factor: PbrBaseColorFactor([r, g, b, 1.0]),
            metallic_factor: StrengthFactor(0.0),
            roughness_factor: StrengthFactor(0.85),
            ..PbrMetallicRoughness::default()
        },
        ..Material::default()
    }
}

impl Writer {
    fn triangles(&mut self, triangles: &[[u32; 3]]) -> Index<Accessor> {
        let offset = self.indices.len();
        self.indices.extend(triangles.iter().flatten().flat_map(|index| index.to_le_bytes()));
        self.accessor(INDICES, offset, triangles.len() * 3, ComponentType::U32, Type::Scalar, None)
    }

    /// Three floats a vertex, with the bounds that glTF asks of positions.
    fn vectors(&mut self, values: &[Vec3]) -> Index<Accessor> {
        let offset = self.vertices.len();
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for value in values {
            (low, high) = (low.min(*value), high.max(*value));
            self.vertices.extend(value.to_array().iter().flat_map(|component| component.to_le_bytes()));
        }
        let bounds = Some((low.to_array().to_vec(), high.to_array().to_vec()));
        self.accessor(VERTICES, offset, values.len(), ComponentType::F32, Type::Vec3, bounds)
    }

    fn scalars(&mut self, values: &[f32], bounded: bool) -> Index<Accessor> {
        let offset = self.curves.len();
        self.curves.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        let low = values.iter().copied().fold(f32::INFINITY, f32::min);
        let high = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let bounds = bounded.then(|| (vec![low], vec![high]));
        self.accessor(CURVES, offset, values.len(), ComponentType::F32, Type::Scalar, bounds)
    }

    fn accessor(
        &mut self,
        view: u32,
        offset: usize,
        count: usize,
        component: ComponentType,
        type_: Type,
        bounds: Option<(Vec<f32>, Vec<f32>)>,
    ) -> Index<Accessor> {
        let (min, max) = bounds.unzip();
        self.root.push(Accessor {
            buffer_view: Some(Index::new(view)),
            byte_offset: Some(USize64(offset as u64)),
            count: USize64(count as u64),
            component_type: Checked::Valid(GenericComponentType(component)),
            extensions: None,
            extras: Default::default(),
            type_: Checked::Valid(type_),
            min: min.map(Into::into),
            max: max.map(Into::into),
            name: None,
            normalized: false,
            sparse: None,
        })
    }

    fn finish(mut self) -> Result<Vec<u8>, RunProblem> {
        let parts = [std::mem::take(&mut self.indices), std::mem::take(&mut self.vertices), self.curves];
        let buffer = self.root.push(Buffer {
            byte_length: USize64(parts.iter().map(|part| part.len() as u64).sum()),
            name: None,
            uri: None,
            extensions: None,
            extras: Default::default(),
        });
        let uses = [
            (Some(gltf_json::buffer::Target::ElementArrayBuffer), None),
            (Some(gltf_json::buffer::Target::ArrayBuffer), Some(Stride(12))),
            (None, None),
        ];
        let mut offset = 0;
        for (part, (target, byte_stride)) in parts.iter().zip(uses) {
            self.root.push(View {
                buffer,
                byte_length: part.len().into(),
                byte_offset: Some(USize64(offset)),
                byte_stride,
                name: None,
                target: target.map(Checked::Valid),
                extensions: None,
                extras: Default::default(),
            });
            offset += part.len() as u64;
        }
        let json = self.root.to_vec().map_err(|error| RunProblem::Encode(error.to_string()))?;
        let glb = gltf::binary::Glb {
            header: gltf::binary::Header { magic: *b"glTF", version: 2, length: 0 },
            json: Cow::Owned(json),
            bin: Some(Cow::Owned(parts.concat())),
        };
        glb.to_vec().map_err(|error| RunProblem::Encode(error.to_string()))
    }
}

/// Reads an animation back with the `gltf` crate and checks what viewers rely on: the counts, the bounds of every
/// position accessor against its values, finite values, rising times, and one-hot weights.
///
/// # Errors
/// [`RunProblem::Unsound`] says what does not hold.
pub fn check_animation(
    bytes: &[u8],
    vertices: usize,
    triangles: usize,
    targets: usize,
) -> Result<(), RunProblem> {
    let unsound = |what: String| RunProblem::Unsound(what);
    let ensure = |holds: bool, what: &str| if holds { Ok(()) } else { Err(unsound(what.into())) };
    let gltf = gltf::Gltf::from_slice(bytes).map_err(|error| unsound(error.to_string()))?;
    let blob = gltf.blob.as_deref().unwrap_or_default();
    let primitive = gltf.meshes().next().and_then(|mesh| mesh.primitives().next());
    let primitive = primitive.ok_or_else(|| unsound("it has no mesh".into()))?;
    let reader = primitive.reader(|_| Some(blob));

    let indices: Vec<u32> =
        reader.read_indices().map(|indices| indices.into_u32().collect()).unwrap_or_default();
    ensure(indices.len() == triangles * 3, "the number of triangles is another")?;
    ensure(
        indices.iter().all(|index| (*index as usize) < vertices),
        "a triangle names a vertex that is not there",
    )?;
    let positions: Vec<_> = reader.read_positions().into_iter().flatten().collect();
    let normals: Vec<_> = reader.read_normals().into_iter().flatten().collect();
    ensure(positions.len() == vertices && normals.len() == vertices, "the number of vertices is another")?;
    let bounds = |accessor: Option<gltf::Accessor<'_>>| {
        let accessor = accessor?;
        let read = |value: Option<gltf_json::Value>| serde_json::from_value::<[f32; 3]>(value?).ok();
        Some((read(accessor.min())?, read(accessor.max())?))
    };
    let bounded = |values: &[[f32; 3]], accessor| {
        let low =
            values.iter().fold([f32::INFINITY; 3], |low, p| [0, 1, 2].map(|axis| low[axis].min(p[axis])));
        let high = values
            .iter()
            .fold([f32::NEG_INFINITY; 3], |high, p| [0, 1, 2].map(|axis| high[axis].max(p[axis])));
        low.iter().chain(&high).all(|value| value.is_finite()) && bounds(accessor) == Some((low, high))
    };
    ensure(bounded(&positions, primitive.get(&Semantic::Positions)), "the bounds of the mesh are wrong")?;

    let mut count = 0;
    for ((moved, turned, _), target) in reader.read_morph_targets().zip(primitive.morph_targets()) {
        let moved: Vec<_> = moved.into_iter().flatten().collect();
        let turned = turned.into_iter().flatten().count();
        ensure(
            moved.len() == vertices && turned == vertices,
            "a morph target has another number of vertices",
        )?;
        ensure(bounded(&moved, target.positions()), "the bounds of a morph target are wrong")?;
        count += 1;
    }
    ensure(count == targets, "the number of morph targets is another")?;

    let channel = gltf.animations().next().and_then(|animation| animation.channels().next());
    let channel = channel.ok_or_else(|| unsound("it has no animation".into()))?;
    let reader = channel.reader(|_| Some(blob));
    let times: Vec<f32> = reader.read_inputs().into_iter().flatten().collect();
    ensure(times.len() == targets + 1, "the number of keys is another")?;
    ensure(times.windows(2).all(|pair| pair[0] < pair[1]), "the times of the animation do not rise")?;
    let Some(gltf::animation::util::ReadOutputs::MorphTargetWeights(weights)) = reader.read_outputs() else {
        return Err(unsound("the animation moves something else than weights".into()));
    };
    let weights: Vec<f32> = weights.into_f32().collect();
    ensure(weights.len() == times.len() * targets, "the number of weights is another")?;
    let one_hot = weights.chunks(targets.max(1)).enumerate().all(|(key, row)| {
        row.iter().enumerate().all(|(target, weight)| {
            weight.to_bits() == if key == target + 1 { 1.0_f32 } else { 0.0 }.to_bits()
        })
    });
    ensure(one_hot, "the weights are not one target a key")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;

    fn example() -> (Scene, Skin, Shot, Shot) {
        let scene = Scene::bundled("rope").expect("is bundled").expect("is sound");
        let skin = Skin::new(&scene.body, 0.02, &[]);
        let start = Shot { frame: 0, time: 0.0, positions: scene.body.positions().to_vec() };
        let positions = start.positions.iter().map(|[x, y, z]| [*x * 0.5, y - x * x, *z]).collect();
        (scene, skin, start, Shot { frame: 30, time: 0.5, positions })
    }

    #[test]
    fn what_is_written_reads_back() {
        let (scene, skin, start, end) = example();
        let bytes = write(&scene, &skin, &start, &[&end]).unwrap();
        check_animation(&bytes, skin.sources.len(), skin.triangles.len(), 1).unwrap();
        let gltf = gltf::Gltf::from_slice(&bytes).unwrap();
        let blob = gltf.blob.as_deref().unwrap();
        let primitive = gltf.meshes().next().unwrap().primitives().next().unwrap();
        assert!(primitive.material().double_sided());
        let reader = primitive.reader(|_| Some(blob));
        let base: Vec<_> = reader.read_positions().unwrap().map(Vec3::from).collect();
        let (deltas, ..) = reader.read_morph_targets().next().unwrap();
        let shown: Vec<_> =
            base.iter().zip(deltas.unwrap()).map(|(base, delta)| *base + Vec3::from(delta)).collect();
        for (shown, meant) in shown.iter().zip(skin.positions(&end.positions)) {
            assert!((*shown - meant).length() < 1e-6);
        }
    }

    #[test]
    fn the_check_finds_what_is_wrong() {
        let (scene, skin, start, mut end) = example();
        let bytes = write(&scene, &skin, &start, &[&end]).unwrap();
        let (vertices, triangles) = (skin.sources.len(), skin.triangles.len());
        let found = |bytes: &[u8], v, t, n| check_animation(bytes, v, t, n).unwrap_err().to_string();
        assert!(found(&bytes, vertices + 1, triangles, 1).contains("vertices"));
        assert!(found(&bytes, vertices, triangles + 1, 1).contains("triangles"));
        assert!(found(&bytes, vertices, triangles, 2).contains("targets"));
        let mut broken = bytes.clone();
        let last = broken.len() - 4;
        broken[last..].copy_from_slice(&0.5_f32.to_le_bytes());
        assert!(found(&broken, vertices, triangles, 1).contains("weights"));
        end.time = 0.0;
        let still = write(&scene, &skin, &start, &[&end]).unwrap();
        assert!(found(&still, vertices, triangles, 1).contains("do not rise"));
        end.positions[3][1] = f32::NAN;
        assert!(
            write(&scene, &skin, &start, &[&end])
                .map_or(true, |bytes| check_animation(&bytes, vertices, triangles, 1).is_err())
        );
    }
}
