//! The builder of models.

use super::aggregate::Facing;
use super::draft::Draft;
use super::layout::Layout;
use super::mass::Masses;
use super::measure::{area, area_vector};
use super::mesh::Survey;
use super::parts::Parts;
use super::rows::Rows;
use super::{Baked, BuildError, BuildReport, Defect, Note, Repair, chain};
use crate::Vec3;
use crate::index::len32;
use crate::math::real::{is_finite, min};
use crate::model::record::Backstop;
use crate::model::validate::{MAX_COLLIDERS, STIFFNESSES, is_backstop};
use alloc::vec::Vec;

/// Areal density of a mesh where none is given (kg/m²): a light woven fabric.
const AREAL_DENSITY: f32 = 0.15;

/// Linear density of chains where none is given (kg/m): a cord of about a centimetre.
const LINEAR_DENSITY: f32 = 0.1;

/// Colliders a step considers at a time where nothing is said.
const COLLIDERS: u32 = 64;

/// Makes a model from a triangle mesh or from chains.
///
/// *Vertex* means an index into the arrays given here. Lengths are in metres, masses in kilograms. What is
/// given more than once: pins accumulate, of anything else the last counts. Nothing is checked before
/// [`build`](Self::build).
#[derive(Clone, Debug)]
pub struct ModelBuilder {
    shape: Shape,
    pins: Vec<u32>,
    masses: Masses,
    areal_density: f32,
    linear_density: f32,
    weld: Option<f32>,
    tethers: bool,
    bend_rows: bool,
    stiff_bend: bool,
    stretch_stiffness: f32,
    row_stiffness: Vec<(u32, u32, f32)>,
    backstops: Vec<Backstop>,
    colliders: u32,
}

#[derive(Clone, Debug)]
enum Shape {
    Mesh { positions: Vec<[f32; 3]>, triangles: Vec<[u32; 3]> },
    Soup { positions: Vec<[f32; 3]> },
    Chains { positions: Vec<[f32; 3]>, parents: Vec<u32> },
}

impl ModelBuilder {
    fn new(shape: Shape) -> Self {
        Self {
            shape,
            pins: Vec::new(),
            masses: Masses::Density,
            areal_density: AREAL_DENSITY,
            linear_density: LINEAR_DENSITY,
            weld: None,
            tethers: true,
            bend_rows: true,
            stiff_bend: false,
            stretch_stiffness: f32::INFINITY,
            row_stiffness: Vec::new(),
            backstops: Vec::new(),
            colliders: COLLIDERS,
        }
    }

