//! What building asks of the heap is below what `cloth_bake_memory` and `cloth_shape_memory` say, on whatever is worst.
#![cfg(feature = "bake")]

use cloth_ffi::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

/// The system's allocator, which knows how much is out at once.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every call is passed on to the system's allocator unchanged. What a grown block copies from is counted as if both
// were out at once, by the default `realloc` of the trait.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        PEAK.fetch_max(now, Ordering::Relaxed);
        // SAFETY: the caller's promise, passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller's promise, passed on.
        unsafe { System.dealloc(memory, layout) }
    }
}

/// One build at a time: the counters are everybody's.
static ALONE: Mutex<()> = Mutex::new(());

/// The most that `work` had out at once (bytes).
fn peak(work: impl FnOnce() -> ClothStatus, name: &str) -> usize {
    let before = NOW.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    assert_eq!(work(), ClothStatus::Ok, "{name}");
    PEAK.load(Ordering::Relaxed) - before
}

#[derive(Default)]
struct Mesh {
    positions: Vec<ClothVec3>,
    indices: Vec<u32>,
    parents: Vec<u32>,
    backstops: Vec<ClothBackstop>,
}

fn at(x: f32, y: f32, z: f32) -> ClothVec3 {
    ClothVec3 { x, y, z }
}

fn real(count: usize) -> f32 {
    f32::from(u16::try_from(count).expect("a small mesh"))
}

fn word(count: usize) -> u32 {
    u32::try_from(count).expect("a small mesh")
}

fn sheet(side: usize) -> Mesh {
    let mut mesh = Mesh::default();
    for i in 0..side * side {
        mesh.positions.push(at(real(i % side), 0.1 * real(i % 3), real(i / side)));
        if i % side + 1 < side && i / side + 1 < side {
            let [a, b] = [word(i), word(i + side)];
            mesh.indices.extend([a, b, a + 1, a + 1, b, b + 1]);
        }
    }
    mesh
}

/// Triangles round one vertex: every row of the spokes shares it.
fn disk(count: usize) -> Mesh {
    let mut mesh = Mesh { positions: vec![at(0.0, 0.0, 0.0)], ..Mesh::default() };
    for i in 0..count {
        let angle = std::f32::consts::TAU * real(i) / real(count);
        mesh.positions.push(at(1000.0 * angle.cos(), 0.0, 1000.0 * angle.sin()));
        mesh.indices.extend([0, word(1 + (i + 1) % count), word(1 + i)]);
    }
    mesh
}

/// Links that all hang on one vertex, which hangs on another.
fn star(count: usize) -> Mesh {
    let mut mesh = Mesh { positions: vec![at(0.0, 1.0, 0.0), at(0.0, 0.0, 0.0)], ..Mesh::default() };
    mesh.parents = vec![u32::MAX, 0];
    for i in 0..count {
        mesh.positions.push(at(1.0, -1.0, real(i)));
        mesh.parents.push(1);
    }
    mesh
}

fn line(count: usize) -> Mesh {
    let mut mesh = Mesh::default();
    for i in 0..count {
        mesh.positions.push(at(real(i), 0.0, 0.0));
        mesh.parents.push(if i == 0 { u32::MAX } else { word(i - 1) });
    }
    mesh
}

fn soup(side: usize) -> Mesh {
    let mesh = sheet(side);
    Mesh { positions: mesh.indices.iter().map(|i| mesh.positions[*i as usize]).collect(), ..Mesh::default() }
}

/// Single triangles, far apart.
fn crumbs(count: usize) -> Mesh {
    let mut mesh = Mesh::default();
    for i in 0..count {
        let x = 3.0 * real(i);
        mesh.positions.extend([at(x, 0.0, 0.0), at(x, 0.0, 1.0), at(x + 1.0, 0.0, 0.0)]);
        mesh.indices.extend([0, 1, 2].map(|k| word(3 * i) + k));
    }
    mesh
}

fn bake_of(mesh: &Mesh, shape: ClothBakeShape, flags: u32) -> ClothBake {
    ClothBake {
        shape: shape as u32,
        flags,
        positions: mesh.positions.as_ptr(),
        position_count: mesh.positions.len(),
        indices: mesh.indices.as_ptr(),
        index_count: mesh.indices.len(),
        parents: mesh.parents.as_ptr(),
        parent_count: mesh.parents.len(),
        backstops: mesh.backstops.as_ptr(),
        backstop_count: mesh.backstops.len(),
        weld: if shape as u32 == ClothBakeShape::Soup as u32 { 0.0 } else { -1.0 },
        memory_limit: u64::MAX,
        ..cloth_default_bake()
    }
}

