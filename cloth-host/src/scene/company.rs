//! The `[copies]`, `[[nested]]` and `[[rope]]` sections: a scene with more than one cloth.
//!
//! Copies stand in rows and columns about the scene's origin, each with pins, motion and what it wears, and set out one after the
//! other; what is not worn is there once. A nested rope is a cloth of its own that hangs from a vertex of the scene's, which it sees as the last step left it. A rope beside it hangs from a point of the
//! world, once.

use cloth_core::NONE;

use super::collider::SceneCollider;
use super::file::{At, CopiesSection, FabricSection, NestedSection, RopeSection, RunSection};
use super::read::Reader;
use super::shape::{self, Body};
use super::{Scene, SceneFabric, fabric};
use crate::error::Error;
use crate::import::Surface;
use crate::pose::{add, narrow};

/// Most cloths of a scene.
const MOST: usize = 256;

/// How often the scene's cloth is there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Copies {
    /// How many there are, the first included.
    pub count: u32,
    /// How many stand side by side.
    pub columns: u32,
    /// From one to the next along X, and from row to row along Z (m).
    pub spacing: [f64; 2],
    /// How much later each moves than the one before (s).
    pub delay: f64,
}

impl Default for Copies {
    fn default() -> Self {
        Self { count: 1, columns: 1, spacing: [0.0; 2], delay: 0.0 }
    }
}

/// Where a copy stands, and when it moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// From where the scene says (m).
    pub shift: [f64; 3],
    /// How much later than the scene says (s).
    pub lag: f64,
}

impl Place {
    /// The time of the scene's motion at a time (s).
    pub fn time(&self, time: f64) -> f64 {
        if time > self.lag { time - self.lag } else { 0.0 }
    }
}

impl Copies {
    /// Where every copy stands; of a scene with one cloth that is where the scene says.
    pub fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let Self { count, columns, spacing: [across, along], delay } = *self;
        let wide = columns.min(count).max(1);
        let rows = count.div_ceil(wide);
        let from_middle = |index: u32, of: u32| f64::from(index) - 0.5 * f64::from(of - 1);
        (0..count).map(move |number| Place {
            shift: [from_middle(number % wide, wide) * across, 0.0, from_middle(number / wide, rows) * along],
            lag: f64::from(number) * delay,
        })
    }
}

/// A rope that hangs from a vertex of the scene's cloth.
#[derive(Clone, Debug, PartialEq)]
pub struct Nested {
    /// The vertex.
    pub vertex: u32,
    /// Where its own vertices are from there, the first being there (m).
    pub places: Vec<[f32; 3]>,
}

/// A rope that hangs from a point of the world.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneRope {
    /// The point (m).
    pub at: [f64; 3],
    /// Where its vertices are from there, the first being there (m).
    pub places: Vec<[f32; 3]>,
    /// What it is made of.
    pub fabric: SceneFabric,
}

/// The `[copies]` section.
pub(super) fn copies(reader: &Reader<'_>, section: Option<&At<CopiesSection>>) -> Result<Copies, Error> {
    let Some(section) = section.map(At::get_ref) else { return Ok(Copies::default()) };
    let most = u32::try_from(MOST).unwrap_or(u32::MAX);
    let count = reader.count("copies.count", Some(&section.count), 1..=most, 1)?;
    let spacing = match &section.spacing {
        Some(spacing) => {
            if let Some(bad) = spacing.get_ref().iter().find(|size| !(-1e3..=1e3).contains(*size)) {
                let what = format!("{bad} must lie between -1000 and 1000");
                let remedy = "write the way along X to the next copy, and along Z to the next row, in metres";
                return Err(reader.fail(Some(spacing.span()), "copies.spacing", what, remedy));
            }
            *spacing.get_ref()
        }
        None => [1.0; 2],
    };
    Ok(Copies {
        count,
        columns: reader.count("copies.columns", section.columns.as_ref(), 1..=most, count)?,
        spacing,
        delay: reader.number("copies.delay", section.delay.as_ref(), 0.0..=1e3, 0.0)?,
    })
}

