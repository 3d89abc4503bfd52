//! From particles and rows to a model's blocks.

use super::aggregate::tiers;
use super::edge_colour::{colours, count, groups};
use super::hierarchy::Hierarchy;
use super::parts::Parts;
use super::stencil::{Stencil, least_inertia, merged};
use super::{BuildError, BuildReport};
use crate::index::{at, len32};
use crate::model::header::{self, Header};
use crate::model::record::{Block, Ends, HingeGroup, LANES, PairGroup};
use crate::model::{Model, derived, regions};
use crate::row::bend::HingeRow;
use crate::row::stretch::StretchRow;
use crate::simd::PLACE;
use alloc::vec::Vec;
use bytemuck::NoUninit;

/// Everything in a model that follows from its particles and rows.
pub(crate) struct Layout {
    pub(crate) header: Header,
    /// Colours of the stretch rows.
    colours: u32,
    /// The rows of each group, in the order of the sweep.
    pub(crate) stretch: Vec<[u32; LANES]>,
    skip: Vec<[u32; LANES]>,
    /// Of the hinges that are not merged.
    hinges: Vec<[u32; LANES]>,
    /// These hinges.
    single: Vec<HingeRow>,
    pub(crate) stencil: Stencil,
    hierarchy: Hierarchy,
}

impl Layout {
    /// # Errors
    /// [`BuildError::OutOfScale`] and [`BuildError::TooLarge`].
    pub(crate) fn new(parts: &Parts) -> Result<Self, BuildError> {
        let rows = &parts.rows;
        let particles = len32(&parts.particles);
        let stretch_ends: Vec<[u32; 2]> = rows.stretch.iter().map(|row| [row.a, row.b]).collect();
        let skip_ends: Vec<[u32; 2]> = rows.skip.iter().map(|row| [row.a, row.b]).collect();
        let mut merged = merged(&rows.hinges);
        if parts.stiff_bend {
            merged.fill(false);
        }
        let apart = rows.hinges.iter().zip(&merged).filter(|(_, merged)| !**merged);
        let single: Vec<HingeRow> = apart.map(|(hinge, _)| *hinge).collect();
        let single_ends: Vec<[u32; 4]> = single.iter().map(|hinge| hinge.p).collect();

        let stretch_colours = colours(particles, &stretch_ends);
        let stretch = groups(&stretch_colours);
        let skip = groups(&colours(particles, &skip_ends));
        let hinges = groups(&colours(particles, &single_ends));
        let mut header = Header {
            magic: header::MAGIC,
            byte_order: header::BYTE_ORDER,
            version: header::VERSION,
            layout: regions::LAYOUT_HASH,
            blocks: 0,
            sources: len32(&parts.particle_of),
            particles,
            pins: parts.reach.iter().map(|reach| u32::from(reach.is_pin())).sum(),
            stretch: len32(&rows.stretch),
            stretch_groups: len32(&stretch),
            skip: len32(&rows.skip),
            skip_groups: len32(&skip),
            hinges: len32(&single),
            hinge_groups: len32(&hinges),
            merged_hinges: len32(&rows.hinges) - len32(&single),
            faces: len32(&parts.faces),
            backstops: len32(&parts.backstops),
            colliders: parts.colliders,
            longest_row: longest_row(parts),
            shortest_row: derived::shortest(parts.reach.iter().map(|reach| reach.shortest_row)),
            mass: derived::mass(&parts.particles),
            bend_inertia: least_inertia(&rows.hinges, &merged),
            ..Header::default()
        };
        let out_of_scale = |particle| BuildError::OutOfScale { vertex: at(&parts.source_of, particle) };
        let stencil =
            Stencil::new(&header, &stretch_ends, &stretch, &rows.hinges, &merged).map_err(out_of_scale)?;
        let matchings = if parts.triangles == 0 { 1 } else { 2 };
        let masses: Vec<f32> = parts.particles.iter().map(|particle| particle.mass).collect();
        let hierarchy = Hierarchy::new(&header, &tiers(parts.graph(), matchings), &masses);

        header.link_slots = len32(&stencil.links.slots);
        header.bend_slots = len32(&stencil.bend.slots);
        header.levels = len32(&hierarchy.levels);
        header.aggregate_nodes = len32(&hierarchy.masses);
        header.child_slots = len32(&hierarchy.children.slots);
        header.bound_groups = len32(&hierarchy.bounds);
        header.blocks = u32::try_from(regions::model_blocks(&header)).map_err(|_| BuildError::TooLarge)?;
        if !header.is_addressable() {
            return Err(BuildError::TooLarge);
        }
        let colours = count(&stretch_colours);
        Ok(Self { header, colours, stretch, skip, hinges, single, stencil, hierarchy })
    }

