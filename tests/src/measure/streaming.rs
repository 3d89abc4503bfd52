//! `streaming`: groups of colliders that come and go, against an index made anew.

use super::absurd::rational;
use super::broadphase::measured_frames;
use super::callgrind::{self, Child, MEASURED};
use super::{Measurement, Out, Table, Verdict};
use crate::narrow::{real, to_u32};
use crate::random::Random;
use crate::workload::bodies::Town;
use anyhow::Result;
use cloth_host::index::{Body, ColliderIndex, Group, Query, Tree};
use std::hint::black_box;

/// Groups against rebuilding.
pub const STREAMING: Measurement = Measurement {
    name: "streaming",
    about: "a town of 16×16 tiles of 12 m with 64 colliders each, and 64 cloths of 0.8×1.2×0.8 m in it: instructions of a tile that comes or goes, of making \
            the index anew, and of the cloths' gathers after 2,000 tiles have gone and come again, over those of an index made anew, tile by \
            tile or in one piece (callgrind)",
    bar: "adding or removing a group ≥ 100× cheaper than a rebuild; streamed queries ≤ 1.3× of a fresh index, same answers; bytes, absorb and \
          fingerprint as documented",
    uses_clock: false,
    run,
};

const SIDE: u32 = 16;
const BODIES: usize = 64;
const CLOTHS: usize = 64;

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A tile comes.
    Add,
    /// A tile goes.
    Remove,
    /// All tiles are put into a new index.
    Tiles,
    /// All bodies are put into a new index as one group.
    Whole,
    /// All cloths gather after tiles have come and gone.
    Streamed,
    /// All cloths gather in an index of tiles in their order.
    Fresh,
    /// All cloths gather in an index of one group.
    FreshWhole,
}

fn town() -> Town {
    Town::new(SIDE, BODIES, CLOTHS)
}

/// All tiles in their order.
fn tiles(town: &Town) -> (Tree, Vec<Group>) {
    let mut tree = Tree::default();
    let groups = town.tiles.iter().map(|tile| tree.insert_group(tile, &[])).collect();
    (tree, groups)
}

/// All bodies as one group.
fn whole(town: &Town) -> Tree {
    let mut tree = Tree::default();
    tree.insert_group(&town.tiles.concat(), &[]);
    tree
}

/// The index after 2,000 tiles have gone and come again, one or more at a time, and the tiles in the order in which they came.
fn streamed(town: &Town) -> (Tree, Vec<usize>) {
    let (mut tree, mut groups) = tiles(town);
    let mut random = Random::new(2000);
    let mut away: Vec<usize> = Vec::new();
    for _ in 0..2000 {
        let tile = random.below(to_u32(groups.len())) as usize;
        if tree.remove_group(groups[tile]) {
            away.push(tile);
        }
        if !random.one_in(3) || away.len() > 16 {
            for tile in away.drain(..) {
                groups[tile] = tree.insert_group(&town.tiles[tile], &[]);
            }
        }
    }
    for tile in away {
        groups[tile] = tree.insert_group(&town.tiles[tile], &[]);
    }
    let mut order: Vec<usize> = (0..groups.len()).collect();
    order.sort_by_key(|&tile| groups[tile]);
    (tree, order)
}

fn gathers(tree: &Tree, town: &Town) {
    for _ in 0..MEASURED {
        measured_frames(&mut || {
            for query in &town.cloths {
                black_box(tree.gather(query, &[], &mut |found| {
                    black_box(found.handle);
                }));
            }
        });
    }
}

