//! The records of nested aggregates: levels, parents, children and bounds.

use super::aggregate::Tier;
use super::bound::{Bound, bounds};
use super::edge_colour::{colours, groups};
use super::slots::Slots;
use crate::index::len32;
use crate::model::derived;
use crate::model::header::{Header, LANES32};
use crate::model::record::{BoundGroup, Ends, LANES, LevelRange};
use alloc::vec::Vec;

/// The regions that aggregates fill.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Hierarchy {
    pub(crate) levels: Vec<LevelRange>,
    /// The aggregate of each node.
    pub(crate) parents: Vec<u32>,
    /// Mass of each aggregate node (kg).
    pub(crate) masses: Vec<f32>,
    /// Children of each aggregate node and their shares of its mass.
    pub(crate) children: Slots<(u32, f32)>,
    pub(crate) bound_ends: Vec<Ends<2>>,
    pub(crate) bounds: Vec<BoundGroup>,
}

impl Hierarchy {
    /// `header` knows the particles, and `masses` are theirs (kg).
    pub(crate) fn new(header: &Header, tiers: &[Tier], masses: &[f32]) -> Self {
        let first_aggregate = header.particle_nodes();
        let mut hierarchy =
            Self { parents: alloc::vec![header.inert(); first_aggregate as usize], ..Self::default() };
        let mut children = Vec::new();
        // The node and the mass of everything on the level below. What is pinned stays the particle it is.
        let mut below: Vec<(u32, f32)> = (0..).zip(masses.iter().copied()).collect();
        for tier in tiers {
            let first = len32(&hierarchy.parents);
            let mut own = alloc::vec![(header.inert(), 0.0); tier.graph.nodes.len()];
            let mut count = 0;
            for (own, node) in own.iter_mut().zip(&tier.graph.nodes).filter(|(_, node)| !node.pinned) {
                *own = (first + count, node.mass);
                hierarchy.masses.push(node.mass);
                count += 1;
            }
            let room = count.next_multiple_of(LANES32);
            hierarchy.parents.resize((first + room) as usize, header.inert());
            hierarchy.masses.resize((first - first_aggregate + room) as usize, 0.0);
            for (&parent, &(node, mass)) in tier.parents.iter().zip(&below) {
                let aggregate = &mut own[parent as usize];
                if tier.graph.nodes[parent as usize].pinned {
                    *aggregate = (node, mass);
                } else {
                    hierarchy.parents[node as usize] = aggregate.0;
                    children.push((aggregate.0 - first_aggregate, (node, derived::share(mass, aggregate.1))));
                }
            }

            let bounds_first = len32(&hierarchy.bounds);
            hierarchy.bind(header, &own, &bounds(&tier.graph));
            let bounds_end = len32(&hierarchy.bounds);
            hierarchy.levels.push(LevelRange { first, count, bounds: bounds_first, bounds_end });
            below = own;
        }
        children.sort_unstable_by_key(|&(aggregate, (child, _))| (aggregate, child));
        let groups = len32(&hierarchy.masses) / LANES32;
        hierarchy.children = Slots::new(groups, &children, |_| (header.inert(), 0.0));
        hierarchy
    }

    /// Appends the bounds of a level, whose nodes are `own`.
    fn bind(&mut self, header: &Header, own: &[(u32, f32)], bounds: &[Bound]) {
        let ends: Vec<[u32; 2]> = bounds.iter().map(|bound| bound.ends).collect();
        for group in groups(&colours(len32(own), &ends)) {
            let mut ends = [[header.inert(); LANES]; 2];
            let mut record = BoundGroup { rest: [1.0; LANES], inverse_rest: [1.0; LANES] };
            for (lane, bound) in group.iter().map(|row| bounds.get(*row as usize)).enumerate() {
                let Some(bound) = bound else { continue };
                let [a, b] = bound.ends.map(|node| own[node as usize].0);
                [ends[0][lane], ends[1][lane]] = [a.min(b), a.max(b)];
                record.rest[lane] = bound.rest;
                record.inverse_rest[lane] = 1.0 / bound.rest;
            }
            self.bound_ends.push(ends);
            self.bounds.push(record);
        }
    }
}