/// The `[[nested]]` sections of a scene that is read but for them.
pub(super) fn nested(
    reader: &Reader<'_>,
    sections: &[At<NestedSection>],
    scene: &Scene,
) -> Result<Vec<Nested>, Error> {
    let mut all = Vec::new();
    for section in sections {
        let fail = |what: &str, remedy: &str| Err(reader.fail(Some(section.span()), "nested", what, remedy));
        let Body::Chain { positions, .. } = &scene.body else {
            return fail(
                "hangs from a vertex of a rope, and this cloth is a surface",
                "write kind = \"rope\" or \"strips\" into [mesh], or leave the section out",
            );
        };
        if !scene.pins.contains(&0) {
            return fail(
                "needs a rope whose start is held",
                "write edge = \"start\" or vertices = [0] into [pins]",
            );
        }
        if !scene.motion.is_still() && !scene.moves_anchor {
            return fail(
                "hangs from a rope whose pins move, which is not foreseen",
                "write moves = \"anchor\" into [motion]",
            );
        }
        let section = section.get_ref();
        let places = places(
            reader,
            "nested",
            section.length.as_ref(),
            section.links.as_ref(),
            section.direction.as_ref(),
        )?;
        for vertex in section.vertices.get_ref() {
            let found = u32::try_from(*vertex).ok().filter(|vertex| (*vertex as usize) < positions.len());
            let Some(vertex) = found else {
                let what = format!("there is no vertex {vertex}, the last is {}", positions.len() - 1);
                let remedy = "a rope of n links has the vertices 0 to n";
                return Err(reader.fail(Some(section.vertices.span()), "nested.vertices", what, remedy));
            };
            all.push(Nested { vertex, places: places.clone() });
        }
    }
    let count = scene.copies.count as usize * (1 + all.len());
    match sections.last() {
        Some(section) if count > MOST => {
            let what = format!("makes {count} cloths with the copies, and a scene has at most {MOST}");
            Err(reader.fail(Some(section.span()), "nested", what, "leave some out"))
        }
        _ => Ok(all),
    }
}

/// Where the vertices of a rope are from its first (m), as the section `name` writes it.
fn places(
    reader: &Reader<'_>,
    name: &str,
    length: Option<&At<f64>>,
    links: Option<&At<i64>>,
    direction: Option<&At<[f64; 3]>>,
) -> Result<Vec<[f32; 3]>, Error> {
    let length = reader.number(&format!("{name}.length"), length, 1e-3..=1e4, 0.5)?;
    let links = reader.count(&format!("{name}.links"), links, 1..=1000, 8)?;
    let direction = match direction {
        Some(direction) => reader.axis(&format!("{name}.direction"), direction)?,
        None => [0.0, -1.0, 0.0],
    };
    Ok(shape::rope(length, links, direction, 0.0).body.positions().to_vec())
}

/// The `[[rope]]` sections of a scene that is read but for them.
pub(super) fn ropes(
    reader: &Reader<'_>,
    sections: &[At<RopeSection>],
    run: &RunSection,
    scene: &Scene,
) -> Result<Vec<SceneRope>, Error> {
    let count = scene.cloths() + sections.len();
    if let Some(section) = sections.last().filter(|_| count > MOST) {
        let what = format!("makes {count} cloths with the others, and a scene has at most {MOST}");
        return Err(reader.fail(Some(section.span()), "rope", what, "leave some out"));
    }
    let rope = |section: &At<RopeSection>| {
        let section = section.get_ref();
        let places = places(
            reader,
            "rope",
            section.length.as_ref(),
            section.links.as_ref(),
            section.direction.as_ref(),
        )?;
        let parents = chain(places.len());
        let body = Body::Chain { positions: places, parents };
        let fabric = section.fabric.as_ref();
        let fabric =
            fabric::resolve(reader, "rope.fabric", fabric.unwrap_or(&FabricSection::default()), run, &body)?;
        let at = reader.vector("rope.position", Some(&section.position))?.unwrap_or_default();
        Ok(SceneRope { at, places: body.positions().to_vec(), fabric })
    };
    sections.iter().map(rope).collect()
}

