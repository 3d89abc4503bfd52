//! Colliders in scenes: how they are read, what is said about mistakes, and what a run makes of them.

mod desk;

use std::fs;
use std::io::Cursor;

use cloth_core::Vec3;
use cloth_core::collide::{Kind, signed_distance};
use cloth_host::run::{Recording, prepare, simulate};
use cloth_host::scene::Scene;
use desk::{Desk, text};

const CUBE: &str = "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n\
                    f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

/// A small sheet that falls flat onto what is below it.
const SHEET: &str = "[mesh]\nkind = \"sheet\"\nwidth = 0.4\nheight = 0.4\ncolumns = 8\nrows = 8\n";

const OUTPUT: &str = "[run]\nframes = 30\n[output]\ncolumns = 2\nrows = 1\ntile = 128\n";

fn read(desk: &Desk, sections: &str) -> Scene {
    desk.file("s.toml", &format!("{SHEET}{sections}"));
    Scene::read(&desk.path("s.toml")).unwrap_or_else(|error| panic!("{error}"))
}

fn run(scene: &Scene, keep: &[u32]) -> Recording {
    let prepared = prepare(scene).expect("it builds");
    simulate(scene, &prepared, keep, |_| ()).expect("it runs")
}

#[test]
fn every_shape_is_read_with_its_sizes() {
    let desk = Desk::new();
    desk.file("cube.obj", CUBE);
    let cases = [
        ("shape = \"sphere\"\nradius = 0.5", Kind::Sphere, [0.5, 0.0, 0.0]),
        ("shape = \"capsule\"\nhalf_height = 0.25\nradius = 0.5", Kind::Capsule, [0.25, 0.5, 0.0]),
        (
            "shape = \"tapered-capsule\"\nhalf_height = 0.25\nlower_radius = 0.5\nupper_radius = 0.125",
            Kind::TaperedCapsule,
            [0.25, 0.5, 0.125],
        ),
        ("shape = \"box\"\nhalf_extents = [1, 2, 3]", Kind::Box, [1.0, 2.0, 3.0]),
        ("shape = \"cylinder\"\nhalf_height = 0.25\nradius = 0.5", Kind::Cylinder, [0.25, 0.5, 0.0]),
        ("shape = \"cone\"\nhalf_height = 0.25\nradius = 0.5", Kind::Cone, [0.25, 0.5, 0.0]),
        ("shape = \"plane\"", Kind::Plane, [0.0; 3]),
        ("shape = \"hull\"\nfile = \"cube.obj\"\nunit = \"cm\"", Kind::Hull, [0.0; 3]),
        ("shape = \"mesh\"\nfile = \"cube.obj\"", Kind::Mesh, [0.0; 3]),
        ("shape = \"height-field\"\ncell = 0.5\nheights = [[0, 0.5], [0, 0]]", Kind::Field, [0.0; 3]),
    ];
    for (keys, kind, sizes) in cases {
        let scene = read(&desk, &format!("[[collider]]\n{keys}\nscale = 2\nposition = [0, -3, 0]\n"));
        let [collider] = &scene.colliders[..] else { panic!("one collider") };
        let record = &collider.record;
        assert_eq!((record.kind, record.sizes), (kind as u32, sizes), "{keys}");
        assert_eq!((record.scale, record.friction, record.position), (2.0, 0.5, [0.0, -3.0, 0.0]), "{keys}");
        record.check(scene.shapes.words()).expect("core takes it");
        assert_eq!(collider.name, format!("{} 0", collider.shape));
        assert!(collider.note.is_none(), "{:?}", collider.note);
    }
    // The hull was modelled in centimetres, and scaled by two.
    let hull = read(&desk, "[[collider]]\nshape = \"hull\"\nfile = \"cube.obj\"\nunit = \"cm\"\nscale = 2\n");
    let pose = hull.colliders[0].pose(0.0);
    let found = signed_distance(&hull.colliders[0].record, hull.shapes.words(), &pose, Vec3::X);
    assert!((found.distance - 0.98).abs() < 1e-6, "{found:?}");
}

