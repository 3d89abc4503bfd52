//! Scenes that are refused when they are read: with their line, in one set of words, and without a trace.

mod desk;

use std::fs;

use cloth_host::run::{prepare, simulate};
use cloth_host::scene::Scene;
use desk::Desk;

const SHEET: &str =
    "[mesh]\nkind = \"sheet\"\ncolumns = 6\nrows = 6\n[run]\nframes = 3\n[output]\ntile = 64\n";
const BALL: &str = "[[collider]]\nshape = \"sphere\"\nradius = 0.1\n";

/// Everything in the folder but the scene.
fn left(desk: &Desk) -> Vec<String> {
    let entries = fs::read_dir(desk.0.path()).expect("a folder").map(|entry| entry.expect("an entry"));
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| name != "s.toml").collect()
}

#[test]
fn poses_out_of_range_are_refused_with_the_line_that_asks_for_them() {
    let desk = Desk::new();
    let far = "position = [1e6, 0, 0]\n[collider.motion]\n";
    let turn = "rotation = { axis = [0, 0, 1], degrees = 90 }";
    let pins = "[pins]\nedge = \"back\"\n[motion]\n";
    let cases: [(String, &[&str]); 8] = [
        (
            format!("{BALL}{far}swing = {{ axis = [1, 0, 0], amplitude = 1, frequency = 7 }}\n"),
            &["s.toml:14: collider.motion.swing: at 0.01", "to [1000000.", "beyond ±1000000 m", "amplitude"],
        ),
        (
            format!("{BALL}{far}keys = [\n{{ time = 0 }},\n{{ time = 1, translation = [1, 0, 0] }},\n]\n"),
            &["s.toml:16: collider.motion.keys: at 1 s", "to [1000001, 0, 0], beyond ±1000000 m"],
        ),
        // What is moved from the start was never in range.
        (
            format!("{BALL}{far}keys = [\n{{ time = 0, translation = [0.5, 0, 0] }}]\n"),
            &["s.toml:15: collider.motion.keys: at 0 s", "to [1000000.5, 0, 0]"],
        ),
        // Long after the run.
        (
            format!("{BALL}{far}keys = [\n{{ time = 0 }},\n{{ time = 9e5, translation = [1, 0, 0] }},\n]\n"),
            &["s.toml:16: collider.motion.keys: at 900000 s"],
        ),
        (
            format!("{BALL}{far}pivot = [0, 9e5, 0]\nkeys = [\n{{ time = 0, {turn} }},\n]\n"),
            &["s.toml:16: collider.motion.keys: at 0 s its origin is carried to [900000", "1900000, 0]"],
        ),
        // Both keys are in range, and the way between them is not.
        (
            format!(
                "{BALL}position = [8e5, 8e5, 0]\n[collider.motion]\ninterpolation = \"linear\"\nkeys = [\n\
                 {{ time = 0 }},\n{{ time = 0.05, {turn} }},\n]\n"
            ),
            &["collider.motion.keys: at 0.0", "beyond ±1000000 m"],
        ),
        (
            format!("{pins}keys = [\n{{ time = 0 }},\n{{ time = 1, translation = [0, 0, 1e6] }},\n]\n"),
            &["s.toml:14: motion.keys: at 1 s a vertex is carried to [", "1000001], beyond ±1000000 m"],
        ),
        (
            format!(
                "{pins}keys = [{{ time = 0, translation = [1e6, 0, 0] }}]\n\
                 swing = {{ axis = [1, 0, 0], amplitude = 1, frequency = 7 }}\n"
            ),
            &["s.toml:12: motion.keys: at 0 s a vertex is carried to [1000000.5, 0, "],
        ),
    ];
    for (sections, expected) in cases {
        desk.file("s.toml", &format!("{SHEET}{sections}"));
        let said = desk.complaint(&["run", "s.toml"]);
        for part in expected {
            assert!(said.contains(part), "{sections}: {part:?} in\n{said}");
        }
        assert_eq!(left(&desk), [""; 0], "{said}");
    }
    // As far as it goes.
    let last = "keys = [{ time = 0 }, { time = 1, translation = [0, 1e6, 0] }]\n";
    desk.file("s.toml", &format!("{SHEET}{BALL}{far}{last}"));
    let scene = Scene::read(&desk.path("s.toml")).unwrap_or_else(|error| panic!("{error}"));
    let prepared = prepare(&scene).expect("it builds");
    simulate(&scene, &prepared, &[], |_| ()).expect("it runs");
}

