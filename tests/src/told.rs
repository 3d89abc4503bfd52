//! What a model says of particles and rows, for solvers of these tests that are not the product's.
//!
//! The only place that reads the rows of a [`Model`]: what a solver does with them does not depend on how a model numbers
//! and stores them.

use crate::narrow::to_u32;
use cloth_core::model::record::Particle;
use cloth_core::row::bend::HingeRow;
use cloth_core::row::skip::SkipRow;
use cloth_core::row::stretch::StretchRow;
use cloth_core::row::tether::Reach;
use cloth_core::{Model, NONE};

/// Particles and rows, numbered in some order.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// Vertex → particle.
    pub particle_of: Vec<u32>,
    /// Particle → first vertex.
    pub source_of: Vec<u32>,
    /// Rest positions (m) and masses (kg).
    pub particles: Vec<Particle>,
    /// What each particle is tied to.
    pub reach: Vec<Reach>,
    /// Stretch rows.
    pub stretch: Vec<StretchRow>,
    /// Skip rows.
    pub skip: Vec<SkipRow>,
    /// Hinges.
    pub hinges: Vec<HingeRow>,
}

impl Told {
    /// What a model says, in its own order.
    pub fn by(model: &Model<'_>) -> Self {
        Self {
            particle_of: model.particle_of().to_vec(),
            source_of: model.source_of().to_vec(),
            particles: model.particles().to_vec(),
            reach: model.reach().to_vec(),
            stretch: model.stretch_rows().to_vec(),
            skip: model.skip_rows().to_vec(),
            hinges: model.hinge_rows().to_vec(),
        }
    }

    /// The place of each particle in the order of first vertices.
    pub fn places_by_vertex(&self) -> Vec<usize> {
        let mut by_vertex: Vec<usize> = (0..self.source_of.len()).collect();
        by_vertex.sort_unstable_by_key(|&index| self.source_of[index]);
        inverse(&by_vertex)
    }

    /// The same with particle `i` as number `place[i]`, and rows in the one order that follows from that: `a < b` and
    /// `p[0] < p[1]`, sorted.
    pub fn renumbered(self, place: &[usize]) -> Self {
        let own = |index: u32| if index == NONE { NONE } else { to_u32(place[index as usize]) };
        let back = inverse(place);
        let Self { particle_of, source_of, particles, reach, mut stretch, mut skip, mut hinges } = self;
        for row in &mut stretch {
            [row.a, row.b] = ascending([own(row.a), own(row.b)]);
        }
        stretch.sort_unstable_by_key(|row| (row.a, row.b));
        for row in &mut skip {
            [row.a, row.b] = ascending([own(row.a), own(row.b)]);
        }
        skip.sort_unstable_by_key(|row| (row.a, row.b));
        for row in &mut hinges {
            row.p = row.p.map(own);
            // Turned by half a turn the hinge is the same, left and right included.
            if row.p[0] > row.p[1] {
                let ([a, b, left, right], [c0, c1, c2, c3]) = (row.p, row.c);
                (row.p, row.c) = ([b, a, right, left], [c1, c0, c3, c2]);
            }
        }
        hinges.sort_unstable_by_key(|row| row.p);
        Self {
            particle_of: particle_of.into_iter().map(own).collect(),
            source_of: back.iter().map(|&index| source_of[index]).collect(),
            particles: back.iter().map(|&index| particles[index]).collect(),
            reach: back.iter().map(|&index| Reach { pin: own(reach[index].pin), ..reach[index] }).collect(),
            stretch,
            skip,
            hinges,
        }
    }
}

/// Where each number stands in a permutation.
pub fn inverse(permutation: &[usize]) -> Vec<usize> {
    let mut inverse = vec![0; permutation.len()];
    for (place, &index) in permutation.iter().enumerate() {
        inverse[index] = place;
    }
    inverse
}

fn ascending([a, b]: [u32; 2]) -> [u32; 2] {
    [a.min(b), a.max(b)]
}

/// 1/(scale·Σ c_i²/m_i) of a hinge (kg·m²).
pub fn hinge_inertia(row: &HingeRow, mass: impl Fn(u32) -> f32) -> f32 {
    let [c0, c1, c2, c3] = row.c;
    let [m0, m1, m2, m3] = row.p.map(mass);
    1.0 / (row.scale * (c0 * c0 / m0 + c1 * c1 / m1 + c2 * c2 / m2 + c3 * c3 / m3))
}
