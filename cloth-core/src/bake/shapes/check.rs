//! Properties of queries about shapes that were built: what a reach finds, how much of the words it looks at, and what words
//! do that were changed after they were checked.

use super::{Heights, Shapes};
use crate::Vec3;
use crate::bake::ModelBuilder;
use crate::collide::{
    Collider, Kind, MAX_FEATURES, Pose, Surface, features_within, looked, signed_distance, surface_within,
};
use crate::fabric::library;
use crate::math::real;
use crate::state::State;
use crate::step::{Colliders, StepError, StepInput, step};
use alloc::vec;
use alloc::vec::Vec;
use proptest::prelude::*;

/// A collider and all words there are.
#[derive(Clone, Debug)]
struct Case {
    collider: Collider,
    words: Vec<u32>,
}

impl Case {
    fn new(kind: Kind, build: impl FnOnce(&mut Shapes) -> crate::collide::Data) -> Self {
        let mut shapes = Shapes::new();
        let data = build(&mut shapes);
        let collider = Collider::shaped(kind, data, shapes.words(), Pose::IDENTITY).unwrap();
        Self { collider, words: shapes.words().to_vec() }
    }

    fn within(&self, point: Vec3, reach: f32) -> Option<Surface> {
        surface_within(&self.collider, &self.words, &self.collider.pose(), point, reach)
    }

    fn anywhere(&self, point: Vec3) -> Surface {
        signed_distance(&self.collider, &self.words, &self.collider.pose(), point)
    }
}

/// A grid of (n + 1)² vertices at heights, in the plane of X and Z.
fn sheet(n: u32, height: impl Fn(u32) -> f32) -> Case {
    let place = |v: u32| [(v % (n + 1)) as f32, height(v), (v / (n + 1)) as f32];
    let positions: Vec<[f32; 3]> = (0..(n + 1) * (n + 1)).map(place).collect();
    let squares = (0..n).flat_map(|j| (0..n).map(move |i| i + j * (n + 1)));
    let triangles: Vec<[u32; 3]> =
        squares.flat_map(|a| [[a, a + n + 1, a + n + 2], [a, a + n + 2, a + 1]]).collect();
    Case::new(Kind::Mesh, |shapes| shapes.mesh(&positions, &triangles).unwrap().0)
}

/// A ball of `rings` × 2·`rings` faces, looking inward or out.
fn ball(rings: u32, radius: f32, inward: bool) -> Case {
    let around = 2 * rings;
    let mut positions = vec![[0.0, radius, 0.0], [0.0, -radius, 0.0]];
    for ring in 1..rings {
        let (sin, cos) = (core::f32::consts::PI * ring as f32 / rings as f32).sin_cos();
        for i in 0..around {
            let (t, c) = (core::f32::consts::TAU * i as f32 / around as f32).sin_cos();
            positions.push([radius * sin * c, radius * cos, radius * sin * t]);
        }
    }
    let at = |ring: u32, i: u32| 2 + (ring - 1) * around + i % around;
    let mut triangles: Vec<[u32; 3]> = Vec::new();
    for i in 0..around {
        triangles.extend([[0, at(1, i + 1), at(1, i)], [1, at(rings - 1, i), at(rings - 1, i + 1)]]);
        for ring in 1..rings - 1 {
            let (a, b, c, d) = (at(ring, i), at(ring, i + 1), at(ring + 1, i), at(ring + 1, i + 1));
            triangles.extend([[a, b, c], [b, d, c]]);
        }
    }
    if inward {
        triangles.iter_mut().for_each(|corners| corners.swap(1, 2));
    }
    Case::new(Kind::Mesh, |shapes| {
        let (data, report) = shapes.mesh(&positions, &triangles).unwrap();
        assert!(!report.is_open());
        data
    })
}

