//! What the bars measure, computed in `f64` from positions and velocities alone.

use crate::narrow::real;
use crate::workload::{Edge, Run, Workload, wide};
use glam::DVec3;

/// Relative change of edge lengths, |L − L₀|/L₀: stretched and compressed alike.
#[derive(Clone, Copy, Debug, Default)]
pub struct Strain {
    /// The largest.
    pub worst: f64,
    /// The mean over all edges.
    pub mean: f64,
    /// The largest of the stretched edges alone.
    pub worst_stretch: f64,
}

/// The strain of a cloth's edges in the pose `positions`.
pub fn strain(workload: &Workload, positions: &[DVec3]) -> Strain {
    let mut strain = Strain::default();
    for &Edge { a, b } in &workload.edges {
        let (a, b) = (a as usize, b as usize);
        let rest = workload.rest[a].distance(workload.rest[b]);
        let change = positions[a].distance(positions[b]) / rest - 1.0;
        strain.worst = strain.worst.max(change.abs());
        strain.worst_stretch = strain.worst_stretch.max(change);
        strain.mean += change.abs();
    }
    strain.mean /= real(workload.edges.len().max(1));
    strain
}

/// Energies of a moment (J).
#[derive(Clone, Copy, Debug, Default)]
pub struct Energy {
    /// ½·Σ m v² of the particles that are not held.
    pub kinetic: f64,
    /// −Σ m g·x of the particles that are not held.
    pub potential: f64,
    /// ½·Σ k (L − L₀)² of the soft stretch rows.
    pub elastic: f64,
}

impl Energy {
    /// All of it.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential + self.elastic
    }
}

/// The energy of a running workload whose rows all have the spec's own stiffness.
pub fn energy(run: &Run<'_>) -> Energy {
    energy_of(run.workload, &run.positions(), &run.velocities(), |vertex| run.state.is_held(vertex))
}

/// The same of any moment of such a workload, `held` saying which vertices are.
pub fn energy_of(
    workload: &Workload,
    positions: &[DVec3],
    velocities: &[DVec3],
    held: impl Fn(u32) -> bool,
) -> Energy {
    let spec = &workload.spec;
    let gravity = wide(spec.gravity);
    let mut energy = Energy::default();
    for (vertex, ((&x, v), &m)) in (0..).zip(positions.iter().zip(velocities).zip(&spec.masses)) {
        if !held(vertex) {
            let m = f64::from(m);
            energy.kinetic += 0.5 * m * v.length_squared();
            energy.potential -= m * gravity.dot(x);
        }
    }
    if spec.stiffness.is_finite() {
        for &Edge { a, b } in &workload.edges {
            let (a, b) = (a as usize, b as usize);
            let rest = workload.rest[a].distance(workload.rest[b]);
            let c = positions[a].distance(positions[b]) - rest;
            energy.elastic += 0.5 * f64::from(spec.stiffness) * c * c;
        }
    }
    energy
}

/// Motion of a cloth as a whole.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    /// Centre of mass (m).
    pub centre: DVec3,
    /// Its velocity (m/s).
    pub velocity: DVec3,
    /// Angular momentum about it (kg·m²/s).
    pub angular_momentum: DVec3,
    /// Moment of inertia about it, trace/2 (kg·m²): the mean over the axes times 1.5.
    pub inertia: f64,
}

/// The motion of the whole cloth, pins included.
pub fn motion(run: &Run<'_>) -> Motion {
    let masses = &run.workload.spec.masses;
    let (positions, velocities) = (run.positions(), run.velocities());
    let total = run.workload.total_mass();
    let weighted = |values: &[DVec3]| -> DVec3 {
        values.iter().zip(masses).map(|(&v, &m)| v * f64::from(m)).sum::<DVec3>() / total
    };
    let (centre, velocity) = (weighted(&positions), weighted(&velocities));
    let mut angular_momentum = DVec3::ZERO;
    let mut inertia = 0.0;
    for ((&x, &v), &m) in positions.iter().zip(&velocities).zip(masses) {
        let (arm, m) = (x - centre, f64::from(m));
        angular_momentum += arm.cross(v - velocity) * m;
        inertia += m * arm.length_squared();
    }
    Motion { centre, velocity, angular_momentum, inertia }
}

/// The largest ratio of a vertex's distance to its nearest pin and the length of the way to it along the edges.
pub fn reach(workload: &Workload, geodesics: &[f64], positions: &[DVec3]) -> f64 {
    let pins = &workload.spec.pins;
    let mut worst = 0.0_f64;
    for (&x, &way) in positions.iter().zip(geodesics) {
        if way > 0.0 && way.is_finite() {
            let near = pins.iter().map(|&p| x.distance(positions[p as usize])).fold(f64::INFINITY, f64::min);
            worst = worst.max(near / way);
        }
    }
    worst
}

/// Whether everything is a number.
pub fn finite(vectors: &[DVec3]) -> bool {
    vectors.iter().all(|v| v.is_finite())
}

/// For each triangle its vector area (m²): normal times area.
pub fn vector_areas(triangles: &[[u32; 3]], positions: &[DVec3]) -> Vec<DVec3> {
    let at = |v: u32| positions[v as usize];
    triangles.iter().map(|&[a, b, c]| 0.5 * (at(b) - at(a)).cross(at(c) - at(a))).collect()
}
