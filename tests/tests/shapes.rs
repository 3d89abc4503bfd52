//! Colliders of random sizes, poses and points against `truth::Solid`, which shares nothing with core.

use cloth_core::Vec3;
use cloth_core::bake::Shapes;
use cloth_core::collide::{Collider, Kind, MAX_FEATURES, Pose, Surface, features_within, signed_distance};
use cloth_tests::random::Random;
use cloth_tests::truth::Solid;
use cloth_tests::workload::solids::{Where, subjects};
use glam::{DVec2, DVec3};
use proptest::prelude::*;

fn wide(v: Vec3) -> DVec3 {
    v.as_dvec3()
}

/// Largest error of distance and foot over the largest length there is: half of what `measure shapes` admits. Slivers of 1:115
/// reach 2.6e-6, and longer ones more.
const ERROR: f64 = 5e-6;

/// Distance, length of the normal, and that its foot is on the surface; over the largest length there is.
fn agrees(
    collider: &Collider,
    words: &[u32],
    solid: &Solid,
    point: Vec3,
    size: f64,
) -> Result<(), TestCaseError> {
    let found = signed_distance(collider, words, &Pose::IDENTITY, point);
    let relative = size.max(wide(point).length());
    let exact = solid.distance(wide(point));
    let off = (f64::from(found.distance) - exact).abs() / relative;
    prop_assert!(off < ERROR, "{found:?} against {exact}");
    prop_assert!((wide(found.normal).length() - 1.0).abs() < 1e-6);
    let foot = wide(point) - wide(found.normal) * f64::from(found.distance);
    prop_assert!(solid.distance(foot).abs() / relative < ERROR, "{found:?} leads {}", solid.distance(foot));
    Ok(())
}

fn length() -> impl Strategy<Value = f32> {
    (-8..4_i32, 1.0..2.0_f32).prop_map(|(power, share)| share * 2.0_f32.powi(power))
}

/// Of boxes that are no slivers: those have next to no normal in single precision, and the distance to their edges is off by that.
fn side() -> impl Strategy<Value = f32> {
    (-3..2_i32, 1.0..2.0_f32).prop_map(|(power, share)| share * 2.0_f32.powi(power))
}

fn point() -> impl Strategy<Value = Vec3> {
    let on_axes = prop_oneof![Just(0.0), Just(1.0), -2.0..2.0_f32];
    (on_axes.clone(), on_axes.clone(), on_axes, length())
        .prop_map(|(x, y, z, size)| Vec3::new(x, y, z) * size)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn hulls_of_balls(half in length(), lower in length(), upper in length(), x in point()) {
        let wide = |x: f32| f64::from(x);
        let size = wide(half) + wide(lower) + wide(upper);
        let tapered = Collider::tapered_capsule(half, lower, upper, Pose::IDENTITY).unwrap();
        let solid = Solid::Balls { half: wide(half), lower: wide(lower), upper: wide(upper) };
        agrees(&tapered, &[], &solid, x, size)?;
        let capsule = Collider::capsule(half, lower, Pose::IDENTITY).unwrap();
        let solid = Solid::Balls { half: wide(half), lower: wide(lower), upper: wide(lower) };
        agrees(&capsule, &[], &solid, x, size)?;
        let sphere = Collider::sphere(upper, Pose::IDENTITY).unwrap();
        let solid = Solid::Balls { half: 0.0, lower: wide(upper), upper: wide(upper) };
        agrees(&sphere, &[], &solid, x, size)?;
    }

    #[test]
    fn turned_profiles(half in length(), radius in length(), x in point()) {
        let (h, r) = (f64::from(half), f64::from(radius));
        let profile = |corners: &[[f64; 2]]| Solid::Turned(corners.iter().copied().map(DVec2::from_array).collect());
        let cylinder = Collider::cylinder(half, radius, Pose::IDENTITY).unwrap();
        agrees(&cylinder, &[], &profile(&[[0.0, -h], [r, -h], [r, h], [0.0, h]]), x, h + r)?;
        let cone = Collider::cone(half, radius, Pose::IDENTITY).unwrap();
        agrees(&cone, &[], &profile(&[[0.0, -h], [r, -h], [0.0, h]]), x, h + r)?;
    }

    /// A box, and the hull and the mesh of its corners: three laws, one distance.
    #[test]
    fn a_box_is_its_hull_and_its_mesh(a in side(), b in side(), c in side(), x in point()) {
        let half = Vec3::new(a, b, c);
        let sign = |i: u32, bit: u32| if i & bit == 0 { -1.0 } else { 1.0 };
        let corners: Vec<[f32; 3]> =
            (0..8).map(|i| (half * Vec3::new(sign(i, 1), sign(i, 2), sign(i, 4))).to_array()).collect();
        let faces = [
            [0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4],
            [2, 6, 3], [3, 6, 7], [0, 4, 2], [2, 4, 6], [1, 3, 5], [3, 7, 5],
        ];
        let wide_corner = |i: u32| DVec3::from_array(corners[usize::try_from(i).unwrap()].map(f64::from));
        let solid = Solid::Enclosed(faces.iter().map(|face| face.map(wide_corner)).collect());
        let size = wide(half).length();
        agrees(&Collider::cuboid(half, Pose::IDENTITY).unwrap(), &[], &solid, x, size)?;
        let mut shapes = Shapes::new();
        let hull = shapes.hull(&corners).unwrap();
        let (mesh, report) = shapes.mesh(&corners, &faces).unwrap();
        prop_assert!(!report.is_open());
        for (kind, data) in [(Kind::Hull, hull), (Kind::Mesh, mesh)] {
            let made = Collider::shaped(kind, data, shapes.words(), Pose::IDENTITY).unwrap();
            agrees(&made, shapes.words(), &solid, x, size)?;
        }
    }
}

