//! Scenes: a mesh or a cloth made in code, what holds it, how it is moved, what it meets and what is to be written.
//!
//! A scene is a TOML file; `docs/scene-format.md` lists its keys. [`Scene::read`] checks everything that can be
//! checked without building the cloth, and every complaint names file, line and key.

// What is made here feeds a step.
#![cfg_attr(not(test), deny(clippy::disallowed_methods, clippy::disallowed_types))]

mod air;
mod brackets;
mod bundled;
mod collider;
mod company;
mod fabric;
mod file;
mod motion;
mod pins;
mod reach;
mod read;
mod shape;

use std::path::Path;

use cloth_core::ClothDynamics;
use cloth_core::bake::Shapes;
use cloth_core::fabric::library::{Density, Fabric};
use cloth_core::model::record::Backstop;
use thiserror::Error as ThisError;

pub use crate::trig::sin_cos;
pub use air::{SceneAir, Standing};
pub use bundled::{BUNDLED, Bundled};
pub use collider::SceneCollider;
pub use company::{Copies, Nested, Place, SceneRope};
pub use motion::{Interpolation, Key, Motion, Pose, Stand, Swing};
pub use shape::{Body, Grid, Shape, rope, strips};

use crate::error::{Error, Problem};
use crate::import::{self, Surface};

/// What is wrong with a scene file.
#[derive(Clone, Debug, PartialEq, Eq, ThisError)]
#[error("{what}")]
pub struct SceneProblem {
    /// What is wrong, with the key.
    pub what: String,
    /// What to do about it.
    pub remedy: String,
}

/// The fabric of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SceneFabric {
    /// The library fabric it starts from.
    pub name: &'static str,
    /// Its settings after the scene's overrides.
    pub dynamics: ClothDynamics,
    /// Its density after the scene's overrides.
    pub density: Density,
    /// Whether hinges are solved one by one; `None` leaves it to what merged ones carry of its stiffness.
    pub stiff_bend: Option<bool>,
}

/// How pictures show the air.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AirView {
    /// Not at all.
    None,
    /// As lines along its flow.
    #[default]
    Lines,
    /// As arrows on a grid.
    Arrows,
}

/// Where pictures show the air: on a plane across an axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewSlice {
    /// The axis: 0 is X.
    pub axis: usize,
    /// Where on it the plane is (m); the middle of what is shown if it is left out.
    pub at: Option<f64>,
}

/// How the pictures look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Where the camera stands, seen from above: 0 in front (+Z), 90 to the right (+X) (degrees).
    pub azimuth: f64,
    /// How high it stands over the horizon (degrees).
    pub elevation: f64,
    /// Pictures side by side.
    pub columns: u32,
    /// Pictures one below the other.
    pub rows: u32,
    /// Width of one picture (pixels).
    pub tile: u32,
    /// Colour of the cloth (sRGB).
    pub colour: [u8; 3],
    /// How the air is shown, where a scene has some.
    pub air: AirView,
    /// Where; across the axis that the camera looks along most, but for that of the wind, if it is left out.
    pub slice: Option<ViewSlice>,
}

impl Default for View {
    fn default() -> Self {
        Self {
            azimuth: 25.0,
            elevation: 12.0,
            columns: 4,
            rows: 3,
            tile: 400,
            colour: [0xb8, 0x4a, 0x3c],
            air: AirView::Lines,
            slice: None,
        }
    }
}

/// A scene, ready to be built.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Its name: the file's without folder and ending.
    pub name: String,
    /// The scene file as the user named it, for messages.
    pub path: String,
    /// The mesh file, if there is one, for messages.
    pub mesh_path: Option<String>,
    /// The cloth.
    pub body: Body,
    /// Vertices closer than this are joined (m).
    pub weld: Option<f32>,
    /// Vertices that are held.
    pub pins: Vec<u32>,
    /// What it is made of.
    pub fabric: SceneFabric,
    /// How its pins move.
    pub motion: Motion,
    /// How far every vertex may go behind its target, if that is limited.
    pub backstop: Option<Backstop>,
    /// Whether the cloth's anchor moves so, and its frame with it; else its pins do, in a frame that stands.
    pub moves_anchor: bool,
    /// What it meets.
    pub colliders: Vec<SceneCollider>,
    /// How often all that is there.
    pub copies: Copies,
    /// Ropes that hang from its vertices, cloths of their own.
    pub nested: Vec<Nested>,
    /// Ropes beside it, cloths of their own.
    pub ropes: Vec<SceneRope>,
    /// The words of hulls, meshes and height fields among them.
    pub shapes: Shapes,
    /// The air round it.
    pub air: SceneAir,
    /// Whether the cloth may fall asleep.
    pub sleep: bool,
    /// Steps to take.
    pub frames: u32,
    /// Steps a second (1/s).
    pub fps: f64,
    /// Gravity (m/s²).
    pub gravity: [f32; 3],
    /// How the pictures look.
    pub view: View,
}

