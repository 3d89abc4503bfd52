//! The `[[collider]]` sections: what the cloth meets.

use std::collections::BTreeSet;

use cloth_core::Vec3;
use cloth_core::bake::shapes::{Heights, ShapeError, Shapes, hull_polygons};
use cloth_core::collide::{self, Collider, ColliderError, Data, Kind};

use super::SceneProblem;
use super::company::Place;
use super::file::{At, ColliderSection};
use super::motion::{self, Motion, Stand};
use super::reach::Clock;
use super::read::{FileKeys, Files, Reader, load};
use crate::error::{Error, Problem};
use crate::import::Surface;
use crate::pose::{Pose, add};

/// Most colliders of a scene: a model can be built for no more.
const MOST: usize = 256;

/// Friction where a scene says nothing (1): cotton on skin or wood.
const FRICTION: f64 = 0.5;

/// Sizes of shapes, and the width of a field's cells (m).
const SIZES: core::ops::RangeInclusive<f64> = 1e-6..=1e6;

/// Something the cloth meets.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneCollider {
    /// Its name, for messages and in the animation.
    pub name: String,
    /// Its shape as scenes call it.
    pub shape: &'static str,
    /// The record where it is when the run begins.
    pub record: Collider,
    /// Where it stands before its motion.
    pub stand: Stand,
    /// How it moves.
    pub motion: Motion,
    /// How the cloth's anchor moves that takes it along, if it is worn.
    pub carrier: Option<Motion>,
    /// Which copy's it is, where a scene has several.
    pub copy: Option<Place>,
    /// The surface of a hull, mesh or height field in its own frame, before its scale; empty for shapes with sizes.
    pub surface: Surface,
    /// What may not be meant.
    pub note: Option<String>,
}

impl SceneCollider {
    /// Where it is at a time (s).
    pub fn pose(&self, time: f64) -> collide::Pose {
        self.place(time).narrow()
    }

    /// Where it is in the world at a time (s).
    pub fn place(&self, time: f64) -> Pose {
        let time = self.copy.map_or(time, |copy| copy.time(time));
        let own = self.motion.pose(time).place_body(&self.stand);
        let there = match &self.carrier {
            Some(carrier) => carrier.pose(time).place_body(&Stand::default()).place(&own),
            None => own,
        };
        match self.copy {
            Some(copy) => Pose { translation: add(there.translation, copy.shift), ..there },
            None => there,
        }
    }

    /// Whether it never moves.
    pub fn is_still(&self) -> bool {
        self.motion.is_still() && self.carrier.as_ref().is_none_or(Motion::is_still)
    }
}

/// What scenes call a shape, its kind, and the keys that only some shapes have.
const SHAPES: [(&str, Kind, &[&str]); 10] = [
    ("sphere", Kind::Sphere, &["radius"]),
    ("capsule", Kind::Capsule, &["half_height", "radius"]),
    ("tapered-capsule", Kind::TaperedCapsule, &["half_height", "lower_radius", "upper_radius"]),
    ("box", Kind::Box, &["half_extents"]),
    ("cylinder", Kind::Cylinder, &["half_height", "radius"]),
    ("cone", Kind::Cone, &["half_height", "radius"]),
    ("plane", Kind::Plane, &[]),
    ("hull", Kind::Hull, &["file", "part", "unit"]),
    ("mesh", Kind::Mesh, &["file", "part", "unit"]),
    ("height-field", Kind::Field, &["cell", "heights", "holes"]),
];

/// Every collider of a scene, and the words of those that have some.
pub(super) fn resolve(
    reader: &Reader<'_>,
    sections: &[At<ColliderSection>],
    files: &Files<'_>,
    clock: &Clock,
    anchor: Option<&Motion>,
) -> Result<(Vec<SceneCollider>, Shapes), Error> {
    let (mut colliders, mut shapes) = (Vec::<SceneCollider>::new(), Shapes::new());
    if let Some(beyond) = sections.get(MOST) {
        let what = format!("there are {}, and a cloth can meet {MOST}", sections.len());
        return Err(reader.fail(Some(beyond.span()), "collider", what, "leave out what it never gets near"));
    }
    let written = names(reader, sections)?;
    for (handle, section) in (0..).zip(sections) {
        let mut maker = Maker { reader, section, written: &written, clock, anchor, shapes: &mut shapes };
        colliders.push(maker.collider(handle, files)?);
    }
    Ok((colliders, shapes))
}

