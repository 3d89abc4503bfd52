//! The immutable part of the oracle's cloth: particles and rows in the order of its sweep.

use super::{colour, geometry};
use crate::workload::{Edge, Workload};
use cloth_core::Vec3;
use cloth_core::math::{real, sum};

/// A row between two particles: C = ‖x_a − x_b‖ − rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pair {
    /// First particle, `a < b`.
    pub a: usize,
    /// Second particle.
    pub b: usize,
    /// Rest length (m).
    pub rest: f32,
    /// Stiffness (N/m); `+∞` makes a stretch row hard. Not read of skip rows, whose stiffness is the fabric's.
    pub stiffness: f32,
}

impl Pair {
    /// Whether a stretch row is hard.
    pub(crate) fn is_hard(&self) -> bool {
        self.stiffness >= f32::INFINITY
    }
}

/// A bend row over the edge of two triangles: E = ½·B·scale·(s − rest)², s the signed length of Σ c_i x_i.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hinge {
    /// The ends of the shared edge, then the corners opposite, the first of them left of the edge.
    pub p: [usize; 4],
    /// Stencil coefficients (1).
    pub c: [f32; 4],
    /// 1/(A₀ + A₁) (1/m²).
    pub scale: f32,
    /// Signed rest value of ‖Σ c_i x_i‖ (m); 0 for a flat rest shape.
    pub rest: f32,
    /// 1/(scale·Σ c_i²/m_i) (kg·m²): bend stiffness times h² stays below eight of these.
    pub inertia: f32,
}

/// One incidence of a two-particle row on the particle whose list it stands in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PairSlot {
    /// The particle at the other end.
    pub other: usize,
    /// The row.
    pub row: usize,
}

/// One incidence of a hinge on the particle whose list it stands in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HingeSlot {
    /// The hinge.
    pub row: usize,
    /// Which of its four particles this is.
    pub corner: usize,
}

/// How far a particle may be from the pin it is tied to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tie {
    /// The nearest build-time pin along the rows; `None` where none can be reached.
    pub pin: Option<usize>,
    /// Length of the shortest path along the rows to that pin (m); 0 on a pin itself.
    pub geodesic: f32,
    /// Whether a tether row to the pin was built.
    pub tethered: bool,
    /// Whether the particle was pinned at build time.
    pub pinned: bool,
}

/// Particles – one a vertex – by colour and then by vertex, rows by their particles.
#[derive(Clone, Debug)]
pub(crate) struct Net {
    /// Vertex → particle.
    pub particle_of: Vec<usize>,
    /// Rest positions (m).
    pub rest: Vec<Vec3>,
    /// Masses (kg); pins have one too, so that they can be let go.
    pub masses: Vec<f32>,
    /// The shortest row that touches each particle (m), `+∞` without rows: the cap of one update.
    pub caps: Vec<f32>,
    /// What each particle is tied to.
    pub ties: Vec<Tie>,
    /// Stretch rows, sorted by (a, b).
    pub stretch: Vec<Pair>,
    /// Skip rows, sorted by (a, b).
    pub skip: Vec<Pair>,
    /// `p[0] < p[1]`, sorted by p.
    pub hinges: Vec<Hinge>,
    /// The rows of each particle, ascending.
    pub stretch_of: Vec<Vec<PairSlot>>,
    /// The same of skip rows.
    pub skip_of: Vec<Vec<PairSlot>>,
    /// The same of hinges.
    pub hinges_of: Vec<Vec<HingeSlot>>,
    /// Sum of all masses (kg).
    pub mass: f32,
    /// Shortest row of the cloth (m), `+∞` without rows.
    pub shortest_row: f32,
    /// Largest stiffness over effective inertia, k·(1/m_a + 1/m_b), of the soft stretch rows (1/s²); 0 without.
    pub stiffest: f32,
}

