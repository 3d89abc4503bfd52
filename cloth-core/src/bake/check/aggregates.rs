//! Properties of aggregates and of the bounds between them.

use super::super::aggregate::{Graph, Tier, tiers};
use super::super::bound::bounds;
use super::super::edge_colour::{colours, count};
use super::super::parts::Parts;
use super::{Mesh, built, forests, meshes};
use crate::index::{NONE, len32};
use crate::row::stretch;
use crate::{Block, ClothDynamics, ModelBuilder, State, StepInput, Vec3, step};
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
        masses in masses(),
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
        let builder = around.builder().pins(&[pin % (columns * rows)]);
        let builder = with_masses(builder, &masses, around.positions.len());
        let (parts, _) = built(builder.clone());
        let (bent, counts) = excess(&parts, &around.positions);
        let (open, _) = excess(&parts, &unrolled.positions);
        prop_assert!(bent < 1e-5 && open < 1e-5, "{bent} at rest, {open} unrolled; {counts:?}");
        if size == 1.0 {
            let moved = moved(builder.bend_rows(false), pin % (columns * rows), &unrolled.positions)?;
            prop_assert!(moved < 1e-4 * (tall as f32).min(1.0), "{moved}");
        }
    }

    #[test]
    fn a_sheet_bent_here_and_there_may_be_laid_out(
        bends in prop::collection::vec(-0.6_f64..0.6, 2..24),
        rows in 2_u32..9,
        crooked in 0_usize..4,
        pin in 0_u32..6,
        masses in masses(),
    ) {
        let columns = bends.len() as u32 + 1;
        let flat = Mesh::grid(columns, rows, 0, false);
        let mut course = vec![[0.0_f64; 2]];
        let mut angle = 0.0;
        for (link, bend) in bends.iter().enumerate() {
            // Flat for some columns between bends.
            angle += if link % (crooked + 1) == 0 { *bend } else { 0.0 };
            let [x, y] = course[link];
            course.push([x + angle.cos(), y + angle.sin()]);
        }
        let bent = flat.clone().map(|p| {
            let [x, y] = course[p[0] as usize];
            [x as f32, y as f32, p[2]]
        });
        let builder = with_masses(bent.builder().pins(&[pin % (columns * rows)]), &masses, bent.positions.len());
        let (open, _) = excess(&built(builder.clone()).0, &flat.positions);
        prop_assert!(open < 1e-5, "{open}");
        let moved = moved(builder.bend_rows(false), pin % (columns * rows), &flat.positions)?;
        prop_assert!(moved < 1e-4, "{moved}");
    }

    #[test]
    fn a_bent_chain_may_be_laid_out(
        links in prop::collection::vec((0.2_f64..2.2, -2.0_f64..2.0, any::<bool>()), 7..48),
        masses in masses(),
    ) {
        let (mut bent, mut straight) = (vec![[0.0_f32; 3]], vec![[0.0_f32; 3]]);
        let (mut angle, mut end) = (0.0, [0.0; 2]);
        for (long, turned, turns) in links {
            angle = if turns { turned } else { angle };
            end = [end[0] + long * angle.sin(), end[1] - long * angle.cos()];
            let before = bent[bent.len() - 1];
            bent.push([end[0] as f32, end[1] as f32, 0.0]);
            let [x, y, _]: [f64; 3] =
                core::array::from_fn(|i| f64::from(bent[bent.len() - 1][i]) - f64::from(before[i]));
            let above = f64::from(straight[straight.len() - 1][1]);
            straight.push([0.0, (above - x.hypot(y)) as f32, 0.0]);
        }
        let count = bent.len() as u32;
        let parents: Vec<u32> = [NONE].into_iter().chain(0..count - 1).collect();
        let builder = ModelBuilder::chains(&bent, &parents).pins(&[0]).bend_rows(false).tethers(false);
        let builder = with_masses(builder, &masses, bent.len());
        let (open, _) = excess(&built(builder.clone()).0, &straight);
        prop_assert!(open < 1e-5, "{open}");
        let moved = moved(builder, 0, &straight)?;
        // Links are 1.2 long on average; of coordinates up to a hundred the last digit is 8e-6.
        prop_assert!(moved < 1e-4, "{moved}");
    }

    #[test]
    fn no_way_is_shorter_than_folded_cloth_is_long(
        (columns, rows, cuts) in (3_u32..12, 3_u32..12, any::<u64>()),
        (folds, slant) in (any::<u32>(), any::<bool>()),
        pin in 0_u32..6,
        masses in masses(),
    ) {
        // Folded flat along columns or along diagonals, which all cuts then follow; back and forth as bits say.
        let flat = Mesh::grid(columns, rows, if slant { 0 } else { cuts }, false);
        let mut course = vec![0.0_f32];
        for line in 0..columns + rows {
            let forth = folds.rotate_right(line) & 1 == 0;
            course.push(course[line as usize] + if forth { 1.0 } else { -1.0 });
        }
        let folded = flat.clone().map(|[x, y, z]| {
            if slant {
                // Along the diagonals x + z stays, across them it goes back and forth.
                let (sum, along) = (course[(x + z) as usize], x - z);
                [0.5 * (sum + along), y, 0.5 * (sum - along)]
            } else {
                [course[x as usize], y, z]
            }
        });
        let builder = with_masses(flat.builder().pins(&[pin % (columns * rows)]), &masses, flat.positions.len());
        let (parts, _) = built(builder);
        let tiers = tiers_of(&parts);
        for (tier, of) in tiers.iter().zip(memberships(&parts, &tiers)) {
            let places = centroids(&parts, &of, &folded.positions);
            for (ends, long) in tier.graph.ways.iter().zip(&tier.graph.lengths) {
                let [a, b] = ends.map(|node| places[node as usize]);
                let square: f64 = (0..3).map(|axis| (a[axis] - b[axis]) * (a[axis] - b[axis])).sum();
                prop_assert!(square.sqrt() < f64::from(*long) * (1.0 + 1e-5), "{} over {long}", square.sqrt());
            }
        }
    }
}

