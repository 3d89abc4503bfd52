//! From the text of a scene to a [`Scene`].

use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};

use cloth_core::bake;
use cloth_core::model::record::Backstop;

use super::file::{At, BackstopSection, MeshSection, MotionSection, OutputSection, SceneFile, SliceSection};
use super::motion::Motion;
use super::reach::Clock;
use super::shape::{self, Body, Grid, Shape};
use super::{
    AirView, Scene, SceneProblem, View, ViewSlice, air, brackets, collider, company, fabric, pins, reach,
};
use crate::error::{Error, Problem};
use crate::import::{self, ImportOptions, Unit};
use crate::inspect::{Finding, Loop};

/// Where the files are that a scene names.
pub(super) enum Files<'a> {
    /// In this folder, or relative to it.
    Folder(&'a Path),
    /// In the program.
    Bundled(&'a [(&'a str, &'a [u8])]),
}

/// Checks values and turns complaints into errors with file, line and key.
pub(super) struct Reader<'a> {
    path: &'a str,
    text: &'a str,
}

impl Reader<'_> {
    pub(super) fn fail(
        &self,
        at: Option<Range<usize>>,
        key: &str,
        what: impl AsRef<str>,
        remedy: impl Into<String>,
    ) -> Error {
        let problem = SceneProblem { what: format!("{key}: {}", what.as_ref()), remedy: remedy.into() };
        let problem = Problem::Scene(problem);
        match at {
            Some(span) => problem.at_line(self.path, self.line(span.start)),
            None => problem.in_file(self.path),
        }
    }

    fn line(&self, offset: usize) -> usize {
        self.text.bytes().take(offset).filter(|byte| *byte == b'\n').count() + 1
    }

    pub(super) fn span_of<T>(&self, value: Option<&At<T>>) -> Option<Range<usize>> {
        value.map(At::span)
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "rounding is wanted; ranges are checked by the caller"
    )]
    pub(super) fn narrow(&self, value: f64) -> f32 {
        value as f32
    }

    pub(super) fn number(
        &self,
        key: &str,
        value: Option<&At<f64>>,
        range: RangeInclusive<f64>,
        default: f64,
    ) -> Result<f64, Error> {
        let Some(value) = value else { return Ok(default) };
        let number = *value.get_ref();
        if range.contains(&number) {
            return Ok(number);
        }
        let what = format!("must lie between {} and {}, it is {number}", range.start(), range.end());
        Err(self.fail(Some(value.span()), key, what, "change the value, or leave the key out"))
    }

    pub(super) fn count(
        &self,
        key: &str,
        value: Option<&At<i64>>,
        range: RangeInclusive<u32>,
        default: u32,
    ) -> Result<u32, Error> {
        let Some(value) = value else { return Ok(default) };
        match u32::try_from(*value.get_ref()) {
            Ok(number) if range.contains(&number) => Ok(number),
            _ => {
                let what = format!(
                    "must be a whole number from {} to {}, it is {}",
                    range.start(),
                    range.end(),
                    value.get_ref()
                );
                Err(self.fail(Some(value.span()), key, what, "change the value, or leave the key out"))
            }
        }
    }

    /// Refuses keys that mean nothing here: a value that is not read would mislead.
    pub(super) fn only<const N: usize>(
        &self,
        section: &str,
        what: &str,
        keys: &[&str],
        written: [(&str, Option<Range<usize>>); N],
    ) -> Result<(), Error> {
        match written.into_iter().find(|(key, span)| span.is_some() && !keys.contains(key)) {
            Some((key, span)) => Err(self.fail(
                span,
                &format!("{section}.{key}"),
                format!("means nothing for {what}"),
                format!("leave it out; {what} has the keys {}", keys.join(", ")),
            )),
            None => Ok(()),
        }
    }

    pub(super) fn vector(&self, key: &str, value: Option<&At<[f64; 3]>>) -> Result<Option<[f64; 3]>, Error> {
        let Some(value) = value else { return Ok(None) };
        if value.get_ref().iter().all(|component| (-1e6..=1e6).contains(component)) {
            return Ok(Some(*value.get_ref()));
        }
        let what = "has a component that is not a number within ±1000000";
        Err(self.fail(Some(value.span()), key, what, "write three numbers: [0.0, 1.0, 0.0]"))
    }

    /// Half of what a box measures (m).
    pub(super) fn extents(
        &self,
        key: &str,
        value: &At<[f64; 3]>,
        range: RangeInclusive<f64>,
    ) -> Result<[f32; 3], Error> {
        if let Some(bad) = value.get_ref().iter().find(|extent| !range.contains(extent)) {
            let what = format!("{bad} must lie between {} and {}", range.start(), range.end());
            let remedy = "write half of what it measures along X, Y and Z, each above 0";
            return Err(self.fail(Some(value.span()), key, what, remedy));
        }
        Ok(value.get_ref().map(|extent| self.narrow(extent)))
    }

    pub(super) fn axis(&self, key: &str, value: &At<[f64; 3]>) -> Result<[f64; 3], Error> {
        let axis = self.vector(key, Some(value))?.unwrap_or_default();
        if super::motion::length(axis) >= 1e-6 {
            return Ok(axis);
        }
        Err(self.fail(Some(value.span()), key, "has no direction", "for example [1, 0, 0] for the X axis"))
    }
}

