//! Bounds between nested aggregates, coarse to fine.

use super::cloth::Cloth;
use super::pull::pull;
use glam::DVec3;

impl Cloth {
    /// Inverse masses of the aggregates: one with a held member does not move.
    pub(super) fn weigh(&mut self) {
        self.level_inverse.clear();
        for (index, level) in self.net.levels.iter().enumerate() {
            let mut inverse: Vec<f64> = level.masses.iter().map(|mass| 1.0 / mass).collect();
            let below = if index == 0 { &self.inverse } else { &self.level_inverse[index - 1] };
            for (&w, &parent) in below.iter().zip(&level.parent) {
                if w <= 0.0 {
                    inverse[parent] = 0.0;
                }
            }
            self.level_inverse.push(inverse);
        }
    }

    /// Pulls aggregates that are further apart than at rest together, and their members with them.
    pub(super) fn bound(&mut self) {
        let centroids = self.centroids();
        let mut moves: Vec<DVec3> = Vec::new();
        for (index, level) in self.net.levels.iter().enumerate().rev() {
            let (found, before) = &centroids[index];
            let inverse = &self.level_inverse[index];
            let mut at = found.clone();
            if let Some(above) = self.net.levels.get(index + 1) {
                hand_down(&mut at, inverse, &above.parent, &moves);
            }
            for row in &level.bounds {
                let (a, b) = (row.a, row.b);
                let pull = pull(at[b] - at[a], before[b] - before[a], row.rest, self.settings.turn);
                let mobility = inverse[a] + inverse[b];
                if pull.length > row.rest && mobility > 0.0 {
                    let moved = pull.direction * ((pull.length - row.rest) / mobility);
                    at[a] += moved * inverse[a];
                    at[b] -= moved * inverse[b];
                }
            }
            moves = at.iter().zip(found).map(|(at, found)| *at - *found).collect();
        }
        if let Some(level) = self.net.levels.first() {
            hand_down(&mut self.positions, &self.inverse, &level.parent, &moves);
        }
    }

    /// Mass-weighted centroids of every level, now and when the substep began (m).
    fn centroids(&self) -> Vec<(Vec<DVec3>, Vec<DVec3>)> {
        let mut centroids: Vec<(Vec<DVec3>, Vec<DVec3>)> = Vec::new();
        let mut masses = &self.net.masses;
        for level in &self.net.levels {
            let count = level.masses.len();
            let (mut now, mut before) = (vec![DVec3::ZERO; count], vec![DVec3::ZERO; count]);
            let (below_now, below_before) =
                centroids.last().map_or((&self.positions, &self.before), |(now, before)| (now, before));
            for (child, &parent) in level.parent.iter().enumerate() {
                let share = masses[child] / level.masses[parent];
                now[parent] += below_now[child] * share;
                before[parent] += below_before[child] * share;
            }
            centroids.push((now, before));
            masses = &level.masses;
        }
        centroids
    }
}

/// Moves what is free by what its aggregate was moved.
fn hand_down(nodes: &mut [DVec3], inverse: &[f64], parent: &[usize], moves: &[DVec3]) {
    for ((node, &w), &parent) in nodes.iter_mut().zip(inverse).zip(parent) {
        if w > 0.0 {
            *node += moves[parent];
        }
    }
}