/// Exponents of masses: none where masses come from a density, or up to three decades.
fn masses() -> impl Strategy<Value = Vec<f32>> {
    let heavy = prop::collection::vec(prop::sample::select(vec![-3.0_f32, -3.0, -3.0, 0.0]), 1..40);
    prop_oneof![Just(vec![]), prop::collection::vec(-3.0_f32..0.0, 1..40), heavy]
}

fn with_masses(builder: ModelBuilder, exponents: &[f32], count: usize) -> ModelBuilder {
    if exponents.is_empty() {
        return builder;
    }
    let masses: Vec<f32> = exponents.iter().cycle().take(count).map(|e| 10.0_f32.powf(*e)).collect();
    builder.masses(&masses)
}

/// How far the fastest particle goes in one step from rest in `pose`, which is moved so that the pin is where it is held,
/// without any force (m).
fn moved(builder: ModelBuilder, pin: u32, pose: &[[f32; 3]]) -> Result<f32, TestCaseError> {
    let baked = builder.build().map_err(|error| TestCaseError::fail(alloc::format!("{error}")))?;
    let model = baked.model();
    let mut memory = vec![Block::default(); model.state_blocks()];
    let failed = |_| TestCaseError::fail("the state refused");
    let mut state = State::seed(&model, &mut memory).map_err(failed)?;
    let held = state.position(pin).unwrap_or(Vec3::NAN) - Vec3::from_array(pose[pin as usize]);
    for (vertex, place) in (0..).zip(pose) {
        state.place(vertex, Vec3::from_array(*place) + held, Vec3::ZERO).map_err(failed)?;
    }
    let dynamics = ClothDynamics { damping: 0.0, substeps: 1, ..ClothDynamics::default() };
    let input = StepInput::new(1.0 / 60.0, Vec3::ZERO, &dynamics);
    let report = step(&mut state, &input).map_err(|_| TestCaseError::fail("the step refused"))?;
    Ok(report.max_speed / 60.0)
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