    /// An indexed mesh: a stretch row for each edge, a bend row for each edge between two triangles.
    pub fn mesh(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> Self {
        Self::new(Shape::Mesh { positions: positions.into(), triangles: triangles.into() })
    }

    /// A mesh without shared vertices: every three consecutive positions are a triangle. Without
    /// [`weld`](Self::weld) these fall apart.
    pub fn triangle_soup(positions: &[[f32; 3]]) -> Self {
        Self::new(Shape::Soup { positions: positions.into() })
    }

    /// Chains: `parents[i]` is the vertex that vertex `i` hangs on, or [`NONE`](crate::NONE) for
    /// a root. A stretch row to each parent, a skip row to each grandparent. Parents may come in any order, and
    /// chains may branch.
    pub fn chains(positions: &[[f32; 3]], parents: &[u32]) -> Self {
        Self::new(Shape::Chains { positions: positions.into(), parents: parents.into() })
    }

    /// Vertices to pin, besides those already named. Order and repetition do not matter.
    #[must_use]
    pub fn pins(mut self, vertices: &[u32]) -> Self {
        self.pins.extend_from_slice(vertices);
        self
    }

    /// Mass from area (kg/m²): a third of each triangle's goes to each corner. 0.15 if not given. No effect on
    /// chains, except that masses come from a density again.
    #[must_use]
    pub fn areal_density(mut self, density: f32) -> Self {
        self.areal_density = density;
        self.masses = Masses::Density;
        self
    }

    /// Mass from length (kg/m): half of each link's goes to each end. 0.1 if not given. No effect on meshes,
    /// except that masses come from a density again.
    #[must_use]
    pub fn linear_density(mut self, density: f32) -> Self {
        self.linear_density = density;
        self.masses = Masses::Density;
        self
    }

    /// The same mass for each particle, `total` (kg) together.
    #[must_use]
    pub fn uniform_mass(mut self, total: f32) -> Self {
        self.masses = Masses::Uniform(total);
        self
    }

    /// One mass (kg) for each vertex, pins included, so that they can be let go. A particle welded from several
    /// vertices has the sum of their masses.
    #[must_use]
    pub fn masses(mut self, masses: &[f32]) -> Self {
        self.masses = Masses::Each(masses.into());
        self
    }

    /// Joins vertices of a mesh that are within `distance` (m), and so on from these to others; 0 joins equal
    /// positions only. A group becomes one particle at the place of its first vertex. Triangles that lose a
    /// corner are dropped. A positive distance counts as at least max(1e-9 m, 4·ε of the largest
    /// coordinate), within which an edge has no length.
    #[must_use]
    pub fn weld(mut self, distance: f32) -> Self {
        self.weld = Some(distance);
        self
    }

    /// Whether every particle is tethered to its nearest pin along the cloth. They are unless told otherwise,
    /// where the shortest way there is of hard rows only: soft cloth may hang further down than its rows are long.
    #[must_use]
    pub fn tethers(mut self, on: bool) -> Self {
        self.tethers = on;
        self
    }

    /// Whether there are bend rows (meshes) and skip rows (chains). There are unless told otherwise.
    #[must_use]
    pub fn bend_rows(mut self, on: bool) -> Self {
        self.bend_rows = on;
        self
    }

    /// Whether bend rows are solved one by one even where the rest shape is flat. They are merged unless told otherwise, which
    /// limits their stiffness to what a force held for two substeps can carry
    /// ([`Model::merged_bend_limit`](crate::Model::merged_bend_limit)). One by one they have no limit, for hides, felts and fine
    /// meshes, and nearly double what a step costs (1.7 times the instructions on a flat sheet of cotton). Plates never come to rest
    /// that way: at 0.15 kg/m² and 3 cm a sheet of 1e-3 N·m is still after half a minute, one of 0.1 N·m or more keeps
    /// trembling, because one pass over hinges that stiff does not converge.
    #[must_use]
    pub fn stiff_bend(mut self, on: bool) -> Self {
        self.stiff_bend = on;
        self
    }

    /// Stiffness of all stretch rows (N/m); infinite, as it is unless told otherwise, makes them hard.
    #[must_use]
    pub fn stretch_stiffness(mut self, stiffness: f32) -> Self {
        self.stretch_stiffness = stiffness;
        self
    }

    /// Stiffness (N/m) of single stretch rows, named by the vertices at their ends, in place of that of
    /// [`stretch_stiffness`](Self::stretch_stiffness). Of two entries for one row the later counts.
    #[must_use]
    pub fn row_stiffness(mut self, rows: &[(u32, u32, f32)]) -> Self {
        self.row_stiffness = rows.into();
        self
    }

    /// A backstop for each vertex: how far behind its target it may go. Where vertices are welded the first one's counts.
    #[must_use]
    pub fn backstops(mut self, backstops: &[Backstop]) -> Self {
        self.backstops = backstops.into();
        self
    }

    /// How many colliders a step considers at a time, 64 unless told: those in reach of the cloth, in the order in which
    /// they are given; more are counted in the report. Rounded up to a multiple of 32.
    #[must_use]
    pub fn colliders(mut self, most: u32) -> Self {
        self.colliders = most;
        self
    }

    /// Builds the model.
    ///
    /// # Errors
    /// The first thing that is wrong with what was given: with the mesh or chains, then with masses, pins and
    /// stiffnesses. [`inspect`](super::inspect) finds all that is wrong with a mesh.
    pub fn build(self) -> Result<Baked, BuildError> {
        let (parts, mut report) = self.parts()?;
        let layout = Layout::new(&parts)?;
        layout.describe(&mut report);
        Ok(Baked { blocks: layout.write(&parts)?, report })
    }

    /// The rows of the model that [`build`](Self::build) makes, one by one and in the order of their particles: for
    /// solvers of another kind, and for whoever wants to look at them.
    ///
    /// # Errors
    /// Those of [`build`](Self::build).
    pub fn rows(self) -> Result<Rows, BuildError> {
        Ok(self.parts()?.0.rows)
    }

    /// Everything up to the rows between numbered particles.
    pub(crate) fn parts(self) -> Result<(Parts, BuildReport), BuildError> {
        let mut report = BuildReport::default();
        let (mut draft, density) = self.draft(&mut report)?;
        draft.tethers = self.tethers;
        draft.stiff_bend = self.stiff_bend;
        draft.mass = self.masses.of(&draft.share, &draft.node_of, density)?;
        draft.pinned = self.pinned(&draft)?;
        draft.stiffness = self.stiffness(&draft)?;
        draft.backstops = self.checked_backstops(&draft)?;
        draft.colliders = self.collider_capacity()?;
        let parts = Parts::new(&draft)?;
        describe(&draft, &parts, &mut report);
        Ok((parts, report))
    }

    /// Nodes, rows and shares; and the density that these shares go with.
    fn draft(&self, report: &mut BuildReport) -> Result<(Draft, f32), BuildError> {
        if let Some(distance) = self.weld.filter(|&distance| !(distance >= 0.0 && is_finite(distance))) {
            return Err(BuildError::WeldDistance { distance });
        }
        let soup: Vec<[u32; 3]>;
        let (positions, triangles) = match &self.shape {
            Shape::Chains { .. } if self.weld.is_some() => return Err(BuildError::WeldOnChains),
            Shape::Chains { positions, parents } => {
                return Ok((chain::draft(positions, parents, self.bend_rows)?, self.linear_density));
            }
            Shape::Soup { positions } if positions.len() % 3 != 0 => {
                return Err(BuildError::SoupLength { positions: positions.len() });
            }
            Shape::Soup { positions } => {
                soup = (0..len32(positions) / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
                (positions, &soup)
            }
            Shape::Mesh { positions, triangles } => (positions, triangles),
        };
        let survey = Survey::new(positions, triangles, self.weld);
        if let Some(defect) = survey.facts.fatal() {
            return Err(defect.into());
        }
        let duplicates = survey.facts.defects.iter().filter(|d| matches!(d, Defect::DuplicateVertex { .. }));
        let count = duplicates.fold(0, |count, _| count + 1);
        if count > 0 {
            report.notes.push(Note::Duplicates { count });
        }
        let draft = mesh_draft(survey, self.bend_rows, &mut report.repairs);
        Ok((draft, self.areal_density))
    }

    fn pinned(&self, draft: &Draft) -> Result<Vec<bool>, BuildError> {
        let mut pinned = alloc::vec![false; draft.rest.len()];
        for &pin in &self.pins {
            let Some(&node) = draft.node_of.get(pin as usize) else {
                return Err(BuildError::PinOutOfRange { pin, count: len32(&draft.node_of) });
            };
            pinned[node as usize] = true;
        }
        Ok(pinned)
    }

    fn checked_backstops(&self, draft: &Draft) -> Result<Vec<Backstop>, BuildError> {
        let (given, expected) = (self.backstops.len(), draft.node_of.len());
        if given != 0 && given != expected {
            return Err(BuildError::BackstopCount { expected: len32(&draft.node_of), given });
        }
        match self.backstops.iter().zip(0..).find(|(backstop, _)| !is_backstop(backstop)) {
            Some((_, vertex)) => Err(BuildError::Backstop { vertex }),
            None => Ok(self.backstops.clone()),
        }
    }

    fn collider_capacity(&self) -> Result<u32, BuildError> {
        if (1..=MAX_COLLIDERS).contains(&self.colliders) {
            Ok(self.colliders.next_multiple_of(32))
        } else {
            Err(BuildError::ColliderCapacity { given: self.colliders, limit: MAX_COLLIDERS })
        }
    }

    fn stiffness(&self, draft: &Draft) -> Result<Vec<f32>, BuildError> {
        let checked = |stiffness: f32| {
            if stiffness == f32::INFINITY || STIFFNESSES.contains(&stiffness) {
                Ok(stiffness)
            } else {
                Err(BuildError::Stiffness { stiffness })
            }
        };
        let mut all = alloc::vec![checked(self.stretch_stiffness)?; draft.stretch.len()];
        for &(a, b, stiffness) in &self.row_stiffness {
            let ends = [draft.node_of.get(a as usize), draft.node_of.get(b as usize)];
            let [Some(&one), Some(&other)] = ends else { return Err(BuildError::NoSuchRow { a, b }) };
            let Ok(row) = draft.stretch.binary_search(&[one.min(other), one.max(other)]) else {
                return Err(BuildError::NoSuchRow { a, b });
            };
            all[row] = checked(stiffness)?;
        }
        Ok(all)
    }
}

fn mesh_draft(survey: Survey, bend_rows: bool, repairs: &mut Vec<Repair>) -> Draft {
    let Survey { facts, node_of, source_of, rest, surface, .. } = survey;
    *repairs = facts.repairs;
    let mut share = alloc::vec![0.0_f32; rest.len()];
    let mut facing = alloc::vec![Vec3::ZERO; rest.len()];
    for triangle in &surface.triangles {
        let corners = triangle.corners.map(|node| rest[node as usize]);
        let (third, vector) = (area(corners) / 3.0, area_vector(corners) / 3.0);
        for node in triangle.corners {
            share[node as usize] += third;
            facing[node as usize] += vector;
        }
    }
    // Each corner knows how far its triangles are turned from their sum: alternate bends would cancel.
    let mut facing: Vec<Facing> = facing.into_iter().map(Facing::along).collect();
    for triangle in &surface.triangles {
        let own = Facing::along(area_vector(triangle.corners.map(|node| rest[node as usize])));
        for node in triangle.corners {
            let sum = &mut facing[node as usize];
            sum.cone = min(own.cone_about(sum.vector), sum.cone);
        }
    }
    let (mut stretch, mut hinges) = (Vec::new(), Vec::new());
    for edge in surface.edges() {
        let [a, b] = edge[0].edge;
        stretch.push([a, b]);
        if let ([one, other], true) = (edge, bend_rows) {
            let [left, right] = if one.forward { [one, other] } else { [other, one] };
            hinges.push([a, b, left.opposite, right.opposite]);
        }
    }
    let triangles = facts.triangles;
    let faces = surface.triangles.iter().map(|triangle| triangle.corners).collect();
    Draft { node_of, source_of, rest, share, facing, stretch, hinges, triangles, faces, ..Draft::default() }
}

fn describe(draft: &Draft, parts: &Parts, report: &mut BuildReport) {
    report.vertices = len32(&draft.node_of);
    report.particles = len32(&draft.rest);
    report.triangles = draft.triangles;
    report.stretch_rows = len32(&parts.rows.stretch);
    report.skip_rows = len32(&parts.rows.skip);
    report.hinge_rows = len32(&parts.rows.hinges);
    report.components = draft.components();
    for reach in &parts.reach {
        report.pins += u32::from(reach.is_pin());
        report.tethers += u32::from(reach.is_tethered());
    }
    if report.pins == 0 {
        report.notes.push(Note::NoPins);
    } else if report.pins == report.particles {
        report.notes.push(Note::EverythingPinned);
    }
    if report.components > 1 {
        report.notes.push(Note::Components { count: report.components });
    }
}