    /// Counts what was laid out.
    pub(crate) fn describe(&self, report: &mut BuildReport) {
        report.colours = self.colours;
        report.merged_hinges = self.header.merged_hinges;
        report.levels = self.header.levels;
        report.aggregates = self.hierarchy.levels.iter().map(|level| level.count).sum();
    }

    /// Writes the blocks and checks them as [`Model::from_blocks`] does.
    ///
    /// # Errors
    /// [`BuildError::Model`].
    pub(crate) fn write(&self, parts: &Parts) -> Result<Vec<Block>, BuildError> {
        let inert = self.header.inert();
        let mass = |particle: u32| at(&parts.particles, particle).mass;
        let pair = |a: u32, b: u32, rest: f32, compliance: f32| Pair {
            ends: [a, b],
            rest,
            compliance,
            inertia: derived::pair_inertia(mass(a), mass(b)),
        };
        let stretch = parts.rows.stretch.iter().map(|row| pair(row.a, row.b, row.rest, 1.0 / row.stiffness));
        let (stretch_ends, stretch) = pairs(&self.stretch, inert, &stretch.collect::<Vec<_>>());
        let skip = parts.rows.skip.iter().map(|row| pair(row.a, row.b, row.rest, 0.0));
        let (skip_ends, skip) = pairs(&self.skip, inert, &skip.collect::<Vec<_>>());
        let (hinge_ends, hinges) = self.hinges(inert);
        let (links, bend) = (&self.stencil.links, &self.stencil.bend);
        let (levels, children) = (&self.hierarchy, &self.hierarchy.children);

        let mut blocks = Vec::new();
        append(&mut blocks, &[self.header]);
        append(&mut blocks, &parts.particles);
        append(&mut blocks, &parts.reach);
        let (tether_pins, tether_lengths) = self.tethers(parts);
        append(&mut blocks, &tether_pins);
        append(&mut blocks, &tether_lengths);
        append(&mut blocks, &parts.particle_of);
        append(&mut blocks, &parts.source_of);
        append(&mut blocks, &places(&stretch_ends));
        append(&mut blocks, &stretch);
        append(&mut blocks, &places(&skip_ends));
        append(&mut blocks, &skip);
        append(&mut blocks, &places(&hinge_ends));
        append(&mut blocks, &hinges);
        append(&mut blocks, &links.starts);
        append(&mut blocks, &links.field(|neighbour| neighbour.particle * PLACE));
        append(&mut blocks, &links.field(|neighbour| neighbour.row * PLACE));
        append(&mut blocks, &links.field(|neighbour| neighbour.bend));
        append(&mut blocks, &bend.starts);
        append(&mut blocks, &bend.field(|neighbour| neighbour.particle * PLACE));
        append(&mut blocks, &bend.field(|neighbour| neighbour.bend));
        append(&mut blocks, &levels.levels);
        append(&mut blocks, &levels.parents.iter().map(|parent| parent * PLACE).collect::<Vec<_>>());
        append(&mut blocks, &levels.masses);
        append(&mut blocks, &children.starts);
        append(&mut blocks, &children.field(|child| child.0 * PLACE));
        append(&mut blocks, &children.field(|child| child.1));
        append(&mut blocks, &places(&levels.bound_ends));
        append(&mut blocks, &levels.bounds);
        append(&mut blocks, &parts.faces);
        append(&mut blocks, &parts.backstops);
        Model::from_blocks(&blocks).map_err(BuildError::Model)?;
        Ok(blocks)
    }

