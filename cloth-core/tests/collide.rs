//! Colliders: the record, its checks, its motion, and the features of shapes that have several.

#![expect(
    clippy::cast_possible_truncation,
    clippy::float_cmp,
    reason = "angles of tests; what is exact is compared exactly"
)]

use cloth_core::Vec3;
use cloth_core::bake::{Heights, ShapeError, Shapes};
use cloth_core::collide::{
    Aabb, Collider, ColliderError, Kind, MAX_FEATURES, Pose, Surface, TableError, check_all, features_within,
    signed_distance,
};

fn turned(angle: f32) -> Pose {
    let half = f64::from(angle) / 2.0;
    Pose { rotation: [0.0, 0.0, half.sin() as f32, half.cos() as f32], ..Pose::IDENTITY }
}

const CUBE: [[f32; 3]; 8] = [
    [-1.0, -1.0, -1.0],
    [1.0, -1.0, -1.0],
    [-1.0, 1.0, -1.0],
    [1.0, 1.0, -1.0],
    [-1.0, -1.0, 1.0],
    [1.0, -1.0, 1.0],
    [-1.0, 1.0, 1.0],
    [1.0, 1.0, 1.0],
];

#[test]
fn what_is_no_collider_is_refused_by_name() {
    let here = Pose::IDENTITY;
    for bad in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e-7, 2e6] {
        let refused = |made: Result<Collider, ColliderError>, name| {
            let Err(ColliderError::Size { name: found, value }) = made else {
                panic!("{name} {bad}: {made:?}");
            };
            assert!(found == name && value.to_bits() == bad.to_bits(), "{found} {value}");
        };
        refused(Collider::sphere(bad, here), "radius");
        refused(Collider::capsule(bad, 1.0, here), "half height");
        refused(Collider::capsule(1.0, bad, here), "radius");
        refused(Collider::tapered_capsule(1.0, bad, 1.0, here), "lower radius");
        refused(Collider::tapered_capsule(1.0, 1.0, bad, here), "upper radius");
        refused(Collider::cuboid(Vec3::new(1.0, bad, 1.0), here), "half extent y");
        refused(Collider::cylinder(1.0, bad, here), "radius");
        refused(Collider::cone(bad, 1.0, here), "half height");
    }
    for pose in [
        Pose::at(Vec3::new(0.0, f32::NAN, 0.0)),
        Pose::at(Vec3::new(f32::INFINITY, 0.0, 0.0)),
        Pose::at(Vec3::new(0.0, 0.0, -2e6)),
        Pose { rotation: [0.0; 4], ..here },
        Pose { rotation: [f32::NAN, 0.0, 0.0, 1.0], ..here },
    ] {
        assert_eq!(Collider::sphere(1.0, pose), Err(ColliderError::Pose), "{pose:?}");
        assert_eq!(Collider::plane(pose), Err(ColliderError::Pose), "{pose:?}");
        let ball = Collider::sphere(1.0, here).unwrap();
        assert_eq!(ball.moved(pose), Err(ColliderError::Pose), "{pose:?}");
    }
    let ball = Collider::sphere(1.0, here).unwrap();
    assert_eq!(ball.scaled(Vec3::new(1.0, 2.0, 1.0)), Err(ColliderError::NonUniformScale));
    for bad in [0.0, -2.0, f32::INFINITY] {
        assert_eq!(ball.scaled(Vec3::splat(bad)), Err(ColliderError::Scale { scale: bad }));
    }
    assert!(matches!(ball.scaled(Vec3::splat(f32::NAN)), Err(ColliderError::Scale { .. })));
    for bad in [-0.1, f32::INFINITY, 2e6] {
        let error = |name| Err(ColliderError::Contact { name, value: bad });
        assert_eq!(ball.touching(bad, 0.0), error("friction"));
        assert_eq!(ball.touching(0.0, bad), error("inflation"));
    }
}

