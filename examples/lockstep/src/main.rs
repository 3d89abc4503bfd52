//! `lockstep`: two processes that play one game with cloth in it.

use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, ensure};
use clap::Parser;
use cloth_lockstep::dump::{Dump, Parting, compare};
use cloth_lockstep::network::Line;
use cloth_lockstep::peer::alone;
use cloth_lockstep::players::PLAYERS;
use cloth_lockstep::wire::{Pace, Wire};
use cloth_lockstep::{Conditions, Outcome, Peer};

/// What the process says by its exit code when hashes differ.
const DESYNC: u8 = 2;

/// Two players in capes, each a process, who send each other buttons over UDP; bots press them.
///
/// A desync ends it with exit code 2 and a dump. See docs/lockstep.md.
#[derive(Parser)]
#[command(name = "lockstep", version)]
struct Options {
    /// Start both processes here, and compare their dumps if there are some.
    #[arg(long, conflicts_with_all = ["port", "peer", "player", "compare"])]
    both: bool,
    /// The port of this process.
    #[arg(long, requires = "peer")]
    port: Option<u16>,
    /// The address of the other.
    #[arg(long, requires = "player")]
    peer: Option<SocketAddr>,
    /// Which player this is.
    #[arg(long, requires = "port", value_parser = clap::value_parser!(u8).range(0..2))]
    player: Option<u8>,
    /// Say where two dumps part, and do nothing else; exit code 2 if they do.
    #[arg(long, num_args = 2, value_names = ["A", "B"])]
    compare: Option<Vec<PathBuf>>,
    /// Play without network and rollback, and say the last fingerprint: what both peers must come to.
    #[arg(long, conflicts_with_all = ["both", "port", "compare"])]
    alone: bool,
    /// Frames to play, 60 a second.
    #[arg(long, default_value_t = 600)]
    frames: u64,
    /// Packets that are lost (%): 5 is one in twenty.
    #[arg(long, default_value_t = 5.0)]
    loss: f64,
    /// How long a packet takes one way, at least (ms).
    #[arg(long, default_value_t = 80)]
    delay: u64,
    /// By how much longer at most (ms).
    #[arg(long, default_value_t = 10)]
    jitter: u64,
    /// Packets that others overtake (%).
    #[arg(long, default_value_t = 3.0)]
    reorder: f64,
    /// Of the bots and of the network.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// As fast as both peers can, with the same delays in ticks; otherwise 60 frames a second.
    #[arg(long)]
    fast: bool,
    /// Flip a bit of a cloth in that frame: in this process, with --both in the second.
    #[arg(long, value_name = "FRAME")]
    plant_desync: Option<u64>,
    /// Where dumps go.
    #[arg(long, default_value = "out/lockstep")]
    dumps: PathBuf,
    /// Say every second how it is going.
    #[arg(long)]
    talk: bool,
}

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a program")]
fn main() -> ExitCode {
    let said = Options::parse().run();
    match said {
        Ok((text, code)) => {
            print!("{text}");
            code
        }
        Err(error) => {
            eprintln!("lockstep: {error:#}");
            ExitCode::FAILURE
        }
    }
}

impl Options {
    fn run(self) -> Result<(String, ExitCode)> {
        let percent = 0.0..=100.0;
        ensure!(
            percent.contains(&self.loss) && percent.contains(&self.reorder),
            "--loss and --reorder are 0 to 100 %"
        );
        if let Some(frame) = self.plant_desync {
            ensure!(
                frame < self.frames,
                "--plant-desync {frame} is never reached: --frames {} are played",
                self.frames
            );
        }
        ensure!(self.delay <= 10_000 && self.jitter <= 10_000, "--delay and --jitter are at most 10,000 ms");
        if let Some([a, b]) = self.compare.as_deref() {
            let parting = compare(&Dump::read(a)?, &Dump::read(b)?)?;
            let code = if parting.is_some() { ExitCode::from(DESYNC) } else { ExitCode::SUCCESS };
            return Ok((said(parting), code));
        }
        if self.alone {
            return Ok((format!("last = \"{:016x}\"\n", alone(self.seed, self.frames)?), ExitCode::SUCCESS));
        }
        match (self.port, self.peer, self.player) {
            (Some(port), Some(peer), Some(player)) => self.play(port, peer, player),
            _ if self.both => self.play_both(),
            _ => anyhow::bail!("say --both, or --port, --peer and --player of this process"),
        }
    }

