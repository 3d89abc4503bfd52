//! `cloth bake`: the file it writes, and what it says when it can't.

mod desk;

use std::fs;

use desk::{Desk, text};

const TINY: &str = include_str!("desk/tiny.toml");

const SQUARE: &str = "v 0 0 0\nv 1 0 0\nv 1 0 1\nv 0 0 1\nf 1 2 3 4\n";

#[test]
fn a_baked_file_is_the_model_that_a_run_steps() {
    let desk = Desk::new();
    desk.file("tiny.toml", TINY).file("square.obj", SQUARE);
    let load = |name: &str| {
        let bytes = fs::read(desk.path(name)).expect("written");
        let mut blocks =
            vec![cloth_core::Block::default(); cloth_core::Model::blocks_for(&bytes).expect("a model")];
        let model = cloth_core::Model::load(&bytes, &mut blocks).expect("a model");
        (model.fingerprint(), model.source_count(), model.pin_count(), model.byte_len() == bytes.len())
    };
    let output = desk.cloth(&["bake", "tiny.toml", "-o", "tiny.cloth"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let scene = cloth_host::scene::Scene::read(&desk.path("tiny.toml")).expect("sound");
    let prepared = cloth_host::run::prepare(&scene).expect("it builds");
    let fingerprint = prepared.baked.model().fingerprint();
    assert_eq!(load("tiny.cloth"), (fingerprint, 49, 7, true));
    let said = text(&output.stdout);
    assert!(said.contains(&fingerprint.to_string()) && said.contains("wrote tiny.cloth"), "{said}");

    let mesh = [
        "bake",
        "square.obj",
        "--unit",
        "cm",
        "--pins",
        "0,1",
        "--fabric",
        "silk",
        "-o",
        "square.cloth",
        "-q",
    ];
    let output = desk.cloth(&mesh);
    assert!(output.status.success() && output.stdout.is_empty(), "{}", text(&output.stderr));
    let (_, sources, pins, whole) = load("square.cloth");
    assert_eq!((sources, pins, whole), (4, 2, true));
    let plain = desk.cloth(&["bake", "square.obj", "-o", "plain.cloth"]);
    assert!(text(&plain.stdout).starts_with("square: 4 particles of cotton"), "{}", text(&plain.stdout));
}

#[test]
fn baking_complains_with_file_and_remedy_and_writes_nothing() {
    let desk = Desk::new();
    desk.file("tiny.toml", TINY)
        .file("square.obj", SQUARE)
        .file("bad.obj", &format!("{SQUARE}v 5 5 5\nf 1 1 2\n"));
    for (words, expected) in [
        (&["bake", "no.toml", "-o", "a.cloth"][..], "no.toml: cannot be read"),
        (&["bake", "bad.obj", "-o", "a.cloth"], "bad.obj:7: "),
        (&["bake", "square.obj", "--pins", "9", "-o", "a.cloth"], "square.obj: the cloth cannot be built"),
        (&["bake", "tiny.toml", "--unit", "cm", "-o", "a.cloth"], "tiny.toml: --unit is for meshes"),
        (&["bake", "tiny.toml", "--pins", "1", "-o", "a.cloth"], "tiny.toml: --pins is for meshes"),
        (&["bake", "tiny.toml", "-o", "nowhere/a.cloth"], "nowhere/a.cloth: cannot be written"),
        (&["bake", "tiny.toml", "-o", "."], ".: cannot be written"),
    ] {
        let said = desk.complaint(words);
        assert!(said.contains(expected), "{expected:?} in {said}");
    }
    // What was there stays there, and nothing came.
    desk.file("a.cloth", "mine");
    desk.complaint(&["bake", "bad.obj", "-o", "a.cloth"]);
    assert_eq!(fs::read_to_string(desk.path("a.cloth")).expect("still there"), "mine");
    let files = fs::read_dir(desk.0.path()).expect("a folder").count();
    assert_eq!(files, 4, "something was left behind");
    let rope = desk.cloth(&["bake", "square.obj", "--fabric", "rope", "-o", "b.cloth"]);
    assert!(
        text(&rope.stderr).contains("write one of silk, cotton, denim, leather"),
        "{}",
        text(&rope.stderr)
    );
}