fn field(vertices: [u32; 2], cell: f32, heights: &[f32], holes: &[bool]) -> Case {
    let heights = Heights { vertices, cell, heights, holes };
    Case::new(Kind::Field, |shapes| shapes.field(&heights).unwrap())
}

fn hull(points: &[[f32; 3]]) -> Option<Case> {
    let mut shapes = Shapes::new();
    let data = shapes.hull(points).ok()?;
    let collider = Collider::shaped(Kind::Hull, data, shapes.words(), Pose::IDENTITY).unwrap();
    Some(Case { collider, words: shapes.words().to_vec() })
}

/// Shapes of all kinds, small, turned, scaled, away from the origin.
fn cases() -> impl Strategy<Value = Case> {
    let heights = || proptest::collection::vec(-1.0..1.0_f32, 49);
    let made = prop_oneof![
        heights().prop_map(|heights| sheet(6, |v| heights[v as usize])),
        (4..8_u32, 0.5..3.0_f32, any::<bool>())
            .prop_map(|(rings, radius, inward)| ball(rings, radius, inward)),
        (heights(), proptest::collection::vec(proptest::bool::weighted(0.2), 36), 0.2..2.0_f32).prop_map(
            |(heights, mut holes, cell)| {
                holes[7] = false;
                field([7, 7], cell, &heights, &holes)
            }
        ),
        // A strip, and one that is steep.
        (heights(), any::<bool>()).prop_map(|(heights, is_across)| {
            let vertices = if is_across { [2, 24] } else { [24, 2] };
            field(vertices, 0.3, &heights[..48], &[])
        }),
        proptest::collection::vec(proptest::array::uniform3(-1.0..1.0_f32), 5..12)
            .prop_filter_map("a hull", |points| hull(&points)),
    ];
    let turn = proptest::array::uniform4(-1.0..1.0_f32);
    (made, turn, proptest::array::uniform3(-5.0..5.0_f32), -3..4_i32).prop_filter_map(
        "a pose",
        |(case, rotation, place, power)| {
            let pose = Pose { translation: Vec3::from_array(place), rotation };
            let scale = Vec3::splat(1.3 * 2.0_f32.powi(power));
            let collider = case.collider.placed(pose).ok()?.scaled(scale).ok()?;
            Some(Case { collider, ..case })
        },
    )
}

/// A point about a collider, by its swept bounds.
fn point(case: &Case, share: [f32; 3]) -> Vec3 {
    let bounds = case.collider.swept_bounds(&case.words);
    let (middle, half) = ((bounds.low + bounds.high) * 0.5, (bounds.high - bounds.low) * 0.5);
    middle + half * Vec3::from_array(share) * 1.5
}

fn bits(surface: Option<Surface>) -> Option<[u32; 5]> {
    surface.map(|surface| {
        let [x, y, z] = surface.normal.to_array().map(f32::to_bits);
        [surface.distance.to_bits(), x, y, z, surface.feature]
    })
}