pub(super) fn scene(name: &str, path: &str, text: &str, files: &Files<'_>) -> Result<Scene, Error> {
    let reader = Reader { path, text };
    brackets::check(&reader, text)?;
    let file: SceneFile = toml::from_str(text).map_err(|error| syntax(&reader, &error))?;
    let run = file.run.unwrap_or_default();
    let output = file.output.unwrap_or_default();

    let weld = match &file.mesh.get_ref().weld {
        Some(_) => Some(reader.narrow(reader.number(
            "mesh.weld",
            file.mesh.get_ref().weld.as_ref(),
            0.0..=1e3,
            0.0,
        )?)),
        None => None,
    };
    let (shape, mesh_path) = mesh(&reader, &file.mesh, files)?;
    let mut loops = Vec::new();
    if let Body::Surface(surface) = &shape.body {
        let facts = bake::inspect(&surface.positions, &surface.triangles, weld);
        if let Some(defect) = facts.fatal() {
            return Err(Finding::new(surface, defect).into_error(mesh_path.as_deref().unwrap_or(path)));
        }
        loops = facts.boundary_loops.into_iter().map(|vertices| Loop::new(surface, vertices)).collect();
    }
    let pins = match &file.pins {
        Some(section) => pins::resolve(&reader, section, &shape, &loops)?,
        None => Vec::new(),
    };
    let fabric = fabric::resolve(&reader, "fabric", &file.fabric, &run, &shape.body)?;
    let clock = Clock {
        frames: reader.count("run.frames", run.frames.as_ref(), 1..=100_000, 300)?,
        fps: reader.number("run.fps", run.fps.as_ref(), 1.0..=10_000.0, 60.0)?,
    };
    let motion = motion(&reader, file.motion.as_ref(), pins.is_empty())?;
    if let Some(section) = &file.motion {
        let corners = reach::corners(shape.body.positions());
        clock.check(&reader, "motion", section.get_ref(), &motion, "a vertex", &corners)?;
    }
    let gravity = reader.vector("run.gravity", run.gravity.as_ref())?.unwrap_or([0.0, -9.81, 0.0]);
    let moves_anchor = moves_anchor(&reader, file.motion.as_ref())?;
    let anchor = moves_anchor.then_some(&motion);
    let (colliders, shapes) = collider::resolve(&reader, &file.collider, files, &clock, anchor)?;
    let scene = Scene {
        name: name.into(),
        path: path.into(),
        mesh_path,
        backstop: backstop(&reader, file.backstop.as_ref(), &shape.body)?,
        body: shape.body,
        weld,
        pins,
        fabric,
        motion,
        moves_anchor,
        colliders,
        copies: company::copies(&reader, file.copies.as_ref())?,
        nested: Vec::new(),
        ropes: Vec::new(),
        shapes,
        air: air::resolve(
            &reader,
            &clock,
            &air::Written { wind: file.wind.as_ref(), zones: &file.zone, fluids: &file.fluid },
        )?,
        sleep: run.sleep.unwrap_or(true),
        frames: clock.frames,
        fps: clock.fps,
        gravity: gravity.map(|component| reader.narrow(component)),
        view: view(&reader, &output)?,
    };
    let nested = company::nested(&reader, &file.nested, &scene)?;
    let scene = Scene { nested, ..scene };
    let ropes = company::ropes(&reader, &file.rope, &run, &scene)?;
    Ok(Scene { ropes, ..scene })
}