#[test]
fn a_record_from_outside_is_looked_through() {
    let ball = Collider::sphere(1.0, Pose::IDENTITY).unwrap();
    assert_eq!(ball.check(&[]), Ok(()));
    let refused = |change: fn(&mut Collider), error| {
        let mut record = ball;
        change(&mut record);
        assert_eq!(record.check(&[]), Err(error), "{record:?}");
    };
    refused(|c| c.kind = 0, ColliderError::UnknownKind { kind: 0 });
    refused(|c| c.kind = 11, ColliderError::UnknownKind { kind: 11 });
    refused(|c| c.position[1] = f32::NEG_INFINITY, ColliderError::Pose);
    refused(|c| c.previous_position[2] = f32::NAN, ColliderError::Pose);
    refused(|c| c.rotation = [0.5, 0.0, 0.0, 0.5], ColliderError::Pose);
    refused(|c| c.previous_rotation = [0.0; 4], ColliderError::Pose);
    refused(|c| c.sizes[0] = 0.0, ColliderError::Size { name: "radius", value: 0.0 });
    refused(|c| c.sizes[1] = 1.0, ColliderError::Padding);
    refused(|c| c.scale = -1.0, ColliderError::Scale { scale: -1.0 });
    refused(|c| c.friction = -1.0, ColliderError::Contact { name: "friction", value: -1.0 });
    refused(|c| c.inflation = -1.0, ColliderError::Contact { name: "inflation", value: -1.0 });
    refused(|c| c.reserved[1] = 1, ColliderError::Padding);
    refused(|c| c.data_count = 1, ColliderError::Padding);
    refused(
        |c| (c.kind, c.sizes, c.data_count) = (8, [0.0; 3], 4),
        ColliderError::DataRange { first: 0, count: 4, words: 0 },
    );
}

/// A quaternion that passes the check and is no unit carries nothing away; one that is a unit is taken to the bit.
#[test]
fn a_record_s_quaternion_is_read_as_a_unit() {
    let pose = Pose { rotation: [0.1, -0.7, 0.3, 0.6], translation: Vec3::new(1.0, 2.0, -3.0) };
    let ball = Collider::sphere(1.0, pose).unwrap();
    assert_eq!(ball.pose().rotation.map(f32::to_bits), ball.rotation.map(f32::to_bits));
    let step = Vec3::new(0.01, 0.0, 0.0);
    let moved = ball.moved(Pose { translation: pose.translation + step, ..pose }).unwrap();
    for off in [0.9991, 1.0, 1.0008] {
        let record = Collider {
            rotation: moved.rotation.map(|x| x * off),
            previous_rotation: moved.previous_rotation.map(|x| x * off),
            ..moved
        };
        assert_eq!(record.check(&[]), Ok(()));
        let point = Vec3::new(5.0, -4.0, 6.0);
        for (from, to) in [(0.0, 1.0), (0.0, 0.25), (0.5, 1.0)] {
            let way = record.carried(point, from, to) - point;
            assert!((way - step * (to - from)).length() < 1e-5, "{off}: {way}");
        }
        let normal = record.pose().rotate(Vec3::Y);
        assert!((normal.length() - 1.0).abs() < 1e-6, "{off}: {normal}");
    }
}

#[test]
fn a_triangle_that_is_there_twice_is_told_from_one_that_is_flipped() {
    let (positions, mut triangles) = floor(2);
    let fault = |triangles: &[[u32; 3]]| Shapes::new().mesh(&positions, triangles).map(|_| ()).unwrap_err();
    let [a, b, c] = triangles[3];
    triangles.push([b, c, a]);
    assert_eq!(fault(&triangles), ShapeError::Doubled { triangle: 8, first: 3 });
    assert_eq!(fault(&[[0, 3, 1], [3, 1, 0]]), ShapeError::Doubled { triangle: 1, first: 0 });
    assert!(fault(&triangles).to_string().contains("triangle 8 is triangle 3 once more"));
    triangles[8] = [0, 1, 4];
    let mut turned = floor(2).1;
    turned[3].swap(0, 1);
    assert!(matches!(fault(&turned), ShapeError::Flipped { .. }));
    assert!(matches!(fault(&triangles), ShapeError::SharedEdge { .. }));
}