/// A share of the extent, now and then on an axis, where ways are equally long.
fn shares() -> impl Strategy<Value = [f32; 3]> {
    proptest::array::uniform3(prop_oneof![Just(0.0_f32), -1.0..1.0_f32, -1.0..1.0_f32])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn a_reach_finds_what_is_within_it_and_nothing_else(
        case in cases(),
        about in proptest::collection::vec((shares(), 0.0..2.0_f32), 40),
    ) {
        for (share, factor) in about {
            let point = point(&case, share);
            let exact = case.anywhere(point);
            prop_assert!(exact.distance.is_finite());
            let far = exact.distance.abs();
            let next = |up: bool| f32::from_bits(if up { far.to_bits() + 1 } else { far.to_bits().saturating_sub(1) });
            for reach in [far * factor, far, next(true), next(false), far * 1.001, far * 0.999, far * 100.0] {
                let found = bits(case.within(point, reach));
                let is_expected = case.collider.is_convex() || far <= reach;
                prop_assert_eq!(found, bits(is_expected.then_some(exact)), "{} of {:?}", reach, exact);
            }
            for none in [-1.0, f32::NAN] {
                prop_assert_eq!(case.within(point, none).is_some(), case.collider.is_convex());
            }
            prop_assert_eq!(bits(case.within(point, f32::INFINITY)), bits(Some(exact)));
        }
    }

    /// Any bits of words that were checked, the header's among them: queries answer with numbers or with nothing, after a look
    /// at no more than a few times the words, and so do steps that take them.
    #[test]
    fn words_that_were_changed_give_answers_in_bounded_time(
        case in cases(),
        flips in proptest::collection::vec((any::<proptest::sample::Index>(), 0..32_u32), 1..40),
        about in proptest::collection::vec((shares(), 0.0..4.0_f32), 8),
    ) {
        let mut changed = case.clone();
        for (word, bit) in flips {
            changed.words[word.index(case.words.len())] ^= 1 << bit;
        }
        let most = case.words.len() as u64;
        for (share, reach) in about {
            let point = point(&case, share);
            looked::take();
            let surface = changed.anywhere(point);
            prop_assert!(looked::take() <= most);
            prop_assert!(!surface.distance.is_nan() && surface.distance > f32::NEG_INFINITY);
            prop_assert!((surface.normal.length() - 1.0).abs() < 1e-5, "{:?}", surface);
            if let Some(near) = changed.within(point, reach) {
                prop_assert!(near.distance.is_finite() && (near.normal.length() - 1.0).abs() < 1e-5);
            }
            looked::take();
            let mut found = [Surface::default(); MAX_FEATURES];
            let collider = &changed.collider;
            let count = features_within(collider, &changed.words, &collider.pose(), point, reach, &mut found);
            // Every triangle may ask all vertices beside one of its own.
            prop_assert!(looked::take() <= most * most);
            for surface in &found[..count] {
                prop_assert!(!surface.distance.is_nan() && (surface.normal.length() - 1.0).abs() < 1e-5);
            }
        }
        stepped(&changed, &case)?;
    }
}

/// Lets a small sheet fall through the middle of a shape whose words were changed.
fn stepped(changed: &Case, sound: &Case) -> Result<(), TestCaseError> {
    let middle = point(sound, [0.1, 0.3, -0.2]);
    let positions: Vec<[f32; 3]> = (0..9_u8)
        .map(|v| (middle + Vec3::new(f32::from(v % 3), 0.0, f32::from(v / 3)) * 0.05).to_array())
        .collect();
    let triangles = [[0, 3, 1], [1, 3, 4], [1, 4, 2], [2, 4, 5], [3, 6, 4], [4, 6, 7], [4, 7, 5], [5, 7, 8]];
    let baked = ModelBuilder::mesh(&positions, &triangles).build().unwrap();
    let model = baked.model();
    let mut memory = vec![crate::Block::default(); model.state_blocks()];
    let mut state = State::seed(&model, &mut memory).unwrap();
    let records = [changed.collider];
    let checked = changed.collider.check_record(&changed.words);
    for _ in 0..4 {
        let colliders = Colliders { records: &records, shapes: &changed.words };
        let gravity = Vec3::new(0.0, -9.81, 0.0);
        let input =
            StepInput { colliders, most_substeps: 16, ..StepInput::new(0.016, gravity, &library::COTTON) };
        looked::take();
        let report = step(&mut state, &input);
        // Nine particles and eight triangles, at most 16 substeps, of which each traces some thirty points.
        prop_assert!(looked::take() <= 17 * 16 * 64 * 8 * changed.words.len() as u64);
        match report {
            Ok(_) => prop_assert_eq!(checked, Ok(())),
            Err(error) => {
                prop_assert_eq!(checked.map_err(|error| StepError::Collider { index: 0, error }), Err(error));
            }
        }
        let mut numbers = state.positions().chain(state.velocities());
        prop_assert!(numbers.all(|v| v.is_finite()));
    }
    Ok(())
}

