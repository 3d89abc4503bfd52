//! The sleep test of SOLVER §4, from positions.

use glam::DVec3;

/// Frames of a window.
const WINDOW: u32 = 30;
/// How far a particle may go in it, over the reach.
const STILL: f64 = 5e-4;

/// Watches a cloth come to rest.
pub struct Stillness {
    reach: f64,
    opened: Vec<DVec3>,
    still: bool,
    frame: u32,
    settled: Option<u32>,
}

impl Stillness {
    /// From this pose on, for a cloth of that reach (m).
    pub fn new(pose: Vec<DVec3>, reach: f64) -> Self {
        Self { reach, opened: pose, still: true, frame: 0, settled: None }
    }

    /// One more frame.
    pub fn see(&mut self, pose: &[DVec3]) {
        self.frame += 1;
        self.still &= pose.iter().zip(&self.opened).all(|(x, o)| x.distance(*o) <= STILL * self.reach);
        if self.frame.is_multiple_of(WINDOW) {
            self.settled = self.settled.or(self.still.then_some(self.frame));
            self.opened = pose.to_vec();
            self.still = true;
        }
    }

    /// Frame at which the first 30-step window closed in which every particle stayed within 5e-4 of the reach of where
    /// it was when the window opened: when it would fall asleep.
    pub fn settled(&self) -> Option<u32> {
        self.settled
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decaying_motion_is_still_once_a_window_moves_little() {
        // 1 m · 0.9^f: from frame 60 on a window moves 1.8e-3 m, from 90 on 7.6e-5 m.
        let mut stillness = Stillness::new(vec![DVec3::X], 1.0);
        for frame in 1..300 {
            stillness.see(&[DVec3::X * 0.9_f64.powi(frame)]);
        }
        assert_eq!(stillness.settled(), Some(120));
        let mut lost = Stillness::new(vec![DVec3::X], 1.0);
        (0..300).for_each(|_| lost.see(&[DVec3::NAN]));
        assert_eq!(lost.settled(), None);
    }
}