/// What is told of several features is true of each, and the nearest is among them.
#[test]
fn features_are_on_the_surface_and_the_nearest_is_one_of_them() {
    for subject in subjects().unwrap() {
        let mut random = Random::new(3);
        let (collider, pose) = (&subject.collider, subject.collider.pose());
        for i in 0..3000 {
            let x = subject.point(Where::ALL[i % Where::ALL.len()], &mut random);
            let nearest = signed_distance(collider, &subject.words, &pose, x);
            let reach = nearest.distance.abs() * 1.5 + 0.01;
            let mut found = [Surface::default(); MAX_FEATURES];
            let count = features_within(collider, &subject.words, &pose, x, reach, &mut found);
            let found = &found[..count];
            let slack = 1e-5 * wide(x - pose.translation).length().max(1.0);
            let name = subject.name;
            assert!(!found.is_empty(), "{name}: nothing at {x}, {nearest:?}");
            assert!(found.windows(2).all(|pair| pair[0].distance <= pair[1].distance), "{name}: {found:?}");
            if nearest.distance > 0.0 {
                let off = f64::from(found[0].distance - nearest.distance).abs();
                assert!(off <= slack, "{name}: {found:?} at {x}, nearest {nearest:?}");
            }
            for (at, surface) in found.iter().enumerate() {
                assert!((wide(surface.normal).length() - 1.0).abs() < 1e-6);
                assert!(
                    found[..at].iter().all(|other| other.feature != surface.feature),
                    "{name}: {found:?}"
                );
                if nearest.distance > 0.0 {
                    let foot = wide(x) - wide(surface.normal) * f64::from(surface.distance);
                    assert!(subject.truth(foot).abs() <= slack, "{name}: {surface:?} at {x} of {found:?}");
                }
            }
        }
    }
}

/// No corner of any shape leaves the swept bounds, or travels further than it is said to.
#[test]
fn swept_bounds_and_travel_hold_every_corner() {
    let mut random = Random::new(9);
    for subject in subjects().unwrap().iter().filter(|s| s.collider.kind != Kind::Plane as u32) {
        for _ in 0..20 {
            let turn = [0.0; 4].map(|_: f32| random.vector(1.0).x);
            let start = subject.collider.pose();
            let end = Pose { rotation: turn, translation: start.translation + random.vector(0.5) };
            let moved = subject.collider.moved(end).unwrap();
            let bounds = moved.swept_bounds(&subject.words);
            let travel = moved.travel(&subject.words, Vec3::ZERO, 0.0);
            for corner in subject.corners.iter().take(40) {
                let local = corner.as_vec3() * moved.scale;
                let mut way = 0.0;
                let mut before = start.apply(local);
                for i in 0..=64_u8 {
                    let x = moved.pose_at(f32::from(i) / 64.0).apply(local);
                    let is_in = x.cmpge(bounds.low).all() && x.cmple(bounds.high).all();
                    assert!(is_in, "{}: {x} is not in {bounds:?}", subject.name);
                    way += wide(x - before).length();
                    before = x;
                }
                assert!(way <= f64::from(travel) * 1.0001, "{}: {way} of {travel}", subject.name);
            }
        }
    }
}