/// A complaint of the TOML parser in our words.
fn syntax(reader: &Reader<'_>, error: &toml::de::Error) -> Error {
    let mut what = error.message().trim().replace('\n', ", ");
    for name in [
        "Mesh", "Pins", "Fabric", "Motion", "Collider", "Copies", "Nested", "Rope", "Backstop", "Wind",
        "Zone", "Fluid", "Run", "Output", "Key", "Rotation", "Swing", "Slice",
    ] {
        let place = match name {
            "Key" | "Rotation" | "Swing" | "Slice" => "keys in braces, { name = value, … }".to_owned(),
            "Collider" | "Nested" | "Rope" | "Zone" | "Fluid" => {
                format!("sections, [[{}]]", name.to_ascii_lowercase())
            }
            _ => format!("a section, [{}]", name.to_ascii_lowercase()),
        };
        what = what.replace(&format!("struct {name}Section"), &place);
    }
    for (theirs, ours) in [
        ("unknown field", "unknown key"),
        ("missing field", "missing key or section"),
        ("expected f64", "expected a number"),
        ("expected i64", "expected a whole number"),
        ("an array of length 3", "a list of three numbers"),
        ("an array of length 2", "a list of two numbers"),
        ("expected a sequence", "expected a list"),
    ] {
        what = what.replace(theirs, ours);
    }
    let remedy = "keys are written `name = value`, texts in \"quotes\"; docs/scene-format.md lists every key";
    let at_line = error.span().map(|span| reader.line(span.start));
    let quoted = at_line.and_then(|line| reader.text.lines().nth(line - 1)).map(str::trim);
    if let Some(line) = quoted.filter(|line| !line.is_empty()) {
        const SHOWN: usize = 80;
        let cut = if line.chars().count() > SHOWN { "…" } else { "" };
        let line: String = line.chars().take(SHOWN).collect();
        what = format!("{what}, at `{line}{cut}`");
    }
    let problem = Problem::Scene(SceneProblem { what, remedy: remedy.into() });
    match at_line {
        Some(line) => problem.at_line(reader.path, line),
        None => problem.in_file(reader.path),
    }
}

fn mesh(
    reader: &Reader<'_>,
    section: &At<MeshSection>,
    files: &Files<'_>,
) -> Result<(Shape, Option<String>), Error> {
    let span = section.span();
    let section = section.get_ref();
    match (&section.file, &section.kind) {
        (Some(file), None) => {
            only(reader, section, "a mesh from a file", &["file", "part", "unit", "scale", "weld"])?;
            let keys = FileKeys {
                section: "mesh",
                file,
                unit: section.unit.as_ref(),
                part: section.part.as_ref(),
                scale: reader.number("mesh.scale", section.scale.as_ref(), 1e-9..=1e9, 1.0)?,
            };
            let (surface, path) = load(reader, &keys, files)?;
            Ok((Shape { body: Body::Surface(surface), edges: Vec::new() }, Some(path)))
        }
        (None, Some(kind)) => Ok((made(reader, section, kind)?, None)),
        (file, _) => {
            let what = if file.is_some() { "has both file and kind" } else { "has neither file nor kind" };
            let remedy = "write file = \"name.obj\" for a mesh, or kind = \"sheet\", \"flag\", \"cape\", \"rope\" or \"strips\"";
            Err(reader.fail(Some(span), "mesh", what, remedy))
        }
    }
}