#[test]
fn mistakes_are_named_with_line_key_and_remedy() {
    let desk = Desk::new();
    let open = CUBE.replace("f 4 1 5 8\n", "");
    let fin = format!("{CUBE}v 2 0 0\nf 1 2 9\n");
    let flipped = CUBE.replace("f 4 1 5 8", "f 8 5 1 4");
    let many: String = (0..300).fold(String::new(), |text, i| {
        let angle = f64::from(i) * 0.7;
        text + &format!("v {} {} {}\n", angle.sin(), angle.cos(), f64::from(i) * 0.01)
    }) + "f 1 2 3\n";
    desk.file("cube.obj", CUBE).file("open.obj", &open).file("fin.obj", &fin).file("flipped.obj", &flipped);
    desk.file("many.obj", &many).file("flat.obj", "v 0 0 0\nv 1 0 0\nv 1 0 1\nf 1 2 3\n");
    let field = |rest: &str| format!("shape = \"height-field\"\ncell = 0.5\n{rest}");
    // The shape stands in line 8.
    let cases: [(String, &[&str]); 27] = [
        ("shape = \"ball\"".into(), &["s.toml:8: collider.shape: there is no shape \"ball\"", "one of sphere"]),
        ("radius = 1".into(), &["s.toml:7:", "missing key or section `shape`"]),
        (
            "shape = \"sphere\"".into(),
            &["s.toml:8: collider.radius: is missing, and a sphere has one", "write radius = …"],
        ),
        ("shape = \"sphere\"\nradius = 0".into(), &["s.toml:9: collider.radius: must lie between"]),
        ("shape = \"sphere\"\nradius = -1".into(), &["s.toml:9: collider.radius: must lie", "it is -1"]),
        ("shape = \"sphere\"\nradius = nan".into(), &["s.toml:9: collider.radius: must lie"]),
        (
            "shape = \"sphere\"\nradius = 1\nhalf_height = 1".into(),
            &["s.toml:10: collider.half_height: means nothing for a sphere", "it out; a sphere has the keys radius"],
        ),
        (
            "shape = \"box\"\nhalf_extents = [1, 0, 1]".into(),
            &["s.toml:9: collider.half_extents: 0 must lie", "half of what it measures"],
        ),
        ("shape = \"plane\"\nscale = -1".into(), &["s.toml:9: collider.scale: must lie", "it is -1"]),
        ("shape = \"plane\"\nscale = [1, 2, 1]".into(), &["s.toml:9:", "expected a number"]),
        ("shape = \"plane\"\nfriction = -0.5".into(), &["s.toml:9: collider.friction: must lie between 0"]),
        ("shape = \"plane\"\ninflation = -0.5".into(), &["s.toml:9: collider.inflation: must lie between 0"]),
        ("shape = \"plane\"\nposition = [nan, 0, 0]".into(), &["s.toml:9: collider.position: has a component"]),
        (
            "shape = \"plane\"\nrotation = { axis = [0, 0, 0], degrees = 3 }".into(),
            &["s.toml:9: collider.rotation.axis: has no direction"],
        ),
        (
            "shape = \"plane\"\nname = \"a\"\n[[collider]]\nshape = \"plane\"\nname = \"a\"".into(),
            &["s.toml:12: collider.name: another collider is called \"a\" already"],
        ),
        ("shape = \"mesh\"\nfile = \"none.obj\"".into(), &["s.toml:9: collider.file: none.obj cannot be read"]),
        (
            "shape = \"mesh\"\nfile = \"cube.obj\"\nunit = \"ell\"".into(),
            &["s.toml:10: collider.unit:", "modelled in"],
        ),
        ("shape = \"mesh\"\nfile = \"fin.obj\"".into(), &["fin.obj:", "three triangles or more", "inner face"]),
        ("shape = \"mesh\"\nfile = \"flipped.obj\"".into(), &["flipped.obj:", "to different sides", "normals"]),
        ("shape = \"hull\"\nfile = \"many.obj\"".into(), &["many.obj: is no collider: 300 points", "\"mesh\" takes"]),
        ("shape = \"hull\"\nfile = \"flat.obj\"".into(), &["flat.obj: is no collider: the points of the hull span"]),
        (field("heights = [[0, 1]]"), &["s.toml:10: collider.heights: 1 rows of 2 are no field"]),
        (field("heights = [[0, 1], [0]]"), &["s.toml:10: collider.heights: row 1 (counted from 0) has 1 heights"]),
        (field("heights = [[0, 1], [0, inf]]"), &["s.toml:10: collider.heights: inf in row 1"]),
        (
            field("heights = [[0, 1], [0, 1]]\nholes = [[1, 0]]"),
            &["s.toml:11: collider.holes: there is no cell [1, 0] among 1 × 1"],
        ),
        (
            "shape = \"plane\"\n[collider.motion]\nkeys = [{ time = 0 }, { time = 1 }]\nloop_from = 0.5".into(),
            &["s.toml:11: collider.motion.loop_from: no key before the last is at 0.5 s; there is 0"],
        ),
        (
            "shape = \"plane\"\nmotion = { keys = [{ time = 0 }, { time = 1, translation = [1, 0, 0] }], loop_from = 0 }"
                .into(),
            &["s.toml:9: collider.motion.loop_from: the poses at 0 s and at 1 s", "would jump"],
        ),
    ];
    for (keys, expected) in cases {
        desk.file("s.toml", &format!("{SHEET}[[collider]]\n{keys}\n"));
        let said = desk.complaint(&["run", "s.toml"]);
        for part in expected {
            assert!(said.contains(part), "{keys}: {part:?} in\n{said}");
        }
    }
    let many = "[[collider]]\nshape = \"plane\"\n".repeat(257);
    desk.file("s.toml", &format!("{SHEET}{many}"));
    assert!(desk.complaint(&["run", "s.toml"]).contains("collider: there are 257, and a cloth can meet 256"));
    desk.file("s.toml", "[mesh]\nkind = \"rope\"\n[backstop]\ndistance = 0.1\n");
    assert!(desk.complaint(&["run", "s.toml"]).contains("s.toml:3: backstop: stands behind a surface"));
}