/// Each triangle around a vertex may ask all that are beside it, so there is a limit.
#[test]
fn a_fan_has_a_limit() {
    let fan = |n: u32| {
        let turn = |i: u32| (f64::from(i) * 3.0 / f64::from(n)).sin_cos();
        let rim = (0..=n).map(|i| [turn(i).1 as f32 * 100.0, 0.0, turn(i).0 as f32 * -100.0]);
        let positions: Vec<[f32; 3]> = core::iter::once([0.0; 3]).chain(rim).collect();
        let triangles: Vec<[u32; 3]> = (1..=n).map(|i| [0, i, i + 1]).collect();
        Shapes::new().mesh(&positions, &triangles).map(|(_, report)| report.triangles)
    };
    assert_eq!(fan(4095), Ok(4095));
    let refused = ShapeError::TooMany { what: "vertices beside one", given: 4097, limit: 4096 };
    assert_eq!(fan(4096), Err(refused));
}

#[test]
fn a_table_is_refused_whole() {
    let ball = |handle| Collider::sphere(1.0, Pose::IDENTITY).unwrap().known(handle, 1, 1);
    let table = [ball(4), ball(5), ball(4)];
    assert_eq!(check_all(&table[..2], &[], 2), Ok(()));
    assert_eq!(check_all(&table, &[], 2), Err(TableError::TooMany { given: 3, capacity: 2 }));
    assert_eq!(check_all(&table, &[], 64), Err(TableError::HandleTwice { handle: 4, index: 2 }));
    let broken = Collider { scale: 0.0, ..ball(7) };
    let error = TableError::Entry { index: 1, error: ColliderError::Scale { scale: 0.0 } };
    assert_eq!(check_all(&[ball(6), broken], &[], 64), Err(error));
}

/// Every word of every shape, spoiled in turn: refused, or still a shape that answers with numbers or nothing at all.
#[test]
fn no_spoiled_word_of_a_shape_breaks_a_query() {
    let mut shapes = Shapes::new();
    let hull = shapes.hull(&CUBE).unwrap();
    let faces = [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4]];
    let (mesh, report) = shapes.mesh(&CUBE, &faces).unwrap();
    assert!(report.is_open());
    let heights = [0.0, 0.1, 0.2, 0.1, 0.3, 0.0, 0.2, 0.1, 0.0];
    let field =
        Heights { vertices: [3, 3], cell: 0.5, heights: &heights, holes: &[false, true, false, false] };
    let field = shapes.field(&field).unwrap();
    for (kind, data) in [(Kind::Hull, hull), (Kind::Mesh, mesh), (Kind::Field, field)] {
        let collider = Collider::shaped(kind, data, shapes.words(), Pose::IDENTITY).unwrap();
        let mut refused = 0;
        for word in data.first..data.first + data.count {
            for bits in [0, 1, 7, u32::MAX, 0x7fc0_0000, 0x7f80_0000, 0xbf80_0000, 0x4b00_0000] {
                let mut words = shapes.words().to_vec();
                words[word as usize] = bits;
                let checked = collider.check(&words);
                refused += u32::from(checked.is_err());
                let mut found = [Surface::default(); MAX_FEATURES];
                for point in [Vec3::new(0.3, 0.2, 0.1), Vec3::new(3.0, -2.0, 1.0)] {
                    let surface = signed_distance(&collider, &words, &Pose::IDENTITY, point);
                    let count = features_within(&collider, &words, &Pose::IDENTITY, point, 5.0, &mut found);
                    if checked.is_ok() {
                        assert!(surface.distance.is_finite(), "{kind:?} word {word} as {bits:x}");
                        assert!((surface.normal.length() - 1.0).abs() < 1e-6);
                        assert!(found[..count].iter().all(|surface| surface.distance.is_finite()));
                    }
                }
            }
        }
        assert!(refused > data.count * 2, "{kind:?}: {refused} of {}", data.count * 8);
        let cut = Collider { data_count: data.count - 1, ..collider };
        assert_eq!(cut.check(shapes.words()), Err(ColliderError::NotThisShape));
        let late = Collider { data: u32::MAX, ..collider };
        let error =
            ColliderError::DataRange { first: u32::MAX, count: data.count, words: shapes.words().len() };
        assert_eq!(late.check(shapes.words()), Err(error));
    }
    let other = Collider::shaped(Kind::Mesh, hull, shapes.words(), Pose::IDENTITY);
    assert_eq!(other, Err(ColliderError::NotThisShape));
    let none = Collider::shaped(Kind::Box, hull, shapes.words(), Pose::IDENTITY);
    assert_eq!(none, Err(ColliderError::UnknownKind { kind: 4 }));
}