/// The names that are written, each once and fit to be shown in a line.
fn names(reader: &Reader<'_>, sections: &[At<ColliderSection>]) -> Result<BTreeSet<String>, Error> {
    let mut names = BTreeSet::new();
    for name in sections.iter().filter_map(|section| section.get_ref().name.as_ref()) {
        let text = name.get_ref();
        let fail =
            |what: String, remedy: &str| Err(reader.fail(Some(name.span()), "collider.name", what, remedy));
        let remedy = "write a name of letters, digits and spaces, or leave the key out";
        if text.trim().is_empty() {
            return fail("is empty".into(), remedy);
        }
        // Unicode's separators of lines and paragraphs break a line as well.
        let is_control = |c: &char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
        if let Some(control) = text.chars().find(is_control) {
            return fail(format!("has a control character, {}", control.escape_default()), remedy);
        }
        if !names.insert(text.clone()) {
            let what = format!("another collider is called \"{text}\" already");
            return fail(what, "give each a name of its own, or none");
        }
    }
    Ok(names)
}

/// Makes one collider of its section.
struct Maker<'a, 'r> {
    reader: &'a Reader<'r>,
    section: &'a At<ColliderSection>,
    written: &'a BTreeSet<String>,
    clock: &'a Clock,
    /// How the cloth's anchor moves, if it does.
    anchor: Option<&'a Motion>,
    shapes: &'a mut Shapes,
}

/// A shape that is words.
struct Made {
    data: Data,
    surface: Surface,
    note: Option<String>,
}

impl Maker<'_, '_> {
    fn collider(&mut self, handle: u32, files: &Files<'_>) -> Result<SceneCollider, Error> {
        let section = self.section.get_ref();
        let wanted = section.shape.get_ref();
        let Some((shape, kind, keys)) = SHAPES.into_iter().find(|(shape, ..)| shape == wanted) else {
            let names: Vec<_> = SHAPES.iter().map(|(shape, ..)| *shape).collect();
            let what = format!("there is no shape \"{wanted}\"");
            let remedy = format!("write one of {}", names.join(", "));
            return Err(self.reader.fail(Some(section.shape.span()), "collider.shape", what, remedy));
        };
        self.only(shape, keys)?;
        let (stand, motion) = motion::of_body(
            self.reader,
            self.clock,
            "collider",
            section.position.as_ref(),
            section.rotation.as_ref(),
            section.motion.as_ref(),
        )?;
        let carrier = match (section.worn, self.anchor) {
            (Some(true), None) => {
                return Err(self.reader.fail(
                    Some(section.shape.span()),
                    "collider.worn",
                    "is true, and nothing is worn: the cloth's anchor does not move",
                    "write moves = \"anchor\" into [motion], or leave the key out",
                ));
            }
            (Some(true), anchor) => anchor.cloned(),
            _ => None,
        };
        let (record, surface, note) = self.shaped(kind, shape, files)?;
        let record = self.finished(record, handle, motion.pose(0.0).carry_body(&stand))?;
        let name = match &section.name {
            Some(name) => name.get_ref().clone(),
            None => self.free_name(format!("{shape} {handle}")),
        };
        let note = note.map(|note| format!("collider \"{name}\" {note}"));
        let made = SceneCollider { name, shape, record, stand, motion, carrier, copy: None, surface, note };
        let record = self.accepted(made.record.placed(made.pose(0.0)))?;
        Ok(SceneCollider { record, ..made })
    }

    /// A name that nobody has written: numbers of colliders differ, so that no two come to the same.
    fn free_name(&self, name: String) -> String {
        let more = (2..).map(|count: u32| format!("{name}-{count}"));
        let mut all = core::iter::once(name.clone()).chain(more);
        all.find(|name| !self.written.contains(name)).unwrap_or(name)
    }

