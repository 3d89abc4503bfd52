//! Where two replays part.

use cloth_core::{Difference, Fingerprint};

use super::{Part, Player, Replay, ReplayError};

/// In what two replays part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parted {
    /// One goes on and the other does not; how many ticks each has.
    Length([u32; 2]),
    /// They were told different things: the hashes of that.
    Inputs([Fingerprint; 2]),
    /// They were told the same, and other things came of it.
    Outcome {
        /// The first part that differs.
        part: Part,
        /// The first value in it, where both states are known: because a recording can be played to there, or has a keyframe there.
        difference: Option<Difference>,
    },
}

/// The first tick in which two replays differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divergence {
    /// The tick, counted from 1.
    pub tick: u32,
    /// In what.
    pub parted: Parted,
}

impl core::fmt::Display for Divergence {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "tick {}: ", self.tick)?;
        match self.parted {
            Parted::Length([a, b]) => write!(f, "one has {a} ticks and the other {b}"),
            Parted::Inputs([a, b]) => write!(f, "they were told different things ({a} and {b})"),
            Parted::Outcome { part: Part::Region { anchor, .. }, difference: Some(difference) } => {
                write!(f, "the cloth of entity {anchor:?}, {difference}")
            }
            Parted::Outcome { part, .. } => {
                write!(f, "{part}; for the values, record with a keyframe at every tick")
            }
        }
    }
}

/// The first tick in which two replays differ, and in what; `None` where they do not, as far as both are sound.
///
/// # Errors
/// None where a state cannot be had: the values are unknown then. [`ReplayError`] where a replay cannot be played at all.
pub fn diff(a: &Replay, b: &Replay) -> Result<Option<Divergence>, ReplayError> {
    let pairs = (1..).zip(a.ticks().iter().zip(b.ticks()));
    for (tick, (one, other)) in pairs {
        if one.inputs != other.inputs {
            return Ok(Some(Divergence { tick, parted: Parted::Inputs([one.inputs, other.inputs]) }));
        }
        if let Some(part) = Part::between(&one.after, &other.after) {
            let difference = values(a, b, tick, part)?;
            return Ok(Some(Divergence { tick, parted: Parted::Outcome { part, difference } }));
        }
    }
    let counts = [a, b].map(|replay| u32::try_from(replay.ticks().len()).unwrap_or(u32::MAX));
    let [one, other] = counts;
    let tick = one.min(other).saturating_add(1);
    Ok((one != other).then_some(Divergence { tick, parted: Parted::Length(counts) }))
}

/// The first value in which a cloth differs after a tick.
fn values(a: &Replay, b: &Replay, tick: u32, part: Part) -> Result<Option<Difference>, ReplayError> {
    let (Part::Region { anchor, .. } | Part::State { anchor }) = part else { return Ok(None) };
    let (one, other) = (Player::seek(a, tick)?, Player::seek(b, tick)?);
    // What was recorded and does not come out again is only known at a keyframe.
    if one.check().is_err() || other.check().is_err() {
        return Ok(None);
    }
    let states = one.world().state(anchor).zip(other.world().state(anchor));
    Ok(states.and_then(|(one, other)| one.difference(other)))
}