/// A mesh file that a section names.
pub(super) struct FileKeys<'a> {
    /// The section, for complaints.
    pub section: &'a str,
    pub file: &'a At<String>,
    pub unit: Option<&'a At<String>>,
    pub part: Option<&'a At<String>>,
    /// A factor on top of the unit.
    pub scale: f64,
}

/// The surface in a mesh file, and the file's path for messages.
pub(super) fn load(
    reader: &Reader<'_>,
    keys: &FileKeys<'_>,
    files: &Files<'_>,
) -> Result<(import::Surface, String), Error> {
    let unit = match keys.unit {
        Some(unit) => unit.get_ref().parse().map_err(|what: String| {
            let key = format!("{}.unit", keys.section);
            reader.fail(Some(unit.span()), &key, what, "it is the unit the mesh was modelled in")
        })?,
        None => Unit::Metre,
    };
    let part = keys.part.map(|part| part.get_ref().clone());
    let options = ImportOptions { unit, scale: keys.scale, part };
    let name = keys.file.get_ref();
    let path: PathBuf;
    let (bytes, folder) = match files {
        Files::Bundled(bundled) => {
            path = PathBuf::from(name);
            (bundled.iter().find(|(bundled, _)| bundled == name).map(|(_, bytes)| Ok(bytes.to_vec())), None)
        }
        Files::Folder(folder) => {
            path = folder.join(name);
            (Some(std::fs::read(&path)), path.parent())
        }
    };
    let bytes = bytes.unwrap_or_else(|| Err(std::io::ErrorKind::NotFound.into())).map_err(|error| {
        let what = format!("{} cannot be read: {error}", path.display());
        let remedy = "a path counts from the folder of the scene file";
        reader.fail(Some(keys.file.span()), &format!("{}.file", keys.section), what, remedy)
    })?;
    let shown = path.display().to_string();
    Ok((import::parse_mesh(&shown, &bytes, folder, &options)?, shown))
}

fn made(reader: &Reader<'_>, section: &MeshSection, kind: &At<String>) -> Result<Shape, Error> {
    let size = |key: &str, value: &Option<At<f64>>, default| {
        reader.number(&format!("mesh.{key}"), value.as_ref(), 1e-3..=1e4, default)
    };
    let cells = |key: &str, value: &Option<At<i64>>, default| {
        reader.count(&format!("mesh.{key}"), value.as_ref(), 1..=1000, default)
    };
    let grid = |width, height, columns, rows| {
        Ok(Grid {
            width: size("width", &section.width, width)?,
            height: size("height", &section.height, height)?,
            columns: cells("columns", &section.columns, columns)?,
            rows: cells("rows", &section.rows, rows)?,
        })
    };
    let grid_keys = ["kind", "width", "height", "columns", "rows", "weld"];
    match kind.get_ref().as_str() {
        "sheet" => {
            only(reader, section, "a sheet", &grid_keys)?;
            Ok(grid(1.0, 1.0, 32, 32)?.sheet())
        }
        "flag" => {
            only(reader, section, "a flag", &grid_keys)?;
            Ok(grid(1.5, 1.0, 45, 30)?.flag())
        }
        "cape" => {
            let keys = ["kind", "width", "height", "columns", "rows", "flare", "weld"];
            only(reader, section, "a cape", &keys)?;
            let flare = reader.number("mesh.flare", section.flare.as_ref(), 0.1..=10.0, 1.6)?;
            Ok(grid(0.7, 1.2, 30, 44)?.cape(flare))
        }
        "rope" => {
            only(reader, section, "a rope", &["kind", "length", "links", "direction", "sag"])?;
            let direction = match &section.direction {
                Some(direction) => reader.axis("mesh.direction", direction)?,
                None => [1.0, 0.0, 0.0],
            };
            let links = reader.count("mesh.links", section.links.as_ref(), 1..=10_000, 30)?;
            let sag = reader.number("mesh.sag", section.sag.as_ref(), 0.0..=1e4, 0.0)?;
            Ok(shape::rope(size("length", &section.length, 1.5)?, links, direction, sag))
        }
        "strips" => {
            only(reader, section, "strips", &["kind", "width", "height", "columns", "rows"])?;
            let (columns, rows) = (
                cells("columns", &section.columns, 5)?,
                reader.count("mesh.rows", section.rows.as_ref(), 2..=1000, 7)?,
            );
            Ok(shape::strips(
                size("width", &section.width, 0.34)?,
                size("height", &section.height, 0.48)?,
                columns,
                rows,
            ))
        }
        other => {
            let what = format!("there is no kind \"{other}\"");
            Err(reader.fail(
                Some(kind.span()),
                "mesh.kind",
                what,
                "write \"sheet\", \"flag\", \"cape\", \"rope\" or \"strips\"",
            ))
        }
    }
}

