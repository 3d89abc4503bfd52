//! Coarse rows between aggregates of particles: what tells the hem within one substep that the pins hold.
//!
//! Neighbours are paired, the pairs are paired again, and so on: each level has aggregates of about four of the
//! level below. Two aggregates with a hard row between them may be no further apart than in the rest pose; the rows
//! of a level are projected one after the other, coarsest level first, and each aggregate hands its displacement
//! to its particles. Displacements are shared by mass, so they change neither linear nor angular momentum of what
//! is free. The rows only pull: folding cloth brings its parts together.

use super::cloth::Fields;
use super::net::Net;
use cloth_core::Vec3;
use cloth_core::row::{distance, stretch};
use std::collections::BTreeSet;

/// With so few aggregates that move there is nothing coarser to be had.
const FEWEST: usize = 4;

/// A row between two aggregates of a level.
#[derive(Clone, Copy, Debug)]
struct Row {
    a: usize,
    b: usize,
    /// Distance of the rest pose's centroids (m).
    rest: f32,
}

/// One level of aggregates.
#[derive(Clone, Debug)]
struct Level {
    /// Particles of each aggregate.
    members: Vec<Vec<usize>>,
    rows: Vec<Row>,
}

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
        let mut members = by_first_vertex(net);
        let mut levels = Vec::new();
        loop {
            let before = members.len();
            for _ in 0..2 {
                members = paired(net, &members);
            }
            if members.len() == before {
                break;
            }
            let moving = members.iter().filter(|group| !is_pin(net, group)).count();
            levels.push(Level { rows: rows(net, &members), members: members.clone() });
            if moving <= FEWEST {
                break;
            }
        }
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
                let span = distance::span(a.at, b.at);
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

/// Every particle by itself, in the order of their first vertices.
fn by_first_vertex(net: &Net) -> Vec<Vec<usize>> {
    let mut seen = vec![false; net.count()];
    let first = net.particle_of.iter().filter(|&&particle| !std::mem::replace(&mut seen[particle], true));
    first.map(|&particle| vec![particle]).collect()
}

fn is_pin(net: &Net, group: &[usize]) -> bool {
    group.iter().any(|&particle| net.ties[particle].pinned)
}

/// Mass-weighted centroid in the rest pose (m).
fn rest_centroid(net: &Net, group: &[usize]) -> Vec3 {
    let mass: f32 = group.iter().map(|&particle| net.masses[particle]).sum();
    group.iter().map(|&particle| net.rest[particle] * net.masses[particle]).sum::<Vec3>() / mass
}

/// Which groups have a hard row between them, each pair once and ascending.
fn links(net: &Net, members: &[Vec<usize>]) -> BTreeSet<(usize, usize)> {
    let mut group_of = vec![0; net.count()];
    for (index, group) in members.iter().enumerate() {
        for &particle in group {
            group_of[particle] = index;
        }
    }
    let hard = net.stretch.iter().filter(|row| stretch::is_hard(row));
    let ends = hard.map(|row| (group_of[row.a as usize], group_of[row.b as usize]));
    ends.filter(|(a, b)| a != b).map(|(a, b)| (a.min(b), a.max(b))).collect()
}

fn rows(net: &Net, members: &[Vec<usize>]) -> Vec<Row> {
    let centroids: Vec<Vec3> = members.iter().map(|group| rest_centroid(net, group)).collect();
    let row = |(a, b): (usize, usize)| Row { a, b, rest: centroids[a].distance(centroids[b]) };
    links(net, members).into_iter().map(row).collect()
}

/// Each group, in turn, joined with its nearest neighbour that is still single.
fn paired(net: &Net, members: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); members.len()];
    for (a, b) in links(net, members) {
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    let centroids: Vec<Vec3> = members.iter().map(|group| rest_centroid(net, group)).collect();
    let pins: Vec<bool> = members.iter().map(|group| is_pin(net, group)).collect();
    let mut taken = pins.clone();
    let mut paired = Vec::new();
    for (index, group) in members.iter().enumerate() {
        if pins[index] {
            paired.push(group.clone());
        } else if !taken[index] {
            taken[index] = true;
            let far = |&&other: &&usize| centroids[index].distance_squared(centroids[other]);
            let single = neighbours[index].iter().filter(|&&other| !taken[other]);
            let nearest = single.min_by(|a, b| far(a).total_cmp(&far(b)));
            let mut pair = group.clone();
            if let Some(&other) = nearest {
                taken[other] = true;
                pair.extend(&members[other]);
            }
            paired.push(pair);
        }
    }
    paired
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
    fn every_level_has_every_particle_once_and_pins_by_themselves() -> anyhow::Result<()> {
        let workload = sheet(true)?;
        let cloth = VertexCloth::new(&workload.model());
        let levels = &cloth.aggregates.0;
        // 240 particles, 60 aggregates, 15 or so, 4 or so.
        assert_eq!(levels.len(), 3);
        for level in levels {
            let mut all: Vec<usize> = level.members.iter().flatten().copied().collect();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..cloth.net.count()));
            assert!(level.members.iter().all(|group| group.len() == 1 || !is_pin(&cloth.net, group)));
        }
        Ok(())
    }

    #[test]
    fn stretched_cloth_is_pulled_together_and_keeps_its_centre() -> anyhow::Result<()> {
        let workload = sheet(false)?;
        let mut cloth = VertexCloth::new(&workload.model());
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
