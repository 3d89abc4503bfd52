//! One peer: its game, its end of the network, and the rollback library between them.

use std::cell::RefCell;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::rc::Rc;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use ggrs::{
    Config, DesyncDetection, GgrsEvent, GgrsRequest, InputStatus, P2PSession, PlayerType, PredictRepeatLast,
    SessionBuilder, SessionState,
};

use crate::game::{Game, Saved};
use crate::network::TICK;
use crate::players::{Buttons, PLAYERS};
use crate::wire::{Socket, Wire};

/// Frames that a peer predicts at most; then it waits. So many are rolled back and stepped again at worst, within one frame.
pub const MOST_PREDICTED: usize = 8;
/// Frames between a press and what comes of it: what hides that much of the delay without any prediction.
pub const INPUT_DELAY: u64 = 2;
/// Ticks that a peer goes on for after its end, so that the other gets to its own.
const FAREWELL: u64 = 120;
/// Frames after the last one that is asked for, so that all reports of hashes before it have come.
const OVERTIME: u64 = 60;

/// The types of the rollback library.
struct Cloth;

impl Config for Cloth {
    type Input = Buttons;
    // Buttons stay as they are for some frames.
    type InputPredictor = PredictRepeatLast;
    type State = Saved;
    type Address = SocketAddr;
}

/// What a peer is to do.
#[derive(Clone, Debug)]
pub struct Peer {
    /// Which player it is.
    pub player: usize,
    /// Where the other is.
    pub peer: SocketAddr,
    /// Frames that have to be confirmed and compared.
    pub frames: u64,
    /// Of the bots: both peers say the same.
    pub seed: u64,
    /// The frame in which a bit of its cloth flips.
    pub plant: Option<u64>,
    /// Where to write a dump.
    pub dumps: PathBuf,
    /// Whether it says on standard error how it is doing, every second of the game.
    pub talks: bool,
}

/// How a peer's game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All frames were confirmed and none was found to differ.
    Agreed,
    /// Hashes of a confirmed frame differ.
    Desync {
        /// The first of them that was found.
        frame: u64,
        /// The frame the game was at.
        at: u64,
        /// What was written.
        dump: PathBuf,
    },
}

/// What a peer saw.
#[derive(Clone, Debug)]
pub struct Report {
    /// Which player it is.
    pub player: usize,
    /// How it ended.
    pub outcome: Outcome,
    /// Frames that were confirmed.
    pub confirmed: u64,
    /// The fingerprint of the world at the last frame that was asked for.
    pub last: u64,
    /// A hash of the hashes of all frames that were asked for.
    pub all: u64,
    /// Times it went back.
    pub rollbacks: u64,
    /// Frames it stepped again.
    pub stepped_again: u64,
    /// Frames it went back at most.
    pub deepest: u64,
    /// Ticks without a frame, because too much was predicted already.
    pub stalled: u64,
    /// Packets it sent, and what became of them.
    pub sent: u64,
    /// Lost ones.
    pub lost: u64,
    /// Those that others were to overtake.
    pub held_back: u64,
    /// What a saved frame takes (bytes).
    pub snapshot: usize,
}

/// A peer that plays.
struct Playing {
    peer: Peer,
    game: Game,
    /// The hash of each frame as it was saved last.
    hashes: Vec<u128>,
    rollbacks: u64,
    stepped_again: u64,
    deepest: u64,
    stalled: u64,
}