/// Refuses keys of `[mesh]` that mean nothing for this kind of cloth.
fn only(reader: &Reader<'_>, section: &MeshSection, what: &str, keys: &[&str]) -> Result<(), Error> {
    let written = [
        ("file", reader.span_of(section.file.as_ref())),
        ("part", reader.span_of(section.part.as_ref())),
        ("unit", reader.span_of(section.unit.as_ref())),
        ("scale", reader.span_of(section.scale.as_ref())),
        ("weld", reader.span_of(section.weld.as_ref())),
        ("kind", reader.span_of(section.kind.as_ref())),
        ("width", reader.span_of(section.width.as_ref())),
        ("height", reader.span_of(section.height.as_ref())),
        ("columns", reader.span_of(section.columns.as_ref())),
        ("rows", reader.span_of(section.rows.as_ref())),
        ("flare", reader.span_of(section.flare.as_ref())),
        ("length", reader.span_of(section.length.as_ref())),
        ("links", reader.span_of(section.links.as_ref())),
        ("direction", reader.span_of(section.direction.as_ref())),
        ("sag", reader.span_of(section.sag.as_ref())),
    ];
    reader.only("mesh", what, keys, written)
}

fn motion(reader: &Reader<'_>, section: Option<&At<MotionSection>>, no_pins: bool) -> Result<Motion, Error> {
    let Some(section) = section else { return Ok(Motion::default()) };
    if no_pins {
        let remedy = "add a [pins] section, for example loop = \"top\"";
        return Err(reader.fail(
            Some(section.span()),
            "motion",
            "moves the pins, and there are none",
            remedy,
        ));
    }
    super::motion::resolve(reader, "motion", section.get_ref())
}

/// Whether a motion moves the cloth's anchor, and not its pins alone.
fn moves_anchor(reader: &Reader<'_>, section: Option<&At<MotionSection>>) -> Result<bool, Error> {
    let Some(moves) = section.and_then(|section| section.get_ref().moves.as_ref()) else { return Ok(false) };
    match moves.get_ref().as_str() {
        "anchor" => Ok(true),
        "pins" => Ok(false),
        other => {
            let what = format!("\"{other}\" is nothing that moves");
            Err(reader.fail(Some(moves.span()), "motion.moves", what, "write \"pins\" or \"anchor\""))
        }
    }
}

/// The backstop of every vertex; a scene has one for all.
fn backstop(
    reader: &Reader<'_>,
    section: Option<&At<BackstopSection>>,
    body: &Body,
) -> Result<Option<Backstop>, Error> {
    let Some(section) = section else { return Ok(None) };
    if matches!(body, Body::Chain { .. }) {
        let what = "stands behind a surface, and this cloth is a rope";
        return Err(reader.fail(Some(section.span()), "backstop", what, "leave the section out"));
    }
    let (distance, radius) = (&section.get_ref().distance, &section.get_ref().radius);
    Ok(Some(Backstop {
        distance: reader.narrow(reader.number("backstop.distance", distance.as_ref(), -1e3..=1e3, 0.0)?),
        radius: match radius {
            Some(_) => reader.narrow(reader.number("backstop.radius", radius.as_ref(), 1e-3..=1e6, 0.0)?),
            None => f32::INFINITY,
        },
    }))
}

