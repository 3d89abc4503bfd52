//! The animation as binary glTF: the mesh at the start, a morph target for every chosen frame, and weights that
//! pass from each target to the next.
//!
//! The weights are one-hot with linear interpolation, so that a viewer shows every chosen frame exactly and blends
//! two neighbours between them. Position and normal deltas are relative to the start.
//!
//! Colliders are nodes of their own after the cloth's, with a mesh each; those that move have a translation and a rotation
//! at the same times.

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
use super::sheet::solids;
use super::solid::Solid;
use crate::error::Problem;
use crate::run::{Recording, RunProblem, Shot, Skin};
use crate::scene::{Scene, SceneCollider};

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
    let bytes = write(scene, skin, &solids(scene, recording), start, &shots)?;
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

fn write(
    scene: &Scene,
    skin: &Skin,
    solids: &[Solid],
    start: &Shot,
    shots: &[&Shot],
) -> Result<Vec<u8>, RunProblem> {
    let mut writer = Writer::default();
    let positions = skin.positions(&start.positions);
    let normals = skin.normals(&positions);
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

    writer.root.asset =
        Asset { generator: Some(concat!("cloth ", env!("CARGO_PKG_VERSION")).into()), ..Asset::default() };
    let material = writer.root.push(material(scene.fabric.name, scene.view.colour, true));
    let mut primitive = writer.primitive(&positions, &normals, &skin.triangles, material);
    primitive.targets = Some(targets);
    let mesh = writer.root.push(mesh(&scene.name, primitive, Some(vec![0.0; count])));
    let node = writer.root.push(Node { mesh: Some(mesh), name: Some(scene.name.clone()), ..Node::default() });
    let mut tracks = Tracks::default();
    tracks.add(node, Property::MorphTargetWeights, input, output);
    let mut nodes = vec![node];
    for (collider, solid) in scene.colliders.iter().zip(solids) {
        nodes.push(writer.collider(
            collider,
            solid,
            [start].iter().chain(shots).map(|shot| shot.time),
            input,
            &mut tracks,
        ));
    }
    let root = &mut writer.root;
    let shown = root.push(JsonScene {
        extensions: None,
        extras: Default::default(),
        name: Some(scene.name.clone()),
        nodes,
    });
    root.scene = Some(shown);
    root.push(Animation {
        extensions: None,
        extras: Default::default(),
        name: Some(scene.name.clone()),
        samplers: tracks.samplers,
        channels: tracks.channels,
    });
    writer.finish()
}

/// What an animation moves, and by which curves.
#[derive(Default)]
struct Tracks {
    samplers: Vec<Sampler>,
    channels: Vec<Channel>,
}

impl Tracks {
    fn add(&mut self, node: Index<Node>, path: Property, input: Index<Accessor>, output: Index<Accessor>) {
        let sampler = Index::new(u32::try_from(self.samplers.len()).unwrap_or(u32::MAX));
        self.samplers.push(Sampler {
            extensions: None,
            extras: Default::default(),
            input,
            interpolation: Checked::Valid(Interpolation::Linear),
            output,
        });
        self.channels.push(Channel {
            sampler,
            target: Target { extensions: None, extras: Default::default(), node, path: Checked::Valid(path) },
            extensions: None,
            extras: Default::default(),
        });
    }
}

fn mesh(name: &str, primitive: Primitive, weights: Option<Vec<f32>>) -> Mesh {
    Mesh {
        extensions: None,
        extras: Default::default(),
        name: Some(name.into()),
        primitives: vec![primitive],
        weights,
    }
}

