//! Coarse rows between aggregates of particles: what tells the hem within one substep that the pins hold.
//!
//! The rows of a level are projected one after the other, coarsest level first, and each aggregate hands its displacement
//! to its particles. Displacements are shared by mass, so they change neither linear nor angular momentum of what
//! is free. The rows only pull: folding cloth brings its parts together.

use super::cloth::Fields;
use super::laws;
use super::net::Net;
use crate::aggregates::{self, Graph, Level};
use cloth_core::Vec3;

/// The levels of a cloth, coarsest first.
#[derive(Clone, Debug)]
pub(super) struct Aggregates(Vec<Level>);

/// An aggregate as the projection moves it.
#[derive(Clone, Copy)]
struct Lump {
    /// Where it was found (m).
    from: Vec3,
    /// Where it is by now (m).
    at: Vec3,
    /// Inverse mass of the members that are not held (1/kg).
    inv_mass: f32,
}

impl Aggregates {
    /// The levels of a net. Build-time pins stay by themselves.
    pub(super) fn new(net: &Net) -> Self {
        let pinned: Vec<bool> = net.ties.iter().map(|tie| tie.pinned).collect();
        let hard = net.stretch.iter().filter(|row| row.is_hard());
        let links: Vec<(usize, usize)> = hard.map(|row| (row.a, row.b)).collect();
        let graph = Graph { rest: &net.rest, masses: &net.masses, pinned: &pinned, links: &links };
        let mut levels = aggregates::levels(&graph, by_first_vertex(net));
        levels.reverse();
        Self(levels)
    }

    /// Pulls the inertial targets of the substep together, and lets the sweeps start from there.
    ///
    /// A displacement of inertial targets is an impulse: what the coarse rows did is motion that the velocity keeps,
    /// and the fine rows' multipliers carry the rest of the load alone.
    pub(super) fn pull(&self, net: &Net, fields: &mut Fields) {
        for level in &self.0 {
            let mut lumps: Vec<Lump> = level.members.iter().map(|group| lump(net, fields, group)).collect();
            for row in &level.rows {
                let (a, b) = (lumps[row.a], lumps[row.b]);
                let span = laws::span(a.at, b.at);
                let together = a.inv_mass + b.inv_mass;
                if span.length > row.rest && together > 0.0 {
                    let pull = span.direction * ((span.length - row.rest) / together);
                    lumps[row.a].at += pull * a.inv_mass;
                    lumps[row.b].at -= pull * b.inv_mass;
                }
            }
            for (group, lump) in level.members.iter().zip(&lumps) {
                for &particle in group {
                    if !fields.is_held(particle) {
                        fields.inertial[particle] += lump.at - lump.from;
                    }
                }
            }
        }
        for particle in 0..net.count() {
            if !fields.is_held(particle) && !fields.marked[particle] {
                fields.positions[particle] = fields.inertial[particle];
            }
        }
    }
}

/// An aggregate at the inertial targets: what is free of it, or where all of it is where nothing is.
fn lump(net: &Net, fields: &Fields, group: &[usize]) -> Lump {
    let centroid = |held| {
        let (mut mass, mut moment) = (0.0, Vec3::ZERO);
        for &particle in group.iter().filter(|&&particle| fields.is_held(particle) == held) {
            mass += net.masses[particle];
            moment += fields.inertial[particle] * net.masses[particle];
        }
        (mass > 0.0).then(|| (moment / mass, 1.0 / mass))
    };
    let held = || centroid(true).map(|(at, _)| (at, 0.0));
    let (at, inv_mass) = centroid(false).or_else(held).unwrap_or_default();
    Lump { from: at, at, inv_mass }
}

/// Every particle, in the order of their first vertices.
fn by_first_vertex(net: &Net) -> Vec<usize> {
    let mut seen = vec![false; net.count()];
    let first = net.particle_of.iter().filter(|&&particle| !std::mem::replace(&mut seen[particle], true));
    first.copied().collect()
}

#[cfg(test)]
mod tests {
    use super::super::VertexCloth;
    use super::*;
    use crate::workload::{Workload, scenes};

    fn sheet(pins: bool) -> anyhow::Result<Workload> {
        let mut spec = scenes::sheet(16);
        if !pins {
            spec.pins.clear();
        }
        spec.build()
    }

    #[test]
    fn stretched_cloth_is_pulled_together_and_keeps_its_centre() -> anyhow::Result<()> {
        let workload = sheet(false)?;
        let mut cloth = VertexCloth::new(&workload);
        let (net, fields) = (&cloth.net, &mut cloth.fields);
        let slack = net.rest.clone();
        fields.inertial.clone_from(&slack);
        cloth.aggregates.pull(net, fields);
        assert!(fields.inertial == slack, "cloth as long as it may be is left alone");
        fields.inertial = net.rest.iter().map(|&x| x * 1.2).collect();
        let centre = |points: &[Vec3]| points.iter().sum::<Vec3>() / 256.0;
        let size =
            |points: &[Vec3]| points.iter().map(|x| (*x - centre(points)).length_squared()).sum::<f32>();
        let (before, wide) = (centre(&fields.inertial), size(&fields.inertial));
        cloth.aggregates.pull(net, fields);
        assert!(centre(&fields.inertial).distance(before) < 1e-6);
        assert!(size(&fields.inertial) < 0.8 * wide, "{} of {wide}", size(&fields.inertial));
        Ok(())
    }
}