/// Does what the observed process is there for.
pub fn child(part: Part) {
    let town = town();
    match part {
        Part::Add | Part::Remove => {
            let (mut tree, mut groups) = tiles(&town);
            for (tile, group) in (0..MEASURED as usize).map(|i| 25 * i).map(|tile| (&town.tiles[tile], tile))
            {
                if part == Part::Add {
                    tree.remove_group(groups[group]);
                    measured_frames(&mut || groups[group] = tree.insert_group(tile, &[]));
                } else {
                    measured_frames(&mut || {
                        tree.remove_group(groups[group]);
                    });
                    groups[group] = tree.insert_group(tile, &[]);
                }
            }
        }
        Part::Tiles => (0..MEASURED).for_each(|_| {
            measured_frames(&mut || {
                black_box(tiles(&town));
            });
        }),
        Part::Whole => (0..MEASURED).for_each(|_| {
            measured_frames(&mut || {
                black_box(whole(&town));
            });
        }),
        Part::Streamed => gathers(&streamed(&town).0, &town),
        Part::Fresh => gathers(&tiles(&town).0, &town),
        Part::FreshWhole => gathers(&whole(&town), &town),
    }
}

/// The bodies that a query is answered with, in an order that only depends on them.
fn answers(tree: &Tree, query: &Query) -> Vec<[u64; 3]> {
    let mut places = Vec::new();
    let place = |body: &Body| body.pose.translation.map(f64::to_bits);
    tree.gather(query, &[], &mut |found| places.push(place(found.body)));
    places.sort_unstable();
    places
}

fn run(out: &mut Out) -> Result<Verdict> {
    let count = |child| callgrind::instructions_of(child, &[]);
    let (add, remove) = (count(Child::StreamAdd)?, count(Child::StreamRemove)?);
    let rebuilds =
        [("tile by tile", count(Child::StreamTiles)?), ("in one piece", count(Child::StreamWhole)?)];
    let rebuild = rebuilds[0].1.min(rebuilds[1].1);
    let mut table = Table::new(["what", "instructions", "in a rebuild"]);
    let changes = [("a tile comes", add), ("a tile goes", remove)];
    for (name, instructions) in changes.into_iter().chain(rebuilds) {
        table.row([name.into(), instructions.to_string(), format!("{:.0}", rational(rebuild, instructions))]);
    }
    out.table(&table);
    let mut verdict = Verdict::new();
    for (name, instructions) in changes {
        let ratio = rational(rebuild, instructions);
        verdict.check(format!("{name}: 1/{ratio:.0} of a rebuild"), ratio >= 100.0);
    }

    let streamed_gathers = count(Child::StreamQueries)?;
    let fresh = [count(Child::FreshQueries)?, count(Child::FreshWholeQueries)?];
    let mut table = Table::new(["index", "instructions a gather"]);
    for (name, instructions) in
        [("streamed", streamed_gathers), ("tile by tile", fresh[0]), ("in one piece", fresh[1])]
    {
        table.row([name.into(), (instructions / CLOTHS as u64).to_string()]);
    }
    out.table(&table);
    for (name, fresh) in ["tile by tile", "in one piece"].into_iter().zip(fresh) {
        let ratio = rational(streamed_gathers, fresh);
        verdict.check(format!("gathers {ratio:.2} × those of an index made {name}"), ratio <= 1.3);
    }

    let town = town();
    let ((streamed, order), (fresh, _)) = (streamed(&town), tiles(&town));
    let differ =
        town.cloths.iter().filter(|query| answers(&streamed, query) != answers(&fresh, query)).count();
    verdict.check(format!("{differ} of {CLOTHS} answers otherwise"), differ == 0);

    // An index made anew in the order in which the tiles came is the same set, and so is one that took over another's tiles.
    let mut again = Tree::default();
    let (first, rest) = order.split_at(order.len() / 2);
    let mut other = Tree::default();
    for (index, tiles) in [(&mut again, first), (&mut other, rest)] {
        for &tile in tiles {
            index.insert_group(&town.tiles[tile], &[]);
        }
    }
    again.absorb(other);
    verdict.check(
        "the fingerprint has no trace of 2,000 tiles that went nor of absorb",
        again.fingerprint() == streamed.fingerprint(),
    );
    verdict.check("it has the order in which they came", fresh.fingerprint() != streamed.fingerprint());
    let bodies = real(fresh.len());
    verdict.tell(format!(
        "{:.0} bytes a body, {:.0} after 2,000 tiles",
        real(fresh.bytes()) / bodies,
        real(streamed.bytes()) / bodies
    ));
    Ok(verdict)
}