    /// Places of the pins that the nodes of the particles are tethered to, and lengths of the tethers.
    fn tethers(&self, parts: &Parts) -> (Vec<u32>, Vec<f32>) {
        let nodes = 0..self.header.particle_nodes();
        let tethers = nodes.map(|node| derived::tether(node, parts.reach.get(node as usize)));
        tethers.map(|(pin, length)| (pin * PLACE, length)).unzip()
    }

    /// The records of the hinges that are not merged.
    fn hinges(&self, inert: u32) -> (Vec<Ends<4>>, Vec<HingeGroup>) {
        let records = self.hinges.iter().map(|group| {
            let mut ends = [[inert; LANES]; 4];
            let mut record = HingeGroup::default();
            for (lane, hinge) in group.iter().map(|row| self.single.get(*row as usize)).enumerate() {
                let Some(hinge) = hinge else { continue };
                for (end, particle) in ends.iter_mut().zip(hinge.p) {
                    end[lane] = particle;
                }
                for (coefficient, c) in record.c.iter_mut().zip(hinge.c) {
                    coefficient[lane] = c;
                }
                record.scale[lane] = hinge.scale;
                record.rest[lane] = hinge.rest;
            }
            (ends, record)
        });
        records.unzip()
    }
}

/// What the header says of the longest row.
fn longest_row(parts: &Parts) -> f32 {
    let is_pin = |particle: u32| at(&parts.reach, particle).is_pin();
    let with =
        |longest: derived::Longest, row: &StretchRow| longest.with(row.rest, is_pin(row.a) && is_pin(row.b));
    parts.rows.stretch.iter().fold(derived::Longest::default(), with).row()
}

/// What a row between two particles is written from.
struct Pair {
    ends: [u32; 2],
    rest: f32,
    compliance: f32,
    inertia: f32,
}

/// The records of `rows` in the groups that are given.
fn pairs(groups: &[[u32; LANES]], inert: u32, rows: &[Pair]) -> (Vec<Ends<2>>, Vec<PairGroup>) {
    let records = groups.iter().map(|group| {
        let mut ends = [[inert; LANES]; 2];
        let mut record = PairGroup { rest: [1.0; LANES], inverse_rest: [1.0; LANES], ..PairGroup::default() };
        for (lane, row) in group.iter().map(|row| rows.get(*row as usize)).enumerate() {
            let Some(row) = row else { continue };
            [ends[0][lane], ends[1][lane]] = row.ends;
            record.rest[lane] = row.rest;
            record.inverse_rest[lane] = 1.0 / row.rest;
            record.compliance[lane] = row.compliance;
            record.inertia[lane] = row.inertia;
        }
        (ends, record)
    });
    records.unzip()
}

/// The places of nodes that are given by index; that they are below 2³¹ was checked.
fn places<const N: usize>(ends: &[Ends<N>]) -> Vec<Ends<N>> {
    ends.iter().map(|ends| ends.map(|end| end.map(|index| index * PLACE))).collect()
}

/// Appends a region, its last block filled up with zeros.
fn append<T: NoUninit>(blocks: &mut Vec<Block>, items: &[T]) {
    let bytes: &[u8] = bytemuck::cast_slice(items);
    let first = blocks.len();
    blocks.resize(first + bytes.len().div_ceil(size_of::<Block>()), Block::default());
    let target: &mut [u8] = bytemuck::cast_slice_mut(&mut blocks[first..]);
    target[..bytes.len()].copy_from_slice(bytes);
}