/// The valley of a field whose one mountain makes its box high, as the sheet above it sees it: no ring is opened beyond the
/// reach, and none at all from out of the box.
#[test]
fn what_is_in_the_box_of_a_field_and_out_of_reach_is_no_work() {
    let heights: Vec<f32> = (0..129 * 129).map(|v| if v == 129 * 129 - 1 { 200.0 } else { 0.0 }).collect();
    let valley = field([129, 129], 1.0, &heights, &[]);
    let above = Vec3::new(40.3, 80.0, 51.7);
    looked::take();
    assert_eq!(valley.within(above, 0.02), None);
    let few = looked::take();
    assert!(few <= 2 * 9 + 4, "{few} rows and triangles");
    assert!((valley.anywhere(above).distance - 80.0).abs() < 1e-4);
    assert!(looked::take() > 20_000, "the whole field, without a reach");
    assert_eq!(valley.within(above, 5.0), None);
    let within = looked::take();
    assert!(within <= 2 * 15 * 15, "{within} rows and triangles");
    // Deep below it and between two fields the same, and out of its box nothing at all.
    assert_eq!(valley.within(Vec3::new(40.3, -6.0, 51.7), 5.0), None);
    assert_eq!(looked::take(), 0);
    assert!(
        valley
            .within(Vec3::new(40.3, -4.0, 51.7), 5.0)
            .is_some_and(|surface| (surface.distance + 4.0).abs() < 1e-5)
    );
}

/// A sheet kept a hundred cells above ground that is nearly level, as an inflation of metres keeps it: what rings further out can
/// no longer beat is not opened.
#[test]
fn ground_far_below_is_little_work() {
    let side = 257_u16;
    let rough: Vec<f32> =
        (0..u32::from(side).pow(2)).map(|v| 1e-6 * real::from_count(v * 7919 % 1000)).collect();
    let ground = field([side.into(); 2], 0.01, &rough, &[]);
    for (x, z) in [(1.283, 1.277), (0.0, 2.56), (3.0, 1.0)] {
        let above = Vec3::new(x, 3.0, z);
        looked::take();
        let surface = ground.within(above, 3.5).unwrap();
        let few = looked::take();
        assert!(few <= 2000, "{few} rows and triangles");
        let corner = |v: u32| {
            Vec3::new(real::from_count(v % 257) * 0.01, rough[v as usize], real::from_count(v / 257) * 0.01)
        };
        let nearest = (0..257 * 257).map(|v| (above - corner(v)).length()).fold(f32::INFINITY, real::min);
        // The highest points of such ground are corners, or lie between two.
        assert!((-1e-3..=1e-5).contains(&(surface.distance - nearest)), "{} and {nearest}", surface.distance);
        let mut found = [Surface::default(); MAX_FEATURES];
        let collider = &ground.collider;
        looked::take();
        let reach = surface.distance + 1e-3;
        assert!(features_within(collider, &ground.words, &collider.pose(), above, reach, &mut found) > 0);
        let few = looked::take();
        assert!(few <= 3000, "{few} rows and triangles");
    }
}

/// A strip of cells is walked along, not each ring about a point over all of it.
#[test]
fn a_strip_of_a_field_is_walked_once() {
    let heights = vec![0.0; 2 * 4001];
    for vertices in [[2, 4001], [4001, 2]] {
        let strip = field(vertices, 1.0, &heights, &[]);
        looked::take();
        let far = strip.anywhere(Vec3::new(2000.0, 5000.0, 2000.0));
        assert!((far.distance - 5384.8).abs() < 0.1, "{far:?}");
        let looked = looked::take();
        assert!(looked <= 4 * 4000 + 2, "{looked} rows and triangles of 4000 cells");
    }
}