impl Net {
    /// The net of a workload, made from its geometry alone.
    pub(crate) fn new(workload: &Workload) -> Self {
        let spec = &workload.spec;
        let rest = geometry::rest(&spec.shape);
        let edges: Vec<[usize; 2]> =
            workload.edges.iter().map(|&Edge { a, b }| [a as usize, b as usize]).collect();
        let (mut skips, mut corners) = (Vec::new(), Vec::new());
        if spec.bend_rows {
            skips = geometry::skips(&spec.shape);
            corners = geometry::hinges(&spec.shape);
        }
        // The other five pairs of a hinge are edges of its triangles, and so stretch rows.
        let across = corners.iter().map(|&[_, _, left, right]| [left, right]);
        let coupled: Vec<[usize; 2]> = edges.iter().chain(&skips).copied().chain(across).collect();
        let colours = colour::colours(rest.len(), &coupled);
        let mut order: Vec<usize> = (0..rest.len()).collect();
        order.sort_unstable_by_key(|&vertex| (colours[vertex], vertex));
        let mut particle_of = vec![0; order.len()];
        for (particle, &vertex) in order.iter().enumerate() {
            particle_of[vertex] = particle;
        }

        let pair = |ends: [usize; 2], stiffness: f32| {
            let [a, b] = ends.map(|vertex| particle_of[vertex]);
            Pair { a: a.min(b), b: a.max(b), rest: geometry::between(&rest, ends), stiffness }
        };
        let stiffness = stiffness(workload, &edges);
        let sorted = |mut rows: Vec<Pair>| {
            rows.sort_unstable_by_key(|row| (row.a, row.b));
            rows
        };
        let stretch = sorted(edges.iter().zip(&stiffness).map(|(&ends, &k)| pair(ends, k)).collect());
        let skip = sorted(skips.into_iter().map(|ends| pair(ends, 0.0)).collect());
        let hinge = |[a, b, left, right]: [usize; 4]| {
            // Turned by half a turn the hinge is the same, left and right included.
            let turned = particle_of[a] > particle_of[b];
            let vertices = if turned { [b, a, right, left] } else { [a, b, left, right] };
            let masses = vertices.map(|vertex| spec.masses[vertex]);
            geometry::hinge(vertices.map(|v| particle_of[v]), vertices.map(|v| rest[v]), masses)
        };
        let mut hinges: Vec<Hinge> = corners.into_iter().map(hinge).collect();
        hinges.sort_unstable_by_key(|row| row.p);

        let count = order.len();
        let masses: Vec<f32> = order.iter().map(|&vertex| spec.masses[vertex]).collect();
        let ends = |rows: &[Pair]| rows.iter().map(|row| [row.a, row.b]).collect::<Vec<_>>();
        let other = |row, corner: usize, ends: &[usize; 2]| PairSlot { other: ends[1 - corner], row };
        let hinge_ends: Vec<[usize; 4]> = hinges.iter().map(|row| row.p).collect();
        let caps = caps(count, stretch.iter().chain(&skip));
        let ties = ties(workload, &edges, &rest, &stiffness, &particle_of);
        Self {
            ties: order.iter().map(|&vertex| ties[vertex]).collect(),
            rest: order.iter().map(|&vertex| rest[vertex]).collect(),
            stretch_of: slots(count, &ends(&stretch), other),
            skip_of: slots(count, &ends(&skip), other),
            hinges_of: slots(count, &hinge_ends, |row, corner, _| HingeSlot { row, corner }),
            mass: sum::sum(masses.iter().copied()),
            shortest_row: caps.iter().fold(f32::INFINITY, |least, &cap| real::min(cap, least)),
            stiffest: stiffest(&stretch, &masses),
            particle_of,
            caps,
            masses,
            stretch,
            skip,
            hinges,
        }
    }

    /// How many particles there are.
    pub(crate) fn count(&self) -> usize {
        self.masses.len()
    }
}

/// Stiffness of each edge (N/m).
fn stiffness(workload: &Workload, edges: &[[usize; 2]]) -> Vec<f32> {
    let spec = &workload.spec;
    let mut all = vec![spec.stiffness; edges.len()];
    for &(a, b, stiffness) in &spec.row_stiffness {
        let ends = [a.min(b) as usize, a.max(b) as usize];
        if let Ok(row) = edges.binary_search(&ends) {
            all[row] = stiffness;
        }
    }
    all
}

/// What each vertex is tied to.
fn ties(
    workload: &Workload,
    edges: &[[usize; 2]],
    rest: &[Vec3],
    stiffness: &[f32],
    particle_of: &[usize],
) -> Vec<Tie> {
    let spec = &workload.spec;
    let mut pinned = vec![false; rest.len()];
    for &pin in &spec.pins {
        pinned[pin as usize] = true;
    }
    let rows: Vec<([usize; 2], f32)> =
        edges.iter().map(|&ends| (ends, geometry::between(rest, ends))).collect();
    let nearest = geometry::nearest_pins(&rows, &pinned);
    // Cloth can be further from its pin than the way along its rows where one of them is soft.
    let hard = rows.iter().zip(stiffness).filter(|(_, k)| **k >= f32::INFINITY);
    let nearest_hard = geometry::nearest_pins(&hard.map(|(&row, _)| row).collect::<Vec<_>>(), &pinned);
    let tie = |vertex: usize| Tie {
        pin: nearest[vertex].map(|(_, pin)| particle_of[pin]),
        geodesic: nearest[vertex].map_or(0.0, |(way, _)| way),
        tethered: spec.tethers
            && !pinned[vertex]
            && nearest[vertex].is_some()
            && nearest[vertex] == nearest_hard[vertex],
        pinned: pinned[vertex],
    };
    (0..rest.len()).map(tie).collect()
}

/// Which rows stand on each particle, in row order.
fn slots<T, const N: usize>(
    particles: usize,
    rows: &[[usize; N]],
    slot: impl Fn(usize, usize, &[usize; N]) -> T,
) -> Vec<Vec<T>> {
    let mut slots: Vec<Vec<T>> = (0..particles).map(|_| Vec::new()).collect();
    for (row, ends) in rows.iter().enumerate() {
        for (corner, &particle) in ends.iter().enumerate() {
            slots[particle].push(slot(row, corner, ends));
        }
    }
    slots
}

/// The shortest row on each particle. Tethers are rows too, but a path to a pin begins with a stretch row and is no
/// shorter.
fn caps<'a>(particles: usize, rows: impl Iterator<Item = &'a Pair>) -> Vec<f32> {
    let mut caps = vec![f32::INFINITY; particles];
    for row in rows {
        for end in [row.a, row.b] {
            caps[end] = real::min(row.rest, caps[end]);
        }
    }
    caps
}

fn stiffest(rows: &[Pair], masses: &[f32]) -> f32 {
    let soft = rows.iter().filter(|row| !row.is_hard());
    soft.fold(0.0, |most, row| real::max(row.stiffness * (1.0 / masses[row.a] + 1.0 / masses[row.b]), most))
}