/// What to say to a mesh where a scene is asked for: the smallest scene that has it.
fn mesh_for_scene(path: &Path) -> Error {
    let shown = path.display().to_string();
    let folder = std::path::absolute(path).ok().and_then(|path| Some(path.parent()?.display().to_string()));
    let file = path.file_name().map_or_else(|| shown.clone(), |name| name.to_string_lossy().into_owned());
    let what = "is a mesh; what is run is a scene, which says how it is held and moved".into();
    let folder = folder.map(|folder| format!(" in {folder}")).unwrap_or_default();
    let remedy = format!(
        "write this into a file my-scene.toml{folder} and run that (all keys: docs/scene-format.md):\n\n\
         [mesh]\nfile = \"{file}\"\nunit = \"m\"\n\n[pins]\nloop = \"top\"\n"
    );
    Problem::Scene(SceneProblem { what, remedy }).in_file(&shown)
}

/// The frame that is `index` of `of` parts on the way from one to another.
pub(crate) fn share(from: u32, to: u32, index: u32, of: u32) -> u32 {
    let frames = to.saturating_sub(from);
    let frame = u64::from(frames) * u64::from(index) / u64::from(of.max(1));
    from + u32::try_from(frame).unwrap_or(frames)
}

impl Scene {
    /// Reads a scene file and the mesh it names.
    ///
    /// # Errors
    /// [`Error`] names the file, the line and the key.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let shown = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|error| Problem::Read(error).in_file(&shown))?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let sound = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = sound.iter().filter(|byte| **byte == b'\n').count() + 1;
            let (what, remedy) =
                ("is not UTF-8 text here".into(), "save it as UTF-8 in a text editor".into());
            Problem::Scene(SceneProblem { what, remedy }).at_line(&shown, line)
        })?;
        let name =
            path.file_stem().map_or_else(|| "scene".into(), |stem| stem.to_string_lossy().into_owned());
        read::scene(&name, &shown, &text, &read::Files::Folder(path.parent().unwrap_or(Path::new(""))))
    }

    /// The scene a user names: a file if there is one of that name, else the bundled scene of that name.
    ///
    /// # Errors
    /// As [`Scene::read`].
    pub fn find(name: impl AsRef<Path>) -> Result<Self, Error> {
        let path = name.as_ref();
        if import::is_mesh(path) {
            return Err(mesh_for_scene(path));
        }
        if path.is_file() || path.extension().is_some() {
            return Self::read(path);
        }
        let name = path.to_string_lossy();
        Self::bundled(&name).unwrap_or_else(|| {
            let names: Vec<_> = BUNDLED.iter().map(|bundled| bundled.name).collect();
            let what = "is neither a scene file nor a bundled scene".into();
            let remedy = format!("write the path of a .toml file, or one of {}", names.join(", "));
            Err(Problem::Scene(SceneProblem { what, remedy }).in_file(&name))
        })
    }

    /// The scene that comes with the program under this name, if there is one.
    ///
    /// # Errors
    /// As [`Scene::read`]; the scenes that come with the program have no errors.
    pub fn bundled(name: &str) -> Option<Result<Self, Error>> {
        let bundled = BUNDLED.iter().find(|bundled| bundled.name == name)?;
        let shown = format!("scenes/{name}.toml");
        Some(read::scene(name, &shown, bundled.text, &read::Files::Bundled(bundled.files)))
    }

    /// The cloth of a mesh and nothing around it: what the mesh at `path` is when it is baked without a scene.
    pub fn of_mesh(path: &str, surface: Surface, weld: Option<f32>, pins: Vec<u32>, fabric: Fabric) -> Self {
        let name = Path::new(path).file_stem();
        let Fabric { name: fabric, dynamics, density } = fabric;
        Self {
            name: name.map_or_else(|| "mesh".into(), |stem| stem.to_string_lossy().into_owned()),
            path: path.into(),
            mesh_path: Some(path.into()),
            body: Body::Surface(surface),
            weld,
            pins,
            fabric: SceneFabric { name: fabric, dynamics, density, stiff_bend: None },
            motion: Motion::default(),
            backstop: None,
            moves_anchor: false,
            colliders: Vec::new(),
            copies: Copies::default(),
            nested: Vec::new(),
            ropes: Vec::new(),
            shapes: Shapes::new(),
            air: SceneAir::default(),
            sleep: true,
            frames: 1,
            fps: 60.0,
            gravity: [0.0, -9.81, 0.0],
            view: View::default(),
        }
    }

    /// The length of a step (s).
    #[expect(clippy::cast_possible_truncation, reason = "rounding is wanted; fps was checked to be in range")]
    pub fn dt(&self) -> f32 {
        (1.0 / self.fps) as f32
    }

    /// The frames between two that become pictures, rising, the first and the last among them. Fewer than asked for where there
    /// are fewer frames.
    pub fn pictures(&self, from: u32, to: u32) -> Vec<u32> {
        let count = self.view.columns * self.view.rows;
        if count == 1 {
            return vec![to];
        }
        let mut frames: Vec<u32> = (0..count).map(|index| share(from, to, index, count - 1)).collect();
        frames.dedup();
        frames
    }

    /// The time of a frame (s); frame 0 is the start.
    pub fn time(&self, frame: u32) -> f64 {
        f64::from(frame) / self.fps
    }
}
