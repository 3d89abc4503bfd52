//! A cloth's particles in their final order, and the rows between them.

use super::adjacency::Adjacency;
use super::aggregate::{Facing, Graph, Node};
use super::draft::Draft;
use super::geodesic::nearest_pins;
use super::measure::length;
use super::order::Walk;
use super::rows::Rows;
use super::surface::Triangle;
use super::{BuildError, hinge};
use crate::Vec3;
use crate::index::NONE;
use crate::index::{at, len32};
use crate::math::real::{abs, is_finite, min};
use crate::model::MAX_LENGTH;
use crate::model::record::{Backstop, Face, Particle};
use crate::model::validate::{LENGTHS, MASSES, MAX_COEFFICIENT};
use crate::row::bend::HingeRow;
use crate::row::skip::SkipRow;
use crate::row::stretch::{self, StretchRow};
use crate::row::tether::Reach;
use alloc::vec::Vec;

/// Particles breadth first from the pins along stretch rows, and rows by their particles.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Parts {
    /// Vertex → particle.
    pub(crate) particle_of: Vec<u32>,
    /// Particle → first vertex.
    pub(crate) source_of: Vec<u32>,
    pub(crate) particles: Vec<Particle>,
    pub(crate) reach: Vec<Reach>,
    pub(crate) rows: Rows,
    /// Which way each particle's triangles face; none of chains.
    pub(crate) facing: Vec<Facing>,
    /// Triangles the rows came from; 0 for chains.
    pub(crate) triangles: u32,
    /// Whether no bend rows are merged.
    pub(crate) stiff_bend: bool,
    /// Triangles, or links where there are none.
    pub(crate) faces: Vec<Face>,
    /// Of particles; empty for none.
    pub(crate) backstops: Vec<Backstop>,
    /// Most colliders at a time.
    pub(crate) colliders: u32,
}

impl Parts {
    pub(crate) fn new(draft: &Draft) -> Result<Self, BuildError> {
        let rows = Adjacency::new(len32(&draft.rest), &draft.stretch);
        let walk = Walk::new(&rows, |node| draft.pinned[node as usize]);
        let (order, particle_of_node) = (&walk.order, walk.places());
        let particle = |node: u32| particle_of_node[node as usize];
        let long = |[a, b]: [u32; 2]| length(draft.rest[a as usize] - draft.rest[b as usize]);
        let lengths: Vec<f32> = draft.stretch.iter().map(|&row| long(row)).collect();

        let mut parts = Self {
            stiff_bend: draft.stiff_bend,
            particle_of: draft.node_of.iter().map(|&node| particle(node)).collect(),
            source_of: order.iter().map(|&node| draft.source_of[node as usize]).collect(),
            facing: order.iter().map(|&node| draft.facing[node as usize]).collect(),
            triangles: draft.triangles,
            colliders: draft.colliders,
            ..Self::default()
        };
        for &node in order {
            let (rest, mass) = (draft.rest[node as usize].to_array(), draft.mass[node as usize]);
            parts.particles.push(Particle { rest, mass });
        }
        for ((&row, &rest), &stiffness) in draft.stretch.iter().zip(&lengths).zip(&draft.stiffness) {
            let [a, b] = ascending(row.map(particle));
            parts.rows.stretch.push(StretchRow { a, b, rest, stiffness });
        }
        parts.rows.stretch.sort_unstable_by_key(|row| (row.a, row.b));
        for &row in &draft.skip {
            let [a, b] = ascending(row.map(particle));
            parts.rows.skip.push(SkipRow { a, b, rest: long(row), pad: 0 });
        }
        parts.rows.skip.sort_unstable_by_key(|row| (row.a, row.b));
        for &nodes in &draft.hinges {
            // Turned by half a turn the hinge is the same, left and right included.
            let [a, b, left, right] = nodes;
            let nodes = if particle(a) < particle(b) { nodes } else { [b, a, right, left] };
            let rest = nodes.map(|node| draft.rest[node as usize]);
            let masses = nodes.map(|node| draft.mass[node as usize]);
            parts.rows.hinges.push(hinge::row(nodes.map(particle), rest, masses));
        }
        parts.rows.hinges.sort_unstable_by_key(|row| row.p);
        parts.faces = draft
            .faces
            .iter()
            .map(|corners| Face { corners: Triangle::new(corners.map(particle), 0).corners, count: 3 })
            .collect();
        if draft.triangles == 0 {
            let link = |row: &StretchRow| Face { corners: [row.a, row.b, row.b], count: 2 };
            parts.faces = parts.rows.stretch.iter().map(link).collect();
        }
        parts.faces.sort_unstable_by_key(|face| face.corners);
        if !draft.backstops.is_empty() {
            let of = |source: &u32| draft.backstops[*source as usize];
            parts.backstops = parts.source_of.iter().map(of).collect();
        }
        parts.reach = reach(draft, &rows, &lengths, order, &particle_of_node);
        parts.shorten_reach();
        parts.check_scale()?;
        Ok(parts)
    }

