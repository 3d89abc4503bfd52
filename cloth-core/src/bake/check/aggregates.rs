//! Properties of aggregates and of the bounds between them.

use super::super::aggregate::{Graph, Tier, tiers};
use super::super::bound::bounds;
use super::super::edge_colour::{colours, count};
use super::super::parts::Parts;
use super::{Mesh, built, forests, meshes};
use crate::ModelBuilder;
use crate::index::{NONE, len32};
use crate::row::stretch;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec;
use alloc::vec::Vec;
use proptest::prelude::*;

fn tiers_of(parts: &Parts) -> Vec<Tier> {
    tiers(parts.graph(), if parts.triangles == 0 { 1 } else { 2 })
}

/// For each level, the aggregate of every particle.
fn memberships(parts: &Parts, tiers: &[Tier]) -> Vec<Vec<u32>> {
    let mut of: Vec<u32> = (0..len32(&parts.particles)).collect();
    let level = |tier: &Tier| {
        of.iter_mut().for_each(|node| *node = tier.parents[*node as usize]);
        of.clone()
    };
    tiers.iter().map(level).collect()
}

/// Mass-weighted centroids of the members in some pose, given by vertices, by f64 (m).
fn centroids(parts: &Parts, of: &[u32], pose: &[[f32; 3]]) -> Vec<[f64; 3]> {
    let count = of.iter().max().map_or(0, |last| *last as usize + 1);
    let mut sums = vec![[0.0_f64; 4]; count];
    for (particle, aggregate) in of.iter().enumerate() {
        let mass = f64::from(parts.particles[particle].mass);
        let place = pose[parts.source_of[particle] as usize];
        let sum = &mut sums[*aggregate as usize];
        sum[3] += mass;
        (0..3).for_each(|axis| sum[axis] += mass * f64::from(place[axis]));
    }
    sums.iter().map(|sum| [sum[0] / sum[3], sum[1] / sum[3], sum[2] / sum[3]]).collect()
}

/// The largest excess of a distance over its bound in some pose, as a share of the bound, and how many bounds there are
/// on each level.
fn excess(parts: &Parts, pose: &[[f32; 3]]) -> (f64, Vec<usize>) {
    let tiers = tiers_of(parts);
    let (mut worst, mut counts) = (f64::NEG_INFINITY, vec![]);
    for (tier, of) in tiers.iter().zip(memberships(parts, &tiers)) {
        let places = centroids(parts, &of, pose);
        let bounds = bounds(&tier.graph);
        for bound in &bounds {
            let [a, b] = bound.ends.map(|node| places[node as usize]);
            let square: f64 = (0..3).map(|axis| (a[axis] - b[axis]) * (a[axis] - b[axis])).sum();
            worst = worst.max(square.sqrt() / f64::from(bound.rest) - 1.0);
        }
        counts.push(bounds.len());
    }
    (worst, counts)
}

/// The members of each aggregate, by vertices.
fn blocks(parts: &Parts, of: &[u32]) -> BTreeSet<Vec<u32>> {
    let mut members: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (aggregate, vertex) in of.iter().zip(&parts.source_of) {
        members.entry(*aggregate).or_default().push(*vertex);
    }
    members
        .into_values()
        .map(|mut members| {
            members.sort_unstable();
            members
        })
        .collect()
}

#[test]
fn a_grid_falls_into_squares_below_its_pinned_edge() {
    let pins: Vec<u32> = (0..32).collect();
    for cuts in [0, u64::MAX] {
        let (parts, _) = built(Mesh::grid(32, 32, cuts, false).builder().pins(&pins));
        let tiers = tiers_of(&parts);
        let found = blocks(&parts, &memberships(&parts, &tiers)[0]);
        for pin in 0..32 {
            assert!(found.contains(&vec![pin]));
        }
        for row in (1..31).step_by(2) {
            for column in (0..32).step_by(2) {
                let corner = row * 32 + column;
                let square = vec![corner, corner + 1, corner + 32, corner + 33];
                assert!(found.contains(&square), "no {square:?}");
            }
        }
        // Fifteen rows of sixteen squares and eight strips of the lowest row; about a quarter on each further level.
        let counts: Vec<usize> = tiers.iter().map(|tier| tier.graph.nodes.len() - 32).collect();
        assert!(
            counts.len() <= 5 && counts[..3] == [248, 62, 16] || counts[..3] == [248, 63, 17],
            "{counts:?}"
        );
    }
}