impl Peer {
    /// Plays to the end.
    ///
    /// # Errors
    /// What the world, the network or the rollback library refuses; a peer that went away. A desync is none: see [`Outcome`].
    pub fn play(self, wire: Wire) -> Result<Report> {
        let wire = Rc::new(RefCell::new(wire));
        let mut session = self.session(Socket(Rc::clone(&wire)))?;
        let mut game = Game::new()?;
        game.plant(self.plant);
        let mut playing = Playing {
            peer: self,
            game,
            hashes: Vec::new(),
            rollbacks: 0,
            stepped_again: 0,
            deepest: 0,
            stalled: 0,
        };
        let outcome = playing.run(&mut session, &wire);
        wire.borrow_mut().leave();
        let outcome = outcome?;
        let wire = wire.borrow();
        let mut hasher = DefaultHasher::new();
        let asked = usize::try_from(playing.peer.frames)?;
        let hashes = playing.hashes.get(..=asked).unwrap_or(&playing.hashes);
        hashes.hash(&mut hasher);
        let last = hashes.last().copied().unwrap_or_default() & u128::from(u64::MAX);
        Ok(Report {
            player: playing.peer.player,
            outcome,
            confirmed: u64::try_from(session.confirmed_frame()).unwrap_or(0),
            last: u64::try_from(last)?,
            all: hasher.finish(),
            rollbacks: playing.rollbacks,
            stepped_again: playing.stepped_again,
            deepest: playing.deepest,
            stalled: playing.stalled,
            sent: wire.line().sent,
            lost: wire.line().lost,
            held_back: wire.line().held_back,
            snapshot: playing.game.bytes(),
        })
    }

    fn session(&self, socket: Socket) -> Result<P2PSession<Cloth>> {
        // The library's patience is by the wall clock, and so is ours (`Wire`): one of them is enough.
        let forever = Duration::from_secs(24 * 3600);
        let mut builder = SessionBuilder::<Cloth>::new()
            .with_num_players(PLAYERS)?
            .with_max_prediction_window(MOST_PREDICTED)
            .with_input_delay(usize::try_from(INPUT_DELAY)?)
            // Every frame is hashed and compared, once it is confirmed.
            .with_desync_detection_mode(DesyncDetection::On { interval: 1 })
            .with_disconnect_timeout(forever)
            .with_disconnect_notify_delay(forever)
            .with_fps(60)?;
        for player in 0..PLAYERS {
            let kind = if player == self.player { PlayerType::Local } else { PlayerType::Remote(self.peer) };
            builder = builder.add_player(kind, player)?;
        }
        Ok(builder.start_p2p_session(socket)?)
    }
}

impl Playing {
    /// Ticks until all is compared or something differs.
    fn run(&mut self, session: &mut P2PSession<Cloth>, wire: &RefCell<Wire>) -> Result<Outcome> {
        let mut outcome = None;
        let (mut farewell, mut skip, mut idle, mut alone, mut said) = (0, 0_u32, 0, 0, 0);
        loop {
            wire.borrow_mut().begin()?;
            let before = session.current_frame();
            if session.current_state() == SessionState::Running && skip == 0 {
                self.advance(session)?;
            } else {
                skip = skip.saturating_sub(1);
                session.poll_remote_clients();
            }
            // Events come in no order.
            let mut found: Option<(u64, [u128; 2])> = None;
            for event in session.events() {
                match event {
                    GgrsEvent::DesyncDetected { frame, local_checksum, remote_checksum, .. } => {
                        let here = (u64::try_from(frame)?, [local_checksum, remote_checksum]);
                        found = Some(found.map_or(here, |other| other.min(here)));
                    }
                    // Whoever is ahead waits, so that nobody predicts more than the other.
                    GgrsEvent::WaitRecommendation { skip_frames } => skip = skip_frames,
                    _ => {}
                }
            }
            if let (Some((frame, hashes)), None) = (found, &outcome) {
                let dump = self.game.dump(self.peer.player, frame, hashes)?;
                let dump = dump.write(&self.peer.dumps)?;
                outcome = Some(Outcome::Desync { frame, at: self.game.frame(), dump });
            }
            let confirmed = u64::try_from(session.confirmed_frame()).unwrap_or(0);
            if outcome.is_none() && confirmed >= self.peer.frames + OVERTIME {
                outcome = Some(Outcome::Agreed);
            }
            if outcome.is_some() {
                farewell += 1;
            }
            alone += u64::from(wire.borrow().is_alone());
            match outcome {
                Some(outcome) if farewell > FAREWELL || alone > 0 => return Ok(outcome),
                None if alone > FAREWELL => bail!("the other player left at frame {confirmed}"),
                _ => {}
            }
            if self.peer.talks && confirmed >= said + 60 {
                said = confirmed;
                self.talk(confirmed);
            }
            wire.borrow_mut().end();
            // The library sends again by the wall clock what was not answered: a game that waits for it waits in real time.
            idle = if session.current_frame() == before { idle + 1 } else { 0 };
            if idle > 3 {
                thread::sleep(Duration::from_micros(TICK));
            }
        }
    }