#[test]
fn a_new_collider_sweeps_nothing_and_a_moved_one_its_way() {
    let ball = Collider::sphere(0.5, Pose::at(Vec3::X)).unwrap();
    assert!(!ball.moves());
    assert_eq!(ball.travel(&[], Vec3::ZERO, 1.0).to_bits(), 0);
    let still = ball.swept_bounds(&[]);
    assert!((still.low - Vec3::new(0.5, -0.5, -0.5)).length() < 1e-5, "{still:?}");
    let moved = ball.moved(Pose::at(Vec3::new(1.0, 3.0, 0.0))).unwrap();
    assert!(moved.moves());
    assert_eq!(moved.pose_at(0.0), ball.pose());
    assert_eq!(moved.pose_at(1.0).translation, Vec3::new(1.0, 3.0, 0.0));
    assert_eq!(moved.pose_at(0.5).translation, Vec3::new(1.0, 1.5, 0.0));
    assert!((moved.travel(&[], Vec3::ZERO, 1.0) - 3.0).abs() < 1e-6);
    let swept = moved.swept_bounds(&[]);
    assert!((swept.high - Vec3::new(1.5, 3.5, 0.5)).length() < 1e-5, "{swept:?}");
    let again = moved.placed(Pose::IDENTITY).unwrap();
    assert!(!again.moves());
}

#[test]
fn a_carried_point_keeps_its_place_on_the_collider() {
    let start = Pose { translation: Vec3::new(1.0, 0.0, 0.0), ..turned(0.3) };
    let end = Pose { translation: Vec3::new(1.0, 0.5, 0.2), ..turned(1.1) };
    let body = Collider::cuboid(Vec3::splat(0.5), start).unwrap().moved(end).unwrap();
    let point = Vec3::new(1.4, 0.3, -0.2);
    let later = body.carried(point, 0.25, 0.75);
    assert!((body.carried(later, 0.75, 0.25) - point).length() < 1e-6);
    let there = |t: f32, x: Vec3| body.pose_at(t).undo(x);
    assert!((there(0.25, point) - there(0.75, later)).length() < 1e-6);
}

#[test]
fn nothing_of_a_turning_box_leaves_its_swept_bounds_or_outruns_its_travel() {
    let half = Vec3::new(0.5, 0.2, 0.1);
    let start = Pose { translation: Vec3::new(0.3, 0.0, -0.2), ..turned(0.1) };
    for angle in [0.01, 0.5, 1.5, 3.0] {
        let end = Pose { translation: Vec3::new(0.5, 0.1, 0.4), ..turned(0.1 + angle) };
        let body = Collider::cuboid(half, start).unwrap().moved(end).unwrap();
        let (bounds, travel) = (body.swept_bounds(&[]), body.travel(&[], Vec3::ZERO, 1.0));
        for corner in 0..8 {
            let sign = |bit: u32| if corner & bit == 0 { -1.0 } else { 1.0 };
            let corner = half * Vec3::new(sign(1), sign(2), sign(4));
            let mut way = 0.0;
            let mut before = start.apply(corner);
            for i in 0..=1000 {
                let x = body.pose_at(i as f32 / 1000.0).apply(corner);
                assert!(x.cmpge(bounds.low).all() && x.cmple(bounds.high).all(), "{angle} {x} {bounds:?}");
                way += (x - before).length();
                before = x;
            }
            assert!(way <= travel * 1.001, "{way} {travel}");
        }
    }
}

