//! Sweeps over the rows, and the tensions they leave behind.
//!
//! Hard rows come to their rest length; soft ones are compliant: with c = 1/k, λ changes by
//! (C − c·F − c·λ/h²)/(w_a + w_b + c/h²) (Macklin, Müller and Chentanez, *XPBD*, 2016), where F is the force the row's tension
//! already applies, so that at rest λ = 0 and F = k·C.

use super::cloth::Cloth;
use super::pull::pull;

/// Part of its limit up to which a tension may push instead of pull.
const PUSH_SHARE: f64 = 0.3;

/// How much faster a soft row's tension follows its force than a hard row's, over the ratio of its compliance to its
/// mobility and h²: soft rows converge at once and have a force to reach.
const SOFT_RATE: f64 = 100.0;

impl Cloth {
    /// All sweeps of a substep in which a unit of acceleration moves `h2` (s²). The last one adds to tensions.
    pub(super) fn sweep(&mut self, h2: f64) {
        let count = self.net.rows.len();
        let sweeps = self.settings.sweeps;
        let fall = 2.0 * self.settings.spread / crate::narrow::real(count);
        self.impulses.fill(0.0);
        for sweep in 0..sweeps {
            let mut relaxation = 1.0 + self.settings.spread;
            for at in 0..count {
                let row = if sweep % 2 == 0 { at } else { count - 1 - at };
                self.visit(row, h2, relaxation, sweep + 1 == sweeps);
                relaxation -= fall;
            }
        }
    }

    fn visit(&mut self, index: usize, h2: f64, relaxation: f64, last: bool) {
        let row = self.net.rows[index];
        let (a, b) = (row.a, row.b);
        let (wa, wb) = (self.inverse[a], self.inverse[b]);
        let mobility = wa + wb;
        if mobility <= 0.0 {
            return;
        }
        let now = self.positions[b] - self.positions[a];
        let pull = pull(now, self.before[b] - self.before[a], row.rest, self.settings.turn);
        let mut violation = pull.length - row.rest;
        let mut yielding = mobility;
        if row.compliance > 0.0 {
            let compliance = row.compliance / h2;
            violation -= row.compliance * self.tensions[index] + compliance * self.impulses[index];
            yielding += compliance;
        }
        let impulse = violation * relaxation / yielding;
        self.impulses[index] += impulse;
        let moved = pull.direction * impulse;
        self.positions[a] += moved * wa;
        self.positions[b] -= moved * wb;
        // What friction takes back of a sweep, sweep after sweep, is no load of the cloth: a tension fed by it would grow
        // until the contact slips, and again.
        let in_contact = self.touching[a] || self.touching[b];
        if last
            && !in_contact
            && let Some(tension) = self.settings.tension
        {
            let ratio = row.compliance / (mobility * h2);
            let haste = 1.0 + SOFT_RATE * ratio;
            let rate = tension.share * haste;
            let inertia = 1.0 / (mobility * h2);
            let most = tension.limit * haste * row.rest * inertia;
            let grown = self.tensions[index] + violation * inertia * (rate / (1.0 + rate * ratio));
            self.tensions[index] = grown.max(-PUSH_SHARE * most).min(most);
        }
    }
}