    /// Refuses keys of other shapes.
    fn only(&self, shape: &str, own: &[&str]) -> Result<(), Error> {
        const EVERY: [&str; 7] = ["name", "scale", "position", "rotation", "motion", "friction", "inflation"];
        let (reader, section) = (self.reader, self.section.get_ref());
        let written = [
            ("radius", reader.span_of(section.radius.as_ref())),
            ("half_height", reader.span_of(section.half_height.as_ref())),
            ("lower_radius", reader.span_of(section.lower_radius.as_ref())),
            ("upper_radius", reader.span_of(section.upper_radius.as_ref())),
            ("half_extents", reader.span_of(section.half_extents.as_ref())),
            ("file", reader.span_of(section.file.as_ref())),
            ("part", reader.span_of(section.part.as_ref())),
            ("unit", reader.span_of(section.unit.as_ref())),
            ("cell", reader.span_of(section.cell.as_ref())),
            ("heights", reader.span_of(section.heights.as_ref())),
            ("holes", reader.span_of(section.holes.as_ref())),
        ];
        reader.only("collider", &format!("a {shape}"), &[own, &EVERY[..]].concat(), written)
    }

    /// A value the shape cannot do without.
    fn needed<'v, T>(&self, key: &str, shape: &str, value: &'v Option<At<T>>) -> Result<&'v At<T>, Error> {
        value.as_ref().ok_or_else(|| {
            let keys = SHAPES.iter().find(|(name, ..)| *name == shape).map_or(&[][..], |(.., keys)| *keys);
            let remedy = format!("write {key} = …; its keys are {}", keys.join(", "));
            self.reader.fail(
                Some(self.section.get_ref().shape.span()),
                &format!("collider.{key}"),
                format!("is missing, and a {shape} has one"),
                remedy,
            )
        })
    }

    fn size(&self, key: &str, shape: &str, value: &Option<At<f64>>) -> Result<f32, Error> {
        let value = self.needed(key, shape, value)?;
        Ok(self.reader.narrow(self.reader.number(&format!("collider.{key}"), Some(value), SIZES, 0.0)?))
    }

    /// The record at the origin, with its words and its surface if it has some.
    fn shaped(
        &mut self,
        kind: Kind,
        shape: &str,
        files: &Files<'_>,
    ) -> Result<(Collider, Surface, Option<String>), Error> {
        let section = self.section.get_ref();
        let here = collide::Pose::IDENTITY;
        let half = |maker: &Self| maker.size("half_height", shape, &section.half_height);
        let radius = |maker: &Self| maker.size("radius", shape, &section.radius);
        let record = match kind {
            Kind::Sphere => Collider::sphere(radius(self)?, here),
            Kind::Capsule => Collider::capsule(half(self)?, radius(self)?, here),
            Kind::TaperedCapsule => Collider::tapered_capsule(
                half(self)?,
                self.size("lower_radius", shape, &section.lower_radius)?,
                self.size("upper_radius", shape, &section.upper_radius)?,
                here,
            ),
            Kind::Box => {
                let extents = self.needed("half_extents", shape, &section.half_extents)?;
                let half = self.reader.extents("collider.half_extents", extents, SIZES)?;
                Collider::cuboid(Vec3::from_array(half), here)
            }
            Kind::Cylinder => Collider::cylinder(half(self)?, radius(self)?, here),
            Kind::Cone => Collider::cone(half(self)?, radius(self)?, here),
            Kind::Hull | Kind::Mesh => {
                let made = self.of_file(kind, shape, files)?;
                let record = self.accepted(Collider::shaped(kind, made.data, self.shapes.words(), here))?;
                return Ok((record, made.surface, made.note));
            }
            Kind::Field => {
                let made = self.field(shape)?;
                let record = self.accepted(Collider::shaped(kind, made.data, self.shapes.words(), here))?;
                return Ok((record, made.surface, made.note));
            }
            _ => Collider::plane(here),
        };
        Ok((self.accepted(record)?, Surface::default(), None))
    }

    /// What core still refuses, where the section stands.
    fn accepted(&self, result: Result<Collider, ColliderError>) -> Result<Collider, Error> {
        result.map_err(|error| {
            let remedy = "change the value, or leave the key out";
            self.reader.fail(Some(self.section.get_ref().shape.span()), "collider", error.to_string(), remedy)
        })
    }

    /// Scaled, placed, with what contacts need to know.
    fn finished(&self, record: Collider, handle: u32, pose: collide::Pose) -> Result<Collider, Error> {
        let (reader, section) = (self.reader, self.section.get_ref());
        let scale = reader.number("collider.scale", section.scale.as_ref(), 1e-6..=1e6, 1.0)?;
        let friction = reader.number("collider.friction", section.friction.as_ref(), 0.0..=1e6, FRICTION)?;
        let inflation = reader.number("collider.inflation", section.inflation.as_ref(), 0.0..=1e3, 0.0)?;
        let made = record
            .scaled(Vec3::splat(reader.narrow(scale)))
            .and_then(|record| record.touching(reader.narrow(friction), reader.narrow(inflation)))
            .and_then(|record| record.placed(pose));
        Ok(self.accepted(made)?.known(handle, u32::MAX, u32::MAX))
    }

    fn of_file(&mut self, kind: Kind, shape: &str, files: &Files<'_>) -> Result<Made, Error> {
        let section = self.section.get_ref();
        let keys = FileKeys {
            section: "collider",
            file: self.needed("file", shape, &section.file)?,
            unit: section.unit.as_ref(),
            part: section.part.as_ref(),
            scale: 1.0,
        };
        let (surface, path) = load(self.reader, &keys, files)?;
        let refused = |error| refused(&path, &surface, error);
        if kind == Kind::Mesh {
            let (data, report) = self.shapes.mesh(&surface.positions, &surface.triangles).map_err(refused)?;
            let note = report.is_open().then(|| {
                format!(
                    "is an open mesh: {} of its edges are borders, and nothing is inside behind them",
                    report.borders
                )
            });
            return Ok(Made { data, surface, note });
        }
        let data = self.shapes.hull(&surface.positions).map_err(refused)?;
        let polygons = hull_polygons(&surface.positions).map_err(refused)?;
        let fans = polygons.iter().flat_map(|polygon| {
            let (first, rest) = polygon.split_first().map_or((0, &[][..]), |(first, rest)| (*first, rest));
            rest.windows(2).map(move |pair| [first, pair[0], pair[1]]).collect::<Vec<_>>()
        });
        let triangles = fans.collect();
        Ok(Made { data, surface: Surface { triangles, ..surface }, note: None })
    }

    fn field(&mut self, shape: &str) -> Result<Made, Error> {
        let (reader, section) = (self.reader, self.section.get_ref());
        let heights = self.needed("heights", shape, &section.heights)?;
        let cell = self.size("cell", shape, &section.cell)?;
        let fail =
            |what: String, remedy: &str| reader.fail(Some(heights.span()), "collider.heights", what, remedy);
        let rows = heights.get_ref();
        let columns = rows.first().map_or(0, Vec::len);
        if rows.len() < 2 || columns < 2 {
            let what = format!("{} rows of {columns} are no field", rows.len());
            return Err(fail(what, "write two rows or more of two heights or more: [[0, 0], [0, 0.1]]"));
        }
        for (index, row) in rows.iter().enumerate() {
            if row.len() != columns {
                let what =
                    format!("row {index} (counted from 0) has {} heights, row 0 has {columns}", row.len());
                return Err(fail(what, "write as many heights in each row"));
            }
            if let Some(bad) = row.iter().find(|height| !(-1e6..=1e6).contains(*height)) {
                let what = format!("{bad} in row {index} (counted from 0) is no height within ±1000000");
                return Err(fail(what, "heights are metres"));
            }
        }
        let holes = self.holes(columns - 1, rows.len() - 1)?;
        let flat: Vec<f32> = rows.iter().flatten().map(|height| reader.narrow(*height)).collect();
        let vertices = [columns, rows.len()].map(|count| u32::try_from(count).unwrap_or(u32::MAX));
        let given = Heights { vertices, cell, heights: &flat, holes: &holes };
        let data = self
            .shapes
            .field(&given)
            .map_err(|error| fail(error.to_string(), "change the heights, or the holes"))?;
        Ok(Made { data, surface: field_surface(&given), note: None })
    }

    /// Which cells are holes; none if none is named.
    fn holes(&self, columns: usize, rows: usize) -> Result<Vec<bool>, Error> {
        let Some(named) = &self.section.get_ref().holes else { return Ok(Vec::new()) };
        let mut holes = vec![false; columns * rows];
        for [column, row] in named.get_ref() {
            let within =
                |index: &i64, count: usize| usize::try_from(*index).ok().filter(|index| *index < count);
            match (within(column, columns), within(row, rows)) {
                (Some(column), Some(row)) => holes[column + row * columns] = true,
                _ => {
                    let what = format!("there is no cell [{column}, {row}] among {columns} × {rows}");
                    let remedy = "write [column, row], counted from 0: along X, along Z";
                    return Err(self.reader.fail(Some(named.span()), "collider.holes", what, remedy));
                }
            }
        }
        Ok(holes)
    }
}