/// The parents of so many vertices in a row.
fn chain(count: usize) -> Vec<u32> {
    (0..count).map(|at| at.checked_sub(1).map_or(NONE, index)).collect()
}

impl Scene {
    /// How many cloths there are.
    pub fn cloths(&self) -> usize {
        self.copies.count as usize * (1 + self.nested.len()) + self.ropes.len()
    }

    /// The scene as one: all cloths but the ropes beside them as one body, with the pins of all and what they wear. It is what
    /// pictures show; what is built and stepped is each cloth by itself.
    #[must_use]
    pub fn shown(&self) -> Self {
        if self.cloths() == 1 + self.ropes.len() {
            return self.clone();
        }
        let (mut body, mut pins, mut colliders) = (empty(&self.body), Vec::new(), Vec::new());
        for (number, place) in (1_u32..).zip(self.copies.places()) {
            let start = body_len(&body);
            pins.extend(self.pins.iter().map(|pin| pin + start));
            let moved = |at: &[f32; 3]| narrow(add(at.map(f64::from), place.shift));
            append(&mut body, &self.body, moved);
            for nested in &self.nested {
                let from = self.body.positions().get(nested.vertex as usize).copied().unwrap_or_default();
                let from = add(from.map(f64::from), place.shift);
                let parents = chain(nested.places.len());
                let rope = Body::Chain { positions: nested.places.clone(), parents };
                append(&mut body, &rope, |at| narrow(add(at.map(f64::from), from)));
            }
            let worn = self.colliders.iter().filter(|collider| collider.carrier.is_some());
            colliders.extend(worn.map(|collider| collider.copied(number, place)));
        }
        colliders.extend(self.colliders.iter().filter(|collider| collider.carrier.is_none()).cloned());
        Self { body, pins, colliders, copies: Copies::default(), nested: Vec::new(), ..self.clone() }
    }
}

impl SceneRope {
    /// Where its vertices are at the start (m).
    pub fn positions(&self) -> impl Iterator<Item = [f32; 3]> {
        self.places.iter().map(|place| narrow(add(place.map(f64::from), self.at)))
    }
}

impl SceneCollider {
    /// The collider of a copy.
    fn copied(&self, number: u32, place: Place) -> Self {
        let name = if number == 1 { self.name.clone() } else { format!("{} of {number}", self.name) };
        let copy = Self { name, copy: Some(place), ..self.clone() };
        // A place that core refuses is refused by the first step, which names the frame.
        let record = copy.record.placed(copy.pose(0.0)).unwrap_or(copy.record);
        Self { record, ..copy }
    }
}

fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(NONE)
}

fn body_len(body: &Body) -> u32 {
    index(body.positions().len())
}

/// A body of a kind without vertices.
fn empty(body: &Body) -> Body {
    match body {
        Body::Surface(_) => Body::Surface(Surface::default()),
        Body::Chain { .. } => Body::Chain { positions: Vec::new(), parents: Vec::new() },
    }
}

/// Adds a body of the same kind, its vertices moved.
fn append(to: &mut Body, body: &Body, moved: impl Fn(&[f32; 3]) -> [f32; 3]) {
    let start = body_len(to);
    match (to, body) {
        (Body::Surface(to), Body::Surface(surface)) => {
            to.positions.extend(surface.positions.iter().map(moved));
            to.triangles.extend(surface.triangles.iter().map(|corners| corners.map(|corner| corner + start)));
        }
        (Body::Chain { positions: all, parents: above }, Body::Chain { positions, parents }) => {
            all.extend(positions.iter().map(moved));
            above.extend(parents.iter().map(|parent| if *parent == NONE { NONE } else { parent + start }));
        }
        // A nested rope hangs from ropes only.
        _ => {}
    }
}