#[test]
fn a_plane_travels_along_its_normal_and_by_the_arm_of_the_cloth() {
    let plane = Collider::plane(Pose::IDENTITY).unwrap();
    let slid = plane.moved(Pose::at(Vec3::new(5.0, 0.0, -2.0))).unwrap();
    assert!(slid.travel(&[], Vec3::ZERO, 1.0) < 1e-6, "along itself");
    let raised = plane.moved(Pose::at(Vec3::new(5.0, 0.25, 0.0))).unwrap();
    assert!((raised.travel(&[], Vec3::ZERO, 1.0) - 0.25).abs() < 1e-6);
    let tilted = plane.moved(turned(0.2)).unwrap();
    let travel = tilted.travel(&[], Vec3::new(10.0, 0.0, 0.0), 1.0);
    // The furthest point of interest, 11 m out, sees the plane come by 11·sin 0.2 = 2.19 m.
    assert!((2.18..2.3).contains(&travel), "{travel}");
    assert_eq!(plane.swept_bounds(&[]), Aabb::EVERYWHERE);
}

/// Features of a shape around the origin, by distance and normal.
fn features(collider: &Collider, words: &[u32], point: Vec3, reach: f32) -> Vec<Surface> {
    let mut found = [Surface::default(); MAX_FEATURES];
    let count = features_within(collider, words, &Pose::IDENTITY, point, reach, &mut found);
    found[..count].to_vec()
}

/// `n` × `n` unit squares in the plane Y = 0, two triangles each.
fn floor(n: u32) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let positions = (0..=n).flat_map(|j| (0..=n).map(move |i| [i as f32, 0.0, j as f32])).collect();
    let squares = (0..n).flat_map(|j| (0..n).map(move |i| i + j * (n + 1)));
    let triangles = squares.flat_map(|a| [[a, a + n + 1, a + n + 2], [a, a + n + 2, a + 1]]).collect();
    (positions, triangles)
}

#[test]
fn interior_edges_of_a_flat_mesh_do_not_catch() {
    let (positions, triangles) = floor(4);
    let mut shapes = Shapes::new();
    let (data, report) = shapes.mesh(&positions, &triangles).unwrap();
    assert_eq!((report.borders, report.degenerate, report.triangles), (16, 0, 32));
    let mesh = Collider::shaped(Kind::Mesh, data, shapes.words(), Pose::IDENTITY).unwrap();
    for height in [0.5, 0.01, 1e-4, 1e-6, 0.0, -1e-6, -1e-3, -0.2] {
        for i in 0..=60 {
            for j in 0..=60 {
                let point = Vec3::new(0.5 + 0.05 * i as f32, height, 0.5 + 0.05 * j as f32);
                let surface = signed_distance(&mesh, shapes.words(), &Pose::IDENTITY, point);
                assert!((surface.distance - height).abs() < 1e-6, "{point} {surface:?}");
                assert_eq!((surface.normal, surface.feature), (Vec3::Y, 0), "{point}");
                assert_eq!(features(&mesh, shapes.words(), point, 0.6), [surface], "{point}");
            }
        }
    }
    // Beyond the border nothing is behind; a corner of the patch is a vertex.
    let beyond = signed_distance(&mesh, shapes.words(), &Pose::IDENTITY, Vec3::new(-0.3, -0.4, 2.0));
    assert!(
        (beyond.distance - 0.5).abs() < 1e-6 && (beyond.normal - Vec3::new(-0.6, -0.8, 0.0)).length() < 1e-6
    );
    // Far behind an open mesh there is nothing to touch.
    assert_eq!(features(&mesh, shapes.words(), Vec3::new(2.0, -1.0, 2.0), 0.6), []);
}