/// The triangles of a height field: cells are split from the corner of least to that of greatest X and Z, as core does.
fn field_surface(field: &Heights<'_>) -> Surface {
    let [columns, rows] = field.vertices;
    let grid = (0..rows).flat_map(|row| (0..columns).map(move |column| [column, row]));
    #[expect(clippy::cast_precision_loss, reason = "fields have far fewer cells than 2²⁴")]
    let positions = grid
        .zip(field.heights)
        .map(|([column, row], height)| [column as f32 * field.cell, *height, row as f32 * field.cell])
        .collect();
    let cells = (0..rows - 1).flat_map(|row| (0..columns - 1).map(move |column| [column, row]));
    let is_hole = |index: usize| field.holes.get(index).copied().unwrap_or(false);
    let kept = cells.enumerate().filter(|(index, _)| !is_hole(*index));
    let triangles = kept.flat_map(|(_, [column, row])| {
        let at = |right: u32, further: u32| (column + right) + (row + further) * columns;
        [[at(0, 0), at(0, 1), at(1, 1)], [at(0, 0), at(1, 1), at(1, 0)]]
    });
    Surface { triangles: triangles.collect(), positions, ..Surface::default() }
}

/// A complaint about the mesh file behind a collider, with its line where the fault has one.
fn refused(path: &str, surface: &Surface, error: ShapeError) -> Error {
    let line = match error {
        ShapeError::NonFinite { vertex } => surface.vertex_lines.get(vertex as usize),
        ShapeError::SharedEdge { triangle, .. }
        | ShapeError::Flipped { triangle, .. }
        | ShapeError::Doubled { triangle, .. }
        | ShapeError::NoSuchVertex { triangle, .. } => surface.triangle_lines.get(triangle as usize),
        _ => None,
    };
    let remedy = match error {
        ShapeError::TooMany { .. } => {
            "simplify it in the modelling program; shape = \"mesh\" takes more than a hull"
        }
        ShapeError::NoVolume | ShapeError::Unclear => "shape = \"mesh\" takes surfaces that are flat",
        ShapeError::SharedEdge { .. } => "delete the inner face, or split the pieces apart",
        ShapeError::Doubled { .. } => "delete doubled faces in the modelling program and export again",
        ShapeError::Flipped { .. } => "recalculate the normals in the modelling program and export again",
        _ => "repair it in the modelling program and export again",
    };
    let what = format!("is no collider: {error}");
    let problem = Problem::Scene(SceneProblem { what, remedy: remedy.into() });
    match line {
        Some(line) => problem.at_line(path, *line),
        None => problem.in_file(path),
    }
}