#[test]
fn a_run_that_fails_leaves_nothing_behind() {
    let desk = Desk::new();
    desk.file("s.toml", SHEET);
    let mut scene = Scene::read(&desk.path("s.toml")).expect("it is sound");
    let folder = desk.path("deep/er/s");
    cloth_host::export::check_folder(&scene, &folder).expect("it can be written");
    assert_eq!(left(&desk), [""; 0], "what was asked is not written");
    cloth_host::export::check_folder(&scene, &desk.path("in/../../up/s")).expect("it can be written");
    assert_eq!(left(&desk), [""; 0], "nor beside it");
    scene.gravity = [f32::NAN; 3];
    let prepared = prepare(&scene).expect("it builds");
    assert!(simulate(&scene, &prepared, &[], |_| ()).is_err());
    assert_eq!(left(&desk), [""; 0]);
    // Folders that were there stay, and so does what is in them.
    fs::create_dir_all(desk.path("deep/er")).expect("a folder");
    cloth_host::export::check_folder(&scene, &folder).expect("it can be written");
    assert_eq!(fs::read_dir(desk.path("deep/er")).expect("it is there").count(), 0);
    let name = "n".repeat(300);
    let said = desk.complaint(&["run", "s.toml", "--out", &name]);
    assert!(said.contains("cannot be written"), "{said}");
    assert_eq!(left(&desk), ["deep"]);
}

#[test]
fn brackets_of_the_wrong_number_are_named() {
    let desk = Desk::new();
    let mesh = "[mesh]\nkind = \"sheet\"\n";
    let plane = "[[collider]]\nshape = \"plane\"\n";
    let one = |section: &str| format!("{section}: is written as a list, and a scene has one");
    let cases = [
        ("[[mesh]]\nkind = \"sheet\"\n".to_owned(), 1, one("mesh"), "write [mesh], with one bracket"),
        (format!("{mesh}[[pins]]\nedge = \"back\"\n"), 3, one("pins"), "write [pins], with one bracket"),
        (format!("{mesh}[[fabric]]\nname = \"silk\"\n"), 3, one("fabric"), "write [fabric]"),
        (format!("{mesh}[[motion]]\npivot = [0, 0, 0]\n"), 3, one("motion"), "write [motion]"),
        (format!("{mesh}[[backstop]]\nradius = 1\n"), 3, one("backstop"), "write [backstop], with one"),
        (format!("{mesh}[[run]]\nframes = 1\n"), 3, one("run"), "write [run]"),
        (format!("{mesh}[[output]]\ntile = 64\n"), 3, one("output"), "write [output]"),
        (format!("backstop = [0.1, 2]\n{mesh}"), 1, one("backstop"), "write [backstop]"),
        (
            format!("{mesh}[collider]\nshape = \"plane\"\n"),
            3,
            "collider: is written as one section, and a scene has a list".into(),
            "write [[collider]], with two brackets",
        ),
        (
            format!("{mesh}{plane}[[collider.motion]]\npivot = [0, 0, 0]\n"),
            5,
            "collider.motion: is written as a list, and a collider has one".into(),
            "write [collider.motion], with one bracket",
        ),
        (
            format!("{mesh}{plane}[collider.motion.keys]\ntime = 0\n"),
            5,
            "collider.motion.keys: is written as one section, and a motion has a list".into(),
            "write keys = [{ time = 0 }, …]",
        ),
        (
            format!("{mesh}[motion]\nkeys = {{ time = 0 }}\n"),
            4,
            "motion.keys: is written as one section, and a motion has a list".into(),
            "write keys = [{ time = 0 }, …]",
        ),
        (
            format!("{mesh}[motion]\nkeys = [{{ time = 0, rotation = [[0, 1, 0], 90] }}]\n"),
            4,
            "motion.keys.rotation: is written as a list, and a key has one".into(),
            "write rotation = { axis = [0, 1, 0], degrees = 90 }",
        ),
        (
            format!("{mesh}[[motion.swing]]\naxis = [1, 0, 0]\namplitude = 1\nfrequency = 1\n"),
            3,
            "motion.swing: is written as a list, and a motion has one".into(),
            "write swing = { axis = [1, 0, 0], amplitude = 0.1, frequency = 1 }",
        ),
        (
            format!("{mesh}{plane}rotation = [[0, 1, 0], 90]\n"),
            5,
            "collider.rotation: is written as a list, and a collider has one".into(),
            "write rotation = { axis",
        ),
    ];
    for (scene, line, expected, remedy) in cases {
        let said = desk.file("s.toml", &scene).complaint(&["run", "s.toml"]);
        assert!(said.contains(&format!("s.toml:{line}: {expected}")), "{scene}\n{said}");
        assert!(said.contains(&format!("remedy: {remedy}")), "{scene}\n{said}");
    }
    // Keys may be written as sections too, and lists that are none are not colliders.
    desk.file("s.toml", &format!("{SHEET}{BALL}[[collider.motion.keys]]\ntime = 0\n"));
    assert!(Scene::read(&desk.path("s.toml")).is_ok());
    let said = desk.file("s.toml", &format!("{mesh}[pins]\nvertices = 3\n")).complaint(&["run", "s.toml"]);
    assert!(said.contains("expected a list") && !said.contains("collider"), "{said}");
}

