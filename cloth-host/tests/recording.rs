//! `cloth record`, `verify`, `diff` and `play` of worlds: what they do, and what they say of a file that is damaged.

mod company;
mod desk;

use std::fs;

use desk::{Desk, text};

const TINY: &str = include_str!("desk/tiny.toml");

#[test]
fn a_recording_is_verified_compared_and_played() {
    let desk = Desk::new();
    desk.file("tiny.toml", TINY);
    let good = |words: &[&str]| {
        let output = desk.cloth(words);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    assert!(
        good(&["record", "tiny.toml", "-o", "a.replay", "--keyframes", "3"]).starts_with("tiny: 8 ticks in ")
    );
    let verified = good(&["verify", "a.replay"]);
    // What was recorded is what `cloth run` does.
    good(&["run", "tiny.toml"]);
    let report = fs::read_to_string(desk.path("out/tiny/report.json")).expect("written");
    let scene =
        cloth_host::replay::Replay::read(&fs::read(desk.path("a.replay")).expect("written")).expect("one");
    let last = scene.ticks().last().expect("it has ticks");
    assert!(report.contains(&last.after.cloths[0].state.to_string()), "{report}");
    assert!(verified.contains(&last.after.world.to_string()), "{verified}");
    assert_eq!(good(&["diff", "a.replay", "a.replay"]), "8 ticks, all the same\n");
    assert_eq!(good(&["play", "a.replay", "--from", "5", "--to", "7"]).lines().count(), 4);
    good(&["play", "a.replay", "--from", "5", "--scene", "tiny.toml", "--out", "clip"]);
    assert!(desk.path("clip/tiny/tiny.png").exists() && desk.path("clip/tiny/tiny.glb").exists());

    desk.file("b.toml", &TINY.replace("amplitude = 0.05", "amplitude = 0.06"));
    good(&["record", "b.toml", "-o", "b.replay"]);
    let output = desk.cloth(&["diff", "a.replay", "b.replay"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).starts_with("tick 1: they were told different things"), "{output:?}");

    let bytes = fs::read(desk.path("a.replay")).expect("written");
    fs::write(desk.path("cut.replay"), &bytes[..bytes.len() - 10]).expect("the folder can be written");
    let output = desk.cloth(&["verify", "cut.replay"]);
    let said = text(&output.stderr);
    assert!(output.status.code() == Some(1) && said.starts_with("8 ticks as recorded"), "{said}");
    assert!(said.contains(&format!("byte {}", bytes.len() - 10)), "{said}");
    desk.file("no.replay", "no");
    let said = text(&desk.cloth(&["verify", "no.replay"]).stderr);
    assert!(said.contains("no.replay: byte 0: not a replay"), "{said}");
    let said = text(&desk.cloth(&["play", "a.replay", "--from", "9"]).stderr);
    assert!(said.contains("there is no tick 9: the replay has 8"), "{said}");
    let said = desk.complaint(&["play", "a.replay", "--from", "5", "--to", "3"]);
    assert!(said.contains("from tick 5 to tick 3") && !said.contains("there is no tick"), "{said}");
}

#[test]
fn what_is_wrong_with_a_recording_is_said_by_all_that_read_it() {
    let desk = Desk::new();
    desk.file("tiny.toml", TINY);
    assert!(desk.cloth(&["record", "tiny.toml", "-o", "a.replay", "--keyframes", "1"]).status.success());
    let bytes = fs::read(desk.path("a.replay")).expect("written");
    let write =
        |name: &str, bytes: &[u8]| fs::write(desk.path(name), bytes).expect("the folder can be written");
    let says = |words: &[&str], out: &str, err: &str| {
        let output = desk.cloth(words);
        let (said, complained) = (text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(1), "{words:?}: {said}{complained}");
        assert!(said.contains(out) && complained.contains(err), "{words:?}: {said}{complained}");
    };
    // Cut short, and with something behind the end.
    let cut = bytes.len() - 10;
    write("cut.replay", &bytes[..cut]);
    write("two.replay", &[&bytes[..], &bytes[..]].concat());
    write("more.replay", &[&bytes[..], b"?"].concat());
    let ends = format!("byte {cut}: the replay ends here");
    let trails = |count: usize| format!("byte {}: the recording ends here, and {count} ", bytes.len());
    for (name, damage) in
        [("cut.replay", &ends), ("two.replay", &trails(bytes.len())), ("more.replay", &trails(1))]
    {
        says(&["verify", name], "", damage);
        says(&["verify", name], "", "8 ticks as recorded");
        says(&["diff", name, name], "8 ticks, all the same", damage);
        says(&["diff", "a.replay", name], "8 ticks, all the same", damage);
        says(&["play", name], "\n8,", damage);
        says(&["play", name, "--scene", "tiny.toml"], "ticks 0 to 8", damage);
    }
    // Tick 5 is said to be another one than it was.
    let replay = cloth_host::replay::Replay::read(&bytes).expect("one");
    let print = replay.ticks()[4].after.cloths[0].state.0;
    write("other.replay", &company::with_other(&bytes, 7, print));
    let differs = "tick 5 differs from the recording";
    says(&["verify", "other.replay"], "", differs);
    says(&["play", "other.replay"], "\n8,", differs);
    says(&["play", "other.replay", "--from", "3", "--scene", "tiny.toml"], "ticks 3 to 8", differs);
    let sound = desk.cloth(&["play", "other.replay", "--from", "6"]);
    assert!(sound.status.success() && sound.stderr.is_empty(), "{sound:?}");
    // Another scene than was recorded is named as that, and nothing is written.
    desk.file("b.toml", &TINY.replace("width = 0.4", "width = 0.5"));
    let said = desk.complaint(&["play", "a.replay", "--scene", "b.toml", "--out", "none"]);
    assert!(said.contains("a.replay: ") && said.contains("the recording has the model"), "{said}");
    assert!(said.contains("remedy: name the scene") && !desk.path("none").exists(), "{said}");
}