#[test]
fn models_need_less_than_the_bound() {
    let _alone = ALONE.lock().expect("no test panics while building");
    let with_backstops = |mesh: Mesh| {
        let backstops = vec![ClothBackstop { distance: 0.1, radius: f32::INFINITY }; mesh.positions.len()];
        Mesh { backstops, ..mesh }
    };
    let mut worst = 0.0_f64;
    for (name, mesh, shape) in [
        ("one triangle", crumbs(1), ClothBakeShape::Mesh),
        ("sheet", sheet(8), ClothBakeShape::Mesh),
        ("large sheet", with_backstops(sheet(60)), ClothBakeShape::Mesh),
        ("small disk", disk(20), ClothBakeShape::Mesh),
        ("disk", with_backstops(disk(3000)), ClothBakeShape::Mesh),
        ("crumbs", crumbs(1000), ClothBakeShape::Mesh),
        ("soup", soup(30), ClothBakeShape::Soup),
        ("small star", star(20), ClothBakeShape::Chains),
        ("star", with_backstops(star(3000)), ClothBakeShape::Chains),
        ("line", line(4000), ClothBakeShape::Chains),
        ("link", line(2), ClothBakeShape::Chains),
    ] {
        for flags in 0..8 {
            let bake = bake_of(&mesh, shape, flags);
            let (mut count, mut bound) = (0, 0);
            // SAFETY: references, and pointers and lengths of vectors.
            let most =
                peak(|| unsafe { cloth_bake_size(&raw const bake, &raw mut count, ptr::null_mut()) }, name);
            // SAFETY: references.
            assert_eq!(unsafe { cloth_bake_memory(&raw const bake, &raw mut bound) }, ClothStatus::Ok);
            let share = real(most >> 10) as f64 / (bound >> 10) as f64;
            println!("{name}, {flags}: {most} of {bound} bytes, {share:.2}");
            assert!((most as u64) < bound, "{name}, {flags}: {most} bytes, {bound} promised");
            worst = worst.max(share);
        }
    }
    // A bound that nothing comes near would refuse what fits.
    assert!(worst > 0.3, "the bound is {worst} of what is needed");
}

#[test]
fn shapes_need_less_than_the_bound() {
    let _alone = ALONE.lock().expect("no test panics while building");
    let ball: Vec<ClothVec3> = (0..256)
        .map(|i| {
            // A spiral from pole to pole: all points are corners of the hull.
            let (z, angle) = (real(i) / 127.5 - 1.0, 2.4 * real(i));
            let r = (1.0 - z * z).sqrt();
            at(r * angle.cos(), r * angle.sin(), z)
        })
        .collect();
    let heights: Vec<f32> = (0..90 * 90).map(|i| 0.1 * real(i % 7)).collect();
    let of_mesh = |mesh: &Mesh| ClothShape {
        kind: ClothColliderKind::Mesh as u32,
        points: mesh.positions.as_ptr(),
        point_count: mesh.positions.len(),
        indices: mesh.indices.as_ptr(),
        index_count: mesh.indices.len(),
        ..cloth_default_shape()
    };
    let meshes = [crumbs(1), sheet(60), disk(3000), crumbs(1000)];
    let hull = |count| ClothShape { points: ball.as_ptr(), point_count: count, ..cloth_default_shape() };
    let field = |side: u32| ClothShape {
        kind: ClothColliderKind::Field as u32,
        vertices_x: side,
        vertices_z: side,
        heights: heights.as_ptr(),
        height_count: (side * side) as usize,
        ..cloth_default_shape()
    };
    let mut shapes =
        vec![("tetrahedron", hull(4)), ("ball", hull(256)), ("cell", field(2)), ("field", field(90))];
    shapes.extend(meshes.iter().map(|mesh| ("mesh", of_mesh(mesh))));
    for (name, shape) in shapes {
        let shape = ClothShape { memory_limit: u64::MAX, ..shape };
        let (mut count, mut bound) = (0, 0);
        // SAFETY: references, and pointers and lengths of vectors.
        let most =
            peak(|| unsafe { cloth_shape_size(&raw const shape, &raw mut count, ptr::null_mut()) }, name);
        // SAFETY: references.
        assert_eq!(unsafe { cloth_shape_memory(&raw const shape, &raw mut bound) }, ClothStatus::Ok);
        println!("{name}: {most} of {bound} bytes");
        assert!((most as u64) < bound, "{name}: {most} bytes, {bound} promised");
    }
}

/// The most that `work` had out at once (bytes), and what it answered.
fn refusal(work: impl FnOnce() -> ClothStatus) -> (ClothStatus, usize) {
    let before = NOW.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let status = work();
    (status, PEAK.load(Ordering::Relaxed) - before)
}

