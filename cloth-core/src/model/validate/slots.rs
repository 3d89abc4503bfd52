//! Checks of the slots of neighbours.

use super::super::header::LANES32;
use super::super::record::{Ends, LANES};
use super::super::regions::Region;
use super::super::{Model, ModelError, derived};
use super::{check, index_of, items_of, same, starts};
use crate::index::{at, len32, run};
use crate::math::{real, sqrt};

/// What rounding may add to a bound.
const SLACK: f32 = 1.001;

/// Checks the slots along stretch rows and those across hinges.
pub(super) fn all(model: &Model) -> Result<(), ModelError> {
    let ends = items_of(model, Region::StretchEnds);
    let links = Neighbours {
        ends,
        starts: model.link_starts,
        others: items_of::<Ends<1>>(model, Region::LinkEnds).as_flattened(),
        rows: items_of::<Ends<1>>(model, Region::LinkRows).as_flattened(),
        bend: model.link_bend,
        region: Region::LinkEnds.name(),
    };
    let across = Neighbours {
        ends: &[],
        starts: model.bend_starts,
        others: items_of::<Ends<1>>(model, Region::BendEnds).as_flattened(),
        rows: &[],
        bend: model.bend,
        region: Region::BendEnds.name(),
    };
    starts(links.starts, len32(links.others), Region::LinkStarts.name())?;
    starts(across.starts, len32(across.others), Region::BendStarts.name())?;
    let mut slots = 0_u64;
    for node in 0..model.header.particle_nodes() {
        let count = links.check(model, node, None)?;
        let shortest = derived::shortest(links.of(node).filter_map(|link| link.rest(model)));
        let stored = at(model.reach, node).shortest_row;
        // A skip row may be shorter than the links it spans.
        let fits = same(stored, shortest) || (model.header.skip > 0 && stored <= shortest);
        check(node >= model.header.particles || fits, Region::Reach.name(), node)?;
        slots += u64::from(count);
        across.check(model, node, Some(count))?;
    }
    // No particle names a neighbour twice and every slot names the row to it, so as many slots as rows have ends are
    // two for each row.
    check(slots == 2 * u64::from(model.header.stretch), links.region, u32::MAX)
}

/// Slots of neighbours, of one kind.
struct Neighbours<'a> {
    /// Ends of the rows; none across hinges.
    ends: &'a [Ends<2>],
    starts: &'a [u32],
    others: &'a [[u32; LANES]],
    /// Likewise.
    rows: &'a [[u32; LANES]],
    bend: &'a [[f32; LANES]],
    region: &'static str,
}

/// One slot of one particle.
#[derive(Clone, Copy)]
struct Neighbour {
    particle: u32,
    /// A lane of the stretch groups.
    row: u32,
    bend: f32,
}

impl Neighbour {
    /// Rest length of its row (m).
    fn rest(self, model: &Model) -> Option<f32> {
        model.stretch.get((self.row / LANES32) as usize).map(|group| at(&group.rest, self.row % LANES32))
    }
}

impl Neighbours<'_> {
    /// The slots of a node, blank ones included.
    fn of(&self, node: u32) -> impl Iterator<Item = Neighbour> {
        let (group, lane) = (node / LANES32, node % LANES32);
        let [first, end] = [at(self.starts, group), at(self.starts, group + 1)];
        (first..end).map(move |slot| self.slot(slot, lane))
    }

    fn slot(&self, slot: u32, lane: u32) -> Neighbour {
        let word =
            |words: &[[u32; LANES]]| words.get(slot as usize).map_or(0, |lanes| index_of(at(lanes, lane)));
        let bend = self.bend.get(slot as usize).map_or(0.0, |lanes| at(lanes, lane));
        Neighbour { particle: word(self.others), row: word(self.rows), bend }
    }

    /// Whether a row joins its neighbour and `node`.
    fn join(&self, neighbour: Neighbour, node: u32) -> bool {
        let (group, lane) = (neighbour.row / LANES32, neighbour.row % LANES32);
        let Some([a, b]) = self.ends.get(group as usize) else { return false };
        [a, b].map(|end| index_of(at(end, lane)))
            == [node.min(neighbour.particle), node.max(neighbour.particle)]
    }

    /// Whether `node` has `neighbour` among its own, with the very same coefficient.
    fn has(&self, node: u32, neighbour: u32, bend: f32) -> bool {
        let lane = node % LANES32;
        let others = run(self.others, self.starts, node / LANES32);
        let after = |lanes: &[u32; LANES]| matches!(index_of(at(lanes, lane)), other if other == node || other > neighbour);
        let place = others.partition_point(|lanes| !after(lanes));
        let Some(last) = place.checked_sub(1) else { return false };
        let found = others.get(last).map(|lanes| index_of(at(lanes, lane)));
        let coefficient = run(self.bend, self.starts, node / LANES32).get(last).map(|lanes| at(lanes, lane));
        found == Some(neighbour) && coefficient.is_some_and(|found| same(found, bend))
    }

    /// Checks the slots of a node and returns how many name a neighbour. `links` is the number of its stretch rows where
    /// these slots are of the other kind.
    fn check(&self, model: &Model, node: u32, links: Option<u32>) -> Result<u32, ModelError> {
        let header = &model.header;
        let fault = |good: bool| check(good, self.region, node);
        let no_row = if links.is_some() { 0 } else { header.no_row() };
        let (mut count, mut last, mut done) = (0, None, false);
        for neighbour in self.of(node) {
            let blank = neighbour.particle == node;
            done |= blank;
            if done {
                fault(blank && neighbour.row == no_row && neighbour.bend.to_bits() == 0)?;
                continue;
            }
            fault(node < header.particles && neighbour.particle < header.particles)?;
            fault(Some(neighbour.particle) > last && (links.is_some() || self.join(neighbour, node)))?;
            fault(self.has(neighbour.particle, node, neighbour.bend))?;
            last = Some(neighbour.particle);
            count += 1;
        }
        let rows = real::from_count(links.unwrap_or(count));
        let root = |particle: u32| sqrt(at(model.particles, particle).mass);
        for neighbour in self.of(node) {
            // A hinge h that has both particles adds at most ½·√(m_i·m_j)/I_h, and a particle has at most two hinges for
            // each of its rows.
            let most = SLACK * rows * root(node) * (root(neighbour.particle) / header.bend_inertia);
            fault(real::is_finite(neighbour.bend) && real::abs(neighbour.bend) <= most)?;
        }
        Ok(count)
    }
}