fn view(reader: &Reader<'_>, section: &OutputSection) -> Result<View, Error> {
    let default = View::default();
    let colour = match &section.colour {
        Some(text) => colour(text.get_ref()).ok_or_else(|| {
            let what = format!("\"{}\" is no colour", text.get_ref());
            reader.fail(Some(text.span()), "output.colour", what, "write it as in web pages: \"#b84a3c\"")
        })?,
        None => default.colour,
    };
    let view = View {
        azimuth: reader.number(
            "output.azimuth",
            section.azimuth.as_ref(),
            -360.0..=360.0,
            default.azimuth,
        )?,
        elevation: reader.number(
            "output.elevation",
            section.elevation.as_ref(),
            -89.0..=89.0,
            default.elevation,
        )?,
        columns: reader.count("output.columns", section.columns.as_ref(), 1..=10, default.columns)?,
        rows: reader.count("output.rows", section.rows.as_ref(), 1..=10, default.rows)?,
        tile: reader.count("output.tile", section.tile.as_ref(), 64..=2000, default.tile)?,
        colour,
        air: air_view(reader, section.air.as_ref())?,
        slice: match &section.slice {
            Some(slice) => Some(view_slice(reader, slice.get_ref())?),
            None => None,
        },
    };
    check_size(reader, section, &view)?;
    Ok(view)
}

/// Refuses pictures that would not fit the memory of a usual machine: drawing takes 16 bytes a sample.
fn check_size(reader: &Reader<'_>, section: &OutputSection, view: &View) -> Result<(), Error> {
    const MOST: u64 = 64_000_000;
    // Nine samples a pixel, and a height of up to 1.4 widths.
    let samples =
        |tile: u32| u64::from(view.columns * view.rows) * u64::from(tile) * u64::from(tile) * 126 / 10;
    if samples(view.tile) <= MOST {
        return Ok(());
    }
    let written = [("tile", &section.tile), ("columns", &section.columns), ("rows", &section.rows)];
    let (key, at) = written.into_iter().find(|(_, value)| value.is_some()).unwrap_or(written[0]);
    let largest = (64..view.tile).rev().find(|tile| samples(*tile) <= MOST).unwrap_or(64);
    let what = format!(
        "{} x {} pictures of {} pixels are {} million samples, at most {} can be drawn",
        view.columns,
        view.rows,
        view.tile,
        samples(view.tile) / 1_000_000,
        MOST / 1_000_000
    );
    let remedy = format!("write tile = {largest}, or fewer columns and rows");
    Err(reader.fail(reader.span_of(at.as_ref()), &format!("output.{key}"), what, remedy))
}

/// `#rrggbb`.
fn colour(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
    let channel = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).ok();
    Some([channel(0)?, channel(2)?, channel(4)?])
}

/// How pictures show the air.
fn air_view(reader: &Reader<'_>, written: Option<&At<String>>) -> Result<AirView, Error> {
    let Some(written) = written else { return Ok(AirView::default()) };
    match written.get_ref().as_str() {
        "lines" => Ok(AirView::Lines),
        "arrows" => Ok(AirView::Arrows),
        "none" => Ok(AirView::None),
        other => {
            let what = format!("\"{other}\" is no way to show it");
            let remedy = "write \"lines\", \"arrows\" or \"none\"";
            Err(reader.fail(Some(written.span()), "output.air", what, remedy))
        }
    }
}

/// Where they show it.
fn view_slice(reader: &Reader<'_>, section: &SliceSection) -> Result<ViewSlice, Error> {
    let name = section.axis.get_ref().as_str();
    let Some(axis) = ["x", "y", "z"].iter().position(|axis| *axis == name) else {
        let what = format!("\"{name}\" is no axis");
        let remedy = "write \"x\", \"y\" or \"z\": the axis that the slice is across";
        return Err(reader.fail(Some(section.axis.span()), "output.slice.axis", what, remedy));
    };
    let at = match &section.at {
        Some(_) => Some(reader.number("output.slice.at", section.at.as_ref(), -1e6..=1e6, 0.0)?),
        None => None,
    };
    Ok(ViewSlice { axis, at })
}
