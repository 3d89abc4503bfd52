//! Tethers: bounds on one particle, last and so kept to the digit.

use super::cloth::Cloth;
use super::pull::pull;

impl Cloth {
    /// Brings every tethered particle whose pin is held to within its way to it.
    pub(super) fn tether(&mut self) {
        for &(particle, pin, way) in &self.net.tethers {
            if self.is_held(particle) || !self.is_held(pin) {
                continue;
            }
            let now = self.positions[particle] - self.positions[pin];
            let before = self.before[particle] - self.before[pin];
            let pull = pull(now, before, way, self.settings.turn);
            if pull.length > way {
                self.positions[particle] -= pull.direction * (pull.length - way);
            }
        }
    }
}