    /// The particles and which of them hard rows join.
    pub(crate) fn graph(&self) -> Graph {
        let own = self.particles.iter().zip(&self.reach).zip(&self.facing);
        let nodes = own.map(|((particle, reach), &facing)| Node {
            centre: Vec3::from_array(particle.rest),
            mass: particle.mass,
            facing,
            pinned: reach.is_pin(),
        });
        let hard = self.rows.stretch.iter().filter(|row| stretch::is_hard(row));
        let edges: Vec<[u32; 2]> = hard.clone().map(|row| [row.a, row.b]).collect();
        let is_hard = |a: u32, b: u32| edges.binary_search(&ascending([a, b])).is_ok();
        let mut ways: Vec<([u32; 2], f32)> = hard.map(|row| ([row.a, row.b], row.rest)).collect();
        for &HingeRow { p: [a, b, c, d], .. } in &self.rows.hinges {
            let rigid = is_hard(a, b) && [c, d].iter().all(|end| is_hard(a, *end) && is_hard(b, *end));
            let corners = [a, b, c, d].map(|end| Vec3::from_array(self.particles[end as usize].rest));
            if let Some(across) = hinge::across(corners).filter(|_| rigid) {
                ways.push((ascending([c, d]), across));
            }
        }
        ways.sort_unstable_by_key(|(ends, length)| (*ends, length.to_bits()));
        ways.dedup_by_key(|way| way.0);
        let (ways, lengths) = ways.into_iter().unzip();
        Graph { nodes: nodes.collect(), edges, ways, lengths }
    }

    /// Lowers each particle's cap to its shortest row. Tethers are rows too, but a path to a pin begins with a
    /// stretch row and is no shorter.
    fn shorten_reach(&mut self) {
        let stretch = self.rows.stretch.iter().map(|row| (row.a, row.b, row.rest));
        let skip = self.rows.skip.iter().map(|row| (row.a, row.b, row.rest));
        for (a, b, rest) in stretch.chain(skip) {
            for end in [a, b] {
                let cap = &mut self.reach[end as usize].shortest_row;
                *cap = min(rest, *cap);
            }
        }
    }

    /// Every derived number is in the range that models admit; the model's own check could not name a vertex.
    fn check_scale(&self) -> Result<(), BuildError> {
        let fault = |good: bool, particle: u32| {
            let vertex = at(&self.source_of, particle);
            if good { Ok(()) } else { Err(BuildError::OutOfScale { vertex }) }
        };
        for (particle, index) in self.particles.iter().zip(0..) {
            fault(MASSES.contains(&particle.mass), index)?;
        }
        for (reach, index) in self.reach.iter().zip(0..) {
            fault(reach.geodesic <= MAX_LENGTH, index)?;
        }
        for row in &self.rows.stretch {
            fault(LENGTHS.contains(&row.rest), row.a)?;
        }
        for row in &self.rows.skip {
            fault(LENGTHS.contains(&row.rest), row.a)?;
        }
        let usable = |x: f32| x >= f32::MIN_POSITIVE && is_finite(x);
        for row in &self.rows.hinges {
            let stencil = row.c.iter().all(|c| abs(*c) <= MAX_COEFFICIENT) && abs(row.rest) <= MAX_LENGTH;
            fault(stencil && usable(row.scale) && usable(row.inertia), row.p[0])?;
        }
        Ok(())
    }
}

fn reach(
    draft: &Draft,
    rows: &Adjacency,
    lengths: &[f32],
    order: &[u32],
    particle_of_node: &[u32],
) -> Vec<Reach> {
    let nearest = nearest_pins(rows, lengths, &draft.pinned);
    // Cloth can be further from its pin than the way along its rows where one of them is soft.
    let hard = lengths.iter().zip(&draft.stiffness);
    let hard: Vec<f32> =
        hard.map(|(&rest, &k)| if k < f32::INFINITY { f32::INFINITY } else { rest }).collect();
    let nearest_hard = nearest_pins(rows, &hard, &draft.pinned);
    let of_node = |&node: &u32| {
        let found = nearest[node as usize];
        let pin = if found.pin == NONE { NONE } else { particle_of_node[found.pin as usize] };
        let flags = if draft.pinned[node as usize] {
            Reach::PIN
        } else if draft.tethers && pin != NONE && found == nearest_hard[node as usize] {
            Reach::TETHER
        } else {
            0
        };
        Reach { shortest_row: f32::INFINITY, pin, geodesic: found.distance, flags }
    };
    order.iter().map(of_node).collect()
}

fn ascending([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}
