//! The builders, called as C calls them.

use super::*;
use crate::*;
use cloth_core::ModelBuilder;
use cloth_core::bake::Shapes;
use core::mem::MaybeUninit;
use core::ptr;
use std::vec::Vec;

const DONE: ClothStatus = ClothStatus::Ok;
const CORNERS: [[f32; 3]; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 1.0]];
const INDICES: [u32; 6] = [0, 2, 1, 1, 2, 3];

fn vectors(points: &[[f32; 3]]) -> Vec<ClothVec3> {
    points.iter().map(|[x, y, z]| ClothVec3 { x: *x, y: *y, z: *z }).collect()
}

fn square(positions: &[ClothVec3]) -> ClothBake {
    ClothBake {
        positions: positions.as_ptr(),
        position_count: positions.len(),
        indices: INDICES.as_ptr(),
        index_count: INDICES.len(),
        ..cloth_default_bake()
    }
}

fn baked(bake: &ClothBake) -> Result<(Vec<ClothBlock>, ClothBakeReport), ClothFault> {
    let (mut count, mut fault) = (usize::MAX, ClothFault { status: 0, element: 0, other: 0 });
    let mut report = ClothBakeReport::default();
    // SAFETY: references, pointers and lengths of vectors.
    unsafe {
        let status = cloth_bake_size(bake, &raw mut count, &raw mut fault);
        if status != DONE {
            assert_eq!(count, usize::MAX, "an error wrote a size");
            return Err(ClothFault { status: status as u32, ..fault });
        }
        let mut blocks = std::vec![ClothBlock { words: [7; 4] }; count];
        let out = blocks.as_mut_ptr();
        let short = cloth_bake(bake, out, count - 1, &raw mut report, &raw mut fault);
        assert_eq!((short, report), (ClothStatus::BufferTooSmall, ClothBakeReport::default()));
        assert!(blocks.iter().all(|block| block.words == [7; 4]), "an error wrote blocks");
        let out = blocks.as_mut_ptr();
        assert_eq!(cloth_bake(bake, out, count, &raw mut report, ptr::null_mut()), DONE);
        Ok((blocks, report))
    }
}

#[test]
fn a_model_is_the_builders() {
    let positions = vectors(&CORNERS);
    let pins = [0, 1];
    let stiff = [ClothRowStiffness { a: 1, b: 2, stiffness: 500.0 }];
    let bake = ClothBake {
        pins: pins.as_ptr(),
        pin_count: 2,
        row_stiffness: stiff.as_ptr(),
        row_stiffness_count: 1,
        density: 0.3,
        flags: CLOTH_BAKE_BEND_ROWS,
        ..square(&positions)
    };
    let (blocks, report) = baked(&bake).expect("a square is a cloth");
    let expected = ModelBuilder::mesh(&CORNERS, &[[0, 2, 1], [1, 2, 3]])
        .pins(&pins)
        .row_stiffness(&[(1, 2, 500.0)])
        .areal_density(0.3)
        .tethers(false)
        .build()
        .expect("a square is a cloth");
    let words: Vec<[u32; 4]> = blocks.iter().map(|block| block.words).collect();
    let theirs: Vec<[u32; 4]> = expected.model().blocks().iter().map(|block| block.0).collect();
    assert_eq!(words, theirs);
    assert_eq!((report.particles, report.triangles, report.pins, report.notes), (4, 2, 2, 0));
}

#[test]
fn soups_and_chains_are_built() {
    let corners = vectors(&[CORNERS[0], CORNERS[2], CORNERS[1], CORNERS[1], CORNERS[2], CORNERS[3]]);
    let soup =
        ClothBake { shape: ClothBakeShape::Soup as u32, weld: 0.0, index_count: 0, ..square(&corners) };
    let (_, report) = baked(&soup).expect("a soup is a cloth");
    assert_eq!((report.particles, report.welded, report.notes), (4, 2, CLOTH_NOTE_NO_PINS));

    let links = vectors(&[[0.0; 3], [0.0, -1.0, 0.0], [0.0, -2.0, 0.0]]);
    let parents = [u32::MAX, 0, 1];
    let chain = ClothBake {
        shape: ClothBakeShape::Chains as u32,
        parents: parents.as_ptr(),
        parent_count: 3,
        index_count: 0,
        ..square(&links)
    };
    let (_, report) = baked(&chain).expect("a chain is a cloth");
    assert_eq!((report.stretch_rows, report.skip_rows, report.triangles), (2, 1, 0));
}