#[test]
fn a_concave_corner_has_its_faces_and_a_convex_edge_itself() {
    // A floor that meets a wall at x = 1, which ends in a convex edge at height 1 and goes on as a shelf.
    let profile = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [2.0, 1.0]];
    let positions: Vec<[f32; 3]> = [0.0, 2.0].iter().flat_map(|z| profile.map(|[x, y]| [x, y, *z])).collect();
    let triangles: Vec<[u32; 3]> = (0..3).flat_map(|i| [[i, i + 4, i + 5], [i, i + 5, i + 1]]).collect();
    let mut shapes = Shapes::new();
    let (data, _) = shapes.mesh(&positions, &triangles).unwrap();
    let mesh = Collider::shaped(Kind::Mesh, data, shapes.words(), Pose::IDENTITY).unwrap();
    let near = |x: f32, y: f32, reach: f32| features(&mesh, shapes.words(), Vec3::new(x, y, 1.0), reach);
    let normals = |found: &[Surface]| found.iter().map(|surface| surface.normal).collect::<Vec<_>>();
    // In the corner both, the nearer first; out of reach of the wall only the floor.
    let corner = near(0.9, 0.05, 0.2);
    assert_eq!(normals(&corner), [Vec3::Y, Vec3::NEG_X]);
    assert!((corner[0].distance - 0.05).abs() < 1e-6 && (corner[1].distance - 0.1).abs() < 1e-6);
    assert_eq!(normals(&near(0.5, 0.05, 0.2)), [Vec3::Y]);
    // On the floor, and a hair below it, the wall is still met; and at the very corner both are.
    for y in [0.0, -1e-6, -1e-3] {
        assert_eq!(normals(&near(0.95, y, 0.2)), [Vec3::Y, Vec3::NEG_X], "{y}");
    }
    assert_eq!(near(1.0, 0.0, 0.2).len(), 2);
    // Over the shelf's edge: the edge alone, by its own direction. Beside it: one face alone.
    let edge = near(0.97, 1.04, 0.2);
    assert_eq!(edge.len(), 1);
    assert!((edge[0].normal - Vec3::new(-0.6, 0.8, 0.0)).length() < 1e-5, "{edge:?}");
    assert!((edge[0].distance - 0.05).abs() < 1e-6);
    assert_eq!(normals(&near(1.1, 1.04, 0.2)), [Vec3::Y]);
    assert_eq!(normals(&near(0.97, 0.9, 0.2)), [Vec3::NEG_X]);
    let keys: Vec<u32> = [near(0.97, 1.04, 0.2), near(1.1, 1.04, 0.2), near(0.97, 0.9, 0.2)]
        .iter()
        .map(|found| found[0].feature)
        .collect();
    assert!(keys[0] != keys[1] && keys[1] != keys[2] && keys[0] != keys[2], "{keys:?}");
}

#[test]
fn a_field_has_holes_sides_and_no_seams() {
    let heights = vec![0.0; 25];
    let mut holes = vec![false; 16];
    holes[5] = true;
    let mut shapes = Shapes::new();
    let flat = Heights { vertices: [5, 5], cell: 1.0, heights: &heights, holes: &holes };
    let data = shapes.field(&flat).unwrap();
    let field = Collider::shaped(Kind::Field, data, shapes.words(), Pose::IDENTITY).unwrap();
    let at =
        |x: f32, y: f32, z: f32| signed_distance(&field, shapes.words(), &Pose::IDENTITY, Vec3::new(x, y, z));
    for i in 0..=30 {
        for height in [0.3, 0.0, -1e-6, -0.3, -40.0] {
            let surface = at(0.5 + 0.1 * i as f32, height, 2.95);
            assert!((surface.distance - height).abs() < 1e-6 && surface.normal == Vec3::Y, "{i} {surface:?}");
            assert_eq!(surface.feature, 0, "all cells are one plane");
        }
    }
    // Over the hole, and under it, the rim is what is near.
    for y in [0.3, -0.3] {
        let over = at(1.4, y, 1.5);
        assert!((over.distance - 0.5).abs() < 1e-6, "{over:?}");
        assert!((over.normal - Vec3::new(0.8, y / 0.5, 0.0)).length() < 1e-6, "{over:?}");
    }
    // Stacked fields: a point between two is above one and below the other.
    let lower = field.placed(Pose::at(Vec3::new(0.0, -2.0, 0.0))).unwrap();
    let point = Vec3::new(3.3, -0.5, 3.3);
    let below = signed_distance(&field, shapes.words(), &field.pose(), point);
    let above = signed_distance(&lower, shapes.words(), &lower.pose(), point);
    assert!(below.distance < 0.0 && above.distance > 0.0);
    assert!(features(&field, shapes.words(), point, 0.4).is_empty());
    assert_eq!(features(&field, shapes.words(), point, 0.6).len(), 1);
}

