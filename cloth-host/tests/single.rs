//! `cloth record --single`: the recording of a single cloth, and what is said of one that is damaged.

mod desk;

use std::fs;

use cloth_core::Block;
use desk::{Desk, text};

const TINY: &str = include_str!("desk/tiny.toml");

#[test]
fn a_single_cloth_is_recorded_as_core_reads_it() {
    let desk = Desk::new();
    // Pins that move, a collider, an anchor that goes along.
    let ball = "[[collider]]\nshape = \"sphere\"\nradius = 0.1\nposition = [0, -0.15, 0]\n";
    desk.file("tiny.toml", &format!("{TINY}{ball}"));
    let good = |words: &[&str]| {
        let output = desk.cloth(words);
        assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    assert!(good(&["record", "tiny.toml", "-o", "a.replay", "--single"]).starts_with("tiny: 8 frames in "));
    let verified = good(&["verify", "a.replay"]);
    assert!(verified.starts_with("8 frames as recorded"), "{verified}");
    // The same run as in its world: the last state is the one of `cloth run`.
    good(&["run", "tiny.toml"]);
    let report = fs::read_to_string(desk.path("out/tiny/report.json")).expect("written");
    let bytes = fs::read(desk.path("a.replay")).expect("written");
    let mut blocks = vec![Block::default(); cloth_core::Replay::blocks_for(&bytes).expect("core knows it")];
    let replay = cloth_core::Replay::load(&bytes, &mut blocks).expect("core reads it");
    let last = replay.frames().last().expect("it has frames").after();
    assert!(report.contains(&last.to_string()) && verified.contains(&last.to_string()), "{report}");
    assert_eq!(good(&["diff", "a.replay", "a.replay"]), "8 frames, all the same\n");
    assert_eq!(good(&["play", "a.replay", "--from", "5", "--to", "7"]).lines().count(), 4);

    let complains = |words: &[&str], part: &str| {
        let said = desk.complaint(words);
        assert!(said.contains(part), "{words:?}: {part:?} in {said}");
    };
    complains(&["play", "a.replay", "--from", "9", "--to", "9"], "there is no tick 9: the replay has 8");
    complains(
        &["play", "a.replay", "--scene", "tiny.toml"],
        "a.replay: it is the recording of a single cloth",
    );
    good(&["record", "tiny.toml", "-o", "world.replay"]);
    complains(&["diff", "a.replay", "world.replay"], "a.replay: it is the recording of a single cloth");
    complains(&["diff", "world.replay", "a.replay"], "world.replay: it is the recording of a world");
    complains(&["record", "crowd", "-o", "c.replay", "--single"], "has 64 cloths");
    assert!(!desk.path("c.replay").exists(), "what is refused writes nothing");

    // Told otherwise, and told.
    desk.file("b.toml", &TINY.replace("amplitude = 0.05", "amplitude = 0.06"));
    good(&["record", "b.toml", "-o", "b.replay", "--single"]);
    let output = desk.cloth(&["diff", "a.replay", "b.replay"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).starts_with("frame 1: they were told different things"), "{output:?}");

    // Damage is named by its byte.
    let spoilt = |change: &dyn Fn(&mut Vec<u8>), part: &str| {
        let mut bad = bytes.clone();
        change(&mut bad);
        fs::write(desk.path("bad.replay"), bad).expect("the folder can be written");
        complains(&["verify", "bad.replay"], &format!("bad.replay: {part}"));
    };
    spoilt(&|bad| bad[8] = 99, "byte 8: replay version 99");
    spoilt(&|bad| bad[..4].reverse(), "byte 4: the replay is in the other byte order");
    spoilt(&|bad| bad[16] ^= 1, "byte 12: the replay's header");
    spoilt(&|bad| bad[48] ^= 1, "byte 48: the replay's model");
    // The stream: its first command is no longer one, or what it says is another number.
    let stream = 48 + 16 * (u32::from_le_bytes([bytes[16], bytes[17], bytes[18], bytes[19]]) as usize);
    spoilt(&|bad| bad.truncate(stream - 1), &format!("byte {}: the replay needs", stream - 1));
    spoilt(&|bad| bad.truncate(9), "byte 9: the replay ends here");
    spoilt(&|bad| bad[stream + 8] ^= 1, &format!("byte {stream}: frame 1 is the first that differs"));
    // The fingerprint of the last frame, which ends the stream: the frame begins before it.
    let words = bytes.as_chunks::<4>().0;
    let print = last.0.to_le_bytes();
    let at =
        4 * words.windows(2).rposition(|pair| pair[0] == print[..4] && pair[1] == print[4..]).expect("there");
    let mut bad = bytes.clone();
    bad[at] ^= 1;
    fs::write(desk.path("bad.replay"), bad).expect("the folder can be written");
    let said = text(&desk.cloth(&["verify", "bad.replay"]).stderr);
    let byte = said.split("byte ").nth(1).and_then(|rest| rest.split(':').next()).expect("a byte");
    let byte: usize = byte.parse().expect("a number");
    assert!(said.contains("frame 8 is the first that differs"), "{said}");
    assert!((stream..at).contains(&byte) && at - byte < 4 * 400, "{byte} of {at}: {said}");
    // Compared with the sound one, the frame is named as well; its values are not known here.
    let output = desk.cloth(&["diff", "a.replay", "bad.replay"]);
    assert!(text(&output.stdout).starts_with("frame 8: other states came of the same"), "{output:?}");
}

#[test]
fn what_is_before_the_damage_is_verified_compared_and_played() {
    let desk = Desk::new();
    desk.file("tiny.toml", TINY);
    assert!(desk.cloth(&["record", "tiny.toml", "-o", "a.replay", "--single"]).status.success());
    let bytes = fs::read(desk.path("a.replay")).expect("written");
    let word =
        |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]) as usize;
    // Where the frames end, by the layout: a tag, how many words follow, and those; tag 1 takes the step.
    let stream = 48 + 16 * (word(16) + word(20));
    let (mut at, mut ends) = (stream, vec![stream]);
    while ends.len() <= 8 {
        let is_step = word(at) == 1;
        at += 8 + 4 * word(at + 4);
        if is_step {
            ends.push(at);
        }
    }
    let says = |bad: &[u8], frames: usize, damage: &str| {
        fs::write(desk.path("bad.replay"), bad).expect("the folder can be written");
        let run = |words: &[&str]| {
            let output = desk.cloth(words);
            let (said, complained) = (text(&output.stdout), text(&output.stderr));
            assert_eq!(output.status.code(), Some(1), "{words:?}: {said}{complained}");
            assert!(complained.contains(damage), "{words:?}: {damage:?} in {complained}");
            format!("{said}{complained}")
        };
        let verified = run(&["verify", "bad.replay"]);
        assert!(verified.starts_with(&format!("{frames} frames as recorded")), "{verified}");
        let played = run(&["play", "bad.replay"]);
        let rows = played.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
        assert_eq!(rows.count(), frames, "{played}");
        let same = run(&["diff", "bad.replay", "bad.replay"]);
        assert!(same.starts_with(&format!("{frames} frames, all the same")), "{same}");
        run(&["diff", "a.replay", "bad.replay"])
    };
    for (cut, frames) in [(stream, 0), (ends[1] - 1, 0), (ends[1], 1), (ends[5] + 3, 5), (ends[8] - 4, 7)] {
        let compared = says(&bytes[..cut], frames, &format!("byte {cut}: the replay ends here"));
        assert!(compared.contains(&format!("frame {}: one has 8 frames", frames + 1)), "{compared}");
    }
    // A command that is none in the first frame, and in the sixth; the second is damaged as well where the file is cut.
    for (frame, cut) in [(1, bytes.len()), (6, bytes.len()), (2, ends[5])] {
        let mut bad = bytes[..cut].to_vec();
        bad[ends[frame - 1]] = 77;
        let damage = format!("byte {}: frame {frame}: word", ends[frame - 1]);
        says(&bad, frame - 1, &damage);
    }
    // Bytes behind the end.
    for more in [&bytes[..], b"?"] {
        let damage = format!("byte {}: the recording ends here, and {} ", bytes.len(), more.len());
        let compared = says(&[&bytes[..], more].concat(), 8, &damage);
        assert!(compared.contains("8 frames, all the same"), "{compared}");
    }
    // A fingerprint that is another: played on, and said.
    let mut bad = bytes.clone();
    bad[ends[4] - 8] ^= 1;
    fs::write(desk.path("bad.replay"), bad).expect("the folder can be written");
    let output = desk.cloth(&["play", "bad.replay"]);
    assert_eq!((output.status.code(), text(&output.stdout).lines().count()), (Some(1), 9));
    assert!(text(&output.stderr).contains("frame 4 is the first that differs"), "{output:?}");
    let said = desk.complaint(&["play", "a.replay", "--from", "5", "--to", "3"]);
    assert!(said.contains("from tick 5 to tick 3"), "{said}");
}