fn material(name: &str, rgb: [u8; 3], double_sided: bool) -> Material {
    let [r, g, b] = colour::linear(rgb).to_array();
    Material {
        name: Some(name.into()),
        double_sided,
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
    fn primitive(
        &mut self,
        positions: &[Vec3],
        normals: &[Vec3],
        triangles: &[[u32; 3]],
        material: Index<Material>,
    ) -> Primitive {
        let attributes = BTreeMap::from([
            (Checked::Valid(Semantic::Positions), self.vectors(positions)),
            (Checked::Valid(Semantic::Normals), self.vectors(normals)),
        ]);
        Primitive {
            attributes,
            extensions: None,
            extras: Default::default(),
            indices: Some(self.triangles(triangles)),
            material: Some(material),
            mode: Checked::Valid(Mode::Triangles),
            targets: None,
        }
    }

    /// The node of a collider, with its tracks if it moves.
    fn collider(
        &mut self,
        collider: &SceneCollider,
        solid: &Solid,
        times: impl Iterator<Item = f64>,
        input: Index<Accessor>,
        tracks: &mut Tracks,
    ) -> Index<Node> {
        let (rgb, name) = if solid.is_plane { (colour::PLANE, "plane") } else { (colour::SOLID, "collider") };
        let known = self.root.materials.iter().position(|material| material.name.as_deref() == Some(name));
        let material = match known.and_then(|index| u32::try_from(index).ok()) {
            Some(index) => Index::new(index),
            None => self.root.push(material(name, rgb, false)),
        };
        let primitive = self.primitive(&solid.positions, &solid.normals, &solid.triangles, material);
        let mesh = self.root.push(mesh(&collider.name, primitive, None));
        let start = collider.pose(0.0);
        let node = self.root.push(Node {
            mesh: Some(mesh),
            name: Some(collider.name.clone()),
            translation: Some(start.translation.to_array()),
            rotation: Some(gltf_json::scene::UnitQuaternion(start.rotation)),
            ..Node::default()
        });
        if collider.is_still() {
            return node;
        }
        let (mut places, mut turns) = (Vec::new(), Vec::<[f32; 4]>::new());
        for pose in times.map(|time| collider.pose(time)) {
            places.extend(pose.translation.to_array());
            // A quaternion and its negative are one rotation; viewers go the short way between those of one sign.
            let last = turns.last().copied().unwrap_or(pose.rotation);
            let along: f32 = last.iter().zip(pose.rotation).map(|(a, b)| a * b).sum();
            turns.push(if along < 0.0 { pose.rotation.map(|part| -part) } else { pose.rotation });
        }
        let output = self.curve(&places, Type::Vec3, 3);
        tracks.add(node, Property::Translation, input, output);
        let output = self.curve(&turns.concat(), Type::Vec4, 4);
        tracks.add(node, Property::Rotation, input, output);
        node
    }

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

    /// Values of a track, `width` floats at each time.
    fn curve(&mut self, values: &[f32], type_: Type, width: usize) -> Index<Accessor> {
        let offset = self.curves.len();
        self.curves.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        self.accessor(CURVES, offset, values.len() / width, ComponentType::F32, type_, None)
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

/// Reads an animation back with the `gltf` crate and checks what viewers rely on: of the cloth, the first mesh, the counts,
/// the bounds of every position accessor against its values, finite values, rising times, and one-hot weights; of the meshes
/// after it, which are colliders', bounds and indices; of their tracks a value for each time, and unit quaternions.
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
    ensure(one_hot, "the weights are not one target a key")?;
    gltf.meshes().skip(1).try_for_each(|mesh| check_solid(&mesh, blob))?;
    let channels = gltf.animations().flat_map(|animation| animation.channels()).skip(1);
    channels.into_iter().try_for_each(|channel| check_track(&channel, blob, &times))
}

/// Whether values are finite and an accessor has their bounds.
fn bounded(values: &[[f32; 3]], accessor: Option<gltf::Accessor<'_>>) -> bool {
    let read = |value: Option<gltf_json::Value>| serde_json::from_value::<[f32; 3]>(value?).ok();
    let bounds = accessor.and_then(|accessor| Some((read(accessor.min())?, read(accessor.max())?)));
    let low = values.iter().fold([f32::INFINITY; 3], |low, p| [0, 1, 2].map(|axis| low[axis].min(p[axis])));
    let high =
        values.iter().fold([f32::NEG_INFINITY; 3], |high, p| [0, 1, 2].map(|axis| high[axis].max(p[axis])));
    low.iter().chain(&high).all(|value| value.is_finite()) && bounds == Some((low, high))
}

/// Checks the mesh of a collider.
fn check_solid(mesh: &gltf::Mesh<'_>, blob: &[u8]) -> Result<(), RunProblem> {
    let name = mesh.name().unwrap_or_default();
    let ensure = |holds: bool, what: &str| {
        if holds { Ok(()) } else { Err(RunProblem::Unsound(format!("collider \"{name}\": {what}"))) }
    };
    for primitive in mesh.primitives() {
        let reader = primitive.reader(|_| Some(blob));
        let positions: Vec<_> = reader.read_positions().into_iter().flatten().collect();
        let normals = reader.read_normals().into_iter().flatten().count();
        let indices: Vec<u32> = reader.read_indices().into_iter().flat_map(|read| read.into_u32()).collect();
        ensure(!indices.is_empty() && indices.len().is_multiple_of(3), "it has no triangles")?;
        ensure(
            normals == positions.len() && indices.iter().all(|index| (*index as usize) < normals),
            "a triangle names a vertex that is not there",
        )?;
        ensure(bounded(&positions, primitive.get(&Semantic::Positions)), "the bounds of its mesh are wrong")?;
    }
    Ok(())
}

/// Checks the track of a collider.
fn check_track(channel: &gltf::animation::Channel<'_>, blob: &[u8], times: &[f32]) -> Result<(), RunProblem> {
    use gltf::animation::util::ReadOutputs;
    let target = channel.target();
    let name = target.node().name().unwrap_or_default();
    let ensure = |holds: bool, what: &str| {
        if holds { Ok(()) } else { Err(RunProblem::Unsound(format!("collider \"{name}\": {what}"))) }
    };
    let reader = channel.reader(|_| Some(blob));
    let own: Vec<f32> = reader.read_inputs().into_iter().flatten().collect();
    ensure(own == times, "its times are others than the cloth's")?;
    let count = match reader.read_outputs() {
        Some(ReadOutputs::Translations(places)) => {
            let places: Vec<_> = places.collect();
            ensure(places.iter().flatten().all(|value| value.is_finite()), "a translation is not finite")?;
            places.len()
        }
        Some(ReadOutputs::Rotations(turns)) => {
            let turns: Vec<_> = turns.into_f32().collect();
            let is_unit = |turn: &[f32; 4]| (turn.iter().map(|x| x * x).sum::<f32>() - 1.0).abs() < 1e-5;
            ensure(turns.iter().all(is_unit), "a rotation is no unit quaternion")?;
            turns.len()
        }
        _ => 0,
    };
    ensure(count == times.len(), "its track has no value for each time")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::Scene;

    fn example() -> (Scene, Skin, Shot, Shot) {
        let scene = Scene::bundled("rope").expect("is bundled").expect("is sound");
        let skin = Skin::new(&scene.body, 0.02, &[]);
        let start = Shot { frame: 0, time: 0.0, positions: scene.body.positions().to_vec(), air: Vec::new() };
        let positions = start.positions.iter().map(|[x, y, z]| [*x * 0.5, y - x * x, *z]).collect();
        (scene, skin, start, Shot { frame: 30, time: 0.5, positions, air: Vec::new() })
    }

    #[test]
    fn what_is_written_reads_back() {
        let (scene, skin, start, end) = example();
        let bytes = write(&scene, &skin, &[], &start, &[&end]).unwrap();
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
    fn colliders_are_nodes_that_move_as_they_do() {
        let scene = Scene::bundled("stride").expect("is bundled").expect("is sound");
        let skin = Skin::new(&scene.body, 0.02, &[]);
        let shot = |frame: u32, time: f64| Shot {
            frame,
            time,
            positions: scene.body.positions().to_vec(),
            air: Vec::new(),
        };
        let (start, ends) = (shot(0, 0.0), [shot(20, 0.4), shot(70, 1.3)]);
        let shown = crate::export::solid::Shown { centre: Vec3::ZERO, reach: 1.0 };
        let solids: Vec<Solid> = scene.colliders.iter().map(|collider| Solid::new(collider, shown)).collect();
        let bytes = write(&scene, &skin, &solids, &start, &[&ends[0], &ends[1]]).unwrap();
        check_animation(&bytes, skin.sources.len(), skin.triangles.len(), 2).unwrap();
        let gltf = gltf::Gltf::from_slice(&bytes).unwrap();
        let blob = gltf.blob.as_deref().unwrap();
        assert_eq!(gltf.nodes().count(), 1 + scene.colliders.len());
        let mut moved = 0;
        for channel in gltf.animations().next().unwrap().channels().skip(1) {
            let target = channel.target();
            let named = |collider: &&SceneCollider| Some(collider.name.as_str()) == target.node().name();
            let collider = scene.colliders.iter().find(named).expect("a node has its collider's name");
            let reader = channel.reader(|_| Some(blob));
            let Some(gltf::animation::util::ReadOutputs::Rotations(turns)) = reader.read_outputs() else {
                continue;
            };
            let turn = turns.into_f32().nth(2).unwrap();
            let meant = collider.pose(1.3).rotation;
            let along: f32 = turn.iter().zip(meant).map(|(a, b)| a * b).sum();
            assert!(along.abs() > 0.999_99, "{turn:?} {meant:?}");
            moved += 1;
        }
        assert_eq!(moved, scene.colliders.iter().filter(|collider| !collider.is_still()).count());
        assert!(moved > 0);
        // A quaternion twice as long is found; the last track is a rotation.
        let mut broken = bytes.clone();
        let last = broken.len() - 16;
        broken[last..].copy_from_slice(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 64]);
        let found = check_animation(&broken, skin.sources.len(), skin.triangles.len(), 2).unwrap_err();
        assert!(found.to_string().contains("no unit quaternion"), "{found}");
    }

    #[test]
    fn the_check_finds_what_is_wrong() {
        let (scene, skin, start, mut end) = example();
        let bytes = write(&scene, &skin, &[], &start, &[&end]).unwrap();
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
        let still = write(&scene, &skin, &[], &start, &[&end]).unwrap();
        assert!(found(&still, vertices, triangles, 1).contains("do not rise"));
        end.positions[3][1] = f32::NAN;
        assert!(
            write(&scene, &skin, &[], &start, &[&end])
                .map_or(true, |bytes| check_animation(&bytes, vertices, triangles, 1).is_err())
        );
    }
}
