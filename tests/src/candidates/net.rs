//! The immutable part of a pairwise cloth: rows in the order of a sweep, and nested aggregates.
//!
//! Particles and rows are the oracle's, which reads them off a workload's geometry; here they stand in the order of vertices.

use crate::aggregates::{self, Graph};
use crate::oracle::net::{self, Hinge, Pair};
use crate::workload::{Workload, wide};
use cloth_core::Vec3;
use glam::DVec3;

/// A row between two particles.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub a: usize,
    pub b: usize,
    /// Rest length (m).
    pub rest: f64,
    /// 1/stiffness (m/N); 0 is hard.
    pub compliance: f64,
}

/// One level of aggregates.
#[derive(Clone, Debug)]
pub(super) struct Level {
    /// The aggregate of each node of the level below, of each particle on the first.
    pub parent: Vec<usize>,
    /// Masses (kg).
    pub masses: Vec<f64>,
    /// In the order of edge colours.
    pub bounds: Vec<Row>,
}

/// Particles, one a vertex.
#[derive(Clone, Debug)]
pub(super) struct Net {
    pub rest: Vec<DVec3>,
    pub masses: Vec<f64>,
    /// Pins of the workload.
    pub pinned: Vec<bool>,
    /// Stretch and skip rows in the order of edge colours.
    pub rows: Vec<Row>,
    pub hinges: Vec<Hinge>,
    /// Tethered particle, its pin, and the way to it (m).
    pub tethers: Vec<(usize, usize, f64)>,
    /// Finest first.
    pub levels: Vec<Level>,
    /// Length of the shortest row (m), `+∞` without rows.
    pub shortest_row: f64,
}

impl Net {
    pub(super) fn new(workload: &Workload) -> Self {
        let net = net::Net::new(workload);
        let count = net.count();
        let mut vertex_of = vec![0; count];
        for (vertex, &particle) in net.particle_of.iter().enumerate() {
            vertex_of[particle] = vertex;
        }
        let in_order = || net.particle_of.iter();
        let masses: Vec<f32> = in_order().map(|&particle| net.masses[particle]).collect();
        let rest: Vec<Vec3> = in_order().map(|&particle| net.rest[particle]).collect();
        let pinned: Vec<bool> = in_order().map(|&particle| net.ties[particle].pinned).collect();
        let row = |pair: &Pair, stiffness: f32| {
            let (a, b) = (vertex_of[pair.a], vertex_of[pair.b]);
            Row { a: a.min(b), b: a.max(b), rest: pair.rest.into(), compliance: 1.0 / f64::from(stiffness) }
        };
        let sorted = |mut rows: Vec<Row>| {
            rows.sort_unstable_by_key(|row| (row.a, row.b));
            rows
        };
        let mut rows = sorted(net.stretch.iter().map(|pair| row(pair, pair.stiffness)).collect());
        let hard = rows.iter().filter(|row| row.compliance <= 0.0);
        let links: Vec<(usize, usize)> = hard.map(|row| (row.a, row.b)).collect();
        let skip = workload.spec.dynamics.skip;
        if skip > 0.0 {
            rows.extend(sorted(net.skip.iter().map(|pair| row(pair, skip)).collect()));
        }
        let graph = Graph { rest: &rest, masses: &masses, pinned: &pinned, links: &links };
        let levels = nested(&aggregates::levels(&graph, (0..count).collect()), &masses);
        let hinge = |hinge: &Hinge| Hinge { p: hinge.p.map(|particle| vertex_of[particle]), ..*hinge };
        let tether = |(vertex, &particle): (usize, &usize)| {
            let tie = net.ties[particle];
            let pin = tie.pin.filter(|_| tie.tethered)?;
            Some((vertex, vertex_of[pin], f64::from(tie.geodesic)))
        };
        Self {
            shortest_row: rows.iter().map(|row| row.rest).fold(f64::INFINITY, f64::min),
            rows: coloured(count, &rows, |row| (row.a, row.b)),
            hinges: net.hinges.iter().map(hinge).collect(),
            tethers: in_order().enumerate().filter_map(tether).collect(),
            levels,
            rest: rest.into_iter().map(wide).collect(),
            masses: masses.into_iter().map(f64::from).collect(),
            pinned,
        }
    }
}

/// Levels by the parents of their nodes instead of by their particles.
fn nested(levels: &[aggregates::Level], masses: &[f32]) -> Vec<Level> {
    let mut below: Vec<usize> = (0..masses.len()).collect();
    let mut nested = Vec::new();
    for level in levels {
        let mut group_of = vec![0; masses.len()];
        for (index, group) in level.members.iter().enumerate() {
            for &particle in group {
                group_of[particle] = index;
            }
        }
        let bound =
            |row: &aggregates::Bound| Row { a: row.a, b: row.b, rest: row.rest.into(), compliance: 0.0 };
        let bounds: Vec<Row> = level.rows.iter().map(bound).collect();
        nested.push(Level {
            parent: below.iter().map(|&particle| group_of[particle]).collect(),
            masses: level
                .members
                .iter()
                .map(|group| group.iter().map(|&i| f64::from(masses[i])).sum())
                .collect(),
            bounds: coloured(level.members.len(), &bounds, |row| (row.a, row.b)),
        });
        below = level.members.iter().map(|group| group[0]).collect();
    }
    nested
}

/// Rows by edge colour and then as they were: each in turn takes the lowest colour that is free at both ends.
fn coloured<T: Copy>(nodes: usize, rows: &[T], ends: impl Fn(&T) -> (usize, usize)) -> Vec<T> {
    let mut taken: Vec<Vec<bool>> = vec![Vec::new(); nodes];
    let mut coloured = Vec::with_capacity(rows.len());
    for row in rows {
        let (a, b) = ends(row);
        let is_taken = |node: usize, colour| taken[node].get(colour).copied().unwrap_or(false);
        let mut colour = 0;
        while is_taken(a, colour) || is_taken(b, colour) {
            colour += 1;
        }
        for node in [a, b] {
            let length = taken[node].len().max(colour + 1);
            taken[node].resize(length, false);
            taken[node][colour] = true;
        }
        coloured.push((colour, *row));
    }
    coloured.sort_by_key(|&(colour, _)| colour);
    coloured.into_iter().map(|(_, row)| row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::scenes;

    #[test]
    fn rows_of_one_colour_follow_each_other_and_share_no_particle() {
        let path = coloured(5, &[(0, 1), (1, 2), (2, 3), (3, 4)], |&ends| ends);
        assert_eq!(path, [(0, 1), (2, 3), (1, 2), (3, 4)]);
    }

    #[test]
    fn aggregates_of_a_level_have_all_of_its_mass() {
        let workload = scenes::sheet(16).build().unwrap();
        let net = Net::new(&workload);
        let all: f64 = net.masses.iter().sum();
        for level in &net.levels {
            assert!((level.masses.iter().sum::<f64>() / all - 1.0).abs() < 1e-5);
            assert!(level.parent.iter().all(|&parent| parent < level.masses.len()));
        }
        assert_eq!((net.rows.len(), net.tethers.len()), (workload.edges.len(), 240));
    }
}