#[test]
fn a_valley_of_a_field_is_touched_on_both_sides() {
    let heights: Vec<f32> = (0..25_u32).map(|v| (v % 5).abs_diff(2) as f32).collect();
    let mut shapes = Shapes::new();
    let data = shapes.field(&Heights { vertices: [5, 5], cell: 1.0, heights: &heights, holes: &[] }).unwrap();
    let field = Collider::shaped(Kind::Field, data, shapes.words(), Pose::IDENTITY).unwrap();
    let found = features(&field, shapes.words(), Vec3::new(2.1, 0.5, 2.3), 0.6);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!((found[0].normal.x + found[1].normal.x).abs() < 1e-6 && found[0].normal.x < 0.0);
    assert!(found[0].distance < found[1].distance);
}

#[test]
fn a_hull_s_polygons_are_its_faces() {
    let inside = [[0.0, 0.0, 0.0], [0.5, 0.5, 1.0]];
    let points = [&inside[..], &CUBE[..], &CUBE[2..3]].concat();
    let polygons = cloth_core::bake::shapes::hull_polygons(&points).unwrap();
    assert_eq!(polygons.len(), 6);
    for polygon in &polygons {
        assert_eq!(polygon.len(), 4);
        let [a, b, c] = [0, 1, 2].map(|corner| Vec3::from_array(points[polygon[corner] as usize]));
        let normal = (b - a).cross(c - a);
        assert!(normal.dot(a) > 0.0 && polygon.iter().all(|vertex| (2..10).contains(vertex)), "{polygon:?}");
    }
}

#[test]
fn a_hull_has_faces_edges_and_vertices() {
    let mut shapes = Shapes::new();
    let inside = [[0.0, 0.0, 0.0], [0.5, 0.5, 1.0]];
    let data = shapes.hull(&[&CUBE[..], &inside].concat()).unwrap();
    let hull = Collider::shaped(Kind::Hull, data, shapes.words(), Pose::IDENTITY).unwrap();
    let at =
        |x: f32, y: f32, z: f32| signed_distance(&hull, shapes.words(), &Pose::IDENTITY, Vec3::new(x, y, z));
    let close = |surface: Surface, distance: f32, normal: Vec3| {
        assert!((surface.distance - distance).abs() < 1e-6, "{surface:?}");
        assert!((surface.normal - normal).length() < 1e-6, "{surface:?}");
        surface.feature
    };
    let face = close(at(0.3, 1.5, -0.8), 0.5, Vec3::Y);
    assert_eq!(face, close(at(0.1, 0.9, 0.2), -0.1, Vec3::Y), "the same face from inside");
    let edge = close(at(1.3, 1.4, 0.2), 0.5, Vec3::new(0.6, 0.8, 0.0));
    assert_eq!(edge, close(at(1.4, 1.3, -0.7), 0.5, Vec3::new(0.8, 0.6, 0.0)), "the same edge elsewhere");
    let vertex = close(at(2.0, 3.0, 3.0), 3.0, Vec3::new(1.0, 2.0, 2.0) / 3.0);
    assert!(face < 6 && edge >> 30 == 1 && vertex >> 30 == 2, "{face} {edge:x} {vertex:x}");
    assert_eq!(at(1.0, 1.0, 1.0).distance.abs(), 0.0);
    assert_eq!(features(&hull, shapes.words(), Vec3::new(0.99, 1.01, 0.99), 0.1).len(), 1);
    assert_eq!(features(&hull, shapes.words(), Vec3::new(0.0, 1.2, 0.0), 0.1).len(), 0);
}
