//! The `cloth` command from end to end: what it writes, and what it says when something is wrong.

mod desk;

use std::fs;
use std::io::Cursor;
use std::path::Path;

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;
use desk::{Desk, text};

const TINY: &str = include_str!("desk/tiny.toml");

#[test]
fn a_scene_is_run_and_everything_is_written() {
    let desk = Desk::new();
    desk.file("tiny.toml", TINY);
    let output = desk.cloth(&["run", "tiny.toml"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert_eq!(said.lines().count(), 3, "{said}");
    assert!(said.starts_with("tiny: 8 frames of 49 particles of cotton"), "{said}");

    let out = desk.path("out/tiny");
    let animation = fs::read(out.join("tiny.glb")).expect("written");
    cloth_host::export::check_animation(&animation, 49, 72, 8).expect("the animation is sound");
    assert_eq!(picture_size(&out.join("tiny.png")), picture_size(&out.join("tiny-strain.png")));
    let table = fs::read_to_string(out.join("frames.csv")).expect("written");
    let mut lines = table.lines();
    assert_eq!(
        lines.next(),
        Some(
            "frame,time,max_strain,mean_strain,kinetic_energy,max_speed,contacts,missed_crossings,\
             dropped_colliders,substeps,asleep,ms"
        ),
        "the heading"
    );
    assert_eq!(lines.count(), 8);
    let report = fs::read_to_string(out.join("report.json")).expect("written");
    for fact in ["\"particles\": 49", "\"pins\": 7", "\"final_state\"", "\"substeps\"", "\"rescued\": 0"] {
        assert!(report.contains(fact), "{fact} in {report}");
    }
}

fn picture_size(path: &Path) -> (u32, u32) {
    let bytes = fs::read(path).expect("written");
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().expect("a PNG");
    let mut pixels = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut pixels).expect("it decodes");
    (reader.info().width, reader.info().height)
}

#[test]
fn two_runs_end_in_the_same_bits() {
    let desk = Desk::new();
    desk.file("tiny.toml", TINY);
    let fingerprints = |out: &str| {
        assert!(desk.cloth(&["run", "tiny.toml", "--out", out, "--quiet"]).status.success());
        let report = fs::read_to_string(desk.path(out).join("tiny/report.json")).expect("written");
        report.split("\"fingerprints\"").nth(1).expect("the report has them").to_owned()
    };
    assert_eq!(fingerprints("a"), fingerprints("b"));
    let glb = |out: &str| fs::read(desk.path(out).join("tiny/tiny.glb")).expect("written");
    assert_eq!(glb("a"), glb("b"));
}

#[test]
fn quiet_says_nothing() {
    let desk = Desk::new();
    desk.file("tiny.toml", TINY);
    let output = desk.cloth(&["run", "tiny.toml", "--quiet"]);
    assert!(output.status.success() && output.stdout.is_empty() && output.stderr.is_empty());
}

#[test]
fn a_scene_without_pins_falls_and_says_so() {
    let desk = Desk::new();
    let loose = TINY.split("[pins]").next().expect("the mesh").to_owned()
        + "[run]\nframes = 2\n[output]\ntile = 64\n";
    desk.file("loose.toml", &loose);
    let output = desk.cloth(&["run", "loose.toml"]);
    assert!(output.status.success() && text(&output.stderr).contains("note: nothing is pinned"));
}

#[test]
fn bundled_scenes_are_listed_and_sound() {
    let desk = Desk::new();
    let listed = text(&desk.cloth(&["list"]).stdout);
    for scene in cloth_host::scene::BUNDLED {
        assert!(listed.contains(scene.name));
        let scene = cloth_host::scene::Scene::bundled(scene.name).expect("listed").expect("sound");
        let built = cloth_host::run::prepare(&scene).expect("it builds");
        assert!(built.baked.report.repairs.is_empty(), "{:?}", built.baked.report);
        // Denim is stiffer than merged rows carry at its own substeps, and a cape has flat hinges too.
        let stiff = scene.name == "cape";
        assert_eq!(built.notes.len(), usize::from(stiff), "{:?}", built.notes);
    }
    let skirt = cloth_host::scene::Scene::bundled("skirt").expect("bundled").expect("sound");
    assert_eq!((skirt.pins.len(), skirt.frames), (36, 300));
    let waist = skirt.pins.iter().map(|pin| skirt.body.positions()[*pin as usize][1]);
    assert!(waist.fold(f32::MAX, f32::min) > 0.14, "the pins are the waist");
}

#[test]
fn an_inspection_tells_sound_from_broken() {
    let desk = Desk::new();
    let square = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\n";
    desk.file("good.obj", square).file("bad.obj", &format!("{square}v 5 5 5\n"));
    let good = desk.cloth(&["inspect", "good.obj", "--unit", "cm"]);
    assert!(good.status.success());
    let said = text(&good.stdout);
    assert!(said.contains("sound: no defects") && said.contains("0: 4 vertices, 0.040 m round"), "{said}");
    let bad = desk.cloth(&["inspect", "bad.obj"]);
    assert_eq!(bad.status.code(), Some(1));
    let said = text(&bad.stdout);
    assert!(
        said.contains("bad.obj:6: vertex 4 is in no triangle") && said.contains("remedy: delete"),
        "{said}"
    );
    desk.file("tiny.obj", "v 0 0 0\nv 1e-7 0 0\nv 0 1e-7 0\nf 1 2 3\n");
    let tiny = desk.cloth(&["inspect", "tiny.obj"]);
    let said = text(&tiny.stdout);
    assert!(
        tiny.status.code() == Some(1) && said.contains("out of the range") && !said.contains("sound"),
        "{said}"
    );
    let json = text(&desk.cloth(&["inspect", "bad.obj", "--json"]).stdout);
    assert!(json.contains("\"line\": 6") && json.contains("\"repaired\": false"), "{json}");
}

#[test]
fn welding_joins_what_inspection_finds_apart() {
    let desk = Desk::new();
    let seam = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3\nf 4 5 6\n";
    desk.file("seam.obj", seam);
    let apart = text(&desk.cloth(&["inspect", "seam.obj"]).stdout);
    assert!(apart.contains("2 pieces") && apart.contains("vertex 3 lies where vertex 0 lies"), "{apart}");
    let joined = desk.cloth(&["inspect", "seam.obj", "--weld", "0.0001"]);
    assert!(joined.status.success() && text(&joined.stdout).contains("4 vertices after welding"));
}

#[test]
fn pins_that_are_welded_start_from_their_rest() {
    let desk = Desk::new();
    // Two triangles along a seam whose twins lie 1 cm apart; pinned by either twin, or both.
    let seam = "v 0 0 0\nv 1 0 0\nv 1 -1 0\nv 0.01 0 0\nv 1 -1.01 0\nv 0 -1 0\nf 1 3 2\nf 4 6 5\n";
    let scene = "[mesh]\nfile = \"seam.obj\"\nweld = 0.02\n[pins]\nvertices = [3, 0, 2, 4]\n[run]\nframes = 1\n\
                 [motion]\nkeys = [{ time = 0 }, { time = 100, translation = [0, 1e-6, 0] }]\n";
    desk.file("seam.obj", seam).file("s.toml", scene);
    let scene = cloth_host::scene::Scene::read(&desk.path("s.toml")).expect("it is sound");
    let baked = cloth_host::run::prepare(&scene).expect("it builds");
    let recording = cloth_host::run::simulate(&scene, &baked, &[0, 1], |_| {}).expect("it steps");
    let (start, end) = (&recording.shots[0].positions, &recording.shots[1].positions);
    for pin in [0, 2, 3, 4] {
        for axis in 0..3 {
            assert!(
                (end[pin][axis] - start[pin][axis]).abs() < 1e-5,
                "{pin}: {:?} → {:?}",
                start[pin],
                end[pin]
            );
        }
    }
}

#[test]
fn complaints_name_file_line_key_and_remedy() {
    let desk = Desk::new();
    // (what is replaced in the scene, by what, what the complaint must contain)
    let cases = [
        ("frames = 8", "frames = 0", &["s.toml:16: run.frames: must be a whole number from 1"][..]),
        ("frames = 8", "frame = 8", &["s.toml:16:", "unknown key `frame`", "`frames`"]),
        ("fps = 60", "fps = \"fast\"", &["s.toml:17:", "expected a number", "at `fps = \"fast\"`"]),
        ("fps = 60", "fps = nan", &["s.toml:17: run.fps: must lie between 1 and 10000"]),
        ("fps = 60", "fps 60", &["s.toml:17:", "at `fps 60`"]),
        (
            "edge = \"back\"",
            "edge = \"top\"",
            &["s.toml:10: pins.edge", "\"top\"", "back, front, left, right"],
        ),
        ("edge = \"back\"", "loop = 3", &["s.toml:10: pins.loop: 3 is no loop; the cloth has 1"]),
        ("edge = \"back\"", "above = \"120%\"", &["s.toml:10: pins.above: \"120%\" is no height"]),
        ("edge = \"back\"", "above = 7.5", &["s.toml:10: pins.above", "from 0.0000 m to 0.0000 m"]),
        (
            "edge = \"back\"",
            "vertices = [0, 49]",
            &["pins.vertices: there is no vertex 49; the cloth has 49"],
        ),
        ("kind = \"sheet\"", "kind = \"tent\"", &["s.toml:3: mesh.kind: there is no kind \"tent\""]),
        (
            "kind = \"sheet\"",
            "kind = \"sheet\"\nlinks = 3",
            &["s.toml:4: mesh.links: means nothing for a sheet"],
        ),
        ("kind = \"sheet\"", "file = \"a.obj\"\nkind = \"sheet\"", &["mesh: has both file and kind"]),
        ("[run]", "[fabric]\nname = \"wool\"\n[run]", &["s.toml:16: fabric.name", "silk, cotton, denim"]),
        ("[run]", "[fabric]\nname = \"rope\"\n[run]", &["fabric.name: \"rope\" is made for chains"]),
        ("[run]", "[fabric]\nslack = 1.5\n[run]", &["s.toml:16: fabric.slack: is a dial", "between 0 and 1"]),
        (
            "[run]",
            "[fabric]\nbend = 2e6\n[run]",
            &["s.toml:16: fabric.bend: is a number that must lie between 0 and 1000000, it is 2000000"],
        ),
        ("amplitude = 0.05", "amplitude = -1", &["s.toml:13: motion.swing.amplitude"]),
        ("axis = [1, 0, 0]", "axis = [0, 0, 0]", &["s.toml:13: motion.swing.axis: has no direction"]),
        (
            "swing =",
            "keys = [{ time = 1 }, { time = 1 }]\nswing =",
            &["motion.keys.time: is 1 s, and the key before"],
        ),
        ("tile = 64", "tile = 64\ncolour = \"red\"", &["output.colour: \"red\" is no colour", "#b84a3c"]),
        ("[pins]\nedge = \"back\"", "", &["motion: moves the pins, and there are none"]),
        (
            "columns = 2\nrows = 2\ntile = 64",
            "columns = 10\nrows = 10\ntile = 2000",
            &["s.toml:22: output.tile: 10 x 10 pictures of 2000", "write tile = 225, or fewer columns"],
        ),
        (
            "columns = 2\nrows = 2\ntile = 64",
            "columns = 10\nrows = 10",
            &["s.toml:20: output.columns: 10 x 10 pictures of 400", "write tile = 225"],
        ),
        ("width = 0.4", "width = -2", &["s.toml:4: mesh.width: must lie between 0.001 and 10000, it is -2"]),
    ];
    for (from, to, expected) in cases {
        assert!(TINY.contains(from), "{from}");
        desk.file("s.toml", &TINY.replacen(from, to, 1));
        let said = desk.complaint(&["run", "s.toml"]);
        for part in expected {
            assert!(said.contains(part), "{from} → {to}: {part:?} in\n{said}");
        }
    }
}

#[test]
fn complaints_speak_of_sections_and_lines_not_of_types() {
    let desk = Desk::new();
    let mesh = "[mesh]\nkind = \"sheet\"\n";
    let cases = [
        ("mesh = 3\n".to_owned(), "s.toml:1: invalid type: integer `3`, expected a section, [mesh]"),
        (format!("pins = 3\n{mesh}"), "expected a section, [pins]"),
        (format!("fabric = 3\n{mesh}"), "expected a section, [fabric]"),
        (format!("motion = 3\n{mesh}"), "expected a section, [motion]"),
        (format!("run = 3\n{mesh}"), "expected a section, [run]"),
        (format!("output = 3\n{mesh}"), "expected a section, [output]"),
        (format!("collider = [3]\n{mesh}"), "expected sections, [[collider]]"),
        (format!("{mesh}[collider]\nshape = \"plane\"\n"), "[[collider]], with two brackets"),
        (format!("backstop = 3\n{mesh}"), "expected a section, [backstop]"),
        (format!("{mesh}[motion]\nkeys = [3]\n"), "expected keys in braces"),
        (format!("{mesh}[motion]\nkeys = [{{ time = 1, rotation = 3 }}]\n"), "expected keys in braces"),
        (format!("{mesh}[motion]\nswing = 3\n"), "expected keys in braces"),
    ];
    for (scene, expected) in cases {
        let said = desk.file("s.toml", &scene).complaint(&["run", "s.toml"]);
        assert!(said.contains(expected) && !said.contains("struct"), "{said}");
    }
    desk.file("s.toml", &format!("{mesh}widht = 3 # {}\n", "é".repeat(500)));
    let said = desk.complaint(&["run", "s.toml"]);
    assert!(said.contains("é…`") && said.lines().all(|line| line.chars().count() < 400), "{said}");
    fs::write(desk.path("s.toml"), b"[mesh]\n# caf\xe9\n").expect("the folder can be written");
    assert!(desk.complaint(&["run", "s.toml"]).contains("s.toml:2: is not UTF-8"));
}

#[test]
fn arguments_have_the_ranges_of_scenes_and_any_path() {
    let desk = Desk::new();
    let seam = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3\nf 4 5 6\n";
    desk.file("seam.obj", seam);
    assert!(desk.cloth(&["inspect", "seam.obj", "--weld", "0"]).status.success());
    let far = desk.cloth(&["inspect", "seam.obj", "--scale", "1e10"]);
    assert!(text(&far.stderr).contains("from 0.000000001 to 1000000000"), "{}", text(&far.stderr));
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::ffi::OsStrExt as _;
        let name = std::ffi::OsStr::from_bytes(b"caf\xe9.toml");
        fs::write(desk.0.path().join(name), TINY).expect("the folder can be written");
        let mut cloth = Command::new(cargo_bin!("cloth"));
        let output = cloth.current_dir(desk.0.path()).arg("run").arg(name).output().expect("it starts");
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
}

#[test]
fn complaints_about_meshes_name_the_mesh_and_its_line() {
    let desk = Desk::new();
    let scene = "[mesh]\nfile = \"m.obj\"\n[run]\nframes = 1\n";
    desk.file("s.toml", scene);
    let said = desk.complaint(&["run", "s.toml"]);
    assert!(said.contains("s.toml:2: mesh.file: m.obj cannot be read"), "{said}");
    desk.file("m.obj", "v 0 0 0\nv 1 nan 0\n");
    assert!(desk.complaint(&["run", "s.toml"]).contains("m.obj:2: vertex 1 (counted from 0): its y is nan"));
    desk.file("m.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nv 4 4 4\nf 1 2 3\n");
    assert!(desk.complaint(&["run", "s.toml"]).contains("m.obj:4: vertex 3 is in no triangle"));
    desk.file("s.toml", &scene.replace("m.obj", "m.fbx")).file("m.fbx", "");
    assert!(desk.complaint(&["run", "s.toml"]).contains("m.fbx: is neither .obj, .gltf nor .glb"));
    assert!(desk.complaint(&["run", "nothing"]).contains("one of skirt, cape, flag, rope"));
    assert!(desk.complaint(&["run", "nothing.toml"]).contains("nothing.toml: cannot be read"));
    assert!(desk.complaint(&["inspect", "nothing.obj"]).contains("nothing.obj: cannot be read"));
}

#[test]
fn what_cannot_be_written_is_named() {
    let desk = Desk::new();
    desk.file("tiny.toml", TINY).file("taken", "a file where a folder should be");
    let said = desk.complaint(&["run", "tiny.toml", "--out", "taken"]);
    assert!(said.contains("cannot be written") && said.contains("or choose another"), "{said}");
    // Before the first step, not after the last: this one would take minutes.
    desk.file("long.toml", &TINY.replace("frames = 8", "frames = 100000").replace("rows = 6", "rows = 300"));
    let start = std::time::Instant::now();
    let said = desk.complaint(&["run", "long.toml", "--out", "taken"]);
    assert!(said.contains("cannot be written") && start.elapsed().as_secs() < 30, "{said}");
    // A file that cannot be replaced counts as much as a folder, and what was looked at is left as it was.
    fs::create_dir_all(desk.path("part/long/report.json")).expect("the folder can be written");
    let said = desk.complaint(&["run", "long.toml", "--out", "part"]);
    assert!(said.contains("report.json: cannot be written") && start.elapsed().as_secs() < 30, "{said}");
    assert_eq!(fs::read_dir(desk.path("part/long")).expect("it is there").count(), 1);
}

#[test]
#[cfg(target_os = "linux")]
fn output_that_cannot_be_written_is_told_and_no_panic() {
    let desk = Desk::new();
    desk.file("good.obj", "v 0 0 0\nv 1 0 0\nv 1 0 1\nf 1 2 3\n").file("tiny.toml", TINY);
    let run = |line: &str| {
        let script = format!("\"$0\" {line}");
        let mut shell = std::process::Command::new("bash");
        shell.args(["-o", "pipefail", "-c", &script]).arg(cargo_bin!("cloth")).current_dir(desk.0.path());
        shell.output().expect("there is a shell")
    };
    for line in
        ["inspect good.obj --json", "inspect good.obj", "list", "run tiny.toml", "--help", "run --help"]
    {
        let full = run(&format!("{line} > /dev/full"));
        let said = text(&full.stderr);
        assert_eq!(full.status.code(), Some(1), "{line}: {said}");
        assert!(said.contains("No space left") && !said.contains("panicked"), "{line}: {said}");
        let closed = run(&format!("{line} | true"));
        assert_eq!((closed.status.code(), text(&closed.stderr)), (Some(0), String::new()), "{line}");
        let neither = run(&format!("{line} > /dev/full 2> /dev/full"));
        assert_eq!(neither.status.code(), Some(1), "{line}");
    }
    for (line, code) in [("inspect none.obj", 1), ("run none.toml", 1), ("nonsense", 2), ("run tiny.toml", 0)]
    {
        assert_eq!(run(&format!("{line} 2> /dev/full")).status.code(), Some(code), "{line}");
    }
}

#[test]
fn pins_combine() {
    let desk = Desk::new();
    let pins = "loop = \"top\"\nabove = \"100%\"\nvertices = [24, 24]\n";
    desk.file("s.toml", &TINY.replace("edge = \"back\"\n", pins).replace("\"sheet\"", "\"flag\""));
    let scene = cloth_host::scene::Scene::read(&desk.path("s.toml")).expect("it is sound");
    // The boundary of a 7 × 7 grid and its centre.
    assert_eq!(scene.pins.len(), 25);
}

#[test]
fn a_glb_is_a_mesh_too() {
    let desk = Desk::new();
    desk.file("tiny.toml", TINY);
    assert!(desk.cloth(&["run", "tiny.toml", "--quiet"]).status.success());
    let again = desk.cloth(&["inspect", "out/tiny/tiny.glb"]);
    let said = text(&again.stdout);
    assert!(
        again.status.success() && said.contains("49 vertices, 72 triangles, 120 edges, one piece"),
        "{said}"
    );
}

#[test]
fn the_documentation_has_every_key() {
    let desk = Desk::new();
    let page = include_str!("../../docs/scene-format.md");
    let mesh = "[mesh]\nkind = \"sheet\"\n";
    let scenes = [
        format!("nonsense = 1\n{mesh}"),
        format!("{mesh}nonsense = 1\n"),
        format!("{mesh}[pins]\nnonsense = 1\n"),
        format!("{mesh}[fabric]\nnonsense = 1\n"),
        format!("{mesh}[motion]\nnonsense = 1\n"),
        format!("{mesh}[motion]\nkeys = [{{ nonsense = 1 }}]\n"),
        format!("{mesh}[motion]\nkeys = [{{ time = 1, rotation = {{ nonsense = 1 }} }}]\n"),
        format!("{mesh}[motion]\nswing = {{ nonsense = 1 }}\n"),
        format!("{mesh}[[collider]]\nshape = \"plane\"\nnonsense = 1\n"),
        format!("{mesh}[backstop]\nnonsense = 1\n"),
        format!("{mesh}[copies]\nnonsense = 1\n"),
        format!("{mesh}[[nested]]\nnonsense = 1\n"),
        format!("{mesh}[[rope]]\nnonsense = 1\n"),
        format!("{mesh}[wind]\nnonsense = 1\n"),
        format!("{mesh}[[zone]]\nnonsense = 1\n"),
        format!("{mesh}[[fluid]]\nnonsense = 1\n"),
        format!("{mesh}[output]\nslice = {{ nonsense = 1 }}\n"),
        format!("{mesh}[run]\nnonsense = 1\n"),
        format!("{mesh}[output]\nnonsense = 1\n"),
    ];
    let mut keys = 0;
    for scene in scenes {
        desk.file("s.toml", &scene);
        let said = desk.complaint(&["run", "s.toml"]);
        let expected =
            said.split("expected ").nth(1).and_then(|rest| rest.split(", at `").next()).expect("a list");
        for key in expected.split('`').skip(1).step_by(2) {
            let told = [format!("`{key}`"), format!("[{key}]"), format!("{key} = ")];
            assert!(told.iter().any(|form| page.contains(form)), "`{key}` is not in docs/scene-format.md");
            keys += 1;
        }
    }
    assert!(keys > 120, "{keys} keys were asked for");
}

#[test]
fn the_documentation_has_every_fabric_as_it_is() {
    use cloth_core::{ClothFlags, library, library::Density};
    let page = include_str!("../../docs/scene-format.md");
    for fabric in library::ALL {
        let start = format!("| {} |", fabric.name);
        let row = page.lines().find(|line| line.starts_with(&start)).expect("a row for every fabric");
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let (density, is_chain) = match fabric.density {
            Density::Areal(areal) => (areal, false),
            Density::Linear(linear) => (linear, true),
        };
        let of = fabric.dynamics;
        let limited = of.flags.contains(ClothFlags::STRAIN_LIMIT).to_string();
        let stiffness =
            |applies: bool, value: f32| if applies { value.to_string() } else { "–".to_owned() };
        let same = |cell: &str, value: &str| match (cell.parse::<f32>(), value.parse::<f32>()) {
            (Ok(cell), Ok(value)) => cell.to_bits() == value.to_bits(),
            _ => cell == value,
        };
        let expected = [
            density.to_string(),
            of.stretch.to_string(),
            limited,
            stiffness(!is_chain, of.bend),
            stiffness(is_chain, of.skip),
            of.damping.to_string(),
            of.thickness.to_string(),
            format!("{} × {}", of.substeps, of.iterations),
        ];
        for (cell, value) in cells[2..].iter().zip(&expected) {
            assert!(same(cell, value), "{}: {cell} stands for {value}", fabric.name);
        }
    }
}

#[test]
fn a_stiff_fabric_gets_its_stiffness_and_the_run_says_how() {
    let desk = Desk::new();
    let fabric = |keys: &str| {
        let small = TINY.replace("columns = 6\nrows = 6", "columns = 16\nrows = 16");
        let scene = small.replacen("[run]", &format!("[fabric]\n{keys}\n[run]"), 1);
        desk.file("s.toml", &scene);
        let scene = cloth_host::scene::Scene::read(&desk.path("s.toml")).expect("it is sound");
        let built = cloth_host::run::prepare(&scene).expect("it builds");
        (built.baked.report.merged_hinges > 0, built.notes)
    };
    let (merged, notes) = fabric("name = \"leather\"");
    assert!(!merged && notes.len() == 1, "{notes:?}");
    assert!(
        notes[0].contains("bend 0.001 N·m is above what merged rows carry")
            && notes[0].ends_with("hinges solved one by one"),
        "{notes:?}"
    );
    let output = desk.cloth(&["run", "s.toml"]);
    assert!(text(&output.stderr).contains("note: bend 0.001 N·m"), "{}", text(&output.stderr));
    let report = fs::read_to_string(desk.path("out/s/report.json")).expect("written");
    assert!(report.contains("bend 0.001 N·m"), "{report}");
    let (merged, notes) = fabric("name = \"leather\"\nstiff_bend = false");
    assert!(merged && notes.len() == 1 && notes[0].contains("stiff_bend = false"), "{notes:?}");
    assert_eq!(fabric("bend = 1e-7"), (true, Vec::new()));
    assert_eq!(fabric("bend = 1e-7\nstiff_bend = true"), (false, Vec::new()));
}

#[test]
fn a_mesh_given_to_run_and_a_scene_given_to_inspect_are_told_apart() {
    let desk = Desk::new();
    desk.file("my.obj", "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\n").file("tiny.toml", TINY);
    let said = desk.complaint(&["run", "my.obj"]);
    assert!(said.contains("my.obj: is a mesh") && said.contains("[mesh]\nfile = \"my.obj\"\n"), "{said}");
    // What it proposes is a scene.
    let scene = said.split("\n\n").skip(1).collect::<Vec<_>>().join("\n");
    desk.file("my-scene.toml", &(scene + "[run]\nframes = 1\n[output]\ntile = 64\n"));
    let output = desk.cloth(&["run", "my-scene.toml"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let said = desk.complaint(&["inspect", "tiny.toml"]);
    assert!(said.contains("is a scene") && said.contains("`cloth run tiny.toml`"), "{said}");
}

#[test]
fn seams_are_one_warning_and_one_note() {
    let desk = Desk::new();
    let seam = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3\nf 4 5 6\n";
    desk.file("seam.obj", seam);
    let said = text(&desk.cloth(&["inspect", "seam.obj"]).stdout);
    assert_eq!(said.matches("lies where").count(), 1, "{said}");
    assert!(
        said.contains("warning: 2 vertices lie where others lie") && said.contains("--weld 0.0001"),
        "{said}"
    );
    assert!(!said.contains("defects:"), "{said}");
    desk.file(
        "s.toml",
        "[mesh]\nfile = \"seam.obj\"\nweld = 0.001\n[run]\nframes = 1\n[output]\ntile = 64\n",
    );
    let output = desk.cloth(&["run", "s.toml"]);
    assert!(
        text(&output.stderr).contains("note: 2 seam vertices welded, as the scene asks"),
        "{}",
        text(&output.stderr)
    );
}
