//! The scene file as it is written: one struct a section, every value with its place in the text.

use serde::Deserialize;
use toml::{Spanned, Value};

/// A value with its place.
pub type At<T> = Spanned<T>;

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneFile {
    pub mesh: At<MeshSection>,
    pub pins: Option<PinsSection>,
    #[serde(default)]
    pub fabric: FabricSection,
    pub motion: Option<At<MotionSection>>,
    #[serde(default)]
    pub collider: Vec<At<ColliderSection>>,
    pub copies: Option<At<CopiesSection>>,
    #[serde(default)]
    pub nested: Vec<At<NestedSection>>,
    #[serde(default)]
    pub rope: Vec<At<RopeSection>>,
    pub backstop: Option<At<BackstopSection>>,
    pub wind: Option<WindSection>,
    #[serde(default)]
    pub zone: Vec<At<ZoneSection>>,
    #[serde(default)]
    pub fluid: Vec<At<FluidSection>>,
    pub run: Option<RunSection>,
    pub output: Option<OutputSection>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeshSection {
    pub file: Option<At<String>>,
    pub part: Option<At<String>>,
    pub unit: Option<At<String>>,
    pub scale: Option<At<f64>>,
    pub weld: Option<At<f64>>,
    pub kind: Option<At<String>>,
    pub width: Option<At<f64>>,
    pub height: Option<At<f64>>,
    pub columns: Option<At<i64>>,
    pub rows: Option<At<i64>>,
    pub flare: Option<At<f64>>,
    pub length: Option<At<f64>>,
    pub links: Option<At<i64>>,
    pub direction: Option<At<[f64; 3]>>,
    pub sag: Option<At<f64>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CopiesSection {
    pub count: At<i64>,
    pub columns: Option<At<i64>>,
    pub spacing: Option<At<[f64; 2]>>,
    pub delay: Option<At<f64>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NestedSection {
    pub vertices: At<Vec<i64>>,
    pub length: Option<At<f64>>,
    pub links: Option<At<i64>>,
    pub direction: Option<At<[f64; 3]>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RopeSection {
    pub position: At<[f64; 3]>,
    pub length: Option<At<f64>>,
    pub links: Option<At<i64>>,
    pub direction: Option<At<[f64; 3]>>,
    pub fabric: Option<FabricSection>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PinsSection {
    #[serde(rename = "loop")]
    pub boundary: Option<At<Value>>,
    pub above: Option<At<Value>>,
    pub below: Option<At<Value>>,
    pub edge: Option<At<Value>>,
    pub vertices: Option<At<Vec<i64>>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FabricSection {
    pub name: Option<At<String>>,
    pub density: Option<At<f64>>,
    pub slack: Option<At<f64>>,
    pub stretch: Option<At<f64>>,
    pub bend: Option<At<f64>>,
    pub stiff_bend: Option<At<bool>>,
    pub skip: Option<At<f64>>,
    pub inertia: Option<At<f64>>,
    pub damping: Option<At<f64>>,
    pub drag: Option<At<f64>>,
    pub lift: Option<At<f64>>,
    pub thickness: Option<At<f64>>,
    pub self_contact: Option<At<bool>>,
    pub strain_limit: Option<At<bool>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MotionSection {
    pub moves: Option<At<String>>,
    pub pivot: Option<At<[f64; 3]>>,
    pub interpolation: Option<At<String>>,
    #[serde(default)]
    pub keys: Vec<KeySection>,
    pub loop_from: Option<At<f64>>,
    pub swing: Option<At<SwingSection>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeySection {
    pub time: At<f64>,
    pub translation: Option<At<[f64; 3]>>,
    pub rotation: Option<RotationSection>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RotationSection {
    pub axis: At<[f64; 3]>,
    pub degrees: At<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SwingSection {
    pub axis: At<[f64; 3]>,
    pub amplitude: At<f64>,
    pub frequency: At<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ColliderSection {
    pub shape: At<String>,
    pub name: Option<At<String>>,
    pub radius: Option<At<f64>>,
    pub half_height: Option<At<f64>>,
    pub lower_radius: Option<At<f64>>,
    pub upper_radius: Option<At<f64>>,
    pub half_extents: Option<At<[f64; 3]>>,
    pub file: Option<At<String>>,
    pub part: Option<At<String>>,
    pub unit: Option<At<String>>,
    pub cell: Option<At<f64>>,
    pub heights: Option<At<Vec<Vec<f64>>>>,
    pub holes: Option<At<Vec<[i64; 2]>>>,
    pub scale: Option<At<f64>>,
    pub position: Option<At<[f64; 3]>>,
    pub rotation: Option<RotationSection>,
    pub motion: Option<MotionSection>,
    pub worn: Option<bool>,
    pub friction: Option<At<f64>>,
    pub inflation: Option<At<f64>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WindSection {
    pub velocity: Option<At<[f64; 3]>>,
    pub gust: Option<At<[f64; 3]>>,
    pub period: Option<At<f64>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ZoneSection {
    pub shape: At<String>,
    pub half_extents: Option<At<[f64; 3]>>,
    pub radius: Option<At<f64>>,
    pub position: Option<At<[f64; 3]>>,
    pub rotation: Option<RotationSection>,
    pub motion: Option<MotionSection>,
    pub velocity: Option<At<[f64; 3]>>,
    pub turbulence: Option<At<f64>>,
    pub eddy: Option<At<f64>>,
    pub falloff: Option<At<f64>>,
    pub blend: Option<At<String>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FluidSection {
    pub half_extents: At<[f64; 3]>,
    pub cell: Option<At<f64>>,
    pub position: Option<At<[f64; 3]>>,
    pub rotation: Option<RotationSection>,
    pub motion: Option<MotionSection>,
    pub prevailing: Option<At<[f64; 3]>>,
    pub relaxation: Option<At<f64>>,
    pub damping: Option<At<f64>>,
    pub confinement: Option<At<f64>>,
    pub border: Option<At<f64>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BackstopSection {
    pub distance: Option<At<f64>>,
    pub radius: Option<At<f64>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunSection {
    pub frames: Option<At<i64>>,
    pub fps: Option<At<f64>>,
    pub gravity: Option<At<[f64; 3]>>,
    pub substeps: Option<At<i64>>,
    pub iterations: Option<At<i64>>,
    pub sleep: Option<bool>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputSection {
    pub azimuth: Option<At<f64>>,
    pub elevation: Option<At<f64>>,
    pub columns: Option<At<i64>>,
    pub rows: Option<At<i64>>,
    pub tile: Option<At<i64>>,
    pub colour: Option<At<String>>,
    pub air: Option<At<String>>,
    pub slice: Option<At<SliceSection>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SliceSection {
    pub axis: At<String>,
    pub at: Option<At<f64>>,
}