#[test]
fn a_chain_falls_into_pairs() {
    let positions: Vec<[f32; 3]> = (0..33_u16).map(|link| [0.0, -f32::from(link), 0.0]).collect();
    let parents: Vec<u32> = [NONE].into_iter().chain(0..32).collect();
    let (parts, _) = built(ModelBuilder::chains(&positions, &parents).pins(&[0]).uniform_mass(1.0));
    let tiers = tiers_of(&parts);
    let pairs: Vec<u32> = (0..33).map(|particle: u32| particle.div_ceil(2)).collect();
    assert_eq!(memberships(&parts, &tiers)[0], pairs);
    assert_eq!(tiers.iter().map(|tier| tier.graph.nodes.len()).collect::<Vec<_>>(), vec![17, 9, 5, 3, 2]);
    // A straight chain is as long as it can be: bounds are the distances at rest.
    let rests: Vec<f32> = bounds(&tiers[0].graph).iter().map(|bound| bound.rest).collect();
    assert_eq!(rests, [vec![1.5], vec![2.0; 15]].concat());
}

#[test]
fn soft_rows_make_no_aggregates() {
    let grid = Mesh::grid(8, 8, 0, false);
    assert!(tiers_of(&built(grid.builder().stretch_stiffness(1.0)).0).is_empty());
    // One hard row among the soft ones is no reason either, a hard half is: it is joined as if it were alone.
    let half: Vec<(u32, u32, f32)> = grid
        .triangles
        .iter()
        .flat_map(|&[a, b, c]| [(a, b, 2.0), (b, c, 2.0), (c, a, 2.0)])
        .filter(|(a, b, _)| a % 8 > 3 || b % 8 > 3)
        .collect();
    let soft = built(grid.builder().pins(&[0]).row_stiffness(&half)).0;
    let found = tiers_of(&soft);
    let alone = |of: &[u32], particle: usize| of.iter().filter(|other| **other == of[particle]).count() == 1;
    for of in memberships(&soft, &found) {
        let right = (0..64).filter(|particle| soft.source_of[*particle] % 8 > 3);
        assert!(right.into_iter().all(|particle| alone(&of, particle)));
    }
    assert_eq!(found.last().map(|tier| tier.graph.edges.len() < 12), Some(true));
}

#[test]
fn separate_pieces_are_joined_each_to_its_last() {
    // Forty ropes of nine particles, every root a pin: pairs, fours, and one aggregate for each rope.
    let positions: Vec<[f32; 3]> = (0..360_u16).map(|i| [f32::from(i / 9), -f32::from(i % 9), 0.0]).collect();
    let parents: Vec<u32> = (0..360).map(|i: u32| if i.is_multiple_of(9) { NONE } else { i - 1 }).collect();
    let pins: Vec<u32> = (0..360).step_by(9).collect();
    let (parts, _) = built(ModelBuilder::chains(&positions, &parents).pins(&pins));
    let counts: Vec<usize> = tiers_of(&parts).iter().map(|tier| tier.graph.nodes.len() - 40).collect();
    assert_eq!(counts, vec![160, 80, 40]);
}

#[test]
fn a_curled_chain_may_unroll() {
    // A spiral of 60 links, 0.3 rad apart.
    let mut positions = vec![[0.0_f32; 3]];
    for link in 0..60_u8 {
        let (sin, cos) = (0.3 * f32::from(link)).sin_cos();
        let [x, y, z] = positions[positions.len() - 1];
        positions.push([x + 0.1 * cos, y + 0.1 * sin, z + 0.01]);
    }
    let parents: Vec<u32> = [NONE].into_iter().chain(0..60).collect();
    let (parts, _) = built(ModelBuilder::chains(&positions, &parents).pins(&[0]));
    let long = parts.rows.stretch[0].rest;
    let straight: Vec<[f32; 3]> = (0..61_u8).map(|link| [0.0, -long * f32::from(link), 0.0]).collect();
    let ((rest, _), (unrolled, counts)) = (excess(&parts, &positions), excess(&parts, &straight));
    assert!(rest < 1e-5 && unrolled < 1e-5, "{rest} at rest, {unrolled} unrolled");
    assert!(counts[0] == 30 && counts[1] == 15, "{counts:?}");
}