#[test]
fn an_open_mesh_is_taken_and_the_run_says_so() {
    let desk = Desk::new();
    desk.file("open.obj", &CUBE.replace("f 4 1 5 8\n", ""));
    let collider = "[[collider]]\nshape = \"mesh\"\nfile = \"open.obj\"\nposition = [0, -5, 0]\n";
    desk.file("s.toml", &format!("{SHEET}{collider}{OUTPUT}"));
    let output = desk.cloth(&["run", "s.toml"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stderr);
    assert!(said.contains("note: collider \"mesh 0\" is an open mesh: 4 of its edges are borders"), "{said}");
}

#[test]
fn cloth_that_starts_inside_a_collider_is_told() {
    let desk = Desk::new();
    let ball = |y: f32| {
        format!(
            "[[collider]]\nname = \"ball\"\nshape = \"sphere\"\nradius = 0.06\nposition = [0, {y}, 0.2]\n"
        )
    };
    let notes = |y: f32| prepare(&read(&desk, &ball(y))).expect("it builds").notes;
    // Of a grid of 5 cm the middle and its four neighbours.
    assert_eq!(notes(0.0), ["5 vertices start inside collider \"ball\": move the one or the other"]);
    assert_eq!(notes(-0.05), ["1 vertex starts inside collider \"ball\": move the one or the other"]);
    assert!(notes(-0.07).is_empty());
}

#[test]
fn keyframes_carry_a_collider_and_loop() {
    let desk = Desk::new();
    let scene = read(
        &desk,
        "[[collider]]\nshape = \"capsule\"\nhalf_height = 0.5\nradius = 0.1\nposition = [0, -1, 0]\n\
         rotation = { axis = [0, 0, 1], degrees = 90 }\n[collider.motion]\ninterpolation = \"linear\"\nkeys = [\n\
         { time = 1 },\n{ time = 2, rotation = { axis = [1, 0, 0], degrees = 90 } },\n\
         { time = 3, translation = [0, 2, 0] },\n{ time = 4, rotation = { axis = [1, 0, 0], degrees = 90 } },\n]\n\
         loop_from = 2\n",
    );
    let collider = &scene.colliders[0];
    let tip = |time| collider.pose(time).apply(Vec3::Y);
    for (time, expected) in [
        // Its axis lies along −X, a metre below the pivot; a quarter turn about X takes what is below to −Z.
        (0.0, Vec3::new(-1.0, -1.0, 0.0)),
        (1.0, Vec3::new(-1.0, -1.0, 0.0)),
        (2.0, Vec3::new(-1.0, 0.0, -1.0)),
        (3.0, Vec3::new(-1.0, 1.0, 0.0)),
        (4.0, Vec3::new(-1.0, 0.0, -1.0)),
        (5.0, Vec3::new(-1.0, 1.0, 0.0)),
        (24.0, Vec3::new(-1.0, 0.0, -1.0)),
    ] {
        assert!((tip(time) - expected).length() < 1e-6, "at {time}: {}", tip(time));
    }
    let [now, before] = [collider.record.pose(), collider.record.previous_pose()];
    assert_eq!(now, before, "it is placed, not moved there");
}

#[test]
fn a_run_meets_draws_and_tells_its_colliders() {
    let desk = Desk::new();
    let colliders = "[[collider]]\nname = \"ball\"\nshape = \"sphere\"\nradius = 0.1\nposition = [0, -0.13, 0.2]\n\
                     [collider.motion]\nswing = { axis = [0, 1, 0], amplitude = 0.02, frequency = 2 }\n\
                     [[collider]]\nshape = \"plane\"\nposition = [0, -0.25, 0]\n";
    desk.file("s.toml", &format!("{SHEET}{colliders}{OUTPUT}"));
    let output = desk.cloth(&["run", "s.toml"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "", "cloth that lands on something is meant to fall");
    let said = text(&output.stdout);
    assert!(said.starts_with("s: 30 frames of 81 particles of cotton and 2 colliders,"), "{said}");

    let animation = fs::read(desk.path("out/s/s.glb")).expect("written");
    cloth_host::export::check_animation(&animation, 81, 128, 30).expect("the animation is sound");
    let gltf = gltf::Gltf::from_slice(&animation).expect("it reads");
    let names: Vec<_> = gltf.nodes().filter_map(|node| node.name().map(str::to_owned)).collect();
    assert_eq!(names, ["s", "ball", "plane 1"]);
    let tracks: Vec<_> = gltf.animations().flat_map(|animation| animation.channels()).collect();
    let moved: Vec<_> = tracks.iter().filter_map(|track| track.target().node().name()).collect();
    assert_eq!(moved, ["s", "ball", "ball"], "the floor stays");

    let table = fs::read_to_string(desk.path("out/s/frames.csv")).expect("written");
    let contacts: Vec<u32> = table
        .lines()
        .skip(1)
        .map(|line| line.split(',').nth(6).and_then(|cell| cell.parse().ok()).expect("a count"))
        .collect();
    assert!(contacts[0] == 0 && contacts[29] > 0, "{contacts:?}");
    let report = fs::read_to_string(desk.path("out/s/report.json")).expect("written");
    for fact in ["\"name\": \"ball\"", "\"moves\": true", "\"missed_crossings\": 0", "\"most_substeps\": 8"] {
        assert!(report.contains(fact), "{fact} in {report}");
    }
    let total: u64 = contacts.iter().map(|count| u64::from(*count)).sum();
    assert!(report.contains(&format!("\"contacts\": {total}")), "{total} in {report}");
}

/// Pixels of a PNG that are grey and darker than sky and ground: the cloth is red.
fn grey(bytes: Vec<u8>) -> usize {
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut pixels).expect("it decodes");
    let is_grey = |p: &&[u8]| {
        let (low, high) = (p[0].min(p[1]).min(p[2]), p[0].max(p[1]).max(p[2]));
        high - low < 24 && (60..180).contains(&high)
    };
    pixels.chunks_exact(3).filter(is_grey).count()
}

#[test]
fn pictures_show_colliders() {
    let desk = Desk::new();
    let pinned = format!(
        "{SHEET}[pins]\nedge = \"back\"\n[run]\nframes = 1\n[output]\ncolumns = 1\nrows = 1\ntile = 200\n"
    );
    // In front of the sheet and beside it, and drawn in the strain picture too.
    let ball = "[[collider]]\nshape = \"sphere\"\nradius = 0.1\nposition = [0, -0.05, 0.7]\n";
    desk.file("bare.toml", &pinned).file("ball.toml", &format!("{pinned}{ball}"));
    for scene in ["bare", "ball"] {
        let output = desk.cloth(&["run", &format!("{scene}.toml")]);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    for picture in ["", "-strain"] {
        let pixels = |scene: &str| {
            grey(fs::read(desk.path(&format!("out/{scene}/{scene}{picture}.png"))).expect("written"))
        };
        let (bare, ball) = (pixels("bare"), pixels("ball"));
        assert!(ball > bare + 800, "{bare} grey pixels without a ball, {ball} with one{picture}");
    }
}

#[test]
fn the_drape_comes_to_rest_on_its_ball_and_sleeps() {
    let scene = Scene::bundled("drape").expect("bundled").expect("sound");
    let recording = run(&scene, &[scene.frames]);
    let last = recording.rows.last().expect("frames");
    assert!(last.asleep && last.substeps == 0 && last.max_strain > 0.0, "{last:?}");
    let worst = recording.rows.iter().map(|row| row.max_strain).fold(0.0, f32::max);
    assert!(worst < 0.25 && last.mean_strain < 0.005, "{worst} {last:?}");
    assert!(recording.rows.iter().all(|row| row.missed_crossings == 0));
    let thickness = scene.fabric.dynamics.thickness;
    let shot = recording.shot(scene.frames).expect("kept");
    let mut touching = [0, 0];
    for (collider, touching) in scene.colliders.iter().zip(&mut touching) {
        let pose = collider.pose(0.0);
        for position in &shot.positions {
            let found = signed_distance(&collider.record, &[], &pose, Vec3::from_array(*position));
            assert!(found.distance > 0.9 * thickness, "{}: {position:?} {found:?}", collider.name);
            *touching += u32::from(found.distance < 1.1 * thickness);
        }
    }
    assert!(touching[0] > 300 && touching[1] > 3, "{touching:?} particles lie on ball and floor");
    let mut awake = scene.clone();
    (awake.sleep, awake.frames) = (false, 1);
    assert!(!run(&awake, &[]).rows[0].asleep);
}

#[test]
fn the_skirt_stays_outside_the_legs() {
    let scene = Scene::bundled("stride").expect("bundled").expect("sound");
    let every: Vec<u32> = (0..=scene.frames).collect();
    let recording = run(&scene, &every);
    let worst = recording.rows.iter().map(|row| row.max_strain).fold(0.0, f32::max);
    assert!(worst < 0.15, "{worst}");
    assert!(recording.rows.iter().all(|row| row.missed_crossings == 0));
    assert!(recording.rows.iter().filter(|row| row.contacts > 50).count() > 150, "it meets them");
    let cloth_host::scene::Body::Surface(surface) = &scene.body else { panic!("a surface") };
    let mut deepest = f32::INFINITY;
    for shot in &recording.shots {
        for collider in &scene.colliders {
            let pose = collider.pose(shot.time);
            for corners in &surface.triangles {
                let [a, b, c] = corners.map(|vertex| Vec3::from_array(shot.positions[vertex as usize]));
                // Corners, middles of sides, and the middle.
                for point in [a, b, c, (a + b) * 0.5, (b + c) * 0.5, (c + a) * 0.5, (a + b + c) / 3.0] {
                    let found = signed_distance(&collider.record, &[], &pose, point);
                    deepest = deepest.min(found.distance);
                }
            }
        }
    }
    assert!(deepest > 0.0, "the skirt is {deepest} m from a leg");
}

#[test]
fn a_backstop_holds_cloth_up_behind_its_targets() {
    let desk = Desk::new();
    let lowest = |sections: &str| {
        let scene = read(&desk, &format!("[pins]\nedge = \"back\"\n{sections}[run]\nframes = 60\n"));
        let recording = run(&scene, &[60]);
        recording.low[1]
    };
    assert!(lowest("") < -0.2, "it hangs");
    let held = lowest("[backstop]\ndistance = 0.03\n");
    assert!((-0.0305..-0.025).contains(&held), "{held}");
    let round = lowest("[backstop]\ndistance = 0.03\nradius = 0.5\n");
    assert!(round < -0.025, "{round}");
}
