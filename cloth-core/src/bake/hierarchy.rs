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
        let mut below_first = 0;
        let mut below_masses = masses.to_vec();
        for tier in tiers {
            let first = len32(&hierarchy.parents);
            let count = len32(&tier.graph.nodes);
            let room = count.next_multiple_of(LANES32);
            hierarchy.parents.resize((first + room) as usize, header.inert());

            let masses: Vec<f32> = tier.graph.nodes.iter().map(|node| node.mass).collect();
            for ((&parent, &mass), node) in tier.parents.iter().zip(&below_masses).zip(below_first..) {
                hierarchy.parents[node as usize] = first + parent;
                let share = derived::share(mass, masses[parent as usize]);
                children.push((first - first_aggregate + parent, (node, share)));
            }
            hierarchy.masses.extend(&masses);
            hierarchy.masses.resize((first - first_aggregate + room) as usize, 0.0);

            let bounds_first = len32(&hierarchy.bounds);
            hierarchy.bind(header, first, count, &bounds(&tier.graph));
            let bounds_end = len32(&hierarchy.bounds);
            hierarchy.levels.push(LevelRange { first, count, bounds: bounds_first, bounds_end });
            (below_first, below_masses) = (first, masses);
        }
        children.sort_unstable_by_key(|&(aggregate, (child, _))| (aggregate, child));
        let groups = len32(&hierarchy.masses) / LANES32;
        hierarchy.children = Slots::new(groups, &children, |_| (header.inert(), 0.0));
        hierarchy
    }

    /// Appends the bounds of a level.
    fn bind(&mut self, header: &Header, first: u32, count: u32, bounds: &[Bound]) {
        let ends: Vec<[u32; 2]> = bounds.iter().map(|bound| bound.ends).collect();
        for group in groups(&colours(count, &ends)) {
            let mut ends = [[header.inert(); LANES]; 2];
            let mut record = BoundGroup { rest: [1.0; LANES], inverse_rest: [1.0; LANES] };
            for (lane, bound) in group.iter().map(|row| bounds.get(*row as usize)).enumerate() {
                let Some(bound) = bound else { continue };
                [ends[0][lane], ends[1][lane]] = bound.ends.map(|node| first + node);
                record.rest[lane] = bound.rest;
                record.inverse_rest[lane] = 1.0 / bound.rest;
            }
            self.bound_ends.push(ends);
            self.bounds.push(record);
        }
    }
}