#[test]
fn names_of_colliders_can_be_shown() {
    let desk = Desk::new();
    for (name, expected) in [
        ("", "is empty"),
        ("  ", "is empty"),
        ("a\\nb", "has a control character, \\n"),
        ("a\\tb", "has a control character, \\t"),
        ("\\u0007", "has a control character, \\u{7}"),
        ("a\\u2028b", "has a control character, \\u{2028}"),
    ] {
        desk.file("s.toml", &format!("{SHEET}{BALL}name = \"{name}\"\n"));
        let said = desk.complaint(&["run", "s.toml"]);
        assert!(said.contains(&format!("s.toml:12: collider.name: {expected}")), "{name}: {said}");
        assert!(said.contains("remedy: write a name of letters, digits and spaces, or leave the key out"));
        assert_eq!(said.lines().count(), 2, "{said}");
    }
    desk.file("s.toml", &format!("{SHEET}{BALL}name = \"Bein links – 左\"\nposition = [0, -9, 0]\n"));
    assert!(desk.cloth(&["run", "s.toml"]).status.success());
}

#[test]
fn automatic_names_avoid_those_that_are_written() {
    let desk = Desk::new();
    let named = |name: &str| format!("{BALL}name = \"{name}\"\n");
    let names = |sections: String| -> Vec<String> {
        desk.file("s.toml", &format!("{SHEET}{sections}"));
        let scene = Scene::read(&desk.path("s.toml")).unwrap_or_else(|error| panic!("{error}"));
        scene.colliders.into_iter().map(|collider| collider.name).collect()
    };
    assert_eq!(names(named("sphere 1") + BALL), ["sphere 1", "sphere 1-2"]);
    assert_eq!(names(BALL.to_owned() + &named("sphere 0") + BALL), ["sphere 0-2", "sphere 0", "sphere 2"]);
    let taken = named("sphere 2") + &named("sphere 2-2") + BALL;
    assert_eq!(names(taken), ["sphere 2", "sphere 2-2", "sphere 2-3"]);
    desk.file("s.toml", &format!("{SHEET}{}{}", named("sphere 1"), named("sphere 1")));
    let said = desk.complaint(&["run", "s.toml"]);
    assert!(said.contains("another collider is called \"sphere 1\" already"), "{said}");
}

#[test]
fn copies_and_nested_ropes_that_cannot_be_are_refused_with_their_line() {
    let desk = Desk::new();
    let rope = "[mesh]\nkind = \"rope\"\nlinks = 4\n[pins]\nedge = \"start\"\n";
    let nested = "[[nested]]\nvertices = [2]\n";
    let cases: [(String, &[&str]); 8] = [
        (
            format!("{SHEET}[copies]\ncount = 0\n"),
            &["s.toml:10: copies.count: must be a whole number from 1 to 256"],
        ),
        (format!("{SHEET}[copies]\ncolumns = 2\n"), &["missing key", "count"]),
        (
            format!("{SHEET}[copies]\ncount = 2\nspacing = [1, 1e9]\n"),
            &["s.toml:11: copies.spacing: 1000000000 must lie"],
        ),
        (format!("{SHEET}{nested}"), &["s.toml:9: nested: hangs from a vertex of a rope", "a surface"]),
        (rope.replace("start", "end") + nested, &["nested: needs a rope whose start is held"]),
        (
            format!("{rope}[[nested]]\nvertices = [2, 5]\n"),
            &["s.toml:7: nested.vertices: there is no vertex 5, the last is 4"],
        ),
        (
            format!("{rope}[motion]\nswing = {{ axis = [1, 0, 0], amplitude = 1, frequency = 1 }}\n{nested}"),
            &["nested: hangs from a rope whose pins move"],
        ),
        (
            format!("{rope}[copies]\ncount = 200\n{nested}"),
            &["nested: makes 400 cloths with the copies, and a scene has at most 256"],
        ),
    ];
    for (scene, parts) in cases {
        desk.file("s.toml", &scene);
        let said = desk.complaint(&["run", "s.toml"]);
        for part in parts {
            assert!(said.contains(part), "{scene}: {part:?} in\n{said}");
        }
    }
    desk.file("s.toml", &format!("{rope}[nested]\nvertices = [2]\n"));
    let said = desk.complaint(&["run", "s.toml"]);
    assert!(said.contains("[[nested]], with two brackets"), "{said}");
}