#[test]
fn faults_name_their_elements() {
    let mut positions = vectors(&CORNERS);
    let good = square(&positions);
    let out = [0, 2, 9];
    let backstops = [ClothBackstop { distance: 0.0, radius: -1.0 }; 4];
    let none = u32::MAX;
    for (bake, status, element, other) in [
        (ClothBake { pins: out.as_ptr(), pin_count: 3, ..good }, ClothStatus::PinOutOfRange, 9, none),
        (ClothBake { indices: out.as_ptr(), index_count: 3, ..good }, ClothStatus::IndexOutOfRange, 0, 9),
        (ClothBake { index_count: 5, ..good }, ClothStatus::NotInThrees, none, none),
        (ClothBake { density: -1.0, ..good }, ClothStatus::Mass, none, none),
        (ClothBake { weld: f32::NAN, ..good }, ClothStatus::Weld, none, none),
        (ClothBake { collider_capacity: 0, ..good }, ClothStatus::ColliderCapacity, none, none),
        (ClothBake { shape: 0, ..good }, ClothStatus::UnknownValue, none, none),
        (ClothBake { flags: 64, ..good }, ClothStatus::UnknownValue, none, none),
        (ClothBake { mass_mode: 3, ..good }, ClothStatus::UnknownValue, none, none),
        (
            ClothBake { backstops: backstops.as_ptr(), backstop_count: 4, ..good },
            ClothStatus::Backstop,
            0,
            none,
        ),
        (ClothBake { memory_limit: 100, ..good }, ClothStatus::MemoryLimit, none, none),
    ] {
        let expected = ClothFault { status: status as u32, element, other };
        assert_eq!(baked(&bake).expect_err("a bad mesh"), expected);
    }
    positions[3].y = f32::NAN;
    let fault = baked(&square(&positions)).expect_err("a bad mesh");
    assert_eq!((fault.status, fault.element), (ClothStatus::VertexNotFinite as u32, 3));
    for (bake, status) in [
        (ClothBake { cookie: 0, ..good }, ClothStatus::NotDefault),
        (ClothBake { struct_size: 8, ..good }, ClothStatus::StructSize),
        (ClothBake { positions: ptr::null(), ..good }, ClothStatus::NullPointer),
        (ClothBake { position_count: usize::MAX, ..good }, ClothStatus::CountTooLarge),
    ] {
        assert_eq!(baked(&bake).expect_err("a bad struct").status, status as u32);
    }
}

#[test]
fn what_could_need_too_much_is_refused_by_its_counts() {
    let positions = vectors(&CORNERS);
    let good = square(&positions);
    let mut needed = 0;
    // SAFETY: references.
    assert_eq!(unsafe { cloth_bake_memory(&raw const good, &raw mut needed) }, DONE);
    assert!(baked(&ClothBake { memory_limit: needed, ..good }).is_ok());
    let fault = baked(&ClothBake { memory_limit: needed - 1, ..good }).expect_err("too little");
    assert_eq!(fault.status, ClothStatus::MemoryLimit as u32);
}

#[test]
fn what_is_no_shape_needs_no_memory() {
    let mut bytes = 7;
    for shape in [0, 77] {
        let bake = ClothBake { shape, ..cloth_default_bake() };
        // SAFETY: references.
        let refused = unsafe { cloth_bake_memory(&raw const bake, &raw mut bytes) };
        assert_eq!((refused, bytes), (ClothStatus::UnknownValue, 7), "{shape}");
    }
    for kind in [1, 99] {
        let shape = ClothShape { kind, ..cloth_default_shape() };
        // SAFETY: references.
        let refused = unsafe { cloth_shape_memory(&raw const shape, &raw mut bytes) };
        assert_eq!((refused, bytes), (ClothStatus::ColliderKind, 7), "{kind}");
    }
}

#[test]
fn words_of_shapes_are_the_builders() {
    let points = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let given = vectors(&points);
    let heights = [0.0, 0.5, 1.0, 0.25];
    let mut expected = Shapes::new();
    expected.hull(&points).expect("a hull");
    let hull = ClothShape { points: given.as_ptr(), point_count: 4, ..cloth_default_shape() };
    let mesh = ClothShape {
        kind: ClothColliderKind::Mesh as u32,
        indices: INDICES.as_ptr(),
        index_count: 6,
        ..hull
    };
    let field = ClothShape {
        kind: ClothColliderKind::Field as u32,
        vertices_x: 2,
        vertices_z: 2,
        heights: heights.as_ptr(),
        height_count: 4,
        ..cloth_default_shape()
    };
    for (shape, kind) in [(hull, 8), (mesh, 9), (field, 10)] {
        let (mut count, mut report) = (0, ClothShapeReport::default());
        let pose = ClothPose {
            translation: ClothVec3::default(),
            rotation: ClothVec4 { w: 1.0, ..ClothVec4::default() },
        };
        // SAFETY: references, pointers and lengths of vectors.
        unsafe {
            assert_eq!(cloth_shape_size(&raw const shape, &raw mut count, ptr::null_mut()), DONE);
            let mut words = std::vec![7; count];
            let out = words.as_mut_ptr();
            let short = cloth_shape(&raw const shape, out, count - 1, &raw mut report, ptr::null_mut());
            assert_eq!(short, ClothStatus::BufferTooSmall);
            let out = words.as_mut_ptr();
            assert_eq!(cloth_shape(&raw const shape, out, count, &raw mut report, ptr::null_mut()), DONE);
            if kind == 8 {
                assert_eq!(words, expected.words());
            }
            let mut made = MaybeUninit::uninit();
            let length = u32::try_from(count).expect("a small shape");
            let (start, all) = (words.as_ptr(), words.len());
            assert_eq!(
                cloth_collider_shaped(kind, 0, length, start, all, &raw const pose, made.as_mut_ptr()),
                DONE
            );
            let past = cloth_collider_shaped(kind, 1, length, start, all, &raw const pose, made.as_mut_ptr());
            assert_eq!(past, ClothStatus::ColliderData);
        }
        assert_eq!(report.triangles, if kind == 9 { 2 } else { 0 });
        let small = ClothShape { memory_limit: 10, ..shape };
        // SAFETY: references.
        let refused = unsafe { cloth_shape_size(&raw const small, &raw mut count, ptr::null_mut()) };
        assert_eq!(refused, ClothStatus::MemoryLimit);
    }
    let none = ClothShape { kind: 1, ..cloth_default_shape() };
    let mut count = 0;
    // SAFETY: references.
    unsafe {
        assert_eq!(
            cloth_shape_size(&raw const none, &raw mut count, ptr::null_mut()),
            ClothStatus::ColliderKind
        );
        let flat = ClothShape { point_count: 3, ..hull };
        assert_eq!(cloth_shape_size(&raw const flat, &raw mut count, ptr::null_mut()), ClothStatus::NoVolume);
    }
}
