//! Two peers over loopback: they agree with each other and with a game that has no network, and where they do not, it is found.

use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::path::Path;
use std::process::{Command, Output};
use std::thread;
use std::time::Duration;

use cloth_lockstep::network::Line;
use cloth_lockstep::peer::{MOST_PREDICTED, alone};
use cloth_lockstep::wire::{Pace, Wire};
use cloth_lockstep::{Conditions, Outcome, Peer, Report};

const BAD: Conditions = Conditions {
    loss: 5.0,
    delay: Duration::from_millis(80),
    jitter: Duration::from_millis(10),
    reorder: 3.0,
};

/// Both peers, each on a thread.
fn both(conditions: Conditions, frames: u64, seed: u64, plant: Option<u64>, dumps: &Path) -> [Report; 2] {
    let sockets = [(); 2].map(|()| UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port"));
    let addresses: [SocketAddr; 2] = [0, 1].map(|of: usize| sockets[of].local_addr().expect("it is bound"));
    let mut seeds = 0..;
    let players = sockets.map(|socket| {
        let player: usize = seeds.next().expect("endless");
        let peer = Peer {
            player,
            peer: addresses[1 - player],
            frames,
            seed,
            plant: plant.filter(|_| player == 1),
            dumps: dumps.to_owned(),
            talks: false,
        };
        thread::spawn(move || {
            let line = Line::new(conditions, seed + peer.player as u64);
            let wire = Wire::of(socket, peer.peer, line, Pace::Fast).expect("it can be polled");
            peer.play(wire).expect("it plays")
        })
    });
    players.map(|player| player.join().expect("it does not panic"))
}

#[test]
fn peers_agree_with_each_other_and_with_a_game_without_a_network() {
    let nowhere = Path::new("/nonexistent");
    let reports = both(BAD, 600, 5, None, nowhere);
    for report in &reports {
        assert_eq!(report.outcome, Outcome::Agreed);
        assert!(report.confirmed >= 600 && report.lost > 0 && report.held_back > 0, "{report}");
        assert!(report.rollbacks > 10 && report.stepped_again > report.rollbacks, "{report}");
        assert!(report.deepest <= MOST_PREDICTED as u64 && report.snapshot > 0, "{report}");
    }
    assert_eq!(reports[0].all, reports[1].all);
    assert_eq!([reports[0].last, reports[1].last], [alone(5, 600).expect("it steps"); 2]);
    assert_ne!(alone(6, 600).expect("it steps"), reports[0].last, "other bots, another game");
}

#[test]
fn a_network_too_bad_for_prediction_makes_them_wait_and_not_differ() {
    let awful = Conditions { loss: 25.0, delay: Duration::from_millis(150), reorder: 20.0, ..BAD };
    let reports = both(awful, 120, 2, None, Path::new("/nonexistent"));
    assert!(reports.iter().all(|report| report.outcome == Outcome::Agreed));
    assert!(reports.iter().any(|report| report.stalled > 0), "{}", reports[0]);
    assert_eq!([reports[0].last, reports[1].last], [alone(2, 120).expect("it steps"); 2]);
}

#[test]
fn a_good_network_needs_no_rollback() {
    let reports = both(Conditions::NONE, 120, 3, None, Path::new("/nonexistent"));
    for report in reports {
        assert_eq!((report.outcome, report.rollbacks, report.lost), (Outcome::Agreed, 0, 0));
    }
}

#[test]
fn a_flipped_bit_is_found_within_a_confirmed_frame() {
    for seed in 0..3 {
        let dumps = tempfile::tempdir().expect("a directory");
        let planted = 60 + 7 * seed;
        let reports = both(BAD, 400, seed, Some(planted), dumps.path());
        let found = reports.map(|report| match report.outcome {
            Outcome::Desync { frame, dump, .. } => {
                assert!(dump.exists());
                frame
            }
            Outcome::Agreed => panic!("player {} saw nothing", report.player),
        });
        let first = found.into_iter().min().expect("two");
        assert!((planted..=planted + 1).contains(&first), "planted at {planted}, found at {found:?}");
    }
}

fn lockstep(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_lockstep")).args(arguments).output().expect("it runs")
}

#[test]
fn two_processes_find_a_planted_bit_and_say_where() {
    let directory = tempfile::tempdir().expect("a directory");
    let dumps = directory.path().to_str().expect("its name is text");
    let done = lockstep(&["--both", "--fast", "--frames", "200", "--plant-desync", "90", "--dumps", dumps]);
    let said = String::from_utf8_lossy(&done.stdout);
    assert_eq!(done.status.code(), Some(2), "{said}{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(said.matches("outcome = \"desync\"").count(), 2, "{said}");
    assert!(said.contains(
        "the peers part in frame 90 (tick 91); their cloth was told the same; cloth 1, positions of"
    ));
    // The same from the files, later.
    let [a, b] = [0, 1].map(|player| format!("{dumps}/desync-player-{player}.json"));
    let compared = lockstep(&["--compare", &a, &b]);
    let compared = String::from_utf8_lossy(&compared.stdout).into_owned();
    assert!(compared.contains("frame 90") && said.ends_with(&compared), "{compared}");
    let refused = lockstep(&["--compare", &a, "nowhere.json"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("nowhere.json"));
    assert_eq!(refused.status.code(), Some(1));
}

#[test]
fn two_processes_agree_at_the_pace_of_a_game() {
    let directory = tempfile::tempdir().expect("a directory");
    let dumps = directory.path().to_str().expect("its name is text");
    let done = lockstep(&["--both", "--frames", "30", "--dumps", dumps]);
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{said}{}", String::from_utf8_lossy(&done.stderr));
    assert_eq!(said.matches("outcome = \"agreed\"").count(), 2, "{said}");
    let last = alone(1, 30).expect("it steps");
    assert_eq!(said.matches(&format!("last = \"{last:016x}\"")).count(), 2, "{said}");
}
