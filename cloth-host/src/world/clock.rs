//! Fixed steps out of whatever time goes by between two frames of a host.

use super::WorldError;
use super::words::fields;

/// Most fixed steps a call may take unless it is told otherwise.
const MOST: u32 = 8;

/// By what share of a step time may be short of a whole one and still make it (1): rounding of the host's sums.
const ROUNDING: f64 = 1.0e-6;

/// Lengths of a step (s): those that core takes. A cloth of a slower rate takes steps several times as long, which have to be
/// among them too.
const LENGTHS: core::ops::RangeInclusive<f64> = 1.0e-5..=1.0;

/// What became of some time that went by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Advance {
    /// Steps that were taken.
    pub steps: u32,
    /// Steps that there was time for, but no leave: the host was too slow, and the world is behind by so many.
    pub dropped: u64,
}

/// The accumulator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clock {
    step: f64,
    most: u32,
    rest: f64,
    paused: bool,
    taken: u64,
    dropped: u64,
}

impl Default for Clock {
    /// 60 steps a second, at most 8 a call.
    fn default() -> Self {
        Self { step: 1.0 / 60.0, most: MOST, rest: 0.0, paused: false, taken: 0, dropped: 0 }
    }
}

impl Clock {
    /// A clock of steps of this length (s), at most `most` a call.
    ///
    /// # Errors
    /// [`WorldError::StepLength`] for a length outside 1e-5 to 1 s.
    pub fn new(step: f64, most: u32) -> Result<Self, WorldError> {
        if !LENGTHS.contains(&step) {
            return Err(WorldError::StepLength { seconds: step });
        }
        Ok(Self { step, most, ..Self::default() })
    }

    /// The length of a step (s).
    pub fn step(&self) -> f64 {
        self.step
    }

    /// How far the time is from the last step to the next, 0 to 1: what to interpolate with.
    pub fn alpha(&self) -> f64 {
        crate::pose::lesser(crate::pose::greater(self.rest / self.step, 0.0), 1.0)
    }

    /// Steps taken so far.
    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// Steps dropped so far.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Whether time stands still.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Stops time, or lets it go on. What goes by in between is not made up for.
    pub fn pause(&mut self, paused: bool) {
        self.paused = paused;
    }

    /// Counts steps that were due and not taken as such.
    pub(super) fn give_back(&mut self, steps: u32) {
        self.taken = self.taken.saturating_sub(u64::from(steps));
    }

    /// What `elapsed` (s) comes to: the clock as it is afterwards, and the steps to take.
    ///
    /// # Errors
    /// [`WorldError::Elapsed`] for a time that is negative or not finite.
    pub fn after(&self, elapsed: f64) -> Result<(Self, Advance), WorldError> {
        if !(0.0..=f64::MAX).contains(&elapsed) {
            return Err(WorldError::Elapsed { seconds: elapsed });
        }
        let mut clock = *self;
        if clock.paused {
            return Ok((clock, Advance::default()));
        }
        let mut advance = Advance::default();
        clock.rest += elapsed;
        let due = clock.step * (1.0 - ROUNDING);
        while clock.rest >= due && advance.steps < clock.most {
            clock.rest -= clock.step;
            advance.steps += 1;
        }
        if clock.rest >= due {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "cutting off is meant, and the conversion saturates"
            )]
            let whole = (clock.rest / clock.step + ROUNDING) as u64;
            #[expect(clippy::cast_precision_loss, reason = "what is lost is time that is dropped anyway")]
            let time = whole as f64 * clock.step;
            let rest = clock.rest - time;
            // Of a time so long that its parts cannot be told nothing is left over.
            clock.rest = if (-due..=clock.step).contains(&rest) { rest } else { 0.0 };
            advance.dropped = whole;
        }
        clock.taken += u64::from(advance.steps);
        clock.dropped = clock.dropped.saturating_add(advance.dropped);
        Ok((clock, advance))
    }
}

fields! {
    Clock { step, most, rest, paused, taken, dropped }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(hertz: f64, seconds: f64) -> Clock {
        let mut clock = Clock::default();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small whole number")]
        for _ in 0..(hertz * seconds).round() as u32 {
            clock = clock.after(1.0 / hertz).expect("time goes by").0;
        }
        clock
    }

    #[test]
    fn every_host_takes_the_same_steps() {
        for hertz in [15.0, 30.0, 60.0, 90.0, 144.0, 240.0] {
            let clock = run(hertz, 10.0);
            assert_eq!((clock.taken(), clock.dropped()), (600, 0), "{hertz} Hz");
        }
    }

    #[test]
    fn what_is_too_much_is_dropped_and_counted() {
        let (clock, advance) = Clock::default().after(1.0).expect("time goes by");
        assert_eq!(advance, Advance { steps: 8, dropped: 52 });
        assert!(clock.alpha() < 1e-3);
        let (clock, advance) = clock.after(0.5 / 60.0).expect("time goes by");
        assert_eq!(advance, Advance::default());
        assert!((clock.alpha() - 0.5).abs() < 1e-3);
        let (clock, advance) = clock.after(f64::MAX).expect("time goes by");
        assert_eq!((advance.steps, advance.dropped), (8, u64::MAX));
        assert!((0.0..=1.0).contains(&clock.alpha()));
    }

    #[test]
    fn no_time_is_nothing_and_what_is_none_is_refused() {
        let clock = Clock::default();
        assert_eq!(clock.after(0.0), Ok((clock, Advance::default())));
        for seconds in [-1e-9, f64::INFINITY, f64::NAN] {
            assert!(matches!(clock.after(seconds), Err(WorldError::Elapsed { .. })), "{seconds}");
        }
        assert!(matches!(Clock::new(0.0, 8), Err(WorldError::StepLength { .. })));
    }

    #[test]
    fn a_pause_is_not_made_up_for() {
        let mut clock = Clock::default();
        clock.pause(true);
        assert_eq!(clock.after(5.0), Ok((clock, Advance::default())));
        clock.pause(false);
        assert_eq!(clock.after(1.0 / 60.0).expect("time goes by").1.steps, 1);
    }
}
