//! Scenes with air: what is refused, what reaches the world, and what pictures show of it.

#![expect(
    clippy::float_cmp,
    reason = "what is written is read to the bit, and a uniform wind is the same everywhere"
)]

mod desk;

use cloth_host::export::{self, Plan};
use cloth_host::replay::Replay;
use cloth_host::run::{Recording, prepare, record, replayed, simulate};
use cloth_host::scene::{AirView, Scene};
use cloth_host::world::{ZoneBlend, ZoneShape};
use desk::Desk;

const FLAG: &str = "[mesh]\nkind = \"flag\"\ncolumns = 9\nrows = 6\n[pins]\nedge = \"left\"\n";
const SMALL: &str = "[run]\nframes = 24\n[output]\ncolumns = 2\nrows = 2\ntile = 96\n";

fn scene(sections: &str) -> Scene {
    let desk = Desk::new();
    desk.file("s.toml", &format!("{FLAG}{sections}{SMALL}"));
    Scene::read(&desk.path("s.toml")).unwrap_or_else(|error| panic!("{error}"))
}

fn run(scene: &Scene) -> Recording {
    let prepared = prepare(scene).expect("it builds");
    simulate(scene, &prepared, &Plan::new(scene).keep(), |_| ()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn what_is_none_is_refused_with_its_line_and_key() {
    let desk = Desk::new();
    let zone = "[[zone]]\nshape = \"box\"\nhalf_extents = [1, 1, 1]\n";
    let fluid = "[[fluid]]\nhalf_extents = [1, 1, 1]\n";
    let cases: [(String, &[&str]); 26] = [
        ("[wind]\nspeed = 3\n".into(), &["s.toml:8:", "unknown key `speed`", "`velocity`, `gust`, `period`"]),
        ("[wind]\nvelocity = [1, 2]\n".into(), &["s.toml:8:", "three numbers"]),
        ("[wind]\nvelocity = [nan, 0, 0]\n".into(), &["s.toml:8: wind.velocity:", "not a number within"]),
        ("[wind]\ngust = [2e6, 0, 0]\n".into(), &["s.toml:8: wind.gust:", "±1000000"]),
        ("[wind]\ngust = [1, 0, 0]\nperiod = 0\n".into(), &["s.toml:9: wind.period: must lie between"]),
        ("[wind]\nperiod = 2\n".into(), &["s.toml:8: wind.period: is that of gusts", "write gust"]),
        ("[[wind]]\nvelocity = [1, 0, 0]\n".into(), &["wind: is written as a list", "write [wind]"]),
        ("[zone]\nshape = \"box\"\n".into(), &["zone: is written as one section", "[[zone]]"]),
        ("[[zone]]\nshape = \"cube\"\n".into(), &["s.toml:8: zone.shape: there is no shape", "\"sphere\""]),
        ("[[zone]]\nshape = \"box\"\n".into(), &["s.toml:8: zone.half_extents: is missing, and a box has"]),
        ("[[zone]]\nshape = \"sphere\"\n".into(), &["s.toml:8: zone.radius: is missing, and a sphere has"]),
        (format!("{zone}radius = 1\n"), &["s.toml:10: zone.radius: means nothing for a box"]),
        ("[[zone]]\nshape = \"sphere\"\nradius = 0\n".into(), &["s.toml:9: zone.radius: must lie between"]),
        (format!("{zone}falloff = -0.1\n"), &["s.toml:10: zone.falloff: must lie between 0"]),
        (format!("{zone}eddy = 0\n"), &["s.toml:10: zone.eddy: must lie between"]),
        (format!("{zone}turbulence = 11\n"), &["s.toml:10: zone.turbulence: must lie between 0 and 10"]),
        (format!("{zone}blend = \"mix\"\n"), &["s.toml:10: zone.blend: \"mix\"", "\"replace\""]),
        (
            format!("{zone}[zone.motion]\nmoves = \"pins\"\n"),
            &["s.toml:11: zone.motion.moves: means nothing"],
        ),
        ("[[fluid]]\ncell = 0.1\n".into(), &["s.toml:7:", "missing key or section `half_extents`"]),
        (
            "[[fluid]]\nhalf_extents = [1, 0, 1]\n".into(),
            &["s.toml:8: fluid.half_extents: 0 must lie between", "half of what it measures"],
        ),
        (format!("{fluid}cell = -0.1\n"), &["s.toml:9: fluid.cell: must lie between"]),
        (format!("{fluid}cell = 0.001\n"), &["s.toml:8: fluid:", "too large", "larger cell"]),
        (
            format!("{fluid}cell = 0.25\nprevailing = [0, 1001, 0]\n"),
            &["s.toml:10: fluid.prevailing: must lie between -1000 and 1000, it is 1001", "a slower wind"],
        ),
        (format!("{fluid}size = [1, 1, 1]\n"), &["s.toml:9:", "unknown key `size`", "`half_extents`"]),
        (
            "[output]\nair = \"smoke\"\n".into(),
            &["s.toml:8: output.air:", "\"lines\", \"arrows\" or \"none\""],
        ),
        ("[output]\nslice = { axis = \"w\" }\n".into(), &["s.toml:8: output.slice.axis: \"w\" is no axis"]),
    ];
    for (sections, expected) in cases {
        desk.file("s.toml", &format!("{FLAG}{sections}"));
        let said = desk.complaint(&["run", "s.toml"]);
        for part in expected {
            assert!(said.contains(part), "{sections}: {part:?} in\n{said}");
        }
    }
    let ropes: [(&str, &[&str]); 4] = [
        ("[[rope]]\nlength = 1\n", &["s.toml:7:", "missing key or section `position`"]),
        ("[[rope]]\nposition = [0, 0, 0]\nlinks = 0\n", &["s.toml:9: rope.links: must be a whole number"]),
        (
            "[[rope]]\nposition = [0, 0, 0]\n[rope.fabric]\nname = \"silk\"\n",
            &["s.toml:10: rope.fabric.name:", "made for surfaces"],
        ),
        ("[rope]\nposition = [0, 0, 0]\n", &["rope: is written as one section", "[[rope]]"]),
    ];
    for (sections, expected) in ropes {
        desk.file("s.toml", &format!("{FLAG}{sections}"));
        let said = desk.complaint(&["run", "s.toml"]);
        for part in expected {
            assert!(said.contains(part), "{sections}: {part:?} in\n{said}");
        }
    }
}

#[test]
fn what_is_written_is_what_blows() {
    let scene = scene(
        "[wind]\nvelocity = [1, 2, 3]\ngust = [0, 0, 2]\nperiod = 4\n\
         [[zone]]\nshape = \"sphere\"\nradius = 0.5\nposition = [0.1, 0, 0]\nvelocity = [0, 0, 5]\nturbulence = 0.3\n\
         eddy = 0.2\nfalloff = 0.1\nblend = \"replace\"\n\
         [zone.motion]\nkeys = [{ time = 0 }, { time = 1, translation = [2, 0, 0] }]\n\
         [[fluid]]\nhalf_extents = [1, 0.5, 0.75]\ncell = 0.25\nprevailing = [0, 0, 7]\nrelaxation = 1\ndamping = 2\n\
         confinement = 0.5\nborder = 0.125\n",
    );
    let wind = scene.air.wind.expect("there is one");
    assert_eq!((wind.velocity, wind.gust, wind.period), ([1.0, 2.0, 3.0], [0.0, 0.0, 2.0], 4.0));
    let zone = &scene.air.zones[0];
    assert_eq!(zone.source.shape, ZoneShape::Sphere { radius: 0.5 });
    assert_eq!((zone.source.velocity, zone.source.blend), ([0.0, 0.0, 5.0], ZoneBlend::Replace));
    assert_eq!((zone.source.turbulence, zone.source.eddy, zone.source.falloff), (0.3, 0.2, 0.1));
    assert_eq!([0.0, 1.0].map(|time| zone.place(time).translation), [[0.1, 0.0, 0.0], [2.1, 0.0, 0.0]]);
    let fluid = scene.air.fluids[0].source;
    assert_eq!(
        (fluid.half_extents, fluid.cell, fluid.prevailing),
        ([1.0, 0.5, 0.75], 0.25, Some([0.0, 0.0, 7.0]))
    );
    assert_eq!([fluid.relaxation, fluid.damping, fluid.confinement, fluid.border], [1.0, 2.0, 0.5, 0.125]);
    assert_eq!(scene.view.air, AirView::Lines);
}

/// How far the middle of the flag is from where it began along Z after the run (m).
fn blown(sections: &str) -> f32 {
    let scene = scene(sections);
    let recording = run(&scene);
    let middle =
        |positions: &[[f32; 3]]| positions.iter().map(|at| at[2]).sum::<f32>() / positions.len() as f32;
    let last = recording.shot(scene.frames).expect("it was kept");
    middle(&last.positions) - middle(scene.body.positions())
}

#[test]
fn cloth_goes_with_the_wind_that_a_scene_has() {
    let none = blown("");
    assert!(none.abs() < 0.05, "{none}");
    assert!(blown("[wind]\nvelocity = [0, 0, 4]\n") > 0.1);
    assert!(blown("[wind]\nvelocity = [0, 0, -4]\n") < -0.1);
    let zone = "[[zone]]\nshape = \"box\"\nhalf_extents = [3, 3, 3]\nvelocity = [0, 0, 4]\n";
    assert!(blown(zone) > 0.1);
    // Turned about, it blows the other way; a room takes the wind away.
    assert!(blown(&format!("{zone}rotation = {{ axis = [0, 1, 0], degrees = 180 }}\n")) < -0.1);
    let calm = "[[zone]]\nshape = \"box\"\nhalf_extents = [3, 3, 3]\nblend = \"replace\"\n";
    assert!(blown(&format!("[wind]\nvelocity = [0, 0, 4]\n{calm}")).abs() < 0.05);
    // Where it comes to be in the run, and not where it was at its start.
    let far = zone.replace("velocity", "position = [0, 0, 20]\nvelocity");
    assert!(blown(&far).abs() < 0.05);
    let comes = format!(
        "{far}[zone.motion]\nkeys = [{{ time = 0 }}, {{ time = 0.05, translation = [0, 0, -20] }}]\n"
    );
    assert!(blown(&comes) > 0.1);
    assert!(blown("[[fluid]]\nhalf_extents = [2, 1, 1]\nprevailing = [0, 0, 4]\nrelaxation = 5\n") > 0.1);
}

#[test]
fn pictures_show_the_air_and_the_strain_pictures_do_not() {
    let mut scene = scene("[wind]\nvelocity = [3, 0, 0]\n");
    let lines = run(&scene);
    let plan = Plan::new(&scene);
    for shot in &lines.shots {
        assert_eq!(!shot.air.is_empty(), plan.tiles.contains(&shot.frame), "frame {}", shot.frame);
        let velocities = shot.air.iter().flat_map(|line| &line.velocities);
        assert!(velocities.into_iter().all(|velocity| *velocity == [3.0, 0.0, 0.0]));
    }
    let desk = Desk::new();
    let mut written = Vec::new();
    for view in [AirView::Lines, AirView::Arrows, AirView::None] {
        scene.view.air = view;
        let recording = run(&scene);
        assert_eq!(recording.final_fingerprint, lines.final_fingerprint, "what is shown changes nothing");
        let files = export::write_all(&scene, &recording, &plan, &desk.path("out")).expect("it is written");
        written.push([1, 2, 4].map(|file: usize| std::fs::read(&files[file]).expect("it was written")));
    }
    let [lines, arrows, none] = &written[..] else { panic!("three") };
    assert!(lines[0] != none[0] && arrows[0] != none[0] && lines[0] != arrows[0]);
    assert!(lines[1] == none[1] && arrows[1] == none[1], "strain");
    let report = String::from_utf8(none[2].clone()).expect("text");
    assert!(report.contains("\"air\"") && report.contains("\"zones\": 0"), "{report}");
}

#[test]
fn a_recording_that_is_played_shows_the_air_that_there_was() {
    let scene = scene(
        "[wind]\nvelocity = [3, 0, 0]\ngust = [2, 0, 0]\n\
         [[fluid]]\nhalf_extents = [1, 0.5, 0.5]\ncell = 0.125\nposition = [0.75, 0.5, 0]\n\
         [[collider]]\nshape = \"sphere\"\nradius = 0.2\nposition = [-0.1, 0.5, 0]\n",
    );
    let prepared = prepare(&scene).expect("it builds");
    let plan = Plan::new(&scene);
    let ran = run(&scene);
    let bytes = record(&scene, &prepared, 10, Vec::new(), |_| ()).expect("it is recorded");
    let replay = Replay::read(&bytes).expect("it is sound");
    let (played, differs) =
        replayed(&scene, &prepared, &replay, [0, scene.frames], &plan.keep()).expect("it plays");
    assert!(differs.is_none(), "{differs:?}");
    assert_eq!(played.shots, ran.shots);
    assert!(ran.shots.iter().any(|shot| !shot.air.is_empty()));
    assert_eq!(played.fluids, ran.fluids);
    assert!(ran.fluids[0].divergence > 0.0 && ran.fluids[0].divergence < 1e-3, "{:?}", ran.fluids);
}

#[test]
fn a_rope_beside_a_cloth_hangs_as_one_alone() {
    let wind = "[wind]\nvelocity = [2, 0, 1]\n";
    let beside = scene(&format!("[[rope]]\nposition = [0, 0, 0]\nlength = 1\nlinks = 12\n{wind}"));
    assert_eq!(beside.cloths(), 2);
    let desk = Desk::new();
    let rope =
        "[mesh]\nkind = \"rope\"\nlength = 1\nlinks = 12\ndirection = [0, -1, 0]\n[pins]\nedge = \"start\"\n";
    desk.file("s.toml", &format!("{rope}{wind}{SMALL}"));
    let alone = Scene::read(&desk.path("s.toml")).unwrap_or_else(|error| panic!("{error}"));
    let (beside, alone) = (run(&beside), run(&alone));
    for (both, one) in beside.shots.iter().zip(&alone.shots) {
        let own = &both.positions[both.positions.len() - 13..];
        assert_eq!(own, &one.positions[..], "frame {}", one.frame);
    }
}

#[test]
fn in_one_wind_the_flag_goes_on_moving_and_the_rope_stays() {
    let mut scene = Scene::bundled("flag-and-rope").expect("it is in the list").expect("it has no errors");
    scene.frames = 300;
    let prepared = prepare(&scene).expect("it builds");
    let keep: Vec<u32> = (240..=300).collect();
    let recording = simulate(&scene, &prepared, &keep, |_| ()).expect("it runs");
    let flag = scene.body.positions().len();
    // The farthest that a vertex goes in the last second from where it was at its begin (m).
    let wanders = |vertices: core::ops::Range<usize>| {
        let first = &recording.shot(240).expect("it was kept").positions;
        let apart = |(a, b): (&[f32; 3], &[f32; 3])| {
            (0..3).map(|axis| (a[axis] - b[axis]).powi(2)).sum::<f32>().sqrt()
        };
        let shots = keep.iter().filter_map(|frame| recording.shot(*frame));
        shots
            .flat_map(|shot| first[vertices.clone()].iter().zip(&shot.positions[vertices.clone()]).map(apart))
            .fold(0.0, f32::max)
    };
    let (flag, rope) = (wanders(0..flag), wanders(flag..flag + scene.ropes[0].places.len()));
    assert!(flag > 0.1 && rope < 0.02, "flag {flag} m, rope {rope} m");
}
