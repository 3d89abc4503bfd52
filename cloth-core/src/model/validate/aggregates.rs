//! Checks of the levels of aggregates.

use super::super::header::{Header, LANES32};
use super::super::record::{Ends, LANES, LevelRange};
use super::super::regions::Region;
use super::super::{Model, ModelError, derived};
use super::rows::are_apart;
use super::{LENGTHS, check, index_of, items_of, same, starts};
use crate::index::{at, len32};

/// Checks levels, parents, children and bounds.
pub(super) fn all(model: &Model) -> Result<(), ModelError> {
    let header = &model.header;
    let tree = Tree {
        model,
        parents: items_of::<Ends<1>>(model, Region::Parents).as_flattened().as_flattened(),
        children: items_of::<Ends<1>>(model, Region::Children).as_flattened(),
    };
    starts(model.child_starts, len32(tree.children), Region::ChildStarts.name())?;
    let bound_ends: &[Ends<2>] = items_of(model, Region::BoundEnds);
    let mut below = LevelRange { first: 0, count: header.particles, bounds: 0, bounds_end: 0 };
    let mut next = header.particle_nodes();
    for (index, level) in (0..).zip(model.levels) {
        let room = filled_up(level.count);
        let there = level.count > 0 && room.is_some_and(|room| room <= header.nodes().saturating_sub(next));
        let bounds = level.bounds == below.bounds_end && level.bounds <= level.bounds_end;
        let known = level.bounds_end <= header.bound_groups;
        check(level.first == next && there && bounds && known, Region::Levels.name(), index)?;
        next = next.saturating_add(room.unwrap_or(0));
        tree.check(level, &below)?;
        for group in level.bounds..level.bounds_end {
            check(is_bound(model, level, bound_ends, group), Region::Bounds.name(), group)?;
        }
        below = *level;
    }
    check(
        next == header.nodes() && below.bounds_end == header.bound_groups,
        Region::Levels.name(),
        u32::MAX,
    )?;
    // Nothing is above the last level, nor above the particles where there is none.
    for (index, parent) in (0..).zip(tree.parents).skip(below.first as usize) {
        check(index_of(*parent) == header.inert(), Region::Parents.name(), index)?;
    }
    Ok(())
}

/// The nodes of a level of `count`, those included that fill up its last group.
fn filled_up(count: u32) -> Option<u32> {
    count.checked_next_multiple_of(LANES32)
}

/// The mass of a node (kg); 0 of inert ones.
fn mass(model: &Model, node: u32) -> f32 {
    match node.checked_sub(model.header.particle_nodes()) {
        Some(aggregate) => at(model.aggregate_mass, aggregate),
        None => at(model.particles, node).mass,
    }
}

/// Aggregates and their children.
struct Tree<'a> {
    model: &'a Model<'a>,
    parents: &'a [u32],
    children: &'a [[u32; LANES]],
}

impl Tree<'_> {
    /// Checks the aggregates of a level and the parents of the one below.
    ///
    /// Children of an aggregate ascend and name it as their parent, so no node of the level below has two; that all have
    /// one but the pins, their number tells.
    fn check(&self, level: &LevelRange, below: &LevelRange) -> Result<(), ModelError> {
        let mut children = 0_u64;
        let room = filled_up(level.count).unwrap_or(0);
        for aggregate in level.first..level.first.saturating_add(room) {
            let own = self.aggregate(aggregate, below);
            let filled = aggregate - level.first < level.count;
            let good = own.is_some_and(|count| if filled { count > 0 } else { count == 0 });
            let number = aggregate - self.model.header.particle_nodes();
            check(good, Region::Children.name(), number)?;
            children += u64::from(own.unwrap_or(0));
        }
        // Pins have no parent.
        let pins = if below.first == 0 { self.model.header.pins } else { 0 };
        check(children + u64::from(pins) == u64::from(below.count), Region::Children.name(), u32::MAX)?;
        for (pin, _) in (0..).zip(self.model.reach).filter(|(_, reach)| reach.is_pin()) {
            let alone = index_of(at(self.parents, pin)) == self.model.header.inert();
            check(alone, Region::Parents.name(), pin)?;
        }
        let end = below.first + below.count;
        for node in end..level.first {
            check(
                index_of(at(self.parents, node)) == self.model.header.inert(),
                Region::Parents.name(),
                node,
            )?;
        }
        Ok(())
    }

    /// How many children an aggregate has; `None` where one is no child of it or a number is not what follows from them.
    fn aggregate(&self, aggregate: u32, below: &LevelRange) -> Option<u32> {
        let header: &Header = &self.model.header;
        let own = aggregate.checked_sub(header.particle_nodes())?;
        let (group, lane) = (own / LANES32, own % LANES32);
        let (mut count, mut last, mut done, mut sum) = (0, None, false, 0.0);
        for slot in at(self.model.child_starts, group)..at(self.model.child_starts, group + 1) {
            let child = index_of(at(self.children.get(slot as usize)?, lane));
            let share = at(self.model.child_shares.get(slot as usize)?, lane);
            done |= child == header.inert();
            if done {
                (child == header.inert() && share.to_bits() == 0).then_some(())?;
                continue;
            }
            let known = child >= below.first && child - below.first < below.count;
            let own = known && Some(child) > last && index_of(at(self.parents, child)) == aggregate;
            let share_follows =
                same(share, derived::share(mass(self.model, child), mass(self.model, aggregate)));
            (own && share_follows).then_some(())?;
            sum += mass(self.model, child);
            last = Some(child);
            count += 1;
        }
        same(sum, mass(self.model, aggregate)).then_some(count)
    }
}

/// Bounds between different aggregates of a level, or a pin and one of them.
fn is_bound(model: &Model, level: &LevelRange, ends: &[Ends<2>], group: u32) -> bool {
    let inert = model.header.inert();
    let Some((ends, record)) = ends.get(group as usize).zip(model.bounds.get(group as usize)) else {
        return false;
    };
    let inside = |node: u32| node >= level.first && node - level.first < level.count;
    let pin = |node: u32| model.reach.get(node as usize).is_some_and(|reach| reach.is_pin());
    let [a, b] = ends;
    let lanes = a.iter().zip(b).zip(record.rest.iter().zip(&record.inverse_rest));
    let (mut good, mut done) = (are_apart(ends, inert), false);
    for ((a, b), (rest, inverse)) in lanes {
        let (a, b) = (index_of(*a), index_of(*b));
        // What fills a group up is behind all else.
        done |= a == inert && b == inert;
        let lane = if done {
            a == inert && b == inert && same(*rest, 1.0)
        } else {
            a < b && (inside(a) || pin(a)) && inside(b) && LENGTHS.contains(rest)
        };
        good &= lane && same(*inverse, 1.0 / *rest);
    }
    good
}