    /// One of the two.
    fn play(self, port: u16, peer: SocketAddr, player: u8) -> Result<(String, ExitCode)> {
        let conditions = Conditions {
            loss: self.loss,
            delay: Duration::from_millis(self.delay),
            jitter: Duration::from_millis(self.jitter),
            reorder: self.reorder,
        };
        // The two directions are not lost alike.
        let line = Line::new(conditions, self.seed.wrapping_mul(2).wrapping_add(u64::from(player)));
        let wire = Wire::new(port, peer, line, if self.fast { Pace::Fast } else { Pace::Real })?;
        let peer = Peer {
            player: usize::from(player),
            peer,
            frames: self.frames,
            seed: self.seed,
            plant: self.plant_desync,
            dumps: self.dumps,
            talks: self.talk,
        };
        let report = peer.play(wire)?;
        let code = match report.outcome {
            Outcome::Agreed => ExitCode::SUCCESS,
            Outcome::Desync { .. } => ExitCode::from(DESYNC),
        };
        Ok((report.to_string(), code))
    }

    /// Both, each a process of its own.
    fn play_both(self) -> Result<(String, ExitCode)> {
        let dumps: Vec<PathBuf> =
            (0..PLAYERS).map(|player| self.dumps.join(format!("desync-player-{player}.json"))).collect();
        for dump in &dumps {
            // Of an earlier game.
            let _ = std::fs::remove_file(dump);
        }
        let ports = ports()?;
        let children = [0, 1].map(|player| self.start(player, ports));
        let (mut text, mut worst) = (String::new(), 0);
        for child in children {
            let done = child?.wait_with_output().context("waiting for a player")?;
            text.push_str(&String::from_utf8_lossy(&done.stdout));
            worst = worst.max(done.status.code().map_or(1, |code| u8::try_from(code).unwrap_or(1)));
        }
        if dumps.iter().all(|dump| dump.exists()) {
            let parting = compare(&Dump::read(&dumps[0])?, &Dump::read(&dumps[1])?)?;
            text.push_str(&said(parting));
        }
        Ok((text, ExitCode::from(worst)))
    }

    fn start(&self, player: u8, ports: [u16; PLAYERS]) -> Result<Child> {
        let [here, there] = if player == 0 { ports } else { [ports[1], ports[0]] };
        let mut command = Command::new(std::env::current_exe().context("this program")?);
        command.arg("--dumps").arg(&self.dumps);
        let mut say = |name: &str, value: String| {
            command.arg(format!("--{name}")).arg(value);
        };
        say("player", player.to_string());
        say("port", here.to_string());
        say("peer", SocketAddr::from((Ipv4Addr::LOCALHOST, there)).to_string());
        say("frames", self.frames.to_string());
        say("loss", self.loss.to_string());
        say("delay", self.delay.to_string());
        say("jitter", self.jitter.to_string());
        say("reorder", self.reorder.to_string());
        say("seed", self.seed.to_string());
        if let (1, Some(frame)) = (player, self.plant_desync) {
            say("plant-desync", frame.to_string());
        }
        for (name, is_on) in [("--fast", self.fast), ("--talk", self.talk || !self.fast)] {
            if is_on {
                command.arg(name);
            }
        }
        command.stdout(Stdio::piped()).spawn().context("starting a player")
    }
}

/// Where two dumps part, as a line of the report.
fn said(parting: Option<Parting>) -> String {
    let said = match parting {
        Some(parting) => parting.to_string(),
        None => "the dumps agree in all frames that both have".to_owned(),
    };
    format!("[desync]\nsaid = {said:?}\n")
}

/// Two ports that nobody has.
fn ports() -> Result<[u16; PLAYERS]> {
    let sockets = [(); PLAYERS].map(|()| UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)));
    let mut ports = [0; PLAYERS];
    for (port, socket) in ports.iter_mut().zip(sockets) {
        *port = socket.and_then(|socket| socket.local_addr()).context("a free UDP port")?.port();
    }
    Ok(ports)
}
