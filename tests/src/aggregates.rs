//! Nested aggregates of particles, for solvers of these tests.
//!
//! Every particle, in turn, is joined with its nearest neighbour that is still single, and the pairs are paired in the same
//! way: each level has aggregates of about four of the level below (pairwise aggregation, Notay 2010). Two aggregates of
//! a level with a hard row between them have a bound: they may be no further apart than their rest centroids.

use cloth_core::Vec3;
use std::collections::BTreeSet;

/// With so few aggregates that move there is nothing coarser to be had.
const FEWEST: usize = 4;

/// What is aggregated.
#[derive(Clone, Copy)]
pub struct Graph<'a> {
    /// Rest positions (m).
    pub rest: &'a [Vec3],
    /// Masses (kg).
    pub masses: &'a [f32],
    /// Which particles stay by themselves.
    pub pinned: &'a [bool],
    /// The ends of hard rows.
    pub links: &'a [(usize, usize)],
}

/// A bound between two aggregates of a level.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// One.
    pub a: usize,
    /// The other.
    pub b: usize,
    /// Distance of the rest pose's centroids (m).
    pub rest: f32,
}

/// One level of aggregates.
#[derive(Clone, Debug)]
pub struct Level {
    /// Particles of each aggregate.
    pub members: Vec<Vec<usize>>,
    /// Ascending by a and b, each pair once.
    pub rows: Vec<Bound>,
}

/// The levels of a cloth, finest first. `order` is that in which particles choose their partners.
pub fn levels(graph: &Graph<'_>, order: Vec<usize>) -> Vec<Level> {
    let mut members: Vec<Vec<usize>> = order.into_iter().map(|particle| vec![particle]).collect();
    let mut levels = Vec::new();
    loop {
        let before = members.len();
        for _ in 0..2 {
            members = graph.paired(&members);
        }
        if members.len() == before {
            break;
        }
        let moving = members.iter().filter(|group| !graph.is_pin(group)).count();
        levels.push(Level { rows: graph.bounds(&members), members: members.clone() });
        if moving <= FEWEST {
            break;
        }
    }
    levels
}

impl Graph<'_> {
    fn is_pin(&self, group: &[usize]) -> bool {
        group.iter().any(|&particle| self.pinned[particle])
    }

    /// Mass-weighted centroid in the rest pose (m).
    fn centroid(&self, group: &[usize]) -> Vec3 {
        let mass: f32 = group.iter().map(|&particle| self.masses[particle]).sum();
        group.iter().map(|&particle| self.rest[particle] * self.masses[particle]).sum::<Vec3>() / mass
    }

    /// Which groups have a hard row between them, each pair once and ascending.
    fn linked(&self, members: &[Vec<usize>]) -> BTreeSet<(usize, usize)> {
        let mut group_of = vec![0; self.rest.len()];
        for (index, group) in members.iter().enumerate() {
            for &particle in group {
                group_of[particle] = index;
            }
        }
        let ends = self.links.iter().map(|&(a, b)| (group_of[a], group_of[b]));
        ends.filter(|(a, b)| a != b).map(|(a, b)| (a.min(b), a.max(b))).collect()
    }

    fn bounds(&self, members: &[Vec<usize>]) -> Vec<Bound> {
        let centroids: Vec<Vec3> = members.iter().map(|group| self.centroid(group)).collect();
        let bound = |(a, b): (usize, usize)| Bound { a, b, rest: centroids[a].distance(centroids[b]) };
        self.linked(members).into_iter().map(bound).collect()
    }

    /// Each group, in turn, joined with its nearest neighbour that is still single.
    fn paired(&self, members: &[Vec<usize>]) -> Vec<Vec<usize>> {
        let mut neighbours = vec![Vec::new(); members.len()];
        for (a, b) in self.linked(members) {
            neighbours[a].push(b);
            neighbours[b].push(a);
        }
        let centroids: Vec<Vec3> = members.iter().map(|group| self.centroid(group)).collect();
        let mut taken: Vec<bool> = members.iter().map(|group| self.is_pin(group)).collect();
        let pins = taken.clone();
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_has_every_particle_once_and_pins_by_themselves() {
        // A 16×16 grid whose first row is pinned: 240 particles, 60 aggregates, 15 or so, 4 or so.
        let side = 16_usize;
        let at = |i: usize| crate::narrow::to_f32(crate::narrow::real(i));
        let rest: Vec<Vec3> = (0..side * side).map(|i| Vec3::new(at(i % side), 0.0, at(i / side))).collect();
        let across = (0..side * side).filter(|i| i % side + 1 < side).map(|i| (i, i + 1));
        let links: Vec<(usize, usize)> =
            across.chain((0..side * (side - 1)).map(|i| (i, i + side))).collect();
        let pinned: Vec<bool> = (0..side * side).map(|i| i < side).collect();
        let graph = Graph { rest: &rest, masses: &vec![1.0; side * side], pinned: &pinned, links: &links };
        let levels = levels(&graph, (0..side * side).collect());
        assert_eq!(levels.len(), 3);
        for level in levels {
            let mut all: Vec<usize> = level.members.iter().flatten().copied().collect();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..side * side));
            assert!(level.members.iter().all(|group| group.len() == 1 || !graph.is_pin(group)));
            assert!(level.rows.iter().all(|row| row.a < row.b && row.rest >= 1.0));
        }
    }
}