proptest! {
    #[test]
    fn aggregates_hang_together_and_leave_pins_alone(
        mesh in meshes(),
        pins in prop::collection::btree_set(0_u32..4, 0..4),
        soft in any::<u64>(),
    ) {
        let some: Vec<(u32, u32, f32)> = mesh
            .triangles
            .iter()
            .zip(0..)
            .filter(|(_, place)| soft.rotate_right(*place) & 7 == 0)
            .map(|(&[a, b, _], _)| (a, b, 10.0))
            .collect();
        let pins: Vec<u32> = pins.into_iter().collect();
        let (parts, _) = built(mesh.builder().pins(&pins).row_stiffness(&some));
        check_tree(&parts, 4)?;
    }

    #[test]
    fn aggregates_of_chains_do_too(parents in forests(), pins in prop::collection::vec(0_u32..2, 0..2)) {
        let positions: Vec<[f32; 3]> =
            (0..parents.len()).map(|i| [i as f32, (i * i % 7) as f32, (i * i % 5) as f32]).collect();
        let (parts, _) = built(ModelBuilder::chains(&positions, &parents).pins(&pins));
        check_tree(&parts, 2)?;
    }

    #[test]
    fn a_rest_shape_keeps_its_bounds(mesh in meshes(), pin in 0_u32..4) {
        let (parts, _) = built(mesh.builder().pins(&[pin]));
        let (worst, _) = excess(&parts, &mesh.positions);
        prop_assert!(worst < 1e-5, "{worst}");
    }

    #[test]
    fn flat_cloth_has_the_distances_at_rest_for_bounds(
        (columns, rows, cuts) in (3_u32..9, 3_u32..9, any::<u64>()),
        u in prop::array::uniform3(-1.0_f32..1.0),
        v in prop::array::uniform3(-1.0_f32..1.0),
    ) {
        let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        prop_assume!(normal.iter().map(|x| x * x).sum::<f32>() > 0.05);
        let mesh = Mesh::grid(columns, rows, cuts, false)
            .map(|p| core::array::from_fn(|i| u[i] * p[0] + v[i] * p[2]));
        let (parts, _) = built(mesh.builder().pins(&[0]));
        for tier in tiers_of(&parts) {
            let found = bounds(&tier.graph);
            prop_assert_eq!(found.len(), tier.graph.edges.len());
            for bound in found {
                let [a, b] = bound.ends.map(|node| tier.graph.nodes[node as usize].centre);
                prop_assert_eq!(bound.rest, super::super::measure::length(b - a));
            }
        }
    }

    #[test]
    fn a_bent_sheet_may_be_unrolled(
        (columns, rows) in (3_u32..30, 2_u32..12),
        turn in 0.02_f64..0.9,
        tall in 0.2_f64..4.0,
        size in prop::sample::select(vec![1e-4_f64, 1.0, 1e3]),
        pin in 0_u32..6,
    ) {
        // Not more than once round, or the sheet would pass through itself.
        let turn = turn.min(core::f64::consts::TAU / f64::from(columns));
        let flat = Mesh::grid(columns, rows, 0, false);
        let around = flat.clone().map(|p| {
            let angle = turn * f64::from(p[0]);
            let radius = size / (2.0 * (0.5 * turn).sin());
            [radius * angle.cos(), size * tall * f64::from(p[2]), radius * angle.sin()].map(|x| x as f32)
        });
        let unrolled = flat.map(|p| [size * f64::from(p[0]), size * tall * f64::from(p[2]), 0.0].map(|x| x as f32));
        let (parts, _) = built(around.builder().pins(&[pin % (columns * rows)]));
        let (bent, counts) = excess(&parts, &around.positions);
        let (open, _) = excess(&parts, &unrolled.positions);
        prop_assert!(bent < 1e-5 && open < 1e-5, "{bent} at rest, {open} unrolled; {counts:?}");
    }
}

/// Every aggregate holds at most `most` nodes of the level below, which hard rows join; pins are by themselves; and
/// edges are what hard rows make of them.
fn check_tree(parts: &Parts, most: usize) -> Result<(), TestCaseError> {
    let tiers = tiers_of(parts);
    let particles = parts.graph();
    let mut below = &particles;
    for (tier, of) in tiers.iter().zip(memberships(parts, &tiers)) {
        for (number, node) in tier.graph.nodes.iter().enumerate() {
            let members: Vec<u32> = (0..len32(&tier.parents))
                .filter(|child| tier.parents[*child as usize] as usize == number)
                .collect();
            prop_assert!((1..=most).contains(&members.len()));
            prop_assert!(is_connected(below, &members), "{members:?}");
            let pinned = members.iter().any(|child| below.nodes[*child as usize].pinned);
            prop_assert!(node.pinned == pinned && (!pinned || members.len() == 1));
        }
        let hard = parts.rows.stretch.iter().filter(|row| stretch::is_hard(row));
        let across = hard.map(|row| [of[row.a as usize], of[row.b as usize]]).filter(|[a, b]| a != b);
        let edges: BTreeSet<[u32; 2]> = across.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        prop_assert_eq!(&tier.graph.edges, &edges.into_iter().collect::<Vec<_>>());
        prop_assert!(tier.graph.nodes.len() < below.nodes.len());
        below = &tier.graph;
    }
    prop_assert!(tiers.len() <= 8);
    let ends: Vec<[u32; 2]> = bounds(below).iter().map(|bound| bound.ends).collect();
    prop_assert!(count(&colours(len32(&below.nodes), &ends)) as usize <= 2 * below.nodes.len());
    Ok(())
}

fn is_connected(graph: &Graph, members: &[u32]) -> bool {
    let mut reached = vec![members[0]];
    let mut visited = 0;
    while let Some(node) = reached.get(visited).copied() {
        visited += 1;
        for [a, b] in graph.edges.iter().filter(|edge| edge.contains(&node)) {
            let other = if *a == node { *b } else { *a };
            if members.contains(&other) && !reached.contains(&other) {
                reached.push(other);
            }
        }
    }
    reached.len() == members.len()
}
