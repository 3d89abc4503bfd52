//! `lockstep`: two processes over a bad network, and a planted bit.

use crate::measure::{Measurement, Out, Table, Verdict};
use crate::workload::scenes::workspace;
use anyhow::{Context as _, Result};
use serde::Deserialize;
use std::process::Command;

/// The example of multiplayer.
pub const LOCKSTEP: Measurement = Measurement {
    name: "lockstep",
    about: "two processes of examples/lockstep, two players in capes whom bots drive, over UDP on loopback; each way 5 % of the packets are \
            lost, the rest takes 80 to 90 ms, and 3 % of it 50 ms more, so that others overtake; time is counted in ticks, and ticks go as \
            fast as both processes can; 36,000 frames, then twenty games in which a bit of one peer's cloth flips; beside them the game \
            without network and rollback",
    bar: "5 % loss, 80 ms delay, reorder, 10 simulated minutes: no desync; a planted one found within one confirmed frame",
    uses_clock: false,
    run,
};

/// Ten minutes.
const FRAMES: u64 = 36_000;
/// Games with a planted desync.
const GAMES: u64 = 20;
/// By what the process says that hashes differ.
const DESYNC: i32 = 2;

/// What both processes say.
#[derive(Deserialize)]
struct Said {
    peer: Vec<Peer>,
    desync: Option<Desync>,
}

#[derive(Deserialize)]
struct Peer {
    player: u32,
    desync_frame: Option<u64>,
    found_at: Option<u64>,
    confirmed: u64,
    last: String,
    all: String,
    rollbacks: u64,
    stepped_again: u64,
    deepest: u64,
    stalled: u64,
    sent: u64,
    lost: u64,
    held_back: u64,
    snapshot_bytes: u64,
}

#[derive(Deserialize)]
struct Desync {
    said: String,
}

#[derive(Deserialize)]
struct Alone {
    last: String,
}

fn run(out: &mut Out) -> Result<Verdict> {
    let mut verdict = Verdict::new();
    let frames = FRAMES.to_string();
    let alone: Alone = toml::from_str(&lockstep(&["--alone", "--frames", &frames])?.1)?;
    let (code, text) = both(&["--frames", &frames])?;
    let said: Said = toml::from_str(&text).with_context(|| text.clone())?;
    let mut table = Table::new([
        "player",
        "confirmed frames",
        "packets",
        "lost",
        "held back",
        "rollbacks",
        "frames stepped again",
        "deepest",
        "waits",
        "bytes a saved frame",
    ]);
    for peer in &said.peer {
        let Peer {
            player, confirmed, sent, lost, held_back, rollbacks, stepped_again, deepest, stalled, ..
        } = *peer;
        let row = [
            confirmed,
            sent,
            lost,
            held_back,
            rollbacks,
            stepped_again,
            deepest,
            stalled,
            peer.snapshot_bytes,
        ];
        table.row(std::iter::once(player.to_string()).chain(row.map(|number| number.to_string())));
    }
    out.table(&table);
    let peers = said.peer.len() == 2;
    let all = peers && said.peer.iter().all(|peer| peer.confirmed >= FRAMES && peer.desync_frame.is_none());
    verdict.check(format!("{FRAMES} frames confirmed by both, no desync"), code == Some(0) && all);
    let same = said.peer.windows(2).all(|pair| pair[0].all == pair[1].all);
    verdict.check(format!("hashes of all frames {}", if same { "same" } else { "differ" }), same);
    let same = said.peer.iter().all(|peer| peer.last == alone.last);
    verdict.check(format!("the last frame {} without network", if same { "same" } else { "another" }), same);
    // A network that does nothing shows nothing.
    let bad =
        said.peer.iter().all(|peer| peer.lost * 25 > peer.sent && peer.held_back > 0 && peer.rollbacks > 0);
    verdict.check("packets were lost and overtaken, and frames stepped again", bad);

    let (mut exact, mut within, mut named, mut latest) = (0, 0, 0, 0);
    for seed in 0..GAMES {
        let planted = 150 + 7 * seed;
        let (seed, at) = (seed.to_string(), planted.to_string());
        let (code, text) = both(&["--frames", "600", "--seed", &seed, "--plant-desync", &at])?;
        let said: Said = toml::from_str(&text).with_context(|| text.clone())?;
        let found = said.peer.iter().filter_map(|peer| peer.desync_frame).min();
        let stopped = said.peer.iter().filter_map(|peer| peer.found_at).min().unwrap_or(u64::MAX);
        latest = latest.max(stopped.saturating_sub(planted));
        exact += u64::from(found == Some(planted));
        let first = found.is_some_and(|frame| frame == planted || frame == planted + 1);
        within += u64::from(code == Some(DESYNC) && first);
        let names = format!(
            "in frame {planted} (tick {}); their cloth was told the same; cloth 1, positions of particle",
            planted + 1
        );
        named += u64::from(said.desync.as_ref().is_some_and(|desync| desync.said.contains(&names)));
        if let (Some(desync), "0") = (&said.desync, seed.as_str()) {
            out.line(format!("\"{}\"", desync.said));
        }
    }
    out.line(format!(
        "of {GAMES} planted bits {exact} were found in their frame; all {latest} frames later at the latest"
    ));
    verdict.check(format!("{within} of {GAMES} planted found within a confirmed frame"), within == GAMES);
    verdict.check(format!("{named} of {GAMES} named by frame, cloth, region and particle"), named == GAMES);
    Ok(verdict)
}

fn both(arguments: &[&str]) -> Result<(Option<i32>, String)> {
    let network = ["--loss", "5", "--delay", "80", "--jitter", "10", "--reorder", "3"];
    let arguments: Vec<&str> =
        ["--both", "--fast"].iter().chain(&network).chain(arguments).copied().collect();
    lockstep(&arguments)
}

/// Runs the example; its exit code and what it says.
fn lockstep(arguments: &[&str]) -> Result<(Option<i32>, String)> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["run", "--quiet", "--release", "-p", "cloth-lockstep", "--bin", "lockstep", "--"])
        .args(arguments)
        .current_dir(workspace())
        .output()
        .context("running cargo for the example")?;
    let (code, said) = (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned());
    anyhow::ensure!(matches!(code, Some(0 | DESYNC)), "lockstep failed: {said}");
    Ok((code, String::from_utf8(output.stdout)?))
}