/// Entries of an array that has no business to be so long.
const FLOOD: usize = 1 << 22;
/// An eighth of what the least of such arrays takes up when it is copied (bytes). What is not read is not copied.
const LITTLE: u64 = 1 << 19;

/// A count of a struct: what it is called, and how it is set with an array of so many zeros behind it.
type Count<T> = (&'static str, fn(&mut T, *const u64));

#[test]
fn no_count_of_a_model_is_past_the_limit() {
    let _alone = ALONE.lock().expect("no test panics while building");
    // Sixteen bytes an entry: enough for the largest, a vector or a stiffness.
    let zeros = vec![0_u64; FLOOD * 2];
    let counts: [Count<ClothBake>; 7] = [
        ("positions", |bake, at| (bake.positions, bake.position_count) = (at.cast(), FLOOD)),
        ("indices", |bake, at| (bake.indices, bake.index_count) = (at.cast(), FLOOD / 3 * 3)),
        ("parents", |bake, at| (bake.parents, bake.parent_count) = (at.cast(), FLOOD)),
        ("pins", |bake, at| (bake.pins, bake.pin_count) = (at.cast(), FLOOD)),
        ("masses", |bake, at| (bake.masses, bake.mass_count) = (at.cast(), FLOOD)),
        ("row stiffness", |bake, at| (bake.row_stiffness, bake.row_stiffness_count) = (at.cast(), FLOOD)),
        ("backstops", |bake, at| (bake.backstops, bake.backstop_count) = (at.cast(), FLOOD)),
    ];
    let small = sheet(3);
    for shape in [ClothBakeShape::Mesh, ClothBakeShape::Soup, ClothBakeShape::Chains] {
        for masses in [ClothMasses::Density, ClothMasses::Uniform, ClothMasses::Each] {
            for (name, set) in counts {
                let mut bake =
                    ClothBake { mass_mode: masses as u32, memory_limit: LITTLE, ..bake_of(&small, shape, 3) };
                set(&mut bake, zeros.as_ptr());
                let mut count = 0;
                // SAFETY: references, and pointers and lengths of vectors.
                let (status, most) =
                    refusal(|| unsafe { cloth_bake_size(&raw const bake, &raw mut count, ptr::null_mut()) });
                assert!(most as u64 <= LITTLE, "{name}, {shape:?}, {masses:?}: {most} bytes, {status:?}");
            }
        }
    }
}

#[test]
fn no_count_of_a_shape_is_past_the_limit() {
    let _alone = ALONE.lock().expect("no test panics while building");
    let zeros = vec![0_u64; FLOOD * 2];
    let counts: [Count<ClothShape>; 5] = [
        ("points", |shape, at| (shape.points, shape.point_count) = (at.cast(), FLOOD)),
        ("indices", |shape, at| (shape.indices, shape.index_count) = (at.cast(), FLOOD / 3 * 3)),
        ("heights", |shape, at| (shape.heights, shape.height_count) = (at.cast(), FLOOD)),
        ("holes", |shape, at| (shape.holes, shape.hole_count) = (at.cast(), FLOOD)),
        ("vertices", |shape, _| (shape.vertices_x, shape.vertices_z) = (u32::MAX, u32::MAX)),
    ];
    let heights = [0.0; 4];
    for kind in [ClothColliderKind::Hull, ClothColliderKind::Mesh, ClothColliderKind::Field] {
        for (name, set) in counts {
            let mut shape = ClothShape {
                kind: kind as u32,
                vertices_x: 2,
                vertices_z: 2,
                heights: heights.as_ptr(),
                height_count: 4,
                memory_limit: LITTLE,
                ..cloth_default_shape()
            };
            set(&mut shape, zeros.as_ptr());
            let mut count = 0;
            // SAFETY: references, and pointers and lengths of vectors.
            let (status, most) =
                refusal(|| unsafe { cloth_shape_size(&raw const shape, &raw mut count, ptr::null_mut()) });
            assert!(most as u64 <= LITTLE, "{name}, {kind:?}: {most} bytes, {status:?}");
        }
    }
}

#[test]
fn refusing_allocates_nothing() {
    let _alone = ALONE.lock().expect("no test panics while building");
    let mesh = sheet(10);
    let bake = ClothBake { memory_limit: 1000, ..bake_of(&mesh, ClothBakeShape::Mesh, 3) };
    let mut count = 0;
    let before = NOW.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    // SAFETY: references, and pointers and lengths of vectors.
    let status = unsafe { cloth_bake_size(&raw const bake, &raw mut count, ptr::null_mut()) };
    assert_eq!((status, PEAK.load(Ordering::Relaxed)), (ClothStatus::MemoryLimit, before));
}
