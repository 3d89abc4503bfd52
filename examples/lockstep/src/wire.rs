//! The socket: UDP, behind a network that is as bad as one likes.
//!
//! Time is counted in ticks. A packet carries the tick it was sent in and how long the network takes for it, and is handed on in the
//! first tick after that time. At the pace of a game ([`Pace::Real`]) ticks go by the wall clock. At [`Pace::Fast`] they go as fast as
//! both peers can, and the simulated delay is exact all the same: with every tick a peer says that the tick is over, and no tick begins before
//! everything that is due in it has arrived, which is known `least_ticks` ahead (conservative simulation: Chandy and Misra, 1979).

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr, UdpSocket};
use std::rc::Rc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use ggrs::{Message, NonBlockingSocket};

use crate::network::{Line, TICK};

/// How time goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// A tick is a 60th of a second.
    Real,
    /// As fast as both peers can.
    Fast,
}

/// How long a peer that does not say a word is waited for.
const PATIENCE: Duration = Duration::from_secs(30);
/// A datagram that says that a tick is over.
const CLOCK: u8 = 0;
/// A datagram with a message.
const MESSAGE: u8 = 1;
/// Bytes before the message: kind, tick, and how long it takes.
const HEAD: usize = 17;
/// What a peer says when it goes.
const NEVER: u64 = u64::MAX;

/// One end of the network.
pub struct Wire {
    socket: UdpSocket,
    peer: SocketAddr,
    line: Line,
    pace: Pace,
    began: Instant,
    tick: u64,
    /// Ticks that are over over there.
    heard: u64,
    /// When anything came from there last.
    heard_at: Instant,
    /// Messages by when they are due (µs), and in the order in which they came.
    due: BTreeMap<(u64, u64), Message>,
    received: u64,
}

impl Wire {
    /// An end at a port of this machine, that sends to `peer` through `line`.
    ///
    /// # Errors
    /// A port that somebody else has.
    pub fn new(port: u16, peer: SocketAddr, line: Line, pace: Pace) -> Result<Self> {
        let socket =
            UdpSocket::bind((Ipv4Addr::UNSPECIFIED, port)).with_context(|| format!("UDP port {port}"))?;
        Self::of(socket, peer, line, pace)
    }

    /// The same with a socket that is there.
    ///
    /// # Errors
    /// A socket that cannot be polled.
    pub fn of(socket: UdpSocket, peer: SocketAddr, line: Line, pace: Pace) -> Result<Self> {
        socket.set_nonblocking(true)?;
        let (began, due) = (Instant::now(), BTreeMap::new());
        Ok(Self { socket, peer, line, pace, began, tick: 0, heard: 0, heard_at: began, due, received: 0 })
    }

    /// What the line did.
    pub fn line(&self) -> &Line {
        &self.line
    }

    /// Whether the peer said that it goes.
    pub fn is_alone(&self) -> bool {
        self.heard == NEVER
    }

    /// Begins the next tick when it is time to.
    ///
    /// # Errors
    /// A peer that has not said a word for long.
    pub fn begin(&mut self) -> Result<()> {
        match self.pace {
            Pace::Real => {
                let time = self.began + Duration::from_micros(self.tick * TICK);
                thread::sleep(time.saturating_duration_since(Instant::now()));
            }
            Pace::Fast => self.wait()?,
        }
        self.pull()?;
        self.lose_patience()
    }

    fn lose_patience(&self) -> Result<()> {
        let silent = !self.is_alone() && self.heard_at.elapsed() > PATIENCE;
        ensure!(!silent, "{} has not said a word for {} s", self.peer, PATIENCE.as_secs());
        Ok(())
    }

    /// Waits until everything that is due in this tick has come.
    fn wait(&mut self) -> Result<()> {
        let mut turns = 0_u32;
        loop {
            self.pull()?;
            if self.heard.saturating_add(self.line.least_ticks()) > self.tick {
                return Ok(());
            }
            self.lose_patience()?;
            turns += 1;
            if turns < 100 {
                thread::yield_now();
            } else {
                // It may not have been there yet when it was told.
                if turns.is_multiple_of(100) {
                    self.say(self.tick);
                }
                thread::sleep(Duration::from_micros(50));
            }
        }
    }

    /// Ends the tick: whatever is sent from here on is sent in the next.
    pub fn end(&mut self) {
        self.tick += 1;
        if self.pace == Pace::Fast {
            self.say(self.tick);
        }
    }

    /// Says goodbye. Nothing of it can be lost on loopback, but a few times is cheap.
    pub fn leave(&mut self) {
        for _ in 0..3 {
            self.say(NEVER);
        }
    }

    fn say(&self, over: u64) {
        let mut bytes = [0; HEAD];
        bytes[0] = CLOCK;
        bytes[1..9].copy_from_slice(&over.to_le_bytes());
        // What is not sent is a loss like any other: it is said again.
        let _ = self.socket.send_to(&bytes, self.peer);
    }

    /// Takes everything from the socket that has come.
    fn pull(&mut self) -> Result<()> {
        let mut buffer = [0; 4096];
        loop {
            let length = match self.socket.recv_from(&mut buffer) {
                Ok((length, from)) if from == self.peer => length,
                Ok(_) => continue,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                // So some systems say that nobody was there to take what was sent.
                Err(error) if error.kind() == ErrorKind::ConnectionReset => continue,
                Err(error) => return Err(error).context("receiving"),
            };
            self.heard_at = Instant::now();
            let Some((head, body)) = buffer[..length].split_first_chunk::<HEAD>() else { continue };
            let word = |from: usize| {
                let bytes = head.get(from..from + 8).and_then(|bytes| bytes.try_into().ok());
                bytes.map_or(0, u64::from_le_bytes)
            };
            let (sent, takes) = (word(1), word(9));
            match head[0] {
                CLOCK => self.heard = self.heard.max(sent),
                MESSAGE => {
                    let Ok(message) = postcard::from_bytes(body) else { continue };
                    let due = match self.pace {
                        // Not in the tick in which it was sent, however good the network is: whether it was there in
                        // time would depend on who is first.
                        Pace::Fast => sent.saturating_mul(TICK).saturating_add(takes.max(TICK)),
                        // Two machines agree about the length of a tick, not about its number.
                        Pace::Real => (self.tick * TICK).saturating_add(takes),
                    };
                    self.due.insert((due, self.received), message);
                    self.received += 1;
                }
                _ => {}
            }
        }
    }
}

/// What the rollback library sees of it.
pub struct Socket(pub Rc<RefCell<Wire>>);

impl NonBlockingSocket<SocketAddr> for Socket {
    fn send_to(&mut self, message: &Message, address: &SocketAddr) {
        let mut wire = self.0.borrow_mut();
        let Some(takes) = wire.line.send() else { return };
        let mut bytes = vec![MESSAGE];
        bytes.extend(wire.tick.to_le_bytes());
        bytes.extend(takes.to_le_bytes());
        if let Ok(bytes) = postcard::to_extend(message, bytes) {
            // What is not sent is a loss like any other.
            let _ = wire.socket.send_to(&bytes, address);
        }
    }

    fn receive_all_messages(&mut self) -> Vec<(SocketAddr, Message)> {
        let mut wire = self.0.borrow_mut();
        let now = wire.tick * TICK;
        let later = wire.due.split_off(&(now + 1, 0));
        let due = std::mem::replace(&mut wire.due, later);
        due.into_values().map(|message| (wire.peer, message)).collect()
    }
}
