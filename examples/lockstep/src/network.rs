//! A bad network: what becomes of a packet, by a seed.

use std::time::Duration;

/// A tick of the game, and of the network's clock (µs): a 60th of a second, rounded down.
pub const TICK: u64 = 16_666;

/// How bad a network is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conditions {
    /// Packets that never arrive (%).
    pub loss: f64,
    /// How long a packet takes at least, one way.
    pub delay: Duration,
    /// By how much more at most, evenly spread.
    pub jitter: Duration,
    /// Packets that are held back by 50 ms more, so that three frames' worth overtake them (%).
    pub reorder: f64,
}

impl Conditions {
    /// As good as none.
    pub const NONE: Self = Self { loss: 0.0, delay: Duration::ZERO, jitter: Duration::ZERO, reorder: 0.0 };
}

/// How long a packet is held back that others are to overtake (µs).
const HELD_BACK: u64 = 50_000;

/// One direction of a network.
#[derive(Clone, Debug)]
pub struct Line {
    conditions: Conditions,
    random: fastrand::Rng,
    /// Packets that went in.
    pub sent: u64,
    /// Those that will not come out.
    pub lost: u64,
    /// Those that were held back.
    pub held_back: u64,
}

impl Line {
    /// A line that behaves by `seed`.
    pub fn new(conditions: Conditions, seed: u64) -> Self {
        Self { conditions, random: fastrand::Rng::with_seed(seed), sent: 0, lost: 0, held_back: 0 }
    }

    /// How long the next packet takes (µs); `None` if it is lost.
    pub fn send(&mut self) -> Option<u64> {
        let Conditions { loss, delay, jitter, reorder } = self.conditions;
        // All are drawn, whatever comes of them: what happens to a packet does not depend on what happened to others.
        let [lost, held, late] = [(); 3].map(|()| self.random.f64());
        self.sent += 1;
        if lost * 100.0 < loss {
            self.lost += 1;
            return None;
        }
        let mut takes = micros(delay + jitter.mul_f64(late));
        if held * 100.0 < reorder {
            self.held_back += 1;
            takes += HELD_BACK;
        }
        Some(takes)
    }

    /// Ticks that every packet takes at least, one or more: a packet does not arrive in the tick in which it is sent.
    pub fn least_ticks(&self) -> u64 {
        (micros(self.conditions.delay) / TICK).max(1)
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_loses_and_delays_what_it_is_told_to() {
        let conditions = Conditions {
            loss: 5.0,
            delay: Duration::from_millis(80),
            jitter: Duration::from_millis(10),
            reorder: 3.0,
        };
        let mut line = Line::new(conditions, 7);
        let takes: Vec<u64> = (0..100_000).filter_map(|_| line.send()).collect();
        assert!((4_700..5_300).contains(&line.lost), "{}", line.lost);
        assert!((2_650..3_050).contains(&line.held_back), "{}", line.held_back);
        assert!(takes.iter().all(|us| (80_000..=140_000).contains(us)));
        assert_eq!(line.least_ticks(), 4);
        let mut same = Line::new(conditions, 7);
        assert!((0..100_000).filter_map(|_| same.send()).eq(takes));
    }
}