/// All triangles of a ball are equally far from its middle, and none of them is in reach.
#[test]
fn the_middle_of_a_ball_is_no_work() {
    let (ball, outward) = (ball(100, 10.0, true), ball(20, 10.0, false));
    let [sheet, triangles] = [Vec3::new(0.2, 0.1, -0.3), Vec3::ZERO].map(|point| {
        looked::take();
        assert_eq!(ball.within(point, 0.02), None);
        let few = looked::take();
        assert!(few <= 200, "{few} nodes and triangles at {point}");
        assert!((ball.anywhere(point).distance - 10.0).abs() < 0.5);
        looked::take()
    });
    assert!(triangles > 30_000 && sheet > 100, "{triangles} without a reach at the middle");
    let wall = ball.within(Vec3::new(0.0, 0.3, 9.9), 0.2).unwrap();
    assert!((0.0..0.2).contains(&wall.distance) && looked::take() < 500, "{wall:?}");
    // A ball looking out: what is further in than the reach is not in it, what is less far in is.
    assert_eq!(outward.within(Vec3::new(0.0, 0.3, 5.0), 0.2), None);
    assert!(outward.within(Vec3::new(0.0, 0.3, 9.8), 0.4).is_some_and(|surface| surface.distance < 0.0));
}

/// Tables in which every item claims all that there is.
#[test]
fn what_claims_everything_is_looked_at_once() {
    let mut mesh = sheet(20, |v| (v % 7) as f32);
    let nodes = mesh.words[14] as usize;
    let (first, triangles) = (mesh.words.len() - 8 * nodes, mesh.words[11]);
    for node in 0..nodes {
        // Each second is a leaf from the first triangle to that where the next begins, the last.
        let record = &mut mesh.words[first + 8 * node..][..8];
        record[3] = if node % 2 == 0 { 0 } else { triangles };
        // Its box holds every point.
        record[..3].fill((-1e3_f32).to_bits());
        record[4..7].fill(1e3_f32.to_bits());
        record[7] = u32::try_from(node).unwrap() + 1;
    }
    let turn = |i: u8| (f32::from(i) * 0.4).sin_cos();
    let points: Vec<[f32; 3]> = (0..64).map(|i| [turn(i).0, f32::from(i) / 64.0, turn(i).1]).collect();
    let mut hull = hull(&points).unwrap();
    let (faces, corners) = (hull.words[11] as usize, hull.words[12]);
    let starts = hull.words.len() - corners as usize - faces - 1;
    for face in 0..=faces {
        hull.words[starts + face] = if face % 2 == 0 { 0 } else { corners };
    }
    for case in [mesh, hull] {
        assert_eq!(case.collider.check_record(&case.words), Ok(()));
        assert!(case.collider.check(&case.words).is_err());
        looked::take();
        case.anywhere(Vec3::new(3.0, 40.0, 2.0));
        let looked = looked::take();
        assert!(looked <= case.words.len() as u64, "{looked} of {}", case.words.len());
    }
}

/// The check that a step makes reads the header; that of all words reads them all, once for all records that share them.
#[test]
fn a_damaged_word_is_for_the_full_check() {
    let case = sheet(4, |_| 0.0);
    let mut words = case.words.clone();
    let last = words.len() - 1;
    words[last] ^= 1;
    assert!(case.collider.check(&words).is_err());
    assert_eq!(case.collider.check_record(&words), Ok(()));
    for header in [0, 1, 2, 5, 6, 10, 14] {
        let mut words = case.words.clone();
        words[header] = 0x7fc0_0000;
        assert_eq!(case.collider.check_record(&words), case.collider.check(&words), "{header}");
        assert!(case.collider.check_record(&words).is_err(), "{header}");
    }
    let other = case.collider.known(7, 1, 1);
    assert_eq!(crate::collide::check_all(&[case.collider, other], &case.words, 2), Ok(()));
    assert!(crate::collide::check_all(&[case.collider, other], &words, 2).is_err());
}