    /// One frame, if there is one to take.
    fn advance(&mut self, session: &mut P2PSession<Cloth>) -> Result<()> {
        let frame = u64::try_from(session.current_frame())?;
        session
            .add_local_input(self.peer.player, Buttons::of_bot(self.peer.seed, self.peer.player, frame))?;
        let before = session.current_frame();
        let requests = session.advance_frame().context("the rollback library")?;
        self.stalled += u64::from(session.current_frame() == before);
        self.fulfil(requests)
    }

    /// Saves, loads and steps as it is told to, in order.
    fn fulfil(&mut self, requests: Vec<GgrsRequest<Cloth>>) -> Result<()> {
        let present = self.game.frame();
        for request in requests {
            match request {
                GgrsRequest::SaveGameState { cell, frame } => {
                    let (saved, hash) = self.game.save();
                    let place = usize::try_from(frame)?;
                    self.hashes.resize(self.hashes.len().max(place + 1), 0);
                    self.hashes[place] = hash;
                    cell.save(frame, Some(saved), Some(hash));
                }
                GgrsRequest::LoadGameState { cell, frame } => {
                    let saved = cell.load().with_context(|| format!("nothing was saved of frame {frame}"))?;
                    self.game.load(&saved)?;
                    self.rollbacks += 1;
                    self.deepest = self.deepest.max(present - self.game.frame());
                }
                GgrsRequest::AdvanceFrame { inputs } => {
                    self.stepped_again += u64::from(self.game.frame() < present);
                    self.game.tick(buttons(&inputs)?)?;
                }
            }
        }
        Ok(())
    }

    #[expect(clippy::print_stderr, reason = "it was asked to")]
    fn talk(&self, confirmed: u64) {
        eprintln!(
            "player {}: frame {}, confirmed {confirmed}, {} rollbacks, {} frames again, {} waits",
            self.peer.player,
            self.game.frame(),
            self.rollbacks,
            self.stepped_again,
            self.stalled,
        );
    }
}

fn buttons(inputs: &[(Buttons, InputStatus)]) -> Result<[Buttons; PLAYERS]> {
    let all: Vec<Buttons> = inputs.iter().map(|(buttons, _)| *buttons).collect();
    all.try_into().ok().context("one of each player")
}

/// What the same game comes to with nobody to wait for: the fingerprint of its last frame. No peer, no network, no rollback.
///
/// # Errors
/// What the world refuses.
pub fn alone(seed: u64, frames: u64) -> Result<u64> {
    let mut game = Game::new()?;
    for frame in 0..frames {
        let of = |player| match frame.checked_sub(INPUT_DELAY) {
            Some(pressed) => Buttons::of_bot(seed, player, pressed),
            None => Buttons::default(),
        };
        game.tick([of(0), of(1)])?;
    }
    Ok(game.fingerprint())
}

impl std::fmt::Display for Report {
    /// As TOML, which people and programs read.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "[[peer]]\nplayer = {}", self.player)?;
        match &self.outcome {
            Outcome::Agreed => writeln!(f, "outcome = \"agreed\"")?,
            Outcome::Desync { frame, at, dump } => {
                writeln!(
                    f,
                    "outcome = \"desync\"\ndesync_frame = {frame}\nfound_at = {at}\ndump = {dump:?}"
                )?;
            }
        }
        writeln!(f, "confirmed = {}", self.confirmed)?;
        writeln!(f, "last = \"{:016x}\"\nall = \"{:016x}\"", self.last, self.all)?;
        writeln!(f, "rollbacks = {}\nstepped_again = {}", self.rollbacks, self.stepped_again)?;
        writeln!(f, "deepest = {}\nstalled = {}", self.deepest, self.stalled)?;
        writeln!(f, "sent = {}\nlost = {}\nheld_back = {}", self.sent, self.lost, self.held_back)?;
        writeln!(f, "snapshot_bytes = {}", self.snapshot)
    }
}
